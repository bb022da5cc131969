"""Label with the force of a mouse pull, beside the point of application."""

from __future__ import annotations

from imgui_bundle import imgui

from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.quantities import compact
from app.ui.widgets import em
from app.view.rect import Rect
from app.view.view_state import ViewState


def pull_label(snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """Draw the label while the mouse pulls."""
    model, state, perturb = snapshot.model, snapshot.state, view.perturb
    if model is None or state is None or perturb is None or not perturb.active or snapshot.run.paused:
        return
    place = perturb.world_point(state) if perturb.target is None else perturb.target
    spot = view.current_view(model, state).project(place, rect.aspect)
    if spot is not None:
        x, y = rect.x + (1 + spot[0]) / 2 * rect.width, rect.y + (1 - spot[1]) / 2 * rect.height
        _write("  ".join(compact(value, unit) for value, unit in perturb.forces(state)), x, y)


def _write(text: str, x: float, y: float) -> None:
    """Text on a background beside a point of the window."""
    draw = imgui.get_background_draw_list()
    size = imgui.calc_text_size(text)
    left, top, pad = x + em(1.0), y - 0.5 * size.y, em(0.35)
    background = imgui.get_color_u32(theme.FLOAT)
    draw.add_rect_filled((left - pad, top - pad), (left + size.x + pad, top + size.y + pad), background, em(0.3))
    draw.add_text((left, top), imgui.get_color_u32(theme.TEXT), text)
