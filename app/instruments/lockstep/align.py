"""The ways to compare a field: each makes of both engines' values two arrays that ought to be equal.

Plain numbers are compared as they are. Quaternions have a free sign; principal axes have a free sign and order, so
inertias are compared as matrices, and the frames of mesh geoms as those of the files' meshes; matrices are compared
entry by entry, however they are stored; contacts and rows with their partners.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.instruments.lockstep.elements import Element, Finder, contact_element, elements_of, field_of, row_element
from app.instruments.lockstep.match import Matched, Side, match_contacts, match_rows
from sim.analysis.element_names import dof_name
from sim.enums import GEOM_MESH, GEOM_SDF
from sim.fields import MODEL_LAYOUT
from sim.math.quat import mul_quat, quat_to_mat

Array = NDArray[np.float64]
# matrices by rows: first entry, length of each row, columns of entries; those of M are constants
PATTERNS = {
    "M": ("M_rowadr", "M_rownnz", "M_colind"), "qLD": ("M_rowadr", "M_rownnz", "M_colind"),
    "ten_J": ("ten_J_rowadr", "ten_J_rownnz", "ten_J_colind"),
    "efc_J": ("efc_J_rowadr", "efc_J_rownnz", "efc_J_colind"),
    "actuator_moment": ("moment_rowadr", "moment_rownnz", "moment_colind"),
}  # fmt: skip
# the field whose elements are those of a matrix's rows
MATRIX_ROWS = {"M": "qvel", "qLD": "qvel", "ten_J": "ten_length", "actuator_moment": "actuator_length"}
# the component of what one engine alone has
ONLY_OURS, ONLY_THEIRS = "only here", "only in MuJoCo"
# the smallest magnitude to divide by
LEAST = 1e-8
# moments of inertia below this are none
TINY = 1e-15
# names of components by the end of a field's shape
XYZ, WXYZ, SPATIAL = ("x", "y", "z"), ("w", "x", "y", "z"), ("rx", "ry", "rz", "x", "y", "z")


@dataclass(frozen=True)
class Aligned:
    """Both engines' values, a row for each element; `scale` is what errors are measured by, None: the values."""

    ours: Array
    theirs: Array
    find: Finder
    component: Callable[[int, int], str]
    scale: float | None = None


class OtherLength(Exception):
    """The engines have different numbers of values."""

    def __init__(self, ours: int, theirs: int) -> None:
        super().__init__(f"{ours} values, but {theirs}")
        self.ours, self.theirs = ours, theirs


class Aligner:
    """Both engines after the same computation; contacts and rows are matched once."""

    def __init__(self, ours: Side, theirs: Side) -> None:
        self.ours, self.theirs = ours, theirs
        self._contacts: Matched | None = None
        self._rows: Matched | None = None

    @property
    def contacts(self) -> Matched:
        if self._contacts is None:
            self._contacts = match_contacts(self.ours, self.theirs)
        return self._contacts

    @property
    def rows(self) -> Matched:
        if self._rows is None:
            self._rows = match_rows(self.ours, self.theirs, self.contacts)
        return self._rows

    def align(self, name: str, way: str) -> Aligned:
        """The values of a field; OtherLength if there are not as many."""
        return WAYS[way](self, name)

    def values(self, name: str) -> tuple[Array, Array]:
        """A field of Model or Data on both sides, a row for each element."""
        model = name in MODEL_LAYOUT.places
        both = [np.asarray((side.m if model else side.d).read(name)) for side in (self.ours, self.theirs)]
        if both[0].size != both[1].size:
            raise OtherLength(both[0].size, both[1].size)
        if not both[0].size:
            return np.zeros((0, 1)), np.zeros((0, 1))
        # an older MuJoCo may have fewer columns
        columns = self.theirs.m.__dict__.get("partial", {}).get(name)
        return _table(both[0])[:, :columns], _table(both[1])[:, :columns]


def _table(numbers: Any) -> Array:
    """Values as a table with a row for each element."""
    values: Array = np.atleast_1d(np.asarray(numbers, float))
    return values.reshape(len(values), int(np.prod(values.shape[1:])))


def _plain(pair: Aligner, name: str) -> Aligned:
    ours, theirs = pair.values(name)
    return Aligned(ours, theirs, elements_of(pair.ours.m, name), _component(name))


def _quat(pair: Aligner, name: str) -> Aligned:
    found = _plain(pair, name)
    flipped = (found.ours * found.theirs).sum(axis=1, keepdims=True) < 0
    return replace(found, ours=np.where(flipped, -found.ours, found.ours))


def _inertia(pair: Aligner, name: str) -> Aligned:
    """R I Rᵀ of principal axes, given as matrices or quaternions; in units of the body's largest moment."""
    largest = np.maximum(np.asarray(pair.theirs.m.body_inertia, float).max(axis=1, initial=0.0), TINY)
    both = []
    for values, side in zip(pair.values(name), (pair.ours, pair.theirs), strict=True):
        axes = values.reshape(-1, 3, 3) if values.shape[1] == 9 else _matrices(values)
        moments = np.asarray(side.m.body_inertia, float)
        turned = np.einsum("bij,bj,bkj->bik", axes, moments, axes).reshape(-1, 9)
        both.append(turned / largest[:, None])
    return Aligned(both[0], both[1], elements_of(pair.ours.m, name), lambda _, column: f"[{column}]", 1.0)


def _sorted(pair: Aligner, name: str) -> Aligned:
    found = _plain(pair, name)
    return replace(found, ours=np.sort(found.ours, axis=1), theirs=np.sort(found.theirs, axis=1))


def _mesh(pair: Aligner, name: str) -> Aligned:
    """Frames of geoms; of a mesh geom, the frame of its file, whose mesh has its own axes.

    Positions are measured by those before the mesh's offset is taken away: what is left of them may be rounding alone.
    """
    _, given = pair.values(name)
    scale = max(float(np.abs(given).max(initial=0.0)), LEAST) if name.endswith("pos") else None
    quats = name.endswith("quat")
    both = [_file_frames(side, name) for side in (pair.ours, pair.theirs)]
    if quats:
        both[0] = np.where((both[0] * both[1]).sum(axis=1, keepdims=True) < 0, -both[0], both[0])
    return Aligned(both[0], both[1], elements_of(pair.ours.m, name), _component(name), scale)


def _file_frames(side: Side, name: str) -> Array:
    """geom_pos, geom_quat, geom_xpos or geom_xmat, those of mesh geoms without the mesh's own offset and rotation."""
    m = side.m
    world = "_x" in name
    values = np.array(side.d.read(name) if world else m.read(name), float)
    mesh = np.flatnonzero(_is_mesh(m) & (np.asarray(m.geom_dataid) >= 0))
    asset = np.asarray(m.geom_dataid)[mesh]
    turn = _matrices(np.asarray(m.mesh_quat, float)[asset]).transpose(0, 2, 1)
    if world:
        axes = np.asarray(side.d.geom_xmat, float)[mesh].reshape(-1, 3, 3) @ turn
    else:
        axes = _matrices(np.asarray(m.geom_quat, float)[mesh]) @ turn
    if name.endswith("mat"):
        values[mesh] = axes.reshape(-1, 9)
    elif name.endswith("quat"):
        conjugate = np.asarray(m.mesh_quat, float)[asset] * np.array([1, -1, -1, -1])
        values[mesh] = np.array(mul_quat(values[mesh].T, conjugate.T)).T
    else:
        values[mesh] -= np.einsum("gij,gj->gi", axes, np.asarray(m.mesh_pos, float)[asset])
    return values


def _no_mesh(pair: Aligner, name: str) -> Aligned:
    """What depends on the axes of a mesh is left out."""
    found = _plain(pair, name)
    kept = np.flatnonzero(~_is_mesh(pair.theirs.m))
    return Aligned(found.ours[kept], found.theirs[kept], lambda row: found.find(int(kept[row])), found.component)


def _matrix(pair: Aligner, name: str) -> Aligned:
    """A sparse matrix: all entries that one of the two has."""
    find = elements_of(pair.ours.m, MATRIX_ROWS[name])
    return _entries(pair, _stored(pair.ours, name), _stored(pair.theirs, name), find)


def _contact(pair: Aligner, name: str) -> Aligned:
    """A field of contacts that have a partner."""
    ours = _table(pair.ours.d.read(name))[pair.contacts.ours]
    theirs = _table(pair.theirs.d.read(name))[pair.contacts.theirs]
    lengths = ("contact.dist", "contact.pos")
    scale = max(float(pair.theirs.m.read("stat.extent")), 1e-3) if name in lengths else None

    def find(row: int) -> Element:
        return contact_element(pair.ours.m, pair.ours.d, pair.contacts.ours[row])

    return Aligned(ours, theirs, find, _component(name), 1.0 if name == "contact.frame" else scale)


def _row(pair: Aligner, name: str) -> Aligned:
    """A field of rows that have a partner."""

    def find(row: int) -> Element:
        return row_element(pair.ours.m, pair.ours.d, pair.rows.ours[row])

    if name == "efc_J":
        both = []
        for side, kept in ((pair.ours, pair.rows.ours), (pair.theirs, pair.rows.theirs)):
            rows, columns, values = _stored(side, name)
            place = np.full(side.d.read("nefc"), -1)
            place[kept] = np.arange(len(kept))
            matched = place[rows] >= 0
            both.append((place[rows[matched]], columns[matched], values[matched]))
        return _entries(pair, both[0], both[1], find)
    if name == "efc_force" and (pair.rows.only_ours or pair.rows.only_theirs):
        # the same force on other rows: qfrc_constraint tells
        return Aligned(np.zeros((0, 1)), np.zeros((0, 1)), find, _component(name))
    ours = np.asarray(pair.ours.d.read(name), float)[pair.rows.ours, None]
    theirs = np.asarray(pair.theirs.d.read(name), float)[pair.rows.theirs, None]
    return Aligned(ours, theirs, find, _component(name))


def _set(pair: Aligner, name: str) -> Aligned:
    """Contacts or rows that only one engine has: 1 on its side, 0 on the other."""
    found = pair.contacts if name == "contact" else pair.rows
    mine, other = len(found.only_ours), len(found.only_theirs)
    ours, theirs = np.r_[np.ones(mine), np.zeros(other)], np.r_[np.zeros(mine), np.ones(other)]

    def find(row: int) -> Element:
        own = row < mine
        place = found.only_ours[row] if own else found.only_theirs[row - mine]
        d = pair.ours.d if own else pair.theirs.d
        if name == "contact":
            return contact_element(pair.ours.m, d, place, None if own else -1)
        return row_element(pair.ours.m, d, place, own)

    def component(row: int, _: int) -> str:
        return ONLY_OURS if row < mine else ONLY_THEIRS

    return Aligned(ours[:, None], theirs[:, None], find, component, 1.0)


WAYS: dict[str, Callable[[Aligner, str], Aligned]] = {
    "plain": _plain, "quat": _quat, "inertia": _inertia, "sorted": _sorted, "mesh": _mesh, "no mesh": _no_mesh,
    "matrix": _matrix, "contact": _contact, "row": _row, "set": _set,
}  # fmt: skip

Entries = tuple[NDArray[np.int64], NDArray[np.int64], Array]


def _stored(side: Side, name: str) -> Entries:
    """Rows, columns and values of the entries of a matrix, sparse or dense."""
    adr, nnz, columns = (
        np.asarray((side.m if pattern in MODEL_LAYOUT.places else side.d).read(pattern), np.int64)
        for pattern in PATTERNS[name]
    )
    values = np.asarray(side.d.read(name), float).ravel()
    nv = int(side.m.nv)
    ends = adr + nnz
    tiled = bool((nnz >= 0).all() and (adr[1:] == ends[:-1]).all() and (not len(adr) or ends[-1] == len(values)))
    if name == "efc_J" and not tiled and len(values) == len(nnz) * nv:
        # MuJoCo's constraint Jacobian is dense in small models, and its pattern is not set then
        rows, dense = np.divmod(np.flatnonzero(values), max(nv, 1))
        return rows, dense, values[values != 0]
    rows = np.repeat(np.arange(len(nnz)), nnz)
    at = np.repeat(adr - np.r_[0, np.cumsum(nnz)[:-1]], nnz) + np.arange(len(rows)) if len(rows) else rows
    return rows, columns[at], values[at]


def _entries(pair: Aligner, ours: Entries, theirs: Entries, find: Finder) -> Aligned:
    """The entries of two sparse matrices, side by side; one that is not stored is 0."""
    nv = max(int(pair.ours.m.nv), 1)
    keys = [rows * nv + columns for rows, columns, _ in (ours, theirs)]
    union = np.unique(np.concatenate(keys))
    both = []
    for key, (_, _, values) in zip(keys, (ours, theirs), strict=True):
        full = np.zeros(len(union))
        full[np.searchsorted(union, key)] = values
        both.append(full[:, None])
    return Aligned(
        both[0],
        both[1],
        lambda entry: find(int(union[entry]) // nv),
        lambda entry, _: dof_name(pair.ours.m, int(union[entry]) % nv),
    )


def _component(name: str) -> Callable[[int, int], str]:
    """The name of a column of a field."""
    known = field_of(name)
    tail = known.shape[1:] if known is not None else ()
    words: tuple[str, ...] = ()
    if tail == (3,) and name.endswith(("pos", "anchor", "axis", "com", "dir", "com0", "pos0", "dir0")):
        words = XYZ
    elif tail == (4,) and name.endswith("quat"):
        words = WXYZ
    elif tail == (6,) and name in ("cvel", "cdof", "cdof_dot", "cacc"):
        words = SPATIAL
    return lambda _, column: words[column] if words else (f"[{column}]" if tail else "")


def _is_mesh(m: Any) -> NDArray[np.bool_]:
    return np.isin(np.asarray(m.geom_type), (GEOM_MESH, GEOM_SDF))


def _matrices(quats: Array) -> Array:
    """Rotation matrices of quaternions."""
    return np.array(quat_to_mat(quats.reshape(-1, 4).T)).T.reshape(-1, 3, 3)
