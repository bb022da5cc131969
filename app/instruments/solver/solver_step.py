"""One step to be solved in several ways, and what was found about it: the shown one, or one that is frozen.

A frozen step has a model and a state of its own, so it stays as it is while the simulation goes on and is edited. What
was found about it is kept: nothing is computed twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sim
from app.background.probe import Moment
from sim.analysis.solver.matrices import Matrix, matrix
from sim.analysis.solver.study import Place, Study, study_step

# options that differ from the model's own: (path, value), such as ("opt.solver", 1.0)
Settings = tuple[tuple[str, float], ...]

# most answers that are kept about a frozen step
KEPT = 48


class SolverStep:
    """A model, and a function that gives its state, where nothing is computed yet."""

    def __init__(self, model: sim.Model, state: Callable[[], sim.Data]) -> None:
        self._model, self._state = model, state
        self._found: dict[object, Any] = {}

    @classmethod
    def shown(cls, moment: Moment) -> SolverStep:
        """The step from the moment that is shown."""
        if cls not in moment.found:
            moment.found[cls] = cls(moment.model, lambda: moment.scratch()[1])
        found: SolverStep = moment.found[cls]
        return found

    @classmethod
    def frozen(cls, moment: Moment) -> SolverStep:
        """The same, with a model and a state of its own."""
        model, state = moment.freeze()
        data = model.engine.Data(model)

        def restored() -> sim.Data:
            model.engine.restore_state(model, data, state)
            return data

        return cls(model, restored)

    def study(self, settings: Settings, tree: int, place: Place | None) -> Study:
        """The solver's work with some settings, on the island of a tree.

        Without a place the contact is the one that bears most with the model's own settings.
        """

        def compute() -> Study:
            there = place if place is not None or not settings else _place(self.study((), tree, None))
            with _set(self._model, settings):
                data = self._state()
                self._model.engine.forward(self._model, data)
                return study_step(self._model, data, tree, there)

        study: Study = self._kept((settings, tree, place), compute)
        return study

    def matrix(self, settings: Settings, tree: int, place: Place | None, kind: str, at: int) -> Matrix | None:
        """A matrix of the island; H at a place of the walk. None if there is nothing to solve."""
        walk = self.study(settings, tree, place).walk
        if walk is None:
            return None
        at = min(at, len(walk.iterations) - 1)
        found: Matrix = self._kept((settings, tree, kind, at if kind == "H" else 0), lambda: matrix(walk, kind, at))
        return found

    def known(self, settings: Settings, tree: int, place: Place | None) -> Study | None:
        """What was found already."""
        return self._found.get((settings, tree, place))

    def known_matrix(self, settings: Settings, tree: int, kind: str, at: int) -> Matrix | None:
        """What was found already."""
        return self._found.get((settings, tree, kind, at if kind == "H" else 0))

    def _kept(self, key: object, compute: Callable[[], Any]) -> Any:
        if key not in self._found:
            self._found[key] = compute()
            for old in [*self._found][:-KEPT]:
                del self._found[old]
        return self._found[key]


def _place(study: Study) -> Place | None:
    """Where the contact of a study is."""
    if study.contact is None:
        return None
    contact = study.contact.contact
    x, y, z = contact.position.tolist()
    return Place(contact.geoms, (x, y, z))


@contextmanager
def _set(model: sim.Model, settings: Settings) -> Iterator[None]:
    """Options of a model, until the end."""
    before = {path: model.read(path) for path, _ in settings}
    try:
        for path, value in settings:
            model.write(path, type(before[path])(value))
        yield
    finally:
        for path, old in before.items():
            model.write(path, old)
