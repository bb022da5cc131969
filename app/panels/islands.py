"""Islands and trees: who is tied to whom, who sleeps and who does not, why, and who woke it."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.commands import PutToSleep, Send, SetField, SetFlag, Wake
from app.editable import BY_PATH, FLAGS, POLICIES
from app.panels import theme
from app.panels.field import field_row, flag_row
from app.panels.tables import FLAGS as TABLE_FLAGS
from app.selection import Selection, element_name
from app.snapshot import ModelView, Snapshot, StateView
from app.state import ViewState
from app.widgets import disabled, em, font, tooltip
from sim import enums

SLEEP = next(flag for flag in FLAGS if flag.name == "sleep")
POLICY_NAMES = {value: name for name, value in POLICIES.items()}

# what is said about a waking, and the kind of element that its number names
WAKE_CAUSES: dict[int, tuple[str, str]] = {
    enums.WAKE_NONE: ("", ""),
    enums.WAKE_QPOS: ("moved by hand", ""),
    enums.WAKE_QVEL: ("pushed by hand", ""),
    enums.WAKE_QFRC: ("force on a joint", ""),
    enums.WAKE_XFRC: ("force on", "body"),
    enums.WAKE_MOCAP: ("moved mocap body", "body"),
    enums.WAKE_CONTACT: ("touched by", "geom"),
    enums.WAKE_EQUALITY: ("equality", "equality"),
    enums.WAKE_TENDON: ("tendon", "tendon"),
    enums.WAKE_CALL: ("asked to", ""),
    enums.WAKE_FLAG: ("sleep switched off", ""),
}
AWAKE_REASONS: dict[int, tuple[str, str]] = {
    enums.AWAKE_ASLEEP: ("", ""),
    enums.AWAKE_POLICY: ("its policy", ""),
    enums.AWAKE_XFRC: ("force on", "body"),
    enums.AWAKE_QFRC: ("force on a joint", ""),
    enums.AWAKE_MOVING: ("too fast: dof", "number"),
    enums.AWAKE_WAITING: ("slow; steps left:", "number"),
    enums.AWAKE_ISLAND: ("tied to tree", "number"),
    enums.AWAKE_OFF: ("nothing sleeps", ""),
}


def islands_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The switch, the tolerance, and a row for every tree."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not model.ntree:
        imgui.text_colored(theme.DIM, "no moving bodies")
        return
    flag_row(SLEEP, snapshot, send)
    imgui.same_line(em(8))
    imgui.begin_child("tolerance", (em(22), imgui.get_frame_height()), window_flags=imgui.WindowFlags_.no_nav_inputs)
    field_row(BY_PATH["opt.sleep_tolerance"], (), snapshot, view, send)
    imgui.end_child()
    imgui.same_line()
    awake = int(getattr(state, "ntree_awake", model.ntree))
    imgui.text_colored(theme.DIM, f"{awake} of {model.ntree} trees awake, {state.nisland} islands")
    if imgui.begin_table("trees", 8, TABLE_FLAGS & ~imgui.TableFlags_.sortable):
        imgui.table_setup_scroll_freeze(0, 1)
        for heading in ("tree", "bodies", "island", "policy", "state", "why awake", "woken by", ""):
            imgui.table_setup_column(heading)
        imgui.table_headers_row()
        clipper = imgui.ListClipper()
        clipper.begin(model.ntree, imgui.get_frame_height_with_spacing())
        while clipper.step():
            for tree in range(clipper.display_start, clipper.display_end):
                imgui.push_id(tree)
                _tree(tree, model, state, view, send)
                imgui.pop_id()
        imgui.end_table()


def _tree(tree: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """One tree."""
    imgui.table_next_row()
    imgui.table_next_column()
    root = int(model.tree_bodyadr[tree])
    imgui.align_text_to_frame_padding()
    if imgui.selectable(f"{element_name(model, 'body', root)}##tree", view.selection == Selection("tree", tree))[0]:
        view.select("tree", tree)
    asleep = _asleep(state, tree)
    tint = theme.DIM if asleep else theme.TEXT
    with font("mono"):
        imgui.table_next_column()
        imgui.text_colored(tint, str(model.tree_bodynum[tree]))
        imgui.table_next_column()
        _island(int(state.tree_island[tree]), state, view)
    imgui.table_next_column()
    _policy(tree, model, send)
    imgui.table_next_column()
    imgui.text_colored(tint, "asleep" if asleep else "awake")
    for values, sentences in ((_pair(state, "tree_restless", tree), AWAKE_REASONS),
                              (_pair(state, "tree_wakecause", tree), WAKE_CAUSES)):  # fmt: skip
        imgui.table_next_column()
        imgui.text_colored(tint, _sentence(model, values, sentences))
    imgui.table_next_column()
    may_sleep = int(model.tree_sleep_policy[tree]) not in (enums.SLEEP_NEVER, enums.SLEEP_AUTO_NEVER)
    _buttons(tree, asleep, may_sleep, bool(model.opt.enableflags & SLEEP.bit), send)


def _island(island: int, state: StateView, view: ViewState) -> None:
    """The island of a tree, to be selected."""
    if not 0 <= island < state.nisland:
        imgui.text_colored(theme.DIM, "-")
    elif imgui.selectable(f"{island}##island", view.selection == Selection("island", island))[0]:
        view.select("island", island)


def _policy(tree: int, model: ModelView, send: Send) -> None:
    """Whether a tree may sleep."""
    current = int(model.tree_sleep_policy[tree])
    imgui.set_next_item_width(-1)
    if imgui.begin_combo("##policy", POLICY_NAMES.get(current, str(current))):
        for name, value in POLICIES.items():
            if imgui.selectable(name, value == current)[0]:
                send(SetField("tree_sleep_policy", float(value), (tree,)))
        imgui.end_combo()
    tooltip("body/sleep: whether the tree may fall asleep")


def _buttons(tree: int, asleep: bool, may_sleep: bool, enabled: bool, send: Send) -> None:
    """Wake it, or put it to sleep."""
    with disabled(not asleep):
        if imgui.button("Wake"):
            send(Wake(tree))
    imgui.same_line()
    with disabled(asleep or not may_sleep):
        if imgui.button("Sleep"):
            if not enabled:
                send(SetFlag(SLEEP.path, SLEEP.bit, True))
            send(PutToSleep(tree))


def _asleep(state: StateView, tree: int) -> bool:
    """Whether a tree sleeps: those awake count up with negative numbers."""
    return bool(np.asarray(getattr(state, "tree_asleep", np.full(tree + 1, -1)))[tree] >= 0)


def _pair(state: StateView, name: str, tree: int) -> tuple[int, int]:
    """A cause and the number of what it is about."""
    values: Any = getattr(state, name, None)
    return (0, 0) if values is None else (int(values[tree, 0]), int(values[tree, 1]))


def _sentence(model: ModelView, cause: tuple[int, int], sentences: dict[int, tuple[str, str]]) -> str:
    """A cause in words."""
    words, kind = sentences.get(cause[0], (str(cause[0]), ""))
    if kind == "number":
        return f"{words} {cause[1]}"
    return f"{words} {element_name(model, kind, cause[1])}" if kind else words
