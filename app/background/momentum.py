"""Linear and angular momentum of a body, and of the subtree that it carries."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.background.velocity import point_velocity
from app.model.views import ModelView, StateView

Vector = NDArray[np.float64]


def body_momentum(model: ModelView, state: StateView, body: int) -> tuple[Vector, Vector]:
    """Momentum, kg m/s, and angular momentum about the centre of mass, kg m²/s, in world axes."""
    linear, spin = _momenta(model, state, np.array([body]))
    return linear[0], spin[0]


def subtree_momentum(model: ModelView, state: StateView, body: int) -> tuple[Vector, Vector]:
    """Those of a body with all that it carries; the angular one about their common centre of mass."""
    bodies = subtree(model, body)
    linear, spin = _momenta(model, state, bodies)
    arms = state.xipos[bodies] - state.subtree_com[body]
    return linear.sum(axis=0), (spin + np.cross(arms, linear)).sum(axis=0)


def _momenta(model: ModelView, state: StateView, bodies: NDArray[np.int64]) -> tuple[Vector, Vector]:
    """Of each body by itself."""
    linear = model.body_mass[bodies, None] * point_velocity(model, state, bodies, state.xipos[bodies])
    axes = np.reshape(state.ximat[bodies], (-1, 3, 3))
    # into the principal axes and back
    spin = np.einsum("bji,bj->bi", axes, state.cvel[bodies, :3]) * model.body_inertia[bodies]
    return linear, np.einsum("bij,bj->bi", axes, spin)


@lru_cache(maxsize=4)
def subtree(model: ModelView, body: int) -> NDArray[np.int64]:
    """A body and all bodies that it carries; children come after their parents."""
    inside = np.zeros(int(model.nbody), bool)
    inside[body] = True
    for child, parent in enumerate(model.body_parentid.tolist()):
        if child > body and inside[parent]:
            inside[child] = True
    return np.flatnonzero(inside)
