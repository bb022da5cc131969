"""The Open menu of the toolbar: file dialog, gallery, reload, save, export, recent files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.recent import recent_files
from app.model.model_title import model_title
from app.run.commands import Send
from app.ui import theme
from app.ui.widgets import button, menu_item, tooltip
from app.view.input import actions, building_actions, file_actions
from app.view.input.bindings import BY_ACTION
from app.view.input.desk import Action
from app.view.saving import Leaving, leave
from app.view.view_state import ViewState

MENU = (
    ("New world", building_actions.new_world), ("File…", actions.open_dialog), ("Scenes…", actions.gallery),
    ("Reload", actions.reload),
    ("Save", actions.save), ("Save as…", actions.save_elsewhere),
)  # fmt: skip


def open_menu(view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    """A button that opens the menu."""
    if button(f"{icons.ICON_FA_FOLDER_OPEN}  Open##menu", "open a file or a scene, reload, save, export, recent files"):
        imgui.open_popup("open")
    imgui.same_line()
    if not imgui.begin_popup("open"):
        return
    for label, action in MENU:
        if menu_item(label, BY_ACTION[action].help, shortcut=BY_ACTION[action].trigger):
            act(action)
    imgui.separator()
    if imgui.menu_item("Export sensors as CSV", "", False)[0]:
        act(file_actions.export_sensors)
    tooltip("every sensor at every recorded step of this branch; plots have their own export")
    recent_items(view, send)
    imgui.end_popup()


def recent_items(view: ViewState, send: Send) -> None:
    """A menu item for each recent file."""
    files = recent_files()
    if not files:
        return
    theme.ensure_glyphs(*map(str, files))
    imgui.separator()
    for path in files:
        if menu_item(f"{model_title(str(path))}##{path}", str(path)):
            open_file(path, view, send)


def open_file(path: Path, view: ViewState, send: Send) -> None:
    """Open a model, after asking about unsaved edits, and close the dialog and the gallery."""
    leave(view, send, Leaving(str(path)))
