"""What the user does with breakpoints, from keys, menus and panels; and how a hit is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.run.commands import RunToHit, Send, SetBreakpoints
from app.run.history.breakpoints import Breakpoint, Hit
from app.view.input.desk import Desk
from app.view.input.gesture import Gesture
from app.view.view_state import ViewState


def show_hit(view: ViewState, hit: Hit | None) -> None:
    """A breakpoint has fired: select the element, and let the camera turn there."""
    if hit is not None and hit.selection is not None:
        view.select(hit.selection.kind, hit.selection.index, fly=True)
        # the status line says why it has stopped
        view.feedback.announce_selection = False


def add_breakpoint(points: Sequence[Breakpoint], expression: str, send: Send) -> None:
    """Watch another expression; one that is watched already is switched on."""
    known = [point for point in points if point.expression == expression]
    if known:
        switch(points, [known[0].number], True, send)
    elif expression.strip():
        number = 1 + max((point.number for point in points), default=0)
        send(SetBreakpoints((*points, Breakpoint(number, expression.strip()))))


def switch(points: Sequence[Breakpoint], numbers: Sequence[int], on: bool, send: Send) -> None:
    """Switch some breakpoints on or off."""
    send(SetBreakpoints(tuple(replace(p, on=on) if p.number in numbers else p for p in points)))


def toggle_breakpoints(desk: Desk, _: Gesture) -> None:
    """Switch all off, or all on if none is."""
    points = desk.run_state.breakpoints
    if not points:
        desk.view.instruments.open("Breakpoints")
        desk.view.feedback.show_message("there are no breakpoints yet: add them in the Breakpoints panel")
        return
    on = not any(point.on for point in points)
    switch(points, [point.number for point in points], on, desk.send)
    count = f"{len(points)} breakpoint{'s' * (len(points) > 1)}"
    desk.view.feedback.show_message(f"{count} {'on' if on else 'off'}")


def previous_hit(desk: Desk, _: Gesture) -> None:
    desk.send(RunToHit(-1))


def next_hit(desk: Desk, _: Gesture) -> None:
    desk.send(RunToHit(1))
