"""Fields that can be edited while a model runs: widget, step, legal values, unit, meaning, effect.

Panels, tooltips, search and the validation of edits are all made from the rows of the engine's table of attributes that
have an entry for editing; the components of vectors come from components.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.components import SIZES, Number, bounds, numbers_of
from app.model.number_drag import FREE, WHOLE_LIMIT, Rule
from app.model.parameters import VECTORS, numbers_at
from sim.attributes import ATTRIBUTES, BY_TAG, Attribute
from sim.attributes.keywords import KEYWORDS
from sim.enums import (
    GAIN_PID,
    GAIN_SO3,
    INPUT_POS,
    JNT_BALL,
    JNT_FREE,
    JNT_HINGE,
    JNT_SLIDE,
    TRN_SLIDERCRANK,
    WRAP_JOINT,
)
from sim.mjcf.schema import RANGES
from sim.named import KINDS

if TYPE_CHECKING:
    from app.model.views import ModelLike

_ATTRIBUTES = {row.field: row for row in ATTRIBUTES if row.edit}
# prefix of a field -> element type; rows of dofs and coordinates belong to joints
_KINDS = {prefix.rstrip("_"): kind for kind, entry in KINDS.items() for prefix in entry.prefixes}
_KINDS |= {"qpos": "joint", "tree": "tree"}
# units of the table that depend on the joint -> for rotation, for translation
JOINT_UNITS = {
    "q": ("rad", "m"),
    "F": ("N·m", "N"),
    "F/q": ("N·m/rad", "N/m"),
    "F·s/q": ("N·m·s/rad", "N·s/m"),
    "F·s²/q": ("kg·m²", "kg"),
}

# sleep policies of the engine; `auto` is resolved when the model is compiled
POLICIES = {"never (auto)": 1, "allowed (auto)": 2, "never": 3, "allowed": 4, "init": 5}
ENUMS = {**KEYWORDS, "policy": POLICIES}
# fields whose components depend on the element
BY_TYPE = ("gainprm", "biasprm", "dynprm", "eq_data", *SIZES)
# pose of the principal axes of inertia
INERTIAL_FRAME = ("body_ipos", "body_iquat")
# how much one pixel changes a small integer
COUNT_STEP = 0.2


@dataclass(frozen=True)
class Editable:
    """One field that can be edited."""

    path: str
    widget: str
    attribute: str
    section: str
    rule: Rule = FREE
    group: str = ""
    default: str = ""
    components: tuple[str, ...] = ()
    choices: tuple[tuple[str, int], ...] = ()
    constants: bool = False

    @property
    def name(self) -> str:
        """The name of the MJCF attribute; with its element where the body has one of the same name."""
        name = self.attribute.rpartition("/")[2]
        return f"inertial {name}" if self.path in INERTIAL_FRAME else name

    def unit(self, model: ModelLike, rows: tuple[int, ...]) -> str:
        """The unit of some rows, or an empty string; it differs between hinge and slide joints."""
        unit = _ATTRIBUTES[self.path].unit
        if unit not in JOINT_UNITS:
            return unit
        turning, sliding = JOINT_UNITS[unit]
        if self.section == "joint":
            joint = rows[0]
            if self.counted_by != "njnt":
                address = model.jnt_dofadr if self.counted_by == "nv" else model.jnt_qposadr
                joint = int(np.searchsorted(address, joint, "right")) - 1
            kind = int(model.jnt_type[joint])
            if kind != JNT_FREE:
                return sliding if kind == JNT_SLIDE else turning
        return f"{turning} for rotation, {sliding} for translation"

    @property
    def meaning(self) -> str:
        """What it is, briefly."""
        return _ATTRIBUTES[self.path].meaning

    @property
    def effect(self) -> str:
        """The effect of increasing it, in a sentence; empty if the meaning is enough."""
        return _ATTRIBUTES[self.path].effect

    @property
    def counted_by(self) -> str:
        """The size that counts its rows; empty for a single number or vector of the model."""
        shape = _ATTRIBUTES[self.path].shape
        return shape[0] if shape and isinstance(shape[0], str) else ""

    @property
    def is_vector(self) -> bool:
        """Whether each row is a vector."""
        return len(_ATTRIBUTES[self.path].shape) > (1 if self.counted_by else 0)

    def vector(self, model: ModelLike, rows: tuple[int, ...]) -> Any:
        """The present numbers, as an array; those of the first row if several share the value."""
        whole = np.asarray(model.read(self.path))
        return np.ravel(whole[rows[0]] if rows and self.counted_by else whole)

    def numbers(self, model: ModelLike, rows: tuple[int, ...]) -> tuple[Number, ...]:
        """The numbers of an element, described."""
        vector = self.vector(model, rows)
        if self.path in VECTORS:
            return numbers_at(self.path, model, rows[0])
        if self.group:
            return numbers_of(self.group, model, rows[0] if rows else 0, vector)
        names = self.components or ("",) * len(vector)
        numbers = tuple(Number(at, self.rule, name) for at, name in enumerate(names))
        if self.path in FROM_ZERO and FROM_ZERO[self.path](model, rows[0]):
            upper = replace(numbers[1], rule=replace(self.rule, low=0.0))
            return (replace(numbers[0], rule=replace(self.rule, low=0.0, high=0.0)), upper)
        return numbers

    def accept(self, value: Any, model: ModelLike, rows: tuple[int, ...] = (), column: int | None = None) -> float:
        """The legal value nearest to the one requested; ValueError if that is not finite, unless it ends a range."""
        number = float(value)
        if not isfinite(number) and (number != number or self.name not in RANGES):
            raise ValueError(f"{self.attribute} must be a finite number, not {number}")
        if self.widget == "switch":
            return bool(number)
        if self.choices:
            return round(number)
        if self.widget == "colour":
            return max(number, 0.0)
        return self.rule_of(model, rows, column).nearest(number)

    def rule_of(self, model: ModelLike, rows: tuple[int, ...] = (), column: int | None = None) -> Rule:
        """The legal values of a number; the present one is always legal."""
        at = (column if self.counted_by else rows[0] if rows else 0) or 0
        rules = (known.rule for known in self.numbers(model, rows) if known.at == at)
        return next(rules, FREE).around(float(self.vector(model, rows)[at]))


@dataclass(frozen=True)
class Flag:
    """A bit of opt.disableflags or opt.enableflags, by its name in MJCF."""

    name: str
    path: str
    bit: int
    meaning: str

    @property
    def inverted(self) -> bool:
        """Whether a set bit switches off."""
        return self.path == "opt.disableflags"

    def state(self, flags: int) -> bool:
        """Whether the thing is on."""
        return bool(flags & self.bit) != self.inverted


def _flags() -> Iterator[Flag]:
    """All flags, in the order of their bits."""
    for row in (row for row in BY_TAG["flag"].values() if row.field):
        yield Flag(row.name, row.field, 1 << row.bit, row.meaning)


def _editable(row: Attribute) -> Editable:
    """What a row of the table of attributes says about editing."""
    text, constants = row.edit.removesuffix(" *"), row.edit.endswith(" *")
    text, _, names = text.partition(" [")
    widget, *rest = text.split()
    rule, group, choices = FREE, "", tuple[tuple[str, int], ...]()
    if widget == "count":
        rule = _count(rest[0])
    elif widget == "enum":
        words = ENUMS[rest[0] if rest else row.type.argument].items()
        choices = tuple((word, value) for word, value in words if not word.isdigit())
    elif widget == "pick":
        choices = tuple((value, int(value)) for value in rest)
    elif widget not in ("switch", "colour"):
        group = "" if rest else widget
        rule = Rule(float(widget), *bounds(rest[0])) if rest else FREE
        widget = "real"
    section = row.heading or _KINDS[row.field.partition("_")[0]]
    components = tuple(names.rstrip("]").split(", ")) if names else ()
    default = row.note or row.default
    if widget == "switch" and row.type.base == "int":
        default = "true" if int(default) else "false"
    return Editable(row.field, widget, row.path, section, rule, group, default, components, choices, constants)


def _count(legal: str) -> Rule:
    """The rule of a whole number."""
    low, high = bounds(legal)
    return Rule(COUNT_STEP, max(low, -WHOLE_LIMIT), min(high, WHOLE_LIMIT), whole=True)


_ROWS = [(row, _editable(row)) for row in ATTRIBUTES if row.edit]
OPTIONS = tuple(row for attribute, row in _ROWS if attribute.element == "option")
VISUALS = tuple(row for attribute, row in _ROWS if attribute.field.startswith(("vis.", "stat.")))
ELEMENTS = tuple(row for attribute, row in _ROWS if "." not in attribute.field)
FLAGS = tuple(_flags())
BY_PATH = {row.path: row for row in (*OPTIONS, *VISUALS, *ELEMENTS)}
# fields that change only the rendering; not geom_rgba, for rays ignore transparent geoms
LOOKS = {row.path for row in VISUALS} - {"vis.map.stiffness", "vis.map.stiffnessrot"}
LOOKS |= {path for path in BY_PATH if path.startswith("light_")} | {"site_rgba", "tendon_rgba", "tendon_width"}
FLAG_PATHS = ("opt.disableflags", "opt.enableflags", "opt.disableactuator")


# sizes that count several rows an element: first row, number of rows
SPANS = {"nu": ("actuator_ctrladr", "actuator_ctrlnum"), "nout": ("actuator_outadr", "actuator_outnum")}
# per joint type: dofs, and coordinates with springref in MJCF
JOINT_DOFS, SPRUNG = (6, 3, 1, 1), (0, 0, 1, 1)


def _is_spatial(model: ModelLike, index: int) -> bool:
    """Whether a tendon has a path that can be drawn."""
    return bool(model.wrap_type[model.tendon_adr[index]] != WRAP_JOINT)


# fields that only some elements have
OWNED: dict[str, Callable[[ModelLike, int], bool]] = {
    # not the world
    **dict.fromkeys(
        ("body_mass", "body_gravcomp", "body_pos", "body_quat", *INERTIAL_FRAME), lambda model, index: index > 0
    ),
    "jnt_pos": lambda model, index: model.jnt_type[index] != JNT_FREE,
    "jnt_axis": lambda model, index: model.jnt_type[index] in (JNT_HINGE, JNT_SLIDE),
    **dict.fromkeys(
        ("jnt_limited", "jnt_range", "jnt_margin", "jnt_solref", "jnt_solimp"),
        lambda model, index: model.jnt_type[index] != JNT_FREE,
    ),
    **dict.fromkeys(("tendon_width", "tendon_rgba"), _is_spatial),
    **dict.fromkeys(
        ("actuator_actlimited", "actuator_actrange"), lambda model, index: model.actuator_actnum[index] > 0
    ),
    "actuator_cranklength": lambda model, index: model.actuator_trntype[index] == TRN_SLIDERCRANK,
    # a delay needs a buffer, which is allocated in Data
    "actuator_delay": lambda model, index: model.actuator_history[index, 0] > 0,
    "sensor_delay": lambda model, index: model.sensor_history[index, 0] > 0,
    # where a spring that yields rests is part of the state
    "jnt_springyield": lambda model, index: model.jnt_plasticadr[index] >= 0,
    "tendon_springyield": lambda model, index: model.tendon_plasticadr[index] >= 0,
}
# ranges that start at 0: they limit the magnitude of a rotation or a torque
FROM_ZERO: dict[str, Callable[[ModelLike, int], bool]] = {
    "jnt_range": lambda model, row: model.jnt_type[row] == JNT_BALL,
    "actuator_forcerange": lambda model, row: model.actuator_gaintype[row] == GAIN_SO3,
}


def rows_of(row: Editable, model: ModelLike, index: int) -> tuple[int, ...]:
    """The rows of a field that belong to an element, none if it cannot be edited; in MJCF the dofs of a joint share
    their value."""
    if row.path in OWNED and not OWNED[row.path](model, index):
        return ()
    if row.group in BY_TYPE and not row.numbers(model, (index,)):
        return ()
    if row.counted_by in ("nv", "nq"):
        address, counts = ("jnt_dofadr", JOINT_DOFS) if row.counted_by == "nv" else ("jnt_qposadr", SPRUNG)
        first = int(getattr(model, address)[index])
        return tuple(range(first, first + counts[model.jnt_type[index]]))
    if row.counted_by in SPANS:
        start, number = (int(getattr(model, name)[index]) for name in SPANS[row.counted_by])
        if row.counted_by == "nu" and model.actuator_gaintype[index] == GAIN_PID:
            # its other inputs have their own ranges
            number = int(bool(model.actuator_ctrlspec[index] & INPUT_POS))
        return tuple(range(start, start + number))
    return (index,)


def of_kind(kind: str) -> tuple[Editable, ...]:
    """The fields of one type of element, or of one section of the options; not those that parameters stand for."""
    return tuple(row for row in (*OPTIONS, *VISUALS, *ELEMENTS) if row.section == kind and row.path not in VECTORS)
