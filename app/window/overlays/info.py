"""The info overlay (F2): a card of numbers about the run."""

from __future__ import annotations

import os
from pathlib import Path

from imgui_bundle import imgui

from app.model.views import StateView
from app.run.snapshot import Snapshot
from app.ui.quantities import quantity
from app.ui.widgets import caption, font, speed_text
from app.view.view_state import ViewState
from app.window.overlays.cards.card import Card
from sim.enums import ENBL_ENERGY

WIDTH_EM = 11.5


def info_card(snapshot: Snapshot, view: ViewState) -> Card:
    """The card; with few lines, the first rows."""
    rows = _rows(snapshot, view)
    return Card("Info", WIDTH_EM, len(rows), lambda lines: _draw(rows[:lines]))


def _draw(rows: list[tuple[str, str]]) -> None:
    for label, value in rows:
        caption(label)
        with font("mono"):
            imgui.same_line()
            right = imgui.get_content_region_avail().x - imgui.calc_text_size(value).x
            imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + right)
            imgui.text(value)


def _rows(snapshot: Snapshot, view: ViewState) -> list[tuple[str, str]]:
    run = snapshot.run
    rows = [
        ("time", f"{run.time:.3f} s"),
        ("speed", speed_text(run.speed)),
        ("rate", f"{run.rate:.2f} x"),
        ("step", quantity(run.step_seconds, "s")),
        ("steps", str(run.steps)),
        ("frames", f"{view.feedback.fps:.0f} /s"),
    ]
    if snapshot.model is not None:
        rows += [("bodies", str(snapshot.model.nbody)), ("dofs", str(snapshot.model.nv))]
    if snapshot.state is not None:
        counts = ("contacts", "ncon"), ("constraints", "nefc"), ("islands", "nisland")
        rows += [(label, str(getattr(snapshot.state, name, 0))) for label, name in counts]
        rows += _solver_rows(snapshot.state)
        if snapshot.model is not None and snapshot.model.opt.enableflags & ENBL_ENERGY:
            rows.append(("energy", f"{float(snapshot.state.energy.sum()):.5g} J"))
    rows.append(("memory", f"{memory_bytes() / 1e6:.0f} MB"))
    return rows


def _solver_rows(state: StateView) -> list[tuple[str, str]]:
    """Solver iterations, and the improvement of the last one."""
    iterations = int(state.solver_niter.max(initial=0))
    if not iterations:
        # the card keeps its height
        return [("iterations", "0"), ("error", "0")]
    last = state.solver.improvement[min(iterations, len(state.solver.improvement)) - 1]
    return [("iterations", str(iterations)), ("error", f"{float(last):.2g}")]


def memory_bytes() -> int:
    """Resident memory of this process; 0 if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
