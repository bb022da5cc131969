"""The Breakpoints panel around a live simulation: adding, editing, switching, going to a hit."""

from __future__ import annotations

import pytest
from imgui_bundle import icons_fontawesome_6 as icons

from app.instruments.breakpoints.open import break_button
from app.instruments.breakpoints.panel import breakpoints_panel
from app.instruments.breakpoints.values import BreakQuestion
from app.run import commands as cmd
from app.run.history.breakpoints import Breakpoint
from app.run.snapshot import Snapshot
from app.view.input import breakpoint_actions
from tests.app.gui_driver import Gui
from tests.app.instruments.contact.test_panel import Bench
from tests.app.live import Hand

FALLS = 'touching("body:ball", "floor")'


@pytest.fixture
def bench(gui: Gui, hand: Hand) -> Bench:
    """The panel, without breakpoints."""
    hand.thread.send(cmd.SetBreakpoints(()))
    hand.restart()
    made = Bench(gui, hand)
    made.view.instruments.open("Breakpoints")
    made.frames(5)
    return made


def shown(snapshot: Snapshot) -> list[tuple[str, bool]]:
    return [(point.expression, point.on) for point in snapshot.run.breakpoints]


def watch(bench: Bench, *expressions: str) -> None:
    bench.hand.send(cmd.SetBreakpoints(tuple(Breakpoint(k, text) for k, text in enumerate(expressions, 1))))
    bench.frames()


def test_it_says_what_to_do_first(bench: Bench) -> None:
    assert any(text.startswith("Nothing is watched yet") for text in bench.gui.texts)
    assert not bench.asked


def test_numbers_of_the_moment_that_is_shown(bench: Bench) -> None:
    watch(bench, "d.time < 9 and d.qpos[2] > 0.5", 'touching("bell")')
    assert bench.asked == {BreakQuestion(("d.time < 9 and d.qpos[2] > 0.5", 'touching("bell")'))}
    bench.answer()
    assert "0, 1" in bench.gui.texts
    assert any("did you mean" in text for text in bench.gui.texts)
    # a moment of the past too
    bench.hand.send(cmd.StepOnce(500))
    bench.hand.send(cmd.GoTo(250))
    bench.answer()
    assert any(text.startswith("0.5, ") for text in bench.gui.texts)


def test_switch_and_remove(bench: Bench) -> None:
    watch(bench, "d.time > 1", "d.time > 2")
    assert shown(bench.click("##on")) in ([("d.time > 1", False), ("d.time > 2", True)],
                                          [("d.time > 1", True), ("d.time > 2", False)])  # fmt: skip
    assert [on for _, on in shown(bench.click("all"))] == [False, False]
    assert [on for _, on in shown(bench.click("all"))] == [True, True]
    assert len(shown(bench.click("remove"))) == 1


def test_a_hit_is_a_link(bench: Bench) -> None:
    watch(bench, "d.time >= 0.1")
    bench.hand.send(cmd.StepOnce(100))
    bench.hand.send(cmd.StepOnce(30))
    bench.frames()
    assert "1" in bench.gui.texts
    assert bench.click("0.1000").run.history.now == 50


def test_presets_of_the_selection(bench: Bench) -> None:
    bench.view.select("body", 1)
    bench.frames()
    bench.click(f"{icons.ICON_FA_PLUS} Add")
    bench.frames()
    assert "body ball" in bench.gui.texts
    assert shown(bench.click('contact begins##touching("')) == [('touching("body:ball")', True)]


def test_the_inspector_offers_what_one_can_wait_for(bench: Bench) -> None:
    bench.view.prefs.instruments = []
    bench.view.select("actuator", 0)
    bench.frames(5)
    bench.click("Pause when")
    bench.frames()
    assert shown(bench.click("saturates")) == [('saturation("motor") >= 1', True)]
    bench.frames()
    assert "Breakpoints" in bench.view.prefs.instruments
    # chosen again, it is not watched twice
    breakpoint_actions.add_breakpoint(bench.hand.thread.latest.run.breakpoints, 'saturation("motor") >= 1',
                                      bench.hand.thread.send)  # fmt: skip
    assert len(shown(bench.hand.settle())) == 1


def test_a_hit_selects_and_turns_the_camera(bench: Bench) -> None:
    watch(bench, FALLS)
    stopped = bench.hand.send(cmd.StepOnce(1000))
    breakpoint_actions.show_hit(bench.view, stopped.run.hit)
    assert bench.view.selection is not None and bench.view.selection.kind == "contact" and bench.view.fly
    assert not bench.view.feedback.announce_selection
    breakpoint_actions.show_hit(bench.view, None)


def test_without_a_model_there_is_nothing_to_wait_for(bench: Bench) -> None:
    """The panel and the inspector's menu before a model is loaded."""
    empty = Snapshot(0, bench.hand.thread.latest.run)
    bench.view.select("body", 1)

    def draw() -> None:
        breakpoints_panel(empty, bench.view, bench.hand.thread.send)
        break_button(empty, bench.view, bench.hand.thread.send)

    bench.gui.frame(draw)
    assert not any(label.startswith("Pause when") for label in bench.gui.rects)
