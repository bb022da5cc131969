"""The session is on disk while a model is open; the next start offers it if the process is gone."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.files import config
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.journal.saved_run import SavedRun
from app.run.loading import NOT_COMPILED
from app.run.run_state import RunState
from app.view.input import session_actions
from app.view.input.gesture import Gesture
from app.view.session import recovery as module
from app.view.session.recovery import Recovery
from app.view.session.session import Session
from app.view.session.session_file import read_session, write_session
from app.view.session.session_folder import CutShort, cut_short, new_folder, take
from app.view.session.sessions import Sessions, offer_text
from app.view.view_state import ViewState
from sim.recording.model_files import digest
from sim.tree_edit import Place, TreeEdit
from tests.app.gui_driver import Gui
from tests.app.live import Hand, LiveDesk
from tests.app.run.test_sim_thread import wait_for
from tests.app.view.session.test_session import SETTINGS, session
from tests.app.window_driver import ROOT
from tests.patience import given_up

SHAPE = (800, 600, False)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the sessions of a test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(module, "PERIOD", 0.005)
    return tmp_path / "kinetoscope" / "sessions"


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    """A paused simulation."""
    made = Hand(tmp_path)
    yield made
    made.thread.close()


def until(condition: Callable[[], object]) -> None:
    """Wait for what another thread does."""
    since = time.monotonic()
    while not condition():
        assert not given_up(os.getpid(), since), "never happened"
        time.sleep(0.002)


def left(run: SavedRun, when: float = 1.0) -> Path:
    """The folder of a session whose process is gone."""
    folder = new_folder()
    write_session(folder.file, Session(run, when=when))
    folder.release()
    return folder.path


def kept(home: Path) -> Session | None:
    """The only session on disk."""
    files = [*home.glob("*/session.json")]
    assert len(files) <= 1
    return read_session(files[0]) if files else None


def test_a_live_session_is_not_offered_and_a_dead_one_is(home: Path) -> None:
    code = (
        "import os, signal; from app.view.session.session_folder import new_folder;"
        "from app.view.session.session_file import *;"
        "from tests.app.view.session.test_session import session; write_session(new_folder().file, session());"
        "print(flush=True); input(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=-1, stdout=-1, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert len([*home.iterdir()]) == 1
        assert cut_short() == []
        process.communicate("\n")
    assert process.returncode == -signal.SIGKILL
    (found,) = cut_short()
    assert found.session == session()
    # and only one process restores it
    first = take(found.path)
    assert first is not None
    assert take(found.path) is None
    assert cut_short() == []
    first.remove()
    assert take(found.path) is None
    assert [*home.iterdir()] == []


def test_sessions_are_offered_newest_first_and_broken_ones_set_aside(home: Path) -> None:
    for name, when in (("old", 1.0), ("new", 3.0), ("middle", 2.0)):
        left(SavedRun(f"{name}.xml", settings=SETTINGS), when)
    broken, empty = new_folder(), new_folder()
    broken.file.write_text("{")
    broken.release()
    empty.release()
    with pytest.warns(UserWarning, match=f"{broken.path.name} cannot be restored: Expecting property name"):
        found = cut_short()
    assert [one.session.run.path for one in found] == ["new.xml", "middle.xml", "old.xml"]
    assert not empty.path.exists()
    # it is not warned about again
    assert [path.name for path in home.iterdir() if path.suffix] == [f"{broken.path.name}.bad"]
    assert len(cut_short()) == 3


def test_the_card_says_when_and_what() -> None:
    path, now = Path("x"), time.time()
    at = time.strftime("%H:%M", time.localtime(now))
    one = replace(session(), when=now)
    two = replace(one, run=SavedRun("ant.xml"))
    offer = module.CutShort
    assert offer_text([offer(path, one), offer(path, two)]) == (
        f"Kinetoscope exited unexpectedly at {at} with 1 unsaved edit of my model"
    )
    assert offer_text([offer(path, two)]) == f"Kinetoscope exited unexpectedly at {at} with ant open"
    assert offer_text([]) == ""
    old = time.localtime(1e9)
    assert time.strftime("%x %H:%M", old) in offer_text([offer(path, replace(one, when=1e9))])


def test_edits_state_and_view_are_kept(home: Path, hand: Hand) -> None:
    recovery = Recovery(hand.thread)
    view = ViewState()
    view.camera.azimuth = 17.0
    recovery.show(view, SHAPE)
    hand.send(cmd.SetField("opt.timestep", 0.003))
    hand.send(cmd.StepOnce(7))
    until(lambda: (one := kept(home)) is not None and one.run.unsaved == 1 and one.view)
    until(lambda: kept(home).window == SHAPE)  # type: ignore[union-attr]
    one = kept(home)
    assert one is not None
    assert one.view["camera"]["azimuth"] == 17.0
    assert one.run.path == hand.thread.latest.run.path
    # nothing is written while nothing changes
    file = next(home.glob("*/session.json"))
    hand.settle()
    until(lambda: recovery._kept is not None and recovery._kept[0] == hand.thread.latest.serial)  # type: ignore[index]
    stamp, asked = file.stat().st_mtime_ns, hand.thread.latest.serial
    recovery._keep()
    assert (file.stat().st_mtime_ns, hand.thread.latest.serial) == (stamp, asked)
    recovery.close()
    assert [*home.iterdir()] == []


def test_what_a_signal_ends_is_kept(home: Path, hand: Hand) -> None:
    recovery = Recovery(hand.thread)
    until(lambda: kept(home) is not None)
    recovery.close(keep=True)
    assert len(cut_short()) == 1


def test_a_full_disk_is_said_once_and_the_run_goes_on(home: Path, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        tried.append(1)
        raise OSError(errno.ENOSPC, "No space left on device")

    tried: list[int] = []
    monkeypatch.setattr(module, "write_session", full)
    recovery = Recovery(hand.thread)
    until(lambda: len(tried) > 3)
    warnings = [text for text in hand.settle().run.warnings if "session" in text]
    assert warnings == ["the session is not being saved and would be lost in a crash: no space left on device"]
    monkeypatch.undo()
    monkeypatch.setenv("XDG_STATE_HOME", str(home.parents[1]))
    hand.send(cmd.StepOnce(1))
    until(lambda: [*home.glob("*/session.json")])
    recovery.close()


def test_without_a_folder_nothing_is_kept(tmp_path: Path, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert config.sessions_folder() is None
    assert cut_short() == []
    recovery = Recovery(hand.thread)
    wait_for(hand.thread, lambda s: any("not being saved" in text for text in s.run.warnings))
    recovery.close()


def test_a_folder_that_cannot_be_listed_ends_nothing(home: Path, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Path) -> Iterator[Path]:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.warns(UserWarning, match="cannot be restored: .*: permission denied"):
        recovery = Recovery(hand.thread)
        until(lambda: kept(home) is not None)
    recovery.close()


def test_a_session_is_restored_and_goes_on_here(home: Path, hand: Hand) -> None:
    hand.send(cmd.SetField("opt.timestep", 0.003))
    hand.send(cmd.StepOnce(7))
    recovery = Recovery(hand.thread)
    until(lambda: kept(home) is not None and kept(home).run.unsaved == 1)  # type: ignore[union-attr]
    recovery.close(keep=True)
    hand.send(cmd.ResetEdits())
    again = Recovery(hand.thread)
    until(lambda: again.offers)
    (offer,) = again.offers
    got = again.restore()
    assert got is not None
    assert got.run.paused
    assert again.offers == ()
    # it is there until it has been restored and kept
    hand.send(cmd.StepOnce(1))
    until(lambda: len([*home.glob("*/session.json")]) == 2)
    assert offer.path.exists()
    hand.thread.send(cmd.restore_command(got.run))
    until(lambda: not offer.path.exists())
    one = kept(home)
    assert one is not None
    assert one.run.unsaved == 1
    again.close()
    assert [*home.iterdir()] == []


def test_what_could_not_be_restored_is_offered_again(home: Path, hand: Hand) -> None:
    path = left(SavedRun("/nowhere/model.xml", settings=SETTINGS))
    recovery = Recovery(hand.thread)
    until(lambda: recovery.offers)
    got = recovery.restore()
    assert got is not None
    hand.thread.send(cmd.restore_command(got.run))
    wait_for(hand.thread, lambda s: s.run.problem is not None)
    recovery.close()
    assert [one.path for one in cut_short()] == [path]
    # nor is what another process has handed over
    given = Recovery(hand.thread)
    given.put(session())
    given.close()
    assert session() in [one.session for one in cut_short()]


@pytest.mark.parametrize("known", ["0123", ""])
def test_a_session_of_another_file_is_kept(home: Path, hand: Hand, known: str) -> None:
    path = left(SavedRun(hand.thread.latest.run.path, settings=SETTINGS, digest=known))
    recovery = Recovery(hand.thread)
    until(lambda: recovery.offers)
    got = recovery.restore()
    assert got is not None
    hand.thread.send(cmd.restore_command(got.run))
    shown = wait_for(hand.thread, lambda s: any("was edited" in text for text in s.run.warnings))
    assert "; its file has changed" in shown.run.notification
    recovery.close()
    assert [one.path for one in cut_short()] == [path]
    # without edits in it, that of this process ended as it should
    assert [*home.iterdir()] == [path]


def test_a_run_that_could_not_begin_is_handed_over_without_a_state(tmp_path: Path, hand: Hand) -> None:
    """A kernel of the old program cannot be compiled: the changed one opens the model."""
    path = hand.thread.latest.run.path
    failed = RunState(path=path, paused=False, problem=Problem(NOT_COMPILED, "integrate.py:80: `d` has no `nothing`"))
    recovery = Recovery(SimpleNamespace(latest=SimpleNamespace(run=failed, serial=1)))  # type: ignore[arg-type]
    file = recovery.write(tmp_path / "session.json")
    recovery.close()
    assert file is not None
    saved = read_session(file).run
    assert (saved.path, saved.state, saved.paused) == (path, b"", False)
    hand.thread.send(cmd.restore_command(saved))
    shown = wait_for(hand.thread, lambda s: hand.thread.restored is saved and not s.run.paused)
    assert shown.run.problem is None


def test_the_card_restores_discards_and_waits(home: Path, hand: Hand, gui: Gui) -> None:
    class Still:
        """A restart that nobody asks for."""

        def close(self) -> None:
            """Nothing to stop."""

    run = SavedRun(hand.thread.latest.run.path, settings=SETTINGS, digest=digest(hand.thread.live.model))
    paths = [left(run, when) for when in (1.0, 2.0, 3.0, 4.0)]
    desk = LiveDesk(gui, hand)
    sessions = Sessions(hand.thread, Still())  # type: ignore[arg-type]
    until(lambda: sessions.recovery.offers)
    assert sessions.turn(desk.view, SHAPE)
    assert not sessions.turn(desk.view, SHAPE)
    desk.frames()
    for label in ("Restore##session", "Discard##session", "Later##session"):
        desk.click(label)
    assert desk.acted == [session_actions.restore_session, session_actions.discard_session, session_actions.offer_later]
    assert sessions.restore_offered()
    assert sessions.awaits(hand.thread.latest.run.path)
    assert sessions.take_view() == {}
    assert not sessions.awaits(hand.thread.latest.run.path)
    sessions.recovery.discard()
    assert not paths[2].exists()
    # another window was faster
    folder = take(paths[1])
    assert not sessions.restore_offered()
    assert folder is not None
    sessions.recovery.later()
    assert sessions.turn(desk.view, SHAPE)
    assert desk.view.feedback.offered == ""
    until(lambda: not paths[3].exists())
    sessions.close()
    assert paths[0].exists()


@pytest.mark.parametrize(
    "command",
    [cmd.SetField("dof_damping", 2.0, (0,)), cmd.EditTree((TreeEdit("delete", Place("body", "head")),))],
    ids=["number", "structure"],
)
def test_a_signal_keeps_what_is_not_saved(home: Path, hand: Hand, command: cmd.Command) -> None:
    def ended() -> list[CutShort]:
        sessions = Sessions(hand.thread, SimpleNamespace(close=lambda: None))  # type: ignore[arg-type]
        shown, path = ViewState(), hand.thread.latest.run.path
        until(lambda: sessions.turn(shown, SHAPE) or sessions.recovery._kept is not None)
        sessions.close(interrupted=True)
        return [one for one in cut_short() if one.session.run.path == path]

    assert ended() == []
    hand.send(command)
    wait_for(hand.thread, lambda s: s.unsaved)
    assert len(ended()) == 1


def test_a_folder_appears_with_its_lock(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start that looks for dead sessions just then finds nothing."""
    seen: list[list[object]] = []
    rename = Path.rename

    def look(path: Path, target: Path) -> Path:
        seen.append([*cut_short()])
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", look)
    folder = new_folder()
    assert seen == [[]]
    assert [path.name for path in home.iterdir()] == [folder.path.name]
    assert os.get_inheritable(folder._lock) is False
    folder.remove()


def test_the_buttons_of_the_card(home: Path) -> None:
    done: list[str] = []
    answers = [True, False]
    recovery = SimpleNamespace(discard=lambda: done.append("discard"), later=lambda: done.append("later"))
    sessions = SimpleNamespace(recovery=recovery, restore_offered=answers.pop)
    desk: Any = SimpleNamespace(view=ViewState(), sessions=sessions)
    desk.view.ui.show_gallery = True
    # edits of the model that is open are not lost for it
    desk.view.ui.unsaved = ("edit",)
    session_actions.restore_session(desk, Gesture(""))
    assert "unsaved edits" in desk.view.feedback.message
    assert len(answers) == 2
    desk.view.ui.unsaved = ()
    session_actions.restore_session(desk, Gesture(""))
    assert desk.view.feedback.message == "another window has already restored it"
    session_actions.restore_session(desk, Gesture(""))
    assert not desk.view.ui.show_gallery
    session_actions.discard_session(desk, Gesture(""))
    session_actions.offer_later(desk, Gesture(""))
    assert done == ["discard", "later"]
    # a script's viewer has none
    desk.sessions = None
    for action in (session_actions.restore_session, session_actions.discard_session, session_actions.offer_later):
        action(desk, Gesture(""))
