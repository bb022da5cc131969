"""The chain of wakes in words: one line for each, from the last to the first cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.instruments.lens.reasons import cause_text, tree_name
from sim import enums
from sim.analysis.element_names import described, element_name, full_geom_name
from sim.analysis.trees.wakes import Wake

# what the id of a cause is an element of
ELEMENTS = {
    enums.WAKE_CONTACT: "geom",
    enums.WAKE_EQUALITY: "equality",
    enums.WAKE_TENDON: "tendon",
    enums.WAKE_XFRC: "body",
    enums.WAKE_MOCAP: "body",
}


class Line(NamedTuple):
    """One wake: when (None: before all that is known), the name of the tree and what woke it; what a click shows."""

    step: int | None
    time: float
    tree: int
    name: str
    text: str
    element: tuple[str, int]


def chain_lines(m: Any, links: Sequence[Wake], since_start: int, unknown: int) -> list[Line]:
    """The chain, and where it begins if no first cause was found.

    `since_start` is the tree that has not woken, -1 for none. Before step `unknown` nothing can be told; -1: it has not
    slept before.
    """
    lines = [
        Line(wake.step, wake.time, wake.tree, tree_name(m, wake.tree), wake_text(m, wake), element(m, wake))
        for wake in links
    ]
    if since_start >= 0:
        since = "since the start" if unknown < 0 else "since before the recorded steps of this model"
        name = tree_name(m, since_start)
        lines.append(Line(None, 0.0, since_start, name, f"awake {since}", ("tree", since_start)))
    return lines


def element(m: Any, wake: Wake) -> tuple[str, int]:
    """The element that woke a tree, or the tree itself."""
    if wake.cause in (enums.WAKE_QVEL, enums.WAKE_QFRC):
        return "joint", int(m.dof_jntid[wake.id])
    kind = ELEMENTS.get(wake.cause)
    return (kind, wake.id) if kind is not None else ("tree", wake.tree)


def wake_text(m: Any, wake: Wake) -> str:
    """What woke a tree: "touched by ball / skin"."""
    text = _cause(m, wake)
    return text if wake.via == wake.tree else f"slept with {tree_name(m, wake.via)}, which was {text}"


def _cause(m: Any, wake: Wake) -> str:
    other = f", whose other end, {tree_name(m, wake.source)}, was awake" if wake.source >= 0 else ""
    if wake.cause == enums.WAKE_CONTACT:
        return f"touched by {full_geom_name(m, wake.id)}"
    if wake.cause == enums.WAKE_EQUALITY:
        began = other or ", which was switched on between trees that slept separately"
        return f"moved by the {described(m, 'equality', wake.id)}{began}"
    if wake.cause == enums.WAKE_TENDON:
        return f"pulled by the {described(m, 'tendon', wake.id)}{other}"
    if wake.cause == enums.WAKE_XFRC:
        who = "the mouse" if wake.mouse else "xfrc_applied"
        return f"pulled by {who} on {element_name(m, 'body', wake.id)}"
    if wake.cause == enums.WAKE_CALL:
        return "woken by the user or a script"
    if wake.cause == enums.WAKE_FLAG:
        return "woken with all other trees: sleep was disabled"
    return cause_text(m, wake.cause, wake.id)
