"""Instruments: a question is asked as long as a frame asks it; answers about another model do not count."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from app.background.probe import Answer, Answers, Moment
from app.scene.decor.user_geoms import ARROW, UserGeom
from app.view.asking import Instruments

MODEL: Any = SimpleNamespace(identity=object())
OTHER: Any = SimpleNamespace(identity=object())


@dataclass(frozen=True)
class Asked:
    joint: int

    def answer(self, moment: Moment) -> Any:
        return None


def answers(question: Asked) -> Answers:
    return Answers({question: Answer(3.0, "", 0, 5, 0.1)}, MODEL.identity, 1)


def test_only_what_a_frame_asks_is_wanted() -> None:
    made = Instruments()
    made.begin(MODEL, Answers())
    assert made.ask(Asked(1)) is None
    assert made.end() == {Asked(1)}
    made.begin(MODEL, answers(Asked(1)))
    assert made.end() == frozenset()


def test_answers_to_equal_questions_about_the_same_model() -> None:
    made = Instruments()
    made.begin(MODEL, answers(Asked(1)))
    found = made.ask(Asked(1))
    assert found is not None and found.value == 3.0
    assert made.ask(Asked(2)) is None
    made.begin(OTHER, answers(Asked(1)))
    assert made.ask(Asked(1)) is None
    made.begin(None, Answers())
    assert made.ask(Asked(1)) is None


def test_geoms_last_one_frame() -> None:
    made, arrow = Instruments(), UserGeom.between(ARROW, 0.01, (0, 0, 0), (0, 0, 1))
    made.begin(MODEL, Answers())
    made.draw(arrow)
    made.end()
    assert made.geoms == (arrow,)
    made.begin(MODEL, Answers())
    made.end()
    assert made.geoms == ()
