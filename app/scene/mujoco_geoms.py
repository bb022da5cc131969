"""The geoms that a script puts in a mujoco.MjvScene, as user geoms.

Sizes, poses and colours of all of them are read at once from MuJoCo's memory, and only those that have changed are made
again: a trail of thousands costs little.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.scene.decor.user_geoms import TYPES, UserGeom
from app.scene.surfaces import CAPSULE, CYLINDER, MESH

# numbers of a geom, next to each other in MuJoCo's struct
COLUMNS = {"size": slice(0, 3), "pos": slice(3, 6), "mat": slice(6, 15), "rgba": slice(15, 19)}
WIDTH = 19
# these have radius, radius, half length there, and radius, half length in MJCF
ROUND = (CAPSULE, CYLINDER)

Array = NDArray[np.float32]


class SceneGeoms:
    """The geoms of one scene."""

    def __init__(self, scene: Any, nmesh: int) -> None:
        self._scene, self._geoms, self._nmesh = scene, scene.geoms, nmesh
        self._numbers = _numbers(self._geoms)
        self._seen = np.zeros((0, WIDTH), np.float32)
        # type, label and dataid of those seen, and what they became
        self._kinds: list[tuple[int, str, int]] = []
        self._made: list[UserGeom | None] = []

    def read(self) -> tuple[UserGeom, ...]:
        """The geoms that there are now; of types that cannot be drawn there are none."""
        count = min(max(int(self._scene.ngeom), 0), len(self._geoms))
        numbers, kinds = self._numbers[:count].copy(), [_kind(geom) for geom in self._geoms[:count]]
        known = min(count, len(self._made))
        same = (numbers[:known] == self._seen[:known]).all(axis=1).tolist()
        kept = [k for k in range(known) if same[k] and kinds[k] == self._kinds[k]]
        made: list[UserGeom | None] = [None] * count
        for k in kept:
            made[k] = self._made[k]
        exact = numbers.astype(np.float64)
        for k in sorted({*range(count)}.difference(kept)):
            made[k] = self._make(exact[k], *kinds[k])
        self._seen, self._kinds, self._made = numbers, kinds, made
        return tuple(geom for geom in made if geom is not None)

    def _make(self, numbers: NDArray[np.float64], geom_type: int, label: str, dataid: int) -> UserGeom | None:
        """One geom; None if it cannot be drawn."""
        if geom_type not in TYPES or (geom_type == MESH and not 0 <= dataid < 2 * self._nmesh):
            return None
        parts = {name: numbers[columns] for name, columns in COLUMNS.items()}
        if geom_type in ROUND:
            parts["size"] = parts["size"][[0, 2, 1]]
        return UserGeom.trusted(geom_type, parts, label, dataid)


def _kind(geom: Any) -> tuple[int, str, int]:
    """Type, label, and the mesh of a mesh."""
    geom_type = geom.type
    return geom_type, geom.label, geom.dataid if geom_type == MESH else -1


def _numbers(geoms: Any) -> Array:
    """The numbers of all geoms: a view of MuJoCo's memory, valid as long as the scene."""
    if not len(geoms):
        return np.zeros((0, WIDTH), np.float32)
    first = geoms[0].size.ctypes.data
    found = [(getattr(geoms[0], name).ctypes.data - first) // 4 for name in COLUMNS]
    assert found == [columns.start for columns in COLUMNS.values()], (
        "MuJoCo stores the fields of a geom in another layout"
    )
    stride = geoms[1].size.ctypes.data - first if len(geoms) > 1 else 4 * WIDTH
    memory = (ctypes.c_byte * (stride * (len(geoms) - 1) + 4 * WIDTH)).from_address(first)
    return np.ndarray((len(geoms), WIDTH), np.float32, memoryview(memory), strides=(stride, 4))
