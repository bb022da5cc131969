"""State vectors: get, set and extract them, save one as a keyframe, record those of a run.

What has the sleep state, or all that determines the next steps while nothing sleeps, is a whole state: Data in which it
is set continues as the run that it is from, bit for bit, whatever Data did before.

sim/state/signature.py defines which fields a vector holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.arguments import check_fit
from sim.enums import ENBL_SLEEP, STATE_FULLPHYSICS, STATE_RECORD, STATE_SLEEP
from sim.pipeline.forward import forward
from sim.stages.sleep.awake import update_sleep
from sim.state.signature import HALVES, SLEEP_PARTS, record_signature, state_places, state_shapes, state_size

if TYPE_CHECKING:
    from sim.model import Data, Model


def get_state(m: Model, d: Data, sig: int = STATE_FULLPHYSICS) -> np.ndarray:
    """The state as a new vector."""
    check_fit(m, d)
    return np.concatenate(state_views(m, d, sig).parts)


def state_views(m: Model, d: Data, sig: int) -> StateViews:
    """The fields of a state, in the memory of Data."""
    shapes = state_shapes(m, sig)
    views: dict[int, StateViews] = d.__dict__.setdefault("state_views", {})
    known = views.get(sig)
    if known is None or known.shapes is not shapes or any(d.array(name) is not held for name, held in known.held):
        known = views[sig] = _views(d, shapes)
    return known


class StateViews(NamedTuple):
    """Views of the fields of Data that a state consists of, flat: one copy of them all instead of a call for each."""

    shapes: Mapping[str, tuple[int, ...]]
    held: list[tuple[str, np.ndarray]]
    parts: list[np.ndarray]


def _views(d: Data, shapes: Mapping[str, tuple[int, ...]]) -> StateViews:
    # a state is float64, even if it has integers alone
    parts: list[np.ndarray] = [np.zeros(0)]
    for name, shape in shapes.items():
        _field(d, name, shape)
        if name in HALVES:
            word = d.word(name)
            parts += [word.view(np.uint32)[:1], word.view(np.int32)[1:]]
        elif name in d.layout.scalars:
            parts.append(d.word(name))
        else:
            parts.append(d.read(name).reshape(-1))
    return StateViews(shapes, [(name, d.array(name)) for name in shapes if name not in d.layout.scalars], parts)


def set_state(m: Model, d: Data, state: Any, sig: int = STATE_FULLPHYSICS, check: bool = True) -> None:
    """Set the state from a vector. A wrong length or a number that is not finite raises ValueError and changes nothing.

    Without `check` a state that is not finite is accepted, to inspect a simulation that has diverged.
    """
    parts = split_state(m, state, sig, check)
    check_fit(m, d)
    if sig & STATE_SLEEP or sig & STATE_RECORD == STATE_RECORD:
        m.engine.write_state(m, d, parts)
    else:
        write_parts(d, parts)


def write_state(m: Model, d: Data, parts: Mapping[str, Any]) -> None:
    """Set a whole state, by field: with the sleep state, if it has one and sleeping is enabled, else with all awake."""
    check_fit(m, d)
    moving = {name: part for name, part in parts.items() if name not in SLEEP_PARTS}
    d.wake_all()
    write_parts(d, moving)
    if m.opt.enableflags & ENBL_SLEEP and "tree_asleep" in parts:
        # sleeping trees are not updated any more, so all that is shown of them is computed once before they sleep
        d.retry_on_overflow(lambda: forward(m, d))
        write_parts(d, parts)
        update_sleep(m, d)


def extract_state(m: Model, state: Any, sig: int, part: int) -> np.ndarray:
    """The parts with signature `part` of a state with signature `sig`."""
    if part & ~sig:
        raise ValueError(f"the state has signature {sig}, which does not include all of {part}")
    parts = split_state(m, state, sig)
    return np.concatenate([np.zeros(0), *(np.ravel(parts[name]) for name in state_shapes(m, part))])


def split_state(m: Model, state: Any, sig: int, check: bool = True) -> dict[str, np.ndarray]:
    """Field -> its part of a state; `check`: it must be finite."""
    state, shapes = np.asarray(state, float), state_shapes(m, sig)
    if state.shape != (state_size(m, sig),):
        raise ValueError(
            f"a state with signature {sig} has {state_size(m, sig)} numbers in this model, not shape {state.shape}"
        )
    found = {name: state[place].reshape(shapes[name]) for name, place in state_places(m, sig).items()}
    if check and not np.isfinite(state).all():
        for name, part in found.items():
            if not np.isfinite(part).all():
                raise ValueError(f"the {name} of this state has a number that is not finite")
    return found


def _field(d: Data, name: str, shape: tuple[int, ...]) -> Any:
    """A field of Data, which must have the shape that the model requires."""
    value = d.read(name)
    if name in HALVES:
        return [value & 0xFFFFFFFF, value >> 32]
    if np.shape(value) != shape:
        raise ValueError(f"this Data belongs to another model: {name} has shape {np.shape(value)}, not {shape}")
    return value


def write_parts(d: Data, parts: Mapping[str, Any]) -> None:
    """Set fields of Data."""
    for name, part in parts.items():
        d.write(name, int(part[0]) | int(part[1]) << 32 if name in HALVES else part)


# ---------------------------------------------------------------- keyframes


# field of a keyframe -> field of Data that it stores
KEY_FIELDS = {
    "key_time": "time", "key_qpos": "qpos", "key_qvel": "qvel", "key_act": "act", "key_ctrl": "ctrl",
    "key_mpos": "mocap_pos", "key_mquat": "mocap_quat", "key_plastic": "plastic",
}  # fmt: skip


def set_keyframe(m: Model, d: Data, key: int) -> None:
    """Save the state as a keyframe of the model, replacing the old one."""
    check_fit(m, d)
    if not 0 <= key < m.nkey:
        raise ValueError(f"there is no keyframe {key}: the model has {m.nkey}")
    for field, source in KEY_FIELDS.items():
        m.read(field)[key] = d.time if source == "time" else np.ravel(d.read(source))


# ---------------------------------------------------------------- recording


def trace(m: Model, d: Data, rows: int | np.ndarray) -> None:
    """Record the state after every step in d.trace: row `count % rows`, then count += 1. 0 rows: off.

    A row has the signature `record_signature(m)`; whoever switches sleeping on or off calls this again. `rows` can be
    an array to record in, wide enough for the sleep state or not.
    """
    check_fit(m, d)
    if not isinstance(rows, np.ndarray):
        if rows < 0:
            raise ValueError(f"rows is {rows}: it cannot be negative")
        rows = np.zeros((rows, state_size(m, record_signature(m))))
    narrow, wide = state_size(m, STATE_RECORD), state_size(m, STATE_RECORD | STATE_SLEEP)
    if rows.ndim != 2 or rows.shape[1] not in (narrow, wide):
        raise ValueError(f"rows have {narrow} or {wide} numbers in this model, not shape {rows.shape}")
    d.bind("trace.state", rows)
    d.trace.asleep = int(rows.shape[1] > narrow)
    d.trace.count = 0
