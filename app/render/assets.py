"""What renderers of one GL context share: shader programs, meshes and instances, the textures of the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl

from app.model.views import ModelView
from app.render.device import Programs, set_uniforms
from app.render.pool import GpuBatch, Pool
from app.render.textures import Textures
from app.scene.scene import DrawList


@dataclass(frozen=True)
class GpuLists:
    """The draw list of a frame on the GPU."""

    opaque: list[GpuBatch]
    transparent: list[GpuBatch]
    planes: list[GpuBatch]
    overlay: list[GpuBatch]
    outlined: list[GpuBatch]
    ghost: list[GpuBatch]


class Assets:
    """Programs, meshes and textures on the GPU; those of a model until another one is drawn."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self.programs = Programs(context)
        self.pool = Pool(context)
        self.textures: Textures | None = None
        self.identity: object = None
        self.fullscreen: dict[int, moderngl.VertexArray] = {}

    def upload(self, model: ModelView, scene: DrawList) -> GpuLists:
        """Upload the draw list, with textures and meshes if the model is a new one."""
        changed = model.identity is not self.identity
        if changed:
            if self.textures:
                self.textures.release()
            self.textures = Textures(self._context, model)
            self.identity = model.identity
        self.pool.begin(model, changed)
        self.pool.update_vertices(scene.deformed)
        lists = (scene.opaque, scene.transparent, scene.planes, scene.overlay, scene.outlined, scene.ghost)
        return GpuLists(*(self.pool.upload(batches) for batches in lists))

    def evict_programs(self) -> None:
        """Release shader variants that were not used recently: a program takes a megabyte on a software renderer."""
        for shader in self.programs.evict():
            self.pool.forget_program(shader)
            if shader in self.fullscreen:
                self.fullscreen.pop(shader).release()

    def draw_fullscreen(self, fragment: str, uniforms: dict[str, Any], *defines: str) -> None:
        """A full-screen triangle."""
        shader = self.programs.get("screen.vert", fragment, *defines)
        if shader.glo not in self.fullscreen:
            self.fullscreen[shader.glo] = self._context.vertex_array(shader, [])
        set_uniforms(shader, uniforms)
        self.fullscreen[shader.glo].render(vertices=3)

    def release(self) -> None:
        """Release GPU memory."""
        if self.textures:
            self.textures.release()
        owned: list[Any] = [*self.fullscreen.values(), self.pool, self.programs]
        for item in owned:
            item.release()
