"""Fields of Model that follow from edited ones without set_const.

Margins, collision bits, gravity compensation, shapes and inertias of geoms, where free joints start.
"""

from __future__ import annotations

from collections.abc import Callable, Set

import numpy as np

from sim.mjcf.set_const.shapes import INERTIA, PLACED, SHAPES, edited_geoms, set_free_start, set_shapes
from sim.model import Model


def update_dependents(m: Model, paths: Set[str]) -> None:
    """Update the fields that depend on edited ones and decide which kernels are needed."""
    for update in {DEPENDENTS[path][0] for path in paths if path in DEPENDENTS}:
        update(m)


def _set_margins(m: Model) -> None:
    """The largest distance at which one of a body's geoms makes contacts."""
    margin = np.full(m.nbody, -np.inf)
    np.maximum.at(margin, m.geom_bodyid, m.geom_margin + m.geom_gap)
    # a gap can be negative
    m.body_margin = np.where(m.body_geomnum > 0, margin, 0.0)


def _set_geoms(m: Model) -> None:
    """Shapes, inertias, and the union of contype and of conaffinity over the geoms of a body."""
    set_shapes(m)
    for name in ("contype", "conaffinity"):
        union = getattr(m, f"body_{name}")
        union[:] = 0
        np.bitwise_or.at(union, m.geom_bodyid, getattr(m, f"geom_{name}"))
    _set_bvh(m)


def _set_bvh(m: Model) -> None:
    """Use bounding volume hierarchies only where they contain all geoms of the body that can collide, as they are."""
    colliding = np.flatnonzero((m.geom_contype != 0) | (m.geom_conaffinity != 0))
    count = m.body_bvhnum
    address = np.where(count > 0, np.cumsum(count) - count, -1)
    known = m.bvh_nodeid[: int(count.sum())]
    address[m.geom_bodyid[np.setdiff1d(colliding, known)]] = -1
    address[m.geom_bodyid[edited_geoms(m)]] = -1
    m.write("body_bvhadr", address)


def _set_gravcomp(m: Model) -> None:
    """How many bodies have gravity compensation."""
    m.write("ngravcomp", int((m.body_gravcomp > 0).sum()))
    m.flg_gravcomp = m.ngravcomp > 0


# field -> the function that updates the fields that depend on it, without set_const, and these fields
DEPENDENTS: dict[str, tuple[Callable[[Model], None], tuple[str, ...]]] = {
    **dict.fromkeys(("geom_margin", "geom_gap"), (_set_margins, ("body_margin",))),
    **dict.fromkeys(
        ("geom_contype", "geom_conaffinity", *PLACED, *INERTIA),
        (_set_geoms, ("body_contype", "body_conaffinity", "body_bvhadr", *SHAPES)),
    ),
    **dict.fromkeys(("body_pos", "body_quat"), (set_free_start, ("qpos0", "qpos_spring"))),
    "body_gravcomp": (_set_gravcomp, ("ngravcomp", "flg_gravcomp")),
}
