"""Expressions at the rows of a run have the values that they had in it."""

import numpy as np
import pytest

import sim
from sim.recording import evaluate as module
from sim.recording.evaluate import values
from sim.script.expression import evaluate
from tests.sim.state.test_state import EVERYTHING, ROOT

# of numbers that a row has, and of m
OF_THE_STATE = [
    "d.time", "d.qpos[2]", "d.qpos[-1] * 2 + 1", "norm(d.qvel)", "sum(d.qpos[:3])", "max(abs(d.qvel))", "d.ctrl[0] > 0",
    'd.joint("b").qpos[1]', 'd.actuator("servo").ctrl[0]', "sqrt(d.qpos[0] ** 2 + d.qpos[1] ** 2)", "d.act[0]",
    "m.opt.timestep * d.time", "d.xfrc_applied[2, 1] + m.body_mass[1]", "norm(d.qpos[7:11] - d.mocap_quat[0])",
    "arctan2(d.qpos[0], d.qpos[1])", "-d.qvel[0]", "d.mocap_pos[0, 2]", "sum(d.qpos * 2 - d.time)", "7", "pi * m.nq",
    "sum(d.xfrc_applied * m.opt.gravity[0])", "mean(d.qvel)", "min(d.qvel[0:2])", 'd.body("box").xfrc_applied[5]',
    "sum(m.body_mass) * d.time", "2 ** d.qpos[0]", "abs(d.ctrl[1]) ** d.qpos[0]", "d.perturb.refselpos[1]",
    "sum(d.qvel[0] * m.body_mass)", "d.time > 0.1 and not d.qpos[0] > 0.5", "0 < d.time <= 0.2", "d.time or d.qpos[0]",
]  # fmt: skip
# of what follows from it, or cannot be read for all rows at once
OTHERS = [
    "d.xpos[1, 2]", "d.ncon", "len(d.contact)", 'd.body("tip").xpos[0]', "d.energy[0] + d.energy[1]", "d.eq_active[0]",
    "d.qacc[0]", "d.qpos[d.perturb.select]", "dot(d.qvel, d.qvel)", "len(d.qpos)", "d.actuator_force[0]",
    "d.perturb.select", "d.noise.seed", "d.actuator_length[0] * d.qpos[0]", "energy()", 'depth("box")', "touching()",
    'd.time > 0.1 and saturation("servo") < 2', "d.time < 0.1 or d.ncon > 0 and d.contact.dist[0] < 0",
]  # fmt: skip


@pytest.fixture(scope="module")
def run():
    """A run with everything that a state has."""
    m = sim.loads(EVERYTHING.replace("<general joint", '<general name="servo" joint'))
    m.opt.enableflags |= sim.enums.ENBL_ENERGY
    d = sim.Data(m)
    d.noise.scale, d.noise.rate, d.noise.seed = 0.5, 0.1, 3
    d.perturb.select, d.perturb.active, d.perturb.refselpos = 2, 1, (0.1, 0.2, 0.3)
    d.xfrc_applied[2] = range(6)
    sim.trace(m, d, 150)
    sim.step(m, d, 150)
    return m, d.trace.state.copy(), sim.record_signature(m)


def one_by_one(m, rows, sig, text):
    """As in a simulation that stands at each row."""
    d, found = sim.Data(m), []
    for row in rows:
        sim.set_state(m, d, row, sig, check=False)
        sim.forward(m, d)
        found.append(evaluate(text, m, d))
    return np.array(found)


@pytest.mark.parametrize("text", OF_THE_STATE + OTHERS)
def test_values_are_those_of_the_run(run, text):
    m, rows, sig = run
    found = values(m, sim.Data(m), rows, sig, [text])
    wanted = one_by_one(m, rows, sig, text)
    assert found.reasons == {} and found.numbers.shape == (150, 1)
    np.testing.assert_allclose(found.numbers[:, 0], wanted, rtol=1e-13, atol=0)
    # for many numbers at once numpy rounds these otherwise
    if text in OTHERS or not ("norm" in text or "**" in text):
        assert np.array_equal(found.numbers[:, 0], wanted)


def test_the_state_needs_no_forward(run, monkeypatch):
    m, rows, sig = run

    def fail(m, d):
        raise AssertionError("forward")

    monkeypatch.setattr(sim, "forward", fail)
    # in several pieces too
    monkeypatch.setattr(module, "CHUNK", 40 * rows.shape[1])
    found = values(m, sim.Data(m), rows, sig, OF_THE_STATE)
    assert np.isfinite(found.numbers).all()
    with pytest.raises(AssertionError, match="forward"):
        values(m, sim.Data(m), rows, sig, ["d.xpos[1, 2]"])


def test_several_at_once(run):
    m, rows, sig = run
    texts = ["d.xpos[1, 2]", "d.time", "d.nonsense", "d.ncon"]
    found = values(m, sim.Data(m), rows, sig, texts)
    assert np.isnan(found.numbers[:, 2]).all() and found.reasons.keys() == {"d.nonsense"}
    for k in (0, 1, 3):
        assert np.array_equal(found.numbers[:, k], one_by_one(m, rows, sig, texts[k]))
    assert values(m, sim.Data(m), rows[:0], sig, texts).numbers.shape == (0, 4)


@pytest.mark.parametrize("text", ["d.nonsense", "1 +", "d.qpos", "nonsense", "d.qpos[0] = 1", "__import__('os')"])
def test_what_never_has_a_value_is_asked_once(run, text, monkeypatch):
    m, rows, sig = run
    calls, real = [], module.evaluate
    monkeypatch.setattr(module, "evaluate", lambda *asked: calls.append(asked) or real(*asked))
    found = values(m, sim.Data(m), rows, sig, [text])
    assert len(calls) == 1 and np.isnan(found.numbers).all() and len(found.reasons[text]) > 5


def test_some_rows_have_no_value():
    """The box falls: at first there are no contacts."""
    m = sim.load(ROOT / "scenes/pile.xml")
    d, sig = sim.Data(m), sim.record_signature(m)
    sim.trace(m, d, 300)
    sim.step(m, d, 300)
    text = "d.contact[0].dist"
    found = values(m, sim.Data(m), d.trace.state[::20], sig, [text, "d.ncon"])
    without = np.isnan(found.numbers[:, 0])
    assert np.array_equal(without, found.numbers[:, 1] == 0) and without.any() and not without.all()
    assert "out of bounds" in found.reasons[text] or "there are 0" in found.reasons[text]


def test_long_expressions_take_no_longer(run):
    """A nested expression is walked once, not once for each level."""
    m, rows, sig = run
    for text in ("1" + "**1" * 150, "abs(" * 90 + "1" + ")" * 90, "-" * 90 + "d.time", "d.time" + "+1" * 200):
        assert np.isfinite(values(m, sim.Data(m), rows[:2], sig, [text]).numbers).all()
