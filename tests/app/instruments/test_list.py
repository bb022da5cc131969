"""The list of instruments is all that knows them: one line adds an instrument everywhere, without it nothing offers it.

The instrument that is added is made up: a folder outside of the project that is put on the path of the package.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

import app.__main__
import app.instruments
import sim
from app.instruments import FOLDERS, instruments
from app.instruments.threads import Background
from app.manual.pages import panel_place, place_title
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.view_state import ViewState
from app.window import layout
from app.window.overlays.palette.entries import entries
from app.window.panel_list import panels
from tests.app.gui_driver import Gui
from tests.app.live import MODEL

SIZE = (1900.0, 1300.0)
MADE_UP = {
    "__init__.py": '"""An instrument that a test has made up."""\n',
    "instrument.py": """
from app.instruments.made_up.panel import draw
from app.instruments.made_up.state import MadeUpState, MadeUpWorker
from app.instruments.entry import Instrument

INSTRUMENT = Instrument(
    "Made up", "right below", draw, "conjured", question="is it there?", worker=(MadeUpState, MadeUpWorker)
)
""",
    "panel.py": """
from app.instruments.made_up.state import MadeUpState
from app.ui.widgets import note

def draw(snapshot, view, send):
    note(f"found {view.of(MadeUpState).ask()}")
""",
    "state.py": """
from dataclasses import dataclass, field
from types import SimpleNamespace

@dataclass
class MadeUpState:
    found: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(version=0, text="nothing"))
    asked: str = ""

    def ask(self):
        self.asked = "question"
        return self.found.text

    def take_request(self):
        asked, self.asked = self.asked, ""
        return asked or None

class MadeUpWorker:
    def __init__(self, send):
        self.latest, self.wanted = SimpleNamespace(version=0, text="nothing"), []

    def want(self, request):
        self.wanted.append(request)

    def start(self):
        self.latest = SimpleNamespace(version=1, text="everything")

    def close(self):
        self.latest = SimpleNamespace(version=2, text="closed")
""",
    "command.py": '''
"""Say that it is made up.

And nothing else.
"""

def add_arguments(parser):
    parser.add_argument("--loud", action="store_true", help="in capital letters")

def run(options):
    print("MADE UP" if options.loud else "made up")
    return 7
''',
}  # fmt: skip
# what leads to an instrument under another label than its name
LABELS = {
    "A/B": {"Compare", "Compare in A/B", "Compare without it"},
    "Breakpoints": {"Pause when..."},
    "Cameras": {"Camera images"},
    "Contact": {"Microscope"},
    "Energy": {"sources and sinks"},
    "Lens": {"Why awake"},
    "Solver": {"Step through iterations"},
}


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The list may be changed: it is read again, and once more after the test."""
    instruments.cache_clear()
    with monkeypatch.context() as patch:
        yield patch
    instruments.cache_clear()


@pytest.fixture
def made_up(listed: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A folder with an instrument, and its line in the list."""
    folder = tmp_path / "made_up"
    folder.mkdir()
    for name, text in MADE_UP.items():
        (folder / name).write_text(text.lstrip())
    listed.setattr(app.instruments, "__path__", [*app.instruments.__path__, str(tmp_path)])
    listed.setitem(FOLDERS, "made_up", "conjure")
    yield
    for name in [name for name in sys.modules if name.startswith("app.instruments.made_up")]:
        del sys.modules[name]


@dataclass
class Shown:
    """The whole window on a model of everything."""

    gui: Gui
    view: ViewState = field(default_factory=ViewState)

    def __post_init__(self) -> None:
        model: Any = sim.loads(MODEL)
        data = sim.Data(model)
        sim.step(model, data, 3)
        run = RunState(path="robot.xml", ready=True, paused=True)
        self.snapshot = Snapshot(1, run, view_model(model), view_state(data))
        self.gui.io.display_size = imgui.ImVec2(*SIZE)
        self.view.prefs.show_bottom = True
        # Physics has a section that is called Solver too
        self.view.ui.search = "gravity"

    def draw(self) -> None:
        layout.draw(self.snapshot, self.view, lambda _: None, lambda _: None)

    def palette(self) -> set[str]:
        """The lines of the palette, and their groups."""
        found = entries(self.snapshot, self.view, lambda _: None, lambda _: None)
        return {entry.title for entry in found} | {entry.group for entry in found}

    def labels(self) -> set[str]:
        """Labels of all items in the window, whichever tabs are in front and whatever is selected."""
        found: set[str] = set()
        for panel in panels():
            self.view.ui.reveal = panel.name
            self.gui.frame(self.draw, 4)
            found |= {part.strip() for label in self.gui.rects for part in label.split("##")[0].split("  ")}
        for kind in ("body", "joint", "contact", "tree", "geom"):
            self.view.select(kind, 1 if kind in ("body", "geom") else 0)
            self.gui.frame(self.draw, 4)
            found |= {label.split("##")[0] for label in self.gui.rects}
        return found


def test_one_line_adds_an_instrument(made_up: None, gui: Gui, capsys: pytest.CaptureFixture[str]) -> None:
    shown = Shown(gui)
    view, background = shown.view, Background(lambda _: None)
    gui.frame(shown.draw, 5)
    # menu of the toolbar, and palette
    gui.click(shown.draw, "##instruments")
    assert any(label.startswith("Made up") for label in gui.rects)
    assert "open Made up" in shown.palette()
    # panel, thread, and its page of the manual, which is missing
    view.instruments.open("Made up")
    gui.frame(shown.draw, 4)
    assert "found nothing" in gui.texts
    assert view.prefs.instruments == ["Made up"]
    assert background.news(view)
    background.begin_frame(view, shown.snapshot)
    gui.frame(shown.draw)
    assert "found everything" in gui.texts
    background.end_frame(view, shown.snapshot)
    (worker,) = [worker for state, worker in background.workers.items() if state.__name__ == "MadeUpState"]
    assert worker.wanted == ["question"]  # type: ignore[attr-defined]
    background.close()
    assert worker.latest.text == "closed"
    view.ui.manual.pointed = "Made up"
    view.ui.manual.toggle()
    gui.frame(shown.draw, 3)
    assert view.ui.manual.open
    pages = view.ui.manual.pages
    assert place_title(panel_place("Made up", pages), pages) == ""
    # command line
    main = runpy.run_path(str(Path(app.__main__.__file__)))["main"]
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "  conjure: Say that it is made up" in capsys.readouterr().out
    assert main(["conjure", "--loud"]) == 7
    assert capsys.readouterr().out == "MADE UP\n"


@pytest.mark.parametrize("folder", [*FOLDERS])
def test_nothing_offers_an_instrument_that_is_not_listed(listed: pytest.MonkeyPatch, gui: Gui, folder: str) -> None:
    (name,) = [entry.name for entry in instruments().values() if entry.draw.__module__.split(".")[2] == folder]
    instruments.cache_clear()
    listed.delitem(FOLDERS, folder)
    shown = Shown(gui)
    # it was open when the settings were saved, and something asks for it
    shown.view.prefs.instruments = [name, *instruments()]
    shown.view.instruments.open(name)
    labels = shown.labels()
    assert not shown.view.feedback.faults
    assert shown.view.ui.reveal != name
    assert not labels & ({name} | LABELS.get(name, set()))
    assert not shown.palette() & {f"open {name}", name}
    background = Background(lambda _: None)
    background.begin_frame(shown.view, shown.snapshot)
    background.end_frame(shown.view, shown.snapshot)
    background.close()
