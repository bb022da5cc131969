"""A file whose name is not UTF-8 is opened, edited, saved, exported, kept and offered like any other."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.__main__ import main
from app.application import Application
from app.files import recent
from app.files.error_text import printable
from app.model.model_title import model_title
from app.run import commands as cmd
from app.run.journal.saved_run import SavedRun
from app.ui.widgets import show_tooltip
from app.view import saving
from app.view.session.session import Session
from app.view.session.session_file import read_session, write_session
from app.view.session.session_folder import CutShort
from app.view.session.sessions import offer_text
from app.window.overlays.save_dialog import save_dialog
from app.window.overlays.unsaved import unsaved_question
from tests.app.gui_driver import Gui
from tests.app.live import Hand, LiveDesk
from tests.app.run.test_sim_thread import wait_for
from tests.app.view.session.test_session import SETTINGS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One whose name is no text."""
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/mod\xe8le"))
    odd.mkdir()
    return odd


def test_a_window_shows_and_saves_it(folder: Path, gui: Gui) -> None:
    hand = Hand(folder)
    try:
        desk = LiveDesk(gui, hand)
        desk.frames()
        captions: list[str] = []
        window: Any = SimpleNamespace(
            snapshot=hand.thread.latest, _wish=SimpleNamespace(title=""), _model=hand.model, _caption="",
            window=SimpleNamespace(set_caption=captions.append),
        )  # fmt: skip
        Application._update_caption(window)
        assert captions == [printable(captions[0])]
        snapshot = hand.send(cmd.SetField("opt.timestep", 0.003))
        path = snapshot.run.path
        desk.view.ui.leaving = saving.Leaving(path)
        gui.frame(lambda: unsaved_question(snapshot, desk.view, desk.acted.append, desk.acted.append), 2)
        saving.begin(desk.view, hand.thread.send, snapshot.run, ask=True)
        snapshot = wait_for(hand.thread, lambda s: s.run.save is not None and s.run.save.plan is not None)
        saving.follow(snapshot, desk.view, hand.thread.send)
        gui.frame(lambda: save_dialog(snapshot, desk.view, hand.thread.send, desk.acted.append), 2)
        assert any("mod\ufffdle" in text for text in gui.texts)
        gui.frame(lambda: show_tooltip(path))
        broken = folder / "bro\udce8ken.xml"
        hand.thread.send(cmd.LoadModel(str(broken)))
        snapshot = wait_for(hand.thread, lambda s: s.run.problem is not None)
        hand.thread.send(cmd.Notify(f"saved {broken}"))
        desk.view.feedback.show_message(f"saved {broken}")
        snapshot = wait_for(hand.thread, lambda s: "saved" in s.run.notification)
        desk.frames()
        for text in (snapshot.run.problem.title, snapshot.run.notification, desk.view.feedback.message):
            assert text == printable(text)
            assert "\ufffd" in text
        assert not desk.view.feedback.faults
    finally:
        hand.thread.close()


def test_it_is_kept_and_offered(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "mod\udce8le.xml"
    path.write_text("<mujoco/>")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    recent.add_recent(path)
    assert recent.recent_files() == [path]
    assert model_title(str(path)) == "mod\ufffdle"
    session = Session(SavedRun(str(path), settings=SETTINGS))
    write_session(tmp_path / "session.json", session)
    assert read_session(tmp_path / "session.json") == session
    assert "mod\ufffdle" in offer_text([CutShort(tmp_path, session)])


def test_it_is_exported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # that of the program takes any bytes
    monkeypatch.setattr("builtins.print", lambda *_, **__: None)
    path = folder / "mod\udce8le.xml"
    path.write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    for name in ("test_mod\udce8le.py", "mod\udce8le.zip"):
        assert main(["export", str(path), "--out", str(folder / name), "--no-check"]) == 0
        assert (folder / name).stat().st_size > 100
