"""One editable number of a model, chosen by the user: of an element, of the options, or a flag."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from app.background.second_run import Edit
from app.model.angle_unit import field_unit
from app.model.editable import BY_PATH, ELEMENTS, FLAGS, LOOKS, OPTIONS, Editable, Flag, of_kind, rows_of
from app.model.number_drag import FREE, Rule
from app.model.parameters import shown_parameters
from app.model.selection import Selection
from app.model.views import ModelLike, ModelView, StateView
from app.run.commands import SetField, SetFlag
from app.run.linked_edits import set_alone
from sim.analysis.element_names import described
from sim.analysis.element_types import OWNERS

# types of elements with fields that the motion depends on
PHYSICAL = {row.section for row in ELEMENTS if row.path not in LOOKS} - {"camera", "tree", "sensor"}
# what a selected body is given besides its own fields, and of how many of each type at most
PARTS, MOST_PARTS = ("joint", "geom"), 8
SWITCH = Rule(1.0, 0.0, 1.0, whole=True)


@dataclass(frozen=True)
class FieldChoice:
    """Where a number is, as `SetField` has it, and what it is called; a flag has a `bit`.

    The number is `sign` times what is in the field. Other places, such as those of a servo's kp, hold `value` times it.
    """

    path: str
    rows: tuple[int, ...] = ()
    column: int | None = None
    # its MJCF attribute, with the component of a vector, and the element that has it; none for options
    name: str = ""
    owner: str = ""
    unit: str = ""
    rule: Rule = FREE
    meaning: str = ""
    bit: int = 0
    sign: float = 1.0
    also: tuple[SetField, ...] = ()

    @property
    def label(self) -> str:
        """Its name for the user."""
        return f"{self.name} of {self.owner}" if self.owner else self.name

    @property
    def key(self) -> tuple[str, tuple[int, ...], int | None, int]:
        """What it is, whatever it is called."""
        return self.path, self.rows, self.column, self.bit

    @cached_property
    def choices(self) -> tuple[tuple[str, int], ...]:
        """The values that it can have, with their words; none if it is any number."""
        if self.bit:
            return ("disable", 0), ("enable", 1)
        if BY_PATH[self.path].widget == "switch":
            return ("false", 0), ("true", 1)
        return BY_PATH[self.path].choices

    def value(self, model: ModelLike) -> float:
        """The number in a model; whether a flag is on."""
        field = np.asarray(model.read(self.path))
        if self.bit:
            return float(self._flag.state(int(field)))
        for place in (self.rows[:1], () if self.column is None else (self.column,)):
            field = field[place]
        return self.sign * float(field) + 0.0

    def command(self, value: float) -> Edit:
        """The edit that gives it a value."""
        if self.bit:
            return SetFlag(self.path, self.bit, bool(value) != self._flag.inverted)
        also = tuple(replace(part, value=part.value * value) for part in self.also)
        return SetField(self.path, self.sign * value, self.rows, self.column, also, self.name)

    def text(self, value: float) -> str:
        """A value as the user reads it, with its unit."""
        words = {number: word for word, number in self.choices}
        return words.get(round(value), "?") if words else f"{value:.6g} {self.unit}".rstrip()

    @property
    def _flag(self) -> Flag:
        return next(flag for flag in FLAGS if (flag.path, flag.bit) == (self.path, self.bit))


def choices_of(model: ModelView, kind: str, index: int) -> tuple[FieldChoice, ...]:
    """All numbers of an element on which the motion depends."""
    owner = described(model, kind, index)
    own = (
        choice
        for row in of_kind(kind)
        if kind in PHYSICAL and row.path not in LOOKS and row.widget != "colour"
        for choice in _numbers(row, rows_of(row, model, index), model, owner)
    )
    return (*_parameters(model, kind, index, owner), *own)


def options_of(model: ModelView) -> tuple[FieldChoice, ...]:
    """The options of a model, and its flags."""
    options = (choice for row in OPTIONS for choice in _numbers(row, (), model, ""))
    flags = (
        FieldChoice(flag.path, (), None, f"flag {flag.name}", "", "", SWITCH, flag.meaning, flag.bit) for flag in FLAGS
    )
    return (*options, *flags)


def elements_of(selection: Selection | None, model: ModelView, state: StateView | None) -> tuple[Selection, ...]:
    """The elements whose fields go with a selection: itself, what a body carries, the geoms of a contact."""
    if selection is None or state is None or not selection.exists(model, state):
        return ()
    if selection.kind == "contact":
        geoms = np.asarray(state.contact.geom[selection.index]).tolist()
        return tuple(Selection("geom", geom) for geom in geoms if geom >= 0)
    found = [selection] if selection.kind in PHYSICAL else []
    if selection.kind == "body":
        for kind in PARTS:
            owned = np.flatnonzero(np.asarray(getattr(model, OWNERS[kind])) == selection.index)
            found += [Selection(kind, part) for part in owned.tolist()[:MOST_PARTS]]
    return tuple(found)


def choice_of(edit: Edit, model: ModelView) -> FieldChoice | None:
    """The number that an edit sets, by its name; None if it sets several."""
    if isinstance(edit, SetFlag):
        return next((known for known in options_of(model) if (known.path, known.bit) == (edit.path, edit.bit)), None)
    row = BY_PATH.get(edit.path)
    if row is None:
        return None
    if row in OPTIONS:
        known = options_of(model)
    else:
        index = _element(row, edit.rows, model)
        known = () if index is None else choices_of(model, row.section, index)
    return next((choice for choice in known if choice.key == (edit.path, edit.rows, edit.column, 0)), None)


def _element(row: Editable, rows: tuple[int, ...], model: ModelView) -> int | None:
    """The element that some rows of a field belong to."""
    counts = {"joint": int(model.njnt), "actuator": int(model.nactuator)}
    if row.counted_by in ("nv", "nq", "nu", "nout"):
        return next((k for k in range(counts[row.section]) if rows_of(row, model, k) == rows), None)
    return rows[0] if len(rows) == 1 else None


def _numbers(row: Editable, rows: tuple[int, ...], model: ModelView, owner: str) -> Iterator[FieldChoice]:
    """The numbers of a field of an element, or of an option."""
    if owner and not rows:
        return
    numbers = row.numbers(model, rows)
    for part in numbers:
        edit = set_alone(row, rows, part.at, 0.0)
        unit = field_unit(row, model, rows) if part.unit is None else part.unit
        component = part.name or (str(part.at) if len(numbers) > 1 else "")
        yield FieldChoice(
            row.path, edit.rows, edit.column, f"{row.name} {component}".rstrip(), owner, unit, part.rule,
            part.effect or row.effect or row.meaning, also=edit.also,
        )  # fmt: skip


def _parameters(model: ModelView, kind: str, index: int, owner: str) -> Iterator[FieldChoice]:
    """The parameters of an actuator, each of them in one or several terms."""
    for parameter in shown_parameters(model, kind, index):
        # one that is measured in another number is not a number of its own
        if parameter.scale is None and parameter.rule.low < parameter.rule.high:
            term, *others = parameter.terms
            also = tuple(SetField(other.path, other.sign, other.rows, other.column) for other in others)
            yield FieldChoice(
                term.path, term.rows, term.column, parameter.name, owner, parameter.unit, parameter.rule,
                parameter.effect or parameter.meaning, sign=term.sign, also=also,
            )  # fmt: skip
