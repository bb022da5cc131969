"""The Plots panel: legend, range of time, cursor, clicks, statistics, what it asks the sampler for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from imgui_bundle import imgui, implot

from app.background.curve import Curve
from app.background.samples import Sampled, Shown, StepCurve
from app.background.script_series import ScriptCurve
from app.run.commands import Command, GoTo
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.ui.plots.chart import Drawn, setup_axes, units_by_axis
from app.ui.plots.small import nearest_step
from app.view.plots import ALL, FREE, LAST, separate
from app.view.view_state import ViewState
from app.window.panels.plots import plots_panel
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

STEP = 0.01
TIMELINE = Timeline(
    (
        BranchView(0, last=4000, name="opened", paces=(Pace(0, 0.0, STEP),)),
        BranchView(1, 0, 1000, 3000, "gravity off", 1, (Pace(1000, 10.0, STEP),)),
    ),
    now=1800,
)


@pytest.mark.parametrize(
    ("text", "expressions"),
    [
        (" d.qpos[2] ", ["d.qpos[2]"]),
        ("d.qpos[2], norm(d.qvel)", ["d.qpos[2]", "norm(d.qvel)"]),
        ("dist('a', 'b'), d.body('x,y').xpos[0],", ["dist('a', 'b')", "d.body('x,y').xpos[0]"]),
        # the engine says what is wrong with these
        ("d.qpos[", ["d.qpos["]),
        ("(d.time, 1)", ["(d.time, 1)"]),
    ],
)
def test_commas_separate_expressions(text: str, expressions: list[str]) -> None:
    assert separate(text) == expressions


def curve(first: int, last: int, scale: float) -> StepCurve:
    """A sine at every tenth step."""
    steps = np.arange(first, last + 1, 10)
    return StepCurve(steps, steps * STEP, scale * np.sin(steps * STEP))


class PlotsPanel:
    """The panel in a window of its own, with curves as a sampler would give them."""

    def __init__(self, gui: Gui, size: tuple[float, float] = (1000, 400)) -> None:
        self.gui, self.size, self.sent, self.view = gui, size, list[Command](), ViewState()
        self.plots = self.view.plots
        for text in ("d.qpos[0]", "d.qvel[0]", "d.nonsense"):
            self.plots.add(text)
        self.plots.sampled = Sampled(
            {
                ("d.qpos[0]", 0): curve(0, 4000, 1.0),
                ("d.qvel[0]", 0): curve(0, 4000, 2.0),
                ("d.qpos[0]", 1): curve(1000, 3000, 3.0),
            },
            Shown(
                0, 1800, 18.0, {"d.qpos[0]": 0.912945, "d.qvel[0]": 1.8, "d.nonsense": "'d.nonsense' is not a field"}
            ),
        )
        self.show(TIMELINE)

    def show(self, timeline: Timeline) -> None:
        """Another state of the run."""
        run = RunState(paused=True, history=timeline, time=timeline.time_of(timeline.now))
        self.snapshot = Snapshot(7, run)

    def draw(self) -> None:
        """One frame."""
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size(self.size)
        imgui.begin("Plots")
        plots_panel(self.snapshot, self.view, self.sent.append)
        imgui.end()

    def place(self, share: float) -> tuple[float, float]:
        """A place in the plot, so far from its left edge."""
        self.gui.frame(self.draw, 3)
        return 540 + share * 400, 200.0

    @property
    def edges(self) -> tuple[float, float]:
        """The times at the edges of the plot."""
        self.gui.frame(self.draw, 2)
        request = self.plots.request
        assert request is not None
        return request.start, request.end

    @property
    def time_at_pointer(self) -> float:
        """The time that the cursor shows."""
        (time,) = (float(text.removesuffix(" s")) for text in self.gui.texts if text.endswith(" s"))
        return time


@pytest.fixture
def panel(gui: Gui) -> PlotsPanel:
    """Two expressions and an error."""
    return PlotsPanel(gui)


def test_legend_has_values_of_the_shown_moment_and_whole_errors(panel: PlotsPanel) -> None:
    panel.gui.frame(panel.draw, 2)
    assert {"d.qpos[0]", "0.912945", "1.8", "'d.nonsense' is not a field"} <= {*panel.gui.texts}


def test_errors_are_whole_in_the_legend_and_take_nothing_from_the_plot(panel: PlotsPanel) -> None:
    panel.gui.frame(panel.draw, 3)
    buttons = panel.gui.rects["##window"]
    reason = "a reason of so many words that no line of the panel holds them all, however wide it is " * 2
    shown = replace(panel.plots.sampled.shown, values={"d.nonsense": reason})
    panel.plots.sampled = replace(panel.plots.sampled, shown=shown)
    panel.gui.frame(panel.draw, 3)
    _, top, right, bottom = panel.gui.text_rects[reason]
    assert right < buttons[0] and bottom - top > 1.9 * imgui.get_text_line_height()
    assert panel.gui.rects["##window"] == buttons


def test_a_typed_expression_without_a_value_is_back_in_the_field(panel: PlotsPanel) -> None:
    panel.gui.frame(panel.draw, 3)
    known = panel.plots.expressions()
    panel.gui.click(panel.draw, "##expression")
    panel.gui.type(panel.draw, "d.qqpos, d.contact.dist[3]")
    assert panel.plots.expressions() == (*known, "d.qqpos", "d.contact.dist[3]")
    # it is asked for first
    values = {"d.qqpos": "'d.qqpos' is not a field", "d.contact.dist[3]": "index 3 is out of bounds"}
    shown = panel.plots.sampled.shown
    panel.plots.sampled = replace(panel.plots.sampled, shown=replace(shown, values={**shown.values, **values}))
    panel.gui.frame(panel.draw, 3)
    assert panel.plots.expressions() == (*known, "d.contact.dist[3]") and panel.plots.typed == "d.qqpos"
    assert "'d.qqpos' is not a field" in panel.gui.texts


def test_a_click_on_the_legend_hides_a_curve_and_shows_it(panel: PlotsPanel) -> None:
    panel.gui.frame(panel.draw, 3)
    for plotted in (False, True):
        left, top, right, bottom = panel.gui.text_rects["d.qvel[0]"]
        panel.gui.click_at(panel.draw, (left + right) / 2, (top + bottom) / 2)
        assert [watch.plotted for watch in panel.plots.watches] == [True, plotted, True]
    panel.gui.point_at(panel.draw, panel.gui.text_rects["d.qvel[0]"])
    assert "d.qvel[0]\nclick: hide the curve" in panel.gui.texts


def test_legend_and_cursor_have_units(panel: PlotsPanel, views: Views) -> None:
    model, state = views("<worldbody><body><joint/><geom size='.1'/></body></worldbody>")
    panel.snapshot = replace(panel.snapshot, model=model, state=state)
    panel.gui.frame(panel.draw, 2)
    assert {"0.912945 rad", "1.8 rad/s"} <= {*panel.gui.texts}
    panel.gui.io.add_mouse_pos_event(*panel.place(0.3))
    panel.gui.frame(panel.draw, 2)
    assert any(text.split()[1:] == ["rad/s", "d.qvel[0]"] for text in panel.gui.texts)


def test_units_share_three_axes() -> None:
    assert units_by_axis([]) == [("",)]
    assert units_by_axis(["m", "m"]) == [("m",)]
    assert units_by_axis(["m", "", "m", "N"]) == [("m",), ("",), ("N",)]
    assert units_by_axis(["m", "N", "J", "s", "N"]) == [("m",), ("N",), ("J", "s")]
    # of a narrow plot
    assert units_by_axis(["m", "N", "J"], 1) == [("m", "N", "J")]
    assert units_by_axis(["m"], 1) == [("m",)]


def test_the_legend_is_below_in_a_narrow_panel(gui: Gui) -> None:
    panel = PlotsPanel(gui, (300, 500))
    gui.frame(panel.draw, 3)
    assert gui.text_rects["d.qpos[0]"][1] > gui.rects["##window"][3] + 100
    wide = PlotsPanel(gui, (1000, 400))
    gui.frame(wide.draw, 3)
    assert gui.text_rects["d.qpos[0]"][2] < gui.rects["##window"][0]


def test_it_asks_for_what_it_shows(panel: PlotsPanel) -> None:
    panel.gui.frame(panel.draw, 2)
    request = panel.plots.take_request()
    assert request is not None and panel.plots.take_request() is None
    assert request.expressions == panel.plots.expressions() and request.lines == (0,)
    assert request.serial == 7 and not request.running and 300 < request.pixels < 700
    panel.view.timeline.compared = {1, 5}
    panel.gui.frame(panel.draw, 2)
    assert panel.plots.request is not None and panel.plots.request.lines == (0, 1)
    assert {"opened", "gravity off"} <= {*panel.gui.texts}


def test_the_last_seconds_follow_and_the_shown_moment_stays_in_sight(panel: PlotsPanel) -> None:
    assert panel.plots.mode == LAST and panel.plots.window == 10.0
    # in pages, so that a click does not move them
    assert panel.edges == (10.0, 20.0)
    panel.show(replace(TIMELINE, now=1001))
    assert panel.edges == (10.0, 20.0)
    for now in (4000, 3100):
        panel.show(replace(TIMELINE, now=now))
        assert panel.edges == (30.0, 40.0)
    # before there are so many, the axis grows
    panel.show(Timeline((BranchView(0, last=300, paces=(Pace(0, 0.0, STEP),)),), now=300))
    assert panel.edges == pytest.approx((0.0, 3.0))
    panel.gui.click(panel.draw, "##all")
    assert panel.plots.mode == ALL
    panel.show(TIMELINE)
    assert panel.edges == (0.0, 40.0)


def test_all_includes_what_came_before_time_was_set_back(panel: PlotsPanel) -> None:
    paces = (Pace(0, 0.0, STEP), Pace(3000, 1.0, STEP))
    panel.show(Timeline((BranchView(0, last=3500, paces=paces),), now=3500))
    panel.plots.mode = ALL
    assert panel.edges == pytest.approx((0.0, 29.99))


def test_wheel_zooms_and_drag_moves(panel: PlotsPanel) -> None:
    panel.gui.io.add_mouse_pos_event(*panel.place(0.5))
    panel.gui.frame(panel.draw, 2)
    panel.gui.io.add_mouse_wheel_event(0.0, 1.0)
    panel.gui.frame(panel.draw, 3)
    assert panel.plots.mode == FREE
    start, end = panel.edges
    assert 10.0 < start < end < 20.0
    x, y = panel.place(0.5)
    panel.gui.io.add_mouse_button_event(0, True)
    panel.gui.frame(panel.draw)
    for part in (1, 2, 3):
        panel.gui.io.add_mouse_pos_event(x + 30 * part, y)
        panel.gui.frame(panel.draw)
    panel.gui.io.add_mouse_button_event(0, False)
    panel.gui.frame(panel.draw, 2)
    moved = panel.edges
    assert moved[0] < start and moved[1] - moved[0] == pytest.approx(end - start)
    # a drag is no click
    assert panel.sent == []
    panel.gui.click(panel.draw, "##window")
    assert panel.plots.mode == LAST


def test_a_click_goes_there(panel: PlotsPanel) -> None:
    panel.gui.click_at(panel.draw, *panel.place(0.2))
    assert panel.sent == [GoTo(nearest_step(TIMELINE, panel.time_at_pointer))]
    assert panel.plots.mode == LAST
    panel.sent.clear()
    # not in the list beside it
    panel.gui.click_at(panel.draw, 200, 300)
    assert panel.sent == []


def test_the_line_of_the_moment_can_be_dragged(panel: PlotsPanel) -> None:
    left, right = panel.place(0.0)[0], panel.place(1.0)[0]
    start, end = panel.edges
    # where the moment is, found by its tooltip: a search in pixels
    found = [x for x in np.arange(left, right, 2.0) if _hovers_moment(panel, x)]
    assert found
    panel.gui.io.add_mouse_pos_event(found[0], 200)
    panel.gui.frame(panel.draw, 2)
    panel.gui.io.add_mouse_button_event(0, True)
    panel.gui.frame(panel.draw)
    for part in (1, 2, 3):
        panel.gui.io.add_mouse_pos_event(found[0] - 20 * part, 200)
        panel.gui.frame(panel.draw)
    panel.gui.io.add_mouse_button_event(0, False)
    panel.gui.frame(panel.draw, 2)
    steps = [command.moment for command in panel.sent if isinstance(command, GoTo)]
    assert len(steps) >= 3 and steps == sorted(steps, reverse=True) and steps[-1] < 1800
    assert panel.edges == (start, end) and panel.plots.mode == LAST


def _hovers_moment(panel: PlotsPanel, x: float) -> bool:
    panel.gui.io.add_mouse_pos_event(x, 200)
    panel.gui.frame(panel.draw, 2)
    return imgui.get_mouse_cursor() == imgui.MouseCursor_.resize_ew


def test_cursor_shows_the_nearest_samples_of_all_curves(panel: PlotsPanel) -> None:
    panel.view.timeline.compared = {1}
    panel.gui.io.add_mouse_pos_event(*panel.place(0.3))
    panel.gui.frame(panel.draw, 3)
    time = panel.time_at_pointer
    assert 10.0 < time < 20.0
    for name, scale in (("d.qpos[0]", 1.0), ("d.qvel[0]", 2.0), ("d.qpos[0]", 3.0)):
        at = round(time / STEP, -1) * STEP
        assert f"{scale * np.sin(at):>12.6g}  {name}" in panel.gui.texts
    assert "gravity off" in panel.gui.texts


def test_statistics_of_the_shown_range_and_of_the_loop(panel: PlotsPanel) -> None:
    panel.plots.show_statistics = True
    panel.gui.frame(panel.draw, 3)
    assert {"mean", "rms", "std"} <= {*panel.gui.texts}
    shown = 2 * np.sin(np.arange(10.0, 20.05, 0.1))
    assert {f"{shown.min():.5g}", f"{shown.max():.5g}"} <= {*panel.gui.texts}
    panel.show(replace(TIMELINE, loop=(0, 100)))
    panel.gui.frame(panel.draw, 3)
    # from 0 to 1 s
    assert f"{2 * np.sin(1.0):.5g}" in panel.gui.texts


def test_what_a_script_plots_is_there_too(gui: Gui) -> None:
    panel = PlotsPanel(gui)
    panel.plots.watches.clear()
    line = Curve(np.array([0.0, 19.0, 21.0]), np.array([1.0, 7.25, 9.0]))
    panel.plots.script = {"reward": ScriptCurve((Curve(np.array([3.0]), np.array([4.0])), line), thinned=2.5)}
    gui.frame(panel.draw, 3)
    assert {"reward", "7.25"} <= {*gui.texts}
    gui.point_at(panel.draw, gui.text_rects["reward"])
    assert any("before 2.5 s are thinned out" in text for text in gui.texts)


def test_a_low_panel_has_statistics_instead_of_curves_and_stays_live(gui: Gui) -> None:
    panel = PlotsPanel(gui, (900, 200))
    panel.plots.show_statistics = True
    gui.frame(panel.draw, 3)
    assert "rms" in gui.texts and panel.plots.request is not None


@pytest.mark.parametrize("size", [(300, 500), (180, 260), (700, 120)])
def test_a_narrow_panel_has_everything(gui: Gui, size: tuple[float, float]) -> None:
    panel = PlotsPanel(gui, size)
    gui.frame(panel.draw, 3)
    assert any(text.startswith("d.qpo") for text in gui.texts) and panel.plots.request is not None
    assert panel.plots.mode == LAST


def test_nearest_step() -> None:
    assert [nearest_step(TIMELINE, time) for time in (-1.0, 0.004, 0.006, 15.0, 99.0)] == [0, 0, 1, 1500, 4000]


@pytest.mark.parametrize(("noise", "span"), [(1e-13, 1e-5), (0.0, 1.0), (0.5, 0.5)])
def test_rounding_is_not_blown_up_to_the_height_of_a_plot(gui: Gui, noise: float, span: float) -> None:
    """The ticks of such an axis would all read the same."""
    times, limits = np.linspace(0, 1, 50), list[float]()
    values = 1.0 - noise * (np.arange(50) % 2)
    shown = [Drawn("d.qpos[0]", "", [Curve(times, values)], (1, 1, 1, 1), (1, 0), unit="m")]
    values[-1] = 1.0

    def draw() -> None:
        imgui.begin("plot")
        implot.begin_plot("curve")
        setup_axes(shown, 400.0)
        implot.setup_finish()
        implot.plot_line("curve", times, values)
        limits[:] = [implot.get_plot_limits().y.max - implot.get_plot_limits().y.min]
        implot.end_plot()
        imgui.end()

    gui.frame(draw, 4)
    assert 0.99 * span <= limits[0] < 2 * span


def test_an_error_has_no_axis(gui: Gui) -> None:
    times, found = np.linspace(0, 1, 50), dict[str, implot.ImAxis_]()
    of_values = {"m": np.ones(50), "N": np.full(50, np.nan)}
    shown = [Drawn(unit, "", [Curve(times, of_values[unit])], (1, 1, 1, 1), (1, 0), unit=unit) for unit in of_values]
    shown.append(Drawn("s", "", [], (1, 1, 1, 1), (1, 0), unit="s"))

    def draw() -> None:
        imgui.begin("plot")
        implot.begin_plot("curve")
        found.update(setup_axes(shown, 400.0))
        implot.end_plot()
        imgui.end()

    gui.frame(draw)
    assert set(found) == {"m"}
