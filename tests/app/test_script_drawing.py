"""Ghosts, trails and images of a script (app/script_drawing.py, app/scene/decor/trails.py)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sim
from app.run.passive import PassiveSimulation
from app.scene.decor.trails import MOST_POINTS, Trail
from app.script_drawing import ScriptDrawing
from app.view.script.layer import ScriptLayer

SLIDER = """<mujoco><worldbody><body name='cart'><joint name='x' type='slide' axis='1 0 0'/>
<geom name='box' size='.1'/><site name='top' pos='0 0 1'/></body></worldbody></mujoco>"""


class Drawing(ScriptDrawing):
    """The part of a handle that draws, without a window."""

    def __init__(self) -> None:
        self.m = sim.loads(SLIDER)
        self.d = sim.Data(self.m)
        self._script_layer = self.layer = ScriptLayer()
        self._simulation = PassiveSimulation(sim, self.m, self.d)

    def sync(self) -> None:
        """As the handle does."""
        self.layer.sample_trails(float(self.d.time))
        self.layer.show_geoms()


@pytest.fixture
def drawing() -> Iterator[Drawing]:
    """A script's drawing."""
    made = Drawing()
    yield made
    made._simulation.release()


def test_ghosts_stand_at_their_own_poses_and_leave_the_data_alone(drawing: Drawing) -> None:
    drawing.ghost([0.5], (1, 0, 0), "plan")
    other = sim.Data(drawing.m)
    other.qpos[0] = -0.25
    sim.forward(drawing.m, other)
    drawing.ghost(other, name="other")
    places = {name: ghost.state.xpos[1, 0] for name, ghost in drawing.layer.ghosts.items()}
    assert places == {"plan": 0.5, "other": -0.25}
    assert drawing.layer.ghosts["plan"].colour == (1.0, 0.0, 0.0)
    assert drawing.d.qpos[0] == 0.0
    # one of the same name takes its place
    drawing.ghost([0.75], name="plan")
    assert drawing.layer.ghosts["plan"].state.xpos[1, 0] == 0.75
    drawing.ghost(None, name="plan")
    assert [*drawing.layer.ghosts] == ["other"]
    with pytest.raises(ValueError, match="qpos of 1 numbers"):
        drawing.ghost([0.0, 1.0])
    with pytest.raises(ValueError, match="another model"):
        drawing.ghost(sim.Data(sim.loads("<mujoco/>")))


@pytest.mark.parametrize(("what", "height"), [("cart", 0), (1, 0), ("body cart", 0), ("site top", 1), ("geom box", 0)])
def test_a_trail_follows_an_element(drawing: Drawing, what: str | int, height: float) -> None:
    drawing.trail(what, seconds=1.0)
    for k in range(5):
        drawing.d.time, drawing.d.qpos[0] = 0.1 * k, 0.1 * k
        sim.forward(drawing.m, drawing.d)
        drawing.sync()
    lines = drawing.layer.shown_geoms
    assert len(lines) == 4
    assert np.allclose([line.pos[2] for line in lines], height)
    assert lines[-1].pos[0] == pytest.approx(0.3)
    drawing.clear_trails()
    drawing.sync()
    assert drawing.layer.shown_geoms == ()


def test_a_trail_of_something_that_is_not_there(drawing: Drawing) -> None:
    with pytest.raises(KeyError, match="no site is named 'hand'"):
        drawing.trail("site hand")
    with pytest.raises(ValueError, match="above 0 s"):
        drawing.trail("cart", seconds=0)


def test_a_trail_has_a_length_and_begins_anew_when_time_goes_back() -> None:
    place = np.zeros(3)
    trail = Trail(2.0, (1, 0, 0))
    for k in range(100):
        place = np.array([0.1 * k, 0, 0])
        trail.add(0.1 * k, place)
    assert len(trail.geoms) == 20
    assert trail.geoms[0].rgba.tolist() == [1, 0, 0, 1]  # type: ignore[union-attr]
    # more often than it needs adds nothing
    trail.add(9.9 + 1.0 / MOST_POINTS, place)
    assert len(trail.geoms) == 20
    # what stands still, or has diverged, draws no line
    trail.add(10.0, place)
    place = np.array([np.nan, 0, 0])
    trail.add(10.1, place)
    assert len(trail.geoms) == 18
    trail.add(0.0, place)
    assert trail.geoms == []
    place = np.zeros(2)
    with pytest.raises(ValueError, match="three numbers"):
        trail.add(1.0, place)


def test_images_are_copied_and_checked(drawing: Drawing) -> None:
    pixels = np.zeros((4, 6, 3), np.uint8)
    drawing.set_images(((10, 20, 60, 40), pixels))
    rect: Any = SimpleNamespace(left=1, bottom=2, width=3, height=4)
    first = drawing.layer.images
    pixels[:] = 7
    assert len(first) == 1
    assert first[0].pixels.shape == (4, 6, 4)
    assert first[0].pixels[0, 0].tolist() == [0, 0, 0, 255]
    drawing.set_images([(rect, pixels), ((0, 0, 5, 5), pixels)])
    assert [(image.left, image.bottom, image.width, image.height) for image in drawing.layer.images] == [
        (1, 2, 3, 4), (0, 0, 5, 5),
    ]  # fmt: skip
    drawing.clear_images()
    assert drawing.layer.images == ()
    drawing.image("Camera", pixels)
    assert drawing.layer.panel_images["Camera"][0, 0].tolist() == [7, 7, 7, 255]
    drawing.image("Camera", None)
    assert not drawing.layer.panel_images
    for wrong in (pixels[0], pixels.astype(float), pixels[:, :, :2], pixels[:0]):
        with pytest.raises(ValueError, match="uint8 pixels"):
            drawing.image("Camera", wrong)
    with pytest.raises(ValueError, match="left, bottom, width and height"):
        drawing.set_images(((0, 0, 5), pixels))
