"""Which geoms of a model can touch which, how large they are, and what stands on what."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim import Model
from sim.enums import (
    DSBL_CONSTRAINT,
    DSBL_CONTACT,
    DSBL_FILTERPARENT,
    DSBL_GRAVITY,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_HFIELD,
    GEOM_PLANE,
    GEOM_SPHERE,
)

if TYPE_CHECKING:
    from app.instruments.doctor.subject import Floats, Subject

Bools = NDArray[np.bool_]
# geoms without an end
GROUND = (GEOM_PLANE, GEOM_HFIELD)
# above this many geoms a table of all pairs would be too large
MOST_GEOMS = 4000


class Collidable:
    """What can touch what in a model, as far as its filters say."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.model: Model = subject.model
        self.body = np.asarray(self.model.geom_bodyid)
        self.contype = np.asarray(self.model.geom_contype)
        self.conaffinity = np.asarray(self.model.geom_conaffinity)

    @cached_property
    def enabled(self) -> bool:
        """Whether there are contacts at all."""
        return not int(self.model.opt.disableflags) & (DSBL_CONTACT | DSBL_CONSTRAINT)

    @cached_property
    def falls(self) -> bool:
        """Whether there is gravity."""
        return bool(np.any(self.model.opt.gravity)) and not int(self.model.opt.disableflags) & DSBL_GRAVITY

    @cached_property
    def fixed(self) -> Bools:
        """Which geoms cannot move."""
        return np.asarray(self.model.body_treeid)[self.body] < 0

    @cached_property
    def ground(self) -> Bools:
        """Which geoms are planes or height fields that do not move."""
        return self.fixed & np.isin(np.asarray(self.model.geom_type), GROUND)

    @cached_property
    def floors(self) -> Bools:
        """Which of the ground faces up: not walls."""
        up = -np.asarray(self.model.opt.gravity) / max(float(np.linalg.norm(self.model.opt.gravity)), 1e-9)
        normals = np.asarray(self.subject.data.geom_xmat).reshape(-1, 3, 3)[:, :, 2]
        return np.asarray(self.ground & (normals @ up > 0.8), bool)

    @cached_property
    def paired(self) -> Bools:
        """Which geoms are in an explicit pair."""
        found = np.zeros(len(self.body), bool)
        found[np.asarray(self.model.pair_geom1)] = True
        found[np.asarray(self.model.pair_geom2)] = True
        return found

    @cached_property
    def permitted(self) -> Bools:
        """Which two geoms could touch by their bits and their bodies' relation, if nothing was excluded or paired."""
        n = len(self.body)
        if not self.enabled or n > MOST_GEOMS:
            return np.zeros((n, n), bool)
        bits = (self.contype[:, None] & self.conaffinity[None, :]) != 0
        found = (bits | bits.T) & ~self._related
        return np.asarray(found & ~(self.fixed[:, None] & self.fixed[None, :]), bool)

    @cached_property
    def matrix(self) -> Bools:
        """Which two geoms can touch; their bodies' relation, exclusions and explicit pairs included."""
        m = self.model
        if not self.permitted.any() and not m.npair:
            return self.permitted
        found = self.permitted & ~self.excluded
        first, second = np.asarray(m.pair_geom1), np.asarray(m.pair_geom2)
        found[first, second] = found[second, first] = True
        return np.asarray(found, bool)

    @cached_property
    def _related(self) -> Bools:
        """Geoms of one rigid body, and of parent and child where those are filtered."""
        m = self.model
        weld = np.asarray(m.body_weldid)[self.body]
        same = weld[:, None] == weld[None, :]
        if int(m.opt.disableflags) & DSBL_FILTERPARENT:
            return np.asarray(same, bool)
        above = np.asarray(m.body_weldid)[np.asarray(m.body_parentid)[weld]]
        child = (above[:, None] == weld[None, :]) & (weld[None, :] != 0) & (weld[:, None] != 0)
        return np.asarray(same | child | child.T, bool)

    @cached_property
    def excluded(self) -> Bools:
        """Which two geoms an <exclude> keeps apart."""
        found = np.zeros((len(self.body), len(self.body)), bool)
        for signature in np.asarray(self.model.exclude_signature).astype(np.uint32):
            first, second = self.body == signature >> 16, self.body == (signature & 0xFFFF)
            found |= first[:, None] & second[None, :]
        return found | found.T

    @cached_property
    def touching(self) -> Bools:
        """Which geoms can touch anything."""
        return np.asarray(self.matrix.any(axis=1), bool)

    @cached_property
    def stopped(self) -> Bools:
        """Which geoms can touch something that does not move."""
        return np.asarray(self.matrix[:, self.fixed].any(axis=1), bool)

    @cached_property
    def grounded(self) -> Bools:
        """Which geoms can touch the ground."""
        return np.asarray(self.matrix[:, self.ground].any(axis=1), bool)

    @cached_property
    def solid(self) -> Bools:
        """Which geoms are meant to touch something, as far as they alone say."""
        return np.asarray((self.contype != 0) | (self.conaffinity != 0) | self.paired, bool)

    @cached_property
    def thickness(self) -> Floats:
        """Half of the smallest extent of each geom, m: a radius where it has one; infinite for the ground."""
        m = self.model
        half = np.asarray(m.geom_aabb)[:, 3:].min(axis=1)
        kind, size = np.asarray(m.geom_type), np.asarray(m.geom_size)
        half = np.where(np.isin(kind, (GEOM_SPHERE, GEOM_CAPSULE)), size[:, 0], half)
        half = np.where(kind == GEOM_CYLINDER, size[:, :2].min(axis=1), half)
        return np.where(np.isin(kind, GROUND), np.inf, half)

    @cached_property
    def standing(self) -> list[int]:
        """The trees that gravity moves over the ground: a free joint, or a slide along gravity, at their root."""
        m = self.model
        if not self.falls:
            return []
        down = np.asarray(m.opt.gravity) / np.linalg.norm(m.opt.gravity)
        return [tree for tree in range(int(m.ntree)) if self._falls_freely(int(m.tree_bodyadr[tree]), down)]

    def _falls_freely(self, root: int, down: Floats) -> bool:
        m, d = self.model, self.subject.data
        if not m.body_jntnum[root] or m.body_gravcomp[root] >= 1:
            return False
        joints = range(int(m.body_jntadr[root]), int(m.body_jntadr[root] + m.body_jntnum[root]))
        for joint in joints:
            if m.jnt_type[joint] == 0:
                return True
            along = m.jnt_type[joint] == 2 and abs(float(np.asarray(d.xaxis[joint]) @ down)) > 0.7
            dof = int(m.jnt_dofadr[joint])
            if along and not m.jnt_limited[joint] and not m.jnt_stiffness[joint] and not m.dof_frictionloss[dof]:
                return joint not in self.subject.drives
        return False

    def tree_of(self, geom: int) -> int:
        """The tree of a geom, -1 if it cannot move."""
        return int(self.model.body_treeid[self.body[geom]])

    def geoms_of(self, tree: int) -> NDArray[np.intp]:
        """The geoms of a tree."""
        return np.flatnonzero(np.asarray(self.model.body_treeid)[self.body] == tree)
