"""The table of vector components: name, unit, drag step, legal values, and the effect of increasing each.

There is a group for each type of vector; where the meaning depends on the element's type (data of equalities, the two
forms of solref), a group for each of these. Columns: name, unit, step of a drag at zero, legal values, effect. A line
that starts with an index, `10:`, skips numbers; the effect `"` is that of the line above. Numbers of actuators are in
parameter_table.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.number_drag import DIGITS, SMALLEST, Rule, moved, zero_pixels
from sim.attributes.keywords import KEYWORDS
from sim.enums import (
    EQ_CONNECT,
    EQ_DISTANCE,
    EQ_WELD,
    OBJ_SITE,
)

if TYPE_CHECKING:
    from app.model.views import ModelLike

COMPONENTS_TABLE = """
# solref
time constant | s     | 0.001 | any   | Higher: softer and slower. Below 0: -stiffness, and then -damping.
damping ratio |       | 0.01  | any   | Higher: it bounces less; 1 is critical. Below 0: -damping.
# solref direct
-stiffness    | 1/s²  | 1     | any   | More negative: harder. Above 0: a time constant and a damping ratio.
-damping      | 1/s   | 0.1   | any   | More negative: it bounces less. Above 0: a damping ratio.
# solimp
dmin          |       | 0.01  | 0..1  | Closer to 1: harder where it starts to act.
dmax          |       | 0.01  | 0..1  | Closer to 1: harder once the width is used up.
width         | m     | 1e-4  | >=0   | Higher: it yields farther before it is as hard as dmax; rad for angles.
midpoint      |       | 0.01  | 0..1  | Higher: the hardness rises later within the width.
power         |       | 0.05  | 1..   | Higher: the hardness rises later and then faster; 1 is a straight line.
# friction
sliding       |       | 0.01  | >=0   | Higher: it takes more force to slide.
torsional     | m     | 1e-4  | >=0   | Higher: it takes more torque to spin about the normal; acts from condim 4 on.
rolling       | m     | 1e-5  | >=0   | Higher: it takes more torque to roll; acts with condim 6.
# friction5
sliding 1     |       | 0.01  | >=0   | Higher: it takes more force to slide along the first tangent.
sliding 2     |       | 0.01  | >=0   | Higher: it takes more force to slide along the second tangent.
torsional     | m     | 1e-4  | >=0   | Higher: it takes more torque to spin about the normal; acts from condim 4 on.
rolling 1     | m     | 1e-5  | >=0   | Higher: it takes more torque to roll about the first tangent; condim 6.
rolling 2     | m     | 1e-5  | >=0   | Higher: it takes more torque to roll about the second tangent; condim 6.
# gear
x             |       | 0.01  | any   | Higher: the same force drives harder, and the actuator moves farther.
y             |       | 0.01  | any   | The force along y; a joint with one degree of freedom has only the first number.
z             |       | 0.01  | any   | The force along z.
torque x      |       | 0.01  | any   | The torque about x, of free joints and sites.
torque y      |       | 0.01  | any   | The torque about y, of free joints and sites.
torque z      |       | 0.01  | any   | The torque about z, of free joints and sites.
# quat
w             |       | 0.01  | any   | The cosine of half of the angle; the four numbers stay of length 1.
x             |       | 0.01  | any   | The axis times the sine of half of the angle.
y             |       | 0.01  | any   | "
z             |       | 0.01  | any   | "
# direction
x             |       | 0.01  | any   | The three numbers stay of length 1.
y             |       | 0.01  | any   | "
z             |       | 0.01  | any   | "
# size plane
half length x | m     | 0.01  | >=0   | Half of its length along x; 0: it has no end.
half length y | m     | 0.01  | >=0   | Half of its length along y; 0: it has no end.
grid          | m     | 0.01  | >0    | The distance of the lines of its grid.
# size sphere
radius        | m     | 0.001 | >0    | The radius of the sphere.
# size capsule
radius        | m     | 0.001 | >0    | The radius of the shaft and of both ends.
half length   | m     | 0.001 | >0    | Half of the distance of the two ends' centres, along z.
# size cylinder
radius        | m     | 0.001 | >0    | The radius of the round side.
half length   | m     | 0.001 | >0    | Half of its height, along z.
# size ellipsoid
radius x      | m     | 0.001 | >0    | The radius along x.
radius y      | m     | 0.001 | >0    | The radius along y.
radius z      | m     | 0.001 | >0    | The radius along z.
# size box
half length x | m     | 0.001 | >0    | Half of its length along x.
half length y | m     | 0.001 | >0    | Half of its length along y.
half length z | m     | 0.001 | >0    | Half of its length along z.
# eq connect
anchor x      | m     | 0.01  | any   | Anchor in the frame of the first body; in the second, the same point at qpos0.
anchor y      | m     | 0.01  | any   | "
anchor z      | m     | 0.01  | any   | "
# eq weld
anchor x      | m     | 0.01  | any   | Anchor in the frame of the second body.
anchor y      | m     | 0.01  | any   | "
anchor z      | m     | 0.01  | any   | "
relpose x     | m     | 0.01  | any   | The target position of the second body, in the frame of the first.
relpose y     | m     | 0.01  | any   | "
relpose z     | m     | 0.01  | any   | "
quat w        |       | 0.01  | any   | The target orientation of the second body in the first; normalized.
quat x        |       | 0.01  | any   | "
quat y        |       | 0.01  | any   | "
quat z        |       | 0.01  | any   | "
torquescale   | m     | 0.01  | any   | Higher: it corrects rotation more strongly relative to translation.
# eq weld sites
10: torquescale | m   | 0.01  | any   | Higher: it corrects rotation more strongly relative to translation.
# eq polynomial
constant      |       | 0.01  | any   | The offset of the first joint or tendon when the second is at its reference.
linear        |       | 0.01  | any   | How far the first moves per unit of the second.
quadratic     |       | 0.01  | any   | The coefficient of the second squared.
cubic         |       | 0.01  | any   | The coefficient of its third power.
quartic       |       | 0.01  | any   | The coefficient of its fourth power.
# eq distance
distance      | m     | 0.01  | >=0   | Higher: the two geoms are held farther apart.
"""

# group of sizes -> the field that says what they mean; types of geoms by number
SIZES = {"geom_size": "geom_type", "site_size": "site_type"}
_TYPES = {value: word for word, value in KEYWORDS["geomtype"].items()}
# groups of vectors that stay of length 1
DIRECTIONS = ("quat", "direction")
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
        numbers.append(Number(at, rule, rest or name, unit, effect))
    return {name: tuple(numbers) for name, numbers in groups.items()}


GROUPS = _parse(COMPONENTS_TABLE)


def numbers_of(group: str, model: ModelLike, row: int, vector: Any) -> tuple[Number, ...]:
    """The numbers of a vector, which depend on its type and its values."""
    if group == "solref":
        return GROUPS["solref direct" if min(vector) < 0 else "solref"]
    if group == "eq_data":
        return GROUPS.get(_equality(model, row), ())
    if group in SIZES:
        return GROUPS.get(f"size {_TYPES[int(model.read(SIZES[group])[row])]}", ())
    return GROUPS[group]


def _equality(model: ModelLike, row: int) -> str:
    """The group of an equality's data; connected sites have none."""
    kind, sites = int(model.eq_type[row]), int(model.eq_objtype[row]) == OBJ_SITE
    if kind == EQ_CONNECT:
        return "" if sites else "eq connect"
    if kind == EQ_WELD:
        return "eq weld sites" if sites else "eq weld"
    return "eq distance" if kind == EQ_DISTANCE else "eq polynomial"


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
