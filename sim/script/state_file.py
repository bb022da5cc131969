"""States in files: saved in one process, they go on in another bit for bit.

A file holds the integration state, what the mouse pulls, who sleeps if trees can sleep, and what a model must have in
common with that of the state: sizes, how bodies hang together, names. Masses, friction and the like may differ, for
those are edited. A file is an uncompressed npz. It may come from anywhere: everything in it is checked before anything
is written, and what follows from something else is computed and not read.
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

from sim import enums
from sim.atomic_file import write_atomic
from sim.enums import ENBL_SLEEP, MINAWAKE, STATE_INTEGRATION
from sim.fields import DATA
from sim.jit.layout import DTYPES
from sim.pipeline.forward import forward
from sim.script.state_vector import get_state, set_state
from sim.stages.sleep.awake import FULLY_AWAKE, READY, all_awake, update_sleep
from sim.state.signature import state_size

if TYPE_CHECKING:
    from sim.model import Data, Model

SIZES = ("nq", "nv", "na", "nu", "nbody", "neq", "nmocap", "nuserdata", "nhistory")
LAYOUT = ("jnt_type", "jnt_bodyid", "body_parentid", "actuator_actnum", "eq_type", "body_mocapid")
NAMED = ("body", "joint", "actuator", "equality")

# fields besides the state: inputs of a step, and what cannot be told from anything else about who sleeps
INPUTS = tuple(f for f in DATA if f.owner == "state" and f.name.startswith("perturb."))
SLEEP_NAMES = ("tree_asleep", "tree_wakecause", "tree_restless", "sleep.qpos", "sleep.mocap_pos", "sleep.mocap_quat")
SLEEP = tuple(f for f in DATA if f.name in SLEEP_NAMES)

# what a cause or reason is about -> the size that counts it; the others are about nothing
WAKE_COUNTS = {
    "QPOS": "nq", "QVEL": "nv", "QFRC": "nv", "XFRC": "nbody", "MOCAP": "nbody", "CONTACT": "ngeom",
    "EQUALITY": "neq", "TENDON": "ntendon",
}  # fmt: skip
AWAKE_COUNTS = {"MOVING": "nv", "QFRC": "nv", "XFRC": "nbody", "ISLAND": "ntree"}

# files of a larger size than this many times what they need hold something else
SLACK, SMALL = 8, 1 << 20


class Entry(NamedTuple):
    """An array in a file: what it has to look like."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


class Wrong(Exception):
    """What is wrong with a file, without its name."""


def save_state(m: Model, d: Data, path: str | os.PathLike[str]) -> None:
    """Write the state to a file; an old file stays whole until the new one is."""
    content: dict[str, Any] = {"state": get_state(m, d, STATE_INTEGRATION), "model": _fingerprint(m), **_sizes(m)}
    fields = (*INPUTS, *SLEEP) if m.opt.enableflags & ENBL_SLEEP else INPUTS
    content |= {field.name: d.read(field.name) for field in fields}
    file = io.BytesIO()
    np.savez(file, **content)
    write_atomic(path, file.getvalue())


def load_state(m: Model, d: Data, path: str | os.PathLike[str]) -> None:
    """Put back what save_state wrote. ValueError names the file and what is wrong with it, OSError why it cannot be
    read; nothing has changed then."""
    d.check_fit(m)
    largest = SMALL + SLACK * sum(8 * prod(entry.shape) for entry in _entries(m).values())
    with open(path, "rb") as file:
        content = file.read(largest + 1)
    try:
        if len(content) > largest:
            raise Wrong(f"no saved state of this model is larger than {largest} bytes")
        found = _read(m, content)
        for check in CHECKS:
            check(m, found)
    except Wrong as wrong:
        raise ValueError(f"{path}: {wrong}") from wrong.__cause__
    _write(m, d, found)


# ---------------------------------------------------------------- reading


def _entries(m: Model) -> dict[str, Entry]:
    """All that a file may hold for a model, the sizes apart."""
    sizes = m.sizes
    entries = [Entry("state", np.dtype(float), (state_size(m, STATE_INTEGRATION),))]
    for field in (*INPUTS, *SLEEP):
        shape = tuple(e if isinstance(e, int) else sizes[e] for e in field.shape)
        entries.append(Entry(field.name, np.dtype(DTYPES[field.dtype]), shape))
    return {entry.name: entry for entry in entries}


def _read(m: Model, content: bytes) -> dict[str, Any]:
    """The arrays of a file that are of this model, each of the right kind."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_model(m, archive)
            names = {info.filename for info in archive.infolist()}
            wanted = [e for e in _entries(m).values() if e.name == "state" or f"{e.name}.npy" in names]
            return {entry.name: _array(archive, entry) for entry in wanted}
    except Wrong:
        raise
    except Exception as error:  # a damaged archive can be wrong in many ways
        raise Wrong("this is not a saved state") from error


def _check_model(m: Model, archive: zipfile.ZipFile) -> None:
    """The file is of such a model as this."""
    digest = _fingerprint(m)
    sizes = {name: int(_array(archive, Entry(name, np.dtype(np.int64), ()))) for name in SIZES}
    if str(_array(archive, Entry("model", np.dtype(f"U{len(digest)}"), ()))) == digest:
        return
    differing = [f"{name} is {sizes[name]}, not {n}" for name, n in _sizes(m).items() if sizes[name] != n]
    raise Wrong(f"it holds the state of another model: {', '.join(differing) or 'bodies, joints or names differ'}")


def _array(archive: zipfile.ZipFile, entry: Entry) -> Any:
    """One array, whose kind is compared before its numbers are read."""
    info = archive.getinfo(f"{entry.name}.npy")
    if info.compress_type != zipfile.ZIP_STORED:
        raise Wrong(f"{entry.name} is compressed")
    stream = io.BytesIO(archive.read(info))
    version = npy.read_magic(stream)
    if version != (1, 0):
        raise Wrong(f"{entry.name} has the unknown version {version}")
    shape, columns_first, dtype = npy.read_array_header_1_0(stream)
    if shape != entry.shape or dtype != entry.dtype or columns_first:
        raise Wrong(f"{entry.name} is {dtype} of shape {shape}, not {entry.dtype} of shape {entry.shape}")
    return np.frombuffer(stream.read(), dtype).reshape(shape)


# ---------------------------------------------------------------- checks


def _check_finite(_: Model, found: Mapping[str, Any]) -> None:
    """Nothing is infinite or no number."""
    for name, value in found.items():
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            raise Wrong(f"{name} has a number that is not finite")


def _check_pull(m: Model, found: Mapping[str, Any]) -> None:
    """What the mouse has hold of is a body; what it does has no other bits than there are."""
    bits = sum(value for name, value in vars(enums).items() if name.startswith("PERT_"))
    for name, most in (("perturb.select", m.nbody - 1), ("perturb.active", bits)):
        if name in found and not 0 <= found[name] <= most:
            raise Wrong(f"{name} is {found[name]}, not between 0 and {most}")


def _check_sleep(m: Model, found: Mapping[str, Any]) -> None:
    """Trees count down, or form cycles."""
    if "tree_asleep" not in found:
        return
    missing = [name for name in SLEEP_NAMES if name not in found]
    if missing:
        raise Wrong(f"it has tree_asleep, but not {', '.join(missing)}")
    following = found["tree_asleep"]
    if following.size and not FULLY_AWAKE <= following.min() <= following.max() < m.ntree:
        raise Wrong(f"tree_asleep has a number that is not between {FULLY_AWAKE} and {m.ntree - 1}")
    asleep = np.flatnonzero(following > READY)
    # each is named once by another: then they are cycles
    if not np.array_equal(np.sort(following[asleep]), asleep):
        raise Wrong("tree_asleep does not say who sleeps with whom")
    _check_causes(m, found, "tree_wakecause", "WAKE_", WAKE_COUNTS)
    _check_causes(m, found, "tree_restless", "AWAKE_", AWAKE_COUNTS)


def _check_causes(m: Model, found: Mapping[str, Any], name: str, prefix: str, counts: Mapping[str, str]) -> None:
    """Pairs of a cause and of what it was about, for which there is a most."""
    most = {value: 0 for word, value in vars(enums).items() if word.startswith(prefix)}
    most |= {getattr(enums, prefix + word): int(m.read(size)) - 1 for word, size in counts.items()}
    if prefix == "AWAKE_":
        most[enums.AWAKE_WAITING] = MINAWAKE
    for what, which in found[name].tolist():
        if what not in most or not 0 <= which <= most[what]:
            raise Wrong(f"{name} has no meaning: {what}, {which}")


CHECKS: tuple[Callable[[Model, Mapping[str, Any]], None], ...] = (_check_finite, _check_pull, _check_sleep)


# ---------------------------------------------------------------- writing


def _write(m: Model, d: Data, found: Mapping[str, Any]) -> None:
    """Make Data what a file that was checked says."""
    set_state(m, d, found["state"], STATE_INTEGRATION)
    for field in INPUTS:
        if field.name in found:
            d.write(field.name, found[field.name])
    if m.opt.enableflags & ENBL_SLEEP and "tree_asleep" in found:
        # trees that sleep are not computed any more, so everything is, once, before they do
        all_awake(m, d)
        d.retry_on_overflow(lambda: forward(m, d))
        set_state(m, d, found["state"], STATE_INTEGRATION)
        for field in SLEEP:
            d.write(field.name, found[field.name])
        update_sleep(m, d)


def _sizes(m: Model) -> dict[str, int]:
    return {name: int(m.read(name)) for name in SIZES}


def _fingerprint(m: Model) -> str:
    """Digest of what a model's states mean."""
    digest = hashlib.sha256(repr(_sizes(m)).encode())
    for name in LAYOUT:
        digest.update(m.read(name).tobytes())
    for kind in NAMED:
        digest.update(repr(m.names.get(kind)).encode())
    return digest.hexdigest()
