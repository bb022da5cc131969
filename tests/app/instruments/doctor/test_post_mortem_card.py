"""The card about a divergence: leads back, names culprits, tries fixes, and leaves room for the view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from imgui_bundle import imgui

from app.instruments.doctor.divergence_examiner import Examined
from app.instruments.doctor.panel.post_mortem_card import MOST_HEIGHT
from app.instruments.doctor.post_mortem_state import PostMortemState
from app.model.selection import Selection
from app.run import commands as cmd
from app.window.exporting import report_moment
from tests.app.gui_driver import Gui
from tests.app.instruments.doctor.exploding import arm
from tests.app.live import Hand, LiveDesk
from tests.app.run.test_sim_thread import wait_for


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    """One simulation for all tests here."""
    hand = Hand(tmp_path_factory.mktemp("card"), arm(servo="kp='2000'"))
    yield hand
    hand.thread.close()


@pytest.fixture
def desk(gui: Gui, loaded: Hand) -> LiveDesk:
    """A run that has diverged, paused, and the window around it."""
    loaded.restart()
    loaded.send(cmd.StepOnce(100))
    loaded.send(cmd.SetData("ctrl", 2, (0.3,)))
    loaded.send(cmd.StepOnce(60))
    return LiveDesk(gui, loaded)


def height() -> float:
    """Of the card."""
    window = imgui.internal.find_window_by_name("##problem")
    return float(window.size.y) if window is not None and window.was_active else 0.0


def test_back_to_the_last_sane_step(desk: LiveDesk) -> None:
    desk.frames()
    assert "searching for the cause …" in desk.gui.texts
    found = desk.examine()
    assert "searching for the cause …" not in desk.gui.texts
    shown = desk.click("Back to the last sane step").run.history
    assert shown.now == found.sane
    assert 90 <= shown.now <= 102
    # the camera turns to the culprit, the servo of the wrist
    desk.frames()
    assert desk.view.selection == Selection("actuator", 2)
    assert desk.view.fly
    # the card stays
    desk.frames()
    assert height() > 0


def test_a_culprit_is_a_link_to_its_element(desk: LiveDesk) -> None:
    found = desk.examine().found
    assert found is not None
    title = found.findings[0].title
    assert title.startswith("actuator wrist: stiffness 2e+03 N·m/rad on an inertia of 0.000151 kg·m² is 13.2")
    left, top, right, bottom = desk.gui.text_rects[title[:1].upper() + title[1:]]
    desk.gui.click_at(desk.draw, (left + right) / 2, (top + bottom) / 2)
    assert desk.view.selection == Selection("actuator", 2)


def test_fixes_are_tried_in_the_background(desk: LiveDesk) -> None:
    desk.examine()
    desk.click("Try the fixes")
    desk.frames(1)
    tried = desk.examine()
    survived = sum(verdict.survived for verdict in tried.verdicts)
    assert 0 < survived < len(tried.verdicts)
    desk.frames(1)
    assert f"{survived} of {len(tried.verdicts)} fixes hold" in desk.gui.texts
    assert sum(text == "survived" for text in desk.gui.texts) == survived
    assert any(text.startswith("diverged at ") for text in desk.gui.texts)


def test_try_lets_the_run_go_on_from_a_second_before(desk: LiveDesk) -> None:
    found = desk.examine()
    branch = desk.hand.thread.latest.run.history.branch
    desk.gui.click(desk.draw, "try##lower kp from 2e+03 to 38")
    shown = wait_for(
        desk.hand.thread, lambda s: s.run.history.branch != branch and s.run.history.now > found.start + 10
    )
    assert not shown.run.paused
    assert shown.run.history.find(branch).last == 160
    # out of the way, but not gone
    desk.frames()
    assert desk.view.of(PostMortemState).folded
    assert 0 < height() < 60
    desk.hand.send(cmd.SetPaused(True))


def test_it_can_be_folded_copied_and_dismissed(desk: LiveDesk) -> None:
    copied: list[str] = []
    imgui.get_platform_io().platform_set_clipboard_text_fn = lambda _, text: copied.append(text)
    desk.examine()
    high = height()
    desk.click("##Copy")
    assert "1. actuator wrist: stiffness 2e+03" in copied[0]
    assert "   - lower kp from 2e+03 to 38" in copied[0]
    desk.click("##fold")
    desk.frames(2)
    assert height() < 0.3 * high
    desk.click("##fold")
    desk.click("##Dismiss")
    desk.frames(2)
    assert height() == 0


def test_it_can_be_reported(desk: LiveDesk) -> None:
    desk.examine()
    desk.click("Report")
    desk.frames(1)
    assert desk.acted == [report_moment]


def test_instruments_are_one_click_away(desk: LiveDesk) -> None:
    desk.examine()
    opened: list[str] = []
    desk.view.instruments.open = lambda name, about="": opened.append(name)  # type: ignore[method-assign]
    desk.view.deselect()
    desk.click("Doctor")
    assert desk.view.selection is None
    desk.click("Forces")
    assert opened == ["Doctor", "Forces"]
    # of the first culprit
    found = desk.view.of(PostMortemState).found.found
    assert found is not None and desk.view.selection == found.findings[0].selection


@pytest.mark.parametrize("size", [(1500, 950), (1000, 700), (700, 420), (480, 320)])
def test_the_view_keeps_its_room(desk: LiveDesk, size: tuple[float, float]) -> None:
    desk.view.prefs.show_bottom = False
    desk.gui.io.display_size = size  # type: ignore[assignment]
    desk.examine()
    desk.frames(4)
    window = imgui.internal.find_window_by_name("##problem")
    assert window is not None
    assert window.pos.x >= 0
    assert window.pos.x + window.size.x <= size[0] + 1
    # where that is too little for title and buttons, these stay
    assert height() <= max(MOST_HEIGHT * desk.rect.height, 12 * 15)
    desk.click("##Dismiss")
    assert desk.hand.thread.latest.run.problem is None


def test_steps_of_a_script_are_said_to_be_that(desk: LiveDesk) -> None:
    found = desk.examine()
    desk.examiner.latest = Examined(found.case, found.found, same_inputs=False)
    desk.frames(2)
    assert any("A script made these steps" in text for text in desk.gui.texts)
