"""Constants computed at qpos0 (mj_setConst): dof_M0, *_invweight0, stat.meaninertia, and what follows from poses.

dof_M0 = diag M; dof_invweight0 = diag M⁻¹, averaged over the translational or rotational dofs of a joint;
body_invweight0 = diag J M⁻¹ Jᵀ of each centre of mass, averaged likewise; stat.meaninertia = mean diagonal of M. The
inverse weights scale constraints, so that the same solref is equally soft on light and on heavy bodies.

Everything is computed on a scratch Model and written to the model at the end: another thread that reads the model sees
no field change meanwhile, and an error leaves the model as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from sim import enums
from sim.jit import interpreted
from sim.mjcf.body_tree import NV, OBLIQUE, is_near, set_frames
from sim.mjcf.errors import MjcfError
from sim.mjcf.pose import set_offsets, set_statistics
from sim.mjcf.rotation import ZERO
from sim.mjcf.section.equality import set_anchors
from sim.mjcf.set_const.actuator import reflected_inertia, set_actuator_constants
from sim.mjcf.set_const.inverse_inertia import inverse_factors
from sim.mjcf.set_const.tendon import compute_tendons, set_tendon_constants
from sim.model import Data, Model
from sim.stages.smooth.camlight import camera_poses, light_poses
from sim.stages.smooth.com import com_pos, subtree_coms
from sim.stages.smooth.inertia import crb, tendon_armature
from sim.stages.smooth.kinematics import kinematics
from sim.stages.smooth.transmission import transmission

# what depends on the inertia matrix and on lengths of tendons and actuators
INERTIA_CONSTANTS = (
    "dof_M0", "dof_invweight0", "body_invweight0", "tendon_length0", "tendon_invweight0", "actuator_length0",
    "actuator_acc0",
)  # fmt: skip
# what the file leaves to the compiler: damping by a ratio, lengths of springs, statistics; edits leave them
RESOLVED = ("stat.meaninertia", "tendon_lengthspring", "actuator_biasprm")
# what is computed when a model is loaded
LOAD_CONSTANTS = (*INERTIA_CONSTANTS, *RESOLVED, "jnt_stiffness", "dof_damping", "actuator_lengthrange")
# what is computed again after an edit
EDIT_CONSTANTS = (
    *INERTIA_CONSTANTS, "body_sameframe", "geom_sameframe", "site_sameframe", "body_subtreemass", "ngravcomp",
    "flg_gravcomp", "cam_pos0", "cam_poscom0", "cam_mat0", "light_pos0", "light_poscom0", "light_dir0", "eq_data",
    "nemax", "dof_length",
)  # fmt: skip
# what the computation sets besides
SCRATCH = ("dof_simplenum", "cam_mode", "light_mode", *RESOLVED)


class StructDict(dict[str, Any]):
    """A Model or Data in the form of compiled values: fields that are not in the dict are read from the struct."""

    def __init__(self, struct: Model | Data) -> None:
        super().__init__()
        self.struct = struct

    def __missing__(self, name: str) -> Any:
        return self.struct.read(name)


@contextmanager
def scratch_model(m: Model, constants: Sequence[str]) -> Iterator[Model]:
    """A scratch Model to compute constants in, with all trees awake; at the end they are written to the model."""
    scratch = m.with_own(tuple(dict.fromkeys((*constants, *SCRATCH))))
    scratch.opt.enableflags = m.opt.enableflags & ~enums.ENBL_SLEEP
    yield scratch
    for name in constants:
        m.write(name, scratch.read(name))


def set_inertia_constants(
    m: Model, springdamper: Sequence[Any] | np.ndarray = (), meaninertia: bool = True, poses: Data | None = None
) -> None:
    """Set the constants that need the inertia matrix.

    `springdamper` is that attribute of each joint; `meaninertia` is False where the file gives stat.meaninertia;
    `poses` is Data with the poses at qpos0, if they have been computed.
    """
    if m.nv == 0:
        if m.ntendon > 0:
            set_tendon_constants(m, at_qpos0(m, poses), [])
        if m.nactuator > 0:
            set_actuator_constants(m, at_qpos0(m, poses), [])
        return
    d = at_qpos0(m, poses)
    diagonal = m.M_rowadr + m.M_rownnz - 1
    m.dof_M0 = d.M[diagonal]
    # tendon armature depends on the configuration and is not part of dof_M0
    with interpreted():
        tendon_armature(m, d)
    if meaninertia:
        m.stat.meaninertia = d.M[diagonal].mean()
    factors = inverse_factors(m, d)
    set_dof_weights(m, np.concatenate([(factor * factor).sum(axis=1) for factor in factors]))
    set_body_weights(m, d, factors)
    set_slider_weights(m)
    set_spring_dampers(m, springdamper)
    set_tendon_constants(m, d, factors)
    set_actuator_constants(m, d, factors)


def set_pose_constants(m: Model) -> Data:
    """After an edit, set the constants that need only poses: sameframe, subtree masses, gravcomp, dof_length, offsets
    of cameras and lights, anchors of equalities.

    Statistics stay. Returns Data with the poses at qpos0.
    """
    set_same_frames(m)
    fields = StructDict(m)
    mass = m.body_mass.copy()
    for b in range(m.nbody - 1, 0, -1):
        mass[m.body_parentid[b]] += mass[b]
    m.body_subtreemass = mass
    m.write("ngravcomp", int((m.body_gravcomp > 0).sum()))
    m.flg_gravcomp = m.ngravcomp > 0
    d = poses_at_qpos0(m)
    _place_fixed_cameras(m, d)
    set_offsets(fields, StructDict(d))
    set_anchors(fields, StructDict(d))
    set_statistics(fields, StructDict(d), {})
    _take(m, fields)
    return d


def set_same_frames(m: Model) -> None:
    """Set which frames coincide; ValueError if those of a simple body do not any more."""
    fields = StructDict(m)
    set_frames(fields)
    _check_simple(m, fields["body_sameframe"])
    _take(m, fields)


def _take(m: Model, fields: StructDict) -> None:
    for name in fields.keys() & {*EDIT_CONSTANTS}:
        m.write(name, fields[name])


def _check_simple(m: Model, sameframe: np.ndarray) -> None:
    """The optimizations for simple bodies need the body frame and the inertial frame to coincide."""
    for b in np.flatnonzero((m.body_simple > 0) & (sameframe != enums.SAMEFRAME_BODY)).tolist():
        name = m.id2name("body", b) or b
        raise MjcfError(
            f"the inertial frame of body {name} has moved away from the body frame, which simple bodies do not allow: "
            'set simple="false" in its <body>'
        )
    for j in np.flatnonzero(m.body_simple[m.jnt_bodyid] > 0).tolist():
        oblique = (np.abs(m.jnt_axis[j]) > OBLIQUE).sum() != 1 and m.jnt_type[j] in (enums.JNT_HINGE, enums.JNT_SLIDE)
        if oblique or not is_near(m.jnt_pos[j], ZERO):
            name = m.id2name("joint", j) or j
            raise MjcfError(
                f"the axis of joint {name} is no longer one of the axes of its body through the centre of mass, which "
                'simple bodies do not allow: set simple="false" in its <body>'
            )


def _place_fixed_cameras(m: Model, d: Data) -> None:
    """World poses of cameras and lights; sets the modes of a scratch Model to `fixed`."""
    m.cam_mode, m.light_mode = enums.CAMLIGHT_FIXED, enums.CAMLIGHT_FIXED
    with interpreted():
        camera_poses(m, d)
        light_poses(m, d)


def poses_at_qpos0(m: Model) -> Data:
    """Data with poses at qpos0, computed as plain Python because kernels may not be compiled yet."""
    d = Data(m)
    with interpreted():
        kinematics(m, d)
        subtree_coms(m, d)
    return d


def at_qpos0(m: Model, poses: Data | None = None) -> Data:
    """Data with tendons and inertia at qpos0, for a scratch Model; `poses` has the poses, if they are known."""
    d = poses or poses_at_qpos0(m)
    with interpreted():
        com_pos(m, d)
    compute_tendons(m, d)
    # crb takes the inertia of simple dofs from dof_M0, which is not computed yet
    simplenum = m.dof_simplenum.copy()
    m.write("dof_simplenum", 0)
    with interpreted():
        crb(m, d)
    m.write("dof_simplenum", simplenum)
    return d


def reflected_inertias(m: Model) -> list[float]:
    """The inertia that each actuator moves at qpos0, which a dampratio refers to."""
    scratch = m.with_own(("dof_M0", *SCRATCH))
    scratch.opt.enableflags = m.opt.enableflags & ~enums.ENBL_SLEEP
    d = at_qpos0(scratch)
    with interpreted():
        tendon_armature(scratch, d)
        transmission(scratch, d)
    factors = inverse_factors(scratch, d) if m.nv else []
    return [reflected_inertia(scratch, d, i, factors) for i in range(m.nactuator)]


def set_dof_weights(m: Model, diagonal: np.ndarray) -> None:
    """dof_invweight0: mean over the three translational or the three rotational dofs of a joint."""
    m.dof_invweight0 = diagonal
    for j in range(m.njnt):
        v = m.jnt_dofadr[j]
        blocks = {enums.JNT_FREE: (v, v + 3), enums.JNT_BALL: (v,)}.get(int(m.jnt_type[j]), ())
        for block in blocks:
            m.dof_invweight0[block : block + 3] = diagonal[block : block + 3].mean()


def set_body_weights(m: Model, d: Data, factors: list[np.ndarray]) -> None:
    """body_invweight0 = diag J M⁻¹ Jᵀ = |J R|² of each centre of mass, averaged over directions.

    J sums the axes of the dofs above a body, so J R is that of the parent plus the terms of the body's own dofs.
    """
    m.body_invweight0[:] = 0.0
    # (body, axes · R) of the bodies above
    path: list[tuple[int, np.ndarray]] = []
    for b in np.flatnonzero(m.body_treeid >= 0).tolist():
        while path and path[-1][0] != m.body_parentid[b]:
            path.pop()
        tree, lever = int(m.body_treeid[b]), d.xipos[b] - d.subtree_com[m.body_rootid[b]]
        dofs = np.arange(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b])
        reach = path[-1][1] if path else np.zeros((6, len(factors[tree])))
        reach = reach + np.einsum("vi,vj->ij", d.cdof[dofs], factors[tree][dofs - m.tree_dofadr[tree]])
        path.append((b, reach))
        moving = reach[3:] + np.cross(reach[:3], lever[:, None], axis=0)
        for k, rows in enumerate((moving, reach[:3])):
            m.body_invweight0[b, k] = max(enums.MINVAL, (rows * rows).sum() / 3)


def set_slider_weights(m: Model) -> None:
    """Inverse weights of simple bodies with only slide joints: 1 / mass, without armature."""
    for b in np.flatnonzero(m.body_simple == 2):
        first = m.body_dofadr[b]
        m.dof_invweight0[first : first + m.body_dofnum[b]] = 1.0 / m.body_mass[b]
        m.body_invweight0[b] = 1.0 / m.body_mass[b], 0.0


def set_spring_dampers(m: Model, wanted: Sequence[Any] | np.ndarray) -> None:
    """Stiffness and damping from springdamper: time constant and damping ratio."""
    for j, (time_constant, ratio) in enumerate(wanted):
        if time_constant > 0 and ratio > 0:
            dofs = slice(m.jnt_dofadr[j], m.jnt_dofadr[j] + NV[m.jnt_type[j]])
            inertia = 1.0 / m.dof_invweight0[dofs].mean()
            m.jnt_stiffness[j] = inertia / max(enums.MINVAL, (time_constant * ratio) ** 2)
            m.dof_damping[dofs] = 2.0 * inertia / max(enums.MINVAL, time_constant)
