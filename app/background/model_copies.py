"""Copies of the simulation's models for another thread, each with a Data of its own."""

from __future__ import annotations

from dataclasses import dataclass

import sim

# models whose copies are kept
MOST_MODELS = 4


@dataclass(frozen=True, eq=False)
class ModelCopy:
    """A copy of a model, with a state of its own; the simulation's model keeps its identity while it is here."""

    source: sim.Model
    model: sim.Model
    data: sim.Data


class ModelCopies:
    """A copy of each of the newest models. Make them on the simulation's thread, where nobody edits meanwhile."""

    def __init__(self) -> None:
        self._copies: dict[int, ModelCopy] = {}

    def of(self, model: sim.Model) -> ModelCopy:
        """The copy of a model."""
        found = self._copies.get(id(model))
        if found is None:
            copied = model.copy()
            found = self._copies[id(model)] = ModelCopy(model, copied, copied.engine.Data(copied))
            for old in [*self._copies][:-MOST_MODELS]:
                del self._copies[old]
        return found
