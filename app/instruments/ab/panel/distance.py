"""How far B is from A: in a sentence, over time, and by body."""

from __future__ import annotations

from imgui_bundle import imgui

from app.instruments.ab.comparison import VISIBLE, VISIBLE_ANGLE
from app.instruments.ab.found import Found, Shown
from app.instruments.ab.panel.charts import B_TINT, Axis, Line, chart
from app.instruments.ab.state import AbState
from app.model.angle_unit import shown_unit
from app.model.views import ModelView
from app.run.commands import GoTo, Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.quantities import FLOORS, compact
from app.ui.tables.frame import cell
from app.ui.widgets import caption, choice_heading, elide, em, font, link, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import described

UNITS = ("m", "rad")
# bodies that are listed
MOST = 5
WHAT = (
    "m: how far the centre of mass of a body is from where it is in A\nrad: the angle by which it is turned from there"
)


def distance(found: Found, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The parting, the chart and the list."""
    shown = view.of(AbState)
    model = snapshot.model
    assert model is not None
    _sentence(found, model, view, send)
    shown.unit = choice_heading("apart", UNITS, shown.unit, WHAT, "ab apart")
    factor, unit = shown_unit(UNITS[shown.unit], view.prefs.degrees)
    values = (found.radians if shown.unit else found.metres) * factor
    if values.any():
        mark = found.parted.time if found.parted is not None else None
        axis = Axis(float(found.times[0]), float(found.times[-1]), mark)
        chart("apart", unit, found.times, [Line("farthest body", values, B_TINT)], axis, snapshot, send)
    if found.shown is not None:
        _bodies(found.shown, model, view)


def _sentence(found: Found, model: ModelView, view: ViewState, send: Send) -> None:
    """When one can see a difference, and where first."""
    parted = found.parted
    threshold = f"{compact(VISIBLE * float(model.stat.extent), 'm')} or {compact(VISIBLE_ANGLE, 'rad')}"
    if parted is None:
        with font("bold"):
            same = not found.metres.any() and not found.radians.any()
            imgui.text("the same to the last bit" if same else "together so far")
        tooltip(f"no body is more than {threshold} away from its place in A")
        return
    with font("bold"):
        imgui.text("diverged at")
        imgui.same_line(0, em(0.35))
        if link(
            f"{parted.time:.5g} s##parted",
            f"the first moment at which a body is more than {threshold} away from where it is in A\nclick: go there",
        ):
            send(GoTo(parted.step))
    imgui.same_line(0, em(0.35))
    caption("first body:")
    imgui.same_line(0, em(0.35))
    _link(parted.body, model, view, "parted")


def _bodies(shown: Shown, model: ModelView, view: ViewState) -> None:
    """The bodies that are farthest away at the shown moment."""
    away = [entry for entry in shown.bodies if entry[1] > FLOORS["m"] or entry[2] > FLOORS["rad"]]
    away = sorted(away, key=lambda entry: -entry[1 + view.of(AbState).unit])[:MOST]
    imgui.text_colored(theme.DIM, f"at {shown.time:.5g} s" + ("" if away else ": every body is where it is in A"))
    tooltip("the moment that is shown, or the last one before it that B has reached")
    if not away or not imgui.begin_table("bodies", 3, imgui.TableFlags_.no_pad_outer_x):
        return
    imgui.table_setup_column("body", imgui.TableColumnFlags_.width_stretch)
    for name in UNITS:
        imgui.table_setup_column(name, imgui.TableColumnFlags_.width_fixed, em(5.0))
    for body, metres, radians in away:
        imgui.table_next_row()
        imgui.table_next_column()
        _link(body, model, view, "body")
        for value, base in ((metres, "m"), (radians, "rad")):
            factor, unit = shown_unit(base, view.prefs.degrees)
            # a prefix before rad is hard to read
            noise = value < FLOORS[base]
            text = compact(value, unit) if base == "m" else f"{0.0 if noise else value * factor:.3g} {unit}"
            imgui.table_next_column()
            cell(text, theme.TEXT, True)
            tooltip(f"{value * factor:.9g} {unit}\n{WHAT}")
    imgui.end_table()


def _link(body: int, model: ModelView, view: ViewState, key: str) -> None:
    """The name of a body, which a click selects."""
    name = described(model, "body", body)
    if link(f"{elide(name, imgui.get_content_region_avail().x)}##{key}{body}", f"select {name}"):
        view.select("body", body, stay=True)
