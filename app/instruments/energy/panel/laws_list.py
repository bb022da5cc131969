"""Conservation laws of the Energy instrument: which hold, and what breaks the others."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.energy.report import law_hint, law_text, rate_unit
from app.instruments.energy.source_names import charge_name, selection_of
from app.instruments.energy.state import EnergyState
from app.instruments.energy.worker import Audit
from app.model.selection import Selection
from app.model.views import ModelView
from app.run.commands import GoTo, Send
from app.ui import theme
from app.ui.quantities import compact
from app.ui.widgets import caption, elide, em, font, pick, section, tooltip
from app.view.view_state import ViewState
from sim.analysis.audit.laws import BROKEN, HOLDS, Law
from sim.analysis.audit.momentum import Charge
from sim.analysis.element_names import described, element_name

GOOD: theme.Rgba = (0.35, 0.72, 0.42, 1)
MARKS = {HOLDS: (icons.ICON_FA_CHECK, GOOD), BROKEN: (icons.ICON_FA_XMARK, theme.ERROR)}


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

    hint = "whose momentum: forces between trees change that of each, not that of all"
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
    tooltip("The world takes it up through the joint, whose force no conservation law knows.")


def _show(view: ViewState, chosen: Selection | None) -> None:
    """Select an element; the instrument stays in front."""
    if chosen is not None:
        view.select(chosen.kind, chosen.index, stay=True)
