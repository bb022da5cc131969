"""Growth of an explosion: the last sane step of a run, and the direction in which its velocities grew from there.

Bad numbers come late: many steps before the first of them, speeds were absurd already, and in between they spread along
the kinematic trees. So the rows are searched for the first absurd speed, and from there backwards for as long as the
kinetic energy of the change from step to step grows explosively. What grew then is what the cause pushed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.background.second_run import SecondRun
from app.run.history.recorded_inputs import row_places
from sim import Data, Model
from sim.enums import JNT_FREE, JNT_SLIDE, MAXVAL, STATE_RECORD

Array = NDArray[np.float64]

# a speed is absurd if a step turns a joint by more, rad, or moves it by more, in sizes of the model
TURN, MOVE = 0.5, 0.5
# speeds above this part of an absurd one are not those of a sane step, if it had others before
FAST = 0.1
# energy of the change from one step to the next: it explodes if it is this many times that of the `BACK` steps
# that ended `BACK` steps before
FACTOR, BACK = 4.0, 4
# the growth is examined where the change is this many times that of the sane step, or where it is largest
CLEAR = 30.0


class Growth(NamedTuple):
    """Rows of the last sane step and of the step whose forces are to be explained, and the change of qvel by it."""

    sane: int
    step: int
    change: Array


def translates(model: Model) -> NDArray[np.bool_]:
    """Which dofs are translations."""
    joint = np.asarray(model.dof_jntid)
    kind = np.asarray(model.jnt_type)[joint]
    within = np.arange(model.nv) - np.asarray(model.jnt_dofadr)[joint]
    return np.asarray((kind == JNT_SLIDE) | ((kind == JNT_FREE) & (within < 3)))


def absurd_speeds(model: Model) -> Array:
    """For each dof the speed that is absurd: it moves too far within a step."""
    far = np.where(translates(model), MOVE * max(float(model.stat.extent), 1e-3), TURN)
    return np.asarray(far / float(model.opt.timestep))


def find_growth(model: Model, rows: Array) -> Growth:
    """The last sane state of a run that diverged, and how it grew from there."""
    places = row_places(model, STATE_RECORD)
    speeds, accelerations = rows[:, places["qvel"]], rows[:, places["qacc_warmstart"]]
    limit = absurd_speeds(model)
    with np.errstate(invalid="ignore", over="ignore"):
        # of an acceleration, what it does in one step
        bad = ~(np.abs(speeds) <= limit) | ~(np.abs(accelerations) * float(model.opt.timestep) <= 2 * limit)
    absurd = np.flatnonzero(bad.any(axis=1))
    end = int(absurd[0]) if absurd.size else len(rows) - 1
    # energy of the changes: of step k, from row k to row k + 1
    usable = speeds[: end + 1].clip(-MAXVAL, MAXVAL)
    changes = np.diff(np.nan_to_num(usable), axis=0)
    if not len(changes):
        return Growth(0, 0, np.nan_to_num(accelerations[0]) * float(model.opt.timestep))
    energy = (changes**2 * np.asarray(model.dof_M0)).sum(axis=1)
    onset = len(energy) - 1
    while onset > 0 and _explodes(energy, onset - 1):
        onset -= 1
    # clear of the ordinary motion, but not yet spread
    clear = np.flatnonzero(energy[onset:] >= CLEAR * max(float(energy[onset]), 1e-300))
    step = onset + (int(clear[0]) if clear.size else len(energy) - 1 - onset)
    # what grows slowly is fast for long before that
    fast = (np.abs(usable[: onset + 1]) > FAST * limit).any(axis=1)
    calm = np.flatnonzero(~fast)
    return Growth(int(calm[-1]) if calm.size else onset, step, changes[step])


def _explodes(energy: Array, step: int) -> bool:
    """Whether a change is far larger than those some steps before."""
    before = energy[max(step - 2 * BACK, 0) : max(step - BACK, 0) + 1]
    return step > 0 and bool(energy[step] > FACTOR * before.max())


def state_at(model: Model, row: Array) -> Data:
    """Data at a row, forwarded."""
    run = SecondRun(model, autoreset=True)
    run.start(row)
    run.forward()
    return run.data
