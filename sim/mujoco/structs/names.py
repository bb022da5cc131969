"""The names of a model as MuJoCo has them: one string of bytes, and the address of each name in it.

MuJoCo calls this string `m.names`, and the engine calls its lists so. `Names` is the string, and gives the engine its
lists: `names["body"]`.
"""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, Mapping, Sequence, ValuesView
from typing import Any

import numpy as np

# element types in the order of their names, and the field with their addresses
ADDRESSES = {
    "body": "name_bodyadr", "joint": "name_jntadr", "geom": "name_geomadr", "site": "name_siteadr",
    "camera": "name_camadr", "light": "name_lightadr", "flex": "name_flexadr", "mesh": "name_meshadr",
    "skin": "name_skinadr", "hfield": "name_hfieldadr", "texture": "name_texadr", "material": "name_matadr",
    "pair": "name_pairadr", "exclude": "name_excludeadr", "equality": "name_eqadr", "tendon": "name_tendonadr",
    "actuator": "name_actuatoradr", "sensor": "name_sensoradr", "numeric": "name_numericadr", "text": "name_textadr",
    "tuple": "name_tupleadr", "key": "name_keyadr", "plugin": "name_pluginadr",
}  # fmt: skip


class Names(bytes):
    """All names, each ended by a zero byte, the model's first; and the lists of them by type of element."""

    lists: dict[str, list[str]]
    addresses: dict[str, np.ndarray]
    model_name: str

    def __new__(cls, model_name: str, lists: Mapping[str, list[str]]) -> Names:
        text = bytearray(model_name.encode() + b"\0")
        addresses = {}
        for kind, field in ADDRESSES.items():
            found = []
            for name in lists.get(kind, ()):
                found.append(len(text))
                text += name.encode() + b"\0"
            addresses[field] = np.array(found, np.int32)
        made = super().__new__(cls, bytes(text))
        made.lists, made.addresses, made.model_name = dict(lists), addresses, model_name
        return made

    def __getitem__(self, key: Any) -> Any:
        return self.lists[key] if isinstance(key, str) else super().__getitem__(key)

    def __contains__(self, key: Any) -> bool:
        return key in self.lists if isinstance(key, str) else super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        return self.lists.get(key, default)

    def keys(self) -> KeysView[str]:
        return self.lists.keys()

    def values(self) -> ValuesView[list[str]]:
        return self.lists.values()

    def items(self) -> ItemsView[str, list[str]]:
        return self.lists.items()

    def map(self) -> np.ndarray:
        """Hash tables of names, one per type of element and twice as long: the number of an element, or -1."""
        tables = [_table(self.lists.get(kind, ()), len(self.addresses[field])) for kind, field in ADDRESSES.items()]
        return np.concatenate(tables)

    def __reduce__(self) -> Any:
        return Names, (self.model_name, self.lists)


def _table(names: Sequence[str], count: int) -> np.ndarray:
    """A hash table with open addressing; h(s c) = 33 h(s) ^ c, modulo 2^64, from 5381."""
    table = np.full(2 * count, -1, np.int32)
    for number, name in enumerate(names):
        place = 5381
        for byte in name.encode():
            place = (33 * place ^ byte) & 0xFFFFFFFFFFFFFFFF
        place %= len(table)
        while name and table[place] >= 0:
            place = (place + 1) % len(table)
        if name:
            table[place] = number
    return table
