"""The single table of all fields of Model and Data: type, shape, unit, owner and meaning.

A row is `name type shape unit meaning`. Types: f8 f4 i8 i4 u1 b1. Shape: `-` for a scalar, else dimensions joined
by commas; a name is a size of Model, or a count in Data whose arrays grow while stepping. Unit: `-` for none;
`q` is m or rad, `F` is N or N·m, depending on the joint. A row may end with `= value`, its default; otherwise it is 0.
`@ owner` names the file or folder of sim/ that writes the rows below it. Names, types and shapes are those of
MuJoCo's Python bindings; a dotted name is a field of a group. Meanings are shown to users as tooltips.
model.py has the rows of Model that no attribute of MJCF fills: sim/attributes has the others. data.py, data_contact.py
and data_solver.py have those of Data.
After a change, `python -m tests.typed_fields` writes the types that mypy and editors see.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.attributes import ATTRIBUTES, defaults
from sim.fields.data import DATA_TEXT
from sim.fields.data_contact import CONTACT_TEXT
from sim.fields.data_solver import SOLVER_TEXT
from sim.fields.model import MODEL_TEXT
from sim.jit import Field, Layout, declare


def _parse(text: str) -> tuple[Field, ...]:
    """Rows of a table."""
    rows, owner = [], ""
    for line in text.splitlines():
        if line.startswith("@"):
            owner = line[1:].strip()
        elif line and not line.startswith("#"):
            name, dtype, shape, unit, meaning = line.split(None, 4)
            meaning, _, default = meaning.partition(" = ")
            values = tuple(map(float, default.split()))
            rows.append(
                Field(
                    name,
                    dtype,
                    () if shape == "-" else tuple(int(e) if e.isdigit() else e for e in shape.split(",")),
                    owner,
                    "" if unit == "-" else unit,
                    meaning.strip(),
                    (values[0] if len(values) == 1 else values) if values else 0,
                )
            )
    return tuple(rows)


def _filled() -> Iterator[Field]:
    """The fields of Model that attributes of MJCF fill; only settings start at the default."""
    for row in ATTRIBUTES:
        if row.field and row.bit < 0:
            default = defaults(row.element).get(row.name, 0) if "." in row.field else 0
            yield Field(row.field, row.dtype, row.shape, "mjcf", row.unit, row.meaning, default)


MODEL = (*_filled(), *_parse(MODEL_TEXT))
DATA = _parse(DATA_TEXT + CONTACT_TEXT + SOLVER_TEXT)
MODEL_LAYOUT = Layout("m", MODEL, const=True)
DATA_LAYOUT = Layout("d", DATA, const=False)
declare(m=MODEL_LAYOUT, d=DATA_LAYOUT, source=DATA_LAYOUT)
