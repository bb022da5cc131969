"""Draws what a script shows: its panels, a panel with its texts, and figures and text over the view."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from app.ui import theme
from app.ui.error_boundary import close_open_scopes, fault_note, guarded
from app.ui.image_texture import keep_textures
from app.ui.widgets import caption, em, font
from app.view.rect import Rect
from app.view.script.layer import FONT_PERCENT, GRID, Overlay, ScriptLayer
from app.window.overlays.labels import readable_text
from app.window.overlays.script.figures import draw_figure
from app.window.overlays.script.images import draw_image, draw_images_over

WIDTH_EM = 24.0
SETTLED_FRAMES = 4


def script_panels(layer: ScriptLayer, rect: Rect) -> None:
    """Draw all of it, in dockable windows that start at the right edge of the view."""
    shown = layer.copy()
    # the view has its rectangle once panels are docked
    if imgui.get_frame_count() < SETTLED_FRAMES:
        return
    theme.ensure_glyphs(*shown.panels)
    for k, (name, draw) in enumerate(shown.panels.items()):
        _place(rect, k)
        if imgui.begin(name)[0]:
            _draw(layer, name, draw)
        imgui.end()
    for figure in shown.figures:
        draw_figure(figure, rect)
    _images(shown, rect)
    for overlay in shown.overlays:
        _overlay(overlay, rect)
    if shown.texts:
        _place(rect, len(shown.panels))
        if imgui.begin("Script")[0]:
            _texts(shown)
        imgui.end()


def _images(shown: ScriptLayer, rect: Rect) -> None:
    """Images over the view, and each that has a name in a window."""
    draw_images_over(shown.textures, shown.images, rect)
    for k, (name, pixels) in enumerate(shown.panel_images.items()):
        theme.ensure_glyphs(name)
        _place(rect, len(shown.panels) + 1 + k, pixels.shape[0] / pixels.shape[1])
        if imgui.begin(name)[0]:
            draw_image(shown.textures, name, pixels)
        imgui.end()
    keep_textures(shown.textures, {*range(len(shown.images)), *shown.panel_images})


def _draw(layer: ScriptLayer, name: str, draw: Callable[[], None]) -> None:
    """A script's panel; scopes that it leaves open are closed without an error."""
    part = (name, draw)

    def tolerated() -> None:
        before = imgui.internal.ErrorRecoveryState()
        imgui.internal.error_recovery_store_state(before)
        draw()
        close_open_scopes(before)

    if not guarded(layer.faults, part, tolerated):
        fault_note(layer.faults, part, name)


def _overlay(overlay: Overlay, rect: Rect) -> None:
    """Two columns of text in a corner or at an edge of the view."""
    x, y = GRID[overlay.place]
    margin = em(0.8)
    columns = [text for text in (overlay.left, overlay.right) if text]
    theme.ensure_glyphs(*columns)
    with font("mono", overlay.font / FONT_PERCENT):
        widths = [imgui.calc_text_size(text).x for text in columns]
        height = max((imgui.calc_text_size(text).y for text in columns), default=0.0)
        left = rect.x + margin + x * (rect.width - 2 * margin - sum(widths) - em(1) * (len(columns) - 1))
        top = rect.y + margin + y * (rect.height - 2 * margin - height)
        draw = imgui.get_background_draw_list()
        for text, width in zip(columns, widths, strict=True):
            readable_text(draw, left, top, text)
            left += width + em(1)


def _place(rect: Rect, k: int, aspect: float = 0.0) -> None:
    """Initial position of the k-th window, cascaded so that titles stay visible."""
    corner = (rect.x + rect.width - em(0.8 + 0.8 * k), rect.y + em(0.8 + 2.0 * k))
    imgui.set_next_window_pos(corner, imgui.Cond_.first_use_ever, (1.0, 0.0))
    imgui.set_next_window_size((em(WIDTH_EM), em(WIDTH_EM * aspect + 3.0) if aspect else 0), imgui.Cond_.first_use_ever)


def _texts(layer: ScriptLayer) -> None:
    """The script's texts, one line each."""
    for label, text in layer.texts.items():
        theme.ensure_glyphs(label, str(text))
        caption(label)
        imgui.same_line(em(9))
        with font("mono"):
            imgui.text(str(text))
