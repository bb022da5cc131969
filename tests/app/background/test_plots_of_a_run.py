"""Plots of a real run with edits, branches and a memory that is far too small: each sample is what was simulated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from app.background.plot_export import Line, PlotExport
from app.background.row_source import RowSource
from app.background.sample_plan import Request
from app.background.sampler import Sampler
from app.background.samples import line_curves
from app.run import commands as cmd
from app.run.history.timeline import Timeline
from app.view.export_plots import steps_between
from tests.app.live import MODEL, Hand

# a state, what depends on the model, and what forward computes
TEXTS = ("d.qpos[2]", "d.qacc[2]", "d.body('ball').xpos[2] + m.opt.timestep", "m.opt.gravity[2]")


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    """Two lines: gravity is edited in the first, and the second leaves it before that with another velocity."""
    made = Hand(tmp_path_factory.mktemp("plots"), history_bytes=1 << 16)
    for command in (
        cmd.StepOnce(300), cmd.SetField("opt.gravity", -5.0, (2,)), cmd.StepOnce(1500), cmd.GoTo(200),
        cmd.SetData("qvel", 2, (3.0,)), cmd.StepOnce(900),
    ):  # fmt: skip
        made.send(command)
    yield made
    made.thread.close()


@cache
def simulated() -> dict[int, np.ndarray]:
    """The expressions at each step of both lines, from a run of the engine alone."""
    found = {}
    for line, changes, last in ((0, {300: ("gravity", -5.0)}, 1800), (1, {200: ("qvel", 3.0)}, 1100)):
        m: Any = sim.loads(MODEL)
        d, scratch, sig = sim.Data(m), sim.Data(m), sim.record_signature(m)
        rows = []
        for step in range(last + 1):
            name, value = changes.get(step, ("", 0.0))
            if name == "gravity":
                m.opt.gravity[2] = value
            elif name == "qvel":
                d.qvel[2] = value
            sim.set_state(m, scratch, sim.get_state(m, d, sig), sig)
            sim.forward(m, scratch)
            height = scratch.body("ball").xpos[2] + m.opt.timestep
            rows.append([scratch.qpos[2], scratch.qacc[2], height, m.opt.gravity[2]])
            sim.step(m, d)
        found[line] = np.array(rows).T
    return found


def timeline_of(hand: Hand) -> Timeline:
    timeline = hand.thread.latest.run.history
    assert [(b.fork, b.last) for b in timeline.branches] == [(0, 1800), (200, 1100)]
    # most of it is not in memory any more
    assert timeline.memory.dense_steps < 200
    return timeline


def test_every_step_of_both_lines_is_exported(hand: Hand, tmp_path: Path) -> None:
    timeline = timeline_of(hand)
    lines = [Line(str(k), steps_between(timeline, k, 0.0, 99.0)) for k in (0, 1)]
    export = PlotExport(tmp_path / "plots.npz", RowSource(hand.thread.send), TEXTS, lines, ())
    export.run()
    assert not export.fault
    with np.load(export.path) as read:
        for line, wanted in simulated().items():
            assert read[f"{line}/step"].tolist() == list(range(wanted.shape[1]))
            for text, values in zip(TEXTS, wanted, strict=True):
                assert np.array_equal(read[f"{line}/{text}"], values), (line, text)


def test_a_close_look_at_the_far_past_has_every_step(hand: Hand) -> None:
    timeline = timeline_of(hand)
    sampler = Sampler(RowSource(hand.thread.send), sleep=lambda _: None)
    sampler.want(Request(TEXTS, timeline, (1, 0), 0.5, 0.7, 400, hand.thread.latest.serial))
    idle = 0
    while idle < 2:
        before = sampler.latest.version
        sampler.turn(20.0 if sampler._waiting else 0.0)
        idle = idle + 1 if sampler.latest.version == before and not sampler._waiting else 0
    for line, wanted in simulated().items():
        for text, values in zip(TEXTS, wanted, strict=True):
            curves = line_curves(sampler.latest, timeline, line, text)
            times = np.concatenate([curve.times for curve in curves])
            found = np.concatenate([curve.values for curve in curves])
            steps = np.round(times / 0.002).astype(int)
            assert set(range(250, 351)) <= set(steps.tolist())
            assert np.array_equal(found, values[steps])
    # the shown moment is the head of the second line
    shown = sampler.latest.shown
    assert (shown.branch, shown.step) == (1, 1100) and shown.values["m.opt.gravity[2]"] == -10.0


def test_the_shown_moment_has_its_value_however_long_ago(hand: Hand) -> None:
    snapshot = hand.send(cmd.GoTo(777, 0))
    sampler = Sampler(RowSource(hand.thread.send), sleep=lambda _: None)
    sampler.want(Request(TEXTS, snapshot.run.history, (0,), 3.0, 3.1, 10, snapshot.serial))
    while sampler.latest.shown.step < 0:
        sampler.turn(20.0 if sampler._waiting else 0.0)
    shown = sampler.latest.shown
    assert (shown.branch, shown.step) == (0, 777)
    assert [*shown.values.values()] == simulated()[0][:, 777].tolist()
    hand.send(cmd.SwitchBranch(1))
    hand.send(cmd.GoTo(1100))
