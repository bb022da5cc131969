"""Draws panels and overlays from files of the user's, and a card for a file that cannot be run."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.error_boundary import fault_note, guarded
from app.ui.widgets import caption, em
from app.view.rect import Rect
from app.view.script.layer import ScriptLayer
from app.view.script.panel_file import PanelFile, PanelView, Part
from app.view.view_state import ViewState
from sim.user_error import UserError

WIDTH_EM = 24.0
SETTLED_FRAMES = 4


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
    imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  Panels cannot be read")
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(file.error)
    if file.parts:
        caption("The version before stays in use until the file is mended and saved.")
    imgui.pop_text_wrap_pos()
    imgui.end()
