"""The Islands panel (islands.py): awake trees first, the selected one in sight, buttons, filter."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

import sim
from app.run.commands import Command, PutToSleep, SetFlag, Wake
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.view_state import ViewState
from app.window.panels.islands import islands_panel
from tests.app.gui_driver import Gui

COUNT = 60
BODIES = "".join(
    f"<body name='ball {k}' pos='{k} 0 1' sleep='init'><freejoint/><geom name='g{k}' size='.1'/></body>"
    for k in range(COUNT)
)
MODEL = f"<mujoco><option><flag sleep='enable'/></option><worldbody>{BODIES}</worldbody></mujoco>"


class Bench:
    """The panel in a window of its own."""

    def __init__(self, gui: Gui) -> None:
        self.gui, self.view, self.sent = gui, ViewState(), list[Command]()
        self.model: Any = sim.loads(MODEL)
        self.data = sim.Data(self.model)
        sim.forward(self.model, self.data)
        self.size = (900.0, 300.0)
        self.refresh()

    def refresh(self) -> None:
        self.snapshot = Snapshot(
            1, RunState(path="a.xml", ready=True, paused=True), view_model(self.model), view_state(self.data)
        )

    def draw(self) -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size(self.size)
        imgui.begin("islands")
        islands_panel(self.snapshot, self.view, self.sent.append)
        imgui.end()

    def rows(self) -> list[str]:
        """Names of the trees that are drawn, from above."""
        self.gui.frame(self.draw, 4)
        labels = [label for label in self.gui.rects if label.startswith("ball ")]
        return [label.partition("###")[0] for label in sorted(labels, key=lambda label: self.gui.rects[label][1])]


@pytest.fixture
def bench(gui: Gui) -> Bench:
    return Bench(gui)


def test_awake_trees_come_first(bench: Bench) -> None:
    assert bench.rows()[0] == "ball 0"
    sim.wake(bench.model, bench.data, 40)
    bench.refresh()
    assert bench.rows()[:2] == ["ball 40", "ball 0"]
    assert f"1 of {COUNT} awake, 0 islands" in bench.gui.texts
    assert "the user or a script" in bench.gui.texts


def test_the_selected_tree_is_in_sight_and_stays_there(bench: Bench) -> None:
    assert "ball 30" not in bench.rows()
    bench.view.select("geom", 30)
    assert "ball 30" in bench.rows()
    # it wakes, and goes to the top
    sim.wake(bench.model, bench.data, 30)
    bench.refresh()
    assert bench.rows()[0] == "ball 30"


def test_a_click_selects_the_tree_and_widgets_keep_theirs(bench: Bench) -> None:
    bench.gui.click(bench.draw, "ball 2###2")
    assert bench.view.selection is not None
    assert (bench.view.selection.kind, bench.view.selection.index) == ("tree", 2)
    bench.view.selection = None
    bench.view.ui.tables["kinematic trees"].filter = "59"
    bench.gui.click(bench.draw, "Wake")
    assert bench.view.selection is None
    assert [type(command) for command in bench.sent] == [Wake]


def test_an_awake_tree_is_put_to_sleep_with_the_flag(bench: Bench) -> None:
    sim.wake(bench.model, bench.data, 7)
    bench.model.opt.enableflags = 0
    bench.refresh()
    bench.view.ui.tables.clear()
    bench.gui.frame(bench.draw)
    bench.view.ui.tables["kinematic trees"].filter = "awake"
    bench.gui.click(bench.draw, "Sleep")
    assert [type(command) for command in bench.sent] == [SetFlag, PutToSleep]


def test_the_filter_knows_names_states_and_reasons(bench: Bench) -> None:
    sim.wake(bench.model, bench.data, 40)
    bench.refresh()
    bench.gui.frame(bench.draw)
    table = bench.view.ui.tables["kinematic trees"]
    for words, rows in (("awake", ["ball 40"]), ("script", ["ball 40"]), ("ball 59", ["ball 59"]), ("nobody", [])):
        table.filter = words
        assert bench.rows() == rows
    assert "no matching trees" in bench.gui.texts


def test_everything_is_explained(bench: Bench) -> None:
    bench.gui.frame(bench.draw)
    bench.view.ui.tables["kinematic trees"].filter = "59"
    assert bench.gui.unexplained(bench.draw) == []
