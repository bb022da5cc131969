"""One kernel under pdb: where it stops, what it prints, breakpoint(), and whether native code gives the same."""

from __future__ import annotations

import io
from pathlib import Path
from runpy import run_path
from types import FunctionType

import numpy as np
import pytest

import sim
from sim.script.kernels.debug import Debugged, KernelData, debug, differences, find_call
from sim.script.profile import STEP
from sim.stages.smooth.passive import passive
from sim.user_error import UserError

# contacts, limits, tendons, actuators, sensors, springs, an equality
MODEL = """<mujoco>
  <option><flag energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/><light pos="0 0 3"/><camera name="eye" pos="0 -3 1"/>
    <body name="box" pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="top" pos="0 0 .1"/></body>
    <body name="arm" pos="1 0 1"><joint name="a" axis="0 1 0" damping=".3" stiffness="5" range="-10 10"/>
      <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0"><joint name="b" axis="0 1 0" springref="20" stiffness="2"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/><site name="tip" pos=".3 0 0"/></body></body>
  </worldbody>
  <tendon><fixed name="t" stiffness="3" damping=".1" armature=".01">
    <joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
  <equality><joint joint1="a" joint2="b" polycoef="0 .5 0 0 0"/></equality>
  <actuator><motor joint="a" gear="2"/><position joint="b" kp="4"/></actuator>
  <sensor><framepos objtype="site" objname="tip"/><gyro site="top"/><accelerometer site="tip"/></sensor>
</mujoco>"""


@pytest.fixture(scope="module")
def moment() -> tuple[sim.Model, sim.Data]:
    m = sim.loads(MODEL)
    d = sim.Data(m)
    d.ctrl[:] = 0.5, -0.3
    sim.step(m, d, nstep=20)
    return m, d


def talk(m: sim.Model, d: sim.Data, name: str, commands: str) -> tuple[str, Debugged]:
    """What the debugger prints to some commands, and its result."""
    out = io.StringIO()
    result = debug(m, d, name, stdin=io.StringIO(commands), stdout=out)
    return out.getvalue(), result


def test_it_stops_at_the_first_line_prints_and_steps(moment: tuple[sim.Model, sim.Data]) -> None:
    m, d = moment
    text, result = talk(m, d, "passive", "p d.qpos[0]\np m.nv\nn\nc\n")
    assert "passive()\n-> springs(m, d)" in text
    assert repr(d.qpos[0]) in text and f"(Pdb) {m.nv}\n" in text
    assert "-> dampers(m, d)" in text
    assert result.is_rounding and "Native code " in text


def test_stepping_into_a_kernel_skips_the_machinery(moment: tuple[sim.Model, sim.Data]) -> None:
    text, _ = talk(*moment, "passive", "s\ns\nc\n")
    assert "springs()" in text and "sim/jit" not in text


def test_data_stays_as_it_is(moment: tuple[sim.Model, sim.Data]) -> None:
    m, d = moment
    before = {name: np.copy(value) for name, value in d.values().items()}
    talk(m, d, "advance", "d.qpos[0] = 7.0\nc\n")
    assert all(np.array_equal(before[name], value, equal_nan=True) for name, value in d.values().items())


def test_a_helper_stops_where_it_is_first_called(moment: tuple[sim.Model, sim.Data]) -> None:
    text, result = talk(*moment, "spring", "p j\nw\nc\n")
    assert "passive.py" in text.splitlines()[0] and "spring()" in text.splitlines()[0]
    assert "springs()" in text and "passive()" in text
    # once, not for each joint
    assert text.count("-> if m.jnt_stiffness") == 2 and result.is_rounding


@pytest.mark.parametrize("kernel", dict.fromkeys(call.kernel.pyfunc.__name__ for call in STEP))
def test_python_and_native_code_agree(moment: tuple[sim.Model, sim.Data], kernel: str) -> None:
    m, d = moment
    if not any(call.is_made(m) for call in STEP if call.kernel.pyfunc.__name__ == kernel):
        m, d = other_model(kernel)
    _, result = talk(m, d, kernel, "c\n")
    assert result.not_compared == "" and result.is_rounding, str(result)


def other_model(kernel: str) -> tuple[sim.Model, sim.Data]:
    """The model with the option that makes the step call a kernel."""
    options = {
        "runge_kutta": ('<option integrator="RK4">', ""),
        "implicit": ('<option integrator="implicit">', ""),
        "implicitfast": ('<option integrator="implicitfast">', ""),
        "springdamper_acc": ('<option integrator="implicitspringdamper">', ""),
        "compare_fwd_inv": ("<option>", ' fwdinv="enable"'),
        "sleep_slow_trees": ("<option>", ' sleep="enable"'),
        "speculative_contacts": ("<option>", ' speculative="enable"'),
    }
    option, flag = options.get(kernel, ('<option integrator="discrete">', ""))
    text = MODEL.replace("<option>", option).replace('<flag energy="enable"', f'<flag energy="enable"{flag}')
    if kernel == "yield_springs":
        text = MODEL.replace('stiffness="5"', 'stiffness="5" springyield="1"')
    m = sim.loads(text)
    d = sim.Data(m)
    d.ctrl[:] = 0.5, -0.3
    sim.step(m, d, nstep=20)
    return m, d


def test_what_is_changed_is_said(moment: tuple[sim.Model, sim.Data]) -> None:
    text, result = talk(*moment, "passive", "c\n")
    assert result.is_rounding
    text, result = talk(*moment, "passive", "n\nd.qfrc_spring[6] = 3.5\nc\n")
    assert not result.is_rounding
    assert {"qfrc_spring", "qfrc_passive"} <= {found.field for found in result.differences}
    assert "d.qfrc_spring[6]: " in text


def test_quitting_and_errors_end_it(moment: tuple[sim.Model, sim.Data]) -> None:
    text, result = talk(*moment, "passive", "q\n")
    assert result.not_compared == "The kernel did not finish." and result.not_compared in text
    text, result = talk(*moment, "springs", "d = None\nc\nq\n")
    assert "AttributeError" in text and result.not_compared


def with_breakpoint(folder: Path) -> FunctionType:
    """`passive` with breakpoint() in it, from a file of its own."""
    file = folder / "stopping.py"
    head = "from sim.stages.smooth.passive import dampers, springs\n\n\ndef passive(m, d):\n"
    lines = "    springs(m, d)\n    mark = 41 + 1\n    breakpoint()\n    dampers(m, d)\n"
    file.write_text(head + lines, encoding="utf-8")
    function = run_path(str(file))["passive"]
    assert isinstance(function, FunctionType)
    return function


def test_breakpoint_stops_in_a_kernel(
    moment: tuple[sim.Model, sim.Data], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passive, "pyfunc", with_breakpoint(tmp_path))
    text, result = talk(*moment, "passive", "c\np mark\nc\n")
    # at the first line, then behind breakpoint()
    assert text.index("-> springs(m, d)") < text.index("-> dampers(m, d)") < text.index("(Pdb) 42\n")
    assert result.not_compared == "Not compared with native code: breakpoint() is in passive."


def test_breakpoint_in_an_earlier_kernel_does_not_stop(
    moment: tuple[sim.Model, sim.Data], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passive, "pyfunc", with_breakpoint(tmp_path))
    text, result = talk(*moment, "rne", "c\n")
    assert text.count("(Pdb)") == 1 and "rne()" in text
    assert result.not_compared == "" and result.is_rounding


def test_what_cannot_be_debugged(moment: tuple[sim.Model, sim.Data]) -> None:
    m, d = moment
    with pytest.raises(UserError, match=r"'pasive'; did you mean passive\?"):
        debug(m, d, "pasive")
    with pytest.raises(UserError, match="does not call wrapping_plane"):
        find_call(m, "wrapping_plane")
    # outside the step, but of Model and Data alone
    function, call = find_call(m, "smooth_vel")
    assert function is call.kernel


def test_a_function_that_is_not_called_now(moment: tuple[sim.Model, sim.Data]) -> None:
    m, d = moment
    flying = d.copy()
    flying.qpos[2] = 3.0
    text, result = talk(m, flying, "set_geometry", "")
    assert result.not_compared == "set_geometry was not called in this step." and "(Pdb)" not in text


def test_kernels_see_the_whole_capacity(moment: tuple[sim.Model, sim.Data]) -> None:
    _, d = moment
    seen = KernelData.of(d)
    assert len(d.contact.dist) == d.ncon < len(seen.contact.dist) == len(d.array("contact.dist"))
    assert list(differences(d, seen)) == []


def test_differences_name_the_worst_entry(moment: tuple[sim.Model, sim.Data]) -> None:
    _, d = moment
    other = d.copy()
    other.xpos[1, 2] += 0.5
    other.qvel[3] = np.nan
    other.ncon -= 1
    found = {one.field: one for one in differences(d, other)}
    assert found["xpos"].at == (1, 2) and found["xpos"].place == "d.xpos[1, 2]"
    assert found["qvel"].share == found["contact.dist"].share == 2.0
    text = str(Debugged(tuple(differences(d, other))))
    assert "fields differ" in text and "d.qvel[3]: nan in Python" in text


def test_sim_debug(
    moment: tuple[sim.Model, sim.Data], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("c\n"))
    sim.debug(*moment, "kinematics")
    assert "Native code gives the same result, bit for bit" in capsys.readouterr().out


def test_a_state_that_has_diverged(moment: tuple[sim.Model, sim.Data]) -> None:
    m, d = moment
    broken = d.copy()
    broken.qvel[6] = np.nan
    _, result = talk(m, broken, "passive", "c\n")
    assert result.is_rounding
