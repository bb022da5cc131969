"""Measures of a moment by the names of elements, against cases whose answer is known and against MuJoCo."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from sim.analysis.elements import BadElement, find, reference
from sim.analysis.measures import MEASURES
from sim.script.expression import BadExpression, evaluate

# a ball of 1 kg at rest on a plane, a box of 2 kg that slides, a pendulum at its limit, a motor
SCENE = """<mujoco>
<option timestep='0.002' gravity='0 0 -10'/>
<worldbody>
  <geom name='floor' type='plane' size='5 5 1'/>
  <body name='ball' pos='0 0 .1'><freejoint/><geom name='skin' size='.1' mass='1' condim='3'/></body>
  <body name='box' pos='1 0 .1'><freejoint/>
    <geom type='box' size='.1 .1 .1' mass='2'/><geom name='lid' size='.01' pos='0 0 .3' mass='0'/></body>
  <body name='arm' pos='3 0 2'><joint name='hinge' axis='0 1 0' range='-30 30' limited='true'/>
    <geom name='rod' type='capsule' fromto='0 0 0 0 0 -1' size='.02' mass='1'/></body>
  <body name='floor2' pos='5 0 2'><joint name='slide' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>
</worldbody>
<actuator>
  <motor name='free' joint='slide'/>
  <motor name='ranged' joint='slide' ctrlrange='-2 4' ctrllimited='true'/>
  <position name='servo' joint='slide' kp='100' forcerange='-5 20' forcelimited='true'/>
</actuator></mujoco>"""

Moment = tuple[sim.Model, sim.Data]


@pytest.fixture
def moment() -> Moment:
    model = sim.loads(SCENE)
    return model, sim.Data(model)


def settled(moment: Moment) -> Moment:
    model, data = moment
    sim.step(model, data, 1000)
    sim.forward(model, data)
    return moment


def test_forces_at_rest_are_the_weights(moment: Moment) -> None:
    settled(moment)
    for text, value in [
        ('normal_force("ball")', 10), ('normal_force("floor", "ball")', 10), ('normal_force("skin", "floor")', 10),
        ('normal_force("box", "floor")', 20), ('normal_force("floor")', 30), ("normal_force()", 30),
        ('normal_force("ball", "box")', 0), ('touching("ball", "floor")', 1), ('touching("arm")', 0),
        ('touching("box", "ball")', 0), ('touching("lid")', 0), ("touching()", 1), ('friction_force("ball")', 0),
    ]:  # fmt: skip
        assert evaluate(text, *moment) == pytest.approx(value, abs=1e-3), text


def test_depth_is_of_the_deepest(moment: Moment) -> None:
    model, data = moment
    data.qpos[2], data.qpos[9] = 0.07, 0.08
    sim.forward(model, data)
    for text, value in [("depth()", 0.03), ('depth("ball")', 0.03), ('depth("box")', 0.02), ('depth("arm")', 0)]:
        assert evaluate(text, *moment) == pytest.approx(value), text


def test_slip_speed_of_a_ball_that_slides_and_of_one_that_rolls(moment: Moment) -> None:
    model, data = moment
    data.qpos[2] = data.qpos[9] = 0.099
    data.qvel[:6] = (3, 4, 0, 0, 0, 0)
    data.qvel[6:12] = (0, 2, 5, 0, 0, 0)
    sim.forward(model, data)
    assert evaluate('slip_speed("ball")', *moment) == pytest.approx(5)
    assert evaluate('slip_speed("box", "floor")', *moment) == pytest.approx(2)
    assert evaluate("slip_speed()", *moment) == pytest.approx(5)
    # omega x r at the point of contact, 0.0995 below the centre, cancels the velocity
    data.qvel[:6] = (3, 0, 0, 0, 3 / 0.0995, 0)
    sim.forward(model, data)
    assert evaluate('slip_speed("ball")', *moment) == pytest.approx(0, abs=1e-12)


def test_friction_brakes_a_box_that_slides(moment: Moment) -> None:
    settled(moment)
    model, data = moment
    data.qvel[6] = 2
    sim.step(model, data, 5)
    sim.forward(model, data)
    # default friction 1, rows of a pyramid
    assert evaluate('friction_force("box", "floor")', *moment) == pytest.approx(
        evaluate('normal_force("box", "floor")', *moment), rel=0.02
    )


def test_limits(moment: Moment) -> None:
    model, data = moment
    data.qpos[14] = np.radians(20)
    sim.forward(model, data)
    assert evaluate('limit_distance("hinge")', *moment) == pytest.approx(np.radians(10))
    data.qpos[14] = np.radians(-31)
    sim.forward(model, data)
    assert evaluate('limit_distance("joint:hinge")', *moment) == pytest.approx(-np.radians(1))


def test_limit_of_a_ball_joint_and_of_a_tendon() -> None:
    model = sim.loads(
        """<mujoco><worldbody><body><joint name='ball' type='ball' range='0 60' limited='true'/><geom size='.1'/></body>
        <body><joint name='slide' type='slide'/><geom size='.1' contype='0'/></body></worldbody>
        <tendon><fixed name='rope' range='0 1' limited='true'><joint joint='slide' coef='2'/></fixed></tendon>
        </mujoco>"""
    )
    data = sim.Data(model)
    data.qpos[:4] = sim.axis_angle_to_quat(np.array((0.0, 0.6, 0.8)), np.radians(-45.0))
    data.qpos[4] = 0.4
    sim.forward(model, data)
    assert evaluate('limit_distance("ball")', model, data) == pytest.approx(np.radians(15))
    assert evaluate('limit_distance("rope")', model, data) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("actuator", "control", "share"),
    [
        ("ranged", 3, 0.75),
        ("ranged", -1, 0.5),
        ("ranged", 0, 0),
        ("servo", 0.1, 0.5),
        ("servo", 9, 1),
        ("servo", -9, 1),
    ],
)
def test_saturation(moment: Moment, actuator: str, control: float, share: float) -> None:
    model, data = moment
    data.ctrl[model.name2id("actuator", actuator)] = control
    sim.forward(model, data)
    assert evaluate(f'saturation("{actuator}")', *moment) == pytest.approx(share)


@pytest.mark.parametrize("scene", ["humanoid", "tendon_arm", "rovers", "sleepers", "double_pendulum"])
def test_energy_is_mujoco_s(scene: str) -> None:
    """With the flag, without it, and with springs of every kind."""
    path = f"scenes/{scene}.xml"
    model = sim.load(path)
    data = sim.Data(model)
    sim.step(model, data, 20)
    model.opt.enableflags |= sim.enums.ENBL_ENERGY
    sim.forward(model, data)
    wanted = float(data.energy.sum())
    assert evaluate("energy()", model, data) == wanted
    model.opt.enableflags &= ~sim.enums.ENBL_ENERGY
    sim.forward(model, data)
    assert not data.energy.any()
    assert evaluate("energy()", model, data) == pytest.approx(wanted, rel=1e-12)


def test_energy_of_springs() -> None:
    text = """<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/>
        <body pos='1 0 0'><joint type='ball' stiffness='7' /><geom size='.1'/><site name='a'/></body></body>
        <body pos='0 3 0'><joint name='s' type='slide' stiffness='5' springref='.3'/><geom size='.1'/><site name='b'/>
        </body></worldbody>
        <tendon><spatial stiffness='11' springlength='.5 1'><site site='a'/><site site='b'/></spatial></tendon>
        </mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(text), sim.loads(text)
    theirs.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    d1, d2 = mujoco.MjData(theirs), sim.Data(ours)
    rng = np.random.default_rng(3)
    d1.qpos[:] = d1.qpos + 0.3 * rng.normal(size=theirs.nq)
    mujoco.mj_normalizeQuat(theirs, d1.qpos)
    d1.qvel[:] = rng.normal(size=theirs.nv)
    d2.qpos[:], d2.qvel[:] = d1.qpos, d1.qvel
    mujoco.mj_forward(theirs, d1)
    sim.forward(ours, d2)
    assert evaluate("energy()", ours, d2) == pytest.approx(d1.energy.sum(), rel=1e-12)


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("noslip", [0, 4])
def test_a_solver_with_one_iteration_does_not_converge(solver: str, noslip: int) -> None:
    model = sim.load("scenes/ragdolls.xml")
    data = sim.Data(model)
    sim.step(model, data, 200)
    model.opt.solver = ("PGS", "CG", "Newton").index(solver)
    model.opt.noslip_iterations = noslip
    model.opt.tolerance = 1e-8
    for iterations, converged in [(1, 0), (10_000 if solver == "PGS" else 190, 1)]:
        model.opt.iterations = iterations
        data.qacc_warmstart[:] = 0
        sim.forward(model, data)
        assert evaluate("converged()", model, data) == converged
        if solver != "PGS":  # it needs more iterations than are kept
            assert (evaluate("residual()", model, data) < 1e-8) == converged
        assert evaluate("iterations()", model, data) >= 1


def test_trees_that_sleep() -> None:
    model = sim.load("scenes/sleepers.xml")
    data = sim.Data(model)
    sim.step(model, data, 3000)
    sim.forward(model, data)
    roots = {int(model.body_treeid[b]): b for b in reversed(range(1, model.nbody)) if model.body_treeid[b] >= 0}
    found = [evaluate(f'awake("body:{b}")', model, data) for _, b in sorted(roots.items())]
    assert found == data.tree_awake.tolist() and 0 in found
    assert evaluate("islands()", model, data) == data.nisland


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('depth("bell")', "did you mean 'ball'"), ('depth("body:bal")', "did you mean 'ball'"),
        ('depth("geom:99")', "geom 99 does not exist"), ('limit_distance("slide")', "has no limit"),
        ('limit_distance("slyde")', "'slide'"), ('saturation("free")', "neither"), ('awake("world")', "static"),
        ("saturation()", "write saturation(actuator)"), ("depth(1)", "write depth([body or geom[, body or geom]])"),
        ('depth("a", "b", "c")', "write depth("), ('energy("ball")', "write energy()"),
        ("dept()", "did you mean 'depth'"), ('depth(d.body("ball"))', "in quotes"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(moment: Moment, text: str, said: str) -> None:
    sim.forward(*moment)
    with pytest.raises(BadExpression) as refusal:
        evaluate(text, *moment)
    assert said in str(refusal.value)


def test_names_that_mean_two_things() -> None:
    model = sim.loads(
        """<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>
        <body name='foot' pos='0 0 .05'><freejoint/><geom name='foot' size='.1'/><geom size='.1' pos='.5 0 0'/></body>
        <body name='ball' pos='5 5 .05'><freejoint/><geom name='ball' size='.1'/></body></worldbody></mujoco>"""
    )
    data = sim.Data(model)
    sim.forward(model, data)
    with pytest.raises(BadExpression, match='write "body:foot" or "geom:foot"'):
        evaluate('depth("foot")', model, data)
    both, one, other = (
        evaluate(f'normal_force("{name}", "floor")', model, data) for name in ("body:foot", "geom:foot", "geom:2")
    )
    assert both == pytest.approx(one + other) and min(one, other) > 0
    # the only geom of its body: it does not matter
    assert evaluate('depth("ball")', model, data) == pytest.approx(0.05)


def test_every_measure_says_what_it_is() -> None:
    for name, measure in MEASURES.items():
        assert measure.text and measure.required <= len(measure.arguments)
        assert measure.usage(name).startswith(f"{name}(")


def test_a_measure_changes_nothing(moment: Moment) -> None:
    model, data = settled(moment)
    before: list[dict[str, Any]] = [{k: np.copy(v) for k, v in struct.values().items()} for struct in moment]
    names = {
        "limit_distance": ['"hinge"'],
        "saturation": ['"servo"'],
        "awake": ['"ball"'],
        "push": ['"hinge"', '"gravity"'],
        "power": ['"gravity"'],
    }
    for name in MEASURES:
        evaluate(f"{name}({', '.join(names.get(name, []))})", model, data)
    for struct, kept in zip(moment, before, strict=True):
        assert all(np.array_equal(value, kept[name], equal_nan=True) for name, value in struct.values().items())


def test_references_name_their_element(moment: Moment) -> None:
    model = moment[0]
    for kind, kinds in (("body", ("body", "geom")), ("geom", ("body", "geom")), ("joint", ("joint", "tendon"))):
        for row in range(len(model.names[kind])):
            assert find(model, reference(model.names, kind, row), kinds) == (kind, row)
    with pytest.raises(BadElement, match="did you mean 'hinge'"):
        find(model, "hing", ("joint",))
