"""Spec B, slider-crank and joint-in-parent transmissions: its acceptance criteria, checked against MuJoCo.

Every criterion also holds MuJoCo to the number it states. AC12 is about another code base.
"""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import TRN_JOINTINPARENT, TRN_SLIDERCRANK
from sim.script.jacobian import jac, jac_point_axis
from tests import oracle
from tests.sim.stages.actuation.test_constants import refused


def slider_crank(crank: str, rod: float, gear: float, body: str = "0 0 0") -> str:
    return f"""
    <mujoco>
      <worldbody>
        <site name="slider" pos="0 0 0"/>
        <body pos="{body}">
          <joint name="j" type="hinge" axis="0 1 0"/>
          <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
          <site name="crank" pos="{crank}"/>
        </body>
      </worldbody>
      <actuator>
        <general name="a" cranksite="crank" slidersite="slider" cranklength="{rod}" gear="{gear}"/>
      </actuator>
    </mujoco>"""


COLINEAR = slider_crank("0 0 1", 0.5, 2)
OFFSET = slider_crank("0.5 0 0.5", 0.6, 1)
DEGENERATE = slider_crank("0 0 0", 0.5, 1, body="1 0 0")


def single(tag: str, target: str, kind: str) -> str:
    return f"""
    <mujoco>
      <worldbody>
        <body><joint name="j" type="{kind}" axis="0 1 0"/>
          <inertial pos="0.1 0 0.2" mass="1" diaginertia="0.1 0.1 0.1"/></body>
      </worldbody>
      <actuator><{tag} name="a" {target}="j" gear="5"/></actuator>
    </mujoco>"""


def both(xml: str):
    """(MuJoCo's model and data, ours from the same text), nothing computed yet."""
    mj = mujoco.MjModel.from_xml_string(xml)
    m = sim.loads(xml)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


def forward(mj, dj, m, d):
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, ["actuator_length", "actuator_velocity", "actuator_moment", "qfrc_actuator"], 1e-12)


def test_ac1_slider_crank_length_colinear():
    *_, d = engines = both(COLINEAR)
    forward(*engines)
    assert d.actuator_length[0] == pytest.approx(1.0, abs=1e-12)


def test_ac2_slider_crank_moment_offset():
    *_, d = engines = both(OFFSET)
    forward(*engines)
    assert d.actuator_length[0] == pytest.approx(0.16834, abs=1e-4)
    assert d.actuator_moment[0] == pytest.approx(0.25378, abs=1e-4)


def test_ac3_slider_crank_velocity():
    _, dj, _, d = engines = both(OFFSET)
    dj.qvel[0] = d.qvel[0] = 1.0
    forward(*engines)
    assert d.actuator_velocity[0] == pytest.approx(0.25378, abs=1e-4)
    assert d.actuator_velocity[0] == d.actuator_moment[0]


def test_ac4_slider_crank_force():
    mj, dj, m, d = both(slider_crank("0.5 0 0.5", 0.6, 1))
    dj.ctrl[0] = d.ctrl[0] = 1.0
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    oracle.assert_same(d, dj, ["qfrc_actuator", "qpos", "qvel"], 1e-12)
    assert d.qfrc_actuator[0] == d.actuator_moment[0] != 0


def test_ac5_slider_crank_degenerate():
    *_, d = engines = both(DEGENERATE)
    forward(*engines)
    assert d.actuator_length[0] == pytest.approx(0.0, abs=1e-12)
    assert np.isfinite(d.actuator_moment).all()


@pytest.mark.parametrize("kind", ["hinge", "slide"], ids=["ac6_hinge", "ac7_slide"])
def test_joint_in_parent_is_joint(kind):
    """To the bit."""
    results = []
    for xml in (single("motor", "joint", kind), single("general", "jointinparent", kind)):
        m = sim.loads(xml)
        d = sim.Data(m)
        d.qpos[0], d.qvel[0], d.ctrl[0] = 0.3, 0.7, 1.0
        sim.step(m, d)
        results.append([d.read(n).tobytes() for n in ("actuator_length", "actuator_velocity", "qfrc_actuator", "qpos")])
    assert results[0] == results[1]


def test_ac8_joint_in_parent_is_parsed():
    m = sim.loads(single("general", "jointinparent", "hinge"))
    assert m.actuator_trntype[0] == TRN_JOINTINPARENT
    assert m.actuator_trnid[0, 0] == m.name2id("joint", "j")
    assert m.actuator_gear[0, 0] == 5.0


def test_ac9_slider_crank_is_parsed():
    m = sim.loads(slider_crank("0 0 1", 0.5, 2))
    assert m.actuator_trntype[0] == TRN_SLIDERCRANK
    assert m.actuator_trnid[0].tolist() == [m.name2id("site", "crank"), m.name2id("site", "slider")]
    assert m.actuator_cranklength[0] == 0.5
    assert m.actuator_gear[0, 0] == 2.0


def test_ac10_cranksite_without_slidersite():
    assert "slidersite" in refused(COLINEAR.replace('slidersite="slider"', ""))


def test_ac11_cranklength_not_positive():
    assert "cranklength" in refused(COLINEAR.replace('cranklength="0.5"', 'cranklength="0"'))


def test_ac13_jacobian_of_a_point_and_an_axis():
    _, _, m, d = both(OFFSET)
    sim.forward(m, d)
    point, axis = np.array([0.5, 0.0, 0.5]), np.array([0.3, 0.4, -0.2])
    jacp, jacr = jac(m, d, point, 1)
    of_point, of_axis = jac_point_axis(m, d, point, axis, 1)
    assert np.allclose(jacr[:, 0], [0, 1, 0], atol=1e-15)
    assert np.array_equal(of_point, jacp)
    assert np.allclose(of_axis[:, 0], np.cross(jacr[:, 0], axis), atol=1e-15)
    assert np.allclose(of_axis[:, 0], [-0.2, 0.0, -0.3], atol=1e-15)
