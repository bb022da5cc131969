"""Plastic springs: against MuJoCo, over steps of every integrator; and what the rest of a spring does by itself."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import STATE_FULLPHYSICS, STATE_INTEGRATION, STATE_PLASTIC
from tests import oracle

# every kind of joint and tendon, with yielding and with elastic springs
SPRINGS = """<mujoco><compiler angle="radian"/><option integrator="{integrator}" timestep=".01">
    <flag energy="enable" {flag}/></option>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody><site name="w" pos="0 0 .5"/>
    <body><joint name="s" type="slide" stiffness="10 2 3" springyield=".1" springref=".02"/><geom size=".1"/>
      <site name="s" pos=".1 0 0"/></body>
    <body pos="1 0 0"><joint name="b" type="ball" stiffness="1 .1 .2" springyield=".2" damping=".01"/>
      <geom size=".1" pos="0 0 -.3"/><site name="b" pos=".1 0 -.3"/></body>
    <body pos="2 0 0"><joint name="h" axis="0 1 0" stiffness="1" springyield=".3" damping=".1"/>
      <geom size=".1" pos="0 0 -.3"/></body>
    <body pos="3 0 0"><joint name="none" axis="0 1 0" springyield=".4"/><geom size=".1" pos="0 0 -.3"/>
      <body pos="0 0 -.3"><joint axis="0 1 0" stiffness="1"/><geom size=".1" pos="0 0 -.3"/></body></body>
    <body pos="4 0 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <tendon>
    <fixed stiffness="5 1 2" springyield=".05" springlength=".1 .2"><joint joint="s" coef="1"/></fixed>
    <fixed springyield=".05"><joint joint="s" coef="1"/></fixed>
    <fixed stiffness="1" springyield=".05"><joint joint="s" coef="-1"/><joint joint="h" coef="2"/></fixed>
    <fixed stiffness="1" springyield=".05" springlength="0 .1"><joint joint="h" coef="-1"/></fixed>
    <spatial stiffness="20" springyield=".02" springlength="0 .3" damping="1">
      <site site="w"/><site site="s"/></spatial>
    <spatial stiffness="20" springyield=".02"><site site="s"/><site site="b"/></spatial>
    <spatial stiffness="20"><site site="w"/><site site="b"/></spatial>
  </tendon>
  <keyframe><key qpos="1 1 0 0 0 0 0 0"/><key plastic=".3 1 2 3 4 5"/></keyframe>
</mujoco>"""

MODEL_FIELDS = (
    *("jnt_springyield", "jnt_plasticadr", "tendon_springyield", "tendon_plasticadr", "tendon_type", "nplastic"),
    "key_plastic",
)


def engines_of(integrator: str = "Euler", flag: str = "", seed: int = 3):
    """(MuJoCo's model and data, ours) in a random state, fast enough that springs yield."""
    xml = SPRINGS.format(integrator=integrator, flag=flag)
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    oracle.random_state(mj, dj, seed)
    dj.qvel[:] *= 3
    oracle.copy_fields(dj, d, oracle.STATE)
    return mj, dj, m, d


def test_model():
    mj, dj, m, _ = engines_of()
    for name in MODEL_FIELDS:
        assert np.array_equal(m.read(name), getattr(mj, name)), name
    mujoco.mj_resetData(mj, dj)
    assert np.array_equal(sim.Data(m).plastic, dj.plastic)


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "RK4"])
@pytest.mark.parametrize("flag", ["", 'spring="disable"'])
def test_steps(integrator, flag):
    mj, dj, m, d = engines_of(integrator, flag)
    yielded = np.zeros(m.nplastic, bool)
    for _ in range(100):
        before = np.array(d.plastic)
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
        yielded |= d.plastic != before
        names = ["qpos", "qvel", "plastic", "qfrc_spring", "energy", "ten_length", "ten_J", "ten_velocity"]
        oracle.assert_same(d, dj, names, 1e-10)
    assert yielded.sum() == (0 if flag else m.nplastic - 3)  # but a joint, and the ends of cables


def test_inverse_dynamics():
    mj, dj, m, d = engines_of()
    rng = np.random.default_rng(0)
    rest = np.array(dj.plastic) + 0.3 * rng.normal(size=m.nplastic)
    rest[1:5] /= np.linalg.norm(rest[1:5])
    dj.plastic[:] = d.plastic[:] = rest
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, ["qacc", "qfrc_spring", "energy"])
    mujoco.mj_inverse(mj, dj)
    sim.inverse(m, d)
    oracle.assert_same(d, dj, ["qfrc_inverse"])


def test_state_vector():
    """The rest of springs is part of the physics, at MuJoCo's place; a run continues from it bit for bit."""
    mj, dj, m, d = engines_of()
    mujoco.mj_step(mj, dj, 10)
    sim.step(m, d, 10)
    for sig in (STATE_PLASTIC, STATE_FULLPHYSICS, STATE_INTEGRATION):
        theirs = np.zeros(mujoco.mj_stateSize(mj, sig))
        mujoco.mj_getState(mj, dj, theirs, sig)
        assert np.allclose(sim.get_state(m, d, sig), theirs, rtol=0, atol=1e-10)
    other = sim.Data(m)
    sim.set_state(m, other, sim.get_state(m, d, STATE_INTEGRATION), STATE_INTEGRATION)
    sim.step(m, d, 20)
    sim.step(m, other, 20)
    assert np.array_equal(other.plastic, d.plastic)
    assert np.array_equal(other.qpos, d.qpos)


def test_reset_and_keyframes():
    mj, dj, m, d = engines_of()
    sim.step(m, d, 10)
    sim.reset(m, d)
    assert np.array_equal(d.plastic, mj.key_plastic[0])
    sim.reset(m, d, key=1)
    mujoco.mj_resetDataKeyframe(mj, dj, 1)
    assert np.array_equal(d.plastic, dj.plastic)
    sim.set_keyframe(m, d, 0)
    assert np.array_equal(m.key_plastic[0], d.plastic)


def test_rollout():
    """States of a rollout have it too."""
    _, _, m, d = engines_of()
    sim.step(m, d, 5)
    start = sim.get_state(m, d, STATE_FULLPHYSICS)
    states, _ = sim.rollout(m, start[None], nstep=10)
    other = sim.Data(m)
    sim.set_state(m, other, start, STATE_FULLPHYSICS)
    sim.step(m, other, 10)
    assert np.allclose(states[0, -1], sim.get_state(m, other, STATE_FULLPHYSICS), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<joint type="slide" springyield="-1"/>', "springyield is -1; it must be zero or positive"),
        ('<joint type="free" springyield="1"/>', "the spring of a free joint cannot yield"),
    ],
)
def test_errors(text, message):
    with pytest.raises(sim.MjcfError, match=message):
        sim.loads(f'<mujoco><worldbody><body>{text}<geom size=".1"/></body></worldbody></mujoco>')


def test_saved(tmp_path):
    """Edits are written in the units of the file, keyframes with where springs rest."""
    m = sim.loads("""<mujoco><default><joint springyield="20"/><tendon springyield=".3"/></default>
      <worldbody><body><joint type="slide" axis="1 0 0"/><joint name="j"/><geom size=".1"/></body></worldbody>
      <tendon><fixed><joint joint="j" coef="1"/></fixed></tendon></mujoco>""")
    m.jnt_springyield[:], m.tendon_springyield[0] = (0.7, np.pi / 4), 0.11
    d = sim.Data(m)
    d.plastic = (0.1, 0.2, 0.3, 0.4)
    sim.add_keyframe(m, d, "bent")
    m.save_xml(tmp_path / "bent.xml")
    again = sim.load(tmp_path / "bent.xml")
    assert again.jnt_springyield.tolist() == pytest.approx([0.7, np.pi / 4])
    assert again.tendon_springyield[0] == 0.11
    assert again.key_plastic.tolist() == [[0.1, 0.2, 0.3, 0.4]]
    theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "bent.xml"))
    assert np.allclose(theirs.jnt_springyield, again.jnt_springyield)


def test_a_bent_wire_stays_bent():
    """Pulled beyond its yield and released, a spring comes to rest away from where it was, by what it yielded."""
    m = sim.loads("""<mujoco><option gravity="0 0 0"/><worldbody><body><geom size=".1"/>
      <joint type="slide" stiffness="100" damping="20" springyield=".1"/></body></worldbody></mujoco>""")
    d = sim.Data(m)
    d.qpos[0] = 0.35
    sim.step(m, d)
    sim.step(m, d, 10000)
    assert d.plastic[0] == pytest.approx(0.25, abs=1e-3)
    assert d.qpos[0] == pytest.approx(d.plastic[0], abs=1e-6)
    d.qpos[0] += 0.09
    kept = float(d.plastic[0])
    sim.step(m, d, 2000)
    assert d.plastic[0] == kept


def test_asleep_springs_keep_their_rest():
    xml = """<mujoco><option gravity="0 0 0"><flag sleep="enable"/></option><worldbody>
      <body><joint type="slide" stiffness="1" springyield=".1" damping="50"/><geom size=".1"/></body>
      <body pos="1 0 0" sleep="never"><joint type="slide" stiffness="100" springyield=".1" damping="1"/>
        <geom size=".1"/></body></worldbody></mujoco>"""
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    dj.qpos[1] = d.qpos[1] = 0.5
    for _ in range(300):
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
        oracle.assert_same(d, dj, ["qpos", "qvel", "plastic", "tree_asleep"])
    assert not d.tree_awake[0]
