"""Questions of the instrument Softness: how soft are contacts of two geoms, limits, equalities, dry friction?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.contact_mixing import Mixing, depends_on, mixing
from sim.analysis.row_softness import contact_softness, geoms_softness, row_softness
from sim.analysis.softness import Softness

if TYPE_CHECKING:
    from app.background.probe import Moment
    from sim import Data, Model

# contacts of two geoms that are looked at, those with the largest forces
MOST_CONTACTS = 8


@dataclass(frozen=True)
class SoftContact:
    """One contact: its softness, and where it is."""

    softness: Softness
    place: tuple[float, float, float]


@dataclass(frozen=True)
class SoftPair:
    """The contacts of two geoms, the most loaded first, how their parameters are mixed, and what an edit would reach.

    `reached` says for geom 1, geom 2, the pair and the options how many other contacts there are now that depend on it.
    """

    contacts: tuple[SoftContact, ...]
    mixing: Mixing
    reached: tuple[int, int, int, int]


@dataclass(frozen=True)
class AskPair:
    """How soft are the contacts of two geoms?"""

    first: int
    second: int

    def answer(self, moment: Moment) -> SoftPair:
        """Without a contact, of the one that they would have."""
        m, d = moment.model, moment.data
        geoms = np.asarray(d.contact.geom[: d.ncon])
        mine = np.flatnonzero((np.sort(geoms, axis=1) == sorted((self.first, self.second))).all(axis=1))
        found = [_contact(m, d, int(c)) for c in mine[np.argsort(d.contact.dist[mine])][:MOST_CONTACTS]]
        found.sort(key=lambda contact: -contact.softness.force)
        first, second = (int(g) for g in geoms[mine[0]]) if len(mine) else (self.first, self.second)
        if not found:
            found = [SoftContact(geoms_softness(m, first, second), (0.0, 0.0, 0.0))]
        mixed = mixing(m, first, second)
        return SoftPair(tuple(found), mixed, _reached(m, geoms, mixed))


@dataclass(frozen=True)
class AskRow:
    """How soft is a limit, an equality or dry friction?"""

    kind: str
    index: int

    def answer(self, moment: Moment) -> Softness:
        return row_softness(moment.model, moment.data, self.kind, self.index)


def _contact(m: Model, d: Data, contact: int) -> SoftContact:
    x, y, z = (float(c) for c in d.contact.pos[contact])
    return SoftContact(contact_softness(m, d, contact), (x, y, z))


def _reached(m: Model, geoms: np.ndarray, mixed: Mixing) -> tuple[int, int, int, int]:
    """Numbers of contacts of other geoms that depend on geom 1, geom 2, the pair, the options."""
    pairs, counts = np.unique(np.sort(geoms, axis=1), axis=0, return_counts=True)
    others = [
        (mixing(m, int(a), int(b)), int(count))
        for (a, b), count in zip(pairs, counts, strict=True)
        if a >= 0 and {int(a), int(b)} != set(mixed.geoms)
    ]

    def number(decider: str, index: int) -> int:
        return sum(count for other, count in others if depends_on(other, decider, index))

    first, second = mixed.geoms
    return number("geom 1", first), number("geom 2", second), number("pair", mixed.pair), number("override", 0)
