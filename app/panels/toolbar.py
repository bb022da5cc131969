"""The toolbar: open, run, speed, camera, pictures, help. Its hints name the key of each button."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.bindings import BY_ACTION, Action
from app.commands import Send
from app.panels import theme
from app.panels.simulation import camera_choice, scenes
from app.resources import open_command
from app.snapshot import Snapshot
from app.state import ViewState
from app.widgets import em, font, icon_button, speed_text

Act = Callable[[Action], None]


def toolbar(snapshot: Snapshot, view: ViewState, send: Send, act: Act) -> None:
    """One line of buttons."""
    run = snapshot.run
    _scene_menu(run.path, send)
    _gap()
    play = icons.ICON_FA_PLAY if run.paused else icons.ICON_FA_PAUSE
    _button(play, Action.PLAY_PAUSE, act, active=not run.paused)
    _button(icons.ICON_FA_FORWARD_STEP, Action.STEP, act)
    _button(icons.ICON_FA_ARROW_ROTATE_LEFT, Action.RESET, act)
    _gap()
    _button(icons.ICON_FA_MINUS, Action.SLOWER, act)
    with font("mono"):
        text = speed_text(run.speed)
        imgui.align_text_to_frame_padding()
        start = imgui.get_cursor_pos_x()
        imgui.set_cursor_pos_x(start + (em(3.2) - imgui.calc_text_size(text).x) / 2)
        imgui.text(text)
        imgui.same_line(start + em(3.2))
    _button(icons.ICON_FA_PLUS, Action.FASTER, act)
    _gap()
    imgui.set_next_item_width(em(9))
    camera_choice("##camera", snapshot, view)
    imgui.same_line()
    _button(icons.ICON_FA_CAMERA, Action.SCREENSHOT, act)
    # at the right end: what explains
    imgui.same_line(imgui.get_window_width() - em(5.4))
    _button(icons.ICON_FA_CIRCLE_INFO, Action.INFO, act, active=view.show_info)
    _button(icons.ICON_FA_CIRCLE_QUESTION, Action.HELP, act, active=view.show_help)


def _button(icon: str, action: Action, act: Act, active: bool = False) -> None:
    """A button that does what its key does."""
    binding = BY_ACTION[action]
    if icon_button(icon, action.name, f"{binding.help}   {binding.trigger}", active):
        act(action)
    imgui.same_line(0, em(0.15))


def _gap() -> None:
    """A thin line between groups."""
    imgui.same_line(0, em(0.5))
    x, y = imgui.get_cursor_screen_pos()
    draw = imgui.get_window_draw_list()
    height = imgui.get_frame_height()
    draw.add_line((x, y + 0.2 * height), (x, y + 0.8 * height), imgui.get_color_u32(theme.LINE))
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + em(0.5))


def _scene_menu(current: str, send: Send) -> None:
    """A button that lists the bundled scenes, each with what to watch."""
    if imgui.button(f"{icons.ICON_FA_FOLDER_OPEN}  Scenes##open"):
        imgui.open_popup("scenes")
    imgui.same_line()
    if not imgui.begin_popup("scenes"):
        return
    for scene in scenes():
        if imgui.menu_item(scene.name.replace("_", " "), "", str(scene.path) == current)[0]:
            send(open_command(scene.path))
        if imgui.is_item_hovered():
            imgui.set_tooltip(scene.caption)
    imgui.end_popup()
