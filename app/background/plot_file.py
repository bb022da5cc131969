"""Writes curves to a file, whole or not at all: CSV with a block of rows for each line, or npz with arrays."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.background.curve import Array
from sim.atomic_file import write_atomic

FORMATS = ("csv", "npz")
# rows that are turned into text at a time
ROWS = 4096


@dataclass(frozen=True, eq=False)
class Block:
    """A line: steps, times, and values by column; a script's values have no steps."""

    name: str
    times: Array
    values: dict[str, Array]
    steps: NDArray[np.int64] | None = None


def write_plot_file(path: Path, blocks: Sequence[Block]) -> None:
    """Write a file, of the format that its name ends with; OSError if that fails."""
    content = io.BytesIO()
    if path.suffix == ".npz":
        np.savez(content, allow_pickle=False, **arrays(blocks))
    else:
        for text in lines(blocks):
            content.write(text.encode())
    write_atomic(path, content.getvalue())


def arrays(blocks: Sequence[Block]) -> dict[str, NDArray[np.generic]]:
    """Arrays by name: time, step and the expressions; with several lines, after the name of the line and a slash."""
    found: dict[str, NDArray[np.generic]] = {}
    for block, name in zip(blocks, _unique(block.name for block in blocks), strict=True):
        prefix = f"{name}/" if len(blocks) > 1 else ""
        found |= {f"{prefix}{column}": values for column, values in block.values.items()}
        found[f"{prefix}time"] = block.times
        if block.steps is not None:
            found[f"{prefix}step"] = block.steps
    return found


def lines(blocks: Sequence[Block]) -> Iterator[str]:
    """CSV, some rows at a time; numbers are written so that reading gives the same ones."""
    columns = [*dict.fromkeys(column for block in blocks for column in block.values)]
    yield _text([["line", "step", "time", *columns]])
    for block, name in zip(blocks, _unique(block.name for block in blocks), strict=True):
        for at in range(0, len(block.times), ROWS):
            here = slice(at, at + ROWS)
            times = block.times[here].tolist()
            steps = [""] * len(times) if block.steps is None else block.steps[here].tolist()
            values = [block.values[c][here].tolist() if c in block.values else [""] * len(times) for c in columns]
            yield _text(zip([name] * len(times), steps, times, *values, strict=True))


def _text(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _unique(names: Iterable[str]) -> list[str]:
    """The names, with a number where one has come before."""
    found: list[str] = []
    for name in names:
        known, count = name, 1
        while known in found:
            count += 1
            known = f"{name} {count}"
        found.append(known)
    return found
