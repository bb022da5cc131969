"""Marks of what differs between the engines: in the tree, in the picture, and as a selection."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from imgui_bundle import imgui

from app.instruments.lockstep.elements import Element
from app.instruments.lockstep.judge import Comparison, Verdict
from app.instruments.lockstep.state import LockstepState
from app.model.selection import COUNTS, Selection
from app.model.views import ModelView, StateView
from app.scene.decor.user_geoms import LABEL, UserGeom
from app.ui import theme
from app.ui.widgets import em
from app.view.view_state import ViewState
from sim.analysis.element_types import OWNERS
from sim.enums import GEOM_SPHERE

TINTS = {
    Verdict.SAME: "DIM", Verdict.UNSTEADY: "DIM", Verdict.MUJOCO: "ACCENT", Verdict.FOLLOWS: "WARNING",
    Verdict.DIFFERS: "ERROR",
}  # fmt: skip
# elements that are marked in the picture, and the size of one without, as a share of the model's
MOST_MARKS, MARK_SIZE = 20, 0.04


def tint_of(verdict: Verdict) -> theme.Rgba:
    """The colour of a verdict."""
    tint: theme.Rgba = getattr(theme, TINTS[verdict])
    return tint


def difference_mark(shown: bool) -> None:
    """A dot at the end of the last item, for an element in which the engines differ."""
    if shown:
        (_, y), (right, bottom) = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        ink = imgui.get_color_u32(theme.ERROR)
        imgui.get_window_draw_list().add_circle_filled((right - em(0.6), (y + bottom) / 2), em(0.25), ink)


def selection_of(element: Element, state: StateView) -> Selection | None:
    """The element as a selection: a contact by the geoms that touch, or else one of them."""
    if element.kind in COUNTS:
        return Selection(element.kind, element.index)
    geoms = [index for _, index in element.marks]
    if element.kind == "contact" and geoms:
        same = np.flatnonzero((np.sort(np.asarray(state.contact.geom), axis=1) == np.sort(geoms)).all(axis=1))
        return Selection("contact", int(same[0])) if len(same) else Selection("geom", geoms[-1])
    return None


def mark(comparison: Comparison, model: ModelView, state: StateView, view: ViewState) -> None:
    """Mark what differs first, in the tree and in the picture."""
    shown = view.of(LockstepState)
    culprit = comparison.culprit
    difference = culprit.difference if culprit is not None else None
    if culprit is None or difference is None:
        shown.marks = frozenset()
        return
    seen = dict.fromkeys(mark for element in difference.elements for mark in element.marks)
    bodies = (int(getattr(model, OWNERS[kind])[index]) for kind, index in seen if kind in OWNERS)
    shown.marks = frozenset((*seen, *(("body", body) for body in bodies if body)))
    tint, label = tint_of(culprit.verdict), f"{difference.field} {difference.component}".strip()
    for element in difference.elements[:MOST_MARKS]:
        for place, radius in _places(element, model, state):
            view.instruments.draw(UserGeom(GEOM_SPHERE, (radius,) * 3, place, rgba=(*tint[:3], 0.5)))
            if label:
                view.instruments.draw(UserGeom(LABEL, (radius,) * 3, place, rgba=tint, label=label))
            label = ""


def _places(element: Element, model: ModelView, state: StateView) -> Iterator[tuple[np.ndarray, float]]:
    """Where an element is in the picture, and how large: contacts at their point, others at their place."""
    small = MARK_SIZE * float(model.stat.extent)
    if element.point:
        yield np.array(element.point), small / 2
        return
    for kind, index in element.marks:
        selection = Selection(kind, index)
        place = selection.place(model, state)
        if place is not None and np.isfinite(place).all():
            yield place, (selection.radius(model, state) if kind == "geom" else 0.0) or small
