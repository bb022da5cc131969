"""The small charts of A/B: a click goes to the nearest step, the pointer shows values."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.ab.panel import A_TINT, B_TINT, Axis, Line, chart
from app.run.commands import Command, GoTo
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from tests.app.gui_driver import Gui


def test_click_goes_to_the_moment(gui: Gui) -> None:
    line = Timeline((BranchView(0, last=100, paces=(Pace(0, 0.0, 0.01),)),), now=50)
    snapshot, sent = Snapshot(1, RunState(history=line)), list[Command]()
    times = np.linspace(0.0, 1.0, 101)

    def draw() -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((400, 200))
        imgui.begin("chart")
        lines = [Line("A", np.sin(times), A_TINT), Line("B", np.cos(times), B_TINT)]
        chart("curves", "m", times, lines, Axis(0.0, 1.0, 0.3), snapshot, sent.append)
        imgui.end()

    gui.frame(draw, 3)
    gui.click_at(draw, 300, 70)
    (command,) = sent
    assert isinstance(command, GoTo) and 50 < command.moment < 95
    gui.io.add_mouse_pos_event(300, 70)
    gui.frame(draw, 2)
    assert any("click: go there" in text for text in gui.texts) and gui.tooltips == 1
