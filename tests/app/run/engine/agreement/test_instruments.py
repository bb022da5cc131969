"""Instruments on a model that MuJoCo simulates: they say the same as on ours, whose numbers are the same."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.background.probe import Moment
from app.instruments.contact.question import PathQuestion, TouchQuestion
from app.instruments.forces.question import ForceQuestion
from app.instruments.softness.question import AskPair, AskRow
from app.run.engine.mujoco_model import MujocoModel
from app.run.history.taken_rows import TakenMoment
from sim.analysis.body_forces import BodyForce
from sim.analysis.row_softness import EQUALITY, JOINT_LIMIT, TENDON_LIMIT
from sim.edits import NO_EDITS
from sim.enums import PERT_TRANSLATE
from tests.app.run.engine.agreement.both import SCENES, assert_close, moments

# joints and bodies of a scene that are asked about, and pairs of geoms in contact
MOST = 12


@pytest.fixture(params=SCENES, scope="module")
def asked(request: pytest.FixtureRequest) -> tuple[Moment, Moment]:
    ours, theirs = moments(request.param)
    assert isinstance(theirs.model, MujocoModel)
    return ours, theirs


def touching(moment: Moment) -> list[tuple[int, int]]:
    """Pairs of geoms in contact, some of them."""
    pairs = np.unique(np.asarray(moment.data.contact.geom[: moment.data.ncon]), axis=0)
    return [(int(a), int(b)) for a, b in pairs[:: max(len(pairs) // MOST, 1)]]


def assert_same(ours: Any, theirs: Any, where: str = "") -> None:
    """Dataclasses, tuples, texts and numbers, through and through."""
    if dataclasses.is_dataclass(ours):
        for part in dataclasses.fields(ours):
            assert_same(getattr(ours, part.name), getattr(theirs, part.name), f"{where}.{part.name}")
    elif isinstance(ours, tuple | list) and not all(isinstance(part, int | float) for part in ours):
        assert len(ours) == len(theirs), where
        for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{where}[{at}]")
    elif isinstance(ours, np.ndarray | float | int | tuple | list):
        assert np.shape(ours) == np.shape(theirs), where
        np.testing.assert_allclose(theirs, ours, rtol=1e-6, atol=1e-6, err_msg=where)
    else:
        assert ours == theirs, where


def named(answer: Any) -> dict[str, np.ndarray]:
    """The shares of an answer by name; those that are rounding left out."""
    shares = np.abs(answer.shares.acceleration).max(axis=1, initial=0.0)
    largest = max(float(shares.max(initial=0.0)), 1.0)
    rows = zip(answer.names, answer.texts, answer.shares.acceleration, shares, strict=True)
    return {f"{name} = {text}": row for name, text, row, size in rows if size > 1e-7 * largest}


def direct(answer: Any) -> list[tuple[str, BodyForce]]:
    """The forces on a body, with their names; those that are rounding left out."""
    forces = [*zip(answer.direct_names, answer.direct, strict=True)]
    largest = max((float(np.abs(part.force).max()) for _, part in forces), default=0.0)
    return [(name, part) for name, part in forces if np.abs(part.force).max() > 1e-7 * largest]


@pytest.mark.parametrize("kind", ["joint", "body"])
def test_forces(asked: tuple[Moment, Moment], kind: str) -> None:
    ours, theirs = asked
    count = int(ours.model.njnt if kind == "joint" else ours.model.nbody)
    for index in range(int(kind == "body"), count, max(count // MOST, 1)):
        question = ForceQuestion(kind, index)
        one, other = question.answer(ours), question.answer(theirs)
        assert one.subject == other.subject
        mine, their = named(one), named(other)
        assert mine.keys() == their.keys()
        largest = max((float(np.abs(row).max()) for row in mine.values()), default=1.0)
        for name, row in mine.items():
            assert_close(row, their[name], largest)
        assert_close(one.applied, other.applied, largest)
        # what is left of the acceleration is nothing
        assert_close(other.shares.total, other.shares.acceleration.sum(axis=0), largest)
        assert [name for name, _ in direct(one)] == [name for name, _ in direct(other)]
        for (_, force), (_, same) in zip(direct(one), direct(other), strict=True):
            assert_close(force.force, same.force)
            assert_close(force.point, same.point)


def test_contacts(asked: tuple[Moment, Moment]) -> None:
    ours, theirs = asked
    assert touching(ours) == touching(theirs)
    for pair in touching(ours):
        assert_same(TouchQuestion(*pair).answer(ours), TouchQuestion(*pair).answer(theirs))


def test_the_path_of_the_solver(asked: tuple[Moment, Moment]) -> None:
    ours, theirs = asked
    for pair in touching(ours)[:3]:
        one, other = PathQuestion(*pair).answer(ours), PathQuestion(*pair).answer(theirs)
        assert one is not None and other is not None
        assert (one.solver, one.converged) == (other.solver, other.converged)
        assert one.iterations == other.iterations
        assert_close(one.forces, other.forces)
        # and the state is left as it was
        assert theirs.model.opt.iterations == ours.model.opt.iterations


def test_softness(asked: tuple[Moment, Moment]) -> None:
    ours, theirs = asked
    for pair in touching(ours):
        assert_same(AskPair(*pair).answer(ours), AskPair(*pair).answer(theirs))
    rows = [
        (EQUALITY, int(ours.model.neq)),
        (JOINT_LIMIT, int(ours.model.njnt)),
        (TENDON_LIMIT, int(ours.model.ntendon)),
    ]
    for kind, count in rows:
        for index in range(count):
            try:
                expected = AskRow(kind, index).answer(ours)
            except ValueError:
                with pytest.raises(ValueError):
                    AskRow(kind, index).answer(theirs)
            else:
                assert_same(expected, AskRow(kind, index).answer(theirs))


def test_the_mouse_is_counted_once() -> None:
    """A body that is pulled: the force is among those on it, and all of them sum to its acceleration."""
    answers = []
    for moment in moments("ragdolls"):
        m, d = moment.model, moment.data
        body = 3
        d.perturb.select, d.perturb.active = body, PERT_TRANSLATE
        d.perturb.refselpos = d.xpos[body] + (0.1, 0.2, 0.3)
        taken = TakenMoment(m, NO_EDITS, m.engine.copy_state(m, d), object(), 0, 0, 0.0)
        answers.append(ForceQuestion("body", body).answer(Moment(taken, m, d)))
    ours, theirs = answers
    for answer in answers:
        total = np.sum([part.force for part in answer.direct], axis=0)
        assert_close(answer.shares.total_force[:3], total)
    assert [name for name in theirs.direct_names if name.startswith("mouse")]
    assert [name for name, _ in direct(ours)] == [name for name, _ in direct(theirs)]
    assert named(ours).keys() == named(theirs).keys()
    for (_, force), (_, same) in zip(direct(ours), direct(theirs), strict=True):
        assert_close(force.force, same.force)
