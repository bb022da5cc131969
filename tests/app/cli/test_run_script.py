"""Scripts for MuJoCo as they are (run_script.py): the same numbers; their arguments, errors and end."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.app.window_driver import ROOT, x_server
from tests.patience import finished

SCRIPTS = ROOT / "tests" / "app" / "unmodified_scripts"
KINETOSCOPE = (sys.executable, "-m", "app", "run")
# contacts amplify rounding
TOLERANCE = {"procedural_scene": 1e-8}


def ran(command: Sequence[str], folder: Path, code: int = 0, **env: str) -> tuple[str, str]:
    """What a command writes to stdout and stderr; it ends with an exit code."""
    paths = os.pathsep.join(
        filter(None, (str(ROOT), str(ROOT / "app" / "cli" / "import_name"), os.environ.get("PYTHONPATH")))
    )
    env = {**os.environ, "PYTHONPATH": paths, "XDG_CONFIG_HOME": str(folder / "config"), **env}
    done = finished(command, cwd=folder, env=env)
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def numbers(text: str) -> list[float | str]:
    found: list[float | str] = []
    for word in text.split():
        try:
            found.append(float(word))
        except ValueError:
            found.append(word)
    return found


def compare(ours: str, theirs: str, tolerance: float) -> None:
    """The same words, and the same numbers."""
    a, b = numbers(ours), numbers(theirs)
    assert len(a) == len(b) > 0
    for x, y in zip(a, b, strict=True):
        assert x == y or (isinstance(x, float) and isinstance(y, float) and abs(x - y) <= tolerance), (x, y)


@pytest.mark.parametrize("script", ["inverse_kinematics", "lqr", "rollout_study", "procedural_scene"])
def test_the_same_numbers_as_with_mujoco(script: str, tmp_path: Path) -> None:
    path = str(SCRIPTS / f"{script}.py")
    ours, _ = ran([*KINETOSCOPE, path], tmp_path)
    theirs, _ = ran([sys.executable, path], tmp_path)
    compare(ours, theirs, TOLERANCE.get(script, 1e-10))


@pytest.mark.release
@pytest.mark.window
def test_a_controller_with_a_passive_viewer(tmp_path: Path) -> None:
    """mujoco.viewer is ours with both engines; `--engine mujoco` swaps the viewer alone."""
    command = [str(SCRIPTS / "controller.py"), str(ROOT / "scenes" / "humanoid.xml")]
    with x_server() as display:
        ours, said = ran([*KINETOSCOPE, *command], tmp_path, DISPLAY=display)
        theirs, warned = ran([*KINETOSCOPE, "--engine", "mujoco", *command], tmp_path, DISPLAY=display)
    assert "Traceback" not in said + warned
    compare(ours, theirs, 1e-7)


ECHO = """
import atexit, sys
import mujoco
atexit.register(print, "at exit")
print(mujoco.__name__, __name__, __file__, *sys.argv[1:])
if "--fail" in sys.argv:
    def broken():
        return mujoco.MjModel.from_xml_string("<mujoco><nonsense/></mujoco>")
    broken()
if "--exit" in sys.argv:
    sys.exit(7)
def typed(number: int): ...
# a text if `from __future__ import annotations` of another file counted here
assert typed.__annotations__ == {"number": int}
"""


@pytest.fixture
def echo(tmp_path: Path) -> Path:
    (tmp_path / "echo.py").write_text(ECHO)
    return tmp_path


def test_arguments_are_the_scripts_own(echo: Path) -> None:
    said, _ = ran([*KINETOSCOPE, "echo.py", "--until", "3", "-x"], echo)
    assert said.splitlines() == ["sim.mujoco __main__ echo.py --until 3 -x", "at exit"]
    said, _ = ran([*KINETOSCOPE, "--engine", "mujoco", "echo.py"], echo)
    assert said.splitlines()[0] == "mujoco __main__ echo.py"
    said, _ = ran([*KINETOSCOPE, "echo.py", "--exit"], echo, code=7)
    assert said.splitlines()[-1] == "at exit"


def test_a_traceback_is_the_scripts_own(echo: Path) -> None:
    said, error = ran([*KINETOSCOPE, "echo.py", "--fail"], echo, code=1)
    lines = error.splitlines()
    assert said.splitlines()[-1] == "at exit"
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].strip().startswith('File "echo.py", line 9')
    assert "run_script" not in error and "app" not in error
    assert "nonsense" in lines[-1]


def test_what_cannot_be_run(echo: Path) -> None:
    (echo / "wrong.py").write_text("x = = 1\n")
    _, error = ran([*KINETOSCOPE, "wrong.py"], echo, code=1)
    assert error.splitlines()[0].strip() == 'File "wrong.py", line 1' and "run_script" not in error
    _, error = ran([*KINETOSCOPE, "missing.py"], echo, code=1)
    assert error == "kinetoscope: cannot read the script missing.py: No such file or directory\n"


def test_a_module_that_ours_hides_is_named(echo: Path) -> None:
    (echo / "sim.py").write_text("x = 1\n")
    _, error = ran([*KINETOSCOPE, "echo.py"], echo)
    assert f"{echo / 'sim.py'} is hidden by one of Kinetoscope's packages" in error
