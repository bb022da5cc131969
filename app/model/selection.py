"""The selection: one element, shared by the view, the model tree, the tables and the plots.

It is a type and an index: a body, geom, joint, site, camera, light, tendon, actuator, equality, pair, sensor, keyframe,
contact, island or tree. Contacts and islands are those of the state that is shown: their indices change at every step,
so a selection of one is `followed` from state to state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.model.flex_bodies import nearest_flex_body, touching_flexes
from app.model.views import ModelView, StateView
from sim.analysis.element_names import described, full_geom_name
from sim.analysis.element_types import OWNERS, TRANSMISSIONS

# element -> the field of its position
PLACES = {
    "body": "xpos", "geom": "geom_xpos", "joint": "xanchor", "site": "site_xpos", "camera": "cam_xpos",
    "light": "light_xpos",
}  # fmt: skip
# element -> the field that counts them
COUNTS = {
    "body": "nbody", "geom": "ngeom", "joint": "njnt", "site": "nsite", "camera": "ncam", "light": "nlight",
    "tendon": "ntendon", "actuator": "nactuator", "equality": "neq", "pair": "npair", "sensor": "nsensor",
    "key": "nkey", "tree": "ntree",
}  # fmt: skip


@dataclass(frozen=True)
class Selection:
    """What is selected."""

    kind: str
    index: int

    def exists(self, model: ModelView, state: StateView) -> bool:
        """Whether it exists in this state: contacts and islands come and go."""
        if self.kind == "contact":
            return self.index < len(state.contact.dim)
        if self.kind == "island":
            return self.index < int(state.nisland)
        return self.index < int(getattr(model, COUNTS[self.kind]))

    def body(self, model: ModelView, state: StateView) -> int:
        """The body that it is, belongs to or drives, or -1."""
        if self.kind == "body":
            return self.index
        if self.kind in OWNERS:
            return int(getattr(model, OWNERS[self.kind])[self.index])
        if self.kind == "contact":
            bodies = self._touching_bodies(model, state)
            # the one that moves
            return int(bodies[1] if model.body_weldid[bodies[1]] else bodies[0])
        if self.kind == "tree":
            return int(model.tree_bodyadr[self.index])
        target = self._driven(model)
        return -1 if target is None else target.body(model, state)

    def _driven(self, model: ModelView) -> Selection | None:
        """The joint, site or body that an actuator drives."""
        if self.kind != "actuator":
            return None
        kind = TRANSMISSIONS.get(int(model.actuator_trntype[self.index]))
        target = int(model.actuator_trnid[self.index, 0])
        return Selection(kind, target) if kind in PLACES and target >= 0 else None

    def _touching_bodies(self, model: ModelView, state: StateView) -> list[int]:
        """The bodies of a contact; of a flex that of the nearest vertex."""
        point, sides = state.contact.pos[self.index], touching_flexes(state, self.index)
        return [
            int(model.geom_bodyid[max(geom, 0)]) if flex < 0 else nearest_flex_body(model, state, flex, point)
            for geom, flex in zip(state.contact.geom[self.index].tolist(), sides, strict=True)
        ]

    def place(self, model: ModelView, state: StateView) -> NDArray[np.float64] | None:
        """Its position, if it has one."""
        if self.kind == "contact":
            return np.array(state.contact.pos[self.index])
        target = self._driven(model)
        if target is not None:
            return target.place(model, state)
        body = self.body(model, state)
        if self.kind in PLACES:
            return np.array(getattr(state, PLACES[self.kind])[self.index])
        return np.array(state.xpos[body]) if body >= 0 else None

    def radius(self, model: ModelView, state: StateView) -> float:
        """The radius around its position of all that its body carries, m; 0 for the world and for what has no size.

        A contact has that of the smaller geom.
        """
        place, radii = self.place(model, state), np.asarray(model.geom_rbound)
        if place is None:
            return 0.0
        if self.kind == "geom":
            return float(radii[self.index])
        if self.kind == "contact":
            touching = [float(radii[g]) for g in state.contact.geom[self.index] if g >= 0 and radii[g] > 0]
            return min(touching, default=0.0)
        carried = subtree_of(model, self.body(model, state))[np.asarray(model.geom_bodyid)]
        away = np.linalg.norm(np.asarray(state.geom_xpos)[carried] - place, axis=1)
        return float((away + radii[carried]).max(initial=0.0))

    def title(self, model: ModelView, state: StateView) -> str:
        """Its name for the user."""
        if self.kind == "contact" and state is not None and self.index < len(state.contact.dim):
            sides = zip(state.contact.geom[self.index].tolist(), touching_flexes(state, self.index), strict=True)
            first, second = (full_geom_name(model, g) if f < 0 else described(model, "flex", f) for g, f in sides)
            return f"contact of {first} and {second}"
        return described(model, self.kind, self.index)


def subtree_of(model: ModelView, body: int) -> NDArray[np.bool_]:
    """Which bodies are in the subtree of this one; none for the world."""
    carried = np.zeros(int(model.nbody), dtype=bool)
    if body > 0:
        carried[body] = True
        # parents come before their children
        for child in range(body + 1, len(carried)):
            carried[child] = carried[model.body_parentid[child]]
    return carried


def followed(selection: Selection | None, before: StateView, after: StateView) -> Selection | None:
    """The same element in a later state: the nearest contact of the same geoms, the island of the same trees."""
    if selection is None or selection.kind not in _FOLLOWED:
        return selection
    index = _FOLLOWED[selection.kind](selection.index, before, after)
    return None if index is None else Selection(selection.kind, index)


def _same_contact(index: int, before: StateView, after: StateView) -> int | None:
    if index >= len(before.contact.dim):
        return None
    same = np.flatnonzero((after.contact.geom == before.contact.geom[index]).all(axis=1))
    if not len(same):
        return None
    away = np.linalg.norm(after.contact.pos[same] - before.contact.pos[index], axis=1)
    return int(same[np.argmin(away)])


def _same_island(index: int, before: StateView, after: StateView) -> int | None:
    trees = np.flatnonzero(np.asarray(before.tree_island) == index)
    islands = np.asarray(after.tree_island)[trees]
    islands = islands[(islands >= 0) & (islands < int(after.nisland))]
    # if it was split: the part with the most trees
    return int(np.bincount(islands).argmax()) if len(islands) else None


_FOLLOWED = {"contact": _same_contact, "island": _same_island}
