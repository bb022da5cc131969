"""Parallel rollouts: many simulations of one or several models, each with its own initial state and controls.

roll_out: (roll.start, roll.ctrl) -> (roll.state, roll.sensordata), any number of steps in one native call.
Every rollout depends on its initial state only, so its result does not depend on what ran before it, nor on the thread
or the machine of a Dask cluster. A rollout that diverges stays at its last state, as in MuJoCo.
"""

from __future__ import annotations

import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from sim.enums import STATE_CTRL, STATE_FULLPHYSICS, STATE_USER
from sim.jit import kernel
from sim.jit.machine import cores
from sim.model import Data, Model
from sim.pipeline.forward import checkpoint, reset_sleep, rollback, step
from sim.script.check_options import check_options
from sim.stages.sensor.reading import clear_sensors
from sim.state.capacity import overflow
from sim.state.reset import load_inputs, load_warmstart, start_rollout
from sim.state.row import put_numbers, put_state
from sim.state.signature import state_size
from sim.state.warning import has_bad_state

# seconds until a progress bar appears by default
BAR_DELAY = 2.0
# batches per thread, so that all threads end at about the same time
BATCHES = 10


class Rollouts(NamedTuple):
    """State (STATE_FULLPHYSICS) and sensors after each step: rollouts x steps x numbers."""

    state: np.ndarray
    sensordata: np.ndarray


@kernel
def roll_out(m, d, done: int, end: int, nstep: int, spec: int, warm: int) -> int:
    """(roll.start, roll.ctrl) -> (roll.state, roll.sensordata): steps from `done` to `end`, counted over all rollouts

    `spec`: what roll.ctrl holds; `warm`: roll.start has warmstarts after the states. Stops at a step that overflows;
    returns the index of the next step.
    """
    for k in range(done, end):
        if k % nstep == 0:
            start_rollout(m, d, k // nstep)
            if warm:
                load_warmstart(m, d, k // nstep)
            reset_sleep(m, d)
            clear_sensors(m, d)
        if not has_bad_state(d):
            load_inputs(m, d, k, spec)
            checkpoint(m, d)
            step(m, d)
            if overflow(d):
                rollback(m, d)
                return k
        put_state(d.roll.state, k, m, d, STATE_FULLPHYSICS)
        put_numbers(d.roll.sensordata, k, 0, d.sensordata, m.nsensordata)
    return end


def rollout(
    m: Model | Sequence[Model],
    states: Any,
    ctrls: Any = None,
    *,
    nstep: int | None = None,
    nthread: int | None = None,
    progress: bool | None = None,
    cluster: Any = None,
    control_spec: int = STATE_CTRL,
    warmstart: Any = None,
) -> Rollouts:
    """Simulate from each of `states` (rollouts x numbers of STATE_FULLPHYSICS) with `ctrls` (rollouts x steps x nu).

    What is the same for all rollouts may be given once; `nstep` is needed only without controls. `m` is a model, or one
    per rollout. A progress bar appears if it takes long, or as `progress` demands. `cluster` is a Dask client.
    `control_spec`: parts of STATE_USER that `ctrls` consists of, e.g. STATE_CTRL | STATE_QFRC_APPLIED. `warmstart`:
    d.qacc_warmstart at the start (rollouts x nv), with which a rollout goes on exactly as the run it starts from.
    """
    job = _checked_job(m, states, ctrls, nstep, control_spec, warmstart)
    check_models(job)
    if nthread is not None and nthread < 1:
        raise ValueError(f"nthread is {nthread}: at least one thread is needed")
    with progress_bar("rollouts", job.nroll, progress) as advance:
        if cluster is not None:
            _run_on_cluster(job, cluster, advance)
        else:
            run_on_threads(job, nthread or cores(), advance)
    return Rollouts(job.state, job.sensordata)


def check_models(job: Job) -> None:
    """Raise ValueError if a model of a job has an invalid option."""
    for model in dict.fromkeys(job.models):
        check_options(model, moving=True, level=4)


def _checked_job(
    m: Model | Sequence[Model], states: Any, ctrls: Any, nstep: int | None, spec: int, warmstart: Any
) -> Job:
    """What `rollout` is asked for."""
    models = [m] if isinstance(m, Model) else list(m)
    if not models:
        raise ValueError("no model was passed")
    if spec & ~STATE_USER:
        raise ValueError(f"control_spec is {spec}: it may only contain parts of STATE_USER")
    sizes = {(state_size(x), state_size(x, spec), x.nv, x.nsensordata) for x in models}
    if len(sizes) > 1:
        raise ValueError(f"models must have states, controls and sensors of the same size, not {sorted(sizes)}")
    ((nfull, ninput, nv, _),) = sizes
    states = np.asarray(states, float)
    if states.ndim not in (1, 2) or states.shape[-1] != nfull:
        raise ValueError(f"states must be of shape (rollouts, {nfull}), not {states.shape}")
    if ctrls is None:
        if nstep is None or nstep < 1:
            raise ValueError(f"nstep is {nstep}: without controls it must be positive")
        # a new Data has the controls that are meant
        ctrls, spec, ninput = np.zeros((nstep, 0)), 0, 0
    ctrls = np.asarray(ctrls, float)
    if ctrls.ndim not in (2, 3) or ctrls.shape[-1] != ninput or ctrls.shape[-2] == 0:
        raise ValueError(f"ctrls must be of shape (rollouts, steps, {ninput}), not {ctrls.shape}")
    if nstep is not None and nstep != ctrls.shape[-2]:
        raise ValueError(f"nstep is {nstep}, but there are controls for {ctrls.shape[-2]} steps")
    warm = np.zeros((1, 0)) if warmstart is None else np.atleast_2d(np.asarray(warmstart, float))
    if warm.ndim != 2 or warm.shape[1] not in (0, nv) or (warmstart is not None and warm.shape[1] != nv):
        raise ValueError(f"warmstart must be of shape (rollouts, {nv}), not {warm.shape}")
    for name, array in (("states", states), ("ctrls", ctrls), ("warmstart", warm)):
        if not np.isfinite(array).all():
            where = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
            raise ValueError(f"{name} has a number that is not finite at {where}")
    given = (models, np.atleast_2d(states), ctrls if ctrls.ndim == 3 else [ctrls], warm)
    counts = {len(x) for x in given} - {1}
    if len(counts) > 1:
        raise ValueError(f"models, states and ctrls are for different numbers of rollouts: {sorted(counts)}")
    nroll = counts.pop() if counts else 1
    start = np.hstack([np.broadcast_to(x, (nroll, x.shape[-1])) for x in (np.atleast_2d(states), warm)])
    inputs = np.ascontiguousarray(np.broadcast_to(ctrls, (nroll, *ctrls.shape[-2:])))
    return Job(models if len(models) > 1 else models * nroll, start, inputs, spec, warmstart is not None)


class Job:
    """Rollouts to be made: their models, initial states with warmstarts if there are any, inputs, and the results."""

    def __init__(
        self,
        models: Sequence[Model],
        start: np.ndarray,
        inputs: np.ndarray,
        spec: int,
        warm: bool,
        state: np.ndarray | None = None,
        sensordata: np.ndarray | None = None,
    ) -> None:
        self.models, self.spec, self.warm = models, spec, warm
        self.start, self.ctrl = np.ascontiguousarray(start), inputs
        self.nroll, self.nstep = inputs.shape[:2]
        m = models[0]
        self.state = np.zeros((self.nroll, self.nstep, state_size(m))) if state is None else state
        self.sensordata = np.zeros((self.nroll, self.nstep, m.nsensordata)) if sensordata is None else sensordata

    def batches(self, size: int) -> Iterator[tuple[int, int]]:
        """(first, end) of batches: at most `size` consecutive rollouts of the same model."""
        first = 0
        for r in range(1, self.nroll + 1):
            if r == self.nroll or r - first == size or self.models[r] is not self.models[first]:
                yield first, r
                first = r

    def run(self, first: int, end: int) -> None:
        """Run a batch in this thread."""
        m, n = self.models[first], self.nstep
        with _idle_data(m) as d:
            d.bind("roll.start", self.start)
            for name, array in (("ctrl", self.ctrl), ("state", self.state), ("sensordata", self.sensordata)):
                d.bind(f"roll.{name}", array.reshape(self.nroll * n, array.shape[2]))
            done = first * n
            while (done := roll_out(m, d, done, end * n, n, self.spec, int(self.warm))) < end * n:
                if not d.grow_required():
                    raise RuntimeError("a step overflowed a buffer that should be large enough")


@contextmanager
def _idle_data(m: Model) -> Iterator[Data]:
    """A Data of the model that is not in use; as many as there are cores are kept for the next batch."""
    idle: list[Data] = m.__dict__.setdefault("idle", [])
    try:
        d = idle.pop()
        d.__dict__["model"] = m
    except IndexError:
        d = Data(m)
    yield d
    for name in ("roll.start", "roll.ctrl", "roll.state", "roll.sensordata"):
        d.bind(name, np.zeros((0, d.read(name).shape[1])))
    # an idle Data does not refer to its model: that would be a reference cycle
    del d.__dict__["model"]
    if len(idle) < cores():
        idle.append(d)


# ---------------------------------------------------------------- threads, cluster, progress bar

Advance = Callable[[int], None]


def run_on_threads(job: Job, nthread: int, advance: Advance, size: int | None = None) -> None:
    """Run all batches, of `size` rollouts, on a pool of threads; an error or an interruption ends the others early."""
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    done, stop = [0] * job.nroll, threading.Event()

    def run(first: int, end: int) -> None:
        if not stop.is_set():
            job.run(first, end)
            done[first] = end - first

    with ThreadPoolExecutor(nthread, "rollout") as pool:
        futures = [pool.submit(run, *batch) for batch in job.batches(size or max(1, job.nroll // (nthread * BATCHES)))]
        try:
            pending: Any = futures
            while pending and not any(f.done() and f.exception() for f in futures):
                _, pending = wait(pending, 0.1, FIRST_EXCEPTION)
                advance(sum(done))
        finally:
            stop.set()
    for future in futures:
        future.result()


def _remote(m: Model, start: np.ndarray, ctrl: np.ndarray, spec: int, warm: bool) -> Rollouts:
    """Run a batch on a machine of a cluster."""
    job = Job([m] * len(start), start, ctrl, spec, warm)
    job.run(0, job.nroll)
    return Rollouts(job.state, job.sensordata)


def _run_on_cluster(job: Job, client: Any, advance: Advance) -> None:
    """Run all batches as tasks; those of a lost worker are given to others, including the model."""
    places = max(1, sum(client.nthreads().values()))
    packed = {id(m): m for m in job.models}
    models = {key: client.submit(pickle.loads, pickle.dumps(m), pure=False) for key, m in packed.items()}
    tasks: dict[tuple[int, int], Any] = {}
    for first, end in job.batches(max(1, job.nroll // (places * BATCHES))):
        m = models[id(job.models[first])]
        rows = job.start[first:end], job.ctrl[first:end]
        tasks[first, end] = client.submit(_remote, m, *rows, job.spec, job.warm, pure=False)
    try:
        while not all(task.done() for task in tasks.values()):
            time.sleep(0.05)
            advance(sum(end - first for (first, end), task in tasks.items() if task.done()))
        for (first, end), result in zip(tasks, client.gather(list(tasks.values())), strict=True):
            job.state[first:end], job.sensordata[first:end] = result
    except BaseException:
        client.cancel(list(tasks.values()))
        raise


@contextmanager
def progress_bar(what: str, total: int, wanted: bool | None) -> Iterator[Advance]:
    """Yields a function that takes how many of `what` are finished; shows a bar if requested or if it takes long."""
    began = time.monotonic()
    bar: Any = None

    def advance(done: int) -> None:
        nonlocal bar
        late = time.monotonic() - began > BAR_DELAY
        if bar is None and (wanted or (wanted is None and late and sys.stderr.isatty())):
            bar = _start_bar(what, total)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()


def _start_bar(what: str, total: int) -> Any:
    """A bar in the terminal; rich is imported here because that takes long."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True))
    bar.add_task(what, total=total)
    bar.start()
    return bar
