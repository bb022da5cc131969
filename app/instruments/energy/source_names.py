"""Sources of work for people: their names, the names of their kinds, and the elements that a click selects."""

from __future__ import annotations

from app.model.selection import Selection
from app.model.source_words import PLURALS, WORDS
from app.model.views import ModelView
from sim.analysis.audit.momentum import AXES, Charge
from sim.analysis.audit.work_source import WorkSource
from sim.analysis.element_names import described, element_name, placed_geom_name

# kinds that only work has; {} is the element
OWN = {
    "contact": "normal force of {}", "friction": "friction of {}", "moving surface": "moving surface of {}",
    "spring yield": "springs that yield", "sleep": "{} fell asleep", "integrator": "integrator",
    "edit": "edit of the model", "set by hand": "state set by hand",
}  # fmt: skip
# several elements of kinds that only work has
GROUPS = PLURALS | {
    "contact": "contact normal force", "friction": "contact friction", "moving surface": "moving surfaces",
    "sleep": "falling asleep",
}  # fmt: skip
# kind -> what is to be known of its work
MEANINGS = {
    "contact": (
        "Work done by normal forces. A soft contact stores energy while it is compressed, and returns it minus the "
        "part lost to damping."
    ),
    "friction": "Work done by friction forces during slip.",
    "moving surface": "Work done by a moving surface (surfacevel): friction times its velocity.",
    "integrator": (
        "Energy that a step adds although no force does work: positions move in a straight line while forces "
        "change. It is proportional to the timestep (to its fourth power with RK4). Energy added and then removed "
        "within the range is not counted."
    ),
    "implicit integration": (
        "Work done by an implicit integrator beyond the forces of individual elements: derivatives of "
        "Coriolis, gyroscopic and fluid forces."
    ),
    "residual": "Work done by the solver's residual: more iterations or a smaller tolerance reduce it.",
    "spring yield": "Energy lost by springs that yield (springyield).",
    "sleep": "Kinetic energy that the tree still had when it fell asleep.",
    "edit": "The model was edited: mass, gravity or springs, for example.",
    "set by hand": "The state was set by sliders, a keyframe, undo or a script.",
    "equality": "A soft constraint stores energy like a spring, and its damping dissipates some.",
    "gravity compensation": "gravcomp: a force against gravity that has no potential energy here.",
}  # fmt: skip


def source_name(model: ModelView, source: WorkSource) -> str:
    """A source: "damper of elbow", "friction of foot on floor"."""
    words = OWN.get(source.kind, WORDS.get(source.kind, source.kind))
    return words.format(element_text(model, source)) if source.element else words


def kind_name(kind: str) -> str:
    """All sources of a kind."""
    return GROUPS.get(kind, OWN.get(kind, WORDS.get(kind, kind)))


def element_text(model: ModelView, source: WorkSource) -> str:
    """The element of a source."""
    if source.element == "contact":
        first, second = source.ids
        if not _moves(model, second) and _moves(model, first):
            first, second = second, first
        return f"{placed_geom_name(model, second)} on {placed_geom_name(model, first)}"
    if source.element in ("joint", "body"):
        return element_name(model, source.element, source.ids[0])
    return described(model, source.element, source.ids[0])


def _moves(model: ModelView, geom: int) -> bool:
    return geom < 0 or int(model.body_treeid[model.geom_bodyid[geom]]) >= 0


def selection_of(model: ModelView, source: WorkSource) -> Selection | None:
    """What a click on a source selects; of a contact the geom that moves."""
    if not source.element:
        return None
    if source.element != "contact":
        return Selection(source.element, source.ids[0])
    geoms = [geom for geom in source.ids if geom >= 0]
    moving = [geom for geom in reversed(geoms) if _moves(model, geom)]
    return Selection("geom", (moving or geoms)[0]) if geoms else None


def charge_name(model: ModelView, charge: Charge | None) -> str:
    """What a law is about."""
    if charge is None:
        return "energy"
    axis = next((name for name, unit in zip(AXES, range(3), strict=True) if abs(charge.axis[unit]) > 1 - 1e-9), "")
    if charge.kind == "linear":
        return f"momentum along {axis}"
    if charge.joint >= 0 and not axis:
        return f"angular momentum about {element_name(model, 'joint', charge.joint)}"
    return f"angular momentum about {axis}"
