"""How long a test waits for what does not come: a minute, or a minute in which a process that should end does nothing.

It is reached only in failure: a slow machine gets as long as its work takes, and what waits for a CPU does not count.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# s
PATIENCE = 60.0
# between two looks at whether a process works, s
LOOK = 1.0


def finished(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a process to its end, with its output; one that does nothing any more is ended, with all that it started."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True, **options)
    work, since = -1.0, time.monotonic()
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                out, errors = process.communicate(timeout=LOOK)
                return subprocess.CompletedProcess(command, process.returncode, out, errors)
            before, work = work, worked(process.pid)
            since = time.monotonic() if work != before else since
            assert time.monotonic() < since + PATIENCE, f"{command} does nothing any more"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def worked(session: int) -> float:
    """How long the processes of a session have worked, in ticks; without Linux the time, as if they did."""
    if not Path("/proc/self/stat").exists():
        return time.monotonic()
    ticks = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # after the name, which may have spaces: state, parent, group, session, ..., utime, stime
            fields = stat.read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12]) if int(fields[3]) == session else 0
    return ticks


def given_up(pid: int, since: float) -> bool:
    """Whether a process has had a minute since then."""
    late = time.monotonic() - since - PATIENCE
    return late > 0 and late > delayed(pid)


def delayed(pid: int) -> float:
    """How long a process and those that it started have waited for a CPU, s: of each, the thread that waited most."""
    most, started = 0, list[str]()
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with contextlib.suppress(OSError):
            most = max(most, int((task / "schedstat").read_text().split()[1]))
            started += (task / "children").read_text().split()
    return 1e-9 * most + sum(delayed(int(child)) for child in started)
