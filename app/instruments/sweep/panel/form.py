"""What is swept: the field, its values, for how long; and the button that runs it."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.sweep.state import LEAST_SECONDS, MOST_SECONDS, SweepState
from app.instruments.sweep.values import MOST, BadValues, as_text, spread
from app.instruments.sweep.worker import Sweep
from app.model.number_drag import FREE, Rule
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.field_choice import choose_field
from app.ui.widgets import (
    button,
    caption,
    disabled,
    drag_by_rule,
    drag_evenly,
    em,
    icon_button,
    note,
    number_field,
    same_line_if_fits,
    tooltip,
)
from app.view.view_state import ViewState

LABEL_EM = 4.6
COUNT = Rule(0.2, 1.0, MOST, whole=True)
VALUES_HINT = (
    "values of the field, between blanks; first:last:count spreads them in equal steps, with `log` at the end in equal "
    "ratios: 0.1:10:5 log\nThe present value is always one of them."
)


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
    tooltip("simulated seconds, from the moment that is shown")
    _run(snapshot, shown)


def inputs_text(found: Sweep | None, snapshot: Snapshot) -> str:
    """Where the runs start, and with which inputs."""
    timeline = snapshot.run.history
    if found is None or found.request is None:
        ahead = timeline.last_time - timeline.time_of(timeline.now)
        start, recorded = timeline.time_of(timeline.now), ahead
    else:
        start, recorded = found.time, found.recorded
    inputs = f"with the inputs recorded for {recorded:.4g} s" if recorded > 0 else "controls and pulls stay as they are"
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
    if icon_button(icons.ICON_FA_ROTATE_LEFT, "around", "values around the present one"):
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
    count = round(_number(view, "number", count, COUNT, "how many values, both ends included"))
    _, logarithmic = imgui.checkbox("equal ratios", logarithmic)
    tooltip("logarithmic: each value is the one before times the same factor; else equal steps")
    shown.range = first, last, count, logarithmic
    try:
        values = spread(*shown.range)
    except BadValues as error:
        imgui.text_colored(theme.ERROR, str(error))
    else:
        caption(as_text(values))
        if button("Use these", "put them in the list of values"):
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
        if button(f"{icons.ICON_FA_STOP}  Stop", "end the runs; what is done stays"):
            found.request.cancelled.set()
        return
    try:
        count = len(shown.values(model))
    except BadValues:
        count = 0
    words = f"{icons.ICON_FA_PLAY}  Run {count} values" if count else f"{icons.ICON_FA_PLAY}  Run"
    same_line_if_fits(words)
    with disabled(not count or not snapshot.run.ready):
        if imgui.button(words):
            shown.run(snapshot)
    tooltip("run the model with each value from the moment that is shown, on all cores; the simulation is not changed")
