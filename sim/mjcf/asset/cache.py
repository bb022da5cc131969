"""Cache of compiled meshes, decoded images and builtin textures: a reload compiles only what changed.

The key is a digest of all inputs: the bytes of the file, not its name or date, and every attribute. So an entry is
never stale, equal elements share one result, and it does not matter where the bytes came from. The least recently used
entry is evicted first.
"""

from __future__ import annotations

import hashlib
import marshal
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, TypeVar

import numpy as np

Result = TypeVar("Result")

# the capacity of MuJoCo's cache
LIMIT = 500 << 20
# the last marshal format in which shared objects make no difference
PLAIN = 2


class AssetCache:
    """LRU cache by the digest of the inputs, of at most `limit` bytes of arrays; thread-safe."""

    def __init__(self, limit: int) -> None:
        self.limit, self.size = limit, 0
        self._entries: OrderedDict[bytes, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, inputs: tuple[Any, ...], make: Callable[[], Result]) -> Result:
        """The cached result for these inputs, or that of `make`; its arrays are read-only."""
        key = hashlib.sha256(marshal.dumps(inputs, PLAIN)).digest()
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                found: Result = self._entries[key][0]
                return found
        # without the lock: two threads may compute the same result, and one is kept
        made = make()
        size = 0
        for array in _arrays(made):
            array.setflags(write=False)
            size += array.nbytes
        with self._lock:
            if key not in self._entries and size <= self.limit:
                self._entries[key] = made, size
                self.size += size
            while self.size > self.limit:
                self.size -= self._entries.popitem(last=False)[1][1]
        return made

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self.size = 0


def _arrays(value: Any) -> Iterator[Any]:
    """The arrays in a result, in tuples and attributes too."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _arrays(part)
    elif hasattr(value, "__dict__"):
        for part in vars(value).values():
            yield from _arrays(part)


asset_cache = AssetCache(LIMIT)
