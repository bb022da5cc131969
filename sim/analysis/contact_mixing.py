"""The mixing rule of contact parameters: which of two geoms, their pair or the options decide, and with what weight."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.softness import Solimp, Solref, valid_solimp
from sim.enums import ENBL_OVERRIDE
from sim.stages.collision.contact import set_parameters, solmix_weight

if TYPE_CHECKING:
    from sim.model import Model

# who can decide
OVERRIDE, PAIR, FIRST, SECOND, BOTH = "override", "pair", "geom 1", "geom 2", "both geoms"


@dataclass(frozen=True)
class Mixing:
    """Whose parameters the contacts of two geoms have.

    `weight` is that of the first geom in the average of solref and solimp, from solmix or from priority. Unless both
    time constants are positive (`averaged`), the smaller number of the two is taken for solref.
    """

    geoms: tuple[int, int]
    decider: str
    pair: int
    priority: tuple[int, int]
    solmix: tuple[float, float]
    weight: float
    averaged: bool
    solref: Solref
    solimp: Solimp
    friction: float
    condim: int

    @property
    def rule(self) -> str:
        """The rule in a sentence."""
        if self.decider == OVERRIDE:
            return "the override flag is enabled: o_solref and o_solimp in the options apply to all contacts"
        if self.decider == PAIR:
            return "an explicit pair decides; its geoms' priority and solmix are ignored"
        if self.decider in (FIRST, SECOND):
            higher, lower = max(self.priority), min(self.priority)
            return f"{self.decider} decides: its priority is {higher}, the other's is {lower}"
        if not self.averaged:
            return "equal priority, and a solref is negative: the smaller of each number"
        return f"equal priority: an average, {self.weight:.0%} geom 1 and {1.0 - self.weight:.0%} geom 2, by solmix"


def mixing(m: Model, first: int, second: int) -> Mixing:
    """How the parameters of contacts of two geoms are mixed."""
    geoms, pair = (first, second), pair_of(m, first, second)
    priority = (int(m.geom_priority[first]), int(m.geom_priority[second]))
    solmix = (float(m.geom_solmix[first]), float(m.geom_solmix[second]))
    decider, weight = _decider(m, pair, priority), float(solmix_weight(*solmix))
    if priority[0] != priority[1]:
        weight = float(priority[0] > priority[1])
    averaged = decider != BOTH or bool((m.geom_solref[[first, second], 0] > 0.0).all())
    contact = _contact()
    set_parameters(m, SimpleNamespace(contact=contact), 0, first, second, pair, 0.0)
    return Mixing(
        geoms, decider, pair, priority, solmix, weight, averaged,
        (float(contact.solref[0, 0]), float(contact.solref[0, 1])), valid_solimp(contact.solimp[0]),
        float(contact.friction[0, 0]), int(contact.dim[0]),
    )  # fmt: skip


def _contact() -> SimpleNamespace:
    """A row for the parameters of a contact."""
    widths = {"solref": 2, "solreffriction": 2, "solimp": 5, "friction": 5, "geom": 2}
    numbers = ("dim", "adhesion", "includemargin", "geom1", "geom2")
    return SimpleNamespace(**{k: np.zeros((1, n)) for k, n in widths.items()}, **{k: np.zeros(1) for k in numbers})


def pair_of(m: Model, first: int, second: int) -> int:
    """The explicit pair of two geoms, or -1."""
    ends = np.sort(np.stack([m.pair_geom1, m.pair_geom2], axis=1), axis=1)
    found = np.flatnonzero((ends == sorted((first, second))).all(axis=1))
    return int(found[0]) if len(found) else -1


def depends_on(found: Mixing, decider: str, index: int) -> bool:
    """Whether parameters of a geom (`geom 1` or `geom 2` for any), of a pair or of the options matter to a contact."""
    if decider in (OVERRIDE, PAIR) or found.decider in (OVERRIDE, PAIR):
        return found.decider == decider and (decider == OVERRIDE or found.pair == index)
    shares = {found.geoms[0]: found.weight, found.geoms[1]: 1.0 - found.weight}
    return shares.get(index, 0.0) > 0.0 or (not found.averaged and index in found.geoms)


def _decider(m: Model, pair: int, priority: tuple[int, int]) -> str:
    if m.opt.enableflags & ENBL_OVERRIDE:
        return OVERRIDE
    if pair >= 0:
        return PAIR
    if priority[0] == priority[1]:
        return BOTH
    return FIRST if priority[0] > priority[1] else SECOND
