"""What was typed is what one measures: solref and solimp are found for it, set, and the contact is pressed again."""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi, sqrt

import numpy as np
import pytest

import sim
from sim.analysis.row_softness import JOINT_FRICTION, contact_softness, row_softness
from sim.analysis.softness import Softness
from sim.analysis.solref_tuning import (
    limit_law,
    peak_load,
    stiffest,
    to_direct,
    tune_damping,
    tune_damping_ratio,
    tune_depth,
    tune_stiffness,
    tune_time_constant,
)
from tests.sim.analysis.pressing import depth, measured_stiffness, press, scene

LOAD = 60.0
RISING = 'solref="0.03 0.8" solimp="0.5 0.95 0.004 0.3 3" priority="1"'


def pressed(shape="sphere", load=LOAD, **changes) -> tuple[sim.Model, Softness]:
    m = sim.loads(scene(shape, thing=changes.pop("thing", RISING), **changes))
    return m, contact_softness(m, press(m, load), 0)


def put(m, tuned) -> None:
    """Set what was found, in the geom that decides."""
    m.geom_solref[1], m.geom_solimp[1] = tuned.solref, tuned.solimp


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("shape", ["sphere", "box"])
def test_a_typed_stiffness_is_measured(shape, cone, direct):
    m, now = pressed(shape, cone=cone)
    tuned = tune_stiffness(now, 23456.0, direct)
    assert (tuned.note, tuned.solimp, tuned.solref[0] < 0) == ("", now.solimp, direct)
    put(m, tuned)
    assert measured_stiffness(m, LOAD) == pytest.approx(23456.0, rel=1e-6)
    assert tuned.applied_to(now).damping_ratio == pytest.approx(0.8)


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("shape", ["sphere", "box"])
def test_a_typed_depth_is_measured(shape, direct):
    m, now = pressed(shape)
    tuned = tune_depth(now, 0.77e-3, direct)
    put(m, tuned)
    assert (tuned.note, tuned.solimp) == ("", now.solimp)
    assert depth(press(m, LOAD)) == pytest.approx(0.77e-3, rel=1e-8)


def test_the_depth_of_a_small_impedance_is_found_too():
    m, now = pressed(thing='solref="0.05 1" solimp="0.01 0.99 0.01 0.9 6" priority="1"')
    for wanted in (3e-3, 7e-3, 1.1e-2):
        tuned = tune_depth(now, wanted, True)
        put(m, tuned)
        assert tuned.note == ""
        assert depth(press(m, LOAD)) == pytest.approx(wanted, rel=1e-8)
    # the other form does not forbid what a step cannot bear, but says so
    assert "too stiff for this timestep" in tune_depth(now, 1e-4, True).note


@pytest.mark.parametrize("measure", ["stiffness", "depth"])
def test_where_refsafe_forbids_the_time_constant_the_impedance_is_raised(measure):
    m, now = pressed()
    # two timesteps and the impedance of the file bear 14 kN/m and no less than 2.6 mm
    if measure == "stiffness":
        tuned = tune_stiffness(now, 2.5e6, False)
    else:
        tuned = tune_depth(now, 2e-5, False)
    assert tuned.solref == (2 * now.timestep, pytest.approx(0.8))
    assert tuned.solimp[1] > now.solimp[1]
    assert "solimp was raised" in tuned.note
    put(m, tuned)
    if measure == "stiffness":
        assert measured_stiffness(m, LOAD) == pytest.approx(2.5e6, rel=1e-5)
    else:
        assert depth(press(m, LOAD)) == pytest.approx(2e-5, rel=1e-7)


def test_what_is_out_of_reach_is_approached_and_said():
    m, now = pressed()
    tuned = tune_depth(now, 1e-8, False)
    assert "out of reach with a timestep of 2 ms" in tuned.note
    assert tuned.solimp[1] == pytest.approx(0.999)
    assert tuned.applied_to(now).rest < now.rest
    # without refsafe nothing is forbidden, but the step overshoots
    tuned = tune_depth(replace(now, refsafe=False), 1e-8, False)
    assert "too stiff for this timestep" in tuned.note
    put(m, tuned)


def test_a_time_constant_keeps_the_damping_ratio_and_a_damping_ratio_the_stiffness():
    _, now = pressed()
    slower = tune_time_constant(now, 0.1, False)
    assert slower.solref == pytest.approx((0.1, 0.8))
    direct = tune_time_constant(now, 0.1, True).applied_to(now)
    assert (direct.time_constant, direct.damping_ratio) == pytest.approx((0.1, 0.8))
    bouncy = tune_damping_ratio(now, 0.2, False).applied_to(now)
    assert bouncy.damping_ratio == pytest.approx(0.2)
    assert (bouncy.stiffness, bouncy.rest) == pytest.approx((now.stiffness, now.rest))
    firm = tune_damping(now, 2 * now.damping, False).applied_to(now)
    assert (firm.damping, firm.stiffness) == pytest.approx((2 * now.damping, now.stiffness))
    short = tune_time_constant(now, 1e-3, False)
    assert short.solref[0] == 2 * now.timestep
    assert "below two timesteps" in short.note


def test_a_bounce_has_the_damping_ratio_that_was_typed():
    # one contact with a constant impedance: an impact is half a swing of a damped oscillator
    m, now = pressed(thing='solref="0.2 0.5" solimp="0.9 0.9 0.001" priority="1"')
    m.opt.timestep = 1e-4
    for ratio in (0.05, 0.3):
        put(m, tune_damping_ratio(replace(now, timestep=1e-4), ratio, False))
        d = sim.Data(m)
        d.qpos[2], d.qvel[2] = 0.1, -1.0
        for _ in range(100000):
            sim.step(m, d)
            if d.qvel[2] > 0 and d.ncon == 0:
                break
        # the contact ends where its force does, before the sphere is out: by then v = exp(-ζ φ / √(1 - ζ²))
        angle = np.arctan2(2 * ratio * sqrt(1 - ratio**2), 2 * ratio**2 - 1)
        left = np.exp(-ratio / sqrt(1 - ratio**2) * (angle if angle > 0 else angle + pi))
        assert d.qvel[2] == pytest.approx(left, rel=2e-3)


def test_as_stiff_as_the_timestep_can_bear_comes_to_rest_and_is_stiffer():
    for shape in ("sphere", "box"):
        m, now = pressed(shape, thing='solref="0.03 0.8" priority="1"')
        tuned = stiffest(now)
        assert tuned.note == ""
        assert tuned.solref == (2 * now.timestep, 1.0)
        assert tuned.solimp[:2] == (0.95, 0.99)
        put(m, tuned)
        d = press(m, LOAD)
        found = contact_softness(m, d, 0)
        assert found.stiffness > 20 * now.stiffness
        assert np.abs(d.qvel).max() < 1e-9
        assert peak_load(found.law, found.inertia, found.timestep, found.force) < 1


def test_an_impedance_that_rises_too_steeply_is_levelled():
    _, now = pressed(thing='solref="0.03 0.8" solimp="0.1 0.9999 1e-5 0.9 8" priority="1"')
    tuned = stiffest(now)
    assert tuned.solimp[0] == tuned.solimp[1]
    assert tuned.note == ""


def test_the_limit_is_two_timesteps_or_what_a_step_can_bear():
    _, now = pressed()
    law = limit_law(now)
    assert law.b == pytest.approx(2 / (0.95 * 0.004))
    direct = replace(now, solref=to_direct(now.solref, now.solimp[1]))
    law = limit_law(direct)
    assert law.step_load(law.depth(now.force), now.inertia, now.timestep) == pytest.approx(1.0)
    assert law.b / (2 * sqrt(law.k)) == pytest.approx(0.8)


def test_both_forms_are_the_same_law():
    _, now = pressed()
    direct = replace(now, solref=to_direct(now.solref, now.solimp[1]))
    assert (direct.law.k, direct.law.b) == pytest.approx((now.law.k, now.law.b))
    assert direct.direct
    assert not now.direct


def test_without_a_load_there_is_a_stiffness_but_no_depth():
    _, now = pressed()
    tuned = tune_stiffness(replace(now, assumed=0.0), 4e4, False)
    assert tuned.applied_to(now).law.stiffness(0.0) == pytest.approx(4e4)
    kept = tune_depth(replace(now, assumed=0.0), 1e-3, True)
    assert "enter a load" in kept.note
    assert (replace(now, solref=kept.solref).law.k, kept.solref[0] < 0) == (pytest.approx(now.law.k), True)


def test_dry_friction_has_a_damper_alone():
    m = sim.loads(
        '<mujoco><worldbody><body><joint type="slide" frictionloss="10"/><geom size=".1" mass="3"/></body>'
        "</worldbody></mujoco>"
    )
    d = sim.Data(m)
    sim.forward(m, d)
    now = row_softness(m, d, JOINT_FRICTION, 0)
    assert now.damping_ratio == inf
    for direct in (False, True):
        tuned = tune_damping(now, 5000.0, direct)
        assert tuned.applied_to(now).law.damping(0.0) == pytest.approx(5000.0)
    assert "no stiffness" in tune_stiffness(now, 1.0, False).note
