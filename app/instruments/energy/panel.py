"""The panel of the Energy instrument: energies, a chart, work by source, how it closes, conservation laws."""

from __future__ import annotations

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.energy.curves import Curves
from app.instruments.energy.question import EnergyAnswer, EnergyQuestion
from app.instruments.energy.report import Closing, Group, Row, closing, groups, law_hint, law_text, rate_unit, warning
from app.instruments.energy.source_names import MEANINGS, charge_name, selection_of
from app.instruments.energy.state import ALL, CHARTS, LOOP, RANGES, EnergyState
from app.instruments.energy.worker import MOST_STEPS, Audit
from app.model.selection import Selection
from app.model.views import ModelView
from app.run.commands import GoTo, Send
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.sketch import Sketch, value_shares
from app.ui.plots.small import no_plot
from app.ui.quantities import Scale, column_scale, column_texts, compact
from app.ui.source_tints import TINTS
from app.ui.widgets import (
    button,
    caption,
    choice_heading,
    choice_row,
    elide,
    em,
    font,
    note,
    pick,
    section,
    show_tooltip,
    tooltip,
)
from app.view.view_state import ViewState
from sim.analysis.audit.laws import BROKEN, HOLDS, Law
from sim.analysis.audit.momentum import Charge
from sim.analysis.audit.tally import Tally
from sim.analysis.element_names import described, element_name
from sim.analysis.force_sources import KINDS

OWN: dict[str, theme.Rgba] = {
    "friction": (0.80, 0.52, 0.30, 1), "moving surface": (0.93, 0.55, 0.20, 1), "integrator": (0.88, 0.30, 0.27, 1),
    "spring yield": (0.62, 0.70, 0.22, 1), "sleep": (0.52, 0.58, 0.68, 1), "edit": (0.66, 0.48, 0.86, 1),
    "set by hand": (0.66, 0.48, 0.86, 1),
}  # fmt: skip
ENERGY_TINTS: dict[str, theme.Rgba] = {
    "total": (0.62, 0.64, 0.70, 1), "kinetic": (0.24, 0.54, 0.92, 1), "gravity": (0.14, 0.66, 0.62, 1),
    "springs": (0.40, 0.70, 0.32, 1),
}  # fmt: skip
HEIGHT_EM, CURVES = 8.0, 5
Curve = tuple[str, np.ndarray, theme.Rgba]
# height of the bar and the room below it
BAR_EM, GAP_EM = 0.3, 0.3
# rows of a kind that are shown when it is unfolded
MOST = 12
# where numbers begin, from the right edge
NUMBERS_EM = 10.9
# columns: name, hint, and how far its end is from the right edge
HEADINGS = (
    ("in", "work that increased the energy in the range", 7.8),
    ("out", "work that decreased the energy in the range", 3.9),
    ("now", "power in the current state", 0.0),
)
GOOD: theme.Rgba = (0.35, 0.72, 0.42, 1)
MARKS = {HOLDS: (icons.ICON_FA_CHECK, GOOD), BROKEN: (icons.ICON_FA_XMARK, theme.ERROR)}
HINTS = {
    "1 s": "the last second before the current step",
    "5 s": "the last 5 seconds before the current step",
    "20 s": "the last 20 seconds before the current step",
    ALL: f"all recorded steps before the current one, at most {MOST_STEPS}",
    LOOP: "the timeline's loop",
}
# kinds that `power` has under another name, and how many are plotted
CONTACT = dict.fromkeys(("friction", "moving surface"), "contact")
PLOTTED = 4
PARTS = {
    "total": "kinetic and potential energy",
    "kinetic": "½ qvel·M qvel",
    "gravity": "gravitational potential energy, zero at the world origin",
    "springs": "energy stored in joint and tendon springs",
}


def energy_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Now, over the range, by source, and what is conserved."""
    model, shown = snapshot.model, view.of(EnergyState)
    if model is None:
        note("Open a model: this shows where its energy comes from and goes to.")
        return
    if model.nv == 0:
        note("Nothing can move here: the model has no joints.")
        return
    answer = view.instruments.ask(EnergyQuestion())
    _ranges(snapshot, shown)
    found, wanted = shown.ask(snapshot)
    now: EnergyAnswer | None = answer.value if answer is not None else None
    if answer is not None and answer.error:
        note(answer.error)
    else:
        _energies(now)
    if found is None or found.total is None:
        nothing = "Run the simulation: the audit covers simulated steps." if wanted[1] <= wanted[0] else "adding up ..."
        note(found.error if found is not None and found.error else nothing)
        return
    rows = groups(model, found.total, now.power if now is not None else {}, found.least)
    shown.chart = CHARTS[choice_heading("Over time", CHARTS, CHARTS.index(shown.chart), "energies or work by source")]
    times, lines = energy_lines(found.curves) if shown.chart == CHARTS[0] else work_lines(found.curves, rows)
    draw_chart(times, lines, snapshot.run.time, snapshot.run.history, send)
    # a range that begins within a contact has only what that gives back
    if not _going_back(found.total, found.first, wanted) and (text := warning(model, found.total, found.least)):
        note(f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {text}", theme.WARNING)
    draw_sources(model, view, rows)
    draw_closing(closing(found.total, found.least))
    _progress(found, wanted, snapshot)
    _plot(view, rows)
    draw_laws(model, view, found, send)


def _ranges(snapshot: Snapshot, shown: EnergyState) -> None:
    """Which steps."""
    if snapshot.run.history.loop is None and shown.range == LOOP:
        shown.range = "5 s"
    names = [name for name in RANGES if name != LOOP or snapshot.run.history.loop is not None]
    shown.range = choice_row({name: HINTS[name] for name in names}, shown.range, "range")


def _energies(now: EnergyAnswer | None) -> None:
    """Total, kinetic and potential energies at the current step, in four columns."""
    energies = now.energies if now is not None else None
    values = [0.0] * 4 if energies is None else [energies.total, energies.kinetic, energies.gravity, energies.springs]
    texts, unit = column_texts(values, "J")
    (left, top), width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x / 4
    line, draw = imgui.get_text_line_height(), imgui.get_window_draw_list()
    for k, (name, hint) in enumerate(PARTS.items()):
        imgui.set_cursor_screen_pos((left + k * width, top))
        imgui.invisible_button(f"##{name} now", (max(width, 1.0), 2.2 * line))
        tooltip(f"{name} energy now: {values[k]:.9g} J\n{hint}" if energies is not None else hint)
        draw.add_text((left + k * width, top), imgui.get_color_u32(theme.DIM), name)
        with font("mono"):
            text = texts[k].strip() + (f" {unit}" if k == 0 else "")
            ink = theme.TEXT if energies is not None else theme.DIM
            draw.add_text((left + k * width, top + line), imgui.get_color_u32(ink), text)


def _plot(view: ViewState, rows: list[Group]) -> None:
    """A button that plots the power of the largest kinds over time."""
    kinds = dict.fromkeys(CONTACT.get(group.row.kind, group.row.kind) for group in rows)
    kinds = dict.fromkeys([*(kind for kind in kinds if kind in KINDS)][:PLOTTED])
    hint = f"add the power of {', '.join(kinds)} to Plots, over all recorded time"
    if kinds and button("Plot power", hint):
        view.plot(*(f'power("{kind}")' for kind in kinds))


def _going_back(total: Tally, first: int, wanted: tuple[int, int]) -> bool:
    """Whether the beginning of the range is still to be added."""
    return total.first > max(wanted[0], first)


def _progress(found: Audit, wanted: tuple[int, int], snapshot: Snapshot) -> None:
    """How far the audit has come, if not to both ends."""
    timeline, total = snapshot.run.history, found.total
    assert total is not None
    text = f"{total.times[0]:.3f} to {total.times[1]:.3f} s"
    behind = timeline.time_of(wanted[1]) - total.times[1]
    if found.error:
        text += f"; {found.error}"
    elif total.last < wanted[1] - 1 and behind > 0.1:
        text += f": {behind:.1f} s behind"
    elif _going_back(total, found.first, wanted):
        text += f": going back to {timeline.time_of(max(wanted[0], found.first)):.3f} s ..."
    elif found.first > wanted[0]:
        text += ": the recording starts there"
    imgui.text_colored(theme.DIM, text)
    tooltip(
        "The part of the range included in the sum. The sum restarts where the file was reloaded or the engine "
        "reset a diverged state, and only a limited number of steps is kept."
    )


def tint_of(kind: str) -> theme.Rgba:
    """The colour of a kind of source of work."""
    return OWN.get(kind, TINTS.get(kind, theme.DIM))


def energy_lines(curves: Curves) -> tuple[np.ndarray, list[Curve]]:
    """Kinetic energy, potential energies above their lowest, and the total above the same."""
    kinetic, gravity, springs = curves.energies
    above = gravity - gravity.min(initial=np.inf)
    names = [("total", kinetic + above + springs), ("kinetic", kinetic)]
    names += [(name, part) for name, part in (("gravity", above), ("springs", springs)) if np.ptp(part) > 0]
    return curves.times, [(name, values, ENERGY_TINTS[name]) for name, values in names]


def work_lines(curves: Curves, found: list[Group]) -> tuple[np.ndarray, list[Curve]]:
    """The work of the largest kinds since the beginning of the range."""
    lines = []
    for group in found[:CURVES]:
        parts = [curves.work[source] for source in group.row.sources if source in curves.work]
        if parts:
            lines.append((group.row.name, np.sum(parts, axis=0), tint_of(group.row.kind)))
    return curves.work_times, lines


def draw_chart(times: np.ndarray, lines: list[Curve], now: float, timeline: Timeline, send: Send) -> None:
    """Curves with a line at the current step; a click goes to the time at the pointer."""
    if len(times) < 2 or not times[-1] > times[0] or not lines:
        no_plot("nothing to draw yet", max(imgui.get_content_region_avail().x, 1.0), em(HEIGHT_EM))
        return
    sketch = Sketch("energy over time", times, HEIGHT_EM, 0.95)
    shares, low, high = value_shares(np.array([line for _, line, _ in lines]))
    sketch.level(-low / (high - low), theme.LINE)
    for row, (_, _, tint) in zip(shares, lines, strict=True):
        sketch.curve(row, tint)
    sketch.mark(now, theme.ACCENT)
    sketch.corners(compact(high, "J"), compact(low, "J"))
    sketch.legend([(name, tint) for name, _, tint in lines])
    nearest = sketch.pointed
    if nearest is not None:
        numbers = [f"{name} {compact(float(line[nearest]), 'J')}" for name, line, _ in lines]
        show_tooltip("\n".join([f"{times[nearest]:.4g} s", *numbers, "click: go there"]))
        if sketch.clicked:
            send(GoTo(timeline.step_at(float(times[nearest]))))


def draw_sources(model: ModelView, view: ViewState, found: list[Group]) -> None:
    """All kinds, the largest first; those with several elements unfold."""
    shown = view.of(EnergyState)
    largest = max((group.row.size for group in found), default=0.0)
    work = column_scale([largest], "J", 3)
    power = column_scale([max((abs(group.row.power) for group in found), default=0.0)], "W", 3)
    _headings(work, power)
    if not found:
        caption("nothing but gravity and springs does work")
    for group in found:
        several = len(group.elements) > 1
        unfolded = several and group.row.kind in shown.unfolded
        mark = (icons.ICON_FA_ANGLE_DOWN if unfolded else icons.ICON_FA_ANGLE_RIGHT) if several else ""
        if _row(f"{group.row.kind}", group.row, work, power, largest, mark, _hint(group.row, several)):
            if several:
                shown.unfolded ^= {group.row.kind}
            else:
                _select(model, view, group.row)
        if unfolded:
            _elements(model, view, group, work, power, largest)


def _elements(model: ModelView, view: ViewState, group: Group, work: Scale, power: Scale, largest: float) -> None:
    for k, row in enumerate(group.elements[:MOST]):
        if _row(f"{group.row.kind} {k}", row, work, power, largest, " ", _hint(row, False)):
            _select(model, view, row)
    left = len(group.elements) - MOST
    if left > 0:
        caption(f"    and {left} more, smaller ones")


def _headings(work: Scale, power: Scale) -> None:
    """The names of the columns, with their units."""
    (left, top), width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    draw = imgui.get_window_draw_list()
    imgui.dummy((1.0, imgui.get_text_line_height()))
    draw.add_text((left, top), imgui.get_color_u32(theme.DIM), "source")
    for k, (name, hint, away) in enumerate(HEADINGS):
        text = f"{name} {(power if k == 2 else work).unit}"
        end = left + width - em(away)
        place = end - imgui.calc_text_size(text).x
        draw.add_text((place, top), imgui.get_color_u32(theme.DIM), text)
        if imgui.is_mouse_hovering_rect((place, top), (end, top + imgui.get_text_line_height())):
            imgui.set_item_tooltip(hint)


def _row(key: str, row: Row, work: Scale, power: Scale, largest: float, mark: str, hint: str) -> bool:
    """A source: its name and numbers, and a bar from the middle; returns whether it was clicked."""
    width, line = imgui.get_content_region_avail().x, imgui.get_text_line_height()
    left, top = imgui.get_cursor_screen_pos()
    clicked, _ = imgui.selectable(f"###{key}", False, 0, (width, line + em(BAR_EM + GAP_EM)))
    tooltip(hint)
    draw, start = imgui.get_window_draw_list(), left + (em(0.9) if mark else 0.0)
    if mark:
        draw.add_text((left, top), imgui.get_color_u32(theme.DIM), mark)
    draw.add_text((start, top), imgui.get_color_u32(theme.TEXT), elide(row.name, left + width - em(NUMBERS_EM) - start))
    texts = (work.text(row.work_in), work.text(row.work_out), power.text(row.power))
    with font("mono", 0.92):
        for text, (_, _, away) in zip(texts, HEADINGS, strict=True):
            zero = text.strip() == "0"
            place = left + width - em(away) - imgui.calc_text_size(text.strip()).x
            draw.add_text((place, top), imgui.get_color_u32(theme.DIM if zero else theme.TEXT), text.strip())
    y, middle = top + line + em(0.08), left + width / 2
    draw.add_rect_filled((left, y), (left + width, y + em(BAR_EM)), imgui.get_color_u32(theme.STRIPE))
    tint, factor = imgui.get_color_u32(tint_of(row.kind)), 0.5 * width / largest if largest > 0 else 0.0
    draw.add_rect_filled((middle + factor * row.work_out, y), (middle + factor * row.work_in, y + em(BAR_EM)), tint)
    draw.add_line((middle, y - em(0.04)), (middle, y + em(BAR_EM + 0.04)), imgui.get_color_u32(theme.DIM))
    return bool(clicked)


def _hint(row: Row, several: bool) -> str:
    """All numbers of a row, and what its kind means."""
    lines = [row.name, f"in {row.work_in:.6g} J, out {row.work_out:.6g} J, net {row.net:+.6g} J; now {row.power:.4g} W"]
    if row.kind in MEANINGS:
        lines.append(MEANINGS[row.kind])
    click = (
        f"click: its {len(row.sources)} elements" if several else "click: select it" if row.sources[0].element else ""
    )
    return "\n".join([*lines, click]).strip()


def _select(model: ModelView, view: ViewState, row: Row) -> None:
    """Select the element of a row; the instrument stays in front."""
    chosen = selection_of(model, row.sources[0])
    if chosen is not None:
        view.select(chosen.kind, chosen.index, stay=True)


def draw_closing(closing: Closing) -> None:
    """The sum of work, the integrator's part and the change of energy."""
    share = f" ({100 * abs(closing.share):.2g} %)" if abs(closing.share) >= 1e-6 else ""
    text = (f"work {_signed(closing.work)}, integrator {_signed(closing.integrator)}{share},"
            f" change of energy {_signed(closing.change)}")  # fmt: skip
    imgui.push_text_wrap_pos(0)
    imgui.text_colored(theme.TEXT, text)
    imgui.pop_text_wrap_pos()
    tooltip(f"{closing.work:.9g} J + {closing.integrator:.9g} J = {closing.change:.9g} J\nThe work of all sources plus"
            " that of the integrator is the change of kinetic and potential energy over the range, to rounding."
            " The percentage is of the energy that moves.")  # fmt: skip


def _signed(value: float) -> str:
    text = compact(value, "J")
    return text if text.startswith("-") or value == 0 else f"+{text}"


def draw_laws(model: ModelView, view: ViewState, found: Audit, send: Send) -> None:
    """A row for each law, and whose momenta they are."""
    section("Conserved?")
    if model.ntree > 1:
        _subject(model, view)
    for k, law in enumerate(found.laws):
        if law.charge is None or law.charge.blocker < 0:
            _law(k, law, model, view, send)
    _blocked([law.charge for law in found.laws if law.charge is not None and law.charge.blocker >= 0], model)


def _subject(model: ModelView, view: ViewState) -> None:
    """The choice of a tree."""
    shown = view.of(EnergyState)

    def name(tree: int) -> str:
        return element_name(model, "body", int(model.tree_bodyadr[tree])) if tree >= 0 else "all trees together"

    hint = "tree whose momentum is shown: forces between trees change that of each, not the total"
    trees = ((tree, name(tree), "") for tree in range(-1, int(model.ntree)))
    picked = pick("##tree", f"momentum of {name(shown.tree)}", lambda: trees, shown.tree, hint)
    shown.tree = shown.tree if picked is None else picked


def _law(k: int, law: Law, model: ModelView, view: ViewState, send: Send) -> None:
    """Two lines: its name and how fast it changes; what is to be said of it."""
    width, line = imgui.get_content_region_avail().x, imgui.get_text_line_height()
    left, top = imgui.get_cursor_screen_pos()
    icon, tint = MARKS.get(law.verdict, (icons.ICON_FA_MINUS, theme.DIM))
    pressed, _ = imgui.selectable(f"###law {k}", False, 0, (width, 2 * line + em(0.2)))
    breaker = law.breakers[0] if law.verdict == BROKEN else None
    tooltip(law_hint(model, law) + ("\nclick: select it, and go to where it began" if breaker is not None else ""))
    draw, start = imgui.get_window_draw_list(), left + em(1.4)
    draw.add_text((left, top), imgui.get_color_u32(tint), icon)
    rate = ""
    if breaker is not None:
        rate = compact(breaker.rate, rate_unit(law))
        with font("mono", 0.92):
            draw.add_text((left + width - imgui.calc_text_size(rate).x, top), imgui.get_color_u32(theme.TEXT), rate)
    name = charge_name(model, law.charge)
    draw.add_text((start, top), imgui.get_color_u32(theme.TEXT if law.verdict != "none" else theme.DIM), name)
    text = elide(law_text(model, law), left + width - start)
    draw.add_text((start, top + line), imgui.get_color_u32(tint if breaker is not None else theme.DIM), text)
    if pressed and breaker is not None:
        chosen = selection_of(model, breaker.source)
        _show(view, chosen)
        send(GoTo(breaker.step))


def _blocked(charges: list[Charge], model: ModelView) -> None:
    """The momenta that a joint to the world takes, in one row."""
    if not charges:
        return
    names = [f"{way} {', '.join(axes)}" for way, kind in (("along", "linear"), ("about", "angular"))
             if (axes := [charge_name(model, charge)[-1] for charge in charges if charge.kind == kind])]  # fmt: skip
    reason = f"{described(model, 'joint', charges[0].blocker)} is tied to the world"
    left, width = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x - em(1.4)
    caption(icons.ICON_FA_MINUS)
    imgui.same_line(left + em(1.4))
    imgui.text_colored(theme.DIM, "\n".join((elide(f"momentum {'; '.join(names)}", width), elide(reason, width))))
    tooltip("The joint passes it on to the world, so no conservation law applies.")


def _show(view: ViewState, chosen: Selection | None) -> None:
    """Select an element; the instrument stays in front."""
    if chosen is not None:
        view.select(chosen.kind, chosen.index, stay=True)
