"""Draws the images of a script: over the view, and each named one in a panel of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imgui_bundle import imgui

from app.ui import theme
from app.view.rect import Rect
from app.view.script.images import ImageOver, Pixels

# textures of one window by name, each with the pixels that it has
Textures = dict[object, tuple[Any, Pixels]]


def image_texture(textures: Textures, name: object, pixels: Pixels) -> Any:
    """The texture of a name, with these pixels; pixels of another size get another texture."""
    texture, shown = textures.get(name, (None, pixels))
    if texture is None or shown.shape != pixels.shape:
        _drop(texture)
        texture, shown = _made(pixels), pixels
    elif shown is not pixels and texture.status == imgui.ImTextureStatus.ok:
        texture.get_pixels_array()[:] = pixels.ravel()
        whole = imgui.ImTextureRect()
        whole.w, whole.h = pixels.shape[1], pixels.shape[0]
        texture.updates.clear()
        texture.updates.push_back(whole)
        texture.set_status(imgui.ImTextureStatus.want_updates)
        shown = pixels
    textures[name] = texture, shown
    return texture


def keep_textures(textures: Textures, names: set[object]) -> None:
    """Give back all others."""
    for name in textures.keys() - names:
        _drop(textures.pop(name)[0])


def _made(pixels: Pixels) -> Any:
    texture = imgui.ImTextureData()
    texture.create(imgui.ImTextureFormat.rgba32, pixels.shape[1], pixels.shape[0])
    texture.get_pixels_array()[:] = pixels.ravel()
    texture.use_colors, texture.ref_count = True, 1
    texture.set_status(imgui.ImTextureStatus.want_create)
    imgui.internal.register_user_texture(texture)
    return texture


def _drop(texture: Any) -> None:
    """Let the renderer free it with this frame."""
    if texture is not None:
        texture.set_status(imgui.ImTextureStatus.want_destroy)


def draw_images_over(textures: Textures, images: Sequence[ImageOver], rect: Rect) -> None:
    """Images in their rectangles, counted from the lower left corner of the view in pixels of the screen."""
    scale = imgui.get_io().display_framebuffer_scale
    draw = imgui.get_background_draw_list()
    draw.push_clip_rect((rect.x, rect.y), (rect.x + rect.width, rect.y + rect.height))
    for k, image in enumerate(images):
        left = rect.x + image.left / scale.x
        top = rect.y + rect.height - (image.bottom + image.height) / scale.y
        corner = (left + image.width / scale.x, top + image.height / scale.y)
        draw.add_image(image_texture(textures, k, image.pixels).get_tex_ref(), (left, top), corner)
    draw.pop_clip_rect()


def draw_image(textures: Textures, name: str, pixels: Pixels) -> None:
    """An image in a panel, as large as fits."""
    height, width = pixels.shape[:2]
    room = imgui.get_content_region_avail()
    scale = max(min(room.x / width, max(room.y, 1.0) / height), 1.0 / max(width, height))
    imgui.image(image_texture(textures, name, pixels).get_tex_ref(), (scale * width, scale * height))
    if imgui.is_item_hovered():
        imgui.set_tooltip(f"{name}: {width} x {height}")
    theme.ensure_glyphs(name)
