"""The wheel: it has every file that the program reads, and runs from where pip puts it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.release

ROOT = Path(__file__).resolve().parents[2]
# folder of a clone -> folder of the wheel
FOLDERS = {"shaders": "app/shaders", "scenes": "app/scenes", "app/manual": "app/manual"}
PIP = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "-q"]


def test_the_wheel_is_complete_and_runs(tmp_path: Path) -> None:
    subprocess.run([*PIP, "wheel", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    for folder, place in FOLDERS.items():
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        wanted = {f"{place}/{path.relative_to(ROOT / folder).as_posix()}" for path in files}
        assert len(wanted) > 10 and wanted <= packed, wanted - packed
    site = tmp_path / "site"
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(site), str(wheel)], check=True)
    code = "import app, app.__main__ as m; print(app.__file__); m.main(['manual', 'solver']); m.main(['info', 'arch'])"
    env = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(str(site)) and "# Solver" in done.stdout and "degrees of freedom" in done.stdout
