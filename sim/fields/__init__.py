"""THE table: every field of Model and Data, with its type, shape, unit, owner and meaning.

A row is `name type shape unit meaning`. Types: f8 f4 i8 i4 u1 b1. Shape: `-` for a scalar, else extents joined
by commas; a word is a size of Model, or a count in Data whose arrays grow while stepping. Unit: `-` for none;
`q` stands for m or rad, `F` for N or N·m, as the joint has it. `= value` ends a row that does not start at 0.
`@ owner` names the file or folder of sim/ that writes the rows below it. Names, types and shapes are those of
MuJoCo's Python bindings; a dotted name is a field of a group. The rows are in model.py, options.py and data.py.
"""

from __future__ import annotations

from sim.fields.data import DATA_TEXT
from sim.fields.model import MODEL_TEXT
from sim.fields.options import OPTIONS_TEXT
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


MODEL = _parse(OPTIONS_TEXT + MODEL_TEXT)
DATA = _parse(DATA_TEXT)
MODEL_LAYOUT = Layout("m", MODEL, const=True)
DATA_LAYOUT = Layout("d", DATA, const=False)
declare(m=MODEL_LAYOUT, d=DATA_LAYOUT, source=DATA_LAYOUT)
