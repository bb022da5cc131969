"""What stages cost: every stage that a model has is named, and measuring leaves no trace."""

from collections import Counter

import numpy as np
import pytest

import sim
from sim.callback import user_control
from sim.enums import ENBL_ENERGY, ENBL_FWDINV, ENBL_SLEEP, INT_EULER, INT_RK4
from sim.jit.kernel import Helper, callees
from sim.pipeline.forward import forward_skip, run, step_skip
from sim.script import profile
from sim.script.profile import REST, STEP, with_rest
from tests.sim.stages.constraint import scenes

BARE = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
EVERY = [
    "kinematics", "centres of mass", "inertia", "collision", "constraint rows", "islands", "velocities",
    "passive forces", "bias forces", "acceleration", "solver", "integration", "rest",
]  # fmt: skip
RICH = """<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 1"><joint name="a"/><geom name="g" type="capsule" size=".05 .2"/></body></worldbody>
  <tendon><fixed name="t" armature=".1"><joint joint="a" coef="2"/></fixed></tendon>
  <actuator><motor tendon="t"/></actuator>
  <sensor><jointpos joint="a"/><subtreeangmom body="world"/><jointactuatorfrc joint="a"/></sensor></mujoco>"""


# what a step calls besides its stages, for the sake of what sleeps, of the user, and of states that are no good
ASIDES = {
    "wake_by_user", "wake_by_tendon", "wake_by_contact", "wake_by_equality", "reset_sleep", "user_control",
    "check_state", "check_acc",
}  # fmt: skip


def called(function, seen):
    """Kernels in the order in which a function comes to them; of those that only lead to others, the others."""
    for callee in callees(function):
        if isinstance(callee, Helper) or callee is forward_skip:
            called(callee, seen)
        else:
            seen[callee] = None
    return seen


def fields(struct):
    """Everything in a Model or Data, to the bit."""
    return {name: np.asarray(struct.read(name)).tobytes() for name in struct.layout.places}


def test_stages_are_those_of_a_step_in_its_order():
    made = called(step_skip, {})
    assert [call.kernel for call in STEP] == [kernel for kernel in made if kernel.pyfunc.__name__ not in ASIDES]


def test_stages_of_a_bare_model():
    m = sim.loads(BARE)
    assert list(sim.stage_times(m, sim.Data(m))) == EVERY


def test_every_stage_that_a_model_has_is_named():
    m = sim.loads(RICH)
    m.opt.enableflags |= ENBL_ENERGY | ENBL_FWDINV | ENBL_SLEEP
    times = sim.stage_times(m, sim.Data(m))
    assert set(times) == {REST, *(call.stage for call in STEP)}
    assert times["collision"] > 0


@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4])
@pytest.mark.parametrize("text", [RICH, scenes.CONTACTS], ids=["rich", "contacts"])
def test_measuring_changes_nothing(text, integrator):
    m = sim.loads(text)
    m.opt.integrator = integrator
    d = sim.Data(m)
    sim.step(m, d, 20)
    before = fields(m), fields(d)
    times = sim.stage_times(m, d)
    assert (fields(m), fields(d)) == before
    assert all(seconds >= 0 for seconds in times.values())
    assert set(EVERY) <= set(times)


def test_stages_and_the_rest_are_the_step(monkeypatch):
    """From the same readings of a clock, so that it holds on any machine: each call takes as long as it is told to."""
    m = sim.loads(RICH)
    durations = {run: 1e-3, user_control: 1e-6}

    def seconds(kernel, *arguments):
        """A stage takes ten microseconds."""
        kernel(*arguments)
        return durations.get(kernel, 1e-5)

    monkeypatch.setattr(profile, "_seconds", seconds)
    times = sim.stage_times(m, sim.Data(m))
    assert sum(times.values()) == pytest.approx(1e-3 - 1e-6)
    made = sum(call.is_made(m) for call in STEP)
    assert times[REST] == pytest.approx(1e-3 - 1e-6 - made * 9e-6)


def test_a_step_is_never_shorter_than_its_stages():
    assert with_rest({"a": 2.0, "b": 3.0}, [9.0, 7.0, 100.0]) == {"a": 2.0, "b": 3.0, REST: 4.0}
    assert with_rest({"a": 2.0, "b": 3.0}, [4.0, 4.5, 6.0])[REST] == 0


def test_a_disturbed_beginning_takes_nothing_from_the_stages(monkeypatch):
    m = sim.loads(BARE)
    calls = []

    def seconds(kernel, *arguments):
        """A microsecond a call, two more for one that does something; at first all of them take a millisecond."""
        kernel(*arguments)
        calls.append(kernel)
        if len(calls) <= 40:
            return 1e-3
        return {user_control: 1e-6, run: 1e-3}.get(kernel, 3e-6)

    monkeypatch.setattr(profile, "_seconds", seconds)
    times = sim.stage_times(m, sim.Data(m))
    made = Counter(call.stage for call in STEP if call.is_made(m))
    del times[REST]
    assert times == pytest.approx({stage: 2e-6 * count for stage, count in made.items()})


def test_steps_go_on_as_if_nobody_had_looked():
    m = sim.loads(RICH)
    m.opt.enableflags |= ENBL_SLEEP
    seen, unseen = sim.Data(m), sim.Data(m)
    for _ in range(10):
        sim.step(m, seen, 5)
        sim.step(m, unseen, 5)
        sim.stage_times(m, seen)
    assert fields(seen) == fields(unseen)
