"""Dimensions of MJCF attributes: the powers of the scale of a <frame> that multiply each of their numbers.

    element attribute dimensions, one a number; `1` is none, `/` divides by the letters after it

L is the factor of lengths and M that of masses. Q is the factor of the coordinate of a joint, tendon or transmission, a
length or an angle. The others follow units of length and mass that only `scaling="similar"` changes: q is the
coordinate, F its force, N a force, T a torque, P a pressure. C is the control of an actuator, c the same in the units
of forces, A its activation. G is the rotational part of a gear.

Not in the table, and never scaled: angles, times, ratios, colours, user data, options; all of a free joint, whose
numbers have two dimensions; fovy of an orthographic camera; contact, insidesite and user sensors, energies; solref,
also as stiffness and damping, which are per mass; a dampratio and the automatic force of a muscle, which follow from
inertia; springlength -1, which follows from the pose. Poses, sizes, inertias and surface velocities are vectors, and
have their own code.
"""

from __future__ import annotations

DIMENSIONS_TEXT = """
joint range Q Q
joint actuatorfrcrange F F
joint margin Q
joint ref Q
joint springref Q
joint springyield Q
joint armature F/q
joint damping F/q F/qq F/qqq
joint stiffness F/q F/qq F/qqq
joint frictionloss F
joint solimplimit 1 1 Q 1 1
joint solimpfriction 1 1 Q 1 1

geom friction 1 L L
geom mass M
solid density M/LLL
shell density M/LL
geom solimp 1 1 L 1 1
geom margin L
geom gap L
geom adhesion N

camera ipd L
camera focal L L
camera principal L L
camera sensorsize L L

light bulbradius L
light range L
light attenuation 1 /L /LL

skin inflate L

pair friction 1 1 L L L
pair solimp 1 1 L 1 1
pair margin L
pair gap L
pair adhesion N

equality solimp 1 1 Q 1 1

tendon range Q Q
tendon actuatorfrcrange F F
tendon margin Q
tendon springlength Q Q
tendon springyield Q
tendon width L
tendon armature F/q
tendon damping F/q F/qq F/qqq
tendon stiffness F/q F/qq F/qqq
tendon frictionloss F
tendon solimplimit 1 1 Q 1 1
tendon solimpfriction 1 1 Q 1 1

actuator forcerange F F
actuator lengthrange Q Q
actuator gear 1 1 1 G G G
actuator damping F/q F/qq F/qqq
actuator armature F/q
actuator cranklength L
actuator ctrlrange C C
actuator velrange Q Q
actuator ffrange F F
actuator actrange A A
gain/fixed gainprm F/c
gain/affine gainprm F/c F/cq F/cq
gain/muscle gainprm 1 1 F
gain/so3 gainprm T
gain/pid gainprm F/q
gain/pid dynprm Q Q
gain/dcmotor dynprm 1 1 1 1 1 1 1 Q Q
gain/dcmotor biasprm 1 /Q 1 1 1 Q
bias/affine biasprm F F/q F/q
bias/muscle biasprm 1 1 F
bias/so3 biasprm 1 T T

touch cutoff,noise N
accelerometer cutoff,noise L
velocimeter cutoff,noise L
force cutoff,noise N
torque cutoff,noise T
rangefinder cutoff,noise L
jointpos cutoff,noise Q
jointvel cutoff,noise Q
jointlimitpos cutoff,noise Q
jointlimitvel cutoff,noise Q
jointlimitfrc cutoff,noise F
jointactuatorfrc cutoff,noise F
tendonpos cutoff,noise Q
tendonvel cutoff,noise Q
tendonlimitpos cutoff,noise Q
tendonlimitvel cutoff,noise Q
tendonlimitfrc cutoff,noise F
tendonactuatorfrc cutoff,noise F
actuatorpos cutoff,noise Q
actuatorvel cutoff,noise Q
actuatorfrc cutoff,noise F
framepos cutoff,noise L
framelinvel cutoff,noise L
framelinacc cutoff,noise L
subtreecom cutoff,noise L
subtreelinvel cutoff,noise L
subtreeangmom cutoff,noise T
distance cutoff,noise L
fromto cutoff,noise L
normal cutoff L
insidesite cutoff,noise L
"""


def _table() -> dict[str, dict[str, tuple[str, ...]]]:
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in filter(None, DIMENSIONS_TEXT.splitlines()):
        element, names, *dimensions = line.split()
        for name in names.split(","):
            table.setdefault(element, {})[name] = tuple(dimensions)
    return table


# element -> attribute -> the dimension of each of its numbers; numbers beyond have none
DIMENSIONS = _table()
