"""The Islands panel: a table of kinematic trees with their island, sleep state, why each is awake and what woke it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.instruments.lens.reasons import wake_chain, why_awake, woken_by
from app.instruments.lens.why import why_sentence
from app.instruments.offer import offer
from app.model.editable import BY_PATH, FLAGS, POLICIES
from app.model.field_hint import hint
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import PutToSleep, ResetField, Send, SetField, SetFlag, Wake
from app.run.snapshot import Snapshot
from app.scene.decor.islands import island_colours
from app.ui import theme
from app.ui.tables.column import UP, Column, matching_rows
from app.ui.tables.table import Look, copy_button, filter_field, table
from app.ui.widgets import button, caption, em, pick, same_line_if_fits, selectable, tooltip
from app.view.view_state import ViewState
from app.window.panels.field import field_row, flag_row
from sim import enums
from sim.analysis.element_names import element_name
from sim.analysis.trees.tree_sleep import tree_sleep

TABLE = "kinematic trees"
# width of the tolerance with its label
TOLERANCE_EM = 15.0
Explain = Callable[[ModelView, StateView, int], str]
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


def islands_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The sleep flag, the tolerance, and a row for every tree, those that are awake first."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not model.ntree:
        caption("no moving bodies")
        return
    columns = _columns(snapshot, model, state, view, send)
    query = _head(snapshot, model, state, view, send)
    shown = matching_rows(columns, query)
    if not len(shown):
        caption("no matching trees")
        return
    marked = np.arange(model.ntree) == _tree_of(view.selection, model, state)
    asleep = _asleep(model, state)
    look = Look(
        lambda tree: f"select tree {tree}",
        lambda tree: theme.DIM if asleep[tree] else theme.TEXT,
        row_height=1.5,
        follow=True,
    )
    clicked = table(view, TABLE, columns, look, model.identity, marked, shown)
    if clicked is not None:
        view.select("tree", clicked)


def _columns(snapshot: Snapshot, model: ModelView, state: StateView, view: ViewState, send: Send) -> list[Column]:
    """What the table shows of every tree."""
    asleep, island = _asleep(model, state), np.asarray(state.tree_island)
    hues = island_colours(model, state)[np.asarray(model.tree_bodyadr)]
    roots, policies = np.asarray(model.tree_bodyadr), np.asarray(model.tree_sleep_policy)
    return [
        Column("tree", roots, lambda body: element_name(model, "body", int(body)), "root body of the tree", left=True),
        Column("state", asleep.astype(int), lambda value: STATES[int(value)], "d.tree_asleep", first=UP, left=True),
        _reasons("why awake", "what keeps the tree from falling asleep", why_awake, _sentence, snapshot),
        _reasons("woken by", "what last woke it", woken_by, wake_chain, snapshot),
        Column(
            "island",
            np.where(island < state.nisland, island, -1),
            lambda index: str(index) if index >= 0 else "-",
            "d.tree_island: trees coupled by constraints",
            draw=lambda tree, _: island_cell(int(island[tree]), hues[tree].tolist(), state, view),
        ),
        Column(
            "policy",
            policies,
            lambda policy: POLICY_NAMES.get(int(policy), str(policy)),
            "body/sleep: whether the tree may fall asleep",
            draw=lambda tree, _: policy_cell(tree, snapshot, send),
        ),
        Column(
            "",
            asleep,
            str,
            "wake a tree or put it to sleep",
            draw=lambda tree, _: sleep_button(tree, bool(asleep[tree]), snapshot, send),
        ),
        Column("bodies", np.asarray(model.tree_bodynum), str, "m.tree_bodynum"),
    ]


STATES = ("awake", "asleep")


def _reasons(name: str, hint: str, explain: Explain, whole: Explain, snapshot: Snapshot) -> Column:
    """A column with a reason of each tree, and all of it in the tooltip."""
    model, state = snapshot.model, snapshot.state
    assert model is not None
    assert state is not None
    trees, lacking = np.arange(model.ntree), model.lacks.get("why_awake", "")
    if lacking:
        return Column(name, trees, lambda _: "-", hint, wide=True, left=True, tip=lambda _: lacking)
    codes = np.asarray(state.tree_restless if explain is why_awake else state.tree_wakecause, np.int64)
    # equal codes and elements stand together when it is sorted
    rank = np.lexsort((trees, codes[:, 1], codes[:, 0]))
    places = np.empty(model.ntree, np.int64)
    places[rank] = trees
    return Column(
        name,
        places,
        lambda place: explain(model, state, int(rank[place])),
        hint,
        wide=True,
        left=True,
        tip=partial(whole, model, state),
    )


def _head(snapshot: Snapshot, model: ModelView, state: StateView, view: ViewState, send: Send) -> str:
    """The sleep flag, the tolerance, the filter and the counts; returns the filter."""
    flag_row(SLEEP, snapshot, send)
    imgui.same_line(em(6))
    width = min(em(TOLERANCE_EM), imgui.get_content_region_avail().x)
    imgui.begin_child("tolerance", (width, imgui.get_frame_height()), window_flags=imgui.WindowFlags_.no_nav_inputs)
    field_row(BY_PATH["opt.sleep_tolerance"], (), snapshot, view, send)
    imgui.end_child()
    hint = "colours by cost and sleep, why a tree is awake, what woke it, how to let it sleep"
    offer(view, "Lens", hint, beside=True)
    same_line_if_fits("tree, state or reason")
    query = filter_field(view, TABLE, "tree, state or reason", width=10.0)
    imgui.same_line()
    copy_button(view, TABLE)
    offer(view, "Solver", "solver iterations on each island; follows the selection", beside=True)
    awake = int(getattr(state, "ntree_awake", model.ntree))
    islands = f"{state.nisland} island{'' if state.nisland == 1 else 's'}"
    words = f"{awake} of {model.ntree} awake, {islands}"
    same_line_if_fits(words)
    caption(words, framed=True)
    if "why_awake" in model.lacks:
        caption(model.lacks["why_awake"])
    return query


def _tree_of(selection: Selection | None, model: ModelView, state: StateView) -> int:
    """The selected tree, or the tree of the selected element, or -1."""
    if selection is None or not selection.exists(model, state):
        return -1
    body = selection.body(model, state)
    return selection.index if selection.kind == "tree" else int(model.body_treeid[body]) if body > 0 else -1


def _sentence(model: ModelView, state: StateView, tree: int) -> str:
    """Why a tree is awake, in one sentence."""
    return why_sentence(model, state, tree_sleep(model, state), tree).text


def _asleep(model: ModelView, state: StateView) -> NDArray[np.bool_]:
    """Which trees are asleep; an awake tree has a negative countdown."""
    values: Any = getattr(state, "tree_asleep", np.full(model.ntree, -1))
    return np.asarray(np.asarray(values) >= 0)


def island_cell(island: int, hue: Sequence[float], state: StateView, view: ViewState) -> None:
    """The island of a tree, selectable, with the tree's colour in the view when islands are coloured."""
    (x, y), size = imgui.get_cursor_screen_pos(), em(0.7)
    top = y + imgui.get_style().frame_padding.y + (imgui.get_text_line_height() - size) / 2
    ink = imgui.get_color_u32((hue[0], hue[1], hue[2], 1.0))
    imgui.get_window_draw_list().add_rect_filled((x, top), (x + size, top + size), ink, em(0.15))
    imgui.dummy((size, size))
    tooltip("colour in the view while islands are shown   N")
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
        if button("Wake", "wake the tree and all trees that fell asleep with it", size=(width, 0)):
            send(Wake(tree))
        return
    may_sleep = int(model.tree_sleep_policy[tree]) not in (enums.SLEEP_NEVER, enums.SLEEP_AUTO_NEVER)
    forbidden = model.lacks.get("put_to_sleep", "" if may_sleep else "its sleep policy does not allow this")
    if button("Sleep", forbidden or "put the tree and those coupled to it to sleep", not forbidden, size=(width, 0)):
        if not model.opt.enableflags & SLEEP.bit:
            send(SetFlag(SLEEP.path, SLEEP.bit, True))
        send(PutToSleep(tree))
