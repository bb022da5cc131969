"""Reads one element: values of its default class, overwritten by its own attributes.

An element starts as a copy of its class's prototype; a vector given in part keeps the other components.
"""

from __future__ import annotations

from typing import Any, TypeVar

from sim.mjcf.errors import suggestion
from sim.mjcf.schema import check_children, element, read_attributes
from sim.mjcf.source import Node
from sim.mjcf.spec import Default, Item, Spec, copied

Kind = TypeVar("Kind", bound=Item)


def find_class(spec: Spec, node: Node, name: str) -> Default:
    if name not in spec.defaults:
        raise node.error(f"unknown default class '{name}'", suggestion(name, spec.defaults))
    return spec.defaults[name]


def merge(target: dict[str, Any], values: dict[str, Any], name: str) -> None:
    """Overwrite values; a vector given in part keeps the other components."""
    attributes = element(name).attributes
    for key, value in values.items():
        if key in attributes and attributes[key].partial:
            value = value + target[key][len(value) :]
        target[key] = value


def begin_element(
    spec: Spec, node: Node, kind: type[Kind], name: str, prototype: str = ""
) -> tuple[Kind, dict[str, Any]]:
    """A new element with the values of its default class, and its own attributes, not set yet."""
    check_children(node, name)
    values = read_attributes(node, name)
    if prototype:
        default = find_class(spec, node, values.pop("class")) if "class" in values else spec.defaults["main"]
        item = copied(default.prototypes[prototype])
        assert isinstance(item, kind)
    else:
        item = kind()
    item.node = node
    return item, values


def read_element(spec: Spec, node: Node, kind: type[Kind], name: str, prototype: str = "") -> Kind:
    """A new element of which every attribute is a field."""
    item, values = begin_element(spec, node, kind, name, prototype)
    merge(item.__dict__, values, name)
    return item
