"""A tiny engine for tests of the simulation thread: one moving number, and every failure on demand."""

from __future__ import annotations

import threading
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from sim import CompileError, apply_edits, loads
from sim.file_stamp import Stamps, stamps

EMPTY = loads('<mujoco><keyframe><key name="key0"/></keyframe></mujoco>')


class FakeModel:
    """A model without anything to see."""

    def __init__(self, path: str, engine: Any = None) -> None:
        self.path, self.engine = path, engine
        self.files: Stamps = stamps([Path(path)])
        self.opt = SimpleNamespace(timestep=0.001, enableflags=0)

    def __getattr__(self, name: str) -> Any:
        return getattr(EMPTY, name)


class FakeData:
    """Time and one coordinate."""

    def __init__(self) -> None:
        self.time = 0.0
        self.qpos = np.zeros(1)
        self.trace = SimpleNamespace(state=np.zeros((0, 2)), count=0)
        self.perturb = SimpleNamespace(active=0)
        self.qvel = np.zeros(0)
        self.ncon = self.ntree_awake = 0
        self.noise = SimpleNamespace(scale=0.0, rate=0.0, seed=0)
        self.warning = SimpleNamespace(number=np.zeros(8, int), lastinfo=np.zeros(8, int))

    def read(self, path: str) -> Any:
        """A field by its dotted name."""
        return attrgetter(path)(self)

    def write(self, path: str, value: Any) -> None:
        """Set a field by its dotted name."""
        group, _, name = path.rpartition(".")
        setattr(self.read(group) if group else self, name, value)

    bind = write


class FakeEngine:
    """Counts calls; `gate` holds back compilation, `step_error` is raised by the next step."""

    ENGINE = "fake"
    LACKS: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.load_gate = threading.Event()
        self.load_gate.set()
        self.step_error: Exception | None = None
        self.compile_error: Exception | None = None
        self.chunks: list[int] = []
        self.resets: list[int | None] = []

    def load(self, path: str) -> FakeModel:
        """Files named broken cannot be read."""
        self.load_gate.wait(20)
        if "broken" in path:
            raise OSError(f"{path}: line 3, element <geom>: no such attribute")
        return FakeModel(path, self)

    def Data(self, model: Any) -> FakeData:
        """A state for a model."""
        return FakeData()

    def place(self, model: Any, data: Any) -> None:
        """There is nothing to be placed."""

    def prepare(self, model: Any, progress: Any = None, edits: bool = True) -> None:
        """Two pieces of work, the second behind the gate."""
        progress(0, 2, "first unit")
        while not self.gate.wait(0.002):
            progress(1, 2, "second unit")
        if self.compile_error is not None:
            raise self.compile_error
        if "uncompilable" in model.path:
            raise CompileError("unit forward does not compile")

    def step(self, model: Any, data: Any, nstep: int = 1) -> None:
        """Advance."""
        if self.step_error is not None:
            error, self.step_error = self.step_error, None
            raise error
        self.chunks.append(nstep)
        for _ in range(nstep):
            data.time += model.opt.timestep
            data.qpos[0] += 1
            data.trace.state[data.trace.count % len(data.trace.state)] = self.get_state(model, data, 0)
            data.trace.count += 1

    def prepared(self, model: Any, edits: bool = True) -> bool:
        """Edits never need more than there is."""
        return True

    def trace(self, model: Any, data: Any, rows: int | np.ndarray) -> None:
        """Room for a history."""
        data.trace.state = rows if isinstance(rows, np.ndarray) else np.zeros((rows, 2))

    def record_signature(self, model: Any) -> int:
        """All there is."""
        return 0

    def state_size(self, model: Any, sig: int) -> int:
        """Time and coordinate."""
        return 2

    def get_state(self, model: Any, data: Any, sig: int) -> np.ndarray:
        """Time and coordinate."""
        return np.array([data.time, data.qpos[0]])

    def set_state(self, model: Any, data: Any, state: Any, sig: int, check: bool = True) -> None:
        """Back to a time and a coordinate."""
        data.time, data.qpos[0] = state

    def copy_state(self, model: Any, data: Any) -> dict[str, Any]:
        """Time and coordinate."""
        return {"state": self.get_state(model, data, 0)}

    def restore_state(self, model: Any, data: Any, state: dict[str, Any]) -> None:
        """Back to a time and a coordinate."""
        self.set_state(model, data, state["state"], 0)

    def forward(self, model: Any, data: Any) -> None:
        """Nothing follows from this state."""

    def stage_times(self, model: Any, data: Any) -> dict[str, float]:
        """As if it took longer and longer."""
        return {"falling": 1e-6 * (1 + data.qpos[0])}

    def reset(self, model: Any, data: Any, key: int | None = None) -> None:
        """Back to the start."""
        self.resets.append(key)
        data.time = 0.0
        data.qpos[:] = 0


class PreparedEngine:
    """The engine as live edits use it, with all kernels there: nothing is compiled."""

    apply_edits = staticmethod(apply_edits)

    @staticmethod
    def prepared(*_: object, **__: object) -> bool:
        return True
