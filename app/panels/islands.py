"""The Islands panel: a table of kinematic trees with their island, sleep state, why each is awake and what woke it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import imgui

from app.insight.why_awake import why_awake, woken_by
from app.model.editable import BY_PATH, FLAGS, POLICIES
from app.model.field_hint import hint
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.panels.field import field_row, flag_row
from app.panels.table import FLAGS as TABLE_FLAGS
from app.panels.table import begin_table
from app.run.commands import PutToSleep, ResetField, Send, SetField, SetFlag, Wake
from app.run.snapshot import Snapshot
from app.scene.decor.islands import island_colours
from app.ui import theme
from app.ui.widgets import colour, disabled, em, font, tooltip
from app.view.view_state import ViewState
from sim import enums
from sim.analysis.element_names import element_name

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

# heading, tooltip, minimum width in em
COLUMNS = (
    ("tree", "root body of the tree", 6.5),
    ("bodies", "m.tree_bodynum", 3.8),
    ("island", "d.tree_island: trees coupled by constraints", 4.4),
    ("policy", "body/sleep: whether the tree may fall asleep", 9.5),
    ("state", "d.tree_asleep", 4.0),
    ("why awake", "what keeps the tree from falling asleep", 8.5),
    ("woken by", "what woke it last", 7.5),
    ("", "wake a tree or put it to sleep", 7.8),
)


def islands_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The sleep flag, the tolerance, and a row for every tree."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not model.ntree:
        imgui.text_colored(theme.DIM, "no moving bodies")
        return
    _head(snapshot, view, send)
    chosen = _tree_of(view.selection, model, state)
    hues = island_colours(model, state)[np.asarray(model.tree_bodyadr)].tolist()
    if begin_table("trees", COLUMNS, TABLE_FLAGS & ~imgui.TableFlags_.sortable):
        clipper = imgui.ListClipper()
        clipper.begin(model.ntree, imgui.get_frame_height_with_spacing())
        while clipper.step():
            for tree in range(clipper.display_start, clipper.display_end):
                imgui.push_id(tree)
                _tree(tree, tree == chosen, hues[tree], snapshot, view, send)
                imgui.pop_id()
        imgui.end_table()


def _head(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The sleep flag, the tolerance and the counts, in one line, or in three if the panel is narrow."""
    model, state = snapshot.model, snapshot.state
    assert model is not None
    assert state is not None
    wide = imgui.get_content_region_avail().x > em(48)
    flag_row(SLEEP, snapshot, send)
    if wide:
        imgui.same_line(em(8))
    size = (em(22) if wide else 0.0, imgui.get_frame_height())
    imgui.begin_child("tolerance", size, window_flags=imgui.WindowFlags_.no_nav_inputs)
    field_row(BY_PATH["opt.sleep_tolerance"], (), snapshot, view, send)
    imgui.end_child()
    if wide:
        imgui.same_line()
    awake = int(getattr(state, "ntree_awake", model.ntree))
    islands = f"{state.nisland} island{'' if state.nisland == 1 else 's'}"
    imgui.text_colored(theme.DIM, f"{awake} of {model.ntree} trees awake, {islands}")
    if "why_awake" in model.lacks:
        imgui.text_colored(theme.DIM, model.lacks["why_awake"])


def _tree_of(selection: Selection | None, model: ModelView, state: StateView) -> int:
    """The selected tree, or the tree of the selected element, or -1."""
    if selection is None or not selection.exists(model, state):
        return -1
    body = selection.body(model, state)
    return selection.index if selection.kind == "tree" else int(model.body_treeid[body]) if body > 0 else -1


def _tree(tree: int, chosen: bool, hue: Sequence[float], snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """One row, highlighted if `chosen`; `hue` is the tree's colour in the view when islands are coloured."""
    model, state = snapshot.model, snapshot.state
    assert model is not None
    assert state is not None
    imgui.table_next_row()
    imgui.table_next_column()
    root = int(model.tree_bodyadr[tree])
    imgui.align_text_to_frame_padding()
    if imgui.selectable(f"{element_name(model, 'body', root)}##tree", chosen)[0]:
        view.select("tree", tree)
    tooltip(f"select tree {tree}")
    asleep = _asleep(state, tree)
    tint = theme.DIM if asleep else theme.TEXT
    with font("mono"):
        imgui.table_next_column()
        imgui.text_colored(tint, str(model.tree_bodynum[tree]))
        imgui.table_next_column()
        _swatch(hue)
        _island(int(state.tree_island[tree]), state, view)
    imgui.table_next_column()
    _policy(tree, snapshot, send)
    imgui.table_next_column()
    imgui.text_colored(tint, "asleep" if asleep else "awake")
    lacking = model.lacks.get("why_awake", "")
    for explain in (why_awake, woken_by):
        imgui.table_next_column()
        reason = "-" if lacking else explain(model, state, tree)
        imgui.text_colored(theme.DIM if lacking else tint, reason)
        tooltip(lacking or reason)
    imgui.table_next_column()
    may_sleep = int(model.tree_sleep_policy[tree]) not in (enums.SLEEP_NEVER, enums.SLEEP_AUTO_NEVER)
    forbidden = model.lacks.get("put_to_sleep", "" if may_sleep else "not allowed by its policy")
    _buttons(tree, asleep, forbidden, bool(model.opt.enableflags & SLEEP.bit), send)


def _swatch(hue: Sequence[float]) -> None:
    """A colour swatch."""
    (x, y), size = imgui.get_cursor_screen_pos(), em(0.7)
    top = y + imgui.get_style().frame_padding.y + (imgui.get_text_line_height() - size) / 2
    ink = imgui.get_color_u32((hue[0], hue[1], hue[2], 1.0))
    imgui.get_window_draw_list().add_rect_filled((x, top), (x + size, top + size), ink, em(0.15))
    imgui.dummy((size, size))
    tooltip("colour in the view when islands are shown   N")
    imgui.same_line()


def _island(island: int, state: StateView, view: ViewState) -> None:
    """The island of a tree, selectable."""
    if not 0 <= island < state.nisland:
        imgui.text_colored(theme.DIM, "-")
        return
    if imgui.selectable(f"{island}##island", view.selection == Selection("island", island))[0]:
        view.select("island", island)
    tooltip(f"select island {island}")


def _policy(tree: int, snapshot: Snapshot, send: Send) -> None:
    """The sleep policy of a tree, in the accent colour if it differs from the file."""
    assert snapshot.model is not None
    model, policies = snapshot.model, snapshot.model.tree_sleep_policy
    current = int(policies[tree])
    original = int(snapshot.file_values.get(POLICY.path, policies)[tree])
    imgui.set_next_item_width(-1)
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


def _buttons(tree: int, asleep: bool, forbidden: str, enabled: bool, send: Send) -> None:
    """Buttons that wake a tree or put it to sleep; `forbidden` is why it may not sleep."""
    with disabled(not asleep):
        if imgui.button("Wake"):
            send(Wake(tree))
    tooltip("wake the tree and all that fell asleep with it")
    imgui.same_line(0, em(0.3))
    with disabled(asleep or bool(forbidden)):
        if imgui.button("Sleep"):
            if not enabled:
                send(SetFlag(SLEEP.path, SLEEP.bit, True))
            send(PutToSleep(tree))
    tooltip(forbidden or "put the tree to sleep, with the trees coupled to it")


def _asleep(state: StateView, tree: int) -> bool:
    """Whether a tree is asleep; an awake tree has a negative countdown."""
    return bool(np.asarray(getattr(state, "tree_asleep", np.full(tree + 1, -1)))[tree] >= 0)
