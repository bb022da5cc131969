"""Marks of a recording: what happened at its moments, as the viewer wrote it down in notes.

A note of kind "marks" is {"branch": id, "first": n, "marks": [[type, text, step, last step, entry], ...]}: the marks of
a branch from the n-th on; a later note replaces those of an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

KIND = "marks"
LONGEST = 500
LARGEST = 1 << 53


class Mark(NamedTuple):
    """What happened from one step to another of a branch; `entry` is its number in the journal, or 0."""

    type: str
    text: str
    step: int
    last: int
    entry: int


def marks_note(branch: int, first: int, marks: Iterable[Mark]) -> dict[str, Any]:
    """A note about the marks of a branch, from the first new one on."""
    return {"branch": branch, "first": first, "marks": [[*mark] for mark in marks]}


def read_marks(notes: Iterable[tuple[str, Any]]) -> dict[int, list[Mark]]:
    """The marks of branches; those that are not sound are left out."""
    found: dict[int, list[Mark]] = {}
    for kind, data in notes:
        if kind != KIND or not isinstance(data, dict) or data.keys() != {"branch", "first", "marks"}:
            continue
        branch, first, marks = data["branch"], data["first"], data["marks"]
        if type(branch) is int and type(first) is int and first >= 0 and isinstance(marks, list):
            known = found.setdefault(branch, [])
            del known[first:]
            known.extend(mark for mark in map(_mark, marks) if mark is not None)
    return found


def _mark(data: Any) -> Mark | None:
    if not isinstance(data, list) or len(data) != 5:
        return None
    type_, text, *numbers = data
    sound = all(type(number) is int and 0 <= number < LARGEST for number in numbers)
    if not sound or not isinstance(type_, str) or not isinstance(text, str) or len(text) > LONGEST:
        return None
    return Mark(type_, text, *numbers)
