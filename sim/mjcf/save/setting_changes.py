"""Writes edited options, flags, visual settings and statistics: to the last section that has them, or a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.attributes import BY_TAG, DISABLE_FLAGS, ENABLE_FLAGS
from sim.mjcf.save.attribute_text import fewest_words, format_attribute
from sim.mjcf.schema import element
from sim.mjcf.source import Node

if TYPE_CHECKING:
    from sim.mjcf.save.changes import Changes

FLAGS = {"disableflags": (DISABLE_FLAGS, "disable", "enable"), "enableflags": (ENABLE_FLAGS, "enable", "disable")}
GROUPS = "actuatorgroupdisable"


def write_settings(changes: Changes) -> None:
    """Write all settings that changed."""
    for name in sorted(changes.waiting):
        group, _, key = name.partition(".")
        if group not in ("opt", "vis", "stat"):
            continue
        before, after = changes.start[name], changes.m.read(name)
        if group == "opt":
            _option(changes, key, before, after)
        elif group == "vis":
            part, _, key = key.partition(".")
            _number(changes, ("visual", part.rstrip("_"), key), before, after)
        else:
            _number(changes, ("statistic", "statistic", key), before, after)
        changes.waiting.discard(name)


def _option(changes: Changes, key: str, before: Any, after: Any) -> None:
    if key in FLAGS:
        names, on, off = FLAGS[key]
        for name in names:
            bit = BY_TAG["flag"][name].bit
            if (int(after) ^ int(before)) >> bit & 1:
                _setting_node(changes.root, "option", "flag").attrib[name] = on if int(after) >> bit & 1 else off
    elif key == "disableactuator":
        node = _setting_node(changes.root, "option", "option")
        for other in changes.root.children:
            if other.tag == "option" and other is not node:
                other.attrib.pop(GROUPS, None)
        node.attrib[GROUPS] = " ".join(str(bit) for bit in range(31) if int(after) >> bit & 1)
    else:
        _number(changes, ("option", "option", key), before, after)


def _number(changes: Changes, place: tuple[str, str, str], before: Any, after: Any) -> None:
    section, tag, key = place
    node = _setting_node(changes.root, section, tag)
    kind = BY_TAG[tag][key].type
    single = section == "visual" and isinstance(after, float)
    was, now = (format_attribute(kind, np.float32(value) if single else value) for value in (before, after))
    node.attrib[key] = fewest_words(node.attrib.get(key, ""), was, now, element(tag).attributes[key].partial)


def _setting_node(root: Node, section: str, tag: str) -> Node:
    """The element for a setting in the last section with a tag, whose values win; made if it is missing."""
    outer = next((node for node in reversed(root.children) if node.tag == section), None)
    if outer is None or outer.document.origin:
        outer = Node(section, {}, root.document, root.end)
        root.children.append(outer)
    if tag == section:
        return outer
    for child in outer.children:
        if child.tag == tag:
            return child
    outer.children.append(Node(tag, {}, root.document, root.end))
    return outer.children[-1]
