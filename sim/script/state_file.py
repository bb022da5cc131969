"""Saves states to files and loads them; a loaded state continues bit for bit, in another process too.

A file holds the integration state, the mouse perturbation, if sleep is enabled which trees sleep and the accelerations
that they keep, and what the model must have in common with the saved one: sizes, kinematic tree, names. Masses,
friction and the like may differ, because users edit them. A file is an uncompressed npz from an untrusted source:
everything in it is checked before Data is changed, and what can be derived is computed rather than read.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Mapping
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy

from sim.arguments import check_fit
from sim.atomic_file import write_atomic
from sim.enums import ENBL_SLEEP, STATE_INTEGRATION
from sim.fields import DATA
from sim.jit.layout import DTYPES
from sim.script.check_state import check_perturb, check_sleep
from sim.script.state_vector import get_state, split_state
from sim.state.signature import SLEEP_PARTS, state_size

if TYPE_CHECKING:
    from sim.model import Data, Model

SIZES = ("nq", "nv", "na", "nu", "nbody", "neq", "nmocap", "nuserdata", "nhistory", "nplastic")
LAYOUT = ("jnt_type", "jnt_bodyid", "body_parentid", "actuator_actnum", "eq_type", "body_mocapid")
NAMED = ("body", "joint", "actuator", "equality")

# fields besides the state: inputs of a step; which trees sleep, and results that those keep, which cannot be derived
INPUTS = tuple(f for f in DATA if f.owner == "state" and f.name.startswith("perturb."))
SLEEP = tuple(f for f in DATA if f.name in SLEEP_PARTS)

# larger files, relative to the required size, are refused
SLACK, SMALL = 8, 1 << 20


class ArrayEntry(NamedTuple):
    """An array in a file: the required type and shape."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


class InvalidFile(Exception):
    """What is wrong with a file; the message does not name the file."""


def copy_state(m: Model, d: Data) -> dict[str, Any]:
    """All that a state consists of, by name; `restore_state` sets it, and the run continues bit for bit."""
    check_fit(m, d)
    fields = (*INPUTS, *SLEEP) if m.opt.enableflags & ENBL_SLEEP else INPUTS
    copies = {field.name: np.copy(d.read(field.name)) for field in fields}
    return {"state": get_state(m, d, STATE_INTEGRATION), **copies}


def restore_state(m: Model, d: Data, state: Mapping[str, Any]) -> None:
    """Set what `copy_state` returned, for the same model or one of the same sizes; even a state that has diverged."""
    check_fit(m, d)
    _write(m, d, state)


def pack_state(m: Model, state: Mapping[str, Any]) -> bytes:
    """What `copy_state` returned as the content of a file; on any thread."""
    file = io.BytesIO()
    np.savez(file, **{"model": _fingerprint(m), **_sizes(m), **state})
    return file.getvalue()


def unpack_state(m: Model, content: bytes) -> dict[str, Any]:
    """What `pack_state` was given; ValueError if the content is invalid or of another model."""
    try:
        if len(content) > _largest(m):
            raise InvalidFile(f"it is larger than {_largest(m)} bytes, the limit for a state of this model")
        found = _read(m, content)
        for check in CHECKS:
            check(m, found)
    except InvalidFile as error:
        raise ValueError(str(error)) from error.__cause__
    return found


def save_state(m: Model, d: Data, path: str | os.PathLike[str]) -> None:
    """Save the state to a file, atomically."""
    write_atomic(path, pack_state(m, copy_state(m, d)))


def load_state(m: Model, d: Data, path: str | os.PathLike[str]) -> None:
    """Load what save_state wrote. ValueError: the file is invalid; OSError: it cannot be read; Data is unchanged."""
    check_fit(m, d)
    with open(path, "rb") as file:
        content = file.read(_largest(m) + 1)
    try:
        found = unpack_state(m, content)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error.__cause__
    _write(m, d, found)


# ---------------------------------------------------------------- reading


def _largest(m: Model) -> int:
    """The limit for the size of a file, in bytes."""
    return SMALL + SLACK * sum(8 * prod(entry.shape) for entry in _entries(m).values())


def _entries(m: Model) -> dict[str, ArrayEntry]:
    """All arrays that a file may hold for a model, except the sizes."""
    sizes = m.sizes
    entries = [ArrayEntry("state", np.dtype(float), (state_size(m, STATE_INTEGRATION),))]
    for field in (*INPUTS, *SLEEP):
        shape = tuple(e if isinstance(e, int) else sizes[e] for e in field.shape)
        entries.append(ArrayEntry(field.name, np.dtype(DTYPES[field.dtype]), shape))
    return {entry.name: entry for entry in entries}


def _read(m: Model, content: bytes) -> dict[str, Any]:
    """The arrays of a file, checked for the model, their types and shapes."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_model(m, archive)
            names = {info.filename for info in archive.infolist()}
            wanted = [e for e in _entries(m).values() if e.name == "state" or f"{e.name}.npy" in names]
            return {entry.name: _array(archive, entry) for entry in wanted}
    except InvalidFile:
        raise
    except Exception as error:  # a damaged archive can fail in many ways
        raise InvalidFile("it is not a saved state") from error


def _check_model(m: Model, archive: zipfile.ZipFile) -> None:
    """Check that the file is for this model."""
    digest = _fingerprint(m)
    sizes = {name: int(_array(archive, ArrayEntry(name, np.dtype(np.int64), ()))) for name in SIZES}
    if str(_array(archive, ArrayEntry("model", np.dtype(f"U{len(digest)}"), ()))) == digest:
        return
    differing = [f"{name} is {sizes[name]}, not {n}" for name, n in _sizes(m).items() if sizes[name] != n]
    why = ", ".join(differing) or "bodies, joints or names differ"
    raise InvalidFile(f"it holds the state of another model: {why}")


def _array(archive: zipfile.ZipFile, entry: ArrayEntry) -> Any:
    """One array; its type and shape are checked before its numbers are read."""
    info = archive.getinfo(f"{entry.name}.npy")
    if info.compress_type != zipfile.ZIP_STORED:
        raise InvalidFile(f"{entry.name} is compressed")
    stream = io.BytesIO(archive.read(info))
    version = npy.read_magic(stream)
    if version != (1, 0):
        raise InvalidFile(f"{entry.name} has the unknown npy version {version}")
    shape, columns_first, dtype = npy.read_array_header_1_0(stream)
    if shape != entry.shape or dtype != entry.dtype or columns_first:
        raise InvalidFile(f"{entry.name} is {dtype} of shape {shape}, not {entry.dtype} of shape {entry.shape}")
    return np.frombuffer(stream.read(), dtype).reshape(shape)


# ---------------------------------------------------------------- checks


def _check_finite(_: Model, found: Mapping[str, Any]) -> None:
    """All numbers are finite."""
    for name, value in found.items():
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            raise InvalidFile(f"{name} has a number that is not finite")


CHECKS: tuple[Callable[[Model, Mapping[str, Any]], None], ...] = (_check_finite, check_perturb, check_sleep)


# ---------------------------------------------------------------- writing


def _write(m: Model, d: Data, found: Mapping[str, Any]) -> None:
    """Set Data from a whole state."""
    fields = {name: value for name, value in found.items() if name != "state"}
    m.engine.write_state(m, d, {**split_state(m, found["state"], STATE_INTEGRATION, check=False), **fields})


def _sizes(m: Model) -> dict[str, int]:
    return {name: int(m.read(name)) for name in SIZES}


def _fingerprint(m: Model) -> str:
    """Digest of everything that determines the meaning of a model's states."""
    digest = hashlib.sha256(repr(_sizes(m)).encode())
    for name in LAYOUT:
        digest.update(m.read(name).tobytes())
    for kind in NAMED:
        digest.update(repr(m.names.get(kind)).encode())
    return digest.hexdigest()
