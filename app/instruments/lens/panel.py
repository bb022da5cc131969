"""The Lens instrument: bodies coloured by cost or sleep; why a tree is awake, who woke it, what lets it sleep."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from imgui_bundle import imgui

from app.instruments.lens.chain_text import Line, chain_lines
from app.instruments.lens.modes import (
    ASLEEP,
    BY_NAME,
    COUNTDOWN,
    ISLAND,
    MODES,
    NOTHING,
    Mode,
    Scale,
    ramp,
    tree_colours,
)
from app.instruments.lens.questions import COSTS, LensAnswer, LensQuestion, WhyAnswer, WhyQuestion
from app.instruments.lens.reasons import tree_name
from app.instruments.lens.state import LensState
from app.instruments.lens.wake_search import Found
from app.instruments.lens.why import number
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import GoTo, PutToSleep, Send
from app.run.snapshot import Snapshot
from app.scene.decor.islands import island_colours
from app.ui import theme
from app.ui.quantities import compact
from app.ui.tables.column import DOWN, Column
from app.ui.tables.table import Look, table
from app.ui.widgets import (
    button,
    caption,
    colour,
    elide,
    em,
    font,
    note,
    pick,
    same_line_if_fits,
    section,
    toggle,
    tooltip,
)
from app.view.view_state import ViewState
from sim.analysis.element_names import described, dof_name
from sim.analysis.trees.island_costs import Islands

TIME_EM = 4.6
# steps of the drawn scale, and its height
STEPS, HEIGHT_EM = 48, 0.7
# numbers at the ends of a scale that are written plain
PLAIN = 1e5
TABLE = "lens islands"
# its least height; the panel scrolls
LEAST_EM = 10.0
NO_ISLANDS = "no constraints: every awake tree moves independently"
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
        note("Nothing moves in this model, so nothing can sleep.")
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
        note("Select a body or choose a tree: why is it awake, what woke it, and how can it sleep?")
        return
    answer = view.instruments.ask(WhyQuestion(shown.tree))
    if answer is None or answer.error:
        note(answer.error if answer is not None else "computing ...")
        return
    found: WhyAnswer = answer.value
    top = imgui.get_cursor_pos_y()
    imgui.text_wrapped(found.why.text)
    tooltip(f"at {answer.time:.6g} s, using the next step's rule")
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
            if button(way.label, f"{way.text} Undo reverts it."):
                for command in way.commands:
                    send(command)
            imgui.unindent(em(1.2))
        imgui.pop_id()
    if found.forbidden:
        return
    lacking = model.lacks.get("put_to_sleep", "")
    if button("Put to sleep now", lacking or "freezes it and its island in place", not lacking):
        send(PutToSleep(tree))


def draw_chain(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A row for each wake, the last first."""
    model = snapshot.model
    assert model is not None
    if lacking := model.lacks.get("why_awake", ""):
        imgui.text_wrapped(lacking)
        return
    found = view.of(LensState).ask(snapshot)
    if found is None or (not found.complete and not found.links):
        searched = f" back to {snapshot.run.history.time_of(found.step):.3f} s" if found is not None else ""
        caption(f"searching the recorded steps{searched} ...")
        return
    if found.error:
        imgui.text_wrapped(found.error)
        return
    lines = chain_lines(model, found.links, found.since_start, found.unknown)
    for k, line in enumerate(lines):
        imgui.push_id(k)
        _line(line, found, snapshot, view, send, k == len(lines) - 1)
        imgui.pop_id()


def _line(line: Line, found: Found, snapshot: Snapshot, view: ViewState, send: Send, first_cause: bool) -> None:
    """When, whose wake and by what; the first cause stands out."""
    shown = view.of(LensState)
    timeline = snapshot.run.history
    start, words = imgui.get_cursor_pos_x(), f"{line.name}: {line.text}"
    height = imgui.calc_text_size(words, wrap_width=imgui.get_content_region_avail().x - em(TIME_EM)).y
    here = line.step is not None and line.step == timeline.now
    if imgui.selectable("##line", here, 0, (0, height))[0]:
        shown.clicked = Selection(*line.element)
        view.select(*line.element, stay=True)
        if line.step is not None:
            shown.walk(found, timeline.now)
            send(GoTo(line.step, timeline.branch))
    when = (
        f"step {line.step}, {line.time:.6g} s"
        if line.step is not None
        else "the start is the last reset, or when the file was loaded"
    )
    act = "click: go there, and select the cause" if line.step is not None else "click: select it"
    tooltip(f"{line.name}: {line.text}\n{when}; {act}")
    imgui.same_line(start)
    with font("mono"), colour(imgui.Col_.text, theme.DIM):
        imgui.text(f"{line.time:.3f} s" if line.step is not None else "start")
    imgui.same_line(start + em(TIME_EM))
    note(words, theme.ACCENT if first_cause else theme.TEXT)


def draw_modes(snapshot: Snapshot, view: ViewState, found: LensAnswer | None) -> None:
    """What bodies are coloured by, and the scale of it."""
    shown, model = view.of(LensState), snapshot.model
    assert model is not None
    for k, mode in enumerate(MODES):
        if k:
            same_line_if_fits(mode.name)
        lacking = model.lacks.get(COSTS, "") if mode.timed else ""
        on = shown.colouring and mode.name == shown.mode
        hint = lacking or f"colour bodies by {mode.hint}; again: their own colours"
        if toggle(mode.name, on, hint, enabled=not lacking):
            # a second click ends it
            shown.colouring, shown.mode = not on, mode.name
    # of a constant height, so that nothing below it jumps
    _scale(view, found)


def _scale(view: ViewState, found: LensAnswer | None) -> None:
    """The colours from the least to the largest value, with these; what is asleep, and what has none."""
    lens = view.of(LensState)
    shown, mode = lens, BY_NAME[lens.mode]
    if not shown.colouring:
        imgui.dummy((0, em(HEIGHT_EM)))
        caption("bodies have their own colours")
        return
    if mode.name == ISLAND:
        imgui.dummy((0, em(HEIGHT_EM)))
        caption("a colour for each island; asleep: darker")
        return
    scale = shown.scale(mode, _awake_values(mode, found)) if found is not None else None
    _bar(mode, scale)
    low, high = ("", "") if scale is None else (end_text(value, mode.unit) for value in (scale.low, scale.high))
    caption(low, f"{mode.hint}: {low} or less")
    grey, hint = "none", "trees without constraints"
    if mode.name == COUNTDOWN:
        grey, hint = "not counting", "something keeps these trees awake"
    for name, ink, meaning in (("asleep", ASLEEP, "trees that sleep"), (grey, NOTHING, hint)):
        imgui.same_line(0, em(1))
        _chip(ink)
        caption(name, meaning)
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - imgui.calc_text_size(high).x)
    caption(high, f"{mode.hint}: {high} or more")


def end_text(value: float, unit: str) -> str:
    """The number at an end of a scale."""
    if unit == "steps":
        return f"{value:g} steps"
    if unit:
        return compact(value, unit) if value else f"0 {unit}"
    return f"{value:g}" if value == 0 or 1e-3 <= abs(value) < PLAIN else f"{value:.0e}"


def _bar(mode: Mode, scale: Scale | None) -> None:
    """A bar of all colours."""
    (x, y), width, height = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, em(HEIGHT_EM)
    draw, each = imgui.get_window_draw_list(), width / STEPS
    if scale is not None:
        for k, (red, green, blue) in enumerate(ramp(np.linspace(0.0, 1.0, STEPS)).tolist()):
            ink = imgui.get_color_u32((red, green, blue, 1.0))
            draw.add_rect_filled((x + k * each, y), (x + (k + 1) * each + 0.5, y + height), ink)
    imgui.invisible_button("##scale", (width, height))
    tooltip(f"{mode.hint}{'; the scale is logarithmic' if scale is not None and scale.log else ''}")


def _chip(ink: tuple[float, float, float]) -> None:
    """A small square of a colour, before its name."""
    (x, y), size = imgui.get_cursor_screen_pos(), em(0.6)
    top = y + (imgui.get_text_line_height() - size) / 2
    imgui.get_window_draw_list().add_rect_filled((x, top), (x + size, top + size), imgui.get_color_u32((*ink, 1.0)))
    imgui.dummy((size, size))
    imgui.same_line(0, em(0.3))


def _awake_values(mode: Mode, found: LensAnswer) -> np.ndarray:
    """The values of the trees that are awake."""
    return np.where(found.sleep.asleep, np.nan, mode.values(found))


def colour_bodies(snapshot: Snapshot, view: ViewState, found: LensAnswer | None) -> None:
    """Give bodies the colours of their trees in this frame."""
    shown = view.of(LensState)
    model, state, mode = snapshot.model, snapshot.state, BY_NAME[shown.mode]
    assert model is not None
    assert state is not None
    if mode.name == ISLAND:
        view.instruments.colour_bodies(island_colours(model, state))
    elif found is not None and len(found.sleep.asleep) == model.ntree:
        values = _awake_values(mode, found)
        trees = tree_colours(values, shown.scale(mode, values), found.sleep.asleep)
        of_body = np.asarray(model.body_treeid)
        bodies = np.where(of_body[:, None] >= 0, trees[of_body], np.array(NOTHING))
        view.instruments.colour_bodies(bodies.astype(np.float32))


def draw_islands(snapshot: Snapshot, view: ViewState, found: LensAnswer, mode: Mode) -> None:
    """A row for each island, the most expensive first; a click selects its first tree."""
    shown = view.of(LensState)
    model = snapshot.model
    assert model is not None
    blocks = found.islands
    if len(blocks.of_tree) != model.ntree:
        return
    section("islands")
    if not len(blocks):
        note("every tree is asleep" if found.sleep.asleep.all() else NO_ISLANDS)
        return
    _summary(found)
    if lacking := model.lacks.get(COSTS, ""):
        # below the table it would be out of sight
        imgui.text_wrapped(lacking)
    marked = np.arange(len(blocks)) == (blocks.of_tree[shown.tree] if shown.tree >= 0 else -1)
    look = Look(
        lambda island: _members(model, blocks, island),
        label=lambda island: str(int(blocks.first[island])),
        height=max(imgui.get_content_region_avail().y, em(LEAST_EM)),
    )
    clicked = table(view, TABLE, _columns(model, found), look, model.identity, marked)
    if clicked is not None and blocks.first[clicked] < model.ntree:
        shown.tree = int(blocks.first[clicked])
        view.select("tree", shown.tree, stay=True)


def _summary(found: LensAnswer) -> None:
    """All islands together."""
    blocks, costs = found.islands, found.costs
    count = int(blocks.rows.sum())
    rows = f"{count} constraint{'s' * (count != 1)}"
    words = f"{len(blocks)} island{'s' * (len(blocks) != 1)}, {rows}"
    hint = "scalar constraints of all islands: d.nefc"
    if not blocks.split:
        words = f"all solved as one, {rows}"
        hint = "islands are disabled, or the discrete integrator couples trees that no constraint couples"
    if costs is not None:
        words += f", {compact(float(costs.seconds.sum()), 's')}"
        hint += "; the time is the sum over all islands, each solved and timed separately"
    caption(words, hint)


def _members(model: ModelView, blocks: Islands, island: int) -> str:
    """The trees of an island."""
    trees = np.flatnonzero(blocks.of_tree == island).tolist()
    names = ", ".join(tree_name(model, tree) for tree in trees[:12])
    return f"{names}{f' and {len(trees) - 12} more' if len(trees) > 12 else ''}\nclick: select its first tree"


def _columns(model: ModelView, found: LensAnswer) -> list[Column]:
    """What the table shows."""
    blocks, costs = found.islands, found.costs
    trees = np.minimum(blocks.first, model.ntree - 1)
    iterations = costs.iterations if costs is not None else blocks.iterations

    def name(place: int) -> str:
        return tree_name(model, int(place))

    columns = [Column("first tree", trees, name, "the island's first tree, by its root body", wide=True, left=True)]
    if costs is not None:
        hint = "solver time: median of five measurements"
        columns.append(Column("time", costs.seconds, hint=hint, unit="s", first=DOWN))
    hint = "solver iterations, including noslip; solver_niter"
    columns += [
        Column(
            "constraints",
            blocks.rows,
            str,
            "scalar constraints; d.island_nefc",
            first="" if costs is not None else DOWN,
        ),
        Column("dofs", blocks.dofs, str, "degrees of freedom; d.island_nv"),
        Column("iter", iterations, lambda count: str(count) if count >= 0 else "-", hint),
    ]
    if costs is not None:
        hint = "norm of the gradient where the solver stops, times 1 / trace M, scaled like opt.tolerance"
        columns.append(Column("residual", costs.residual, lambda value: f"{value:.0e}" if value else "0", hint))
    columns += [
        Column("contacts", blocks.contacts, str, "contacts with constraint rows"),
        Column("trees", blocks.trees, str, "kinematic trees in the island; d.island_ntree"),
    ]
    return columns
