"""The info overlay (F2): numbers about the run in a corner of the view. It takes no clicks."""

from __future__ import annotations

import os
from pathlib import Path

from imgui_bundle import imgui

from app.panels import theme
from app.snapshot import Snapshot, StateView
from app.state import ViewState
from app.widgets import em, font, si, speed_text
from sim.enums import ENBL_ENERGY

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
        rows += _solver_rows(snapshot.state)
        if snapshot.model is not None and snapshot.model.opt.enableflags & ENBL_ENERGY:
            rows.append(("energy", f"{float(snapshot.state.energy.sum()):.5g} J"))
    rows.append(("memory", f"{memory_bytes() / 1e6:.0f} MB"))
    return rows


def _solver_rows(state: StateView) -> list[tuple[str, str]]:
    """Iterations of the solver, and what the last of them gained."""
    iterations = int(state.solver_niter.max(initial=0))
    if not iterations:
        return [("iterations", "0")]
    last = state.solver.improvement[min(iterations, len(state.solver.improvement)) - 1]
    return [("iterations", str(iterations)), ("error", f"{float(last):.2g}")]


def memory_bytes() -> int:
    """Memory that this process holds, where the system says so."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
