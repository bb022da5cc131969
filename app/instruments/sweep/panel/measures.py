"""The quantities of a sweep: an expression, how it is reduced to a number, and which is the best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.background.suggestions import suggestions
from app.instruments.sweep.quantities import DISTANCE, GOALS, MAX, REDUCTIONS, Quantity
from app.instruments.sweep.state import SweepState
from app.run.snapshot import Snapshot
from app.ui.widgets import button, em, fold, icon_button, menu_item, pick, tooltip
from app.view.view_state import ViewState
from sim.analysis.measures import MEASURES

MOST = 12
NARROW_EM = 26.0
OTHER = "another ..."


def measures(snapshot: Snapshot, view: ViewState) -> None:
    """A line for each, and one to add."""
    shown = view.of(SweepState)
    quantities = shown.measured(snapshot)
    if not fold("Quantities", False, False, ", ".join(quantity.name for quantity in quantities)):
        return
    for k, quantity in enumerate(quantities):
        imgui.push_id(k)
        wanted = _line(quantity)
        imgui.pop_id()
        if wanted != quantity:
            kept = (wanted,) if wanted is not None else ()
            shown.quantities = (*quantities[:k], *kept, *quantities[k + 1 :])
    if len(quantities) < MOST:
        if button(f"{icons.ICON_FA_PLUS}  Add", "one more column of the table; a new expression needs another run"):
            imgui.open_popup("more")
        _more(snapshot, view, quantities)


def _more(snapshot: Snapshot, view: ViewState, quantities: tuple[Quantity, ...]) -> None:
    """The menu of expressions about the selection, or about the whole."""
    if not imgui.begin_popup("more"):
        return
    assert snapshot.model is not None and snapshot.state is not None
    for text in (*suggestions(snapshot.model, snapshot.state, view.selection), DISTANCE, OTHER):
        if menu_item(text, "type an expression" if text == OTHER else f"the largest value of {text}"):
            view.of(SweepState).quantities = (*quantities, Quantity("" if text == OTHER else text, MAX))
    imgui.end_popup()


def _line(quantity: Quantity) -> Quantity | None:
    """Edit one; None if it is removed."""
    gap, room = imgui.get_style().item_inner_spacing.x, imgui.get_content_region_avail().x
    # in a narrow panel an expression has a line of its own
    narrow = room < em(NARROW_EM)
    imgui.set_next_item_width(max(room - em(2) - gap - (0.0 if narrow else em(11) + 2 * gap), em(4)))
    _, text = imgui.input_text_with_hint("##expression", DISTANCE, quantity.expression)
    tooltip(_vocabulary)
    imgui.same_line(0, gap)
    removed = False
    if narrow:
        removed = _remove()
        imgui.dummy((em(1), 0))
        imgui.same_line(0, 0)
    hint = f"{REDUCTIONS[quantity.reduction]}, over the whole run"
    reduction = _choice("##reduction", REDUCTIONS, quantity.reduction, hint, em(5.5))
    imgui.same_line(0, gap)
    hint = "which is the best: it is highlighted in the table and among the pictures"
    goal = _choice("##goal", GOALS, quantity.goal, hint, em(5.5))
    if not narrow:
        imgui.same_line(0, gap)
        removed = _remove()
    return None if removed else replace(quantity, expression=text, reduction=reduction, goal=goal)


def _remove() -> bool:
    return icon_button(icons.ICON_FA_XMARK, "remove", "remove this column")


def _choice(label: str, names: Iterable[str], chosen: str, hint: str, width: float) -> str:
    """A list to choose from."""
    picked = pick(label, chosen or "best?", lambda: [(n, n or "none", "") for n in names], chosen, hint, width, False)
    return chosen if picked is None else picked


def _vocabulary() -> str:
    lines = "\n".join(sorted(f"{measure.usage(name)}: {measure.text}" for name, measure in MEASURES.items()))
    return (
        f"an expression as in Plots, or `{DISTANCE}`: how far a body is at most from where it is with the present "
        f'value\n{lines}\nd.qpos[2], d.joint("knee").qvel[0], norm(d.qvel), max(abs(d.qvel)) ...'
    )
