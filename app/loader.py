"""Reads model files and compiles kernels beside the simulation thread, and reports in messages.

A `Loader` works on one file on a thread of its own, so that the running scene goes on meanwhile, commands are
answered during a compilation, and a broken file changes nothing. What it finds it puts into the simulation
thread's queue; each message carries the loader, so that a loader overtaken by another is ignored.
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
    def step(self, model: Any, data: Any, nstep: int = 1) -> Any: ...
    def forward(self, model: Any, data: Any) -> Any: ...
    def reset(self, model: Any, data: Any, key: int | None = None) -> Any: ...


class Cancelled(Exception):
    """The work is no longer wanted."""


@dataclass(frozen=True)
class LoaderMessage:
    """Something a loader reports."""

    loader: Loader


@dataclass(frozen=True)
class Loaded(LoaderMessage):
    """The file is read and can be drawn; kernels may still be missing."""

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
class Failed(LoaderMessage):
    """The work ended with a problem."""

    problem: Problem


class Loader:
    """One file on its way to the screen."""

    def __init__(
        self, engine: Engine, path: str, start_key: str | None, report: Callable[[LoaderMessage], None]
    ) -> None:
        self.path = path
        self.start_key = start_key
        self._engine = engine
        self._report = report
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._work, name="loader", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Stop at the next opportunity; nothing is reported any more."""
        self._cancelled.set()

    def _work(self) -> None:
        """Read, report, compile, report."""
        name = Path(self.path).name
        title = f"{name} cannot be opened"
        try:
            self._progress(0, 0, f"reading {name}")
            model = self._engine.load(self.path)
            data = self._engine.Data(model)
            self._engine.place(model, data)
            self._tell(Loaded(self, model, data))
            title = "The engine cannot be compiled"
            self._engine.prepare(model, self._progress)
            self._tell(Prepared(self))
        except Cancelled:
            pass
        except Exception as error:
            if not self._cancelled.is_set():
                self._report(Failed(self, Problem(title, describe(error))))

    def _progress(self, done: int, total: int, label: str) -> None:
        """Called by the engine between two pieces of work."""
        self._tell(Working(self, Progress(label, done, total)))

    def _tell(self, message: LoaderMessage) -> None:
        """Report, unless the work is no longer wanted."""
        if self._cancelled.is_set():
            raise Cancelled
        self._report(message)


# errors whose own words are enough for the user; anything else is a defect and shows where it happened
PLAIN_ERRORS = ("MjcfError", "OSError", "FileNotFoundError", "PermissionError", "IsADirectoryError")


def describe(error: BaseException) -> str:
    """An error in words: its own if they suffice, otherwise with the end of its trace."""
    text = str(error) or type(error).__name__
    if type(error).__name__ in PLAIN_ERRORS:
        return text
    trace = traceback.extract_tb(error.__traceback__)
    where = "\n".join(f"  {Path(f.filename).name}:{f.lineno} in {f.name}" for f in trace[-3:])
    return f"{type(error).__name__}: {text}\n{where}"
