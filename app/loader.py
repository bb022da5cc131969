"""Reads model files and compiles kernels beside the simulation thread, and reports in messages.

A `Loader` works on one file on a thread of its own, so that the running scene goes on meanwhile, commands are
answered during a compilation, and a broken file changes nothing; a `Preparation` compiles what an edit needs. What
they find they put into the simulation thread's queue; each message carries its sender, so that one overtaken by
another is ignored.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from app.state import Problem, Progress


class Engine(Protocol):
    """What the viewer needs of the engine; the package `sim` has it."""

    def load(self, path: str) -> Any: ...
    def Data(self, model: Any) -> Any: ...
    def place(self, model: Any, data: Any) -> Any: ...
    def prepare(self, model: Any, progress: Any = None) -> Any: ...
    def prepared(self, model: Any) -> bool: ...
    def set_const(self, model: Any) -> Any: ...
    def step(self, model: Any, data: Any, nstep: int = 1) -> Any: ...
    def forward(self, model: Any, data: Any) -> Any: ...
    def stage_times(self, model: Any, data: Any) -> dict[str, float]: ...
    def reset(self, model: Any, data: Any, key: int | None = None) -> Any: ...
    def trace(self, model: Any, data: Any, rows: int) -> Any: ...
    def state_size(self, model: Any, sig: int) -> int: ...
    def get_state(self, model: Any, data: Any, sig: int) -> Any: ...
    def set_state(self, model: Any, data: Any, state: Any, sig: int, check: bool = True) -> Any: ...
    def wake(self, model: Any, data: Any, tree: int | None = None) -> Any: ...
    def put_to_sleep(self, model: Any, data: Any, tree: int) -> Any: ...
    def set_keyframe(self, model: Any, data: Any, key: int) -> Any: ...


class Cancelled(Exception):
    """The work is no longer wanted."""


@dataclass(frozen=True)
class LoaderMessage:
    """Something a loader reports."""

    loader: Work


@dataclass(frozen=True)
class Loaded(LoaderMessage):
    """The file is read and can be drawn; kernels may still be missing."""

    loader: Loader | Given
    model: Any
    data: Any


@dataclass(frozen=True)
class Working(LoaderMessage):
    """Progress of the work."""

    progress: Progress


@dataclass(frozen=True)
class Prepared(LoaderMessage):
    """All kernels of the model are ready: it can step."""


@dataclass(frozen=True)
class EditPrepared(LoaderMessage):
    """The native code that an edit waits for is ready; or its compilation was cancelled, and another may begin."""


@dataclass(frozen=True)
class Failed(LoaderMessage):
    """The work ended with a problem."""

    problem: Problem


class Work:
    """Something that is done on a thread of its own, and reported."""

    title = ""

    def __init__(self, engine: Engine, report: Callable[[LoaderMessage], None]) -> None:
        self._engine = engine
        self._report = report
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loader", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Stop at the next opportunity."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether nobody wants it any more."""
        return self._cancelled.is_set()

    def _work(self) -> None:
        raise NotImplementedError

    def _run(self) -> None:
        """Work, and report what goes wrong."""
        try:
            self._work()
        except Cancelled:
            pass
        except Exception as error:
            if not self._cancelled.is_set():
                self._report(Failed(self, Problem(self.title, describe(error))))

    def _progress(self, done: int, total: int, label: str) -> None:
        """Called by the engine between two pieces of work."""
        self._tell(Working(self, Progress(label, done, total)))

    def _tell(self, message: LoaderMessage) -> None:
        """Report, unless the work is no longer wanted."""
        if self._cancelled.is_set():
            raise Cancelled
        self._report(message)


class Loader(Work):
    """One file on its way to the screen."""

    def __init__(
        self, engine: Engine, path: str, start_key: str | None, report: Callable[[LoaderMessage], None]
    ) -> None:
        self.path = path
        self.start_key = start_key
        super().__init__(engine, report)

    def _work(self) -> None:
        """Read, report, compile, report."""
        name = Path(self.path).name
        self.title = f"{name} cannot be opened"
        self._progress(0, 0, f"reading {name}")
        model = self._engine.load(self.path)
        data = self._engine.Data(model)
        self._engine.place(model, data)
        self._tell(Loaded(self, model, data))
        self.title = "The engine cannot be compiled"
        self._engine.prepare(model, self._progress)
        self._tell(Prepared(self))


class Given(Work):
    """A model and its state, from a script: only compiled."""

    path, start_key = "", None
    title = "The engine cannot be compiled"

    def __init__(self, engine: Engine, model: Any, data: Any, report: Callable[[LoaderMessage], None]) -> None:
        self._model, self._data = model, data
        super().__init__(engine, report)

    def _work(self) -> None:
        """Report, compile, report."""
        self._tell(Loaded(self, self._model, self._data))
        self._engine.prepare(self._model, self._progress)
        self._tell(Prepared(self))


class Preparation(Work):
    """Native code that an edited copy of the model needs."""

    title = "What this edit needs cannot be compiled"

    def __init__(self, engine: Engine, model: Any, report: Callable[[LoaderMessage], None]) -> None:
        self._model = model
        super().__init__(engine, report)

    def _work(self) -> None:
        """Compile, report."""
        self._engine.prepare(self._model, self._progress)
        self._tell(EditPrepared(self))

    def _run(self) -> None:
        """Work, and report the end in any case."""
        super()._run()
        if self.cancelled:
            self._report(EditPrepared(self))


# errors whose own words are enough for the user; anything else is a defect and shows where it happened
PLAIN_ERRORS = ("MjcfError", "CompileError", "OSError", "FileNotFoundError", "PermissionError", "IsADirectoryError")


def describe(error: BaseException) -> str:
    """An error in words: its own if they suffice, otherwise with the end of its trace."""
    text = str(error) or type(error).__name__
    if type(error).__name__ in PLAIN_ERRORS:
        return text
    trace = traceback.extract_tb(error.__traceback__)
    where = "\n".join(f"  {Path(f.filename).name}:{f.lineno} in {f.name}" for f in trace[-3:])
    return f"{type(error).__name__}: {text}\n{where}"
