"""Panels from a file: marked functions, reloads, errors (app/view/script/panel_file.py)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sim
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.rect import Rect
from app.view.script.layer import ScriptLayer
from app.view.script.panel_file import PanelFile, PanelView, panel
from app.view.view_state import ViewState
from app.window.overlays.script.layer import panel_files
from tests.app.gui_driver import Gui

HEAD = "from imgui_bundle import imgui\nfrom app.view.script.panel_file import overlay, panel\n"
GOOD = (
    HEAD + "@panel('Height')\ndef height(view):\n"
    "    keep['calls'] = keep.get('calls', 0) + 1\n"
    "    imgui.text(f'{view.d.xpos[1, 2]:.1f} m')\n"
)
DRAWS = (
    HEAD + "@overlay\ndef marks(view):\n    view.trail('ball', view.d.xpos[1])\n    view.ghost(view.d, (1, 0, 0))\n"
    "    view.send('command')\n"
)


class Shown:
    """A window's frames with a file of panels."""

    def __init__(self, gui: Gui, path: Path) -> None:
        m = sim.loads("<mujoco><worldbody><body pos='0 0 2'><joint/><geom size='.1'/></body></worldbody></mujoco>")
        self.data = sim.Data(m)
        sim.forward(m, self.data)
        self.gui, self.path = gui, path
        self.layer, self.view, self.sent = ScriptLayer(), ViewState(), list[object]()
        self.snapshot = Snapshot(1, RunState(), view_model(m), view_state(self.data))

    def write(self, text: str) -> None:
        """Save the file; what the watcher notices is told."""
        self.path.write_text(text)
        if not self.layer.panel_files:
            self.layer.panel_files.append(PanelFile(self.path))
        self.layer.panel_files[0].stale = True

    def frames(self, count: int = 6) -> list[PanelView]:
        """Draw; what the last frame adds to the view, and the texts of the last frame."""
        self.gui.texts.clear()
        rect = Rect(0, 0, 800, 600)
        found: list[PanelView] = self.gui.frame(
            lambda: panel_files(self.layer, self.snapshot, self.view, self.sent.append, rect), count
        )
        return found


@pytest.fixture
def shown(gui: Gui, tmp_path: Path) -> Iterator[Shown]:
    """A window."""
    made = Shown(gui, tmp_path / "mine.py")
    yield made
    made.layer.close()


def test_a_panel_is_drawn_and_read_again_and_keeps_what_it_kept(shown: Shown) -> None:
    shown.write(GOOD)
    shown.frames()
    assert "2.0 m" in shown.gui.texts
    file = shown.layer.panel_files[0]
    calls = file.keep["calls"]
    assert calls > 0
    shown.write(GOOD.replace(" m'", " metres'"))
    shown.frames(1)
    assert "2.0 metres" in shown.gui.texts
    assert file.keep["calls"] == calls + 1
    assert not file.stale


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + "def broken(:\n", "mine.py, line 7: SyntaxError"),
        (GOOD + "x = 1\ny = x / 0\n", "mine.py, line 8: ZeroDivisionError: division by zero"),
        (GOOD + "@panel\ndef f(view): pass\n", 'line 7: TypeError: a panel needs a title: @panel("Title")'),
        (HEAD, "mine.py: no function is decorated"),
        ("import sys\nsys.exit(1)\n", "mine.py, line 2: SystemExit"),
    ],
)
def test_a_broken_file_says_where_and_its_version_before_stays(shown: Shown, text: str, said: str) -> None:
    shown.write(GOOD)
    shown.frames()
    shown.write(text)
    shown.frames(2)
    assert any(said in line for line in shown.gui.texts)
    # a file without a panel has no version to keep; all others have
    assert ("2.0 m" in shown.gui.texts) is (text != HEAD)
    shown.write(GOOD)
    shown.frames(1)
    assert not shown.layer.panel_files[0].error
    assert "2.0 m" in shown.gui.texts


def test_a_panel_that_fails_says_where_until_it_is_mended(shown: Shown) -> None:
    shown.write(GOOD.replace("xpos[1, 2]", "xpos[1, 7]"))
    shown.frames()
    assert any("mine.py, line 6: IndexError" in text for text in shown.gui.texts)
    shown.write(GOOD)
    shown.frames(2)
    assert "2.0 m" in shown.gui.texts


def test_overlays_draw_into_the_view_and_send_commands(shown: Shown) -> None:
    shown.write(DRAWS)
    shown.frames()
    assert shown.sent
    assert shown.snapshot.model is not None
    shown.data.time, shown.data.xpos[1] = 1.0, (1.0, 0.0, 2.0)
    shown.snapshot = Snapshot(2, RunState(), shown.snapshot.model, view_state(shown.data))
    (added,) = shown.frames(1)
    assert [np.asarray(line.pos).tolist() for line in added.geoms] == [[0.0, 0.0, 2.0]]
    assert [ghost.colour for ghost in added.ghosts] == [(1.0, 0.0, 0.0)]


def test_a_file_that_is_missing_opens_when_it_is_there(shown: Shown) -> None:
    file = PanelFile(shown.path)
    shown.layer.panel_files.append(file)
    assert file.error == "mine.py: FileNotFoundError: No such file or directory"
    shown.write(GOOD)
    shown.frames()
    assert not file.error


def test_a_panel_needs_a_title() -> None:
    with pytest.raises(TypeError, match="needs a title"):
        panel("")
