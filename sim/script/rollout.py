"""Many simulations at once: the same model or several, each from its own state with its own controls.

roll_out: (roll.start, roll.ctrl) -> (roll.state, roll.sensordata), any number of steps in one native call.
Every rollout begins with nothing but its state, so its result is the same whatever ran before it, on whichever of
the threads, or of the machines of a Dask cluster. One whose state stops being finite stays where it is, as in MuJoCo.
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

from sim.enums import STATE_FULLPHYSICS
from sim.jit import kernel
from sim.jit.build import cores
from sim.model import Data, Model
from sim.pipeline.forward import checkpoint, reset_sleep, rollback, step
from sim.script.check_options import check_options
from sim.stages.sensor.reading import clear_sensors
from sim.state.capacity import overflow
from sim.state.reset import load_controls, start_rollout
from sim.state.row import put_numbers, put_state
from sim.state.signature import state_size
from sim.state.warning import has_bad_state

# seconds until a progress bar appears by itself
PATIENCE = 2.0
# shares of the work a thread gets, so that all end at about the same time
SHARES = 10


class Rollouts(NamedTuple):
    """State (of STATE_FULLPHYSICS) and sensors after each step: rollout, step, number."""

    state: np.ndarray
    sensordata: np.ndarray


@kernel
def roll_out(m, d, done: int, end: int, nstep: int) -> int:
    """(roll.start, roll.ctrl) -> (roll.state, roll.sensordata): steps from `done` to `end`, counted over all rollouts

    Stops at a step that found no room; returns the number of the step that is due.
    """
    for k in range(done, end):
        if k % nstep == 0:
            start_rollout(m, d, k // nstep)
            reset_sleep(m, d)
            clear_sensors(m, d)
        if not has_bad_state(d):
            load_controls(m, d, k)
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
) -> Rollouts:
    """Simulate from each of `states` (rollouts x numbers of STATE_FULLPHYSICS) with `ctrls` (rollouts x steps x nu).

    What is the same for all rollouts may be given once; `nstep` is needed only without controls. `m` is a model, or one
    for each rollout. A progress bar appears if it takes long, or as `progress` says. `cluster` is a client of Dask.
    """
    job = _Job(m, states, ctrls, nstep)
    for model in dict.fromkeys(job.models):
        check_options(model, moving=True)
    if nthread is not None and nthread < 1:
        raise ValueError(f"nthread is {nthread}: there has to be a thread at least")
    with _bar(job.nroll, progress) as advance:
        if cluster is not None:
            _run_on_cluster(job, cluster, advance)
        else:
            _run_on_threads(job, nthread or cores(), advance)
    return Rollouts(job.state, job.sensordata)


class _Job:
    """What is to be done, checked and in full, and the arrays that results go into."""

    def __init__(self, m: Model | Sequence[Model], states: Any, ctrls: Any, nstep: int | None) -> None:
        models = [m] if isinstance(m, Model) else list(m)
        if not models:
            raise ValueError("there is no model to roll out")
        sizes = {(state_size(x), x.nu, x.nsensordata) for x in models}
        if len(sizes) > 1:
            raise ValueError(f"models must have states, controls and sensors of one size, not {sorted(sizes)}")
        ((nfull, nu, nsensordata),) = sizes
        states = np.asarray(states, float)
        if states.ndim not in (1, 2) or states.shape[-1] != nfull:
            raise ValueError(f"states must be of shape (rollouts, {nfull}), not {states.shape}")
        if ctrls is None:
            if nstep is None or nstep < 1:
                raise ValueError(f"without controls nstep says how many steps there are, but it is {nstep}")
            ctrls = np.zeros((nstep, nu))
        ctrls = np.asarray(ctrls, float)
        if ctrls.ndim not in (2, 3) or ctrls.shape[-1] != nu or ctrls.shape[-2] == 0:
            raise ValueError(f"ctrls must be of shape (rollouts, steps, {nu}), not {ctrls.shape}")
        if nstep is not None and nstep != ctrls.shape[-2]:
            raise ValueError(f"nstep is {nstep}, but there are controls for {ctrls.shape[-2]} steps")
        for name, array in (("states", states), ("ctrls", ctrls)):
            if not np.isfinite(array).all():
                where = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
                raise ValueError(f"{name} has a number that is not finite at {where}")
        counts = {len(x) for x in (models, np.atleast_2d(states), ctrls if ctrls.ndim == 3 else [ctrls])} - {1}
        if len(counts) > 1:
            raise ValueError(f"models, states and ctrls are for different numbers of rollouts: {sorted(counts)}")
        self.nroll, self.nstep = counts.pop() if counts else 1, ctrls.shape[-2]
        self.models = models if len(models) > 1 else models * self.nroll
        self.start = np.ascontiguousarray(np.broadcast_to(states, (self.nroll, nfull)))
        self.ctrl = np.ascontiguousarray(np.broadcast_to(ctrls, (self.nroll, self.nstep, nu)))
        self.state = np.zeros((self.nroll, self.nstep, nfull))
        self.sensordata = np.zeros((self.nroll, self.nstep, nsensordata))

    def shares(self, size: int) -> Iterator[tuple[int, int]]:
        """(first, end) of rollouts that follow one another and have one model, at most `size` at a time."""
        first = 0
        for r in range(1, self.nroll + 1):
            if r == self.nroll or r - first == size or self.models[r] is not self.models[first]:
                yield first, r
                first = r

    def run(self, first: int, end: int) -> None:
        """Roll out a share of it, in this thread."""
        m, n = self.models[first], self.nstep
        with _lent_data(m) as d:
            d.bind("roll.start", self.start)
            for name, array in (("ctrl", self.ctrl), ("state", self.state), ("sensordata", self.sensordata)):
                d.bind(f"roll.{name}", array.reshape(self.nroll * n, -1))
            done = first * n
            while (done := roll_out(m, d, done, end * n, n)) < end * n:
                if not d.grow_required():
                    raise RuntimeError("a step asked for room it already has")


@contextmanager
def _lent_data(m: Model) -> Iterator[Data]:
    """Data of the model that nobody else is using; it is kept for the next one."""
    idle: list[Data] = m.__dict__.setdefault("idle", [])
    try:
        d = idle.pop()
        d.__dict__["model"] = m
    except IndexError:
        d = Data(m)
    yield d
    for name in ("roll.start", "roll.ctrl", "roll.state", "roll.sensordata"):
        d.bind(name, np.zeros((0, d.read(name).shape[1])))
    # while it is kept by its model it does not keep the model: neither would ever be freed without the other
    del d.__dict__["model"]
    idle.append(d)


# ---------------------------------------------------------------- threads, a cluster, and the bar

Advance = Callable[[int], None]


def _run_on_threads(job: _Job, nthread: int, advance: Advance) -> None:
    """All shares, each on the thread that is free first; an error or an interruption ends the others early."""
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    done, stop = [0] * job.nroll, threading.Event()

    def run(first: int, end: int) -> None:
        if not stop.is_set():
            job.run(first, end)
            done[first] = end - first

    with ThreadPoolExecutor(nthread, "rollout") as pool:
        futures = [pool.submit(run, *share) for share in job.shares(max(1, job.nroll // (nthread * SHARES)))]
        try:
            pending: Any = futures
            while pending and not any(f.done() and f.exception() for f in futures):
                _, pending = wait(pending, 0.1, FIRST_EXCEPTION)
                advance(sum(done))
        finally:
            stop.set()
    for future in futures:
        future.result()


def _remote(m: Model, start: np.ndarray, ctrl: np.ndarray) -> Rollouts:
    """A share of a job on a machine of a cluster."""
    return rollout(m, start, ctrl, nthread=1, progress=False)


def _run_on_cluster(job: _Job, client: Any, advance: Advance) -> None:
    """All shares as tasks of their own: those of a worker that is lost are given to others, model included."""
    places = max(1, sum(client.nthreads().values()))
    packed = {id(m): m for m in job.models}
    models = {key: client.submit(pickle.loads, pickle.dumps(m), pure=False) for key, m in packed.items()}
    tasks: dict[tuple[int, int], Any] = {}
    for first, end in job.shares(max(1, job.nroll // (places * SHARES))):
        m = models[id(job.models[first])]
        tasks[first, end] = client.submit(_remote, m, job.start[first:end], job.ctrl[first:end], pure=False)
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
def _bar(total: int, wanted: bool | None) -> Iterator[Advance]:
    """Gives a function that is told how many rollouts are done, and shows them if that is wanted or takes long."""
    began = time.monotonic()
    bar: Any = None

    def advance(done: int) -> None:
        nonlocal bar
        late = time.monotonic() - began > PATIENCE
        if bar is None and (wanted or (wanted is None and late and sys.stderr.isatty())):
            bar = _start_bar(total)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()


def _start_bar(total: int) -> Any:
    """A bar in the terminal; what draws it takes long to import."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True))
    bar.add_task("rollouts", total=total)
    bar.start()
    return bar
