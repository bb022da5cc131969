"""The value of a field at the current moment, for tooltips."""

from __future__ import annotations

from app.instruments.code.code_questions import FieldQuestion, FieldValue
from app.model.selection import COUNTS, Selection
from app.view.view_state import ViewState
from sim.jit.layout import Field
from sim.script.kernels.index import KernelIndex

# units that depend on the joint
GENERALIZED = {"q": ("m", "rad"), "F": ("N", "N·m")}
# numbers in a line
IN_LINE = 4
# extents whose rows belong to elements
KINDS = {count: kind for kind, count in COUNTS.items()} | {"ncon": "contact"}


def field_hint(view: ViewState, index: KernelIndex, name: str) -> str:
    """Meaning, shape and value of a field; asked for while the tooltip shows."""
    field = index.fields[name]
    shape = f" ({', '.join(map(str, field.shape))})" if field.shape else ""
    answer = view.instruments.ask(FieldQuestion(name, row_of(field, view.selection)))
    if answer is None:
        value = "..."
    else:
        value = answer.error or value_text(name, answer.value)
    written = "" if name in index.writers else "\nan input: no kernel writes it"
    return f"{name}{shape}{unit_text(field.unit)}\n{field.doc}{written}\n{value}"


def unit_text(unit: str) -> str:
    """A unit in brackets; of a generalized coordinate or force both that it may be."""
    for letter, (linear, angular) in GENERALIZED.items():
        if unit.startswith(letter) and not unit[1:2].isalpha():
            unit = f"{linear}{unit[1:]} or {angular}{unit[1:]}"
            break
    return f" [{unit}]" if unit else ""


def row_of(field: Field, selection: Selection | None) -> int:
    """The row of the selected element; -1 if the field has none."""
    if selection is None or not field.shape or KINDS.get(str(field.shape[0])) != selection.kind:
        return -1
    return selection.index


def value_text(name: str, value: FieldValue) -> str:
    """The numbers of a field: all, those of the selection, or the first ones."""
    count = 1
    for extent in value.shape if value.row < 0 else value.shape[1:]:
        count *= extent
    if not count:
        return "it has no entries now"
    texts = [f"{number:.6g}" for number in value.numbers]
    rows = ["  ".join(texts[at : at + IN_LINE]) for at in range(0, len(texts), IN_LINE)]
    more = [f"... {count} numbers"] if count > len(texts) else []
    place = f"{name}[{value.row}]" if value.row >= 0 else name
    return f"{place} = " + "\n".join([*rows, *more])
