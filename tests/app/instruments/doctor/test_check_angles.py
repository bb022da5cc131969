"""Doctor: units of angles, and ranges, each fault beside its healthy sibling."""

from __future__ import annotations

import pytest

import sim
from app.instruments.doctor.checks.angles import check_angles
from app.instruments.doctor.checks.ranges import check_ranges
from tests.app.instruments.doctor.cured import cured
from tests.app.instruments.doctor.small import Check, actuated, arm, first, found

RADIAN = "<compiler angle='radian'/>"


def turned(euler: str, compiler: str = "") -> sim.Model:
    return sim.loads(f"""<mujoco>{compiler}<worldbody><body name='a' euler='{euler}'><freejoint/><geom size='.1'/>
        </body></worldbody></mujoco>""")


def keyed(qpos: float) -> sim.Model:
    return arm(elbow="range='-90 90'", rest=f"<keyframe><key name='k' qpos='0 {qpos}'/></keyframe>")


def tendon(low: float) -> sim.Model:
    return arm(
        rest=f"""<tendon><fixed name='t' range='{low} {low + 1}'><joint joint='elbow' coef='1'/></fixed>
        </tendon>"""
    )


# what is wrong, and whether its first fix can be tried
FAULTY = (
    (check_angles, arm(elbow="range='-90 90'", rest=RADIAN), "angle-unit: joint elbow", True),
    (check_angles, arm(elbow="range='-1.57 1.57'"), "angle-unit: joint elbow", True),
    (check_angles, arm(elbow="range='-60 60' stiffness='1' springref='2578'"), "springref: joint elbow", True),
    (
        check_angles,
        actuated("position kp='1' ctrlrange='-90 90'", elbow="range='-90 90'"),
        "servo-range-unit: actuator a",
        True,
    ),
    (check_angles, turned("1.5708 0 0"), "orientation-unit: body a", False),
    (check_angles, turned("90 0 0", RADIAN), "orientation-unit: body a", False),
    (check_ranges, arm(elbow="range='20 90'"), "range-start: joint elbow", True),
    (check_ranges, keyed(45), "key-range: keyframe k", False),
    (check_ranges, tendon(3), "tendon-range: tendon t", True),
    (
        check_ranges,
        actuated("position kp='1' ctrlrange='0 1.5' gear='-1'", elbow="range='0 90'"),
        "servo-range: actuator a",
        True,
    ),
)
HEALTHY = (
    arm(elbow="range='-90 90'"),
    arm(elbow="range='-1.57 1.57'", rest=RADIAN),
    # a twist of two degrees
    arm(elbow="range='-2 2'"),
    arm(elbow="range='-60 60' stiffness='1' springref='45'"),
    actuated("position kp='1' ctrlrange='-1.57 1.57'", elbow="range='-90 90'"),
    actuated("position kp='1' ctrlrange='0 1.5'", elbow="range='0 90'"),
    actuated("motor ctrlrange='-90 90'", elbow="range='-90 90'"),
    turned("90 0 0"),
    turned("1.5 0 0"),
    turned("1.5708 0 0", RADIAN),
    keyed(0.8),
    tendon(-0.5),
)


@pytest.mark.parametrize(("check", "model", "name", "cures"), FAULTY)
def test_fault_is_found_and_its_fix_cures_it(check: Check, model: sim.Model, name: str, cures: bool) -> None:
    assert found(check, model) == [name]
    fix = first(check, model).fixes[0]
    assert bool(fix.edits) == cures
    assert not cures or not found(check, cured(model, fix))


@pytest.mark.parametrize("model", HEALTHY)
@pytest.mark.parametrize("check", [check_angles, check_ranges])
def test_healthy(check: Check, model: sim.Model) -> None:
    assert not found(check, model)


def test_joint_limited_to_nothing() -> None:
    model = arm(elbow="range='-90 90'")
    model.jnt_range[1] = 0.3, 0.3
    assert found(check_ranges, model) == ["range-empty: joint elbow"]


def test_start_outside_is_a_note_where_a_keyframe_is_inside() -> None:
    key = "<keyframe><key qpos='0 1'/></keyframe>"
    assert first(check_ranges, arm(elbow="range='20 90'")).severity == 2
    assert first(check_ranges, arm(elbow="range='20 90'", rest=key)).severity == 1


def test_range_far_narrower_than_the_others() -> None:
    # 0.07 rad that no round number of radians explains
    elbow = "range='-2.28 1.72'"
    assert found(check_angles, arm(joint="range='-171 99'", elbow=elbow)) == ["angle-unit: joint elbow"]
    assert not found(check_angles, arm(joint="range='-2 2.1'", elbow=elbow))


def test_degrees_and_signs_are_certain() -> None:
    assert [int(first(check_ranges, keyed(angle)).severity) for angle in (45, 2)] == [3, 2]
    elbow, servo = "range='0 90'", "position kp='1' ctrlrange='{}' gear='-1'"
    sides = [first(check_ranges, actuated(servo.format(ends), elbow=elbow)) for ends in ("0 1.5", "4 5")]
    assert [int(side.severity) for side in sides] == [3, 2]
