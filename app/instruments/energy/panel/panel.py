"""The panel of the Energy instrument: energies, a chart, work by source, how it closes, conservation laws."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.energy.panel.chart import draw_chart, energy_lines, work_lines
from app.instruments.energy.panel.laws_list import draw_laws
from app.instruments.energy.panel.sources import draw_closing, draw_sources
from app.instruments.energy.question import EnergyAnswer, EnergyQuestion
from app.instruments.energy.report import Group, closing, groups, warning
from app.instruments.energy.state import ALL, CHARTS, LOOP, RANGES, EnergyState
from app.instruments.energy.worker import MOST_STEPS, Audit
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.quantities import column_texts
from app.ui.widgets import button, choice_heading, choice_row, font, note, tooltip
from app.view.view_state import ViewState
from sim.analysis.audit.tally import Tally
from sim.analysis.force_sources import KINDS

HINTS = {
    "1 s": "the last second before the moment that is shown",
    "5 s": "the last 5 seconds before the moment that is shown",
    "20 s": "the last 20 seconds before the moment that is shown",
    ALL: f"all that is recorded before the moment that is shown, at most {MOST_STEPS} steps",
    LOOP: "the loop of the timeline",
}
# kinds that `power` has under another name, and how many are plotted
CONTACT = dict.fromkeys(("friction", "moving surface"), "contact")
PLOTTED = 4
PARTS = {
    "total": "kinetic and potential energy",
    "kinetic": "½ qvel·M qvel",
    "gravity": "potential energy of gravity, zero at the origin of the world",
    "springs": "of the springs of joints and tendons",
}


def energy_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Now, over the range, by source, and what is conserved."""
    model, shown = snapshot.model, view.of(EnergyState)
    if model is None:
        note("Open a model: here is where its energy comes from and goes to.")
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
        nothing = "Let it run: the audit is about steps that were made." if wanted[1] <= wanted[0] else "adding up ..."
        note(found.error if found is not None and found.error else nothing)
        return
    rows = groups(model, found.total, now.power if now is not None else {}, found.least)
    shown.chart = CHARTS[choice_heading("Over time", CHARTS, CHARTS.index(shown.chart), "energies, or work by source")]
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
    """Total, kinetic and potential energies at the moment that is shown, in four columns."""
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
        text += ": there is no more of it"
    imgui.text_colored(theme.DIM, text)
    tooltip("The part of the range that is added up. It begins again where the file was read again, or the engine has"
            " reset a state that diverged; and there is a limit to how much is kept.")  # fmt: skip
