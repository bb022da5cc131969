"""Names of elements: the types that have names, and name -> id for each type."""

from __future__ import annotations

from collections.abc import Sequence

from sim.mjcf.records import Item

NAMED_TYPES = (
    "body", "joint", "geom", "site", "camera", "light", "mesh", "skin", "hfield", "texture", "material", "pair",
    "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key",
)  # fmt: skip


def check_names(kind: str, items: Sequence[Item]) -> dict[str, int]:
    """name -> id; two elements of a type with the same name are an error."""
    ids: dict[str, int] = {}
    for index, item in enumerate(items):
        if item.name:
            if item.name in ids:
                other = items[ids[item.name]].node
                where = f"the other one is at {other.file}:{other.line}" if other else "it is the world's"
                raise item.error(f"another {kind} has this name", where)
            ids[item.name] = index
    return ids
