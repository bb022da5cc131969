"""Suggested expressions: each has a value, for elements with a name and without."""

from __future__ import annotations

import pytest

import sim
from app.background.suggestions import GENERAL, suggestions
from app.model.selection import COUNTS, Selection
from app.run.snapshot import view_model, view_state
from sim.script.expression import evaluate
from tests.app.live import RICH_MODEL, SMALL


@pytest.mark.parametrize("xml", [RICH_MODEL, SMALL], ids=["rich", "small"])
def test_every_suggestion_is_a_number(xml: str) -> None:
    model = sim.loads(xml)
    data = sim.Data(model)
    sim.forward(model, data)
    view, state = view_model(model), view_state(data)
    chosen = [Selection(kind, k) for kind, count in COUNTS.items() for k in range(int(getattr(view, count)))]
    chosen += [Selection("contact", k) for k in range(int(state.ncon))]
    for selection in chosen:
        texts = suggestions(view, state, selection)
        assert texts
        for text in texts:
            assert float(evaluate(text, model, data)) is not None, text


def test_without_a_selection_they_are_about_the_whole() -> None:
    model = sim.loads(SMALL)
    view, state = view_model(model), view_state(sim.Data(model))
    assert suggestions(view, state, None) == GENERAL
    assert suggestions(view, state, Selection("geom", 999)) == GENERAL
