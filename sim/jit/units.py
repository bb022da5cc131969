"""Object code of units, from disk or from the compiler: one thread compiles a unit, others that need it wait for it.

A thread claims the units that it reads or compiles. It holds no claim while it waits for those of another thread, so
no two threads wait for each other, and a thread that is interrupted leaves nothing claimed. A unit that another thread
could not compile, or was told not to, is claimed by the next one that needs it, which gets an error of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

from sim.jit import build, cache
from sim.jit.kernel import Kernel


class Claim:
    """Units that a thread is reading or compiling; others wait for the event of a key."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.waiting: dict[str, threading.Event] = {}


_claims: dict[str, Claim] = {}  # by key
_lock = threading.RLock()  # for the table alone; a signal handler may need a kernel too


def object_code(keys: Mapping[Kernel, str], progress: build.Progress | None = None) -> dict[Kernel, bytes]:
    """Object code of units by their keys; those that are not on disk are compiled."""
    found: dict[Kernel, bytes] = {}
    missing = dict(keys)
    while missing:
        claim = Claim()
        try:
            theirs = _claim(missing.values(), claim)
            mine = {unit: key for unit, key in missing.items() if key not in theirs}
            found |= _produce(mine, progress, claim)
        finally:
            for key in list(claim.waiting):
                _release(key, claim)
        for event in theirs.values():
            event.wait()
        missing = {unit: key for unit, key in missing.items() if unit not in found}
    return found


def _claim(keys: Iterable[str], claim: Claim) -> dict[str, threading.Event]:
    """Claim what no other thread has claimed; returns what others have, by key.

    A unit that this thread has claimed already, and needs again in a progress callback or signal handler, is not
    waited for.
    """
    theirs = {}
    with _lock:
        for key in keys:
            other = _claims.get(key)
            if other is None:
                claim.waiting[key] = threading.Event()
                _claims[key] = claim
            elif other.thread != claim.thread:
                theirs[key] = other.waiting[key]
    return theirs


def _release(key: str, claim: Claim) -> None:
    """Let other threads have a unit; a second call does nothing."""
    with _lock:
        if _claims.get(key) is claim:
            del _claims[key]
        event = claim.waiting.pop(key, None)
    if event is not None:
        event.set()


def _produce(units: Mapping[Kernel, str], progress: build.Progress | None, claim: Claim) -> dict[Kernel, bytes]:
    """Read units from disk, and compile those that are not there."""
    found = {unit: cache.read(unit.name, key) for unit, key in units.items()}
    absent = {unit: key for unit, key in units.items() if found[unit] is None}
    if absent:
        # a thread that waits for one of them need not wait for the others
        build.compile_units(absent, progress, lambda unit: _release(absent[unit], claim))
        found |= {unit: cache.read(unit.name, key) for unit, key in absent.items()}
    code = {}
    for unit, stored in found.items():
        if stored is None:
            raise OSError(f"{unit.name} was compiled but cannot be read back from {cache.folder()}")
        code[unit] = stored.code
    return code
