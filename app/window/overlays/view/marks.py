"""Draws over the view, when the camera has moved: labels, the selected point, the force of a pull, the axes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from imgui_bundle import imgui

from app.run.snapshot import Snapshot
from app.scene.decor.user_geoms import UserGeom
from app.scene.labels import labels
from app.ui.error_boundary import guarded
from app.ui.widgets import em
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.overlays.labels import draw_labels
from app.window.overlays.pull_label import pull_label
from app.window.overlays.view.gizmo import draw_gizmo

# of the ring around the selected point, and of the lines that point at it
RING_EM, LINE_EM = 0.42, 0.28
DARK = (0.0, 0.0, 0.0, 0.65)


def view_marks(snapshot: Snapshot, view: ViewState, rect: Rect, geoms: Sequence[UserGeom] = ()) -> None:
    """Draw all of them; `geoms` are those of a script, with their labels."""
    named = partial(_labels, geoms)
    for name, draw in (
        ("Labels", named), ("Selected point", selection_mark), ("Pull", pull_label), ("Axes", draw_gizmo),
    ):  # fmt: skip
        guarded(view.feedback.faults, name, partial(draw, snapshot, view, rect))


def _labels(geoms: Sequence[UserGeom], snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """Labels beside elements."""
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
