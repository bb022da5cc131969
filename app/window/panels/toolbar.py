"""The toolbar: open, run, step, speed, camera, screenshot, record, panels, manual. Tooltips name the keys."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments import instruments
from app.run.commands import Send
from app.run.run_state import NOT_PACED, RunState
from app.run.snapshot import Snapshot
from app.scene.visual_flags import BY_OPTION, toggle
from app.ui import theme
from app.ui.widgets import disabled, em, font, icon_button, speed_text, tooltip
from app.view.input import actions
from app.view.input.bindings import hint
from app.view.input.desk import Action
from app.view.view_state import ViewState
from app.window.build_menu import add_menu
from app.window.panel_list import panels
from app.window.panels.open_menu import open_menu
from app.window.panels.record import record_button
from app.window.panels.simulation import camera_choice
from app.window.sheet import is_narrow, panel_choice

Act = Callable[[Action], None]
# window widths below which rendering switches, the camera list, the speed, theme and info are hidden: keys and panels
# have them
WIDE_EM, MIDDLE_EM, NARROW_EM, LEAST_EM = 68.0, 56.0, 48.0, 38.0
# the most used rendering switches
SWITCHES = (
    (icons.ICON_FA_CIRCLE_DOT, "contact_point"),
    (icons.ICON_FA_ARROWS_UP_DOWN, "contact_force"),
    (icons.ICON_FA_CIRCLE_NODES, "island"),
    (icons.ICON_FA_GHOST, "transparent"),
)


def toolbar(snapshot: Snapshot, view: ViewState, send: Send, act: Act) -> None:
    """One line of buttons; a narrow window hides those that panels and keys offer too."""
    width = imgui.get_window_width()
    wide, narrow = width > em(WIDE_EM), is_narrow(imgui.get_main_viewport().size)
    run = snapshot.run
    open_menu(view, send, act)
    if width > em(LEAST_EM):
        add_menu(snapshot, view, send)
    _gap()
    play = icons.ICON_FA_PLAY if run.paused else icons.ICON_FA_PAUSE
    _button(play, actions.play_pause, act, active=not run.paused)
    _button(icons.ICON_FA_BACKWARD_STEP, actions.step_back, act)
    _button(icons.ICON_FA_FORWARD_STEP, actions.step, act)
    _button(icons.ICON_FA_ARROW_ROTATE_LEFT, actions.reset, act)
    _gap()
    if width > em(NARROW_EM):
        _speed(run, act)
        _gap()
    if width > em(MIDDLE_EM):
        imgui.set_next_item_width(em(9 if wide else 7))
        camera_choice("##camera", snapshot, view)
        imgui.same_line()
    if not narrow:
        _screenshot(view, act)
        record_button(snapshot, view, act)
    if wide:
        _gap()
        _switches(view)
    # right-aligned: instruments, palette, panels, theme, info, manual
    all_of_them = width > em(LEAST_EM)
    right = 6.6 if narrow else 17.8 if all_of_them else 13.5
    imgui.same_line(max(imgui.get_window_width() - em(right), imgui.get_cursor_pos_x()))
    if narrow:
        _panels(view)
    else:
        _instruments(view)
    _button(icons.ICON_FA_MAGNIFYING_GLASS, actions.palette, act)
    if narrow:
        _button(icons.ICON_FA_CIRCLE_QUESTION, actions.manual, act, active=view.ui.manual.open)
        return
    for side, action in (("left", actions.panels), ("bottom", actions.bottom_panels), ("right", actions.right_panels)):
        _side_button(side, action, act, getattr(view.prefs, f"show_{side}"))
    if all_of_them:
        _button(icons.ICON_FA_CIRCLE_HALF_STROKE, actions.theme, act, active=view.prefs.light_theme)
        _button(icons.ICON_FA_CIRCLE_INFO, actions.info, act, active=view.prefs.show_info)
    _button(icons.ICON_FA_CIRCLE_QUESTION, actions.manual, act, active=view.ui.manual.open)


def _screenshot(view: ViewState, act: Act) -> None:
    """Save an image; right-click for its size."""
    if icon_button(icons.ICON_FA_CAMERA, "screenshot", f"{hint(actions.screenshot)}; right-click for its size"):
        act(actions.screenshot)
    view.ui.show_video_options |= imgui.is_item_clicked(imgui.MouseButton_.right)
    imgui.same_line(0, em(0.15))


def _instruments(view: ViewState) -> None:
    """A menu of the instruments."""
    if icon_button(icons.ICON_FA_STETHOSCOPE, "instruments", "instruments: why does it do that?"):
        imgui.open_popup("instruments")
    imgui.same_line(0, em(0.15))
    if imgui.begin_popup("instruments"):
        for name, entry in instruments().items():
            if imgui.menu_item(name, entry.question, name in view.prefs.instruments)[0]:
                view.instruments.open(name)
        imgui.end_popup()


def _panels(view: ViewState) -> None:
    """A menu of all panels, for a window that shows one of them."""
    if icon_button(icons.ICON_FA_TABLE_COLUMNS, "panels", "panels and instruments", bool(view.ui.sheet)):
        imgui.open_popup("panels")
    imgui.same_line(0, em(0.15))
    if imgui.begin_popup("panels"):
        panel_choice(view, panels())
        imgui.end_popup()


def _speed(run: RunState, act: Act) -> None:
    """Slower, speed, faster."""
    with disabled(not run.paced):
        _button(icons.ICON_FA_MINUS, actions.slower, act)
        _speed_number(run)
        _button(icons.ICON_FA_PLUS, actions.faster, act)


def _speed_number(run: RunState) -> None:
    """The speed, centred."""
    text = speed_text(run.speed) if run.paced else "–"
    with font("mono"):
        imgui.align_text_to_frame_padding()
        start = imgui.get_cursor_pos_x()
        imgui.set_cursor_pos_x(start + (em(3.2) - imgui.calc_text_size(text).x) / 2)
        imgui.text(text)
        tooltip("speed relative to real time" if run.paced else NOT_PACED)
        imgui.same_line(start + em(3.2))


def _switches(view: ViewState) -> None:
    """Buttons for the most used rendering switches."""
    for icon, option in SWITCHES:
        switch = BY_OPTION[option]
        on = bool(getattr(view.options, option))
        if icon_button(icon, option, f"{switch.label.lower()}: {switch.help}   {switch.key}", on):
            view.feedback.show_message(toggle(view.options, option))
        imgui.same_line(0, em(0.15))


def _button(icon: str, action: Action, act: Act, active: bool = False) -> None:
    """A button for an action of the bindings."""
    if icon_button(icon, action.__name__, hint(action), active):
        act(action)
    imgui.same_line(0, em(0.15))


def _side_button(side: str, action: Action, act: Act, shown: bool) -> None:
    """A button with a picture of the window, in which the panels of a side are filled while they are shown."""
    _button(" ", action, act)
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    x, y, width, height = (low.x + high.x) / 2 - em(0.5), (low.y + high.y) / 2 - em(0.42), em(1.0), em(0.84)
    ink = imgui.get_color_u32(theme.ACCENT if shown else theme.TEXT)
    part = {"left": (0.0, 0.0, 0.38, 1.0), "right": (0.62, 0.0, 1.0, 1.0), "bottom": (0.0, 0.55, 1.0, 1.0)}[side]
    first, last = ((x + part[k] * width, y + part[k + 1] * height) for k in (0, 2))
    draw = imgui.get_window_draw_list()
    draw.add_rect((x, y), (x + width, y + height), ink, em(0.12), thickness=1.5)
    (draw.add_rect_filled if shown else draw.add_rect)(first, last, ink, em(0.12))


def _gap() -> None:
    """A vertical separator."""
    imgui.same_line(0, em(0.5))
    x, y = imgui.get_cursor_screen_pos()
    draw = imgui.get_window_draw_list()
    height = imgui.get_frame_height()
    draw.add_line((x, y + 0.2 * height), (x, y + 0.8 * height), imgui.get_color_u32(theme.LINE))
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + em(0.5))
