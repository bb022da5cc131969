"""World poses at qpos0, and what follows from them: camera and light offsets, statistics, dof_length.

At qpos0 joints displace nothing, so a body's world pose is its parent's composed with its local one. This is a Python
loop over bodies, because a model is shown before its kernels are compiled.
"""

from __future__ import annotations

from math import dist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.mjcf.records import Values
from sim.mjcf.rotation import Mat3, Quat, Vec3, Vector, compose_frames, cross, normalize3, quat_to_mat, rot_vec_quat

if TYPE_CHECKING:
    from sim.typed_fields import ModelFields

# radius of an infinite plane in the model's extent; extent and mean size of an empty model
PLANE_RADIUS = 0.01
EMPTY_EXTENT, EMPTY_SIZE = 2.0, 0.2
# row width by the last letters of the field, else 3
WIDTHS = {"uat": 4, "mat": 9}
Array = NDArray[np.float64]


def poses(m: ModelFields, aimed: bool = True) -> dict[str, Array]:
    """All poses of Data at qpos0; `m` is a Model or has its fields.

    `aimed`: rotate cameras and lights in the modes targetbody and targetbodycom to their targets.
    """
    xpos: list[Vec3] = [(0.0, 0.0, 0.0)]
    xquat: list[Quat] = [(1.0, 0.0, 0.0, 0.0)]
    pos, quat = m.body_pos.tolist(), m.body_quat.tolist()
    for b, parent in enumerate(m.body_parentid.tolist()):
        if b:
            at, rotation = compose_frames(xpos[parent], xquat[parent], tuple(pos[b]), tuple(quat[b]))
            xpos.append(at)
            xquat.append(rotation)
    d: dict[str, Any] = {"xpos": xpos, "xquat": xquat, "xmat": [quat_to_mat(q) for q in xquat]}
    d["xipos"], d["ximat"] = _fixed_poses(xpos, xquat, range(m.nbody), m.body_ipos, m.body_iquat)
    _apply_sameframe(d, "xipos", "ximat", range(m.nbody), m.body_sameframe)
    d["geom_xpos"], d["geom_xmat"] = _fixed_poses(xpos, xquat, m.geom_bodyid, m.geom_pos, m.geom_quat)
    d["site_xpos"], d["site_xmat"] = _fixed_poses(xpos, xquat, m.site_bodyid, m.site_pos, m.site_quat)
    for kind in ("geom", "site"):
        ids, same = getattr(m, f"{kind}_bodyid"), getattr(m, f"{kind}_sameframe")
        _apply_sameframe(d, f"{kind}_xpos", f"{kind}_xmat", ids.tolist(), same)
    d["cam_xpos"], d["cam_xmat"] = _fixed_poses(xpos, xquat, m.cam_bodyid, m.cam_pos, m.cam_quat)
    d["xanchor"] = [_point(xpos[b], xquat[b], p) for b, p in _pairs(m.jnt_bodyid, m.jnt_pos)]
    # the axis of a free joint is the world's z
    d["xaxis"] = [
        (0.0, 0.0, 1.0) if kind == enums.JNT_FREE else rot_vec_quat(axis, xquat[b])
        for kind, b, axis in zip(m.jnt_type.tolist(), m.jnt_bodyid.tolist(), m.jnt_axis.tolist(), strict=True)
    ]
    d["light_xpos"] = [_point(xpos[b], xquat[b], p) for b, p in _pairs(m.light_bodyid, m.light_pos)]
    d["light_xdir"] = [normalize3(rot_vec_quat(v, xquat[b]))[0] for b, v in _pairs(m.light_bodyid, m.light_dir)]
    d["subtree_com"] = _subtree_com(m, d["xipos"])
    arrays = {name: np.array(rows, float).reshape(len(rows), WIDTHS.get(name[-3:], 3)) for name, rows in d.items()}
    if aimed:
        _aim(m, arrays)
    return arrays


def _aim(m: ModelFields, d: dict[str, Array]) -> None:
    """Rotate cameras and lights with a target body towards it."""
    targets = {enums.CAMLIGHT_TARGETBODY: d["xpos"], enums.CAMLIGHT_TARGETBODYCOM: d["subtree_com"]}
    for c in range(m.ncam):
        mode, target = int(m.cam_mode[c]), int(m.cam_targetbodyid[c])
        if mode in targets and target >= 0:
            # z points away from the target, x is horizontal
            z = normalize3((d["cam_xpos"][c] - targets[mode][target]).tolist())[0]
            x = normalize3(cross((0.0, 0.0, 1.0), z))[0]
            y = normalize3(cross(z, x))[0]
            d["cam_xmat"][c] = np.array([x, y, z]).T.ravel()
    for k in range(m.nlight):
        mode, target = int(m.light_mode[k]), int(m.light_targetbodyid[k])
        if mode in targets and target >= 0:
            d["light_xdir"][k] = normalize3((targets[mode][target] - d["light_xpos"][k]).tolist())[0]


def _pairs(ids: Any, rows: Any) -> Any:
    return zip(ids.tolist(), rows.tolist(), strict=True)


def _point(pos: Vec3, quat: Quat, local: Vector) -> Vec3:
    x, y, z = rot_vec_quat(local, quat)
    return (pos[0] + x, pos[1] + y, pos[2] + z)


def _fixed_poses(xpos: list[Vec3], xquat: list[Quat], ids: Any, pos: Any, quat: Any) -> tuple[list[Vec3], list[Mat3]]:
    """World positions and rotation matrices of elements fixed to bodies."""
    positions, orientations = [], []
    for b, p, q in zip(list(ids), pos.tolist(), quat.tolist(), strict=True):
        at, rotation = compose_frames(xpos[b], xquat[b], tuple(p), tuple(q))
        positions.append(at)
        orientations.append(quat_to_mat(rotation))
    return positions, orientations


def _apply_sameframe(d: dict[str, Any], positions: str, orientations: str, ids: Any, sameframe: Any) -> None:
    """Apply sameframe: a frame that is that of the body, or the inertial one, up to rounding is replaced by it."""
    for place, (b, same) in enumerate(zip(ids, sameframe.tolist(), strict=True)):
        if same != enums.SAMEFRAME_NONE:
            inertial = same in (enums.SAMEFRAME_INERTIA, enums.SAMEFRAME_INERTIAROT)
            d[orientations][place] = d["ximat" if inertial else "xmat"][b]
            if same in (enums.SAMEFRAME_BODY, enums.SAMEFRAME_INERTIA):
                d[positions][place] = d["xipos" if inertial else "xpos"][b]


def _subtree_com(m: ModelFields, xipos: list[Vec3]) -> list[list[float]]:
    mass = m.body_mass.tolist()
    moment = [[w * x for x in at] for w, at in zip(mass, xipos, strict=True)]
    parents = m.body_parentid.tolist()
    for b in range(len(mass) - 1, 0, -1):
        for k in range(3):
            moment[parents[b]][k] += moment[b][k]
    total = m.body_subtreemass.tolist()
    return [
        list(xipos[b]) if total[b] < enums.MINVAL else [x / max(enums.MINVAL, total[b]) for x in moment[b]]
        for b in range(len(mass))
    ]


def set_offsets(m: Values, d: dict[str, Array]) -> None:
    """Offsets of cameras and lights at qpos0, for the modes track and trackcom."""
    for name, key in (("cam", "cam_xpos"), ("light", "light_xpos")):
        body, target = m[f"{name}_bodyid"], m[f"{name}_targetbodyid"]
        m[f"{name}_pos0"] = d[key] - d["xpos"][body]
        m[f"{name}_poscom0"] = d[key] - d["subtree_com"][np.where(target >= 0, target, body)]
    m["cam_mat0"], m["light_dir0"] = d["cam_xmat"].copy(), d["light_xdir"].copy()


def set_statistics(m: Values, d: dict[str, Array], given: dict[str, Any]) -> None:
    """stat.* and dof_length; `given` are those set by <statistic>."""
    low, high = _bounds(m, d)
    m["stat.center"] = (low + high) * 0.5
    extent = max(1e-5, float((high - low).max())) if high[0] > low[0] else EMPTY_EXTENT
    sizes = _body_sizes(m, d)
    meansize, meanmass = EMPTY_SIZE, 1.0
    if m["nbody"] > 1:
        meansize = sum(size / (m["nbody"] - 1) for size in sizes[1:])
        meanmass = sum(m["body_mass"][1:].tolist()) / (m["nbody"] - 1)
    m["stat.extent"] = max(extent, 2 * meansize)
    m["stat.meansize"], m["stat.meanmass"] = meansize, meanmass
    # a rotational dof counts with the size of its body, a translational one with 1
    lengths = []
    for v, j in enumerate(m["dof_jntid"].tolist()):
        kind, offset = m["jnt_type"][j], v - m["jnt_dofadr"][j]
        rotational = kind in (enums.JNT_BALL, enums.JNT_HINGE) or (kind == enums.JNT_FREE and offset >= 3)
        lengths.append(sizes[m["dof_bodyid"][v]] if rotational else 1.0)
    m["dof_length"] = np.array(lengths, float)
    for name, value in given.items():
        m[f"stat.{name}"] = np.array(value) if isinstance(value, tuple) else value


def _bounds(m: Values, d: dict[str, Array]) -> tuple[Array, Array]:
    """Bounding box of bodies, joints, sites and geoms; the radius of a plane is a tenth of its size."""
    radius = m["geom_rbound"].copy()
    planes = m["geom_type"] == enums.GEOM_PLANE
    half = m["geom_size"][:, :2].max(axis=1, initial=0.0)
    radius[planes] = np.where(half[planes] != 0, half[planes] * 0.1, PLANE_RADIUS)
    points = np.concatenate((d["xpos"][1:], d["xipos"][1:], d["xanchor"], d["site_xpos"], d["geom_xpos"]))
    radii = np.zeros(len(points))
    radii[len(points) - m["ngeom"] :] = radius
    if not len(points):
        return np.full(3, 1e10), np.full(3, -1e10)
    return (points - radii[:, None]).min(axis=0), (points + radii[:, None]).max(axis=0)


def _body_sizes(m: Values, d: dict[str, Array]) -> list[float]:
    """Size of each body: the largest distance from its centre of mass to its joints and geoms."""
    sizes = [0.0] * m["nbody"]
    centres = d["xipos"].tolist()
    for b, anchor in _pairs(m["jnt_bodyid"], d["xanchor"]):
        for near in (b, int(m["body_parentid"][b])):
            sizes[near] = max(sizes[near], dist(centres[near], anchor))
    sizes[0] = 0.0
    for b, radius, at in zip(
        m["geom_bodyid"].tolist(), m["geom_rbound"].tolist(), d["geom_xpos"].tolist(), strict=True
    ):
        if b and radius > 0:
            sizes[b] = max(sizes[b], radius + dist(centres[b], at))
    return [max(size, 1e-5) for size in sizes]
