"""Work on assets, remembered while the program runs: a reload costs only what has changed.

Compiled meshes, decoded pictures and painted patterns are found again by a digest of everything that went into them:
the bytes of the file, not its name or date, and every number that was given. So nothing can be out of date, two
elements that agree share one result, and it does not matter where the bytes came from. What has not been used for
longest is forgotten first.
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

# as much as MuJoCo keeps
LIMIT = 500 << 20
# marshal's last format that does not depend on which parts are the same object
PLAIN = 2


class AssetCache:
    """Results by the digest of what they were made of, at most `limit` bytes of arrays; any thread may ask."""

    def __init__(self, limit: int) -> None:
        self.limit, self.size = limit, 0
        self._known: OrderedDict[bytes, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, inputs: tuple[Any, ...], make: Callable[[], Result]) -> Result:
        """What `make` returns, from before if the inputs are the same; its arrays can only be read."""
        key = hashlib.sha256(marshal.dumps(inputs, PLAIN)).digest()
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                found: Result = self._known[key][0]
                return found
        # made without the lock: two threads may make the same, and one is kept
        made = make()
        size = 0
        for array in _arrays(made):
            array.setflags(write=False)
            size += array.nbytes
        with self._lock:
            if key not in self._known and size <= self.limit:
                self._known[key] = made, size
                self.size += size
            while self.size > self.limit:
                self.size -= self._known.popitem(last=False)[1][1]
        return made

    def clear(self) -> None:
        with self._lock:
            self._known.clear()
            self.size = 0


def _arrays(value: Any) -> Iterator[Any]:
    """The arrays in a result: itself, its parts or its attributes."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _arrays(part)
    elif hasattr(value, "__dict__"):
        for part in vars(value).values():
            yield from _arrays(part)


asset_cache = AssetCache(LIMIT)
