"""The Lockstep instrument: both engines from the same state, stage by stage; where they differ, and why."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.lockstep.elements import Element
from app.instruments.lockstep.free import TWIN
from app.instruments.lockstep.judge import MEANINGS, Comparison, Judged, Verdict
from app.instruments.lockstep.state import LockstepState
from app.instruments.lockstep.versions import newer
from app.instruments.lockstep.worker import Lockstep
from app.instruments.offer import offered
from app.model.field_names import NAMES
from app.model.selection import COUNTS, Selection
from app.model.views import ModelView, StateView
from app.run.commands import GoTo, Send
from app.run.history.branch_colours import Rgb
from app.run.snapshot import Snapshot
from app.scene.decor.user_geoms import LABEL, UserGeom
from app.scene.ghost import Ghost
from app.ui import theme
from app.ui.plots.sketch import Sketch
from app.ui.widgets import (
    caption,
    choice_row,
    colour,
    elide,
    em,
    font,
    icon_button,
    note,
    same_line_if_fits,
    show_tooltip,
    tooltip,
)
from app.view.view_state import ViewState
from sim.analysis.element_types import OWNERS
from sim.enums import GEOM_SPHERE

TINTS = {
    Verdict.SAME: "DIM", Verdict.UNSTEADY: "DIM", Verdict.MUJOCO: "ACCENT", Verdict.FOLLOWS: "WARNING",
    Verdict.DIFFERS: "ERROR",
}  # fmt: skip
# elements that are marked in the picture, and the size of one without, as a share of the model's
MOST_MARKS, MARK_SIZE = 20, 0.04
HEIGHT_EM = 6.0
# powers of ten at the edges of the chart: differences in tolerances, distances of free runs
TOLERANCES, DISTANCES = (-9.0, 9.0), (-17.0, 1.0)
FOLLOWED = "largest ratio of a stage's difference to its tolerance, at recorded steps; click: go there"
RAN_FREE = "distance in the free run; grey: MuJoCo from itself, started 1e-10 away; click: go there"
# points that are drawn at most
MOST_POINTS = 600
# the bar of a stage goes from the smallest error to the largest, in powers of ten
SMALLEST, LARGEST = -17.0, 1.0
# widths of the columns; the bar has what is left
NAME_EM, NUMBER_EM, VERDICT_EM = 5.6, 3.9, 6.0
# where the other engine starts
STARTS = {
    "same state": "at every step both engines compute from the current state",
    "run free": "the other engine continues on its own from here, with the same controls: when do they diverge?",
}
GHOST: Rgb = (0.94, 0.57, 0.13)


def lockstep_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A row for each stage at the current step, and the recorded past as a curve."""
    model, state, shown = snapshot.model, snapshot.state, view.of(LockstepState)
    if model is None or state is None:
        return
    found = shown.ask(snapshot)
    if found is None or (found.comparison is None and not found.error):
        note("comparing with the other engine ...")
        return
    if found.comparison is None:
        shown.marks = frozenset()
        note(found.error)
        return
    _choices(snapshot, view)
    _summary(found.comparison, found)
    _report(found.comparison, view)
    for judged in found.comparison.stages:
        _stage(judged, snapshot, view)
    mark(found.comparison, model, state, view)
    if shown.since is not None and found.sentence:
        imgui.spacing()
        note(found.sentence, theme.ERROR if found.parted is not None else theme.TEXT)
    draw_chart(found, shown.since is not None, send)
    if shown.ghost and found.ghost is not None:
        view.instruments.show_ghost(Ghost(found.ghost, GHOST))


def _choices(snapshot: Snapshot, view: ViewState) -> None:
    """From the shown state each time, or free; the ghost."""
    shown, timeline = view.of(LockstepState), snapshot.run.history
    current = "run free" if shown.since is not None else "same state"
    if (wanted := choice_row(STARTS, current)) != current:
        shown.run_free(timeline, wanted == "run free")
    same_line_if_fits("ghost x")
    words = "show the other engine's poses as a ghost where they differ"
    if icon_button(icons.ICON_FA_GHOST, "lockstep ghost", words, shown.ghost):
        shown.ghost = not shown.ghost
    if shown.since is not None:
        caption(f"free from {timeline.time_of(shown.since):.6g} s on")


def _summary(comparison: Comparison, found: Lockstep) -> None:
    """The result in a sentence."""
    culprit = comparison.culprit
    title = f"Kinetoscope and MuJoCo {comparison.version} at {found.time:.6g} s"
    caption(elide(title, imgui.get_content_region_avail().x))
    if culprit is None:
        text, tint = "the same at every stage", theme.TEXT
    elif culprit.verdict is Verdict.DIFFERS:
        text, tint = f"they differ from the {culprit.result.stage.name} stage on", theme.ERROR
    elif culprit.verdict is Verdict.MUJOCO:
        text, tint = "they differ only by MuJoCo's own changes", theme.ACCENT
    else:
        text, tint = "they differ only where rounding decides", theme.TEXT
    with font("bold"):
        imgui.text_colored(tint, text)
    if newest := newer(comparison.version):
        note(newest)
    imgui.spacing()


def _report(comparison: Comparison, view: ViewState) -> None:
    """A difference that nothing explains: a button for others to see it too."""
    if comparison.fault:
        view.export_wanted = "zip" if imgui.button("Report this") else view.export_wanted
        tooltip("export the current state for a bug report: its checks differ between the engines")


def _stage(judged: Judged, snapshot: Snapshot, view: ViewState) -> None:
    """A stage: its name, a bar, the largest difference, the verdict; below, what differs by itself."""
    result, tint = judged.result, tint_of(judged.verdict)
    width, height = imgui.get_content_region_avail().x, imgui.get_text_line_height_with_spacing()
    (x, y), draw = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    pressed = imgui.invisible_button(f"##stage {result.stage.name}", (max(width, 1.0), height))
    if pressed and _field(judged):
        view.instruments.open("Code", f"d.{_field(judged)}")
    tooltip(_hint(judged))
    bar, verdict = x + em(NAME_EM), x + width - em(VERDICT_EM)
    draw.add_text((x, y), imgui.get_color_u32(theme.TEXT if result.same else tint), result.stage.name)
    _bar(judged, bar, y, verdict - em(NUMBER_EM + 0.4) - bar, height)
    with font("mono", 0.9):
        text = f"{result.error:7.0e}" if result.error else "      0"
        draw.add_text((verdict - em(NUMBER_EM), y), imgui.get_color_u32(theme.DIM if result.same else theme.TEXT), text)
    draw.add_text((verdict, y), imgui.get_color_u32(tint), elide(judged.verdict.value, x + width - verdict))
    if judged.difference is not None and judged.verdict not in (Verdict.SAME, Verdict.FOLLOWS):
        _details(judged, snapshot, view)


def _bar(judged: Judged, left: float, top: float, width: float, height: float) -> None:
    """The largest difference on a logarithmic scale, with a tick at the tolerance."""
    if width < em(1.5):
        return
    draw, middle = imgui.get_window_draw_list(), top + 0.42 * height
    error, stage = judged.result.error, judged.result.stage
    draw.add_rect_filled(
        (left, middle - em(0.12)), (left + width, middle + em(0.12)), imgui.get_color_u32(theme.RAISED)
    )
    tint = imgui.get_color_u32(tint_of(judged.verdict))
    if error > 0:
        end = left + width * _share(error)
        draw.add_rect_filled((left, middle - em(0.12)), (max(end, left + 2.0), middle + em(0.12)), tint)
    tick = left + width * _share(stage.tolerance)
    draw.add_line((tick, middle - em(0.35)), (tick, middle + em(0.35)), imgui.get_color_u32(theme.DIM))


def _share(error: float) -> float:
    """Where an error is on the scale, from 0 to 1."""
    power = math.log10(error) if math.isfinite(error) else LARGEST
    return min(max((power - SMALLEST) / (LARGEST - SMALLEST), 0.0), 1.0)


def _hint(judged: Judged) -> str:
    """What the stage does, how closely it is compared, and what the verdict means."""
    stage, worst = judged.result.stage, judged.result.worst
    lines = [f"{stage.name}: {stage.meaning}"]
    if worst is not None:
        lines.append(f"largest difference: {worst.place}, {worst.error:.2e}; tolerance {stage.tolerance:.0e}")
    if field := _field(judged):
        lines.append(f"click: the code that computes d.{field}")
    return "\n".join([*lines, f"{judged.verdict.value}: {judged.reason or MEANINGS[judged.verdict]}"])


def _field(judged: Judged) -> str:
    """The field whose code a stage leads to: the one that differs, else the first; empty if there is none."""
    named = [judged.difference.field] if judged.difference is not None else []
    fields = (*named, *(field.name for field in judged.result.stage.fields))
    return next((name for name in fields if name in NAMES and offered("Code")), "")


def _details(judged: Judged, snapshot: Snapshot, view: ViewState) -> None:
    """The first field that differs and its element, which a click selects; both values; the reason."""
    difference = judged.difference
    assert difference is not None and snapshot.model is not None and snapshot.state is not None
    imgui.indent(em(0.8))
    label = elide(difference.place, imgui.get_content_region_avail().x)
    chosen = selection_of(difference.element, snapshot.state)
    with colour(imgui.Col_.text, theme.ACCENT if chosen is not None else theme.TEXT):
        pressed = imgui.selectable(f"{label}##details {judged.result.stage.name}", False)[0]
    tooltip(f"{difference.place}" + ("\nclick: select it" if chosen is not None else ""))
    if pressed and chosen is not None:
        view.select(chosen.kind, chosen.index, stay=True)
    with font("mono", 0.9):
        caption(f"ours {difference.ours:.9g}   MuJoCo {difference.theirs:.9g}")
    if judged.verdict is Verdict.MUJOCO:
        note(judged.reason)
    imgui.dummy((0, em(0.3)))
    imgui.unindent(em(0.8))


def tint_of(verdict: Verdict) -> theme.Rgba:
    """The colour of a verdict."""
    tint: theme.Rgba = getattr(theme, TINTS[verdict])
    return tint


def difference_mark(shown: bool) -> None:
    """A dot at the end of the last item, for an element in which the engines differ."""
    if shown:
        (_, y), (right, bottom) = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        ink = imgui.get_color_u32(theme.ERROR)
        imgui.get_window_draw_list().add_circle_filled((right - em(0.6), (y + bottom) / 2), em(0.25), ink)


def selection_of(element: Element, state: StateView) -> Selection | None:
    """The element as a selection: a contact by the geoms that touch, or else one of them."""
    if element.kind in COUNTS:
        return Selection(element.kind, element.index)
    geoms = [index for _, index in element.marks]
    if element.kind == "contact" and geoms:
        same = np.flatnonzero((np.sort(np.asarray(state.contact.geom), axis=1) == np.sort(geoms)).all(axis=1))
        return Selection("contact", int(same[0])) if len(same) else Selection("geom", geoms[-1])
    return None


def mark(comparison: Comparison, model: ModelView, state: StateView, view: ViewState) -> None:
    """Mark what differs first, in the tree and in the picture."""
    shown = view.of(LockstepState)
    culprit = comparison.culprit
    difference = culprit.difference if culprit is not None else None
    if culprit is None or difference is None:
        shown.marks = frozenset()
        return
    seen = dict.fromkeys(mark for element in difference.elements for mark in element.marks)
    bodies = (int(getattr(model, OWNERS[kind])[index]) for kind, index in seen if kind in OWNERS)
    shown.marks = frozenset((*seen, *(("body", body) for body in bodies if body)))
    tint, label = tint_of(culprit.verdict), f"{difference.field} {difference.component}".strip()
    for element in difference.elements[:MOST_MARKS]:
        for place, radius in _places(element, model, state):
            view.instruments.draw(UserGeom(GEOM_SPHERE, (radius,) * 3, place, rgba=(*tint[:3], 0.5)))
            if label:
                view.instruments.draw(UserGeom(LABEL, (radius,) * 3, place, rgba=tint, label=label))
            label = ""


def _places(element: Element, model: ModelView, state: StateView) -> Iterator[tuple[np.ndarray, float]]:
    """Where an element is in the picture, and how large: contacts at their point, others at their place."""
    small = MARK_SIZE * float(model.stat.extent)
    if element.point:
        yield np.array(element.point), small / 2
        return
    for kind, index in element.marks:
        selection = Selection(kind, index)
        place = selection.place(model, state)
        if place is not None and np.isfinite(place).all():
            yield place, (selection.radius(model, state) if kind == "geom" else 0.0) or small


def draw_chart(found: Lockstep, free: bool, send: Send) -> None:
    """The past as a curve with a line at the current step; a click goes to the nearest moment."""
    points = [*found.points][:: max(len(found.points) // MOST_POINTS, 1)]
    times = np.array([p.time for p in points] if free else [time for time, _ in found.past.values()])
    steps = [p.step for p in points] if free else [*found.past]
    if len(times) < 2 or not times[-1] > times[0]:
        return
    values = np.array([p.distance for p in points] if free else [excess for _, excess in found.past.values()])
    imgui.spacing()
    sketch = Sketch("lockstep past", times, HEIGHT_EM)
    edges = DISTANCES if free else TOLERANCES
    if free:
        sketch.curve(_heights(np.array([TWIN * p.growth for p in points]), edges), theme.DIM)
    else:
        sketch.level(float(_heights(np.ones(1), edges)[0]), theme.ERROR)
    sketch.curve(_heights(values, edges), theme.ACCENT)
    sketch.mark(found.time, theme.TEXT)
    if free and found.parted is not None:
        sketch.mark(found.parted.time, theme.ERROR, "diverged")
    sketch.corners("", "distance" if free else "error / tolerance")
    nearest = sketch.pointed
    if nearest is not None:
        show_tooltip(
            f"{times[nearest]:.6g} s, step {steps[nearest]}: {values[nearest]:.1e}\n{RAN_FREE if free else FOLLOWED}"
        )
        if sketch.clicked:
            send(GoTo(steps[nearest]))


def _heights(values: np.ndarray, edges: tuple[float, float]) -> np.ndarray:
    """Where values are on a logarithmic axis, as shares."""
    low, high = edges
    powers = np.log10(np.clip(np.nan_to_num(values, nan=10.0**high), 10.0**low, 10.0**high))
    shares: np.ndarray = (powers - low) / (high - low)
    return shares
