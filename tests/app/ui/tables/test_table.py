"""table.py, frame.py: order, widths, the selection in sight, the menu that copies."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from imgui_bundle import imgui

from app.ui.tables.column import DOWN, Column
from app.ui.tables.frame import Heading, fair_widths, note_width, sorted_rows
from app.ui.tables.table import Look, copy_button, filter_field, state_of, table
from app.view.table_state import TableState
from app.view.view_state import ViewState
from tests.app.gui_driver import Gui

COUNT = 300


def columns(count: int = COUNT, word: str = "word") -> list[Column]:
    values = np.arange(count)
    return [
        Column("#", values, hint="number"),
        Column("name", np.array([f"{word} {k % 7}" for k in values], object), hint="name", wide=True),
        Column("force", np.cos(values.astype(float)), hint="force", unit="N"),
    ]


@dataclass
class Bench:
    """A table in a window of its own."""

    gui: Gui
    view: ViewState = field(default_factory=ViewState)
    columns: list[Column] = field(default_factory=columns)
    look: Look = field(default_factory=lambda: Look(lambda row: f"row {row}"))
    marked: int = -1
    clicked: int | None = None
    size: tuple[float, float] = (700.0, 300.0)

    def draw(self) -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size(self.size)
        imgui.begin("bench")
        filter_field(self.view, "t", "filter")
        copy_button(self.view, "t")
        marked = np.arange(len(self.columns[0].values)) == self.marked
        clicked = table(self.view, "t", self.columns, self.look, marked=marked)
        self.clicked = self.clicked if clicked is None else clicked
        imgui.end()

    def rows(self) -> list[int]:
        """Rows that are drawn, from above."""
        self.gui.frame(self.draw, 6)
        labels = [label for label in self.gui.rects if label.partition("###")[2].isdecimal()]
        return [int(label.partition("###")[2]) for label in sorted(labels, key=lambda label: self.gui.rects[label][1])]


@pytest.fixture
def bench(gui: Gui) -> Bench:
    return Bench(gui)


def test_a_click_on_a_heading_sorts_and_numbers_begin_with_the_largest(bench: Bench) -> None:
    assert bench.rows()[:3] == [0, 1, 2]
    bench.gui.click(bench.draw, "force (N)")
    force = bench.columns[2].values
    assert bench.rows()[:3] == np.argsort(-force)[:3].tolist()
    bench.gui.click(bench.draw, "force (N)")
    assert bench.rows()[:3] == np.argsort(force)[:3].tolist()


def test_a_column_can_be_the_one_that_sorts_at_first(bench: Bench) -> None:
    bench.columns[0] = replace(bench.columns[0], first=DOWN)
    assert bench.rows()[:3] == [299, 298, 297]


def test_equal_rows_stay_in_their_order() -> None:
    values = np.array([2, 1, 2, 1])
    assert sorted_rows(values, False).tolist() == [1, 3, 0, 2]
    assert sorted_rows(values, True).tolist() == [0, 2, 1, 3]


def test_a_click_is_reported(bench: Bench) -> None:
    bench.gui.click(bench.draw, "3###3")
    assert bench.clicked == 3


def test_a_new_selection_is_scrolled_into_sight_once(bench: Bench) -> None:
    assert 200 not in bench.rows()
    bench.marked = 200
    bench.view.select("geom", 5)
    assert 200 in bench.rows()
    # the user may look elsewhere after that
    bench.marked = 0
    assert 0 not in bench.rows()


def test_the_selection_is_followed_if_the_table_wants_it(bench: Bench) -> None:
    bench.look = replace(bench.look, follow=True)
    bench.marked = 200
    bench.view.select("geom", 5)
    assert 200 in bench.rows()
    bench.marked = 0
    assert 0 in bench.rows()


def test_columns_are_as_wide_as_their_words(bench: Bench) -> None:
    bench.rows()
    state = state_of(bench.view, "t")
    narrow = state.widths["#"]
    assert narrow >= imgui.calc_text_size("#").x
    # what is left belongs to the wide one
    assert state.widths["name"] > 3 * state.widths["force"]
    bench.columns[0] = replace(bench.columns[0], text=lambda value: f"a rather long number {value}")
    bench.rows()
    assert state.widths["#"] >= state.longest["#"] > narrow


def test_a_wide_column_is_scrolled_to_rather_than_cut_to_nothing(bench: Bench) -> None:
    bench.columns = columns(word="a name that is much longer than the window is wide, whatever one does " * 3)
    bench.size = (200.0, 300.0)
    bench.rows()
    assert state_of(bench.view, "t").widths["name"] > 12 * imgui.get_style().font_size_base
    # what is cut off is in the tooltip
    cut = next(text for text in bench.gui.texts if text.startswith("a name"))
    assert cut.endswith("…")


def test_units_of_a_run_do_not_flicker(bench: Bench) -> None:
    bench.rows()
    assert "force (N) ###force" in bench.gui.rects
    bench.columns[2] = replace(bench.columns[2], values=0.5 * bench.columns[2].values)
    bench.rows()
    assert "force (N) ###force" in bench.gui.rects
    bench.columns[2] = replace(bench.columns[2], values=1e-3 * bench.columns[2].values)
    bench.rows()
    assert "force (µN) ###force" in bench.gui.rects


@pytest.mark.parametrize(("label", "count"), [("Copy row", 1), ("Copy table", COUNT)])
def test_rows_are_copied(bench: Bench, label: str, count: int) -> None:
    bench.gui.click(bench.draw, "3###3", button=1)
    assert bench.clicked is None
    bench.gui.click(bench.draw, f"{label} as CSV")
    copied = imgui.get_clipboard_text().splitlines()
    assert copied[0] == "#,name,force (N)" and len(copied) == count + 1
    assert ("3,word 3," in copied[1]) == (count == 1)
    assert float(copied[-1].split(",")[2]) == bench.columns[2].values[3 if count == 1 else -1]
    bench.gui.click(bench.draw, "3###3", button=1)
    bench.gui.click(bench.draw, label)
    copied = imgui.get_clipboard_text().splitlines()
    assert copied[0].split() == ["#", "name", "force", "(N)"] and len(copied) == count + 1


def test_the_button_copies_all(bench: Bench) -> None:
    bench.gui.click(bench.draw, "##copy t")
    assert "Copy row" not in bench.gui.rects
    bench.gui.click(bench.draw, "Copy table")
    assert len(imgui.get_clipboard_text().splitlines()) == COUNT + 1


def test_everything_is_explained(bench: Bench) -> None:
    bench.size = (700.0, 200.0)
    assert bench.gui.unexplained(bench.draw) == []
    bench.gui.click(bench.draw, "##copy t")
    labels = {label for label in bench.gui.rects if label.startswith("Copy")}
    assert labels and not labels & set(bench.gui.unexplained(bench.draw))


@pytest.mark.parametrize(
    ("wanted", "room", "widths"),
    [
        ({"a": 100.0, "b": 50.0}, 200.0, {"a": 100.0, "b": 50.0}),
        # the short one is whole
        ({"a": 300.0, "b": 50.0}, 200.0, {"a": 150.0, "b": 50.0}),
        ({"a": 300.0, "b": 400.0}, 200.0, {"a": 100.0, "b": 100.0}),
        ({"a": 300.0}, -5.0, {"a": 1.0}),
        ({}, 100.0, {}),
    ],
)
def test_wide_columns_share_the_room(wanted: dict[str, float], room: float, widths: dict[str, float]) -> None:
    assert fair_widths(wanted, room) == widths


def test_only_longer_texts_widen_a_column() -> None:
    state = TableState()
    note_width(state, "a", 10.0)
    assert state.grown == {"a"}
    state.grown.clear()
    note_width(state, "a", 9.0)
    assert not state.grown
    assert not Heading("a", "a").wide


@pytest.mark.parametrize("size", [(30.0, 30.0), (120.0, 60.0), (5000.0, 3000.0)])
def test_any_size_and_no_rows(bench: Bench, size: tuple[float, float]) -> None:
    bench.size = size
    bench.gui.frame(bench.draw, 3)
    bench.columns = columns(0)
    bench.gui.frame(bench.draw, 3)
