"""One state in both engines: ours and MuJoCo's, which agree to rounding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import sim
from app.background.probe import Moment
from app.files.resources import find_scene
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.history.taken_rows import TakenMoment
from sim.edits import NO_EDITS

# scene -> steps to a state in which much is going on: springs, dampers, limits, muscles, tendons, adhesion, fluid, a
# dense and a sparse Jacobian, both friction cones, equalities, noslip, sleep, controls with a delay
SCENES = {
    "double_pendulum": 150, "geckos": 200, "pile": 200, "muscle_arm": 100, "soft_contacts": 250, "ragdolls": 300,
    "drone": 100, "puppet": 150, "noslip": 150, "car": 150, "rovers": 150, "delay_and_lag": 200, "sleepers": 200,
}  # fmt: skip


class Both(NamedTuple):
    """Our model and Data, and MuJoCo's, at the same state, forwarded."""

    m: sim.Model
    d: sim.Data
    theirs: sim.Model
    data: sim.Data


def both(scene: str, steps: int | None = None) -> Both:
    """A scene after some steps of our engine, with controls."""
    path, engine = str(find_scene(scene)), mujoco_engine()
    m, theirs = sim.load(path), engine.load(path)
    d, data = sim.Data(m), engine.Data(theirs)
    d.ctrl[:] = 0.3 * np.arange(1, m.nu + 1) % 1
    sim.step(m, d, SCENES[scene] if steps is None else steps)
    signature = sim.record_signature(m)
    row = sim.get_state(m, d, signature)
    for model, state in ((m, d), (theirs, data)):
        model.engine.set_state(model, state, row, signature)
        model.engine.forward(model, state)
    return Both(m, d, theirs, data)


def moments(scene: str) -> tuple[Moment, Moment]:
    """The same for questions."""
    found = both(scene)
    return tuple(_moment(m, d) for m, d in ((found.m, found.d), (found.theirs, found.data)))  # type: ignore[return-value]


def _moment(m: sim.Model, d: sim.Data) -> Moment:
    state = m.engine.copy_state(m, d)
    return Moment(TakenMoment(m, NO_EDITS, state, object(), 0, 0, float(d.time)), m, m.engine.Data(m))


def assert_close(ours: object, theirs: object, scale: float = 1.0) -> None:
    """Equal to a millionth of the largest number, or of `scale`."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    largest = np.abs(a[np.isfinite(a)]).max(initial=scale)
    np.testing.assert_allclose(b, a, rtol=0, atol=1e-6 * largest)
