"""Cells of the Islands table: island and colour, sleep policy, and a button that wakes or puts to sleep."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from imgui_bundle import imgui

from app.model.editable import BY_PATH, FLAGS, POLICIES
from app.model.field_hint import hint
from app.model.selection import Selection
from app.model.views import StateView
from app.run.commands import PutToSleep, ResetField, Send, SetField, SetFlag, Wake
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import button, caption, em, pick, selectable, tooltip
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
        caption("-")
        return
    if selectable(f"{island}##island", view.selection == Selection("island", island), f"select island {island}"):
        view.select("island", island)


def policy_cell(tree: int, snapshot: Snapshot, send: Send) -> None:
    """The sleep policy of a tree, in the accent colour if it differs from the file."""
    assert snapshot.model is not None
    model, policies = snapshot.model, snapshot.model.tree_sleep_policy
    current = int(policies[tree])
    original = int(snapshot.file_values.get(POLICY.path, policies)[tree])
    named, title = (
        [(value, name, POLICY_HINTS[name]) for name, value in POLICIES.items()],
        POLICY_NAMES.get(current, ""),
    )
    explained = partial(hint, POLICY, (tree,), model, original)
    tint = theme.TEXT if current == original else theme.ACCENT
    picked = pick("##policy", title or str(current), lambda: named, current, explained, em(POLICY_EM), tint=tint)
    if picked is not None:
        send(SetField(POLICY.path, float(picked), (tree,)))
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        send(ResetField(POLICY.path, (tree,)))


def sleep_button(tree: int, asleep: bool, snapshot: Snapshot, send: Send) -> None:
    """A button that wakes a tree that is asleep, or puts it to sleep."""
    assert snapshot.model is not None
    model, width = snapshot.model, imgui.calc_text_size("Sleep").x + 2 * imgui.get_style().frame_padding.x
    if asleep:
        if button("Wake", "wake the tree and all that fell asleep with it", size=(width, 0)):
            send(Wake(tree))
        return
    may_sleep = int(model.tree_sleep_policy[tree]) not in (enums.SLEEP_NEVER, enums.SLEEP_AUTO_NEVER)
    forbidden = model.lacks.get("put_to_sleep", "" if may_sleep else "not allowed by its policy")
    if button(
        "Sleep", forbidden or "put the tree to sleep, with the trees coupled to it", not forbidden, size=(width, 0)
    ):
        if not model.opt.enableflags & SLEEP.bit:
            send(SetFlag(SLEEP.path, SLEEP.bit, True))
        send(PutToSleep(tree))
