"""The instrument Softness: how stiff a contact or limit is, in SI units, and solref for what one wants instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite, pi

import numpy as np
from imgui_bundle import imgui, implot

from app.instruments.offer import offered
from app.instruments.softness.choices import Choice, choices
from app.instruments.softness.curves import Curves, curves
from app.instruments.softness.edit import Target, changed, edit, reset, row_target, targets
from app.instruments.softness.question import AskPair, AskRow, SoftContact, SoftPair
from app.instruments.softness.state import SoftnessState
from app.instruments.sweep.open import sweep_cell
from app.model.number_drag import SMALLEST, Rule
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.scene.decor.user_geoms import LABEL, UserGeom
from app.ui import theme
from app.ui.plots.small import FLAGS, line_spec
from app.ui.quantities import quantity, si
from app.ui.widgets import (
    button,
    caption,
    colour,
    drag_by_rule,
    elide,
    em,
    font,
    label_width,
    note,
    number_field,
    number_row,
    pick,
    section,
    show_tooltip,
    tooltip,
)
from app.view.view_state import ViewState
from sim.analysis.contact_mixing import BOTH, FIRST, OVERRIDE, PAIR, SECOND
from sim.analysis.element_names import full_geom_name
from sim.analysis.softness import SAFE_STEPS, Softness
from sim.analysis.solref_tuning import (
    Tuned,
    stiffest,
    to_direct,
    tune_damping,
    tune_damping_ratio,
    tune_depth,
    tune_stiffness,
    tune_time_constant,
)

NOTHING = "Nothing soft here. Select a contact, a geom, a pair, a joint with a limit, a tendon or an equality."
RULE = Rule(0.01, SMALLEST, inf)
LOAD_RULE = Rule(0.1, 0.0, inf)
# letters of a unit that fit into its column
UNIT_LETTERS = 4
# the share of what a step can bear that is comfortable, and that is too much
EASY, TOO_MUCH = 0.6, 1.0
WHO = {FIRST: (True, False), SECOND: (False, True), BOTH: (True, True), PAIR: (False, False), OVERRIDE: (False, False)}
AXIS = implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight
# heights of the charts
FORCE_EM, IMPEDANCE_EM = 10.5, 6.5
# of impedances
CEILING = 1.01
# millimetres, or milliradians
MILLI = 1e3
SHADE = 0.16
# spans below are in millionths
SMALL = 0.1


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
        imgui.text_colored(theme.WARNING, "not touching now: values are as if it were" if pair else "not active now")
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
    hint = f"{shown.label}\nsoft constraints of the selection; without a selection: all contacts, most loaded first"
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
    hint = f"time constant {2 * now.timestep:g} s, damping ratio 1, at least dmin 0.95 and dmax 0.99"
    if button("As stiff as this timestep allows", hint, now.has_spring):
        wanted, shown.direct = stiffest(now), False
    edited = changed(model, target, snapshot.file_values)
    if button("Revert to file", "solref and solimp of the edited element", edited, beside=True):
        back = reset(model, target, snapshot.file_values)
        shown.note, shown.direct = "", None
        if back is not None:
            send(back)
    hint = "run several values of the first solref number and compare"
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
            f"the time constant {now.solref[0]:g} s is below two timesteps: {2 * now.timestep:g} s is used instead"
        )
    if now.step_load >= 1.0:
        texts.append("too stiff for steps of this length: it shakes")
    for text in dict.fromkeys(texts):
        note(text, theme.WARNING)


def _parameters(now: Softness) -> None:
    """solref and solimp that act."""
    with font("mono", 0.92):
        caption(f"solref {now.solref[0]:.5g} {now.solref[1]:.5g}")
        caption("solimp " + " ".join(f"{value:.5g}" for value in now.solimp))


@dataclass(frozen=True)
class Field:
    """A number that can be set: its value now, and what makes it another."""

    label: str
    unit: str
    value: float
    tune: Callable[[Softness, float, bool], Tuned]
    hint: str


def fields(now: Softness) -> tuple[Field, ...]:
    """The fields of a constraint; depths in thousandths."""
    push, turn = ("N·m", "rad") if now.angular else ("N", "m")
    damping = Field(
        "damping", f"{push}·s/{turn}", now.damping, tune_damping,
        "of the damper parallel to the spring, at rest under the load: force per speed\nthe stiffness stays the same",
    )  # fmt: skip
    if not now.has_spring:
        return (damping,)
    return (
        Field(
            "stiffness", f"{push}/{turn}", now.stiffness, tune_stiffness,
            "slope of the force at rest under the load: what you would measure by pressing a little harder\n"
            "the damping ratio stays the same",
        ),
        Field(
            "depth at rest", f"m{turn}", now.rest * MILLI, _tune_milli,
            "how far it yields under the load\nthe damping ratio stays the same",
        ),
        Field(
            "time constant", "s", now.time_constant, tune_time_constant,
            f"from solref: at least {SAFE_STEPS * now.timestep:g} s, two timesteps\nthe damping ratio stays the same",
        ),
        Field(
            "damping ratio", "", now.damping_ratio, tune_damping_ratio,
            "from solref: 1 is critical, below 1 it bounces\nthe stiffness stays the same",
        ),
        damping,
    )  # fmt: skip


def _tune_milli(now: Softness, wanted: float, direct: bool) -> Tuned:
    return tune_depth(now, wanted / MILLI, direct)


def field_rows(now: Softness, model: ModelView, view: ViewState, direct: bool) -> Tuned | None:
    """All fields; returns what the user asks for."""
    shown = view.of(SoftnessState)
    wanted = None
    for entry in fields(now):
        answer = _number(entry, view)
        if imgui.is_item_activated():
            shown.before = now, model
        if answer is not None:
            # a drag depends only on where it began
            before = shown.before[0] if shown.before is not None else now
            wanted = entry.tune(before, answer, direct)
        imgui.same_line()
        caption(entry.unit)
    return wanted


def load_row(now: Softness, view: ViewState) -> None:
    """The load: the current one, or one that the user assumes."""
    shown, unit = view.of(SoftnessState), "N·m" if now.angular else "N"
    left, labels = imgui.get_cursor_pos_x(), label_width()
    caption("load", tint=theme.DIM if shown.assumed is None else theme.ACCENT, framed=True)
    hint = (
        "the load that it carries at rest: its current force minus the part that accelerates the mass\n"
        "type or drag another value to assume that load; right-click: the current load"
    )
    tooltip(hint)
    imgui.same_line(left + labels)
    imgui.set_next_item_width(-em(4.2))
    answer = number_field(view, "##load", (now.load,), 0, drag_by_rule(LOAD_RULE))
    tooltip(hint)
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        shown.assumed = None
    elif answer is not None:
        shown.assumed = max(answer, 0.0)
    imgui.same_line()
    caption(unit if shown.assumed is None else f"{unit} •")


def step_bar(now: Softness) -> None:
    """How much of what a step can bear the constraint needs."""
    share = now.step_load
    tint = theme.ADDED if share < EASY else theme.WARNING if share < TOO_MUCH else theme.ERROR
    caption("step limit")
    hint = (
        "(h² K + 2 h B) / 4, with spring K and damper B per unit mass: above 100 % each step overshoots\n"
        "with any integrator, because none is implicit in constraints\n"
        "a time constant of two timesteps and a damping ratio of 1 give 56 %"
    )
    tooltip(hint)
    imgui.same_line(imgui.get_cursor_pos_x() + label_width())
    place, width, height = (
        imgui.get_cursor_screen_pos(),
        imgui.get_content_region_avail().x,
        imgui.get_text_line_height(),
    )
    draw, text = imgui.get_window_draw_list(), f"{share:.0%}" if share < 100 else "> 10,000 %"
    bar = max(width - em(4.0), em(2.0))
    middle = place.y + 0.5 * height
    draw.add_rect_filled((place.x, middle - em(0.2)), (place.x + bar, middle + em(0.2)), _shade(theme.RAISED), em(0.2))
    filled = place.x + bar * min(share / 1.25, 1.0)
    draw.add_rect_filled((place.x, middle - em(0.2)), (filled, middle + em(0.2)), _shade(tint), em(0.2))
    red = place.x + bar / 1.25
    draw.add_line((red, middle - em(0.45)), (red, middle + em(0.45)), _shade(theme.ERROR), 2.0)
    imgui.dummy((bar, height))
    tooltip(hint)
    imgui.same_line()
    imgui.text_colored(tint, text)


def readouts(now: Softness) -> None:
    """What else is worth knowing."""
    push, turn = ("N·m", "rad") if now.angular else ("N", "m")
    if not now.has_spring:
        creep = now.load / now.damping if now.damping > 0.0 else inf
        _readout("bound", now.bound, push, "frictionloss: above this it slides")
        _readout("creep", creep, f"{turn}/s", "speed at which it yields to the load, below the bound")
        return
    _readout("at first touch", now.law.stiffness(0.0), f"{push}/{turn}", "stiffness at depth 0")
    if now.together > 1:
        total, hint = now.stiffness * now.together, "of these two geoms, if they share the load equally"
        _readout(f"all {now.together} contacts", total, f"{push}/{turn}", hint)
    if isfinite(now.inertia):
        _readout("swings at", now.frequency / (2 * pi), "Hz", "natural frequency with the mass it carries")
        hint = (
            "of the mass it carries; it differs from solref's where several contacts share the mass,\n"
            "where efc_diagA is not the inverse of that mass, and where the impedance rises"
        )
        _readout("damping ratio of this motion", now.swing_damping, "", hint, 3)
        hint = "the mass that this row moves: its share if there are several rows"
        _readout("carries", now.inertia, "kg·m²" if now.angular else "kg", hint)


def _readout(label: str, value: float, unit: str, hint: str, digits: int = 4) -> None:
    """A number with its unit, which may be longer than the column of units."""
    text, long = f"{value:.{digits}g}", len(unit) > UNIT_LETTERS
    number_row(label, f"{text} {unit}" if long else text, "" if long else unit, hint)


def _number(entry: Field, view: ViewState) -> float | None:
    """A label and a number; returns the user's new value."""
    left, labels = imgui.get_cursor_pos_x(), label_width()
    caption(entry.label, entry.hint, theme.TEXT, framed=True)
    imgui.same_line(left + labels)
    imgui.set_next_item_width(-em(4.2))
    key = f"##softness {entry.label}"
    value = entry.value if isfinite(entry.value) else 0.0
    answer = number_field(view, key, (value,), 0, drag_by_rule(RULE))
    tooltip(entry.hint)
    return answer


def _shade(tint: theme.Rgba) -> int:
    return imgui.get_color_u32(tint)


def mixing_table(model: ModelView, view: ViewState, found: SoftPair) -> None:
    """Both geoms, with those that decide marked, and the rule."""
    section("who decides")
    for side, decides in enumerate(WHO[found.mixing.decider]):
        _geom(model, view, found, side, decides)
    note(found.mixing.rule, theme.TEXT)


def target_row(shown: SoftnessState, offered: tuple[Target, ...], found: SoftPair | None) -> Target:
    """Which element is edited, and how many other contacts that reaches."""
    target = next((target for target in offered if target.label == shown.target), offered[0])
    caption("element", framed=True)
    imgui.same_line()
    if len(offered) == 1:
        imgui.text_unformatted(elide(target.label, imgui.get_content_region_avail().x))
    else:
        imgui.set_next_item_width(-1)
        chosen = imgui.combo("##target", offered.index(target), [entry.label for entry in offered])
        tooltip("the element to edit; a single geom gets the numbers that make the mix come out right")
        if chosen[0]:
            target = offered[chosen[1]]
            shown.target, shown.note = target.label, ""
    if found is not None:
        count = reached(found, target)
        what = "no other contact" if not count else f"{count} other contact{'s' if count > 1 else ''}"
        with font("sans", 0.92):
            imgui.text_colored(theme.WARNING if count else theme.DIM, f"affects {what} right now")
    return target


def reached(found: SoftPair, target: Target) -> int:
    """How many other contacts an edit of a target changes, of those that there are."""
    first, second, pair, options = found.reached
    rows = {place.row for place in target.places}
    if found.mixing.decider in (OVERRIDE, PAIR):
        return options if found.mixing.decider == OVERRIDE else pair
    sides = zip(found.mixing.geoms, (first, second), strict=True)
    return sum(count for geom, count in sides if geom in rows)


def _geom(model: ModelView, view: ViewState, found: SoftPair, side: int, decides: bool) -> None:
    """One geom, a click selects it, and what it has to say."""
    geom, name = found.mixing.geoms[side], full_geom_name(model, found.mixing.geoms[side])
    imgui.text_colored(theme.ACCENT if decides else theme.DIM, f"{side + 1}")
    imgui.same_line()
    with colour(imgui.Col_.text_link, theme.ACCENT if decides else theme.DIM):
        if imgui.text_link(f"{elide(name, imgui.get_content_region_avail().x)}##geom{side}"):
            view.select("geom", geom)
    tooltip(f"geom {side + 1}: {name}, which {'decides' if decides else 'does not matter'}\nselect it")
    solref = " ".join(f"{value:.4g}" for value in model.geom_solref[geom])
    imgui.indent(em(1.1))
    with font("sans", 0.92):
        numbers = f"priority {found.mixing.priority[side]}   solmix {found.mixing.solmix[side]:.3g}   solref {solref}"
        caption(numbers)
    imgui.unindent(em(1.1))


def charts(now: Softness) -> None:
    """Both charts."""
    found = curves(now)
    _force_chart(now, found)
    _impedance_chart(now, found)


def units(now: Softness) -> tuple[str, str]:
    """The units of depth and force."""
    return ("mrad", "N·m") if now.angular else ("mm", "N")


def depth_unit(now: Softness, span: float) -> tuple[str, float]:
    """The unit of an axis of depths, and how many of it are a metre or radian."""
    base = "rad" if now.angular else "m"
    return (f"m{base}", MILLI) if span * MILLI > SMALL else (f"µ{base}", MILLI**2)


def _force_chart(now: Softness, found: Curves) -> None:
    _, force = units(now)
    unit, scale = depth_unit(now, float(found.depth[-1]))
    _caption("force at rest over depth")
    if not _begin("##force over depth", FORCE_EM):
        return
    implot.setup_axes("", "", AXIS, AXIS)
    implot.setup_axis_format(implot.ImAxis_.x1, f"%g {unit}")
    implot.setup_axis_format(implot.ImAxis_.y1, f"%g {force}")
    x = found.depth * scale
    implot.setup_axes_limits(0.0, float(x[-1]), 0.0, found.top, implot.Cond_.always)
    implot.setup_finish()
    # what no step can bear
    _beyond(x, found)
    _line("##limit", x, found.limit, theme.ERROR, 1.2)
    _line("##load", x[[0, -1]], np.full(2, now.load), (*theme.DIM[:3], 0.7), 1.0)
    _line("##force", x, found.force, theme.ACCENT, 2.2)
    _drop(now.rest * scale, now.load)
    _dot(now.rest * scale, now.load, theme.ACCENT, hollow=False)
    if now.active:
        _dot(now.depth * scale, now.force, theme.WARNING, hollow=True)
    if implot.is_plot_hovered():
        _explain_force(now, unit, scale, force)
    implot.end_plot()


def _impedance_chart(now: Softness, found: Curves) -> None:
    unit, scale = depth_unit(now, float(found.wide_depth[-1]))
    _caption("impedance over depth")
    if not _begin("##impedance over depth", IMPEDANCE_EM):
        return
    implot.setup_axes("", "", AXIS, AXIS)
    implot.setup_axis_format(implot.ImAxis_.x1, f"%g {unit}")
    x = found.wide_depth * scale
    implot.setup_axes_limits(0.0, float(x[-1]), found.floor, CEILING, implot.Cond_.always)
    implot.setup_finish()
    _line("##impedance", x, found.impedance, theme.CONTACT, 2.2)
    at, _ = now.law.impedance(now.rest)
    _drop(now.rest * scale, at)
    _dot(now.rest * scale, at, theme.ACCENT, hollow=False)
    if now.active and now.depth >= 0.0:
        _dot(now.depth * scale, now.law.impedance(now.depth)[0], theme.WARNING, hollow=True)
    if implot.is_plot_hovered():
        depth = max(implot.get_plot_mouse_pos().x / scale, 0.0)
        d, _ = now.law.impedance(depth)
        show_tooltip(
            f"{depth * scale:.4g} {unit}: impedance {d:.4g}\nthe constraint gets {d:.0%} of the acceleration it "
            f"asks for and leaves {1 - d:.2%} of the other forces' effect\nfrom dmin {now.solimp[0]:g} to dmax "
            f"{now.solimp[1]:g} over a width of {now.solimp[2] * scale:g} {unit}"
        )
    implot.end_plot()


def _begin(name: str, height: float) -> bool:
    implot.push_style_var(implot.StyleVar_.plot_min_size, imgui.ImVec2(em(6), em(4)))
    implot.push_style_var(implot.StyleVar_.plot_padding, imgui.ImVec2(em(0.2), em(0.2)))
    begun = implot.begin_plot(name, (-1, em(height)), FLAGS | implot.Flags_.no_inputs)
    implot.pop_style_var(2)
    return begun


def _explain_force(now: Softness, unit: str, scale: float, force: str) -> None:
    """The numbers at the pointer."""
    depth = max(implot.get_plot_mouse_pos().x / scale, 0.0)
    stiff, push = now.law.stiffness(depth), now.law.force(depth)
    per = f"{force}/{'rad' if now.angular else 'm'}"
    show_tooltip(
        f"{depth * scale:.4g} {unit}: {push:.4g} {force}, {stiff:.4g} {per}\n"
        f"dot: at rest under the load of {now.load:.4g} {force}\n"
        f"ring: now, {now.depth * scale:.4g} {unit} and {now.force:.4g} {force}\n"
        "red: too stiff for steps of this length, with this damping ratio and impedance"
    )


def _line(name: str, x: np.ndarray, y: np.ndarray, tint: theme.Rgba, weight: float) -> None:
    implot.plot_line(name, np.ascontiguousarray(x), np.ascontiguousarray(y), line_spec(tint, weight))


def _beyond(x: np.ndarray, found: Curves) -> None:
    """What steps of this length cannot bear: tinted, with a word."""
    # the corners of the curve up to the top of the chart, and the corner above it
    below = found.limit < found.top
    last = int(below.sum())
    over = float(np.interp(found.top, found.limit, x)) if last < len(x) else float(x[-1])
    corners = [(float(a), float(b)) for a, b in zip(x[below], found.limit[below], strict=True)] + [(over, found.top)]
    places = [implot.plot_to_pixels(a, b) for a, b in corners]
    low, high = places[0], implot.plot_to_pixels(0.0, found.top)
    draw, shade = implot.get_plot_draw_list(), imgui.get_color_u32((*theme.ERROR[:3], SHADE))
    if places[-1].x > low.x + 1.0:
        draw.add_concave_poly_filled([imgui.ImVec2(place.x, place.y) for place in (*places, high)], shade)
    word = "too stiff for the timestep"
    with font("sans", 0.86):
        wide, end = imgui.calc_text_size(word).x, places[-1].x
        at = end + em(0.4) if end - high.x < wide + em(0.8) else high.x + em(0.4)
        draw.add_text((at, high.y + em(0.15)), imgui.get_color_u32((*theme.ERROR[:3], 0.9)), word)


def _dot(x: float, y: float, tint: theme.Rgba, hollow: bool) -> None:
    place, draw, shade = implot.plot_to_pixels(x, y), implot.get_plot_draw_list(), imgui.get_color_u32(tint)
    implot.push_plot_clip_rect(em(0.5))
    if hollow:
        draw.add_circle((place.x, place.y), em(0.42), shade, 0, 1.8)
    else:
        draw.add_circle_filled((place.x, place.y), em(0.28), shade)
    implot.pop_plot_clip_rect()


def _drop(x: float, y: float) -> None:
    """A line from a mark down to the axis."""
    top, low = implot.plot_to_pixels(x, y), implot.get_plot_pos().y + implot.get_plot_size().y
    shade = imgui.get_color_u32((*theme.ACCENT[:3], 0.4))
    implot.get_plot_draw_list().add_line((top.x, top.y), (top.x, low), shade, 1.0)


def _caption(text: str) -> None:
    """The title of the chart below."""
    with font("sans", 0.92):
        caption(text)
