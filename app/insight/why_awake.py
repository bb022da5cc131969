"""Why a tree is awake and what woke it: the engine's codes as text with the names of elements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from sim import enums
from sim.analysis.element_names import element_name

# code -> text, and the type of the element that its index names
WAKE_CAUSES: dict[int, tuple[str, str]] = {
    enums.WAKE_NONE: ("", ""),
    enums.WAKE_QPOS: ("moved by hand", ""),
    enums.WAKE_QVEL: ("pushed by hand", ""),
    enums.WAKE_QFRC: ("force on a joint", ""),
    enums.WAKE_XFRC: ("force on", "body"),
    enums.WAKE_MOCAP: ("moved mocap body", "body"),
    enums.WAKE_CONTACT: ("touched by", "geom"),
    enums.WAKE_EQUALITY: ("equality", "equality"),
    enums.WAKE_TENDON: ("tendon", "tendon"),
    enums.WAKE_CALL: ("asked to", ""),
    enums.WAKE_FLAG: ("sleep switched off", ""),
}
AWAKE_REASONS: dict[int, tuple[str, str]] = {
    enums.AWAKE_ASLEEP: ("", ""),
    enums.AWAKE_POLICY: ("its policy", ""),
    enums.AWAKE_XFRC: ("force on", "body"),
    enums.AWAKE_QFRC: ("force on a joint", ""),
    enums.AWAKE_MOVING: ("too fast:", "dof"),
    enums.AWAKE_WAITING: ("slow; steps left:", "number"),
    enums.AWAKE_ISLAND: ("tied to", "tree"),
    enums.AWAKE_OFF: ("nothing sleeps", ""),
}


def why_awake(model: ModelView, state: StateView, tree: int) -> str:
    """What keeps a tree from falling asleep."""
    cause = _pair(state.tree_restless, tree)
    if cause[0] == enums.AWAKE_POLICY and model.tree_sleep_policy[tree] == enums.SLEEP_AUTO_NEVER:
        return "its actuator or tendon"
    return _text(model, cause, AWAKE_REASONS)


def woken_by(model: ModelView, state: StateView, tree: int) -> str:
    """What woke a tree last."""
    return _text(model, _pair(state.tree_wakecause, tree), WAKE_CAUSES)


def _pair(values: NDArray[np.int32], tree: int) -> tuple[int, int]:
    """A code and its index."""
    return int(values[tree, 0]), int(values[tree, 1])


def _text(model: ModelView, cause: tuple[int, int], texts: dict[int, tuple[str, str]]) -> str:
    """A cause as text."""
    words, kind = texts.get(cause[0], (str(cause[0]), ""))
    if kind == "number":
        return f"{words} {cause[1]}"
    if kind == "dof":
        return f"{words} {element_name(model, 'joint', int(model.dof_jntid[cause[1]]))}"
    if kind == "tree":
        return f"{words} {element_name(model, 'body', int(model.tree_bodyadr[cause[1]]))}"
    return f"{words} {element_name(model, kind, cause[1])}" if kind else words
