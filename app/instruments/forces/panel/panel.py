"""The Forces instrument: bars of all that accelerates a joint or body, which sum to its acceleration; and arrows."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.forces.bars import FIELDS, Bar, Bars, force_bars
from app.instruments.forces.panel.arrows import arrow_geoms, body_size
from app.instruments.forces.panel.bar import draw_bar
from app.instruments.forces.panel.chart import draw_chart
from app.instruments.forces.question import ForceAnswer, ForceQuestion
from app.instruments.forces.state import ARROWS, ForcesState, axes_of
from app.instruments.offer import offer, offered
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui.quantities import align_decimals
from app.ui.widgets import button, checkbox, choice_row, em, note, pick, same_line_if_fits
from app.view.view_state import ViewState
from sim.analysis.element_names import AXES, described
from sim.analysis.push import TOTAL, push_expression
from sim.enums import JNT_FREE, JNT_SLIDE

# bars that "Plot" adds, beside the total
PLOTTED = 4
UNITS = {
    "acceleration": "m/s² or rad/s²: the bars sum to qacc",
    "force": "N or N m: generalized forces of a joint, mass times acceleration of a body",
}
# what is said about bars that are not sources
HINTS = {
    "others": "all that is too small for a bar of its own",
    "residual": "What is left of M qacc when all forces are subtracted: the solver stopped there. More iterations or a"
    " smaller tolerance make it smaller.",
    "total": "all bars together",
    "applied": "(qvel after the step - qvel now) / timestep. It differs from qacc where the integrator is implicit in"
    " velocities or has several stages, and where a tree falls asleep.",
}


def forces_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """Bars of the joint or body that is selected, at the moment that is shown."""
    model, state, shown = snapshot.model, snapshot.state, view.of(ForcesState)
    if model is None or state is None:
        return
    shown.follow(view.selection, model, state)
    subject = shown.subject
    if subject is None or not subject.exists(model, state):
        shown.subject = None
        note("Select a joint or a body: here is what accelerates it, source by source.")
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
    hint = "whose acceleration: a body, at its centre of mass, or one of its joints; follows the selection"
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
            hint = f"{hint.strip()}\nright-click: the code that computes it, d.{FIELDS[bar.kind]}"
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
    hint = "what work do all forces do, and what is conserved? Opens the instrument Energy"
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
