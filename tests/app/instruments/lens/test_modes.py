"""modes.py and state.py: values of trees, scales that stay, colours; the tree follows the selection."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sim
from app.instruments.lens.modes import (
    ASLEEP,
    BY_NAME,
    COUNTDOWN,
    ISLAND,
    MOST_DECADES,
    NOTHING,
    Scale,
    ramp,
    scale_of,
    tree_colours,
)
from app.instruments.lens.questions import LensAnswer, LensQuestion
from app.instruments.lens.state import LensState, tree_of
from app.model.selection import Selection
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from tests.app.instruments.lens.test_why import Still

XML = """<mujoco><option><flag sleep='enable'/></option><worldbody><geom name='floor' type='plane' size='9 9 .1'/>
  <body name='post' pos='5 0 1'><geom size='.1'/></body>
  <body name='a' pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
  <body name='b' pos='0 0 .298'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
  <body name='c' pos='1 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
  <body name='d' pos='2 0 5'><freejoint/><geom size='.1'/></body>
  <body name='e' pos='3 0 5' sleep='init'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""


def asked() -> tuple[Any, Any, LensAnswer]:
    m = sim.loads(XML)
    d = sim.Data(m)
    d.qvel[18] = 2.0
    sim.step(m, d, 3)
    sim.forward(m, d)
    moment: Any = Still(m, d)
    return m, d, LensQuestion().answer(moment)


def test_values_of_trees() -> None:
    m, d, answer = asked()
    rows = BY_NAME["constraints"].values(answer)
    assert rows[0] == rows[1] > rows[2] > 0 and np.isnan(rows[3:]).all()
    assert rows[0] + rows[2] == d.nefc
    for name in ("time", "residual"):
        assert np.isfinite(BY_NAME[name].values(answer)).tolist() == [True, True, True, False, False]
    countdown = BY_NAME[COUNTDOWN].values(answer)
    assert np.isnan(countdown[3]) and np.isnan(countdown[4])
    energy = BY_NAME["kinetic"].values(answer)
    mass = float(m.body_mass[5])
    assert energy[3] == pytest.approx(0.5 * mass * float(d.qvel[18:21] @ d.qvel[18:21]))
    assert BY_NAME["potential"].values(answer)[3] > 0
    assert len(BY_NAME[ISLAND].values(answer)) == 5


def test_scales_are_round_and_stay() -> None:
    rows = BY_NAME["constraints"]
    first = scale_of(rows, np.array([3.0, 240.0, np.nan]))
    assert (first.low, first.high, first.log) == (1.0, 1000.0, True)
    # a little less, or one power of ten less: the same; far less: another
    assert scale_of(rows, np.array([3.0, 40.0]), first) is first
    assert scale_of(rows, np.array([3.0, 4.0]), first) == Scale(1.0, 10.0, True)
    assert scale_of(rows, np.array([3.0, 4000.0]), first).high == 1e4
    wide = scale_of(rows, np.array([1e-30, 1.0]))
    assert wide.high / wide.low == pytest.approx(10.0**MOST_DECADES)
    energy = BY_NAME["potential"]
    level = scale_of(energy, np.array([-3.2, 7.9]))
    assert (level.low, level.high) == (-5.0, 10.0)
    assert scale_of(energy, np.array([-2.0, 5.0]), level) is level
    assert scale_of(energy, np.array([10.5, 11.0]), level).low > 10
    # without a value it stays; one value has a scale too
    assert scale_of(energy, np.array([np.nan]), level) is level
    alone = scale_of(energy, np.array([5.0]))
    assert alone.low <= 5.0 <= alone.high and alone.high > alone.low
    assert scale_of(BY_NAME[COUNTDOWN], np.array([3.0])) == Scale(0.0, 10.0, False)


def test_lightness_grows_evenly() -> None:
    colours = ramp(np.linspace(0, 1, 11)).astype(float)
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    luminance = linear @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(luminance) > 0).all()
    steps = np.diff(np.cbrt(luminance))
    assert steps.max() < 2.5 * steps.min()


def test_colours_of_trees() -> None:
    values = np.array([1.0, 100.0, np.nan, 5.0, 0.0])
    colours = tree_colours(values, Scale(1.0, 100.0, True), np.array([False, False, False, True, False]))
    assert colours[0].tolist() == ramp(np.zeros(1))[0].tolist() == colours[4].tolist()
    assert colours[1].tolist() == ramp(np.ones(1))[0].tolist()
    assert colours[2].tolist() == pytest.approx(NOTHING) and colours[3].tolist() == pytest.approx(ASLEEP)


def test_the_tree_follows_the_selection() -> None:
    m, d, _ = asked()
    model, state = view_model(m), view_state(d)
    view = LensState()
    view.follow(None, model, state)
    assert view.tree == -1
    view.follow(Selection("body", 3), model, state)
    assert view.tree == 1
    # an element that a click in the panel selects, and what is in no tree, change nothing
    view.clicked = Selection("body", 4)
    view.follow(view.clicked, model, state)
    view.follow(Selection("body", 1), model, state)
    view.follow(Selection("geom", 0), model, state)
    assert view.tree == 1
    # the same one, from elsewhere
    view.follow(Selection("body", 4), model, state)
    assert view.tree == 2
    view.follow(Selection("tree", 4), model, state)
    assert view.tree == 4
    assert tree_of(Selection("island", 1), model, state) == 2
    assert tree_of(Selection("body", 99), model, state) == -1
    # another model
    small = sim.loads("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    view.follow(None, view_model(small), view_state(sim.Data(small)))
    assert view.tree == -1


def test_nothing_is_asked_in_a_frame_that_does_not() -> None:
    m, d, _ = asked()
    view = LensState(tree=2)
    snapshot = Snapshot(1, RunState(ready=True, paused=True), view_model(m), view_state(d))
    assert view.take_request() is None
    assert view.ask(snapshot) is None
    request = view.take_request()
    assert request is not None and (request.tree, request.running) == (2, False)
    assert view.take_request() is None
