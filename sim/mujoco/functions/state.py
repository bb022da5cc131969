"""State vectors, keyframes, names, sizes and masses."""

from __future__ import annotations

from typing import Any

import numpy as np

import sim
from sim.enums import CONE_PYRAMIDAL, JAC_AUTO, JAC_DENSE, MINVAL, NSTATE, SOL_PGS
from sim.mujoco.binding import bound, fatal, register, returning
from sim.named import NUMBERS
from sim.script.state_vector import split_state, write_parts


def _size(m: Any, sig: int, function: str) -> int:
    if sig < 0:
        raise fatal(f"{function}: invalid state signature {sig} < 0")
    if sig >= 1 << NSTATE:
        raise fatal(f"{function}: invalid state signature {sig} >= 2^mjNSTATE")
    return int(sim.state_size(m, sig))


def _sized(m: Any, state: np.ndarray, sig: int, name: str = "sig") -> np.ndarray:
    """A state vector; TypeError if it does not have the size of this signature."""
    if len(state) != _size(m, sig, "mj_stateSize"):
        raise TypeError(f"state size should equal mj_stateSize(m, {name})")
    return state


returning({
    "mj_stateSize m sig:int -> int": (
        lambda m, sig: _size(m, sig, "mj_stateSize"), "The number of elements of a state with this signature.",
    ),
    "mj_isPyramidal m -> int": (lambda m: m.opt.cone == CONE_PYRAMIDAL, "Whether friction cones are pyramids."),
    "mj_isSparse m -> int": (
        lambda m: m.nv >= 60 if m.opt.jacobian == JAC_AUTO else m.opt.jacobian != JAC_DENSE,
        "Whether the constraint Jacobian is sparse.",
    ),
    "mj_isDual m -> int": (
        lambda m: m.opt.solver == SOL_PGS or m.opt.noslip_iterations > 0,
        "Whether the solver works on forces: PGS, or the noslip solver after another one.",
    ),
    "mj_getTotalmass m -> float": (lambda m: m.body_mass.sum(), "The total mass of all bodies."),
})  # fmt: skip


@bound("m d state:out* sig:int")
def mj_getState(m: Any, d: Any, state: np.ndarray, sig: int) -> None:
    """Get the state."""
    _sized(m, state, sig)[:] = sim.get_state(m, d, sig)


@bound("m d state:in* sig:int")
def mj_setState(m: Any, d: Any, state: np.ndarray, sig: int) -> None:
    """Set the state."""
    write_parts(d, split_state(m, _sized(m, state, sig), sig, check=False))


@bound("m src:any dst:any sig:int")
def mj_copyState(m: Any, src: Any, dst: Any, sig: int) -> None:
    """Copy the state of one data to another."""
    _size(m, sig, "mj_stateSize")
    write_parts(dst, split_state(m, sim.get_state(m, src, sig), sig, check=False))


@bound("m src:in* srcsig:int dst:out* dstsig:int")
def mj_extractState(m: Any, src: np.ndarray, srcsig: int, dst: np.ndarray, dstsig: int) -> None:
    """Extract the parts with another signature from a state."""
    _sized(m, src, srcsig, name="srcsig")
    _sized(m, dst, dstsig, name="dstsig")
    if dstsig & ~srcsig:
        raise fatal("mj_extractState: dstsig is not a subset of srcsig")
    dst[:] = sim.extract_state(m, src, srcsig, dstsig)


@bound("m d k:int")
def mj_setKeyframe(m: Any, d: Any, k: int) -> None:
    """Save the state as a keyframe of the model."""
    if k >= m.nkey:
        raise fatal(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
    if k < 0:
        raise fatal("mj_setKeyframe: keyframe index cannot be negative")
    sim.set_keyframe(m, d, k)


@bound("m d")
def mj_resetCtrl(m: Any, d: Any) -> None:
    """Set controls to neutral values: 0, or the identity where they are a quaternion."""
    neutral = m.derived.get("neutral_ctrl")
    if neutral is None:
        neutral = m.derived["neutral_ctrl"] = sim.Data(m).ctrl.copy()
    d.ctrl[:] = neutral


# ---------------------------------------------------------------- names


def mj_name2id(m: Any, type: Any, name: str | bytes) -> int:  # noqa: A002
    """The number of an element, -1 if there is none of this name."""
    try:
        found: int = m.__dict__["_ids"].get(NUMBERS.get(type), NONE).get(name, -1)
    except (AttributeError, KeyError, TypeError):
        raise TypeError(f"mj_name2id: a model, a type and a name are needed, not {m!r}, {type!r}, {name!r}") from None
    if isinstance(name, bytes):
        return mj_name2id(m, type, name.decode())
    if found < 0 and not (hasattr(type, "__index__") and isinstance(name, str)):
        raise TypeError(f"mj_name2id: a type and a name are needed, not {type!r} and {name!r}")
    return found


register(mj_name2id, "mj_name2id", "m type:int name:str", "int", mj_name2id.__doc__)
NONE: dict[str, int] = {}


@bound("m type:int id:int", "str")
def mj_id2name(m: Any, type: int, id: int) -> str | None:  # noqa: A002
    """The name of an element, None if it has none."""
    names = m.names.get(NUMBERS.get(type, ""), ())
    return names[id] or None if 0 <= id < len(names) else None


@bound("m newmass:float")
def mj_setTotalmass(m: Any, newmass: float) -> None:
    """Scale masses and inertias to a total mass."""
    scale = max(MINVAL, newmass / max(MINVAL, float(m.body_mass.sum())))
    m.body_mass *= scale
    m.body_inertia *= scale
    m.body_subtreemass *= scale


@bound("m d")
def mj_setConst(m: Any, d: Any) -> None:
    """Compute constants that derive from the model at qpos0 again."""
    try:
        sim.set_const(m, d)
    except ValueError as error:
        raise fatal(f"mj_setConst: {error}") from None
