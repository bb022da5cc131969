"""Draws over the view, when the camera has moved: labels, the selected point, the force of a pull, the axes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from imgui_bundle import imgui

from app.model.views import ModelView
from app.run.snapshot import Snapshot
from app.scene.camera import View
from app.scene.decor.user_geoms import UserGeom
from app.scene.flexes import any_flex_visible
from app.scene.instances import Kind
from app.scene.labels import Label, labels
from app.scene.surfaces import visible
from app.scene.visual_flags import BY_OPTION
from app.scene.visual_options import NGROUP, VisualOptions
from app.ui import theme
from app.ui.error_boundary import guarded
from app.ui.quantities import compact
from app.ui.widgets import em
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.overlays.view.gizmo import draw_gizmo

# of the ring around the selected point, and of the lines that point at it
RING_EM, LINE_EM = 0.42, 0.28
DARK = (0.0, 0.0, 0.0, 0.65)
# more would only overlap
MOST = 300
# bright text with a shadow is readable over any image, in both themes
INK = (0.95, 0.96, 0.97, 1.0)
SHADOW = (0.0, 0.0, 0.0, 0.75)
SUBJECTS = {1: "The only geom is", 2: "Both geoms are"}
# switches that show something of a model without geoms
INSTEAD = {"joint": "joints", "inertia": "inertia", "com": "centres of mass"}


def view_marks(snapshot: Snapshot, view: ViewState, rect: Rect, geoms: Sequence[UserGeom] = ()) -> None:
    """Draw all of them; `geoms` are those of a script, with their labels."""
    named = partial(_labels, geoms)
    for name, draw in (
        ("Labels", named), ("Selected point", selection_mark), ("Pull", pull_label), ("Axes", draw_gizmo),
    ):  # fmt: skip
        guarded(view.feedback.faults, name, partial(draw, snapshot, view, rect))


def _labels(geoms: Sequence[UserGeom], snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """Labels next to elements."""
    model, state, perturb = snapshot.model, snapshot.state, view.perturb
    if model is not None and state is not None:
        made = labels(model, state, view.options, perturb.body if perturb else -1, (*geoms, *view.instruments.geoms))
        draw_labels(made, view.current_view(model, state), rect)


def selection_mark(snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """A thin ring of fixed size on the screen around the selected point, with lines that point at it."""
    model, state, perturb = snapshot.model, snapshot.state, view.perturb
    if model is None or state is None or perturb is None or not view.options.perturb_object:
        return
    spot = view.current_view(model, state).project(perturb.world_point(state), rect.aspect)
    if spot is None:
        return
    x, y = rect.x + (1 + spot[0]) / 2 * rect.width, rect.y + (1 - spot[1]) / 2 * rect.height
    red, green, blue = (float(part) for part in model.vis.rgba.selectpoint[:3])
    draw = imgui.get_background_draw_list()
    draw.push_clip_rect((rect.x, rect.y), (rect.x + rect.width, rect.y + rect.height))
    # a dark line below a bright one can be seen on anything
    for colour, width in ((DARK, 0.2), ((red, green, blue, 1.0), 0.09)):
        ink, ring, end = imgui.get_color_u32(colour), em(RING_EM), em(RING_EM + LINE_EM)
        draw.add_circle((x, y), ring, ink, 24, em(width))
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            start, stop = (x + ring * right, y + ring * down), (x + end * right, y + end * down)
            draw.add_line(start, stop, ink, em(width))
    draw.pop_clip_rect()


def pull_label(snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """Draw the label while the mouse pulls."""
    model, state, perturb = snapshot.model, snapshot.state, view.perturb
    if model is None or state is None or perturb is None or not perturb.active or snapshot.run.paused:
        return
    place = perturb.world_point(state) if perturb.target is None else perturb.target
    spot = view.current_view(model, state).project(place, rect.aspect)
    if spot is not None:
        x, y = rect.x + (1 + spot[0]) / 2 * rect.width, rect.y + (1 - spot[1]) / 2 * rect.height
        write_label("  ".join(compact(value, unit) for value, unit in perturb.forces(state)), x, y)


def write_label(text: str, x: float, y: float) -> None:
    """Text on a background next to a point of the window."""
    draw = imgui.get_background_draw_list()
    size = imgui.calc_text_size(text)
    left, top, pad = x + em(1.0), y - 0.5 * size.y, em(0.35)
    background = imgui.get_color_u32(theme.FLOAT)
    draw.add_rect_filled((left - pad, top - pad), (left + size.x + pad, top + size.y + pad), background, em(0.3))
    draw.add_text((left, top), imgui.get_color_u32(theme.TEXT), text)


def draw_labels(labels: Sequence[Label], view: View, rect: Rect) -> None:
    """Draw labels over the view in `rect`, below all panels."""
    draw = imgui.get_background_draw_list()
    draw.push_clip_rect((rect.x, rect.y), (rect.x + rect.width, rect.y + rect.height))
    nearest = sorted(labels, key=lambda label: float(np.linalg.norm(label[0] - view.eye)))[:MOST]
    for place, text in reversed(nearest):
        spot = view.project(place, rect.width / max(rect.height, 1.0))
        if spot is None or max(abs(spot[0]), abs(spot[1])) > 1.2:
            continue
        x = rect.x + (1 + spot[0]) / 2 * rect.width + em(0.3)
        y = rect.y + (1 - spot[1]) / 2 * rect.height - em(0.5)
        theme.ensure_glyphs(text)
        readable_text(draw, x, y, text)
    draw.pop_clip_rect()


def readable_text(draw: imgui.ImDrawList, x: float, y: float, text: str, wrap: float = 0.0) -> None:
    """Text that is readable over any image, wrapped at `wrap` pixels if given."""
    font, size = imgui.get_font(), imgui.get_font_size()
    draw.add_text(font, size, (x + 1, y + 1), imgui.get_color_u32(SHADOW), text, wrap_width=wrap)
    draw.add_text(font, size, (x, y), imgui.get_color_u32(INK), text, wrap_width=wrap)


def empty_view_hint(model: ModelView, options: VisualOptions, rect: Rect) -> None:
    """One line in the middle of the view if it is empty."""
    reason = why_empty(model, options)
    if reason:
        room = max(rect.width - em(2), em(1))
        size = imgui.calc_text_size(reason, wrap_width=room)
        x, y = rect.x + (rect.width - size.x) / 2, rect.y + (rect.height - size.y) / 2
        readable_text(imgui.get_background_draw_list(), x, y, reason, room)


def why_empty(model: ModelView, options: VisualOptions) -> str:
    """Why no geom is drawn, and the key that changes it; empty if something is visible."""
    if not model.ngeom and not _others(model, options):
        keys = ", ".join(f"{BY_OPTION[name].key} shows {label}" for name, label in INSTEAD.items())
        return "" if any(getattr(options, name) for name in INSTEAD) else f"This model has no geoms: {keys}"
    group = np.clip(model.geom_group, 0, NGROUP - 1)
    shown = np.array(options.geom_group)[group]
    moves = model.body_weldid[model.geom_bodyid] > 0
    if (shown & (moves | options.static)).any() or _others(model, options):
        return ""
    subject = SUBJECTS.get(int(model.ngeom), f"All {model.ngeom} geoms are")
    if shown.any():
        hidden = "" if shown.all() else " or in hidden groups"
        return f"{subject} static{hidden}: press {BY_OPTION['static'].key} to show static bodies"
    # the key of a group is its number
    groups = [str(g) for g in np.unique(group)]
    where, what = ("a hidden group", "group") if len(groups) == 1 else ("hidden groups", "groups")
    return f"{subject} in {where}: press {' and '.join(groups)} to show {what} {' and '.join(groups)}"


def _others(model: ModelView, options: VisualOptions) -> bool:
    """Whether sites, tendons, skins or flexes are drawn."""
    kinds = (
        (Kind.SITE, options.site_group, True), (Kind.TENDON, options.tendon_group, options.tendon),
        (Kind.SKIN, options.skin_group, options.skin),
    )  # fmt: skip
    shown = any(on and len(visible(model, kind, groups)) for kind, groups, on in kinds)
    return shown or any_flex_visible(model, options.flex_group)
