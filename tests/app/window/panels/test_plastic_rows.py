"""The inspector: where plastic springs rest, and surfaces that move; edits only where they count."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.background.units import unit_of
from app.model.editable import BY_PATH, FLAGS, rows_of
from app.model.selection import Selection
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.view_state import ViewState
from app.window.panels.inspector.panel import inspector_panel
from sim.enums import ENBL_SPECULATIVE, INT_DISCRETE
from tests.app.gui_driver import Gui

YIELDING = """<mujoco><compiler angle="radian"/><worldbody>
  <body><joint name="hinge" axis="0 1 0" stiffness="2" springyield=".2" damping=".5"/>
    <geom size=".1" pos=".3 0 0"/></body>
  <body pos="2 0 0"><joint name="ball" type="ball" stiffness="1" springyield=".3" damping=".5"/>
    <geom size=".1" pos=".3 0 0"/></body>
  <body pos="4 0 0"><joint name="slide" type="slide" axis="0 0 1" damping="9"/><geom size=".1"/><site name="s"/></body>
  <body pos="6 0 0"><joint name="elastic" stiffness="1"/><geom size=".1"/></body><site name="up" pos="4 0 1"/>
  </worldbody>
  <tendon>
    <spatial name="cable" stiffness="50" springyield=".1" springlength="0 1"><site site="up"/><site site="s"/></spatial>
    <fixed name="sum" stiffness="20" springyield=".1" springlength="0"><joint joint="hinge" coef="1"/></fixed>
    <fixed name="spring" stiffness="1"><joint joint="elastic" coef="1"/></fixed>
  </tendon></mujoco>"""

CONVEYOR = """<mujoco><worldbody><geom name="belt" type="box" size="1 1 .1" surfacevel="0.5 0.25 0 0 0 2"/>
  <body pos="0 0 .199"><freejoint/><geom size=".1" condim="4"/></body></worldbody></mujoco>"""


class Inspector:
    """The inspector alone, of a model after some steps."""

    def __init__(self, gui: Gui, xml: str, steps: int = 0) -> None:
        self.gui, self.view, self.m = gui, ViewState(), sim.loads(xml)
        self.d = sim.Data(self.m)
        sim.step(self.m, self.d, steps)
        sim.forward(self.m, self.d)

    def show(self, kind: str, index: int) -> None:
        self.view.selection = Selection(kind, index)
        self.gui.io.display_size = imgui.ImVec2(1200, 2600)
        self.gui.frame(self._draw, 2)

    def _draw(self) -> None:
        snapshot = Snapshot(1, RunState(ready=True), view_model(self.m), view_state(self.d))
        imgui.set_next_window_size((300, 2500))
        imgui.begin("sheet", None, imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_resize)
        inspector_panel(snapshot, self.view, lambda command: None)
        imgui.end()

    def row(self, label: str) -> list[str]:
        """The texts after a label."""
        place = self.gui.texts.index(label)
        return self.gui.texts[place + 1 : place + 6]


def number(text: str) -> float:
    return float(text)


def test_where_joints_rest(gui: Gui) -> None:
    sheet = Inspector(gui, YIELDING, 300)
    rest, q = float(sheet.d.plastic[0]), float(sheet.d.qpos[0])
    assert rest > 0.1
    sheet.show("joint", sheet.m.name2id("joint", "hinge"))
    assert number(sheet.row("rests at")[0]) == pytest.approx(rest, abs=1e-3) and sheet.row("rests at")[1] == "rad"
    assert number(sheet.row("to yield")[0]) == pytest.approx(max(0.2 - abs(q - rest), 0), abs=1e-3)
    sheet.view.prefs.degrees = True
    sheet.show("joint", sheet.m.name2id("joint", "hinge"))
    assert number(sheet.row("rests at")[0]) == pytest.approx(np.degrees(rest), rel=1e-2)
    sheet.show("joint", sheet.m.name2id("joint", "elastic"))
    assert "rests at" not in gui.texts and "to yield" not in gui.texts


def test_where_a_ball_joint_rests(gui: Gui) -> None:
    sheet = Inspector(gui, YIELDING, 300)
    sheet.show("joint", sheet.m.name2id("joint", "ball"))
    places = [k for k, text in enumerate(gui.texts) if text == "quaternion"]
    shown = [number(text) for text in gui.texts[places[1] + 1 : places[1] + 5]]
    np.testing.assert_allclose(shown, sheet.d.joint("ball").plastic, atol=1e-3)
    apart = float(np.linalg.norm(sim.sub_quat(sheet.d.joint("ball").qpos, sheet.d.joint("ball").plastic)))
    assert number(sheet.row("to yield")[0]) == pytest.approx(max(0.3 - apart, 0), abs=1e-3)


def test_where_tendons_rest(gui: Gui) -> None:
    sheet = Inspector(gui, YIELDING, 300)
    sheet.show("tendon", 0)
    low, high, unit = sheet.row("rests at")[:3]
    assert (number(low), unit) == (0, "m")
    assert number(high) == pytest.approx(float(sheet.d.tendon("cable").plastic[1]), rel=1e-3) and number(high) > 1.001
    sheet.show("tendon", 2)
    assert "rests at" not in gui.texts


def test_a_surface_that_moves(gui: Gui) -> None:
    sheet = Inspector(gui, CONVEYOR)
    assert sheet.d.contact.surfacevel[0].any()
    sheet.show("contact", 0)
    shown = [number(text) for text in sheet.row("surface")[:2]]
    assert shown == pytest.approx(sheet.d.contact.surfacevel[0, :2].tolist(), abs=1e-3)
    assert sheet.row("surface")[2] == "m/s" and sheet.row("surface spin")[1] == "rad/s"
    still = Inspector(gui, CONVEYOR.replace('surfacevel="0.5 0.25 0 0 0 2"', ""))
    still.show("contact", 0)
    assert "surface" not in gui.texts


def test_only_springs_that_were_loaded_with_a_yield_have_the_row() -> None:
    model = view_model(sim.loads(YIELDING))
    joints, tendons = BY_PATH["jnt_springyield"], BY_PATH["tendon_springyield"]
    assert [bool(rows_of(joints, model, j)) for j in range(4)] == [True, True, False, False]
    assert [bool(rows_of(tendons, model, t)) for t in range(3)] == [True, True, False]
    assert joints.unit(model, (0,)) == "rad" and tendons.unit(model, (0,)) == "m"


def test_what_is_said_of_new_options() -> None:
    integrator = BY_PATH["opt.integrator"]
    assert ("discrete", INT_DISCRETE) in integrator.choices and "discrete" in integrator.effect
    flag = next(flag for flag in FLAGS if flag.name == "speculative")
    assert (flag.path, flag.bit) == ("opt.enableflags", ENBL_SPECULATIVE) and "pass through" in flag.meaning


@pytest.mark.parametrize(
    ("expression", "unit"),
    [
        ("d.plastic[0]", "rad"), ("d.plastic[1]", ""), ("d.plastic[5]", "m"), ("d.plastic[8]", "rad"),
        ('d.joint("hinge").plastic[0]', "rad"), ('d.tendon("cable").plastic[1]', "m"),
    ],
)  # fmt: skip
def test_units_of_where_springs_rest(expression: str, unit: str) -> None:
    assert unit_of(expression, view_model(sim.loads(YIELDING))) == unit
