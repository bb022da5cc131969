"""The instrument Softness: how stiff a contact or limit is, in SI units, and solref for what one wants instead."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from imgui_bundle import imgui

from app.instruments.offer import offered
from app.instruments.softness.choices import Choice, choices
from app.instruments.softness.edit import Target, changed, edit, reset, row_target, targets
from app.instruments.softness.panel.chart import charts
from app.instruments.softness.panel.fields import field_rows, load_row, readouts, step_bar
from app.instruments.softness.panel.mixing import mixing_table, target_row
from app.instruments.softness.question import AskPair, AskRow, SoftContact, SoftPair
from app.instruments.softness.state import SoftnessState
from app.instruments.sweep.open import sweep_cell
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.scene.decor.user_geoms import LABEL, UserGeom
from app.ui import theme
from app.ui.quantities import quantity, si
from app.ui.widgets import button, caption, disabled, elide, font, note, pick, section, tooltip
from app.view.view_state import ViewState
from sim.analysis.softness import Softness
from sim.analysis.solref_tuning import Tuned, stiffest, to_direct

NOTHING = "Nothing soft here. Select a contact, a geom, a pair, a joint with a limit, a tendon or an equality."


def softness_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Everything about the softness of one constraint."""
    shown = view.of(SoftnessState)
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not _choose(model, state, view):
        note(NOTHING)
        return
    question = shown.question
    assert question is not None
    answer = view.instruments.ask(question)
    if answer is None or answer.value is None:
        caption(answer.error if answer is not None else "computing ...")
        return
    if view.ui.editing is None:
        shown.before = None
    if isinstance(answer.value, SoftPair):
        contact, pair = _nearest(state, view, answer.value), answer.value
        found = contact.softness
        if found.active:
            text = f"{' '.join(si(found.stiffness))}N/m, {' '.join(si(found.rest))}m deep"
            view.instruments.draw(UserGeom(LABEL, (0.0, 0.0, 0.0), contact.place, label=text))
        offered: tuple[Target, ...] = targets(model, pair.mixing)
    else:
        found, pair = answer.value, None
        offered = (row_target(model, found.kind, found.index),)
    _draw(snapshot, view, send, replace(found, assumed=shown.assumed), pair, offered)


def _draw(
    snapshot: Snapshot,
    view: ViewState,
    send: Send,
    now: Softness,
    pair: SoftPair | None,
    offered: tuple[Target, ...],
) -> None:
    model, shown = snapshot.model, view.of(SoftnessState)
    assert model is not None
    if not now.active:
        imgui.text_colored(theme.WARNING, "not touching now: as it would be" if pair else "not active now")
    charts(now)
    load_row(now, view)
    imgui.spacing()
    direct = now.direct if shown.direct is None else shown.direct
    tuned = field_rows(now, model, view, direct)
    step_bar(now)
    _notes(view, now)
    section("edit")
    target = target_row(shown, offered, pair)
    tuned = _buttons(snapshot, view, send, now, target) or tuned
    if tuned is not None:
        before, model_before = shown.before or (now, model)
        command, why = edit(model_before, target, before, tuned)
        shown.note = why or tuned.note
        if command is not None:
            send(command)
    section("in motion" if now.has_spring else "dry friction")
    readouts(now)
    if pair is not None:
        mixing_table(model, view, pair)
    _parameters(now)


def _choose(model: ModelView, state: StateView, view: ViewState) -> bool:
    """What is shown, with a list of what else could be; False if there is nothing."""
    shown, selection = view.of(SoftnessState), view.selection
    offered = partial(choices, model, state, selection)
    if shown.question is None or selection != shown.selection:
        found = offered()
        # a contact that was followed to the next state is another selection, and the same pair
        kept = any(choice.question == shown.question for choice in found)
        shown.selection = selection
        if found and not kept:
            shown.choose(found[0].label, found[0].question)
        elif not found:
            shown.question = None
    if shown.question is None:
        return False
    hint = f"{shown.label}\nwhat is soft about the selection; without one, all contacts, the most loaded first"
    with font("bold"):
        title = elide(shown.label, imgui.get_content_region_avail().x - 40)
    picked = pick("##soft", title, lambda: map(_named, offered()), shown.question, hint, face="bold")
    if picked is not None:
        shown.choose(next(choice.label for choice in offered() if choice.question == picked), picked)
    return True


def _named(choice: Choice) -> tuple[AskPair | AskRow, str, str]:
    """A line of the list."""
    force = f"   {quantity(choice.force, 'N')}" if isinstance(choice.question, AskPair) else ""
    return choice.question, f"{choice.label}{force}", ""


def _nearest(state: StateView, view: ViewState, found: SoftPair) -> SoftContact:
    """The contact that is selected, or the most loaded one."""
    selection = view.selection
    if selection is not None and selection.kind == "contact" and selection.index < len(state.contact.dim):
        here = np.asarray(state.contact.pos[selection.index])
        return min(found.contacts, key=lambda one: float(np.linalg.norm(np.array(one.place) - here)))
    return found.contacts[0]


def _buttons(snapshot: Snapshot, view: ViewState, send: Send, now: Softness, target: Target) -> Tuned | None:
    """What a button asks for: the stiffest, or the other form."""
    model, shown = snapshot.model, view.of(SoftnessState)
    assert model is not None
    wanted = None
    with disabled(not now.has_spring):
        if imgui.button("As stiff as this timestep can bear"):
            wanted, shown.direct = stiffest(now), False
    tooltip(f"time constant {2 * now.timestep:g} s, damping ratio 1, dmin 0.95 and dmax 0.99 at least")
    edited = changed(model, target, snapshot.file_values)
    if button("Revert to file", "solref and solimp of the edited element", edited, beside=True):
        back = reset(model, target, snapshot.file_values)
        shown.note, shown.direct = "", None
        if back is not None:
            send(back)
    hint = "run several values of the first number of solref, and compare"
    if offered("Sweep") and button("Sweep", hint, beside=True):
        place = target.places[0]
        sweep_cell(place.solref, place.row, 0, model, view)
    direct = now.direct if shown.direct is None else shown.direct
    toggled, direct = imgui.checkbox("as -stiffness, -damping", direct)
    tooltip(
        "the form of solref: (-stiffness, -damping), which refsafe does not limit, or (time constant, damping ratio)\n"
        "the contact stays the same"
    )
    if toggled:
        shown.direct = direct
        law = now.safe_solref
        wanted = Tuned(to_direct(law, now.solimp[1]) if direct else (now.time_constant, now.damping_ratio), now.solimp)
    return wanted


def _notes(view: ViewState, now: Softness) -> None:
    """What the user should know: about the last edit, and about the state of things."""
    shown = view.of(SoftnessState)
    texts = [shown.note] if shown.note else []
    if now.clamped:
        texts.append(
            f"the time constant {now.solref[0]:g} s is below two timesteps: {2 * now.timestep:g} s acts instead"
        )
    if now.step_load >= 1.0:
        texts.append("stiffer than steps of this length can bear: it shakes")
    for text in dict.fromkeys(texts):
        note(text, theme.WARNING)


def _parameters(now: Softness) -> None:
    """solref and solimp that act."""
    with font("mono", 0.92):
        caption(f"solref {now.solref[0]:.5g} {now.solref[1]:.5g}")
        caption("solimp " + " ".join(f"{value:.5g}" for value in now.solimp))
