"""Compiles meshes: centred at the centre of mass, aligned with the principal axes, with normals, hull and BVH.

Volume and moments come from tetrahedra over the triangles (`exact`; `legacy` takes each volume as positive), over those
of the hull (`convex`), or from the triangles themselves (`shell`). Sums run in the order of the faces, and normals are
summed in single precision, as in MuJoCo, so that results agree even where they are ill-conditioned: the principal axes
of a body of revolution depend on the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import Any

import numpy as np

from sim import enums
from sim.mjcf import notes
from sim.mjcf.asset.asset_file import read_asset
from sim.mjcf.asset.builtin_lattice import is_surface
from sim.mjcf.asset.builtin_mesh import PLATE, make_mesh
from sim.mjcf.asset.cache import asset_cache
from sim.mjcf.asset.hull import Hull, flipped, hull_polygons, polygon_normals, polygons_of_vertices
from sim.mjcf.asset.mesh_bvh import MeshBvh
from sim.mjcf.asset.mesh_file import Soup, decode, mesh_format, no_floats, no_ints
from sim.mjcf.asset.rows import Doubles, Floats, Ints, corners, cross, dot, grouped, normalize, rotated, total
from sim.mjcf.records import Mesh
from sim.mjcf.rotation import UNIT, Quat, Vec3, neg_quat, normalize4, principal_axes, quat_to_mat

CONVEX, EXACT, LEGACY, SHELL = range(4)
# of products of inertia: vertices in single precision give no more digits, and equal moments no axes
ROUNDING = 1e-7
# faces whose normal is further from the mean are left out of a vertex normal: cosine of the angle
SHARP = 0.8
# tolerances of the triangle inequality of the moments
RELATIVE, ABSOLUTE = 1e-6, 1e-9
LARGEST = float(np.finfo(np.float32).max)
PRODUCTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
# attributes that the compiled mesh depends on, besides the file
INPUTS = (
    "vertex", "normal", "texcoord", "face", "builtin", "params", "refpos", "refquat", "scale", "smoothnormal",
    "maxhullvert", "inertia",
)  # fmt: skip


@dataclass
class CompiledMesh:
    """A compiled mesh. `box`: half-sizes of the equivalent inertia box; `volume`: for a shell, the area."""

    vertex: Doubles
    face: Ints
    normal: Floats
    facenormal: Ints
    texcoord: Floats
    facetexcoord: Ints
    pos: Vec3
    quat: Quat
    volume: float
    box: Vec3
    low: Vec3
    high: Vec3
    tree: MeshBvh
    graph: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    extrema: Ints = field(default_factory=lambda: np.zeros(27, np.int32))
    polyvert: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    polyvertnum: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    polynormal: Doubles = field(default_factory=lambda: np.zeros((0, 3)))
    polymapnum: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    polymap: Ints = field(default_factory=lambda: np.zeros(0, np.int32))


def compile_mesh(mesh: Mesh, collides: bool) -> CompiledMesh:
    """Load, check and process a mesh; it gets a hull if it collides or has no faces."""
    # without a volume
    if mesh.builtin == PLATE or (mesh.inertia == LEGACY and is_surface(mesh.builtin, mesh.params)):
        mesh.inertia = SHELL
    data = read_asset(mesh, mesh.file) if mesh.file and not mesh.builtin else b""
    kind = mesh_format(mesh.file, mesh.content_type)

    def make() -> CompiledMesh:
        soup = _load(mesh, data, kind)
        _check(mesh, soup)
        # overflows are detected in the results
        with np.errstate(all="ignore"):
            return _processed(mesh, soup, collides)

    return asset_cache.get(
        ("mesh", bool(mesh.file), data, kind, collides, mesh.stretch, *(getattr(mesh, name) for name in INPUTS)), make
    )


def _processed(mesh: Mesh, soup: Soup, collides: bool) -> CompiledMesh:
    vertex = soup.vertex.astype(np.float64)
    if mesh.inertia == EXACT:
        _check_orientation(mesh, vertex, soup.face)
    hull = None
    if collides or mesh.inertia == CONVEX or not len(soup.face):
        try:
            hull = Hull(vertex, mesh.maxhullvert)
        except ValueError as why:
            cure = "use a plane or a thin box, or disable its collisions" if "plane" in str(why) else ""
            raise mesh.error(str(why), cure) from None
        if not len(soup.face):
            soup.face = hull.face.copy()
    _complete(soup, vertex, mesh.smoothnormal)
    polygons = hull_polygons(vertex, hull.face) if hull else None
    vertex, normal = _transformed(mesh, vertex, soup.normal)
    # mirroring inverts the faces: flip them
    if _mirrored(mesh):
        for name in ("face", "facenormal", "facetexcoord"):
            setattr(soup, name, np.ascontiguousarray(getattr(soup, name)[:, [0, 2, 1]]))
        if hull and polygons:
            hull.flip()
            polygons = flipped(polygons)
    compiled = _aligned(mesh, vertex, normal, soup, hull.face if hull and mesh.inertia == CONVEX else soup.face)
    if hull and polygons:
        compiled.graph, compiled.extrema = hull.graph, hull.extrema(compiled.vertex)
        compiled.polyvert, compiled.polyvertnum = polygons
        compiled.polynormal = polygon_normals(compiled.vertex, polygons)
        compiled.polymapnum, compiled.polymap = polygons_of_vertices(len(vertex), polygons)
    return compiled


# ---- loading and checks


def _load(mesh: Mesh, data: bytes, kind: str) -> Soup:
    """From a file, a builtin shape or the attributes; attributes add what the file does not have."""
    written = Soup()
    for name, width in (("vertex", 3), ("normal", 3), ("texcoord", 2), ("face", 3)):
        values = getattr(mesh, name)
        if len(values) % width:
            raise mesh.error(f"{name} has {len(values)} values", f"the number must be divisible by {width}")
        dtype: Any = np.int32 if name == "face" else np.float32
        with np.errstate(all="ignore"):
            setattr(written, name, np.array(values, dtype).reshape(-1, width))
    if mesh.builtin:
        if mesh.file or mesh.vertex:
            raise mesh.error("'builtin' excludes 'file' and 'vertex'", "remove one of them")
        try:
            made = make_mesh(mesh.builtin, mesh.params)
        except ValueError as why:
            given = " ".join(f"{x:g}" for x in mesh.params)
            raise mesh.error(f'params="{given}": {why}') from None
        return _merged(mesh, made, written)
    if not mesh.file:
        return written
    try:
        made = decode(data, kind)
    except ValueError as why:
        raise mesh.error(f"file '{mesh.file}': {why}") from None
    bad = (made.facetexcoord < 0) | (made.facetexcoord >= len(made.texcoord))
    if kind == "obj" and bad.any():
        row = int(np.flatnonzero(bad.any(axis=1))[0])
        what = (
            f"file '{mesh.file}': face {row} has no texture coordinates, so the other faces' texture coordinates "
            "are ignored"
        )
        notes.warn(str(mesh.error(what, "specify them for all faces or for none")), stacklevel=2)
        made.texcoord, made.facetexcoord = no_floats(2), no_ints()
    return _merged(mesh, made, written)


def _mirrored(mesh: Mesh) -> bool:
    return mesh.scale[0] * mesh.scale[1] * mesh.scale[2] < 0


def _merged(mesh: Mesh, made: Soup, written: Soup) -> Soup:
    for name in ("vertex", "normal", "texcoord", "face"):
        if len(getattr(written, name)):
            if len(getattr(made, name)):
                raise mesh.error(f"both the file and the attribute have {name}", "remove the attribute")
            setattr(made, name, getattr(written, name))
    return made


def _check(mesh: Mesh, soup: Soup) -> None:
    where = f"file '{mesh.file}': " if mesh.file else ""
    count = len(soup.vertex)
    if count < 4:
        raise mesh.error(f"{where}there are {count} vertices", "a mesh needs at least 4")
    for name in ("vertex", "normal", "texcoord"):
        rows = getattr(soup, name)
        if not np.isfinite(rows).all():
            row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
            raise mesh.error(f"{where}{name} {row} is not finite")
    if len(soup.texcoord) not in (0, count) and not len(soup.facetexcoord):
        raise mesh.error(
            f"{where}there are {len(soup.texcoord)} texture coordinates",
            f"there must be one for each of the {count} vertices",
        )
    for name, size, what in (
        ("face", count, "vertex"),
        ("facenormal", len(soup.normal), "normal"),
        ("facetexcoord", len(soup.texcoord), "texture coordinate"),
    ):
        rows = getattr(soup, name) if size else no_ints()
        bad = (rows < 0) | (rows >= size)
        if bad.any():
            row = int(np.flatnonzero(bad.any(axis=1))[0])
            if name == "facenormal" and rows[row].max() < 0:
                raise mesh.error(f"{where}face {row} has no normals", "specify them for all faces or for none")
            raise mesh.error(f"{where}face {row} refers to {what} {rows[row][bad[row]][0]}", f"there are {size}")


def _check_orientation(mesh: Mesh, vertex: Doubles, face: Ints) -> None:
    """Check that no directed edge occurs twice."""
    _, _, area = _triangles(vertex, face)
    there = face[area > sqrt(enums.MINVAL)].astype(np.int64)
    edges = np.sort((there * len(vertex) + np.roll(there, -1, axis=1)).ravel())
    twice = np.flatnonzero(edges[1:] == edges[:-1])
    if len(twice):
        a, b = divmod(int(edges[twice[0]]), len(vertex))
        raise mesh.error(
            f"the two faces at the edge between vertices {a} and {b} have opposite orientations",
            "flip one of them, or choose another inertia",
        )


# ---- normals


def _complete(soup: Soup, vertex: Doubles, smooth: bool) -> None:
    """Add normals, and indices of normals and texture coordinates, where they are not given."""
    if not len(soup.normal):
        soup.normal = _vertex_normals(vertex, soup.face, smooth)
        soup.facenormal = soup.face.copy()
    if not len(soup.facenormal):
        # several normals per vertex: use the first
        soup.facenormal = len(soup.normal) // len(vertex) * soup.face
    if len(soup.texcoord) and not len(soup.facetexcoord):
        soup.facetexcoord = soup.face.copy()
    if not len(soup.facetexcoord):
        soup.facetexcoord = no_ints()


def _vertex_normals(vertex: Doubles, face: Ints, smooth: bool) -> Floats:
    """Area-weighted mean of the face normals, without faces at a sharp angle to the mean unless `smooth`."""
    a, b, c = corners(vertex, face)
    normal, length = normalize(cross(b - a, c - a))
    weighted = np.repeat(normal * length[:, None], 3, axis=0)
    corner = face.ravel()
    sums = _single_sums(len(vertex), corner, weighted)
    if not smooth:
        mean, _ = normalize(sums.astype(np.float64)[corner])
        sharp = dot(np.repeat(normal, 3, axis=0), mean) < SHARP
        sums -= _single_sums(len(vertex), corner[sharp], weighted[sharp])
    size = np.sqrt(dot(sums, sums))
    good = size > enums.MINVAL
    sums[good] /= size[good, None]
    sums[~good] = (0, 0, 1)
    return sums


def _single_sums(count: int, index: Ints, rows: Doubles) -> Floats:
    """Sequential sum of the rows of each index, each step rounded to single precision."""
    sums = np.zeros((count, 3), np.float32)
    if not len(index):
        return sums
    order, sizes = grouped(index), np.bincount(index, minlength=count)
    # all first rows, then all second rows, ...; indices with most rows in front
    busy = np.argsort(-sizes)
    first = (np.cumsum(sizes) - sizes)[busy]
    partial = np.zeros((count, 3), np.float32)
    for k, more in enumerate(np.searchsorted(-sizes[busy], -np.arange(sizes.max()), side="left").tolist()):
        partial[:more] = partial[:more].astype(np.float64) + rows.take(order.take(first[:more] + k), axis=0)
    sums[busy] = partial
    return sums


# ---- scale, centre, axes


def _transformed(mesh: Mesh, vertex: Doubles, normal: Floats) -> tuple[Doubles, Floats]:
    """Apply refpos, refquat, scale and the stretch of a frame."""
    if any(mesh.refpos):
        vertex = vertex - mesh.refpos
    if mesh.refquat != UNIT:
        m = np.array(quat_to_mat(normalize4(mesh.refquat))).reshape(3, 3).T
        vertex, normal = rotated(vertex, m), rotated(normal.astype(np.float64), m).astype(np.float32)
    if mesh.scale != (1.0, 1.0, 1.0):
        vertex, normal = vertex * mesh.scale, (normal / np.array(mesh.scale)).astype(np.float32)
        normal[~np.isfinite(normal).all(axis=1)] = 0
    if mesh.stretch is not None:
        m = np.array(mesh.stretch).reshape(3, 3)
        vertex, normal = rotated(vertex, m), rotated(normal.astype(np.float64), np.linalg.inv(m).T).astype(np.float32)
    square = dot(normal, normal)
    good = square > enums.MINVAL
    factor = np.float32(1) / np.sqrt(np.where(good, square, np.float32(1)))
    return vertex, np.where(good[:, None], normal * factor[:, None], np.array([0, 0, 1], np.float32))


def _aligned(mesh: Mesh, vertex: Doubles, normal: Floats, soup: Soup, face: Ints) -> CompiledMesh:
    """Move the centre of mass to the origin and the principal axes to x, y, z."""
    centre = _centre(mesh, vertex, soup.face, face)
    volume, moments = _moments(mesh, vertex - centre, face)
    if not isfinite(sum(moments)) or not volume > 0:
        raise mesh.error("cannot compute its inertia: vertices are too far apart or too close", "change scale")
    quat, (a, b, c) = principal_axes(moments, ROUNDING, ROUNDING)
    if c <= 0:
        raise mesh.error(f"its smallest principal moment is {c:g}", "check the orientation of its faces")
    for one, two, three in ((a, b, c), (a, c, b), (b, c, a)):
        if one + two < three * (1 - RELATIVE) - ABSOLUTE:
            raise mesh.error(
                f"its principal moments {a:g} {b:g} {c:g} violate the triangle inequality", "check its faces"
            )
    box = tuple(0.5 * sqrt(max(0.0, 6 * (x + y - z) / volume)) for x, y, z in ((b, c, a), (a, c, b), (a, b, c)))
    m = np.array(quat_to_mat(neg_quat(quat))).reshape(3, 3)
    vertex = rotated(vertex - centre, m)
    normal = rotated(normal.astype(np.float64), m).astype(np.float32)
    low, high = vertex.min(axis=0).tolist(), vertex.max(axis=0).tolist()
    if not max(-min(low), max(high)) < LARGEST:
        raise mesh.error("a coordinate exceeds single precision", "reduce scale")
    return CompiledMesh(
        vertex,
        soup.face,
        normal,
        soup.facenormal,
        soup.texcoord,
        soup.facetexcoord,
        tuple(centre.tolist()),
        quat,
        volume,
        (box[0], box[1], box[2]),
        tuple(low),
        tuple(high),
        MeshBvh(vertex, soup.face),
    )


def _centre(mesh: Mesh, vertex: Doubles, surface: Ints, face: Ints) -> Doubles:
    """Centre of mass, from tetrahedra over the faces with their apex at the centroid of the surface."""
    normal, middle, area = _triangles(vertex, surface)
    whole = total(area)
    if not isfinite(whole):
        raise mesh.error("its surface area overflows", "reduce scale")
    if not whole >= enums.MINVAL:
        raise mesh.error(f"its surface area is {whole:g}", "increase scale")
    tip = total(area[:, None] * middle) / whole
    if mesh.inertia == SHELL:
        weight = area
    else:
        if face is not surface:
            normal, middle, area = _triangles(vertex, face)
        weight = dot(middle - tip, normal) * area / 3
        if mesh.inertia == LEGACY:
            weight = np.abs(weight)
    volume = total(weight)
    if not volume >= enums.MINVAL:
        if volume < 0:
            raise mesh.error(f"its volume is {volume:g}", "its triangles face inwards: flip them")
        raise mesh.error(f"its volume is {volume:g}", 'increase scale, or set inertia="shell", which needs no volume')
    centre: Doubles = total(weight[:, None] * (middle * 3.0 / 4.0 + tip / 4.0)) / volume
    return centre


def _moments(mesh: Mesh, vertex: Doubles, face: Ints) -> tuple[float, Any]:
    """Volume or area, and full inertia for density 1: xx yy zz xy xz yz."""
    normal, middle, area = _triangles(vertex, face)
    weight = area if mesh.inertia == SHELL else dot(middle, normal) * area / 3
    if mesh.inertia == LEGACY:
        weight = np.abs(weight)
    d, e, f = (corner.T for corner in corners(vertex, face))
    share = weight / (12 if mesh.inertia == SHELL else 20)
    p = []
    for i, j in PRODUCTS:
        spread = (
            2 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
            + d[i] * e[j]
            + d[j] * e[i]
            + d[i] * f[j]
            + d[j] * f[i]
            + e[i] * f[j]
            + e[j] * f[i]
        )
        p.append(total(share * spread))
    return total(weight), (p[1] + p[2], p[0] + p[2], p[0] + p[1], -p[3], -p[4], -p[5])


def _triangles(vertex: Doubles, face: Ints) -> tuple[Doubles, Doubles, Doubles]:
    """Unit normal, centroid and area of each triangle."""
    a, b, c = corners(vertex, face)
    normal = cross(b - a, c - a)
    length = np.sqrt(dot(normal, normal))
    good = length >= enums.MINVAL
    normal = normal / np.where(good, length, 1.0)[:, None]
    return normal, (a + b + c) / 3, np.where(good, 0.5 * length, 0.0)
