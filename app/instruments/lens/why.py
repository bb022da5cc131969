"""Why a tree is awake, in one sentence that names the actuator, contact, tendon, equality, joint or force.

A tree that is slow itself is kept awake by its island: the sentence names what ties it to the next tree, and what keeps
the nearest one awake that is not ready. Works on a Model and Data, or on views of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.instruments.lens.reasons import tree_name
from sim import enums
from sim.analysis.element_names import AXES, described, element_name, full_geom_name, joint_and_axis
from sim.analysis.trees.tree_sleep import FLAG, RK4, TreeSleep
from sim.analysis.trees.tree_ties import Tie, constrained_trees, kept_awake_by, path_to, ties

# an element that a sentence names: type, index
Element = tuple[str, int]

OFF = {
    FLAG: "Nothing sleeps in this model: its sleep flag is disabled.",
    RK4: "Nothing sleeps with the integrator RK4, which does not support it.",
    "islands": "Nothing sleeps without islands, and the island flag is disabled.",
}


@dataclass(frozen=True)
class Why:
    """A sentence, and the elements that it names, in order."""

    text: str
    elements: tuple[Element, ...] = ()


def why_sentence(m: Any, d: Any, sleep: TreeSleep, tree: int) -> Why:
    """Why a tree is awake, or that it is asleep."""
    name = tree_name(m, tree)
    own: Element = ("tree", tree)
    if sleep.asleep[tree]:
        mates = int((_cycle(d, tree)).sum()) - 1
        together = f" with {mates} other tree{'s' * (mates > 1)}, as one island" if mates else ""
        return Why(f"{name} is asleep{together}.", (own,))
    if sleep.off:
        return Why(OFF[sleep.off], (own,))
    if sleep.blocked[tree]:
        clause, elements = obstacle(m, d, sleep, tree, "it", "its")
        return Why(f"{name} is awake because {clause}.", (own, *elements))
    others = sleep.mates(tree)
    blocked = set(others[sleep.blocked[others]].tolist())
    if blocked:
        return _tied(m, d, sleep, tree, blocked)
    for mate in [tree, *others.tolist()]:
        if (dof := int(sleep.starting[mate])) >= 0:
            return _starting(m, d, tree, mate, dof)
    steps = int(sleep.countdown[tree])
    return Why(f"{name} is slow enough, and falls asleep in {duration(m, steps)} unless something changes.", (own,))


def duration(m: Any, steps: int) -> str:
    """Steps with their time: "7 steps (14 ms)"."""
    seconds = steps * float(m.opt.timestep)
    length = f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
    return f"{steps} step{'s' * (steps != 1)} ({length})"


def number(value: float, unit: str) -> str:
    """A number of three digits with its unit."""
    return f"{value:.3g} {unit}"


def _starting(m: Any, d: Any, tree: int, mate: int, dof: int) -> Why:
    """Trees that are slow, but not for long."""
    name, unit = tree_name(m, tree), "m/s²" if is_linear(m, dof) else "rad/s²"
    acceleration = number(abs(float(d.qacc[dof])), unit)
    who = "it" if mate == tree else f"{tree_name(m, mate)}, in its island,"
    joint, axis = joint_and_axis(m, dof)
    where = (f"along {axis}" if is_linear(m, dof) else f"about {axis[-1]}") if axis else f"at {joint}"
    text = f"{name} is slow now, but {who} accelerates {where} by {acceleration}, so it will not sleep yet."
    return Why(text, (("tree", tree), ("joint", _joint(m, dof))))


def _tied(m: Any, d: Any, sleep: TreeSleep, tree: int, blocked: set[int]) -> Why:
    """A tree that waits for others of its island: what ties it to the next, and what keeps the nearest awake."""
    name = tree_name(m, tree)
    path = path_to(ties(m, d), tree, blocked)
    culprit = path[-1].other if path else min(blocked)
    other = tree_name(m, culprit)
    reason, elements = obstacle(m, d, sleep, culprit, other, f"{other}'s")
    if not path:
        # springs and servos between trees, which the discrete integrator solves together
        text = f"{name} is awake because it is solved together with {other}, and {reason}."
        return Why(text, (("tree", tree), ("tree", culprit), *elements))
    words, tied = tie_words(m, d, path[0])
    text = f"{name} is awake because {words}"
    if len(path) > 1:
        between = len(path) - 1
        text += f", which {'is' if between == 1 else f'over {between} more trees is'} tied to {other}"
    return Why(f"{text}, and {reason}.", (("tree", tree), tied, ("tree", culprit), *elements))


def tie_words(m: Any, d: Any, tie: Tie) -> tuple[str, Element]:
    """What a tie does to the tree that it begins at, "the tendon rope ties it to load"; and the element."""
    name = tree_name(m, tie.other)
    if tie.kind == "contact":
        geoms = d.contact.geom[tie.id].tolist()
        own = geoms if int(m.body_treeid[m.geom_bodyid[geoms[0]]]) == tie.tree else geoms[::-1]
        first, second = (full_geom_name(m, geom) for geom in own)
        return f"it touches {name} (contact of {first} with {second})", ("geom", own[1])
    return f"the {described(m, tie.kind, tie.id)} ties it to {name}", (tie.kind, tie.id)


def obstacle(m: Any, d: Any, sleep: TreeSleep, tree: int, who: str, whose: str) -> tuple[str, tuple[Element, ...]]:
    """What keeps a tree itself from counting down, as a clause, and the elements that it names."""
    code, index = sleep.obstacle[tree].tolist()
    if code == enums.AWAKE_POLICY:
        return _policy(m, d, tree, who, whose)
    if code == enums.AWAKE_MOVING:
        return _moving(m, d, sleep, tree, who, whose)
    if code == enums.AWAKE_QFRC:
        joint, axis = joint_and_axis(m, index)
        unit = "N" if is_linear(m, index) else "N m"
        force = number(float(d.qfrc_applied[index]), unit)
        return f"qfrc_applied pushes {joint}{f' along {axis}' * bool(axis)} with {force}", (
            ("joint", _joint(m, index)),
        )
    body = element_name(m, "body", index)
    if not np.any(d.xfrc_applied[index]):
        return f"the mouse pulls {body}", (("body", index),)
    newtons, torque = (float(np.linalg.norm(d.xfrc_applied[index, part])) for part in (slice(3), slice(3, 6)))
    size = number(newtons, "N") if newtons else number(torque, "N m")
    return f"xfrc_applied pushes {body} with {size}", (("body", index),)


def _policy(m: Any, d: Any, tree: int, who: str, whose: str) -> tuple[str, tuple[Element, ...]]:
    if int(m.tree_sleep_policy[tree]) == enums.SLEEP_NEVER:
        return f"{whose} sleep policy is never", ()
    found = kept_awake_by(m).get(tree)
    if found is None:
        return f"an actuator or a tendon acts on {who}, and such trees never sleep by default", ()
    kind, index = found
    if kind == "actuator":
        return f"the {described(m, *found)} acts on {who}, and driven trees never sleep by default", (found,)
    others = sorted(constrained_trees(m, d, kind, index) - {tree})
    names = " and ".join(tree_name(m, other) for other in others[:2])
    return f"the {described(m, *found)} ties {who} to {names}, and such trees never sleep by default", (found,)


def _moving(m: Any, d: Any, sleep: TreeSleep, tree: int, who: str, whose: str) -> tuple[str, tuple[Element, ...]]:
    dof = int(sleep.dof[tree])
    joint = _joint(m, dof)
    linear, kind = is_linear(m, dof), int(m.jnt_type[joint])
    velocity = number(abs(float(d.qvel[dof])), "m/s" if linear else "rad/s")
    verb = "moves" if linear else "turns"
    if kind == enums.JNT_FREE:
        axis = AXES[kind][dof - int(m.jnt_dofadr[joint])][-1]
        text = f"{who} still {verb} {'along' if linear else 'about'} {axis} at {velocity}"
    else:
        text = f"{whose} joint {element_name(m, 'joint', joint)} still {verb} at {velocity}"
    tolerance = number(float(m.opt.sleep_tolerance), "m/s")
    counted = "" if linear else f", which counts as {number(float(sleep.speed[tree]), 'm/s')}"
    return f"{text}{counted}: the sleep tolerance is {tolerance}", (("joint", joint),)


def is_linear(m: Any, dof: int) -> bool:
    """Whether a dof is a translation."""
    joint = _joint(m, dof)
    kind = int(m.jnt_type[joint])
    return kind == enums.JNT_SLIDE or (kind == enums.JNT_FREE and dof - int(m.jnt_dofadr[joint]) < 3)


def _joint(m: Any, dof: int) -> int:
    return int(m.dof_jntid[dof])


def _cycle(d: Any, tree: int) -> np.ndarray:
    """Which trees fell asleep together with one."""
    following = np.asarray(d.tree_asleep)
    found = np.zeros(len(following), bool)
    while not found[tree]:
        found[tree] = True
        tree = int(following[tree])
    return found
