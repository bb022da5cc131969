"""The force of a contact on the solver's way to it: inside its friction cone, and as an arrow in the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.instruments.solver.panel.iteration import title
from app.instruments.solver.state import SolverState
from app.model.views import ModelView
from app.run.snapshot import Snapshot
from app.scene.contacts import MAX_LENGTH, metres_per_newton
from app.scene.decor.user_geoms import ARROW, LABEL, UserGeom
from app.ui import theme
from app.ui.contact_cone import (
    NARROWEST,
    PADDING,
    Point,
    cone_section,
    draw_arrow,
    draw_section,
    draw_text,
    drawing,
    side_frame,
    state_colour,
    top_axes,
    u32,
)
from app.ui.quantities import compact
from app.ui.widgets import caption, em, tooltip
from app.view.view_state import ViewState
from sim.analysis.contact_detail import PYRAMIDAL, ContactDetail, with_force
from sim.analysis.element_names import full_geom_name, geom_name
from sim.analysis.solver.study import ContactSteps, Study
from sim.analysis.solver.walk import Walk

# room above the largest force; the longest arrow is at least so many extents; its radius in its lengths
HEADROOM, VISIBLE, WIDTH = 1.15, 0.08, 0.02
NOW, END = (1.0, 1.0, 1.0, 1.0), (0.55, 0.58, 0.63, 0.55)
SIDE_HINT = (
    "The force in the friction cone, seen from the side: the normal force points up, the friction to the right.\n"
    "The line is its path from the warm start to the solution; the arrow is the force of this iteration."
)
TOP_HINT = "The friction, seen along the normal: the cross-section of the cone at this iteration's normal force."


def force_part(snapshot: Snapshot, view: ViewState, study: Study, walk: Walk) -> None:
    """Which contact, its force now, both drawings; and the arrow."""
    shown = view.of(SolverState)
    found, model = study.contact, snapshot.model
    assert model is not None
    if found is None:
        caption("This island has no contacts.")
        return
    at = shown.at(walk)
    now = with_force(found.contact, found.forces[at])
    first, second = found.contact.geoms
    name = f"{_name(model, second)} on {_name(model, first)}"
    imgui.text_wrapped(name)
    tooltip("the selected contact if it is in this island, otherwise the one that carries the most")
    both = f"{title(walk, at)}: normal {compact(now.normal, 'N')}"
    both += f", friction {compact(now.tangential, 'N')}" if now.dim > 1 else ""
    caption(both, f"{now.state} with this iteration's force", state_colour(now.state))
    room, gap = imgui.get_content_region_avail().x, imgui.get_style().item_spacing.x
    beside = room >= 2 * em(NARROWEST) + gap
    size = min((room - gap) / 2 if beside else room, em(14))
    drawing("way", size, SIDE_HINT, lambda draw, corner: _side(draw, corner, size, found, now))
    if now.dim > 1:
        if beside:
            imgui.same_line()
        drawing("way from above", size, TOP_HINT, lambda draw, corner: _top(draw, corner, size, found, now))
    _, shown.arrow = imgui.checkbox("arrow in the picture", shown.arrow)
    tooltip("at the contact: this iteration's force in white, the solution's in grey")


def arrow_in_picture(model: ModelView, view: ViewState, study: Study, walk: Walk) -> None:
    """The arrow in the picture, also where the part is scrolled away."""
    shown = view.of(SolverState)
    if shown.arrow and study.contact is not None:
        for geom in force_arrows(model, study.contact, shown.at(walk), view.options.force_scale):
            view.instruments.draw(geom)


def _name(model: ModelView, geom: int) -> str:
    """A geom with its body, unless that is the world."""
    return full_geom_name(model, geom) if geom >= 0 and model.geom_bodyid[geom] else geom_name(model, geom)


def _side(draw: Any, corner: Point, size: float, steps: ContactSteps, now: ContactDetail) -> None:
    """The cone from the side, in a scale that is the same for all iterations."""
    pad, tint = em(PADDING), state_colour(now.state)
    foot = corner[0] + size / 2, corner[1] + size - pad
    normals = steps.forces[:, 0] + now.adhesion
    across = np.linalg.norm(steps.forces[:, 1:3], axis=1)
    top = max(float(np.nanmax(normals, initial=0.0)) * HEADROOM, 1e-12)
    mu = float(now.friction[0]) if now.dim > 1 else 0.0
    wide = max(mu * top, float(np.nanmax(across, initial=0.0)) * HEADROOM, 1e-12)
    scale = min((foot[1] - corner[1] - pad) / top, (size / 2 - pad) / wide)

    at = side_frame(draw, corner, size, foot, (scale, top), mu, tint)
    _way(draw, [at(side, up) for side, up in zip(across.tolist(), normals.tolist(), strict=True)])
    draw_arrow(draw, foot, at(now.tangential, now.normal), theme.TEXT)
    draw_text(draw, (corner[0] + em(0.4), corner[1] + em(0.2)), compact(now.normal, "N"), theme.TEXT)


def _top(draw: Any, corner: Point, size: float, steps: ContactSteps, now: ContactDetail) -> None:
    """The tangential plane, in a scale that is the same for all iterations."""
    tint, middle = state_colour(now.state), (corner[0] + size / 2, corner[1] + size / 2)
    largest = float(np.nanmax(steps.forces[:, 0] + now.adhesion, initial=0.0)) * float(
        now.friction[:2].max(initial=0.0)
    )
    largest = max(largest, float(np.nanmax(np.abs(steps.forces[:, 1:3]), initial=0.0)), 1e-12)
    scale = (size / 2 - em(PADDING)) / largest
    top_axes(draw, middle, size)

    def at(force: np.ndarray) -> Point:
        return middle[0] + float(force[0]) * scale, middle[1] - float(force[1]) * scale

    draw_section(draw, [at(corner_force) for corner_force in cone_section(now)], tint)
    _way(draw, [at(force[1:3]) for force in steps.forces])
    draw_arrow(draw, middle, at(now.force[1:3]), theme.TEXT)
    draw_text(draw, (corner[0] + em(0.4), corner[1] + em(0.2)), compact(now.tangential, "N"), theme.TEXT)
    shape = "pyramid" if now.cone == PYRAMIDAL else "cone"
    draw_text(draw, (corner[0] + size - em(0.4), corner[1] + em(0.2)), shape, theme.DIM, 1.0)


def _way(draw: Any, points: list[Point]) -> None:
    """The force of all iterations, as a line with a dot for each."""
    if not np.isfinite(points).all():
        return
    draw.add_polyline([imgui.ImVec2(*point) for point in points], u32(theme.DIM), 1.0, imgui.ImDrawFlags_.none)
    for point in points:
        draw.add_circle_filled(point, em(0.14), u32(theme.DIM))


def force_arrows(model: ModelView, steps: ContactSteps, at: int, scale: float) -> Iterator[UserGeom]:
    """The force of an iteration and that of the solution, on the body that moves, the second if both do."""
    contact = steps.contact
    sign = 1.0 if model.body_weldid[contact.bodies[1]] else -1.0
    forces = sign * steps.forces[:, :3] @ contact.frame
    longest = float(np.linalg.norm(forces, axis=1).max())
    if not np.isfinite(longest) or longest == 0.0:
        return
    extent = float(model.stat.extent)
    length = min(max(scale * metres_per_newton(model) * longest, VISIBLE * extent), MAX_LENGTH * extent)
    metres, radius = length / longest, WIDTH * length
    for place, tint in ((len(forces) - 1, END), (at, NOW)):
        if place != at or tint == NOW:
            yield UserGeom.between(ARROW, radius, contact.position, contact.position + metres * forces[place], tint)
    tip = contact.position + metres * forces[at]
    text = compact(float(np.linalg.norm(forces[at])), "N")
    yield UserGeom(LABEL, (radius, radius, radius), tip, rgba=NOW, label=text)
