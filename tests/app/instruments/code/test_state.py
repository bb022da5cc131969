"""What the Code instrument shows: back and forth, choices of a field, questions and the file of a moment."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

import sim
from app.background.probe import Moment
from app.instruments.code import debug_command as commands
from app.instruments.code.code_questions import MOST_NUMBERS, FieldQuestion, IndexQuestion, SourceQuestion
from app.instruments.code.debug_command import MomentQuestion, debug_command
from app.instruments.code.state import MOST_KEPT, CodeState, Subject
from app.run.engine.choice import engine_named
from app.run.engine.names import MUJOCO
from app.run.history.taken_rows import TakenMoment
from sim.edits import CellValue, ModelEdits
from sim.recording.moment import save_moment
from sim.script.kernels.index import KernelIndex, make_index, used_by
from sim.script.model_edits import edits_of

XML = """<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
  <body name='ball' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def index() -> KernelIndex:
    return make_index()


@pytest.fixture
def moment() -> Moment:
    m = sim.loads(XML)
    d = sim.Data(m)
    sim.apply_edits(m, ModelEdits({"opt.gravity": (CellValue(2, 0, -3.0),)}))
    sim.step(m, d, nstep=5)
    return Moment(TakenMoment(m, edits_of(m), sim.copy_state(m, d), None, 0, 5, float(d.time)), m, sim.Data(m))


def test_back_and_forth() -> None:
    view = CodeState()
    assert view.subject is None
    a, b, c = (Subject(field=f"d.{name}") for name in ("qpos", "qvel", "qacc"))
    for subject in (a, b, b):
        view.show(subject)
    assert view.history == [a, b]
    view.move(-1)
    view.move(-1)
    assert view.subject == a
    view.move(1)
    assert view.subject == b
    view.move(-1)
    # what was ahead is dropped
    view.show(c)
    assert view.history == [a, c] and view.subject == c
    view.close()
    assert view.subject is None
    view.move(-1)
    assert view.subject == c
    for k in range(2 * MOST_KEPT):
        view.show(Subject(function=str(k)))
    assert len(view.history) == MOST_KEPT and view.subject == Subject(function=str(2 * MOST_KEPT - 1))


def test_showing_ends_a_search(index: KernelIndex) -> None:
    view = CodeState(search="pass")
    first = view.results(index)
    assert first and view.results(index) is first
    view.search = "passive"
    assert view.results(index) is not first
    view.show(Subject(function="passive"))
    assert view.search == "" and view.scroll


def test_of_several_writers_the_used_ones_come_first(index: KernelIndex) -> None:
    used = used_by(sim.loads(XML))
    qpos = Subject(field="d.qpos").choices(index, used)
    states = [code.name in used for code in qpos]
    assert states == sorted(states, reverse=True) and True in states and False in states
    code = Subject(field="d.qpos").code(index, used)
    assert code is not None and code.name in used
    rk4 = used_by(sim.loads(XML.replace("<worldbody>", "<option integrator='RK4'/><worldbody>", 1)))
    assert Subject(field="d.qpos").code(index, rk4) is not code
    # a choice stays
    view = CodeState()
    view.show(Subject(field="d.qpos"))
    view.choose(qpos[-1])
    assert view.subject is not None and view.subject.field == "d.qpos"
    assert view.subject.code(index, used) is qpos[-1]


def test_subjects_that_lead_nowhere(index: KernelIndex) -> None:
    for subject in (Subject(field="d.perturb.select"), Subject(field="d.no"), Subject(stage="no"), Subject("no")):
        assert subject.code(index, frozenset()) is None


def test_the_index_is_made_once(moment: Moment) -> None:
    first, second = IndexQuestion(1).answer(moment), IndexQuestion(2).answer(moment)
    assert first.index is second.index
    assert "sim.stages.smooth.passive.passive" in first.used
    code = first.index.named("passive")
    assert code is not None
    lines = SourceQuestion(code.file, first.index.text(code)).answer(moment)
    assert "".join(piece.text for piece in lines[code.line - 1]) == "def passive(m, d):"


def test_values_of_fields(moment: Moment) -> None:
    value = FieldQuestion("d.xpos", 1).answer(moment)
    assert value.shape == (2, 3) and value.row == 1 and value.numbers == tuple(moment.data.xpos[1])
    assert FieldQuestion("d.xpos", 7).answer(moment).row == -1
    assert len(FieldQuestion("d.xmat").answer(moment).numbers) == MOST_NUMBERS < 18
    assert FieldQuestion("m.opt.gravity").answer(moment).numbers == (0.0, 0.0, -3.0)
    assert FieldQuestion("d.time").answer(moment).numbers == (float(moment.data.time),)
    assert FieldQuestion("d.contact.dist").answer(moment).numbers == ()


def test_the_moment_is_written_once(moment: Moment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old, other = tmp_path / f"{commands.PREFIX}old", tmp_path / "other"
    for folder in (old, other):
        folder.mkdir()
        os.utime(folder, (0, 0))
    question = MomentQuestion(1)
    path = question.answer(moment)
    written = path.stat().st_mtime_ns
    assert question.answer(moment) == path and path.stat().st_mtime_ns == written
    assert question == MomentQuestion(1) != MomentQuestion(2)
    # what nobody needs any more is gone, what is not ours is not
    assert not old.exists() and other.exists()
    with sim.load_recording(path) as recording:
        d = recording.data()
    assert d.time == moment.data.time and np.array_equal(d.qpos, moment.data.qpos)
    assert d.model.opt.gravity[2] == -3.0


def test_with_mujoco_there_is_code_but_no_debugger(tmp_path: Path) -> None:
    engine = engine_named(MUJOCO)
    file = tmp_path / "ball.xml"
    file.write_text(XML, encoding="utf-8")
    m = engine.load(str(file))
    d = engine.Data(m)
    moment = Moment(TakenMoment(m, edits_of(m), engine.copy_state(m, d), None, 0, 0, 0.0), m, d)
    assert "sim.stages.smooth.passive.passive" in IndexQuestion(1).answer(moment).used
    assert FieldQuestion("d.xpos", 1).answer(moment).numbers == (0.0, 0.0, 1.0)
    with pytest.raises(ValueError, match="Not available with the MuJoCo engine"):
        MomentQuestion(1).answer(moment)


def test_a_state_that_has_diverged_can_be_written(moment: Moment, tmp_path: Path) -> None:
    moment.data.qvel[2] = np.nan
    save_moment(moment.model, moment.data, tmp_path / "moment.ktr")
    with sim.load_recording(tmp_path / "moment.ktr") as recording:
        assert np.isnan(recording.data().qvel[2])


def test_the_command_debugs_that_moment(moment: Moment, tmp_path: Path) -> None:
    path = tmp_path / "it's a moment.ktr"
    save_moment(moment.model, moment.data, path)
    command = debug_command(path, "passive", wait=True)

    script = "p float(d.time)\nd.qpos[2]\nn\nc\n\n"
    done = subprocess.run(command, input=script, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"sim.stages.smooth.passive.passive, at {float(moment.data.time):.6g} s"
    assert f"(Pdb) {float(moment.data.time)!r}" in lines and f"(Pdb) {moment.data.qpos[2]!r}" in lines
    assert "-> springs(m, d)" in lines and "-> dampers(m, d)" in lines
    assert "(Pdb) Native code gives the same result, bit for bit." in lines
    assert "Press Enter to close this window" in done.stdout
