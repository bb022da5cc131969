"""A step or a load without an end is ended from another thread, as Escape does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import sim
from app.run import commands as cmd
from app.run.commands import open_command
from app.run.sim_thread import SimThread
from sim.state import endless
from tests.app.run.test_sim_thread import wait_for

BALL = """<mujoco><option solver="PGS" iterations="%d" tolerance="0"/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
FOR_EVER = 2**31 - 1


@pytest.fixture
def thread() -> Iterator[SimThread]:
    """A simulation that runs."""
    made = SimThread(sim)
    made.start()
    yield made
    made.close()


def test_a_step(thread: SimThread, tmp_path: Path) -> None:
    (tmp_path / "ball.xml").write_text(BALL % (endless.MANY + 1))
    thread.send(open_command(tmp_path / "ball.xml"))
    wait_for(thread, lambda s: s.run.steps > 3)
    thread.send(cmd.SetField("opt.iterations", FOR_EVER))
    wait_for(thread, lambda _: thread.endless_seconds > 0)
    before = thread.latest.run.steps
    thread.send(cmd.Cancel())
    said = "Escape stopped the computation; no step was made; paused, Space continues"
    shown = wait_for(thread, lambda s: s.run.paused)
    assert shown.run.notification == said and shown.run.problem is None
    thread.send(cmd.SetField("opt.iterations", 10))
    thread.send(cmd.SetPaused(False))
    wait_for(thread, lambda s: s.run.steps > before + 3)


def test_a_load(thread: SimThread, tmp_path: Path) -> None:
    (tmp_path / "ball.xml").write_text(BALL % FOR_EVER)
    thread.send(open_command(tmp_path / "ball.xml"))
    wait_for(thread, lambda s: s.run.progress is not None)
    loader = thread.source._loader
    assert loader is not None
    thread.send(cmd.Cancel())
    wait_for(thread, lambda s: s.run.progress is None and s.run.notification == "cancelled: reading ball.xml")
    loader._thread.join(20.0)
    assert not loader._thread.is_alive()
