"""The audit in words: rows by kind, how it closes, what breaks a law, and warnings."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.background.probe import Moment, TakenMoment
from app.instruments.energy.curves import MOST, curves_of
from app.instruments.energy.pieces import BLOCK
from app.instruments.energy.question import EnergyQuestion
from app.instruments.energy.report import closing, groups, law_hint, law_text, rate_unit, warning
from app.instruments.energy.source_names import charge_name, kind_name, selection_of, source_name
from app.instruments.energy.state import steps_of
from app.instruments.energy.worker import MOST_STEPS
from app.model.selection import Selection
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.snapshot import view_model
from sim.analysis.audit.laws import least_energy
from sim.analysis.audit.momentum import Charge
from sim.analysis.audit.work_source import WorkSource
from sim.analysis.force_sources import KINDS
from sim.edits import NO_EDITS
from tests.sim.analysis.audit.audited import Audited, audited

XML = """<mujoco><option timestep="0.002" {option}/><worldbody><geom name="floor" type="plane" size="9 9 1"/>
  <body name="box" pos="0 0 .1"><freejoint/><geom name="crate" type="box" size=".1 .1 .1"/></body>
  <body name="arm" pos="3 0 1"><joint name="shoulder" axis="0 1 0" damping=".2"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><body pos=".3 0 0"><joint name="elbow" axis="0 1 0"
    damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body></worldbody></mujoco>"""


def run(option: str = "", steps: int = 200) -> Audited:
    m = sim.loads(XML.format(option=option))
    d = sim.Data(m)
    d.qvel[0] = 1.0
    return audited(m, d, steps)


def test_rows_are_grouped_by_kind_and_sorted() -> None:
    found = run()
    model = view_model(found.model)
    rows = groups(model, found.total, {WorkSource("joint damper", "joint", (2,)): -0.5}, 1e-9)
    sizes = [group.row.size for group in rows]
    assert sizes == sorted(sizes, reverse=True)
    dampers = next(group for group in rows if group.row.kind == "joint damper")
    assert dampers.row.name == "joint dampers"
    assert {row.name for row in dampers.elements} == {"shoulder", "elbow"}
    assert dampers.row.work_out == pytest.approx(sum(row.work_out for row in dampers.elements))
    assert dampers.row.power == -0.5
    # alone of its kind, a source has its own name
    friction = next(group for group in rows if group.row.kind == "friction")
    assert friction.row.name == "friction of box / crate on floor"
    integrator = next(group.row for group in rows if group.row.kind == "integrator")
    assert 0.0 in (integrator.work_in, integrator.work_out)
    assert integrator.net == pytest.approx(found.work("integrator"))
    # gravity and springs only exchange energy
    assert not {"gravity", "velocity"} & {group.row.kind for group in rows}


def test_the_closing_line_sums_up() -> None:
    found = run()
    end = closing(found.total, 1e-9)
    assert end.work + end.integrator == pytest.approx(end.change)
    assert end.integrator == pytest.approx(found.work("integrator"))
    assert abs(end.share) < 0.05


def test_what_breaks_a_law_is_named() -> None:
    found = run()
    model = view_model(found.model)
    energy, *momenta = found.laws
    assert law_text(model, energy) == "broken by friction of box / crate on floor"
    assert "damper of shoulder" in law_hint(model, energy) and "damper of elbow" in law_hint(model, energy)
    assert rate_unit(energy) == "W"
    # the arm is tied to the world
    assert {law_text(model, law) for law in momenta} == {"joint shoulder is tied to the world"}
    box = audited(found.model, sim.Data(found.model), 50, [0]).laws[1:]
    assert law_text(model, box[0]).startswith("holds")
    assert law_text(model, box[2]) == "gravity acts along it"


def test_energy_out_of_nothing_is_warned_of() -> None:
    tumbling = """<mujoco><option timestep="0.06" gravity="0 0 0" {}/><worldbody><body>
      <joint type="ball"/><geom type="box" size=".3 .1 .03"/></body></worldbody></mujoco>"""
    texts = {}
    for option in ("", "integrator='RK4'"):
        m = sim.loads(tumbling.format(option))
        for steps in (40, 8):
            d = sim.Data(m)
            d.qvel = (2.0, 6.0, 1.0)
            texts[option, steps] = warning(view_model(m), audited(m, d, steps).total, least_energy(m, [0]))
    grows = texts["", 40]
    assert grows.startswith("Energy grows: integrator, +") and "implicitfast" in grows
    assert texts["integrator='RK4'", 40] == ""
    # the first steps of a motion say nothing of the next ones
    assert texts["", 8] == ""


def test_names_and_selections_of_all_kinds() -> None:
    model = view_model(sim.loads(XML.format(option="")))
    for kind in (*KINDS, "friction", "moving surface", "integrator", "edit", "set by hand", "sleep", "spring yield"):
        assert "{" not in kind_name(kind)
    contact = WorkSource("contact", "contact", (0, 1))
    assert source_name(model, contact) == "normal force of box / crate on floor"
    assert source_name(model, WorkSource("friction", "contact", (1, 0))) == "friction of box / crate on floor"
    assert selection_of(model, contact) == Selection("geom", 1)
    assert selection_of(model, WorkSource("joint damper", "joint", (1,))) == Selection("joint", 1)
    assert selection_of(model, WorkSource("integrator")) is None
    assert source_name(model, WorkSource("contact", "contact", (-1, 1))) == "normal force of box / crate on flex"
    assert charge_name(model, None) == "energy"
    assert charge_name(model, Charge("linear", (0, 1, 0))) == "momentum along y"
    assert charge_name(model, Charge("angular", (0.6, 0.8, 0), 1)) == "angular momentum about shoulder"


def test_curves_have_a_bounded_number_of_points() -> None:
    found = run(steps=500)
    curves = curves_of(found.parts)
    assert len(curves.times) <= MOST + 1 and curves.times[-1] == pytest.approx(found.total.times[1])
    dampers = WorkSource("joint damper", "joint", (1,))
    assert curves.work[dampers][-1] == pytest.approx(found.total.net(dampers))
    assert len(curves.work[dampers]) == len(curves.work_times)


def test_the_moment_has_power_and_energies() -> None:
    m = sim.loads(XML.format(option=""))
    d = sim.Data(m)
    d.qvel[7] = 2.0

    def asked() -> object:
        taken = TakenMoment(m, NO_EDITS, sim.copy_state(m, d), None, 0, 0, 0.0)
        return EnergyQuestion().answer(Moment(taken, m.copy(), sim.Data(m)))

    found = asked()
    assert found.energies.kinetic > 0  # type: ignore[attr-defined]
    power = found.power[WorkSource("joint damper", "joint", (2,))]  # type: ignore[attr-defined]
    assert power == pytest.approx(-0.1 * 4.0)
    d.qpos[7] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        asked()


def test_ranges_follow_the_moment_that_is_shown() -> None:
    branch = BranchView(0, last=50_000, paces=(Pace(0, 0.0, 0.002),))
    timeline = Timeline((branch,), 0, 40_000, loop=(100, 233))
    assert steps_of(timeline, "1 s") == (39_500, 40_000)
    first, last = steps_of(timeline, "5 s")
    assert (first % BLOCK, last) == (0, 40_000) and 37_500 - BLOCK < first <= 37_500
    assert steps_of(timeline, "all") == (40_000 - MOST_STEPS, 40_000)
    assert steps_of(timeline, "loop") == (100, 233)
