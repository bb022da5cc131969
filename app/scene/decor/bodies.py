"""Decor of bodies: inertia boxes, centres of mass, auto-connect, bounding volumes, applied forces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.contacts import metres_per_newton
from app.scene.instances import GLOWING, NO_TEXTURE, Batch, Kind, arrows, instance_rows, rods
from app.scene.surfaces import MESH
from app.scene.visual_options import VisualOptions

Array = NDArray[np.float64]

# density of scaled inertia boxes, kg/m3
WATER = 1000.0
# a box larger than this many extents is infinite
INFINITE = 1e3
# corners of a box, and the pairs of its twelve edges
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
_EDGES = np.array([(a, b) for a in range(8) for b in range(a) if bin(a ^ b).count("1") == 1])


def inertia(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """Inertia boxes or ellipsoids; with scale_inertia their volume shows the mass."""
    heavy = np.flatnonzero(np.asarray(model.body_mass) > 1e-12)
    if not len(heavy):
        return []
    mass, moment = model.body_mass[heavy, None], np.asarray(model.body_inertia)[heavy]
    ellipsoid = bool(model.vis.global_.ellipsoidinertia)
    # I_x = m/3 (b² + c²) for half lengths of a box, m/5 for an ellipsoid
    factor = 2.5 if ellipsoid else 1.5
    half = np.sqrt(np.maximum(factor * (moment.sum(axis=1, keepdims=True) - 2 * moment) / mass, 1e-20))
    if options.scale_inertia:
        volume = half.prod(axis=1, keepdims=True) * (4 / 3 * np.pi if ellipsoid else 8.0)
        half *= np.cbrt(mass / (WATER * np.maximum(volume, 1e-20)))
    colour = np.broadcast_to(np.asarray(model.vis.rgba.inertia, float), (len(heavy), 4))
    rows = instance_rows(state.xipos[heavy], state.ximat[heavy], half, colour, GLOWING, Kind.BODY, heavy)
    return [Batch("sphere" if ellipsoid else "box", NO_TEXTURE, rows, lod=1)]


def centres_of_mass(model: ModelView, state: StateView, _: VisualOptions) -> list[Batch]:
    """A sphere at the centre of mass of every tree."""
    roots = np.flatnonzero(np.asarray(model.body_rootid) == np.arange(model.nbody))[1:]
    size = float(model.stat.meansize) * float(model.vis.scale.com)
    scale = np.full((len(roots), 3), size)
    colour = np.broadcast_to(np.asarray(model.vis.rgba.com, float), (len(roots), 4))
    rows = instance_rows(state.subtree_com[roots], _identities(len(roots)), scale, colour, GLOWING, Kind.BODY, roots)
    return [Batch("sphere", NO_TEXTURE, rows, lod=1)]


def connections(model: ModelView, state: StateView, _: VisualOptions) -> list[Batch]:
    """Rods from the centre of each body to its joints, and on to the centre of its parent."""
    start, end, owner = [], [], []
    for body in range(1, model.nbody):
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        parent = int(model.body_parentid[body])
        path = [state.xipos[body], *(state.xanchor[first + j] for j in reversed(range(count)))]
        if parent > 0:
            path.append(state.xipos[parent])
        start += path[:-1]
        end += path[1:]
        owner += [body] * (len(path) - 1)
    if not start:
        return []
    radius = float(model.stat.meansize) * float(model.vis.scale.connect)
    colour = np.broadcast_to(np.asarray(model.vis.rgba.connect, float), (len(start), 4))
    rows = rods(np.array(start), np.array(end), radius, colour, GLOWING, Kind.BODY, owner)
    return [Batch("capsule", NO_TEXTURE, rows, lod=2)]


def applied_forces(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """An arrow at the centre of mass of every body with an applied force or a mouse perturbation."""
    force = np.array(state.xfrc_applied[:, :3], float)
    if state.perturb.active:
        force[state.perturb.select] += state.perturb.xfrc[:3]
    forced = np.flatnonzero(np.linalg.norm(force, axis=1) > 1e-9)
    scale = options.force_scale * metres_per_newton(model)
    radius = float(model.stat.meansize) * float(model.vis.scale.forcewidth)
    return arrows(state.xipos[forced], scale * force[forced], radius, model.vis.rgba.force, Kind.BODY, forced)


def body_boxes(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """Bounding boxes of one depth of the BVHs of bodies."""
    start = np.asarray(model.body_bvhadr)
    # a BVH that is out of date is not used
    count = np.where(start < 0, 0, np.asarray(model.body_bvhnum))
    body = np.repeat(np.arange(model.nbody), count)
    node = np.repeat(start - np.cumsum(count) + count, count) + np.arange(len(body))
    chosen = _at_depth(model, node, options.bvh_depth)
    node, body = node[chosen], body[chosen]
    return _boxes(model, model.bvh_aabb[node], state.xipos[body], state.ximat[body])


def mesh_boxes(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """Bounding boxes of one depth of the BVHs of meshes."""
    boxes, position, rotation = [], [], []
    for geom in np.flatnonzero(np.asarray(model.geom_type) == MESH).tolist():
        mesh = int(model.geom_dataid[geom])
        start, count = int(model.mesh_bvhadr[mesh]), int(model.mesh_bvhnum[mesh])
        node = np.arange(start, start + count)
        node = node[_at_depth(model, node, options.bvh_depth)]
        boxes.append(model.bvh_aabb[node])
        position.append(np.repeat(state.geom_xpos[geom][None], len(node), axis=0))
        rotation.append(np.repeat(state.geom_xmat[geom].reshape(1, 9), len(node), axis=0))
    if not boxes:
        return []
    return _boxes(model, np.concatenate(boxes), np.concatenate(position), np.concatenate(rotation))


def _at_depth(model: ModelView, node: NDArray[np.int64], depth: int) -> NDArray[np.bool_]:
    """Nodes of a depth, and leaves above it."""
    own = np.asarray(model.bvh_depth)[node]
    leaf = (np.asarray(model.bvh_child)[node] < 0).all(axis=1)
    chosen: NDArray[np.bool_] = (own == depth) | (leaf & (own < depth))
    return chosen


def _boxes(model: ModelView, aabb: Array, position: Array, rotation: Array) -> list[Batch]:
    """Edges of boxes (centre, half sizes) in frames, except those of infinite planes."""
    finite = aabb[:, 3:].max(axis=1, initial=0.0) < INFINITE * float(model.stat.extent)
    aabb, position, rotation = aabb[finite], position[finite], rotation[finite]
    if not len(aabb):
        return []
    corner = aabb[:, None, :3] + _CORNERS * aabb[:, None, 3:]
    world = position[:, None] + np.einsum("nij,nkj->nki", np.asarray(rotation).reshape(-1, 3, 3), corner)
    start, end = world[:, _EDGES[:, 0]].reshape(-1, 3), world[:, _EDGES[:, 1]].reshape(-1, 3)
    radius = 0.02 * float(model.stat.meansize)
    rows = rods(start, end, radius, np.broadcast_to(np.asarray(model.vis.rgba.bv, float), (len(start), 4)))
    return [Batch("capsule", NO_TEXTURE, rows, lod=3)]


def _identities(count: int) -> Array:
    return np.broadcast_to(np.eye(3), (count, 3, 3))
