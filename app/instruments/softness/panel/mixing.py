"""Who decides how soft a contact is: both geoms, the mixing rule, what is edited, and what else that reaches."""

from __future__ import annotations

from imgui_bundle import imgui

from app.instruments.softness.edit import Target
from app.instruments.softness.question import SoftPair
from app.instruments.softness.state import SoftnessState
from app.model.views import ModelView
from app.ui import theme
from app.ui.widgets import caption, colour, elide, em, font, note, section, tooltip
from app.view.view_state import ViewState
from sim.analysis.contact_mixing import BOTH, FIRST, OVERRIDE, PAIR, SECOND
from sim.analysis.element_names import full_geom_name

WHO = {FIRST: (True, False), SECOND: (False, True), BOTH: (True, True), PAIR: (False, False), OVERRIDE: (False, False)}


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
        tooltip("what is written to; with one geom alone, it gets what makes the mixture right")
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
