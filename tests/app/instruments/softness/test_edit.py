"""Edits of softness: whichever element decides gets the numbers that make the contact what is wanted."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sim
from app.instruments.softness.choices import choices
from app.instruments.softness.curves import curves, forces
from app.instruments.softness.edit import Target, changed, edit, reset, row_target, targets
from app.instruments.softness.question import AskPair, AskRow, SoftPair
from app.model.selection import Selection
from app.model.views import ModelView
from app.run.commands import SetField
from app.run.edited_cells import edits_with
from app.run.snapshot import view_model, view_state
from sim.analysis.row_softness import EQUALITY, JOINT_FRICTION, JOINT_LIMIT, TENDON_FRICTION, TENDON_LIMIT
from sim.analysis.softness import Softness
from sim.analysis.solref_tuning import Tuned, limit_law, tune_depth
from sim.script.model_edits import edits_of

SCENE = """<mujoco>
<option>{option}</option>
<worldbody>
  <geom name='floor' type='plane' size='5 5 .1' {floor}/>
  <body name='ball' pos='0 0 .099'><freejoint/><geom name='ball' size='.1' mass='1' {ball}/></body>
  <body name='box' pos='1 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>
  <body name='arm' pos='3 0 2'>
    <joint name='hinge' type='hinge' axis='0 1 0' range='-10 10' limited='true' frictionloss='.3'/>
    <geom name='arm' size='.1' mass='1'/>
  </body>
</worldbody>
<contact>{pair}</contact>
<tendon><fixed name='rope' range='-1 1' limited='true' frictionloss='2'><joint joint='hinge' coef='1'/></fixed></tendon>
<equality><joint name='hold' joint1='hinge'/></equality>
</mujoco>"""
WANTED = Tuned((0.013, 0.9), (0.6, 0.9, 0.002, 0.4, 2.5))
DIRECT = Tuned((-5000.0, -90.0), (0.6, 0.9, 0.002, 0.4, 2.5))
PAIR = "<pair geom1='ball' geom2='floor'/>"
OVERRIDE = "<flag override='enable'/>"


def scene(floor: str = "", ball: str = "", pair: str = "", option: str = "") -> tuple[sim.Model, sim.Data]:
    model = sim.loads(SCENE.format(floor=floor, ball=ball, pair=pair, option=option))
    data = sim.Data(model)
    sim.forward(model, data)
    return model, data


def asked(model: sim.Model, data: sim.Data, question: AskPair | AskRow) -> Any:
    moment: Any = SimpleNamespace(model=model, data=data)
    return question.answer(moment)


def put(model: sim.Model, data: sim.Data, command: SetField | None) -> None:
    assert command is not None
    sim.apply_edits(model, edits_with(model, edits_of(model), [command]))
    sim.forward(model, data)


def pair_of(model: sim.Model, data: sim.Data) -> tuple[SoftPair, ModelView, tuple[Target, ...]]:
    found, view = asked(model, data, AskPair(0, 1)), view_model(model)
    return found, view, targets(view, found.mixing)


EITHER = ("both geoms", "world / floor", "ball / ball")
CASES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "both": ({}, EITHER),
    "weights": ({"floor": "solmix='3' solref='.01 1'", "ball": "solref='.05 1'"}, EITHER),
    "floor decides": ({"floor": "priority='1'"}, ("world / floor",)),
    "ball decides": ({"ball": "priority='1'"}, ("ball / ball",)),
    "pair": ({"pair": PAIR}, ("pair floor – ball / ball",)),
    "override": ({"option": OVERRIDE}, ("options: all contacts",)),
}


@pytest.mark.parametrize("tuned", [WANTED, DIRECT])
@pytest.mark.parametrize("case", CASES)
def test_every_target_makes_the_contact_what_is_wanted(case: str, tuned: Tuned) -> None:
    parts, labels = CASES[case]
    for at in range(len(labels)):
        model, data = scene(**parts)
        found, view, offered = pair_of(model, data)
        assert tuple(target.label for target in offered) == labels
        # with one geom alone the impedance may not go beyond 1
        gentle = replace(tuned, solimp=(0.85, 0.92, 0.0012, 0.5, 2.0)) if len(offered[at].places) < 2 else tuned
        command, why = edit(view, offered[at], found.contacts[0].softness, gentle)
        assert why == ""
        put(model, data, command)
        np.testing.assert_allclose(data.contact.solref[0], gentle.solref, rtol=1e-7)
        np.testing.assert_allclose(data.contact.solimp[0], gentle.solimp, rtol=1e-6)


def test_what_one_geom_cannot_do_alone_is_said() -> None:
    def why(floor: str, ball: str, at: int, tuned: Tuned) -> str:
        model, data = scene(floor, ball)
        found, view, offered = pair_of(model, data)
        command, text = edit(view, offered[at], found.contacts[0].softness, tuned)
        assert (command is None) == bool(text)
        return text

    short = Tuned((0.001, 1.0), WANTED.solimp)
    assert "cannot outweigh" in why("solref='.02 1'", "solref='.02 1'", 1, short)
    assert "solmix is 0" in why("solmix='0'", "", 1, WANTED)
    assert "negative solref" in why("", "solref='-900 -9'", 1, WANTED)
    assert "value is smaller" in why("", "solref='-9000 -9'", 1, DIRECT)
    assert "cannot outweigh" in why("", "", 1, Tuned((0.02, 1.0), (0.1, 0.2, 0.001, 0.5, 2.0)))


def test_numbers_that_stay_are_not_edits() -> None:
    model, data = scene(ball="priority='1' solimp='0 .95 .00123456789123'")
    found, view, (target,) = pair_of(model, data)
    now = found.contacts[0].softness
    before = model.geom_solimp.copy()
    command, _ = edit(view, target, now, tune_depth(now, 2e-3, False))
    put(model, data, command)
    # to the last digit, though 0 is clamped where it acts
    assert np.array_equal(model.geom_solimp, before)
    assert asked(model, data, AskPair(0, 1)).contacts[0].softness.rest == pytest.approx(2e-3, rel=1e-6)


def test_back_to_the_file() -> None:
    model, data = scene()
    found, view, offered = pair_of(model, data)
    file_values = {path: np.array(model.read(path)) for path in ("geom_solref", "geom_solimp")}
    assert not changed(view, offered[0], file_values)
    put(model, data, edit(view, offered[0], found.contacts[0].softness, WANTED)[0])
    view = view_model(model)
    assert changed(view, offered[0], file_values)
    put(model, data, reset(view, offered[0], file_values))
    assert np.array_equal(model.geom_solref, file_values["geom_solref"])
    assert np.array_equal(model.geom_solimp, file_values["geom_solimp"])


@pytest.mark.parametrize("kind", [JOINT_LIMIT, JOINT_FRICTION, TENDON_LIMIT, TENDON_FRICTION, EQUALITY])
def test_limits_equalities_and_dry_friction_have_their_own(kind: str) -> None:
    model, data = scene()
    now = asked(model, data, AskRow(kind, 6 + 6 if kind == JOINT_FRICTION else 2 if kind == JOINT_LIMIT else 0))
    target = row_target(view_model(model), kind, now.index)
    assert target.label == {"joint": "hinge", "tendon": "rope", "equality": "hold"}[kind.split()[0]]
    put(model, data, edit(view_model(model), target, now, WANTED)[0])
    then = asked(model, data, AskRow(kind, now.index))
    assert (then.solref, then.solimp) == (pytest.approx(WANTED.solref), pytest.approx(WANTED.solimp))


def test_other_contacts_that_an_edit_reaches() -> None:
    model, data = scene()
    found, _, _ = pair_of(model, data)
    # the box lies on the floor with four corners
    assert found.reached == (4, 0, 0, 0)
    assert asked(*scene(option=OVERRIDE), AskPair(0, 1)).reached[3] == 4
    assert asked(*scene(ball="priority='1'"), AskPair(0, 2)).reached == (0, 0, 0, 0)


def test_the_most_loaded_contact_comes_first_and_geoms_apart_have_one_that_would_be() -> None:
    model, data = scene()
    box: SoftPair = asked(model, data, AskPair(0, 2))
    loads = [one.softness.force for one in box.contacts]
    assert len(loads) == 4 and loads == sorted(loads, reverse=True)
    assert abs(box.contacts[0].place[0] - 1.0) == pytest.approx(0.1, abs=1e-3)
    apart: SoftPair = asked(model, data, AskPair(1, 2))
    assert len(apart.contacts) == 1 and not apart.contacts[0].softness.active


def test_what_is_soft_about_a_selection() -> None:
    model, data = scene(pair=PAIR)
    view, state = view_model(model), view_state(data)

    def questions(kind: str, index: int) -> list[AskPair | AskRow]:
        return [choice.question for choice in choices(view, state, Selection(kind, index))]

    both = {AskPair(0, 1), AskPair(0, 2)}
    assert {choice.question for choice in choices(view, state, None)} == both
    # the heavier load comes first
    loads = [choice.force for choice in choices(view, state, None)]
    assert loads == sorted(loads, reverse=True) and loads[-1] > 0
    assert set(questions("geom", 0)) == both and questions("geom", 1) == [AskPair(0, 1)]
    assert questions("body", 2) == [AskPair(0, 2)]
    assert questions("body", 3) == [AskRow(JOINT_LIMIT, 2), AskRow(JOINT_FRICTION, 12)]
    assert questions("joint", 2) == [AskRow(JOINT_LIMIT, 2), AskRow(JOINT_FRICTION, 12)]
    assert questions("joint", 0) == []
    assert questions("tendon", 0) == [AskRow(TENDON_LIMIT, 0), AskRow(TENDON_FRICTION, 0)]
    assert questions("equality", 0) == [AskRow(EQUALITY, 0)]
    assert questions("pair", 0) == [AskPair(0, 1)]
    assert questions("contact", 0) in ([AskPair(0, 1)], [AskPair(0, 2)])
    labels = [choice.label for choice in choices(view, state, Selection("body", 2))]
    assert labels == ["box / box on world / floor"]


def test_curves_go_beyond_every_mark() -> None:
    model, data = scene()
    now: Softness = asked(model, data, AskPair(0, 1)).contacts[0].softness
    found = curves(now)
    assert found.depth[0] == 0.0 and found.depth[-1] > max(now.rest, now.depth)
    assert found.wide_depth[-1] > now.solimp[2]
    assert found.top > max(now.load, now.force)
    assert np.array_equal(found.limit, forces(limit_law(now), found.depth))
    assert 0.0 <= found.floor < found.impedance.min()
    assert found.impedance[0] == pytest.approx(0.9) and found.impedance[-1] == pytest.approx(0.95)
    # without a load and without a depth there still is something to draw
    empty = curves(replace(now, force=0.0, depth=-0.01, active=False))
    assert empty.depth[-1] == pytest.approx(now.solimp[2]) and np.isfinite(empty.force).all() and empty.top > 0
