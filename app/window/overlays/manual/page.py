"""Draws a page of the manual: only what is in sight, from a layout that is kept while width and font stay."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.manual.pages import Page, linked_place, place_title
from app.ui import theme
from app.ui.image_texture import Pixels, image_texture, keep_textures
from app.ui.widgets import colour, em, font, tooltip
from app.view.view_state import ViewState
from app.window.overlays.manual.sheet import Band, Box, Sheet, Text

TINTS = ("TEXT", "DIM", "ACCENT", "RAISED", "LINE")
# longer lines are hard to read
MOST_EM = 50.0
# by how much the base line of the mono font is lower, in font sizes
MONO_LOWER = 0.07


def page_view(view: ViewState, page: Page) -> None:
    """Draw the page in the current window."""
    manual = view.ui.manual
    sheet = _sheet(page, _width(), imgui.get_font_size())
    start = imgui.get_cursor_screen_pos()
    first = imgui.get_window_pos().y - start.y
    last = first + imgui.get_window_height()
    draw, shown = imgui.get_window_draw_list(), set[object]()
    inks = {tint: imgui.get_color_u32(getattr(theme, tint)) for tint in TINTS}
    begin = bisect_right(sheet.bands, first, key=lambda band: band.bottom)
    for number, band in enumerate(sheet.bands[begin:], begin):
        if band.top > last:
            break
        _boxes(draw, band, start, inks)
        for picture in band.pictures:
            x, y = start.x + picture.x, start.y + picture.y
            pixels = _pixels(page.path.parent / picture.address, round(picture.width), round(picture.height))
            shown.add(picture.address)
            texture = image_texture(manual.textures, picture.address, pixels)
            draw.add_image(texture.get_tex_ref(), (x, y), (x + picture.width, y + picture.height))
        _texts(draw, band, start, inks)
        _items(view, page, band, number, start)
    keep_textures(manual.textures, shown)
    imgui.set_cursor_screen_pos(start)
    imgui.dummy((sheet.width, sheet.height + em(2)))


def page_height(page: Page, heading: str) -> float:
    """How far below the top of the page a heading is; 0 if there is none."""
    return _sheet(page, _width(), imgui.get_font_size()).headings.get(heading, 0.0)


def _width() -> float:
    """Of the text; the scrollbar has its place whether it is there or not."""
    style = imgui.get_style()
    return float(max(min(imgui.get_window_width() - style.scrollbar_size - em(1), em(MOST_EM)), em(6)))


@lru_cache(maxsize=4)
def _sheet(page: Page, width: float, size: float) -> Sheet:
    """The layout of a page."""
    theme.ensure_glyphs(page.text)
    measure = partial(_text_width, size)
    return Sheet(width, size, measure, lambda address: _size(page.path.parent / address)).add(page.blocks)


@lru_cache(maxsize=1 << 14)
def _text_width(_size: float, text: str, face: str, factor: float) -> float:
    """The width of a text; the font size is a part of what is known."""
    with font(face, factor):
        return float(imgui.calc_text_size(text).x)


@lru_cache(maxsize=64)
def _size(path: Path) -> tuple[float, float] | None:
    """Width and height of an image file; None if it cannot be read."""
    from PIL import Image

    try:
        with Image.open(path) as image:
            return float(image.width), float(image.height)
    except OSError:
        return None


@lru_cache(maxsize=8)
def _pixels(path: Path, width: int, height: int) -> Pixels:
    """An image in the size in which it is shown."""
    from PIL import Image

    with Image.open(path) as image:
        return np.asarray(image.convert("RGBA").resize((max(width, 1), max(height, 1)), Image.Resampling.LANCZOS))


def _boxes(draw: imgui.ImDrawList, band: Band, start: imgui.ImVec2, inks: dict[str, int]) -> None:
    rounding = em(0.25)
    for box in band.boxes:
        # whole pixels: a line is one of them
        corner = (round(start.x + box.x), round(start.y + box.y))
        end = (round(corner[0] + box.width), round(corner[1] + box.height))
        draw.add_rect_filled(corner, end, inks[box.tint], min(rounding, box.height / 2))


def _texts(draw: imgui.ImDrawList, band: Band, start: imgui.ImVec2, inks: dict[str, int]) -> None:
    size, faces, x, y = imgui.get_font_size(), theme.fonts(), start.x, start.y
    for text in band.texts:
        place = (round(x + text.x), round(y + text.y - (text.face == "mono") * MONO_LOWER * size))
        draw.add_text(faces[text.face], text.size * size, place, inks[text.tint], text.text)


def _items(view: ViewState, page: Page, band: Band, number: int, start: imgui.ImVec2) -> None:
    """What can be clicked: links, and buttons that copy code."""
    for place, text in enumerate(band.texts):
        if text.link:
            _link(view, page, text, f"{text.text}##link {number} {place}", start)
    for box in band.boxes:
        if box.copies:
            _copy(view, box, number, start)


def _link(view: ViewState, page: Page, text: Text, label: str, start: imgui.ImVec2) -> None:
    """A link: to a page it leads, any other address is copied."""
    manual = view.ui.manual
    x, y, high = start.x + text.x, start.y + text.y, text.size * em(1.15)
    imgui.set_cursor_screen_pos((x, y))
    pressed = imgui.invisible_button(label, (max(text.width, 1.0), high))
    place = linked_place(text.link, page.topic, manual.pages)
    if imgui.is_item_hovered():
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        ink = imgui.get_color_u32(theme.ACCENT)
        imgui.get_window_draw_list().add_line((x, y + high), (x + text.width, y + high), ink)
    tooltip(f"copy {text.link}" if place is None else f"manual: {place_title(place, manual.pages) or place.topic}")
    if pressed and place is not None:
        manual.show(place)
    elif pressed:
        imgui.set_clipboard_text(text.link)
        view.feedback.show_message(f"copied {text.link}")


def _copy(view: ViewState, box: Box, number: int, start: imgui.ImVec2) -> None:
    """A button in the corner of a box of code."""
    imgui.set_cursor_screen_pos((start.x + box.x + box.width - em(2.1), start.y + box.y + em(0.25)))
    with colour(imgui.Col_.text, theme.DIM), colour(imgui.Col_.button, theme.RAISED):
        pressed = imgui.button(f"{icons.ICON_FA_COPY}##copy {number}", (em(1.9), em(1.7)))
    tooltip("copy this code to the clipboard")
    if pressed:
        imgui.set_clipboard_text(box.copies)
        view.feedback.show_message("copied the code")
