"""`mujoco.rollout`: many simulations from given states with given controls, by the engine's own rollouts.

Arguments may have a dimension of 1, or lack leading ones, where all rollouts or all steps share a value: the numbers of
rollouts and steps are inferred from the others. Data that is given only says how many threads to use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.enums import STATE_CTRL, STATE_FULLPHYSICS, STATE_USER
from sim.model import Data, Model
from sim.mujoco.functions.steps import refusal
from sim.script.rollout import Job, check_models, run_on_threads
from sim.state.signature import state_size

# what the dimensions of an argument are
ROLLOUTS, STEPS = 0, 1


class Rollout:
    """Makes rollouts with a number of threads; 0 or None: in the calling thread."""

    def __init__(self, *, nthread: int | None = None) -> None:
        self.nthread = nthread or 0

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Threads are those of one call: there is nothing to end."""

    def rollout(
        self,
        model: Model | Sequence[Model],
        data: Data | Sequence[Data],
        initial_state: Any,
        control: Any = None,
        *,
        control_spec: int = STATE_CTRL,
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: Any = None,
        state: Any = None,
        sensordata: Any = None,
        chunk_size: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """(states, sensor readings) after each step: rollouts x steps x numbers."""
        datas = _datas(data)
        if not datas:
            raise ValueError("The list of data instances is empty")
        if self.nthread == 0 and len(datas) > 1:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self.nthread and len(datas) != self.nthread:
            raise ValueError(f"Length of data: {len(datas)} not equal to nthread: {self.nthread}")
        for place, one in enumerate(datas):
            if one.__dict__.get("threadpool", 0):
                raise ValueError(f"data[{place}] has a thread pool, which a rollout cannot use")
        arguments = Arguments(model, control_spec, skip_checks)
        arguments.take(
            nstep, chunk_size, initial_state=initial_state, control=control, initial_warmstart=initial_warmstart,
            state=state, sensordata=sensordata,
        )  # fmt: skip
        return arguments.run(len(datas))


def rollout(
    model: Model | Sequence[Model],
    data: Data | Sequence[Data],
    initial_state: Any,
    control: Any = None,
    *,
    persistent_pool: bool = False,
    **options: Any,
) -> tuple[np.ndarray, np.ndarray]:
    """Rollouts with a thread for each data; see `Rollout.rollout` for the options."""
    datas = _datas(data)
    with Rollout(nthread=len(datas) if len(datas) > 1 else 0) as made:
        return made.rollout(model, datas, initial_state, control, **options)


def shutdown_persistent_pool() -> None:
    """Threads are those of one call: there is nothing to end."""


def _datas(data: Data | Sequence[Data]) -> list[Data]:
    return [data] if isinstance(data, Data) else list(data)


class Arguments:
    """The arguments of a call, in their full shapes."""

    def __init__(self, model: Model | Sequence[Model], spec: int, skip: bool) -> None:
        self.models = [model] if isinstance(model, Model) else list(model)
        if not self.models:
            raise ValueError("The list of models is empty")
        spec = int(spec)
        if spec & ~STATE_USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        self.spec, self.skip = spec, skip
        self.widths = _widths(self.models[0], spec)
        if not skip:
            for other in self.models[1:]:
                if _widths(other, spec) != self.widths:
                    raise ValueError("models must have states, controls and sensors of the same sizes")

    def take(self, nstep: int | None, chunk_size: int | None, **values: Any) -> None:
        """Check the arguments, and find the numbers of rollouts and steps."""
        if chunk_size is not None and (not _is_count(chunk_size) or chunk_size < 1):
            raise ValueError("chunk_size must be a positive integer")
        if nstep is not None and (not _is_count(nstep) or nstep < 0):
            raise ValueError("nstep must be non-negative and an integer")
        given = {name: _array(name, value, 2 if name.startswith("initial") else 3) for name, value in values.items()}
        for name, array in given.items():
            if array is not None and array.shape[-1] != self.widths[name]:
                raise ValueError(f"trailing dimension of {name} must be {self.widths[name]}, got {array.shape[-1]}")
        models = len(self.models) if len(self.models) > 1 and not self.skip else None
        self.nroll = self._infer(given, ROLLOUTS, models)
        self.nstep = self._infer({k: v for k, v in given.items() if v is not None and v.ndim == 3}, STEPS, nstep)
        self.chunk = chunk_size
        first = given["initial_state"]
        if first is None:
            raise ValueError("initial_state is needed")
        self.start = np.broadcast_to(first, (self.nroll, first.shape[1]))
        inputs = given["control"]
        if inputs is None:
            # without controls, all inputs are those of new data
            self.spec, inputs = 0, np.zeros((1, 1, 0))
        self.control = np.ascontiguousarray(np.broadcast_to(inputs, (self.nroll, self.nstep, inputs.shape[2])))
        warm = given["initial_warmstart"]
        self.warmstart = None if warm is None else np.broadcast_to(warm, (self.nroll, warm.shape[1]))
        self.state, self.sensordata = (self._output(name, values[name]) for name in ("state", "sensordata"))

    def _infer(self, given: dict[str, np.ndarray | None], axis: int, known: int | None) -> int:
        """The number of rollouts or of steps: that of the first argument that has more or less than one."""
        for name, array in given.items():
            if array is None:
                continue
            count = array.shape[axis]
            # an output has all of them, an input may have one for all
            shared = count == 1 and name not in ("state", "sensordata")
            if known is None and not shared:
                known = count
            elif known is not None and not shared and count != known:
                raise ValueError(f"dimension {axis} inferred as {known} but {name} has {count}")
        return 1 if known is None else known

    def _output(self, name: str, given: Any) -> np.ndarray:
        """An array for results, the one that was given if there is one."""
        shape = (self.nroll, self.nstep, self.widths[name])
        if given is None:
            return np.zeros(shape)
        if not isinstance(given, np.ndarray) or given.dtype != np.float64 or not given.flags.c_contiguous:
            raise ValueError(f"{name} must be a contiguous array of float64")
        if given.size != np.prod(shape):
            raise ValueError(f"{name} must be of shape {shape}, got {given.shape}")
        return given.reshape(shape)

    def run(self, nthread: int) -> tuple[np.ndarray, np.ndarray]:
        """Make the rollouts."""
        if self.nroll == 0 or self.nstep == 0:
            return self.state, self.sensordata
        models = self.models if len(self.models) > 1 else self.models * self.nroll
        start = self.start if self.warmstart is None else np.hstack([self.start, self.warmstart])
        warm = self.warmstart is not None
        job = Job(models, start, self.control, self.spec, warm, self.state, self.sensordata)
        try:
            check_models(job)
        except ValueError as error:
            raise refusal(models[0], Data(models[0]), error) from None
        if nthread == 1:
            for first, end in job.batches(job.nroll):
                job.run(first, end)
        else:
            run_on_threads(job, nthread, lambda done: None, self.chunk)
        return self.state, self.sensordata


def _widths(m: Model, spec: int) -> dict[str, int]:
    """How many numbers the arguments have for each step."""
    full = state_size(m, STATE_FULLPHYSICS)
    return {
        "initial_state": full, "control": state_size(m, spec), "initial_warmstart": m.nv, "state": full,
        "sensordata": m.nsensordata,
    }  # fmt: skip


def _is_count(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _array(name: str, value: Any, ndim: int) -> np.ndarray | None:
    """An argument with all its dimensions; leading ones are added."""
    if value is None:
        return None
    if not isinstance(value, (np.ndarray, float, int, list, tuple, np.number)):
        raise ValueError(f"{name} must be a numpy array or float")
    try:
        array = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a numpy array or float") from None
    if array.ndim > ndim:
        raise ValueError(f"{name} can have at most {ndim} dimensions")
    array = np.atleast_1d(array)
    return array.reshape((1,) * (ndim - array.ndim) + array.shape)
