"""Parameters of actuators and joints: which there are, the terms they are in, and what is legal."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from app.model.editable import BY_PATH, of_kind
from app.model.field_hint import parameter_hint
from app.model.parameters import (
    TABLE,
    VECTORS,
    Parameter,
    actuator_type,
    in_file,
    parameters_of,
    shown_parameters,
)
from app.run import commands as cmd
from app.run.edited_cells import refusal
from app.run.linked_edits import reset_parameter, set_parameter
from tests.app.live import SMALL


def named(model: Any, name: str, index: int, kind: str = "actuator") -> Parameter:
    """A parameter by its name."""
    (found,) = (parameter for parameter in parameters_of(model, kind, index) if parameter.name == name)
    return found


def apply(model: Any, edit: cmd.SetField) -> None:
    """Make an edit as the simulation does."""
    for part in (edit, *edit.also):
        value = BY_PATH[part.path].accept(part.value, model, part.rows, part.column)
        model.read(part.path)[(list(part.rows), part.column) if part.column is not None else list(part.rows)] = value


TYPES = (
    "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "motor", "general",
    "general", "orientation", "pid", "pid", "dcmotor",
)  # fmt: skip
SHOWN = {
    0: "gain", 1: "kp kv dampratio", 2: "kv", 3: "kp kv dampratio", 4: "kv", 5: "area bias_0 bias_1 bias_2 timeconst",
    6: "range_0 range_1 force scale lmin lmax vmax fpmax fvmax timeconst_0 timeconst_1 tausmooth", 7: "gain",
    9: "gain gain_by_length gain_by_velocity bias bias_by_length bias_by_velocity timeconst",
    11: "kp kv dampratio", 12: "kp ki kv dampratio imax", 13: "kp kv dampratio", 14: "resistance motorconst cogging",
}  # fmt: skip


def test_an_actuator_has_the_numbers_that_people_know() -> None:
    model = sim.loads(SMALL.replace("range='-1e-3 0'", "").replace("damping='1e9'", ""))
    assert tuple(actuator_type(model, index) for index in range(model.nactuator)) == TYPES
    for index, names in SHOWN.items():
        shown = [parameter.name.replace(" ", "_") for parameter in shown_parameters(model, "actuator", index)]
        assert shown == names.split(), TYPES[index]
    # a user callback may look at all of them
    assert len(shown_parameters(model, "actuator", 10)) == 30
    assert not {row.path for row in of_kind("actuator")} & set(VECTORS)


def test_a_parameter_is_in_all_its_cells() -> None:
    model = sim.loads(SMALL)
    kp = set_parameter(named(model, "kp", 1), 2.0, model)
    assert kp == cmd.SetField(
        "actuator_gainprm", 2.0, (1,), 0, (cmd.SetField("actuator_biasprm", -2.0, (1,), 1),), "kp"
    )
    force = set_parameter(named(model, "force", 6), 7.0, model)
    assert force == cmd.SetField(
        "actuator_gainprm", 7.0, (6,), 2, (cmd.SetField("actuator_biasprm", 7.0, (6,), 2),), "force"
    )
    assert set_parameter(named(model, "kv", 4), 3.0, model) == cmd.SetField(
        "actuator_gainprm", -3.0, (4,), 2, name="kv"
    )


@pytest.mark.parametrize(
    ("name", "actuator", "number", "words"),
    [
        ("kv", 1, -5.0, "kv must be at least 0; -5 was not accepted"),
        ("lmin", 6, 3.0, "lmin must be at most 0.999999; 3 was not accepted"),
        ("range 0", 6, 9.0, "range 0 must be at most 1.05; 9 was not accepted"),
        # what decides the number of activations stays above 0, or 0
        ("ki", 12, -1.0, "ki must be above 0; -1 was not accepted"),
        ("ki", 13, 5.0, "ki stays 0; 5 was not accepted"),
    ],
)
def test_only_what_is_legal(name: str, actuator: int, number: float, words: str) -> None:
    model = sim.loads(SMALL)
    assert refusal(model, set_parameter(named(model, name, actuator), number, model)) == words
    assert not refusal(model, set_parameter(named(model, "kv", 1), 5.0, model))


def test_a_number_that_must_stay_says_so() -> None:
    model = sim.loads(SMALL)
    assert "legal stays 0" in parameter_hint(named(model, "ki", 13), model.read)


SERVO = """<mujoco><worldbody><site name="w" pos=".3 .4 0"/>
  <body><joint name="h" axis="0 1 0" armature=".3" stiffness="4" damping="1"/><geom size=".1" pos=".2 0 0"/>
    <body pos="0 0 1"><joint name="s" type="slide"/><geom size=".1"/>
      <body pos="0 0 1"><joint name="b" type="ball"/><geom size=".1"/><site name="x"/></body></body></body></worldbody>
  <tendon><fixed name="t"><joint joint="h" coef="2"/><joint joint="s" coef="-.5"/></fixed>
    <spatial name="u"><site site="w"/><site site="x"/></spatial></tendon>
  <actuator>%s</actuator></mujoco>"""
SERVOS = [
    '<position joint="h" kp="30" gear="3"', '<position joint="s" kp="30"', '<position tendon="t" kp="30" gear="2"',
    '<position tendon="u" kp="30"', '<intvelocity joint="h" kp="9" actrange="-1 1"',
    '<pid joint="h" kp="9"', '<orientation joint="b" kp="3"',
]  # fmt: skip


@pytest.mark.parametrize("servo", SERVOS)
@pytest.mark.parametrize("ratio", [0.7, 1.3])
def test_a_damping_ratio_is_that_of_the_compiler(servo: str, ratio: float) -> None:
    """Edited here, it gives what loading it gives, but for the rounding of the gear; and what MuJoCo has."""
    text = SERVO % f'{servo} dampratio="{ratio}"/>'
    wanted, model = sim.loads(text), sim.loads(SERVO % f'{servo} kv="0.01"/>')
    assert named(wanted, "dampratio", 0).number(wanted.read) == pytest.approx(ratio, rel=4e-16)
    apply(model, set_parameter(named(model, "dampratio", 0), ratio, model))
    np.testing.assert_allclose(model.actuator_biasprm, wanted.actuator_biasprm, 4e-16)
    theirs = mujoco.MjModel.from_xml_string(text).actuator_biasprm
    np.testing.assert_allclose(model.actuator_biasprm, theirs, 1e-12)


@pytest.mark.parametrize("target", ['site="x"', 'jointinparent="b"'])
def test_no_damping_ratio_where_the_inertia_is_not_known(target: str) -> None:
    """The moment arms of a site depend on the pose; a ball joint resists each axis otherwise."""
    model = sim.loads(SERVO % f'<position {target} kp="3" gear="1 0 0 0 0 0"/>')
    assert [parameter.name for parameter in shown_parameters(model, "actuator", 0)] == ["kp", "kv"]


def test_a_joint_has_the_damping_ratio_of_springdamper() -> None:
    text = SERVO % ""
    model = sim.loads(text.replace('stiffness="4" damping="1"', 'springdamper="0.2 0.6"'))
    (ratio,) = shown_parameters(model, "joint", 0)
    assert (ratio.name, ratio.number(model.read)) == ("damping ratio", pytest.approx(0.6, rel=1e-12))
    apply(model, set_parameter(ratio, 0.9, model))
    wanted = sim.loads(text.replace('stiffness="4" damping="1"', f'springdamper="{0.2 * 0.6 / 0.9} 0.9"'))
    np.testing.assert_allclose(model.dof_damping, wanted.dof_damping, 1e-12)
    np.testing.assert_allclose(model.jnt_stiffness, wanted.jnt_stiffness, 1e-12)
    assert shown_parameters(model, "joint", 1) == shown_parameters(model, "joint", 2) == ()
    # a spring that the file does not have
    (ratio,) = shown_parameters(model, "joint", 0)
    bare = {"jnt_stiffness": np.zeros(3), "dof_damping": np.zeros(6)}
    assert ratio.changed(model.read, in_file(model, bare))
    assert "in the file none" in parameter_hint(ratio, in_file(model, bare))
    assert reset_parameter(ratio, model, bare).value == 0.0


def test_the_file_is_remembered() -> None:
    """A damping ratio changes with kp, and goes back to that of the file."""
    model = sim.loads(SERVO % '<position joint="h" kp="30" dampratio="1"/>')
    start = {path: model.read(path).copy() for path in VECTORS}
    original = in_file(model, start)
    apply(model, set_parameter(named(model, "kp", 0), 120.0, model))
    kp, kv, ratio = parameters_of(model, "actuator", 0)[:3]
    assert [p.changed(model.read, original) for p in (kp, kv, ratio)] == [True, False, True]
    assert ratio.number(model.read) == pytest.approx(0.5)
    apply(model, reset_parameter(ratio, model, start))
    assert ratio.number(model.read) == pytest.approx(1) and not ratio.changed(model.read, original)
    assert kv.changed(model.read, original)
    for parameter in (kp, ratio):
        apply(model, reset_parameter(parameter, model, start))
    assert all(np.array_equal(model.read(path), start[path]) for path in VECTORS)


def test_a_servo_turned_off_is_still_what_it_was() -> None:
    model = sim.loads(SMALL)
    start = {path: model.read(path).copy() for path in VECTORS}
    for index, name in ((1, "kp"), (2, "kv")):
        apply(model, set_parameter(named(model, name, index), 0.0, model))
        assert actuator_type(model, index, start) == TYPES[index]
        assert name in [parameter.name for parameter in shown_parameters(model, "actuator", index, start)]


def test_every_row_of_the_table_is_explained() -> None:
    for group, rows in TABLE.items():
        for row in rows:
            assert row.meaning and not row.meaning.endswith("."), (group, row.name)
            assert row.effect.endswith(".") and len(row.effect) > 15, (group, row.name)
    model = sim.loads(SMALL)
    text = parameter_hint(named(model, "kp", 1), model.read)
    assert text.startswith("actuator/kp   [N·m/rad]\nstiffness")
    assert "m.actuator_gainprm[1, 0] and -m.actuator_biasprm[1, 1]" in text
