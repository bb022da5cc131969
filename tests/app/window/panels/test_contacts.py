"""The Contacts panel: names, the filter and what it says, pairs that unfold, and what a click selects."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from imgui_bundle import imgui

import sim
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.view_state import ViewState
from app.window.panels.contacts import COLUMNS, FORMS, contacts_panel
from tests.app.gui_driver import Gui

MODEL = """<mujoco><worldbody><geom name='floor' type='plane' size='9 9 .1'/>
  <body name='box' pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
  <body name='foot' pos='2 0 .049'><freejoint/><geom name='sole' size='.05'/></body>
</worldbody></mujoco>"""


@dataclass
class Bench:
    """The panel in a window of its own."""

    gui: Gui
    view: ViewState
    snapshot: Snapshot

    def draw(self) -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((1200, 500))
        imgui.begin("contacts")
        contacts_panel(self.snapshot, self.view, lambda _: None)
        imgui.end()

    def shown(self) -> set[str]:
        """Texts and labels after some frames."""
        self.gui.frame(self.draw, 3)
        return {*self.gui.texts, *self.gui.rects}


@pytest.fixture
def bench(gui: Gui) -> Bench:
    m = sim.loads(MODEL)
    d = sim.Data(m)
    sim.forward(m, d)
    assert d.ncon == 5
    snapshot = Snapshot(1, RunState(path="a.xml", ready=True), view_model(m), view_state(d))
    return Bench(gui, ViewState(), snapshot)


def test_names_have_the_body_first(bench: Bench) -> None:
    shown = bench.shown()
    assert {"world / floor", "box / box", "foot / sole", "5 contacts"} <= shown
    assert set(FORMS) <= {label.partition("###")[2] for label in shown}
    assert {"distance (mm) ###distance", "normal (N) ###normal"} <= shown


def test_a_filter_leaves_what_matches_and_a_click_selects_by_the_index_in_d_contact(bench: Bench) -> None:
    bench.view.ui.contact_filter = "foot"
    assert "1 of 5" in bench.shown()
    bench.gui.click(bench.draw, "4###4")
    assert bench.view.selection is not None
    assert (bench.view.selection.kind, bench.view.selection.index) == ("contact", 4)


def test_a_wrong_filter_says_why_and_hides_nothing(bench: Bench) -> None:
    bench.view.ui.contact_filter = "force>much"
    shown = bench.shown()
    assert "'much' is not a number" in shown and "foot / sole" in shown
    bench.view.ui.contact_filter = "hand"
    assert {"0 of 5", "no matching contacts"} <= bench.shown()


def test_the_filter_and_the_headings_stay_while_nothing_touches(bench: Bench) -> None:
    """A bouncing ball has a contact in some frames only."""
    m = sim.loads(MODEL.replace(".099", "1").replace(".049", "1"))
    d = sim.Data(m)
    sim.forward(m, d)
    bench.snapshot = Snapshot(1, bench.snapshot.run, view_model(m), view_state(d))
    bench.view.ui.contact_filter = "foot"
    for pairs in (False, True):
        bench.view.ui.contact_pairs = pairs
        shown = bench.shown()
        assert {"##contact filter", "no contacts"} <= shown and "no matching contacts" not in shown
        assert {"distance", "slip", "state"} <= {label.partition("###")[2] for label in shown}


def contacts_of(labels: set[str]) -> list[str]:
    """Labels of rows of contacts."""
    return [label for label in labels if re.search(r"###contact\d", label)]


def test_pairs_unfold_to_their_contacts(bench: Bench) -> None:
    bench.gui.click(bench.draw, "by pairs of bodies")
    assert bench.view.ui.contact_pairs
    shown = bench.shown()
    assert {name for name, _, _ in COLUMNS} <= {label.partition("###")[2] for label in shown}
    pairs = [label for label in shown if "###pair" in label]
    assert len(pairs) == 2
    assert not contacts_of(shown)
    bench.gui.click(bench.draw, "###pair(0, 1)")
    contacts = contacts_of(bench.shown())
    assert sorted(label.partition("###")[2] for label in contacts) == [f"contact{k}" for k in range(4)]
    assert all("floor  –  box" in label for label in contacts)
    bench.gui.click(bench.draw, "###contact2")
    assert bench.view.selection is not None and bench.view.selection.index == 2
    bench.gui.click(bench.draw, "###pair(0, 1)")
    assert not contacts_of(bench.shown())
    # a filter applies here too
    bench.view.ui.contact_filter = "foot"
    assert [label for label in bench.shown() if "###pair" in label] == [
        label for label in pairs if label.endswith("(0, 2)")
    ]


def test_everything_has_a_tooltip(bench: Bench) -> None:
    for pairs in (False, True):
        bench.view.ui.contact_pairs, bench.view.ui.unfolded_pairs = pairs, {(0, 1)}
        assert bench.gui.unexplained(bench.draw) == []
