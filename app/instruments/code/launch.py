"""Starts another program, without waiting for it."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Sequence
from os.path import basename


def launch(command: Sequence[str], failed: Callable[[str], None]) -> None:
    """Start a program; `failed` is told on another thread if it cannot be started or ends with an error."""
    threading.Thread(target=_run, args=(list(command), failed), name="launch", daemon=True).start()


def _run(command: list[str], failed: Callable[[str], None]) -> None:
    """Wait for the program here: nobody else would, and it would stay a zombie."""
    quiet = subprocess.DEVNULL
    try:
        # a session of its own: it outlives the viewer, and Ctrl+C in the viewer's terminal is not for it
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    except OSError as error:
        failed(f"{basename(command[0])} could not be started: {error.strerror or error}")
        return
    code = process.wait()
    if code:
        failed(f"{basename(command[0])} ended with exit code {code}")
