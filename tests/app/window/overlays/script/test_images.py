"""Images of a script become textures (app/window/overlays/script/layer.py)."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.ui.image_texture import image_texture, keep_textures
from app.view.rect import Rect
from app.view.script.images import ImageOver, Pixels
from app.window.overlays.script.layer import draw_image, draw_images_over
from tests.app.gui_driver import Gui

RECT = Rect(0, 0, 400, 300)


def pixels(height: int, width: int, value: int) -> Pixels:
    """One colour."""
    return np.full((height, width, 4), value, np.uint8)


def test_a_texture_is_written_again_and_given_back(gui: Gui) -> None:
    textures: dict[object, tuple[object, Pixels]] = {}
    first = image_texture(textures, "a", pixels(4, 6, 1))
    assert (first.width, first.height, first.status) == (6, 4, imgui.ImTextureStatus.want_create)
    first.set_status(imgui.ImTextureStatus.ok)
    # the same size: the same texture, with other pixels
    assert image_texture(textures, "a", pixels(4, 6, 9)) is first
    assert first.status == imgui.ImTextureStatus.want_updates
    assert set(first.get_pixels_array()) == {9}
    first.set_status(imgui.ImTextureStatus.ok)
    second = image_texture(textures, "a", pixels(2, 2, 3))
    assert second is not first
    assert first.status == imgui.ImTextureStatus.want_destroy
    keep_textures(textures, set())
    assert not textures
    assert second.status == imgui.ImTextureStatus.want_destroy


def test_images_are_drawn_over_the_view_and_in_panels(gui: Gui) -> None:
    textures: dict[object, tuple[object, Pixels]] = {}
    sizes = list[float]()

    def draw() -> None:
        draw_images_over(textures, [ImageOver(10, 10, 40, 30, pixels(3, 4, 5))], RECT)
        imgui.set_next_window_size((200, 200))
        imgui.begin("Camera")
        draw_image(textures, "Camera", pixels(10, 20, 5))
        sizes.append(imgui.get_item_rect_size().x / imgui.get_item_rect_size().y)
        imgui.end()

    gui.frame(draw, 3)
    assert sorted(map(str, textures)) == ["0", "Camera"]
    # its shape is kept
    assert abs(sizes[-1] - 2.0) < 0.01


def test_a_texture_lives_until_the_renderer_has_freed_it(gui: Gui) -> None:
    textures: dict[object, tuple[object, Pixels]] = {}
    first = image_texture(textures, "a", pixels(4, 6, 1))
    registered = first.ref_count
    image_texture(textures, "a", pixels(2, 2, 3))
    image_texture(textures, "a", pixels(2, 2, 3))
    assert first.ref_count == registered
    first.set_tex_id(0)
    first.status = imgui.ImTextureStatus.destroyed
    image_texture(textures, "a", pixels(2, 2, 3))
    assert first.ref_count == registered - 1
