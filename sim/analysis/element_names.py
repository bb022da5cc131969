"""Names of elements for people: body first, then geom; free joints by their body; dofs with their axis."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sim.enums import JNT_BALL, JNT_FREE


class Named(Protocol):
    """A model, or a view of one."""

    @property
    def geom_bodyid(self) -> NDArray[np.int32]: ...
    @property
    def jnt_bodyid(self) -> NDArray[np.int32]: ...
    @property
    def jnt_type(self) -> NDArray[np.int32]: ...
    @property
    def jnt_dofadr(self) -> NDArray[np.int32]: ...
    @property
    def dof_jntid(self) -> NDArray[np.int32]: ...
    def id2name(self, kind: str, index: int) -> str: ...


# dofs of a joint -> what they are called
AXES = {JNT_FREE: ("x", "y", "z", "rx", "ry", "rz"), JNT_BALL: ("rx", "ry", "rz")}


def body_name(m: Named, body: int) -> str:
    """The name of a body, or "body 3"; in the place of one of MuJoCo's flexes, which are of many, -1."""
    if body < 0:
        return "flex"
    return m.id2name("body", body) or ("world" if body == 0 else f"body {body}")


def geom_name(m: Named, geom: int) -> str:
    """The name of a geom, or "geom 31"; a contact of one of MuJoCo's flexes has no geom."""
    if geom < 0:
        return "flex"
    return m.id2name("geom", geom) or f"geom {geom}"


def full_geom_name(m: Named, geom: int) -> str:
    """A geom with its body: "foot / sole"; nearly all geoms of real robots have no name of their own."""
    return geom_name(m, geom) if geom < 0 else f"{body_name(m, int(m.geom_bodyid[geom]))} / {geom_name(m, geom)}"


def joint_name(m: Named, joint: int) -> str:
    """The name of a joint; of a free joint without one, its body."""
    named = m.id2name("joint", joint)
    return named or (body_name(m, int(m.jnt_bodyid[joint])) if m.jnt_type[joint] == JNT_FREE else f"joint {joint}")


def joint_and_axis(m: Named, dof: int) -> tuple[str, str]:
    """The joint of a dof, and which of its axes it is; "" where the joint has only one."""
    joint = int(m.dof_jntid[dof])
    axes = AXES.get(int(m.jnt_type[joint]))
    return joint_name(m, joint), axes[dof - int(m.jnt_dofadr[joint])] if axes else ""


def dof_name(m: Named, dof: int) -> str:
    """A dof by its joint, with the axis where the joint has several: "ball rx"."""
    return " ".join(joint_and_axis(m, dof)).strip()
