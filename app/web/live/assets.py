"""Meshes and textures of models by their content, made into bytes when a page asks for them."""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.instances import NO_TEXTURE
from app.scene.model_meshes import model_mesh
from app.scene.surfaces import layers, skybox, texture_pixels
from app.web.payload import Container, Entry
from app.web.shapes import material_layers, mesh_entry, texture_entry, textures_of_data

# of gzip: what is fetched once should not keep anyone waiting
LEVEL = 4
# of a name
DIGITS = 32
# models whose meshes and textures can be had, and bytes that are kept ready
MOST_MODELS, MOST_BYTES = 3, 256 << 20

Maker = Callable[[], bytes]
_serials = count(1)


class AssetStore:
    """What pages may fetch; filled by the application, asked by the server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # of the newest models: content -> what makes it
        self._models: OrderedDict[int, dict[str, Maker]] = OrderedDict()
        self._made: OrderedDict[str, bytes] = OrderedDict()

    def add(self, serial: int, content: str, maker: Maker) -> None:
        """Something of a model can be had."""
        with self._lock:
            self._models.setdefault(serial, {})[content] = maker
            while len(self._models) > MOST_MODELS:
                self._models.popitem(last=False)

    def get(self, content: str) -> bytes | None:
        """A container, gzip; None if there is no such content."""
        with self._lock:
            if content in self._made:
                self._made.move_to_end(content)
                return self._made[content]
            maker = next((made[content] for made in self._models.values() if content in made), None)
        if maker is None:
            return None
        found = maker()
        with self._lock:
            self._made[content] = found
            while len(self._made) > 1 and sum(map(len, self._made.values())) > MOST_BYTES:
                self._made.popitem(last=False)
        return found


class ModelAssets:
    """What the draw lists of one model have used so far."""

    def __init__(self, store: AssetStore, model: ModelView) -> None:
        self.identity = model.identity
        self._store, self._model = store, model
        self._serial = next(_serials)
        self._shapes: dict[str, str] = {}
        self._textures: dict[str, str] = {}
        self._layers: dict[str, dict[str, int]] = {}
        self.entry: Entry = {}
        self._made_of = (-1, -1, -1)

    def use(self, shapes: set[str], textures: set[int], materials: set[int]) -> Entry:
        """The entry of a header, with these too; the same object while nothing is new."""
        for name in sorted(shapes - self._shapes.keys()):
            # primitives are made by the page
            if " " in name:
                self._add_shape(name)
        for material in sorted(materials):
            if material != NO_TEXTURE and str(material) not in self._layers:
                self._layers[str(material)] = layers(self._model, material)
        of_layers = {i for roles in self._layers.values() for i in roles.values()}
        for index in sorted(textures | of_layers | {skybox(self._model)}):
            if index != NO_TEXTURE and str(index) not in self._textures:
                self._add_texture(index, textures)
        counts = len(self._shapes), len(self._textures), len(self._layers)
        if counts != self._made_of:
            self._made_of = counts
            self.entry = {
                "serial": self._serial, "shapes": dict(self._shapes), "textures": dict(self._textures),
                "layers": dict(self._layers),
            }  # fmt: skip
        return self.entry

    def _add_shape(self, name: str) -> None:
        mesh = model_mesh(self._model, name)
        flags = bytes([mesh.open, mesh.textured])
        content = _digest(b"shape", np.ascontiguousarray(mesh.vertices), np.ascontiguousarray(mesh.triangles), flags)
        self._shapes[name] = content
        self._store.add(self._serial, content, lambda: _packed("shape", lambda box: mesh_entry(box, mesh)[0]))

    def _add_texture(self, index: int, colours: set[int]) -> None:
        model = self._model
        data = textures_of_data(material_layers(model, set(range(int(model.nmat)))), colours)
        srgb, pixels = index not in data, texture_pixels(model, index)
        flags = bytes([srgb, int(model.tex_type[index])])
        content = _digest(b"texture", str(pixels.shape).encode(), np.ascontiguousarray(pixels), flags)
        self._textures[str(index)] = content
        self._store.add(
            self._serial, content, lambda: _packed("texture", lambda box: texture_entry(box, model, index, srgb)[0])
        )


def _packed(kind: str, entry: Callable[[Container], Entry]) -> bytes:
    box = Container()
    return gzip.compress(box.header_and_blobs({kind: entry(box)}), LEVEL, mtime=0)


def _digest(*parts: bytes | NDArray[Any]) -> str:
    content = sha256()
    for part in parts:
        content.update(part.data if isinstance(part, np.ndarray) else part)
    return content.hexdigest()[:DIGITS]
