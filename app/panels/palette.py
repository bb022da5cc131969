"""The command palette (Ctrl+K): find any action, switch, option, scene or camera by typing a part of its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from imgui_bundle import imgui

from app.bindings import BINDINGS, Action
from app.commands import Reset, ResetEdits, Send, SetFlag
from app.editable import FLAGS, OPTIONS, VISUALS
from app.panels import theme
from app.panels.simulation import scenes
from app.resources import open_command
from app.selection import element_name
from app.snapshot import Snapshot
from app.state import NGROUP, ViewState
from app.visual import GROUPS, SWITCHES, flip
from app.widgets import em, fits, tooltip

WIDTH_EM, ROWS = 38.0, 14
# panels with a search field: what is found there, and which fields of the view hold the text and show the side
SEARCHES = {"Physics": (OPTIONS, "search", "show_right"), "Visual": (VISUALS, "visual_search", "show_left")}
GESTURES = ("drag", "click", "Scroll", "file")
WINDOW = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
)


@dataclass(frozen=True)
class Entry:
    """Something that can be done."""

    words: str
    group: str
    hint: str
    do: Callable[[], None]


def command_palette(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    """A field and what fits what was typed; Enter does the first, the arrows choose another."""
    if not view.show_palette:
        return
    display = imgui.get_io().display_size
    imgui.set_next_window_pos((display.x / 2, display.y * 0.15), imgui.Cond_.always, (0.5, 0.0))
    imgui.set_next_window_size((em(WIDTH_EM), 0))
    imgui.begin("##palette", None, WINDOW)
    if view.palette_text is None:
        view.palette_text, view.palette_row = "", 0
        imgui.set_keyboard_focus_here()
    imgui.set_next_item_width(-1)
    flags = imgui.InputTextFlags_.enter_returns_true
    entered, text = imgui.input_text_with_hint("##command", "what would you like to do?", view.palette_text, flags)
    tooltip(
        "words of an action, a switch, an option, a scene or a camera\nEnter does what is marked, arrows mark another"
    )
    if text != view.palette_text:
        view.palette_text, view.palette_row = text, 0
    found = search(entries(snapshot, view, send, act), text)
    moved = _move(view, len(found))
    chosen = found[view.palette_row] if entered and found else None
    chosen = _list(found, view.palette_row, moved) or chosen
    left = not imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows) and imgui.is_mouse_clicked(0)
    imgui.end()
    if chosen is not None or left or imgui.is_key_pressed(imgui.Key.escape):
        view.show_palette, view.palette_text = False, None
    if chosen is not None:
        chosen.do()


def _list(found: list[Entry], chosen: int, moved: bool) -> Entry | None:
    """As many lines as there is room for, the others by scrolling; the entry that was clicked."""
    clicked = None
    line = imgui.get_text_line_height_with_spacing()
    room = 0.8 * imgui.get_io().display_size.y - imgui.get_cursor_pos_y()
    rows = max(min(len(found), ROWS, int(room / line)), 1)
    # the mark of the first line begins above its letters
    above = imgui.get_style().item_spacing.y / 2
    imgui.begin_child("entries", (0, rows * line + above), window_flags=imgui.WindowFlags_.no_nav_inputs)
    imgui.set_cursor_pos_y(above)
    for row, entry in enumerate(found):
        if _line(entry, row, row == chosen):
            clicked = entry
        if moved and row == chosen:
            imgui.set_scroll_here_y(0.5)
    if not found:
        imgui.text_colored(theme.DIM, "nothing fits")
    imgui.end_child()
    return clicked


def entries(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> list[Entry]:
    """Everything that can be done now."""
    result = [
        Entry(binding.help, binding.group, binding.trigger, lambda action=binding.action: act(action))  # type: ignore[misc]
        for binding in BINDINGS
        if not binding.trigger.endswith(GESTURES) and binding.action is not Action.SWITCH
    ]
    words = f"switch keyboard shortcuts {'off' if view.shortcuts else 'on'}"
    result.append(Entry(words, "Window", "", _switch_shortcuts(view)))
    for switch in SWITCHES:
        words = f"{switch.label.lower()}: {switch.help}"
        result.append(Entry(words, "Picture", switch.key, _flip(view, switch.option)))
    for groups in GROUPS:
        for group in range(NGROUP):
            words = f"show or hide {groups.label.lower()[:-1]} {group}"
            result.append(Entry(words, "Picture", groups.key(group), _flip(view, groups.option, group)))
    for panel, (table, _, _) in SEARCHES.items():
        for row in table:
            words = _explained(f"edit {row.name}", row.name, row.meaning)
            result.append(Entry(words, panel, row.attribute, _find(view, panel, row.name)))
    if snapshot.model is not None:
        for flag in FLAGS:
            on = flag.state(int(getattr(snapshot.model.opt, flag.path.removeprefix("opt."))))
            command = SetFlag(flag.path, flag.bit, (not on) != flag.inverted)
            words = _explained(f"{'disable' if on else 'enable'} {flag.name}", flag.name, flag.meaning)
            result.append(Entry(words, "Physics", f"option/flag/{flag.name}", lambda c=command: send(c)))  # type: ignore[misc]
        result.append(Entry("reset all edits to the file", "Physics", "", lambda: send(ResetEdits())))
        for key in range(snapshot.model.nkey):
            name = element_name(snapshot.model, "key", key)
            result.append(Entry(f"keyframe {name}", "Time", "", lambda k=key: send(Reset(k))))  # type: ignore[misc]
        for camera in range(snapshot.model.ncam):
            name = element_name(snapshot.model, "camera", camera)
            result.append(Entry(f"look through camera {name}", "Camera", "", _look_through(view, camera)))
    for scene in scenes():
        words = f"open {scene.name.replace('_', ' ')}: {scene.caption}"
        result.append(Entry(words, "File", "", lambda path=scene.path: send(open_command(path))))  # type: ignore[misc]
    return result


def search(all_entries: list[Entry], text: str) -> list[Entry]:
    """Entries that contain every word that was typed; those that begin with it first."""
    found = [entry for entry in all_entries if fits(text, entry.words, entry.group, entry.hint)]
    return sorted(found, key=lambda e: not e.words.lower().startswith(text.lower().strip()))


def _explained(words: str, name: str, meaning: str) -> str:
    """What is done and what that means, unless the name says it all."""
    return words if meaning in (name, f"{name}s") else f"{words}: {meaning}"


def _line(entry: Entry, row: int, chosen: bool) -> bool:
    """One entry: its words on the left, its key or attribute on the right."""
    pressed, _ = imgui.selectable(f"##entry{row}", chosen)
    if not imgui.is_item_visible():
        return pressed
    tooltip(f"{entry.words}   {entry.hint}")
    start, end = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    draw = imgui.get_window_draw_list()
    hint = imgui.calc_text_size(entry.hint).x
    draw.push_clip_rect((start.x, start.y), (end.x - hint - em(1.5), end.y), True)
    top = (start.y + end.y - imgui.get_text_line_height()) / 2
    draw.add_text((start.x + em(0.4), top), imgui.get_color_u32(theme.TEXT), entry.words)
    draw.pop_clip_rect()
    draw.add_text((end.x - hint - em(0.4), top), imgui.get_color_u32(theme.DIM), entry.hint)
    return pressed


def _move(view: ViewState, count: int) -> bool:
    """The arrows choose; whether another was chosen."""
    before = view.palette_row
    step = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
    view.palette_row = min(max(before + step, 0), max(count - 1, 0))
    return view.palette_row != before


def _flip(view: ViewState, option: str, group: int = -1) -> Callable[[], None]:
    def do() -> None:
        view.message = flip(view.options, option, group)

    return do


def _switch_shortcuts(view: ViewState) -> Callable[[], None]:
    def do() -> None:
        view.shortcuts = not view.shortcuts
        view.message = f"keyboard shortcuts are {'on' if view.shortcuts else 'off'}"

    return do


def _look_through(view: ViewState, camera: int) -> Callable[[], None]:
    def do() -> None:
        view.camera_id = camera

    return do


def _find(view: ViewState, panel: str, name: str) -> Callable[[], None]:
    def do() -> None:
        _, text, side = SEARCHES[panel]
        setattr(view, text, name)
        setattr(view, side, True)
        view.reveal = panel

    return do
