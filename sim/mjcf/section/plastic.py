"""Plastic springs: the addresses of their rest in `plastic`, joints first, and what keyframes do not give of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.jit import interpreted
from sim.mjcf.records import Joint, Tendon, Values
from sim.mjcf.rotation import normalize4
from sim.model import Data, Model
from sim.state.plastic import init_plastic


def fill_plastic(m: Values, joints: Sequence[Joint], tendons: Sequence[Tendon]) -> None:
    """jnt_plasticadr, tendon_plasticadr and nplastic."""
    m["nplastic"] = 0
    m["jnt_plasticadr"] = _addresses(m, [joint_size(joint) for joint in joints])
    m["tendon_plasticadr"] = _addresses(m, [tendon_size(tendon) for tendon in tendons])


def joint_size(joint: Joint) -> int:
    """How many numbers say where the spring of a joint rests, if it is plastic."""
    return (4 if joint.type == enums.JNT_BALL else 1) if joint.springyield else 0


def tendon_size(tendon: Tendon) -> int:
    return 2 if tendon.springyield else 0


def _addresses(m: Values, sizes: list[int]) -> NDArray[np.int32]:
    ends = m["nplastic"] + np.cumsum(sizes, dtype=np.int32)
    m["nplastic"] += sum(sizes)
    return np.where(sizes, ends - np.array(sizes, np.int32), -1).astype(np.int32)


def initial_plastic(m: Model) -> NDArray[np.float64]:
    """Where plastic springs rest in the initial state."""
    d = Data(m)
    if m.nplastic > 0:
        with interpreted():
            init_plastic(m, d)
    return np.array(d.plastic)


def complete_key_plastic(m: Model) -> None:
    """Set what keyframes do not give, which needs tendon_lengthspring; normalize quaternions that are not zero."""
    if not m.nkey or not m.nplastic:
        return
    missing = np.isnan(m.key_plastic)
    m.key_plastic[missing] = np.broadcast_to(initial_plastic(m), missing.shape)[missing]
    for at in m.jnt_plasticadr[(m.jnt_plasticadr >= 0) & (m.jnt_type == enums.JNT_BALL)]:
        for quat in m.key_plastic[:, at : at + 4]:
            quat[:] = normalize4(quat.tolist()) if quat.any() else quat
