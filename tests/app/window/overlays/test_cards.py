"""Cards over the picture: all sensors can be reached, the profiler has its plot, and a slow look is repeated soon.

Files: sensors.py, profiler.py, notices.py.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui, implot

from app.model.problem import Problem
from app.model.views import StateView
from app.run import commands as cmd
from app.run.run_state import RunState
from app.run.stage_profiler import StageProfiler
from app.ui.gestures import GestureReader
from app.view.input.gesture import Gesture
from app.window.overlays.notices import problem_card
from tests.app.conftest import Views
from tests.app.gui_driver import Gui
from tests.app.window.panels.test_panels import Desk
from tests.app.window.test_layout import box, inside

BODY = "<worldbody><body><joint name='j'/><geom size='.1'/><site name='s'/></body></worldbody>"
MANY = 121


def sensing(gui: Gui, views: Views, count: int) -> Desk:
    """Panels around a model with so many sensors of an angle and, as the last one, an accelerometer."""
    angles = "".join(f"<jointpos name='angle {k}' joint='j'/>" for k in range(count - 1))
    desk = Desk(gui, *views(f"{BODY}<sensor>{angles}<accelerometer name='last' site='s'/></sensor>"))
    desk.view.ui.show_sensors = True
    gui.io.display_size = imgui.ImVec2(1350, 855)
    gui.frame(desk.draw, 4)
    return desk


def card(name: str) -> tuple[float, float, float, float]:
    """Where a card is."""
    found = box(name)
    assert found is not None
    return found


def test_all_sensors_can_be_scrolled_to_with_the_wheel(gui: Gui, views: Views) -> None:
    desk = sensing(gui, views, MANY)
    before = card("##Sensors")
    assert "angle 0" in gui.texts
    assert "last" not in gui.texts
    gui.point_at(desk.draw, card("##Sensors"))
    keys = GestureReader()
    events: list[Gesture] = []

    def draw() -> None:
        desk.draw()
        events.extend(keys.events(desk.rect))

    for _ in range(MANY):
        gui.io.add_mouse_wheel_event(0, -1)
        gui.frame(draw)
    assert "last" in gui.texts
    assert "angle 0" not in gui.texts
    assert inside(gui.text_rects["last"], before)
    # the camera stays, and so does the card
    assert events == []
    assert card("##Sensors") == before
    # beside it the wheel is the view's
    gui.io.add_mouse_pos_event(before[2] + 50, before[3] - 50)
    gui.frame(draw, 2)
    gui.io.add_mouse_wheel_event(0, -1)
    gui.frame(draw)
    assert [event.trigger for event in events] == ["Scroll"]
    assert before[2] - before[0] < desk.rect.width / 2


def test_sensors_that_all_fit_leave_the_mouse_to_the_view(gui: Gui, views: Views) -> None:
    desk = sensing(gui, views, 12)
    assert {"angle 0", "last"} <= set(gui.texts)
    assert "##search sensors" not in gui.rects
    # what was typed where there were more of them hides none
    desk.view.ui.sensor_search = "last"
    gui.point_at(desk.draw, card("##Sensors"))
    assert "angle 0" in gui.texts
    assert not gui.io.want_capture_mouse


def test_names_of_sensors_have_room(gui: Gui, views: Views) -> None:
    narrow = sensing(gui, views, 3)
    width = card("##Sensors")[2] - card("##Sensors")[0]
    names = ("panda/joint1_torque", "a name that is far too long for any card of sensors")
    sensors = "".join(f"<jointpos name='{name}' joint='j'/>" for name in names)
    desk = Desk(gui, *views(f"{BODY}<sensor>{sensors}</sensor>"))
    desk.view.ui.show_sensors = narrow.view.ui.show_sensors
    gui.frame(desk.draw, 4)
    assert names[0] in gui.texts and any(text.startswith("a name") and text.endswith("…") for text in gui.texts)
    wide = card("##Sensors")[2] - card("##Sensors")[0]
    assert width < wide < 1.4 * width


def test_sensors_are_found_by_name(gui: Gui, views: Views) -> None:
    desk = sensing(gui, views, MANY)
    high = card("##Sensors")
    desk.click("##search sensors")
    gui.type(desk.draw, "Angle 11")
    shown = [text for text in gui.texts if text.startswith("angle ")]
    assert shown == ["angle 11", *(f"angle {k}" for k in range(110, 120))]
    assert card("##Sensors")[3] < high[3]
    desk.view.ui.sensor_search = "no such name"
    gui.frame(desk.draw, 2)
    assert "no matches" in gui.texts


def test_a_message_over_a_card_takes_the_clicks(gui: Gui, views: Views) -> None:
    desk = sensing(gui, views, MANY)
    words = "\n".join(f"line {k} of what went wrong" for k in range(200))
    desk.run = RunState(ready=True, problem=Problem("it broke", words))
    # a click brings other windows to the front
    gui.click_at(desk.draw, card("##Sensors")[0] + 20, card("##Sensors")[1] + 15)
    left, top, right, bottom = gui.find(desk.draw, "Dismiss")
    x, y = (left + right) / 2, (top + bottom) / 2
    assert inside((x, y, x, y), card("##Sensors"))
    desk.click("Dismiss")
    assert desk.sent == [cmd.DismissProblem()]


@pytest.mark.parametrize("gains", [(1.0,), (1.0, 1e-3, 0.0), (np.nan, np.inf)])
def test_profiler_plots_the_convergence_in_a_window_of_the_first_size(
    gui: Gui, views: Views, monkeypatch: pytest.MonkeyPatch, gains: tuple[float, ...]
) -> None:
    desk = Desk(gui, *views(BODY))
    state: Any = desk.state
    counts = np.zeros_like(state.solver_niter)
    counts[0] = len(gains)
    improvement = np.zeros_like(state.solver.improvement)
    improvement[: len(gains)] = gains
    solver = SimpleNamespace(improvement=improvement)
    desk.state = StateView({**vars(state), "solver_niter": counts, "solver": solver})
    desk.view.ui.show_profiler = True
    desk.view.feedback.frame_seconds = {"panels": 1e-3, "view": 1e-3, "to the screen": 1e-3}
    desk.run = RunState(ready=True, stage_seconds=tuple((f"stage {k}", 1e-6) for k in range(17)))
    curves: dict[str, int] = {}
    draw_line = implot.plot_line

    def plot_line(label: str, xs: Any, ys: Any, spec: Any) -> None:
        """Note how long each curve is."""
        curves[label] = len(ys)
        draw_line(label, xs, ys, spec)

    monkeypatch.setattr(implot, "plot_line", plot_line)
    desk.resize(1350, 855)
    rect = desk.rect
    assert curves == {"island 0": len(gains)}
    assert {"stage 0", "stage 16", "iterations", "contacts", "entries of J", "awake dofs"} <= set(gui.texts)
    high = card("##Profiler")
    assert inside(high, (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height))
    # a step without iterations leaves the card as it is
    counts[:] = 0
    gui.frame(desk.draw, 3)
    assert card("##Profiler") == high


def test_a_slow_look_at_the_stages_is_followed_by_another_before_long() -> None:
    clock = [0.0]

    def stage_times(model: Any, data: Any) -> dict[str, float]:
        """Takes a second."""
        clock[0] += 1.0
        return {"falling": 1e-6}

    engine: Any = SimpleNamespace(stage_times=stage_times)
    profiler = StageProfiler(lambda: clock[0])
    profiler.enable(True)
    assert profiler.sample(engine, None, None, 0.0) is not None
    assert profiler.sample(engine, None, None, 0.0) is None
    clock[0] = 5.0
    assert profiler.sample(engine, None, None, 0.0) is not None


def test_a_problem_opens_the_file_that_it_names(gui: Gui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "vec.py"
    opened: list[Any] = []
    monkeypatch.setattr("app.run.log.links.FileLine.open", lambda line: opened.append(line))
    problem = Problem("The changed program cannot start", f"{file}:12: in helper dot3: `c` is not defined.")

    def draw() -> None:
        problem_card(problem, lambda _: None, (500.0, 600.0))

    gui.frame(draw, 3)
    assert "Open file" not in gui.rects
    file.write_text("")
    gui.click(draw, "Open file")
    assert [str(line) for line in opened] == [f"{file}:12"]
