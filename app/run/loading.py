"""Reads model files and compiles kernels beside the simulation thread, and reports in messages.

A `Loader` works on one file on a thread of its own, so that the running scene goes on meanwhile, commands are
answered during a compilation, and a broken file changes nothing; a `Preparation` compiles what an edit needs. What
they find they put into the simulation thread's queue; each message carries its sender, so that one overtaken by
another is ignored.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.run.engine import Engine
from app.run.error_text import describe
from app.run.run_state import Problem, Progress


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
