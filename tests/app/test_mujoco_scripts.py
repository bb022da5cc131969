"""Five scripts as people write them for mujoco.viewer, with one other import: they end well, with the same numbers."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.window_driver import ROOT, x_server
from tests.patience import finished

# the MuJoCo of the test is that of the script too
PATHS = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))

HERE = Path(__file__).parent
SCRIPTS = HERE / "scripts_for_mujoco"
# script -> syncs, keys that its callback gets
RUNS: dict[str, tuple[int, tuple[str, ...]]] = {
    "pd_control": (300, ()),
    "contact_forces": (300, ()),
    "mocap_teleop": (200, ("265@10", "265@20", "262@30", "266@40", "57@50")),
    "inverse_kinematics": (250, ()),
    "random_policy": (150, ()),
}
FIRST, *OTHERS = RUNS
SAMPLE = [FIRST, *(pytest.param(name, marks=pytest.mark.release) for name in OTHERS)]


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A screen for all of them."""
    with x_server() as name:
        yield name


def run(viewer: str, script: str, display: str, home: Path) -> dict[str, Any]:
    """What became of a script with a viewer."""
    syncs, keys = RUNS[script]
    command = [sys.executable, str(HERE / "mujoco_script_child.py"), viewer, str(SCRIPTS / f"{script}.py"), str(syncs)]
    env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(home), "PYTHONPATH": PATHS}
    child = finished([*command, *keys], env=env, cwd=home)
    assert child.returncode == 0, child.stderr
    assert "Traceback" not in child.stderr, child.stderr
    result: dict[str, Any] = json.loads(child.stdout.splitlines()[-1])
    assert result["syncs"] == syncs
    return result


@pytest.mark.window
@pytest.mark.parametrize("script", SAMPLE)
def test_a_script_for_mujocos_viewer(script: str, display: str, tmp_path: Path) -> None:
    shown, alone = run("ours", script, display, tmp_path), run("none", script, display, tmp_path)
    # the viewer changes nothing
    assert shown["qpos"] == alone["qpos"]
    assert shown["time"] == alone["time"] > 0
    assert (shown["problem"], shown["faults"]) == ("", [])
    # its moments are on the timeline, up to the last; where rows are uneven, times there are off by a few steps
    assert shown["moments"][0] > 20
    assert shown["times"][-1] == pytest.approx(shown["time"], abs=0.08)
    SEEN[script](shown)


# contacts amplify rounding: after these steps, by so much
TOLERANCE = {"contact_forces": 1e-3, "random_policy": 1e-4}


@pytest.mark.window
@pytest.mark.parametrize("script", SAMPLE)
def test_a_script_with_our_engine_under_mujocos_names(script: str, display: str, tmp_path: Path) -> None:
    shown, alone = run("names", script, display, tmp_path), run("none", script, display, tmp_path)
    assert shown["time"] == pytest.approx(alone["time"])
    assert shown["qpos"] == pytest.approx(alone["qpos"], abs=TOLERANCE.get(script, 1e-8))
    assert (shown["problem"], shown["faults"]) == ("", [])
    assert shown["times"][-1] == pytest.approx(shown["time"], abs=0.08)
    SEEN[script](shown)


def follows_the_frames(shown: dict[str, Any]) -> None:
    """Where the script has put its camera, without frames in the first two seconds."""
    assert shown["camera"] == pytest.approx([0.3, 0, 0.9, 2.2, 140, -20])
    assert shown["options"]["frame"] == "none"


def draws_contacts(shown: dict[str, Any]) -> None:
    """Spheres and arrows, and what it has switched."""
    assert shown["geoms"] >= 48
    assert shown["options"] == {"transparent": True, "reflection": False, "frame": "none"}
    assert any(mark.startswith("contact") for mark in shown["marks"])


def follows_keys(shown: dict[str, Any]) -> None:
    """The hand is where the keys have moved its target."""
    assert shown["qpos"][:3] == pytest.approx([0.02, 0.04, 0.37], abs=0.01)


def reaches(shown: dict[str, Any]) -> None:
    """A line for each stretch of the path."""
    assert shown["geoms"] == 11
    assert shown["options"]["frame"] == "site"


def plays_episodes(shown: dict[str, Any]) -> None:
    """Several episodes, with the camera on the body."""
    assert shown["tracked"] == 1
    assert shown["texts"][0].startswith("3\n")
    assert shown["marks"].count("the script set the time back") >= 1


SEEN = {
    "pd_control": follows_the_frames,
    "contact_forces": draws_contacts,
    "mocap_teleop": follows_keys,
    "inverse_kinematics": reaches,
    "random_policy": plays_episodes,
}


def test_only_the_import_differs() -> None:
    """With the other import line, a script is one for MuJoCo's viewer."""
    for path in sorted(SCRIPTS.glob("*.py")):
        ours = [line for line in path.read_text(encoding="utf-8").splitlines() if "app" in line.replace("append", "")]
        assert ours[0] in ("from app import viewer as mujoco_viewer", "import app.viewer"), path
        assert len(ours) == 1 or ours[1:] == [line for line in ours if "app.viewer.launch_passive" in line], path
    assert {path.stem for path in SCRIPTS.glob("*.py")} == {*RUNS}
