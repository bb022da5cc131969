"""Handles dragged without a window: the numbers they set, what stays where it is, and what the saved file says."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from app.model.placed import placed
from app.model.placing import Ray
from app.model.selection import Selection
from app.run.commands import SetData, SetField
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.live_edits import LiveEdits
from app.run.snapshot import view_model, view_state
from app.scene.camera import View
from app.scene.decor.handles import END, LIMIT, MOVE, SCREEN, SIZE, SLIDE, TURN
from app.view.joint_edits import flip, initial_pose, limit_here, zero_here
from app.view.tools import HandleDrag, Tools, handles_of
from tests.app.model.test_editable import edits_of

MODEL = """<mujoco>
<default><default class="rod"><geom type="capsule" size=".03" density="500"/></default></default>
<worldbody>
  <geom name="floor" type="plane" size="1 1 .1"/><light name="lamp" pos="0 0 2"/>
  <camera name="eye" pos="0 -2 1" euler="60 0 0"/>
  <frame pos="0 0 .2" euler="0 0 90">
    <body name="arm" pos="1 0 0" euler="0 0 30" simple="false">
      <joint name="hinge" axis="0 1 0" pos="0 0 .1" range="-40 60"/>
      <geom name="span" class="rod" fromto="0 0 0 .3 0 .1"/><geom name="box" type="box" size=".1 .1 .1" zaxis="1 0 1"/>
      <site name="tip" pos=".3 0 0" size=".02"/>
      <body name="hand" pos=".3 0 0"><joint name="slide" type="slide" axis="1 0 0" range="0 .2"/>
        <geom name="ball" size=".05"/><inertial pos="0 0 .01" mass="1" diaginertia=".01 .01 .01"/></body>
    </body>
  </frame>
  <body name="free" pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
</worldbody></mujoco>"""
# from far away, obliquely, so that no handle is seen from its side
EYE = np.array([3.0, -5.0, 4.0])


class Bench:
    """A model, its state at some displacement, and what a tool does to it."""

    def __init__(self, tmp_path: Path) -> None:
        self.path = tmp_path / "model.xml"
        self.path.write_text(MODEL)
        self.model = sim.load(self.path)
        self.data = sim.Data(self.model)
        self.data.qpos[:2] = 0.4, 0.05
        self.edits = edits_of(self.model)
        sim.forward(self.model, self.data)

    def drag(self, kind: str, name: str, tools: Tools, does: str, number: int, way: Any, **how: Any) -> None:
        """Drag a handle by a vector in the world, or about its axis by an angle in rad."""
        model, state = view_model(self.model), view_state(self.data)
        selection = Selection(kind, self.model.name2id(kind, name))
        forward = -EYE / np.linalg.norm(EYE)
        right = np.cross(forward, (0, 0, 1)) / np.linalg.norm(np.cross(forward, (0, 0, 1)))
        seen = View(EYE, np.column_stack([right, np.cross(right, forward), -forward]), 45.0, 0.01, 100.0)
        handles, length = handles_of(model, state, seen, tools, selection)
        handle = [one for one in handles if one.does == does][number]
        grabbed = handle.place
        if does == TURN:
            arm = length * (handle.zero if handle.zero is not None else np.cross(handle.axis, right))
            arm = arm - (arm @ handle.axis) * handle.axis
            grabbed = handle.place + arm
            turned = sim.rot_vec_quat(arm, sim.axis_angle_to_quat(handle.axis, way))
            way = turned - arm
        tool = how.pop("tool", None) or placed(model, state, selection)
        drag = HandleDrag.begin(handle, tool, model, state, _ray(grabbed), tools.stay)
        drag.typed = how.get("typed", "")
        assert drag.follow(state, _ray(grabbed + np.asarray(way)), how.get("steps", (0.0, 0.0)), False, how.get("spot"))
        self.do(drag.commands())

    def do(self, command: Any) -> None:
        """Make an edit of the model, or of the state."""
        if isinstance(command, SetField):
            self.edits.apply(command)
        elif isinstance(command, SetData):
            field = self.data.read(command.path).reshape(-1)
            field[command.start : command.start + len(command.values)] = command.values
        sim.forward(self.model, self.data)

    def check_saved(self) -> str:
        """The file as it is saved is the model that runs, here and in MuJoCo; returns its text."""
        plan = self.model.plan_save()
        assert plan.unsaved == ()
        assert not plan.undecided
        plan.write()
        again, theirs = sim.load(self.path), mujoco.MjModel.from_xml_path(str(self.path))
        for field in ("body_pos", "body_quat", "geom_pos", "geom_quat", "geom_size", "geom_rbound", "body_mass",
                      "body_inertia", "body_ipos", "site_pos", "cam_pos", "cam_quat", "light_pos", "light_dir",
                      "jnt_pos", "jnt_axis", "jnt_range", "body_invweight0", "qpos0", "geom_sameframe"):  # fmt: skip
            ours = self.model.read(field)
            np.testing.assert_allclose(ours, again.read(field), rtol=1e-9, atol=1e-12, err_msg=field)
            np.testing.assert_allclose(ours, getattr(theirs, field), rtol=1e-7, atol=1e-9, err_msg=field)
        return self.path.read_text()


def _ray(point: Any) -> Ray:
    way = np.asarray(point) - EYE
    return Ray(EYE, way / np.linalg.norm(way))


@pytest.mark.parametrize(
    ("kind", "name", "field"),
    [
        ("body", "arm", "xpos"), ("body", "hand", "xpos"), ("geom", "span", "geom_xpos"), ("geom", "box", "geom_xpos"),
        ("site", "tip", "site_xpos"), ("camera", "eye", "cam_xpos"), ("light", "lamp", "light_xpos"),
        ("body", "free", "xpos"),
    ],
)  # fmt: skip
def test_an_arrow_moves_along_its_axis(kind: str, name: str, field: str, tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    row = bench.model.name2id(kind, name)
    before, others = bench.data.read(field)[row].copy(), bench.data.geom_xpos[0].copy()
    bench.drag(kind, name, Tools("move"), MOVE, 1, (0, 0.125, 0))
    np.testing.assert_allclose(bench.data.read(field)[row], before + np.array([0, 0.125, 0]), atol=1e-8)
    assert np.array_equal(bench.data.geom_xpos[0], others)
    if name == "free":
        # the state has moved, the model has not
        assert not bench.edits.journal.entries
        edit = initial_pose(view_model(bench.model), view_state(bench.data), row)
        assert edit is not None
        bench.do(edit)
        np.testing.assert_allclose(bench.model.qpos0[2:5], before + np.array([0, 0.125, 0]), atol=1e-8)
    text = bench.check_saved()
    assert len(text.splitlines()) == len(MODEL.splitlines())
    assert ("fromto" in text) == (name != "nothing")


def test_typed_numbers_steps_and_spots(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    row = bench.model.name2id("site", "tip")
    start = bench.data.site_xpos[row].copy()
    bench.drag("site", "tip", Tools("move"), MOVE, 2, (0, 0, 0.3), typed="-0.25")
    np.testing.assert_allclose(bench.data.site_xpos[row], start + np.array([0, 0, -0.25]), atol=1e-8)
    bench.drag("site", "tip", Tools("move"), SLIDE, 2, (0.234, 0.118, 0), steps=(0.1, 0.1))
    np.testing.assert_allclose(bench.data.site_xpos[row], start + np.array([0.2, 0.1, -0.25]), atol=1e-8)
    bench.drag("site", "tip", Tools("move"), SCREEN, 0, (0.1, 0, 0), spot=np.array([0.5, 0.5, 0.5]))
    np.testing.assert_allclose(bench.data.site_xpos[row], 0.5, atol=1e-8)
    bench.check_saved()


@pytest.mark.parametrize(("kind", "name"), [("body", "arm"), ("geom", "box"), ("geom", "span"), ("camera", "eye")])
@pytest.mark.parametrize("axes", ["world", "local"])
def test_a_ring_turns_about_the_place(kind: str, name: str, axes: str, tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    row, prefix = bench.model.name2id(kind, name), {"body": "x", "camera": "cam_x"}.get(kind, f"{kind}_x")
    pos, mat = (bench.data.read(f"{prefix}{part}")[row].copy() for part in ("pos", "mat"))
    bench.drag(kind, name, Tools("turn", axes), TURN, 2, 0.5)
    axis = np.eye(3)[2] if axes == "world" else mat.reshape(3, 3)[:, 2]
    turned = sim.quat_to_mat(sim.axis_angle_to_quat(axis, 0.5)) @ mat.reshape(3, 3)
    np.testing.assert_allclose(bench.data.read(f"{prefix}mat")[row].reshape(3, 3), turned, atol=1e-7)
    np.testing.assert_allclose(bench.data.read(f"{prefix}pos")[row], pos, atol=1e-8)
    bench.check_saved()


def test_the_frame_of_a_body_moves_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    fields = ("geom_xpos", "geom_xmat", "site_xpos", "xanchor", "xaxis", "xipos")
    before = {field: bench.data.read(field).copy() for field in fields}
    hand = bench.model.name2id("body", "hand")
    place = bench.data.xpos[hand].copy()
    bench.drag("body", "arm", Tools("move", stay=True), MOVE, 0, (0.2, 0, 0))
    bench.drag("body", "arm", Tools("turn", stay=True), TURN, 1, 0.7)
    for field, value in before.items():
        np.testing.assert_allclose(bench.data.read(field), value, atol=1e-7, err_msg=field)
    np.testing.assert_allclose(bench.data.xpos[hand], place, atol=1e-8)
    bench.check_saved()


def test_sizes_by_faces_and_ends(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    box, span = (bench.model.name2id("geom", name) for name in ("box", "span"))
    turned = bench.data.geom_xmat[box].reshape(3, 3)
    far = bench.data.geom_xpos[box] - 0.1 * turned[:, 0]
    bench.drag("geom", "box", Tools("scale"), SIZE, 0, 0.1 * turned[:, 0])
    np.testing.assert_allclose(bench.model.geom_size[box], (0.15, 0.1, 0.1), atol=1e-8)
    # the opposite face stays
    np.testing.assert_allclose(bench.data.geom_xpos[box] - 0.15 * turned[:, 0], far, atol=1e-8)
    ends = _ends(bench, span)
    mass = bench.model.body_mass[1]
    bench.drag("geom", "span", Tools("scale"), END, 0, (0.05, 0.02, 0.1))
    assert bench.model.body_mass[1] != mass
    np.testing.assert_allclose(_ends(bench, span)[1], ends[1], atol=1e-8)
    assert np.linalg.norm(_ends(bench, span)[0] - ends[0]) > 0.05
    bench.drag("geom", "span", Tools("scale"), SIZE, 0, (0.0, 0.0, 0.0), typed="0.04")
    assert bench.model.geom_size[span][0] == 0.04
    text = bench.check_saved()
    assert "fromto" in text
    assert 'class="rod"' in text


def _ends(bench: Bench, geom: int) -> Any:
    axis = bench.data.geom_xmat[geom].reshape(3, 3)[:, 2] * bench.model.geom_size[geom][1]
    return bench.data.geom_xpos[geom] + axis, bench.data.geom_xpos[geom] - axis


def test_joints_by_hand(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    hinge, slide = (bench.model.name2id("joint", name) for name in ("hinge", "slide"))
    tools = Tools("joint")
    bench.drag("joint", "hinge", tools, LIMIT, 1, (0, 0, 0), typed="75")
    bench.drag("joint", "slide", tools, LIMIT, 1, 0.1 * bench.data.xaxis[slide])
    limits = [[math.radians(-40), math.radians(75)], [0, 0.3], [0, 0]]
    np.testing.assert_allclose(bench.model.jnt_range, limits, atol=1e-8)

    def views() -> tuple[Any, Any]:
        return view_model(bench.model), view_state(bench.data)

    bench.do(limit_here(*views(), hinge, 0))
    assert bench.model.jnt_range[hinge][0] == pytest.approx(0.4)
    before = bench.data.xpos.copy(), bench.data.geom_xmat.copy()
    for command in zero_here(*views(), hinge):
        bench.do(command)
    assert bench.data.qpos[0] == bench.model.qpos0[0] == 0
    np.testing.assert_allclose(bench.data.xpos, before[0], atol=1e-8)
    np.testing.assert_allclose(bench.data.geom_xmat, before[1], atol=1e-8)
    assert bench.model.jnt_range[hinge][0] == pytest.approx(0.0)
    bench.do(flip(views()[0], hinge))
    np.testing.assert_allclose(bench.model.jnt_axis[hinge], (0, -1, 0))
    bench.check_saved()


def test_with_mujoco_as_the_engine(tmp_path: Path) -> None:
    path, engine = tmp_path / "model.xml", mujoco_engine()
    path.write_text(MODEL)
    model: Any = engine.load(str(path))
    box, free = model.name2id("geom", "box"), int(model.body_geomadr[model.name2id("body", "free")])
    edits = LiveEdits(engine, model, lambda message: None)
    edits.apply(SetField("geom_pos", 0.1, (box,), 0))
    edits.apply(SetField("geom_size", 0.2, (box,), 1))
    with pytest.raises(ValueError, match="simple bodies"):
        edits.apply(SetField("geom_pos", 0.1, (free,), 0))
    model.plan_save().write()
    again = mujoco.MjModel.from_xml_path(str(path))
    for field in ("geom_pos", "geom_size", "geom_rbound", "geom_sameframe", "body_mass", "body_inertia", "body_ipos"):
        np.testing.assert_allclose(getattr(model.mj, field), getattr(again, field), rtol=1e-7, atol=1e-9, err_msg=field)


def test_a_simple_body_says_what_it_does_not_allow(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    geom = int(bench.model.body_geomadr[bench.model.name2id("body", "free")])
    before = bench.model.copy()
    with pytest.raises(ValueError, match=r"simple bodies do not allow: set simple=\"false\""):
        bench.do(SetField("geom_pos", 0.1, (geom,), 0))
    for field in ("geom_pos", "body_ipos", "body_inertia", "geom_sameframe"):
        assert np.array_equal(bench.model.read(field), before.read(field))
