"""The timeline: what can be gone back to, where its markers are, what they say, where a click on them goes."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

import sim
from app.history.history import History
from app.history.markers import Marker, MarkerType
from app.history.timeline import BranchView, Pace, Timeline
from app.panels.timeline import COLOURS, timeline_panel
from app.run.commands import Command, GoTo
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState
from tests.app.gui_driver import Gui

MARKS = (
    Marker(MarkerType.START, "start", 0, 0),
    Marker(MarkerType.EDIT, "edit: gravity", 250, 250),
    Marker(MarkerType.EDIT, "edit: wind", 250, 250),
    Marker(MarkerType.PERTURB, "pull: body ball", 500, 600),
    Marker(MarkerType.DIVERGENCE, "diverged, reset: qacc[3], joint knee of body leg", 1000, 1000),
)


class TimelinePanel:
    """The panel in a window of its own."""

    def __init__(self, gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gui, self.sent, self.hints = gui, list[Command](), list[str]()
        self.snapshot = Snapshot(
            1,
            RunState(
                paused=True,
                history=Timeline((BranchView(0, last=1000, paces=(Pace(0, 0.0, 0.002),), markers=MARKS),), now=400),
            ),
        )
        self._view = ViewState()
        monkeypatch.setattr("app.panels.timeline.show_tooltip", self.hints.append)

    def draw(self) -> None:
        """One frame."""
        imgui.set_next_window_size((900, 200))
        imgui.begin("Timeline")
        timeline_panel(self.snapshot, self._view, self.sent.append)
        imgui.end()

    def click(self, moment: float) -> list[Command]:
        """Click into the lane of markers above a moment; what was sent."""
        left, top, right, bottom = self.gui.find(self.draw, "##markers")
        grab = imgui.get_style().grab_min_size
        x = left + 2 + grab / 2 + (right - left - 4 - grab) * moment / 1000
        self.sent.clear()
        self.hints.clear()
        self.gui.click_at(self.draw, x, (top + bottom) / 2)
        return list(self.sent)


@pytest.fixture
def timeline(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> TimelinePanel:
    """A timeline with markers."""
    return TimelinePanel(gui, monkeypatch)


@pytest.mark.parametrize(("moment", "goal"), [(0, 0), (250, 250), (500, 500), (560, 500), (1000, 999)])
def test_a_click_on_a_mark_goes_there(timeline: TimelinePanel, moment: int, goal: int) -> None:
    assert timeline.click(moment) == [GoTo(goal)]


def test_marks_say_what_happened(timeline: TimelinePanel) -> None:
    timeline.click(250)
    assert timeline.hints[-1] == "step 250   edit: gravity\nstep 250   edit: wind"
    timeline.click(550)
    assert timeline.hints[-1] == "steps 500 to 600   pull: body ball"


def test_between_marks_there_is_nothing(timeline: TimelinePanel) -> None:
    assert timeline.click(400) == []
    assert timeline.hints == []


def test_a_mark_whose_moment_before_is_gone_goes_to_the_oldest(timeline: TimelinePanel) -> None:
    marker = Marker(MarkerType.DIVERGENCE, "", 500, 500)
    timeline.snapshot = Snapshot(
        1,
        RunState(
            paused=True,
            history=Timeline(
                (BranchView(0, last=1500, paces=(Pace(0, 0.0, 0.002),), markers=(marker,)),), now=700, first=500
            ),
        ),
    )
    assert timeline.click(0) == [GoTo(500)]


def test_marks_stand_above_the_grab_of_the_slider(timeline: TimelinePanel) -> None:
    # a click on the slider below a marker gives the moment of the marker
    left, top, right, bottom = timeline.gui.find(timeline.draw, "##moment")
    for moment in (250, 500):
        place = left + 2 + 6 + (right - left - 16) * moment / 1000
        timeline.sent.clear()
        timeline.gui.click_at(timeline.draw, place, (top + bottom) / 2)
        command: Any = timeline.sent[-1]
        assert abs(command.moment - moment) <= 2


def test_every_event_has_a_colour() -> None:
    assert set(COLOURS) == set(MarkerType)


def test_what_a_forgotten_future_has_overwritten_is_gone() -> None:
    m = sim.loads("<mujoco><worldbody><body><joint/><geom size='.1' pos='1 0 0'/></body></worldbody></mujoco>")
    d = sim.Data(m)
    history = History(sim, m, d, 100 * 8 * sim.state_size(m, sim.record_signature(m)), "start")
    sim.step(m, d, nstep=250)
    history.stepped(0.0)
    assert history.go_to(200)
    history.drop_future()
    for steps in (0, 30, 60):
        sim.step(m, d, nstep=steps)
        history.stepped(0.0)
        span = history.span()
        assert (span.first, span.last) == (max(151, 101 + history.now - 200), history.now)
        assert (span.first_time, span.last_time) == pytest.approx((0.002 * span.first, 0.002 * span.last))
    assert not history.go_to(span.first - 1)
    history.restart("reset")
    assert (history.span().first, history.span().last) == (0, 0)
