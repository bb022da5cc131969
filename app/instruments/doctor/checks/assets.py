"""Doctor: assets and default classes that are not used, meshes in millimetres, meshes too fine or open."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10
from typing import NamedTuple

import numpy as np

from app.instruments.doctor import structure
from app.instruments.doctor.finding import Finding, Fix, Place, Severity, elements
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from sim.enums import GEOM_HFIELD, GEOM_MESH, GEOM_PLANE, TEXTURE_SKYBOX
from sim.mjcf.attach.references import walk
from sim.mjcf.source import Node

# asset -> attributes that name one
USES = {
    "mesh": ("mesh",),
    "hfield": ("hfield",),
    "texture": ("texture",),
    "material": ("material",),
}
# sizes of meshes over other lengths of the model: millimetres are a factor of 1000
LARGE, SMALL = 100.0, 0.005
# m: no mesh of a robot is smaller than this
TINY = 0.001
# vertices of the convex hull, which collisions search
FINE = 5000
# share of edges that have one face only
OPEN = 0.02


class Unused(NamedTuple):
    """An asset that is not used."""

    kind: str
    number: int
    name: str


def check_assets(subject: Subject) -> Iterator[Finding]:
    """Unused assets and classes, and meshes."""
    root = subject.origins.root
    if root is not None:
        yield from _unused(subject, root)
        yield from _unused_classes(root)
    yield from _mesh_sizes(subject)
    yield from _fine_meshes(subject)


def _unused(subject: Subject, root: Node) -> Iterator[Finding]:
    """One finding for each type; what an include or an attached model brings along is shared with others."""
    origins, m = subject.origins, subject.model
    named = {
        kind: {node.attrib[key] for node in walk(root) for key in keys if key in node.attrib and node.tag != kind}
        for kind, keys in USES.items()
    }
    # a mesh can bring its material
    named["material"] |= {node.attrib["material"] for node in walk(root) if "material" in node.attrib}
    for kind, used in named.items():
        found = []
        for index, name in enumerate(m.names.get(kind, ())):
            node = origins.node(kind, index)
            if node is None or node.document is not root.document or name in used:
                continue
            if kind == "texture" and m.tex_type[index] == TEXTURE_SKYBOX:
                continue
            found.append(Unused(kind, index, name))
        if found:
            yield _unused_finding(found)


def _unused_finding(found: list[Unused]) -> Finding:
    first = found[0]
    names = ", ".join(one.name or f"number {one.number}" for one in found[:4]) + (", ..." if len(found) > 4 else "")
    return Finding(
        "unused-asset",
        Severity.NOTE,
        Selection(first.kind, first.number),
        f"{first.kind} {first.name} is not used"
        if len(found) == 1
        else f"{len(found)} {'meshes' if first.kind == 'mesh' else first.kind + 's'} are not used: {names}",
        "It costs loading time and memory. Often a geom's reference to it is missing or misspelled.",
        0.4 if first.kind in ("mesh", "hfield") else 0.3,
        (Fix(f"remove it, or give a geom {first.kind}='{first.name}'"),),
        others=tuple(Selection(one.kind, one.number) for one in found[1:]),
    )


def _unused_classes(root: Node) -> Iterator[Finding]:
    """Default classes of the main file that no element has."""
    used = {node.attrib[key] for node in walk(root) for key in ("class", "childclass") if _names_class(node, key)}
    unused = []
    for section in root.children:
        if section.tag == "default":
            unused += [
                node
                for node in walk(section)
                if node.tag == "default"
                and node is not section
                and node.document is root.document
                and not {part.attrib.get("class", "") for part in walk(node) if part.tag == "default"} & used
            ]
    if unused:
        names = ", ".join(node.attrib.get("class", "") for node in unused[:4]) + (", ..." if len(unused) > 4 else "")
        plural = f"{len(unused)} default classes are" if len(unused) > 1 else "a default class is"
        yield Finding(
            "unused-class",
            Severity.NOTE,
            Selection("default", 0),
            f"{plural} not used: {names}",
            "Its settings have no effect. Was it meant to be the class or childclass of something?",
            0.1,
            (Fix("remove it, or use it where it should apply"),),
            Place(unused[0].file, unused[0].line),
        )


def _names_class(node: Node, key: str) -> bool:
    return key in node.attrib and node.tag != "default"


def _mesh_sizes(subject: Subject) -> Iterator[Finding]:
    """Meshes that are far larger or smaller than everything else: lengths of the model, or its other geoms."""
    m = subject.model
    kinds, radii = np.asarray(m.geom_type), np.asarray(m.geom_rbound)
    meshes = np.flatnonzero((kinds == GEOM_MESH) & (np.asarray(m.geom_dataid) >= 0))
    others = np.flatnonzero(~np.isin(kinds, (GEOM_MESH, GEOM_PLANE, GEOM_HFIELD)))
    if not len(meshes):
        return
    arms = np.linalg.norm(np.asarray(m.body_pos), axis=1)[1:]
    for mesh in sorted({int(m.geom_dataid[geom]) for geom in meshes}):
        geoms = [int(geom) for geom in meshes if m.geom_dataid[geom] == mesh]
        rest = [*radii[others], *(radii[geom] for geom in meshes if m.geom_dataid[geom] != mesh)]
        lengths = [float(x) for x in (rest or arms) if x > 1e-6]
        if not lengths:
            continue
        typical, size = float(np.median(lengths)), float(radii[geoms].max())
        largest = max(*lengths, float(arms.max(initial=0.0)))
        # a mesh of the world may be a landscape
        moves = any(m.body_weldid[m.geom_bodyid[geom]] for geom in geoms)
        if (size > LARGE * typical and size > (3 if moves else 30) * largest) or (
            0 < size < SMALL * typical and (size < 0.03 * min(lengths) or size < TINY)
        ):
            yield _mesh_finding(subject, mesh, geoms, size, typical)


def _mesh_finding(subject: Subject, mesh: int, geoms: list[int], size: float, typical: float) -> Finding:
    ratio = size / typical
    large = ratio > 1
    unit = "millimetres" if large else "metres that were divided by 1000"
    return Finding(
        "mesh-scale",
        Severity.ERROR,
        Selection("geom", geoms[0]),
        f"mesh {subject.model.names['mesh'][mesh]} has a radius of {size:.3g} m, {max(ratio, 1 / ratio):.3g} times "
        f"{'more' if large else 'less'} than the other geoms ({typical:.3g} m)",
        f"Lengths are in metres. The mesh file is likely in {unit}; a mass computed from it is wrong by the "
        "cube of that factor.",
        abs(log10(ratio)),
        (
            Fix(
                f"give the mesh scale='{'0.001 0.001 0.001' if large else '1000 1000 1000'}', or scale the file",
                tree=structure.scale_mesh(subject, mesh, 0.001 if large else 1000.0),
            ),
        ),
        others=(Selection("mesh", mesh), *elements("geom", geoms[1:])),
        attribute="mesh",
    )


def _fine_meshes(subject: Subject) -> Iterator[Finding]:
    """Meshes that collide and whose hull has very many vertices."""
    m, touching = subject.model, subject.collidable.touching
    found = []
    for mesh in range(int(m.nmesh)):
        geoms = [g for g in range(int(m.ngeom)) if m.geom_type[g] == GEOM_MESH and m.geom_dataid[g] == mesh]
        start = int(m.mesh_graphadr[mesh])
        if start >= 0 and any(touching[geom] for geom in geoms):
            vertices = int(m.mesh_graph[start])
            if vertices > FINE:
                found.append((vertices, mesh, geoms[0]))
    if found:
        vertices, mesh, geom = max(found)
        yield Finding(
            "mesh-fine",
            Severity.NOTE,
            Selection("geom", geom),
            f"the hull of mesh {m.names['mesh'][mesh]} has {vertices} vertices and collides",
            "Collisions search the hull in every step. A hundred vertices are usually enough to stand and roll.",
            log10(vertices / FINE),
            (Fix("give the mesh maxhullvert='100', or let a primitive geom collide instead"),),
            others=elements("geom", (one[2] for one in found), geom),
        )
