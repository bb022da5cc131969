"""Instruments on a cloth, which only MuJoCo has: no geom touches, and its elasticity is a force of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from app.background.probe import Answer, Answers, Moment
from app.instruments.contact.panel import contact_panel
from app.instruments.contact.question import FLEX, TouchQuestion
from app.instruments.contact.table import contact_table, geom_names
from app.instruments.doctor.examine import examine
from app.instruments.forces.question import ForceQuestion
from app.instruments.softness.question import AskPair
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.history.events import _pairs
from app.run.history.taken_rows import TakenMoment
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from sim.analysis.contact_state import _row_motion, contact_bodies, contact_motion
from sim.edits import NO_EDITS
from sim.script.expression import evaluate
from tests.app.gui_driver import Gui
from tests.app.window.panels.test_tooltips import Sheet

XML = """<mujoco><option timestep='.002' tolerance='1e-10' iterations='200'/><worldbody>
<geom name='table' type='box' size='.3 .3 .1'/>
<flexcomp name='cloth' type='grid' count='5 5 1' spacing='.1 .1 .1' pos='0 0 .13' dim='2' radius='.02' mass='1'>
  <contact selfcollide='none' condim='CONDIM' solref='.01 1'/><edge equality='true'/>
  <elasticity young='3e4' poisson='.1' thickness='.01' damping='1e-3' elastic2d='bend'/>
</flexcomp>
<body name='bystander' pos='3 0 1'><freejoint/><geom name='bystander' size='.1'/></body>
</worldbody></mujoco>"""
TABLE = 0


@pytest.fixture(params=[1, 3, 4], scope="module")
def moment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Moment:
    path: Path = tmp_path_factory.mktemp("flex") / "cloth.xml"
    path.write_text(XML.replace("CONDIM", str(request.param)), encoding="utf-8")
    engine = mujoco_engine()
    m = engine.load(str(path))
    d = engine.Data(m)
    engine.step(m, d, 120)
    taken = TakenMoment(m, NO_EDITS, engine.copy_state(m, d), object(), 0, 0, 0.0)
    found = Moment(taken, m, engine.Data(m))
    assert found.data.ncon > 4
    return found


def test_contacts_are_those_of_the_table_and_of_nobody_else(moment: Moment) -> None:
    m, d = moment.model, moment.data
    assert contact_bodies(m, d).tolist() == [[0, FLEX]] * d.ncon
    force = evaluate("normal_force()", m, d)
    assert force > 1.0
    assert evaluate('normal_force("table")', m, d) == force
    assert evaluate('touching("bystander")', m, d) == 0.0
    shown, state = view_model(m), view_state(d)
    table = contact_table(shown, state)
    assert table.bodies.tolist() == contact_bodies(m, d).tolist()
    assert [geom_names(shown).full[geom] for geom in table.geoms[0]] == ["world / table", "flex"]
    assert _pairs(m, d) == set()


def test_forces(moment: Moment) -> None:
    """On a vertex: gravity, elasticity, edges and contacts are all there is."""
    m = moment.model
    joint = int(np.flatnonzero(m.jnt_bodyid == m.name2id("body", "cloth_12"))[2])
    answer = ForceQuestion("joint", joint).answer(moment)
    assert "elasticity of flexes" in answer.names
    assert answer.shares.acceleration.sum(axis=0) == pytest.approx(answer.shares.total, rel=1e-6, abs=1e-6)
    by_name = dict(zip(answer.names, answer.shares.acceleration[:, 0], strict=True))
    assert by_name["gravity"] == pytest.approx(-9.81)
    assert abs(by_name.get("solver's residual", 0.0)) < 1e-4 * max(abs(value) for value in by_name.values())
    pushed = ForceQuestion("body", m.name2id("body", "cloth_12")).answer(moment)
    assert len(pushed.direct) == len(pushed.direct_names)
    assert evaluate('push("bystander", "gravity", "z")', m, moment.data) == pytest.approx(-9.81)


def test_the_microscope(moment: Moment, gui: Gui) -> None:
    m, d = moment.model, moment.data
    question = TouchQuestion(TABLE, FLEX)
    touch = question.answer(moment)
    assert len(touch.contacts) == d.ncon
    assert sum(contact.normal for contact in touch.contacts) == pytest.approx(touch.between.normal)
    assert touch.between.force[2] == pytest.approx(evaluate("normal_force()", m, d))
    snapshot = Snapshot(1, RunState(), view_model(m), view_state(d))
    assert snapshot.model is not None
    sheet = Sheet(gui, snapshot)
    sheet.view.ui.microscope = snapshot.model.identity, TABLE, FLEX
    answers = Answers({question: Answer(touch, "", 0, 0, 0.0)}, snapshot.model.identity)
    draw = sheet.alone(contact_panel, lambda command: None)

    def frame() -> None:
        sheet.view.instruments.begin(snapshot.model, answers)
        draw()

    gui.frame(frame, 2)
    assert "flex" in gui.texts
    assert "ON FLEX FROM WORLD" in gui.texts
    assert not [label for label in gui.rects if "Over time" in label]


def test_softness_and_doctor(moment: Moment) -> None:
    """What is about geoms leaves a flex out."""
    m = moment.model
    assert AskPair(TABLE, int(m.ngeom) - 1).answer(moment).reached == (0, 0, 0, 0)
    assert not [finding for finding in examine(m) if finding.check.startswith("overlap")]


@pytest.mark.parametrize("scene", ["pile", "soft_contacts", "geckos", "ragdolls"])
def test_rows_tell_the_motion_of_contacts(scene: str) -> None:
    """As bodies do, of all contacts that have rows: of both cones."""
    m = sim.load(f"scenes/{scene}.xml")
    d = sim.Data(m)
    sim.step(m, d, 200)
    sim.forward(m, d)
    motion = contact_motion(m, d)
    seen = 0
    for contact in np.flatnonzero(d.contact.efc_address >= 0).tolist():
        dim = int(d.contact.dim[contact])
        assert _row_motion(d, contact)[:dim] == pytest.approx(motion[contact, :dim], rel=1e-9, abs=1e-9)
        seen += 1
    assert seen > 5
