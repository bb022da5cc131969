"""The questions of the Lens instrument: what islands cost and how trees sleep; and why one of them is awake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.instruments.lens.ways import Way, ways_to_sleep
from app.instruments.lens.why import Why, why_sentence
from sim import enums
from sim.analysis.trees.island_costs import Costs, Islands, island_costs, islands
from sim.analysis.trees.tree_energy import Energies, tree_energies
from sim.analysis.trees.tree_sleep import TreeSleep, tree_sleep

if TYPE_CHECKING:
    from app.background.probe import Moment

# what an engine cannot tell: the name of that in `lacks`
COSTS = "island_costs"


@dataclass(frozen=True, eq=False)
class LensAnswer:
    """Islands and trees of a moment."""

    islands: Islands
    # None: the engine does not tell
    costs: Costs | None
    sleep: TreeSleep
    energies: Energies
    timestep: float


@dataclass(frozen=True, eq=False)
class WhyAnswer:
    """A tree: why it is awake, and what would let it sleep."""

    why: Why
    ways: tuple[Way, ...]
    # the largest speed as the sleep tolerance counts it, m/s, the dof that has it, and the tolerance
    speed: float
    dof: int
    tolerance: float
    countdown: int
    # whether it cannot be put to sleep as it is: a policy, or what lets nothing sleep, forbids it
    forbidden: bool


@dataclass(frozen=True)
class LensQuestion:
    """What islands cost, and how trees sleep."""

    def answer(self, moment: Moment) -> LensAnswer:
        """Of a moment; the solver runs on a copy of it."""
        m, d = moment.model, moment.data
        found = islands(m, d)
        costs = None
        if COSTS not in m.engine.LACKS:
            scratch = moment.scratch()[1]
            m.engine.forward(m, scratch)
            costs = island_costs(m, scratch, found)
        return LensAnswer(found, costs, tree_sleep(m, d), tree_energies(m, d), float(m.opt.timestep))


@dataclass(frozen=True)
class WhyQuestion:
    """Why a tree is awake, and what would let it sleep."""

    tree: int

    def answer(self, moment: Moment) -> WhyAnswer:
        """By the state, with names."""
        m, d = moment.model, moment.data
        sleep = tree_sleep(m, d)
        why = why_sentence(m, d, sleep, self.tree)
        ways = ways_to_sleep(m, d, sleep, self.tree)
        speed = float(np.nan_to_num(sleep.speed[self.tree], nan=np.inf))
        tolerance = float(m.opt.sleep_tolerance)
        mates = sleep.mates(self.tree)
        forbidden = bool(sleep.off) or bool((sleep.obstacle[mates, 0] == enums.AWAKE_POLICY).any())
        numbers = speed, int(sleep.dof[self.tree]), tolerance, int(sleep.countdown[self.tree])
        return WhyAnswer(why, ways, *numbers, forbidden)
