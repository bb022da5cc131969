"""Keys of recorded time: what they send, wherever the moment is that is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.run import commands as cmd
from app.run.history.markers import Marker, MarkerType
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.view.input.bindings import find
from app.view.input.gesture import Gesture
from app.view.view_state import ViewState

MARKS = (
    Marker(MarkerType.START, "start", 0, 0),
    Marker(MarkerType.CONTACT, "contact: foot, floor", 100, 100),
    Marker(MarkerType.EDIT, "edit: gravity", 250, 250),
)
RUN = BranchView(0, last=1000, paces=(Pace(0, 0.0, 0.002),), markers=MARKS)


class FakeDesk:
    """A desk over a run that is paused at a moment."""

    def __init__(self, now: int = 400, **changes: Any) -> None:
        self.view, self.sent = ViewState(), list[cmd.Command]()
        self.run_state = RunState(paused=True, history=Timeline((RUN,), now=now))
        self.change(**changes)

    def change(self, **changes: Any) -> None:
        """Change the run, or its timeline."""
        known = {name: value for name, value in changes.items() if hasattr(self.run_state, name)}
        rest = {name: value for name, value in changes.items() if name not in known}
        self.run_state = replace(self.run_state, history=replace(self.run_state.history, **rest), **known)

    def send(self, command: cmd.Command) -> None:
        """Keep what was sent."""
        self.sent.append(command)

    def press(self, trigger: str) -> list[cmd.Command]:
        """What a key sends."""
        binding = find(trigger)
        assert binding is not None
        self.sent.clear()
        desk: Any = self
        binding.action(desk, Gesture(trigger))
        return list(self.sent)


def test_first_and_last() -> None:
    desk = FakeDesk(first=20)
    assert desk.press("Home") == [cmd.GoTo(20)]
    assert desk.press("End") == [cmd.GoTo(1000)]


def test_marks_one_after_the_other() -> None:
    desk = FakeDesk()
    assert desk.press("Ctrl+Left arrow") == [cmd.GoTo(250)]
    assert desk.view.feedback.message == "edit: gravity"
    desk.change(now=250)
    assert desk.press("Ctrl+Left arrow") == [cmd.GoTo(100)]
    desk.view.timeline.hidden.add(MarkerType.CONTACT)
    assert desk.press("Ctrl+Left arrow") == [cmd.GoTo(0)]
    assert desk.press("Ctrl+Right arrow") == []
    assert "no mark after" in desk.view.feedback.message


@pytest.mark.parametrize(
    ("paused", "direction", "trigger", "sent"),
    [
        (True, 1, "Space", [cmd.TogglePaused()]),
        (False, -1, "Space", [cmd.TogglePaused()]),
        # forwards, though it was played backwards before
        (True, -1, "Space", [cmd.SetDirection(1), cmd.TogglePaused()]),
        (True, 1, "Shift+Space", [cmd.SetDirection(-1), cmd.SetPaused(False)]),
        (True, -1, "Shift+Space", [cmd.SetPaused(False)]),
        (False, 1, "Shift+Space", [cmd.SetDirection(-1), cmd.SetPaused(False)]),
        (False, -1, "Shift+Space", [cmd.SetPaused(True)]),
    ],
)
def test_both_ways_of_playing(paused: bool, direction: int, trigger: str, sent: list[cmd.Command]) -> None:
    assert FakeDesk(paused=paused, direction=direction).press(trigger) == sent


def test_go_on_from_the_past_alone() -> None:
    assert FakeDesk().press("Ctrl+Enter") == [cmd.GoOn()]
    desk = FakeDesk(now=1000)
    assert desk.press("Ctrl+Enter") == []
    assert "latest step" in desk.view.feedback.message


def test_the_ends_of_the_loop() -> None:
    desk = FakeDesk()
    assert desk.press("Ctrl+[") == [cmd.SetLoop((400, 1000))]
    assert desk.press("Ctrl+]") == [cmd.SetLoop((0, 400))]
    desk.change(loop=(100, 700))
    assert desk.press("Ctrl+[") == [cmd.SetLoop((400, 700))]
    assert desk.press("Ctrl+]") == [cmd.SetLoop((100, 400))]
    # the other end is on the wrong side
    desk.change(now=800)
    assert desk.press("Ctrl+[") == [cmd.SetLoop((800, 1000))]
    desk.change(now=50)
    assert desk.press("Ctrl+]") == [cmd.SetLoop((0, 50))]
    assert desk.press("Ctrl+\\") == [cmd.SetLoop(None)]


def test_a_loop_without_steps_is_none() -> None:
    assert FakeDesk(now=1000).press("Ctrl+[") == []
    assert FakeDesk(now=0).press("Ctrl+]") == []


def test_escape_over_the_timeline_ends_the_loop_and_nothing_else() -> None:
    desk: Any = FakeDesk(loop=(100, 700))
    desk.sessions, desk.view.camera_id = None, 3
    desk.view.timeline.hovered = True
    assert desk.press("Escape") == [cmd.SetLoop(None)]
    assert desk.view.camera_id == 3
    desk.view.timeline.hovered = False
    assert desk.press("Escape") == []
    assert desk.view.camera_id == -1
