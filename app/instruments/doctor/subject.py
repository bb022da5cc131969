"""The model that the doctor examines, its state at the start, and numbers that several checks need."""

from __future__ import annotations

from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

import sim
from app.instruments.doctor.collidable import Collidable
from app.model.editable import JOINT_DOFS
from app.model.source_tree import SourceTree
from sim import Data, Model
from sim.analysis.element_names import described
from sim.enums import (
    BIAS_AFFINE,
    BIAS_NONE,
    DSBL_GRAVITY,
    GAIN_FIXED,
    GAIN_MUSCLE,
    JNT_HINGE,
    JNT_SLIDE,
    TRN_JOINT,
    TRN_JOINTINPARENT,
)
from sim.mjcf.origin import Origins

Floats = NDArray[np.float64]
# keyframes that are looked at
MOST_KEYS = 20


class Subject:
    """A model, and a Data forwarded at qpos0; checks change neither."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @cached_property
    def data(self) -> Data:
        """The initial state, forwarded."""
        data = self.model.engine.Data(self.model)
        self.model.engine.forward(self.model, data)
        return data

    @cached_property
    def key_states(self) -> dict[int, Data]:
        """The states of the first keyframes, forwarded."""
        states = {key: self.model.engine.Data(self.model) for key in range(min(int(self.model.nkey), MOST_KEYS))}
        for key, data in states.items():
            self.model.engine.reset(self.model, data, key)
            self.model.engine.forward(self.model, data)
        return states

    @cached_property
    def collidable(self) -> Collidable:
        """What can touch what."""
        return Collidable(self)

    @cached_property
    def origins(self) -> Origins:
        """Where the elements are in their files."""
        return Origins(self.model)

    @cached_property
    def tree(self) -> SourceTree:
        """The elements of its file."""
        return SourceTree(self.model)

    def name(self, kind: str, index: int) -> str:
        """The type and the name of an element."""
        return described(self.model, kind, index)

    @cached_property
    def moving(self) -> list[int]:
        """The bodies that can move."""
        return [body for body in range(1, int(self.model.nbody)) if self.model.body_weldid[body] != 0]

    @cached_property
    def boxes(self) -> Floats:
        """For each body the box around its geoms in its frame, (nbody, 2, 3); infinitely inverted without geoms."""
        m = self.model
        boxes = np.empty((int(m.nbody), 2, 3))
        boxes[:, 0], boxes[:, 1] = np.inf, -np.inf
        for geom in range(int(m.ngeom)):
            turn = sim.quat_to_mat(m.geom_quat[geom]).reshape(3, 3)
            centre = turn @ np.asarray(m.geom_aabb[geom, :3]) + np.asarray(m.geom_pos[geom])
            half, box = np.abs(turn) @ np.asarray(m.geom_aabb[geom, 3:]), boxes[int(m.geom_bodyid[geom])]
            box[0], box[1] = np.minimum(box[0], centre - half), np.maximum(box[1], centre + half)
        return boxes

    @cached_property
    def sizes(self) -> Floats:
        """For each body the longest side of the box around its geoms, m; 0 without geoms."""
        sizes: Floats = np.maximum(self.boxes[:, 1] - self.boxes[:, 0], 0.0).max(axis=1)
        return sizes

    @cached_property
    def size(self) -> float:
        """The median size of the moving bodies that have geoms, m; 0 if there are none."""
        sizes = self.sizes[self.moving]
        return float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 0.0

    @cached_property
    def densities(self) -> Floats:
        """For each body its mass over the volume of the box around its geoms, kg/m³; nan where that means nothing.

        A body whose inertia says that its geoms show only a part of it has a box as large as the inertia says.
        """
        sides, mass = self.boxes[:, 1] - self.boxes[:, 0], np.asarray(self.model.body_mass)
        found, known = self._box_densities.copy(), np.isfinite(self._box_densities)
        gyration = np.sqrt(np.asarray(self.model.body_inertia)[known].sum(axis=1) / 2 / mass[known])
        shown = np.maximum(gyration / (np.linalg.norm(sides[known], axis=1) / 2), 1.0)
        found[known] /= np.where(shown < 20, shown, np.nan) ** 3
        return found

    @cached_property
    def _box_densities(self) -> Floats:
        sides, mass = self.boxes[:, 1] - self.boxes[:, 0], np.asarray(self.model.body_mass)
        known = (sides > 0).all(axis=1) & np.isfinite(sides).all(axis=1) & (mass > 0)
        found = np.full(len(sides), np.nan)
        found[known] = mass[known] / sides[known].prod(axis=1)
        return found

    @cached_property
    def density(self) -> float:
        """The median density of the moving bodies in the boxes around their geoms, kg/m³; 1000 if none is known."""
        found = self._box_densities[self.moving]
        found = found[np.isfinite(found)]
        return float(10 ** np.median(np.log10(found))) if len(found) else 1000.0

    @cached_property
    def drives(self) -> dict[int, list[int]]:
        """For each joint the actuators that act on it directly."""
        found: dict[int, list[int]] = {}
        for actuator in range(int(self.model.nactuator)):
            if self.model.actuator_trntype[actuator] in (TRN_JOINT, TRN_JOINTINPARENT):
                found.setdefault(int(self.model.actuator_trnid[actuator, 0]), []).append(actuator)
        return found

    @cached_property
    def scalar_joints(self) -> list[int]:
        """The hinges and slides."""
        return np.flatnonzero(np.isin(self.model.jnt_type, (JNT_HINGE, JNT_SLIDE))).tolist()

    def gear(self, actuator: int) -> float:
        """The first number of the gear of an actuator."""
        return float(self.model.actuator_gear[self.model.actuator_outadr[actuator], 0])

    def dofs(self, joint: int) -> tuple[int, ...]:
        """The dofs of a joint."""
        first = int(self.model.jnt_dofadr[joint])
        return tuple(range(first, first + JOINT_DOFS[int(self.model.jnt_type[joint])]))

    def bounded(self, joint: int) -> bool:
        """Whether a joint is limited, with both ends finite."""
        return bool(self.model.jnt_limited[joint]) and bool(np.isfinite(self.model.jnt_range[joint]).all())

    def span(self, joint: int) -> float:
        """How far a hinge or slide may move: its range, a turn, or ten times the size of bodies."""
        m = self.model
        if self.bounded(joint):
            return float(m.jnt_range[joint, 1] - m.jnt_range[joint, 0])
        return 2 * np.pi if m.jnt_type[joint] == JNT_HINGE else 10 * max(self.size, 1e-6)

    def unit(self, joint: int) -> str:
        """The unit of the force on a joint."""
        return "N" if self.model.jnt_type[joint] == JNT_SLIDE else "N m"

    def targets(self, actuator: int) -> tuple[float, float] | None:
        """The least and the largest position of its joint that a position servo can be told to reach.

        None for other actuators, and where controls have no limit, or an infinite one.
        """
        m = self.model
        row, gear = int(m.actuator_ctrladr[actuator]), self.gear(actuator)
        stiffness = self.servo(actuator)[0]
        if stiffness <= 0 or gear == 0 or not m.actuator_ctrllimited[row]:
            return None
        gain = float(m.actuator_gainprm[actuator, 0]) / -float(m.actuator_biasprm[actuator, 1])
        ends = [float(control) * gain / gear for control in m.actuator_ctrlrange[row]]
        return (min(ends), max(ends)) if np.isfinite(ends).all() else None

    def servo(self, actuator: int) -> tuple[float, float]:
        """Stiffness and damping of an actuator with an affine bias, in units of its length; 0 for others."""
        m = self.model
        if m.actuator_gaintype[actuator] != GAIN_FIXED or m.actuator_biastype[actuator] != BIAS_AFFINE:
            return 0.0, 0.0
        return -float(m.actuator_biasprm[actuator, 1]), -float(m.actuator_biasprm[actuator, 2])

    def gravity_load(self, joint: int) -> float:
        """The largest force or torque of gravity on a hinge or slide, over all of its positions."""
        m, d = self.model, self.data
        if int(m.opt.disableflags) & DSBL_GRAVITY:
            return 0.0
        gravity, axis, body = np.array(m.opt.gravity), np.array(d.xaxis[joint]), int(m.jnt_bodyid[joint])
        mass = float(m.body_subtreemass[body]) * (1 - min(float(m.body_gravcomp[body]), 1.0))
        if m.jnt_type[joint] != JNT_HINGE:
            return mass * abs(float(gravity @ axis))
        arm = np.array(d.subtree_com[body]) - np.array(d.xanchor[joint])
        across, lever = gravity - axis * (gravity @ axis), arm - axis * (arm @ axis)
        return mass * float(np.linalg.norm(across)) * float(np.linalg.norm(lever))

    def force_limit(self, actuator: int) -> float:
        """The largest force on its joint of an actuator with a fixed gain; inf if nothing limits it."""
        m = self.model
        row, gear = int(m.actuator_ctrladr[actuator]), abs(self.gear(actuator))
        limit = inf
        if m.actuator_forcelimited[actuator]:
            limit = float(np.abs(m.actuator_forcerange[actuator]).max()) * gear
        if m.actuator_gaintype[actuator] == GAIN_MUSCLE:
            return min(limit, abs(float(m.actuator_gainprm[actuator, 2])) * gear)
        if m.actuator_gaintype[actuator] != GAIN_FIXED or m.actuator_biastype[actuator] not in (BIAS_NONE, BIAS_AFFINE):
            return limit
        stiffness = self.servo(actuator)[0]
        gain = abs(float(m.actuator_gainprm[actuator, 0]))
        if stiffness > 0:
            return min(limit, stiffness * gear**2 * self.span(int(m.actuator_trnid[actuator, 0])))
        if m.actuator_ctrllimited[row] and m.actuator_dyntype[actuator] == 0:
            return min(limit, gain * float(np.abs(m.actuator_ctrlrange[row]).max()) * gear)
        return limit
