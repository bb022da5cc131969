"""What a described robot lacks before it can be used: each as changes of elements, and all of them together.

A URDF, or an MJCF with bodies alone, has no floor, light, actuators or keyframe; a robot with legs hangs in the air.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.instruments.doctor import structure
from app.instruments.doctor.checks.overlaps import NEAR, overlaps, steps_between
from app.instruments.doctor.checks.touching import always_touching
from app.instruments.doctor.subject import Subject
from sim import Model
from sim.enums import EQ_JOINT, JNT_FREE
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.save.furnish import actuator_settings, floor_elements, lowest
from sim.tree_edit import Place, TreeEdit

if TYPE_CHECKING:
    from sim.spec.tree_edits import Plan

WORLD = Place("body", "world")
# m, above the floor at the start
CLEARANCE = 1e-3
HOME = "home"


@dataclass(frozen=True)
class Lack:
    """Something that a model lacks, and the changes that add it."""

    text: str
    tree: tuple[TreeEdit, ...]


@dataclass(frozen=True)
class Usable:
    """What a model lacks; `everything` adds all of it. `bare`: it has neither floor nor light."""

    lacks: tuple[Lack, ...] = ()
    everything: tuple[TreeEdit, ...] = ()
    bare: bool = False
    # why the file cannot be changed
    why_not: str = ""


def lacking(subject: Subject) -> Usable:
    """What a model with joints lacks, in the order in which it is added."""
    m = subject.model
    if not m.njnt or not m.ngeom:
        return Usable()
    bare = not subject.collidable.ground.any() and not m.nlight
    why = subject.tree.why_not
    if why:
        return Usable(bare=bare, why_not=why if bare else "")
    steps = [*_steps(subject)]
    found = [Lack(text, structure.planned(subject, make)) for text, make in steps]

    def make_all(plan: Plan) -> None:
        for _, make in steps:
            make(plan)

    everything = structure.planned(subject, make_all) if len(steps) > 1 else ()
    return Usable(tuple(lack for lack in found if lack.tree), everything, bare)


def _steps(subject: Subject) -> Iterator[tuple[str, Callable[[Plan], None]]]:
    """What is lacking, and how it is added."""
    m = subject.model
    root = _standing_root(subject)
    if not subject.collidable.ground.any():
        height = 0.0 if root else min(0.0, lowest(m))
        yield "a floor", lambda plan: _add_floor(subject, plan, height)
    if not m.nlight:
        yield "a light", lambda plan: _add_light(subject, plan)
    if root:
        text = f"a free joint for body {root}, which is put onto the floor"
        yield text, lambda plan: _add_free_joint(subject, plan, root)
    joints = undriven(subject)
    if joints:
        many = f"{len(joints)} position servos" if len(joints) > 1 else "a position servo"
        yield f"{many}, with gains that hold its weight", lambda plan: _add_servos(subject, plan, joints, bool(root))
    pairs = touching_pairs(subject)
    if pairs:
        many = f"{len(pairs)} excludes of links" if len(pairs) > 1 else "an exclude of two links"
        yield f"{many} that always touch", lambda plan: structure.make_excludes(subject, plan, pairs)
    if not m.nkey:
        yield "a keyframe home, with controls that hold it", lambda plan: _add_home(subject, plan)


def _standing_root(subject: Subject) -> str:
    """The name in the file of what several legs or wheels carry, which has no joint; empty if there is none."""
    m = subject.model
    parents, jointed = np.asarray(m.body_parentid), np.asarray(m.body_jntnum) > 0
    if (np.asarray(m.jnt_type) == JNT_FREE).any() or subject.collidable.ground.any():
        return ""
    for body in [0, *np.flatnonzero(parents == 0)[1:].tolist()]:
        limbs = [limb for limb in np.flatnonzero(parents == body).tolist() if jointed[limb] and limb]
        geoms = np.flatnonzero(np.asarray(m.geom_bodyid) == body)
        if jointed[body] or len(limbs) < 2 or not len(geoms):
            continue
        # an arm on a table is not lower than that; what is fixed may be fused with the world
        low = _lowest_of(subject, body)
        name = subject.origins.body_of(int(geoms[0]))
        if sum(_lowest_of(subject, limb) < low - 1e-6 for limb in limbs) >= 2 and name not in ("", "world"):
            return name
    return ""


def _lowest_of(subject: Subject, top: int) -> float:
    """The lowest point of the boxes around geoms: of a limb with all its bodies, or of one body of the world alone."""
    m, d = subject.model, subject.data
    inside = {top}
    if m.body_jntnum[top]:
        for body in range(top + 1, int(m.nbody)):
            if int(m.body_parentid[body]) in inside:
                inside.add(body)
    low = np.inf
    for geom in range(int(m.ngeom)):
        if int(m.geom_bodyid[geom]) in inside:
            up = np.asarray(d.geom_xmat[geom]).reshape(3, 3)[2]
            box = np.asarray(m.geom_aabb[geom])
            low = min(low, float(d.geom_xpos[geom][2] + up @ box[:3] - np.abs(up) @ box[3:]))
    return low


def undriven(subject: Subject) -> list[int]:
    """The hinges and slides that nothing drives and that follow no other joint."""
    m = subject.model
    followers = {int(m.eq_obj1id[k]) for k in range(int(m.neq)) if m.eq_type[k] == EQ_JOINT}
    if m.nactuator and not subject.drives:
        return []
    return [joint for joint in subject.scalar_joints if joint not in subject.drives and joint not in followers]


def touching_pairs(subject: Subject) -> list[structure.Pair]:
    """Pairs of links of a tree that are in each other at the start, or always."""
    body = np.asarray(subject.model.geom_bodyid)
    deep = [(one.first, one.second) for one in overlaps(subject.collidable, subject.data)]
    near = [pair for pair in deep if steps_between(subject, *body[list(pair)].tolist()) <= NEAR]
    return [*structure.pairs_of(subject, near), *always_touching(subject)]


# ---- adding


def _add_floor(subject: Subject, plan: Plan, height: float) -> None:
    from sim.spec.actions import Names

    names = Names(subject.tree.spec)
    name = names.new("geom", "floor")
    for section, tag, attributes in floor_elements(name, height):
        at = WORLD if section == "worldbody" else None
        plan.make(TreeEdit("add", at, tag, tuple(attributes.items())))


def _add_light(subject: Subject, plan: Plan) -> None:
    m = subject.model
    x, y, z = (float(value) for value in m.stat.center)
    above = format_numbers((round(x, 3), round(y, 3), round(z + 3 * float(m.stat.extent), 3)))
    light = (("pos", above), ("dir", "0 0 -1"), ("type", "directional"))
    plan.make(TreeEdit("add", WORLD, "light", light))


def _add_free_joint(subject: Subject, plan: Plan, root: str) -> None:
    from sim.spec.places import place_of

    item = subject.tree.spec.find("body", root)
    assert item is not None
    x, y, z = (float(value) for value in item.get("pos"))
    height = format_numbers((x, y, round(z - lowest(subject.model) + CLEARANCE, 5)))
    plan.make(TreeEdit("set", place_of(item), attributes=(("pos", height),)))
    plan.make(TreeEdit("add", place_of(item), "freejoint", (("name", "root"),)))


def _add_servos(subject: Subject, plan: Plan, joints: list[int], stands: bool) -> None:
    from sim.spec.actions import Names

    m, names = subject.model, Names(subject.tree.spec)
    for joint in joints:
        load = max(subject.gravity_load(joint), _carried(subject, joint) if stands else 0.0)
        name = structure.named(subject, plan, "joint", joint)
        own = {"name": names.new("actuator", name), "joint": name}
        settings = own | actuator_settings(m, joint, "position", load)
        plan.make(TreeEdit("add", None, "position", tuple(settings.items())))


def _carried(subject: Subject, joint: int) -> float:
    """The torque or force on a joint of a leg that carries the model, at a quarter of the reach."""
    m, d = subject.model, subject.data
    weight = float(np.asarray(m.body_mass).sum()) * float(np.linalg.norm(m.opt.gravity))
    body = int(m.jnt_bodyid[joint])
    reach = 2 * float(np.linalg.norm(np.asarray(d.subtree_com[body]) - np.asarray(d.xanchor[joint])))
    return weight * reach / 4 if m.jnt_type[joint] != 2 else weight / 2


def _add_home(subject: Subject, plan: Plan) -> None:
    """The start, within the ranges, and controls of position servos that hold it."""
    m = subject.tree.spec.compile()
    qpos = home_position(m)
    inside = Subject(m)
    ctrl = [0.0] * int(m.nu)
    for joint, actuators in inside.drives.items():
        for actuator in actuators:
            stiffness, gain = inside.servo(actuator)[0], float(m.actuator_gainprm[actuator, 0])
            if stiffness > 0 and gain:
                at = float(qpos[int(m.jnt_qposadr[joint])]) * inside.gear(actuator)
                ctrl[int(m.actuator_ctrladr[actuator])] = at * stiffness / gain
    attributes = [("name", HOME), ("qpos", format_numbers([round(float(q), 6) + 0.0 for q in qpos]))]
    if ctrl:
        attributes.append(("ctrl", format_numbers([round(value, 6) + 0.0 for value in ctrl])))
    plan.make(TreeEdit("add", None, "key", tuple(attributes)))


def home_position(m: Model) -> np.ndarray:
    """qpos0, with each hinge and slide within its range."""
    qpos = np.array(m.qpos0, float)
    for joint in range(int(m.njnt)):
        if m.jnt_limited[joint] and m.jnt_type[joint] >= 2:
            low, high = m.jnt_range[joint]
            at = int(m.jnt_qposadr[joint])
            qpos[at] = min(max(qpos[at], low), high)
    return qpos
