"""Cells as an image: drawn once, shown from a texture, so that thousands cost no more than one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.instruments.solver.state import SolverState
from app.ui import theme
from app.ui.image_texture import Pixels, image_texture
from app.view.view_state import ViewState

# of cells that have changed
OUTLINE = (255, 255, 255, 255)


def rgba(tint: theme.Rgba) -> tuple[int, int, int, int]:
    """A colour of the theme as bytes."""
    red, green, blue = (round(255 * part) for part in tint[:3])
    return red, green, blue, 255


def cells_image(colours: NDArray[np.uint8], side: int, gap: int, outlined: NDArray[np.bool_] | None = None) -> Pixels:
    """Squares of `side` pixels with a gap after each, from colours (rows, columns, 4)."""
    pixels = np.repeat(np.repeat(colours, side, axis=0), side, axis=1)
    if gap:
        pixels[side - 1 :: side] = pixels[:, side - 1 :: side] = rgba(theme.PANEL)
    if outlined is not None and side > 3:
        for row, column in zip(*np.nonzero(outlined), strict=True):
            cell = pixels[row * side : (row + 1) * side - gap, column * side : (column + 1) * side - gap]
            cell[0] = cell[-1] = cell[:, 0] = cell[:, -1] = OUTLINE
    return np.ascontiguousarray(pixels)


def show_image(view: ViewState, name: str, key: object, make: Callable[[], Pixels]) -> tuple[int, int] | None:
    """An image as an item, made again when its key changes; the pixel under the pointer, if that is over it."""
    shown = view.of(SolverState)
    textures = shown.textures
    known = shown.images.get(name)
    if known is None or known[0] != key:
        known = shown.images[name] = key, make()
    pixels = known[1]
    height, width = pixels.shape[:2]
    x, y = (round(part) for part in imgui.get_cursor_screen_pos())
    imgui.invisible_button(f"##{name}", (width, height))
    texture = image_texture(textures, name, pixels).get_tex_ref()
    imgui.get_window_draw_list().add_image(texture, (x, y), (x + width, y + height))
    if not imgui.is_item_hovered():
        return None
    mouse = imgui.get_mouse_pos()
    return min(max(int(mouse.x - x), 0), width - 1), min(max(int(mouse.y - y), 0), height - 1)
