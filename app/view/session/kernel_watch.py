"""Takes up kernels whose source is saved, on a thread of its own, while the simulation goes on with the old ones.

A saved file of the engine is compared with what runs. If only kernels, helpers and constants have changed, all units
that contain them are compiled, then exchanged between two steps. If anything fails, nothing is changed. What else has
changed is left to a restart. The last change can be undone, though its file stays as it is.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.files.error_text import describe
from app.run.background_thread import BackgroundThread
from app.run.commands import ExchangeKernels, Send
from sim.jit.reload import Change, NotTakenUp, Reload, RestartNeeded

# names in a message
MOST_NAMED = 3
# s between two looks at whether the window has closed
LOOK = 0.5


@dataclass(frozen=True)
class KernelNews:
    """What has come of the last save."""

    # another number with each news
    number: int = 0
    # for the status line; `going_on`: until the next news
    message: str = ""
    going_on: bool = False
    # what was taken up, and can be undone; or, after that, what can be taken up again
    taken: str = ""
    left: str = ""
    # why a change was not taken up, and the file if only a restart takes it up
    fault: str = ""
    restart: str = ""
    # the line that it is about, with the whole path
    place: str = ""


@dataclass(frozen=True)
class Job:
    """What the thread is to do: look at files that were saved, go back, or take up again what it went back from."""

    saved: tuple[Path, ...] = ()
    back: bool = False
    again: bool = False


class Superseded(Exception):
    """Something else is to be done."""


class KernelWatch(BackgroundThread):
    """A thread that waits for saved files."""

    def __init__(self, send: Send, folder: Path | None = None) -> None:
        super().__init__("kernels")
        self.latest = KernelNews()
        self._send, self._folder = send, folder
        self._closed = threading.Event()
        self._root = Path(__file__).resolve().parents[3] / "sim" if folder is None else folder.resolve()
        # saved, and not taken up yet
        self._saved: set[Path] = set()
        self._undone: dict[Path, str] = {}
        self._kernels: Reload | None = None
        self.start()

    # ---- called from other threads

    def offer(self, files: Iterable[Path]) -> list[Path]:
        """Files were saved: those of the engine are looked at; returns the others."""
        files = [file.resolve() for file in files]
        ours = tuple(file for file in files if file.is_relative_to(self._root) and file.suffix == ".py")
        if ours:
            self._inbox.put(Job(ours))
        return [file for file in files if file not in ours]

    def go_back(self) -> None:
        """Undo the last change."""
        self._inbox.put(Job(back=True))

    def take_up_again(self) -> None:
        """Take up again what was undone."""
        self._inbox.put(Job(again=True))

    def dismiss(self) -> None:
        """The user has seen the news."""
        self._tell()

    def close(self) -> None:
        """End the thread, soon."""
        self._closed.set()
        super().close()

    # ---- on the thread

    def _tell(self, message: str = "", going_on: bool = False, **more: str) -> None:
        self.latest = KernelNews(self.latest.number + 1, message, going_on, **more)

    def _handle(self, job: Job) -> None:
        self._kernels = self._kernels or Reload(self._folder)
        self._saved.update(job.saved)
        self._do(job, self._kernels)

    def _report(self, error: Exception) -> None:
        short = self._short(str(error))
        if isinstance(error, RestartNeeded):
            self._tell(fault=short, restart=_place(short).rpartition(":")[0], place=_place(str(error)))
        elif isinstance(error, NotTakenUp):
            self._tell(f"{_place(short)}: not taken up", fault=short, place=_place(str(error)))
        elif not isinstance(error, Superseded):
            self._tell("the changed kernels were not taken up", fault=describe(error))

    def _do(self, job: Job, kernels: Reload) -> None:
        began = time.monotonic()
        if job.back:
            texts = kernels.before
            undone = {file: text for file in texts if (text := kernels.running(file)) is not None}
        elif job.again:
            texts, undone = self._undone, {}
        else:
            texts, undone = kernels.changed(self._saved), {}
        change = self._prepared(kernels, texts)
        files = ", ".join(file.relative_to(self._root).as_posix() for file in change.files)
        names = _named(change.functions)
        if change.functions:
            doing = "back to the old" if job.back else "kernels changed:"
            self._exchange(change, f"{doing} {files}: {names}")
        else:
            change.apply()
        self._saved.clear()
        self._undone = undone
        seconds = time.monotonic() - began
        if job.back:
            left = f"went back: {files} as saved is not in use"
            self._tell(left, left=left)
        elif change.functions:
            taken = f"took up {files}: {names}, {seconds:.1f} s"
            self._tell(taken, taken=taken)
        elif files:
            self._tell(f"{files}: nothing to compile has changed")
        else:
            # also clears an error that is mended
            self._tell()

    def _prepared(self, kernels: Reload, texts: Mapping[Path, str]) -> Change:
        """Compile; ends early if another file is saved."""

        def progress(done: int, total: int, label: str) -> None:
            if self._closed.is_set() or not self._inbox.empty():
                raise Superseded
            units = f"{total} kernel{'s' * (total != 1)}"
            self._tell(f"compiling {units}: {done} done; the old ones go on", going_on=True)

        return kernels.prepare(texts, progress)

    def _exchange(self, change: Change, text: str) -> None:
        """Let the simulation make the change between two steps, and wait for that."""
        done: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
        self._send(ExchangeKernels(change.apply, text, done.put))
        while not self._closed.is_set():
            try:
                error = done.get(timeout=LOOK)
            except queue.Empty:
                continue
            if error is not None:
                raise error
            return
        raise Superseded

    def _short(self, text: str) -> str:
        """An error with paths below the checkout."""
        return text.replace(f"{self._root.parent}/", "")


def _named(functions: list[str]) -> str:
    names = [name.rpartition(".")[2] for name in functions]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _place(text: str) -> str:
    """The file and line that an error begins with."""
    found = re.match(r".+?:\d+(?=: )", text)
    return found[0] if found else text.partition(":")[0]
