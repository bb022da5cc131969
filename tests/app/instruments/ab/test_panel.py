"""The A/B instrument around a live simulation: choosing B, distances, quantities, the ghost, what is done with B."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from app.background.field_choice import options_of
from app.instruments.ab.panel import ab_panel
from app.instruments.ab.state import AbState
from app.instruments.ab.subject import EditedCopy, OtherBranch, OtherFile
from app.instruments.ab.worker import AbWorker
from app.run import commands as cmd
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState
from app.window.overlays.file_dialog import file_dialog
from app.window.panels.edits import edits_panel
from app.window.panels.inspector.panel import inspector_panel
from app.window.panels.timeline.lanes import branch_menu
from tests.app.gui_driver import Gui
from tests.app.live import MODEL, Hand


@dataclass
class Bench:
    """The panel in a window of its own; its worker does all that there is to do between frames."""

    gui: Gui
    hand: Hand
    worker: AbWorker
    view: ViewState = field(default_factory=ViewState)
    panel: Any = ab_panel

    @property
    def snapshot(self) -> Snapshot:
        return self.hand.thread.latest

    def draw(self) -> None:
        snapshot = self.snapshot
        self.view.instruments.begin(snapshot.model, self.view.instruments.answers)
        self.view.of(AbState).found = self.worker.latest
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((380, 1400))
        imgui.begin("A/B")
        self.panel(snapshot, self.view, self.hand.thread.send)
        imgui.end()
        self.view.instruments.end()
        self.worker.want(self.view.of(AbState).take_request())

    def settle(self) -> None:
        """Frames and turns until nothing changes any more."""
        self.hand.settle()
        idle = 0
        while idle < 3:
            self.gui.frame(self.draw, 1)
            before = self.worker.latest.version
            self.worker.turn(20.0 if self.worker._waiting else 0.0)
            idle = idle + 1 if self.worker.latest.version == before and not self.worker._waiting else 0
        self.gui.frame(self.draw, 3)

    def shown(self) -> set[str]:
        """Texts and labels when all is computed."""
        self.settle()
        return {*self.gui.texts, *self.gui.rects}

    def click(self, label: str, button: int = 0) -> None:
        self.gui.click(self.draw, label, button)
        self.settle()


@pytest.fixture
def bench(gui: Gui, hand: Hand) -> Bench:
    gui.io.display_size = (1400, 1500)  # type: ignore[assignment]
    hand.restart()
    return Bench(gui, hand, AbWorker(hand.thread.send))


def vary_gravity(bench: Bench, value: float = -5.0) -> None:
    gravity = next(choice for choice in options_of(bench.hand.model) if choice.name == "gravity z")
    bench.view.of(AbState).change(gravity, value)


def test_it_says_what_to_do_and_asks_nothing(bench: Bench) -> None:
    assert any(text.startswith("Choose how B differs") for text in bench.shown())
    assert bench.worker._about == () and bench.view.of(AbState).take_request() is None
    assert bench.gui.unexplained(bench.draw) == []


def test_a_number_is_added_dragged_and_removed(bench: Bench) -> None:
    ab = bench.view.of(AbState)
    bench.view.select("joint", 2)
    bench.click("##add")
    bench.click("damping##")
    subject = ab.subject
    assert isinstance(subject, EditedCopy) and subject.changes[0].choice.label == "damping of joint hinge"
    assert {"damping", "identical to the last bit"} <= bench.shown()
    bench.gui.drag(bench.draw, "##bdof_damping", 60.0)
    bench.settle()
    subject = ab.subject
    assert isinstance(subject, EditedCopy) and subject.changes[0].value > 0
    assert not bench.hand.model.dof_damping[12]
    bench.click("##removedof_damping")
    assert ab.subject == EditedCopy()


def test_distance_parting_bodies_and_ghost(bench: Bench) -> None:
    vary_gravity(bench)
    bench.settle()
    bench.hand.send(cmd.StepOnce(100))
    shown = bench.shown()
    assert {"diverged at", "##parted"} <= {text.replace("##parted", "") for text in shown} | {
        "##parted" if "##parted" in text else text for text in shown
    }
    assert any("##body1" in text for text in shown) and "farthest body" not in shown
    ghost = bench.view.instruments.ghost
    assert ghost is not None
    higher = ghost.state.geom_xpos[1, 2] - bench.hand.state.geom_xpos[1, 2]
    assert higher == pytest.approx(5.0 * 0.002**2 * 100 * 101 / 2, rel=1e-6)
    bench.click("##ab ghost")
    assert bench.view.instruments.ghost is None
    assert bench.gui.unexplained(bench.draw) == []
    bench.click("##parted")
    found = bench.worker.latest
    assert found.parted is not None and bench.hand.settle().run.history.now == found.parted.step


def test_quantities_are_typed_suggested_and_removed(bench: Bench) -> None:
    ab = bench.view.of(AbState)
    vary_gravity(bench)
    bench.hand.send(cmd.StepOnce(30))
    bench.view.select("body", 1)
    ab.since = 0
    bench.click('d.body("ball").xpos[2]')
    bench.click("##expression")
    bench.gui.type(bench.draw, "d.nothing")
    shown = bench.shown()
    assert ab.expressions == ['d.body("ball").xpos[2]', "d.nothing"]
    assert any("nothing" in text and text != "d.nothing" for text in shown)
    curves = bench.worker.latest.curves['d.body("ball").xpos[2]']
    assert len(curves.times) == 31 and curves.b[-1] > curves.a[-1]
    assert {"A 981 mm", "B 991 mm"} <= shown
    bench.click("##remove")
    # that of the last row
    assert ab.expressions == ['d.body("ball").xpos[2]']


def test_presets(bench: Bench) -> None:
    ab = bench.view.of(AbState)
    bench.click("##presets")
    bench.click("half the timestep")
    subject = ab.subject
    assert isinstance(subject, EditedCopy) and subject.changes[0].value == 0.001
    bench.hand.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    bench.click("##presets")
    bench.click("as in the file")
    assert isinstance(ab.subject, EditedCopy) and ab.subject.from_file
    assert "without your edits" in bench.shown()


def test_take_swap_and_branch(bench: Bench) -> None:
    ab = bench.view.of(AbState)
    vary_gravity(bench)
    bench.hand.send(cmd.StepOnce(20))
    bench.settle()
    bench.click("Swap")
    assert bench.hand.model.opt.gravity[2] == -5.0
    subject = ab.subject
    assert isinstance(subject, EditedCopy) and subject.changes[0].value == -10.0
    before = bench.hand.settle().run.history
    vary_gravity(bench, -3.0)
    ab.since = 10
    bench.settle()
    bench.gui.click(bench.draw, "As a branch")
    # what was paused stays so, and what was B is compared with what was A
    assert bench.hand.settle().run.paused and ab.subject == OtherBranch(before.branch)
    bench.hand.send(cmd.StepOnce(5))
    after = bench.hand.settle().run.history
    assert len(after.branches) == len(before.branches) + 1 and after.find(after.branch).fork == 10
    assert bench.hand.model.opt.gravity[2] == -3.0
    vary_gravity(bench, -2.0)
    bench.settle()
    bench.click("Take B")
    assert bench.hand.model.opt.gravity[2] == -2.0 and ab.subject is None
    bench.hand.send(cmd.Undo())
    assert bench.hand.model.opt.gravity[2] == -3.0


def test_another_branch_is_chosen_and_switched_to(bench: Bench) -> None:
    bench.hand.send(cmd.StepOnce(20))
    bench.hand.send(cmd.GoTo(5))
    bench.hand.send(cmd.SetField("opt.gravity", -1.0, (2,)))
    line = bench.hand.send(cmd.StepOnce(10)).run.history
    root = line.line()[0].branch

    def menu(snapshot: Snapshot, view: ViewState, send: cmd.Send) -> None:
        if not view.of(AbState).subject:
            imgui.open_popup(f"branch{root.id}")
        branch_menu(root, snapshot.run.history, view, send)

    bench.panel = menu
    bench.gui.click(bench.draw, "Compare in A/B")
    assert bench.view.of(AbState).subject == OtherBranch(root.id) and bench.view.instruments.requested == ["A/B"]
    bench.panel = ab_panel
    bench.settle()
    assert bench.worker.latest.steps[-1] == 15 and bench.worker.latest.metres[-1] > 0
    bench.click("Switch to it")
    assert bench.hand.settle().run.history.branch == root.id


def test_another_file_is_chosen_in_the_dialog(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "heavy.xml"
    path.write_text(MODEL.replace("-10", "-20"))
    bench.hand.send(cmd.StepOnce(10))
    bench.click("file##ab kind")
    bench.click("##browse")
    browse = bench.view.ui.browse
    assert browse is not None and browse.compares
    browse.enter(tmp_path)

    def dialog(_: Snapshot, view: ViewState, send: cmd.Send) -> None:
        file_dialog(view, send)

    bench.panel = dialog
    bench.gui.click(bench.draw, "heavy.xml")
    assert bench.view.of(AbState).subject == OtherFile(str(path)) and bench.view.ui.browse is None
    bench.panel = ab_panel
    bench.view.of(AbState).since = 0
    bench.settle()
    assert bench.worker.latest.metres[-1] == pytest.approx(10.0 * 0.002**2 * 55, rel=0.2)
    path.unlink()
    assert "that file no longer exists" in bench.shown()


def test_edits_panel_compares_with_the_file_and_without_an_edit(bench: Bench) -> None:
    ab = bench.view.of(AbState)
    bench.hand.send(cmd.StepOnce(5))
    bench.hand.send(cmd.SetField("opt.gravity", -4.0, (2,)))
    bench.hand.send(cmd.SetField("dof_damping", 2.0, (12,)))
    bench.hand.send(cmd.StepOnce(10))
    bench.panel = edits_panel
    bench.gui.click(bench.draw, "Compare")
    assert (ab.subject, ab.since) == (EditedCopy(from_file=True), 5)
    number = bench.snapshot.journal.entries[-1].number
    bench.gui.click(bench.draw, f"##text{number}", 1)
    bench.gui.click(bench.draw, "Compare without it")
    subject = ab.subject
    assert isinstance(subject, EditedCopy) and not subject.from_file
    assert [(change.choice.label, change.value) for change in subject.changes] == [("damping of joint hinge", 0.0)]
    assert bench.view.instruments.requested == ["A/B", "A/B"]
    bench.panel = ab_panel
    bench.settle()
    assert bench.worker.latest.steps[0] == 5 and bench.worker.latest.radians[-1] > 0


def test_inspector_opens_it(bench: Bench) -> None:
    bench.panel = inspector_panel
    bench.view.select("joint", 2)
    bench.gui.click(bench.draw, "A/B")
    assert bench.view.instruments.requested == ["A/B"]
    bench.view.select("camera", 0)
    bench.gui.frame(bench.draw, 3)
    assert "A/B" not in bench.gui.rects


def test_without_a_model_and_after_another_one(bench: Bench) -> None:
    vary_gravity(bench)
    bench.settle()
    other = Snapshot(10**6, bench.snapshot.run)
    bench.gui.frame(lambda: ab_panel_alone(bench, other), 2)
    assert "no model" in bench.gui.texts


def ab_panel_alone(bench: Bench, snapshot: Snapshot) -> None:
    imgui.begin("alone")
    ab_panel(snapshot, bench.view, bench.hand.thread.send)
    imgui.end()


def test_bad_numbers_do_no_harm(bench: Bench) -> None:
    vary_gravity(bench)
    bench.settle()
    bench.hand.send(cmd.SetData("qpos", 0, (float("nan"),)))
    bench.hand.send(cmd.StepOnce(5))
    bench.settle()
    assert bench.worker.latest.error == "" and not np.isnan(bench.worker.latest.metres).any()
