"""A hint in the view while nothing of the model is visible: why, and which key shows it."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.model.views import ModelView
from app.scene.flexes import any_flex_visible
from app.scene.instances import Kind
from app.scene.surfaces import visible
from app.scene.visual_flags import BY_OPTION
from app.scene.visual_options import NGROUP, VisualOptions
from app.ui.widgets import em
from app.view.rect import Rect
from app.window.overlays.labels import readable_text

SUBJECTS = {1: "The only geom is", 2: "Both geoms are"}
# switches that show something of a model without geoms
INSTEAD = {"joint": "joints", "inertia": "inertia", "com": "centres of mass"}


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
