"""The Solver instrument: what it says, steps, freezes, selects and sends; nothing is unexplained."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.background.probe import Answer, Answers, Moment
from app.instruments.contact.panel import contact_panel
from app.instruments.solver.panel.cells import OUTLINE, cells_image, matrix_image, rgba, select_row
from app.instruments.solver.panel.compare import RESULTS, SETTINGS, short
from app.instruments.solver.panel.force import force_arrows
from app.instruments.solver.panel.panel import PARTS, island_text, solver_panel
from app.instruments.solver.state import SolverState
from app.model.selection import Selection
from app.run.commands import Command, GoTo, SetField
from app.run.history.taken_rows import TakenMoment
from app.run.history.timeline import Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.scene.decor.user_geoms import ARROW
from app.ui import theme
from app.view.view_state import ViewState
from app.window.panels.constraint_rows import rows_panel
from app.window.panels.islands import islands_panel
from sim.analysis.solver.row_table import row_table
from sim.analysis.solver.study import Study, study_step
from sim.enums import SOL_CG
from sim.script.model_edits import edits_of
from tests.app.gui_driver import Gui
from tests.sim.analysis.solver.test_walk import prepared


@dataclass
class Bench:
    """The panel in a window of its own; questions are answered between frames."""

    gui: Gui
    model: sim.Model
    data: sim.Data
    snapshot: Snapshot
    view: ViewState = field(default_factory=ViewState)
    panel: Any = solver_panel
    sent: list[Command] = field(default_factory=list)
    answers: Answers = field(default_factory=Answers)
    # questions that were answered
    asked: list[object] = field(default_factory=list)
    at: int = 0
    width: float = 360
    height: float = 2400

    def draw(self) -> None:
        self.view.instruments.begin(self.snapshot.model, self.answers)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((self.width, self.height))
        imgui.begin("solver")
        self.panel(self.snapshot, self.view, self.sent.append)
        imgui.end()
        questions = self.view.instruments.end()
        state = sim.copy_state(self.model, self.data)
        taken = TakenMoment(self.model, edits_of(self.model), state, None, 0, self.at, float(self.data.time))
        moment = None
        for question in questions - self.answers.answers.keys():
            moment = moment or Moment(taken, self.model.copy(), sim.Data(self.model))
            self.asked.append(question)
            answer = Answer(question.answer(moment), "", 0, self.at, float(self.data.time))
            identity = self.snapshot.model.identity if self.snapshot.model is not None else None
            self.answers = Answers({**self.answers.answers, question: answer}, identity, self.answers.version + 1)

    def step(self) -> None:
        """The next moment."""
        sim.step(self.model, self.data)
        self.at += 1
        self.answers = Answers()
        run = replace(self.snapshot.run, time=float(self.data.time), history=Timeline())
        self.snapshot = replace(self.snapshot, state=view_state(self.data), run=run)

    def shown(self) -> str:
        """All texts and labels after some frames."""
        self.gui.frame(self.draw, 4)
        return "\n".join([*self.gui.texts, *self.gui.rects])


def render_textures() -> None:
    """What a renderer does with requests about images."""
    fonts = {texture.unique_id for texture in imgui.get_io().fonts.tex_list}
    for texture in imgui.get_platform_io().textures:
        if texture.unique_id in fonts:
            continue
        if texture.status in (imgui.ImTextureStatus.want_create, imgui.ImTextureStatus.want_updates):
            texture.set_tex_id(7)
            texture.status = imgui.ImTextureStatus.ok
        elif texture.status == imgui.ImTextureStatus.want_destroy:
            texture.set_tex_id(0)
            texture.status = imgui.ImTextureStatus.destroyed


@pytest.fixture(autouse=True)
def renderer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Handle textures after each frame."""
    render = imgui.render

    def rendered() -> None:
        render()
        render_textures()

    monkeypatch.setattr(imgui, "render", rendered)


def bench_of(gui: Gui, m: sim.Model, d: sim.Data) -> Bench:
    gui.io.display_size = imgui.ImVec2(1400, 2400)
    snapshot = Snapshot(1, RunState(path="a.xml", ready=True, time=float(d.time)), view_model(m), view_state(d))
    return Bench(gui, m, d, snapshot)


@pytest.fixture
def bench(gui: Gui) -> Bench:
    return bench_of(gui, *prepared("Newton"))


def study_of(bench: Bench) -> Study:
    return study_step(bench.model, bench.data, bench.view.of(SolverState).tree, bench.view.of(SolverState).place)


def test_without_a_model_or_constraints_it_says_so(gui: Gui, bench: Bench) -> None:
    bench.snapshot = Snapshot(1, RunState(), None, None)
    assert "no model" in bench.shown()
    m = sim.loads("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    d = sim.Data(m)
    sim.forward(m, d)
    assert "there is nothing to solve" in bench_of(gui, m, d).shown()


def test_all_parts_with_the_numbers_of_the_walk(bench: Bench) -> None:
    text, study = bench.shown(), study_of(bench)
    assert study.walk is not None and study.island is not None
    assert set(PARTS) <= set(bench.gui.rects)
    assert f"Newton, {study.walk.solver} iterations: {study.walk.ending}" in text
    assert bench.snapshot.model is not None
    words = island_text(bench.snapshot.model, study.island)
    assert words == f"island {study.island.index}: body 1 + 1, {study.island.rows} rows"
    assert f"{study.walk.cost[-1]:.4g}" in bench.gui.texts and f"{study.walk.gradient[-1]:.4g}" in bench.gui.texts
    assert "step size α" in text and "evaluations" in text


def test_steps_back_and_on(bench: Bench) -> None:
    solver = bench.view.of(SolverState)
    bench.shown()
    walk = study_of(bench).walk
    assert walk is not None
    bench.gui.click(bench.draw, "solver back")
    assert solver.at(walk) == len(walk.iterations) - 2
    assert f"{walk.cost[-2]:.4g}" in bench.shown()
    bench.gui.click(bench.draw, "solver on")
    assert solver.iteration is None
    solver.iteration = 0
    assert "warm start" in bench.shown()
    assert "warm start: normal" in bench.shown()


def test_what_is_folded_is_not_computed(bench: Bench) -> None:
    bench.gui.click(bench.draw, "Sparsity")
    bench.asked.clear()
    bench.step()
    bench.shown()
    assert [type(question).__name__ for question in bench.asked] == ["StudyQuestion"]


def test_a_frozen_step_is_not_computed_again(bench: Bench) -> None:
    solver = bench.view.of(SolverState)
    bench.shown()
    time = float(bench.data.time)
    bench.gui.click(bench.draw, "Freeze")
    assert f"frozen at {time:.6g} s, step 0" in bench.shown()
    bench.shown()
    study = solver.frozen
    bench.asked.clear()
    for _ in range(3):
        bench.step()
        bench.shown()
    assert bench.asked == [] and solver.frozen is study
    # moments that are not shown can be gone to
    bench.snapshot = replace(bench.snapshot, run=replace(bench.snapshot.run, history=replace(Timeline(), now=3)))
    bench.gui.click(bench.draw, "Go there")
    assert bench.sent == [GoTo(0, 0)]
    bench.gui.click(bench.draw, "Unfreeze")
    bench.step()
    bench.shown()
    assert solver.frozen is None and bench.asked


def test_a_column_is_added_changed_walked_taken_and_removed(bench: Bench) -> None:
    assert all(result.name in bench.shown() for result in RESULTS)
    bench.gui.click(bench.draw, "Add a column")
    solver = bench.view.of(SolverState)
    assert solver.columns == [(("opt.solver", float(SOL_CG)),)]
    bench.gui.click(bench.draw, "B##walk")
    assert "CG, 20 iterations: it used all of its iterations" in bench.shown()
    solver.change(1, "opt.impratio", 5.0, float(bench.model.opt.impratio))
    bench.gui.click(bench.draw, "Take##1")
    (edit,) = bench.sent
    assert isinstance(edit, SetField) and (edit.path, edit.value) == ("opt.impratio", 5.0)
    assert [(part.path, part.value) for part in edit.also] == [("opt.solver", float(SOL_CG))]
    for path in SETTINGS:
        assert f"##{path}1" in bench.gui.rects
    bench.gui.click(bench.draw, "Remove##1")
    assert solver.columns == [] and solver.walked == 0


def test_a_setting_of_a_column_is_dragged_and_taken_back(bench: Bench) -> None:
    bench.gui.click(bench.draw, "Add a column")
    bench.gui.drag(bench.draw, "##opt.iterations1", 60)
    assert dict(bench.view.of(SolverState).settings(1))["opt.iterations"] > bench.model.opt.iterations
    bench.gui.click(bench.draw, "##opt.iterations1", 1)
    assert "opt.iterations" not in dict(bench.view.of(SolverState).settings(1))


@pytest.mark.parametrize("solver", ["PGS", "CG"])
def test_other_solvers_have_other_numbers(gui: Gui, solver: str) -> None:
    text = bench_of(gui, *prepared(solver, noslip=2)).shown()
    assert ("momentum" in text) == ("dual cost" in text and "no line search" in text) == (solver == "PGS")
    assert "then 2 of noslip" in text


def test_the_island_is_chosen(bench: Bench) -> None:
    bench.shown()
    second = study_of(bench).islands[1]
    bench.gui.click(bench.draw, "##island")
    bench.gui.click(bench.draw, f"##{second.index}")
    assert bench.view.of(SolverState).tree == second.tree
    found = study_of(bench)
    assert found.island == second and found.walk is not None and found.walk.ending in bench.shown()


def test_cells_name_their_rows_and_select(bench: Bench) -> None:
    left, top, _, _ = bench.gui.find(bench.draw, "##states")
    bench.gui.point_at(bench.draw, (left, top, left + 6, top + 6))
    table = study_of(bench).rows
    assert f"row {table.rows[0]}: {table.name(bench.model, 0)}" in "\n".join(bench.gui.texts)
    bench.gui.click_at(bench.draw, left + 3, top + 3)
    kind, index = table.source(bench.model, 0)
    assert bench.view.selection == Selection(kind, index) and bench.view.ui.reveal == ""


def test_entries_name_row_and_column(bench: Bench) -> None:
    for kind, word in (("J", "row"), ("M", "dof"), ("H", "dof")):
        bench.gui.click(bench.draw, kind)
        left, top, _, _ = bench.gui.find(bench.draw, "##matrix")
        bench.gui.point_at(bench.draw, (left, top, left + 4, top + 4))
        text = "\n".join(bench.gui.texts)
        assert f"{word} " in text and f"\n{kind}" in text and "dof 0: " in text
    bench.gui.click_at(bench.draw, left + 2, top + 2)
    assert bench.view.selection == Selection("joint", 0)


def test_a_row_of_a_contact_that_is_gone_selects_the_geom(bench: Bench) -> None:
    table = row_table(bench.data, np.arange(bench.data.nefc))
    row = int(bench.data.contact.efc_address[0])
    select_row(bench.snapshot, bench.view, table, row)
    assert bench.view.selection == Selection("contact", 0)
    nothing = sim.Data(bench.model)
    nothing.qpos[2] = nothing.qpos[9] = 9.0
    sim.forward(bench.model, nothing)
    select_row(replace(bench.snapshot, state=view_state(nothing)), bench.view, table, row)
    assert bench.view.selection is not None and bench.view.selection.kind == "geom"
    assert bench.view.of(SolverState).place is not None


def test_the_arrow_is_the_force_of_the_iteration(bench: Bench) -> None:
    bench.shown()
    study = study_of(bench)
    assert study.contact is not None and study.walk is not None and bench.snapshot.model is not None
    arrows = [geom for geom in bench.view.instruments.geoms if geom.type == ARROW]
    assert len(arrows) == 1
    bench.view.of(SolverState).iteration = 0
    bench.shown()
    assert len([geom for geom in bench.view.instruments.geoms if geom.type == ARROW]) == 2
    longest = max(np.linalg.norm(force[:3]) for force in study.contact.forces)
    for at in range(len(study.walk.iterations)):
        *_, arrow, label = force_arrows(bench.snapshot.model, study.contact, at, 1.0)
        force = study.contact.forces[at, :3] @ study.contact.contact.frame
        assert arrow.pos == pytest.approx(study.contact.contact.position)
        assert np.asarray(arrow.mat).reshape(3, 3)[:, 2] == pytest.approx(force / np.linalg.norm(force), abs=1e-6)
        assert label.label.endswith("N") and np.linalg.norm(force) <= longest
    bench.gui.click(bench.draw, "arrow in the picture")
    bench.shown()
    assert bench.view.instruments.geoms == ()


@pytest.mark.parametrize("solver", ["Newton", "PGS"])
def test_nothing_is_unexplained(gui: Gui, solver: str) -> None:
    bench = bench_of(gui, *prepared(solver))
    bench.view.of(SolverState).add_column((("opt.cone", 0.0),))
    bench.shown()
    assert bench.gui.unexplained(bench.draw) == []


def test_a_state_that_diverged_is_drawn(gui: Gui) -> None:
    m, d = prepared("Newton")
    d.qacc_warmstart[:] = np.nan
    sim.forward(m, d)
    assert "Newton" in bench_of(gui, m, d).shown()


def test_narrow_and_wide(bench: Bench) -> None:
    for width in (120, 200, 900):
        bench.width = width
        assert "Sparsity" in bench.shown()


def test_what_an_engine_cannot_tell(bench: Bench) -> None:
    model = bench.snapshot.model
    assert model is not None
    model.__dict__["lacks"] = {"solver_path": "it keeps its iterations to itself"}
    assert "it keeps its iterations to itself" in bench.shown() and bench.asked == []


@pytest.mark.parametrize("panel", [rows_panel, islands_panel])
def test_tables_open_it(bench: Bench, panel: Any) -> None:
    bench.panel = panel
    bench.gui.click(bench.draw, "Solver")
    assert bench.view.instruments.requested == ["Solver"]


def test_the_contact_microscope_opens_it(bench: Bench) -> None:
    bench.panel = contact_panel
    bench.view.select("contact", 0)
    bench.gui.click(bench.draw, "Step through iterations")
    assert bench.view.instruments.requested == ["Solver"]


def test_numbers_of_a_narrow_column() -> None:
    texts = [short(x) for x in (0.0, 211.3456, 1.2345e-9, -4.5e7, float("nan"))]
    assert texts == ["0", "211.3", "1.2e-09", "-4.5e+07", "nan"]


def test_images_of_cells() -> None:
    red, blue = rgba(theme.ERROR), rgba(theme.ACCENT)
    pixels = cells_image(np.array([[red, blue]], np.uint8), 5, 1, np.array([[False, True]]))
    assert pixels.shape == (5, 10, 4)
    assert tuple(pixels[1, 1]) == red and tuple(pixels[1, 6]) == blue
    assert tuple(pixels[0, 5]) == OUTLINE and tuple(pixels[0, 0]) == red
    tones = matrix_image(np.array([[1.0, 0.0, -1.0]]), 1, False)
    assert [tuple(pixel) for pixel in tones[0]] == [rgba(theme.ACCENT), rgba(theme.BACKGROUND), rgba(theme.WARNING)]


def test_what_is_scrolled_away_is_not_computed(bench: Bench) -> None:
    bench.shown()
    bench.height = 300
    bench.shown()
    bench.asked.clear()
    bench.step()
    bench.shown()
    assert [type(question).__name__ for question in bench.asked] == ["StudyQuestion"]
    # but its arrow is drawn
    assert any(geom.type == ARROW for geom in bench.view.instruments.geoms)
    assert "Sparsity" in bench.gui.rects and "##matrix" not in bench.gui.rects
