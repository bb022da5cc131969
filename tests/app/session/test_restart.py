"""Changed source: the window says so, and restarts with the same model, state, edits and view."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import sim
from app.__main__ import main
from app.cli import window
from app.input import actions
from app.input.actions import finish_restart
from app.input.desk import Action
from app.input.gesture import Gesture
from app.run import commands as cmd
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.session.restart import Restart, StartCheck, sources
from app.session.session import Session, capture
from app.view.view_state import ViewState
from sim.jit import cache
from tests.app.gui_driver import Gui
from tests.app.live import MODEL, Hand, LiveDesk
from tests.app.window_driver import PATIENCE, ROOT, ended, until, x_server

HAND = "<worldbody><body name='hand' mocap='true' pos='1 2 3'><geom name='palm' size='.01' contype='0'/></body>"
XML = MODEL.replace("<worldbody>", HAND)

Simulations = Callable[[str], Hand]


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Simulations]:
    """Simulations, each with a file of its own: a file that is written again is read again."""
    made: list[Hand] = []

    def make(xml: str) -> Hand:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Hand(folder, xml))
        return made[-1]

    yield make
    for one in made:
        one.thread.close()


def carried(session: Session) -> Session:
    """As the next process reads it."""
    return Session(**json.loads(json.dumps(asdict(session))))


def test_the_next_run_has_the_same_model_state_and_view(hand: Simulations) -> None:
    old, new, seen = hand(XML), hand(XML), ViewState()
    old.thread.send(cmd.SetField("opt.timestep", 0.003))
    old.thread.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    old.thread.send(cmd.SetField("geom_friction", 0.25, (1, 2), 0))
    old.thread.send(cmd.SetField("dof_damping", 0.5, (12,)))
    old.thread.send(cmd.SetFlag("opt.enableflags", int(sim.enums.ENBL_ENERGY), True))
    old.thread.send(cmd.SetData("ctrl", 0, (0.5,)))
    old.thread.send(cmd.SetData("mocap_pos", 1, (7.0,)))
    left = old.send(cmd.StepOnce(50))
    view = ViewState()
    view.camera.azimuth, view.camera.lookat, view.options.contact_point = 12.0, (1.0, 2.0, 3.0), True
    view.camera_id, view.tracked = 0, 2
    view.select("geom", 3)

    carried(capture(view, left, None)).restore(seen, new.model, new.thread.send)
    got = new.settle()
    assert got.model is not None
    assert left.model is not None

    assert got.file_values.keys() == left.file_values.keys()
    for path in left.file_values:
        np.testing.assert_array_equal(got.model.read(path), left.model.read(path), path)
    for name in ("qpos", "qvel", "ctrl", "mocap_pos", "mocap_quat", "eq_active"):
        np.testing.assert_allclose(got.state.read(name), left.state.read(name), rtol=1e-12, atol=1e-12, err_msg=name)
    assert got.state.mocap_pos.tolist() == [[1.0, 7.0, 3.0]]
    assert got.run.time == left.run.time > 0.1
    assert asdict(seen.options) == asdict(view.options)
    assert (seen.camera.azimuth, seen.camera.lookat.tolist()) == (12.0, [1.0, 2.0, 3.0])
    assert (seen.camera_id, seen.tracked, seen.selection) == (0, 2, view.selection)


def test_time_goes_on_when_everything_is_in_place(
    hand: Simulations, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[str] = []
    monkeypatch.setattr("os.execv", lambda _, arguments: ran.extend(arguments))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = hand(MODEL).send(cmd.StepOnce(5))
    assert left.model is not None
    restart = Restart()
    restart.request(ViewState(), replace(left, run=replace(left.run, paused=False)), lambda: None)
    restart.close()
    restart.exec_()
    # not one step is made from the start of the file
    assert ran[-5] == "--resume"
    # whatever the file is called
    assert ran[-3:] == ["--paused", "--", left.run.path]
    after = Restart(Path(ran[-4]))
    after.close()
    assert after.session is not None
    sent: list[cmd.Command] = []
    after.session.restore(ViewState(), left.model, sent.append)
    edits = [k for k, command in enumerate(sent) if isinstance(command, cmd.SetData | cmd.SetField)]
    assert sent.index(cmd.SetPaused(False)) > max(edits)


def test_a_model_with_other_elements_keeps_only_the_view(hand: Simulations) -> None:
    old, new, seen = hand(XML), hand(MODEL), ViewState()
    left = old.send(cmd.StepOnce(50))
    view = ViewState(camera_id=0)
    view.options.contact_point = True
    carried(capture(view, left, None)).restore(seen, new.model, new.thread.send)
    got = new.settle()
    assert got.run.problem is None
    assert got.run.time == 0.0
    assert seen.options.contact_point


def test_a_run_without_an_engine_hands_on_what_it_was_given(hand: Simulations) -> None:
    ready = hand(MODEL).send(cmd.StepOnce(5))
    first = capture(ViewState(), ready, None)
    assert first.commands
    broken = replace(ready, run=replace(ready.run, ready=False))
    assert capture(ViewState(), broken, first).commands == first.commands
    elsewhere = replace(broken, run=replace(broken.run, path="other.xml"))
    assert capture(ViewState(), elsewhere, first).commands == []
    # the file could not be read either
    assert capture(ViewState(), Snapshot(1, RunState()), first) == first


def test_what_was_left_is_kept_until_all_went_well(tmp_path: Path) -> None:
    left = tmp_path / "left.json"
    left.write_text(json.dumps(asdict(Session("my model.xml", {"geom": 1}))))
    restart = Restart(left)
    assert restart.session == Session("my model.xml", {"geom": 1})
    assert restart.resume_command == f"kinetoscope --resume {left} -- 'my model.xml'"
    restart.close()
    assert not left.exists()
    # nothing, or nonsense, is no reason not to start
    for text in ("", "{"):
        left.write_text(text)
        with pytest.warns(UserWarning, match="cannot be restored"):
            restart = Restart(left)
        assert restart.session is None
        assert restart.resume_command == ""
        restart.close()


LIE = {"path": "span.nbody", "start": 0, "values": [1e6]}
FORGED: list[tuple[str, object]] = [
    ("commands", [["SetData", LIE]]), ("commands", [["SetData", LIE | {"path": "qpos", "values": ["1"]}]]),
    ("commands", [["SetData", LIE | {"path": ["qpos"]}]]), ("commands", [["SetData", LIE | {"path": "qpos", "x": 1}]]),
    ("commands", [["SetField", {"path": "geom_bodyid", "value": 1e9, "rows": [0], "column": None}]]),
    ("commands", [["SetField", {"path": "opt.timestep", "value": "x", "rows": [], "column": None}]]),
    ("commands", [["PlanSave", {"request": 1}]]), ("commands", [["dataclass", {}]]), ("commands", [["Quit", {}]]),
    ("commands", {"SetSpeed": {"speed": 1}}), ("commands", [["SetSpeed", {"speed": None}]]), ("commands", [[[], {}]]),
    ("commands", [["SetFlag", {"path": "opt.enableflags", "bit": 10**30, "on": True}]]), ("sizes", {"geom": "1"}),
    ("path", 5), ("sizes", []), ("window", [10**9, 1, True]), ("window", ["a", "b", "c"]), ("window", [1, 2]),
    ("view", []), ("view", {"camera": {}}), ("nonsense", 1),
]  # fmt: skip
FORGED_VIEWS = [
    ("camera", {"azimuth": "x"}), ("camera", {"lookat": [1, 2]}), ("options", {"shadow": 1}), ("camera_id", 1.5),
    ("options", {"frame": "nonsense"}), ("options", {"geom_group": [True]}), ("watches", [1]), ("paused", 0),
    ("selection", ["geom", -1]), ("selection", "no"), ("tracked", None),
]  # fmt: skip


def test_what_was_left_is_looked_at_before_it_is_used(hand: Simulations, tmp_path: Path) -> None:
    ready = hand(MODEL).send(cmd.StepOnce(5))
    good = asdict(capture(ViewState(), ready, None))
    left = tmp_path / "left.json"

    def read(values: object) -> Session | None:
        left.write_text(json.dumps(values))
        restart = Restart(left)
        restart._watcher.close()
        return restart.session

    assert read(good) == carried(Session(**good))
    views = [("view", good["view"] | {name: value}) for name, value in FORGED_VIEWS]
    for name, value in [*FORGED, *views]:
        with pytest.warns(UserWarning, match=r"left\.json: the session cannot be restored"):
            assert read(good | {name: value}) is None, (name, value)
    # it can still be looked at
    assert left.exists()


def test_a_window_that_fails_says_how_to_get_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left = tmp_path / "left.json"
    left.write_text(json.dumps(asdict(Session("model.xml", {}))))

    def fail(*_: object) -> None:
        raise AttributeError("the changed source is wrong")

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("app.cli.window._window", fail)
    with pytest.raises(AttributeError):
        main(["--resume", str(left), "--", "model.xml"])
    assert f"kinetoscope --resume {left} -- model.xml" in capsys.readouterr().err
    assert left.exists()


def test_the_source_is_watched_before_the_model_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    watched: list[Path | None] = []

    def watch(session: Path | None) -> SimpleNamespace:
        watched.append(session)
        return SimpleNamespace(resume_command="")

    def read(*_: object, **__: object) -> None:
        raise InterruptedError

    monkeypatch.setattr("app.session.restart.Restart", watch)
    monkeypatch.setattr("app.run.sim_thread.SimThread", read)
    monkeypatch.setenv("DISPLAY", ":0")
    with pytest.raises(InterruptedError):
        window.run(Namespace(model="arch", paused=False, resume=None))
    assert watched == [None]


def test_a_full_disk_leaves_the_window_open(hand: Simulations, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    restart = Restart()
    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    why = restart.request(ViewState(), hand(MODEL).thread.latest, lambda: pytest.fail("the window was closed"))
    assert why == "the session cannot be saved: no space left on device"
    restart.exec_()
    restart.close()


def test_the_card_restarts_or_waits(hand: Simulations, gui: Gui) -> None:
    desk = LiveDesk(gui, hand(MODEL))
    desk.view.feedback.changed_source = "sim/pipeline/integrate.py"
    # it comes before what was wrong with the source before
    desk.hand.send(cmd.Report("The engine cannot be compiled", "sim/pipeline/integrate.py:80"))
    desk.frames()
    desk.click("Restart")
    assert desk.acted == [actions.restart]
    desk.click("Later")
    assert desk.view.feedback.changed_source == ""
    desk.click("Dismiss")
    assert desk.hand.thread.latest.run.problem is None


def test_sources_are_those_of_engine_panels_and_shaders() -> None:
    named = {file.relative_to(ROOT).as_posix() for file in sources()}
    assert {"sim/pipeline/integrate.py", "sim/jit/kernel.py", "app/ui/theme.py", "app/session/restart.py"} < named
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "shaders").rglob("*.*")} < named
    assert not any("__pycache__" in name for name in named)


def tried() -> str:
    """What comes of a trial."""
    trial = StartCheck()
    while trial.fault is None:
        time.sleep(0.01)
    return trial.fault


def test_a_program_that_would_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tried() == ""
    (tmp_path / "sim.py").write_text("x = 1\ny = = 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert tried().startswith(f'File "{tmp_path / "sim.py"}", line 2')
    assert tried().endswith("SyntaxError: invalid syntax")
    (tmp_path / "sim.py").write_text("import time; time.sleep(1000)")
    monkeypatch.setattr("app.session.restart.CHECK_SECONDS", 0.01)
    assert tried() == "it did not start within 0.01 s"
    monkeypatch.setattr("sys.executable", str(tmp_path / "nothing"))
    assert "No such file" in tried()


class Desk:
    """As much of an application as a restart needs."""

    def __init__(self) -> None:
        self.view, self.snapshot, self.restart = ViewState(), Snapshot(1, RunState()), Restart()
        self.closed, self.reported = False, list[str]()

    def close(self) -> None:
        """Called when the next run begins."""
        self.closed = True

    def report(self, _: str, text: str) -> None:
        """Called when it does not."""
        self.reported.append(text)

    def window_shape(self) -> tuple[int, int, bool]:
        """A small window."""
        return 850, 600, False

    def shader_fault(self) -> str:
        """Shaders are sound."""
        return ""

    def press(self, action: Action) -> str:
        """What the status line says then."""
        action(self, Gesture(""))  # type: ignore[arg-type]
        finish_restart(self)  # type: ignore[arg-type]
        return self.view.feedback.message


class Slow:
    """A trial that ends when the test says so."""

    newest: Slow

    def __init__(self) -> None:
        self.fault: str | None = None
        self.cancelled = False
        Slow.newest = self

    def cancel(self) -> None:
        """Nobody wants to know."""
        self.cancelled = True


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Desk]:
    """A window whose program has changed, and takes long to start."""
    monkeypatch.setattr("app.session.restart.StartCheck", Slow)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = Desk()
    yield made
    made.restart.close()


def test_the_window_goes_on_while_the_changed_program_is_tried(desk: Desk) -> None:
    assert desk.press(actions.restart).startswith("checking that the changed program starts")
    finish_restart(desk)  # type: ignore[arg-type]
    assert not desk.closed
    Slow.newest.fault = ""
    finish_restart(desk)  # type: ignore[arg-type]
    assert desk.closed
    assert desk.reported == []


def test_a_changed_program_that_does_not_start_leaves_the_window_open(desk: Desk) -> None:
    desk.press(actions.restart)
    Slow.newest.fault = "SyntaxError"
    for _ in range(2):
        finish_restart(desk)  # type: ignore[arg-type]
    assert desk.reported == ["SyntaxError"]
    assert not desk.closed


def test_a_start_that_is_tried_can_be_given_up(desk: Desk) -> None:
    desk.press(actions.restart)
    first = Slow.newest
    # the source may have changed again
    desk.press(actions.restart)
    assert first.cancelled
    second = Slow.newest
    assert second is not first
    assert desk.press(actions.free_camera) == "restart cancelled"
    assert second.cancelled
    # what becomes of them does not matter any more
    first.fault = second.fault = ""
    finish_restart(desk)  # type: ignore[arg-type]
    assert not desk.closed


def copy_program(folder: Path) -> Path:
    """The program in a folder, with a model whose kernels are compiled; the path of the model."""
    for name in ("app", "sim", "shaders", "scenes"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "thumbnails"))
    model = folder / "model.xml"
    model.write_text(MODEL)
    sim.prepare(sim.loads(MODEL))
    return model


@pytest.mark.window
def test_a_changed_program_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    model = copy_program(tmp_path)
    with x_server() as display:
        env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
        env.pop("PYTHONPATH", None)
        # its kernels are the same
        env["KINETOSCOPE_CACHE"] = str(cache.folder())
        command = [sys.executable, "-m", "app", str(model), "--paused"]
        process = subprocess.Popen(command, env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        with process, ended(process):

            def tell(*words: str) -> str:
                done = subprocess.run(["xdotool", *words], env=env, capture_output=True, text=True, timeout=PATIENCE)
                return done.stdout.strip()

            def arguments() -> list[str]:
                return Path(f"/proc/{process.pid}/cmdline").read_text().split("\0")

            def press(key: str, window: str = "model.xml") -> None:
                """With the keyboard given to the window, and the pointer over its view."""
                tell("search", "--sync", "--onlyvisible", "--name", window, "windowfocus", "--sync")
                tell("mousemove", "450", "300", "key", key)

            def open_window() -> bool:
                return "model.xml" in tell("search", "--name", "model.xml", "getwindowname")

            until(process, open_window)
            tell("search", "--name", "model.xml", "windowsize", "850", "600")
            press("ctrl+shift+r")
            until(process, lambda: "--resume" in arguments())
            assert arguments()[1:4] == ["-m", "app", "--resume"]
            assert arguments()[5:8] == ["--paused", "--", str(model)]
            left = Path(arguments()[4])
            until(process, open_window)
            assert left.exists()
            until(process, lambda: "850x600" in tell("search", "--name", "model.xml", "getwindowgeometry"))
            # what would not start does not replace what runs
            changed = tmp_path / "sim" / "pipeline" / "integrate.py"
            text = changed.read_text()
            tried = tmp_path / "tried"
            changed.write_text(f"open({str(tried)!r}, 'w')\nx = None + 1")
            press("ctrl+shift+r")
            until(process, tried.exists)
            assert str(left) in arguments()
            # the window stays while the model's file is away, and takes it up when it is back
            changed.write_text(text)
            model.unlink()
            press("ctrl+shift+r")
            # none at all while the one takes the other's place
            until(process, lambda: arguments()[4:5] not in ([], [str(left)]))
            until(process, lambda: not left.exists())
            until(process, lambda: tell("search", "--name", "Kinetoscope"))
            assert str(model) in arguments()
            model.write_text(MODEL)
            until(process, open_window)
            press("ctrl+q")
            _, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, errors
