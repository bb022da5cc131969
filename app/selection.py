"""The selection: one element, wherever it was picked, the same for the view, the tree, the tables and the plots.

A kind and a number name it: a body, geom, joint, site, camera, light, tendon, actuator, equality, pair, sensor,
contact, island or tree. Contacts and islands are those of the state that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# kinds that belong to a body, and the field that says to which
OWNERS = {
    "geom": "geom_bodyid", "joint": "jnt_bodyid", "site": "site_bodyid", "camera": "cam_bodyid",
    "light": "light_bodyid",
}  # fmt: skip
# where elements are, in the state
PLACES = {
    "body": "xpos", "geom": "geom_xpos", "joint": "xanchor", "site": "site_xpos", "camera": "cam_xpos",
    "light": "light_xpos",
}  # fmt: skip
# the field that counts a kind
COUNTS = {
    "body": "nbody", "geom": "ngeom", "joint": "njnt", "site": "nsite", "camera": "ncam", "light": "nlight",
    "tendon": "ntendon", "actuator": "nactuator", "equality": "neq", "pair": "npair", "sensor": "nsensor",
    "tree": "ntree",
}  # fmt: skip


@dataclass(frozen=True)
class Selection:
    """What is selected."""

    kind: str
    index: int

    def exists(self, model: Any, state: Any) -> bool:
        """Whether there is such a thing now: contacts and islands come and go."""
        if self.kind == "contact":
            return self.index < len(state.contact.dim)
        if self.kind == "island":
            return self.index < int(state.nisland)
        return self.index < int(getattr(model, COUNTS[self.kind]))

    def body(self, model: Any, state: Any) -> int:
        """The body that it is or belongs to, or -1."""
        if self.kind == "body":
            return self.index
        if self.kind in OWNERS:
            return int(getattr(model, OWNERS[self.kind])[self.index])
        if self.kind == "contact":
            bodies = model.geom_bodyid[np.maximum(state.contact.geom[self.index], 0)]
            # the one that moves
            return int(bodies[1] if model.body_weldid[bodies[1]] else bodies[0])
        if self.kind == "tree":
            return int(model.tree_bodyadr[self.index])
        return -1

    def place(self, model: Any, state: Any) -> NDArray[np.float64] | None:
        """Where it is, if it is at one place."""
        if self.kind == "contact":
            return np.array(state.contact.pos[self.index])
        body = self.body(model, state)
        if self.kind in PLACES:
            return np.array(getattr(state, PLACES[self.kind])[self.index])
        return np.array(state.xpos[body]) if body >= 0 else None

    def title(self, model: Any, state: Any) -> str:
        """What it is called."""
        if self.kind == "contact" and state is not None and self.index < len(state.contact.dim):
            first, second = (element_name(model, "geom", int(g)) for g in state.contact.geom[self.index])
            return f"contact of {first} and {second}"
        return f"{self.kind} {element_name(model, self.kind, self.index)}"


def element_name(model: Any, kind: str, index: int) -> str:
    """The name of an element, or its number where it has none."""
    names = model.names.get(kind, ())
    return (names[index] if 0 <= index < len(names) else "") or f"#{index}"
