"""Edits of a fix on a copy: the same model as the simulation's own edits make."""

from __future__ import annotations

import numpy as np

import sim
from app.instruments.doctor.finding import Finding, Severity, ranked
from app.model.selection import Selection
from app.run.commands import SetField, SetFlag
from app.run.edited_cells import edits_with
from app.run.live_edits import LiveEdits
from sim.enums import ENBL_ENERGY
from sim.script.model_edits import edits_of
from tests.app.fake_engine import PreparedEngine

XML = """<mujoco><worldbody><body name='a'><joint name='j' damping='1'/><geom size='.1' mass='1'/>
<body name='b' pos='1 0 0'><joint name='k'/><geom size='.1'/></body></body></worldbody></mujoco>"""
COMMANDS = (
    SetField("dof_damping", 3.0, (1,), also=(SetField("geom_solref", 0.1, (0, 1), 0),)),
    SetField("opt.timestep", 0.001),
    SetField("body_mass", 2.0, (2,)),
    SetFlag("opt.enableflags", ENBL_ENERGY, on=True),
)


def test_same_model_as_live_edits_make() -> None:
    ours, live = sim.loads(XML), sim.loads(XML)
    sim.apply_edits(ours, edits_with(ours, edits_of(ours), COMMANDS))

    edits = LiveEdits(PreparedEngine(), live, lambda _: None)  # type: ignore[arg-type]
    for command in COMMANDS:
        edits.apply(command)
    for path in ("dof_damping", "geom_solref", "opt.timestep", "body_mass", "opt.enableflags", "dof_invweight0"):
        assert np.array_equal(ours.read(path), live.read(path)), path
    assert edits_of(ours) == edits_of(live)
    assert ours.dof_damping.tolist() == [1.0, 3.0] and ours.opt.timestep == 0.001


def test_earlier_edits_stay() -> None:
    model = sim.loads(XML)
    first = edits_with(model, edits_of(model), COMMANDS[:1])
    both = edits_with(model, first, (SetField("dof_damping", 5.0, (0,)), SetField("geom_solref", 0.2, (1,), 0)))
    sim.apply_edits(model, both)
    assert model.dof_damping.tolist() == [5.0, 3.0]
    assert model.geom_solref[:, 0].tolist() == [0.1, 0.2]


def test_errors_come_first_then_scores() -> None:
    body = Selection("body", 1)
    mild, bad = Finding("a", Severity.WARNING, body, "", "", 9.0), Finding("b", Severity.ERROR, body, "", "", 0.1)
    worse = Finding("c", Severity.ERROR, body, "", "", 2.0)
    assert ranked([mild, bad, worse]) == [worse, bad, mild]
