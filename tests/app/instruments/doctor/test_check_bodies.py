"""Doctor: inertias, densities, sizes and positions, each fault beside its healthy sibling."""

from __future__ import annotations

import pytest

import sim
from app.instruments.doctor.checks.inertia import check_inertia
from app.instruments.doctor.checks.lengths import check_lengths
from app.instruments.doctor.finding import Severity
from app.instruments.doctor.subject import Subject
from tests.app.instruments.doctor.cured import cured
from tests.app.instruments.doctor.small import Check, arm, first, found

LINK = "type='capsule' fromto='0 0 0 .3 0 0'"
BALL = "<body name='ball' pos='1 0 0'><freejoint/><geom name='g' size='.05'/></body>"


def scaled(scale: float, gravity: float = -9.81, density: float = 1000) -> sim.Model:
    boxes = "".join(
        f"""<body name='{name}' pos='0 0 {9 * size}'><freejoint/>
        <geom type='box' size='{size} {size} {size}' density='{density}'/></body>"""
        for name, size in (("a", 0.1 * scale), ("b", 0.5 * scale))
    )
    return sim.loads(f"<mujoco><option gravity='0 0 {gravity}'/><worldbody>{boxes}</worldbody></mujoco>")


def inertial(text: str) -> sim.Model:
    return arm(shape=f"{LINK} size='.03'/><inertial {text}")


FAULTY = (
    (check_inertia, arm(shape=f"{LINK} size='.03' density='1000000'"), "density: body lower"),
    (check_inertia, arm(shape=f"{LINK} size='.03' density='1'"), "density: body lower"),
    (check_inertia, inertial("pos='.15 0 0' mass='1' diaginertia='1e3 1e3 1e3'"), "inertia-large: body lower"),
    (check_inertia, inertial("pos='.15 0 0' mass='1' diaginertia='1e-7 1e-7 1e-7'"), "inertia-small: body lower"),
    (check_inertia, inertial("pos='150 0 0' mass='1' diaginertia='.01 .01 .01'"), "com-outside: body lower"),
    (check_lengths, arm(shape="size='20'"), "size-unit: lower / sphere"),
    (check_lengths, arm(shape="size='1e-4' mass='.1'"), "size-unit: lower / sphere"),
    (check_lengths, scaled(1000), "length-unit: body b"),
    (check_lengths, scaled(1e-4, density=1e12), "length-unit: body b"),
)
HEALTHY = (
    arm(),
    arm(shape=f"{LINK} size='.03' density='7800'"),
    inertial("pos='.15 0 0' mass='1' diaginertia='.002 .01 .01'"),
    arm(shape="size='.1'"),
    scaled(1),
    # centimetres
    scaled(100, -981, 1),
)


@pytest.mark.parametrize(("check", "model", "name"), FAULTY)
def test_fault_is_found(check: Check, model: sim.Model, name: str) -> None:
    assert found(check, model) == [name]


@pytest.mark.parametrize("model", HEALTHY)
@pytest.mark.parametrize("check", [check_inertia, check_lengths])
def test_healthy(check: Check, model: sim.Model) -> None:
    assert not found(check, model)


def test_far_body() -> None:
    text = (
        "<mujoco><worldbody>{}<body name='b' pos='{} 0 0'><joint/><geom size='.1'/></body></body></worldbody></mujoco>"
    )
    parent = "<body><joint/><geom size='.1'/>"
    assert found(check_lengths, sim.loads(text.format(parent, 300))) == ["position-unit: body b"]
    assert not found(check_lengths, sim.loads(text.format(parent, 0.3)))


def test_impossible_inertia() -> None:
    model = inertial("pos='.15 0 0' mass='1' diaginertia='.002 .01 .01'")
    # the compiler refuses it, a script can make it
    model.body_inertia[2] = 0.002, 0.002, 0.01
    assert found(check_inertia, model) == ["inertia-impossible: body lower"]


def test_light_link_in_a_chain() -> None:
    text = """<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' mass='1'/>
        <body name='light' pos='.2 0 0'><joint axis='0 1 0'/><geom size='.1' mass='{}'/>
        <body><joint axis='0 1 0'/><geom size='.1' mass='1'/></body></body></body></worldbody></mujoco>"""
    assert "mass-chain: body light" in found(check_inertia, sim.loads(text.format("1e-9")))
    assert not found(check_inertia, sim.loads(text.format("1")))


def test_mass_as_dense_as_the_rest_cures() -> None:
    model = arm(shape=f"{LINK} size='.03' density='1000000'")
    finding = first(check_inertia, model)
    assert finding.severity == Severity.ERROR
    assert 0.5 < cured(model, finding.fixes[0]).body_mass[2] / model.body_mass[1] < 2


def test_grams_everywhere() -> None:
    text = "<mujoco><worldbody>{0}{0}</worldbody></mujoco>"
    body = "<body><freejoint/><geom size='.1' density='{}'/></body>"
    assert [f.check for f in check_inertia(Subject(sim.loads(text.format(body.format(1e6)))))] == ["mass-unit"]
    assert not found(check_inertia, sim.loads(text.format(body.format(1e3))))


def test_far_from_the_world_beside_a_floor() -> None:
    text = """<mujoco><worldbody><geom type='plane' size='9 9 9'/>
        <body pos='0 0 1'><freejoint/><geom size='.1'/></body>
        <body name='b' pos='0 0 {}'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""
    assert found(check_lengths, sim.loads(text.format(1000))) == ["position-unit: body b"]
    assert not found(check_lengths, sim.loads(text.format(10)))


def test_post_that_is_a_tower() -> None:
    text = """<mujoco><worldbody><geom name='floor' type='box' size='99 99 .1' pos='0 0 -1'/>
        <geom name='post' type='cylinder' size='{}'/><body pos='1 0 0'><joint/><geom size='.1'/></body>
        <body pos='2 0 0'><joint/><geom size='.1'/></body></worldbody></mujoco>"""
    assert found(check_lengths, sim.loads(text.format("40 50"))) == ["size-unit: geom post"]
    assert not found(check_lengths, sim.loads(text.format(".04 .05")))


def test_geom_that_shows_only_a_part_of_its_body() -> None:
    # a bead of 2 mm on a link whose inertia says that it is larger
    bead = arm(shape="size='.001'/><inertial pos='0 0 0' mass='.02' diaginertia='1e-5 1e-5 1e-5'")
    assert not found(check_inertia, bead)
