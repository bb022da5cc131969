"""Why a tree is awake and what woke it, in a few words: the engine's codes with the names of elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from sim import enums
from sim.analysis.element_names import described, dof_name, element_name, full_geom_name
from sim.analysis.trees.tree_ties import kept_awake_by

# causes that a chain of waking follows
MOST_LINKS = 12


def _joint_of_qpos(model: Any, index: int) -> str:
    """The joint that a number of qpos belongs to."""
    joint = int(np.searchsorted(np.asarray(model.jnt_qposadr), index, side="right")) - 1
    return element_name(model, "joint", joint)


def tree_name(model: Any, tree: int) -> str:
    """A tree by its root body."""
    return element_name(model, "body", int(model.tree_bodyadr[tree]))


# what the number after a code is -> its name
NAMES: Mapping[str, Callable[[Any, int], str]] = {
    "": lambda model, index: "",
    "number": lambda model, index: str(index),
    "qpos": _joint_of_qpos,
    "dof": dof_name,
    "geom": full_geom_name,
    "tree": tree_name,
    "body": lambda model, index: element_name(model, "body", index),
    "equality": lambda model, index: described(model, "equality", index),
    "tendon": lambda model, index: described(model, "tendon", index),
}
# code -> text, and what its number is
WAKE_CAUSES: dict[int, tuple[str, str]] = {
    enums.WAKE_NONE: ("", ""),
    enums.WAKE_QPOS: ("moved by hand:", "qpos"),
    enums.WAKE_QVEL: ("pushed by hand:", "dof"),
    enums.WAKE_QFRC: ("qfrc_applied on", "dof"),
    enums.WAKE_XFRC: ("force on", "body"),
    enums.WAKE_MOCAP: ("moved mocap body", "body"),
    enums.WAKE_CONTACT: ("touched by", "geom"),
    enums.WAKE_EQUALITY: ("", "equality"),
    enums.WAKE_TENDON: ("", "tendon"),
    enums.WAKE_CALL: ("the user or a script", ""),
    enums.WAKE_FLAG: ("sleep disabled", ""),
    enums.WAKE_POLICY: ("policy changed", ""),
}
AWAKE_REASONS: dict[int, tuple[str, str]] = {
    enums.AWAKE_ASLEEP: ("", ""),
    enums.AWAKE_POLICY: ("its policy", ""),
    enums.AWAKE_XFRC: ("force on", "body"),
    enums.AWAKE_QFRC: ("qfrc_applied on", "dof"),
    enums.AWAKE_MOVING: ("too fast:", "dof"),
    enums.AWAKE_WAITING: ("slow; steps left:", "number"),
    enums.AWAKE_ISLAND: ("tied to", "tree"),
    enums.AWAKE_OFF: ("sleep is off", ""),
}


def why_awake(model: ModelView, state: StateView, tree: int) -> str:
    """What keeps a tree from falling asleep."""
    cause = _pair(state.tree_restless, tree)
    if cause[0] == enums.AWAKE_POLICY and model.tree_sleep_policy[tree] == enums.SLEEP_AUTO_NEVER:
        found = kept_awake_by(model).get(tree)
        return described(model, *found) if found is not None else "its actuator or tendon"
    return _text(model, cause, AWAKE_REASONS)


def woken_by(model: ModelView, state: StateView, tree: int) -> str:
    """What woke a tree last."""
    return cause_text(model, *_pair(state.tree_wakecause, tree))


def cause_text(model: Any, cause: int, index: int) -> str:
    """A cause of waking, WAKE_* and what it is about, in a Model or a view of one."""
    return _text(model, (cause, index), WAKE_CAUSES)


def wake_chain(model: ModelView, state: StateView, tree: int) -> str:
    """What woke a tree, what woke that, and so on: a line for each."""
    lines, seen = list[str](), set[int]()
    while 0 <= tree < model.ntree and tree not in seen and len(lines) < MOST_LINKS:
        seen.add(tree)
        lines.append(f"{tree_name(model, tree)}: {woken_by(model, state, tree) or 'awake since the reset'}")
        code, index = _pair(state.tree_wakecause, tree)
        tree = int(model.body_treeid[model.geom_bodyid[index]]) if code == enums.WAKE_CONTACT else -1
    return "\n".join(lines)


def _pair(values: NDArray[np.int32], tree: int) -> tuple[int, int]:
    """A code and its index."""
    return int(values[tree, 0]), int(values[tree, 1])


def _text(model: Any, cause: tuple[int, int], texts: Mapping[int, tuple[str, str]]) -> str:
    """A cause as text."""
    words, kind = texts.get(cause[0], (str(cause[0]), ""))
    return f"{words} {NAMES[kind](model, cause[1])}".strip()
