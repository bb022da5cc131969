"""The combo of numbers: those of the selection and the options, a search, what is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from imgui_bundle import imgui

import sim
from app.background.field_choice import FieldChoice
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.ui.field_choice import choose_field
from app.view.view_state import ViewState
from tests.app.gui_driver import Gui
from tests.app.live import MODEL


@dataclass
class Bench:
    gui: Gui
    snapshot: Snapshot
    view: ViewState = field(default_factory=ViewState)
    chosen: FieldChoice | None = None

    def draw(self) -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((400, 500))
        imgui.begin("window")
        imgui.set_next_item_width(-1)
        self.chosen = choose_field("##field", self.chosen, self.snapshot, self.view)
        imgui.end()


@pytest.fixture
def bench(gui: Gui) -> Bench:
    model = sim.loads(MODEL)
    data = sim.Data(model)
    sim.forward(model, data)
    return Bench(gui, Snapshot(1, RunState(ready=True), view_model(model), view_state(data)))


def items(bench: Bench) -> list[str]:
    bench.gui.frame(bench.draw, 3)
    return [name.partition("##")[0] for name in bench.gui.rects if "('" in name]


def test_number_of_the_selection_is_found_by_a_word(bench: Bench) -> None:
    bench.view.select("joint", 2)
    bench.gui.click(bench.draw, "##field")
    assert {"damping", "gravity z", "flag contact"} <= {*items(bench)}
    for character in "damping":
        bench.gui.io.add_input_character(ord(character))
    assert "damping" in items(bench) and "gravity z" not in items(bench)
    bench.gui.click(bench.draw, "damping##")
    assert bench.chosen is not None and bench.chosen.label == "damping of joint hinge"
    bench.gui.frame(bench.draw, 3)
    assert items(bench) == []


def test_without_a_selection_there_are_options_and_a_hint(bench: Bench) -> None:
    bench.gui.click(bench.draw, "##field")
    assert "timestep" in items(bench) and "damping" not in items(bench)
    assert any(text.startswith("Select an element") for text in bench.gui.texts)
    assert bench.gui.unexplained(bench.draw) == []


def test_without_a_model_there_is_nothing(bench: Bench) -> None:
    bench.snapshot = Snapshot(1, RunState())
    assert items(bench) == [] and bench.chosen is None
