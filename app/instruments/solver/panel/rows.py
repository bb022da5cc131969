"""The active set: a cell for each constraint row, coloured by its state; those that changed have an outline."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.solver.panel.iteration import title
from app.instruments.solver.panel.pixels import cells_image, rgba, show_image
from app.instruments.solver.state import SolverState
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.image_texture import Pixels
from app.ui.widgets import caption, em, same_line_if_fits, show_tooltip
from app.view.view_state import ViewState
from sim.analysis.solver.row_table import STATES, RowTable
from sim.analysis.solver.study import Place, Study
from sim.analysis.solver.walk import Walk

# sides of cells, em, and the most lines of them
LARGEST, SMALLEST, LINES = 1.0, 0.3, 14


def state_tint(state: int) -> theme.Rgba:
    """The colour of a row state."""
    tints = (theme.RAISED, theme.ACCENT, theme.BREAKPOINT, theme.WAKE, theme.WARNING)
    return tints[state]


def rows_part(snapshot: Snapshot, view: ViewState, study: Study, walk: Walk) -> None:
    """A legend of the states that there are, and the cells."""
    at = view.of(SolverState).at(walk)
    _legend(walk, at)
    width = max(imgui.get_content_region_avail().x, em(4))
    rows = len(walk.problem.rows)
    sides = [part for part in range(round(em(LARGEST)), 2, -1) if -(-rows // int(width / part)) <= LINES]
    side = sides[0] if sides else max(round(em(SMALLEST)), 3)
    columns = min(int(width / side), rows)
    key = walk, at, side, columns, theme.TEXT
    pixel = show_image(view, "states", key, lambda: _cells(walk, at, side, columns))
    if pixel is None:
        return
    row = pixel[1] // side * columns + pixel[0] // side
    if row >= rows:
        show_tooltip("a cell for each constraint row of the island, in the order of efc_*")
        return
    show_tooltip(_row_text(snapshot, study.rows, walk, at, row))
    if imgui.is_mouse_clicked(0):
        select_row(snapshot, view, study.rows, row)


def _cells(walk: Walk, at: int, side: int, columns: int) -> Pixels:
    """The image of all rows, line by line."""
    lines = -(-walk.state.shape[1] // columns)
    tints = np.array([*(rgba(state_tint(state)) for state in STATES), rgba(theme.PANEL)], np.uint8)
    states, changed = np.full(lines * columns, len(STATES)), np.zeros(lines * columns, bool)
    states[: walk.state.shape[1]], changed[: walk.state.shape[1]] = walk.state[at], walk.changed[at]
    return cells_image(tints[states.reshape(lines, columns)], side, 1, changed.reshape(lines, columns))


def _legend(walk: Walk, at: int) -> None:
    """The states that occur in this walk, how many rows have each now."""
    counts = np.bincount(walk.state[at], minlength=len(STATES))
    first = True
    for state, (name, meaning) in STATES.items():
        if state not in walk.states:
            continue
        text = f"{counts[state]} {name}"
        if not first:
            same_line_if_fits(f"x {text}")
        first = False
        (x, y), side = imgui.get_cursor_screen_pos(), em(0.7)
        top = y + (imgui.get_text_line_height() - side) / 2
        tint = imgui.get_color_u32(state_tint(state))
        imgui.get_window_draw_list().add_rect_filled((x, top), (x + side, top + side), tint, em(0.1))
        imgui.dummy((side, imgui.get_text_line_height()))
        imgui.same_line(0, em(0.35))
        caption(text, meaning)


def _row_text(snapshot: Snapshot, table: RowTable, walk: Walk, at: int, row: int) -> str:
    """Everything about a row in an iteration."""
    assert snapshot.model is not None
    state = STATES[int(walk.state[at, row])]
    was = STATES[int(walk.state[max(at - 1, 0), row])][0]
    lines = [f"row {table.rows[row]}: {table.name(snapshot.model, row)}", f"{title(walk, at)}: {state[0]}, {state[1]}"]
    if walk.changed[at, row]:
        lines.append(f"was {was} before this iteration")
    return "\n".join(
        [*lines, f"force {walk.force[at, row] + 0.0:.6g} {table.unit(row)}", "click: select where it comes from"]
    )


def select_row(snapshot: Snapshot, view: ViewState, table: RowTable, row: int) -> None:
    """Select what a row comes from; of a contact that is not there now, the geom that moves."""
    shown = view.of(SolverState)
    model, state = snapshot.model, snapshot.state
    assert model is not None and state is not None
    kind, index = table.source(model, row)
    if kind == "contact":
        geoms, point = table.geoms[row], table.points[row]
        shown.place = Place((int(geoms[0]), int(geoms[1])), (float(point[0]), float(point[1]), float(point[2])))
        same = np.flatnonzero((np.asarray(state.contact.geom) == geoms).all(axis=1))
        if len(same):
            index = int(same[np.argmin(np.linalg.norm(np.asarray(state.contact.pos)[same] - point, axis=1))])
        elif (geoms >= 0).all():
            kind, index = "geom", int(geoms[1] if model.body_weldid[model.geom_bodyid[geoms[1]]] else geoms[0])
        else:
            return
    shown.keep_place()
    view.select(kind, index, stay=True)
