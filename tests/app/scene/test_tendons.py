"""Tendons, contacts and forces: where they are drawn, and that forces are those of the step."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from app.model.views import ModelView, StateView
from app.run.snapshot import view_model, view_state
from app.scene.instances import COLOUR, POSITION, ROTATION, SHAPE, along
from app.scene.scene import DrawList, Scene
from app.scene.tendons import catenary, tendon_segments
from app.scene.visual_options import VisualOptions
from sim.script.contact_force import contact_forces
from tests.app.conftest import Views
from tests.sim.infinite_ranges import INFINITE

EYE = np.array([0.0, -3.0, 1.0])


def after(body: str, steps: int) -> tuple[ModelView, StateView]:
    """A model some steps later."""
    import sim

    model: Any = sim.loads(f"<mujoco>{body}</mujoco>")
    data = sim.Data(model)
    sim.step(model, data, steps)
    return view_model(model), view_state(data)


def overlay(views: tuple[ModelView, StateView], **options: Any) -> DrawList:
    """What is drawn with some options."""
    return Scene(views[0], VisualOptions(**options)).draw_list(views[1], EYE)


@pytest.mark.parametrize("direction", [(0, 0, 1), (0, 0, -2), (1, 0, 0), (1, 2, -3), (0, 0, 0)])
def test_rotation_along_a_direction(direction: tuple[float, ...]) -> None:
    (turn,) = along(np.array([direction], float))
    assert np.allclose(turn.T @ turn, np.eye(3))
    assert np.linalg.det(turn) == pytest.approx(1)
    if any(direction):
        assert np.allclose(turn[:, 2], np.array(direction) / np.linalg.norm(direction))


# ---- tendons ----

STRAIGHT = """<worldbody><site name="a" pos="-1 0 1"/><site name="b" pos="1 0 1"/><site name="c" pos="1 2 1"/>
</worldbody>
<tendon><spatial width=".02" rgba="1 0 0 1"><site site="a"/><site site="b"/><pulley divisor="2"/>
<site site="b"/><site site="c"/></spatial></tendon>"""


def test_straight_tendon(views: Views) -> None:
    model, state = views(STRAIGHT)
    scene = Scene(model, VisualOptions(site_group=[False] * 6)).draw_list(state, EYE)
    (batch,) = scene.opaque
    assert batch.shape == "capsule"
    assert np.allclose(batch.instances[:, POSITION], [(0, 0, 1), (1, 1, 1)])
    assert np.allclose(batch.instances[:, SHAPE], (0.02, 0.02, 0.02, 1.0))
    assert np.allclose(batch.instances[:, COLOUR], (1, 0, 0, 1))
    assert np.allclose(np.abs(batch.instances[:, ROTATION].reshape(-1, 3, 3)[:, :, 2]), [(1, 0, 0), (0, 1, 0)])
    for options in ({"tendon": False}, {"tendon_group": [False] * 6}):
        assert not Scene(model, VisualOptions(site_group=[False] * 6, **options)).draw_list(state, EYE).opaque  # type: ignore[arg-type]


WRAPPED = """<worldbody><geom name="g" {geom} pos="0 0 1" contype="0" conaffinity="0"/>
<site name="a" pos="-.5 .02 .2"/><site name="b" pos=".5 -.05 .3"/><site name="s" pos="0 0 1.6"/></worldbody>
<tendon><spatial><site site="a"/><geom geom="g" sidesite="s"/><site site="b"/></spatial></tendon>"""


@pytest.mark.parametrize(("geom", "axes"), [
    ("type='sphere' size='.3'", (0, 1, 2)), ("type='cylinder' size='.3 .5' euler='90 0 0'", (0, 2)),
])  # fmt: skip
def test_wrapped_tendon_lies_on_the_surface(views: Views, geom: str, axes: tuple[int, ...]) -> None:
    model, state = views(WRAPPED.format(geom=geom))
    rods = tendon_segments(model, state)
    assert len(rods.start) > 10
    ends = np.vstack([rods.start, rods.end]) - (0, 0, 1)
    on_surface = np.linalg.norm(ends[:, list(axes)], axis=1)
    outside = (np.abs(on_surface - 0.3) > 1e-6).sum()
    # all but the two sites
    assert outside == 2
    # over the top, and as long as the engine says: chords are a little shorter than arcs
    assert ends[:, 2].max() > 0.29
    theirs = mujoco.MjModel.from_xml_string(f"<mujoco>{WRAPPED.format(geom=geom)}</mujoco>")
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    assert np.linalg.norm(rods.end - rods.start, axis=1).sum() == pytest.approx(data.ten_length[0], rel=3e-3)


def test_an_endless_tendon_is_drawn_taut(views: Views) -> None:
    model, state = views(INFINITE.removeprefix("<mujoco>").removesuffix("</mujoco>"))
    rods = tendon_segments(model, state)
    assert np.allclose(np.vstack([rods.start, rods.end]), state.site_xpos)


STRING = """<option gravity="{gravity}"/><worldbody><site name="a" pos="0 0 1"/><site name="b" pos="{end}"/></worldbody>
<tendon><spatial {held}><site site="a"/><site site="b"/></spatial></tendon>"""


def their_tendon(body: str) -> np.ndarray:
    """The points between which MuJoCo draws a tendon."""
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{body}</mujoco>")
    data, scene = mujoco.MjData(model), mujoco.MjvScene(model, 200)
    mujoco.mj_forward(model, data)
    every = mujoco.mjtCatBit.mjCAT_ALL
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), every, scene)
    rods = [geom for geom in scene.geoms[: scene.ngeom] if geom.objtype == mujoco.mjtObj.mjOBJ_TENDON]
    halves = [geom.mat[:, 2] * geom.size[2] for geom in rods]
    ends = [geom.pos + half for geom, half in zip(rods, halves, strict=True)]
    return np.array([rods[0].pos - halves[0], *ends], float)


@pytest.mark.parametrize("held", [
    "range='0 2'", "range='.1 2'", "limited='false' range='0 2'", "range='0 1'", "range='0 2' damping='1'",
    "range='0 2' damping='0 2'", "range='0 2' frictionloss='1'", "range='0 2' armature='.1'",
    "stiffness='9' springlength='0 2'", "stiffness='9' springlength='2'", "stiffness='9' springlength='.1 2'",
    "springlength='0 2'", "stiffness='9' range='0 2'", "stiffness='9' springlength='0 2' range='0 3'",
    "stiffness='0 5' springlength='0 2'", "stiffness='0 5' range='0 2'", "stiffness='9' springlength='0 2' damping='1'",
])  # fmt: skip
def test_the_same_tendons_hang(views: Views, held: str) -> None:
    body = STRING.format(gravity="0 0 -9.81", end="1 0 1.5", held=held)
    assert (len(tendon_segments(*views(body)).start) > 1) == (len(their_tendon(body)) > 2)


@pytest.mark.parametrize("gravity", ["0 0 -9.81", "3 1 -1", "0 0 0", "0 0 9.81"])
@pytest.mark.parametrize("end", ["1 0 1.5", "0 -1.2 0", "1.99 0 1", "1.9999 0 1", "2 0 1", "2.1 0 1", "-.3 .4 .2"])
def test_a_slack_string_hangs_as_in_mujoco(views: Views, gravity: str, end: str) -> None:
    body = STRING.format(gravity=gravity, end=end, held="range='0 2'")
    rods, theirs = tendon_segments(*views(body)), their_tendon(body)
    assert np.allclose(rods.start[0], theirs[0], atol=1e-6)
    assert np.allclose(rods.end[-1], theirs[-1], atol=1e-6)
    assert np.array_equal(rods.start[1:], rods.end[:-1])
    assert (len(rods.start) > 1) == (len(theirs) > 2)
    if len(rods.start) > 1:
        assert np.linalg.norm(rods.end - rods.start, axis=1).sum() == pytest.approx(2, rel=2e-3)
        # in pieces so small that chords are arcs, it goes through all of their points
        up = -np.array([float(x) for x in gravity.split()])
        (fine,) = catenary(theirs[:1], theirs[-1:], up, np.array([2.0]), 5000)
        away = np.linalg.norm(fine[None] - theirs[:, None], axis=2).min(axis=1)
        assert away.max() < 3e-4


@pytest.mark.parametrize("aside", [0.0, 1e-9, 1e-4, 1e-2])
def test_a_string_between_points_above_each_other_hangs_down_and_up_again(views: Views, aside: float) -> None:
    body = STRING.format(gravity="0 0 -9.81", end=f"{aside} 0 1.5", held="range='0 2'")
    rods, theirs = tendon_segments(*views(body)), their_tendon(body)
    assert len(theirs) == 3
    assert rods.end[:, 2].min() == pytest.approx(theirs[1, 2], abs=aside + 1e-6)
    assert np.isfinite(rods.end).all()
    assert (rods.end[:, 0] <= aside + 1e-8).all()


# ---- contacts ----

FALLING = """<option cone="{cone}" timestep=".002"/><worldbody><geom type="plane" size="0 0 1" condim="1"/>
<body pos="0 0 .099" euler="3 2 0"><freejoint/><geom type="box" size=".2 .15 .1" condim="{condim}"/></body>
<body pos="0 0 .249"><freejoint/><geom size=".05" condim="{condim}"/></body></worldbody>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_forces_are_those_of_the_step(cone: str, condim: int) -> None:
    body = FALLING.format(cone=cone, condim=condim)
    _, state = after(body, 30)
    theirs = mujoco.MjModel.from_xml_string(f"<mujoco>{body}</mujoco>")
    data = mujoco.MjData(theirs)
    mujoco.mj_step(theirs, data, 30)
    assert len(state.contact.dim) == data.ncon > 0
    forces, expected = contact_forces(state), np.zeros(6)
    for c in range(data.ncon):
        mujoco.mj_contactForce(theirs, data, c, expected)
        assert np.allclose(forces[c], expected, atol=1e-4 * max(1.0, np.abs(expected).max()))


RESTING = """<worldbody>{first}<body pos="0 0 .0999"><freejoint/><geom size=".1" density="{density}"/></body>
{second}</worldbody>"""
FLOOR = "<geom type='plane' size='0 0 1'/>"


def test_nothing_unless_asked_for() -> None:
    assert overlay(after(RESTING.format(first=FLOOR, second="", density=1000), 5)).overlay == ()


def test_contact_is_a_disc_across_the_normal() -> None:
    (disc,) = overlay(after(RESTING.format(first=FLOOR, second="", density=1000), 5), contact_point=True).overlay
    row = disc.instances[0]
    assert disc.shape == "cylinder"
    assert np.allclose(row[POSITION], (0, 0, 0), atol=1e-3)
    assert np.allclose(np.abs(row[ROTATION].reshape(3, 3)[:, 2]), (0, 0, 1), atol=1e-6)
    assert row[SHAPE][2] < 0.5 * row[SHAPE][0]


@pytest.mark.parametrize("density", [1.0, 1000.0])
def test_weight_is_an_upward_arrow_of_visible_length(density: float) -> None:
    views = after(RESTING.format(first=FLOOR, second="", density=density), 1000)
    shaft, head = overlay(views, contact_force=True).overlay
    assert (shaft.shape, head.shape) == ("cylinder", "cone")
    up = head.instances[0, ROTATION].reshape(3, 3)[:, 2]
    assert np.allclose(up, (0, 0, 1), atol=1e-2)
    tip = head.instances[0, POSITION][2] + head.instances[0, SHAPE][2]
    assert tip == pytest.approx(2 * float(views[0].stat.meansize), rel=0.05)
    short = overlay(views, contact_force=True, force_scale=0.5).overlay[1].instances[0, POSITION][2]
    assert short < 0.7 * head.instances[0, POSITION][2]


def test_no_arrow_is_longer_than_the_model() -> None:
    views = after(RESTING.format(first=FLOOR, second="", density=1000), 200)
    _, head = overlay(views, contact_force=True, force_scale=100.0).overlay
    tip = head.instances[0, POSITION][2] + head.instances[0, SHAPE][2]
    assert tip <= float(views[0].stat.extent) + 1e-3


def test_exploded_contacts_are_left_out() -> None:
    model, state = after(RESTING.format(first=FLOOR, second="", density=1000), 5)
    broken = type(state)({**vars(state), "contact": _with(state.contact, pos=np.full((1, 3), np.nan))})
    scene = Scene(model, VisualOptions(contact_point=True, contact_force=True)).draw_list(broken, EYE)
    assert all(np.isfinite(batch.instances).all() for batch in scene.overlay)


def _with(group: Any, **changes: Any) -> Any:
    return type(group)({**vars(group), **changes})
