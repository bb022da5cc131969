"""Every control explains itself: the pointer rests on each item of each panel, and a tooltip has to be there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

import sim
from app.files import browse
from app.instruments.lens.reasons import why_awake
from app.model.editable import BY_PATH, rows_of
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.run_state import Progress, RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.plots import Watch
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window import layout
from app.window.overlays.overlays import overlays
from app.window.panel_list import panels
from app.window.panels.inspector.panel import READOUTS
from app.window.panels.status import status_line
from app.window.panels.toolbar import toolbar
from sim.enums import JNT_FREE, JNT_HINGE
from tests.app.gui_driver import ITEMS, Gui
from tests.app.live import MODEL

SIZE = (1500.0, 2600.0)
WINDOW = imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_title_bar


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    """A model of everything, with a contact, an island and constraint rows."""
    model: Any = sim.loads(MODEL)
    data = sim.Data(model)
    sim.step(model, data, 3)
    return Snapshot(1, RunState(path="robot.xml", ready=True, paused=True), view_model(model), view_state(data))


@dataclass
class Sheet:
    """One panel on a window that is as large as the display."""

    gui: Gui
    snapshot: Snapshot
    view: ViewState = field(default_factory=ViewState)

    def alone(self, panel: Callable[..., Any], *rest: Any) -> Callable[[], None]:
        """A function that draws the panel and nothing else."""
        self.gui.io.display_size = imgui.ImVec2(*SIZE)

        def draw() -> None:
            imgui.set_next_window_pos((0, 0))
            imgui.set_next_window_size(SIZE)
            imgui.begin("sheet", None, WINDOW)
            panel(self.snapshot, self.view, *rest)
            imgui.end()

        return draw

    def over(self) -> Callable[[], None]:
        """A function that draws what lies over the picture."""
        self.gui.io.display_size = imgui.ImVec2(*SIZE)
        return lambda: overlays(self.snapshot, self.view, ignore, ignore, Rect(0, 0, *SIZE))


# how ImGui's functions for things to click on, drag or type into are called
INTERACTIVE = re.compile(
    r"\w*button|checkbox\w*|radio\w*|(begin_)?combo|drag_\w+|v?_?slider_\w+|input_\w+|color_(edit|picker)\w+|tree_node\w*"
    r"|collapsing_header|selectable|list_box|menu_item\w*|begin_menu|begin_tab_item|text_link\w*|table_header"
)


def test_every_kind_of_control_is_looked_at() -> None:
    sources = Path(layout.__file__).parent.rglob("*.py")
    used = {name for path in sources for name in re.findall(r"imgui\.(\w+)\(", path.read_text(encoding="utf-8"))}
    assert len(used) > 50
    assert {name for name in used if INTERACTIVE.fullmatch(name)} <= set(ITEMS)


def ignore(_: object) -> None:
    """Nothing is done."""


@pytest.fixture
def sheet(gui: Gui, snapshot: Snapshot) -> Sheet:
    """A sheet for the model."""
    return Sheet(gui, snapshot)


@pytest.mark.parametrize("search", ["", "e"])
@pytest.mark.parametrize("panel", panels(), ids=lambda panel: panel.name)
def test_every_panel(sheet: Sheet, panel: layout.Panel, search: str) -> None:
    view = sheet.view
    view.ui.search = view.ui.visual_search = view.ui.tree_search = search
    view.plots.watches = [Watch("d.qpos[2]")]
    view.options.body_bvh = True
    assert not sheet.gui.unexplained(sheet.alone(panel.draw, ignore))
    # nothing is selected that could be inspected
    assert bool(sheet.gui.visible) is (panel.name not in ("Inspector", "Forces", "Lockstep"))


def test_what_is_in_a_section_is_said(sheet: Sheet) -> None:
    sheet.view.ui.search = "actuator gr"
    physics = next(panel for panel in panels() if panel.name == "Physics")
    draw = sheet.alone(physics.draw, ignore)
    sheet.gui.frame(draw, 3)
    before = sheet.gui.texts.count("actuator groups")
    sheet.gui.point_at(draw, sheet.gui.rects["Flags"])
    assert sheet.gui.texts.count("actuator groups") == before + 1


@pytest.mark.parametrize("kind", READOUTS)
def test_the_inspector_of_every_kind(sheet: Sheet, kind: str) -> None:
    sheet.view.select(kind, 1 if kind in ("body", "geom") else 0)
    inspector = next(panel for panel in panels() if panel.name == "Inspector")
    draw = sheet.alone(inspector.draw, ignore)
    assert not sheet.gui.unexplained(draw)
    assert len(sheet.gui.visible) > 1


def test_what_turning_it_up_does_is_said_with_the_unit_of_the_joint(sheet: Sheet) -> None:
    inspector = next(panel for panel in panels() if panel.name == "Inspector")
    model: Any = sheet.snapshot.model
    damping = BY_PATH["dof_damping"]
    for joint, unit in ((0, "N·m·s/rad for rotation, N·s/m for translation"), (2, "N·m·s/rad")):
        assert model.jnt_type[joint] == (JNT_FREE if joint == 0 else JNT_HINGE)
        sheet.view.select("joint", joint)
        draw = sheet.alone(inspector.draw, ignore)
        sheet.gui.frame(draw, 3)
        sheet.gui.point_at(draw, sheet.gui.rects[f"##dof_damping{rows_of(damping, model, joint)}"])
        words = next(text for text in sheet.gui.texts if text.startswith("joint/damping")).splitlines()
        assert words[0].endswith(f"[{unit}]")
        assert words[1:3] == [damping.meaning, "Higher: motion dies out faster."]


@pytest.mark.parametrize(("opener", "button"), [("", 0), ("Open##menu", 0), ("##record", 1)])
def test_the_toolbar_and_its_menus(sheet: Sheet, opener: str, button: int) -> None:
    draw = sheet.alone(toolbar, ignore, ignore)
    sheet.gui.frame(draw)
    before = set(sheet.gui.visible)
    if opener:
        sheet.gui.click(draw, opener, button)
        assert sheet.gui.visible - before
    unexplained = sheet.gui.unexplained(draw)
    # below a menu nothing is explained
    assert not (set(unexplained) - before if opener else unexplained)


def test_policies_of_sleep(sheet: Sheet) -> None:
    islands = next(panel for panel in panels() if panel.name == "Islands")
    draw = sheet.alone(islands.draw, ignore)
    sheet.gui.frame(draw, 3)
    before = set(sheet.gui.visible)
    sheet.gui.click(draw, "##policy")
    assert sheet.gui.visible - before
    assert not set(sheet.gui.unexplained(draw)) - before


def test_reasons_that_a_column_cuts_off(sheet: Sheet) -> None:
    islands = next(panel for panel in panels() if panel.name == "Islands")
    draw = sheet.alone(islands.draw, ignore)
    sheet.gui.frame(draw, 3)
    assert sheet.snapshot.model is not None
    assert sheet.snapshot.state is not None
    reason = why_awake(sheet.snapshot.model, sheet.snapshot.state, 0)
    sheet.gui.point_at(draw, sheet.gui.text_rects[reason])
    assert sheet.gui.tooltips
    assert sheet.gui.texts.count(reason) > 1


OVERLAYS: dict[str, Callable[[Sheet], None]] = {
    "manual": lambda sheet: sheet.view.ui.manual.toggle(),
    "gallery": lambda sheet: setattr(sheet.view.ui, "show_gallery", True),
    "palette": lambda sheet: setattr(sheet.view.ui, "show_palette", True),
    "file dialog": lambda sheet: setattr(sheet.view.ui, "browse", browse.begin(str(Path(__file__)))),
    "problem": lambda sheet: _run(sheet, problem=Problem("robot.xml cannot be opened", "line 3", 41)),
    "progress": lambda sheet: _run(sheet, progress=Progress("compiling", 3, 12)),
}


def _run(sheet: Sheet, **changes: Any) -> None:
    sheet.snapshot = replace(sheet.snapshot, run=replace(sheet.snapshot.run, **changes))


BEHIND = re.compile("##(axes of the camera|tool .*|snap)$")


@pytest.mark.parametrize("name", OVERLAYS)
def test_what_lies_over_the_picture(sheet: Sheet, name: str) -> None:
    OVERLAYS[name](sheet)
    draw = sheet.over()
    # a dialog keeps the pointer from what is behind it
    silent = [label for label in sheet.gui.unexplained(draw) if not (sheet.view.asks and BEHIND.search(label))]
    assert silent == []
    assert sheet.gui.visible


def test_words_of_the_status_line_that_are_cut(sheet: Sheet) -> None:
    _run(sheet, problem=Problem("a very long name of a model " * 20, "line 3"))
    draw = sheet.alone(status_line, ignore)
    sheet.gui.frame(draw, 2)
    assert not sheet.gui.tooltips
    (cut,) = (text for text in sheet.gui.texts if text.endswith("…"))
    sheet.gui.point_at(draw, sheet.gui.text_rects[cut])
    assert sheet.gui.tooltips
    assert f"{sheet.snapshot.run.problem.title}\nline 3" in sheet.gui.texts


def test_warnings_in_the_status_line(sheet: Sheet) -> None:
    texts = ("nothing sleeps with RK4", "many words about a model " * 20)
    _run(sheet, warnings=texts)
    sheet.view.feedback.message = "saved robot.xml"
    sent: list[object] = []
    draw = sheet.alone(status_line, sent.append)
    sheet.gui.frame(draw, 2)
    (cut,) = (text for text in sheet.gui.texts if text.endswith("…"))
    assert "many words" in cut
    assert "saved robot.xml" in sheet.gui.texts
    left, top, right, bottom = sheet.gui.text_rects[cut]
    sheet.gui.point_at(draw, (left, top, right, bottom))
    assert "\n".join((*texts, "click to dismiss all")) in sheet.gui.texts
    sheet.gui.click_at(draw, (left + right) / 2, (top + bottom) / 2)
    assert sent == [cmd.DismissWarnings()]
