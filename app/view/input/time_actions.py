"""The actions of recorded time: play backwards, first and last step, marks, the loop, go on from here."""

from __future__ import annotations

from app.run import commands as cmd
from app.run.run_state import RunState
from app.view.input.desk import Desk
from app.view.input.gesture import Gesture
from app.view.view_state import ViewState


def play(run: RunState, send: cmd.Send, direction: int) -> None:
    """Play in a direction; pause if that is what it does."""
    if not run.paused and run.direction == direction:
        send(cmd.SetPaused(True))
        return
    if run.direction != direction:
        send(cmd.SetDirection(direction))
    send(cmd.SetPaused(False))


def play_backwards(desk: Desk, _: Gesture) -> None:
    play(desk.run_state, desk.send, -1)


def first_step(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.GoTo(desk.run_state.history.first))


def last_step(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.GoTo(desk.run_state.history.last))


def previous_mark(desk: Desk, _: Gesture) -> None:
    go_to_mark(desk.run_state, desk.view, desk.send, -1)


def next_mark(desk: Desk, _: Gesture) -> None:
    go_to_mark(desk.run_state, desk.view, desk.send, +1)


def go_to_mark(run: RunState, view: ViewState, send: cmd.Send, direction: int) -> None:
    """Go to the mark before or after the moment that is shown; the status line says what it is about."""
    timeline, shown = run.history, view.timeline
    shown.clocks.update(timeline)
    shown.marks.update(timeline, shown.clocks, shown.hidden)
    mark = shown.marks.next(timeline.now, direction, timeline.first, timeline.last)
    if mark is None:
        view.feedback.show_message(f"there is no mark {'after' if direction > 0 else 'before'} this time")
    else:
        send(cmd.GoTo(min(max(mark.shown_moment, timeline.first), timeline.last)))
        view.feedback.show_message(mark.text)


def go_on(desk: Desk, _: Gesture) -> None:
    if desk.run_state.history.at_head:
        desk.view.feedback.show_message("this is the latest step: Space runs from here")
    else:
        desk.send(cmd.GoOn())


def loop_begin(desk: Desk, _: Gesture) -> None:
    history = desk.run_state.history
    end = history.loop[1] if history.loop is not None and history.loop[1] > history.now else history.last
    _set_loop(desk, history.now, end)


def loop_end(desk: Desk, _: Gesture) -> None:
    history = desk.run_state.history
    begin = history.loop[0] if history.loop is not None and history.loop[0] < history.now else history.first
    _set_loop(desk, begin, history.now)


def _set_loop(desk: Desk, begin: int, end: int) -> None:
    """Repeat a range, if it has steps."""
    if begin < end:
        desk.send(cmd.SetLoop((begin, end)))
    else:
        desk.view.feedback.show_message("a loop needs at least one step: go to another time first")


def clear_loop(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.SetLoop(None))
