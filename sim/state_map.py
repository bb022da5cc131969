"""Maps states to those of a changed model: each element that remains keeps its numbers.

Coordinates go with their joint, controls and activations with their actuator, delays with their actuator or sensor,
forces with their body, switches with their equality. What the new model has besides, or has with other sizes, takes its
initial value. Which elements are the same is the caller's to know: by their names, or by the nodes of a spec.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.enums import STATE_TRACE
from sim.named import JOINT_ROWS
from sim.state.signature import state_shapes

if TYPE_CHECKING:
    from sim.model import Model

States = NDArray[np.float64]
# for each element: the first of its numbers in a field, their count, and what else must be equal
Blocks = list[tuple[int, ...]]


def _blocks(*columns: NDArray[np.integer]) -> Blocks:
    return list(zip(*(np.asarray(column).tolist() for column in columns), strict=True))


def _of_joints(address: str, size: str) -> Callable[[Model], Blocks]:
    def blocks(m: Model) -> Blocks:
        return _blocks(m.read(address), np.array(JOINT_ROWS[size])[m.jnt_type], m.jnt_type)

    return blocks


def _of_bodies(width: int) -> Callable[[Model], Blocks]:
    return lambda m: [(body * width, width) for body in range(m.nbody)]


def _of_mocap(width: int) -> Callable[[Model], Blocks]:
    return lambda m: [(mocap * width, width) for mocap in m.body_mocapid.tolist()]


def _actuator_delays(m: Model) -> Blocks:
    samples = m.actuator_history[:, 0]
    return _blocks(m.actuator_historyadr, 2 + samples * (1 + m.actuator_ctrlnum), m.actuator_ctrlnum)


def _sensor_delays(m: Model) -> Blocks:
    samples = m.sensor_history[:, 0]
    return _blocks(m.sensor_historyadr, 2 + samples * (1 + m.sensor_dim), m.sensor_dim)


def _tendon_rests(m: Model) -> Blocks:
    return _blocks(m.tendon_plasticadr, np.full(m.ntendon, 2))


_COORDINATES, _DOFS = _of_joints("jnt_qposadr", "nq"), _of_joints("jnt_dofadr", "nv")
# field of a state -> type of element -> where the numbers of each element are
PARTS: Mapping[str, Mapping[str, Callable[[Model], Blocks]]] = {
    "qpos": {"joint": _COORDINATES},
    "qvel": {"joint": _DOFS},
    "act": {"actuator": lambda m: _blocks(m.actuator_actadr, m.actuator_actnum)},
    "history": {"actuator": _actuator_delays, "sensor": _sensor_delays},
    "plastic": {"joint": _of_joints("jnt_plasticadr", "nplastic"), "tendon": _tendon_rests},
    "qacc_warmstart": {"joint": _DOFS},
    "ctrl": {"actuator": lambda m: _blocks(m.actuator_ctrladr, m.actuator_ctrlnum)},
    "qfrc_applied": {"joint": _DOFS},
    "xfrc_applied": {"body": _of_bodies(6)},
    "eq_active": {"equality": lambda m: [(equality, 1) for equality in range(m.neq)]},
    "mocap_pos": {"body": _of_mocap(3)},
    "mocap_quat": {"body": _of_mocap(4)},
}


class StateMap:
    """Where each number of a state (STATE_TRACE) comes from after the model has changed.

    `same`: type of element -> for each element after the change, the index of the same one before, or -1.
    """

    def __init__(self, before: Model, after: Model, same: Mapping[str, NDArray[np.intp]]) -> None:
        self._starts, old_starts = starts(after), starts(before)
        # the column in a state before, or -1
        self.columns = np.full(self._starts["end"], -1, np.intp)
        for name, shape in state_shapes(after, STATE_TRACE).items():
            part = self.part(name)
            for kind, blocks in PARTS.get(name, {}).items():
                _place(self.columns[part], same[kind], blocks(before), blocks(after), old_starts[name])
            if name not in PARTS:
                # single numbers, and what scripts keep
                count = min(prod(shape), prod(state_shapes(before, STATE_TRACE)[name]))
                self.columns[part.start : part.start + count] = old_starts[name] + np.arange(count)
        self._known = np.flatnonzero(self.columns >= 0)
        # body before -> body after; the world if it is gone
        self._bodies = np.zeros(before.nbody, np.intp)
        kept = np.flatnonzero(same["body"] >= 0)
        self._bodies[same["body"][kept]] = kept
        # whether states mean the same in both models
        self.unchanged = np.array_equal(self.columns, np.arange(old_starts["end"])) and np.array_equal(
            self._bodies, np.arange(after.nbody)
        )

    def part(self, name: str) -> slice:
        """The columns of a field in a state after the change."""
        names = list(self._starts)
        return slice(self._starts[name], self._starts[names[names.index(name) + 1]])

    def convert(self, states: States, initial: States) -> States:
        """States after the change, one a row; what is new is as in the initial state."""
        if self.unchanged:
            return states.copy()
        converted = np.tile(initial, (len(states), 1))
        converted[:, self._known] = states[:, self.columns[self._known]]
        # the body that the mouse pulled, and whether it did
        select, active = self.part("perturb.select").start, self.part("perturb.active").start
        converted[:, select] = self._bodies[converted[:, select].astype(np.intp)]
        converted[:, active] *= converted[:, select] > 0
        return converted


def starts(m: Model) -> dict[str, int]:
    """Field -> its first column in a state; `end`: the number of columns."""
    shapes = state_shapes(m, STATE_TRACE)
    ends = np.cumsum([0, *map(prod, shapes.values())]).tolist()
    return dict(zip((*shapes, "end"), ends, strict=True))


def _place(columns: NDArray[np.intp], same: NDArray[np.intp], before: Blocks, after: Blocks, offset: int) -> None:
    """Set the columns of elements that both models have."""
    for (start, *sizes), index in zip(after, same.tolist(), strict=True):
        if start < 0 or index < 0:
            continue
        old_start, *old_sizes = before[index]
        if old_start >= 0 and sizes == old_sizes:
            columns[start : start + sizes[0]] = np.arange(offset + old_start, offset + old_start + sizes[0])
