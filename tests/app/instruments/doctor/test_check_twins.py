"""Doctor: left and right, series, and numbers far from all others."""

from __future__ import annotations

import pytest

import sim
from app.instruments.doctor.checks.twins import check_twins, mirrored, series, twins
from app.instruments.doctor.finding import Severity
from tests.app.instruments.doctor.cured import cured
from tests.app.instruments.doctor.small import first, found

PAIRS = (
    ("left_knee", "right_knee"),
    ("kneeLeft", "kneeRight"),
    ("l_knee", "r_knee"),
    ("knee_L", "knee_R"),
    ("ltibia", "rtibia"),
    ("fl_hip", "fr_hip"),
    ("HL", "HR"),
    ("footL", "footR"),
)


def row(names: tuple[str, ...], values: tuple[float, ...], attribute: str = "damping") -> sim.Model:
    bodies = "".join(
        f"<body pos='{k} 0 0'><joint name='{name}' {attribute}='{value}'/><geom size='.1'/></body>"
        for k, (name, value) in enumerate(zip(names, values, strict=True))
    )
    # one tree
    return sim.loads(f"<mujoco><worldbody><body><freejoint/><geom size='.1'/>{bodies}</body></worldbody></mujoco>")


@pytest.mark.parametrize("pair", PAIRS)
def test_names_of_twins(pair: tuple[str, str]) -> None:
    assert list(twins(["torso", *pair])) == [(1, 2)]
    assert pair[0] in mirrored(pair[1])


def test_names_without_a_side() -> None:
    assert not list(twins(["torso", "leg", "", "finger1", "finger2"]))
    assert list(series(["finger1", "finger2", "thumb", "finger3"])) == [[0, 1, 3]]


@pytest.mark.parametrize(
    ("names", "values", "name"),
    [
        (("left_knee", "right_knee", "hip"), (1, 1000, 1), "twins: joint right_knee"),
        (("left_knee", "right_knee", "hip"), (1000, 1, 1), "twins: joint left_knee"),
        (("left_knee", "right_knee", "hip"), (0, 1, 1), "twins: joint left_knee"),
        (("f1", "f2", "f3", "f4"), (1, 1, 0.01, 1), "twins: joint f3"),
        (("a", "b", "c", "d"), (1, 2, 3, 1000), "outlier: joint d"),
    ],
)
@pytest.mark.parametrize("attribute", ["damping", "armature", "stiffness", "frictionloss"])
def test_unlike_is_found_and_its_fix_cures_it(
    names: tuple[str, ...], values: tuple[float, ...], name: str, attribute: str
) -> None:
    model = row(names, values, attribute)
    assert found(check_twins, model) == [name]
    assert not found(check_twins, cured(model, first(check_twins, model).fixes[0]))


@pytest.mark.parametrize(
    ("names", "values"),
    [
        (("left_knee", "right_knee"), (1, 1.1)),
        (("f1", "f2", "f3", "f4"), (1, 2, 3, 4)),
        (("f1", "f2", "f3", "f4"), (1, 1, 1, 3)),
        (("a", "b", "c", "d"), (1, 20, 300, 1000)),
        (("a", "b", "c", "d"), (1, 2, 0, 3)),
    ],
)
def test_healthy(names: tuple[str, ...], values: tuple[float, ...]) -> None:
    assert not found(check_twins, row(names, values))


@pytest.mark.parametrize("names", [("left_a", "right_a"), ("a1", "a2", "a3", "a4")])
def test_slide_and_hinge_are_not_compared(names: tuple[str, ...]) -> None:
    """Their numbers have other units, and so have those of what drives them."""
    kinds = ("slide", *["hinge"] * (len(names) - 1))
    numbers = (1000, *[1] * (len(names) - 1))
    each = list(zip(names, kinds, numbers, strict=True))
    bodies = "".join(f"<body><joint name='{n}' type='{k}' damping='{v}'/><geom size='.1'/></body>" for n, k, v in each)
    drives = "".join(f"<position name='{n}' joint='{n}' kp='{v}'/>" for n, _, v in each)
    assert not found(check_twins, sim.loads(
        f"<mujoco><worldbody>{bodies}</worldbody><actuator>{drives}</actuator></mujoco>"
    ))  # fmt: skip


def test_severity_grows_with_the_difference() -> None:
    severities = [first(check_twins, row(("l_a", "r_a"), (1, by))).severity for by in (2, 10, 1000)]
    assert severities == [Severity.NOTE, Severity.WARNING, Severity.ERROR]


def test_actuators() -> None:
    text = """<mujoco><worldbody><body><joint name='i'/><geom size='.1'/></body>
        <body pos='1 0 0'><joint name='j'/><geom size='.1'/></body></worldbody><actuator>
        <position name='left' joint='i' kp='10' kv='1'/><position name='right' joint='j' kp='{}' kv='{}'/>
        </actuator></mujoco>"""
    assert found(check_twins, sim.loads(text.format(1e4, 1))) == ["twins: actuator right"]
    assert found(check_twins, sim.loads(text.format(10, 1e3))) == ["twins: actuator right"]
    assert not found(check_twins, sim.loads(text.format(10, 1)))
