"""The status line: time, rate, frames per second, cost of a step, contacts, rows, islands, the last message."""

from __future__ import annotations

from imgui_bundle import imgui

from app.panels import theme
from app.snapshot import Snapshot
from app.state import ViewState
from app.widgets import elide, em, font, si, tooltip

COUNTS = (
    ("ncon", "contacts", "contacts of the last step; ncon"),
    ("nefc", "rows", "constraint rows of the last step; nefc"),
    ("nisland", "islands", "groups of bodies that constraints connect; nisland"),
)


def status_line(snapshot: Snapshot, view: ViewState) -> None:
    """Numbers on the left, words on the right."""
    run = snapshot.run
    value, prefix = si(run.step_seconds)
    items: tuple[tuple[str, str], ...] = (
        (f"{run.time:9.3f} s", "simulated time"),
        (f"{run.rate:5.2f} x", "simulated seconds per second, measured"),
        (f"{view.fps:4.0f} fps", "frames drawn per second"),
        (f"{value:>5} {prefix}s/step", "wall time of one native step"),
    )
    if snapshot.state is not None:
        items += tuple((f"{getattr(snapshot.state, name, 0)} {label}", hint) for name, label, hint in COUNTS)
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + em(0.05))
    with font("mono", 0.95):
        for text, hint in items:
            imgui.text_colored(theme.DIM, text)
            tooltip(hint)
            imgui.same_line(0, em(1.4))
    state = "paused" if run.paused else "running"
    if run.problem is not None:
        imgui.text_colored(theme.WRONG, run.problem.title)
    elif run.progress is not None:
        imgui.text_colored(theme.LOOK, run.progress.label)
    else:
        imgui.text_colored(theme.TEXT if run.paused else theme.ACCENT, state)
    imgui.same_line()
    if view.message:
        message = elide(view.message, imgui.get_window_width() - imgui.get_cursor_pos_x() - em(2))
        imgui.same_line(imgui.get_window_width() - imgui.calc_text_size(message).x - em(1))
        imgui.text_colored(theme.DIM, message)
