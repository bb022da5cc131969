"""Draws what a script shows: its panels, a panel with its texts, and figures and text over the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.error_boundary import close_open_scopes, fault_note, guarded
from app.ui.image_texture import Textures, image_texture, keep_textures
from app.ui.widgets import caption, em, font
from app.view.rect import Rect
from app.view.script.images import ImageOver, Pixels
from app.view.script.layer import FONT_PERCENT, GRID, Overlay, ScriptLayer
from app.view.script.panel_file import PanelFile, PanelView, Part
from app.view.view_state import ViewState
from app.window.overlays.script.figures import draw_figure
from app.window.overlays.view.marks import readable_text
from sim.user_error import UserError

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


def panel_files(layer: ScriptLayer, snapshot: Snapshot, view: ViewState, send: Send, rect: Rect) -> list[PanelView]:
    """Draw all of them, those that were saved from their new version; returns what they add to the view."""
    model, state = snapshot.model, snapshot.state
    drawn = list[PanelView]()
    if model is None or state is None or imgui.get_frame_count() < SETTLED_FRAMES:
        return drawn
    place = 0
    for file in layer.panel_files:
        if file.stale:
            file.load()
        shown = PanelView(model, state, send, view.selection, file.trails)
        drawn.append(shown)
        for part in file.parts:
            place += bool(part.title)
            _part(layer, file, part, shown, rect, place)
        if file.error:
            _card(file, rect)
    return drawn


def _part(layer: ScriptLayer, file: PanelFile, part: Part, shown: PanelView, rect: Rect, place: int) -> None:
    """A panel in a dockable window, or an overlay; one that fails says where, until its file is saved."""
    key, name = (part.title, part.draw), part.title or getattr(part.draw, "__name__", "overlay")

    def draw() -> None:
        try:
            part.draw(shown)
        except Exception as error:
            raise UserError(file.where(error)) from error

    theme.ensure_glyphs(part.title)
    works = not part.title and guarded(layer.faults, key, draw)
    if works:
        return
    corner = (rect.x + em(0.8), rect.y + em(0.8 + 6.5 * (place - 1)))
    imgui.set_next_window_pos(corner, imgui.Cond_.first_use_ever)
    imgui.set_next_window_size((em(WIDTH_EM), 0), imgui.Cond_.first_use_ever)
    if imgui.begin(name)[0] and not (part.title and guarded(layer.faults, key, draw)):
        fault_note(layer.faults, key, name)
    imgui.end()


def _card(file: PanelFile, rect: Rect) -> None:
    """What is wrong with a file, and that its version before goes on."""
    theme.ensure_glyphs(file.error)
    imgui.set_next_window_pos((rect.x + rect.width / 2, rect.y + rect.height - em(1)), imgui.Cond_.always, (0.5, 1.0))
    imgui.set_next_window_size((min(em(34), rect.width - em(2)), 0))
    flags = imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_saved_settings
    imgui.begin(f"##error in {file.path}", None, flags | imgui.WindowFlags_.no_focus_on_appearing)
    imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  Panels could not be loaded")
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(file.error)
    if file.parts:
        caption("The previous version stays in use until the file is fixed and saved.")
    imgui.pop_text_wrap_pos()
    imgui.end()


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
