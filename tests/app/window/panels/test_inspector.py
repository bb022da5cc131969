"""The inspector: what it shows of poses, velocities and drives, in which units, and that nothing jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.model.selection import Selection
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.ui.widgets import NUMBER_WIDTH, fixed_width
from app.view.view_state import ViewState
from app.window.panels.inspector.drives import saturated
from app.window.panels.inspector.panel import READOUTS, inspector_panel
from tests.app.gui_driver import Gui
from tests.sim.infinite_ranges import INFINITE

MODEL = """<mujoco><compiler eulerseq="zyx" autolimits="true"/><worldbody>
  <body name="base" pos="1 2 3" euler="90 0 0"><freejoint/><geom size=".1" pos=".2 0 0"/><site name="tip"/>
    <camera name="eye" pos="0 -1 0"/><light pos="0 0 1"/>
    <body name="arm" pos="0 0 .5" euler="0 30 0"><joint name="elbow" range="-90 90"/><geom size=".1" pos=".3 0 0"/>
      <body name="hand" pos=".5 0 0"><joint name="wrist" type="ball"/><geom size=".1"/></body></body></body>
  <body name="cart" pos="5 0 0"><joint name="rail" type="slide" axis="1 0 0"/><geom size=".1"/></body>
</worldbody>
<tendon><fixed name="cord"><joint joint="elbow" coef="1"/></fixed></tendon>
<actuator><position name="servo" joint="elbow" kp="50" kv="2" ctrlrange="-1 1" forcerange="-5 5" timeconst="0.1"/>
</actuator>
<equality><joint joint1="elbow" joint2="rail" active="false"/></equality>
<contact><pair geom1="g0" geom2="g1"/></contact>
<sensor><gyro site="tip"/></sensor>
<keyframe><key name="start"/></keyframe></mujoco>""".replace('pos=".2 0 0"', 'name="g0" pos=".2 0 0"').replace(
    '<geom size=".1" pos=".3', '<geom name="g1" size=".1" pos=".3'
)


class Sheet:
    """The inspector alone, in a window of some width."""

    def __init__(self, gui: Gui, width: float = 300.0) -> None:
        self.gui, self.width, self.view = gui, width, ViewState()
        self.m = sim.loads(MODEL)
        self.d = sim.Data(self.m)
        self.view_of_model, self.bottom, self.sent = view_model(self.m), 0.0, list[Any]()
        gui.io.display_size = imgui.ImVec2(1200, 2600)

    def draw(self) -> None:
        """One frame; what is sent is noted."""
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((self.width, 2500))
        imgui.begin("sheet", None, imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_resize)
        state = view_state(self.d)
        inspector_panel(Snapshot(1, RunState(ready=True), self.view_of_model, state), self.view, self.sent.append)
        self.bottom = imgui.get_cursor_pos_y()
        imgui.end()

    def show(self, kind: str, name: str | int) -> list[str]:
        """Select an element; the texts of the panel."""
        index = name if isinstance(name, int) else self.m.name2id(kind, name)
        self.view.selection = Selection(kind, index)
        self.gui.frame(self.draw, 2)
        return self.gui.texts

    def row(self, label: str, nth: int = 0) -> list[str]:
        """The texts after a label, to the unit."""
        places = [k for k, text in enumerate(self.gui.texts) if text == label]
        return self.gui.texts[places[nth] + 1 : places[nth] + 6]


@pytest.fixture
def sheet(gui: Gui) -> Sheet:
    """The inspector of a small robot."""
    return Sheet(gui)


def test_pose_in_the_world_and_in_the_parent(sheet: Sheet) -> None:
    sim.forward(sheet.m, sheet.d)
    sheet.show("body", "arm")
    assert sheet.row("position")[:4] == ["1.000", "2.000", "3.500", "m"]
    assert sheet.row("in parent")[:4] == ["0", "0", "0.5000", "m"]
    quat = sim.mul_quat(sim.euler_to_quat((np.pi / 2, 0, 0), "zyx"), sim.euler_to_quat((0, np.pi / 6, 0), "zyx"))
    assert sheet.row("quaternion")[:4] == fixed_width(quat.tolist())
    # about z first, as the file has it
    assert sheet.row("euler zyx")[:4] == ["1.571", "0.524", "0", "rad"]
    assert sheet.row("   in parent")[:4] == ["0", "0.5236", "0", "rad"]
    sheet.view.prefs.degrees = True
    sheet.show("body", "arm")
    assert sheet.row("euler zyx")[:4] == ["90.00", "30.00", "0", "°"]


def test_velocity_in_world_and_local_axes(sheet: Sheet) -> None:
    sheet.d.qvel[:6] = (1.0, 0, 0, 0, 0, 2.0)
    sim.forward(sheet.m, sheet.d)
    sheet.show("site", "tip")
    assert sheet.row("linear")[:4] == ["1.000", "0", "0", "m/s"]
    assert sheet.row("angular")[:4] == ["0", "0", "2.000", "rad/s"]
    sheet.gui.click(sheet.draw, "local##velocity")
    assert sheet.view.prefs.local_axes
    sheet.show("site", "tip")
    # the base is turned by a quarter about z
    assert sheet.row("linear")[:4] == ["0", "-1.000", "0", "m/s"]
    sheet.gui.click(sheet.draw, "deg##pose")
    sheet.show("site", "tip")
    assert sheet.row("angular")[:4] == ["0", "0", "114.6", "°/s"]


def test_momentum_and_mass(sheet: Sheet) -> None:
    sheet.d.qvel[:3] = (0.5, 0, 0)
    sim.forward(sheet.m, sheet.d)
    sheet.show("body", "base")
    mass = float(sheet.m.body_mass[1])
    assert sheet.row("linear", 1)[0] == fixed_width([0.5 * mass])[0]
    assert sheet.row("linear", 1)[3] == "kg m/s"
    whole = float(sheet.m.body_subtreemass[1])
    assert sheet.row("mass", 1)[:2] == [fixed_width([whole])[0], "kg"]
    assert sheet.row("linear", 2)[0] == fixed_width([0.5 * whole])[0]


def test_a_position_servo(sheet: Sheet) -> None:
    sheet.d.ctrl[0] = 0.3
    sim.forward(sheet.m, sheet.d)
    texts = sheet.show("actuator", "servo")
    assert "not saturated" in texts
    assert sheet.row("target")[:2] == ["0.3000", "rad"]
    assert sheet.row("length")[:2] == ["0", "rad"]
    assert sheet.row("error")[:2] == ["0.3000", "rad"]
    for name in ("kp", "kv", "timeconst", "ctrlrange", "forcerange"):
        assert any(text.removesuffix(" •") == name for text in texts), name
    assert any(label.startswith("elbow##drives") for label in sheet.gui.rects)
    # a servo with a time constant acts by its activation
    sheet.d.ctrl[0] = 1.0
    sheet.d.act[0] = 1.0
    sim.forward(sheet.m, sheet.d)
    assert "saturated: ctrlrange, forcerange" in sheet.show("actuator", "servo")
    assert saturated(sheet.view_of_model, view_state(sheet.d), 0) == ["ctrlrange", "forcerange"]


def test_an_infinite_end_is_never_reached() -> None:
    m = sim.loads(INFINITE)
    d = sim.Data(m)
    d.ctrl[:] = (0.5, 2.0, 0.3)
    sim.forward(m, d)
    assert [saturated(view_model(m), view_state(d), k) for k in range(3)] == [[], [], []]
    d.ctrl[1] = 1.0
    assert saturated(view_model(m), view_state(d), 1) == ["ctrlrange"]


def test_an_infinite_range_is_shown(sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet.m = sim.loads(INFINITE)
    sheet.d, sheet.view_of_model = sim.Data(sheet.m), view_model(sheet.m)
    sim.forward(sheet.m, sheet.d)
    shown, drag = dict[str, float](), imgui.drag_float

    def noting(key: str, value: float, *rest: Any) -> Any:
        shown[key] = value
        return drag(key, value, *rest)

    monkeypatch.setattr(imgui, "drag_float", noting)
    sheet.show("joint", "round")
    assert {-np.inf, np.inf} <= set(shown.values())
    assert sheet.row("to limits")[0] == "no limits"


def test_the_world_and_models_without_bodies(sheet: Sheet) -> None:
    sheet.show("body", 0)
    assert sheet.row("position")[:4] == ["0", "0", "0", "m"]
    sheet.m = sim.loads("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    sheet.d, sheet.view_of_model = sim.Data(sheet.m), view_model(sheet.m)
    assert "body world" in sheet.show("body", 0)


def test_a_joint_has_its_acceleration_and_forces(sheet: Sheet) -> None:
    sheet.d.qfrc_applied[6] = 3.0
    sim.forward(sheet.m, sheet.d)
    sheet.show("joint", "elbow")
    assert sheet.row("accel.")[:2] == [fixed_width([float(sheet.d.qacc[6])])[0], "rad/s²"]
    assert sheet.row("applied")[:2] == ["3.000", "N m"]
    assert sheet.row("to limits")[:3] == ["1.571", "1.571", "rad"]
    sheet.show("joint", "rail")
    assert sheet.row("accel.")[1] == "m/s²"


@pytest.mark.parametrize(
    ("element", "key", "field"),
    [
        (("joint", "elbow"), "##jnt_range(1,)[1]", "jnt_range"),
        (("joint", "elbow"), "##qpos_spring(7,)", "qpos_spring"),
        (("actuator", "servo"), "##actuator_ctrlrange(0,)[1]", "actuator_ctrlrange"),
    ],
)
def test_angles_are_typed_in_degrees_and_sent_in_radians(
    sheet: Sheet, element: tuple[str, str], key: str, field: str
) -> None:
    for degrees, typed in ((True, "80"), (False, "0.5")):
        sheet.sent.clear()
        sheet.view.prefs.degrees = degrees
        sheet.show(*element)
        sheet.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
        sheet.gui.click(sheet.draw, key)
        sheet.gui.io.add_key_event(imgui.Key.mod_ctrl, False)
        sheet.gui.type(sheet.draw, typed)
        (command,) = sheet.sent
        wanted = float(typed) * (np.pi / 180 if degrees else 1.0)
        assert (command.path, command.value) == (field, pytest.approx(wanted, abs=1e-9))
        # the lower end stays where it is
        for linked in command.also:
            assert linked.value == pytest.approx(float(sheet.m.read(field)[linked.rows[0]][0]), abs=1e-12)


def test_numbers_are_copied_as_mjcf(sheet: Sheet) -> None:
    copied: list[str] = []
    imgui.get_platform_io().platform_set_clipboard_text_fn = lambda _, text: copied.append(text)
    sim.forward(sheet.m, sheet.d)
    sheet.show("body", "arm")
    for label in ("euler zyx", "quaternion", "position"):
        left, top, right, bottom = sheet.gui.text_rects[label]
        sheet.gui.click_at(sheet.draw, (left + right) / 2, (top + bottom) / 2, button=1)
    # compiler/angle of the file is degree, whatever is shown
    assert copied[0] == 'euler="90 30 0"'
    assert copied[1].startswith('quat="0.683')
    assert copied[2] == "1 2 3.5"


def shaken(sheet: Sheet) -> list[Callable[[], None]]:
    """States with numbers of many sizes and both signs, some that are not finite."""
    random = np.random.default_rng(0)

    def state(size: float) -> Callable[[], None]:
        def put() -> None:
            data: Any = sheet.d
            sim.reset(sheet.m, data)
            data.qpos[7:] += 0.1 * random.normal(size=sheet.m.nq - 7)
            data.qpos[:3] = size * random.normal(size=3)
            data.qvel[:] = size * random.normal(size=sheet.m.nv)
            data.ctrl[:] = size * random.normal(size=sheet.m.nu)
            data.xfrc_applied[:] = size * random.normal(size=(sheet.m.nbody, 6))
            sim.forward(sheet.m, data)

        return put

    def broken() -> None:
        sheet.d.qvel[:] = sheet.d.qacc[:] = np.nan
        sheet.d.cvel[:] = -np.inf

    return [*(state(10.0**power) for power in range(-14, 9, 2)), broken]


KINDS = ("body", "geom", "site", "camera", "light", "joint", "tendon", "actuator", "equality", "pair", "sensor", "key")


@pytest.mark.parametrize("width", [180.0, 300.0, 620.0])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_jumps(gui: Gui, kind: str, width: float) -> None:
    """Whatever the numbers are, every label and unit stays in its place, and so does the end."""
    sheet = Sheet(gui, width)
    index = {"body": 2, "geom": 1, "joint": 1}.get(kind, 0)
    ends = set()
    for degrees in (False, True):
        sheet.view.prefs.degrees = degrees
        places = set()
        for put in shaken(sheet):
            put()
            labels = {text for text in sheet.show(kind, index) if text[:1].isalpha() and text not in ("nan", "inf")}
            places.add(tuple(sorted(gui.text_rects[text][:2] for text in labels if "saturated" not in text)))
            ends.add(sheet.bottom)
        assert len(places) == 1
    assert len(ends) == 1


def test_every_kind_is_looked_at() -> None:
    assert {*KINDS} == READOUTS.keys() - {"contact", "island", "tree"}


@pytest.mark.parametrize("power", range(-15, 16))
def test_numbers_fit_into_their_columns(power: int) -> None:
    random = np.random.default_rng(power + 20)
    for _ in range(200):
        values = (10.0**power * random.normal(size=3)).tolist()
        assert all(len(text) <= NUMBER_WIDTH for text in fixed_width(values)), values
    for value in (9.9999, 9.99999, 999.9999, -9.99996):
        assert len(fixed_width([value * 10.0**power])[0]) <= NUMBER_WIDTH


def test_velocities_of_nanometres_are_rest(sheet: Sheet) -> None:
    sim.forward(sheet.m, sheet.d)
    sheet.d.cvel[:] = 3e-8
    sheet.show("site", "tip")
    assert sheet.row("linear")[:4] == ["0", "0", "0", "m/s"]
    assert sheet.row("angular")[:4] == ["0", "0", "0", "rad/s"]


def test_noise_is_zero() -> None:
    assert fixed_width([1e-13, -1e-14, 0.0]) == ["0", "0", "0"]
    assert fixed_width([1.0, 1e-13, -3e-13]) == ["1.000", "0", "0"]
    assert fixed_width([float("nan"), -1.0]) == ["nan", "-1.000"]
    assert fixed_width([]) == []
