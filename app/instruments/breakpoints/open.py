"""Menus of what one can wait for: in the Breakpoints panel, and at an element in the inspector."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from app.instruments.offer import offered
from app.model.break_presets import ANY, PRESETS, Offer, elements, offers
from app.run.commands import Send
from app.run.history.breakpoints import Breakpoint
from app.run.snapshot import Snapshot
from app.ui.widgets import button, caption, menu_item
from app.view.input.breakpoint_actions import add_breakpoint
from app.view.view_state import ViewState


def presets_menu(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Presets for the selection, for any element, and for the whole."""
    model, state, points = snapshot.model, snapshot.state, snapshot.run.breakpoints
    if model is None or state is None:
        return
    chosen = view.selection
    if chosen is not None and chosen.exists(model, state):
        caption(chosen.title(model, state))
        _offers(offers(model, state, chosen), points, send)
        imgui.separator()
    for preset in PRESETS:
        if preset.kinds != ANY and imgui.begin_menu(preset.label):
            _offers(elements(model, state, preset), points, send)
            imgui.end_menu()
    imgui.separator()
    _offers(offers(model, state, None), points, send)


def break_button(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A button for the selection, with a menu of what it can be waited for; the panel then opens."""
    model, state = snapshot.model, snapshot.state
    found = offers(model, state, view.selection) if model is not None and state is not None else []
    if not found or view.selection is None or not offered("Breakpoints"):
        return
    if button("Pause when...", "pause the run when something happens to this", beside=True):
        imgui.open_popup("pause when")
    if imgui.begin_popup("pause when"):
        if _offers(found, snapshot.run.breakpoints, send):
            view.instruments.open("Breakpoints")
        imgui.end_popup()


def _offers(found: Sequence[Offer], points: Sequence[Breakpoint], send: Send) -> bool:
    """Items that watch an expression; returns whether one was chosen."""
    chosen = False
    if not found:
        caption("no breakpoints here")
    for offer in found:
        if menu_item(f"{offer.label}##{offer.expression}", offer.expression):
            add_breakpoint(points, offer.expression, send)
            chosen = True
    return chosen
