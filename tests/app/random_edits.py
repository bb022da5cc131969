"""Random edits of any field, choice or flag of a model, as panels send them."""

from __future__ import annotations

import random
from dataclasses import replace

from app.model.editable import ELEMENTS, FLAGS, OPTIONS, VISUALS, rows_of
from app.model.selection import COUNTS
from app.run import commands as cmd
from app.run.linked_edits import set_number
from sim import Model


def random_edit(rng: random.Random, model: Model, gesture: int = 0) -> cmd.Command:
    """An edit to a value near the present one; of all rows of the table, and of flags."""
    if rng.random() < 0.15:
        flag = rng.choice(FLAGS)
        return cmd.SetFlag(flag.path, flag.bit, rng.random() < 0.5)
    while True:
        row = rng.choice((*OPTIONS, *VISUALS, *ELEMENTS))
        rows: tuple[int, ...] = ()
        if row.counted_by:
            count = int(model.read(COUNTS[row.section]))
            rows = rows_of(row, model, rng.randrange(count)) if count else ()
        numbers = row.numbers(model, rows) if rows or not row.counted_by else ()
        if not numbers:
            continue
        part = rng.choice(numbers)
        vector = tuple(float(x) for x in row.vector(model, rows))
        near = abs(vector[part.at]) * rng.choice([0.5, 1.1]) + 0.1
        value = float(rng.choice(row.choices)[1]) if row.choices else near
        return replace(set_number(row, rows, model, part.at, value, vector), gesture=gesture)  # type: ignore[arg-type]
