"""The panel of the Sweep instrument: which of these values? Each with a small moving picture and numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.background.suggestions import suggestions
from app.instruments.ab.open import compare_value
from app.instruments.offer import offered
from app.instruments.sweep.outcome import Outcome
from app.instruments.sweep.quantities import DISTANCE, GOALS, MAX, REDUCTIONS, Quantity, best_and_worst
from app.instruments.sweep.reel import loop_seconds, state_at
from app.instruments.sweep.state import LEAST_SECONDS, MOST_SECONDS, SweepState
from app.instruments.sweep.values import MOST, BadValues, as_text, spread
from app.instruments.sweep.worker import Sweep
from app.model.number_drag import FREE, Rule
from app.model.views import ModelView
from app.run.commands import Send
from app.run.history.branch_colours import branch_colour
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.scene.ghost import Ghost
from app.ui import theme
from app.ui.field_choice import choose_field
from app.ui.image_texture import image_texture, keep_textures
from app.ui.tables.column import Column
from app.ui.tables.frame import cell
from app.ui.tables.table import Look, table
from app.ui.widgets import (
    button,
    caption,
    drag_by_rule,
    drag_evenly,
    elide,
    em,
    fold,
    icon_button,
    menu_item,
    note,
    number_field,
    pick,
    same_line_if_fits,
    tooltip,
)
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name
from sim.analysis.measures import MEASURES

EMPTY = (
    "Choose a field of the model. Several values of it are run from the current state, each with a small animation "
    "and a row of numbers. Select an element to choose from its numbers."
)
SAME = "All values lead to the same motion, which does not depend on this number here."
# of the palette of branches
GHOST = 1
LABEL_EM = 4.6
COUNT = Rule(0.2, 1.0, MOST, whole=True)
VALUES_HINT = (
    "values of the field, separated by spaces; first:last:count spreads them in equal steps, with `log` at the end for "
    "equal ratios: 0.1:10:5 log\nThe current value is always included."
)
MOST_QUANTITIES = 12
ONE_LINE_EM = 26.0
OTHER = "another ..."
# width over height, and the width of a picture, in em: two of them in a narrow panel; in pixels a multiple of STEP
ASPECT, NARROW_EM, WIDE_EM, STEP = 1.5, 7.2, 13.0, 8
TABLE = "sweep"
MOST_ROWS = 12
SPEED = "simulated seconds per second on one core"


def sweep_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """What is swept, and what came of it."""
    model, shown = snapshot.model, view.of(SweepState)
    if model is None:
        caption("no model")
        return
    shown.follow(snapshot)
    form(snapshot, view)
    if shown.choice is None:
        note(EMPTY)
        return
    found = shown.shown
    note(inputs_text(found, snapshot))
    measures(snapshot, view)
    if found is None:
        return
    if found.error:
        note(found.error, theme.ERROR)
        return
    if found.makes_no_difference:
        note(SAME, theme.WARNING)
    grid(snapshot, view, send, found, best_place(found, shown.measured(snapshot)))
    results(snapshot, view, send, found)
    _ghost(snapshot, view)


def _ghost(snapshot: Snapshot, view: ViewState) -> None:
    """The outcome that is chosen, over the model in the view."""
    shown = view.of(SweepState)
    outcome = shown.ghost
    if outcome is not None and outcome.frames and snapshot.state is not None:
        number = state_at(outcome, shown.ghost_time(float(snapshot.state.time)))
        view.instruments.show_ghost(Ghost(outcome.frames[number].state, branch_colour(GHOST)))


def form(snapshot: Snapshot, view: ViewState) -> None:
    """All that is asked before a run."""
    model, shown = snapshot.model, view.of(SweepState)
    assert model is not None
    _label("field")
    imgui.set_next_item_width(-1)
    choice = choose_field("##field", shown.choice, snapshot, view)
    if choice is not None and (shown.choice is None or choice.key != shown.choice.key):
        shown.choose(choice, model)
    if shown.choice is None:
        return
    _values(snapshot, view, shown)
    _label("for")
    imgui.set_next_item_width(em(6))
    answer = number_field(
        view, "##seconds", (shown.seconds,), 0, drag_evenly(0.02, LEAST_SECONDS, MOST_SECONDS), form="%.4g s"
    )
    if answer is not None:
        shown.seconds = min(max(answer, LEAST_SECONDS), MOST_SECONDS)
    tooltip("simulated seconds, from the current state")
    _run(snapshot, shown)


def inputs_text(found: Sweep | None, snapshot: Snapshot) -> str:
    """Where the runs start, and with which inputs."""
    timeline = snapshot.run.history
    if found is None or found.request is None:
        ahead = timeline.last_time - timeline.time_of(timeline.now)
        start, recorded = timeline.time_of(timeline.now), ahead
    else:
        start, recorded = found.time, found.recorded
    inputs = f"with the inputs recorded for {recorded:.4g} s" if recorded > 0 else "controls and pulls stay constant"
    return f"from {start:.4g} s; {inputs}"


def _label(text: str) -> None:
    left = imgui.get_cursor_pos_x()
    caption(text, framed=True)
    imgui.same_line(left + em(LABEL_EM))


def _values(snapshot: Snapshot, view: ViewState, shown: SweepState) -> None:
    """The values as text, with a menu that spreads them, and what is wrong with them."""
    model, choice = snapshot.model, shown.choice
    assert model is not None and choice is not None
    _label("values")
    imgui.set_next_item_width(-em(4.8))
    _, shown.text = imgui.input_text_with_hint("##values", "0.1 0.3 1 3 10", shown.text)
    words = ", ".join(f"{number}: {word}" for word, number in choice.choices)
    tooltip(f"{VALUES_HINT}\n{words}".strip())
    imgui.same_line(0, em(0.3))
    if icon_button(icons.ICON_FA_ARROWS_LEFT_RIGHT, "range", "spread values over a range", enabled=not choice.choices):
        imgui.open_popup("range")
    imgui.same_line(0, em(0.3))
    if icon_button(icons.ICON_FA_ROTATE_LEFT, "around", "values around the current one"):
        shown.choose(choice, model)
    _range(view, shown)
    try:
        shown.values(model)
    except BadValues as error:
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + em(LABEL_EM))
        note(str(error), theme.ERROR)


def _range(view: ViewState, shown: SweepState) -> None:
    """The menu of a range."""
    if not imgui.begin_popup("range"):
        return
    first, last, count, logarithmic = shown.range
    rule = shown.choice.rule if shown.choice is not None else FREE
    first = _number(view, "from", first, rule, "the first value")
    last = _number(view, "to", last, rule, "the last value")
    count = round(_number(view, "number", count, COUNT, "number of values, including both ends"))
    _, logarithmic = imgui.checkbox("equal ratios", logarithmic)
    tooltip("logarithmic: each value is the previous one times a constant factor; off: equal steps")
    shown.range = first, last, count, logarithmic
    try:
        values = spread(*shown.range)
    except BadValues as error:
        imgui.text_colored(theme.ERROR, str(error))
    else:
        caption(as_text(values))
        if button("Use these", "use them as the list of values"):
            shown.text = as_text(values)
            imgui.close_current_popup()
    imgui.end_popup()


def _number(view: ViewState, name: str, value: float, rule: Rule, hint: str) -> float:
    _label(name)
    imgui.set_next_item_width(em(7))
    answer = number_field(view, f"##{name} of range", (value,), 0, drag_by_rule(rule), rule.whole)
    tooltip(hint)
    return value if answer is None else rule.nearest(answer)


def _run(snapshot: Snapshot, shown: SweepState) -> None:
    """Run, or stop."""
    model, found = snapshot.model, shown.shown
    assert model is not None
    if found is not None and found.request is not None and found.running:
        imgui.same_line()
        if button(f"{icons.ICON_FA_STOP}  Stop", "stop; keep finished runs"):
            found.request.cancelled.set()
        return
    try:
        count = len(shown.values(model))
    except BadValues:
        count = 0
    words = f"{icons.ICON_FA_PLAY}  Run {count} values" if count else f"{icons.ICON_FA_PLAY}  Run"
    same_line_if_fits(words)
    hint = "run the model with each value from the current state, on all cores; the simulation is not changed"
    if button(words, hint, count > 0 and snapshot.run.ready):
        shown.run(snapshot)


def measures(snapshot: Snapshot, view: ViewState) -> None:
    """A line for each, and one to add."""
    shown = view.of(SweepState)
    quantities = shown.measured(snapshot)
    if not fold("Quantities", False, False, ", ".join(quantity.name for quantity in quantities)):
        return
    for k, quantity in enumerate(quantities):
        imgui.push_id(k)
        wanted = _line(quantity)
        imgui.pop_id()
        if wanted != quantity:
            kept = (wanted,) if wanted is not None else ()
            shown.quantities = (*quantities[:k], *kept, *quantities[k + 1 :])
    if len(quantities) < MOST_QUANTITIES:
        if button(f"{icons.ICON_FA_PLUS}  Add", "another column in the table; a new expression needs another run"):
            imgui.open_popup("more")
        _more(snapshot, view, quantities)


def _more(snapshot: Snapshot, view: ViewState, quantities: tuple[Quantity, ...]) -> None:
    """The menu of expressions about the selection, or about the whole."""
    if not imgui.begin_popup("more"):
        return
    assert snapshot.model is not None and snapshot.state is not None
    for text in (*suggestions(snapshot.model, snapshot.state, view.selection), DISTANCE, OTHER):
        if menu_item(text, "type an expression" if text == OTHER else f"the largest value of {text}"):
            view.of(SweepState).quantities = (*quantities, Quantity("" if text == OTHER else text, MAX))
    imgui.end_popup()


def _line(quantity: Quantity) -> Quantity | None:
    """Edit one; None if it is removed."""
    gap, room = imgui.get_style().item_inner_spacing.x, imgui.get_content_region_avail().x
    # in a narrow panel an expression has a line of its own
    narrow = room < em(ONE_LINE_EM)
    imgui.set_next_item_width(max(room - em(2) - gap - (0.0 if narrow else em(11) + 2 * gap), em(4)))
    _, text = imgui.input_text_with_hint("##expression", DISTANCE, quantity.expression)
    tooltip(_vocabulary)
    imgui.same_line(0, gap)
    removed = False
    if narrow:
        removed = _remove()
        imgui.dummy((em(1), 0))
        imgui.same_line(0, 0)
    hint = f"{REDUCTIONS[quantity.reduction]}, over the whole run"
    reduction = _choice("##reduction", REDUCTIONS, quantity.reduction, hint, em(5.5))
    imgui.same_line(0, gap)
    hint = "which value counts as best; it is highlighted in the table and the pictures"
    goal = _choice("##goal", GOALS, quantity.goal, hint, em(5.5))
    if not narrow:
        imgui.same_line(0, gap)
        removed = _remove()
    return None if removed else replace(quantity, expression=text, reduction=reduction, goal=goal)


def _remove() -> bool:
    return icon_button(icons.ICON_FA_XMARK, "remove", "remove this column")


def _choice(label: str, names: Iterable[str], chosen: str, hint: str, width: float) -> str:
    """A list to choose from."""
    picked = pick(label, chosen or "best?", lambda: [(n, n or "none", "") for n in names], chosen, hint, width, False)
    return chosen if picked is None else picked


def _vocabulary() -> str:
    lines = "\n".join(sorted(f"{measure.usage(name)}: {measure.text}" for name, measure in MEASURES.items()))
    return (
        f"an expression as in Plots, or `{DISTANCE}`: largest distance of a body from its position with the current "
        f'value\n{lines}\nd.qpos[2], d.joint("knee").qvel[0], norm(d.qvel), max(abs(d.qvel)) ...'
    )


def grid(snapshot: Snapshot, view: ViewState, send: Send, found: Sweep, best: int) -> None:
    """A line of choices, and all pictures."""
    shown = view.of(SweepState)
    model, request = snapshot.model, found.request
    assert model is not None and request is not None
    _choices(model, view, request.task.seconds)
    room, gap = imgui.get_content_region_avail().x, imgui.get_style().item_spacing.x
    wanted = min(max((room - gap) / 2, em(NARROW_EM)), em(WIDE_EM))
    columns = max(int((room + gap + 0.5) / (wanted + gap)), 1)
    width = min((room - (columns - 1) * gap) / columns, 1.3 * em(WIDE_EM))
    scale = imgui.get_io().display_framebuffer_scale.x
    across = max(round(width * scale / STEP), 2) * STEP
    left = imgui.get_cursor_pos_x()
    for place in range(len(request.task.values)):
        if place % columns:
            imgui.same_line(left + (place % columns) * (width + gap))
        imgui.begin_group()
        imgui.push_id(place)
        _picture(view, send, found, place, (width, width / ASPECT), place == best, present(found, model, place))
        imgui.pop_id()
        imgui.end_group()
    shown.reel.ask((across, round(across / ASPECT)))
    keep_textures(shown.reel.textures, set(range(len(request.task.values))))


def _choices(model: ModelView, view: ViewState, seconds: float) -> None:
    """Play or hold, the current time, and the camera."""
    sweep = view.of(SweepState)
    shown, reel = sweep, sweep.reel
    icon = icons.ICON_FA_PAUSE if reel.playing else icons.ICON_FA_PLAY
    speed = seconds / loop_seconds(seconds)
    pace = "" if speed == 1.0 else f", at {speed:.3g} times real time"
    if icon_button(icon, "play", f"play the pictures in a loop{pace}, or hold them"):
        reel.playing = not reel.playing
    imgui.same_line(0, em(0.3))
    room = imgui.get_content_region_avail().x
    wide = em(9) if model.ncam else 0.0
    imgui.set_next_item_width(max(room - wide - imgui.get_style().item_spacing.x, em(5)))
    moved, time = imgui.slider_float("##time", reel.time(seconds), 0.0, seconds, "%.3f s")
    tooltip("time since the start; drag it to hold the pictures there")
    if moved:
        reel.playing, reel.position = False, time / seconds * loop_seconds(seconds)
    if model.ncam:
        imgui.same_line()
        names = ["Free camera", *(element_name(model, "camera", camera) for camera in range(model.ncam))]
        cameras = [(camera, name, "") for camera, name in enumerate(names, FREE_CAMERA)]
        hint = "the camera for the pictures; the free camera is the view's"
        camera = pick("##camera", names[shown.camera + 1], lambda: cameras, shown.camera, hint)
        shown.camera = camera if camera is not None else shown.camera


def _picture(
    view: ViewState, send: Send, found: Sweep, place: int, size: tuple[float, float], best: bool, now: bool
) -> None:
    """One picture; a click shows its outcome as a ghost in the view."""
    shown, request, outcome = view.of(SweepState), found.request, found.outcomes.get(place)
    assert request is not None
    width, height = size
    corner = imgui.get_cursor_screen_pos()
    x, y = corner.x, corner.y
    if imgui.invisible_button(f"##picture {place}", (max(width, 1.0), max(height, 1.0))):
        shown.chosen = -1 if shown.chosen == place or outcome is None else place
    hovered = imgui.is_item_hovered()
    tooltip(_hint(found, place, outcome, shown.chosen == place))
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((x, y), (x + width, y + height), imgui.get_color_u32(theme.RAISED))
    time = shown.reel.time(request.task.seconds)
    pixels = shown.reel.picture(place, outcome, time) if outcome is not None and outcome.frames else None
    over = outcome is not None and outcome.has_diverged and time > outcome.seconds
    if pixels is not None:
        texture = image_texture(shown.reel.textures, place, pixels)
        tint = imgui.get_color_u32((0.55, 0.4, 0.4, 1.0) if over else (1.0, 1.0, 1.0, 1.0))
        draw.add_image(texture.get_tex_ref(), (x, y), (x + width, y + height), (0, 0), (1, 1), tint)
    if outcome is None and found.running:
        done = found.shares[place]
        draw.add_rect_filled((x, y + height - em(0.25)), (x + done * width, y + height), _tone(theme.ACCENT))
    edge = _edge(outcome, shown.chosen == place, best, hovered)
    if edge is not None:
        draw.add_rect((x, y), (x + width, y + height), _tone(edge), 0.0, thickness=em(0.13))
    _mark(outcome, (x, y, width, height))
    _caption(view, send, found, place, width, now)


def present(found: Sweep, model: ModelView, place: int) -> bool:
    """Whether this is the model's current value now."""
    assert found.request is not None
    return found.request.task.values[place] == found.request.task.choice.value(model)


def _mark(outcome: Outcome | None, box: tuple[float, float, float, float]) -> None:
    """On the picture: that it diverged."""
    if outcome is None or not (outcome.has_diverged or outcome.error):
        return
    x, y, width, height = box
    words = f"diverged at {outcome.diverged:.3g} s" if outcome.has_diverged else "cannot be run"
    tall, draw = imgui.get_text_line_height(), imgui.get_window_draw_list()
    draw.add_rect_filled((x, y + height - tall - em(0.3)), (x + width, y + height), _tone((0, 0, 0, 0.6)))
    draw.add_text((x + em(0.4), y + height - tall - em(0.15)), _tone(theme.ERROR), elide(words, width - em(0.6)))


def _tone(colour: theme.Rgba) -> int:
    return int(imgui.get_color_u32(colour))


def _edge(outcome: Outcome | None, chosen: bool, best: bool, hovered: bool) -> theme.Rgba | None:
    if chosen:
        return theme.ACCENT
    if outcome is not None and (outcome.has_diverged or outcome.error):
        return theme.ERROR
    if best:
        return theme.ADDED
    return theme.DIM if hovered else None


def _caption(view: ViewState, send: Send, found: Sweep, place: int, width: float, now: bool) -> None:
    """The value below the picture, and the button that takes it."""
    request, style = found.request, imgui.get_style()
    assert request is not None
    imgui.align_text_to_frame_padding()
    words = request.task.choice.text(request.task.values[place])
    mark = "current" if now else "Take"
    wide = imgui.calc_text_size(mark).x + (0.0 if now else 2 * style.frame_padding.x)
    imgui.text_colored(theme.ACCENT if now else theme.TEXT, elide(words, width - wide - style.item_spacing.x))
    tooltip(f"{request.task.choice.label}: {words}")
    imgui.same_line(width - wide)
    if now:
        caption(mark, "this is the model's current value", theme.ACCENT)
        return
    if button(mark, f"set {request.task.choice.label} to {words}; Ctrl+Z undoes it", small=True):
        send(view.of(SweepState).edit(place))


def _hint(found: Sweep, place: int, outcome: Outcome | None, chosen: bool) -> str:
    assert found.request is not None
    if outcome is None:
        return f"{100 * found.shares[place]:.0f} %" if found.running else "was not run"
    if outcome.error:
        return outcome.error
    then = f"\ndiverged {outcome.diverged:.4g} s after the start: {outcome.divergence}" if outcome.has_diverged else ""
    what = "hide its ghost" if chosen else "show it as a ghost in the view"
    return f"{found.request.task.choice.label}: {found.request.task.choice.text(outcome.value)}{then}\nclick: {what}"


def results(snapshot: Snapshot, view: ViewState, send: Send, found: Sweep) -> None:
    """The table; a click on a row shows its outcome as a ghost."""
    request, shown, model = found.request, view.of(SweepState), snapshot.model
    assert request is not None and model is not None
    places = range(len(request.task.values))
    # a name is that of one column
    quantities = {quantity.name: quantity for quantity in shown.measured(snapshot)}.values()
    columns = [
        Column("value", np.array(request.task.values), request.task.choice.text, request.task.choice.label, tip=None),
        *(_quantity(snapshot, found, quantity) for quantity in quantities),
        Column(
            "real-time factor", np.array([_outcome(found, k).real_time_factor for k in places]), hint=SPEED, unit="x",
            tip=lambda k: _speed(_outcome(found, k)), draw=partial(_draw, found, -1, -1),
        ),
        Column("outcome", np.array([_state(found, k) for k in places]), hint="whether and when it diverged"),
    ]  # fmt: skip
    height = min(len(places), MOST_ROWS) + 1
    look = Look(
        hint=lambda k: _row_hint(found, k),
        tint=lambda k: theme.ACCENT if present(found, model, k) else theme.TEXT,
        height=height * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)
        + imgui.get_style().scrollbar_size
        + em(0.4),
    )
    marked = np.array([place == shown.chosen for place in places])
    clicked = table(view, TABLE, columns, look, request, marked, scroll=False)
    if clicked is not None and clicked in found.outcomes:
        shown.chosen = -1 if shown.chosen == clicked else clicked
    _actions(view, send, found)


def best_place(found: Sweep, quantities: tuple[Quantity, ...]) -> int:
    """The best value by the first quantity that has a goal, or -1."""
    for quantity in quantities:
        if quantity.goal:
            return best_and_worst(_numbers(found, quantity), quantity.goal)[0]
    return -1


def _actions(view: ViewState, send: Send, found: Sweep) -> None:
    """What can be done with the value that is chosen."""
    shown, request = view.of(SweepState), found.request
    assert request is not None
    if shown.chosen not in found.outcomes:
        caption("Click a picture or a row to see it as a ghost.")
        return
    words = request.task.choice.text(request.task.values[shown.chosen])
    if button(f"Take {words}", f"set {request.task.choice.label}; Ctrl+Z undoes it"):
        send(shown.edit(shown.chosen))
    hint = "go to the start of the sweep, set the value there, and continue on a new branch"
    if button("Continue from the start", hint, beside=True):
        send(shown.go_on(shown.chosen))
    hint = "compare this value with the run from the current step on"
    if offered("A/B") and button("A/B", hint, beside=True):
        compare_value(view, request.task.choice, request.task.values[shown.chosen])


def _quantity(snapshot: Snapshot, found: Sweep, quantity: Quantity) -> Column:
    """The column of a quantity."""
    assert snapshot.model is not None
    values = _numbers(found, quantity)
    best, worst = best_and_worst(values, quantity.goal)
    far = "a body's distance from its position with the current value"
    what = far if quantity.expression == DISTANCE else quantity.expression
    return Column(
        quantity.name, values, hint=f"{what}\n{REDUCTIONS[quantity.reduction]}",
        unit=quantity.unit(snapshot.model), tip=partial(_why, found, quantity, values),
        draw=partial(_draw, found, best, worst),
    )  # fmt: skip


def _draw(found: Sweep, best: int, worst: int, row: int, text: str) -> None:
    """A number, coloured if it is the best or the worst."""
    missing = "nan" in text
    tint = theme.ADDED if row == best else theme.WARNING if row == worst else theme.TEXT
    cell("–".rjust(len(text)) if missing else text, theme.DIM if missing else tint, True)


def _why(found: Sweep, quantity: Quantity, values: np.ndarray, row: int) -> str:
    """The number in full, or why there is none."""
    if math.isfinite(values[row]):
        return f"{quantity.name}: {values[row]:.8g}"
    outcome = found.outcomes.get(row)
    if outcome is None or outcome.error:
        return _state(found, row)
    curve = outcome.curves.get(quantity.expression)
    if curve is None:
        return "run again to compute it" if found.done else "shown when all values are done"
    return _state(found, row) if outcome.has_diverged else curve.reason or "no value"


def _numbers(found: Sweep, quantity: Quantity) -> np.ndarray:
    assert found.request is not None
    places = range(len(found.request.task.values))
    return np.array([_outcome(found, place).number(quantity) for place in places])


def _outcome(found: Sweep, place: int) -> Outcome:
    assert found.request is not None
    return found.outcomes.get(place) or Outcome(found.request.task.values[place])


def _state(found: Sweep, place: int) -> str:
    """How a value went, in a few words."""
    outcome = found.outcomes.get(place)
    if outcome is None:
        return f"{100 * found.shares[place]:.0f} %" if found.running else "not run"
    if outcome.error:
        return outcome.error
    return f"diverged at {outcome.diverged:.4g} s" if outcome.has_diverged else "ok"


def _speed(outcome: Outcome) -> str:
    if not outcome.step_seconds > 0:
        return "not known"
    return f"{1e6 * outcome.step_seconds:.4g} µs per step of {1e3 * outcome.timestep:.4g} ms, {outcome.steps} steps"


def _row_hint(found: Sweep, place: int) -> str:
    assert found.request is not None
    outcome = found.outcomes.get(place)
    why = f": {outcome.divergence}" if outcome is not None and outcome.has_diverged else ""
    first = found.request.task.values[place] == found.request.present
    start = "\nthe value at the start, from which distances are measured" if first else ""
    return f"{found.request.task.choice.label}: {_state(found, place)}{why}{start}\nclick: show it as a ghost"
