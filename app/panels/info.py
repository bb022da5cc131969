"""The info overlay (F2): numbers about the run in a corner of the view. It takes no clicks."""

from __future__ import annotations

from imgui_bundle import imgui

from app.panels import theme
from app.snapshot import Snapshot
from app.state import ViewState
from app.widgets import em, font, si, speed_text

FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_inputs
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav
)


def info_overlay(snapshot: Snapshot, view: ViewState, x: float, y: float) -> None:
    """A small table with its corner near (x, y)."""
    imgui.set_next_window_pos((x + em(0.8), y + em(0.8)))
    imgui.set_next_window_bg_alpha(0.62)
    imgui.begin("##info", None, FLAGS)
    with font("mono"):
        for label, value in _rows(snapshot, view):
            imgui.text_colored(theme.DIM, f"{label:<10}")
            imgui.same_line()
            imgui.text(f"{value:>12}")
    imgui.end()


def _rows(snapshot: Snapshot, view: ViewState) -> list[tuple[str, str]]:
    run = snapshot.run
    value, prefix = si(run.step_seconds)
    rows = [
        ("time", f"{run.time:.3f} s"),
        ("speed", speed_text(run.speed)),
        ("rate", f"{run.rate:.2f} x"),
        ("step", f"{value} {prefix}s"),
        ("steps", str(run.steps)),
        ("frames", f"{view.fps:.0f} /s"),
    ]
    if snapshot.model is not None:
        rows += [("bodies", str(snapshot.model.nbody)), ("dofs", str(snapshot.model.nv))]
    if snapshot.state is not None:
        counts = ("contacts", "ncon"), ("rows", "nefc"), ("islands", "nisland")
        rows += [(label, str(getattr(snapshot.state, name, 0))) for label, name in counts]
    return rows
