"""reasons.py: reasons name the actuator, tendon, joint or geom, and a chain of waking is told whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from app.instruments.lens.reasons import AWAKE_REASONS, NAMES, WAKE_CAUSES, wake_chain, why_awake, woken_by
from app.model.views import ModelView
from sim import enums
from sim.analysis.trees.tree_ties import kept_awake_by
from tests.app.conftest import Views

BALL = "<freejoint/><geom name='{0}' size='.1'/><site name='{0} site'/>"
MODEL = f"""<worldbody>
  <body name='arm'><joint name='elbow'/><geom name='hand' size='.1'/></body>
  <body name='a' pos='1 0 0'>{BALL.format("one")}</body><body name='b' pos='2 0 0'>{BALL.format("two")}</body>
  <body name='c' pos='3 0 0'>{BALL.format("three")}</body></worldbody>
  <tendon><spatial name='cable' stiffness='1'><site site='one site'/><site site='two site'/></spatial></tendon>
  <actuator><motor name='drive' joint='elbow'/></actuator>"""


@dataclass
class State:
    """What the engine says about each tree: a code and an index."""

    tree_restless: Any
    tree_wakecause: Any


@pytest.fixture
def model(views: Views) -> ModelView:
    return views(MODEL)[0]


def state(why: dict[int, tuple[int, int]] | None = None, woken: dict[int, tuple[int, int]] | None = None) -> Any:
    """Codes of some trees."""
    values = []
    for known in (why or {}, woken or {}):
        values.append(np.array([known.get(tree, (0, 0)) for tree in range(4)], np.int32))
    return State(*values)


def test_the_engine_s_own_policy_names_its_reason(model: ModelView) -> None:
    assert kept_awake_by(model) == {0: ("actuator", 0), 1: ("tendon", 0), 2: ("tendon", 0)}
    now = state(dict.fromkeys(range(4), (enums.AWAKE_POLICY, 0)))
    assert [why_awake(model, now, tree) for tree in range(3)] == ["actuator drive", "tendon cable", "tendon cable"]
    # the user's own choice
    assert why_awake(model, now, 3) == "its policy"


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        ((enums.AWAKE_MOVING, 0), "too fast: elbow"), ((enums.AWAKE_MOVING, 3), "too fast: a z"),
        ((enums.AWAKE_QFRC, 0), "qfrc_applied on elbow"), ((enums.AWAKE_XFRC, 2), "force on a"),
        ((enums.AWAKE_WAITING, 7), "slow; steps left: 7"), ((enums.AWAKE_ISLAND, 2), "tied to b"),
        ((enums.AWAKE_OFF, 0), "sleep is off"), ((enums.AWAKE_ASLEEP, 0), ""),
    ],
)  # fmt: skip
def test_reasons(model: ModelView, cause: tuple[int, int], text: str) -> None:
    assert why_awake(model, state({3: cause}), 3) == text


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        ((enums.WAKE_NONE, 0), ""), ((enums.WAKE_QPOS, 0), "moved by hand: elbow"),
        ((enums.WAKE_QPOS, 9), "moved by hand: b free joint"), ((enums.WAKE_QVEL, 0), "pushed by hand: elbow"),
        ((enums.WAKE_CONTACT, 0), "touched by arm / hand"), ((enums.WAKE_TENDON, 0), "tendon cable"),
        ((enums.WAKE_POLICY, 0), "policy changed"),
    ],
)  # fmt: skip
def test_causes(model: ModelView, cause: tuple[int, int], text: str) -> None:
    assert woken_by(model, state(woken={3: cause}), 3) == text


def test_every_code_has_a_text() -> None:
    for prefix, texts in (("WAKE_", WAKE_CAUSES), ("AWAKE_", AWAKE_REASONS)):
        assert set(texts) == {value for name, value in vars(enums).items() if name.startswith(prefix)}
        assert {kind for _, kind in texts.values()} <= set(NAMES)


def test_the_chain_of_waking_is_whole(model: ModelView) -> None:
    # the arm touched a, a touched b, b touched c
    now = state(woken={1: (enums.WAKE_CONTACT, 0), 2: (enums.WAKE_CONTACT, 1), 3: (enums.WAKE_CONTACT, 2)})
    assert wake_chain(model, now, 3).splitlines() == [
        "c: touched by b / two", "b: touched by a / one", "a: touched by arm / hand", "arm: awake since the reset",
    ]  # fmt: skip


def test_chains_that_bite_their_tails_end(model: ModelView) -> None:
    now = state(woken={1: (enums.WAKE_CONTACT, 2), 2: (enums.WAKE_CONTACT, 1)})
    assert len(wake_chain(model, now, 1).splitlines()) == 2
