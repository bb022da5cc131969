"""Expressions in A and in B: two curves each, and both values at the shown moment."""

from __future__ import annotations

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.background.suggestions import suggestions
from app.background.units import unit_of
from app.instruments.ab.found import Curves, Found
from app.instruments.ab.panel.charts import A_TINT, B_TINT, Axis, Line, chart
from app.instruments.ab.state import AbState
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.quantities import compact
from app.ui.widgets import caption, elide, em, icon_button, note, same_line_if_fits, section, tooltip
from app.view.plots import separate
from app.view.view_state import ViewState

HINT = "expression, such as d.qpos[2]"


def quantities(found: Found | None, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A chart for each expression, and a field for another."""
    section("quantities")
    for number, text in enumerate([*view.of(AbState).expressions]):
        imgui.push_id(number)
        _quantity(text, found, snapshot, view, send)
        imgui.pop_id()
    _new(snapshot, view)


def _quantity(text: str, found: Found | None, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The expression with its values, and its curves."""
    unit = unit_of(text, snapshot.model)
    pair = found.shown.values.get(text) if found is not None and found.shown is not None else None
    values = [f"{name} {compact(value, unit)}" for name, value in zip("AB", pair or (), strict=False)]
    right = imgui.get_frame_height() + em(0.3) + sum(imgui.calc_text_size(value).x + em(0.8) for value in values)
    imgui.align_text_to_frame_padding()
    imgui.text(elide(text, imgui.get_content_region_avail().x - right))
    tooltip(text)
    imgui.same_line(imgui.get_content_region_avail().x - right)
    for value, exact, tint in zip(values, pair or (), (A_TINT, B_TINT), strict=False):
        caption(value, f"{text}\n{exact:.9g} {unit}".rstrip(), tint)
        imgui.same_line(0, em(0.8))
    if icon_button(icons.ICON_FA_XMARK, "remove", "do not plot it any more", width=1.6):
        view.of(AbState).expressions.remove(text)
    curves = found.curves.get(text) if found is not None else None
    if curves is None:
        caption("computing ...")
        return
    if curves.reason and not _has_values(curves):
        note(curves.reason, theme.ERROR)
        return
    if found is not None and len(curves.times) > 1:
        lines = [Line("A", curves.a, A_TINT), Line("B", curves.b, B_TINT)]
        axis = Axis(float(found.times[0]), float(found.times[-1]))
        chart("curves", unit, curves.times, lines, axis, snapshot, send)


def _has_values(curves: Curves) -> bool:
    return bool(np.isfinite(curves.a).any() and np.isfinite(curves.b).any())


def _new(snapshot: Snapshot, view: ViewState) -> None:
    """The field for another expression, and suggestions."""
    shown = view.of(AbState)
    imgui.set_next_item_width(-1)
    entered, shown.typed = imgui.input_text_with_hint(
        "##expression", HINT, shown.typed, imgui.InputTextFlags_.enter_returns_true
    )
    tooltip(
        "plot an expression in A and in B   Enter\narithmetic, functions such as norm, fields of d and m with indices"
    )
    if entered:
        for text in separate(shown.typed):
            shown.add(text)
        shown.typed = ""
    if snapshot.model is None or snapshot.state is None:
        return
    offered = [t for t in suggestions(snapshot.model, snapshot.state, view.selection) if t not in shown.expressions]
    for place, text in enumerate(offered):
        if place:
            same_line_if_fits(text)
        if imgui.small_button(f"{elide(text, imgui.get_content_region_avail().x - em(1))}##{text}"):
            shown.add(text)
        tooltip(f"plot {text} in A and in B")
