"""column.py: rows as text and as CSV, and which rows a filter leaves."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from app.ui.tables.column import Column, as_csv, as_text, column_scales, matching_rows

COLUMNS = [
    Column("#", np.arange(3)),
    Column("first", np.array(["world / floor", "foot / sole, left", "Hand"], object), wide=True),
    Column("normal", np.array([0.74, 170e-12, 0.0123456789]), unit="N"),
    Column("state", np.array(["stick", "slip", "open"])),
    Column("code", np.array([7, 7, 1]), lambda code: f"joint {code}", left=True),
    Column("", np.zeros(3), str),
]


def test_text_is_aligned_and_has_one_prefix() -> None:
    rows = np.arange(3)
    lines = as_text(COLUMNS, rows.tolist(), column_scales(COLUMNS, rows, {})).splitlines()
    assert lines == [
        "#  first              normal (mN)  state  code",
        "0  world / floor            740.0  stick  joint 7",
        "1  foot / sole, left            0  slip   joint 7",
        "2  Hand                      12.3  open   joint 1",
    ]


def test_csv_has_all_digits_and_plain_units() -> None:
    rows = [*csv.reader(io.StringIO(as_csv(COLUMNS, [1, 2])))]
    assert rows[0] == ["#", "first", "normal (N)", "state", "code"]
    assert rows[1] == ["1", "foot / sole, left", "1.7e-10", "slip", "joint 7"]
    assert float(rows[2][2]) == 0.0123456789


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("", [0, 1, 2]), ("o", [0, 1, 2]), ("floor", [0]), ("FOOT", [1]), ("foot stick", []), ("joint 7", [0, 1]),
        ("-floor", [1, 2]), ("-floor -hand", [1]), ("normal>0.01", [0, 2]), ("normal>=0.74", [0]),
        ("normal<1e-9 slip", [1]), ("normal>much", []), ("weight>1", []), ("-", []),
    ],
)  # fmt: skip
def test_filter(query: str, rows: list[int]) -> None:
    assert matching_rows(COLUMNS, query).tolist() == rows


def test_a_column_of_words_is_not_compared() -> None:
    assert matching_rows(COLUMNS, "state>1").tolist() == []
    assert matching_rows(COLUMNS, "code>1").tolist() == []
