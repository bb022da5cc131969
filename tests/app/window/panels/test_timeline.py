"""The Timeline panel: scrubbing, zoom and pan, marks, the loop, lanes of branches, what is said about where we are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.run import commands as cmd
from app.run.commands import Command, GoTo
from app.run.history.markers import Marker, MarkerType
from app.run.history.timeline import BranchView, MemoryUse, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.input import actions
from app.view.view_state import ViewState
from app.window.panels.timeline.lanes import why_kept
from app.window.panels.timeline.panel import GO_ON, byte_text, go_on_hint, memory_text, timeline_panel, where_text
from app.window.panels.timeline.strip import LOOKS, PAD_EM, marks_text
from tests.app.gui_driver import Gui

MARKS = (
    Marker(MarkerType.START, "start", 0, 0),
    Marker(MarkerType.EDIT, "edit: gravity", 250, 250, 1),
    Marker(MarkerType.EDIT, "edit: wind", 250, 250, 2),
    Marker(MarkerType.PERTURB, "pull: body ball", 500, 600),
    Marker(MarkerType.DIVERGENCE, "diverged, reset: qacc[3], joint knee of body leg", 1000, 1000),
)
RUN = BranchView(0, last=1000, name="run 1", paces=(Pace(0, 0.0, 0.002),), markers=MARKS)
SOFT = BranchView(1, 0, 300, 700, "softer", 1, (Pace(300, 0.6, 0.002),))
STIFF = BranchView(2, 0, 600, 800, "stiffer", 2, (Pace(600, 1.2, 0.002),))
EMPTY = BranchView(3, 2, 700, 700, "", 3, (Pace(700, 1.4, 0.002),))
TREE = (RUN, SOFT, STIFF, EMPTY)
# of the parts of the strip, from its top: ruler, marks, track
RULER, LANE, TRACK = 0.15, 0.6, 0.92


class TimelinePanel:
    """The panel in a window of its own, over a run of 1000 steps of 2 ms."""

    def __init__(self, gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gui, self.sent, self.hints = gui, list[Command](), list[str]()
        self.view = ViewState()
        self.snapshot = Snapshot(1, RunState(paused=True))
        self.width, self.height = 900.0, 260.0
        self.show(RUN, now=400)
        monkeypatch.setattr("app.window.panels.timeline.strip.show_tooltip", self.hints.append)

    def show(self, *branches: BranchView, **changes: Any) -> None:
        """Take another timeline."""
        timeline = Timeline(branches, **changes)
        run = replace(self.snapshot.run, history=timeline, time=timeline.time_of(timeline.now))
        self.snapshot = replace(self.snapshot, run=run)

    def draw(self) -> None:
        """One frame."""
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((self.width, self.height))
        imgui.begin("Timeline")
        timeline_panel(self.snapshot, self.view, self.sent.append)
        imgui.end()

    def place(self, time: float, row: float = TRACK) -> tuple[float, float]:
        """The pixel of a time in a row of the strip."""
        left, top, right, bottom = self.gui.find(self.draw, "##strip")
        pad = PAD_EM * imgui.get_font_size()
        return self.view.timeline.axis(left + pad, right - left - 2 * pad).place(time), top + row * (bottom - top)

    def click(self, step: float, row: float = TRACK) -> list[Command]:
        """Click on the strip at a step; what was sent."""
        place = self.place(0.002 * step, row)
        self.sent.clear()
        self.hints.clear()
        self.gui.click_at(self.draw, *place)
        return list(self.sent)

    def press(self, step: float, row: float = TRACK, button: int = 0) -> None:
        """Press a button of the mouse on the strip."""
        self.gui.io.add_mouse_pos_event(*self.place(0.002 * step, row))
        self.gui.frame(self.draw, 2)
        self.gui.io.add_mouse_button_event(button, True)
        self.gui.frame(self.draw)

    def move(self, step: float, row: float = TRACK) -> None:
        """Move the mouse to a step, in a few frames."""
        x, y = self.place(0.002 * step, row)
        for share in (0.5, 1.0):
            begin = self.gui.io.mouse_pos.x
            self.gui.io.add_mouse_pos_event(begin + share * (x - begin), y)
            self.gui.frame(self.draw)

    def release(self, button: int = 0) -> None:
        """Release a button."""
        self.gui.io.add_mouse_button_event(button, False)
        self.gui.frame(self.draw, 2)

    def turn(self, step: float, notches: float, sideways: float = 0.0) -> None:
        """Turn the wheel over the strip."""
        self.gui.io.add_mouse_pos_event(*self.place(0.002 * step))
        self.gui.frame(self.draw, 2)
        self.gui.io.add_mouse_wheel_event(sideways, notches)
        self.gui.frame(self.draw, 2)

    def hold(self, key: imgui.Key, down: bool = True) -> None:
        """Hold a modifier, or not any more."""
        self.gui.io.add_key_event(key, down)
        self.gui.frame(self.draw)

    @property
    def span(self) -> tuple[float, float] | None:
        """What the strip shows, s."""
        return self.view.timeline.span


@pytest.fixture
def timeline(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> TimelinePanel:
    """A timeline with markers."""
    return TimelinePanel(gui, monkeypatch)


# scrubbing


def near(command: Command, step: int, branch: int | None = None) -> bool:
    """Whether a command goes to a step, or one beside it: pixels are wider than steps."""
    return isinstance(command, GoTo) and abs(command.moment - step) <= 2 and command.branch == branch


def test_a_drag_scrubs_and_the_playhead_is_where_the_mouse_is(timeline: TimelinePanel) -> None:
    timeline.press(100)
    for step in (200, 640):
        timeline.move(step)
        assert near(timeline.sent[-1], step)
        # the simulation has not answered yet
        assert timeline.view.timeline.step(timeline.snapshot.run.history) == pytest.approx(step, abs=2)
        assert timeline.view.timeline.playhead == pytest.approx(0.002 * step, abs=0.005)
    count = len(timeline.sent)
    timeline.gui.frame(timeline.draw, 5)
    timeline.release()
    assert len(timeline.sent) == count, "a mouse that rests sends nothing"
    # it stays there until the answer comes, and then follows time
    assert timeline.view.timeline.asked is not None
    timeline.show(RUN, now=timeline.view.timeline.asked)
    timeline.gui.frame(timeline.draw)
    timeline.show(RUN, now=700)
    timeline.gui.frame(timeline.draw)
    assert timeline.view.timeline.playhead == pytest.approx(1.4)


def test_a_scrub_ends_at_the_ends(timeline: TimelinePanel) -> None:
    timeline.show(replace(RUN, markers=()), now=400, first=100)
    timeline.press(500)
    timeline.move(1000)
    timeline.gui.io.add_mouse_pos_event(2000, 100)
    timeline.gui.frame(timeline.draw)
    assert timeline.sent[-1] == GoTo(1000)
    timeline.gui.io.add_mouse_pos_event(-500, 100)
    timeline.gui.frame(timeline.draw)
    assert timeline.sent[-1] == GoTo(100)


# marks


@pytest.mark.parametrize(("moment", "goal"), [(0, 0), (250, 250), (500, 500), (560, 500), (1000, 999)])
def test_a_click_on_a_mark_goes_there(timeline: TimelinePanel, moment: int, goal: int) -> None:
    assert timeline.click(moment, LANE) == [GoTo(goal)]


def test_marks_say_what_happened(timeline: TimelinePanel) -> None:
    timeline.click(250, LANE)
    assert timeline.hints[-1] == "step 250   edit: wind\nstep 250   edit: gravity"
    timeline.click(550, LANE)
    assert timeline.hints[-1] == "steps 500 to 600   pull: body ball"


def test_between_marks_a_click_scrubs(timeline: TimelinePanel) -> None:
    (command,) = timeline.click(400, LANE)
    assert near(command, 400)
    assert timeline.hints == []


def test_a_mark_whose_moment_before_is_gone_goes_to_the_oldest(timeline: TimelinePanel) -> None:
    marker = Marker(MarkerType.DIVERGENCE, "", 500, 500)
    timeline.show(replace(RUN, last=1500, markers=(marker,)), now=700, first=500)
    assert timeline.click(500, LANE) == [GoTo(500)]


def test_hidden_marks_cannot_be_clicked(timeline: TimelinePanel) -> None:
    timeline.gui.click(timeline.draw, "##PERTURB")
    (command,) = timeline.click(560, LANE)
    assert near(command, 560)
    timeline.gui.click(timeline.draw, "##PERTURB")
    assert timeline.click(560, LANE) == [GoTo(500)]


def test_buttons_go_from_mark_to_mark(timeline: TimelinePanel) -> None:
    timeline.gui.click(timeline.draw, "##next mark")
    timeline.gui.click(timeline.draw, "##previous mark")
    assert timeline.sent == [GoTo(500), GoTo(250)]
    assert timeline.view.feedback.message == "edit: gravity"


def test_of_many_marks_the_nearest_are_listed() -> None:
    marks = [Marker(MarkerType.CONTACT, f"contact {k}", k, k) for k in range(30)]
    lines = marks_text([*marks, Marker(MarkerType.WAKE, "", 99, 99)]).splitlines()
    assert lines[0] == "step 0   contact 0"
    assert len(lines) == 9
    assert lines[-1] == "and more (zoom in):  22 new contacts, 1 trees waking up"


def test_every_event_has_a_look() -> None:
    assert set(LOOKS) == set(MarkerType)


# zoom and pan


def test_the_wheel_zooms_at_the_pointer_and_a_double_click_shows_all(timeline: TimelinePanel) -> None:
    before = timeline.place(1.2)[0]
    timeline.turn(600, 3)
    assert timeline.span is not None
    assert timeline.span[1] - timeline.span[0] == pytest.approx(2.0 / 1.25**3)
    assert timeline.place(1.2)[0] == pytest.approx(before, abs=1)
    timeline.sent.clear()
    x, y = timeline.place(1.2)
    timeline.gui.click_at(timeline.draw, x, y)
    timeline.gui.io.add_mouse_button_event(0, True)
    timeline.gui.frame(timeline.draw)
    timeline.release()
    assert timeline.span is None
    # what the first click has done is taken back
    assert timeline.sent[-1] == GoTo(400)


def test_a_double_click_goes_back_to_where_time_is_now(timeline: TimelinePanel) -> None:
    timeline.click(100)
    timeline.show(RUN, now=800)
    timeline.gui.frame(timeline.draw, 60)
    timeline.hold(imgui.Key.mod_shift)
    timeline.click(600)
    timeline.hold(imgui.Key.mod_shift, False)
    timeline.gui.io.add_mouse_button_event(0, True)
    timeline.gui.frame(timeline.draw)
    timeline.release()
    assert timeline.sent[-1] == GoTo(800)


def test_a_double_click_while_it_runs_lets_it_run(timeline: TimelinePanel) -> None:
    timeline.snapshot = replace(timeline.snapshot, run=replace(timeline.snapshot.run, paused=False))
    timeline.show(RUN, now=1000)
    timeline.click(600)
    timeline.gui.io.add_mouse_button_event(0, True)
    timeline.gui.frame(timeline.draw)
    timeline.release()
    assert timeline.sent[-2:] == [GoTo(1000), cmd.SetPaused(False)]


@pytest.mark.parametrize("button", [1, 2])
def test_other_buttons_pan(timeline: TimelinePanel, button: int) -> None:
    timeline.turn(600, 5)
    assert timeline.span is not None
    before = timeline.span
    begin = timeline.place(1.2)[0]
    timeline.press(600, button=button)
    timeline.gui.io.add_mouse_pos_event(begin - 50, timeline.gui.io.mouse_pos.y)
    timeline.gui.frame(timeline.draw)
    timeline.release(button)
    assert timeline.span is not None
    assert timeline.span[0] > before[0]
    assert timeline.place(1.2)[0] == pytest.approx(begin - 50, abs=1)
    assert timeline.sent == []


def test_the_wheel_with_shift_or_to_the_side_pans(timeline: TimelinePanel) -> None:
    timeline.turn(600, 5)
    assert timeline.span is not None
    before = timeline.span[0]
    timeline.turn(600, 0, sideways=-1)
    assert timeline.span[0] > before
    timeline.hold(imgui.Key.mod_shift)
    timeline.turn(600, 1)
    assert timeline.span[0] == pytest.approx(before)


def test_the_bar_below_shows_and_moves_what_is_seen(timeline: TimelinePanel) -> None:
    timeline.turn(600, 5)
    left, top, right, bottom = timeline.gui.find(timeline.draw, "##whole")
    timeline.gui.click_at(timeline.draw, left + 0.25 * (right - left), (top + bottom) / 2)
    assert timeline.span is not None
    assert sum(timeline.span) / 2 == pytest.approx(0.5, abs=0.01)


def test_what_is_shown_follows_the_head_unless_one_looks_elsewhere(timeline: TimelinePanel) -> None:
    timeline.show(RUN, now=1000)
    timeline.gui.frame(timeline.draw)
    timeline.view.timeline.span = (1.5, 2.0)
    timeline.show(replace(RUN, last=1500), now=1500)
    timeline.gui.frame(timeline.draw)
    assert timeline.span is not None
    assert timeline.span[0] < 3.0 < timeline.span[1] + 1e-9
    timeline.view.timeline.span = (0.2, 0.4)
    timeline.show(replace(RUN, last=1600), now=1600)
    timeline.gui.frame(timeline.draw)
    assert timeline.span == (0.2, 0.4)


# the loop


def test_a_drag_with_shift_selects_what_repeats(timeline: TimelinePanel) -> None:
    timeline.hold(imgui.Key.mod_shift)
    timeline.press(700)
    timeline.move(200)
    assert timeline.sent == []
    timeline.release()
    (command,) = timeline.sent
    assert isinstance(command, cmd.SetLoop)
    assert command.steps == pytest.approx((200, 700), abs=2)


def test_ends_of_the_loop_are_dragged(timeline: TimelinePanel) -> None:
    timeline.show(RUN, now=400, loop=(200, 700))
    timeline.press(700, RULER)
    timeline.move(900, RULER)
    timeline.release()
    (command,) = timeline.sent
    assert isinstance(command, cmd.SetLoop)
    assert command.steps == pytest.approx((200, 900), abs=2)
    # to press beside it and let go again moves nothing
    timeline.sent.clear()
    # after the time of a double-click
    timeline.gui.frame(timeline.draw, 60)
    timeline.press(703, RULER)
    timeline.release()
    assert timeline.sent == [cmd.SetLoop((200, 700))]
    # elsewhere in the ruler one scrubs
    (other,) = timeline.click(500, RULER)
    assert near(other, 500)


def test_a_click_with_shift_or_the_button_clears_it(timeline: TimelinePanel) -> None:
    timeline.show(RUN, now=400, loop=(200, 700))
    timeline.gui.click(timeline.draw, "##no loop")
    timeline.gui.click(timeline.draw, "##loop")
    timeline.hold(imgui.Key.mod_shift)
    assert timeline.sent == [cmd.SetLoop(None)] * 2
    assert timeline.click(500) == [cmd.SetLoop(None)]


def test_the_range_can_be_filmed(timeline: TimelinePanel) -> None:
    timeline.show(RUN, now=400, loop=(200, 700))
    timeline.gui.click(timeline.draw, "##film")
    assert timeline.view.ui.request is actions.film_range
    timeline.gui.click(timeline.draw, "##film", button=1)
    assert timeline.view.ui.request is actions.export_page


def test_the_button_repeats_what_is_shown(timeline: TimelinePanel) -> None:
    timeline.gui.frame(timeline.draw)
    timeline.view.timeline.span = (0.5, 1.5)
    timeline.gui.click(timeline.draw, "##loop")
    assert timeline.sent == [cmd.SetLoop((250, 750))]


# transport


def test_go_on_is_offered_only_in_the_past(timeline: TimelinePanel) -> None:
    timeline.gui.click(timeline.draw, GO_ON)
    assert timeline.sent == [cmd.GoOn()]
    timeline.show(RUN, now=1000)
    timeline.gui.frame(timeline.draw, 2)
    assert not any(GO_ON in label for label in timeline.gui.rects)


@pytest.mark.parametrize(
    ("paused", "direction", "button", "sent"),
    [
        (True, 1, "##run", [cmd.SetPaused(False)]),
        (True, -1, "##run", [cmd.SetDirection(1), cmd.SetPaused(False)]),
        (False, 1, "##run", [cmd.SetPaused(True)]),
        (False, 1, "##backwards", [cmd.SetDirection(-1), cmd.SetPaused(False)]),
        (False, -1, "##backwards", [cmd.SetPaused(True)]),
        (True, 1, "##oldest", [GoTo(0)]),
        (True, 1, "##newest", [GoTo(1000)]),
        (True, 1, "##back", [cmd.StepOnce(-1)]),
        (True, 1, "##forward", [cmd.StepOnce(1)]),
    ],
)
def test_transport(timeline: TimelinePanel, paused: bool, direction: int, button: str, sent: list[Command]) -> None:
    run = replace(timeline.snapshot.run, paused=paused, direction=direction, replaying=not paused)
    timeline.snapshot = replace(timeline.snapshot, run=run)
    timeline.gui.click(timeline.draw, button)
    assert timeline.sent == sent


# branches


@pytest.fixture
def tree(timeline: TimelinePanel) -> TimelinePanel:
    """Four branches, the second one present."""
    timeline.show(*TREE, branch=1, now=500)
    timeline.gui.frame(timeline.draw, 2)
    return timeline


def over_lane(timeline: TimelinePanel, branch: int, time: float) -> tuple[float, float]:
    """A place on a lane."""
    _, top, _, bottom = timeline.gui.find(timeline.draw, f"##lane{branch}")
    return timeline.place(time)[0], (top + bottom) / 2


def test_a_single_branch_has_no_lanes(timeline: TimelinePanel) -> None:
    timeline.gui.frame(timeline.draw, 2)
    assert not any("##lane" in label for label in timeline.gui.rects)


def test_a_click_on_a_lane_goes_there(tree: TimelinePanel) -> None:
    tree.gui.click_at(tree.draw, *over_lane(tree, 2, 1.5))
    (command,) = tree.sent
    assert near(command, 750, 2)
    # before its fork a branch has no steps of its own
    tree.sent.clear()
    tree.gui.click_at(tree.draw, *over_lane(tree, 2, 0.3))
    assert tree.sent == [GoTo(600, 2)]


def test_a_double_click_on_a_lane_switches(tree: TimelinePanel) -> None:
    tree.gui.click_at(tree.draw, *over_lane(tree, 2, 1.5))
    tree.gui.io.add_mouse_button_event(0, True)
    tree.gui.frame(tree.draw)
    tree.release()
    assert tree.sent[-1] == cmd.SwitchBranch(2)


def test_lanes_are_those_of_the_strip(tree: TimelinePanel) -> None:
    strip, lane = (tree.gui.find(tree.draw, label) for label in ("##strip", "##lane0"))
    assert (lane[0], lane[2]) == (strip[0], strip[2])
    # the wheel zooms there too
    tree.gui.io.add_mouse_pos_event(*over_lane(tree, 2, 1.5))
    tree.gui.frame(tree.draw, 2)
    tree.gui.io.add_mouse_wheel_event(0, 2)
    tree.gui.frame(tree.draw, 2)
    assert tree.span is not None


def test_many_branches_scroll(tree: TimelinePanel) -> None:
    tree.show(*TREE, *(replace(EMPTY, id=k) for k in range(4, 200)), branch=1, now=500)
    tree.gui.frame(tree.draw, 2)
    lanes = sum("##lane" in label for label in tree.gui.rects)
    assert 3 < lanes < 20
    tree.gui.io.add_mouse_pos_event(*over_lane(tree, 0, 1.0))
    tree.gui.frame(tree.draw, 2)
    tree.gui.io.add_mouse_wheel_event(0, -20)
    tree.gui.frame(tree.draw, 3)
    assert "##lane0" not in tree.gui.rects
    assert tree.span is None
    tree.hold(imgui.Key.mod_ctrl)
    tree.gui.io.add_mouse_wheel_event(0, 2)
    tree.gui.frame(tree.draw, 2)
    assert tree.span is not None


def test_names_switch_and_are_renamed(tree: TimelinePanel) -> None:
    tree.gui.click(tree.draw, "##name2")
    assert tree.sent == [cmd.SwitchBranch(2)]
    tree.gui.io.add_mouse_button_event(0, True)
    tree.gui.frame(tree.draw)
    tree.release()
    tree.sent.clear()
    tree.gui.frame(tree.draw, 3)
    tree.gui.type(tree.draw, "harder")
    assert tree.sent == [cmd.RenameBranch(2, "harder")]
    tree.gui.frame(tree.draw, 2)
    assert "##rename" not in tree.gui.rects


def test_escape_leaves_the_name(tree: TimelinePanel) -> None:
    tree.gui.click(tree.draw, "##name2")
    tree.gui.io.add_mouse_button_event(0, True)
    tree.gui.frame(tree.draw)
    tree.release()
    tree.sent.clear()
    tree.gui.frame(tree.draw, 3)
    for character in "harder":
        tree.gui.io.add_input_character(ord(character))
    tree.gui.frame(tree.draw, 2)
    assert imgui.get_io().want_text_input, "keys would reach the bindings"
    tree.hold(imgui.Key.escape)
    tree.hold(imgui.Key.escape, False)
    assert tree.sent == []
    assert tree.view.timeline.renaming is None


def test_ghost_and_compare(tree: TimelinePanel) -> None:
    tree.gui.click(tree.draw, "##ghost2")
    assert tree.sent == [cmd.SetGhost(2)]
    tree.show(*TREE, branch=1, now=500, ghost=2)
    tree.gui.click(tree.draw, "##ghost2")
    assert tree.sent[-1] == cmd.SetGhost(None)
    assert not any(icons.ICON_FA_HOURGLASS_END in label for label in tree.gui.rects)
    # beyond the end of its branch it stands still
    tree.show(*TREE, branch=0, now=RUN.last, ghost=2)
    tree.gui.frame(tree.draw, 2)
    assert any(label.startswith(icons.ICON_FA_HOURGLASS_END) for label in tree.gui.rects)
    tree.show(*TREE, branch=1, now=500, ghost=2)
    tree.gui.click(tree.draw, "##compare2")
    assert tree.view.timeline.compared == {2}
    # the present branch is neither
    tree.sent.clear()
    tree.gui.click(tree.draw, "##ghost1")
    tree.gui.click(tree.draw, "##compare1")
    assert tree.view.timeline.compared == {2}
    assert tree.sent == []
    tree.show(RUN, SOFT, branch=1, now=500)
    tree.gui.frame(tree.draw)
    assert tree.view.timeline.compared == set(), "a branch that is gone is not compared"


def test_removing_asks_if_there_is_something_to_lose(tree: TimelinePanel) -> None:
    tree.gui.click(tree.draw, "##remove3")
    assert tree.sent == [cmd.RemoveBranch(3)]
    tree.sent.clear()
    tree.gui.click(tree.draw, "##remove2")
    assert tree.sent == []
    assert "Forget 'stiffer', 0.4 s of it, and 'branch 3'?" in tree.gui.texts
    tree.gui.click(tree.draw, "Keep")
    assert tree.sent == []
    tree.gui.frame(tree.draw, 3)
    assert "Remove" not in tree.gui.rects
    tree.gui.click(tree.draw, "##remove2")
    tree.gui.click(tree.draw, "Remove")
    assert tree.sent == [cmd.RemoveBranch(2)]


def test_what_led_here_cannot_be_removed(tree: TimelinePanel) -> None:
    history = tree.snapshot.run.history
    assert [bool(why_kept(branch, history)) for branch in TREE] == [True, True, False, False]
    for branch in (0, 1):
        tree.gui.click(tree.draw, f"##remove{branch}")
    tree.gui.frame(tree.draw, 3)
    assert tree.sent == []
    assert "Remove" not in tree.gui.rects


def test_the_menu_of_a_branch(tree: TimelinePanel) -> None:
    tree.gui.click_at(tree.draw, *over_lane(tree, 2, 1.5), button=1)
    tree.gui.click(tree.draw, "Compare in plots")
    assert tree.view.timeline.compared == {2}
    tree.gui.click_at(tree.draw, *over_lane(tree, 2, 1.5), button=1)
    tree.gui.click(tree.draw, "Ghost")
    assert tree.sent == [cmd.SetGhost(2)]


def test_a_narrow_panel_has_all_of_it(tree: TimelinePanel) -> None:
    tree.width, tree.height = 430.0, 300.0
    tree.show(*TREE, branch=1, now=500, loop=(350, 450))
    tree.gui.frame(tree.draw, 3)
    right = max(rect[2] for label, rect in tree.gui.rects.items() if label in tree.gui.visible)
    assert right <= tree.width
    assert all(
        any(what in label for label in tree.gui.visible) for what in ("##WAKE", "##next mark", "##go on", "##film")
    )
    # what the column of names has is in the menu of a lane
    assert "##name2" not in tree.gui.rects
    tree.gui.click_at(tree.draw, *over_lane(tree, 2, 1.3), button=1)
    tree.gui.click(tree.draw, "Rename")
    tree.gui.frame(tree.draw, 3)
    tree.gui.type(tree.draw, "harder")
    assert tree.sent == [cmd.RenameBranch(2, "harder")]


def test_every_control_of_a_tree_explains_itself(tree: TimelinePanel) -> None:
    tree.show(*TREE, branch=1, now=500, loop=(350, 450))
    assert not tree.gui.unexplained(tree.draw)


# words


@pytest.mark.parametrize(
    ("changes", "now", "words"),
    [
        ({"paused": False}, 1000, "live: 'run 1'"),
        ({"paused": True}, 1000, "paused at the end of 'run 1'"),
        ({"paused": True}, 250, "paused 1.5 s before the end of 'run 1'"),
        ({"paused": True}, 900, "paused 0.200 s before the end of 'run 1'"),
        ({"paused": False, "replaying": True}, 250, "replaying: 1.5 s before the end of 'run 1'"),
        (
            {"paused": False, "replaying": True, "direction": -1}, 250,
            "replaying backwards: 1.5 s before the end of 'run 1'",
        ),
    ],
)  # fmt: skip
def test_where_we_are(changes: dict[str, Any], now: int, words: str) -> None:
    assert where_text(RunState(time=0.002 * now, history=Timeline((RUN,), now=now), **changes))[0] == words


def test_what_is_kept() -> None:
    hour = replace(RUN, last=1_876_500, markers=())
    memory = MemoryUse(tape=200_000_000, checkpoints=30_000_000, disk=12_000_000, dense_steps=145_000)
    text = "1:02:33 recorded; every step of the last 4:50; 230 MB, 12 MB on disk"
    assert memory_text(Timeline((hour,), now=0, memory=memory)) == text
    assert memory_text(Timeline((RUN,), memory=MemoryUse(1000, dense_steps=9999))) == "2 s recorded; 1 kB"
    # next to others it is that of the branch alone
    assert memory_text(Timeline(TREE)).startswith("2 s recorded on this branch")
    assert [byte_text(count) for count in (0, 999, 1500, 999_900, 2_500_000_000)] == [
        "0 B", "999 B", "1.5 kB", "1 MB", "2.5 GB"
    ]  # fmt: skip


def test_what_going_on_would_do() -> None:
    words = [go_on_hint(Timeline((RUN,), now=now)).splitlines() for now in (100, 400)]
    assert words[0][1] == "2 edits made later will not apply."
    assert words[1] == ["start a branch here and continue simulating; the 1.2 s after this point stay in 'run 1'"]
