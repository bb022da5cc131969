"""Choices of the Solver instrument: island and contact follow the selection, columns, iterations, a frozen step."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sim
from app.background.probe import Answer
from app.instruments.solver.questions import FreezeQuestion, MatrixQuestion
from app.instruments.solver.solver_step import SolverStep
from app.instruments.solver.state import MOST_COLUMNS, SolverState
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.snapshot import view_model, view_state
from tests.sim.analysis.solver.test_walk import prepared


@pytest.fixture
def views() -> tuple[ModelView, StateView]:
    m, d = prepared("Newton")
    return view_model(m), view_state(d)


def walk(*iterations: int) -> Any:
    return SimpleNamespace(iterations=iterations)


def test_island_and_contact_follow_the_selection(views: tuple[ModelView, StateView]) -> None:
    model, state = views
    shown = SolverState()
    shown.begin(model, state, None)
    assert (shown.tree, shown.place) == (-1, None)
    shown.begin(model, state, Selection("body", 2))
    assert shown.tree == 1
    shown.begin(model, state, Selection("contact", 0))
    assert shown.place is not None and shown.place.geoms == tuple(state.contact.geom[0].tolist())
    island = int(state.tree_island[2])
    shown.begin(model, state, Selection("island", island))
    assert int(state.tree_island[shown.tree]) == island
    # the world has no island
    tree = shown.tree
    shown.begin(model, state, Selection("body", 0))
    assert shown.tree == tree


def test_what_is_clicked_here_moves_nothing(views: tuple[ModelView, StateView]) -> None:
    model, state = views
    shown = SolverState()
    shown.begin(model, state, Selection("body", 2))
    shown.keep_place()
    shown.begin(model, state, Selection("joint", 2))
    assert shown.tree == 1
    # a click that selected nothing else counts no more
    shown.keep_place()
    shown.begin(model, state, Selection("joint", 2))
    shown.begin(model, state, Selection("joint", 3))
    assert shown.tree == 2


def test_iterations_stay_at_the_end_or_where_they_are() -> None:
    shown = SolverState()
    assert shown.at(walk(0, 1, 2, 3)) == 3
    shown.go(walk(0, 1, 2, 3), 1)
    assert shown.iteration == 1 and shown.at(walk(0, 1, 2, 3, 4, 5)) == 1
    # a shorter walk ends before
    shown.iteration = 4
    assert shown.at(walk(0, 1, 2)) == 2
    # of a thinned one, what is known until there
    assert shown.at(walk(0, 1, 3, 9)) == 2
    shown.go(walk(0, 1, 2), 9)
    assert shown.iteration is None
    shown.go(walk(0, 1, 2), -4)
    assert shown.iteration == 0


def test_columns() -> None:
    shown = SolverState()
    shown.add_column((("opt.solver", 1.0),))
    shown.change(1, "opt.cone", 1.0, 0.0)
    assert shown.settings(1) == (("opt.cone", 1.0), ("opt.solver", 1.0)) and shown.settings(0) == ()
    shown.change(1, "opt.solver", 2.0, 2.0)
    assert shown.settings(1) == (("opt.cone", 1.0),)
    for _ in range(5):
        shown.add_column(())
    assert len(shown.columns) == MOST_COLUMNS
    shown.walked = 2
    shown.remove_column(1)
    assert shown.walked == 1 and len(shown.columns) == 1
    shown.remove_column(1)
    assert shown.walked == 0


def test_a_frozen_step_until_the_model_is_another(views: tuple[ModelView, StateView]) -> None:
    model, state = views
    shown = SolverState()
    assert shown.freeze_question() is None
    shown.freeze()
    assert shown.freeze_question() == FreezeQuestion(1)
    shown.take_frozen(Answer(None, "no memory", 0, 0, 0.0), model.identity)
    assert shown.frozen is None and shown.freeze_question() is None
    shown.freeze()
    assert shown.freeze_question() == FreezeQuestion(2)
    step = SolverStep(sim.loads("<mujoco/>"), lambda: pytest.fail("nothing is asked"))
    shown.take_frozen(Answer(step, "", 0, 9, 0.018), model.identity)
    assert shown.frozen is not None and (shown.frozen.number, shown.frozen.time) == (9, 0.018)
    assert shown.question(0).step is step and shown.known(shown.question(0)) is None
    assert shown.known(MatrixQuestion(shown.question(0), "J", 0)) is None
    shown.begin(model, state, None)
    assert shown.frozen is not None
    m, d = prepared("CG")
    shown.tree = 3
    shown.begin(view_model(m), view_state(d), None)
    assert shown.frozen is None and shown.tree == -1


def test_answers_stay_until_the_next() -> None:
    shown = SolverState()
    assert shown.keep("a", 1, None) is None
    assert shown.keep("a", 1, "found") == "found"
    assert shown.keep("a", 2, None) == "found"
    assert np.isnan(shown.keep("a", 2, np.nan))
