"""Fields of Data that a text names."""

from __future__ import annotations

import re
from functools import lru_cache

from sim.fields import DATA

NAMES = frozenset(field.name for field in DATA)
_WORD = re.compile(r"\w+(?:\.\w+)*")
_MENTION = re.compile(r"\bd\.([a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)*)")


@lru_cache(maxsize=1024)
def mentioned_fields(text: str) -> tuple[str, ...]:
    """Fields of Data that a text names, in its order: as `d.contact.dist` or, failing that, as `efc_force`."""
    found: dict[str, None] = {}
    for path in _MENTION.findall(text):
        while path and path not in NAMES:
            path = path.rpartition(".")[0]
        if path:
            found[f"d.{path}"] = None
    if not found:
        # time, energy and the like are also plain words
        words = (word for word in _WORD.findall(text) if "_" in word or "." in word)
        found = {f"d.{word}": None for word in words if word in NAMES}
    return tuple(found)
