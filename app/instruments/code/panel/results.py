"""What a search of the code finds; and the stages of a step with their kernels, to begin with."""

from __future__ import annotations

from imgui_bundle import imgui

from app.instruments.code.code_questions import CodeAnswer
from app.instruments.code.panel.links import function_hint, stage_share
from app.instruments.code.state import CodeState, Subject
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import caption, colour, elide, em, font, tooltip
from sim.script.kernels.index import Found, KernelIndex

MOST_RESULTS = 200
# columns: share of the step; kind of result
SHARE_EM, KIND_EM = 2.6, 4.2


def draw_results(shown: CodeState, index: KernelIndex) -> None:
    """Results of the search, a click shows one."""
    found = shown.results(index)
    if not found:
        caption("Nothing in the code is called so.")
        return
    imgui.begin_child("results")
    clipper = imgui.ListClipper()
    clipper.begin(min(len(found), MOST_RESULTS))
    while clipper.step():
        for k in range(clipper.display_start, clipper.display_end):
            _result(found[k], shown, index)
    imgui.end_child()


def _result(found: Found, shown: CodeState, index: KernelIndex) -> None:
    subject, kind, doc = _described(found, index)
    left, width = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    if imgui.selectable(f"##{found.kind} {found.name}", False)[0]:
        shown.show(subject)
    tooltip(f"{found.name}\n{doc}" if found.kind != "function" else function_hint(index.codes[found.name]))
    imgui.same_line(left)
    caption(kind)
    imgui.same_line(left + em(KIND_EM))
    name = index.codes[found.name].short if found.kind == "function" else found.name
    imgui.text(name)
    end = imgui.get_item_rect_size().x + em(KIND_EM + 0.8)
    if end < width - em(3):
        imgui.same_line(left + end)
        caption(elide(doc.replace("\n", " "), width - end))


def _described(found: Found, index: KernelIndex) -> tuple[Subject, str, str]:
    """What a click shows, the kind as a word, and the meaning."""
    if found.kind == "stage":
        names = (index.codes[name].short for name in index.stages[found.name])
        return Subject(stage=found.name), "stage", ", ".join(names)
    if found.kind == "field":
        return Subject(field=found.name), "field", index.fields[found.name].doc
    code = index.codes[found.name]
    return Subject(function=found.name), "kernel" if code.is_kernel else "helper", code.doc


def draw_stages(snapshot: Snapshot, shown: CodeState, known: CodeAnswer) -> None:
    """The stages of a step in order, with their share of its time, and their kernels."""
    imgui.begin_child("stages")
    has_shares = bool(snapshot.run.stage_seconds)
    for stage, names in known.index.stages.items():
        used = any(name in known.used for name in names)
        share = stage_share(snapshot, stage)
        left = imgui.get_cursor_pos_x()
        with colour(imgui.Col_.text, theme.TEXT if used else theme.DIM):
            if imgui.selectable(f"{stage}##stage", False)[0]:
                shown.show(Subject(stage=stage))
        kernels = [known.index.codes[name].short for name in names]
        tooltip(", ".join(kernels) + ("" if used else "\nnot used by this model"))
        end = left + em(11)
        if has_shares:
            with font("mono", 0.9):
                text = f"{share:.0%}" if share is not None else ""
                imgui.same_line(end + em(SHARE_EM) - imgui.calc_text_size(text).x - em(0.4))
                caption(text)
            end += em(SHARE_EM)
        imgui.same_line(end)
        caption(elide(", ".join(kernels), imgui.get_content_region_avail().x))
    imgui.end_child()
