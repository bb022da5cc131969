"""The Forces instrument: bars of all that accelerates a joint or body, which sum to its acceleration; and arrows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from imgui_bundle import imgui

from app.instruments.forces.bars import FIELDS, Bar, Bars, force_bars
from app.instruments.forces.question import ForceAnswer, ForceQuestion
from app.instruments.forces.state import ARROWS, ForcesState, axes_of
from app.instruments.offer import offer, offered
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.scene.contacts import MAX_LENGTH, metres_per_newton
from app.scene.decor.user_geoms import ARROW, LABEL, UserGeom
from app.ui import theme
from app.ui.plots.sketch import Sketch, value_shares
from app.ui.quantities import align_decimals, si
from app.ui.source_tints import tint_of
from app.ui.widgets import button, checkbox, choice_row, elide_middle, em, font, note, pick, same_line_if_fits, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import AXES, described
from sim.analysis.push import TOTAL, push_expression
from sim.enums import JNT_FREE, JNT_SLIDE

# the shortest arrow, as a fraction of the longest, and how many there are
SHORTEST, MOST = 0.02, 24
# the longest arrow is at least so many radii of the body, and extents of the model; its radius in its lengths
OUTSIDE, VISIBLE, WIDTH = 1.6, 0.08, 0.02
# labels are at least so many lengths of the longest arrow from one another
APART = 0.12
WHITE = (1.0, 1.0, 1.0, 1.0)
INERTIAL = "mass × acceleration"

# name, kind of source, point, force
Vector = tuple[str, str, np.ndarray, np.ndarray]
BAR_EM, GAP_EM = 0.36, 0.3
HEIGHT_EM, CURVES = 5.0, 5
HINT = "the largest bars and the total, at the steps shown here so far; Plots covers all recorded time"
# bars that "Plot" adds, besides the total
PLOTTED = 4
UNITS = {
    "acceleration": "m/s² or rad/s²: the bars sum to qacc",
    "force": "N or N m: generalized forces of a joint, mass times acceleration of a body",
}
# what is said about bars that are not sources
HINTS = {
    "others": "everything too small for its own bar",
    "residual": "The remainder of M qacc after subtracting all forces: the residual of the solver. More iterations or"
    " a smaller tolerance reduce it.",
    "total": "all bars together",
    "applied": "(qvel after the step - qvel now) / timestep. It differs from qacc where the integrator is implicit in"
    " velocities or has several stages, and where a tree falls asleep.",
}


def forces_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """Bars of the joint or body that is selected, at the current step."""
    model, state, shown = snapshot.model, snapshot.state, view.of(ForcesState)
    if model is None or state is None:
        return
    shown.follow(view.selection, model, state)
    subject = shown.subject
    if subject is None or not subject.exists(model, state):
        shown.subject = None
        note("Select a joint or a body to see what accelerates it, source by source.")
        return
    _subject(model, shown, subject)
    axes = _axis_names(model, subject)
    shown.axis = min(shown.axis, len(axes) - 1)
    _choices(shown, axes)
    question = ForceQuestion(subject.kind, subject.index)
    answer = view.instruments.ask(question)
    if answer is None or answer.error:
        note(answer.error if answer is not None else "computing ...")
        return
    found: ForceAnswer = answer.value
    shown.history.add(question, answer)
    if found.shares.asleep:
        fixed = subject.kind == "body" and int(model.body_treeid[subject.index]) < 0
        note("It is fixed to the world." if fixed else "It is asleep: nothing acts on it until its tree wakes.")
        return
    bars = force_bars(found, shown.axis, shown.as_force, shown.by_kind)
    # above the bars, whose number changes: buttons that move cannot be clicked
    _plot(view, found, bars, axes[shown.axis])
    if subject.kind == "body":
        _arrows(view, model, state, subject.index, found)
    _bars(view, bars, _unit(model, subject, shown))
    draw_chart(shown, bars, answer.time)


def _subject(model: ModelView, shown: ForcesState, subject: Selection) -> None:
    """A choice of the body and its joints."""
    body = subject.index if subject.kind == "body" else int(model.jnt_bodyid[subject.index])
    joints = np.flatnonzero(np.asarray(model.jnt_bodyid) == body).tolist()
    offered = (Selection("body", body), *(Selection("joint", j) for j in joints))
    named = [(choice, described(model, choice.kind, choice.index), "") for choice in offered]
    hint = "acceleration of a body, at its centre of mass, or of one of its joints; follows the selection"
    picked = pick("##subject", described(model, subject.kind, subject.index), lambda: named, subject, hint)
    if picked is not None:
        shown.show(picked, axes_of(model, picked))


def _axis_names(model: ModelView, subject: Selection) -> tuple[str, ...]:
    """The names of the axes; a hinge or slide joint has one without a name."""
    return AXES[JNT_FREE] if subject.kind == "body" else AXES.get(int(model.jnt_type[subject.index]), ("",))


def _choices(shown: ForcesState, axes: tuple[str, ...]) -> None:
    """Which axis, which unit, each source or each kind, which arrows."""
    if len(axes) > 1:
        hints = {name: f"{'rotation about' if name[0] == 'r' else 'along'} {name[-1]}" for name in axes}
        shown.axis = axes.index(choice_row(hints, axes[shown.axis], width=em(2.2)))
    shown.as_force = choice_row(UNITS, "force" if shown.as_force else "acceleration") == "force"
    same_line_if_fits("by kind xx")
    shown.by_kind = checkbox("by kind", shown.by_kind, "one bar for all contacts, all actuators and so on")


def _unit(model: ModelView, subject: Selection, shown: ForcesState) -> str:
    """The unit of the bars."""
    linear = shown.axis < 3 if len(_axis_names(model, subject)) == 6 else _slides(model, subject)
    return ("N" if linear else "N m") if shown.as_force else ("m/s²" if linear else "rad/s²")


def _slides(model: ModelView, subject: Selection) -> bool:
    return int(model.jnt_type[subject.index]) == JNT_SLIDE


def _bars(view: ViewState, bars: Bars, unit: str) -> None:
    """All bars, the total below."""
    rows = {f"bar{k}": bar for k, bar in enumerate(bars.bars)}
    if bars.others is not None:
        rows["others"] = bars.others
    rows |= {"residual": bars.residual, "total": Bar(f"total, {unit}", "", bars.total)}
    if bars.applied is not None:
        rows["applied"] = Bar("in the next step", "", bars.applied)
    largest = max(abs(bar.value) for bar in rows.values())
    texts = align_decimals([bar.value for bar in rows.values()])
    imgui.dummy((0, em(0.2)))
    for (key, bar), text in zip(rows.items(), texts, strict=True):
        if key == "total":
            imgui.separator()
        hint = f"{bar.name}: {bar.value:.6g} {unit}\n{HINTS.get(key, 'click: select it' if bar.selection else '')}"
        has_code = bar.kind in FIELDS and offered("Code")
        if has_code:
            hint = f"{hint.strip()}\nright-click: the code that computes d.{FIELDS[bar.kind]}"
        if draw_bar(key, bar, text, largest, hint.strip(), bold=key == "total"):
            _select(view, bar)
        if has_code and imgui.is_item_clicked(imgui.MouseButton_.right):
            view.instruments.open("Code", f"d.{FIELDS[bar.kind]}")


def _select(view: ViewState, bar: Bar) -> None:
    """Select the element of a bar; the instrument stays in front, with the same joint or body."""
    if bar.selection is not None:
        view.of(ForcesState).clicked = bar.selection
        view.select(bar.selection.kind, bar.selection.index, stay=True)


def _plot(view: ViewState, answer: ForceAnswer, bars: Bars, axis: str) -> None:
    """A button that plots the largest bars over time, and the choice of arrows."""
    if button("Plot over time", f"add the {PLOTTED} largest and the total to Plots, over all recorded time"):
        texts = dict.fromkeys((*(bar.text for bar in bars.bars[:PLOTTED]), TOTAL))
        view.plot(*(push_expression(answer.subject, text, axis) for text in texts))
    hint = "how much work do all forces do, and what is conserved? Opens the Energy instrument"
    offer(view, "Energy", hint, beside=True)


def _arrows(view: ViewState, model: ModelView, state: StateView, body: int, answer: ForceAnswer) -> None:
    """A choice of arrows, and those of this frame."""
    shown = view.of(ForcesState)
    same_line_if_fits("arrows: forces xxx")
    named = [(name, name, meaning) for name, meaning in ARROWS.items()]
    picked = pick("##arrows", f"arrows: {shown.arrows}", lambda: named, shown.arrows, ARROWS[shown.arrows], em(8))
    shown.arrows = picked or shown.arrows
    size = body_size(model, state, body)
    for geom in arrow_geoms(model, answer, shown.arrows, view.options.force_scale, size):
        view.instruments.draw(geom)


def arrow_geoms(model: ModelView, answer: ForceAnswer, arrows: str, scale: float, size: float) -> list[UserGeom]:
    """Arrows in the scale of contact forces, with names and newtons; the longest comes out of a body of this size."""
    found = [*_vectors(answer, arrows)]
    longest = max((float(np.linalg.norm(force)) for *_, force in found), default=0.0)
    if longest == 0.0:
        return []
    length = max(scale * metres_per_newton(model) * longest, OUTSIDE * size, VISIBLE * float(model.stat.extent))
    metres = min(length, MAX_LENGTH * float(model.stat.extent)) / longest
    radius = WIDTH * metres * longest
    kept = [part for part in found if float(np.linalg.norm(part[3])) > SHORTEST * longest]
    kept = sorted(kept, key=lambda part: -float(np.linalg.norm(part[3])))[:MOST]
    geoms, labelled = list[UserGeom](), list[np.ndarray]()
    for name, kind, point, force in kept:
        tip, tint = point + metres * force, tint_of(kind) if kind else WHITE
        geoms.append(UserGeom.between(ARROW, radius, point, tip, tint))
        # where several end, the largest has its name
        if all(float(np.linalg.norm(tip - other)) > APART * metres * longest for other in labelled):
            labelled.append(tip)
            text = f"{name}  {_newtons(force)}"
            geoms.append(UserGeom(LABEL, (radius, radius, radius), tip, rgba=tint, label=text))
    return geoms


def body_size(model: ModelView, state: StateView, body: int) -> float:
    """The radius of the body's geoms about its centre of mass, m."""
    mine = np.asarray(model.geom_bodyid) == body
    away = np.linalg.norm(np.asarray(state.geom_xpos)[mine] - state.xipos[body], axis=1)
    return float((away + np.asarray(model.geom_rbound)[mine]).max(initial=0.0))


def _vectors(answer: ForceAnswer, arrows: str) -> Iterator[Vector]:
    """What is drawn."""
    if answer.centre is None or arrows == "none":
        return
    if arrows == "forces":
        for name, part in zip(answer.direct_names, answer.direct, strict=True):
            yield name, part.source.kind, part.point, part.force
    else:
        for name, source, force in zip(answer.names, answer.shares.sources, answer.shares.force, strict=True):
            yield name, source.kind, answer.centre, force[:3]
    yield INERTIAL, "", answer.centre, answer.shares.total_force[:3]


def _newtons(force: np.ndarray) -> str:
    number, prefix = si(float(np.linalg.norm(force)))
    return f"{number} {prefix}N"


def draw_bar(key: str, bar: Bar, value: str, largest: float, hint: str, bold: bool = False) -> bool:
    """A row: name and value, and a bar below, which starts in the middle; returns whether it was clicked."""
    width, line = imgui.get_content_region_avail().x, imgui.get_text_line_height()
    left, top = imgui.get_cursor_screen_pos()
    clicked, _ = imgui.selectable(f"###{key}", False, 0, (width, line + em(BAR_EM + GAP_EM)))
    tooltip(hint)
    draw = imgui.get_window_draw_list()
    with font("mono"):
        room = imgui.calc_text_size(value).x
        draw.add_text((left + width - room, top), imgui.get_color_u32(theme.TEXT), value)
    with font("bold" if bold else "sans"):
        draw.add_text((left, top), imgui.get_color_u32(theme.TEXT), elide_middle(bar.name, width - room - em(0.6)))
    middle, y = left + width / 2, top + line + em(0.1)
    end = middle + 0.5 * width * (bar.value / largest if largest > 0.0 else 0.0)
    tint = imgui.get_color_u32(theme.TEXT if bold else tint_of(bar.kind))
    draw.add_rect_filled((left, y), (left + width, y + em(BAR_EM)), imgui.get_color_u32(theme.STRIPE))
    if abs(end - middle) >= 0.5:
        draw.add_rect_filled((min(middle, end), y), (max(middle, end), y + em(BAR_EM)), tint, em(0.1))
    draw.add_line((middle, y - em(0.05)), (middle, y + em(BAR_EM + 0.05)), imgui.get_color_u32(theme.DIM))
    return bool(clicked)


def draw_chart(shown: ForcesState, bars: Bars, now: float) -> None:
    """Curves in the colours of the bars, with a line at the current step."""
    kinds = {bar.name: bar.kind for bar in bars.bars[:CURVES]}
    times, values = shown.history.series([*kinds], shown.axis, shown.as_force, shown.by_kind)
    if len(times) < 2 or times[-1] <= times[0]:
        return
    sketch = Sketch("history", times, HEIGHT_EM)
    tooltip(HINT)
    shares, low, high = value_shares(values)
    sketch.level(-low / (high - low), theme.LINE)
    for row, kind in zip(shares, (*kinds.values(), ""), strict=True):
        sketch.curve(row, tint_of(kind) if kind else theme.TEXT)
    sketch.mark(now, theme.ACCENT)
    sketch.corners(f"{high:.3g}", f"{low:.3g}")
