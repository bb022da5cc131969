"""Restarts the program when its own source has changed, with the same model, state, edits and view.

The engine, the panels and the shaders are read at the start. Whoever changes a kernel to watch what it does is told
that the window still runs the old one; a click or a key starts the new one, which takes over what was on the screen.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from app.files.output import reason
from app.files.resources import folder
from app.run.file_watch import Watcher
from app.run.snapshot import Snapshot
from app.session.session import Shape, pack
from app.session.session_file import read_session
from app.view.view_state import ViewState

# of both packages
_ROOT = Path(__file__).resolve().parents[2]
CHECK_SECONDS = 60.0
# one look at all sources takes 1 ms
POLL_SECONDS = 0.5


def sources() -> list[Path]:
    """Every file of the program that is read at its start."""
    code = (file for place in ("sim", "app") for file in (_ROOT / place).rglob("*.py"))
    return sorted([*code, *(file for file in folder("shaders").rglob("*") if file.is_file())])


class Trial:
    """A child that starts the program as it is on disk, as far as it can without a window, while this one goes on.

    `fault` says why it would not start; it is empty if it would, and None as long as that is not known.
    """

    def __init__(self) -> None:
        self.fault: str | None = None
        self._process: subprocess.Popen[str] | None = None
        code = f"import sys; sys.path[:] = {[*filter(None, sys.path)]!r}; import app.application, sim"
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen([sys.executable, "-P", "-c", code], stdout=pipe, stderr=pipe, text=True)
        except OSError as error:
            self.fault = str(error)
        else:
            threading.Thread(target=self._wait, args=(self._process,), name="trial", daemon=True).start()

    def _wait(self, process: subprocess.Popen[str]) -> None:
        try:
            _, errors = process.communicate(timeout=CHECK_SECONDS)
        except subprocess.TimeoutExpired:
            self.fault = f"it has not started within {CHECK_SECONDS:g} s"
            process.kill()
            process.communicate()
            return
        # the place where it happened, without the way there
        self.fault = errors[errors.rfind("  File ") + 1 :].strip() if process.returncode else ""

    def cancel(self) -> None:
        """Nobody wants to know any more."""
        if self._process is not None:
            self._process.kill()


class Restart:
    """Watches the source, and carries a run of the program over into the next one."""

    def __init__(self, left: Path | None = None) -> None:
        self._changed = ""
        # arguments of the run that is to begin when the window has closed
        self._next: list[str] | None = None
        self._trial: Trial | None = None
        self.session = None if left is None else read_session(left)
        self._left = left if self.session is not None else None
        self._watcher = Watcher(self._notice, POLL_SECONDS)
        self._watcher.watch(sources())

    def _notice(self, files: list[Path]) -> None:
        """Called on the watcher's thread."""
        self._changed = files[0].relative_to(_ROOT).as_posix() if files[0].is_relative_to(_ROOT) else files[0].name

    def take_changed(self) -> str:
        """A file that has changed since this was asked last, as one would look for it; empty if none has."""
        changed, self._changed = self._changed, ""
        return changed

    def begin(self) -> None:
        """Find out whether the program on disk would start, as it is now; `outcome` tells."""
        self.cancel()
        self._trial = Trial()

    def cancel(self) -> bool:
        """Stay with the program that runs; whether another was being tried."""
        trial, self._trial = self._trial, None
        if trial is not None:
            trial.cancel()
        return trial is not None

    def outcome(self) -> str | None:
        """Once it is known, and told once: why the program on disk would not start, or empty; else None."""
        fault = self._trial.fault if self._trial is not None else None
        if fault is not None:
            self._trial = None
        return fault

    def leave(self, view: ViewState, snapshot: Snapshot, close: Callable[[], None], window: Shape | None = None) -> str:
        """Close the window, to begin again with what is on disk; or say why that fails, and go on."""
        session = pack(view, snapshot, self.session)
        session.window = window
        try:
            with tempfile.NamedTemporaryFile("w", prefix="kinetoscope-", suffix=".json", delete=False) as file:
                json.dump(asdict(session), file)
        except OSError as error:
            return f"what is on the screen cannot be taken along: {reason(error)}"
        # time stands still until everything is in place
        self._next = ["--resume", file.name, "--paused", *(["--", session.path] if session.path else [])]
        close()
        return ""

    def close(self) -> None:
        """Watch no longer; all went well, and what the run before has left is not needed again."""
        self._watcher.close()
        self.cancel()
        if self._left is not None:
            self._left.unlink(missing_ok=True)

    @property
    def way_back(self) -> str:
        """The command that takes up what the run before has left; empty if nothing was."""
        if self.session is None or self._left is None:
            return ""
        return shlex.join(["kinetoscope", "--resume", str(self._left), "--", self.session.path])

    def go(self) -> None:
        """If there is to be a next run: that, in place of this process, started in the same way."""
        if self._next is None:
            return
        # what comes before the program's own arguments
        start = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(sys.executable, [sys.executable, *start, *self._next])
