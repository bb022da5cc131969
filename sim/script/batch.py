"""A batch: many environments of one model, stepped together; a GPU updates the velocities of all of them at once.

A step is native code up to the update of velocities, on all threads; one dispatch, qvel += h · qacc_step; then native
code again for positions. The rest of a step is the engine's own: see `step_to_velocities`. With RK4 there is no such
update, so its steps are made by the CPU, as are all with device="cpu".

Environments are rows: any Data of the pool takes one, as in rollouts, since a row determines the steps to come. Only
sleeping trees and plastic springs keep more than that; then each environment has Data of its own.
"""

from __future__ import annotations

import signal
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import count
from typing import Any

import numpy as np

from sim.enums import INT_RK4, STATE_FULLPHYSICS, STATE_USER
from sim.fields import DATA_LAYOUT
from sim.jit import helper, kernel
from sim.jit.kernel import Kernel
from sim.jit.machine import cores, free_memory
from sim.model import Data, Model
from sim.pipeline.forward import (
    checkpoint,
    reset_sleep,
    rollback,
    step,
    step_from_velocities,
    step_to_velocities,
)
from sim.script.check_options import check_options
from sim.script.gpu import GpuError, VelocityUpdate
from sim.script.rollout import BATCHES, Advance, progress_bar
from sim.script.state_vector import get_state
from sim.script.steps import CALL, MOST_LONGER, forward
from sim.stages.sensor.reading import clear_sensors, load_sensors
from sim.stages.sleep.awake import sleeps
from sim.state.capacity import overflow
from sim.state.reset import load_inputs, load_start, load_warmstart, start_rollout
from sim.state.row import put_numbers, put_state
from sim.state.signature import state_places, state_shapes, state_size
from sim.state.warning import has_bad_state

# marks of an environment: starts as a rollout does; waits for its velocities; has diverged and stays where it is
FRESH, MOVING, STOPPED = 1, 2, 4
DEVICES = ("gpu", "cpu")
RK4_NOTE = "RK4 has no separate velocity update, but averages four stages: the CPU makes its steps"


# ---------------------------------------------------------------- native code


@helper
def load(m, d, i, own):
    """(roll.start, roll.ctrl, roll.reading) -> (the state, inputs and sensors of environment i)"""
    fresh = d.roll.mark[i] & FRESH
    if fresh or not own:
        start_rollout(m, d, i)
    else:
        load_start(m, d, i)
    load_warmstart(m, d, i)
    if fresh:
        reset_sleep(m, d)
        clear_sensors(m, d)
    elif not own:
        load_sensors(m, d, i)
    load_inputs(m, d, i, STATE_USER)


@helper
def store(m, d, i):
    """(the state, sensordata) -> (roll.now, roll.reading)"""
    at = put_state(d.roll.now, i, m, d, STATE_FULLPHYSICS)
    put_numbers(d.roll.now, i, at, d.qacc_warmstart, m.nv)
    put_numbers(d.roll.reading, i, 0, d.sensordata, m.nsensordata)


@helper
def store_rates(m, d, i):
    """(qacc_step) -> (roll.rate): 0 for dofs that sleep"""
    for v in range(m.nv):
        d.roll.rate[i, v] = 0.0
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.roll.rate[i, v] = d.qacc_step[v]


@kernel
def load_environment(m, d, i: int, own: int):
    """(roll) -> (the state, inputs and sensors of environment i)"""
    load(m, d, i, own)


@kernel
def step_environments(m, d, done: int, end: int, nstep: int, own: int) -> int:
    """(roll) -> (roll): whole steps from `done` to `end`, counted over all environments

    Stops at a step that overflows; returns the index of the next one.
    """
    for k in range(done, end):
        i = k // nstep
        if d.roll.mark[i] & STOPPED == 0:
            load(m, d, i, own)
            checkpoint(m, d)
            step(m, d)
            if overflow(d):
                rollback(m, d)
                return k
            store(m, d, i)
            d.roll.mark[i] = STOPPED if has_bad_state(d) else 0
    return end


@kernel
def split_step(m, d, done: int, end: int, finish: int, begin: int, own: int) -> int:
    """(roll) -> (roll): environments finish the step whose velocities have been updated, and begin the next one

    Stops at a step that overflows; returns the environment.
    """
    for i in range(done, end):
        if finish and d.roll.mark[i] & MOVING:
            load_start(m, d, i)
            step_from_velocities(m, d)
            put_state(d.roll.now, i, m, d, STATE_FULLPHYSICS)
            d.roll.mark[i] -= MOVING
        if begin and d.roll.mark[i] & STOPPED:
            for v in range(m.nv):
                d.roll.rate[i, v] = 0.0
        elif begin:
            load(m, d, i, own)
            checkpoint(m, d)
            step_to_velocities(m, d)
            if overflow(d):
                rollback(m, d)
                return i
            store(m, d, i)
            store_rates(m, d, i)
            d.roll.mark[i] = MOVING + STOPPED if has_bad_state(d) else MOVING
    return end


# ---------------------------------------------------------------- the batch


class Rows:
    """A part of all environments, one row each; assignment copies into it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, batch: GpuBatch, owner: type | None = None) -> np.ndarray:
        return batch.parts[self._name]

    def __set__(self, batch: GpuBatch, values: Any) -> None:
        batch.parts[self._name][...] = values


class GpuBatch:
    """`n` environments of a model, stepped together: the GPU updates all velocities, the CPU does the rest.

    `device`: "gpu", or "cpu" for the same without one. `dtype`: numbers on the GPU, float32, or float64 where it has
    them. All arrays have a row for each environment and may be written between steps. An environment that diverges
    stays where it is, as a rollout does, until it is reset. `seconds`: what steps have spent on the CPU, in copies to
    and from the GPU, and waiting for it.
    """

    time, qpos, qvel, act, sensordata = Rows(), Rows(), Rows(), Rows(), Rows()
    ctrl, qfrc_applied, xfrc_applied, eq_active = Rows(), Rows(), Rows(), Rows()
    mocap_pos, mocap_quat, userdata = Rows(), Rows(), Rows()

    def __init__(
        self, m: Model, n: int, *, device: str = "gpu", dtype: Any = np.float32, nthread: int | None = None
    ) -> None:
        if n < 1:
            raise ValueError(f"n is {n}: at least one environment is needed")
        if nthread is not None and nthread < 1:
            raise ValueError(f"nthread is {nthread}: at least one thread is needed")
        if device not in DEVICES:
            raise ValueError(f"device is {device!r}: it must be one of {', '.join(map(repr, DEVICES))}")
        if np.dtype(dtype) not in (np.float32, np.float64):
            raise ValueError(f"dtype is {np.dtype(dtype)}: it must be float32 or float64")
        self.model, self.n, self._nthread = m, n, nthread or cores()
        self.seconds = dict.fromkeys(("cpu", "transfer", "dispatch"), 0.0)
        self._own = self._keeps_more()
        first = Data(m)
        self._check_room(first)
        self._gpu = VelocityUpdate(n, m.nv, np.dtype(dtype), self.seconds) if device == "gpu" else None
        self._start = np.zeros((n, state_size(m) + m.nv))
        self._inputs = np.zeros((n, state_size(m, STATE_USER)))
        self._mark, self._rate = np.zeros(n, np.int32), np.zeros((n, m.nv))
        self.parts = {"sensordata": np.zeros((n, m.nsensordata))}
        for sig, table in ((STATE_FULLPHYSICS, self._start), (STATE_USER, self._inputs)):
            for name, place in state_places(m, sig).items():
                self.parts[name] = table[:, place].reshape(n, *state_shapes(m, sig)[name])
        others = (n if self._own else min(self._nthread, n)) - 1
        self._datas = [first, *(Data(m) for _ in range(others))]
        for d in self._datas:
            self._bind(d)
        self._pool = ThreadPoolExecutor(self._nthread - 1, "batch") if self._nthread > 1 else None
        self.reset()
        self._on_gpu()

    @property
    def device(self) -> str:
        """What updates the velocities, with the integrator that is set: the name of a GPU, or "cpu"."""
        return "cpu" if self._gpu is None or self.model.opt.integrator == INT_RK4 else self._gpu.name

    @property
    def diverged(self) -> np.ndarray:
        """Which environments have had a bad state or control, and stay where they are."""
        return self._mark & STOPPED != 0

    def state(self) -> np.ndarray:
        """The states (STATE_FULLPHYSICS), as rollouts take them: environments x numbers."""
        return self._start[:, : state_size(self.model)].copy()

    def reset(self, mask: Any = None, states: Any = None) -> None:
        """Restart environments, all or those of a mask or of indices, from the initial state or from `states`.

        Their inputs become those of a new Data. What follows is what a rollout from there gives.
        """
        m, d = self.model, Data(self.model)
        nfull = state_size(m)
        where = np.arange(self.n)
        if mask is not None:
            picked = np.atleast_1d(np.asarray(mask))
            where = where[picked] if picked.size else where[:0]
        given = np.asarray(get_state(m, d) if states is None else states, float)
        if given.shape not in ((nfull,), (len(where), nfull)):
            raise ValueError(f"states must be of shape ({len(where)}, {nfull}), not {given.shape}")
        if not np.isfinite(given).all():
            raise ValueError("states has a number that is not finite")
        self._start[where] = 0.0
        self._start[where, :nfull] = given
        self._inputs[where] = get_state(m, d, STATE_USER)
        self.sensordata[where] = 0.0
        self._mark[where] = FRESH

    def env(self, i: int) -> Data:
        """One environment as a new Data, with all that depends on its state: to look at, or to step on its own."""
        i = range(self.n)[i]
        d = self._datas[i].copy() if self._own else Data(self.model)
        self._bind(d)
        load_environment(self.model, d, i, int(self._own))
        for name in self._tables():
            d.bind(name, np.zeros((0, *d.read(name).shape[1:]), d.read(name).dtype))
        d.checkpoint_open = 0
        forward(self.model, d)
        return d

    def step(self, nstep: int = 1, *, progress: bool | None = None) -> None:
        """Advance all environments by `nstep` steps with the inputs as they are.

        Ctrl+C ends it at a whole step of all environments. A bar appears if it takes long, or as `progress` demands.
        An error of a callback leaves environments a step apart: `time` tells which.
        """
        if nstep < 0:
            raise ValueError(f"nstep is {nstep}: it cannot be negative")
        check_options(self.model, moving=True)
        if self._keeps_more() != self._own:
            raise ValueError(
                "sleep was enabled or disabled after the batch was created: create a new one, and reset(states=...) "
                "it to the states of this one"
            )
        done = 0
        with progress_bar("steps", nstep, progress) as advance:
            while done < nstep:
                with _late_interrupts() as interrupts:
                    make = self._steps_on_gpu if self._on_gpu() else self._steps_on_cpu
                    done = make(done, nstep, advance, interrupts)

    # ---------------------------------------------------------------- steps

    def _on_gpu(self) -> bool:
        """Whether the GPU has a part in steps; warns if there is one that has none."""
        on_gpu = self.device != "cpu"
        if self._gpu is not None and not on_gpu:
            # Python shows it once for each line that steps
            warnings.warn(RK4_NOTE, stacklevel=3)
        return on_gpu

    def _steps_on_cpu(self, done: int, nstep: int, advance: Advance, interrupts: list[Any]) -> int:
        """Whole steps, several at a time for each environment; returns the number of steps done."""
        few = 1
        while done < nstep and not interrupts:
            began = time.perf_counter()
            few = min(few, nstep - done)
            self._everywhere(step_environments, few, few)
            taken = time.perf_counter() - began
            self.seconds["cpu"] += taken
            done += few
            few = max(1, int(few * min(MOST_LONGER, CALL / taken)))
            advance(done)
        return done

    def _steps_on_gpu(self, done: int, nstep: int, advance: Advance, interrupts: list[Any]) -> int:
        """Steps in two halves, with the dispatch in between; returns the number of steps done."""
        gpu, finish = self._gpu, 0
        assert gpu is not None
        try:
            while done < nstep and not interrupts:
                self._halves(finish, 1)
                gpu.update(self.qvel, self._rate, self.model.opt.timestep)
                done, finish = done + 1, 1
                advance(done)
        except BaseException as error:
            moving = np.flatnonzero(self._mark & MOVING)
            self.qvel[moving] += self.model.opt.timestep * self._rate[moving]
            self._halves(1, 0)
            if isinstance(error, GpuError):
                self._gpu = None
                cure = "step again to continue on the CPU, or make a new batch and reset(states=...) to use a GPU"
                raise GpuError(f"{error}; all environments have completed the step: {cure}") from error
            raise
        self._halves(1, 0)
        return done

    def _halves(self, finish: int, begin: int) -> None:
        """All environments finish a step, begin one, or both."""
        began = time.perf_counter()
        self._everywhere(split_step, 1, finish, begin)
        self.seconds["cpu"] += time.perf_counter() - began

    def _until_done(self, steps: Kernel, d: Data, done: int, end: int, *arguments: int) -> None:
        """Call a kernel until it is done; Data grows where a step overflows."""
        try:
            while (done := steps(self.model, d, done, end, *arguments, int(self._own))) < end:
                if not d.grow_required():
                    raise RuntimeError("a step overflowed a buffer that should be large enough")
        except BaseException:
            # a callback raised an error: the environment is where it was
            rollback(self.model, d)
            raise

    def _everywhere(self, steps: Kernel, nstep: int, *arguments: int) -> None:
        """Call a kernel for all environments, on all threads; the first error is raised when all of them have ended."""
        size, turns = max(1, self.n // (self._nthread * BATCHES)), count()
        errors: list[BaseException] = []

        def work(thread: int) -> None:
            try:
                for turn in turns:
                    first, end = turn * size, min((turn + 1) * size, self.n)
                    if first >= end or errors:
                        return
                    parts = [(i, i + 1) for i in range(first, end)] if self._own else [(first, end)]
                    for i, last in parts:
                        d = self._datas[i if self._own else thread]
                        self._until_done(steps, d, i * nstep, last * nstep, *arguments)
            except BaseException as error:
                errors.append(error)

        others = min(self._nthread, -(-self.n // size)) - 1
        futures = [self._pool.submit(work, thread) for thread in range(1, others + 1)] if self._pool else []
        work(0)
        wait(futures)
        if errors:
            raise errors[0]

    # ---------------------------------------------------------------- memory

    def _keeps_more(self) -> bool:
        """Whether Data keeps more from step to step than a row has."""
        return bool(sleeps(self.model)) or self.model.nplastic > 0

    def _tables(self) -> dict[str, np.ndarray]:
        """Field -> the array of all environments."""
        return {
            "roll.start": self._start,
            "roll.now": self._start,
            "roll.ctrl": self._inputs,
            "roll.reading": self.sensordata,
            "roll.rate": self._rate,
            "roll.mark": self._mark,
        }

    def _bind(self, d: Data) -> None:
        for name, array in self._tables().items():
            d.bind(name, array)

    def _check_room(self, d: Data) -> None:
        """Raise ValueError if the environments do not fit into memory."""
        m = self.model
        each = 8 * (state_size(m) + 2 * m.nv + state_size(m, STATE_USER) + m.nsensordata + 1)
        if self._own:
            each += sum(d.array(name).nbytes for name in DATA_LAYOUT.arrays)
        free = free_memory()
        if self.n * each > free:
            raise ValueError(
                f"n is {self.n:,}: an environment needs {each:,} bytes, and {free / 1e9:.1f} GB are free: make"
                f" batches of at most {int(free // each):,} environments"
            )


@contextmanager
def _late_interrupts() -> Iterator[list[Any]]:
    """Ctrl+C fills the list; its handler, which usually raises KeyboardInterrupt, is called at the end."""
    came: list[Any] = []
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield came
        return
    signal.signal(signal.SIGINT, lambda *signalled: came.append(signalled))
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        handler(*came[0])
