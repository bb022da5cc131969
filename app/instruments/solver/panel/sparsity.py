"""J, M and H of an island as pictures: a cell for each entry, by sign and magnitude; its row and column by name."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.solver.panel.asking import asked
from app.instruments.solver.panel.iteration import title
from app.instruments.solver.panel.pixels import cells_image, rgba, show_image
from app.instruments.solver.panel.rows import select_row
from app.instruments.solver.questions import MatrixQuestion
from app.instruments.solver.state import SolverState
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.image_texture import Pixels
from app.ui.widgets import caption, choice_row, em, note, show_tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import dof_name
from sim.analysis.solver.matrices import DECADES, H, J, M, Matrix
from sim.analysis.solver.study import Study
from sim.analysis.solver.walk import Walk

KINDS = {
    J: "the constraint Jacobian: a row for each constraint row, a column for each dof",
    M: "the inertia matrix; with the discrete integrator the effective metric, in which constraints are solved",
    H: "the Hessian of the cost in this iteration, which Newton factors: M + Jᵀ D J of the rows that are quadratic, "
    "and what cones add",
}
# height of a picture, and of its largest cells, em
HEIGHT, CELL = 34.0, 1.0


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
        f"{len(matrix.values)} entries are not zero.\n"
        f"Blue is positive, amber negative; the fainter, the smaller, down to {DECADES:.0f} powers of ten.",
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
