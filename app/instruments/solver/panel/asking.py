"""What the Solver instrument knows: from a frozen step at once, else from the probe."""

from __future__ import annotations

from typing import Any

from app.instruments.solver.questions import MatrixQuestion, StudyQuestion
from app.instruments.solver.state import SolverState
from app.view.view_state import ViewState
from sim.analysis.solver.study import Study


def asked(view: ViewState, name: object, question: StudyQuestion | MatrixQuestion) -> tuple[Any, str]:
    """(the newest answer or None, why there is none); the last one by this name until it is there."""
    shown = view.of(SolverState)
    value = shown.known(question)
    # a step is to be kept: nothing else shall delay that
    if value is None and not shown.freezing:
        answer = view.instruments.ask(question)
        if answer is not None and answer.error:
            return None, answer.error
        value = answer.value if answer is not None else None
    return shown.keep(name, question, value), ""


def asked_study(view: ViewState, column: int) -> tuple[Study | None, str]:
    """The study of a column."""
    found: tuple[Study | None, str] = asked(view, column, view.of(SolverState).question(column))
    return found
