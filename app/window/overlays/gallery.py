"""The gallery: bundled scenes with thumbnail and caption, recent files, and a button that opens a file.

Mouse and arrow keys move the same highlight; a click or Enter opens the scene.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.error_text import printable
from app.files.recent import recent_files
from app.files.resources import SceneFile
from app.model.model_title import model_title
from app.render.capture.thumbnails import SIZE, thumbnail
from app.run.commands import Send
from app.ui import theme
from app.ui.image_texture import image_texture
from app.ui.keys import ENTER, take
from app.ui.widgets import button, caption, em, font, icon_button
from app.view.input import actions
from app.view.input.bindings import hint
from app.view.input.desk import Action
from app.view.view_state import ViewState
from app.window.panels.open_menu import open_file
from app.window.panels.simulation import scenes

CARD_EM, TEXT_EM, PAD_EM = 15.0, 4.6, 0.6
PAGE_EM, MARGIN_EM = 86.0, 1.6
FUNCTION_KEY = re.compile(r"(Shift\+)?F\d+")
WINDOW = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
)


def gallery(view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    """A page over the whole window until a file is chosen."""
    if not view.ui.show_gallery:
        return
    display = imgui.get_io().display_size
    margin = max((display.x - em(PAGE_EM)) / 2, em(MARGIN_EM))
    imgui.set_next_window_pos((0, 0))
    imgui.set_next_window_size(display)
    imgui.push_style_color(imgui.Col_.window_bg, theme.FLOAT)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (margin, em(1.2)))
    imgui.begin("##gallery", None, WINDOW)
    imgui.pop_style_var()
    _head(view, act)
    _recent(view, send)
    imgui.dummy((0, em(0.3)))
    imgui.begin_child("cards", (0, 0))
    _cards(view, send)
    imgui.end_child()
    imgui.end()
    imgui.pop_style_color()
    # Escape closes what is over it first
    if not (view.ui.manual.open or imgui.get_io().want_text_input) and take(imgui.Key.escape):
        view.ui.show_gallery = False


def captures_key(view: ViewState, trigger: str) -> bool:
    """Whether the gallery keeps a key from the view: while open, all but Ctrl shortcuts and function keys."""
    if trigger == "Escape" and view.ui.manual.open:
        return False
    return view.ui.show_gallery and not (trigger.startswith("Ctrl+") or FUNCTION_KEY.fullmatch(trigger))


def sentence(scene: SceneFile) -> str:
    """The first sentence or clause of a caption."""
    first = re.split(r"(?<=[.:;!?])\s", scene.caption)[0].rstrip(":;")
    return first + ("" if first.endswith((".", "!", "?")) else ".")


def _head(view: ViewState, act: Callable[[Action], None]) -> None:
    """Title, open and close buttons."""
    with font("bold", 1.5):
        imgui.text("Kinetoscope")
    imgui.same_line(imgui.get_window_width() - imgui.get_cursor_start_pos().x - em(9.9))
    if button(f"{icons.ICON_FA_FOLDER_OPEN}  Open a file…##gallery", hint(actions.open_dialog)):
        act(actions.open_dialog)
    imgui.same_line()
    if icon_button(icons.ICON_FA_XMARK, "close gallery", "close   Escape"):
        view.ui.show_gallery = False
    caption("Choose a scene, open a file, or drop a file on the window.")


def _recent(view: ViewState, send: Send) -> None:
    """Recent files, as many as fit in a row."""
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    files = recent_files()
    theme.ensure_glyphs(*map(printable, files))
    for index, path in enumerate(files):
        label = f"{icons.ICON_FA_CLOCK_ROTATE_LEFT}  {model_title(str(path))}"
        if index and imgui.get_item_rect_max().x + imgui.calc_text_size(label).x + em(2) < right:
            imgui.same_line()
        elif index:
            break
        if button(f"{label}##{os.fsencode(path)!r}", str(path)):
            open_file(path, view, send)


def _cards(view: ViewState, send: Send) -> None:
    """The cards, as many in a row as fit."""
    gap = em(PAD_EM)
    room = imgui.get_content_region_avail().x
    columns = max(int((room + gap) / (em(CARD_EM) + gap)), 1)
    width = (room - (columns - 1) * gap) / columns
    keys = not (view.ui.show_palette or view.asks or view.ui.manual.focused or imgui.get_io().want_text_input)
    moved = keys and _move(view, columns)
    entered = keys and take(*ENTER)
    for index, scene in enumerate(scenes()):
        if index % columns:
            imgui.same_line(0, gap)
        chosen = index == view.ui.gallery_card
        if _card(view, scene, width, chosen) or (chosen and entered):
            open_file(scene.path, view, send)
        if chosen and moved:
            imgui.set_scroll_here_y(0.5)
        delta = imgui.get_io().mouse_delta
        if imgui.is_item_hovered() and (delta.x or delta.y):
            view.ui.gallery_card = index


def _move(view: ViewState, columns: int) -> bool:
    """Move the highlight with the arrow keys; returns whether it moved."""
    before, key = view.ui.gallery_card, imgui.Key
    steps = {key.right_arrow: 1, key.left_arrow: -1, key.down_arrow: columns, key.up_arrow: -columns}
    for arrow, step in steps.items():
        if imgui.is_key_pressed(arrow) and 0 <= view.ui.gallery_card + step < len(scenes()):
            view.ui.gallery_card += step
    return view.ui.gallery_card != before


def _card(view: ViewState, scene: SceneFile, width: float, chosen: bool) -> bool:
    """Thumbnail, name, sentence; returns whether it was clicked."""
    pad, image = em(PAD_EM), width * SIZE[1] / SIZE[0]
    x, y = imgui.get_cursor_screen_pos()
    pressed = button(f"##card {scene.name}", scene.caption, size=(width, image + em(TEXT_EM)))
    draw = imgui.get_window_draw_list()
    texture = image_texture(view.ui.thumbnails, scene.name, _pixels(scene))
    draw.add_image(texture.get_tex_ref(), (x, y), (x + width, y + image))
    if chosen:
        draw.add_rect((x, y), (x + width, y + image + em(TEXT_EM)), imgui.get_color_u32(theme.ACCENT), em(0.3))
    draw.push_clip_rect((x, y), (x + width, y + image + em(TEXT_EM) - 0.3 * pad), True)
    with font("bold"):
        colour, place = imgui.get_color_u32(theme.TEXT), (x + pad, y + image + 0.5 * pad)
        draw.add_text(place, colour, scene.name.replace("_", " "))
    size = 0.92 * imgui.get_font_size()
    colour, place = imgui.get_color_u32(theme.DIM), (x + pad, y + image + 0.6 * pad + em(1.2))
    draw.add_text(imgui.get_font(), size, place, colour, sentence(scene), wrap_width=width - 2 * pad)
    draw.pop_clip_rect()
    return bool(pressed)


@cache
def _pixels(scene: SceneFile) -> Any:
    """The thumbnail of a scene, rows of RGBA; one grey pixel if there is none."""
    from PIL import Image

    try:
        with Image.open(thumbnail(scene)) as image:
            return np.asarray(image.convert("RGBA"))
    except OSError:
        return np.full((1, 1, 4), 60, np.uint8)
