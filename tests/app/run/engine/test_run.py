"""A window's run with MuJoCo behind it: the note, going over to another engine, edits, undo, scrubbing, branches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sim
from app.run import commands as cmd
from app.run.engine.installed import mujoco
from app.run.engine.names import KINETOSCOPE, MUJOCO
from tests.app.live import MODEL, Hand
from tests.app.run.test_sim_thread import wait_for

MODELS = Path(__file__).parent / "models"


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    """A paused simulation of a small model."""
    hand = Hand(tmp_path, MODEL)
    yield hand
    hand.thread.close()


def over_to(hand: Hand, engine: str, title: str) -> None:
    """Go on with another engine."""
    hand.thread.send(cmd.SetEngine(engine))
    wait_for(hand.thread, lambda s: s.model is not None and s.model.engine == title and s.run.progress is None)
    hand.settle()


def test_going_over_to_mujoco_and_back_keeps_state_edits_and_time(hand: Hand) -> None:
    theirs = f"MuJoCo {mujoco().__version__}"
    friction = hand.field("geom_friction")[0, 0]
    hand.send(cmd.StepOnce(20))
    hand.send(cmd.SetField("geom_friction", 0.25, (0,), 0))
    before = np.array(hand.state.qpos)
    over_to(hand, MUJOCO, theirs)
    assert hand.thread.latest.run.engine == MUJOCO
    assert np.array_equal(hand.state.qpos, before) and hand.field("geom_friction")[0, 0] == 0.25
    hand.send(cmd.StepOnce(20))
    moved = np.array(hand.state.qpos)
    assert not np.array_equal(moved, before)
    hand.send(cmd.Undo())
    assert hand.field("geom_friction")[0, 0] == friction
    hand.send(cmd.Redo())
    # back in time, where our engine ran, and to the present again
    history = hand.thread.latest.run.history
    hand.send(cmd.GoTo(10, history.branch))
    assert hand.model.engine == sim.ENGINE
    hand.send(cmd.GoTo(history.now, history.branch))
    assert hand.model.engine == theirs and np.array_equal(hand.state.qpos, moved)
    over_to(hand, KINETOSCOPE, sim.ENGINE)
    assert np.array_equal(hand.state.qpos, moved)


def test_a_moment_of_mujoco_is_a_branch_that_computes_the_same(hand: Hand) -> None:
    over_to(hand, MUJOCO, f"MuJoCo {mujoco().__version__}")
    hand.send(cmd.StepOnce(60))
    branch, now = hand.thread.latest.run.history.branch, hand.thread.latest.run.history.now
    end = np.array(hand.state.qpos)
    hand.send(cmd.GoTo(now - 30, branch))
    hand.send(cmd.GoOn())
    hand.send(cmd.SetPaused(True))
    hand.send(cmd.GoTo(now, branch))
    assert np.array_equal(hand.state.qpos, end)
    hand.send(cmd.GoTo(now - 30, branch))
    hand.send(cmd.SetField("opt.timestep", 0.001))
    assert hand.thread.latest.run.history.branch != branch


def test_a_file_that_only_mujoco_knows_says_so(tmp_path: Path) -> None:
    hand = Hand(tmp_path)
    hand.thread.send(cmd.LoadModel(str(MODELS / "plugins.xml")))
    snapshot = wait_for(hand.thread, lambda s: s.run.ready and s.run.path.endswith("plugins.xml"))
    assert snapshot.model is not None and snapshot.model.engine == f"MuJoCo {mujoco().__version__}"
    assert "because Kinetoscope's engine cannot" in snapshot.run.engine_note
    assert snapshot.run.engine == KINETOSCOPE
    hand.send(cmd.StepOnce(10))
    assert hand.thread.latest.run.time > 0 and hand.thread.latest.run.problem is None
    hand.thread.close()


def test_without_mujoco_it_says_how_to_install_it(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    monkeypatch.setattr("app.run.model_source.engine_named", _missing)
    problem = hand.send(cmd.SetEngine(MUJOCO)).run.problem
    assert problem is not None and "pip install mujoco" in problem.text
    assert hand.thread.latest.run.engine == KINETOSCOPE


def _missing(name: str) -> object:
    return mujoco()
