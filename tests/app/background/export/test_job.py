"""The job behind the dialog, with a simulation: past, branches, edits, faults; and moments of files.

Files: job.py, dialog_state.py, from_file.py, app/cli/export.py, app/window/exporting.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sim
from app.__main__ import main
from app.background.export import check as check_module
from app.background.export.dialog_state import ExportDialog
from app.background.export.from_file import moment_of_model, moment_of_recording
from app.background.export.job import ExportJob, Order
from app.background.export.question import Question
from app.background.export.suggest import Shown
from app.model.selection import Selection
from app.run import commands as cmd
from sim.edits import ModelEdits
from tests.app.background.export.exported import TINY, asking, is_exact, run_here
from tests.app.live import Hand


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    hand = Hand(tmp_path, TINY)
    yield hand
    hand.thread.close()


def taken(hand: Hand, shown: Shown | None = None) -> ExportJob:
    """A job whose moment is there; its thread is the test's."""
    job = ExportJob(hand.thread.send, shown or Shown(), "model.xml", check=run_here)
    job.take()
    hand.settle()
    assert job.turn()
    return job


def write(job: ExportJob, order: Order) -> None:
    job.write(order)
    assert job.under_way
    assert job.turn()
    assert not job.under_way


def test_the_moment_that_is_shown(hand: Hand, tmp_path: Path) -> None:
    hand.send(cmd.StepOnce(30))
    job = taken(hand, Shown(Selection("body", 1), ("d.qpos[2]", "d.nothing")))
    assert job.moment is not None
    assert (job.moment.step, job.moment.time) == (30, pytest.approx(0.3))
    found = {one.question.expression: one for one in job.answers}
    assert found["d.qpos[2]"].value == hand.state.qpos[2]
    assert found["d.nothing"].fault == "'d.nothing' is not a field"
    # at this state, where the results of the step are those of the one before
    assert np.array_equal(found['d.body("ball").xpos'].value, hand.state.qpos[:3])
    write(job, Order(tmp_path / "moment.py", asking("d.qpos[2]")))
    assert job.written is not None
    assert job.written.same, job.written.text
    assert is_exact(job.written)


def test_the_past_on_another_branch_with_its_edits(hand: Hand, tmp_path: Path) -> None:
    """What is exported is what is shown: a moment of a branch that was left, with its own gravity."""
    hand.send(cmd.StepOnce(20))
    hand.send(cmd.SetField("opt.gravity", -1.0, (2,)))
    first = hand.send(cmd.StepOnce(20)).run.history.branch
    then = hand.state.qpos.copy()
    hand.send(cmd.GoTo(10))
    hand.send(cmd.GoOn())
    hand.send(cmd.SetPaused(True))
    second = hand.send(cmd.StepOnce(30)).run.history.branch
    assert second != first
    hand.send(cmd.GoTo(40, first))
    job = taken(hand)
    assert job.moment is not None
    assert np.array_equal(job.moment.state["qpos"], then)
    assert job.moment.model.opt.gravity[2] == -1.0
    write(job, Order(tmp_path / "moment_a.zip", asking("d.qacc[2]")))
    assert job.written is not None
    assert job.written.same, job.written.text
    assert job.written.warnings == ()
    assert is_exact(job.written)
    assert hand.field("opt.gravity")[2] == -1.0, "the run is as it was"


def test_more_can_be_asked(hand: Hand) -> None:
    job = taken(hand)
    for text in ("d.time", "d.time", "d.qpos["):
        job.ask(text)
        job.turn()
    typed = [one for one in job.answers if one.question.about == "typed"]
    assert [one.question.expression for one in typed] == ["d.time", "d.qpos["]
    assert (typed[0].value, typed[1].fault[:26]) == (0.0, "this is not an expression:")


def test_a_place_that_cannot_be_written_gives_a_sentence(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    job = taken(hand)
    write(job, Order(tmp_path / "file" / "moment.py", asking()))
    assert job.written is None
    assert job.fault.endswith("is not a folder")
    write(job, Order(tmp_path / "moment.txt", asking()))
    assert job.fault == "'moment.txt' must end in .py, .zip or .html"
    # and the next one is written
    write(job, Order(tmp_path / "moment.py", asking()))
    assert (job.fault, job.written is not None) == ("", True)


def test_the_thread_ends(hand: Hand) -> None:
    job = ExportJob(hand.thread.send, Shown(), "model.xml")
    job.start()
    job.close()
    job._thread.join(60)
    assert not job._thread.is_alive()


def test_a_check_that_fails_is_said(hand: Hand, tmp_path: Path) -> None:
    def broken(path: Path) -> list[check_module.Reproduced]:
        raise RuntimeError("there is no memory")

    job = ExportJob(hand.thread.send, Shown(), "model.xml", check=broken)
    job.take()
    hand.settle()
    job.turn()
    write(job, Order(tmp_path / "moment.py", asking()))
    assert job.written is not None
    assert job.written.text == "not checked: there is no memory"
    assert not job.written.same
    assert job.written.path.exists()


# ---- the dialog between frames


def test_the_dialog_names_files_and_remembers_choices(hand: Hand, tmp_path: Path) -> None:
    hand.send(cmd.StepOnce(5))
    dialog = ExportDialog(taken(hand, Shown(plots=("d.time",))), "model.xml", tmp_path)
    dialog.suggest_path()
    assert Path(dialog.path).name == "test_moment_model_at_0_050s.py"
    (tmp_path / "moment_model_at_0_050s.zip").write_text("")
    dialog.choose("zip")
    assert Path(dialog.path).name == "moment_model_at_0_050s-2.zip"
    # a folder that was typed stays
    (tmp_path / "there").mkdir()
    dialog.path = str(tmp_path / "there" / "a.zip")
    dialog.choose("script")
    assert dialog.path == str(tmp_path / "there" / "moment_model_at_0_050s.py")
    dialog.choose("zip")
    dialog.left_out.add("d.time")
    assert [question.expression for question in dialog.wish.questions] == ["d.ncon"]
    assert dialog.path_fault == ""
    for path, fault in (("a.txt", "must end in"), ("a.py", "another kind"), (f"{tmp_path}/no/a.zip", "does not exist")):
        dialog.path = path
        assert fault in dialog.path_fault


# ---- without a window


def test_a_moment_of_a_model_and_of_a_recording(tmp_path: Path) -> None:
    """The same run, to the bit."""
    path = tmp_path / "tiny.xml"
    path.write_text(TINY)
    moment, before = moment_of_model(sim, path, 0.3, lambda *_: None)
    m = sim.loads(TINY)
    d = sim.Data(m)
    with sim.Recorder(m, d, tmp_path / "run.ktr", name="tiny.xml") as recorder:
        recorder.step(30)
        middle = d.qpos.copy()
        d.qvel[0] = 2.0
        recorder.step(10)
    recorded, rows = moment_of_recording(tmp_path / "run.ktr", 0.295, None)
    assert (moment.step, recorded.step) == (30, 29)
    assert np.array_equal(moment.state["qpos"], middle)
    assert np.array_equal(before[0].rows[-2, 1:8], recorded.state["qpos"])
    last, rows = moment_of_recording(tmp_path / "run.ktr", None, None)
    assert np.array_equal(last.state["qpos"], d.qpos)
    assert sum(len(part.rows) for part in rows) == 41
    assert last.edits == ModelEdits()


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "reproduce", run_here)
    path, out = tmp_path / "tiny.xml", tmp_path / "out" / "test_moment.py"
    path.write_text(TINY)
    assert main(["export", str(path), "--time", ".3", "--ask", "d.qpos[2]", "--ask", "depth()", "-o", str(out)]) == 0
    said = capsys.readouterr().out
    assert "tiny.xml at 0.3 s); checked: reproduced with Kinetoscope" in said
    assert "check('d.qpos[2]', d.qpos[2], " in out.read_text()
    zipped = tmp_path / "a.zip"
    assert main(["export", str(path), "-o", str(zipped), "--no-check", "--text", "it falls"]) == 0
    assert "not checked: as requested" in capsys.readouterr().out
    for arguments, fault in (
        (["--ask", "d.nothing"], "'d.nothing' is not a field"),
        (["--branch", "a"], "--branch is for recordings"),
        (["--steps", "0"], "--steps must be a whole number of at least 1"),
    ):
        assert main(["export", str(path), "-o", str(out), *arguments]) == 1
        assert fault in capsys.readouterr().err


def test_questions_are_equal_by_what_they_ask() -> None:
    assert Question("d.time", "a") != Question("d.time", "b")
    assert Question("d.time") == Question("d.time", "")
