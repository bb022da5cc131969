"""The process that a shell waits for after a restart: ends with the newest viewer, and passes a request to end on."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from app.view.session import supervisor

# starts a child, says its number, and becomes the supervisor
PARENT = f"""
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
os.execv(sys.executable, [sys.executable, "-I", "-S", {supervisor.__file__!r}, str(child.pid)])
"""


def started(child: str) -> subprocess.Popen[str]:
    """A supervisor whose child runs some code."""
    pipe = subprocess.PIPE
    # under nohup it would be ignored from the start
    heard = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)
    command = [sys.executable, "-c", PARENT, child]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, preexec_fn=heard)


def ignored(pid: int) -> int:
    """The signals that a process ignores, as bits."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("SigIgn")).split()[1], 16)


ENDS = [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 137)]


@pytest.mark.parametrize(("code", "expected"), ENDS)
def test_it_ends_with_the_code_of_its_child(code: str, expected: int) -> None:
    with started(code) as process:
        assert process.wait() == expected


def test_a_grandchild_is_waited_for_when_its_parent_ends() -> None:
    """As after a second restart: the viewer in between ends, its successor goes on."""
    grandchild = "print('here', flush=True); input(); raise SystemExit(5)"
    child = f"""
import os, signal, subprocess, sys
from pathlib import Path
def ignored():
    lines = Path(f"/proc/{{os.getppid()}}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("SigIgn")).split()[1], 16)
# the last that the supervisor does before it waits
while not ignored() >> signal.SIGHUP - 1 & 1: pass
subprocess.Popen([sys.executable, "-c", {grandchild!r}])
"""
    with started(child) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.communicate("\n")
        assert process.returncode == 5


def test_a_request_to_end_is_passed_on_and_ctrl_c_is_not() -> None:
    child = """
import signal, sys
from pathlib import Path
signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
while b"supervisor" not in Path(f"/proc/{__import__('os').getppid()}/cmdline").read_bytes(): pass
print("here", flush=True)
signal.pause()
"""
    with started(child) as process:
        assert process.stdout is not None
        process.stdout.readline()
        # the last that it does before it waits
        while not ignored(process.pid) >> signal.SIGHUP - 1 & 1:
            pass
        process.send_signal(signal.SIGINT)
        process.terminate()
        assert process.wait() == 3
