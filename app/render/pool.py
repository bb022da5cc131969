"""Shapes and instances on the GPU.

Triangles of primitives are brought there once, those of a model's own shapes when they are first drawn. The
instances of a batch are written once a frame into a buffer of the pool and used by every pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np

from app.run.snapshot import ModelView
from app.scene.instances import INSTANCE_FLOATS, Batch, Floats
from app.scene.meshes import LODS, Mesh, primitive_meshes
from app.scene.model_meshes import model_mesh

VERTEX_LAYOUT = ("3f 3f 1f 2f", "in_position", "in_normal", "in_cap", "in_texcoord")
SHADOW_VERTEX_LAYOUT = ("3f 3x4 1f 2x4", "in_position", "in_cap")
INSTANCE_LAYOUT = (
    "3f 3f 3f 3f 4f 4f 4f 2f 3f 2f 1f /i",
    "i_position", "i_row0", "i_row1", "i_row2", "i_shape", "i_colour", "i_material", "i_repeat", "i_extent",
    "i_finish", "i_id",
)  # fmt: skip
SHADOW_INSTANCE_LAYOUT = (
    "3f 3f 3f 3f 4f 4f 12x4 /i", "i_position", "i_row0", "i_row1", "i_row2", "i_shape", "i_colour",
)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """Triangles on the GPU, the defines that say where a texture goes, and how far from the origin they reach."""

    vertices: moderngl.Buffer
    triangles: moderngl.Buffer
    defines: tuple[str, ...]
    open: bool
    reach: float

    def release(self) -> None:
        """Give the memory back."""
        self.vertices.release()
        self.triangles.release()


# shape, level of detail and number of the batch among those of equal shape and level
Slot = tuple[str, int, int]


@dataclass(frozen=True)
class Uploaded:
    """A batch on the GPU: its triangles, and which slot of the pool holds its instances."""

    batch: Batch
    shape: Shape
    slot: Slot


class Pool:
    """All vertex data of one GL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._primitives = {key: self._shape(mesh) for key, mesh in primitive_meshes().items()}
        self._own_shapes: dict[str, Shape] = {}
        self._buffers: dict[Slot, moderngl.Buffer] = {}
        self._arrays: dict[tuple[int, Slot], moderngl.VertexArray] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._model: ModelView | None = None

    def begin(self, model: ModelView, changed: bool) -> None:
        """Start a frame; forget the shapes of another model."""
        if changed:
            self._release_own_shapes()
        self._model = model
        self._counts.clear()

    def deform(self, shapes: dict[str, Floats]) -> None:
        """Give shapes of the model other vertices for this frame."""
        for name, vertices in shapes.items():
            buffer = self._shape_of(name, 0).vertices
            buffer.orphan()
            buffer.write(np.ascontiguousarray(vertices, dtype=np.float32))

    def upload(self, batches: tuple[Batch, ...]) -> list[Uploaded]:
        """Write every batch into a buffer of the pool."""
        uploaded = []
        for batch in batches:
            number = self._counts.get((batch.shape, batch.lod), 0)
            self._counts[batch.shape, batch.lod] = number + 1
            slot = batch.shape, batch.lod, number
            self._write(slot, batch.instances)
            uploaded.append(Uploaded(batch, self._shape_of(batch.shape, batch.lod), slot))
        return uploaded

    def render(self, shader: moderngl.Program, item: Uploaded, depth_only: bool = False, coarse: bool = False) -> None:
        """Draw all instances of a batch with a program; one level coarser if nobody will look closely."""
        key = (shader.glo, item.slot)
        if key not in self._arrays:
            level = min(item.batch.lod + coarse, len(LODS) - 1)
            shape = self._shape_of(item.batch.shape, level)
            content = [
                (shape.vertices, *(SHADOW_VERTEX_LAYOUT if depth_only else VERTEX_LAYOUT)),
                (self._buffers[item.slot], *(SHADOW_INSTANCE_LAYOUT if depth_only else INSTANCE_LAYOUT)),
            ]
            self._arrays[key] = self._context.vertex_array(shader, content, shape.triangles, skip_errors=True)
        self._arrays[key].render(instances=len(item.batch.instances))

    def forget(self, shader: int) -> None:
        """A program is gone, so what was made for it goes too."""
        for key in [key for key in self._arrays if key[0] == shader]:
            self._arrays.pop(key).release()

    def release(self) -> None:
        """Give the memory back."""
        self._release_own_shapes()
        owned: list[Any] = [*self._arrays.values(), *self._buffers.values(), *self._primitives.values()]
        for item in owned:
            item.release()

    def _shape_of(self, name: str, level: int) -> Shape:
        """A primitive, or a shape of the model, made when it is first asked for."""
        if (name, level) in self._primitives:
            return self._primitives[name, level]
        if name not in self._own_shapes:
            assert self._model is not None, "a frame has begun"
            self._own_shapes[name] = self._shape(model_mesh(self._model, name), own=True)
        return self._own_shapes[name]

    def _shape(self, mesh: Mesh, own: bool = False) -> Shape:
        """A mesh on the GPU."""
        which = (("TEXCOORD", mesh.textured), ("OWN_SHAPE", own))
        defines = tuple(name for name, true in which if true)
        vertices, triangles = (self._context.buffer(a.tobytes()) for a in (mesh.vertices, mesh.triangles))
        reach = float(np.linalg.norm(mesh.vertices[:, :3], axis=1).max(initial=0.0))
        return Shape(vertices, triangles, defines, mesh.open, reach)

    def _write(self, slot: Slot, instances: np.ndarray[Any, Any]) -> None:
        """Fill a buffer of the pool, making or enlarging it as needed."""
        if slot not in self._buffers:
            room = max(instances.nbytes, 4 * INSTANCE_FLOATS)
            self._buffers[slot] = self._context.buffer(reserve=room, dynamic=True)
        buffer = self._buffers[slot]
        if buffer.size < instances.nbytes:
            buffer.orphan(2 * instances.nbytes)
        else:
            buffer.orphan()
        buffer.write(np.ascontiguousarray(instances, dtype=np.float32))

    def _release_own_shapes(self) -> None:
        """Forget the shapes of a model, and what was made for them."""
        for shader, slot in [key for key in self._arrays if key[1][0] in self._own_shapes]:
            self._arrays.pop((shader, slot)).release()
        for slot in [slot for slot in self._buffers if slot[0] in self._own_shapes]:
            self._buffers.pop(slot).release()
        for shape in self._own_shapes.values():
            shape.release()
        self._own_shapes = {}
