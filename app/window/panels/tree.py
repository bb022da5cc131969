"""The Model tree panel: bodies with their elements, then tendons, actuators, constraints, sensors. A click selects.

Only visible rows are drawn, so that a model of ten thousand bodies scrolls like one of ten.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.lockstep.panel import difference_mark
from app.instruments.lockstep.state import LockstepState
from app.model.elements import element_type, type_or_address
from app.model.selection import COUNTS, Selection
from app.model.views import ModelView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import caption, em, font, matches, text_field, tooltip
from app.view import building
from app.view.build_state import Building
from app.view.view_state import ViewState
from app.window.build_menu import element_menu
from sim.analysis.element_names import element_name, short_name
from sim.analysis.element_types import OWNERS

ICONS = {
    "body": icons.ICON_FA_CUBE, "geom": icons.ICON_FA_SHAPES, "joint": icons.ICON_FA_ARROWS_ROTATE,
    "site": icons.ICON_FA_LOCATION_DOT, "camera": icons.ICON_FA_VIDEO, "light": icons.ICON_FA_LIGHTBULB,
    "tendon": icons.ICON_FA_BEZIER_CURVE, "actuator": icons.ICON_FA_BOLT, "equality": icons.ICON_FA_LINK,
    "pair": icons.ICON_FA_ARROWS_LEFT_RIGHT, "sensor": icons.ICON_FA_GAUGE, "key": icons.ICON_FA_KEY,
}  # fmt: skip
# element types with a branch next to the bodies
BRANCHES = ("tendon", "actuator", "equality", "pair", "sensor", "key")
HEADS = {"equality": "equalities", "key": "keyframes"}
FOLD_HINT = "expand or collapse"
# a model with more bodies starts collapsed
UNFOLDED_BODIES = 40

# depth, kind, index, whether it has children; index -1 is the head of a branch
Row = tuple[int, str, int, bool]


def tree_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A search field and the rows."""
    model = snapshot.model
    if model is None:
        caption("no model")
        return
    view.ui.tree_search = text_field("##search tree", "search by name", view.ui.tree_search, "filter by name or type")
    fresh = view.selection if view.selection != view.ui.tree_selection else None
    view.ui.tree_selection = view.selection
    if fresh is not None:
        _unfold(model, view, fresh)
    rows = _rows(model, frozenset(view.ui.unfolded), view.ui.tree_search.strip())
    if not rows:
        caption("no matches")
    if not imgui.begin_child("rows", window_flags=imgui.WindowFlags_.no_nav_inputs):
        imgui.end_child()
        return
    if fresh is not None:
        _scroll_to([row[1:3] for row in rows], (fresh.kind, fresh.index))
    clipper = imgui.ListClipper()
    clipper.begin(len(rows), imgui.get_text_line_height_with_spacing())
    while clipper.step():
        for row in rows[clipper.display_start : clipper.display_end]:
            _draw(row, snapshot, model, view, send)
    imgui.end_child()


def _unfold(model: ModelView, view: ViewState, selection: Selection) -> None:
    """Expand the ancestors of a selection."""
    hiding = [(selection.kind, -1)] if selection.kind in BRANCHES else []
    if selection.kind in OWNERS or selection.kind == "body":
        owner = model.body_parentid if selection.kind == "body" else getattr(model, OWNERS[selection.kind])
        body = int(owner[selection.index])
        hiding.append(("body", body))
        while body:
            body = int(model.body_parentid[body])
            hiding.append(("body", body))
    view.ui.unfolded ^= {row for row in hiding if not _open(model, frozenset(view.ui.unfolded), *row)}


def _scroll_to(rows: list[tuple[str, int]], wanted: tuple[str, int]) -> None:
    """Scroll a row to the middle unless it is visible."""
    if wanted not in rows:
        return
    line, height = imgui.get_text_line_height_with_spacing(), imgui.get_window_height()
    place = rows.index(wanted) * line
    if not imgui.get_scroll_y() <= place <= imgui.get_scroll_y() + height - line:
        imgui.set_scroll_y(max(place - height / 2, 0.0))


def _draw(row: Row, snapshot: Snapshot, model: ModelView, view: ViewState, send: Send) -> None:
    """One row: an arrow if it has children, an icon, a name."""
    depth, kind, index, parent = row
    imgui.push_id(f"{kind} {index}")
    left = imgui.get_cursor_pos_x() + em(0.9) * depth
    imgui.set_cursor_pos_x(left)
    if parent:
        arrow = (
            icons.ICON_FA_CARET_DOWN
            if _open(model, frozenset(view.ui.unfolded), kind, index)
            else icons.ICON_FA_CARET_RIGHT
        )
        if imgui.invisible_button("fold", (em(1.1), imgui.get_text_line_height())):
            view.ui.unfolded ^= {(kind, index)}
        tooltip(FOLD_HINT)
        x, y = imgui.get_item_rect_min()
        imgui.get_window_draw_list().add_text((x + em(0.2), y), imgui.get_color_u32(theme.DIM), arrow)
        imgui.same_line(left + em(1.1))
    imgui.set_cursor_pos_x(left + em(1.1))
    if index < 0:
        with font("bold", 0.95):
            caption(HEADS.get(kind, f"{kind}s"))
        tooltip(FOLD_HINT)
        if imgui.is_item_clicked():
            view.ui.unfolded ^= {(kind, index)}
        imgui.pop_id()
        return
    name = element_name(model, kind, index)
    one, chosen = Selection(kind, index), view.of(Building).chosen
    pressed, _ = imgui.selectable(f"##{name}##row", view.selection == one or one in chosen)
    if pressed and imgui.get_io().key_ctrl:
        building.toggle_chosen(view, kind, index)
    elif pressed:
        building.choose(view, kind, index)
    _menu(one, snapshot, view, send)
    _drag(one, name, snapshot, view, send)
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        view.select(kind, index, fly=True)
    tooltip(
        f"{kind} {index}: click to select it, Ctrl+click for several, double-click to focus on it, right-click: menu"
    )
    _row_text(model, kind, index, bool(view.ui.tree_search.strip()))
    difference_mark((kind, index) in view.of(LockstepState).marks)
    imgui.pop_id()


def _menu(one: Selection, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The menu of the last item."""
    if not imgui.begin_popup_context_item("menu"):
        return
    chosen = building.selected(view)
    if one not in chosen:
        building.choose(view, one.kind, one.index)
        chosen = [one]
    element_menu(snapshot, view, send, chosen)
    imgui.end_popup()


def _drag(one: Selection, name: str, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The last item can be dragged to a body, which it then belongs to."""
    if one.kind in (*OWNERS, "body") and (one.kind, one.index) != ("body", 0) and imgui.begin_drag_drop_source():
        chosen = building.selected(view)
        view.of(Building).dragged = tuple(chosen) if one in chosen else (one,)
        imgui.set_drag_drop_payload_py_id("elements", 0)
        imgui.text_unformatted(name)
        imgui.end_drag_drop_source()
    if one.kind == "body" and imgui.begin_drag_drop_target():
        if imgui.accept_drag_drop_payload_py_id("elements") is not None:
            building.move(view, snapshot, send, view.of(Building).dragged, one.index)
        imgui.end_drag_drop_target()


def _row_text(model: ModelView, kind: str, index: int, searched: bool) -> None:
    """Over the last item: an icon, the name, with its body where that is not in sight, and the type in grey."""
    (x, y), (right, bottom) = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect((x, y), (right, bottom), True)
    y += (bottom - y - imgui.get_text_line_height()) / 2
    icon, name = ICONS[kind], (element_name if searched else short_name)(model, kind, index)
    draw.add_text((x + em(0.6) - imgui.calc_text_size(icon).x / 2, y), imgui.get_color_u32(theme.DIM), icon)
    draw.add_text((x + em(1.6), y), imgui.get_color_u32(theme.TEXT), name)
    end = x + em(2.4) + imgui.calc_text_size(name).x
    draw.add_text((end, y), imgui.get_color_u32(theme.DIM), type_or_address(model, kind, index))
    draw.pop_clip_rect()


@lru_cache(maxsize=4)
def _rows(model: ModelView, unfolded: frozenset[tuple[str, int]], wanted: str) -> list[Row]:
    """The expanded rows, or all that match a search."""
    if wanted:
        return [
            (0, kind, index, False)
            for kind in (*OWNERS, "body", *BRANCHES)
            for index in range(getattr(model, COUNTS[kind]))
            if matches(wanted, element_name(model, kind, index), element_type(model, kind, index))
        ]
    rows = list(_body_rows(model, unfolded))
    for kind in BRANCHES:
        count = getattr(model, COUNTS[kind])
        if count:
            rows.append((0, kind, -1, True))
            if _open(model, unfolded, kind, -1):
                rows += [(1, kind, index, False) for index in range(count)]
    return rows


def _body_rows(model: ModelView, unfolded: frozenset[tuple[str, int]]) -> Iterator[Row]:
    """Each body, its elements and its children; not recursive, since chains may exceed Python's stack."""
    carried, children = _contents(model)
    waiting = [(0, 0)]
    while waiting:
        depth, body = waiting.pop()
        yield depth, "body", body, bool(carried[body] or children[body])
        if _open(model, unfolded, "body", body):
            for kind, index in carried[body]:
                yield depth + 1, kind, index, False
            waiting += [(depth + 1, child) for child in reversed(children[body])]


@lru_cache(maxsize=1)
def _contents(model: ModelView) -> tuple[list[list[tuple[str, int]]], list[list[int]]]:
    """For each body: its elements, and its child bodies."""
    carried: list[list[tuple[str, int]]] = [[] for _ in range(model.nbody)]
    children: list[list[int]] = [[] for _ in range(model.nbody)]
    for kind, owner in OWNERS.items():
        if getattr(model, COUNTS[kind]):
            for index, body in enumerate(np.asarray(getattr(model, owner)).tolist()):
                carried[body].append((kind, index))
    for body, parent in enumerate(model.body_parentid.tolist()):
        if body:
            children[parent].append(body)
    return carried, children


def _open(model: ModelView, unfolded: frozenset[tuple[str, int]], kind: str, index: int) -> bool:
    """Whether the children of a row are shown: the world starts expanded, a small model entirely."""
    at_first = kind == "body" and (index == 0 or model.nbody <= UNFOLDED_BODIES)
    return ((kind, index) in unfolded) != at_first
