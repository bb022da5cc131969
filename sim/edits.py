"""Edits of a Model as data: what differs between it and its file; `sim/script/model_edits.py` makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class CellValue(NamedTuple):
    """What an edit sets: a number of a field of Model by flat index, a single bit of it if `bit` is not 0."""

    at: int
    bit: int
    value: float


class Key(NamedTuple):
    """A keyframe that was added: its name, and its numbers by field of Model."""

    name: str
    values: tuple[tuple[str, tuple[float, ...]], ...]


@dataclass(frozen=True)
class ModelEdits:
    """What differs between a Model and its file: cells by field, and keyframes."""

    cells: Mapping[str, tuple[CellValue, ...]] = field(default_factory=dict)
    keys: tuple[Key, ...] = ()


NO_EDITS = ModelEdits()
