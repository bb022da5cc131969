"""Names: the kinds of elements that have one, and the number that belongs to each name of a kind."""

from __future__ import annotations

from collections.abc import Sequence

from sim.mjcf.spec import Item

NAMED_TYPES = (
    "body", "joint", "geom", "site", "camera", "light", "mesh", "skin", "hfield", "texture", "material", "pair",
    "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key",
)  # fmt: skip


def check_names(kind: str, items: Sequence[Item]) -> dict[str, int]:
    """Number of each name; two elements with one name are an error."""
    numbers: dict[str, int] = {}
    for number, item in enumerate(items):
        if item.name:
            if item.name in numbers:
                other = items[numbers[item.name]].node
                where = f"the other is at {other.file}:{other.line}" if other else "it is the world's"
                raise item.error(f"another {kind} has this name", where)
            numbers[item.name] = number
    return numbers
