"""Saved kernels are taken up by a running simulation, and nothing changes if that fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.run.commands import Command, ExchangeKernels
from app.view.input import session_actions
from app.view.input.gesture import Gesture
from app.view.session.kernel_watch import KernelNews, KernelWatch
from app.view.session.restart import Restart
from app.view.session.sessions import Sessions
from app.view.view_state import ViewState
from sim.jit import cache
from tests.app.window_driver import ROOT
from tests.patience import PATIENCE
from tests.sim.jit import toy
from tests.sim.jit.reload.package import Package, package

pytestmark = pytest.mark.release


class Watched:
    """A package that is edited, and a simulation that exchanges kernels at once."""

    def __init__(self, edited: Package) -> None:
        self.edited = edited
        self.marks: list[str] = []
        self.fault: Exception | None = None
        self.watch = KernelWatch(self._send, edited.folder)
        # until it knows the texts
        self.save("constants")

    def _send(self, command: Command) -> None:
        assert isinstance(command, ExchangeKernels)
        if self.fault is None:
            command.exchange()
            self.marks.append(command.text)
        command.reply(self.fault)

    def do(self, what: Callable[[], object]) -> KernelNews:
        """The news that come of something."""
        before = self.watch.latest.number
        what()
        end = time.monotonic() + PATIENCE
        while self.watch.latest.number == before or self.watch.latest.going_on:
            assert time.monotonic() < end
            time.sleep(0.002)
        return self.watch.latest

    def save(self, file: str) -> KernelNews:
        return self.do(lambda: self.watch.offer([self.edited.folder / f"{file}.py"]))

    @property
    def answer(self) -> float:
        found: float = self.edited.units.left(toy.make()[0], 3.0)
        return found


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    store = tmp_path / "cache"
    store.mkdir(mode=0o700)
    monkeypatch.setattr(cache, "folder", lambda: store)
    with package(tmp_path) as edited:
        made = Watched(edited)
        yield made
        made.watch.close()


def test_a_saved_kernel_is_taken_up_and_undone(watched: Watched) -> None:
    edited = watched.edited
    assert watched.answer == 7.0
    edited.edit("helpers", "+ 1.0", "+ 2.0")
    news = watched.save("helpers")
    assert news.taken.startswith("took up helpers.py: more, ")
    assert news.taken == news.message
    assert watched.answer == 8.0
    assert watched.marks == ["kernels changed: helpers.py: more"]
    news = watched.do(watched.watch.go_back)
    assert news.left == "went back: helpers.py as saved is not in use"
    assert watched.answer == 7.0
    # another file is saved: what was undone stays so
    edited.edit("constants", "2.0", "3.0")
    watched.save("constants")
    assert watched.answer == 10.0
    watched.do(watched.watch.go_back)
    news = watched.do(watched.watch.take_up_again)
    assert watched.answer == 10.0
    assert news.taken.startswith("took up constants.py: scaled")
    news = watched.save("helpers")
    assert watched.answer == 11.0


def test_errors_stay_until_the_next_save(watched: Watched) -> None:
    edited = watched.edited
    assert watched.answer == 7.0
    edited.edit("helpers", "+ 1.0", "+ (")
    news = watched.save("helpers")
    assert news.fault.startswith(f"{edited.name}/helpers.py:15: ")
    assert news.message == f"{edited.name}/helpers.py:15: not taken up"
    assert news.place == f"{edited.folder}/helpers.py:15"
    assert (news.restart, watched.answer) == ("", 7.0)
    edited.edit("helpers", "+ (", "+ 1.0")
    assert watched.save("helpers").fault == ""
    # comments need no compiler
    edited.edit("helpers", '"""Helpers."""', '"""More helpers."""')
    assert watched.save("helpers").message == "helpers.py: nothing to compile has changed"
    edited.edit("helpers", "    return x\n", "    return -x\n")
    news = watched.save("helpers")
    assert news.restart == f"{edited.name}/helpers.py"
    assert "Restart" in news.fault
    edited.edit("helpers", "    return -x\n", "    return x\n")
    edited.edit("helpers", "+ 1.0", "+ 2.0")
    watched.fault = TimeoutError("native code has been running for 60 s")
    news = watched.save("helpers")
    assert "60 s" in news.fault
    assert watched.answer == 7.0
    # what was not taken up is tried again with the next save, whatever file that is
    watched.fault = None
    assert watched.save("units").taken.startswith("took up helpers.py")
    assert watched.answer == 8.0
    assert watched.do(watched.watch.dismiss).taken == ""


def test_files_of_others_are_left_to_a_restart(watched: Watched, tmp_path: Path) -> None:
    other = tmp_path / "app.py"
    assert watched.watch.offer([other]) == [other]
    restart = SimpleNamespace(kernels=watched.watch, _changed="")
    Restart._notice(restart, [watched.edited.folder / "units.py"])  # type: ignore[arg-type]
    assert restart._changed == ""
    Restart._notice(restart, [other])  # type: ignore[arg-type]
    assert restart._changed == "app.py"


def test_the_window_says_so() -> None:
    done: list[str] = []
    watch = SimpleNamespace(
        latest=KernelNews(), go_back=lambda: done.append("back"),
        take_up_again=lambda: done.append("again"), dismiss=lambda: done.append("dismiss"),
    )  # fmt: skip
    sessions: Any = SimpleNamespace(restart=SimpleNamespace(kernels=watch))
    view = ViewState()
    desk: Any = SimpleNamespace(sessions=sessions, view=view)
    assert not Sessions._show_kernels(sessions, view)
    session_actions.old_kernels(desk, Gesture(""))
    assert view.feedback.message == "no kernel was changed since the start"
    watch.latest = KernelNews(1, "took up a.py: f, 2.0 s", taken="took up a.py: f, 2.0 s")
    assert Sessions._show_kernels(sessions, view)
    assert view.feedback.message == "took up a.py: f, 2.0 s"
    for action in (session_actions.old_kernels, session_actions.new_kernels, session_actions.dismiss_kernels):
        action(desk, Gesture(""))
    assert done == ["back", "again", "dismiss"]
    watch.latest = KernelNews(2, fault="a.py:1: wrong", message="a.py:1: not taken up")
    assert Sessions._show_kernels(sessions, view)
    assert view.feedback.message == "a.py:1: not taken up"
    watch.latest = KernelNews(3, fault="a.py:1: a class", restart="sim/a.py")
    assert Sessions._show_kernels(sessions, view)
    assert view.feedback.changed_source == "sim/a.py"


def test_a_running_viewer_takes_up_the_engine(tmp_path: Path) -> None:
    """The engine itself, in a copy: a stiffer spring, and back, while the simulation steps."""
    for place in ("sim", "app"):
        shutil.copytree(ROOT / place, tmp_path / place, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "KINETOSCOPE_CACHE": str(cache.folder())}
    child = Path(__file__).with_name("kernel_child.py")
    done = subprocess.run(
        [sys.executable, str(child), str(tmp_path)], env=environment, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "done"
