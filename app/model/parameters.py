"""Parameters of actuators and joints, each of them one number that is in one or several terms of the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import isclose, isfinite, isnan, nan, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.model.components import Number, bounds
from app.model.number_drag import SMALLEST, Rule
from app.model.parameter_table import PARAMETERS_TABLE
from sim import enums
from sim.attributes.keywords import KEYWORDS

if TYPE_CHECKING:
    from app.model.views import ModelLike

Read = Callable[[str], Any]
LETTERS = {"g": "actuator_gainprm", "b": "actuator_biasprm", "d": "actuator_dynprm"}
VECTORS = tuple(LETTERS.values())
DAMPING = "dof_damping"
CONTROLLER = enums.INPUT_POS | enums.INPUT_VEL | enums.INPUT_FF


class Row(NamedTuple):
    """A row of the table."""

    name: str
    terms: str
    unit: str
    step: float
    legal: str
    condition: str
    meaning: str
    effect: str


class Term(NamedTuple):
    """Where a number is: a column of some rows of a field; None for a field without columns."""

    path: str
    rows: tuple[int, ...]
    column: int | None
    sign: float

    def value(self, read: Read) -> float:
        """What is in the term."""
        row = read(self.path)[self.rows[0]]
        return float(row if self.column is None else row[self.column])


@dataclass(frozen=True)
class Parameter:
    """One number, and the terms that it is in; `scale` is its unit in the term."""

    name: str
    attribute: str
    terms: tuple[Term, ...]
    unit: str
    rule: Rule
    meaning: str
    effect: str
    condition: str = ""
    scale: Callable[[Read], float] | None = None

    @property
    def key(self) -> str:
        """What identifies its widget."""
        term = self.terms[0]
        return f"##{self.name if self.scale else ''}{term.path}{term.rows}[{term.column}]"

    def number(self, read: Read) -> float:
        """Its value; NaN if there is no unit to measure it in, as in a file whose joint has no spring."""
        value, scale = self.terms[0].sign * self.terms[0].value(read), self._scale(read)
        return value / scale + 0.0 if scale > 0 else nan

    def changed(self, read: Read, original: Read) -> bool:
        """Whether it differs from the file."""
        numbers = self.number(read), self.number(original)
        if self.scale is not None and not isnan(numbers[1]):
            return not isclose(*numbers, rel_tol=1e-12)
        return any(term.value(read) != term.value(original) for term in self.terms)

    def originals(self, read: Read, original: Read) -> tuple[tuple[Term, float], ...]:
        """What the terms hold when it has the value in the file."""
        number = self.number(original)
        if self._scale(read) != self._scale(original) and not isnan(number):
            return self.values(number, read)
        return tuple((term, term.value(original)) for term in self.terms)

    def _scale(self, read: Read) -> float:
        return 1.0 if self.scale is None else self.scale(read)

    def values(self, number: float, read: Read) -> tuple[tuple[Term, float], ...]:
        """What the terms hold when it has a value."""
        value = number * self._scale(read)
        return tuple((term, term.sign * value) for term in self.terms)

    def legal(self, number: float, read: Read) -> float:
        """The nearest legal value."""
        return self.rule.around(self.number(read)).nearest(number)


def _parse(table: str) -> dict[str, tuple[Row, ...]]:
    """The groups of the table."""
    groups: dict[str, list[Row]] = {}
    rows: list[Row] = []
    for line in filter(None, table.splitlines()):
        if line.startswith("# "):
            rows = groups.setdefault(line[2:], [])
        elif line.startswith("    > "):
            rows[-1] = rows[-1]._replace(effect=line[6:])
        elif line.startswith("    "):
            rows[-1] = rows[-1]._replace(meaning=line.strip())
        else:
            name, terms, unit, step, legal, *condition = re.split(r"\s{2,}", line)
            rows.append(Row(name, terms, unit.strip("-"), float(step), legal, "".join(condition)[3:], "", ""))
    return {name: tuple(rows) for name, rows in groups.items()}


TABLE = _parse(PARAMETERS_TABLE)


# ---- which parameters an element has

_WORDS = {kind: {value: word for word, value in KEYWORDS[kind].items()} for kind in ("gain", "bias", "dyn")}
# laws that the types of gain and bias decide
_LAWS: dict[tuple[int, int], str] = {
    (enums.GAIN_SO3, enums.BIAS_SO3): "orientation",
    (enums.GAIN_PID, enums.BIAS_AFFINE): "pid",
    (enums.GAIN_DCMOTOR, enums.BIAS_DCMOTOR): "dcmotor",
}
# dynamics with which a law is the shortcut of its name; of the others: none
_DYNAMICS = {
    "position": ("none", "filterexact"), "cylinder": ("filter",), "muscle": ("muscle",), "pid": ("none", "pid"),
    "dcmotor": ("dcmotor",),
}  # fmt: skip


def actuator_type(model: ModelLike, index: int, file_values: Mapping[str, Any] | None = None) -> str:
    """The shortcut of MJCF that an actuator is, or `general`."""
    law, dynamics = _law(model, index, file_values or {}), _word(model, "dyn", index)
    if (law, dynamics) == ("position", "integrator"):
        return "intvelocity"
    if law == "motor" and model.actuator_gainprm[index][0] != 1:
        return "general"
    return law if law and dynamics in _DYNAMICS.get(law, ("none",)) else "general"


def parameters_of(
    model: ModelLike, kind: str, index: int, file_values: Mapping[str, Any] | None = None
) -> tuple[Parameter, ...]:
    """The parameters of an actuator or a joint, those that are hidden too; `file_values` are those of edited fields."""
    if kind == "joint":
        return tuple(_joint(model, index))
    if kind == "actuator":
        return tuple(_actuator(model, index, _law(model, index, file_values or {})))
    return ()


def shown_parameters(
    model: ModelLike, kind: str, index: int, file_values: Mapping[str, Any] | None = None
) -> tuple[Parameter, ...]:
    """The parameters that apply: not those of a controller or a friction model that the actuator lacks."""
    parameters = parameters_of(model, kind, index, file_values)
    if not parameters:
        return ()
    reads = (model.read, in_file(model, file_values or {}))
    known = {parameter.name: parameter for parameter in parameters}

    def applies(parameter: Parameter) -> bool:
        if parameter.condition == "input":
            return bool(model.actuator_ctrlspec[index] & CONTROLLER)
        return not parameter.condition or any(known[parameter.condition].number(read) for read in reads)

    return tuple(parameter for parameter in parameters if applies(parameter))


def in_file(model: ModelLike, file_values: Mapping[str, Any]) -> Read:
    """Reads fields as the file has them."""
    return lambda path: file_values[path] if path in file_values else model.read(path)


def numbers_at(path: str, model: ModelLike, index: int) -> tuple[Number, ...]:
    """The numbers of gainprm, biasprm or dynprm of an actuator, described."""
    found = []
    for parameter in parameters_of(model, "actuator", index):
        for term in parameter.terms if parameter.scale is None else ():
            if term.path == path and term.column is not None:
                rule, name = parameter.rule, parameter.name
                if term.sign < 0:
                    rule, name = replace(rule, low=-rule.high, high=-rule.low), f"-{name}"
                found.append(Number(term.column, rule, name, parameter.unit, parameter.effect))
    return tuple(sorted(found, key=lambda number: number.at))


def _word(model: ModelLike, kind: str, index: int) -> str:
    return _WORDS[kind][int(getattr(model, f"actuator_{kind}type")[index])]


def _law(model: ModelLike, index: int, file_values: Mapping[str, Any]) -> str:
    """How control and state become a force; empty if no shortcut does it so."""
    types = int(model.actuator_gaintype[index]), int(model.actuator_biastype[index])
    if types in _LAWS:
        return _LAWS[types]
    gain, bias = model.actuator_gainprm[index], model.actuator_biasprm[index]
    if types == (enums.GAIN_FIXED, enums.BIAS_NONE):
        return "adhesion" if model.actuator_trntype[index] == enums.TRN_BODY else "motor"
    if types == (enums.GAIN_AFFINE, enums.BIAS_NONE):
        return "damper" if gain[2] <= 0 and not gain[:2].any() else ""
    if types == (enums.GAIN_MUSCLE, enums.BIAS_MUSCLE):
        return "muscle" if np.array_equal(gain[:9], bias[:9]) else ""
    if types != (enums.GAIN_FIXED, enums.BIAS_AFFINE):
        return ""
    if not gain[0] and not bias[1]:
        # a servo that was turned off is what it was
        read = in_file(model, file_values)
        gain, bias = (read(path)[index] for path in VECTORS[:2])
    if gain[0] == -bias[1]:
        return "position"
    if gain[0] == -bias[2] and not bias[1]:
        return "velocity"
    return "cylinder" if model.actuator_dyntype[index] == enums.DYN_FILTER else ""


def _actuator(model: ModelLike, index: int, law: str) -> Iterator[Parameter]:
    """The parameters of an actuator: of its law, and of its dynamics."""
    kinds = ("dyn",) if law else ("gain", "bias", "dyn")
    groups = [law, *(f"{kind} {_word(model, kind, index)}" for kind in kinds)]
    for rows in (TABLE.get(group, ()) for group in groups):
        for row in rows:
            places, _, unit = row.terms.partition("*")
            scale = partial(_servo_damping, model, index) if unit else None
            if scale is None or scale(model.read) > 0:
                terms = tuple(_term(place, index) for place in places.split())
                rule = _rule(row, terms[0], rows, model, index)
                unit = _unit(row.unit, model, index)
                path = f"actuator/{row.name}"
                yield Parameter(row.name, path, terms, unit, rule, row.meaning, row.effect, row.condition, scale)


def _joint(model: ModelLike, index: int) -> Iterator[Parameter]:
    """The damping ratio of a joint with a spring."""
    (row,) = TABLE["joint"]
    dofs = {enums.JNT_BALL: 3, enums.JNT_SLIDE: 1, enums.JNT_HINGE: 1}.get(int(model.jnt_type[index]), 0)
    if not dofs or not model.jnt_stiffness[index] > 0:
        return
    first = int(model.jnt_dofadr[index])
    scale = partial(_spring_damping, index, slice(first, first + dofs))
    term = Term(DAMPING, tuple(range(first, first + dofs)), None, 1.0)
    rule = Rule(row.step, *bounds(row.legal))
    yield Parameter(row.name, f"joint/{row.name}", (term,), "", rule, row.meaning, row.effect, "", scale)


def _term(place: str, index: int) -> Term:
    """A term in the notation of the table."""
    bare = place.lstrip("-")
    return Term(LETTERS[bare[0]], (index,), int(bare[1:]), -1.0 if place.startswith("-") else 1.0)


def _rule(row: Row, term: Term, rows: tuple[Row, ...], model: ModelLike, index: int) -> Rule:
    """The legal values of a number, which depend on others."""
    value = term.sign * term.value(model.read)
    if row.legal == "state":
        return Rule(row.step, SMALLEST) if value > 0 else Rule(row.step, value, value)
    if row.condition == "input" and not model.actuator_ctrlspec[index] & CONTROLLER:
        return Rule(row.step, value, value)
    if row.legal[0] in "<>" and row.legal not in (">0", ">=0"):
        others = {other.name: other for other in rows}
        text = row.legal[1:]
        other = _term(others[text].terms.split()[0], index).value(model.read) if text in others else float(text)
        beside = 1e-6 * max(abs(other), 1.0)
        return Rule(row.step, high=other - beside) if row.legal[0] == "<" else Rule(row.step, low=other + beside)
    return Rule(row.step, *bounds(row.legal))


# ---- units

_ONE_DOF = (enums.JNT_SLIDE, enums.JNT_HINGE)
# transmissions whose length is an angle or a distance; others by their joint, or they may be both
_SLIDING = (enums.TRN_TENDON, enums.TRN_SLIDERCRANK, enums.TRN_BODY)
_UNITS = {"F": ("N·m", "N"), "F/q": ("N·m/rad", "N/m"), "F·s/q": ("N·m·s/rad", "N·s/m")}


def _unit(unit: str, model: ModelLike, index: int) -> str:
    """The unit for rotation or for translation, by what the actuator acts on."""
    if unit not in _UNITS:
        return unit
    turning, sliding = _UNITS[unit]
    kind, target = int(model.actuator_trntype[index]), int(model.actuator_trnid[index, 0])
    if kind == enums.TRN_SO3:
        return turning
    if kind in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT):
        return {enums.JNT_SLIDE: sliding, enums.JNT_FREE: ""}.get(int(model.jnt_type[target]), turning)
    return sliding if kind in _SLIDING else ""


def _spring_damping(joint: int, dofs: slice, read: Read) -> float:
    """The critical damping of a joint's spring, as springdamper has it."""
    return 2 * sqrt(max(float(read("jnt_stiffness")[joint]), 0.0) / float(read("dof_invweight0")[dofs].mean()))


def _servo_damping(model: ModelLike, index: int, read: Read) -> float:
    """The kv of a servo whose dampratio is 1; 0 if its inertia is not known here."""
    inertia, kp = _servo_inertia(model, index, read), -float(read("actuator_biasprm")[index][1])
    return float(2.0 * np.sqrt(kp * inertia)) if kp > 0 and isfinite(inertia) else 0.0


def _servo_inertia(model: ModelLike, index: int, read: Read) -> float:
    """The inertia that a servo moves at qpos0, (J M⁻¹ Jᵀ)⁻¹ as set_const has it; NaN if no constant tells J M⁻¹ Jᵀ.

    That of a tendon, of a joint with one dof, and the mean of those of a ball joint are constants.
    """
    kind, target = int(model.actuator_trntype[index]), int(model.actuator_trnid[index, 0])
    gear = float(read("actuator_gear")[int(model.actuator_outadr[index])][0])
    if kind == enums.TRN_TENDON:
        weight = gear * gear * float(read("tendon_invweight0")[target])
    elif kind == enums.TRN_SO3 and model.actuator_trnid[index, 1] < 0:
        weight = float(read("dof_invweight0")[model.jnt_dofadr[target]])
    elif kind in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT) and model.jnt_type[target] in _ONE_DOF:
        weight = gear * gear * float(read("dof_invweight0")[model.jnt_dofadr[target]])
    else:
        return nan
    return 1.0 / weight if weight > enums.MINVAL else 0.0
