"""A script with a viewer prints (app/run/log/streams.py): to its own stdout as without one, and to the log."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.app.window_driver import ROOT, x_server
from tests.patience import finished

SCRIPT = """
import os, subprocess, sys, threading
import sim
from app import viewer

m = sim.loads("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
d = sim.Data(m)
before = sys.stdout, sys.stderr
print("before")
with viewer.launch_passive(m, d) as v:
    print("torque", 3)
    thread = threading.Thread(target=print, args=("from a thread",))
    thread.start()
    thread.join()
    sys.stdout.flush()
    os.write(1, b"past Python\\n")
    subprocess.run(["echo", "another program"], check=True)
    for _ in range(3):
        sim.step(m, d)
        v.sync()
    log = v._application.view.feedback.log
print("after")
assert (sys.stdout, sys.stderr) == before
kept = [entry.text for entry in log.entries() if entry.source == "stdout"]
assert kept == ["torque 3", "from a thread"], kept
"""


@pytest.mark.window
def test_prints_of_a_script(tmp_path: Path) -> None:
    with x_server() as display:
        env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        done = finished([sys.executable, "-c", SCRIPT], env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "before",
        "torque 3",
        "from a thread",
        "past Python",
        "another program",
        "after",
    ]
