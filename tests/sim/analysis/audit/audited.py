"""Runs a model and audits it: shared by the tests of the audit and by tests/soak/energy.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sim
from sim.analysis.audit.laws import Law, laws, least_energy
from sim.analysis.audit.tally import Tally, joined
from sim.analysis.audit.walker import Walker
from sim.analysis.audit.work_source import WorkSource


@dataclass
class Audited:
    """What was found, in parts of some steps and in all."""

    model: sim.Model
    data: sim.Data
    parts: list[Tally]
    total: Tally
    laws: list[Law]

    def work(self, kind: str) -> float:
        """Of all sources of a kind, J."""
        return sum(self.total.net(source) for source in sources(self.total) if source.kind == kind)

    def largest(self) -> WorkSource:
        """The source with the most work."""
        return max(sources(self.total), key=lambda source: abs(self.total.net(source)))

    @property
    def kinds(self) -> set[str]:
        """What did more than rounding."""
        size = 1e-9 * (self.total.most_kinetic + abs(self.total.change))
        return {source.kind for source in sources(self.total) if abs(self.total.net(source)) > size}


def sources(tally: Tally) -> list[WorkSource]:
    """All that did work."""
    return [*dict.fromkeys((*tally.work_in, *tally.work_out))]


def audited(
    m: sim.Model,
    d: sim.Data,
    steps: int,
    trees: list[int] | None = None,
    each: Callable[[int], None] | None = None,
    part: int = 50,
) -> Audited:
    """Make steps of a model and audit them; `each` is called with the number of the step that comes."""
    signature = sim.record_signature(m)
    if each is not None:
        each(0)
    walker = Walker(m, trees)
    parts = [walker.begin(0, sim.get_state(m, d, signature))]
    for step in range(1, steps + 1):
        if step > 1 and (step - 1) % part == 0:
            parts.append(Tally.begin(step - 1, walker.instant))
        sim.step(m, d)
        if each is not None:
            each(step)
        walker.advance(step, sim.get_state(m, d, signature), parts[-1])
    here = walker.instant.frame
    found = laws(parts, walker.charges, least_energy(m, walker.trees), here.mass, here.inertia)
    return Audited(m, d, parts, joined(parts), found)
