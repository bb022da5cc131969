"""Draws all overlays: dialogs, command palette, gallery, notices, manual, cards; keys go to what is in front."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from app.instruments.doctor.panel.post_mortem_card import post_mortem_card
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui.error_boundary import guarded
from app.ui.widgets import em
from app.view.building import follow
from app.view.input.desk import Action
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.build_menu import picture_menu
from app.window.overlays.build_question import build_question
from app.window.overlays.cards.card import Card, corner, draw_cards
from app.window.overlays.export_dialog import export_dialog
from app.window.overlays.file_dialog import file_dialog
from app.window.overlays.gallery import gallery
from app.window.overlays.info import info_card
from app.window.overlays.manual.panel import manual_window
from app.window.overlays.notices import (
    fault_card,
    problem_card,
    progress_card,
    session_card,
    source_card,
)
from app.window.overlays.palette.panel import command_palette
from app.window.overlays.profiler import profiler_card
from app.window.overlays.save_dialog import save_dialog
from app.window.overlays.sensors import sensors_card
from app.window.overlays.unsaved import unsaved_question
from app.window.overlays.view.gizmo import gizmo
from app.window.overlays.view.marks import empty_view_hint
from app.window.overlays.view.out_of_view import look_out, out_of_view_card
from app.window.overlays.view.tool_strip import tool_strip


def overlays(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None], rect: Rect) -> None:
    """Draw all overlays over the view in `rect`."""

    def draw(name: str, overlay: Callable[..., None], *arguments: Any) -> None:
        guarded(view.feedback.faults, name, partial(overlay, *arguments))

    # from the front to the back: what is in front takes a key first
    draw("Unsaved edits", unsaved_question, snapshot, view, send, act)
    draw("Question", build_question, view, send)
    draw("Save dialog", save_dialog, snapshot, view, send, act)
    draw("Export dialog", export_dialog, view, act)
    draw("File dialog", file_dialog, view, send)
    draw("Command palette", command_palette, snapshot, view, send, act)
    if not view.feedback.offered:
        draw("Gallery", gallery, view, send, act)
    draw("Notice", _notice, snapshot, view, send, act, rect)
    draw("Manual", manual_window, view)
    draw("Menu", picture_menu, snapshot, view, send)
    follow(view, snapshot)
    cards: list[Card] = []
    for shown, name, make in (
        (view.prefs.show_info, "Info", info_card), (view.ui.show_profiler, "Profiler", profiler_card),
        (view.ui.show_sensors, "Sensors", sensors_card),
    ):  # fmt: skip
        if shown:
            draw(name, lambda make: cards.append(make(snapshot, view)), make)
    axes = [corner(rect)] if view.prefs.show_gizmo else []
    draw_cards(cards, rect, [*axes, *view.ui.taken.values()], draw)
    draw("Axes of the camera", gizmo, snapshot, view, rect)
    draw("Tools", tool_strip, snapshot, view, send, act, rect, bool(cards))
    if snapshot.model is not None and not view.ui.show_gallery and not view.has_user_geoms:
        draw("Empty view", empty_view_hint, snapshot.model, view.options, rect)


def _notice(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None], rect: Rect) -> None:
    """The most important notice."""
    bottom = (rect.x + rect.width / 2, rect.y + rect.height - em(1.5))
    fault = next((part for part, fault in view.feedback.faults.items() if not fault.dismissed), None)
    if view.feedback.changed_source:
        # before an error: the change may fix it
        source_card(view, act, bottom)
    elif view.feedback.offered:
        session_card(view, act, bottom)
    elif fault is not None:
        fault_card(view, fault, view.feedback.faults[fault], bottom)
    elif snapshot.run.problem is not None:
        problem = snapshot.run.problem
        if problem.moment is not None:
            post_mortem_card(problem, snapshot, view, send, bottom, rect)
        else:
            problem_card(problem, send, bottom)
    elif snapshot.run.progress is not None:
        progress_card(snapshot.run.progress, snapshot.run.waiting, send, bottom)
    elif look_out(snapshot, view, rect) and not view.ui.show_gallery:
        out_of_view_card(view, act, bottom, rect.width)
