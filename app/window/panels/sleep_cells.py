"""Cells of the Islands table: island and colour, sleep policy, and a button that wakes or puts to sleep."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from app.model.editable import BY_PATH, FLAGS, POLICIES
from app.model.field_hint import hint
from app.model.selection import Selection
from app.model.views import StateView
from app.run.commands import PutToSleep, ResetField, Send, SetField, SetFlag, Wake
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import colour, disabled, em, tooltip
from app.view.view_state import ViewState
from sim import enums

SLEEP = next(flag for flag in FLAGS if flag.name == "sleep")
POLICY = BY_PATH["tree_sleep_policy"]
POLICY_HINTS = {
    "never (auto)": "chosen by the engine: stays awake",
    "allowed (auto)": "chosen by the engine: falls asleep at rest",
    "never": "stays awake",
    "allowed": "falls asleep at rest",
    "init": "starts asleep",
}
POLICY_NAMES = {value: name for name, value in POLICIES.items()}
POLICY_EM = 8.0


def island_cell(island: int, hue: Sequence[float], state: StateView, view: ViewState) -> None:
    """The island of a tree, selectable, with the tree's colour in the view when islands are coloured."""
    (x, y), size = imgui.get_cursor_screen_pos(), em(0.7)
    top = y + imgui.get_style().frame_padding.y + (imgui.get_text_line_height() - size) / 2
    ink = imgui.get_color_u32((hue[0], hue[1], hue[2], 1.0))
    imgui.get_window_draw_list().add_rect_filled((x, top), (x + size, top + size), ink, em(0.15))
    imgui.dummy((size, size))
    tooltip("colour in the view when islands are shown   N")
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    if not 0 <= island < state.nisland:
        imgui.text_colored(theme.DIM, "-")
        return
    if imgui.selectable(f"{island}##island", view.selection == Selection("island", island))[0]:
        view.select("island", island)
    tooltip(f"select island {island}")


def policy_cell(tree: int, snapshot: Snapshot, send: Send) -> None:
    """The sleep policy of a tree, in the accent colour if it differs from the file."""
    assert snapshot.model is not None
    model, policies = snapshot.model, snapshot.model.tree_sleep_policy
    current = int(policies[tree])
    original = int(snapshot.file_values.get(POLICY.path, policies)[tree])
    imgui.set_next_item_width(em(POLICY_EM))
    with colour(imgui.Col_.text, theme.TEXT if current == original else theme.ACCENT):
        opened = imgui.begin_combo("##policy", POLICY_NAMES.get(current, str(current)))
    if opened:
        for name, value in POLICIES.items():
            if imgui.selectable(name, value == current)[0]:
                send(SetField(POLICY.path, float(value), (tree,)))
            tooltip(POLICY_HINTS[name])
        imgui.end_combo()
        return
    tooltip(lambda: hint(POLICY, (tree,), model, original))
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        send(ResetField(POLICY.path, (tree,)))


def sleep_button(tree: int, asleep: bool, snapshot: Snapshot, send: Send) -> None:
    """A button that wakes a tree that is asleep, or puts it to sleep."""
    assert snapshot.model is not None
    model, width = snapshot.model, imgui.calc_text_size("Sleep").x + 2 * imgui.get_style().frame_padding.x
    if asleep:
        if imgui.button("Wake", (width, 0)):
            send(Wake(tree))
        tooltip("wake the tree and all that fell asleep with it")
        return
    may_sleep = int(model.tree_sleep_policy[tree]) not in (enums.SLEEP_NEVER, enums.SLEEP_AUTO_NEVER)
    forbidden = model.lacks.get("put_to_sleep", "" if may_sleep else "not allowed by its policy")
    with disabled(bool(forbidden)):
        if imgui.button("Sleep", (width, 0)):
            if not model.opt.enableflags & SLEEP.bit:
                send(SetFlag(SLEEP.path, SLEEP.bit, True))
            send(PutToSleep(tree))
    tooltip(forbidden or "put the tree to sleep, with the trees coupled to it")
