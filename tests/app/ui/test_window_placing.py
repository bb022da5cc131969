"""Handles in a real window: a drag moves a geom, Escape leaves no trace, undo, and the file that is saved."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim
from tests.app.ui.test_window_files import press
from tests.app.window_driver import Viewer, own_viewer

pytestmark = [pytest.mark.window, pytest.mark.release]

SCENE = """<mujoco model="bench">
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="1 1 .1"/>
    <body name="table" pos="0 0 .3"> <!-- a comment -->
      <geom name="top" type="box" size=".3 .2 .02"/>
      <geom name="leg" type="capsule" fromto="0 0 -.05 0 0 -.2" size=".03"/>
    </body>
  </worldbody>
</mujoco>
"""


def select_top(viewer: Viewer) -> None:
    """Select the geom by its name, and take the tool that moves."""
    viewer.keys("ctrl+k")
    viewer.wait(lambda s: s["palette"])
    viewer.type("geom top")
    viewer.keys("Return")
    viewer.wait(lambda s: s["selection"] == "Selection(kind='geom', index=1)" and not s["palette"])
    viewer.do("mousemove", *viewer.middle)
    viewer.keys("shift+g")
    viewer.wait(lambda s: s["tool"] == "move" and len(s["handles"]) == 7)


def hold(viewer: Viewer, handle: int, dx: int, dy: int) -> None:
    """Press a handle and drag it."""
    _, x, y = viewer.state()["handles"][handle]
    viewer.do("mousemove", round(x), round(y))
    viewer.do("mousedown", 1)
    viewer.do("mousemove", round(x) + dx // 2, round(y) + dy // 2)
    viewer.do("mousemove", round(x) + dx, round(y) + dy)


def test_a_geom_is_moved_undone_and_saved(tmp_path: Path) -> None:
    file = tmp_path / "bench.xml"
    file.write_text(SCENE)
    with own_viewer(file) as viewer:
        select_top(viewer)
        start = viewer.state()
        # Escape while it is dragged
        hold(viewer, 2, 0, -60)
        viewer.wait(lambda s: s["geom_pos"][1][2] > 0.05)
        viewer.do("key", "Escape")
        viewer.do("mouseup", 1)
        back = viewer.wait(lambda s: s["geom_pos"] == start["geom_pos"])
        assert back["journal"] == []
        assert back["azimuth"] == start["azimuth"]
        # up, and undone, and done again
        hold(viewer, 2, 0, -60)
        viewer.do("mouseup", 1)
        moved = viewer.wait(lambda s: len(s["journal"]) == 1)["geom_pos"]
        assert moved[1][:2] == [0, 0]
        viewer.keys("ctrl+z")
        viewer.wait(lambda s: s["geom_pos"] == start["geom_pos"])
        viewer.keys("ctrl+y")
        viewer.wait(lambda s: s["geom_pos"] == moved)
        # a number that is typed during a drag
        hold(viewer, 0, 40, 0)
        viewer.keys("period", "2", "5")
        viewer.do("mouseup", 1)
        state = viewer.wait(lambda s: s["geom_pos"][1][0] == 0.25)
        assert [text.split(":")[0] for text, _ in state["journal"]] == ["pos of geom top"] * 2
        viewer.keys("ctrl+s")
        press(viewer, "Save")
        saved = viewer.wait(lambda s: not s["asks"] and not s["unsaved"])["geom_pos"]
        assert saved == state["geom_pos"]
    pos = " ".join(f"{x:.9g}" for x in saved[1])
    assert file.read_text() == SCENE.replace('size=".3 .2 .02"/>', f'size=".3 .2 .02" pos="{pos}"/>')
    for again in (sim.load(file), mujoco.MjModel.from_xml_path(str(file))):
        np.testing.assert_allclose(again.geom_pos, saved, atol=1e-12)
