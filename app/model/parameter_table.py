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
    > Higher: the lower end of its length range means a longer muscle.
range 1  {1}  -  0.01  >range 0
    longest length at which it works, in optimal lengths
    > Higher: the upper end of its length range means a longer muscle.
force  {2}  N  1  any
    peak force at rest; if negative, scale / acc0 is used instead
    > Higher: stronger.
scale  {3}  -  1  >0
    peak force per unit acceleration, if force is negative
    > Higher: a muscle with negative force is stronger.
lmin  {4}  -  0.01  <1
    length below which it has no force, in optimal lengths
    > Higher: it loses its force earlier when it shortens.
lmax  {5}  -  0.01  >1
    length above which it has no active force, in optimal lengths
    > Higher: it keeps its force longer when it is stretched.
vmax  {6}  1/s  0.01  >0
    shortening velocity at which it has no force, in optimal lengths per second
    > Higher: it keeps more of its force during fast shortening.
fpmax  {7}  -  0.01  >0
    passive force at lmax, in units of its peak force
    > Higher: it resists more when stretched.
fvmax  {8}  -  0.01  >0
    force during fast lengthening, in units of its peak force
    > Higher: stronger while being lengthened.
"""
_TIME = """
timeconst  d0  s  0.001  >=0
    time constant of the filter between control and activation
    > Higher: force lags further behind control.
"""
_CONSTANT = """
constant  b0  F  0.1  any  if constant
    force at length and velocity 0
    > Higher: it pushes more in the positive direction.
"""
_SERVO = """
kv  -b2  F·s/q  0.01  >=0
    damping: force against velocity
    > Higher: it settles with less overshoot, and responds more slowly.
dampratio  -b2*servo  -  0.01  >=0
    kv / (2 √(kp · m)), where m is the inertia it moves at qpos0
    > Higher: it overshoots less; 1 is critical.
"""
_KP = """
kp  g0 -b1  F/q  0.1  any
    stiffness: force per unit of position error
    > Higher: it holds its setpoint more firmly.
"""


def _numbers(letter: str, word: str, count: int, meaning: str) -> str:
    """Numbers without names."""
    effect = f"    {meaning}\n    > Defined by the callback.\n"
    return "".join(f"{word}prm {k}  {letter}{k}  -  0.01  any\n{effect}" for k in range(count))


PARAMETERS_TABLE = f"""
# motor
gain  g0  F  0.1  any
    force per unit of control or activation
    > Higher: the same control acts with more force.
# adhesion
gain  g0  N  0.1  >=0
    adhesive force per unit of control
    > Higher: the same control holds more firmly.
# position
{_KP}{_SERVO}{_CONSTANT}
# orientation
{_KP}{_SERVO}{_CONSTANT}
# velocity
kv  g0 -b2  F·s/q  0.1  any
    force per unit of velocity error
    > Higher: it holds its speed more firmly.
{_CONSTANT}
# damper
kv  -g2  F·s/q  0.1  >=0
    damping per unit of control
    > Higher: the same control damps more.
# cylinder
area  g0  m²  1e-4  >=0
    area of the piston: force per unit of pressure
    > Higher: the same pressure acts with more force.
bias 0  b0  F  0.1  any
    constant force
    > Higher: it pushes more in the positive direction.
bias 1  b1  F/q  0.1  any
    force per unit of length
    > More negative: it pulls back like a stiffer spring.
bias 2  b2  F·s/q  0.01  any
    force per unit of velocity
    > More negative: it damps more.
# muscle
{_MUSCLE.format(*(f"g{k} b{k}" for k in range(9)))}
# pid
kp  -b1  F/q  0.1  any
    stiffness: force per unit of position error
    > Higher: the controller holds its position more firmly.
ki  g0  -  0.1  state  if ki
    integral gain
    > Higher: a lasting error is removed faster.
{_SERVO}
imax  d0  F  0.1  >=0  if ki
    largest force of the integral; 0: unlimited
    > Higher: the integral may grow further.
slewmax  d1  -  0.1  state  if slewmax
    largest speed of the setpoint
    > Higher: the setpoint may move faster.
{_CONSTANT}
# dcmotor
resistance  g0  Ω  0.01  >0
    resistance of the winding
    > Higher: the same voltage drives less current.
motorconst  g1  N·m/A  0.001  >0
    torque per current, and voltage per speed
    > Higher: a current gives more torque, and speed takes more voltage.
kp  g4  V  0.1  any  if input
    voltage of the controller per unit of position error
    > Higher: the controller holds its position more firmly.
ki  g5  V  0.1  state  if ki
    voltage per unit of the integrated error
    > Higher: the controller removes a lasting error faster.
kd  g6  V·s  0.01  any  if input
    voltage per unit of velocity error
    > Higher: the controller damps more.
vmax  g7  V  0.1  >=0  if input
    largest voltage of the controller; 0: unlimited
    > Higher: the controller may use more voltage.
slewmax  d7  -  0.1  state  if slewmax
    largest speed of the setpoint
    > Higher: the setpoint may move faster.
imax  d8  V  0.1  >=0  if ki
    largest voltage of the integral; 0: unlimited
    > Higher: the integral may grow further.
te  d0  s  1e-4  state  if te
    electrical time constant: inductance / resistance
    > Higher: current lags further behind voltage.
di/dt max  d1  A/s  1  >=0  if te
    largest rate of the current; 0: unlimited
    > Higher: the current may change faster.
heat flow  d2  K/W  0.01  state  if heat flow
    thermal resistance
    > Higher: it gets hotter because it loses heat more slowly.
heat capacity  d3  J/K  0.1  >0  if heat flow
    thermal capacity
    > Higher: it takes longer to heat up.
ambient  d4  °C  1  any  if heat flow
    ambient temperature
    > Higher: it gets hotter.
coefficient  g2  1/K  1e-4  any  if heat flow
    relative increase of the resistance with temperature
    > Higher: resistance grows faster with temperature.
reference  g3  °C  1  any  if heat flow
    temperature at which the resistance holds
    > Higher: resistance is smaller at the same temperature.
sigma 0  d5  N·m/rad  0.1  state  if sigma 0
    stiffness of its friction bristles
    > Higher: it yields less before it slides.
sigma 1  d6  N·m·s/rad  0.01  >=0  if sigma 0
    damping of its friction bristles
    > Higher: its friction bristles damp more.
Coulomb  b3  N·m  1e-3  >=0  if sigma 0
    sliding friction
    > Higher: sliding friction is stronger.
static  b4  N·m  1e-3  >=0  if sigma 0
    static friction
    > Higher: it takes more torque to get it moving.
Stribeck  b5  rad/s  0.01  >=0  if sigma 0
    speed at which static friction turns into sliding friction
    > Higher: friction falls off at higher speeds.
cogging  b0  N·m  1e-3  any
    amplitude of the cogging torque
    > Higher: the shaft catches more between its poles.
periods  b1  -  1  any  if cogging
    how often it catches, in radians per radian
    > Higher: it catches more often.
phase  b2  rad  0.01  any  if cogging
    position at which it catches
    > Higher: the positions at which it catches shift.
# gain fixed
gain  g0  F  0.1  any
    force per unit of control or activation
    > Higher: the same control acts with more force.
# gain affine
gain  g0  F  0.1  any
    gain at length and velocity 0
    > Higher: the same control acts with more force.
gain by length  g1  F/q  0.1  any
    gain per unit of length
    > Higher: the gain grows with length.
gain by velocity  g2  F·s/q  0.1  any
    gain per unit of velocity
    > Higher: the gain grows with velocity; a damper has -kv.
# gain muscle
{_MUSCLE.format(*(f"g{k}" for k in range(9)))}
# gain user
{_numbers("g", "gain", 10, "for the user callback of gains")}
# bias none
# bias affine
bias  b0  F  0.1  any
    force at length and velocity 0
    > Higher: it pushes more in the positive direction.
bias by length  b1  F/q  0.1  any
    force per unit of length
    > More negative: it pulls back like a stiffer spring.
bias by velocity  b2  F·s/q  0.01  any
    force per unit of velocity
    > More negative: it damps more.
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
    > Higher: it takes longer to get strong.
timeconst 1  d1  s  0.001  >=0
    time constant of deactivation
    > Higher: it takes longer to let go.
tausmooth  d2  -  0.001  >=0
    width of the transition between the two time constants
    > Higher: the transition is smoother.
# dyn user
{_numbers("d", "dyn", 10, "for the user callback of dynamics")}
# joint
damping ratio  damping*spring  -  0.01  >=0
    damping / (2 √(stiffness · inertia)), where inertia is 1 / dof_invweight0, as for springdamper
    > Higher: it swings less; 1 is critical.
"""
