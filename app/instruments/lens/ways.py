"""What would have to change for a tree to sleep: one way for each obstacle of its island, with what a click does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.instruments.lens.reasons import tree_name
from app.instruments.lens.why import duration, is_linear, number
from app.run.commands import Command, SetData, SetField, SetFlag
from sim import enums
from sim.analysis.element_names import described, dof_name, element_name
from sim.analysis.trees.tree_sleep import FLAG, RK4, TreeSleep, least_tolerance
from sim.analysis.trees.tree_ties import couples, driven_trees, tendon_trees

# ways for different trees of an island that are listed
MOST = 6
# speeds above this, m/s, are not rest to the eye
VISIBLE = 0.01


@dataclass(frozen=True)
class Way:
    """Something to change, a hint about it; and the button that does it, if there is one."""

    text: str
    hint: str = ""
    label: str = ""
    commands: tuple[Command, ...] = ()


def ways_to_sleep(m: Any, d: Any, sleep: TreeSleep, tree: int) -> tuple[Way, ...]:
    """All that has to change, in the order in which it matters; one way if the tree needs nothing."""
    if sleep.asleep[tree]:
        return ()
    found = _switches(sleep)
    mates = sleep.mates(tree)
    # its own obstacles first
    trees = [tree, *(mate for mate in mates.tolist() if mate != tree)]
    blocked = [mate for mate in trees if sleep.blocked[mate]]
    # those whose policy forbids it may be too fast besides
    tolerance = float(m.opt.sleep_tolerance)
    fast = (sleep.speed >= tolerance) & (sleep.speed > 0)
    moving = [mate for mate in blocked if fast[mate]]
    found += _policies(m, [mate for mate in blocked if sleep.obstacle[mate, 0] == enums.AWAKE_POLICY])
    found += _forces(m, d, blocked)
    if moving:
        found += _controls(m, d, moving)
        if float(sleep.speed[moving].max()) > VISIBLE:
            found.append(Way("Wait until it comes to rest: it is still moving visibly."))
        found.append(_tolerance(m, sleep, moving, tree))
        found += _damping(m, sleep, moving[0])
    if not found and (sleep.starting[mates] >= 0).any():
        return (Way("Wait until it comes to rest: something is accelerating it."),)
    if not found:
        steps = int(sleep.countdown[tree])
        island = "its island" if len(mates) > 1 else "it"
        return (Way(f"Nothing: {island} will fall asleep by itself in {duration(m, steps)}."),)
    more = len(found) - MOST
    rest = [Way(f"{more} more, from other trees in its island.")] if more > 0 else []
    return (*found[:MOST], *rest)


def _switches(sleep: TreeSleep) -> list[Way]:
    """What lets anything sleep at all."""
    if not sleep.off:
        return []
    if sleep.off == FLAG:
        edit: Command = SetFlag("opt.enableflags", enums.ENBL_SLEEP, True)
        return [Way("Enable the sleep flag.", "option/flag sleep", "Enable sleep", (edit,))]
    if sleep.off == RK4:
        edit = SetField("opt.integrator", float(enums.INT_IMPLICITFAST))
        hint = "option/integrator: all others support sleep"
        return [Way("Use another integrator, such as implicitfast.", hint, "Use implicitfast", (edit,))]
    edit = SetFlag("opt.disableflags", enums.DSBL_ISLAND, False)
    hint = "option/flag island: with constraints, only islands can fall asleep"
    return [Way("Enable the island flag.", hint, "Enable islands", (edit,))]


def _policies(m: Any, trees: list[int]) -> list[Way]:
    """Sleep policies to change; a tendon that couples trees does not let them sleep at all."""
    found: list[Way] = []
    for tree in trees:
        tendons = [t for t in range(len(m.tendon_num)) if tree in tendon_trees(m, t) and couples(m, t)]
        for tendon in tendons[:1]:
            several = len(tendon_trees(m, tendon)) > 2
            cure = "Split it" if several else "Remove its stiffness and damping"
            why = "spans more than two trees" if several else "couples trees through a spring or damper"
            name = described(m, "tendon", tendon)
            hint = "A spring would keep pulling on a sleeping tree, so MuJoCo never lets such trees sleep."
            found.append(Way(f"The {name} {why}, and these cannot sleep. {cure}, in the file.", hint))
        if not tendons:
            found.append(
                Way(
                    f"Let {tree_name(m, tree)} sleep: set its sleep policy to allowed.",
                    "body/sleep. Controls do not wake a sleeping tree; contacts and forces do.",
                    "Allow",
                    (SetField("tree_sleep_policy", float(enums.SLEEP_ALLOWED), (tree,)),),
                )
            )
    return [*dict.fromkeys(found)]


def _forces(m: Any, d: Any, trees: list[int]) -> list[Way]:
    """Applied forces to remove."""
    found = []
    bodies, dofs = np.asarray(m.body_treeid), np.asarray(m.dof_treeid)
    for tree in trees:
        for dof in np.flatnonzero((dofs == tree) & (np.asarray(d.qfrc_applied) != 0)).tolist():
            force = number(float(d.qfrc_applied[dof]), "N" if is_linear(m, dof) else "N m")
            text = f"Set qfrc_applied of {dof_name(m, dof)} to 0; it is {force}."
            found.append(Way(text, "d.qfrc_applied", "Set to 0", (SetData("qfrc_applied", dof, (0.0,)),)))
        for body in np.flatnonzero((bodies == tree) & np.any(d.xfrc_applied, axis=1)).tolist():
            edit = SetData("xfrc_applied", 6 * body, (0.0,) * 6)
            text = f"Set xfrc_applied of {element_name(m, 'body', body)} to 0."
            found.append(Way(text, "d.xfrc_applied", "Set to 0", (edit,)))
        pulled = int(d.perturb.select)
        if int(d.perturb.active) and 0 <= pulled < len(bodies) and bodies[pulled] == tree:
            found.append(Way(f"Release {element_name(m, 'body', pulled)}, which the mouse is pulling."))
    return found


def _controls(m: Any, d: Any, moving: list[int]) -> list[Way]:
    """Controls of actuators that drive what moves."""
    found = []
    for actuator in range(int(m.nactuator)):
        first, count = int(m.actuator_ctrladr[actuator]), int(m.actuator_ctrlnum[actuator])
        values = np.asarray(d.ctrl)[first : first + count]
        if values.any() and driven_trees(m, actuator) & set(moving):
            name = described(m, "actuator", actuator)
            text = f"Set the control of the {name} to 0; it is {', '.join(f'{value:.3g}' for value in values)}."
            found.append(Way(text, "d.ctrl", "Set to 0", (SetData("ctrl", first, (0.0,) * count),)))
    return found


def _tolerance(m: Any, sleep: TreeSleep, moving: list[int], tree: int) -> Way:
    """The tolerance at which the motion of an island counts as rest."""
    speeds = sleep.speed[moving]
    needed = least_tolerance(float(speeds.max()))
    fastest = moving[int(speeds.argmax())]
    whose = "" if moving == [tree] else f" of {tree_name(m, fastest)}, the fastest of its island,"
    now = number(float(m.opt.sleep_tolerance), "m/s")
    text = f"Raise the sleep tolerance from {now} to {number(needed, 'm/s')}: the current motion{whose} is slower."
    hint = "option/sleep_tolerance, for the whole model. The tree then falls asleep after 10 steps below it."
    if needed > VISIBLE:
        hint += " It would stop in mid-motion."
    return Way(text, hint, "Raise", (SetField("opt.sleep_tolerance", needed),))


def _damping(m: Any, sleep: TreeSleep, tree: int) -> list[Way]:
    """Damping of the joint that is the fastest, where it has none."""
    dof = int(sleep.dof[tree])
    joint = int(m.dof_jntid[dof])
    if int(m.jnt_type[joint]) == enums.JNT_FREE or float(m.dof_damping[dof]) > 0:
        return []
    text = f"Give {described(m, 'joint', joint)} some damping."
    return [Way(text, "joint/damping, in the inspector")]
