"""Waiting for a process: one that does nothing is given up, with what it started; one that works is not."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests import patience

WAITS = """import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
open("new", "w").write(str(child.pid)); os.rename("new", "pid"); time.sleep(1000)"""


def test_a_process_is_given_up_once_it_does_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "LOOK", 0.05)
    monkeypatch.setattr(patience, "PATIENCE", 0.2)
    ticks = itertools.count()
    monkeypatch.setattr(patience, "worked", lambda _: next(ticks))
    done = patience.finished([sys.executable, "-c", "import sys, time; time.sleep(0.5); print('done'); sys.exit(3)"])
    assert (done.returncode, done.stdout) == (3, "done\n")
    monkeypatch.setattr(patience, "worked", lambda _: 0 if (tmp_path / "pid").exists() else next(ticks))
    with pytest.raises(AssertionError, match="does nothing any more"):
        patience.finished([sys.executable, "-c", WAITS], cwd=tmp_path)
    # gone, or not yet collected
    state = Path("/proc") / (tmp_path / "pid").read_text() / "stat"
    while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)


def test_work_is_noticed() -> None:
    # a session of its own: in that of the tests, the work of a process that ends is forgotten
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
    try:
        before, end = patience.worked(busy.pid), time.monotonic() + patience.PATIENCE
        while patience.worked(busy.pid) <= before:
            assert time.monotonic() < end
            time.sleep(0.01)
    finally:
        busy.kill()
        busy.wait()


def test_what_waits_for_a_cpu_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "delayed", lambda _: 30.0)
    now = time.monotonic()
    for since, late in ((now, False), (now - patience.PATIENCE - 20, False), (now - patience.PATIENCE - 40, True)):
        assert patience.given_up(0, since) is late


def test_waiting_for_a_cpu_is_noticed() -> None:
    shell = "while :; do :; done & while :; do :; done"
    one_cpu = partial(os.sched_setaffinity, 0, {min(os.sched_getaffinity(0))})
    busy = subprocess.Popen(["sh", "-c", shell], start_new_session=True, preexec_fn=one_cpu)
    try:
        end = time.monotonic() + patience.PATIENCE
        while patience.delayed(busy.pid) < 0.05:
            assert time.monotonic() < end
            time.sleep(0.01)
    finally:
        os.killpg(busy.pid, signal.SIGKILL)
        busy.wait()
