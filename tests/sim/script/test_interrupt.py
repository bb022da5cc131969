"""Ctrl+C ends native code that takes long, at a whole step."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import sim
from sim.pipeline import forward as pipeline
from sim.state import endless

BALL = """<mujoco><option %s/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@contextmanager
def interrupted() -> Iterator[None]:
    """Ctrl+C is pressed while the body runs, which does not end by itself."""
    # a debugger may have left its own
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            yield
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("control", [None, lambda m, d: None])
def test_many_steps(control: Any) -> None:
    m = sim.loads(BALL % "")
    d = sim.Data(m)
    sim.callbacks.control = control
    sim.step(m, d)
    with interrupted():
        sim.step(m, d, nstep=2**70)
    steps = round(d.time / m.opt.timestep)
    other = sim.Data(m)
    sim.step(m, other, steps)
    assert steps > 0 and d.time == other.time and np.array_equal(d.qpos, other.qpos)


def test_calls_for_many_steps_become_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """And end soon, whatever a step takes; what overflows is made again."""
    clock, calls, missing = [0.0], [], [3]

    def run(m: Any, d: Any, n: int) -> int:
        calls.append(n)
        short = min(n - 1, missing.pop()) if missing and n > 1 else 0
        clock[0] += 1e-3 * (n - short)
        return n - short

    m = sim.loads(BALL % "")
    d = sim.Data(m)
    monkeypatch.setattr(pipeline, "run", run)
    monkeypatch.setattr("sim.script.steps.perf_counter", lambda: clock[0])
    monkeypatch.setattr(sim.Data, "grow_required", lambda self: True)
    sim.step(m, d, 200)
    assert sum(calls) == 203 and calls[0] == 1 and max(calls) <= 55
    calls.clear()
    sim.step(m, d, 0)
    sim.step(m, d)
    assert calls == [0, 1]


@pytest.mark.parametrize("options", ['solver="PGS" iterations="%d" tolerance="0"', 'noslip_iterations="%d"'])
def test_a_solver_without_an_end(options: str) -> None:
    """Now and then it calls Python, which hears signals: here, one comes there."""

    def press() -> None:
        raise KeyboardInterrupt

    m = sim.loads(BALL % (options % (3 * endless.MANY) + ' noslip_tolerance="0"'))
    d = sim.Data(m)
    endless.allow_interrupts()
    endless.pause.redirect(press)
    try:
        with pytest.raises(KeyboardInterrupt):
            sim.step(m, d)
    finally:
        endless.pause.redirect(None)
    assert d.time == 0.0
    m.opt.timestep *= 2
    sim.step(m, d)
    assert d.time > 0.0 and endless.pause.stand_in is endless.hear_signals


TWO = """<mujoco><option %s="%d" ls_tolerance="0" ccd_tolerance="0" tolerance="0"><flag gravity="disable"/></option>
<worldbody><geom type="plane" size="1 1 1" pos="0 0 -1"/>
<body><freejoint/><geom type="capsule" size=".1 .08" margin=".01"/></body>
<body pos="2 0 0"><freejoint/><geom type="cylinder" size=".1 .09"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("count", "place"), [("ls_iterations", [2, 0, -0.93]), ("ccd_iterations", [0, 0, 0])], ids=["solver", "collision"]
)
def test_a_search_without_an_end(count: str, place: list[float]) -> None:
    """A line search never gets to a slope of zero, nor the search for a normal of two concentric geoms to an end."""
    m = sim.loads(TWO % (count, 2**31 - 1))
    d = sim.Data(m)
    sim.step(m, d)
    d.qpos[7:10] = place
    before = d.time
    with interrupted():
        for _ in range(10**6):
            sim.step(m, d)
            d.qvel[9] = -1.0
            before = d.time
    assert d.time == before


@pytest.mark.parametrize("name", endless.COUNTS)
def test_counts_up_to_which_nothing_pauses(name: str) -> None:
    m = sim.loads(BALL % "")
    for count in (0, endless.MANY):
        setattr(m.opt, name, count)
        assert not endless.is_endless(m)
    setattr(m.opt, name, endless.MANY + 1)
    assert endless.is_endless(m)
