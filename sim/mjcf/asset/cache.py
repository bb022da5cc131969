"""Cache of compiled meshes, decoded images and builtin textures: a reload compiles only what changed.

The key is a digest of all inputs: the bytes of the file, not its name or date, and every attribute. So an entry is
never stale, equal elements share one result, and it does not matter where the bytes came from. The least recently used
entry is evicted first. What takes longer to make than to read is kept on disk too.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from sim.mjcf import disk, notes

Result = TypeVar("Result")

# the capacity of MuJoCo's cache
LIMIT = 500 << 20
# seconds to write an entry to disk and to read it later, at least and for each byte
WORTH, PER_BYTE = 5e-4, 2e-9


class AssetCache:
    """LRU cache by the digest of the inputs, of at most `limit` bytes of arrays; thread-safe."""

    def __init__(self, limit: int, on_disk: bool = False) -> None:
        self.limit, self.size, self.on_disk = limit, 0, on_disk
        self._entries: OrderedDict[bytes, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, inputs: tuple[Any, ...], make: Callable[[], Result]) -> Result:
        """The cached result for these inputs, or that of `make`; its arrays are read-only."""
        key = disk.digest(*inputs)
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                found: Result = self._entries[key][0]
                return found
        # without the lock: two threads may compute the same result, and one is kept
        made = _stored(disk.key("asset", key), make) if self.on_disk else make()
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


def _stored(key: str, make: Callable[[], Result]) -> Result:
    """The result that is on disk, or that of `make`, which is kept there if that saves time."""
    parts = disk.read(key)
    if parts is not None:
        found: Result = pickle.loads(parts[0], buffers=parts[1:])
        return found
    begin = perf_counter()
    with notes.recorded() as warnings:
        made = make()
    seconds = perf_counter() - begin
    # a warning names the element, and is given each time
    if seconds > WORTH and not warnings:
        buffers: list[pickle.PickleBuffer] = []
        content = pickle.dumps(made, protocol=5, buffer_callback=buffers.append)
        raw = [buffer.raw() for buffer in buffers]
        if seconds > WORTH + PER_BYTE * sum(map(len, raw)):
            disk.write(key, [content, *raw])
    return made


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


asset_cache = AssetCache(LIMIT, on_disk=True)
