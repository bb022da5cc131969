"""The Lens instrument: bodies coloured by cost or sleep; why a tree is awake, who woke it, what lets it sleep."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from imgui_bundle import imgui

from app.instruments.lens.modes import BY_NAME, ISLAND
from app.instruments.lens.panel.chain import draw_chain
from app.instruments.lens.panel.island_table import draw_islands
from app.instruments.lens.panel.legend import colour_bodies, draw_modes
from app.instruments.lens.questions import COSTS, LensAnswer, LensQuestion, WhyAnswer, WhyQuestion
from app.instruments.lens.reasons import tree_name
from app.instruments.lens.state import LensState
from app.instruments.lens.why import number
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import PutToSleep, Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import button, elide, em, note, pick, section, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import described, dof_name

# elements that a sentence names, as links below it
MOST_LINKS = 4
# room for a sentence, its links and the speed while time runs
ROOM_EM = 6.0


def lens_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Colours with their scale, the tree that is selected, and a table of islands."""
    model, state, shown = snapshot.model, snapshot.state, view.of(LensState)
    if model is None or state is None:
        return
    if not model.ntree:
        note("Nothing moves in this model, so there is nothing to sleep.")
        return
    shown.follow(view.selection, model, state)
    if COSTS in model.lacks and BY_NAME[shown.mode].timed:
        shown.mode = ISLAND
    answer = view.instruments.ask(LensQuestion())
    found: LensAnswer | None = answer.value if answer is not None and not answer.error else None
    draw_modes(snapshot, view, found)
    if shown.colouring:
        colour_bodies(snapshot, view, found)
    if answer is not None and answer.error:
        note(answer.error)
    _tree(snapshot, view, send)
    if found is not None:
        draw_islands(snapshot, view, found, BY_NAME[shown.mode])


def _tree(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The tree that the instrument is about: why it is awake, who woke it, what would let it sleep."""
    model, shown = snapshot.model, view.of(LensState)
    assert model is not None
    section("tree")
    _choice(snapshot, view)
    if shown.tree < 0:
        note("Select a body, or choose a tree: why is it awake, who woke it, and what would let it sleep?")
        return
    answer = view.instruments.ask(WhyQuestion(shown.tree))
    if answer is None or answer.error:
        note(answer.error if answer is not None else "computing ...")
        return
    found: WhyAnswer = answer.value
    top = imgui.get_cursor_pos_y()
    imgui.text_wrapped(found.why.text)
    tooltip(f"at {answer.time:.6g} s, by what the next step decides")
    _links(snapshot, view, found)
    if found.countdown != 0:
        _speed(snapshot, found)
    if not snapshot.run.paused:
        # sentences of other lengths do not move what is below: a button that moves cannot be clicked
        imgui.dummy((0, max(top + em(ROOM_EM) - imgui.get_cursor_pos_y(), 0.0)))
    section("woken by")
    draw_chain(snapshot, view, send)
    if found.ways:
        section("to let it sleep")
        _ways(snapshot, view, found, send)


def _choice(snapshot: Snapshot, view: ViewState) -> None:
    """A choice of trees, those that are awake first."""
    model, state, shown = snapshot.model, snapshot.state, view.of(LensState)
    assert model is not None
    assert state is not None
    title = tree_name(model, shown.tree) if shown.tree >= 0 else "choose a tree"
    hint = "a kinematic tree, by its root body; follows the selection"
    tree = pick("##tree", title, lambda: _trees(model, state), shown.tree, hint)
    if tree is not None:
        select(view, "tree", tree)
        shown.tree = tree


def _trees(model: ModelView, state: StateView) -> Iterator[tuple[int, str, str]]:
    """All trees with their names, those that are awake first."""
    asleep = np.asarray(state.tree_asleep) >= 0
    for tree in np.argsort(asleep, kind="stable").tolist():
        yield tree, f"{tree_name(model, tree)}{'   asleep' * bool(asleep[tree])}", ""


def select(view: ViewState, kind: str, index: int) -> None:
    """Select an element; the instrument stays in front, about the same tree."""
    view.of(LensState).clicked = Selection(kind, index)
    view.select(kind, index, stay=True)


def _links(snapshot: Snapshot, view: ViewState, found: WhyAnswer) -> None:
    """What the sentence names, to be selected."""
    assert snapshot.model is not None
    for k, (kind, index) in enumerate(dict.fromkeys(found.why.elements[1 : 1 + MOST_LINKS])):
        label = described(snapshot.model, kind, index)
        if k:
            width = imgui.calc_text_size(label).x + em(1)
            if (
                imgui.get_item_rect_max().x + width
                < imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
            ):
                imgui.same_line()
        if imgui.small_button(f"{elide(label, imgui.get_content_region_avail().x - em(1))}##link{k}"):
            select(view, kind, index)
        tooltip(f"select {label}")


def _speed(snapshot: Snapshot, found: WhyAnswer) -> None:
    """How fast it is, as sleep counts it."""
    assert snapshot.model is not None
    words = f"fastest: {dof_name(snapshot.model, found.dof)}, {number(found.speed, 'm/s')}"
    words += f"; tolerance {number(found.tolerance, 'm/s')}"
    imgui.text_colored(theme.DIM, elide(words, imgui.get_content_region_avail().x))
    tooltip(
        f"{dof_name(snapshot.model, found.dof)} has the largest velocity times dof_length of the tree:"
        f" {found.speed:.6g} m/s. It may sleep below opt.sleep_tolerance, {found.tolerance:g} m/s."
    )


def _ways(snapshot: Snapshot, view: ViewState, found: WhyAnswer, send: Send) -> None:
    """What would have to change, each with a button if one click does it."""
    model, tree = snapshot.model, view.of(LensState).tree
    assert model is not None
    for k, way in enumerate(found.ways):
        imgui.push_id(k)
        imgui.text_wrapped(f"{k + 1}. {way.text}" if len(found.ways) > 1 else way.text)
        tooltip(way.hint or way.text)
        if way.label:
            imgui.indent(em(1.2))
            if button(way.label, f"{way.text} Undo takes it back."):
                for command in way.commands:
                    send(command)
            imgui.unindent(em(1.2))
        imgui.pop_id()
    if found.forbidden:
        return
    lacking = model.lacks.get("put_to_sleep", "")
    if button("Put to sleep now", lacking or "as it is, with its island: it stops where it is", not lacking):
        send(PutToSleep(tree))
