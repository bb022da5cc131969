"""The table of the Energy instrument: work in and out by source, power now, a bar; unfolded by element."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.energy.panel.tints import tint_of
from app.instruments.energy.report import Closing, Group, Row
from app.instruments.energy.source_names import MEANINGS, selection_of
from app.instruments.energy.state import EnergyState
from app.model.views import ModelView
from app.ui import theme
from app.ui.quantities import Scale, column_scale, compact
from app.ui.widgets import caption, elide, em, font, tooltip
from app.view.view_state import ViewState

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
    ("now", "power at the moment that is shown", 0.0),
)


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
    tooltip(f"{closing.work:.9g} J + {closing.integrator:.9g} J = {closing.change:.9g} J\nThe work of all sources and"
            " what the integrator adds are the change of kinetic and potential energy over the range, to rounding."
            " The percentage is of the energy that moves.")  # fmt: skip


def _signed(value: float) -> str:
    text = compact(value, "J")
    return text if text.startswith("-") or value == 0 else f"+{text}"
