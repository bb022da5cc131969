"""The Edits panel: what is listed, switched, undone and decided there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.model.selection import Selection
from app.run import commands as cmd
from tests.app.gui_driver import Gui
from tests.app.live import MODEL, Hand, LiveDesk
from tests.app.run.test_sim_thread import wait_for


@pytest.fixture
def desk(gui: Gui, tmp_path: Path) -> Iterator[LiveDesk]:
    """All panels around a simulation of its own."""
    hand = Hand(tmp_path)
    desk = LiveDesk(gui, hand)
    desk.reveal("Edits")
    yield desk
    hand.thread.close()


def test_an_edit_is_switched_off_and_on(desk: LiveDesk) -> None:
    desk.hand.send(cmd.SetField("geom_friction", 0.5, (0,), 0))
    desk.hand.send(cmd.SetField("opt.timestep", 0.001))
    desk.frames()
    assert desk.click("##entry1").model.geom_friction[0, 0] == 1.0  # type: ignore[union-attr]
    assert desk.hand.model.opt.timestep == 0.001
    assert desk.click("##entry1").model.geom_friction[0, 0] == 0.5  # type: ignore[union-attr]


def test_the_buttons_undo_and_redo(desk: LiveDesk) -> None:
    desk.hand.send(cmd.SetField("opt.timestep", 0.001))
    desk.frames()
    desk.click("##undo   Ctrl+Z")
    assert desk.hand.model.opt.timestep == 0.002
    desk.frames()
    desk.click("##redo   Ctrl+Y")
    assert desk.hand.model.opt.timestep == 0.001
    desk.frames()
    desk.click("Reset to file")
    assert desk.hand.model.opt.timestep == 0.002


@pytest.mark.parametrize(("button", "friction"), [("My edit", 0.5), ("The file", 0.7)])
def test_a_clash_with_the_file_is_decided(desk: LiveDesk, tmp_path: Path, button: str, friction: float) -> None:
    desk.hand.send(cmd.SetField("geom_friction", 0.5, (0,), 0))
    changed = MODEL.replace("name='floor'", "name='floor' friction='.7'")
    (tmp_path / "model.xml").write_text(changed)
    shown = wait_for(desk.hand.thread, lambda s: bool(s.journal.clashes))
    # until then, the file's
    assert shown.model is not None and shown.model.geom_friction[0, 0] == 0.7
    desk.frames()
    shown = desk.click(f"##clash1{button}")
    assert shown.model is not None and shown.model.geom_friction[0, 0] == friction
    assert not shown.journal.clashes


def test_a_click_selects_what_was_edited(desk: LiveDesk) -> None:
    desk.hand.send(cmd.SetField("geom_friction", 0.5, (2,), 0))
    assert desk.hand.thread.latest.journal.entries[0].text == "friction of geom box: 1 → 0.5"
    desk.click("##text1")
    assert desk.view.selection == Selection("geom", 2)


def test_a_new_keyframe_is_stored(desk: LiveDesk) -> None:
    desk.reveal("Simulation")
    desk.view.ui.key_name = "up"
    shown = desk.click("Store")
    assert shown.model is not None and shown.model.names["key"] == ("start", "up")
    assert desk.view.ui.key_name == ""
    # a name that is taken stores nothing
    desk.view.ui.key_name = "up"
    assert desk.click("Store").run.problem is None
    assert len(desk.hand.thread.latest.journal.entries) == 1
