"""Degrees and radians: what is converted, and what stays as the engine has it."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.background.units import unit_of
from app.model.angle_unit import control_unit, field_unit, length_unit, shown_unit
from app.model.editable import BY_PATH, rows_of
from app.model.field_hint import hint
from app.run.snapshot import view_model
from tests.app.live import RICH_MODEL

DRIVES = """<mujoco><worldbody>
  <body><joint name="turn" range="-30 60"/><geom size=".1"/>
    <body><joint name="slide" type="slide"/><geom size=".1"/></body></body>
</worldbody><actuator>
  <position joint="turn" ctrlrange="-1 1"/><velocity joint="turn"/><motor joint="turn"/><position joint="slide"/>
  <intvelocity joint="turn" actrange="-1 1"/><pid joint="turn" kp="5" kv="1"/>
</actuator></mujoco>"""


def test_only_angles_and_their_rates_are_converted() -> None:
    assert shown_unit("rad", True) == (pytest.approx(np.degrees(1.0)), "°")
    assert shown_unit("rad/s", True)[1] == "°/s"
    assert shown_unit("rad", False) == (1.0, "rad")
    for unit in ("m", "N·m/rad", "", "s"):
        assert shown_unit(unit, True) == (1.0, unit)


def test_servos_on_hinges_have_controls_in_radians() -> None:
    model = view_model(sim.loads(DRIVES))
    assert [control_unit(model, k) for k in range(6)] == ["rad", "rad/s", "", "m", "rad/s", "rad"]
    assert [length_unit(model, k) for k in range(6)] == ["rad", "rad", "rad", "m", "rad", "rad"]


@pytest.mark.parametrize(("joints", "unit"), [
    (("turn", "other"), "rad"), (("slide",), "m"), (("turn", "slide"), ""),
])  # fmt: skip
def test_what_pulls_a_fixed_tendon_has_the_unit_of_its_joints(joints: tuple[str, ...], unit: str) -> None:
    path = "".join(f"<joint joint='{joint}' coef='1'/>" for joint in joints)
    drives = "<actuator><position tendon='t' ctrlrange='0 3'/><velocity tendon='t'/></actuator>"
    model = view_model(sim.loads(f"""<mujoco><worldbody><body><joint name="turn"/><geom size=".1"/><body>
        <joint name="slide" type="slide"/><geom size=".1"/><body><joint name="other"/><geom size=".1"/></body></body>
        </body></worldbody><tendon><fixed name="t">{path}</fixed></tendon>{drives}</mujoco>"""))  # fmt: skip
    assert [control_unit(model, k) for k in range(2)] == [unit, f"{unit}/s" * bool(unit)]
    assert unit_of("d.ten_length[0]", model) == unit
    assert unit_of('d.tendon("t").velocity', model) == f"{unit}/s" * bool(unit)
    assert unit_of("d.actuator_force[0]", model) == {"rad": "N m", "m": "N"}.get(unit, "")


def test_every_actuator_has_units() -> None:
    model = view_model(sim.loads(RICH_MODEL))
    for actuator in range(model.nactuator):
        assert length_unit(model, actuator) in ("", "m", "rad")
        assert control_unit(model, actuator) in ("", "m", "rad", "m/s", "rad/s")


def test_tooltips_speak_in_the_unit_that_is_shown() -> None:
    model = view_model(sim.loads(DRIVES))
    for path, words in (("jnt_range", "in the file -30 60"), ("actuator_ctrlrange", "in the file -57.2958 57.2958")):
        row = BY_PATH[path]
        rows = rows_of(row, model, 0)
        assert field_unit(row, model, rows) == "rad"
        text = hint(row, rows, model, row.vector(model, rows), degrees=True)
        assert "[°]" in text
        assert words in text
        assert "[rad]" in hint(row, rows, model, row.vector(model, rows))
