"""Reads one element: values of its default class, overwritten by its own attributes.

An element starts as a copy of its class's prototype; a vector given in part keeps the other components.
"""

from __future__ import annotations

from typing import Any, TypeVar

from sim.mjcf.errors import suggestion
from sim.mjcf.records import Default, Item, Parsed, copied
from sim.mjcf.schema import element, read_node
from sim.mjcf.source import Node

Kind = TypeVar("Kind", bound=Item)


def find_class(parsed: Parsed, node: Node, name: str) -> Default:
    if name not in parsed.defaults:
        raise node.error(f"unknown default class '{name}'", suggestion(name, parsed.defaults))
    return parsed.defaults[name]


def merge(target: dict[str, Any], values: dict[str, Any], name: str) -> None:
    """Overwrite values; a vector given in part keeps the other components."""
    attributes = element(name).attributes
    for key, value in values.items():
        if key in attributes and attributes[key].partial:
            value = value + target[key][len(value) :]
        target[key] = value


def begin_element(
    parsed: Parsed, node: Node, kind: type[Kind], name: str, prototype: str = ""
) -> tuple[Kind, dict[str, Any]]:
    """A new element with the values of its default class, and its own attributes, not set yet."""
    values = read_node(node, name)
    if prototype:
        default = find_class(parsed, node, values.pop("class")) if "class" in values else parsed.defaults["main"]
        item = copied(default.prototypes[prototype])
        assert isinstance(item, kind)
    else:
        item = kind()
    item.node = node
    return item, values


def read_element(parsed: Parsed, node: Node, kind: type[Kind], name: str, prototype: str = "") -> Kind:
    """A new element of which every attribute is a field."""
    item, values = begin_element(parsed, node, kind, name, prototype)
    merge(item.__dict__, values, name)
    return item
