"""Hot restart: runs the viewer again with its changed source, restoring model, state, edits and view.

The engine, the panels and the shaders are loaded at the start. When a source file is saved, the window says that it
still runs the old one; a click or a key restarts it, and the session continues.
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

from app.files.file_watch import Watcher
from app.files.output import reason
from app.files.resources import folder
from app.run.snapshot import Snapshot
from app.session.session import Shape, capture
from app.session.session_file import read_session
from app.view.view_state import ViewState
from sim.file_stamp import stamps

# of both packages
_ROOT = Path(__file__).resolve().parents[2]
CHECK_SECONDS = 60.0
# one poll of all sources takes 1 ms
POLL_SECONDS = 0.5


def sources() -> list[Path]:
    """Every file of the program that is loaded at the start."""
    code = (file for place in ("sim", "app") for file in (_ROOT / place).rglob("*.py"))
    return sorted([*code, *(file for file in folder("shaders").rglob("*") if file.is_file())])


class StartCheck:
    """A child process that imports the program as it is on disk, while this one continues.

    `fault` says why it cannot start; it is empty if it can, and None while that is not known.
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
            threading.Thread(target=self._wait, args=(self._process,), name="start check", daemon=True).start()

    def _wait(self, process: subprocess.Popen[str]) -> None:
        try:
            _, errors = process.communicate(timeout=CHECK_SECONDS)
        except subprocess.TimeoutExpired:
            self.fault = f"it did not start within {CHECK_SECONDS:g} s"
            process.kill()
            process.communicate()
            return
        # the last frame of the traceback, and the error
        self.fault = errors[errors.rfind("  File ") + 1 :].strip() if process.returncode else ""

    def cancel(self) -> None:
        """Stop the child process."""
        if self._process is not None:
            self._process.kill()


class Restart:
    """Watches the source, and restarts the program with its session."""

    def __init__(self, file: Path | None = None) -> None:
        self._changed = ""
        # arguments for the restart once the window has closed
        self._next: list[str] | None = None
        self._check: StartCheck | None = None
        self.session = None if file is None else read_session(file)
        self._file = file if self.session is not None else None
        self._watcher = Watcher(self._notice, POLL_SECONDS)
        self._watcher.watch(stamps(sources()))

    def _notice(self, files: list[Path]) -> None:
        """Called on the watcher's thread."""
        self._changed = files[0].relative_to(_ROOT).as_posix() if files[0].is_relative_to(_ROOT) else files[0].name

    def take_changed(self) -> str:
        """A source file that has changed since the last call, relative to the checkout; empty if none has."""
        changed, self._changed = self._changed, ""
        return changed

    def begin(self) -> None:
        """Check whether the program on disk starts; `outcome` has the result."""
        self.cancel()
        self._check = StartCheck()

    def cancel(self) -> bool:
        """Cancel the check; returns whether one was running."""
        check, self._check = self._check, None
        if check is not None:
            check.cancel()
        return check is not None

    def outcome(self) -> str | None:
        """The result of the check, once: why the program cannot start, or empty if it can; None while not known."""
        fault = self._check.fault if self._check is not None else None
        if fault is not None:
            self._check = None
        return fault

    def request(
        self, view: ViewState, snapshot: Snapshot, close: Callable[[], None], window: Shape | None = None
    ) -> str:
        """Save the session and close the window to restart; returns why that fails, or an empty string."""
        session = capture(view, snapshot, self.session)
        session.window = window
        try:
            with tempfile.NamedTemporaryFile("w", prefix="kinetoscope-", suffix=".json", delete=False) as file:
                json.dump(asdict(session), file)
        except OSError as error:
            return f"the session cannot be saved: {reason(error)}"
        # paused until the state is restored
        self._next = ["--resume", file.name, "--paused", *(["--", session.path] if session.path else [])]
        close()
        return ""

    def close(self) -> None:
        """Stop watching, and delete the session file: it is no longer needed."""
        self._watcher.close()
        self.cancel()
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    @property
    def resume_command(self) -> str:
        """The command that resumes the saved session; empty if there is none."""
        if self.session is None or self._file is None:
            return ""
        return shlex.join(["kinetoscope", "--resume", str(self._file), "--", self.session.path])

    def exec_(self) -> None:
        """Replace this process by the restarted program, if a restart was requested."""
        if self._next is None:
            return
        # how Python was started, before the program's arguments
        start = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(sys.executable, [sys.executable, *start, *self._next])
