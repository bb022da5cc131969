"""Names: one string of all, the address of each, and a hash table to find them.

Each kind's part of the table has two places for each element; a name that finds its place taken takes the
next one. Two elements of a kind cannot have the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .spec import Item

# kind -> name of its address field, in the order of the string
KINDS = {
    "body": "body", "joint": "jnt", "geom": "geom", "site": "site", "camera": "cam", "light": "light",
    "flex": "flex", "mesh": "mesh", "skin": "skin", "hfield": "hfield", "texture": "tex", "material": "mat",
    "pair": "pair", "exclude": "exclude", "equality": "eq", "tendon": "tendon", "actuator": "actuator",
    "sensor": "sensor", "numeric": "numeric", "text": "text", "tuple": "tuple", "key": "key",
    "plugin": "plugin",
}


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


def name_values(modelname: str, names: dict[str, list[str]]) -> dict[str, Any]:
    """names, name_*adr, names_map and their sizes."""
    values: dict[str, Any] = {}
    parts = [modelname.encode()]
    address = len(parts[0]) + 1
    table: list[int] = []
    for kind, field in KINDS.items():
        encoded = [name.encode() for name in names[kind]]
        addresses = []
        for name in encoded:
            addresses.append(address)
            address += len(name) + 1
        values[f"name_{field}adr"] = np.array(addresses, np.int32)
        table += _hash_table(encoded)
        parts += encoded
    values["names"] = b"\0".join(parts) + b"\0"
    values["names_map"] = np.array(table, np.int32)
    values["nnames"], values["nnames_map"] = len(values["names"]), len(table)
    return values


def _hash_table(names: list[bytes]) -> list[int]:
    size = 2 * len(names)
    table = [-1] * size
    for number, name in enumerate(names):
        if name:
            place = _hash(name) % size
            while table[place] != -1:
                place = (place + 1) % size
            table[place] = number
    return table


def _hash(name: bytes) -> int:
    value = 5381
    for byte in name:
        value = (value * 33 ^ byte) & 0xFFFFFFFFFFFFFFFF
    return value
