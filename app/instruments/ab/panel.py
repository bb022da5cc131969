"""The panel of the A/B instrument: what B is, how far it is from A, quantities in both, and what to do with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from app.background.field_choice import FieldChoice, options_of
from app.background.suggestions import suggestions
from app.background.units import unit_of
from app.files import browse
from app.files.recent import recent_files
from app.instruments.ab.comparison import VISIBLE, VISIBLE_ANGLE
from app.instruments.ab.found import Curves, Found, Shown
from app.instruments.ab.state import KINDS, AbState, ghost_state
from app.instruments.ab.subject import Change, EditedCopy, OtherBranch, OtherFile
from app.model.angle_unit import shown_unit
from app.model.model_title import model_title
from app.model.views import ModelView
from app.run.commands import GoTo, ResetEdits, Send, SwitchBranch, TryFix
from app.run.fix import as_one
from app.run.history.branch_colours import BRANCH_COLOURS
from app.run.snapshot import Snapshot
from app.scene.ghost import Ghost
from app.ui import theme
from app.ui.field_choice import choose_field
from app.ui.plots.small import line_spec, time_plot, vertical
from app.ui.quantities import FLOORS, compact
from app.ui.tables.frame import cell
from app.ui.widgets import (
    button,
    caption,
    choice_heading,
    disabled,
    drag_by_rule,
    elide,
    em,
    font,
    icon_button,
    link,
    note,
    number_field,
    pick,
    same_line_if_fits,
    section,
    show_tooltip,
    tooltip,
    with_unit,
)
from app.view.branch_lanes import branch_name
from app.view.plots import separate
from app.view.saving import Leaving, leave
from app.view.view_state import ViewState
from sim.analysis.element_names import described

NOTHING = "Choose how B differs. B starts from A's state and continues with the same controls and pulls."
# of the options: those that are offered with all their values, and the factors of a timestep
PRESETS, TIMESTEPS = ("opt.integrator", "opt.solver", "opt.cone"), (("half", 0.5), ("twice", 2.0))
# the least room for the name of an element
OWNER_EM = 2.5
UNITS = ("m", "rad")
# bodies that are listed
MOST = 5
WHAT = (
    "m: distance of a body's centre of mass from its position in A\n"
    "rad: rotation angle relative to its orientation in A"
)
HINT = "expression, such as d.qpos[2]"
Array = NDArray[np.float64]

A_TINT, B_TINT = ((*colour, 1.0) for colour in BRANCH_COLOURS[:2])
HEIGHT = 7.0


def ab_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """All of it."""
    model, state, shown = snapshot.model, snapshot.state, view.of(AbState)
    if model is None or state is None:
        caption("no model")
        return
    _kinds(snapshot, view)
    found = shown.ask(snapshot)
    if shown.subject is None:
        note(NOTHING)
        return
    _start(found, snapshot, view)
    if found is not None and found.error:
        note(found.error, theme.ERROR)
        return
    take_buttons(snapshot, view, send)
    imgui.spacing()
    if found is None or not len(found.times):
        note((found.doing if found is not None else "") or "computing ...")
    else:
        if found.ended:
            note(found.ended, theme.WARNING)
        if found.matched[0] < found.matched[1]:
            note(f"{found.matched[0]} of A's {found.matched[1]} bodies exist in B, matched by name", theme.WARNING)
        distance(found, snapshot, view, send)
    quantities(found, snapshot, view, send)
    if shown.ghost and found is not None and found.shown is not None:
        view.instruments.show_ghost(Ghost(ghost_state(found.shown, state), BRANCH_COLOURS[1]))


def _kinds(snapshot: Snapshot, view: ViewState) -> None:
    """The choice between kinds of B, and the widgets of the one that is chosen."""
    shown = view.of(AbState)
    before = shown.kind
    shown.kind = choice_heading("compare with", KINDS, before, "what to compare A, the simulation, with", "ab kind")
    if shown.kind != before:
        shown.compare(None)
    if shown.kind == 0:
        edited_copy(shown.subject if isinstance(shown.subject, EditedCopy) else EditedCopy(), snapshot, view)
    elif shown.kind == 1:
        other_file(snapshot, view)
    else:
        other_branch(snapshot, view)


def _start(found: Found | None, snapshot: Snapshot, view: ViewState) -> None:
    """From when on, and the ghost."""
    shown, timeline = view.of(AbState), snapshot.run.history
    if not isinstance(shown.subject, OtherBranch):
        if button("From here", "restart B from the current state"):
            shown.since = timeline.now
        imgui.same_line()
    if icon_button(icons.ICON_FA_GHOST, "ab ghost", "show B as a ghost", shown.ghost):
        shown.ghost = not shown.ghost
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    reached = f" to {found.times[-1]:.5g} s" if found is not None and len(found.times) else ""
    imgui.text_colored(theme.DIM, f"{timeline.time_of(shown.since or 0):.5g} s{reached}")
    tooltip("B starts from A's state at that time and runs as far as A has been simulated")


def edited_copy(subject: EditedCopy, snapshot: Snapshot, view: ViewState) -> None:
    """A row for each number that differs, and what can be added."""
    assert snapshot.model is not None
    if subject.changes:
        _rows(subject, snapshot.model, view)
    presets = f"{icons.ICON_FA_CARET_DOWN}##presets"
    imgui.set_next_item_width(-imgui.get_frame_height() - imgui.get_style().item_spacing.x)
    chosen = choose_field("##add", None, snapshot, view, "change a number…")
    if chosen is not None:
        view.of(AbState).change(chosen, chosen.value(snapshot.model))
    imgui.same_line()
    if imgui.button(presets, (imgui.get_frame_height(), 0)):
        imgui.open_popup("presets")
    tooltip("other timesteps, integrators and solvers; the unedited model")
    if imgui.begin_popup("presets"):
        _presets(subject, snapshot, view)
        imgui.end_popup()
    if subject.from_file:
        caption("without your edits", "B is the unedited model from the file, plus the changes above", B_TINT)


def _rows(subject: EditedCopy, model: ModelView, view: ViewState) -> None:
    """Name, A's value, B's value, a button to remove it."""
    flags = imgui.TableFlags_.sizing_stretch_prop | imgui.TableFlags_.no_pad_outer_x
    if not imgui.begin_table("changes", 4, flags):
        return
    imgui.table_setup_column("name", imgui.TableColumnFlags_.width_stretch, 1.5)
    imgui.table_setup_column("A", imgui.TableColumnFlags_.width_stretch, 1.0)
    imgui.table_setup_column("B", imgui.TableColumnFlags_.width_stretch, 1.2)
    imgui.table_setup_column("remove", imgui.TableColumnFlags_.width_fixed, em(1.7))
    for column, (name, tint) in enumerate((("", theme.DIM), ("A", A_TINT), ("B", B_TINT))):
        imgui.table_set_column_index(column) if column else imgui.table_next_row()
        if column:
            imgui.text_colored(tint, name)
    for change in subject.changes:
        _row(change, model, view)
    imgui.end_table()


def _row(change: Change, model: ModelView, view: ViewState) -> None:
    ab = view.of(AbState)
    choice = change.choice
    key = f"{choice.path}{choice.rows}{choice.column}{choice.bit}"
    factor, unit = shown_unit(choice.unit, view.prefs.degrees)
    value = choice.value(model)
    hint = partial(_explained, choice, value)
    imgui.table_next_row()
    imgui.table_next_column()
    imgui.align_text_to_frame_padding()
    right = imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x
    imgui.text(elide(choice.name, imgui.get_content_region_avail().x))
    tooltip(hint)
    imgui.same_line(0, em(0.4))
    if right - imgui.get_cursor_pos_x() > em(OWNER_EM):
        caption(elide(choice.owner, right - imgui.get_cursor_pos_x()), hint)
    imgui.table_next_column()
    imgui.align_text_to_frame_padding()
    shown, room = choice.text(value) if choice.choices else f"{value * factor:.5g}", imgui.get_content_region_avail().x
    full = f"{shown} {unit}".rstrip()
    caption(full if imgui.calc_text_size(full).x <= room else elide(shown, room), hint)
    imgui.table_next_column()
    imgui.set_next_item_width(-1)
    answer = _value(key, choice, change.value, view, factor, unit)
    tooltip(hint)
    imgui.table_next_column()
    if icon_button(icons.ICON_FA_XMARK, f"remove{key}", "reset B to A's value", width=1.6):
        assert isinstance(ab.subject, EditedCopy)
        ab.compare(ab.subject.without(choice))
    elif answer is not None:
        ab.change(choice, answer)


def _value(key: str, choice: FieldChoice, value: float, view: ViewState, factor: float, unit: str) -> float | None:
    """The widget of B's value; returns the user's new one, or None."""
    if choice.choices:
        numbers = [number for _, number in choice.choices]
        at = numbers.index(round(value)) if round(value) in numbers else 0
        changed, at = imgui.combo(f"##b{key}", at, [word for word, _ in choice.choices])
        return float(numbers[at]) if changed else None
    rule = choice.rule.scaled(factor)
    form = with_unit(unit, imgui.calc_item_width())
    answer = number_field(view, f"##b{key}", (value * factor,), 0, drag_by_rule(rule), rule.whole, form)
    return None if answer is None else rule.nearest(answer) / factor


def _explained(choice: FieldChoice, value: float) -> str:
    legal = f"\nlegal {choice.rule.legal}" if choice.rule.legal and not choice.choices else ""
    return f"{choice.label}\n{choice.meaning}\nA: {choice.text(value)}{legal}"


def _presets(subject: EditedCopy, snapshot: Snapshot, view: ViewState) -> None:
    """Values of options that one often compares."""
    shown = view.of(AbState)
    model = snapshot.model
    assert model is not None
    known = {choice.path: choice for choice in options_of(model) if choice.path in (*PRESETS, "opt.timestep")}
    count = len(snapshot.file_values)
    if imgui.menu_item("as in the file", "", subject.from_file, subject.from_file or count > 0)[0]:
        shown.compare(EditedCopy(subject.changes, not subject.from_file))
    tooltip(f"without your edits; edited fields: {count}")
    imgui.separator()
    for word, factor in TIMESTEPS:
        if imgui.menu_item(f"{word} the timestep", "", False)[0]:
            shown.change(known["opt.timestep"], factor * float(model.opt.timestep))
        tooltip(f"{factor * float(model.opt.timestep):g} s instead of {float(model.opt.timestep):g} s")
    for path in PRESETS:
        choice = known[path]
        present = choice.value(model)
        for name, number in choice.choices:
            if number != present and imgui.menu_item(f"{choice.name} {name}", "", False)[0]:
                shown.change(choice, float(number))
            if number != present:
                tooltip(f"{choice.meaning}\nnow {choice.text(present)}")


def other_file(snapshot: Snapshot, view: ViewState) -> None:
    """Choose a file: a recent one, or any."""
    shown = view.of(AbState)
    subject = shown.subject
    path = subject.path if isinstance(subject, OtherFile) else ""
    wide = imgui.get_frame_height() + imgui.get_style().item_spacing.x
    known = [str(recent) for recent in recent_files() if str(recent) != snapshot.run.path]
    named = [(recent, model_title(recent), recent) for recent in known]
    title = model_title(path) if path else "choose a file…"
    picked = pick("##file", title, lambda: named, path, path or "a recent file", -wide)
    if picked is not None:
        shown.compare(OtherFile(picked))
    imgui.same_line()
    if icon_button(icons.ICON_FA_FOLDER_OPEN, "browse", "another file…"):
        view.ui.browse = browse.begin(path or snapshot.run.path)
        view.ui.browse.compares = True
    if path and not Path(path).exists():
        imgui.text_colored(theme.ERROR, "that file no longer exists")


def other_branch(snapshot: Snapshot, view: ViewState) -> None:
    """Choose a branch of the timeline."""
    shown = view.of(AbState)
    timeline, subject = snapshot.run.history, shown.subject
    others = [branch for branch in timeline.branches if branch.id != timeline.branch]
    chosen = next((b for b in others if isinstance(subject, OtherBranch) and b.id == subject.branch), None)
    named = [
        (branch, branch_name(branch), f"{branch.time_of(branch.fork):.4g} s to {branch.time_of(branch.last):.4g} s")
        for branch in others
    ]
    title = branch_name(chosen) if chosen is not None else "choose a branch…"
    hint = "a branch of the timeline" if others else "there is only one branch: go back and change something"
    with disabled(not others):
        picked = pick("##branch", title, lambda: named, chosen, hint)
    if picked is not None:
        shown.compare(OtherBranch(picked.id))


def take_buttons(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Buttons for the kind of B that there is."""
    subject = view.of(AbState).subject
    if isinstance(subject, EditedCopy):
        _edited(subject, snapshot, view, send)
    elif isinstance(subject, OtherBranch):
        if button("Switch to it", "switch to that branch at the same time"):
            send(SwitchBranch(subject.branch))
    elif isinstance(subject, OtherFile) and button("Open it", f"open {subject.path}"):
        leave(view, send, Leaving(subject.path))


def _edited(subject: EditedCopy, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    shown = view.of(AbState)
    edits = tuple(change.edit for change in subject.changes)
    model, timeline = snapshot.model, snapshot.run.history
    assert model is not None
    with disabled(not edits and not subject.from_file):
        if button("Take B", "use B's values in the simulation from now on; undo reverts them"):
            if subject.from_file:
                send(ResetEdits())
            for edit in as_one(edits):
                send(edit)
            shown.compare(None)
        if button(
            "Swap",
            "A takes B's values, and B takes A's current ones",
            not (subject.from_file or not edits),
            beside=True,
        ):
            changes = tuple(Change(change.choice, change.choice.value(model)) for change in subject.changes)
            for edit in as_one(edits):
                send(edit)
            shown.compare(EditedCopy(changes))
        if button(
            "As a branch",
            "go to where B starts and make its edits there, on a new branch that is compared with this one",
            not (subject.from_file or not edits),
            beside=True,
        ):
            since, old = shown.since or 0, timeline.branch
            if snapshot.run.paused:
                send(GoTo(since, old))
                for edit in as_one(edits):
                    send(edit)
            else:
                send(TryFix(since, old, as_one(edits)))
            # what was B is shown from now on: compared with what was A
            shown.compare(OtherBranch(old), since)


def distance(found: Found, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The parting, the chart and the list."""
    shown = view.of(AbState)
    model = snapshot.model
    assert model is not None
    _sentence(found, model, view, send)
    shown.unit = choice_heading("apart", UNITS, shown.unit, WHAT, "ab apart")
    factor, unit = shown_unit(UNITS[shown.unit], view.prefs.degrees)
    values = (found.radians if shown.unit else found.metres) * factor
    if values.any():
        mark = found.parted.time if found.parted is not None else None
        axis = Axis(float(found.times[0]), float(found.times[-1]), mark)
        chart("apart", unit, found.times, [Line("farthest body", values, B_TINT)], axis, snapshot, send)
    if found.shown is not None:
        _bodies(found.shown, model, view)


def _sentence(found: Found, model: ModelView, view: ViewState, send: Send) -> None:
    """When one can see a difference, and where first."""
    parted = found.parted
    threshold = f"{compact(VISIBLE * float(model.stat.extent), 'm')} or {compact(VISIBLE_ANGLE, 'rad')}"
    if parted is None:
        with font("bold"):
            same = not found.metres.any() and not found.radians.any()
            imgui.text("identical to the last bit" if same else "together so far")
        tooltip(f"no body is more than {threshold} away from its pose in A")
        return
    with font("bold"):
        imgui.text("diverged at")
        imgui.same_line(0, em(0.35))
        if link(
            f"{parted.time:.5g} s##parted",
            f"the first time at which a body is more than {threshold} away from its pose in A\nclick: go there",
        ):
            send(GoTo(parted.step))
    imgui.same_line(0, em(0.35))
    caption("first body:")
    imgui.same_line(0, em(0.35))
    _link(parted.body, model, view, "parted")


def _bodies(shown: Shown, model: ModelView, view: ViewState) -> None:
    """The bodies that are farthest away at the current step."""
    away = [entry for entry in shown.bodies if entry[1] > FLOORS["m"] or entry[2] > FLOORS["rad"]]
    away = sorted(away, key=lambda entry: -entry[1 + view.of(AbState).unit])[:MOST]
    imgui.text_colored(theme.DIM, f"at {shown.time:.5g} s" + ("" if away else ": all poses are the same as in A"))
    tooltip("the current step, or the last earlier step that B has reached")
    if not away or not imgui.begin_table("bodies", 3, imgui.TableFlags_.no_pad_outer_x):
        return
    imgui.table_setup_column("body", imgui.TableColumnFlags_.width_stretch)
    for name in UNITS:
        imgui.table_setup_column(name, imgui.TableColumnFlags_.width_fixed, em(5.0))
    for body, metres, radians in away:
        imgui.table_next_row()
        imgui.table_next_column()
        _link(body, model, view, "body")
        for value, base in ((metres, "m"), (radians, "rad")):
            factor, unit = shown_unit(base, view.prefs.degrees)
            # a prefix before rad is hard to read
            noise = value < FLOORS[base]
            text = compact(value, unit) if base == "m" else f"{0.0 if noise else value * factor:.3g} {unit}"
            imgui.table_next_column()
            cell(text, theme.TEXT, True)
            tooltip(f"{value * factor:.9g} {unit}\n{WHAT}")
    imgui.end_table()


def _link(body: int, model: ModelView, view: ViewState, key: str) -> None:
    """The name of a body, which a click selects."""
    name = described(model, "body", body)
    if link(f"{elide(name, imgui.get_content_region_avail().x)}##{key}{body}", f"select {name}"):
        view.select("body", body, stay=True)


def quantities(found: Found | None, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A chart for each expression, and a field for another."""
    section("quantities")
    for number, text in enumerate([*view.of(AbState).expressions]):
        imgui.push_id(number)
        _quantity(text, found, snapshot, view, send)
        imgui.pop_id()
    _new(snapshot, view)


def _quantity(text: str, found: Found | None, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The expression with its values, and its curves."""
    unit = unit_of(text, snapshot.model)
    pair = found.shown.values.get(text) if found is not None and found.shown is not None else None
    values = [f"{name} {compact(value, unit)}" for name, value in zip("AB", pair or (), strict=False)]
    right = imgui.get_frame_height() + em(0.3) + sum(imgui.calc_text_size(value).x + em(0.8) for value in values)
    imgui.align_text_to_frame_padding()
    imgui.text(elide(text, imgui.get_content_region_avail().x - right))
    tooltip(text)
    imgui.same_line(imgui.get_content_region_avail().x - right)
    for value, exact, tint in zip(values, pair or (), (A_TINT, B_TINT), strict=False):
        caption(value, f"{text}\n{exact:.9g} {unit}".rstrip(), tint)
        imgui.same_line(0, em(0.8))
    if icon_button(icons.ICON_FA_XMARK, "remove", "stop plotting it", width=1.6):
        view.of(AbState).expressions.remove(text)
    curves = found.curves.get(text) if found is not None else None
    if curves is None:
        caption("computing ...")
        return
    if curves.reason and not _has_values(curves):
        note(curves.reason, theme.ERROR)
        return
    if found is not None and len(curves.times) > 1:
        lines = [Line("A", curves.a, A_TINT), Line("B", curves.b, B_TINT)]
        axis = Axis(float(found.times[0]), float(found.times[-1]))
        chart("curves", unit, curves.times, lines, axis, snapshot, send)


def _has_values(curves: Curves) -> bool:
    return bool(np.isfinite(curves.a).any() and np.isfinite(curves.b).any())


def _new(snapshot: Snapshot, view: ViewState) -> None:
    """The field for another expression, and suggestions."""
    shown = view.of(AbState)
    imgui.set_next_item_width(-1)
    entered, shown.typed = imgui.input_text_with_hint(
        "##expression", HINT, shown.typed, imgui.InputTextFlags_.enter_returns_true
    )
    tooltip(
        "plot an expression in A and in B   Enter\narithmetic, functions such as norm, fields of d and m with indices"
    )
    if entered:
        for text in separate(shown.typed):
            shown.add(text)
        shown.typed = ""
    if snapshot.model is None or snapshot.state is None:
        return
    offered = [t for t in suggestions(snapshot.model, snapshot.state, view.selection) if t not in shown.expressions]
    for place, text in enumerate(offered):
        if place:
            same_line_if_fits(text)
        if imgui.small_button(f"{elide(text, imgui.get_content_region_avail().x - em(1))}##{text}"):
            shown.add(text)
        tooltip(f"plot {text} in A and in B")


class Line(NamedTuple):
    """A curve: name, values at the times of the chart, colour."""

    name: str
    values: Array
    tint: theme.Rgba


class Axis(NamedTuple):
    """The time that a chart shows, s, and a moment that is marked."""

    first: float
    last: float
    mark: float | None = None


def chart(key: str, unit: str, times: Array, lines: Sequence[Line], axis: Axis, snapshot: Snapshot, send: Send) -> None:
    """Curves with a line at the current step, and one at the mark."""
    shown = axis.first, max(axis.last, axis.first + 1e-3)
    with time_plot(f"##{key}", unit, shown, snapshot, send, HEIGHT) as pixels:
        if not pixels:
            return
        for line in lines:
            implot.plot_line(line.name, times, line.values, line_spec(line.tint))
        if axis.mark is not None:
            vertical("##mark", axis.mark, theme.ERROR)
        if implot.is_plot_hovered():
            _values(times, implot.get_plot_mouse_pos().x, lines, unit)


def _values(times: Array, at: float, lines: Sequence[Line], unit: str) -> None:
    """The values nearest to a time."""
    nearest = int(np.argmin(np.abs(times - at)))
    texts = [f"{line.name}  {line.values[nearest]:.6g} {unit}".rstrip() for line in lines]
    show_tooltip("\n".join([f"{times[nearest]:.6g} s", *texts, "click: go there"]))
