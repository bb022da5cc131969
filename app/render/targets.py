"""Framebuffers of the renderer: multisampled scene, resolved and final image, mirrors, outline mask, ID buffer."""

from __future__ import annotations

from typing import Any

import moderngl

from app.render.device import unbind_framebuffer

# picking renders this many pixels across, each this part of half the view
ID_PIXELS, ID_SPAN = 3, 0.002


class Targets:
    """Framebuffers, created on first use."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._size, self._samples, self._mirror_scale = (0, 0), 0, 1.0
        self._items: list[Any] = []
        self._mirrors: list[tuple[moderngl.Framebuffer, moderngl.Texture]] = []
        self._mask: moderngl.Framebuffer | None = None
        self._ids: dict[tuple[int, int], tuple[moderngl.Framebuffer, list[Any]]] = {}
        # magnification of the picking projection
        self.id_zoom = 1.0 / (ID_PIXELS * ID_SPAN)

    def resize(self, size: tuple[int, int], samples: int, mirror_scale: float) -> None:
        """Allocate framebuffers for frames of a size, with MSAA samples; mirrors are scaled."""
        samples = min(samples, self._context.max_samples)
        if (size, samples, mirror_scale) == (self._size, self._samples, self._mirror_scale):
            return
        self._release_sized()
        context = self._context
        self._size, self._samples, self._mirror_scale = size, samples, mirror_scale
        self._resolved, self.final_texture = context.texture(size, 4), context.texture(size, 4)
        self.final = context.framebuffer([self.final_texture])
        self._items = [self.final, self.final_texture, self._resolved]
        for texture in (self._resolved, self.final_texture):
            texture.repeat_x = texture.repeat_y = False
        depth = context.depth_renderbuffer(size, samples=samples if samples > 1 else 0)
        if samples > 1:
            colour = context.renderbuffer(size, 4, samples=samples)
            self.scene = context.framebuffer([colour], depth)
            self.resolved = context.framebuffer([self._resolved])
            self._items += [self.scene, self.resolved, colour, depth]
        else:
            self.scene = self.resolved = context.framebuffer([self._resolved], depth)
            self._items += [self.scene, depth]

    def resolve(self) -> moderngl.Texture:
        """MSAA resolve; returns the texture."""
        if self._samples > 1:
            self._context.copy_framebuffer(self.resolved, self.scene)
        return self._resolved

    def mirror(self, index: int) -> tuple[moderngl.Framebuffer, moderngl.Texture]:
        """The framebuffer and texture of one mirror image, in screen space."""
        while len(self._mirrors) <= index:
            size = (self._mirror_length(self._size[0]), self._mirror_length(self._size[1]))
            texture, depth = self._context.texture(size, 4), self._context.depth_renderbuffer(size)
            texture.repeat_x = texture.repeat_y = False
            target = self._context.framebuffer([texture], depth)
            self._items += [target, texture, depth]
            self._mirrors.append((target, texture))
        return self._mirrors[index]

    def _mirror_length(self, length: int) -> int:
        return max(round(length * self._mirror_scale), 1)

    def mask(self) -> moderngl.Framebuffer:
        """The outline mask, white on outlined instances; its texture is `mask_texture`."""
        if self._mask is None:
            self.mask_texture = self._context.texture(self._size, 1)
            self.mask_texture.repeat_x = self.mask_texture.repeat_y = False
            self._mask = self._context.framebuffer([self.mask_texture])
            self._items += [self._mask, self.mask_texture]
        return self._mask

    def ids(self, size: tuple[int, int] = (ID_PIXELS, ID_PIXELS)) -> moderngl.Framebuffer:
        """The ID buffer: ids and distances, of the few pixels of picking or of a whole view."""
        if size not in self._ids:
            colour, depth = self._context.texture(size, 4, dtype="f4"), self._context.depth_renderbuffer(size)
            target = self._context.framebuffer([colour], depth)
            self._ids[size] = target, [target, colour, depth]
        return self._ids[size][0]

    def release(self) -> None:
        """Release GPU memory."""
        self._release_sized()
        for _, parts in self._ids.values():
            for item in parts:
                item.release()

    def _release_sized(self) -> None:
        """Release what has the size of the frame."""
        unbind_framebuffer(self._context)
        for item in self._items:
            item.release()
        self._items, self._mirrors, self._mask = [], [], None
