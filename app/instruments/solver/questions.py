"""Questions of the Solver instrument: the solver's walk with some settings, a matrix, and a step to keep."""

from __future__ import annotations

from dataclasses import dataclass

from app.background.probe import Moment
from app.instruments.solver.solver_step import Settings, SolverStep
from sim.analysis.solver.matrices import Matrix
from sim.analysis.solver.study import Place, Study


@dataclass(frozen=True)
class FreezeQuestion:
    """A step to keep; each request has a number of its own."""

    number: int

    def answer(self, moment: Moment) -> SolverStep:
        """The one that is shown."""
        return SolverStep.frozen(moment)


@dataclass(frozen=True)
class StudyQuestion:
    """How the solver solves a step, None the one that is shown, with some settings, on the island of a tree."""

    step: SolverStep | None
    settings: Settings
    tree: int
    place: Place | None

    def answer(self, moment: Moment) -> Study:
        """The walk."""
        step = self.step if self.step is not None else SolverStep.shown(moment)
        return step.study(self.settings, self.tree, self.place)


@dataclass(frozen=True)
class MatrixQuestion:
    """A matrix of the solver, at a place of the walk."""

    study: StudyQuestion
    kind: str
    at: int

    def answer(self, moment: Moment) -> Matrix | None:
        """Its entries."""
        asked = self.study
        step = asked.step if asked.step is not None else SolverStep.shown(moment)
        return step.matrix(asked.settings, asked.tree, asked.place, self.kind, self.at)
