"""The renderer backend of Dear ImGui, on moderngl.

ImGui manages its textures (the font atlas grows while the program runs): each frame they are created, updated or
destroyed as requested. Vertices and indices of a draw list go into two streaming buffers.
"""

from __future__ import annotations

import ctypes
from typing import Any

import moderngl
import numpy as np
from imgui_bundle import imgui

from app.render.device import Variant, program, set_uniforms

UNIT = 0
START_BYTES = 1 << 18
SHADERS: Variant = ("gui.vert", "gui.frag", ())


class GuiRenderer:
    """The renderer backend of the current ImGui context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = program(context, *SHADERS)
        self._vertices = context.buffer(reserve=START_BYTES, dynamic=True)
        self._indices = context.buffer(reserve=START_BYTES, dynamic=True)
        self._array = self._make_array()
        self._textures: dict[int, moderngl.Texture] = {}
        imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures

    def draw(self, target: moderngl.Framebuffer, data: imgui.ImDrawData) -> None:
        """Render ImGui's draw data over `target`."""
        self._update_textures()
        scale_x, scale_y = data.framebuffer_scale
        width, height = int(data.display_size.x * scale_x), int(data.display_size.y * scale_y)
        if width < 1 or height < 1:
            return
        target.use()
        target.viewport = (0, 0, width, height)
        context = self._context
        context.enable_only(moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        display = (*data.display_pos, *data.display_size)
        set_uniforms(self._program, {"u_display": display, "u_texture": UNIT})
        for commands in data.cmd_lists:
            self._upload(commands)
            for command in commands.cmd_buffer:
                self._draw_command(target, command, data, height)
        target.scissor = None  # type: ignore[assignment]

    def release(self) -> None:
        """Release GPU memory."""
        for texture in imgui.get_platform_io().textures:
            if texture.ref_count == 1:
                self._destroy(texture)
        for item in (self._array, self._vertices, self._indices, self._program):
            item.release()

    # drawing

    def _draw_command(self, target: moderngl.Framebuffer, command: Any, data: Any, height: int) -> None:
        """One draw command, scissored to its clip rectangle."""
        left, top, right, bottom = command.clip_rect
        x0, y0 = data.display_pos
        sx, sy = data.framebuffer_scale
        x, y = int((left - x0) * sx), int((top - y0) * sy)
        w, h = int((right - x0) * sx) - x, int((bottom - y0) * sy) - y
        texture = self._textures.get(command.tex_ref.get_tex_id())
        if w <= 0 or h <= 0 or texture is None:
            return
        texture.use(UNIT)
        target.scissor = (max(x, 0), height - y - h, w, h)
        self._array.render(moderngl.TRIANGLES, vertices=command.elem_count, first=command.idx_offset)

    def _upload(self, commands: Any) -> None:
        """Upload vertices and indices, growing the buffers if needed."""
        vertices = _memory(commands.vtx_buffer, imgui.VERTEX_SIZE)
        indices = _memory(commands.idx_buffer, imgui.INDEX_SIZE)
        for buffer, content in ((self._vertices, vertices), (self._indices, indices)):
            buffer.orphan(max(buffer.size, 2 * len(content)) if len(content) > buffer.size else buffer.size)
            buffer.write(content)

    def _make_array(self) -> moderngl.VertexArray:
        return self._context.vertex_array(
            self._program,
            [(self._vertices, "2f 2f 4f1", "in_position", "in_texture", "in_colour")],
            self._indices,
            index_element_size=imgui.INDEX_SIZE,
        )

    # textures

    def _update_textures(self) -> None:
        """Handle ImGui's texture requests."""
        actions = {
            imgui.ImTextureStatus.want_create: self._create,
            imgui.ImTextureStatus.want_updates: self._update,
            imgui.ImTextureStatus.want_destroy: self._destroy,
        }
        for texture in imgui.get_platform_io().textures:
            action = actions.get(texture.status)
            if action is not None:
                action(texture)

    def _create(self, source: imgui.ImTextureData) -> None:
        texture = self._context.texture((source.width, source.height), 4, source.get_pixels_array().tobytes())
        self._textures[texture.glo] = texture
        source.set_tex_id(texture.glo)
        source.status = imgui.ImTextureStatus.ok

    def _update(self, source: imgui.ImTextureData) -> None:
        pixels = source.get_pixels_array().reshape(source.height, source.width, 4)
        texture = self._textures[source.tex_id]
        for r in source.updates:
            block = np.ascontiguousarray(pixels[r.y : r.y + r.h, r.x : r.x + r.w])
            texture.write(block.tobytes(), viewport=(r.x, r.y, r.w, r.h))
        source.status = imgui.ImTextureStatus.ok

    def _destroy(self, source: imgui.ImTextureData) -> None:
        texture = self._textures.pop(source.tex_id, None)
        if texture is not None:
            texture.release()
        source.set_tex_id(0)
        source.status = imgui.ImTextureStatus.destroyed


def _memory(vector: Any, item_bytes: int) -> Any:
    """The bytes of one of ImGui's vectors, without a copy."""
    array_type = ctypes.c_char * (vector.size() * item_bytes)
    return array_type.from_address(vector.data_address())
