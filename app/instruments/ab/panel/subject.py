"""What B is, in the A/B instrument: numbers that differ, another file, or another branch."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.background.field_choice import FieldChoice, options_of
from app.files import browse
from app.files.recent import recent_files
from app.instruments.ab.panel.charts import A_TINT, B_TINT
from app.instruments.ab.state import AbState
from app.instruments.ab.subject import Change, EditedCopy, OtherBranch, OtherFile
from app.model.angle_unit import shown_unit
from app.model.model_title import model_title
from app.model.views import ModelView
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.field_choice import choose_field
from app.ui.widgets import (
    caption,
    disabled,
    drag_by_rule,
    elide,
    em,
    icon_button,
    number_field,
    pick,
    tooltip,
    with_unit,
)
from app.view.branch_lanes import branch_name
from app.view.view_state import ViewState

# of the options: those that are offered with all their values, and the factors of a timestep
PRESETS, TIMESTEPS = ("opt.integrator", "opt.solver", "opt.cone"), (("half", 0.5), ("twice", 2.0))
# the least room for the name of an element
OWNER_EM = 2.5


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
    tooltip("other time steps, integrators and solvers; the model as in the file")
    if imgui.begin_popup("presets"):
        _presets(subject, snapshot, view)
        imgui.end_popup()
    if subject.from_file:
        caption("without your edits", "B is the model as in its file; what is changed above is on top of that", B_TINT)


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
    if icon_button(icons.ICON_FA_XMARK, f"remove{key}", "B has A's value again", width=1.6):
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
        imgui.text_colored(theme.ERROR, "that file is gone")


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
    hint = "a branch of the timeline" if others else "there is one branch: go back, and change something there"
    with disabled(not others):
        picked = pick("##branch", title, lambda: named, chosen, hint)
    if picked is not None:
        shown.compare(OtherBranch(picked.id))
