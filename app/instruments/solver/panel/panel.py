"""The Solver instrument: the iterations of the solver on the shown step or a frozen one, island by island."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.solver.panel.asking import asked_study
from app.instruments.solver.panel.cells import rows_part, sparsity_part
from app.instruments.solver.panel.compare import compare_part
from app.instruments.solver.panel.force import arrow_in_picture, force_part
from app.instruments.solver.panel.iteration import iteration_part
from app.instruments.solver.state import SolverState
from app.model.views import ModelView
from app.run.commands import GoTo, Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import button, caption, elide, note, pick, same_line_if_fits, skip_if_clipped, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name
from sim.analysis.solver.problem import WHOLE
from sim.analysis.solver.study import Island, Study

# parts, and what they show
PARTS = {
    "Iterations": "cost, gradient and line search of one iteration",
    "Active set": "the state of each constraint row in this iteration",
    "Contact force": "a contact's force, iteration by iteration",
    "Compare": "other settings on the same step",
    "Sparsity": "J, M and H as pictures",
}


def solver_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The step, its island, and a part for each question."""
    model, state, shown = snapshot.model, snapshot.state, view.of(SolverState)
    if model is None or state is None:
        note("no model")
        return
    if "solver_path" in model.lacks:
        note(model.lacks["solver_path"])
        return
    shown.begin(model, state, view.selection)
    _step(snapshot, view, model, send)
    study, error = asked_study(view, shown.walked)
    if study is None:
        note(error or "computing ...")
        return
    if study.walk is None or study.island is None:
        note("No constraints act in this step: there is nothing to solve. Go to a time with contacts or limits.")
        return
    _islands(model, view, study, study.island)
    walk = study.walk
    _part(view, "Iterations", lambda: iteration_part(view, walk))
    _part(view, "Active set", lambda: rows_part(snapshot, view, study, walk))
    _part(view, "Contact force", lambda: force_part(snapshot, view, study, walk))
    _part(view, "Compare", lambda: compare_part(model, view, send))
    _part(view, "Sparsity", lambda: sparsity_part(snapshot, view, study, walk))
    arrow_in_picture(model, view, study, walk)


def _part(view: ViewState, name: str, draw: Callable[[], None]) -> None:
    """A part that can be folded: what is folded or scrolled away is not computed."""
    unfolded = imgui.collapsing_header(name, imgui.TreeNodeFlags_.default_open)
    tooltip(PARTS[name])
    heights = view.of(SolverState).heights
    if not unfolded or (name in heights and skip_if_clipped(heights[name])):
        return
    top = imgui.get_cursor_pos_y()
    draw()
    heights[name] = imgui.get_cursor_pos_y() - top


def _step(snapshot: Snapshot, view: ViewState, model: ModelView, send: Send) -> None:
    """Which step: the shown one, or a frozen one."""
    shown = view.of(SolverState)
    question = shown.freeze_question()
    if question is not None and (answer := view.instruments.ask(question)) is not None:
        shown.take_frozen(answer, model.identity)
    frozen = shown.frozen
    if frozen is None:
        if imgui.button(f"{icons.ICON_FA_SNOWFLAKE}  Freeze"):
            shown.freeze()
        tooltip("keep this step and its model while the simulation continues or is edited")
        words = f"follows the view, {snapshot.run.time:.6g} s"
    else:
        if button("Unfreeze", "follow the current step"):
            shown.frozen = None
        words = f"frozen at {frozen.time:.6g} s, step {frozen.number}"
        here = snapshot.run.history
        away = (here.branch, here.now) != (frozen.branch, frozen.number)
        if away and button("Go there", "show the frozen step in the view", beside=True):
            send(GoTo(frozen.number, frozen.branch))
    same_line_if_fits(words)
    caption(words, tint=theme.DIM if frozen is None else theme.ACCENT, framed=True)


def _islands(model: ModelView, view: ViewState, study: Study, island: Island) -> None:
    """The island that is walked, and a choice of the others."""
    shown = view.of(SolverState)
    room = imgui.get_content_region_avail().x - 2.5 * imgui.get_frame_height()
    others = ((other, island_text(model, other), _island_hint(model, other)) for other in study.islands)
    hint = f"{_island_hint(model, island)}\nIt follows the selection."
    picked = pick("##island", elide(island_text(model, island), room), lambda: others, island, hint)
    if picked is not None:
        shown.tree, shown.iteration = picked.tree, None


def island_text(model: ModelView, island: Island) -> str:
    """An island by its largest tree."""
    name = element_name(model, "body", int(model.tree_bodyadr[island.tree])) if island.tree >= 0 else "the world"
    more = f" + {island.trees - 1}" if island.trees > 1 else ""
    of_all = "all rows" if island.index == WHOLE else f"island {island.index}"
    return f"{of_all}: {name}{more}, {island.rows} row{'s' * (island.rows != 1)}"


def _island_hint(model: ModelView, island: Island) -> str:
    what = "everything awake is solved together" if island.index == WHOLE else "each island is solved separately"
    made = f", {island.iterations} iterations" if island.iterations >= 0 else ""
    return f"{what}: {island.trees} kinematic trees, {island.dofs} dofs, {island.rows} constraint rows{made}"
