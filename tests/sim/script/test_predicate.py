"""Predicates: what they remember of the step before, what they read, and what they say about themselves."""

from __future__ import annotations

import pytest

import sim
from sim.script.expression import BadExpression, evaluate
from sim.script.predicate import Named, Predicate

MODEL = """<mujoco><option gravity='0 0 -10' timestep='0.01'/><worldbody><geom name='floor' type='plane' size='1 1 1'/>
<body name='ball' pos='0 0 1'><joint name='lift' type='slide' axis='0 0 1'/><geom size='.1'/></body>
</worldbody></mujoco>"""


@pytest.fixture
def moment() -> tuple[sim.Model, sim.Data]:
    model = sim.loads(MODEL)
    data = sim.Data(model)
    sim.forward(model, data)
    return model, data


def test_rises_is_the_growth_since_the_step_before(moment: tuple[sim.Model, sim.Data]) -> None:
    model, data = moment
    rises = Predicate("rises(d.qpos[0])")
    found = []
    for height in (5, 7, 7, 6.5, 9):
        data.qpos[0] = height
        found.append(rises.value(model, data))
    assert found == [0, 2, 0, 0, 2.5]
    rises.forget()
    data.qpos[0] = 100
    assert rises.value(model, data) == 0


def test_what_and_has_skipped_is_not_the_step_before(moment: tuple[sim.Model, sim.Data]) -> None:
    model, data = moment
    predicate = Predicate("d.qvel[0] > 0 and rises(d.qpos[0]) > 1")
    found = []
    for height, velocity in ((0, 1), (2, 1), (4, 0), (6, 1), (8, 1)):
        data.qpos[0], data.qvel[0] = height, velocity
        found.append(predicate.value(model, data))
    assert found == [0, 1, 0, 0, 1]


@pytest.mark.parametrize("text", ["rises()", "rises(d.qpos, 1)", "rises(d.xpos)", "1 +", "rises(nothing)", "d.body"])
def test_what_has_no_value_says_why(moment: tuple[sim.Model, sim.Data], text: str) -> None:
    with pytest.raises(BadExpression):
        Predicate(text).value(*moment)


def test_rises_is_for_predicates_alone(moment: tuple[sim.Model, sim.Data]) -> None:
    with pytest.raises(BadExpression, match="only works in breakpoints"):
        evaluate("rises(d.qpos[0])", *moment)


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("d.time > 1", False), ("norm(d.qvel) > 3 and d.qpos[0] < 2", False), ('d.joint("lift").qvel[0] > 1', False),
        ("m.opt.timestep > 1", False), ("d.qacc[0] > 1", True), ('touching("ball")', True), ("rises(energy())", True),
        ('d.body("ball").xpos[2] > 1', True), ("d.ncon > 0", True), ("d.time > 1 and d.ncon", True),
        ('d.joint("lift").qvel[0] > d.xpos[1, 2]', True), ('d.joint("lift").qacc[0] > 1', True),
        ("d.sensordata[0] > d.qpos[0]", True), ('d.actuator("a").force[0] > d.time', True),
    ],
)  # fmt: skip
def test_what_is_read_decides_whether_forward_is_needed(text: str, needed: bool) -> None:
    assert Predicate(text).needs_forward is needed


def test_numbers_that_decided(moment: tuple[sim.Model, sim.Data]) -> None:
    for text, said in [
        ("d.qpos[0] > -1", "d.qpos[0] = 0"), ("1 < 2", ""), ("d.time < 1 and not d.ncon > 3", "d.time = 0, d.ncon = 0"),
        ('depth("ball", "floor") < 1', 'depth("ball", "floor") = 0'), ('not touching("ball")', 'touching("ball") = 0'),
        ("1 or d.ncon", "1 = 1"), ("d.time", "d.time = 0"),
    ]:  # fmt: skip
        predicate = Predicate(text)
        predicate.value(*moment)
        assert predicate.detail() == said


def test_elements_that_are_named() -> None:
    predicate = Predicate('depth("a", "geom:3") > 1 or d.jnt("k").qpos[0] > 1 or m.body_mass[1] > energy()')
    assert sorted(predicate.named()) == [Named("depth", ("a", "geom:3")), Named("energy", ()), Named("joint", ("k",))]
    assert Predicate("rises(d.qpos[0])").looks_back and not predicate.looks_back
