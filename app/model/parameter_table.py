"""The table of parameters as people know them: kp, kv, dampratio, timeconst, a muscle's force, a joint's damping ratio.

Columns, two spaces apart: name, terms, unit, step of a drag at zero, legal values, condition. In terms, g b d stand for
gainprm, biasprm and dynprm of an actuator: `g0 -b1` is a number that is in gainprm[0] and, negative, in biasprm[1]; the
term of `*servo` and `*spring` is that many times a critical damping. Legal values are those of components.py, `<` or
`>` a number or another parameter, or `state`: its sign decides how many activations there are, which cannot change
while the model runs. `if` another number, or itself: hidden while that is 0; `if input`: only for a controller. Below,
there is what it is, and after > the effect of increasing it.

An actuator has the parameters of its force law and those of its activation dynamics; one that no shortcut of MJCF
describes has those of its gain and its bias.
"""

from __future__ import annotations

_MUSCLE = """
range 0  {0}  -  0.01  <range 1
    shortest length at which it works, in optimal lengths
    > Turned up, the lower end of its length range is a longer muscle.
range 1  {1}  -  0.01  >range 0
    longest length at which it works, in optimal lengths
    > Turned up, the upper end of its length range is a longer muscle.
force  {2}  N  1  any
    peak force at rest; below 0 it is scale / acc0 instead
    > Turned up, it is stronger.
scale  {3}  -  1  >0
    peak force for a unit of acceleration, if force is below 0
    > Turned up, a muscle whose force is below 0 is stronger.
lmin  {4}  -  0.01  <1
    length below which it has no force, in optimal lengths
    > Turned up, it loses its force earlier when it shortens.
lmax  {5}  -  0.01  >1
    length above which it has no active force, in optimal lengths
    > Turned up, it keeps its force longer when it is stretched.
vmax  {6}  1/s  0.01  >0
    shortening velocity at which it has no force, in optimal lengths per second
    > Turned up, it keeps more of its force while it shortens fast.
fpmax  {7}  -  0.01  >0
    passive force at lmax, in units of its peak force
    > Turned up, it resists more when stretched.
fvmax  {8}  -  0.01  >0
    force when it lengthens fast, in units of its peak force
    > Turned up, it is stronger while it is lengthened.
"""
_TIME = """
timeconst  d0  s  0.001  >=0
    time constant of the filter between control and activation
    > Turned up, force lags more behind control.
"""
_CONSTANT = """
constant  b0  F  0.1  any  if constant
    force at length and velocity 0
    > Turned up, it pushes more in the positive direction.
"""
_SERVO = """
kv  -b2  F·s/q  0.01  >=0
    damping: force against velocity
    > Turned up, it settles with less overshoot, and responds more slowly.
dampratio  -b2*servo  -  0.01  >=0
    kv / (2 √(kp · m)), m being the inertia that it moves at qpos0
    > Turned up, it overshoots less; 1 is critical.
"""
_KP = """
kp  g0 -b1  F/q  0.1  any
    stiffness: force per unit of position error
    > Turned up, it holds its setpoint harder.
"""


def _numbers(letter: str, word: str, count: int, meaning: str) -> str:
    """Numbers without names."""
    effect = f"    {meaning}\n    > As the callback has it.\n"
    return "".join(f"{word}prm {k}  {letter}{k}  -  0.01  any\n{effect}" for k in range(count))


PARAMETERS_TABLE = f"""
# motor
gain  g0  F  0.1  any
    force per unit of control or activation
    > Turned up, the same control acts with more force.
# adhesion
gain  g0  N  0.1  >=0
    adhesive force per unit of control
    > Turned up, the same control holds harder.
# position
{_KP}{_SERVO}{_CONSTANT}
# orientation
{_KP}{_SERVO}{_CONSTANT}
# velocity
kv  g0 -b2  F·s/q  0.1  any
    force per unit of velocity error
    > Turned up, it keeps its speed harder.
{_CONSTANT}
# damper
kv  -g2  F·s/q  0.1  >=0
    damping per unit of control
    > Turned up, the same control damps more.
# cylinder
area  g0  m²  1e-4  >=0
    area of the piston: force per unit of pressure
    > Turned up, the same pressure acts with more force.
bias 0  b0  F  0.1  any
    constant force
    > Turned up, it pushes more in the positive direction.
bias 1  b1  F/q  0.1  any
    force per unit of length
    > Farther below 0, it pulls back as a stiffer spring does.
bias 2  b2  F·s/q  0.01  any
    force per unit of velocity
    > Farther below 0, it damps more.
# muscle
{_MUSCLE.format(*(f"g{k} b{k}" for k in range(9)))}
# pid
kp  -b1  F/q  0.1  any
    stiffness: force per unit of position error
    > Turned up, the controller holds its position harder.
ki  g0  -  0.1  state  if ki
    integral gain
    > Turned up, a lasting error is removed faster.
{_SERVO}
imax  d0  F  0.1  >=0  if ki
    largest force of the integral; 0: unlimited
    > Turned up, the integral may grow farther.
slewmax  d1  -  0.1  state  if slewmax
    largest speed of the setpoint
    > Turned up, the setpoint may move faster.
{_CONSTANT}
# dcmotor
resistance  g0  Ω  0.01  >0
    resistance of the winding
    > Turned up, the same voltage drives less current.
motorconst  g1  N·m/A  0.001  >0
    torque per current, and voltage per speed
    > Turned up, a current gives more torque, and speed takes more voltage.
kp  g4  V  0.1  any  if input
    voltage of the controller per unit of position error
    > Turned up, the controller holds its position harder.
ki  g5  V  0.1  state  if ki
    voltage per unit of the integrated error
    > Turned up, the controller removes a lasting error faster.
kd  g6  V·s  0.01  any  if input
    voltage per unit of velocity error
    > Turned up, the controller damps more.
vmax  g7  V  0.1  >=0  if input
    largest voltage of the controller; 0: unlimited
    > Turned up, the controller may use more voltage.
slewmax  d7  -  0.1  state  if slewmax
    largest speed of the setpoint
    > Turned up, the setpoint may move faster.
imax  d8  V  0.1  >=0  if ki
    largest voltage of the integral; 0: unlimited
    > Turned up, the integral may grow farther.
te  d0  s  1e-4  state  if te
    electrical time constant: inductance / resistance
    > Turned up, current lags more behind voltage.
di/dt max  d1  A/s  1  >=0  if te
    largest rate of the current; 0: unlimited
    > Turned up, the current may change faster.
heat flow  d2  K/W  0.01  state  if heat flow
    thermal resistance
    > Turned up, it gets hotter: it loses heat more slowly.
heat capacity  d3  J/K  0.1  >0  if heat flow
    thermal capacity
    > Turned up, it takes longer to heat up.
ambient  d4  °C  1  any  if heat flow
    temperature around it
    > Turned up, it gets hotter.
coefficient  g2  1/K  1e-4  any  if heat flow
    relative increase of the resistance with temperature
    > Turned up, resistance grows faster with temperature.
reference  g3  °C  1  any  if heat flow
    temperature at which the resistance holds
    > Turned up, resistance is smaller at the same temperature.
sigma 0  d5  N·m/rad  0.1  state  if sigma 0
    stiffness of the bristles of its friction
    > Turned up, it yields less before it slides.
sigma 1  d6  N·m·s/rad  0.01  >=0  if sigma 0
    damping of the bristles of its friction
    > Turned up, the bristles of its friction damp more.
Coulomb  b3  N·m  1e-3  >=0  if sigma 0
    sliding friction
    > Turned up, sliding friction is stronger.
static  b4  N·m  1e-3  >=0  if sigma 0
    static friction
    > Turned up, it takes more torque to get it moving.
Stribeck  b5  rad/s  0.01  >=0  if sigma 0
    speed at which static friction has become sliding friction
    > Turned up, friction falls off at higher speeds.
cogging  b0  N·m  1e-3  any
    amplitude of the cogging torque
    > Turned up, the shaft catches more between its poles.
periods  b1  -  1  any  if cogging
    how often it catches, in radians per radian
    > Turned up, it catches more often.
phase  b2  rad  0.01  any  if cogging
    where it catches
    > Turned up, the places where it catches move.
# gain fixed
gain  g0  F  0.1  any
    force per unit of control or activation
    > Turned up, the same control acts with more force.
# gain affine
gain  g0  F  0.1  any
    gain at length and velocity 0
    > Turned up, the same control acts with more force.
gain by length  g1  F/q  0.1  any
    gain per unit of length
    > Turned up, the gain grows with length.
gain by velocity  g2  F·s/q  0.1  any
    gain per unit of velocity
    > Turned up, the gain grows with velocity; a damper has -kv.
# gain muscle
{_MUSCLE.format(*(f"g{k}" for k in range(9)))}
# gain user
{_numbers("g", "gain", 10, "for the user callback of gains")}
# bias none
# bias affine
bias  b0  F  0.1  any
    force at length and velocity 0
    > Turned up, it pushes more in the positive direction.
bias by length  b1  F/q  0.1  any
    force per unit of length
    > Farther below 0, it pulls back as a stiffer spring does.
bias by velocity  b2  F·s/q  0.01  any
    force per unit of velocity
    > Farther below 0, it damps more.
# bias muscle
{_MUSCLE.format(*(f"b{k}" for k in range(9)))}
# bias user
{_numbers("b", "bias", 10, "for the user callback of biases")}
# dyn none
# dyn integrator
# dyn filter
{_TIME}
# dyn filterexact
{_TIME}
# dyn muscle
timeconst 0  d0  s  0.001  >=0
    time constant of activation
    > Turned up, it takes longer to get strong.
timeconst 1  d1  s  0.001  >=0
    time constant of deactivation
    > Turned up, it takes longer to let go.
tausmooth  d2  -  0.001  >=0
    width of the transition between the two time constants
    > Turned up, the transition is smoother.
# dyn user
{_numbers("d", "dyn", 10, "for the user callback of dynamics")}
# joint
damping ratio  damping*spring  -  0.01  >=0
    damping / (2 √(stiffness · inertia)), with the inertia of springdamper: 1 / dof_invweight0
    > Turned up, it swings less; 1 is critical.
"""
