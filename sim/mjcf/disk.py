"""What loading has computed, kept on disk: compiled assets, and small models as a whole, found again by their content.

An entry is a file whose name is the digest of all that decides its content: what was read, this code and what it runs
on. It has a magic line, a checksum and its parts. A thread writes files, for nobody waits for that, under another name,
and renames them: a reader sees a complete one or none. One that is damaged is deleted and made again. The folder,
inside of that of compiled kernels, belongs to this user and is writable by nobody else. The entries that were used
least recently are deleted when all are more than LIMIT, and none is written to a disk that is nearly full. Nothing
depends on them: KINETOSCOPE_LOAD=fresh does without.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import secrets
import shutil
import stat
import sys
import threading
import time
import zlib
from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.jit import abi
from sim.jit import cache as units

MAGIC = b"kinetoscope loaded 1\n"
SUFFIX = ".loaded"
# bytes of all entries, and bytes that others find on the disk
LIMIT, FREE = 1 << 30, 2 << 30
# entries are then deleted down to this share
LEFT = 0.8
# parts begin at multiples of this
ALIGN = 64
# seconds: an entry that was used is marked so once in that time
MARKED = 3600.0
# seconds before this import in which an edit of the code may not have been imported
DOUBT = 2.0
# of the thread that writes
NICE = 10
# the last marshal format in which shared objects make no difference
PLAIN = 2

_begin = time.time() - DOUBT
# bytes of all entries, as far as this process knows; None before it writes its first one
_size: int | None = None
_waiting: deque[tuple[str, list[memoryview]]] = deque()
_writer: threading.Thread | None = None
_lock = threading.Lock()


def _forget() -> None:
    """A process that was forked has no thread that writes."""
    global _writer, _lock
    _writer, _lock = None, threading.Lock()
    _waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def enabled() -> bool:
    """Whether anything is kept."""
    return bool(_code())


def digest(*inputs: Any) -> bytes:
    """The digest of values: numbers, texts, bytes, and tuples of them."""
    return hashlib.sha256(marshal.dumps(inputs, PLAIN)).digest()


def key(*inputs: Any) -> str:
    """The name of what is computed from inputs; empty if it is not to be kept."""
    code = _code()
    return digest(code, *inputs).hex() if code else ""


@cache
def _code() -> bytes:
    """Digest of this code, and of what it runs on; empty if it may not be the code that was imported."""
    if os.environ.get("KINETOSCOPE_LOAD", "") == "fresh":
        return b""
    root = str(Path(__file__).parents[1])
    files = sorted(_files(root))
    if any(modified > _begin for _, modified, _ in files):
        return b""
    libc = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in getattr(os, "confstr_names", ()) else ""
    runs_on = (sys.version, sys.platform, os.uname().machine if hasattr(os, "uname") else "", libc, abi.CHECKED)
    features = sorted(name for name, has in np._core._multiarray_umath.__cpu_features__.items() if has)  # type: ignore[attr-defined]
    packages = [(name, _stamp(name)) for name in ("numpy", "scipy", "lxml", "PIL", "llvmlite")]
    # the features and the setting decide the level of native code; to ask for it takes long, for it imports LLVM
    level = os.environ.get("KINETOSCOPE_LEVEL", "")
    said = repr((root, files, runs_on, abi.STOCK, level, features, packages))
    return hashlib.sha256(said.encode()).digest()


def _files(folder: str) -> Iterable[tuple[str, float, int]]:
    """Path, time and size of each file of code."""
    with os.scandir(folder) as found:
        for entry in found:
            if entry.name.endswith(".py"):
                seen = entry.stat()
                yield entry.path, seen.st_mtime, seen.st_size
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _files(entry.path)


def _stamp(package: str) -> tuple[int, int] | None:
    """When a package was installed, which is not imported for that."""
    from importlib.util import find_spec

    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    seen = os.stat(spec.origin)
    return seen.st_mtime_ns, seen.st_size


def folder() -> Path:
    """The folder of the entries."""
    return units.folder() / "loaded"


def read(name: str) -> list[memoryview] | None:
    """The parts of an entry; None if there is none that can be used."""
    if not name:
        return None
    try:
        path = folder() / (name + SUFFIX)
        with open(path, "rb", buffering=0) as file:
            seen = os.fstat(file.fileno())
            if not stat.S_ISREG(seen.st_mode):
                return None
            # aligned, for arrays begin in it
            memory = np.empty(seen.st_size + ALIGN, np.uint8)
            start = -memory.__array_interface__["data"][0] % ALIGN
            data = memory[start : start + seen.st_size].data
            whole = _fill(file, data)
        found = _parts(data) if whole else None
        if found is None:
            path.unlink(missing_ok=True)
        elif time.time() - seen.st_mtime > MARKED:
            os.utime(path)
        return found
    except OSError:
        return None


def _fill(file: Any, data: memoryview) -> bool:
    """Read a file into memory; whether it was as long as that."""
    at = 0
    while at < len(data):
        count = file.readinto(data[at:])
        if not count:
            return False
        at += count
    return True


def _parts(data: memoryview) -> list[memoryview] | None:
    """The parts in the content of a file; None if it is damaged."""
    head = len(MAGIC) + 8
    if len(data) < head or data[: len(MAGIC)] != MAGIC:
        return None
    check, count = np.frombuffer(data[len(MAGIC) : head], "<u4").tolist()
    if zlib.crc32(data[head:]) != check or len(data) < head + 8 * count:
        return None
    sizes = np.frombuffer(data[head : head + 8 * count], "<i8").tolist()
    found, at = [], _next(head + 8 * count)
    for size in sizes:
        found.append(data[at : at + size])
        at = _next(at + size)
    return found


def _next(place: int) -> int:
    return -(-place // ALIGN) * ALIGN


def write(name: str, parts: Sequence[Any]) -> None:
    """Keep the parts of an entry, bytes or views of bytes that do not change, if that is possible."""
    global _writer
    if not name:
        return
    _waiting.append((name, [memoryview(part) for part in parts]))
    with _lock, contextlib.suppress(RuntimeError):  # no thread can start while Python ends
        if _writer is None:
            _writer = threading.Thread(target=_write_waiting, name="loaded")
            _writer.start()


def flush() -> None:
    """Wait until all entries are written."""
    with _lock:
        writer = _writer
    if writer is not None:
        writer.join()


def _write_waiting() -> None:
    global _writer
    with contextlib.suppress(AttributeError, OSError):  # only Linux has threads of different priority
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    while True:
        with _lock:
            if not _waiting:
                _writer = None
                return
            name, parts = _waiting.popleft()
        # whatever fails, the next one is written
        with contextlib.suppress(Exception):
            _write(name, parts)


def _write(name: str, parts: Sequence[memoryview]) -> None:
    """Write an entry, and delete others if there are too many."""
    global _size
    sizes = np.array([len(part) for part in parts], "<i8").tobytes()
    head = len(MAGIC) + 8
    body: list[Any] = [sizes]
    at = head + len(sizes)
    for part in parts:
        body += [bytes(_next(at) - at), part]
        at = _next(at) + len(part)
    check = 0
    for piece in body:
        check = zlib.crc32(piece, check)
    here = folder()
    here.mkdir(mode=0o700, exist_ok=True)
    if _room(here) < at + FREE:
        return
    new = here / f".new-{secrets.token_hex(8)}"
    try:
        with open(new, "xb", opener=_private) as file:
            file.write(MAGIC + np.array([check, len(parts)], "<u4").tobytes())
            file.writelines(body)
        os.replace(new, here / (name + SUFFIX))
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    _size = None if _size is None else _size + at
    if _size is None or _size > LIMIT:
        _size = _evict(here)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _room(path: Path) -> int:
    """Bytes that are free on the disk of a folder."""
    return shutil.disk_usage(path).free


def _evict(here: Path) -> int:
    """Delete what was used least recently, and what killed processes have left; returns the bytes that are kept."""
    found = []
    with os.scandir(here) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                seen = entry.stat()
                if entry.name.endswith(SUFFIX):
                    found.append((seen.st_mtime, seen.st_size, entry.path))
                elif time.time() - seen.st_mtime > MARKED:
                    os.unlink(entry.path)
    total = sum(size for _, size, _ in found)
    if total > LIMIT:
        for _, size, path in sorted(found):
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= size
            if total <= LEFT * LIMIT:
                break
    return total


def entries() -> list[tuple[str, int]]:
    """(file name, bytes) of every entry."""
    found = []
    with contextlib.suppress(OSError), os.scandir(folder()) as files:
        for file in files:
            with contextlib.suppress(OSError):
                found.append((file.name, file.stat().st_size))
    return found


def clear() -> None:
    """Delete all entries."""
    for name, _ in entries():
        (folder() / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder().rmdir()
