"""Facts about a function: name, place, docstring, what it reads and writes, whom it calls and who calls it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.code.code_questions import CodeAnswer, FieldQuestion, FieldValue
from app.instruments.code.doc_text import paragraphs
from app.instruments.code.panel.source import editor_menu, open_editor
from app.instruments.code.state import CodeState, Subject
from app.model.selection import COUNTS, Selection
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import (
    Hint,
    caption,
    colour,
    elide,
    em,
    font,
    icon_button,
    link,
    note,
    same_line_if_fits,
    section,
    tooltip,
)
from app.view.view_state import ViewState
from sim.jit.layout import Field
from sim.script.kernels.index import Code, KernelIndex

# links of a list; more are named in a tooltip
MOST_LINKS = 30
# units that depend on the joint
GENERALIZED = {"q": ("m", "rad"), "F": ("N", "N·m")}
# numbers in a line
IN_LINE = 4
# extents whose rows belong to elements
KINDS = {count: kind for kind, count in COUNTS.items()} | {"ncon": "contact"}


def draw_facts(
    snapshot: Snapshot, view: ViewState, known: CodeAnswer, subject: Subject, code: Code, send: Send
) -> None:
    """All about a function."""
    shown = view.of(CodeState)
    # formulas have letters that the fonts may lack
    theme.ensure_glyphs(code.doc, code.module_doc)
    if subject.field or subject.stage:
        _heading(snapshot, view, known, subject)
        _choices(shown, known, subject, code)
    _title(snapshot, known, code)
    _place(view, known, code, send)
    _doc(code)
    _module(code)
    field_links("writes", code.fields_written(), view, known.index)
    field_links("writes through its calls", known.index.written_below(code), view, known.index)
    field_links("reads", code.fields_read(), view, known.index)
    function_links("calls", code.calls, shown, known.index)
    function_links("called by", code.callers, shown, known.index)


def draw_unwritten(view: ViewState, known: CodeAnswer, subject: Subject) -> None:
    """A field that no kernel writes: an input of the step, and who reads it."""
    field = known.index.fields.get(subject.field)
    with font("bold", 1.1):
        imgui.text(subject.field or subject.stage or subject.function)
    imgui.push_text_wrap_pos(0)
    if field is None:
        caption("There is no field, stage or function with this name in the code.")
    else:
        imgui.text(field.doc)
        caption("No kernel writes it: it is an input of the step.")
    imgui.pop_text_wrap_pos()
    function_links("read by", known.index.readers.get(subject.field, ()), view.of(CodeState), known.index)


def _heading(snapshot: Snapshot, view: ViewState, known: CodeAnswer, subject: Subject) -> None:
    """The field or stage by which one came here."""
    room = imgui.get_content_region_avail().x
    if subject.field:
        with font("mono"):
            imgui.text_colored(theme.ACCENT, subject.field)
        tooltip(partial(field_hint, view, known.index, subject.field))
        field = known.index.fields[subject.field]
        note(f"{field.doc}{unit_text(field.unit)}")
        return
    share = stage_share(snapshot, subject.stage)
    text = f"stage: {subject.stage}" + (f", {share:.0%} of the step" if share is not None else "")
    caption(elide(text, room), "a stage of the step; the profiler (F3) shows its time", theme.ACCENT)


def _choices(shown: CodeState, known: CodeAnswer, subject: Subject, code: Code) -> None:
    """The functions of a field or stage, to choose from."""
    choices = subject.choices(known.index, known.used)
    for k, choice in enumerate(choices if len(choices) > 1 else ()):
        if k:
            same_line_if_fits(choice.short)
        here, used = choice is code, choice.name in known.used
        ink = theme.TEXT if used else theme.DIM
        ground = (*theme.ACCENT[:3], 0.35) if here else theme.RAISED
        with colour(imgui.Col_.button, ground), colour(imgui.Col_.text, ink):
            if imgui.small_button(f"{choice.short}##choice {choice.name}"):
                shown.choose(choice)
        tooltip(function_hint(choice) + ("" if used else "\nnot used by this model"))


def _title(snapshot: Snapshot, known: CodeAnswer, code: Code) -> None:
    with font("bold", 1.15):
        imgui.text(code.short)
    tooltip(code.name)
    notes = ["kernel" if code.is_kernel else "helper"]
    shares = [(stage, stage_share(snapshot, stage)) for stage in code.stages[:1]]
    notes += [
        f"stage {stage}" + (f" ({share:.0%} of the step)" if share is not None else "") for stage, share in shares
    ]
    if code.name not in known.used:
        notes.append("not used by this model")
    text = ", ".join(notes)
    if imgui.get_item_rect_size().x + em(0.6) + imgui.calc_text_size(text).x < imgui.get_content_region_avail().x:
        imgui.same_line(0, em(0.6))
    caption(
        elide(text, imgui.get_content_region_avail().x),
        f"{text}\n"
        + ("compiled as a unit of its own" if code.is_kernel else "compiled into the kernels that call it")
        + (f"\nreached by the stages {', '.join(code.stages)}" if len(code.stages) > 1 else ""),
    )


def _place(view: ViewState, known: CodeAnswer, code: Code, send: Send) -> None:
    """File and line, which open the editor; copy, editor, debugger."""
    place = f"{short_path(code)}:{code.line}"
    width = imgui.get_content_region_avail().x - em(4.6)
    if link(f"{_elided_start(place, width)}##place", f"{code.file}:{code.line}\nclick: open it in your editor"):
        open_editor(view, code.file, code.line, send)
    imgui.same_line(0, em(0.4))
    if icon_button(icons.ICON_FA_COPY, "copy location", f"copy {code.file}:{code.line}", width=1.9):
        imgui.set_clipboard_text(f"{code.file}:{code.line}")
        view.feedback.show_message(f"copied {code.file}:{code.line}")
    imgui.same_line(0, 0)
    editor_menu(view)
    if imgui.button("Debug here"):
        view.of(CodeState).debug(code.short if known.index.named(code.short) is code else code.name)
    tooltip(
        "run it as plain Python under pdb, in the current state, in a terminal: stops at its first line, and at"
        " breakpoint() in a kernel; the window keeps running"
    )


def short_path(code: Code) -> str:
    """The file below the folder of the package."""
    parts = code.name.split(".")
    return "/".join(code.file.parts[-(len(parts) - 1) :])


def _elided_start(text: str, width: float) -> str:
    """The end of a path counts."""
    return text if imgui.calc_text_size(text).x <= width else f"{elide(text[::-1], width)[::-1]}"


def _doc(code: Code) -> None:
    imgui.push_text_wrap_pos(0)
    with font("mono", 0.9):
        caption(code.signature)
    _paragraphs(code.doc)
    imgui.pop_text_wrap_pos()


def _module(code: Code) -> None:
    """The docstring of the file: formulas."""
    if not code.module_doc:
        return
    section(f"formulas of {code.file.name}")
    imgui.push_text_wrap_pos(0)
    _paragraphs(code.module_doc)
    imgui.pop_text_wrap_pos()


def _paragraphs(doc: str) -> None:
    for paragraph in paragraphs(doc):
        with font("mono" if paragraph.is_code else "sans", 0.9 if paragraph.is_code else 1.0):
            imgui.text(paragraph.text)


def field_links(title: str, names: Sequence[str], view: ViewState, index: KernelIndex) -> None:
    """Fields: a click leads to what writes them, the tooltip has their value."""
    _links(
        title,
        names,
        lambda name: view.of(CodeState).show(Subject(field=name)),
        partial(partial, field_hint, view, index),
    )


def function_links(title: str, names: Sequence[str], shown: CodeState, index: KernelIndex) -> None:
    """Functions."""
    known = {code.short: code for code in (index.codes[name] for name in names if name in index.codes)}

    def show(short: str) -> None:
        shown.show(Subject(function=known[short].name))

    _links(title, list(known), show, lambda short: function_hint(known[short]))


def function_hint(code: Code) -> str:
    """The tooltip of a function."""
    first = code.doc.partition("\n\n")[0].replace("\n", " ")
    return "\n".join(filter(None, (code.signature, first, f"{code.file.name}:{code.line}")))


def stage_share(snapshot: Snapshot, stage: str) -> float | None:
    """The share of a stage in the time of a step, if that is measured."""
    seconds = dict(snapshot.run.stage_seconds)
    total = sum(seconds.values())
    return seconds[stage] / total if stage in seconds and total > 0 else None


def _links(title: str, labels: Sequence[str], show: Callable[[str], None], hint: Callable[[str], Hint]) -> None:
    """A heading, and links below it."""
    if not labels:
        return
    section(title)
    for k, label in enumerate(labels[:MOST_LINKS]):
        if k:
            _wrap(label)
        if link(f"{label}##{title}", hint(label)):
            show(label)
    if len(labels) > MOST_LINKS:
        text = f"and {len(labels) - MOST_LINKS} more"
        _wrap(text)
        caption(text, ", ".join(labels[MOST_LINKS:]))


def _wrap(label: str) -> None:
    """Go on in the line if the next link fits there."""
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    if imgui.get_item_rect_max().x + em(0.8) + imgui.calc_text_size(label).x <= right:
        imgui.same_line(0, em(0.8))


def field_hint(view: ViewState, index: KernelIndex, name: str) -> str:
    """Meaning, shape and value of a field; asked for while the tooltip shows."""
    field = index.fields[name]
    shape = f" ({', '.join(map(str, field.shape))})" if field.shape else ""
    answer = view.instruments.ask(FieldQuestion(name, row_of(field, view.selection)))
    if answer is None:
        value = "..."
    else:
        value = answer.error or value_text(name, answer.value)
    written = "" if name in index.writers else "\nan input: no kernel writes it"
    return f"{name}{shape}{unit_text(field.unit)}\n{field.doc}{written}\n{value}"


def unit_text(unit: str) -> str:
    """A unit in brackets; of a generalized coordinate or force both that it may be."""
    for letter, (linear, angular) in GENERALIZED.items():
        if unit.startswith(letter) and not unit[1:2].isalpha():
            unit = f"{linear}{unit[1:]} or {angular}{unit[1:]}"
            break
    return f" [{unit}]" if unit else ""


def row_of(field: Field, selection: Selection | None) -> int:
    """The row of the selected element; -1 if the field has none."""
    if selection is None or not field.shape or KINDS.get(str(field.shape[0])) != selection.kind:
        return -1
    return selection.index


def value_text(name: str, value: FieldValue) -> str:
    """The numbers of a field: all, those of the selection, or the first ones."""
    count = 1
    for extent in value.shape if value.row < 0 else value.shape[1:]:
        count *= extent
    if not count:
        return "it is empty now"
    texts = [f"{number:.6g}" for number in value.numbers]
    rows = ["  ".join(texts[at : at + IN_LINE]) for at in range(0, len(texts), IN_LINE)]
    more = [f"... {count} numbers"] if count > len(texts) else []
    place = f"{name}[{value.row}]" if value.row >= 0 else name
    return f"{place} = " + "\n".join([*rows, *more])
