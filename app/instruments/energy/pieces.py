"""Pieces of an audit: the steps of a line are cut at multiples of BLOCK, so that ranges share what is audited."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sim.analysis.audit.tally import Tally

BLOCK = 25


@dataclass(frozen=True, eq=False)
class Piece:
    """A tally, and the edits of the model at its end."""

    tally: Tally
    edits: Any


@dataclass
class Pieces:
    """Tallies of consecutive steps by the first and the last one."""

    known: dict[tuple[int, int], Piece] = field(default_factory=dict)

    def add(self, piece: Piece) -> None:
        """Keep a piece, and forget those that it goes on from."""
        first, last = piece.tally.first, piece.tally.last
        for end in range(first, last):
            self.known.pop((first, end), None)
        self.known[first, last] = piece

    def longest(self, first: int, last: int) -> Piece | None:
        """The longest piece that begins at a step and ends by another."""
        for end in range(last, first, -1):
            if (first, end) in self.known:
                return self.known[first, end]
        return None

    def run(self, first: int, last: int) -> list[Piece]:
        """The last pieces in a row that are known of a range, in order; none if nothing is."""
        found: list[Piece] = []
        for start, end in reversed(cuts(first, last)):
            piece = self.longest(start, end)
            if piece is None or (found and piece.tally.last != found[-1].tally.first):
                if found:
                    break
                continue
            found.append(piece)
        return found[::-1]

    def forget(self, first: int, last: int, most: int) -> None:
        """Keep at most so many, those near a range."""
        middle = (first + last) / 2
        if len(self.known) > most:
            near = sorted(self.known, key=lambda key: abs(key[0] - middle))[: most // 2]
            self.known = {key: self.known[key] for key in near}


def cuts(first: int, last: int) -> list[tuple[int, int]]:
    """A range of steps in pieces: (first, last) each, which meet."""
    marks = [first, *range(first // BLOCK * BLOCK + BLOCK, last, BLOCK), last]
    return [(a, b) for a, b in pairwise(marks) if b > a]
