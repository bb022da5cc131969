"""The instrument Doctor: what is wrong with the model, where, why it matters, and fixes to try with one click."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.panel.usable_card import usable_card
from app.instruments.doctor.state import DoctorState
from app.model.selection import COUNTS, Selection
from app.model.views import ModelView
from app.run.commands import EditTree, Send, SwitchEdit
from app.run.fix import as_one
from app.run.journal.journal import Journal
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import button, caption, colour, disabled, elide, em, font, icon_button, note, section, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import described

ICONS = {
    Severity.ERROR: (icons.ICON_FA_CIRCLE_XMARK, "ERROR", "error: it cannot work as intended"),
    Severity.WARNING: (icons.ICON_FA_TRIANGLE_EXCLAMATION, "WARNING", "warning: it is likely wrong"),
    Severity.NOTE: (icons.ICON_FA_CIRCLE_INFO, "DIM", "note: worth knowing"),
}
# elements of a finding that are listed; the others are counted
MOST_ELEMENTS = 4
# lines of a diff
MOST_LINES = 12


def doctor_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Findings, the worst first; a click unfolds one."""
    model, shown = snapshot.model, view.of(DoctorState)
    if model is None:
        caption("no model")
        return
    shown.follow(view.instruments, model.identity, snapshot.journal, busy=view.ui.editing is not None)
    _header(view)
    if shown.error:
        note(shown.error, theme.WARNING)
    usable_card(snapshot, view, send)
    for place, finding in enumerate(shown.findings or ()):
        imgui.push_id(place)
        _finding(finding, place, snapshot, view, send)
        imgui.pop_id()
    _tried(snapshot.journal, view, send)


def _header(view: ViewState) -> None:
    """How many findings there are, and the button to examine again."""
    shown = view.of(DoctorState)
    with disabled(shown.examining):
        if icon_button(icons.ICON_FA_ROTATE, "examine again", "examine the current model again"):
            shown.examine()
    imgui.same_line(0, em(0.5))
    imgui.align_text_to_frame_padding()
    if shown.findings is None:
        caption("examining the model ..." if shown.examining else "")
        return
    counts = Counter(finding.severity for finding in shown.findings)
    parts = [
        f"{counts[severity]} {severity.name.lower()}{'s' if counts[severity] > 1 else ''}"
        for severity in ICONS
        if counts[severity]
    ]
    text = ", ".join(parts) or "nothing found: this model looks healthy"
    imgui.text_colored(theme.DIM if shown.examining else theme.TEXT, text)
    if shown.examining:
        imgui.same_line(0, em(0.5))
        caption("examining ...")


def _finding(finding: Finding, place: int, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """One finding: its title, and below it all the rest if it is unfolded, which the worst one is at first."""
    shown = view.of(DoctorState)
    key = (finding.check, finding.selection)
    is_open = shown.unfolded.get(key, place == 0 and finding.severity is not Severity.NOTE)
    icon, tint, meaning = ICONS[finding.severity]
    imgui.separator()
    width, inset = imgui.get_content_region_avail().x, em(1.7)
    height = imgui.calc_text_size(finding.title, wrap_width=max(width - inset, 1.0)).y
    (x, y), ink = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    if imgui.invisible_button(f"##finding{place}", (max(width, 1.0), max(height, 1.0))):
        shown.unfolded[key] = not is_open
    hovered = imgui.is_item_hovered()
    tooltip(f"{meaning}\n{'fold' if is_open else 'expand: where, why it matters, and what to do'}")
    ink.add_text((x, y), imgui.get_color_u32(getattr(theme, tint)), icon)
    words = imgui.get_color_u32(theme.ACCENT if hovered else theme.TEXT)
    where, size = imgui.ImVec2(x + inset, y), imgui.get_font_size()
    ink.add_text(imgui.get_font(), size, where, words, finding.title, wrap_width=max(width - inset, 1.0))
    if is_open and snapshot.model is not None:
        imgui.indent(inset)
        _details(finding, snapshot.model, snapshot, view, send)
        imgui.unindent(inset)


def _details(finding: Finding, model: ModelView, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Elements, line, why, fixes."""
    elements = [one for one in (finding.selection, *finding.others) if one.kind in COUNTS]
    for number, element in enumerate(elements[:MOST_ELEMENTS]):
        _element(element, number, model, view)
    if len(elements) > MOST_ELEMENTS:
        caption(f"and {len(elements) - MOST_ELEMENTS} more")
    _line(finding, view)
    note(finding.why)
    for number, fix in enumerate(finding.fixes):
        _fix(fix, number, snapshot.journal, view, send)
    imgui.spacing()


def _element(element: Selection, number: int, model: ModelView, view: ViewState) -> None:
    """A link to an element."""
    name = elide(described(model, element.kind, element.index), imgui.get_content_region_avail().x)
    with colour(imgui.Col_.text, theme.ACCENT):
        if imgui.selectable(f"{name}##element{number}", view.selection == element)[0]:
            view.select(element.kind, element.index, fly=True, stay=True)
    tooltip(f"select {described(model, element.kind, element.index)} and focus on it")


def _line(finding: Finding, view: ViewState) -> None:
    """The line in the file; a click copies it."""
    if finding.place is None:
        return
    name = f"{Path(finding.place.file).name}:{finding.place.line}"
    attribute = f"   {finding.attribute}" if finding.attribute else ""
    with font("mono"), colour(imgui.Col_.text, theme.TEXT):
        if imgui.selectable(f"{elide(name + attribute, imgui.get_content_region_avail().x)}##line", False)[0]:
            imgui.set_clipboard_text(str(finding.place))
            view.feedback.show_message(f"copied {finding.place}")
    tooltip(f"{finding.place}\nclick to copy")


def _fix(fix: Fix, number: int, journal: Journal, view: ViewState, send: Send) -> None:
    """What to do, with a button where the model itself can be changed."""
    if fix.tree:
        if imgui.button(f"Apply##fix{number}"):
            send(EditTree(fix.tree, fix.text))
        tooltip(f"{fix.text}\nthe file changes as shown below once you save; undo takes it back")
    elif fix.edits:
        if imgui.button(f"Try##fix{number}"):
            view.of(DoctorState).note_tried(fix, journal)
            for command in as_one(fix.edits):
                send(command)
        tooltip(f"{fix.text}\nan edit like any other: undo reverts it, saving writes it to the file")
    else:
        caption(icons.ICON_FA_PEN, "this can only be changed in the file", framed=True)
    imgui.same_line(0, em(0.5))
    imgui.align_text_to_frame_padding()
    imgui.text_wrapped(fix.text)
    _diff(fix.diff)


def _diff(lines: tuple[str, ...]) -> None:
    """The lines of the file before and after."""
    with font("mono"):
        for line in lines[:MOST_LINES]:
            tint = {"+": theme.ADDED, "-": theme.ERROR}.get(line[:1], theme.DIM)
            imgui.text_colored(tint, elide(line, imgui.get_content_region_avail().x))
            tooltip(line)
    if len(lines) > MOST_LINES:
        caption(f"and {len(lines) - MOST_LINES} more lines")


def _tried(journal: Journal, view: ViewState, send: Send) -> None:
    """Fixes that were tried, each with a switch."""
    shown = view.of(DoctorState)
    if not shown.tried:
        return
    section("tried")
    for number, tried in enumerate(shown.tried):
        entry = journal.entry(tried.entry) if tried.entry >= 0 else None
        on = entry is not None and entry.in_force
        label, hint = ("Undo", "undo the fix") if on else ("Redo", "redo the fix")
        if button(f"{label}##tried{number}", hint, entry is not None):
            send(SwitchEdit(tried.entry, not on))
        imgui.same_line(0, em(0.5))
        imgui.align_text_to_frame_padding()
        note(tried.fix.text, theme.TEXT if on else theme.DIM)
