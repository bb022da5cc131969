"""Meshes and textures as entries of a container, for a page that replays a run and for one that shows it live."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.model.views import ModelView
from app.scene.meshes import Mesh
from app.scene.surfaces import layers, texture_pixels
from app.web.payload import HALF, Container, Entry, quantise
from sim.enums import TEXTURE_2D, TEXTURE_SKYBOX

# quantum of positions in meshes, m, of which the size of one has as many steps as this; that of texture coordinates
MESH_QUANTUM, FEWEST_STEPS, MOST_STEPS, TEXCOORD_QUANTUM = 2e-5, 1 << 12, 1 << 20, 1 / 8192
NORMAL = 127
# layers of materials that hold colour; the others are data
COLOUR_LAYERS = ("emissive",)
KINDS = {TEXTURE_2D: "2d", TEXTURE_SKYBOX: "skybox"}


def mesh_entry(box: Container, mesh: Mesh) -> tuple[Entry, float]:
    """A mesh: rounded positions, normals in eight bits; and the largest error of a vertex, m."""
    position = mesh.vertices[:, :3].astype(float)
    low = position.min(axis=0, initial=np.inf) if len(position) else np.zeros(3)
    size = float(np.ptp(position, axis=0).max(initial=0.0)) if len(position) else 1.0
    step = float(np.clip(MESH_QUANTUM, max(size, 1e-9) / MOST_STEPS, max(size, 1e-9) / FEWEST_STEPS))
    rounded = quantise(position, step, low)
    normal = np.clip(np.rint(mesh.vertices[:, 3:6] * NORMAL), -NORMAL, NORMAL)
    texcoord = quantise(mesh.vertices[:, 7:9], TEXCOORD_QUANTUM)
    entry = {
        "position": box.quantised(rounded, 1),
        "normal": box.whole(normal),
        "texcoord": box.quantised(texcoord, 1) if mesh.textured else None,
        "cap": None,
        "triangles": box.whole(mesh.triangles),
        "open": bool(mesh.open),
        "textured": bool(mesh.textured),
    }
    return entry, HALF * step


def texture_png(view: ModelView, index: int) -> tuple[bytes, int, int]:
    """The file of a texture, its width and height."""
    pixels: NDArray[Any] = texture_pixels(view, index)
    if (pixels[:, :, 3] == 255).all():
        pixels = pixels[:, :, :3]
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG", optimize=True)
    height, width = pixels.shape[:2]
    return file.getvalue(), width, height


def texture_entry(box: Container, view: ModelView, index: int, srgb: bool) -> tuple[Entry, bytes]:
    """A texture, and its file."""
    file, width, height = texture_png(view, index)
    kind = KINDS.get(int(view.tex_type[index]), "cube")
    png = box.raw(np.frombuffer(file, np.uint8), "u1")
    return {"kind": kind, "width": width, "height": height, "png": png, "srgb": srgb}, file


def material_layers(view: ModelView, used: set[int]) -> dict[int, dict[str, int]]:
    """The texture layers of materials, by role."""
    return {i: layers(view, i) for i in sorted(used) if i >= 0}


def textures_of_data(materials: dict[int, dict[str, int]], colours: set[int]) -> set[int]:
    """Textures of layers that hold other values than colour."""
    return {i for roles in materials.values() for role, i in roles.items() if role not in COLOUR_LAYERS} - colours
