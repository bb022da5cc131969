"""Decorations: where they are, how large, in which colour. MuJoCo's abstract scene is the oracle where it has them."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from imgui_bundle import imgui

from app.model.views import ModelView, StateView
from app.run.snapshot import view_model, view_state
from app.scene.camera import OrbitCamera, View
from app.scene.contacts import friction_cones
from app.scene.decor import overlay
from app.scene.decor.frames import AXES
from app.scene.decor.islands import indexed_colours, island_colours
from app.scene.instances import COLOUR, POSITION, ROTATION, SHAPE, Batch
from app.scene.labels import MAKERS, labels
from app.scene.scene import Scene
from app.scene.visual_options import FRAMES, LABELS, VisualOptions
from app.view.rect import Rect
from app.window.overlays.view.marks import draw_labels
from sim.analysis.contact_state import SLIPS, friction_utilization
from sim.script.contact_force import contact_forces
from tests.app.gui_driver import Gui

MACHINE = """<worldbody><geom type="plane" size="1 1 .1"/><light pos="0 0 2"/>
<camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 .5 1"/>
<body name="a" pos="0 0 1"><joint name="h" axis="0 1 0" pos=".1 0 0"/><geom name="box" type="box" size=".1 .2 .3"/>
 <site name="s" pos=".1 0 -.3" euler="180 0 0"/>
 <body name="b" pos="0 0 -.5"><joint name="slide" type="slide" axis="1 0 0"/><geom type="capsule" size=".05 .2"/>
  <body name="e" pos=".3 0 0"><joint name="ball" type="ball"/><geom size=".1" mass="3"/></body></body></body>
<body name="f" pos="1 0 .5"><freejoint/><geom size=".1"/><site name="t"/></body></worldbody>
<equality><connect body1="f" body2="a" anchor="0 0 .1"/><weld body1="f" body2="b"/></equality>
<actuator><motor name="m" joint="h" ctrlrange="-2 2" ctrllimited="true"/><position joint="slide"/>
<motor joint="ball" gear="1 0 0"/></actuator>"""
CONTROLS = (1.0, -0.5, 0.3)

Views = tuple[ModelView, StateView]


@pytest.fixture(scope="module")
def machine() -> Views:
    """A model with one of everything, driven a little."""
    import sim

    model: Any = sim.loads(f"<mujoco>{MACHINE}</mujoco>")
    data = sim.Data(model)
    data.ctrl[:] = CONTROLS
    sim.forward(model, data)
    return view_model(model), view_state(data)


@pytest.fixture(scope="module")
def theirs() -> tuple[Any, Any]:
    """The same in MuJoCo."""
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{MACHINE}</mujoco>")
    data = mujoco.MjData(model)
    data.ctrl[:] = CONTROLS
    mujoco.mj_forward(model, data)
    return model, data


def decorations(views: Views, **options: Any) -> list[Batch]:
    """What is laid over the picture, but for rangefinders."""
    return list(overlay(*views, VisualOptions(**{"rangefinder": False, **options})))


def their_geoms(theirs: tuple[Any, Any], flag: str) -> list[Any]:
    """The geoms that MuJoCo draws for one flag."""
    model, data = theirs
    option, scene = mujoco.MjvOption(), mujoco.MjvScene(model, 100)
    option.flags[:], option.geomgroup[:], option.sitegroup[:] = 0, 0, 0
    for name in (flag, "STATIC"):
        option.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{name}")] = 1
    camera, hand = mujoco.MjvCamera(), mujoco.MjvPerturb()
    mujoco.mjv_updateScene(model, data, option, hand, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    return [scene.geoms[i] for i in range(scene.ngeom)]


def sorted_rows(rows: Any) -> Any:
    """Rows in an order of their own."""
    rows = np.round(np.asarray(rows, float), 4)
    return rows[np.lexsort(rows.T)]


def test_nothing_unless_asked_for(machine: Views) -> None:
    assert decorations(machine) == []


@pytest.mark.parametrize("ellipsoid", [0, 1])
@pytest.mark.parametrize("scaled", [False, True])
def test_inertia_has_the_size_of_mujoco(theirs: tuple[Any, Any], ellipsoid: int, scaled: bool) -> None:
    import sim

    model: Any = sim.loads(f"<mujoco>{MACHINE}</mujoco>")
    data = sim.Data(model)
    sim.place(model, data)
    model.vis.global_.ellipsoidinertia = theirs[0].vis.global_.ellipsoidinertia = ellipsoid
    (batch,) = decorations((view_model(model), view_state(data)), inertia=True, scale_inertia=scaled)
    assert batch.shape == ("sphere" if ellipsoid else "box")
    if not scaled:
        geoms = their_geoms(theirs, "INERTIA")
        assert np.allclose(
            sorted_rows(batch.instances[:, SHAPE][:, :3]), sorted_rows([g.size for g in geoms]), atol=2e-4
        )
        assert np.allclose(sorted_rows(batch.instances[:, POSITION]), sorted_rows([g.pos for g in geoms]), atol=2e-4)
    else:
        # three kilograms of water
        volume = batch.instances[2, SHAPE][:3].prod() * (4 / 3 * np.pi if ellipsoid else 8)
        assert volume == pytest.approx(3e-3, rel=1e-3)


def test_centres_of_mass(machine: Views, theirs: tuple[Any, Any]) -> None:
    (batch,) = decorations(machine, com=True)
    geoms = their_geoms(theirs, "COM")
    assert np.allclose(sorted_rows(batch.instances[:, POSITION]), sorted_rows([g.pos for g in geoms]), atol=2e-4)
    assert batch.instances[0, SHAPE][0] == pytest.approx(geoms[0].size[0], rel=1e-5)


def test_joints(machine: Views, theirs: tuple[Any, Any]) -> None:
    batches = decorations(machine, joint=True)
    geoms = {g.objid: g for g in their_geoms(theirs, "JOINT")}
    shapes = [batch.shape for batch in batches]
    assert sorted(shapes) == ["box", "cone", "cone", "cylinder", "cylinder", "sphere"]
    for shape, joint in (("sphere", 2), ("box", 3)):
        row = batches[shapes.index(shape)].instances[0]
        assert np.allclose(row[POSITION], geoms[joint].pos, atol=1e-5)
        assert row[SHAPE][0] == pytest.approx(geoms[joint].size[0], rel=1e-5)
    # the hinge's arrow goes from its anchor along its axis, the slide's to both sides
    shafts = np.concatenate([batch.instances for batch in batches if batch.shape == "cylinder"])
    tips = [batch.instances for batch in batches if batch.shape == "cone"]
    assert np.allclose(shafts[0, ROTATION].reshape(3, 3)[:, 2], (0, 1, 0), atol=1e-6)
    assert tips[0][0, POSITION][1] + tips[0][0, SHAPE][2] == pytest.approx(float(geoms[0].size[2]), rel=1e-5)
    assert np.allclose(tips[1][:, POSITION].mean(axis=0), geoms[1].pos, atol=1e-5)
    assert not decorations(machine, joint=True, joint_group=[False] * 6)


def test_actuators_have_the_colour_of_their_drive(machine: Views, theirs: tuple[Any, Any]) -> None:
    rows = np.concatenate([batch.instances for batch in decorations(machine, actuator=True)])
    ours = np.unique(np.round(rows[:, COLOUR], 2), axis=0)
    expected = np.unique(np.round([g.rgba for g in their_geoms(theirs, "ACTUATOR")], 2), axis=0)
    assert np.allclose(ours, expected, atol=0.011)


def test_equalities(machine: Views, theirs: tuple[Any, Any]) -> None:
    balls, _ = decorations(machine, constraint=True)
    geoms = their_geoms(theirs, "CONSTRAINT")
    assert np.allclose(sorted_rows(balls.instances[:, POSITION]), sorted_rows([g.pos for g in geoms]), atol=2e-4)
    assert balls.instances[0, SHAPE][0] == pytest.approx(geoms[0].size[0], rel=1e-5)


EQUALITIES = """<worldbody><site name="hook" pos="0 0 2"/>
<body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" pos=".1 0 0"/><geom name="a" size=".1" pos="0 0 .2"/>
  <site name="a"/></body>
<body name="b" pos="1 0 1"><joint name="k" axis="0 0 1"/><geom name="b" size=".1"/><site name="b"/></body></worldbody>
<tendon><spatial name="s" width=".01"><site site="hook"/><site site="a"/></spatial>
  <fixed name="f"><joint joint="k" coef="2"/></fixed></tendon>
<equality>%s</equality>"""


@pytest.mark.parametrize(
    ("text", "balls", "rods"),
    [
        ('<distance geom1="a" geom2="b" distance=".8"/>', [(0, 0, 1.2), (1, 0, 1)], [(0.5, 0, 1.1)]),
        # a rod between the two, and a pin along each axis
        ('<joint joint1="j" joint2="k"/>', [(0.1, 0, 1), (1, 0, 1)], [(0.55, 0, 1), (0.1, 0, 1), (1, 0, 1)]),
        ('<joint joint1="j"/>', [(0.1, 0, 1)], [(0.1, 0, 1)]),
        # the path of a tendon, and the joint of one that has no path
        ('<tendon tendon1="s" tendon2="f"/>', [(0, 0, 1.5), (1, 0, 1)], [(0.5, 0, 1.25), (0, 0, 1.5)]),
        ('<tendon tendon1="s"/>', [(0, 0, 1.5)], [(0, 0, 1.5)]),
        ('<distance geom1="a" geom2="b" distance=".8" active="false"/>', [], []),
    ],
)
def test_every_kind_of_equality_is_drawn(text: str, balls: list[Any], rods: list[Any]) -> None:
    import sim

    model: Any = sim.loads(f"<mujoco>{EQUALITIES % text}</mujoco>")
    data = sim.Data(model)
    sim.place(model, data)
    views = view_model(model), view_state(data)
    batches = decorations(views, constraint=True)
    shown = [batch.instances[:, POSITION] for batch in batches]
    assert len(shown) == (2 if balls else 0)
    for places, wanted in zip(shown, (balls, rods), strict=False):
        assert np.allclose(places, wanted, atol=1e-6)
    # and has a place for its name
    if balls:
        made = labels(*views, VisualOptions(label="constraint"))
        assert np.allclose(made[0][0], balls[0], atol=1e-6)


def test_body_boxes(machine: Views, theirs: tuple[Any, Any]) -> None:
    (edges,) = decorations(machine, body_bvh=True, bvh_depth=0)
    boxes = [g for g in their_geoms(theirs, "BODYBVH") if g.size[0] < 1e3]
    assert len(edges.instances) == 12 * len(boxes)
    lengths = np.unique(np.round(edges.instances[:, SHAPE][:, 3], 3))
    assert np.allclose(lengths, np.unique(np.round([g.size for g in boxes], 3)), atol=2e-3)


def test_connections_reach_from_body_to_body(machine: Views) -> None:
    (rods,) = decorations(machine, auto_connect=True)
    middles = rods.instances[:, POSITION]
    assert any(np.allclose(middle, (0.15, 0, 0.5), atol=1e-4) for middle in middles)


def test_outside_forces(machine: Views) -> None:
    model, state = machine
    pushed = np.zeros((model.nbody, 6))
    pushed[4, 2] = 20.0
    shaft, head = decorations((model, StateView({**vars(state), "xfrc_applied": pushed})), perturb_force=True)
    assert np.allclose(shaft.instances[0, POSITION][:2], (1, 0), atol=1e-5)
    assert head.instances[0, POSITION][2] > shaft.instances[0, POSITION][2] > 0.5


def test_cameras_and_lights(machine: Views) -> None:
    body, frustum, lamp = decorations(machine, camera=True, light=True)
    assert np.linalg.norm(body.instances[0, POSITION] - (0, -2, 1)) < 0.2
    assert len(frustum.instances) == 8
    assert np.allclose(lamp.instances[0, POSITION], (0, 0, 2), atol=1e-6)


@pytest.mark.parametrize("kind", FRAMES[1:])
def test_frames(machine: Views, kind: str) -> None:
    model, _ = machine
    count = {"body": model.nbody - 1, "geom": model.ngeom, "site": 2, "camera": 1, "light": 1, "contact": 0, "world": 1}
    batches = decorations(machine, frame=kind)
    assert sum(len(batch.instances) for batch in batches if batch.shape == "cone") == 3 * count[kind]
    for batch in batches:
        axes = batch.instances[:3, ROTATION].reshape(3, 3, 3)[:, :, 2]
        assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-5)
        assert np.allclose(batch.instances[:3, COLOUR], AXES, atol=1e-6)


@pytest.mark.parametrize("kind", ["geom", "site", "joint"])
def test_hidden_groups_have_neither_frame_nor_label(kind: str) -> None:
    import sim

    parts = {"geom": "<geom {} size='.1'/>", "site": "<site {}/>", "joint": "<joint {}/>"}
    named = "".join(
        parts[kind].format(f"name='{name}' group='{group}'") for name, group in (("seen", 1), ("unseen", 4))
    )
    model: Any = sim.loads(f"<mujoco><worldbody><body><geom size='.1' group='5'/>{named}</body></worldbody></mujoco>")
    data = sim.Data(model)
    sim.place(model, data)
    both = view_model(model), view_state(data)
    assert [text for _, text in labels(*both, VisualOptions(label=kind))] == ["seen"]
    if kind in FRAMES:
        assert [len(batch.instances) for batch in decorations(both, frame=kind)] == [3, 3]


# ---- contacts ----

SLOPE = """<option cone="{cone}"/><worldbody><geom type="plane" size="0 0 1" euler="0 {tilt} 0" friction=".5"/>
<body pos="0 0 .123" euler="0 {tilt} 0"><freejoint/><geom type="box" size=".1 .1 .1" friction=".5"/></body>
</worldbody>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize(("tilt", "slips"), [(10, False), (35, True)])
def test_stick_and_slip(cone: str, tilt: int, slips: bool) -> None:
    import sim

    model: Any = sim.loads(f"<mujoco>{SLOPE.format(cone=cone, tilt=tilt)}</mujoco>")
    data = sim.Data(model)
    sim.step(model, data, 100)
    # it may leave the ground for a moment
    for _ in range(100):
        sim.step(model, data, 1)
        constants, state = view_model(model), view_state(data)
        used = friction_utilization(state)
        carried = used[~np.isnan(used)]
        if len(carried):
            break
    assert len(carried)
    assert (carried <= 1.01).all()
    assert bool((carried > SLIPS).all()) == slips
    (discs,) = decorations((constants, state), contact_point=True, contact_state=True)
    assert len(discs.instances) == data.ncon
    cones = decorations((constants, state), friction_cone=True)
    assert [batch.shape for batch in cones] == ["pyramid" if cone == "pyramidal" else "cone"]
    # the tip touches the contact, the base is friction times height wide
    row = cones[0].instances[0]
    tip = row[POSITION] + row[ROTATION].reshape(3, 3)[:, 2] * row[SHAPE][2]
    assert np.abs(state.contact.pos - tip).max(axis=1).min() < 1e-4
    assert row[SHAPE][0] == pytest.approx(0.5 * 2 * row[SHAPE][2], rel=1e-4)


def test_adhesion_lets_contacts_stick() -> None:
    """On a steep slope with glue: what presses the surfaces together is more than what carries the box."""
    import sim

    glue = SLOPE.format(cone="elliptic", tilt=35).replace(
        'friction=".5"/></body>', 'friction=".5" adhesion="40"/></body>'
    )
    model: Any = sim.loads(f"<mujoco>{glue}</mujoco>")
    data = sim.Data(model)
    sim.step(model, data, 500)
    state = view_state(data)
    normal = contact_forces(state)[:, 0].sum()
    assert normal == pytest.approx(9.81 * model.body_mass[1] * np.cos(np.radians(35)), rel=1e-2)
    used = friction_utilization(state)
    assert (used > 0).all()
    assert (used < SLIPS).all()


@pytest.mark.parametrize(("before", "after"), [("elliptic", 0), ("pyramidal", 1)])
def test_a_new_cone_leaves_forces_that_were_computed_with_the_old_one(before: str, after: int) -> None:
    """The user may change the cone at any time; until the next step the rows are those of the one before."""
    import sim

    model: Any = sim.loads(f"<mujoco>{SLOPE.format(cone=before, tilt=10)}</mujoco>")
    data = sim.Data(model)
    sim.step(model, data, 300)
    state = view_state(data)
    model.opt.cone = after
    weight = 9.81 * model.body_mass[1]
    assert contact_forces(state)[:, 0].sum() == pytest.approx(weight * np.cos(np.radians(10)), rel=1e-2)
    cones = friction_cones(view_model(model), state, VisualOptions())
    assert cones[0].shape == ("pyramid" if before == "pyramidal" else "cone")


def test_split_forces_add_up() -> None:
    import sim

    model: Any = sim.loads(f"<mujoco>{SLOPE.format(cone='elliptic', tilt=20)}</mujoco>")
    data = sim.Data(model)
    sim.step(model, data, 150)
    views = view_model(model), view_state(data)

    def ends(**options: Any) -> Any:
        heads = [
            batch.instances for batch in decorations(views, contact_force=True, **options) if batch.shape == "cone"
        ]
        return [h[:, POSITION] + h[:, ROTATION].reshape(-1, 3, 3)[:, :, 2] * h[:, SHAPE][:, 2:3] for h in heads]

    (whole,) = ends()
    normal, friction = ends(contact_split=True)
    start = np.asarray(data.contact.pos)[: len(whole)]
    assert np.allclose(normal - start + friction - start, whole - start, atol=1e-4)
    assert np.allclose(np.sum((normal - start) * (friction - start), axis=1), 0, atol=1e-6)


# ---- islands, skins, labels ----


def test_islands_are_told_apart(machine: Views) -> None:
    model, state = machine
    trees = int(np.asarray(model.body_treeid).max()) + 1
    awake = StateView({**vars(state), "tree_island": np.arange(trees), "nisland": trees})
    colours = island_colours(model, awake)
    assert np.abs(colours[1] - colours[4]).max() > 0.15
    asleep = StateView({**vars(awake), "tree_asleep": np.arange(trees), "tree_island": np.full(trees, -1)})
    grey = island_colours(model, asleep)
    assert (grey[1:].max(axis=1) < colours[1:].max(axis=1)).all()
    assert (np.ptp(grey[1:], axis=1) < np.ptp(colours[1:], axis=1)).all()
    scene = Scene(model, VisualOptions(island=True)).draw_list(awake, np.array([0.0, -3, 1]))
    drawn = np.concatenate([batch.instances for batch in scene.opaque])[:, COLOUR][:, :3]
    assert all(np.abs(drawn - colour).max(axis=1).min() < 1e-5 for colour in (colours[1], colours[4]))


def test_first_hues_are_far_apart() -> None:
    colours = indexed_colours(np.arange(6), np.zeros(6, bool))
    distance = np.linalg.norm(colours[:, None] - colours[None], axis=2) + np.eye(6)
    assert distance.min() > 0.15


SKIN = """<worldbody><body name="l" pos="-1 0 0"><joint name="j" axis="0 1 0"/><geom size=".1" group="4"/></body>
<body name="r" pos="1 0 0"><geom size=".1" group="4"/></body></worldbody>
<deformable><skin name="s" vertex="-1 0 0 1 0 0 0 0 1" face="0 1 2" rgba="1 0 0 1">
<bone body="l" bindpos="-1 0 0" bindquat="1 0 0 0" vertid="0 2" vertweight="1 .5"/>
<bone body="r" bindpos="1 0 0" bindquat="1 0 0 0" vertid="1 2" vertweight="1 .5"/></skin></deformable>"""


def test_skin_follows_its_bones() -> None:
    import sim

    model: Any = sim.loads(f"<mujoco>{SKIN}</mujoco>")
    data = sim.Data(model)
    data.qpos[0] = np.pi / 2
    sim.place(model, data)
    theirs = mujoco.MjModel.from_xml_string(f"<mujoco>{SKIN}</mujoco>")
    their_data, scene = mujoco.MjData(theirs), mujoco.MjvScene(theirs, 100)
    their_data.qpos[0] = np.pi / 2
    mujoco.mj_forward(theirs, their_data)
    look = (mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL)
    mujoco.mjv_updateScene(theirs, their_data, *look, scene)
    views = view_model(model), view_state(data)
    drawn = Scene(views[0], VisualOptions()).draw_list(views[1], np.array([0.0, -3, 1]))
    assert [batch.shape for batch in drawn.opaque] == ["skin 0"]
    vertices = drawn.deformed["skin 0"]
    assert np.allclose(vertices[:, :3].ravel(), scene.skinvert[:9], atol=1e-5)
    assert np.allclose(np.abs(vertices[:, 3:6]), (0, 1, 0), atol=1e-5)
    assert not Scene(views[0], VisualOptions(skin=False)).draw_list(views[1], np.zeros(3)).deformed


@pytest.mark.parametrize("kind", LABELS[1:])
def test_labels(machine: Views, kind: str) -> None:
    model, state = machine
    made = {text: place for place, text in labels(model, state, VisualOptions(label=kind), selected=1)}
    assert kind in MAKERS
    places = {
        "body": ("a", (0, 0, 1)), "joint": ("h", (0.1, 0, 1)), "geom": ("box", (0, 0, 1)), "site": ("t", (1, 0, 0.5)),
        "camera": ("c", (0, -2, 1)), "light": ("light 0", (0, 0, 2)), "actuator": ("m", (0.1, 0, 1)),
        "constraint": ("weld f – b", (1, 0, 0.5)), "selection": ("a", (0, 0, 1)),
    }  # fmt: skip
    if kind in places:
        text, place = places[kind]
        assert np.allclose(made[text], place, atol=1e-5)
    assert labels(model, state, VisualOptions()) == []


def test_labels_are_written_over_the_picture(gui: Gui) -> None:
    rect, camera = Rect(100, 50, 800, 600), OrbitCamera(np.array([0.0, 0.0, 0.4]), 3.0, 90.0, 0.0)
    view = View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)

    def ink(labels: list[tuple[Any, str]]) -> Any:
        def draw() -> int:
            draw_labels(labels, view, rect)
            return int(imgui.get_background_draw_list().vtx_buffer.size())

        return gui.frame(draw)

    nothing = ink([])
    word = ink([(np.array([0.0, 0.0, 0.4]), "torso")])
    assert word >= nothing + 2 * 4 * len("torso")
    # behind the eye and far outside the picture nothing is written
    assert ink([(np.array([0.0, -9.0, 0.4]), "torso"), (np.array([50.0, 0.0, 0.4]), "torso")]) == nothing
