"""The measure `push`: names of joints, bodies, sources and axes, and what it says about wrong ones."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.elements import BadElement
from sim.analysis.force_shares import body_shares, joint_shares
from sim.analysis.force_sources import force_sources
from sim.analysis.push import Choice, power, push, push_expression, source_text, subject_text
from sim.script.expression import BadExpression, evaluate

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="box" pos="0 0 .099"><freejoint name="loose"/><geom name="crate" type="box" size=".1 .1 .1"/></body>
    <body name="arm" pos="2 0 1">
      <joint name="elbow" axis="0 1 0" damping=".3" stiffness="2"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <body name="hand" pos=".3 0 0"><joint name="hand" type="ball"/><geom size=".05" pos=".1 0 0"/></body>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="elbow"/><motor joint="elbow" gear="2"/></actuator>
</mujoco>
"""


@pytest.fixture
def moment() -> tuple[sim.Model, sim.Data]:
    m = sim.loads(XML)
    d = sim.Data(m)
    d.qpos[m.jnt_qposadr[1]] = 0.2
    d.qvel = np.linspace(-1, 1, m.nv)
    d.ctrl = [0.5, -0.2]
    sim.forward(m, d)
    return m, d


def test_kinds_sum_to_the_acceleration(moment):
    m, d = moment
    elbow = int(m.jnt_dofadr[1])
    kinds = {s.kind for s in force_sources(m, d).sources}
    assert {"gravity", "velocity", "joint damper", "joint spring", "actuator"} <= kinds
    assert sum(push(m, d, "elbow", kind) for kind in kinds) == pytest.approx(d.qacc[elbow])
    assert push(m, d, "elbow", "total") == d.qacc[elbow]


def test_element_of_a_kind(moment):
    m, d = moment
    both = [push(m, d, "elbow", f"actuator:{name}") for name in ("lift", "actuator:1", "1")[:2]]
    # half a newton metre, and -0.2 with a gear of 2
    assert both[0] / both[1] == pytest.approx(0.5 / -0.4)
    assert sum(both) == pytest.approx(push(m, d, "elbow", "actuator"))
    assert push(m, d, "elbow", "joint spring:elbow") == pytest.approx(push(m, d, "elbow", "joint spring"))


def test_contacts_by_body_or_geom(moment):
    m, d = moment
    every = push(m, d, "loose", "contact", "z")
    assert every > 1
    for name in ("body:box", "crate", "floor", "body:0"):
        assert push(m, d, "loose", f"contact:{name}", "z") == pytest.approx(every)
    assert push(m, d, "loose", "contact:hand", "z") == 0.0


def test_body_along_an_axis(moment):
    m, d = moment
    shares = body_shares(m, d, force_sources(m, d), 3)
    assert push(m, d, "body:hand", "total", "rz") == pytest.approx(shares.total[5])
    assert push(m, d, "joint:hand", "total", "rz") == pytest.approx(d.qacc[m.jnt_dofadr[2] + 2])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hand", "total", "x"), "'hand' is a joint and a body"),
        (("elbow", "total", "x"), "only one axis"),
        (("loose", "total"), "one of x, y, z, rx, ry, rz"),
        (("joint:hand", "total", "x"), "one of rx, ry, rz"),
        (("elbow", "gravty"), "did you mean 'gravity'"),
        (("elbow", "gravity:floor"), "has no elements"),
        (("elbow", "actuator:lft"), "did you mean 'lift'"),
    ],
)
def test_wrong_words_are_explained(moment, words, said):
    with pytest.raises(BadElement, match=said):
        push(*moment, *words)


def test_in_an_expression(moment):
    m, d = moment
    assert evaluate('push("elbow", "gravity") + 1', m, d) == pytest.approx(push(m, d, "elbow", "gravity") + 1)
    with pytest.raises(BadExpression, match="push"):
        evaluate('push("elbow")', m, d)


def test_texts_of_an_instrument_are_read_back(moment):
    m, d = moment
    found = force_sources(m, d)
    for joint, axes in ((0, ("x", "y", "z", "rx", "ry", "rz")), (1, ("",)), (2, ("rx", "ry", "rz"))):
        shares = joint_shares(m, d, found, joint)
        for k, source in enumerate(shares.sources):
            text = source_text(m, d, source)
            same = [s for s in shares.sources if source_text(m, d, s) == text]
            rows = [shares.sources.index(s) for s in same]
            # contacts of one geom are plotted together
            assert len(same) == 1 or source.kind == "contact"
            expression = push_expression(subject_text(m, "joint", joint), text, axes[-1])
            assert evaluate(expression, m, d) == pytest.approx(
                shares.acceleration[rows, len(axes) - 1].sum(), abs=1e-9
            ), k
    assert subject_text(m, "body", 3) == "body:hand"
    assert subject_text(m, "joint", 1) == "elbow"
    assert push_expression('a"b', "total", "") == 'push("a\\"b", "total")'
    with pytest.raises(BadElement):
        Choice(m, "wind")


def test_power_of_a_source_and_of_all():
    m = sim.loads("""<mujoco><worldbody><body><joint name="pivot" axis="0 1 0" damping=".5"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/></body></worldbody></mujoco>""")
    d = sim.Data(m)
    d.qvel[0] = 2.0
    sim.forward(m, d)
    assert power(m, d, "joint damper:pivot") == pytest.approx(-0.5 * 4)
    # a horizontal rod: its centre of mass is 0.2 m away
    assert power(m, d, "gravity") == pytest.approx(9.81 * 0.2 * 2)
    rate = float(d.qvel @ sim.full_m(m, d) @ d.qacc)
    assert power(m, d, "total") == pytest.approx(rate)
    with pytest.raises(BadElement):
        power(m, d, "dampers")
