"""Cards about changed kernels: one line with an undo, an error that stays, and why a restart is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from app.view.input import session_actions
from app.view.input.desk import Action
from app.view.session.kernel_watch import KernelNews
from app.view.view_state import ViewState
from app.window.overlays.notices import kernel_card, kernel_fault_card, source_card
from tests.app.gui_driver import Gui

FAULT = "sim/math/vec.py:12: in helper sim.math.vec.dot3: `c` is not defined."


class Shown:
    """A card, and the actions of its buttons."""

    def __init__(self, gui: Gui, card: Callable[..., None], **news: str) -> None:
        self.gui, self._card, self.view = gui, card, ViewState()
        self.view.feedback.kernels = KernelNews(1, **news)  # type: ignore[arg-type]
        self.did: list[Action] = []
        gui.io.display_size = imgui.ImVec2(1000, 700)
        gui.frame(self.draw, 3)

    def draw(self) -> None:
        self._card(self.view, self.did.append, (500.0, 600.0))


def test_what_was_taken_up_can_be_undone(gui: Gui) -> None:
    shown = Shown(gui, kernel_card, taken="took up stages/solver/newton.py: newton, 2.1 s")
    assert any("took up stages/solver/newton.py" in text for text in gui.texts)
    gui.click(shown.draw, "Go back")
    assert shown.did == [session_actions.old_kernels]
    shown = Shown(gui, kernel_card, left="went back: stages/solver/newton.py as saved is not in use")
    gui.click(shown.draw, "Load again")
    assert shown.did == [session_actions.new_kernels]


def test_an_error_stays_until_it_is_dismissed(gui: Gui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "vec.py"
    file.write_text("")
    shown = Shown(gui, kernel_fault_card, fault=FAULT, place=f"{file}:12")
    assert FAULT in gui.texts
    assert any("old kernels stay in use" in text for text in gui.texts)
    opened: list[Any] = []
    monkeypatch.setattr("app.run.log.links.FileLine.open", lambda line: opened.append(line))
    gui.click(shown.draw, "Open file##kernels")
    assert [str(line) for line in opened] == [f"{file}:12"]
    gui.click(shown.draw, "Dismiss##kernels")
    assert shown.did == [session_actions.dismiss_kernels]


def test_the_card_of_a_restart_says_why(gui: Gui) -> None:
    shown = Shown(gui, source_card, fault=FAULT, restart="sim/math/vec.py")
    shown.view.feedback.changed_source = "sim/math/vec.py"
    gui.frame(shown.draw, 2)
    assert FAULT in gui.texts
    shown.view.feedback.changed_source = "app/window/layout.py"
    gui.frame(shown.draw, 1)
    assert FAULT not in gui.texts
    gui.click(shown.draw, "Later")
    assert shown.view.feedback.changed_source == ""
    assert shown.did == [session_actions.dismiss_kernels]
