"""The window of the manual (F1): topics or hits of a search on the left, the page on the right."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.manual.manual_view import ManualView
from app.manual.pages import FIRST, Page, Place, linked_place, place_title
from app.manual.search import Hit, search
from app.ui import theme
from app.ui.image_texture import Pixels, image_texture, keep_textures
from app.ui.keys import ENTER, take
from app.ui.widgets import caption, colour, disabled, elide, em, font, icon_button, note, tooltip
from app.view.input.bindings import BINDINGS
from app.view.view_state import ViewState
from app.window.overlays.manual.sheet import Band, Box, Sheet, Text

WIDTH_EM, HEIGHT_EM, LEAST_EM = 78.0, 54.0, 20.0
# share of the display that it takes at first, and share of its width for the list
SHARE, LIST_EM, LIST_SHARE = 0.9, 15.5, 0.3
MOST_HITS = 40
FLAGS = (
    imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav_inputs
    | imgui.WindowFlags_.no_scrollbar
    | imgui.WindowFlags_.no_scroll_with_mouse
)
# keys that cannot be disabled
ALWAYS = ", ".join(binding.trigger for binding in BINDINGS if binding.always)
# a row of the list: what it opens, its title, and a text below
Row = tuple[Place, str, str]
TINTS = ("TEXT", "DIM", "ACCENT", "RAISED", "LINE")
# longer lines are hard to read
MOST_EM = 50.0
# by how much the base line of the mono font is lower, in font sizes
MONO_LOWER = 0.07


def manual_window(view: ViewState) -> None:
    """List and page; closed by its button, F1 or Escape."""
    manual = view.ui.manual
    if not manual.open:
        manual.focused = False
        return
    _place(manual)
    imgui.push_style_color(imgui.Col_.window_bg, theme.FLOAT)
    manual.open = bool(imgui.begin("Manual", True, FLAGS)[1])
    manual.focused = imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows)
    width = min(em(LIST_EM), LIST_SHARE * imgui.get_content_region_avail().x)
    imgui.begin_child("left", (width, 0))
    rows = _head(manual)
    _list(manual, rows)
    imgui.end_child()
    imgui.same_line(0, em(1.6))
    place = imgui.get_cursor_screen_pos()
    ink, x = imgui.get_color_u32(theme.LINE), round(place.x - em(0.8))
    imgui.get_window_draw_list().add_line((x, place.y), (x, place.y + imgui.get_content_region_avail().y), ink)
    _page(view)
    imgui.end()
    imgui.pop_style_color()


def _place(manual: ManualView) -> None:
    """In the middle of the display, until the user moves it; again if the display or the font changes."""
    display, wanted = imgui.get_io().display_size, (em(WIDTH_EM), em(HEIGHT_EM))
    size = min(wanted[0], SHARE * display.x), min(wanted[1], SHARE * display.y)
    key = (display.x, display.y, imgui.get_font_size())
    condition = imgui.Cond_.once if key == manual.placed_for else imgui.Cond_.always
    manual.placed_for = key
    imgui.set_next_window_pos((display.x / 2, display.y / 2), condition, (0.5, 0.5))
    imgui.set_next_window_size(size, condition)
    least = min(em(LEAST_EM), size[0]), min(em(LEAST_EM), size[1])
    imgui.set_next_window_size_constraints(least, (max(display.x, least[0]), max(display.y, least[1])))


def _head(manual: ManualView) -> list[Row]:
    """Back, forward and the search field; returns the rows of the list."""
    for icon, name, key, left, kept in (
        (icons.ICON_FA_ARROW_LEFT, "back", imgui.Key.left_arrow, manual.back, manual.forward),
        (icons.ICON_FA_ARROW_RIGHT, "forward", imgui.Key.right_arrow, manual.forward, manual.back),
    ):
        arrow = "Left" if name == "back" else "Right"
        with disabled(not left):
            pressed = icon_button(icon, name, f"{name}   Alt+{arrow}")
        if pressed or (manual.focused and imgui.get_io().key_alt and imgui.is_key_pressed(key)):
            manual.step(left, kept)
        imgui.same_line(0, em(0.1))
    imgui.set_next_item_width(-1)
    before, flags = manual.query, imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.escape_clears_all
    entered, manual.query = imgui.input_text_with_hint("##search manual", "search", manual.query, flags)
    typing, left_it = imgui.is_item_active(), imgui.is_item_deactivated()
    tooltip("pages that contain all these words\narrow keys move the highlight, Enter opens it")
    if manual.query != before:
        manual.row = 0
    elif left_it and not manual.query and take(imgui.Key.escape):
        manual.open = False
    rows = _rows(manual)
    if typing:
        moved = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
        manual.row = min(max(manual.row + moved, 0), max(len(rows) - 1, 0))
    if entered and take(*ENTER) and rows:
        manual.show(rows[min(manual.row, len(rows) - 1)][0])
    return rows


def _rows(manual: ManualView) -> list[Row]:
    """The hits while there are words to search for, else all topics."""
    if manual.query.strip():
        hits: tuple[Hit, ...] = search(manual.query, manual.folder)
        return [(hit.place, hit.title, hit.snippet) for hit in hits[:MOST_HITS]]
    return [(Place(page.topic), page.title, "") for page in manual.pages.values()]


def _list(manual: ManualView, rows: list[Row]) -> None:
    """The rows; the page that is open, or the highlighted hit, is marked."""
    searching = bool(manual.query.strip())
    imgui.begin_child("topics", window_flags=imgui.WindowFlags_.no_nav_inputs)
    if not rows:
        note("no page contains all these words" if searching else "the manual is empty")
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (0.0, 1.0))
    for number, (place, title, below) in enumerate(rows):
        chosen = number == manual.row if searching else place.topic == manual.topic
        if _row(f"##{place.topic}#{place.heading}", title, below, chosen):
            manual.row = number
            manual.show(place)
        if chosen and manual.goal is not None and not imgui.is_item_visible():
            imgui.set_scroll_here_y(0.5)
    imgui.pop_style_var()
    imgui.end_child()


def _row(label: str, title: str, below: str, chosen: bool) -> bool:
    """A row: a title, and below it the text around what was found; returns whether it was clicked."""
    line = imgui.get_text_line_height()
    high = (3.35 if below else 1.45) * line
    pressed = imgui.selectable(label, chosen, imgui.SelectableFlags_.none, (0, high))[0]
    tooltip(f"{title}\n{below}" if below else f"manual: {title}")
    if not imgui.is_item_visible():
        return bool(pressed)
    start, end = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    draw, x, room = imgui.get_window_draw_list(), start.x + em(0.5), end.x - start.x - em(1)
    top = start.y + (0.3 if below else 0.5 * (end.y - start.y) / line - 0.5) * line
    ink = imgui.get_color_u32(theme.TEXT)
    if not below:
        draw.add_text((x, top), ink, elide(title, room))
    else:
        with font("bold"):
            draw.add_text((x, top), ink, elide(title, room))
        size, ink = 0.9 * imgui.get_font_size(), imgui.get_color_u32(theme.DIM)
        draw.push_clip_rect((start.x, start.y), (end.x, top + 1.1 * line + 2 * size), True)
        draw.add_text(imgui.get_font(), size, (x, top + 1.1 * line), ink, below, wrap_width=room)
        draw.pop_clip_rect()
    return bool(pressed)


def _page(view: ViewState) -> None:
    """The page, scrolled to where it is to be."""
    manual = view.ui.manual
    page = manual.pages.get(manual.topic)
    # another page is another child: each begins at its own height
    imgui.begin_child(f"page {manual.topic}", window_flags=imgui.WindowFlags_.no_nav_inputs)
    if manual.topic == FIRST:
        _shortcuts(view)
    if page is None:
        caption(f"there is no manual page '{manual.topic}'")
    else:
        _scroll(manual, page)
        page_view(view, page)
    manual.scroll = imgui.get_scroll_y()
    imgui.end_child()


def _scroll(manual: ManualView, page: Page) -> None:
    """Scroll to what was asked for, or by keys."""
    if isinstance(manual.goal, str):
        imgui.set_scroll_y(imgui.get_cursor_pos_y() + page_height(page, manual.goal) - em(0.3))
    elif manual.goal is not None:
        imgui.set_scroll_y(manual.goal)
    manual.goal = None
    if not manual.focused:
        return
    step = 0.9 * imgui.get_window_height()
    moved = imgui.is_key_pressed(imgui.Key.page_down) - imgui.is_key_pressed(imgui.Key.page_up)
    if moved:
        imgui.set_scroll_y(imgui.get_scroll_y() + moved * step)
    elif imgui.is_key_pressed(imgui.Key.home) and not imgui.get_io().want_text_input:
        imgui.set_scroll_y(0.0)
    elif imgui.is_key_pressed(imgui.Key.end) and not imgui.get_io().want_text_input:
        imgui.set_scroll_y(imgui.get_scroll_max_y())


def _shortcuts(view: ViewState) -> None:
    """The switch for shortcuts, on the page of keys."""
    _, view.prefs.shortcuts = imgui.checkbox("Keyboard shortcuts", view.prefs.shortcuts)
    tooltip(f"enable all keys; off: only {ALWAYS}\ndefault on")
    if not view.prefs.shortcuts:
        imgui.same_line(0, em(1))
        with colour(imgui.Col_.text, theme.DIM):
            imgui.text(f"off: only {ALWAYS} and the mouse work")
    imgui.dummy((0, em(0.3)))


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
