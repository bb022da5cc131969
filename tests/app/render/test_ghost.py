"""The ghost (app/scene/ghost.py, app/render/ghost.py): what is in the draw list, and pictures that are read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import moderngl
import numpy as np
import pytest

from app.model.views import ModelView, StateView
from app.render.device import RenderTexture
from app.render.renderer import Renderer
from app.run.history.branch_colours import BRANCH_COLOURS
from app.run.history.timeline import BranchView, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import OrbitCamera, View
from app.scene.ghost import OPACITY, Ghost, as_ghost
from app.scene.instances import ALPHA, COLOUR, NO_TEXTURE, POSITION
from app.scene.scene import DrawList, Scene
from app.scene.visual_options import VisualOptions
from app.view.view_state import ViewState
from app.viewport import Viewport
from tests.app.conftest import Views, world

SIZE = (160, 120)
ORANGE = BRANCH_COLOURS[1]
# a box of the world, a ball that moves and one that does not
BODIES = world(
    "<geom type='box' size='.1 .1 .1' pos='-.6 0 0'/>"
    "<body pos='0 0 .6'><freejoint/><geom size='.1'/></body>"
    "<body name='ball'><freejoint/><geom size='.25' rgba='.3 .3 .3 1'/></body>"
)
Draw = Callable[[DrawList], np.ndarray]


def level_view() -> View:
    """From -y towards +y; x goes to the right of the picture, z up."""
    camera = OrbitCamera(np.zeros(3), 3.0, 90.0, 0.0)
    return View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)


def moved(state: StateView, by: tuple[float, ...], geom: int = -1) -> StateView:
    """The state with one geom elsewhere."""
    positions = state.geom_xpos.copy()
    positions[geom] += by
    return StateView({**vars(state), "geom_xpos": positions})


def listed(model: ModelView, state: StateView, ghost: Ghost | None) -> DrawList:
    """What is drawn of a model and a ghost."""
    return Scene(model, VisualOptions()).draw_list(state, level_view().eye, ghost=ghost)


@pytest.fixture
def drawn(gl: moderngl.Context, views: Views) -> Iterator[Draw]:
    """From a draw list of BODIES to pixels."""
    renderer, texture = Renderer(gl), RenderTexture(gl, SIZE)
    model, _ = views(BODIES)

    def draw(scene: DrawList) -> np.ndarray:
        renderer.draw(model, scene, level_view(), texture.framebuffer, (0, 0, *SIZE))
        assert gl.error == "GL_NO_ERROR"
        return texture.pixels().astype(int)

    draw.renderer = renderer  # type: ignore[attr-defined]
    yield draw
    texture.release()
    renderer.release()


def test_only_what_is_elsewhere(views: Views) -> None:
    """Neither geoms of the world nor those at the same pose are doubled; there are no shadows and no textures."""
    model, state = views(BODIES)
    assert listed(model, state, None).ghost == ()
    assert listed(model, state, Ghost(state, ORANGE)).ghost == ()
    scene = listed(model, state, Ghost(moved(state, (0.5, 0, 0)), ORANGE))
    (batch,) = scene.ghost
    assert (batch.shape, batch.texture, batch.casts_shadow) == ("sphere", NO_TEXTURE, False)
    assert np.allclose(batch.instances[:, POSITION], [(0.5, 0, 0)])
    assert len(scene.casters) == 3
    # a geom of the world that an edit has moved stays where it is
    assert listed(model, state, Ghost(moved(state, (0.5, 0, 0), geom=0), ORANGE)).ghost == ()


def test_mocap_bodies_move(views: Views) -> None:
    """They have no joints, and yet they are no part of the world."""
    model, state = views(world("<body mocap='true'><geom size='.1'/><body><geom size='.1'/></body></body>"))
    scene = listed(model, state, Ghost(moved(state, (0.5, 0, 0)), ORANGE))
    assert [len(batch.instances) for batch in scene.ghost] == [1]


def test_divergence_is_left_out(views: Views) -> None:
    """Parts that are nowhere are not drawn; the others are."""
    model, state = views(BODIES)
    there = moved(moved(state, (np.nan, 0, 0)), (0.2, 0, 0), geom=1)
    scene = listed(model, state, Ghost(there, ORANGE))
    assert [batch.instances[0, POSITION][0] for batch in scene.ghost] == pytest.approx([0.2])


def test_tendons(views: Views) -> None:
    """They follow the ghost, in its colour."""
    body = world(
        "<site name='a' pos='0 0 1'/><body name='b'><freejoint/><geom size='.1'/><site name='s' pos='0 0 .2'/></body>"
    )
    body += "<tendon><spatial width='.02' rgba='1 0 0 1'><site site='a'/><site site='s'/></spatial></tendon>"
    model, state = views(body)
    path = state.wrap_xpos.copy()
    path.reshape(-1, 3)[1] += (0.3, 0, 0)
    scene = listed(model, state, Ghost(StateView({**vars(state), "wrap_xpos": path}), ORANGE))
    (batch,) = scene.ghost
    assert batch.shape == "capsule" and batch.instances[0, POSITION][0] == pytest.approx(0.15)
    assert batch.instances[0, ALPHA] == pytest.approx(OPACITY)


def test_colours() -> None:
    """Near the branch's colour, whatever the geom's; one that cannot be seen stays invisible."""
    rows = np.zeros((2, 32), np.float32)
    rows[:, COLOUR] = (0, 0, 1, 1), (1, 1, 1, 0)
    painted = as_ghost(rows, ORANGE)
    assert np.abs(painted[:, COLOUR][:, :3] - ORANGE).max() < 0.25
    assert painted[:, ALPHA] == pytest.approx([OPACITY, 0])
    assert (rows[0, COLOUR] == (0, 0, 1, 1)).all(), "the rows of the model are not its own"


def test_picture(drawn: Draw, views: Views) -> None:
    """The ghost is where it should be, one translucent layer, behind what is in front of it."""
    model, state = views(BODIES)
    plain = drawn(listed(model, state, None))
    beside = drawn(listed(model, state, Ghost(moved(state, (0.6, 0, 0)), ORANGE)))
    rows, columns = np.nonzero(np.abs(beside - plain).max(axis=2) > 8)
    pixels_per_metre = SIZE[1] / 2 / (3 * np.tan(np.radians(22.5)))
    assert columns.mean() == pytest.approx(SIZE[0] / 2 + 0.6 * pixels_per_metre, abs=2)
    assert rows.mean() == pytest.approx(SIZE[1] / 2, abs=2)
    red, _, blue = beside[60, SIZE[0] // 2 + round(0.6 * pixels_per_metre)]
    assert red > blue + 40
    # two balls at one place are one layer: the nearer surface is what one sees
    twice = moved(moved(state, (0.6, 0, 0)), (0.6, 0, -0.6), geom=1)
    inside = drawn(listed(model, state, Ghost(twice, ORANGE)))
    assert np.abs(inside - beside).max() <= 2
    hidden = drawn(listed(model, state, Ghost(moved(state, (0, 2, 0)), ORANGE)))
    middle = slice(55, 65), slice(75, 85)
    assert (hidden[middle] == plain[middle]).all()


@pytest.mark.parametrize("by", [0.0, 1e-7, 1e-5])
def test_no_flicker_where_it_coincides(drawn: Draw, views: Views, by: float) -> None:
    """A ghost that all but coincides with the model is behind it: not one pixel of it is seen."""
    model, state = views(BODIES)
    plain = drawn(listed(model, state, None))
    for direction in np.eye(3).tolist() + (-np.eye(3)).tolist():
        there = moved(state, tuple(by * x for x in direction))
        assert (drawn(listed(model, state, Ghost(there, ORANGE))) == plain).all()


def test_no_shadow(gl: moderngl.Context, views: Views) -> None:
    """Below the ghost the floor is as bright as elsewhere."""
    model, state = views(world("<light pos='0 0 5' dir='0 0 -1' castshadow='true'/><geom type='plane' size='2 2 .1'/>"
                               "<body pos='0 0 .3'><freejoint/><geom size='.2'/></body>"))  # fmt: skip
    renderer, texture, camera = Renderer(gl), RenderTexture(gl, SIZE), OrbitCamera(np.zeros(3), 4.0, 90.0, -30.0)
    view = View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)
    ghost = Ghost(moved(state, (1.0, 0, 0)), ORANGE)
    made = []
    for shown in (None, ghost):
        scene = Scene(model, VisualOptions()).draw_list(state, view.eye, ghost=shown)
        renderer.draw(model, scene, view, texture.framebuffer, (0, 0, *SIZE))
        made.append(texture.pixels().astype(int))
    changed = np.argwhere(np.abs(made[1] - made[0]).max(axis=2) > 2)
    # a ball of this size at that place; its shadow would be lower
    assert len(changed) and np.ptp(changed, axis=0).max() < 20
    texture.release()
    renderer.release()


def test_picking_ignores_it(drawn: Draw, views: Views) -> None:
    """What is drawn as a ghost is not there."""
    model, state = views(BODIES)
    scene = listed(model, state, Ghost(moved(state, (0.6, 0, 0)), ORANGE))
    renderer: Renderer = drawn.renderer  # type: ignore[attr-defined]
    x = 0.6 / (3 * np.tan(np.radians(22.5))) / (SIZE[0] / SIZE[1])
    assert renderer.pick(model, scene, level_view(), SIZE[0] / SIZE[1], x, 0.0) is None
    assert renderer.pick(model, scene, level_view(), SIZE[0] / SIZE[1], 0.0, 0.0) is not None


def test_viewport(gl: moderngl.Context, views: Views) -> None:
    """The window draws the snapshot's ghost in the colour of its branch, and none while no branch is a ghost."""
    model, state = views(BODIES)
    there = moved(state, (0.6, 0, 0))
    viewport, view = Viewport(gl), ViewState()
    view.camera = OrbitCamera(np.zeros(3), 3.0, 90.0, 0.0)

    def picture(timeline: Timeline, ghost: StateView | None) -> np.ndarray:
        snapshot = Snapshot(1, RunState(history=timeline), model, state, ghost=ghost)
        return viewport.image(snapshot, view, (), SIZE).astype(int)

    branches = (BranchView(0), BranchView(5, 0, 3, 9, colour=10))
    plain = picture(Timeline(branches), None)
    assert (picture(Timeline(branches), there) == plain).all()
    green = picture(Timeline(branches, ghost=5), there) - plain
    at = np.unravel_index(np.abs(green).sum(axis=2).argmax(), SIZE[::-1])
    assert green[at].argmax() == 1, "colour 10 is colour 2, a green"
    viewport.release()
