"""Presets of breakpoints: each is an expression that the model gives a value to, for every element that is offered."""

from __future__ import annotations

import pytest

import sim
from app.model.break_presets import ANY, PRESETS, elements, offers
from app.model.selection import Selection
from app.run.snapshot import view_model, view_state
from sim.script.predicate import Predicate
from tests.app.live import MODEL, SMALL


@pytest.mark.parametrize("source", [MODEL, SMALL, "humanoid", "ragdolls", "tendon_arm", "sleepers", "servos"])
def test_every_offer_has_a_value(source: str) -> None:
    model = sim.loads(source) if source.startswith("<") else sim.load(f"scenes/{source}.xml")
    data = sim.Data(model)
    sim.step(model, data, 5)
    sim.forward(model, data)
    shown, state = view_model(model), view_state(data)
    found = [offer for preset in PRESETS for offer in elements(shown, state, preset)]
    chosen = [Selection("tree", 0), *(Selection("contact", k) for k in range(min(data.ncon, 5)))]
    found += [offer for one in (None, *chosen) for offer in offers(shown, state, one)]
    assert len({offer.expression for offer in found}) > 5
    for offer in found:
        Predicate(offer.expression).value(model, data)


def test_what_is_offered_for_a_selection() -> None:
    model = sim.loads(MODEL.replace("<joint name='hinge'", "<joint name='hinge' range='-90 90' limited='true'"))
    data = sim.Data(model)
    sim.forward(model, data)
    shown, state = view_model(model), view_state(data)

    def of(kind: str, name: str) -> dict[str, str]:
        found = offers(shown, state, Selection(kind, model.name2id(kind, name)))
        return {offer.label: offer.expression for offer in found}

    assert of("joint", "hinge")["reaches its limit"] == 'limit_distance("hinge") <= 0'
    # without a limit there is none to reach
    assert "reaches its limit" not in of("joint", "ball") and "reaches its limit" not in of("tendon", "tendon")
    assert of("actuator", "motor") == {"saturates": 'saturation("motor") >= 1'}
    assert of("body", "ball")["wakes"] == 'awake("body:ball")'
    # the box rests on the floor: what moves is known by its body, what does not by its geom
    contact = offers(shown, state, Selection("contact", 0))
    assert contact[0].expression == 'touching("floor", "body:box")'
    assert of("sensor", "angle") == {}
    assert {preset.label for preset in PRESETS if preset.kinds == ANY} == {o.label for o in offers(shown, state, None)}
