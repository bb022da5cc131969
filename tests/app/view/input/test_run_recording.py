"""Recordings of the run (run_recording.py, app/files/recordings.py): the switch, the file, faults, doors."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.application import Application
from app.files.browse import Browse, begin_save_recording
from app.files.recordings import is_listed, is_recording
from app.run import commands as cmd
from app.run.run_state import RecordingReport, RunState
from app.run.snapshot import Snapshot
from app.ui.gestures import GestureReader
from app.view.input import actions, run_recording
from app.view.input.gesture import Gesture
from app.view.saving import saved_in_place
from app.view.script.layer import ScriptLayer
from app.view.session.session import capture_view
from app.view.session.view_note import read_view_note, view_note
from app.view.view_state import ViewState
from app.window.overlays.file_dialog import file_dialog
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

KEY = Gesture("")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A desk with a model, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    made: Any = SimpleNamespace(view=ViewState(), sent=[], reported=[])
    made.run_state = RunState(str(tmp_path / "arm.xml"))
    made.snapshot = Snapshot(1, made.run_state, SimpleNamespace())  # type: ignore[arg-type]
    made.send = made.sent.append
    made.report = lambda *texts: made.reported.append(texts)
    made.view.camera.azimuth = 12.5
    return made


def seen(command: Any) -> float:
    """The azimuth of the camera in a command's note."""
    return float(read_view_note(command.view)["camera"]["azimuth"])


def test_the_switch(desk: Any, tmp_path: Path) -> None:
    """On: a dated file in the current folder. Off: finished. What the window shows goes with both."""
    actions.record_run(desk, KEY)
    (begun,) = desk.sent
    assert isinstance(begun, cmd.StartRecording)
    path = Path(begun.path)
    assert path.parent == tmp_path and path.name.startswith("kinetoscope-") and path.suffix == ".ktr"
    desk.run_state = replace(desk.run_state, recording=RecordingReport(begun.path, 10))
    desk.view.camera.azimuth = 30.0
    actions.record_run(desk, KEY)
    ended = desk.sent[-1]
    assert isinstance(ended, cmd.StopRecording)
    assert (seen(begun), seen(ended)) == (12.5, 30.0)
    # after a fault it is off
    desk.run_state = replace(desk.run_state, recording=RecordingReport(begun.path, 10, "the disk is full"))
    actions.record_run(desk, KEY)
    assert isinstance(desk.sent[-1], cmd.StartRecording)


def test_without_a_model_there_is_nothing_to_record(desk: Any) -> None:
    desk.snapshot = replace(desk.snapshot, model=None)
    actions.record_run(desk, KEY)
    actions.save_recording(desk, KEY)
    assert desk.sent == [] and desk.view.ui.browse is None


def test_a_folder_that_is_gone(desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    actions.record_run(desk, KEY)
    assert desk.sent == []
    assert desk.reported[0][0] == run_recording.FAILED


def test_a_recording_of_the_past_is_saved_to_a_file(gui: Gui, desk: Any, tmp_path: Path) -> None:
    """The dialog suggests the model's name, lists recordings alone, and asks before it overwrites."""
    for name in ("arm.xml", "arm.ktr", "run.mp4"):
        (tmp_path / name).touch()
    actions.save_recording(desk, KEY)
    browse = desk.view.ui.browse
    assert browse.text == "arm-2.ktr"
    assert [path.name for path in browse.found()] == ["arm.ktr"]
    draw = partial(file_dialog, desk.view, desk.send)
    browse.text = "arm"
    gui.click(draw, "Save")
    assert desk.sent == [] and browse.asks_about == (tmp_path / "arm.ktr").resolve()
    assert "arm.ktr exists already." in gui.texts
    gui.click(draw, "Overwrite")
    (saved,) = desk.sent
    assert isinstance(saved, cmd.SaveRecording)
    assert saved.path == str((tmp_path / "arm.ktr").resolve())
    assert seen(saved) == 12.5
    assert desk.view.ui.browse is None and desk.view.ui.saving is None


def test_names_of_recordings(tmp_path: Path) -> None:
    for text, name in (("new", "new.ktr"), ("new.KTR", "new.KTR"), ("new.xml", "new.xml.ktr")):
        assert Browse(tmp_path, text, saves=True, recording=True).target() == tmp_path / name
    assert begin_save_recording("").text == "run.ktr"


def test_a_fault_is_a_card_once(desk: Any) -> None:
    report = RecordingReport("/x/run.ktr", 10)
    well, broken = RunState(recording=report), RunState(recording=replace(report, fault="the disk is full"))
    for before, after in ((RunState(), well), (well, well), (well, broken), (broken, broken), (broken, RunState())):
        run_recording.report_fault(desk, before, after)
    assert desk.reported == [("The recording was cut off", "/x/run.ktr: the disk is full")]
    run_recording.report_fault(desk, RunState(), broken)
    assert len(desk.reported) == 2


def test_the_window_reports_faults(desk: Any) -> None:
    """With the snapshot that has it."""
    first = Snapshot(1, RunState())
    broken = Snapshot(2, RunState(recording=RecordingReport("/x/run.ktr", 10, "the disk is full")))
    desk.snapshot, desk._model, desk._script_layer = first, None, ScriptLayer()
    desk._added, desk._viewport = (), SimpleNamespace()
    desk._simulation = SimpleNamespace(latest=broken)
    Application._take_snapshot(desk)
    assert desk.reported == [("The recording was cut off", "/x/run.ktr: the disk is full")]


def test_what_was_seen_is_seen_again(gui: Gui, views: Views, desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Camera and options come with a recording; a note that is not one is ignored, and that is said."""
    monkeypatch.setattr("app.application.add_recent", lambda path: None)
    model, state = views("<worldbody><geom size='1'/></worldbody>")
    desk.view.options.contact_point = True
    note = view_note(capture_view(desk.view))
    for text, azimuth, contacts in ((note, 12.5, True), ("", 90.0, False), (note.replace("12.5", "[]"), 90.0, False)):
        desk.view = ViewState()
        desk.snapshot = Snapshot(1, RunState())
        desk._model = desk._path = desk.sessions = None
        desk._script_layer, desk._added = ScriptLayer(), ()
        desk._viewport, desk.input = SimpleNamespace(drop_scene=lambda: None), GestureReader()
        desk._simulation = SimpleNamespace(latest=Snapshot(2, RunState("run.ktr", view=text), model, state))
        desk._show_model = partial(Application._show_model, desk)
        Application._take_snapshot(desk)
        assert (desk.view.camera.azimuth, desk.view.options.contact_point) == (azimuth, contacts)
        assert ("cannot be restored" in desk.view.feedback.message) == ("[]" in text and text != note)


def test_doors(tmp_path: Path, desk: Any) -> None:
    """The dialog lists models and recordings; a dropped file is opened, whichever it is."""
    for name in ("arm.xml", "run.ktr", "other.KTR", "video.mp4", "note.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in Browse(tmp_path).found()] == ["arm.xml", "other.KTR", "run.ktr"]
    assert [path.name for path in Browse(tmp_path, saves=True).found()] == ["arm.xml"]
    for name in ("run.ktr", "video.mp4"):
        actions.open_dropped(desk, Gesture("", path=str(tmp_path / name)))
        assert desk.sent[-1] == cmd.LoadModel(str(tmp_path / name))


def test_suffixes() -> None:
    """A video may carry a recording, but is not listed as one; the model of a recording has no file of its own."""
    names = ("run.ktr", "a/RUN.KTR", "run.mp4", "run.gif", "arm.xml", "ktr", "run.ktr.zip")
    assert [is_recording(name) for name in names] == [True, True, True, True, False, False, False]
    assert [is_listed(name) for name in names] == [True, True, False, False, False, False, False]
    assert [saved_in_place(RunState(path=name)) for name in ("run.ktr", "arm.xml", "")] == [False, True, False]
