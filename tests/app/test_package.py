"""The wheel: it has every file that the program reads, and runs from where pip puts it, without compiling."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from sim.jit import level

pytestmark = pytest.mark.release

ROOT = Path(__file__).resolve().parents[2]
# folder of a clone -> folder of the wheel
FOLDERS = {"shaders": "app/shaders", "scenes": "app/scenes", "app/manual": "app/manual"}
PIP = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "-q"]


def test_the_wheel_is_complete_and_runs(tmp_path: Path) -> None:
    """Making it compiles all kernels for each level."""
    subprocess.run([*PIP, "wheel", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    for folder, place in FOLDERS.items():
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        wanted = {f"{place}/{path.relative_to(ROOT / folder).as_posix()}" for path in files}
        assert len(wanted) > 10 and wanted <= packed, wanted - packed
    assert "-py3-none-" in wheel.name and "-any" not in wheel.name
    assert {f"sim/units/{name}.pack" for name in level.shipped()} <= packed
    site = tmp_path / "site"
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(site), str(wheel)], check=True)
    code = "import app, app.__main__ as m; print(app.__file__); m.main(['manual', 'solver']); m.main(['info', 'arch'])"
    said = run(code, site, tmp_path)
    assert said.startswith(str(site)) and "# Solver" in said and "degrees of freedom" in said
    for name in level.shipped():
        if level.choose(level.levels(), level.features()).needs >= named(name).needs:
            moves_without_compiling(site, tmp_path, name)


def named(name: str) -> level.Level:
    return level.choose(level.levels(), frozenset(), name)


def moves_without_compiling(site: Path, tmp_path: Path, name: str) -> None:
    """Runs every bundled scene without numba and with an empty cache, on the code of a level."""
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import app.__main__ as m; from app.files.resources import bundled_scenes\n"
        "print(*(m.main(['run', scene.name, '--time', '0.01']) for scene in bundled_scenes()))"
    )
    cache = tmp_path / name
    said = run(code, site, tmp_path, KINETOSCOPE_LEVEL=name, KINETOSCOPE_CACHE=str(cache))
    assert set(said.splitlines()[-1].split()) == {"0"}
    assert not list(cache.glob("*.unit"))


def run(code: str, site: Path, folder: Path, **settings: str) -> str:
    """What a script prints that sees the installed wheel alone."""
    env = {**os.environ, "PYTHONPATH": str(site), **settings}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True).stdout
