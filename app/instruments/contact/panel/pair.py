"""The force between two bodies: numbers in the contact microscope, and an arrow in the picture."""

from __future__ import annotations

import numpy as np

from app.model.views import ModelView
from app.scene.contacts import metres_per_newton
from app.scene.decor.user_geoms import ARROW, LABEL, UserGeom
from app.ui import theme
from app.ui.quantities import compact
from app.ui.widgets import number_row, quantity_row, section, vector_row
from app.view.view_state import ViewState
from sim.analysis.element_names import body_name
from sim.analysis.pair_force import PairForce

# the arrow in the picture: width in mean sizes, length in that of the arrows of contacts, and at most, in extents
ARROW_WIDTH, LENGTH, LONGEST = 0.1, 1.25, 1.0


def between_bodies(model: ModelView, view: ViewState, pair: PairForce) -> None:
    """The force between the two bodies, as numbers and as an arrow in the picture."""
    onto = body_name(model, pair.bodies[1])
    section(f"on {onto} from {body_name(model, pair.bodies[0])}")
    length = float(np.linalg.norm(pair.force))
    number_row("contacts", str(len(pair.contacts)), "", "of the two bodies, whichever geoms")
    quantity_row("force", length, "N", "length of the sum: the arrow in the picture")
    vector_row("vector", pair.force.tolist(), "N", "world axes")
    turning = " ".join(f"{part:.4g}" for part in pair.torque)
    quantity_row("torque", float(np.linalg.norm(pair.torque)), "N m", f"about the point where it acts: {turning}")
    vector_row("acts at", pair.point.tolist(), "m", "centre of pressure: contact points, weighted by normal forces")
    quantity_row("margin to slip", pair.margin, "N", "friction left before all of them slide")
    if length > 0:
        _arrow(model, view, pair, f"{compact(length, 'N')} on {onto}")


def _arrow(model: ModelView, view: ViewState, pair: PairForce, label: str) -> None:
    """The force in the picture, with its newtons at the tip; long enough to leave the body that it is in."""
    vector = pair.force * metres_per_newton(model) * view.options.force_scale * LENGTH
    vector *= min(1.0, LONGEST * float(model.stat.extent) / max(float(np.linalg.norm(vector)), 1e-30))
    width, tip = ARROW_WIDTH * float(model.stat.meansize), pair.point + vector
    view.instruments.draw(UserGeom.between(ARROW, width, pair.point, tip, theme.ACCENT))
    view.instruments.draw(UserGeom(LABEL, (width, width, width), tip, rgba=theme.ACCENT, label=label))
