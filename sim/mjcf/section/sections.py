"""Dispatches the sections beside the body tree: readers, default classes, fields, in MuJoCo's order.

Also what depends on several of them: the actuator that damps a joint or tendon, and the sleep policy of trees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim import enums
from sim.attributes.actuators import ACTUATOR_TAGS
from sim.attributes.keywords import OBJECT_TYPES
from sim.mjcf.attach.references import kind_of
from sim.mjcf.read_element import merge, read_element
from sim.mjcf.records import Actuator, Default, Exclude, Ids, Item, Lists, Pair, Parsed, Tendon, Text, Values
from sim.mjcf.schema import read_node
from sim.mjcf.section.actuator import compile_actuators, fill_actuators
from sim.mjcf.section.actuator_shortcuts import default_actuator, read_shortcut
from sim.mjcf.section.custom import compile_tuples, fill_custom, read_numeric, read_tuple
from sim.mjcf.section.equality import compile_equalities, object_type, read_equality
from sim.mjcf.section.sensor import compile_sensors, fill_sensors, read_sensor
from sim.mjcf.section.tendon import (
    compile_tendons,
    fill_tendons,
    read_tendon,
    take_springlength,
    tendon_trees,
)
from sim.mjcf.source import Node

# type of element -> what reads it
_READERS: dict[str, Callable[[Parsed, Node], Item]] = {
    "pair": lambda parsed, node: read_element(parsed, node, Pair, "pair", "pair"),
    "exclude": lambda parsed, node: read_element(parsed, node, Exclude, "exclude"),
    "equality": read_equality,
    "tendon": read_tendon,
    "actuator": read_shortcut,
    "sensor": read_sensor,
    "numeric": read_numeric,
    "text": lambda parsed, node: read_element(parsed, node, Text, "text"),
    "tuple": read_tuple,
}
# fields that are not an attribute: element type -> field -> the element's value, by name or function
SECTION_COMPUTED: dict[str, dict[str, str | Callable[[Any], Any]]] = {
    "pair": {
        "pair_signature": "signature",
        "pair_geom1": lambda pair: pair.geomids[0],
        "pair_geom2": lambda pair: pair.geomids[1],
    },
    "exclude": {"exclude_signature": "signature"},
    "equality": {
        "eq_type": "type",
        "eq_obj1id": "obj1id",
        "eq_obj2id": "obj2id",
        "eq_objtype": object_type,
    },
    # computed at qpos0 by set_const, as is a lengthspring of -1 -1
    "tendon": {"tendon_length0": lambda tendon: 0.0, "tendon_invweight0": lambda tendon: 0.0},
    "actuator": {
        "actuator_trntype": "trntype",
        "actuator_trnid": "trnid",
        "actuator_ctrlnum": "ctrlnum",
        "actuator_ctrlspec": "ctrlspec",
        "actuator_outnum": "outnum",
        "actuator_history": lambda actuator: (actuator.nsample, actuator.interp),
        "actuator_plugin": lambda actuator: -1,
    },
    "sensor": {
        "sensor_type": "type",
        "sensor_objtype": lambda sensor: OBJECT_TYPES.get(sensor.objtype, 0),
        "sensor_objid": "objid",
        "sensor_reftype": lambda sensor: OBJECT_TYPES.get(sensor.reftype, 0),
        "sensor_refid": "refid",
        "sensor_intprm": "intprm",
        "sensor_history": lambda sensor: (sensor.nsample, sensor.interp),
        "sensor_plugin": lambda sensor: -1,
    },
}


def read_section(parsed: Parsed, node: Node) -> None:
    """Read all elements of a section."""
    read_node(node)
    for child in node.children:
        kind = kind_of(node.tag, child.tag)
        parsed.section_elements[kind].append(_READERS[kind](parsed, child))


def _read_default(default: Default, node: Node) -> None:
    name = f"default/{node.tag}"
    values = read_node(node, name)
    take_springlength(values)
    merge(default.prototypes[node.tag].__dict__, values, name)


DEFAULT_READERS: dict[str, Callable[[Default, Node], None]] = {
    **dict.fromkeys(("pair", "equality", "tendon"), _read_default),
    **dict.fromkeys(ACTUATOR_TAGS, default_actuator),
}


def compile_sections(parsed: Parsed, lists: Lists, ids: Ids) -> None:
    """Resolve references, check, and compute what does not need the inertia matrix."""
    compile_equalities(lists["equality"], lists["joint"], ids)
    compile_tendons(lists["tendon"], parsed, lists, ids)
    compile_actuators(lists["actuator"], parsed, lists, ids)
    compile_sensors(lists["sensor"], parsed.budget, lists, ids)
    compile_tuples(lists["tuple"], ids)


def fill_sections(m: Values, lists: Lists) -> None:
    """Fields that are not in the tables; those of the tree must be filled."""
    fill_tendons(m, lists["tendon"])
    fill_actuators(m, lists["actuator"], lists["tendon"])
    fill_sensors(m, lists["sensor"])
    fill_custom(m, lists["numeric"], lists["text"], lists["tuple"])
    m["flg_adhesion"] = bool(m["geom_adhesion"].any() or m["pair_adhesion"].any())
    _set_dampers(m, lists["actuator"])
    _set_sleep(m, lists["actuator"], lists["tendon"])


def _set_dampers(m: Values, actuators: Sequence[Actuator]) -> None:
    """jnt_actuatorid and tendon_actuatorid: the actuator with damping or armature; -1: none, -2: several."""
    m["jnt_actuatorid"] = np.full(m["njnt"], -1, np.int32)
    m["tendon_actuatorid"] = np.full(m["ntendon"], -1, np.int32)
    for number, actuator in enumerate(actuators):
        if any(actuator.damping) or actuator.armature:
            field = "tendon_actuatorid" if actuator.trntype == enums.TRN_TENDON else "jnt_actuatorid"
            target = actuator.trnid[0]
            m[field][target] = number if m[field][target] == -1 else -2


# ---- sleep


def _acted_on(actuator: Actuator) -> str:
    """Prefix of the target's fields; an so3 transmission without refsite acts on a joint."""
    joint = actuator.trntype in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT)
    return "jnt" if joint or (actuator.trntype == enums.TRN_SO3 and actuator.trnid[1] < 0) else "site"


def _set_sleep(m: Values, actuators: Sequence[Actuator], tendons: Sequence[Tendon]) -> None:
    """Trees with actuators never sleep, nor do trees coupled by a tendon with a spring or damper, or by one that
    spans more than two trees."""
    policy = m["tree_sleep_policy"]
    for actuator in actuators:
        target = actuator.trnid[0]
        if actuator.trntype == enums.TRN_TENDON:
            trees = tendon_trees(m, tendons[target])
        elif actuator.trntype == enums.TRN_BODY:
            trees = [int(m["body_treeid"][target])]
        else:
            # sites have a refsite, or a slidersite
            targets = [number for number in actuator.trnid if number >= 0]
            trees = [int(m["body_treeid"][m[f"{_acted_on(actuator)}_bodyid"][number]]) for number in targets]
        for tree in trees:
            if tree >= 0 and policy[tree] == enums.SLEEP_AUTO_ALLOWED:
                policy[tree] = enums.SLEEP_AUTO_NEVER
    for number, tendon in enumerate(tendons):
        trees = tendon_trees(m, tendon)
        forces = any(tendon.stiffness) or any(tendon.damping) or m["tendon_actuatorid"][number] != -1
        if len(trees) < 2 or (len(trees) == 2 and not forces):
            continue
        for tree in trees:
            if policy[tree] in (enums.SLEEP_ALLOWED, enums.SLEEP_INIT):
                why = "more than two trees" if len(trees) > 2 else "two trees with a spring or a damper"
                raise tendon.error(
                    f"it couples {why}, and one of them has a policy that allows sleeping",
                    "remove the sleep attribute of its root body",
                )
            if policy[tree] == enums.SLEEP_AUTO_ALLOWED:
                policy[tree] = enums.SLEEP_AUTO_NEVER
