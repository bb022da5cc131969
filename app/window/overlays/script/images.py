"""Draws the images of a script: over the view, and each named one in a panel of its own."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from app.ui import theme
from app.ui.image_texture import Textures, image_texture
from app.view.rect import Rect
from app.view.script.images import ImageOver, Pixels


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
