"""Meshes and instance buffers on the GPU.

Primitive meshes are uploaded once, meshes of the model when they are first drawn. The instances of a batch are written
once a frame into a buffer of the pool and used by every pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np

from app.model.views import ModelView
from app.scene.instances import INSTANCE_FLOATS, Batch, Floats
from app.scene.meshes import LODS, Mesh, primitive_meshes
from app.scene.model_meshes import model_mesh

VERTEX_LAYOUT = ("3f 3f 1f 2f", "in_position", "in_normal", "in_cap", "in_texcoord")
SHADOW_VERTEX_LAYOUT = ("3f 3x4 1f 2x4", "in_position", "in_cap")
INSTANCE_LAYOUT = (
    "3f 3f 3f 3f 4f 4f 4f 2f 3f 2f 1f /i",
    "i_position", "i_row0", "i_row1", "i_row2", "i_shape", "i_colour", "i_material", "i_repeat", "i_extent",
    "i_metallic_roughness", "i_id",
)  # fmt: skip
SHADOW_INSTANCE_LAYOUT = (
    "3f 3f 3f 3f 4f 4f 12x4 /i", "i_position", "i_row0", "i_row1", "i_row2", "i_shape", "i_colour",
)  # fmt: skip


@dataclass(frozen=True)
class GpuMesh:
    """A mesh on the GPU, the shader defines that it needs, and its bounding radius about the origin."""

    vertices: moderngl.Buffer
    triangles: moderngl.Buffer
    defines: tuple[str, ...]
    double_sided: bool
    radius: float

    def release(self) -> None:
        """Release GPU memory."""
        self.vertices.release()
        self.triangles.release()


# mesh name, LOD and index of the batch among those of equal mesh and LOD
Slot = tuple[str, int, int]


@dataclass(frozen=True)
class GpuBatch:
    """A batch on the GPU: its mesh, and the slot of the pool that holds its instances."""

    batch: Batch
    mesh: GpuMesh
    slot: Slot


class Pool:
    """All vertex data of one GL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._primitives = {key: self._upload_mesh(mesh) for key, mesh in primitive_meshes().items()}
        self._model_meshes: dict[str, GpuMesh] = {}
        self._buffers: dict[Slot, moderngl.Buffer] = {}
        self._arrays: dict[tuple[int, Slot], moderngl.VertexArray] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._model: ModelView | None = None

    def begin(self, model: ModelView, changed: bool) -> None:
        """Start a frame; release the meshes of the previous model."""
        if changed:
            self._release_model_meshes()
        self._model = model
        self._counts.clear()

    def update_vertices(self, meshes: dict[str, Floats]) -> None:
        """Overwrite the vertices of model meshes for this frame (skinning)."""
        for name, vertices in meshes.items():
            buffer = self._mesh_of(name, 0).vertices
            buffer.orphan()
            buffer.write(np.ascontiguousarray(vertices, dtype=np.float32))

    def upload(self, batches: tuple[Batch, ...]) -> list[GpuBatch]:
        """Write the instances of every batch into a buffer of the pool."""
        uploaded = []
        for batch in batches:
            index = self._counts.get((batch.shape, batch.lod), 0)
            self._counts[batch.shape, batch.lod] = index + 1
            slot = batch.shape, batch.lod, index
            self._write(slot, batch.instances)
            uploaded.append(GpuBatch(batch, self._mesh_of(batch.shape, batch.lod), slot))
        return uploaded

    def render(self, shader: moderngl.Program, item: GpuBatch, depth_only: bool = False, coarse: bool = False) -> None:
        """Draw all instances of a batch with a program; one LOD coarser in shadow maps and mirrors."""
        key = (shader.glo, item.slot)
        if key not in self._arrays:
            lod = min(item.batch.lod + coarse, len(LODS) - 1)
            mesh = self._mesh_of(item.batch.shape, lod)
            content = [
                (mesh.vertices, *(SHADOW_VERTEX_LAYOUT if depth_only else VERTEX_LAYOUT)),
                (self._buffers[item.slot], *(SHADOW_INSTANCE_LAYOUT if depth_only else INSTANCE_LAYOUT)),
            ]
            self._arrays[key] = self._context.vertex_array(shader, content, mesh.triangles, skip_errors=True)
        self._arrays[key].render(instances=len(item.batch.instances))

    def forget_program(self, shader: int) -> None:
        """Release the vertex arrays of a program that was evicted."""
        for key in [key for key in self._arrays if key[0] == shader]:
            self._arrays.pop(key).release()

    def release(self) -> None:
        """Release GPU memory."""
        self._release_model_meshes()
        owned: list[Any] = [*self._arrays.values(), *self._buffers.values(), *self._primitives.values()]
        for item in owned:
            item.release()

    def _mesh_of(self, name: str, lod: int) -> GpuMesh:
        """A primitive, or a mesh of the model, uploaded on first use."""
        if (name, lod) in self._primitives:
            return self._primitives[name, lod]
        if name not in self._model_meshes:
            assert self._model is not None, "call begin() first"
            self._model_meshes[name] = self._upload_mesh(model_mesh(self._model, name), from_model=True)
        return self._model_meshes[name]

    def _upload_mesh(self, mesh: Mesh, from_model: bool = False) -> GpuMesh:
        """Upload a mesh."""
        which = (("TEXCOORD", mesh.textured), ("MODEL_MESH", from_model))
        defines = tuple(name for name, true in which if true)
        vertices, triangles = (self._context.buffer(a.tobytes()) for a in (mesh.vertices, mesh.triangles))
        radius = float(np.linalg.norm(mesh.vertices[:, :3], axis=1).max(initial=0.0))
        return GpuMesh(vertices, triangles, defines, mesh.open, radius)

    def _write(self, slot: Slot, instances: np.ndarray[Any, Any]) -> None:
        """Write instances into a buffer of the pool, creating or growing it as needed."""
        if slot not in self._buffers:
            capacity = max(instances.nbytes, 4 * INSTANCE_FLOATS)
            self._buffers[slot] = self._context.buffer(reserve=capacity, dynamic=True)
        buffer = self._buffers[slot]
        if buffer.size < instances.nbytes:
            buffer.orphan(2 * instances.nbytes)
        else:
            buffer.orphan()
        buffer.write(np.ascontiguousarray(instances, dtype=np.float32))

    def _release_model_meshes(self) -> None:
        """Release the meshes of a model, with their instance buffers and vertex arrays."""
        for shader, slot in [key for key in self._arrays if key[1][0] in self._model_meshes]:
            self._arrays.pop((shader, slot)).release()
        for slot in [slot for slot in self._buffers if slot[0] in self._model_meshes]:
            self._buffers.pop(slot).release()
        for mesh in self._model_meshes.values():
            mesh.release()
        self._model_meshes = {}
