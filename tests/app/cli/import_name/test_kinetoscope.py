"""`import kinetoscope` gives the engine and the viewer.

Tests app/cli/import_name/kinetoscope/__init__.py, app/cli/import_name/kinetoscope/viewer.py and
app/cli/import_name/kinetoscope/mujoco.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import sim
from tests.app.cli.test_run_script import ran

TEXT = """
import kinetoscope, kinetoscope.viewer
m = kinetoscope.loads("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
d = kinetoscope.Data(m)
kinetoscope.step(m, d, 10)
print(d.time, kinetoscope.viewer.__name__)
stand_in = kinetoscope.mujoco.stand_in()
import mujoco
print(mujoco is kinetoscope.mujoco)
stand_in.undo()
import mujoco
print(mujoco.__name__)
import sim
print(sorted(set(sim.__all__) - set(dir(kinetoscope))))
"""


def test_the_engine_the_viewer_and_mujocos_names(tmp_path: Path) -> None:
    """All that `sim` has, and one call that lets it stand in for mujoco."""
    said, _ = ran([sys.executable, "-c", TEXT], tmp_path)
    assert said.splitlines() == ["0.020000000000000004 app.viewer", "True", "mujoco", "[]"]
    assert len(sim.__all__) > 50


def test_a_module_that_hides_ours_is_named(tmp_path: Path) -> None:
    for name in ("sim", "app"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
        _, error = ran([sys.executable, "-c", "import kinetoscope"], tmp_path, code=1)
        assert f"{tmp_path / name}.py hides Kinetoscope's package `{name}`" in error.splitlines()[-1]
        (tmp_path / f"{name}.py").unlink()
