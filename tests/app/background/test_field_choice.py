"""Numbers to choose from: each is read and set where the model has it, with unit and words."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.background.field_choice import FieldChoice, choice_of, choices_of, elements_of, options_of
from app.model.selection import Selection
from app.run.commands import SetField, SetFlag
from app.run.edited_cells import edits_with
from app.run.snapshot import view_model, view_state
from sim.edits import NO_EDITS
from tests.app.live import RICH_MODEL, SMALL

KINDS = ("body", "joint", "geom", "tendon", "actuator", "equality", "pair")
COUNTS = ("nbody", "njnt", "ngeom", "ntendon", "nactuator", "neq", "npair")


def all_choices(model: sim.Model) -> list[FieldChoice]:
    view = view_model(model)
    own = [
        choice
        for kind, count in zip(KINDS, COUNTS, strict=True)
        for index in range(getattr(model, count))
        for choice in choices_of(view, kind, index)
    ]
    return [*own, *options_of(view)]


@pytest.mark.parametrize("xml", [RICH_MODEL, SMALL], ids=["rich", "small"])
def test_every_number_is_set_to_what_was_asked(xml: str) -> None:
    model = sim.loads(xml)
    choices = all_choices(model)
    assert len(choices) > 150 and len({choice.label for choice in choices}) > 150
    for choice in choices:
        value = choice.value(model)
        wanted = choice.rule.nearest(value * 1.5 + 0.01)
        if "quat" in choice.name:
            # it is normalized
            continue
        if choice.choices:
            wanted = float(next(number for _, number in choice.choices if number != value))
        copy = model.copy()
        try:
            sim.apply_edits(copy, edits_with(copy, NO_EDITS, [choice.command(wanted)]))
        except ValueError as error:
            assert "simple bodies do not allow" in str(error), choice.label
            continue
        assert choice.value(copy) == pytest.approx(wanted, rel=1e-6, abs=1e-9), choice.label
        assert choice.text(value) and choice.meaning, choice.label


def test_a_servos_kp_is_set_in_both_terms() -> None:
    model = sim.loads(RICH_MODEL)
    servo = model.name2id("actuator", "servo")
    kp = next(choice for choice in choices_of(view_model(model), "actuator", servo) if choice.name == "kp")
    sim.apply_edits(model, edits_with(model, NO_EDITS, [kp.command(50.0)]))
    assert (model.actuator_gainprm[servo, 0], model.actuator_biasprm[servo, 1]) == (50.0, -50.0)
    assert kp.label == "kp of actuator servo" and kp.unit == "N·m/rad"


def test_names_units_and_words() -> None:
    view = view_model(sim.loads(RICH_MODEL))
    known = {choice.label: choice for choice in options_of(view)}
    gravity = known["gravity z"]
    assert (gravity.unit, gravity.value(view), gravity.text(-10.0)) == ("m/s²", -10.0, "-10 m/s²")
    assert known["integrator"].text(known["integrator"].value(view)) == "Euler"
    assert known["flag contact"].text(known["flag contact"].value(view)) == "enable"
    assert known["flag contact"].command(0.0) == SetFlag("opt.disableflags", known["flag contact"].bit, True)
    damping = next(choice for choice in choices_of(view, "joint", 2) if choice.name == "damping")
    assert damping.label == "damping of joint hinge" and damping.unit == "N·m·s/rad"


def test_choice_of_an_edit() -> None:
    view = view_model(sim.loads(RICH_MODEL))
    for choice in (*choices_of(view, "joint", 2), *options_of(view)):
        found = choice_of(choice.command(1.0), view)
        assert found is not None and found.key == choice.key
    assert choice_of(SetField("geom_friction", 1.0, (0, 1), 0), view) is None
    assert choice_of(SetField("vis.map.fogstart", 1.0), view) is None


def test_what_goes_with_a_selection() -> None:
    model = sim.loads(RICH_MODEL)
    data = sim.Data(model)
    sim.forward(model, data)
    view, state = view_model(model), view_state(data)
    arm = model.name2id("body", "arm")
    assert [(part.kind, part.index) for part in elements_of(Selection("body", arm), view, state)] == [
        ("body", arm),
        ("joint", 2),
        ("geom", model.name2id("geom", "arm")),
    ]
    assert int(state.ncon) > 0
    touching = elements_of(Selection("contact", 0), view, state)
    assert {part.index for part in touching} == {*np.asarray(state.contact.geom[0]).tolist()}
    assert elements_of(Selection("camera", 0), view, state) == () == elements_of(None, view, state)
