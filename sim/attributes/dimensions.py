"""Dimensions of MJCF attributes: the powers of the scale of a <frame> that multiply each of their numbers.

    elements attributes dimensions, one a number; `1` is none, `/` divides by the letters after it

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

from itertools import product

DIMENSIONS_TEXT = """
joint range Q Q
joint ref,springref Q
joint,tendon margin,springyield Q
joint,tendon actuatorfrcrange F F
joint,tendon armature F/q
joint,tendon damping,stiffness F/q F/qq F/qqq
joint,tendon frictionloss F
joint,tendon solimplimit,solimpfriction 1 1 Q 1 1

geom friction 1 L L
geom mass M
solid density M/LLL
shell density M/LL
pair friction 1 1 L L L
geom,pair solimp 1 1 L 1 1
geom,pair margin,gap L
geom,pair adhesion N
equality solimp 1 1 Q 1 1

camera ipd L
camera focal,principal,sensorsize L L
light bulbradius,range L
light attenuation 1 /L /LL
skin inflate L

tendon range,springlength Q Q
tendon width L

actuator forcerange,ffrange F F
actuator lengthrange,velrange Q Q
actuator gear 1 1 1 G G G
actuator damping F/q F/qq F/qqq
actuator armature F/q
actuator cranklength L
actuator ctrlrange C C
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

touch,force cutoff,noise N
torque,subtreeangmom cutoff,noise T
accelerometer,velocimeter,rangefinder,framepos,framelinvel,framelinacc cutoff,noise L
subtreecom,subtreelinvel,distance,fromto,insidesite cutoff,noise L
normal cutoff L
jointpos,jointvel,jointlimitpos,jointlimitvel,actuatorpos,actuatorvel cutoff,noise Q
tendonpos,tendonvel,tendonlimitpos,tendonlimitvel cutoff,noise Q
jointlimitfrc,jointactuatorfrc,tendonlimitfrc,tendonactuatorfrc,actuatorfrc cutoff,noise F
"""


def _table() -> dict[str, dict[str, tuple[str, ...]]]:
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in filter(None, DIMENSIONS_TEXT.splitlines()):
        elements, names, *dimensions = line.split()
        for element, name in product(elements.split(","), names.split(",")):
            table.setdefault(element, {})[name] = tuple(dimensions)
    return table


# element -> attribute -> the dimension of each of its numbers; numbers beyond have none
DIMENSIONS = _table()
