"""Compiles meshes, height fields, skins and textures, and fills their fields of Model.

An asset takes its name from its file if it has none. Meshes and height fields are compiled before bodies, and geoms are
linked to theirs; a mesh gets a convex hull if a geom with it collides, or a site has it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.mjcf.asset.asset_file import stem
from sim.mjcf.asset.hfield import compile_hfield
from sim.mjcf.asset.mesh import compile_mesh
from sim.mjcf.asset.skin import compile_skin, fill_skins
from sim.mjcf.asset.texture import make_texture
from sim.mjcf.asset.texture_file import SIDES, check_reference, has_file, load_texture
from sim.mjcf.columns import fill_attributes, id_of, starts
from sim.mjcf.errors import located
from sim.mjcf.records import (
    Geom,
    HField,
    Ids,
    Item,
    Material,
    MemoryBudget,
    Mesh,
    Parsed,
    Site,
    Skin,
    Texture,
    Values,
    find,
)
from sim.mjcf.source import Node, bare

# tag -> class, list in Parsed, compiler setting with the folder of its files
ASSETS: dict[str, tuple[type[Item], str, str]] = {
    "texture": (Texture, "textures", "texturedir"),
    "material": (Material, "materials", ""),
    "mesh": (Mesh, "meshes", "meshdir"),
    "hfield": (HField, "hfields", "meshdir"),
    "skin": (Skin, "skins", "meshdir"),
}
# assets with files, in the order of the paths
WITH_PATH = {"hfield": "hfields", "mesh": "meshes", "skin": "skins", "tex": "textures"}
FEWEST_HULL_VERTICES = 4


def add_asset(parsed: Parsed, node: Node, item: Item) -> None:
    """Add an asset to its list."""
    _, place, folder = ASSETS[node.tag]
    compiler = parsed.compiler_at(node)
    if folder:
        values = vars(item)
        values["folder"] = getattr(compiler, folder)
        for key in ("file", *SIDES):
            if values.get(key) and compiler.strippath:
                values[key] = bare(values[key])
        item.name = item.name or stem(values["file"])
    if isinstance(item, Mesh) and item.maxhullvert != -1 and item.maxhullvert < FEWEST_HULL_VERTICES:
        raise item.error(
            f"maxhullvert is {item.maxhullvert}", f"it must be at least {FEWEST_HULL_VERTICES}, or -1 for no limit"
        )
    if isinstance(item, Texture):
        check_reference(item)
    getattr(parsed, place).append(item)


def compile_assets(parsed: Parsed, geoms: Sequence[Geom], sites: Sequence[Site], ids: Ids) -> None:
    """Compile meshes, height fields and skins, and link geoms and sites to theirs."""
    paired = {name for pair in parsed.section_elements["pair"] for name in (pair.geom1, pair.geom2)}
    collides: set[int] = set()
    for geom in geoms:
        geom.asset = _asset_of(parsed, geom, ids)
        if isinstance(geom.asset, Mesh):
            geom.material = geom.material or geom.asset.material
            if geom.type == enums.GEOM_MESH and (
                geom.contype or geom.conaffinity or (geom.name and geom.name in paired)
            ):
                collides.add(geom.asset.id)
    for site in sites:
        site.asset = _mesh_of(parsed, site, ids)
        if site.asset is not None:
            # its volume is that of the hull
            collides.add(site.asset.id)
            site.material = site.material or site.asset.material
    for mesh in parsed.meshes:
        with located(mesh.error):
            mesh.compiled = compile_mesh(mesh, mesh.id in collides)
    for field in parsed.hfields:
        with located(field.error):
            compile_hfield(field, parsed.budget)
    for skin in parsed.skins:
        with located(skin.error):
            compile_skin(skin)


def _asset_of(parsed: Parsed, geom: Geom, ids: Ids) -> Mesh | HField | None:
    """The mesh or height field that a geom names; checks it against the type."""
    if geom.type == enums.GEOM_HFIELD and not geom.hfield:
        raise geom.error("a geom of type hfield needs a height field", "set hfield")
    if geom.type != enums.GEOM_HFIELD and geom.hfield:
        raise geom.error("hfield is set, but the type is different", 'set type="hfield"')
    if geom.type == enums.GEOM_MESH and not geom.mesh:
        raise geom.error("a geom of type mesh needs a mesh", "set mesh")
    for kind, name, known in (("hfield", geom.hfield, parsed.hfields), ("mesh", geom.mesh, parsed.meshes)):
        if name:
            found: Mesh | HField = known[find(geom, kind, name, ids)]
            return found
    return None


def _mesh_of(parsed: Parsed, site: Site, ids: Ids) -> Mesh | None:
    """The mesh that a site names; checks it against the type."""
    if site.type == enums.GEOM_MESH and not site.mesh:
        raise site.error("a site of type mesh needs a mesh", "set mesh")
    if site.type != enums.GEOM_MESH and site.mesh:
        raise site.error("mesh is set, but the type is different", 'set type="mesh"')
    return parsed.meshes[id_of(site, "mesh", site.mesh, ids)] if site.mesh else None


# ---- values


def fill_assets(m: Values, parsed: Parsed, ids: Ids) -> None:
    """mesh_*, hfield_*, skin_*, tex_* and *_pathadr; in bvh_* meshes follow bodies."""
    _fill_meshes(m, parsed.meshes)
    _fill_trees(m, parsed.meshes)
    _fill_hfields(m, parsed.hfields)
    fill_skins(m, parsed.skins, ids)
    _fill_textures(m, parsed.textures, parsed.budget)
    _fill_paths(m, parsed)


# field, type and width, attribute of CompiledMesh, size field, whether the address is -1 if it is empty
_PARTS = (
    ("vert", np.float32, 3, "vertex", "nmeshvert", False),
    ("normal", np.float32, 3, "normal", "nmeshnormal", False),
    ("texcoord", np.float32, 2, "texcoord", "nmeshtexcoord", True),
    ("face", np.int32, 3, "face", "nmeshface", False),
)


def _fill_meshes(m: Values, meshes: Sequence[Mesh]) -> None:
    compiled = [mesh.compiled for mesh in meshes]
    m["nmesh"] = len(compiled)
    for name, kind, width, source, size, absent in _PARTS:
        parts = [getattr(mesh, source) for mesh in compiled]
        m[f"mesh_{name}"] = np.concatenate([np.zeros((0, width), kind), *parts], dtype=kind, casting="same_kind")
        m[size] = len(m[f"mesh_{name}"])
        address, counts = starts([len(part) for part in parts])
        m[f"mesh_{name}adr"], m[f"mesh_{name}num"] = np.where(counts > 0, address, -1) if absent else address, counts
    m["mesh_texcoordadr"] = m["mesh_texcoordadr"].astype(np.int32)
    none = np.zeros((0, 3), np.int32)
    m["mesh_facenormal"] = np.concatenate([none, *(mesh.facenormal for mesh in compiled)])
    m["mesh_facetexcoord"] = np.concatenate(
        [none, *(mesh.facetexcoord if len(mesh.facetexcoord) else np.zeros_like(mesh.face) for mesh in compiled)]
    )
    address, counts = starts([len(mesh.graph) for mesh in compiled])
    m["mesh_graph"] = np.concatenate([none.ravel(), *(mesh.graph for mesh in compiled)])
    m["mesh_graphadr"], m["nmeshgraph"] = np.where(counts > 0, address, -1).astype(np.int32), len(m["mesh_graph"])
    m["mesh_extrema"] = np.array([mesh.extrema for mesh in compiled], np.int32).reshape(-1, 27)
    fill_attributes(m, "mesh", "nmesh", meshes, {})
    m["mesh_pos"] = np.array([mesh.pos for mesh in compiled], float).reshape(-1, 3)
    m["mesh_quat"] = np.array([mesh.quat for mesh in compiled], float).reshape(-1, 4)
    m["mesh_octadr"], m["mesh_octnum"] = np.full(len(compiled), -1, np.int32), np.zeros(len(compiled), np.int32)
    _fill_polygons(m, compiled)


def _fill_polygons(m: Values, compiled: Sequence[Any]) -> None:
    """mesh_poly*: the polygons of the hulls."""
    none = np.zeros(0, np.int32)
    m["mesh_polyadr"], m["mesh_polynum"] = starts([len(mesh.polyvertnum) for mesh in compiled])
    m["mesh_polynormal"] = np.concatenate([np.zeros((0, 3)), *(mesh.polynormal for mesh in compiled)])
    m["mesh_polyvertadr"], m["mesh_polyvertnum"] = starts(np.concatenate([none, *(s.polyvertnum for s in compiled)]))
    m["mesh_polyvert"] = np.concatenate([none, *(mesh.polyvert for mesh in compiled)])
    # without a hull, vertices have no polygons
    counts = [mesh.polymapnum if len(mesh.polymapnum) else np.zeros(len(mesh.vertex), np.int32) for mesh in compiled]
    m["mesh_polymapadr"], m["mesh_polymapnum"] = starts(np.concatenate([none, *counts]))
    m["mesh_polymap"] = np.concatenate([none, *(mesh.polymap for mesh in compiled)])
    m["nmeshpoly"], m["nmeshpolyvert"], m["nmeshpolymap"] = (
        len(m[f"mesh_{name}"]) for name in ("polynormal", "polyvert", "polymap")
    )
    m["npolygonmax"] = int(m["mesh_polyvertnum"].max(initial=0))
    m["nmeshdegmax"] = int(m["mesh_polymapnum"].max(initial=0))


def _fill_trees(m: Values, meshes: Sequence[Mesh]) -> None:
    trees = [mesh.compiled.tree for mesh in meshes]
    address, m["mesh_bvhnum"] = starts([len(tree.boxes) for tree in trees])
    m["mesh_bvhadr"] = address + np.int32(m["nbvh"])
    for name, source in (("aabb", "boxes"), ("child", "children"), ("depth", "depths"), ("nodeid", "faces")):
        m[f"bvh_{name}"] = np.concatenate([m[f"bvh_{name}"], *(getattr(tree, source) for tree in trees)])
    m["nbvh"] = m["nbvhstatic"] = len(m["bvh_aabb"])


def _fill_hfields(m: Values, fields: Sequence[HField]) -> None:
    m["nhfield"] = len(fields)
    fill_attributes(m, "hfield", "nhfield", fields, {})
    m["hfield_adr"], _ = starts([field.heights.size for field in fields])
    m["hfield_data"] = np.concatenate([np.zeros(0, np.float32), *(field.heights.ravel() for field in fields)])
    m["nhfielddata"] = len(m["hfield_data"])


def _fill_textures(m: Values, textures: Sequence[Texture], budget: MemoryBudget) -> None:
    images = []
    for texture in textures:
        with located(texture.error):
            if "pixels" in vars(texture):
                images.append(_given_pixels(texture))
                continue
            # builtin takes precedence over a file
            read = has_file(texture) and not texture.builtin
            images.append(load_texture(texture, budget) if read else make_texture(texture, budget))
    m["tex_data"] = np.concatenate([np.zeros(0, np.uint8), *images])
    m["tex_adr"] = np.cumsum([0, *map(len, images)])[:-1].astype(np.int64)
    m["ntex"] = len(textures)
    fill_attributes(m, "texture", "ntex", textures, {})
    m["ntexdata"] = len(m["tex_data"])


def _given_pixels(texture: Texture) -> NDArray[np.uint8]:
    """The pixels that a program has given."""
    given = np.frombuffer(vars(texture)["pixels"], np.uint8)
    wanted = texture.width * texture.height * texture.nchannel
    if len(given) != wanted:
        raise texture.error(f"its data have {len(given)} bytes", f"its size and nchannel need {wanted}")
    return given


def _fill_paths(m: Values, parsed: Parsed) -> None:
    """*_pathadr and tex_contenttypeadr: addresses in null-terminated texts, one after the other."""
    place = 0

    def add(text: str) -> int:
        nonlocal place
        start = place
        place += len(text.encode()) + 1 if text else 0
        return start if text else -1

    for field, texts in _path_lists(parsed).items():
        m[field] = np.array([add(text) for text in texts], np.int32)


def _path_lists(parsed: Parsed) -> dict[str, list[str]]:
    """Paths and content types of assets, by the field that has their addresses."""
    lists = {f"{kind}_pathadr": [_path(item) for item in getattr(parsed, items)] for kind, items in WITH_PATH.items()}
    return {**lists, "tex_contenttypeadr": [texture.content_type for texture in parsed.textures]}


def path_texts(parsed: Parsed) -> bytes:
    """The texts that *_pathadr and tex_contenttypeadr are addresses in."""
    found = b"".join(text.encode() + b"\0" for texts in _path_lists(parsed).values() for text in texts if text)
    return found or b"\0"


def _path(item: Mesh | HField | Skin | Texture) -> str:
    """The path that an asset was read from, or would have been; empty without a file."""
    assert item.node is not None
    path = item.path or str(item.node.document.reader.folder / item.folder / item.file)
    return os.path.normpath(path).replace(os.sep, "/") if item.file else ""
