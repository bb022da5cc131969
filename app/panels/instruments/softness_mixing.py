"""Who decides how soft a contact is: both geoms, the mixing rule, what is edited, and what else that reaches."""

from __future__ import annotations

from imgui_bundle import imgui

from app.insight.softness_edit import Target, geom_name
from app.insight.softness_question import SoftPair
from app.model.views import ModelView
from app.ui import theme
from app.ui.widgets import elide, em, font, section, tooltip
from app.view.softness_view import SoftnessView
from app.view.view_state import ViewState
from sim.analysis.contact_mixing import BOTH, FIRST, OVERRIDE, PAIR, SECOND

COLUMNS = (("", 1.3), ("priority", 3.8), ("solmix", 3.2), ("solref", 6.2))
WHO = {FIRST: (True, False), SECOND: (False, True), BOTH: (True, True), PAIR: (False, False), OVERRIDE: (False, False)}


def mixing_table(model: ModelView, view: ViewState, found: SoftPair) -> None:
    """Both geoms, with those that decide marked, and the rule."""
    section("who decides")
    flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.no_host_extend_x
    if imgui.begin_table("##mixing", 1 + len(COLUMNS), flags):
        imgui.table_setup_column("geom", imgui.TableColumnFlags_.width_stretch)
        for title, width in COLUMNS:
            imgui.table_setup_column(title, imgui.TableColumnFlags_.width_fixed, em(width))
        _headings()
        for side, decides in enumerate(WHO[found.mixing.decider]):
            _geom(model, view, found, side, decides)
        imgui.end_table()
    imgui.push_text_wrap_pos(0)
    imgui.text_colored(theme.DIM, found.mixing.rule)
    imgui.pop_text_wrap_pos()


def target_row(shown: SoftnessView, offered: tuple[Target, ...], found: SoftPair | None) -> Target:
    """Which element is edited, and how many other contacts that reaches."""
    target = next((target for target in offered if target.label == shown.target), offered[0])
    imgui.align_text_to_frame_padding()
    imgui.text_colored(theme.DIM, "edit")
    imgui.same_line()
    if len(offered) == 1:
        imgui.text_unformatted(elide(target.label, imgui.get_content_region_avail().x))
    else:
        imgui.set_next_item_width(-1)
        chosen = imgui.combo("##target", offered.index(target), [entry.label for entry in offered])
        tooltip("what is written to; with one geom alone, it gets what makes the mixture right")
        if chosen[0]:
            target = offered[chosen[1]]
            shown.target, shown.note = target.label, ""
    if found is not None:
        count = reached(found, target)
        what = "no other contact now" if not count else f"{count} other contact{'s' if count > 1 else ''} now"
        with font("sans", 0.92):
            imgui.text_colored(theme.WARNING if count else theme.DIM, f"reaches {what}")
    return target


def reached(found: SoftPair, target: Target) -> int:
    """How many other contacts an edit of a target changes, of those that there are."""
    first, second, pair, options = found.reached
    rows = {place.row for place in target.places}
    if found.mixing.decider in (OVERRIDE, PAIR):
        return options if found.mixing.decider == OVERRIDE else pair
    sides = zip(found.mixing.geoms, (first, second), strict=True)
    return sum(count for geom, count in sides if geom in rows)


def _headings() -> None:
    imgui.table_next_row()
    with font("sans", 0.86):
        for column, (title, _) in enumerate(COLUMNS, 1):
            imgui.table_set_column_index(column)
            imgui.text_colored(theme.DIM, title)


def _geom(model: ModelView, view: ViewState, found: SoftPair, side: int, decides: bool) -> None:
    """One geom; a click selects it."""
    geom, tint = found.mixing.geoms[side], theme.TEXT if decides else theme.DIM
    imgui.table_next_row()
    imgui.table_set_column_index(0)
    name = geom_name(model, geom)
    imgui.push_style_color(imgui.Col_.text, tint)
    if imgui.selectable(f"{elide(name, imgui.get_content_region_avail().x)}##geom{side}", False)[0]:
        view.select("geom", geom)
    imgui.pop_style_color()
    tooltip(f"geom {side + 1}: {name}\nselect it")
    imgui.table_set_column_index(1)
    if decides:
        imgui.text_colored(theme.ACCENT, "•")
    numbers = " ".join(f"{value:.3g}" for value in model.geom_solref[geom])
    cells = (str(found.mixing.priority[side]), f"{found.mixing.solmix[side]:.3g}", numbers)
    for column, text in enumerate(cells, 2):
        imgui.table_set_column_index(column)
        imgui.text_colored(tint, text)
