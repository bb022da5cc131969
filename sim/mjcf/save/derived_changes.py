"""Writes what a file would compute otherwise after an edit: stiffness and damping of springdamper, inherited ranges.

Loading computes these from inertias and from the ranges of joints. Where that would not give the values of the Model,
they are written, and the attribute that they came from is switched off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sim import enums
from sim.mjcf.attach.references import walk
from sim.mjcf.body_tree import NV
from sim.mjcf.records import Actuator, Item, Joint, Parsed
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.save.unscale import unscaled
from sim.mjcf.section.actuator import inherited_range, inherits
from sim.mjcf.set_const.set_const import LOAD_CONSTANTS, SCRATCH, set_inertia_constants
from sim.mjcf.source import Node
from sim.model import Model


def write_derived(m: Model, parsed: Parsed, root: Node, node_of: Callable[[Item], Node | None]) -> None:
    """Write the values of the Model that loading would compute otherwise."""
    for joint in changed_springs(m, parsed.lists["joint"]):
        dof = int(m.read("jnt_dofadr")[joint.id])
        stiffness = (m.read("jnt_stiffness")[joint.id], *m.read("jnt_stiffnesspoly")[joint.id])
        damping = (m.read("dof_damping")[dof], *m.read("dof_dampingpoly")[dof])
        node = node_of(joint)
        if node is not None:
            for key, numbers in (("stiffness", stiffness), ("damping", damping)):
                node.attrib[key] = format_numbers(_without_zeros(unscaled(joint, key, np.array(numbers))))
            _switch_off(root, node, "springdamper", "0 0")
    for actuator, key, interval in changed_ranges(m, parsed.lists["actuator"]):
        node = node_of(actuator)
        if node is not None:
            node.attrib[key] = format_numbers(unscaled(actuator, key, interval))
            _switch_off(root, node, "inheritrange", "0")


def changed_springs(m: Model, joints: Sequence[Joint]) -> Iterator[Joint]:
    """Joints whose springdamper would give another stiffness or damping than the Model has."""
    wanted = [joint.springdamper for joint in joints]
    if not any(min(pair) > 0 for pair in wanted):
        return
    scratch = m.with_own((*LOAD_CONSTANTS, *SCRATCH))
    scratch.opt.enableflags = m.opt.enableflags & ~enums.ENBL_SLEEP
    set_inertia_constants(scratch, wanted)
    for joint in joints:
        first = int(m.read("jnt_dofadr")[joint.id])
        dofs = slice(first, first + NV[int(m.read("jnt_type")[joint.id])])
        same = scratch.jnt_stiffness[joint.id] == m.read("jnt_stiffness")[joint.id]
        if not same or (scratch.dof_damping[dofs] != m.read("dof_damping")[dofs]).any():
            yield joint


def changed_ranges(m: Model, actuators: Sequence[Actuator]) -> Iterator[tuple[Actuator, str, np.ndarray]]:
    """Actuators that would inherit another range than they have, and the attribute for it."""
    for actuator in actuators:
        if not inherits(actuator):
            continue
        joint = actuator.trntype == enums.TRN_JOINT
        low, high = m.read("jnt_range" if joint else "tendon_range")[actuator.trnid[0]]
        acts = actuator.dyntype == enums.DYN_INTEGRATOR
        row = actuator.id if acts else int(m.read("actuator_ctrladr")[actuator.id])
        key = "actrange" if acts else "ctrlrange"
        interval = m.read(f"actuator_{key}")[row]
        if inherited_range(float(low), float(high), actuator.inheritrange) != tuple(interval.tolist()):
            yield actuator, key, interval


def _without_zeros(numbers: np.ndarray) -> np.ndarray:
    """A polynomial without its highest powers if they are 0."""
    return numbers[: max(1, int(np.max(np.flatnonzero(numbers), initial=0)) + 1)]


def _switch_off(root: Node, node: Node, key: str, off: str) -> None:
    """Remove an attribute, or set it to what switches it off if a default class may have it."""
    classes = (child for section in root.children if section.tag == "default" for child in walk(section))
    if any(key in child.attrib for child in classes):
        node.attrib[key] = off
    else:
        node.attrib.pop(key, None)
