"""Writes edited, new and removed keyframes.

A new one has only the vectors that differ from the initial state, which is what a keyframe has without them. The
keyframe of a submodel is written in the numbers of that submodel, if they give all that was edited.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.records import Key
from sim.mjcf.save.attribute_text import fewest_words, format_number, format_numbers
from sim.mjcf.save.unscale import unscaled_key
from sim.mjcf.section.keyframe import VECTORS, vector_addresses
from sim.mjcf.section.plastic import initial_plastic
from sim.mjcf.set_const.set_const import StructDict
from sim.mjcf.source import Node

if TYPE_CHECKING:
    from sim.mjcf.save.changes import Changes

FIELDS = ("key_time", *(f"key_{name}" for name in VECTORS))


def write_key_changes(changes: Changes) -> None:
    """Write all keyframes that changed."""
    m, rows = changes.m, changes.m.key_rows
    if not changes.waiting & {"nkey", *FIELDS}:
        return
    changes.waiting -= {"nkey", *FIELDS}
    for key in {*range(len(changes.lists["key"]))} - {*rows}:
        _remove(changes, changes.lists["key"][key])
    for k, row in enumerate(rows):
        if row < 0:
            _add(changes, k)
            continue
        if m.read("key_time")[k] != changes.start["key_time"][row]:
            changes.set("key", row, "time", format_number(m.read("key_time")[k]))
        for name in VECTORS:
            if not np.array_equal(m.read(f"key_{name}")[k], changes.start[f"key_{name}"][row]):
                _edit(changes, name, k, row)


def key_values(changes: Changes, name: str, k: int) -> Any:
    """A vector of a keyframe, as it was before frames scaled it."""
    if changes.parsed.scaled:
        return unscaled_key(changes.m, name, k, changes.lists)
    return changes.m.read(f"key_{name}")[k].ravel()


def _edit(changes: Changes, name: str, k: int, row: int) -> None:
    key: Key = changes.lists["key"][row]
    node = changes.node_of(key)
    values = key_values(changes, name, k)
    if not isinstance(key.node, KeyNode):
        was = changes.start[f"key_{name}"][row]
        changes.set("key", row, name, format_numbers(values), "" if changes.parsed.scaled else format_numbers(was))
        return
    own = _own_numbers(changes, key, name, values, row)
    if own is not None and node is not None:
        before = node.attrib[name]
        node.attrib[name] = fewest_words(before, format_numbers(getattr(key, name)), format_numbers(own), partial=False)


def _own_numbers(changes: Changes, key: Key, name: str, values: Any, row: int) -> list[float] | None:
    """The vector of a submodel's keyframe; None if it does not have all that was edited."""
    assert isinstance(key.node, KeyNode)
    numbers = list(getattr(key, name))
    bodies, (kind, which) = changes.lists["body"], VECTORS[name]
    mocap = [body for body in bodies if body.mocap]
    lists = changes.lists
    addresses = vector_addresses(StructDict(changes.m), bodies, mocap, lists["actuator"], lists["tendon"])[name]
    edited = {*np.flatnonzero(changes.start[f"key_{name}"][row] != values).tolist()}
    first = 0
    for part in key.node.slices[kind] if numbers else ():
        at, size = addresses.get(part.element, (-1, part.sizes[which]))
        # a vector that is too short can only grow by what follows it
        if part.taken and at >= 0 and first <= len(numbers):
            numbers[first : first + size] = values[at : at + size].tolist()
            edited -= {*range(at, at + size)}
        first += size
    return None if edited else numbers


def _add(changes: Changes, k: int) -> None:
    attributes = dict(_attributes(changes, k))
    section = next((node for node in reversed(changes.root.children) if _is_section(node)), None)
    if section is None:
        section = Node("keyframe", {}, changes.root.document, changes.root.end)
        changes.root.children.append(section)
    section.children.append(Node("key", attributes, section.document, section.end))


def _is_section(node: Node) -> bool:
    """Whether a section has keyframes of the whole model."""
    return (
        node.tag == "keyframe" and not node.document.origin and not any(isinstance(k, KeyNode) for k in node.children)
    )


def _attributes(changes: Changes, k: int) -> Iterator[tuple[str, str]]:
    """Name, time, and the vectors that differ from the initial state."""
    m = changes.m
    if m.names["key"][k]:
        yield "name", m.names["key"][k]
    if m.read("key_time")[k]:
        yield "time", format_number(m.read("key_time")[k])
    mocap = np.flatnonzero(m.read("body_mocapid") >= 0)
    start = {"qpos": m.read("qpos0"), "mpos": m.read("body_pos")[mocap], "mquat": m.read("body_quat")[mocap]}
    start["plastic"] = initial_plastic(m)
    for name in VECTORS:
        row = m.read(f"key_{name}")[k].ravel()
        if not np.array_equal(row, np.ravel(start.get(name, np.zeros(len(row))))):
            yield name, format_numbers(key_values(changes, name, k))


def _remove(changes: Changes, key: Key) -> None:
    node = changes.node_of(key)
    for section in changes.root.children if node is not None else ():
        if section.tag == "keyframe":
            section.children = [child for child in section.children if child is not node]
