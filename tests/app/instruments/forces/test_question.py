"""The question of the Forces instrument, and its bars: question.py, bars.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sim
from app.background.probe import Moment
from app.instruments.forces.bars import MOST, force_bars
from app.instruments.forces.question import ForceAnswer, ForceQuestion, source_name
from app.model.selection import Selection
from app.model.source_words import WORDS
from app.run.history.taken_rows import TakenMoment
from sim.analysis.force_sources import KINDS, Source, force_sources
from sim.enums import INT_IMPLICITFAST, INT_RK4
from sim.script.model_edits import edits_of

XML = """
<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="box" pos="0 0 .099"><freejoint/><geom name="crate" type="box" size=".1 .1 .1"/></body>
    <body name="arm" pos="2 0 1">
      <joint name="elbow" axis="0 1 0" damping="3" stiffness="2"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="elbow"/></actuator>
</mujoco>
"""


def moment_of(m: sim.Model, d: sim.Data) -> Moment:
    state = sim.copy_state(m, d)
    return Moment(TakenMoment(m, edits_of(m), state, object(), 0, 7, float(d.time)), m.copy(), sim.Data(m))


@pytest.fixture
def run() -> tuple[sim.Model, sim.Data]:
    m = sim.loads(XML)
    d = sim.Data(m)
    d.qvel[6], d.ctrl = 2.0, 0.7
    return m, d


def answer_of(run: tuple[sim.Model, sim.Data], kind: str, index: int) -> ForceAnswer:
    return ForceQuestion(kind, index).answer(moment_of(*run))


def test_names_of_a_joints_sources(run: Any) -> None:
    found = answer_of(run, "joint", 1)
    assert {"gravity", "damper of elbow", "actuator lift"} <= set(found.names)
    assert found.subject == "elbow"
    assert "actuator:lift" in found.texts
    assert found.centre is None


def test_contacts_are_named_by_body_and_geom(run: Any) -> None:
    found = answer_of(run, "body", 1)
    assert found.names.count("box / crate on floor") == 4
    # on the body itself it is what it touches
    assert found.direct_names.count("floor") == 4
    assert found.centre == pytest.approx(run[1].xipos[1] if run[1].xipos[1].any() else [0, 0, 0.099])


def test_every_kind_has_words(run: Any) -> None:
    m, d = run
    sim.forward(m, d)
    for kind in KINDS:
        source = Source(kind, "joint", 1) if "{}" in WORDS.get(kind, "") and kind != "contact" else Source(kind)
        name = source_name(m, d, source)
        assert name and ("{}" not in name or kind == "contact")


def test_equalities_without_a_name_are_called_by_what_they_couple() -> None:
    m = sim.loads(
        "<mujoco><worldbody><site name='hook'/><body name='a'><joint name='j' type='slide'/><geom name='g' size='.1'/>"
        "<site name='eye'/></body><body pos='1 0 0'><joint type='slide'/><geom name='h' size='.1'/></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon><equality><joint joint1='j'/>"
        "<connect body1='a' anchor='0 0 0'/><connect site1='hook' site2='eye'/><tendon tendon1='t'/>"
        "<weld name='glue' body1='a'/></equality></mujoco>"
    )
    names = [source_name(m, sim.Data(m), Source("equality", "equality", e)) for e in range(m.neq)]
    assert names == [
        "joint equality j", "connect a – world", "connect hook – eye", "tendon equality t", "equality glue",
    ]  # fmt: skip


@pytest.mark.parametrize("integrator", [INT_IMPLICITFAST, INT_RK4])
@pytest.mark.parametrize(("kind", "index"), [("joint", 1), ("body", 2)])
def test_next_step_applies_what_is_said(run: Any, integrator: int, kind: str, index: int) -> None:
    m, d = run
    m.opt.integrator = integrator
    found = answer_of(run, kind, index)
    sim.step(m, d)
    change = (d.qvel[6] - 2.0) / m.opt.timestep
    column = 0 if kind == "joint" else 4
    assert found.applied[column] == pytest.approx(change)
    assert abs(found.applied[column] - found.shares.total[column]) > 0.1 * abs(change)
    bars = force_bars(found, column, as_force=False, by_kind=False)
    assert bars.applied == pytest.approx(change)


def test_bars_are_sorted_and_sum_to_the_total(run: Any) -> None:
    for kind, index, axes in (("joint", 1, 1), ("body", 1, 6), ("joint", 0, 6)):
        found = answer_of(run, kind, index)
        for axis in range(axes):
            for as_force in (False, True):
                for by_kind in (False, True):
                    bars = force_bars(found, axis, as_force, by_kind)
                    values = [abs(bar.value) for bar in bars.bars]
                    assert values == sorted(values, reverse=True)
                    rest = bars.others.value if bars.others is not None else 0.0
                    whole = sum(bar.value for bar in bars.bars) + rest + bars.residual.value
                    assert whole == pytest.approx(bars.total, abs=1e-9)


def test_bars_of_a_kind_are_one(run: Any) -> None:
    found = answer_of(run, "body", 1)
    bars = force_bars(found, 2, False, by_kind=True)
    contacts = [bar for bar in bars.bars if bar.kind == "contact"]
    assert [(bar.name, bar.selection, bar.text) for bar in contacts] == [("contacts", None, "contact")]
    each = [bar for bar in force_bars(found, 2, False, by_kind=False).bars if bar.kind == "contact"]
    assert len(each) == 4 and each[0].selection is not None and each[0].selection.kind == "contact"
    assert contacts[0].value == pytest.approx(sum(bar.value for bar in each))


def test_small_ones_are_folded() -> None:
    links = "".join(f"<body pos='.1 0 0'><joint axis='0 1 0' damping='{k + 1}'/><geom size='.02'/>" for k in range(20))
    m = sim.loads(f"<mujoco><worldbody>{links}{'</body>' * 20}</worldbody></mujoco>")
    d = sim.Data(m)
    d.qvel = np.linspace(0.1, 1, m.nv)
    found = answer_of((m, d), "joint", 0)
    bars = force_bars(found, 0, False, False)
    assert 1 < len(bars.bars) <= MOST
    assert bars.others is not None and bars.others.name.endswith("others")
    whole = sum(bar.value for bar in bars.bars) + bars.others.value + bars.residual.value
    assert abs(bars.others.value) > 1e-6 and whole == pytest.approx(bars.total)
    assert min(abs(bar.value) for bar in bars.bars) >= 0.01 * abs(bars.bars[0].value)
    assert bars.bars[0].selection is None or isinstance(bars.bars[0].selection, Selection)


def test_moment_is_not_changed(run: Any) -> None:
    moment = moment_of(*run)
    before = {name: np.copy(value) for name, value in moment.data.values().items()}
    ForceQuestion("body", 2).answer(moment)
    after = moment.data.values()
    # it says that M was read
    before.pop("inertia.wanted", None)
    assert [name for name, value in before.items() if not np.array_equal(after[name], value, equal_nan=True)] == []
    assert force_sources(moment.model, moment.data).qacc == pytest.approx(moment.data.qacc)
