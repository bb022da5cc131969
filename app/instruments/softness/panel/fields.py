"""Fields of the instrument Softness: stiffness, depth at rest, time constant and damping, typed or dragged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, pi

from imgui_bundle import imgui

from app.instruments.softness.panel.chart import MILLI
from app.instruments.softness.state import SoftnessState
from app.model.number_drag import SMALLEST, Rule
from app.model.views import ModelView
from app.ui import theme
from app.ui.widgets import caption, drag_by_rule, em, label_width, number_field, number_row, tooltip
from app.view.view_state import ViewState
from sim.analysis.softness import SAFE_STEPS, Softness
from sim.analysis.solref_tuning import (
    Tuned,
    tune_damping,
    tune_damping_ratio,
    tune_depth,
    tune_stiffness,
    tune_time_constant,
)

RULE = Rule(0.01, SMALLEST, inf)
LOAD_RULE = Rule(0.1, 0.0, inf)
# letters of a unit that fit into its column
UNIT_LETTERS = 4
# the share of what a step can bear that is comfortable, and that is too much
EASY, TOO_MUCH = 0.6, 1.0


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
        "of the damper beside the spring, at rest under the load: force per speed\nthe stiffness stays",
    )  # fmt: skip
    if not now.has_spring:
        return (damping,)
    return (
        Field(
            "stiffness", f"{push}/{turn}", now.stiffness, tune_stiffness,
            "slope of the force, at rest under the load: what one measures by pressing a little harder\n"
            "the damping ratio stays",
        ),
        Field(
            "depth at rest", f"m{turn}", now.rest * MILLI, _tune_milli,
            "how far it gives way under the load\nthe damping ratio stays",
        ),
        Field(
            "time constant", "s", now.time_constant, tune_time_constant,
            f"solref's: at least {SAFE_STEPS * now.timestep:g} s, two timesteps\nthe damping ratio stays",
        ),
        Field(
            "damping ratio", "", now.damping_ratio, tune_damping_ratio,
            "solref's: 1 is critical, below it bounces\nthe stiffness stays",
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
    """The load: the present one, or one that the user assumes."""
    shown, unit = view.of(SoftnessState), "N·m" if now.angular else "N"
    left, labels = imgui.get_cursor_pos_x(), label_width()
    caption("load", tint=theme.DIM if shown.assumed is None else theme.ACCENT, framed=True)
    hint = (
        "what it has to carry at rest: its force now, less what accelerates the mass\n"
        "type or drag another to reckon with that; right-click: the present one"
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
        "(h² K + 2 h B) / 4, with its spring K and damper B per mass: above 100 % each step overshoots\n"
        "with any integrator: none is implicit in constraints\n"
        "a time constant of two timesteps and a damping ratio of 1 make 56 %"
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
        _readout("bound", now.bound, push, "frictionloss: beyond that it slides")
        _readout("creep", creep, f"{turn}/s", "speed at which it gives way to the load, below the bound")
        return
    _readout("at first touch", now.law.stiffness(0.0), f"{push}/{turn}", "stiffness at depth 0")
    if now.together > 1:
        total, hint = now.stiffness * now.together, "of these two geoms, if they share alike"
        _readout(f"all {now.together} contacts", total, f"{push}/{turn}", hint)
    if isfinite(now.inertia):
        _readout("swings at", now.frequency / (2 * pi), "Hz", "natural frequency with the mass that it carries")
        hint = (
            "of what it carries; it differs from that of solref where several contacts share the mass,\n"
            "where efc_diagA is not its inverse, and where the impedance rises"
        )
        _readout("damping ratio of that", now.swing_damping, "", hint, 3)
        hint = "the mass that this row moves: its part, if several share it"
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
