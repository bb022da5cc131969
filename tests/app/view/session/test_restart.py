"""Changed source: the window says so, and a new process takes over with the same model, state, edits and view."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sim
from app.__main__ import main
from app.cli import window
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.loading import NOT_COMPILED
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.input import actions
from app.view.input.actions import finish_restart
from app.view.input.desk import Action
from app.view.input.gesture import Gesture
from app.view.session import restart as module
from app.view.session.restart import Attempt, Restart, sources
from app.view.session.session_file import write_session
from app.view.session.sessions import Sessions
from app.view.view_state import ViewState
from sim.jit import cache
from tests.app.gui_driver import Gui
from tests.app.live import MODEL, Hand, LiveDesk
from tests.app.view.session.test_session import session
from tests.app.window_driver import ROOT, ended, until, x_server
from tests.patience import PATIENCE

# a new process that does what its first argument says, in place of the program
CHILD = """
import sys, os
sys.path.insert(0, {root!r})
from pathlib import Path
from app.view.session.restart import Handover
words, file, handles = sys.argv[1], sys.argv[-3], sys.argv[-1]
if words == "fail":
    raise SystemError("the changed source is wrong")
handover = Handover(Path(file), handles)
if words == "refuse":
    print("a warning", file=sys.stderr)
    handover.refuse("vec.py:12: in helper dot3: `c` is not defined.\\nDefine it.")
handover.loaded()
while (session := handover.take_session()) is None:
    pass
Path({out!r}).write_text(session.run.path)
if words == "late":
    raise SystemError("it cannot be restored")
handover.ready()
print("said where the old one did", file=sys.stderr, flush=True)
input()
"""


def written(path: Path) -> Path:
    """The session of the old process, in a file."""
    write_session(path, session())
    return path


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets a script take the place of the program."""
    script = tmp_path / "child.py"
    script.write_text(CHILD.format(root=str(ROOT), out=str(tmp_path / "out")))

    def choose(word: str) -> None:
        monkeypatch.setattr(sys, "orig_argv", [sys.executable, str(script), word])
        monkeypatch.setattr(sys, "argv", [str(script)])

    # the word stands where how Python was started does
    monkeypatch.setattr(module.sys, "argv", [""])
    return choose


def tried(write: Callable[[Path], Path | None] = written) -> Attempt:
    """A restart whose outcome is known."""
    attempt = Attempt(write)
    while attempt.fault is None:
        pass
    return attempt


def test_a_new_process_takes_the_session_over(
    child: Callable[[str], None], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    child("good")
    asked: list[Path] = []

    def write(path: Path) -> Path:
        asked.append(path)
        return written(path)

    attempt = tried(write)
    assert attempt.fault == ""
    assert attempt.process is not None
    # before the start, for the path, and when it has loaded the model: nothing that was done meanwhile is lost
    assert len(asked) == 2
    assert (tmp_path / "out").read_text() == session().run.path
    assert not asked[0].exists()
    attempt.process.kill()
    attempt.process.wait()
    assert "said where the old one did" in capfd.readouterr().err


def test_a_process_that_fails_says_why(child: Callable[[str], None], capfd: pytest.CaptureFixture[str]) -> None:
    for word, why in (("fail", "the changed source is wrong"), ("late", "it cannot be restored")):
        child(word)
        fault = tried().fault
        assert fault is not None
        assert fault.startswith("File ")
        assert fault.endswith(f"SystemError: {why}")
    child("refuse")
    assert tried().fault == "vec.py:12: in helper dot3: `c` is not defined.\nDefine it."
    assert tried(lambda _: None).fault == "the session cannot be saved: the model is not ready"

    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    assert tried(full).fault == "the session cannot be saved: no space left on device"
    assert capfd.readouterr().err == ""


def test_a_kernel_that_cannot_be_compiled_is_refused_with_its_line() -> None:
    refused: list[str] = []

    def refuse(why: str) -> None:
        refused.append(why)
        raise SystemExit

    said = "integrate.py:80: in helper copy_acc: `d` has no field `nothing`."
    for problem in (None, Problem("arch.xml cannot be opened", said), Problem(NOT_COMPILED, said)):
        asked: list[bool] = []
        handover: Any = SimpleNamespace(refuse=refuse, loaded=lambda: asked.append(True), take_session=lambda: None)  # noqa: B023
        run = RunState(problem=problem)
        simulation = SimpleNamespace(latest=SimpleNamespace(run=run), restored=None)
        sessions: Any = SimpleNamespace(_simulation=simulation, _awaited=None)
        with suppress(SystemExit):
            Sessions._take_over(sessions, handover)
        # a model that is broken is shown as it is
        assert asked == [True] * (problem is not None and not refused)
    assert refused == [said]


def test_a_new_process_can_be_stopped(child: Callable[[str], None]) -> None:
    child("good")
    written_once, go = threading.Event(), threading.Event()

    def write(path: Path) -> Path:
        if written_once.is_set():
            go.wait()
        written_once.set()
        return written(path)

    attempt = Attempt(write)
    written_once.wait()
    attempt.cancel()
    go.set()
    while attempt.fault is None:
        pass
    if attempt.process is not None:
        assert attempt.process.wait() == -signal.SIGKILL


def test_a_process_that_nobody_waits_for_ends(tmp_path: Path) -> None:
    import socket

    ours, theirs = socket.socketpair()
    code = f"""
import sys, time; sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from app.view.session.restart import Handover
Handover(Path("nothing"), sys.argv[1]).loaded()
time.sleep(1000)
"""
    handles = f"{theirs.fileno()},2"
    command = [sys.executable, "-c", code, handles]
    with ours, subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE) as process:
        theirs.close()
        assert ours.recv(64) == b"loaded\n"
        ours.close()
        process.communicate()
    assert process.returncode == 1


def test_the_source_is_watched_before_the_model_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    watched: list[str] = []

    def read(*_: object, **__: object) -> None:
        watched.append("read")
        raise InterruptedError

    monkeypatch.setattr("app.view.session.restart.Restart", lambda: watched.append("watch"))
    monkeypatch.setattr("app.run.sim_thread.SimThread", read)
    monkeypatch.setenv("DISPLAY", ":0")
    parser = ArgumentParser()
    window.add_arguments(parser)
    with pytest.raises(InterruptedError):
        window.run(parser.parse_args(["arch"]))
    assert watched == ["watch", "read"]


def test_a_file_that_is_no_session_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "left.json").write_text("{}")
    assert main(["--resume", str(tmp_path / "left.json")]) == 1
    assert "left.json: the session cannot be restored: the session has the wrong" in capsys.readouterr().err


def test_the_card_restarts_or_waits(tmp_path: Path, gui: Gui) -> None:
    hand = Hand(tmp_path)
    desk = LiveDesk(gui, hand)
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
    hand.thread.close()


def test_sources_are_those_of_engine_panels_and_shaders() -> None:
    named = {file.relative_to(ROOT).as_posix() for file in sources()}
    assert {"sim/pipeline/integrate.py", "sim/jit/kernel.py", "app/ui/theme.py", "app/view/session/restart.py"} < named
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "shaders").rglob("*.*")} < named
    assert not any("__pycache__" in name for name in named)


class Desk:
    """As much of an application as a restart needs."""

    def __init__(self) -> None:
        self.view, self.snapshot = ViewState(), Snapshot(1, RunState())
        self.sessions = SimpleNamespace(restart=Restart())
        self.sessions.restart.write = written
        self.closed, self.reported = False, list[str]()
        self.run_state = self.snapshot.run

    def close(self, goes_on: bool = False) -> None:
        """Called when the new process has taken over."""
        self.closed = goes_on

    def report(self, _: str, text: str) -> None:
        """Called when it does not start."""
        self.reported.append(text)

    def shader_fault(self) -> str:
        """Shaders are sound."""
        return ""

    def press(self, action: Action) -> str:
        """What the status line says then."""
        action(self, Gesture(""))  # type: ignore[arg-type]
        finish_restart(self)  # type: ignore[arg-type]
        return self.view.feedback.message


class Slow:
    """A restart that ends when the test says so."""

    newest: Slow
    process = None

    def __init__(self, _: object) -> None:
        self.fault: str | None = None
        self.cancelled = False
        Slow.newest = self

    def cancel(self) -> None:
        """Nobody wants to know."""
        self.cancelled = True


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A window whose program has changed, and takes long to start."""
    monkeypatch.setattr("app.view.session.restart.Attempt", Slow)
    made = Desk()
    yield made
    made.sessions.restart.close()


def test_the_window_goes_on_until_the_changed_program_has_taken_over(desk: Desk) -> None:
    assert desk.press(actions.restart).startswith("starting the changed program")
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


def test_a_restart_can_be_given_up(desk: Desk) -> None:
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
    model = folder / "restarted.xml"
    model.write_text(MODEL)
    sim.prepare(sim.loads(MODEL))
    return model


class Program:
    """A running copy of the program, with a hand on its keyboard."""

    def __init__(self, process: subprocess.Popen[str], env: dict[str, str]) -> None:
        self.process, self._env = process, env

    def tell(self, *words: str) -> str:
        """What xdotool answers."""
        done = subprocess.run(["xdotool", *words], env=self._env, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout.strip()

    def viewers(self) -> list[int]:
        """Processes below the first one that run the program."""
        below = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in below if b"--handover" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def supervised(self) -> bool:
        """Whether the first process waits for the others."""
        return b"supervisor.py" in Path(f"/proc/{self.process.pid}/cmdline").read_bytes()

    def restart(self) -> None:
        """Press the key with the keyboard given to the window, and the pointer over its view."""
        self.tell("search", "--sync", "--onlyvisible", "--name", "restarted", "windowfocus", "--sync")
        self.tell("mousemove", "450", "300", "key", "ctrl+shift+r")

    def until(self, condition: Callable[[], object]) -> None:
        """Look until a condition holds."""
        until(self.process, condition)

    def is_shown(self) -> bool:
        """Whether a window has the model."""
        return "restarted" in self.tell("search", "--name", "restarted", "getwindowname")


@pytest.mark.release
@pytest.mark.window
def test_a_changed_program_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    model = copy_program(tmp_path)
    with x_server() as display:
        env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
        env.pop("PYTHONPATH", None)
        env["XDG_STATE_HOME"] = str(tmp_path / "state")
        # its kernels are the same
        env["KINETOSCOPE_CACHE"] = str(cache.folder())
        command = [sys.executable, "-m", "app", str(model), "--paused"]
        process = subprocess.Popen(command, env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        with process, ended(process):
            program = Program(process, env)
            program.until(program.is_shown)
            program.tell("search", "--name", "restarted", "windowsize", "850", "600")
            program.restart()
            program.until(program.supervised)
            (first,) = program.viewers()
            geometry = "search", "--name", "restarted", "getwindowgeometry"
            program.until(lambda: "850x600" in program.tell(*geometry))
            # what would not start does not replace what runs; nor does a kernel that cannot be compiled
            changed = tmp_path / "sim" / "pipeline" / "integrate.py"
            text = changed.read_text()
            attempted = tmp_path / "attempted"
            wrong = text.replace("d.qacc_step[v] = d.qacc[v]", "d.qacc_step[v] = d.nothing[v]")
            assert wrong != text
            for said in ("x = None + 1", wrong):
                attempted.unlink(missing_ok=True)
                changed.write_text(f"open({str(attempted)!r}, 'w')\n{said}")
                program.restart()
                program.until(attempted.exists)
                program.until(lambda: program.viewers() == [first])
            # the next one is waited for by the same process; the model's file may be away meanwhile
            changed.write_text(text)
            model.unlink()
            program.restart()
            program.until(lambda: program.viewers() and first not in program.viewers())
            model.write_text(MODEL)
            program.until(program.is_shown)
            assert len(program.tell("search", "--onlyvisible", "--name", "Kinetoscope").split()) == 1
            assert program.supervised()
            # a request to end reaches the viewer
            process.terminate()
            _, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, errors
            assert [*(tmp_path / "state").rglob("session.json")] == []
