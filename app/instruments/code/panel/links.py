"""Links to fields and functions of the code, in lines that wrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from imgui_bundle import imgui

from app.instruments.code.panel.values import field_hint
from app.instruments.code.state import CodeState, Subject
from app.run.snapshot import Snapshot
from app.ui.widgets import Hint, caption, em, link, section
from app.view.view_state import ViewState
from sim.script.kernels.index import Code, KernelIndex

# links of a list; more are named in a tooltip
MOST_LINKS = 30


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
