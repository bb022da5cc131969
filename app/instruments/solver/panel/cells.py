"""The active set: a cell for each constraint row, coloured by its state; those that changed have an outline."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.instruments.solver.panel.asking import asked
from app.instruments.solver.panel.iteration import title
from app.instruments.solver.questions import MatrixQuestion
from app.instruments.solver.state import SolverState
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.image_texture import Pixels, image_texture
from app.ui.widgets import caption, choice_row, em, note, same_line_if_fits, show_tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import dof_name
from sim.analysis.solver.matrices import DECADES, H, J, M, Matrix
from sim.analysis.solver.row_table import STATES, RowTable
from sim.analysis.solver.study import Place, Study
from sim.analysis.solver.walk import Walk

# sides of cells, em, and the most lines of them
LARGEST, SMALLEST, LINES = 1.0, 0.3, 14
KINDS = {
    J: "the constraint Jacobian: a row for each constraint row, a column for each dof",
    M: "the inertia matrix; with the discrete integrator: the effective metric in which constraints are solved",
    H: (
        "the Hessian of the cost in this iteration, which Newton factorizes: M + Jᵀ D J over the quadratic rows, "
        "plus cone terms"
    ),
}
# height of a picture, and of its largest cells, em
HEIGHT, CELL = 34.0, 1.0
# of cells that have changed
OUTLINE = (255, 255, 255, 255)


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
        show_tooltip("a cell for each of the island's constraint rows, in efc_* order")
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
    return "\n".join([*lines, f"force {walk.force[at, row] + 0.0:.6g} {table.unit(row)}", "click: select its source"])


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


def sparsity_part(snapshot: Snapshot, view: ViewState, study: Study, walk: Walk) -> None:
    """A choice of matrix, and its picture."""
    shown = view.of(SolverState)
    at = shown.at(walk)
    shown.matrix = choice_row(KINDS, shown.matrix, width=em(2.6))
    question = MatrixQuestion(shown.question(shown.walked), shown.matrix, at)
    found, error = asked(view, "matrix", question)
    if found is None:
        note(error or "computing ...")
        return
    matrix: Matrix = found
    cells = max(matrix.shape[0] * matrix.shape[1], 1)
    words = f"{matrix.shape[0]} x {matrix.shape[1]}, {len(matrix.values) / cells:.0%} nonzero"
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    caption(
        words,
        f"{len(matrix.values)} nonzero entries.\n"
        f"Blue is positive, amber negative; fainter means smaller, over {DECADES:.0f} orders of magnitude.",
    )
    _picture(snapshot, view, study, walk, matrix, at)


def _picture(snapshot: Snapshot, view: ViewState, study: Study, walk: Walk, matrix: Matrix, at: int) -> None:
    """The picture, and the entry at the pointer."""
    height, width = matrix.shape
    if not len(matrix.values):
        caption("all entries are zero")
        return
    room = max(imgui.get_content_region_avail().x, em(4)), em(HEIGHT)
    pixel = int(min(room[0] / width, room[1] / height, em(CELL)))
    # more entries than pixels: several share one
    most = max(height, width) if pixel else max(int(max(height, width) * min(room[0] / width, room[1] / height)), 1)
    pixel = max(pixel, 1)
    tones, side = view.of(SolverState).tones(matrix, most)
    place = show_image(view, "matrix", (matrix, most, pixel, theme.TEXT), lambda: matrix_image(tones, pixel, pixel > 4))
    if place is None:
        return
    entry = _entry(matrix, place[1] // pixel, place[0] // pixel, side)
    if entry is None:
        return
    show_tooltip(_entry_text(snapshot, study, walk, matrix, entry, at))
    if imgui.is_mouse_clicked(0):
        _select(snapshot, view, study, walk, matrix, entry)


def matrix_image(tones: np.ndarray, pixel: int, gaps: bool) -> Pixels:
    """Positive in the accent colour, negative in amber; the stronger, the larger."""
    ground = np.array(rgba(theme.BACKGROUND), float)
    ends = np.array([rgba(theme.WARNING), rgba(theme.ACCENT)], float)
    strength = np.abs(tones)[..., None]
    mixed = (1 - strength) * ground + strength * ends[(tones > 0).astype(int)]
    return cells_image(mixed.round().astype(np.uint8), pixel, int(gaps))


def _entry(matrix: Matrix, row: int, column: int, side: int) -> tuple[int, int] | None:
    """The cell at a place; of several in one, the largest."""
    if side == 1:
        return (row, column) if row < matrix.shape[0] and column < matrix.shape[1] else None
    here = np.flatnonzero((matrix.rows // side == row) & (matrix.columns // side == column))
    if not len(here):
        return None
    largest = here[np.argmax(np.abs(matrix.values[here]))]
    return int(matrix.rows[largest]), int(matrix.columns[largest])


def _entry_text(snapshot: Snapshot, study: Study, walk: Walk, matrix: Matrix, entry: tuple[int, int], at: int) -> str:
    """Row, column and value of an entry."""
    model, (row, column) = snapshot.model, entry
    assert model is not None
    dofs = walk.problem.dofs
    of_rows = matrix.kind == J
    first = study.rows.name(model, row) if of_rows else dof_name(model, int(dofs[row]))
    number = study.rows.rows[row] if of_rows else dofs[row]
    when = f" at {title(walk, at)}" if matrix.kind == H else ""
    return (
        f"{'row' if of_rows else 'dof'} {number}: {first}\ndof {dofs[column]}: {dof_name(model, int(dofs[column]))}\n"
        f"{matrix.kind}{when} = {matrix.at(row, column):.6g}\nclick: select {'its source' if of_rows else 'the joint'}"
    )


def _select(
    snapshot: Snapshot, view: ViewState, study: Study, walk: Walk, matrix: Matrix, entry: tuple[int, int]
) -> None:
    """Select where the row of an entry comes from."""
    if matrix.kind == J:
        select_row(snapshot, view, study.rows, entry[0])
        return
    assert snapshot.model is not None
    view.of(SolverState).keep_place()
    view.select("joint", int(snapshot.model.dof_jntid[walk.problem.dofs[entry[0]]]), stay=True)


def rgba(tint: theme.Rgba) -> tuple[int, int, int, int]:
    """A colour of the theme as bytes."""
    red, green, blue = (round(255 * part) for part in tint[:3])
    return red, green, blue, 255


def cells_image(colours: NDArray[np.uint8], side: int, gap: int, outlined: NDArray[np.bool_] | None = None) -> Pixels:
    """Squares of `side` pixels with a gap after each, from colours (rows, columns, 4)."""
    pixels = np.repeat(np.repeat(colours, side, axis=0), side, axis=1)
    if gap:
        pixels[side - 1 :: side] = pixels[:, side - 1 :: side] = rgba(theme.PANEL)
    if outlined is not None and side > 3:
        for row, column in zip(*np.nonzero(outlined), strict=True):
            cell = pixels[row * side : (row + 1) * side - gap, column * side : (column + 1) * side - gap]
            cell[0] = cell[-1] = cell[:, 0] = cell[:, -1] = OUTLINE
    return np.ascontiguousarray(pixels)


def show_image(view: ViewState, name: str, key: object, make: Callable[[], Pixels]) -> tuple[int, int] | None:
    """An image as an item, made again when its key changes; the pixel under the pointer, if that is over it."""
    shown = view.of(SolverState)
    textures = shown.textures
    known = shown.images.get(name)
    if known is None or known[0] != key:
        known = shown.images[name] = key, make()
    pixels = known[1]
    height, width = pixels.shape[:2]
    x, y = (round(part) for part in imgui.get_cursor_screen_pos())
    imgui.invisible_button(f"##{name}", (width, height))
    texture = image_texture(textures, name, pixels).get_tex_ref()
    imgui.get_window_draw_list().add_image(texture, (x, y), (x + width, y + height))
    if not imgui.is_item_hovered():
        return None
    mouse = imgui.get_mouse_pos()
    return min(max(int(mouse.x - x), 0), width - 1), min(max(int(mouse.y - y), 0), height - 1)
