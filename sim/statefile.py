"""States in files: saved in one process, they go on in another bit for bit.

A file holds the integration state, who sleeps if trees can sleep, and what a model must have in common with that of
the state: sizes, how bodies hang together, names. Masses, friction and the like may differ, for those are edited.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.enums import ENBL_SLEEP, STATE_INTEGRATION
from sim.fields import DATA
from sim.forward import forward
from sim.states import get_state, set_state

if TYPE_CHECKING:
    from sim.model import Data, Model

SIZES = ("nq", "nv", "na", "nu", "nbody", "neq", "nmocap", "nuserdata", "nhistory")
LAYOUT = ("jnt_type", "jnt_bodyid", "body_parentid", "actuator_actnum", "eq_type", "body_mocapid")
NAMED = ("body", "joint", "actuator", "equality")
SLEEP = tuple(field.name for field in DATA if field.owner.startswith("sleep"))


def save_state(m: Model, d: Data, path: str | os.PathLike[str]) -> None:
    """Write the state to a file; an old file stays whole until the new one is."""
    content: dict[str, Any] = {"state": get_state(m, d, STATE_INTEGRATION), "model": _fingerprint(m), **_sizes(m)}
    if m.opt.enableflags & ENBL_SLEEP:
        content |= {name: d.read(name) for name in SLEEP}
    path = Path(path)
    unfinished = path.with_name(path.name + ".part")
    try:
        with open(unfinished, "wb") as file:
            np.savez(file, **content)
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def load_state(m: Model, d: Data, path: str | os.PathLike[str]) -> None:
    """Put back what save_state wrote. ValueError if it is no such file, or of another model; nothing changes then."""
    with open(path, "rb") as file:
        try:
            found = dict(np.load(file, allow_pickle=False))
            state, model, sizes = found["state"], str(found["model"]), {name: int(found[name]) for name in SIZES}
        except Exception as error:  # a damaged archive can be wrong in many ways
            raise ValueError(f"{path} is no saved state") from error
    asleep = {name: found[name] for name in SLEEP if name in found}
    if model != _fingerprint(m):
        differing = [f"{name} is {sizes[name]}, not {n}" for name, n in _sizes(m).items() if sizes[name] != n]
        why = ", ".join(differing) or "bodies, joints or names differ"
        raise ValueError(f"{path} holds the state of another model: {why}")
    set_state(m, d, state, STATE_INTEGRATION)
    if m.opt.enableflags & ENBL_SLEEP and len(asleep) == len(SLEEP):
        # trees that sleep are not computed any more, so everything is, once, before they do
        d.with_room(lambda: forward(m, d))
        set_state(m, d, state, STATE_INTEGRATION)
        for name, value in asleep.items():
            d.write(name, value)


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
