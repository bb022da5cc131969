"""The table of vector components: name, unit, drag step, legal values, and the effect of increasing each.

There is a group for each type of vector; where the meaning depends on the element's type (gain, bias and dynamics of
actuators, data of equalities, the two forms of solref), a group for each of these. Columns: name, unit, step of a drag
at zero, legal values, effect. `state` is for numbers whose sign decides how many activations an actuator has: it cannot
change while the model runs; `input` is for those of a controller, which a motor with voltage input does not have. A
line that starts with an index, `10:`, skips numbers; the effect `"` is that of the line above.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.number_drag import DIGITS, SMALLEST, Rule, moved, zero_pixels
from sim.attributes.keywords import KEYWORDS
from sim.enums import (
    BIAS_AFFINE,
    BIAS_MUSCLE,
    BIAS_SO3,
    EQ_CONNECT,
    EQ_DISTANCE,
    EQ_WELD,
    GAIN_FIXED,
    GAIN_MUSCLE,
    GAIN_PID,
    GAIN_SO3,
    INPUT_FF,
    INPUT_POS,
    INPUT_VEL,
    OBJ_SITE,
)

if TYPE_CHECKING:
    from app.model.views import ModelLike

_MUSCLE = """
range 0       |       | 0.01  | any   | The shortest length at which it works, in optimal lengths.
range 1       |       | 0.01  | any   | The longest length at which it works, in optimal lengths.
force         | N     | 1     | any   | The peak force at rest; below 0 it is scale / acc0 instead.
scale         |       | 1     | >0    | Turned up, a muscle whose force is below 0 is stronger.
lmin          |       | 0.01  | ..1   | Shorter than this it has no force, in optimal lengths.
lmax          |       | 0.01  | 1..   | Longer than this it has no active force, in optimal lengths.
vmax          | 1/s   | 0.01  | >0    | Turned up, it keeps more of its force while it shortens fast.
fpmax         |       | 0.01  | >0    | Turned up, it resists more when stretched; in units of its peak force.
fvmax         |       | 0.01  | >0    | Turned up, it is stronger while it is lengthened; in units of its peak force.
"""
_USER = "\n".join(f"number {k}      |       | 0.01  | any   | For the user callback." for k in range(10))

COMPONENTS_TABLE = f"""
# solref
time constant | s     | 0.001 | any   | Turned up, it is softer and slower. Below 0: -stiffness, and then -damping.
damping ratio |       | 0.01  | any   | Turned up, it bounces less; 1 is critical. Below 0: -damping.
# solref direct
-stiffness    | 1/s²  | 1     | any   | Farther below 0, it is harder. Above 0: a time constant and a damping ratio.
-damping      | 1/s   | 0.1   | any   | Farther below 0, it bounces less. Above 0: a damping ratio.
# solimp
dmin          |       | 0.01  | 0..1  | Nearer to 1, it is harder where it begins to act.
dmax          |       | 0.01  | 0..1  | Nearer to 1, it is harder once the width is used up.
width         | m     | 1e-4  | >=0   | Turned up, it gives way farther before it is as hard as dmax; rad for angles.
midpoint      |       | 0.01  | 0..1  | Turned up, the hardness rises later within the width.
power         |       | 0.05  | 1..   | Turned up, the hardness rises later and then faster; 1 is a straight line.
# friction
sliding       |       | 0.01  | >=0   | Turned up, it takes more force to slide.
torsional     | m     | 1e-4  | >=0   | Turned up, it takes more torque to spin about the normal; acts from condim 4 on.
rolling       | m     | 1e-5  | >=0   | Turned up, it takes more torque to roll; acts with condim 6.
# friction5
sliding 1     |       | 0.01  | >=0   | Turned up, it takes more force to slide along the first tangent.
sliding 2     |       | 0.01  | >=0   | Turned up, it takes more force to slide along the second tangent.
torsional     | m     | 1e-4  | >=0   | Turned up, it takes more torque to spin about the normal; acts from condim 4 on.
rolling 1     | m     | 1e-5  | >=0   | Turned up, it takes more torque to roll about the first tangent; condim 6.
rolling 2     | m     | 1e-5  | >=0   | Turned up, it takes more torque to roll about the second tangent; condim 6.
# gear
x             |       | 0.01  | any   | Turned up, the same force drives harder, and the actuator moves farther.
y             |       | 0.01  | any   | The force along y; a joint with one degree of freedom has only the first number.
z             |       | 0.01  | any   | The force along z.
torque x      |       | 0.01  | any   | The torque about x, of free joints and sites.
torque y      |       | 0.01  | any   | The torque about y, of free joints and sites.
torque z      |       | 0.01  | any   | The torque about z, of free joints and sites.
# gain fixed
gain          |       | 0.1   | any   | Turned up, the same control acts with more force.
# gain position
kp            |       | 0.1   | any   | Turned up, it holds its setpoint harder; -kp in biasprm goes with it.
# gain velocity
kv            |       | 0.1   | any   | Turned up, it keeps its speed harder; -kv in biasprm goes with it.
# gain affine
constant      |       | 0.1   | any   | The gain at length and velocity 0.
by length     |       | 0.1   | any   | Turned up, the gain grows with length.
by velocity   |       | 0.1   | any   | Turned up, the gain grows with velocity; a damper has -kv.
# gain muscle
{_MUSCLE}
# gain dcmotor
resistance    | Ω     | 0.01  | >0    | Turned up, the same voltage drives less current.
constant      | N·m/A | 0.001 | >0    | Turned up, a current gives more torque, and speed takes more voltage.
coefficient   | 1/K   | 1e-4  | any   | Turned up, resistance grows faster with temperature.
reference     | °C    | 1     | any   | The temperature at which the resistance holds.
kp            |       | 0.1   | input | Turned up, the controller holds its position harder.
ki            |       | 0.1   | state | Turned up, the controller removes a lasting error faster.
kd            |       | 0.01  | input | Turned up, the controller damps more.
vmax          | V     | 0.1   | >=0   | Turned up, the controller may use more voltage; 0: unlimited.
# gain so3
kp            | N·m/rad | 0.1 | any   | Turned up, it holds its orientation harder; -kp in biasprm goes with it.
# gain pid
ki            |       | 0.1   | state | Turned up, a lasting error is removed faster.
# gain user
{_USER}
# bias none
# bias affine
constant      |       | 0.1   | any   | The force at length and velocity 0.
by length     |       | 0.1   | any   | The force for each unit of length; below 0 it pulls back as a spring does.
by velocity   |       | 0.01  | any   | The force for each unit of velocity; below 0 it damps.
# bias position
constant      |       | 0.1   | any   | A constant force.
-kp           |       | 0.1   | any   | Farther below 0, it holds harder; kp in gainprm goes with it.
-kv           |       | 0.01  | ..0   | Farther below 0, it damps more.
# bias velocity
constant      |       | 0.1   | any   | A constant force.
by length     |       | 0.1   | any   | The force for each unit of length.
-kv           |       | 0.1   | any   | Farther below 0, it keeps its speed harder; kv in gainprm goes with it.
# bias pid
constant      |       | 0.1   | any   | A constant force.
-kp           |       | 0.1   | any   | Farther below 0, the controller holds its position harder.
-kd           |       | 0.01  | ..0   | Farther below 0, the controller damps more.
# bias muscle
{_MUSCLE}
# bias dcmotor
cogging       | N·m   | 1e-3  | any   | Turned up, the shaft catches more between its poles.
periods       |       | 1     | any   | How often it catches per revolution.
phase         | rad   | 0.01  | any   | Where it catches.
Coulomb       | N·m   | 1e-3  | >=0   | Turned up, sliding friction is stronger.
static        | N·m   | 1e-3  | >=0   | Turned up, it takes more torque to get it moving.
Stribeck      | rad/s | 0.01  | >=0   | Turned up, friction falls off at higher speeds.
# bias so3
constant      | N·m   | 0.1   | any   | A constant torque.
-kp           | N·m/rad | 0.1 | any   | Farther below 0, it holds harder; kp in gainprm goes with it.
-kv           | N·m·s/rad | 0.01 | ..0 | Farther below 0, it damps more.
# bias user
{_USER}
# dyn none
# dyn integrator
# dyn filter
time constant | s     | 0.001 | >=0   | Turned up, force lags more behind control.
# dyn filterexact
time constant | s     | 0.001 | >=0   | Turned up, force lags more behind control.
# dyn muscle
activation    | s     | 0.001 | >=0   | Turned up, it takes longer to get strong.
deactivation  | s     | 0.001 | >=0   | Turned up, it takes longer to let go.
tausmooth     |       | 0.001 | >=0   | Turned up, the transition between the two time constants is smoother.
# dyn dcmotor
te            | s     | 1e-4  | state | Turned up, current lags more behind voltage.
di/dt max     | A/s   | 1     | >=0   | Turned up, the current may change faster; 0: unlimited.
heat flow     | K/W   | 0.01  | state | Turned up, it gets hotter: it loses heat more slowly.
heat capacity | J/K   | 0.1   | >0    | Turned up, it takes longer to heat up.
ambient       | °C    | 1     | any   | Turned up, it gets hotter.
sigma 0       | N·m/rad | 0.1 | state | Turned up, the bristles of its friction are stiffer.
sigma 1       | N·m·s/rad | 0.01 | >=0 | Turned up, the bristles of its friction damp more.
slewmax       |       | 0.1   | state | Turned up, the setpoint may move faster.
imax          |       | 0.1   | >=0   | Turned up, the integral may grow farther; 0: unlimited.
# dyn pid
imax          |       | 0.1   | >=0   | Turned up, the integral may grow farther; 0: unlimited.
slewmax       |       | 0.1   | state | Turned up, the setpoint may move faster.
# dyn user
{_USER}
# eq connect
anchor x      | m     | 0.01  | any   | Where it holds, in the first body; the second has it where that is at qpos0.
anchor y      | m     | 0.01  | any   | "
anchor z      | m     | 0.01  | any   | "
# eq weld
anchor x      | m     | 0.01  | any   | Where it holds, in the frame of the second body.
anchor y      | m     | 0.01  | any   | "
anchor z      | m     | 0.01  | any   | "
relpose x     | m     | 0.01  | any   | The target position of the second body, in the frame of the first.
relpose y     | m     | 0.01  | any   | "
relpose z     | m     | 0.01  | any   | "
quat w        |       | 0.01  | any   | The target orientation of the second body in the first; normalized.
quat x        |       | 0.01  | any   | "
quat y        |       | 0.01  | any   | "
quat z        |       | 0.01  | any   | "
torquescale   | m     | 0.01  | any   | Turned up, it corrects rotation more strongly relative to translation.
# eq weld sites
10: torquescale | m   | 0.01  | any   | Turned up, it corrects rotation more strongly relative to translation.
# eq polynomial
constant      |       | 0.01  | any   | The offset of the first one when the second one is at its reference.
linear        |       | 0.01  | any   | How far the first one moves for each unit of the second.
quadratic     |       | 0.01  | any   | The coefficient of the second one squared.
cubic         |       | 0.01  | any   | The coefficient of its third power.
quartic       |       | 0.01  | any   | The coefficient of its fourth power.
# eq distance
distance      | m     | 0.01  | >=0   | Turned up, the two geoms are held farther apart.
"""

# inputs of a dcmotor that are setpoints of its controller
CONTROLLER = INPUT_POS | INPUT_VEL | INPUT_FF
# defaults of solref
TIME_CONSTANT, DAMPING_RATIO = 0.02, 1.0


@dataclass(frozen=True)
class Number:
    """One number of a field: its index in the vector, rule, name, unit and effect."""

    at: int
    rule: Rule
    name: str = ""
    unit: str | None = None
    effect: str = ""
    needs: str = ""


def bounds(text: str) -> tuple[float, float]:
    """Legal values from a table: `any`, `>0`, `>=0`, `1..`, `..1`, `0..1`; `>` excludes the end."""
    if text.startswith(">"):
        return (float(text[2:]) if text[1] == "=" else SMALLEST), inf
    if ".." not in text:
        return -inf, inf
    low, high = text.split("..")
    return float(low or -inf), float(high or inf)


def _parse(table: str) -> dict[str, tuple[Number, ...]]:
    """The groups of a table."""
    groups: dict[str, list[Number]] = {}
    numbers: list[Number] = []
    for line in filter(None, table.splitlines()):
        if line.startswith("# "):
            numbers = groups.setdefault(line[2:], [])
            continue
        name, unit, step, legal, effect = (part.strip() for part in line.split("|"))
        place, colon, rest = name.partition(": ")
        at = int(place) if colon else len(numbers)
        rule = Rule(float(step), *bounds(legal))
        effect = numbers[-1].effect if effect == '"' else effect
        needs = legal if legal in ("state", "input") else ""
        numbers.append(Number(at, rule, rest or name, unit, effect, needs))
    return {name: tuple(numbers) for name, numbers in groups.items()}


GROUPS = _parse(COMPONENTS_TABLE)
GENERIC = {"gainprm": "gain", "biasprm": "bias", "dynprm": "dyn"}
_NAMES = {kind: {value: name for name, value in KEYWORDS[kind].items()} for kind in GENERIC.values()}


def numbers_of(group: str, model: ModelLike, row: int, vector: Any) -> tuple[Number, ...]:
    """The numbers of a vector, which depend on its type and its values."""
    if group == "solref":
        return GROUPS["solref direct" if min(vector) < 0 else "solref"]
    if group == "eq_data":
        return GROUPS.get(_equality(model, row), ())
    if group in GENERIC:
        setpoints = bool(model.actuator_ctrlspec[row] & CONTROLLER)
        return tuple(_kept(number, vector, setpoints) for number in GROUPS[_actuator(group, model, row)])
    return GROUPS[group]


def _equality(model: ModelLike, row: int) -> str:
    """The group of an equality's data; connected sites have none."""
    kind, sites = int(model.eq_type[row]), int(model.eq_objtype[row]) == OBJ_SITE
    if kind == EQ_CONNECT:
        return "" if sites else "eq connect"
    if kind == EQ_WELD:
        return "eq weld sites" if sites else "eq weld"
    return "eq distance" if kind == EQ_DISTANCE else "eq polynomial"


def _actuator(group: str, model: ModelLike, row: int) -> str:
    """The group of an actuator's parameters; servos have their own."""
    kind = GENERIC[group]
    gain, bias = int(model.actuator_gaintype[row]), int(model.actuator_biastype[row])
    if bias == BIAS_AFFINE and kind != "dyn":
        if gain == GAIN_PID:
            return "bias pid" if kind == "bias" else "gain pid"
        if servo(model, row):
            return f"{kind} {servo(model, row)}"
    return f"{kind} {_NAMES[kind][int(getattr(model, f'actuator_{kind}type')[row])]}"


def servo(model: ModelLike, row: int) -> str:
    """`position` or `velocity` if an actuator is such a servo, whose bias mirrors its gain; otherwise empty."""
    if model.actuator_gaintype[row] != GAIN_FIXED or model.actuator_biastype[row] != BIAS_AFFINE:
        return ""
    gain, bias = float(model.actuator_gainprm[row][0]), model.actuator_biasprm[row]
    if gain and gain == -bias[1]:
        return "position"
    return "velocity" if gain and gain == -bias[2] and not bias[1] else ""


def _kept(number: Number, vector: Any, setpoints: bool) -> Number:
    """A number of an actuator, with the legal values that its neighbours and inputs leave."""
    rule, value = number.rule, float(vector[number.at])
    if number.needs == "state" and value > 0:
        rule = replace(rule, low=SMALLEST)
    elif number.needs == "state" or (number.needs == "input" and not setpoints):
        rule = replace(rule, low=value, high=value)
    elif number.name == "range 0":
        rule = replace(rule, high=_beside(float(vector[1]), -1))
    elif number.name == "range 1":
        rule = replace(rule, low=_beside(float(vector[0]), 1))
    elif number.name in ("lmin", "lmax"):
        rule = replace(rule, high=_beside(1.0, -1)) if number.name == "lmin" else replace(rule, low=_beside(1.0, 1))
    return replace(number, rule=rule)


def _beside(value: float, side: int) -> float:
    """A number just above or below another."""
    return value + side * 1e-6 * max(abs(value), 1.0)


# ---- numbers that change together


def linked(group: str, model: ModelLike, row: int, at: int, value: float) -> tuple[tuple[str, int, float], ...]:
    """What else changes with a parameter of an actuator: path, index, value.

    The kp of a servo is both in its gain and in its bias, and so are all the numbers of a muscle.
    """
    other = {"gainprm": "biasprm", "biasprm": "gainprm"}.get(group)
    if other is None:
        return ()
    path = f"actuator_{other}"
    gain, bias = model.actuator_gainprm[row], model.actuator_biasprm[row]
    kinds = int(model.actuator_gaintype[row]), int(model.actuator_biastype[row])
    if kinds == (GAIN_MUSCLE, BIAS_MUSCLE) and at < 9 and gain[at] == bias[at]:
        return ((path, at, value),)
    place = {"position": 1, "velocity": 2}.get(servo(model, row), 1 if kinds == (GAIN_SO3, BIAS_SO3) else 0)
    if not place or at != (0 if group == "gainprm" else place):
        return ()
    return ((path, place if group == "gainprm" else 0, -value),)


def solref_moved(pair: tuple[float, ...], at: int, pixels: float, digits: int = DIGITS) -> tuple[float, ...]:
    """A solref of which one number is dragged. Past zero it continues in its other form, equally stiff and damped."""
    start = GROUPS["solref direct" if min(pair) < 0 else "solref"]
    number = moved(pair[at], pixels, start[at].rule, digits)
    if (number > 0) == (pair[at] > 0):
        return _with(pair, at, number)
    other = switched(pair)
    if pair[at]:
        rest = pixels - zero_pixels(pair[at], start[at].rule)
        number = moved(other[at], rest, GROUPS["solref" if number > 0 else "solref direct"][at].rule, digits)
    return _with(other, at, number)


def solref_set(pair: tuple[float, ...], at: int, number: float) -> tuple[float, ...]:
    """A solref of which one number is set; the other one takes the same form."""
    return _with(pair if (number > 0) == (pair[at] > 0) else switched(pair), at, number)


def switched(pair: tuple[float, ...]) -> tuple[float, ...]:
    """A solref in its other form: (time constant, damping ratio) <-> (-stiffness, -damping)."""
    first, second = pair
    if first > 0:
        return -_short(1 / (first * (second if second > 0 else DAMPING_RATIO)) ** 2), -_short(2 / first)
    time = 2 / -second if second < 0 else TIME_CONSTANT
    ratio = -second / (2 * sqrt(-first)) if first < 0 and second < 0 else DAMPING_RATIO
    return _short(time), _short(ratio)


def _short(number: float) -> float:
    """Rounded to six digits."""
    return float(f"{number:.6g}")


def _with(pair: tuple[float, ...], at: int, number: float) -> tuple[float, ...]:
    return tuple(np.where(np.arange(len(pair)) == at, number, pair).tolist())
