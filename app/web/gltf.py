"""Animated glTF 2.0 in one binary file (.glb), for Blender, three.js and other viewers.

Each node of the tracks is a glTF node at the anchor of its rotation, with its children and geoms moved back from there:
so most have a rotation alone. glTF is y up: everything is below one node that turns z up to it. What glTF has no words
for is left out: contacts, tendons, skins, reflections, cube maps (their mean colour stays).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.render.uniforms import to_linear
from app.scene.instances import (
    COLOUR,
    EMISSION,
    MATERIAL,
    METALLIC_ROUGHNESS,
    OPAQUE_ALPHA,
    POSITION,
    ROTATION,
    SHAPE,
    TEXTURE,
)
from app.scene.meshes import Mesh, primitive_meshes
from app.scene.model_meshes import model_mesh
from app.web.content import Content
from app.web.payload import Entry
from app.web.rotations import from_matrices, from_vectors, product

MAGIC, VERSION = b"glTF", 2
ARRAY, ELEMENTS = 34962, 34963
TYPES = {"u2": 5123, "u4": 5125, "f4": 5126}
SHAPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
# from z up to y up, x y z w
UPRIGHT = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]
# level of detail of round shapes; half sizes of an infinite plane, in extents
LOD, ENDLESS = 1, 10.0
# groups that are shown
FIRST_GROUPS = 3
# roughness of a Blinn-Phong exponent
FULL_SHININESS = 128.0

Floats = NDArray[np.float64]


def glb(content: Content) -> bytes:
    """The file."""
    return _Writer(content).file()


class _Writer:
    """Nodes, meshes, materials and one animation, and the buffer of all of them."""

    def __init__(self, content: Content) -> None:
        self._content, self._look = content, content.look
        self._buffer = bytearray()
        title = content.header["title"]
        self.document: Entry = {
            "asset": {"version": "2.0", "generator": f"Kinetoscope ({content.header['engine']})"},
            "scene": 0, "scenes": [{"nodes": [0], "name": title}], "nodes": [],
            "meshes": [], "materials": [], "accessors": [], "bufferViews": [],
        }  # fmt: skip
        # what is there already, by what it is; accessors of shapes, and whether they are open
        self._known: dict[Any, int] = {}
        self._forms: list[tuple[dict[str, int], int, bool]] = []
        self._primitives = primitive_meshes()
        self._add_nodes()
        self._add_instances()
        self._add_cameras()
        if len(content.frames.times) > 1:
            self._animate(title)

    def file(self) -> bytes:
        """The container: header, JSON, buffer."""
        document = {name: part for name, part in self.document.items() if part or name == "scene"}
        if self._buffer:
            document["buffers"] = [{"byteLength": len(self._buffer)}]
        text = json.dumps(document, allow_nan=False, separators=(",", ":")).encode("ascii")
        chunks = _chunk(b"JSON", text, b" ") + (_chunk(b"BIN\0", bytes(self._buffer), b"\0") if self._buffer else b"")
        return MAGIC + VERSION.to_bytes(4, "little") + (12 + len(chunks)).to_bytes(4, "little") + chunks

    # ---- nodes

    def _add_nodes(self) -> None:
        """The node that stands upright, then one for each node of the tracks, at its anchor."""
        tracks, nodes = self._content.tracks, self._content.nodes
        names = self._content.header["names"]["body"]
        self._pivot = np.zeros((len(nodes.parent), 3))
        self._pivot[tracks.moving] = tracks.pivot
        self.document["nodes"].append({"name": "upright", "rotation": UPRIGHT, "children": [1]})
        for index, rest in enumerate(tracks.rest):
            node = {"name": names[index] if index < len(names) and names[index] else f"body {index}"}
            # the world is a node as it is
            place = rest[:3] - (self._pivot[nodes.parent[index]] if index else 0)
            self.document["nodes"].append(node | _pose(place, rest[3:]))
        for index in range(1, len(nodes.parent)):
            self._add_child(int(nodes.parent[index]), index + 1)

    def _add_child(self, node: int, child: int) -> None:
        self.document["nodes"][node + 1].setdefault("children", []).append(child)

    def _add_instances(self) -> None:
        """A node with a mesh for each visible geom and site."""
        look, entry = self._look, self._content.header["instances"]
        groups = look.groups
        names = entry["names"]
        for index in np.flatnonzero(groups < FIRST_GROUPS).tolist():
            row, node = look.rows[index].astype(float), int(look.node[index])
            mesh = self._mesh(names[entry["shape"][index]], index)
            pose = _pose(row[POSITION] - self._pivot[node], from_matrices(row[ROTATION].reshape(3, 3)))
            self._add_child(node, len(self.document["nodes"]))
            self.document["nodes"].append({"mesh": mesh, **pose})

    def _add_cameras(self) -> None:
        """The cameras of the model that have a field of view."""
        near = self._content.header["view"]["near"]
        for camera in self._content.header["cameras"]:
            if camera["orthographic"] or not 0 < camera["fovy"] < 180:
                continue
            lens = {"yfov": float(np.radians(camera["fovy"])), "znear": near}
            of_camera = {"type": "perspective", "perspective": lens}
            cameras = self.document.setdefault("cameras", [])
            place = np.array(camera["position"]) - self._pivot[camera["node"]]
            self._add_child(camera["node"], len(self.document["nodes"]))
            name = {"name": camera["name"]} if camera["name"] else {}
            pose = _pose(place, np.array(camera["quaternion"]))
            self.document["nodes"].append({"camera": len(cameras), **name, **pose})
            cameras.append(of_camera | name)

    def _animate(self, title: str) -> None:
        """One animation of all that moves."""
        tracks, frames = self._content.tracks, self._content.frames
        time = np.arange(len(frames.times)) / self._content.header["time"]["fps"]
        keys = self._accessor(time[:, None], "f4", bounds=True)
        moved, turned = (q.values.reshape(len(time), len(tracks.moving), 3) for q in (tracks.position, tracks.rotation))
        samplers, channels = list[Entry](), list[Entry]()

        def channel(node: int, path: str, values: Floats) -> None:
            output = self._accessor(values, "f4")
            channels.append({"sampler": len(samplers), "target": {"node": node + 1, "path": path}})
            samplers.append({"input": keys, "output": output})

        for j, node in enumerate(tracks.moving.tolist()):
            if moved[:, j].any():
                place = tracks.rest[node, :3] - self._pivot[self._content.nodes.parent[node]]
                channel(node, "translation", place + moved[:, j])
            if turned[:, j].any():
                rest = np.broadcast_to(tracks.rest[node, 3:], (len(time), 4))
                channel(node, "rotation", _continuous(product(rest, from_vectors(turned[:, j])))[:, [1, 2, 3, 0]])
        if channels:
            self.document["animations"] = [{"name": title, "samplers": samplers, "channels": channels}]

    # ---- meshes and materials

    def _mesh(self, name: str, index: int) -> int:
        """The mesh of an instance, shared by all that look the same."""
        look = self._look
        row, texture = look.rows[index].astype(float), self._flat_texture(int(look.textures[index]))
        looks = (*row[COLOUR], *row[MATERIAL], *row[METALLIC_ROUGHNESS], int(look.textures[index]))
        textured = texture >= 0
        form = (name, *row[SHAPE], *(row[TEXTURE] if textured else ()))
        layers = self._layers(int(look.materials[index])) if textured else {}
        key = ("mesh", form, looks, tuple(layers.items()))
        if key not in self._known:
            attributes, indices, is_open = self._geometry(form, row, textured)
            material = self._material((*looks, is_open, tuple(layers.items())), row, texture, layers, is_open)
            part = {"attributes": attributes, "indices": indices, "material": material}
            self._known[key] = self._append("meshes", {"primitives": [part]})
        return self._known[key]

    def _geometry(self, form: Any, row: Floats, textured: bool) -> tuple[dict[str, int], int, bool]:
        """Accessors of a shape in its size, and whether it is open."""
        if ("form", form) not in self._known:
            name = form[0]
            mesh = model_mesh(self._content.view, name) if " " in name else self._primitives[name, LOD]
            position, normal = _sized(mesh, name, row, ENDLESS * self._content.header["stat"]["extent"])
            attributes = {
                "POSITION": self._accessor(position, "f4", ARRAY, bounds=True),
                "NORMAL": self._accessor(normal, "f4", ARRAY),
            }
            if textured:
                attributes["TEXCOORD_0"] = self._accessor(_texcoord(mesh, name, position, row), "f4", ARRAY)
            type_ = "u2" if len(position) < 1 << 16 else "u4"
            indices = self._accessor(mesh.triangles.reshape(-1, 1), type_, ELEMENTS)
            self._forms.append((attributes, indices, mesh.open or name == "plane"))
            self._known["form", form] = len(self._forms) - 1
        return self._forms[self._known["form", form]]

    def _material(self, key: Any, row: Floats, texture: int, layers: dict[str, int], is_open: bool) -> int:
        if ("material", key) in self._known:
            return self._known["material", key]
        tint = np.ones(3)
        own = int(key[10])
        if own >= 0 and texture < 0:
            tint = self._look.mean_colour(own)
        colour = to_linear(row[COLOUR].astype(np.float32)) * tint
        metallic, rough = row[METALLIC_ROUGHNESS]
        # of the exponent of a highlight
        shiny = np.sqrt(2 / (max(FULL_SHININESS * row[MATERIAL][1], 1.0) + 2))
        pbr: Entry = {
            "baseColorFactor": [*np.clip(colour, 0, 1).tolist(), float(np.clip(row[COLOUR][3], 0, 1))],
            "metallicFactor": float(np.clip(metallic, 0, 1)),
            "roughnessFactor": float(np.clip(rough if rough >= 0 else shiny, 0, 1)),
        }
        material: Entry = {"pbrMetallicRoughness": pbr}
        if texture >= 0:
            pbr["baseColorTexture"] = {"index": self._texture(texture)}
        if "orm" in layers:
            pbr["metallicRoughnessTexture"] = {"index": self._texture(layers["orm"])}
            pbr |= {"metallicFactor": 1.0, "roughnessFactor": 1.0}
        if (occlusion := layers.get("orm", layers.get("occlusion", -1))) >= 0:
            material["occlusionTexture"] = {"index": self._texture(occlusion)}
        if "normal" in layers:
            material["normalTexture"] = {"index": self._texture(layers["normal"])}
        emission = np.clip(colour * row[EMISSION], 0, 1)
        if "emissive" in layers:
            material["emissiveTexture"] = {"index": self._texture(layers["emissive"])}
            emission = np.ones(3)
        if emission.any():
            material["emissiveFactor"] = emission.tolist()
        if row[COLOUR][3] < OPAQUE_ALPHA:
            material["alphaMode"] = "BLEND"
        if is_open:
            material["doubleSided"] = True
        self._known["material", key] = self._append("materials", material)
        return self._known["material", key]

    def _layers(self, material: int) -> dict[str, int]:
        """Texture layers of a material."""
        found: dict[str, int] = self._content.header["materials"].get(str(material), {})
        return found

    def _flat_texture(self, texture: int) -> int:
        """A texture that glTF can have, or -1."""
        entry = self._content.header["textures"][texture] if texture >= 0 else None
        return texture if entry is not None and entry["kind"] == "2d" else -1

    def _texture(self, index: int) -> int:
        if ("texture", index) not in self._known:
            view = self._view(self._look.pngs[index])
            image = self._append("images", {"bufferView": view, "mimeType": "image/png"})
            # repeated in both directions, with mipmaps
            if "samplers" not in self.document:
                self._append("samplers", {"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497})
            self._known["texture", index] = self._append("textures", {"source": image, "sampler": 0})
        return self._known["texture", index]

    # ---- the buffer

    def _append(self, kind: str, item: Entry) -> int:
        self.document.setdefault(kind, []).append(item)
        return len(self.document[kind]) - 1

    def _view(self, data: bytes, target: int | None = None) -> int:
        self._buffer.extend(bytes(-len(self._buffer) % 4))
        view: Entry = {"buffer": 0, "byteOffset": len(self._buffer), "byteLength": len(data)}
        self._buffer.extend(data)
        return self._append("bufferViews", view if target is None else view | {"target": target})

    def _accessor(self, values: NDArray[Any], type_: str, target: int | None = None, bounds: bool = False) -> int:
        array = np.ascontiguousarray(values, "<" + type_)
        view = self._view(array.tobytes(), target)
        entry: Entry = {
            "bufferView": view, "componentType": TYPES[type_], "count": len(array), "type": SHAPES[array.shape[1]],
        }  # fmt: skip
        if bounds:
            entry |= {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        return self._append("accessors", entry)


def _chunk(kind: bytes, data: bytes, fill: bytes) -> bytes:
    data += fill * (-len(data) % 4)
    return len(data).to_bytes(4, "little") + kind + data


def _pose(position: Floats, quaternion: Floats) -> Entry:
    """Translation and rotation, left out where there is none."""
    w, x, y, z = (quaternion / np.linalg.norm(quaternion)).tolist()
    pose: Entry = {"translation": np.asarray(position, float).tolist()} if np.any(position) else {}
    return pose | ({"rotation": [x, y, z, w]} if (x, y, z) != (0, 0, 0) else {})


def _continuous(quaternions: Floats) -> Floats:
    """The same rotations, each quaternion on the side of the one before."""
    turn = np.sign((quaternions[1:] * quaternions[:-1]).sum(axis=1))
    quaternions[1:] *= np.cumprod(np.where(turn < 0, -1.0, 1.0))[:, None]
    unit: Floats = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    return unit


def _sized(mesh: Mesh, name: str, row: Floats, endless: float) -> tuple[Floats, Floats]:
    """Positions and normals of a shape in its size; halves of a capsule apart, infinite planes large."""
    position, normal = mesh.vertices[:, :3].astype(float), mesh.vertices[:, 3:6].astype(float)
    if " " not in name:
        scale = row[SHAPE][:3].copy()
        if name == "plane":
            scale = np.array([*np.where(scale[:2] > 0, scale[:2], endless), 1.0])
        scale = np.maximum(scale, 1e-12)
        position = position * scale
        position[:, 2] += mesh.vertices[:, 6] * row[SHAPE][3]
        normal = normal / scale
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    # a degenerate triangle has no normal
    return position, np.where(length > 1e-30, normal / np.maximum(length, 1e-30), (0.0, 0.0, 1.0))


def _texcoord(mesh: Mesh, name: str, position: Floats, row: Floats) -> Floats:
    """Coordinates of a 2D texture, as shaders/surface.vert computes them."""
    repeat, extent, shape = row[TEXTURE][:2], row[TEXTURE][2:], row[SHAPE][:3]
    own = mesh.vertices[:, 7:9].astype(float)
    if " " in name:
        if mesh.textured:
            return own * repeat
        return 0.5 * repeat * position[:, :2] * (1, -1) / extent[:2] + 0.5
    if mesh.textured:
        return own * repeat * shape[:2] / extent[:2]
    across = np.tile([0, 1], (len(position), 1))
    if name == "box":
        normal = np.abs(mesh.vertices[:, 3:6])
        across[normal[:, 0] > 0.5], across[normal[:, 1] > 0.5] = (1, 2), (0, 2)
    at = np.take_along_axis(position, across, axis=1)
    infinite = np.where(shape[:2] <= 0, 0.5, 0.0) if name == "plane" else 0.0
    projected: Floats = 0.5 * repeat * (shape[across] + at * (1, -1)) / extent[across] + infinite
    return projected
