"""A visitor meets every feature of the engine in a bundled scene."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import sim
from app.files.resources import folder
from tests.app.features import FEATURES, group, written

ALL = [(title, name) for title, features in FEATURES.items() for name in features]


@cache
def scene(name: str) -> tuple[Any, str]:
    path = folder("scenes") / f"{name}.xml"
    return sim.load(str(path)), path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("title", "name"), ALL, ids=lambda word: word.replace(" ", "_"))
def test_a_scene_shows_it(title: str, name: str) -> None:
    shown = FEATURES[title][name]
    assert shown.has(*scene(shown.scene))


def test_no_test_is_true_of_everything() -> None:
    """A predicate that every scene satisfies would prove nothing; of a bare model none but the defaults holds."""
    bare = sim.loads("<mujoco/>"), "<mujoco/>"
    true = [f"{title}: {name}" for title, name in ALL if FEATURES[title][name].has(*bare)]
    assert true == ["Integrator: Euler", "Solver: Newton", "Solver: pyramidal cone"]


def test_a_feature_without_a_scene_is_missed() -> None:
    tests = {"a": written("a"), "b": written("b")}
    assert group(tests, "a=x b=y")["b"].scene == "y"
    for text in ("a=x", "a=x b=y c=z"):
        with pytest.raises(AssertionError):
            group(tests, text)
