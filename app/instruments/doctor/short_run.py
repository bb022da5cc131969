"""A second of simulation from the start of a model, on a copy: whether it diverges, and some of its states."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf

import numpy as np

from app.background.second_run import SecondRun
from sim import Data, Model

# simulated time, and the longest time that its steps may take of this thread, s
SECONDS, MOST_SECONDS = 1.0, 2.0
# names of keyframes in which a model is meant to start
START_KEYS = ("start", "home", "stand", "standing", "init", "initial")
# states that are kept: after some of the first steps, and this many spread over the run
EARLY, MOMENTS = (1, 5, 20), 5


@dataclass
class ShortRun:
    """The result; `moments` are copies of Data on the way."""

    key: int
    steps: int = 0
    seconds: float = 0.0
    diverged: bool = False
    # the first degree of freedom to diverge
    dof: int = -1
    moments: list[Data] = field(default_factory=list)

    def start(self, model: Model) -> Data:
        """The state in which it began."""
        data = model.engine.Data(model)
        if self.key >= 0:
            model.engine.reset(model, data, self.key)
        return data


def start_key(model: Model) -> int:
    """The keyframe that a model is meant to start in, or -1 for qpos0."""
    names = [name.lower() for name in model.names["key"]]
    return next((names.index(name) for name in START_KEYS if name in names), -1)


def short_run(model: Model, seconds: float = SECONDS, most: float = MOST_SECONDS) -> ShortRun:
    """Simulate a copy of a model for a while."""
    run, second = ShortRun(start_key(model)), SecondRun(model.copy())
    data = second.data
    if run.key >= 0:
        second.engine.reset(second.model, data, run.key)
    second.forward()
    timestep = float(model.opt.timestep)
    total = max(round(seconds / timestep), 1)
    kept = {*EARLY, *(round(total * k / MOMENTS) for k in range(1, MOMENTS + 1))}
    until = inf
    while run.steps < total and time.thread_time() < until:
        second.step()
        run.steps += 1
        if run.steps == 1:
            # from here on: the first step compiles
            until = time.thread_time() + most
        if second.diverged or not np.isfinite(np.asarray(data.qvel)).all():
            run.diverged, run.dof = True, _first_dof(data)
            break
        if run.steps in kept:
            run.moments.append(data.copy())
    run.seconds = run.steps * timestep
    if not run.moments and not run.diverged:
        run.moments.append(data.copy())
    return run


def _first_dof(data: Data) -> int:
    """The degree of freedom that is not finite, or the fastest."""
    for values in (np.asarray(data.qacc), np.asarray(data.qvel)):
        broken = ~np.isfinite(values)
        if broken.any() or np.abs(values).max(initial=0.0) > 1e10:
            return int(np.argmax(np.where(broken, np.inf, np.abs(values))))
    return int(np.argmax(np.abs(np.asarray(data.qvel)))) if len(data.qvel) else -1
