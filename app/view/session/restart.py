"""Hot restart: a new process with the changed source takes the session over, while the old window continues to draw.

The engine, the panels and the shaders are loaded at the start. When a source file is saved, the window says that it
still runs the old one; a click or a key restarts it. The new process loads the model, compiles the kernels that have
changed, opens its window and says "loaded"; the old one writes its session and says "go"; the new one restores that and
says "ready"; then the old window closes. If the new process ends before that, or says why it cannot run the model, the
old window stays and shows why.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from app.files.error_text import describe
from app.files.file_watch import Watcher
from app.files.output import reason
from app.files.resources import folder
from app.view.session import supervisor
from app.view.session.session import Session
from app.view.session.session_file import read_session
from sim.file_stamp import stamps

# of both packages
_ROOT = Path(__file__).resolve().parents[3]
# one poll of all sources takes 1 ms
POLL_SECONDS = 0.25
LOADED, GO, READY = b"loaded\n", b"go\n", b"ready\n"
# the process that waits for the viewer, if one does
SUPERVISOR = "KINETOSCOPE_SUPERVISOR"
NOT_CAPTURED = "the session cannot be saved: the model is not ready"


def sources() -> list[Path]:
    """Every file of the program that is loaded at the start."""
    code = (file for place in ("sim", "app") for file in (_ROOT / place).rglob("*.py"))
    return sorted([*code, *(file for file in folder("shaders").rglob("*") if file.is_file())])


class Restart:
    """Watches the source, and starts the program that takes the session over."""

    # writes the session to a file; None if the run cannot be captured
    write: Callable[[Path], Path | None]

    def __init__(self) -> None:
        # the process that has taken over
        self._successor: subprocess.Popen[bytes] | None = None
        self._attempt: Attempt | None = None
        self._changed = ""
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
        """Start the program on disk; `outcome` says what came of it."""
        self.cancel()
        self._attempt = Attempt(self.write)

    def cancel(self) -> bool:
        """Stop the new process; returns whether there was one."""
        attempt, self._attempt = self._attempt, None
        if attempt is not None:
            attempt.cancel()
        return attempt is not None

    def outcome(self) -> str | None:
        """Once: why the program does not start, or empty if it has taken over; None while that is not known."""
        attempt = self._attempt
        if attempt is None or attempt.fault is None:
            return None
        self._attempt = None
        self._successor = attempt.process if not attempt.fault else None
        return attempt.fault

    def close(self) -> None:
        """Stop watching, and any process that has not taken over."""
        self._watcher.close()
        self.cancel()

    def finish(self) -> None:
        """After the window has closed: let the shell wait for the process that has taken over."""
        if self._successor is None or os.environ.get(SUPERVISOR) == str(os.getppid()):
            return
        sys.stdout.flush()
        sys.stderr.flush()
        file = str(Path(supervisor.__file__).resolve())
        os.execv(sys.executable, [sys.executable, "-I", "-S", file, str(self._successor.pid)])


class Attempt:
    """A new process, from its start until it has taken over; `fault` is None until that is decided."""

    def __init__(self, write: Callable[[Path], Path | None]) -> None:
        self.fault: str | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self._write = write
        self._lock = threading.Lock()
        self._cancelled = False
        threading.Thread(target=self._run, name="restart", daemon=True).start()

    def cancel(self) -> None:
        """Stop the new process."""
        with self._lock:
            self._cancelled = True
            if self.process is not None:
                self.process.kill()

    def _run(self) -> None:
        try:
            with tempfile.TemporaryDirectory(prefix="kinetoscope-") as place:
                fault = self._hand_over(Path(place) / "session.json")
        except Exception as error:
            why = reason(error) if isinstance(error, OSError) else describe(error)
            fault = f"the session cannot be saved: {why}"
        self.fault = fault

    def _hand_over(self, file: Path) -> str:
        """Start the new process, and give it the session when it has loaded the model."""
        if self._write(file) is None:
            return NOT_CAPTURED
        ours, theirs = socket.socketpair()
        with ours, tempfile.TemporaryFile() as errors:
            with theirs, self._lock:
                if self._cancelled:
                    return ""
                self.process = _start(file, theirs, errors.fileno())
            said = _line(ours)
            if said == LOADED:
                if self._write(file) is None:
                    self.process.kill()
                    return NOT_CAPTURED
                ours.sendall(GO)
                said = _line(ours)
                if said == READY:
                    return ""
            self.process.kill()
            self.process.wait()
            if said.endswith(b"\n"):
                return str(json.loads(said))
            errors.seek(0)
            printed = errors.read().decode(errors="replace")
        # the last frame of a traceback, and the error
        return printed[printed.rfind("  File ") + 1 :].strip() or f"it exited with code {self.process.returncode}"


def _start(file: Path, theirs: socket.socket, errors: int) -> subprocess.Popen[bytes]:
    """Run the program as this one was run, with another end of a socket and a file for its errors."""
    # how Python was started, before the program's arguments
    start = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
    real = os.dup(2)
    try:
        handles = f"{theirs.fileno()},{real}"
        command = [sys.executable, *start, "--resume", str(file), "--handover", handles]
        # a supervisor that is there already stays
        known = os.environ.get(SUPERVISOR) == str(os.getppid()) or sys.platform != "linux"
        environment = {**os.environ} if known else {**os.environ, SUPERVISOR: str(os.getpid())}
        return subprocess.Popen(command, pass_fds=[theirs.fileno(), real], stderr=errors, env=environment)
    finally:
        os.close(real)


def _line(channel: socket.socket) -> bytes:
    """The next line; what there is if the other side has ended."""
    line = b""
    while not line.endswith(b"\n"):
        try:
            part = channel.recv(64)
        except ConnectionResetError:
            part = b""
        if not part:
            return line
        line += part
    return line


class Handover:
    """The new process's side: asks for the session once the model is loaded, and says when it has taken over."""

    def __init__(self, file: Path, handles: str) -> None:
        channel, self._errors = (int(number) for number in handles.split(","))
        self._channel = socket.socket(fileno=channel)
        self._file = file
        self._asked = self._done = False
        self._session: Session | None = None

    def loaded(self) -> None:
        """The window shows the model, or why it cannot be opened: ask for the session."""
        if not self._asked:
            self._asked = True
            threading.Thread(target=self._receive, name="handover", daemon=True).start()

    def take_session(self) -> Session | None:
        """The session, once, when it has come."""
        session, self._session = self._session, None
        return session

    def ready(self) -> None:
        """The session is restored: the old window may close, and errors are said where it said them."""
        if self._done:
            return
        self._done = True
        os.dup2(self._errors, 2)
        os.close(self._errors)
        self._channel.sendall(READY)
        self._channel.close()

    def refuse(self, why: str) -> NoReturn:
        """The changed program cannot run the model: the old window stays, and shows why."""
        self._channel.sendall(json.dumps(why).encode() + b"\n")
        os._exit(1)

    def _receive(self) -> None:
        try:
            self._channel.sendall(LOADED)
            if _line(self._channel) == GO:
                self._session = read_session(self._file)
                return
        except (OSError, ValueError):
            pass
        # nobody is waiting for this process
        os._exit(1)
