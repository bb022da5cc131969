"""Cache of object code on disk: one file per unit, named by its key and verified before use.

A file is a magic line, a JSON header (key, sizes, digest, compile seconds) and the object code. Files are written under
another name and renamed, so a reader sees a complete file or none; one that is damaged, truncated or made for another
machine fails its check and is compiled again. The folder is the package's `__pycache__` if it is writable, else the
user's cache directory; KINETOSCOPE_CACHE names another. Loaded code runs, so folder and files must belong to this user
and be writable by nobody else; without such a folder, this user's temporary one is used. What cannot be written, as the
disk is full, is kept in memory.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import stat
import tempfile
import threading
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

MAGIC = b"kinetoscope unit 1\n"
SUFFIX = ".unit"
KEPT = 6  # versions kept per unit: branches and build modes alternate

_choosing = threading.Lock()
# units that could not be written, by key
_in_memory: dict[str, Unit] = {}


class Unit(NamedTuple):
    """Object code of one kernel, and how many seconds its compilation took."""

    code: bytes
    seconds: float


def folder() -> Path:
    """The cache folder: the first candidate that this user, and nobody else, can write to."""
    # two threads that ask at once would each make a temporary one
    with _choosing:
        return _folder()


@cache
def _folder() -> Path:
    named = os.environ.get("KINETOSCOPE_CACHE")
    faults = []
    for path in [Path(named)] if named else _usual():
        # a worker runs in another working directory
        path = Path(os.path.abspath(path))
        fault = _fault(path, tighten=not named)
        if not fault:
            return path
        faults.append(f"{path}: {fault}")
    # the same at every start
    own = Path(tempfile.gettempdir(), f"kinetoscope-{getattr(os, 'geteuid', int)()}")
    if _fault(own, tighten=True):
        own = Path(tempfile.mkdtemp(prefix="kinetoscope-"))
        atexit.register(shutil.rmtree, own, ignore_errors=True)
    what = f"compiled kernels go to the temporary folder {own}, because their usual folder is not safe to use"
    warnings.warn(f"{what} ({'; '.join(faults)})", RuntimeWarning, stacklevel=2)
    return own


def _usual() -> list[Path]:
    from platformdirs import user_cache_path

    return [Path(__file__).parents[1] / "__pycache__" / "units", user_cache_path("kinetoscope") / "units"]


def _fault(path: Path, tighten: bool) -> str:
    """Why a folder cannot be used; empty if it can. `tighten`: permissions that are too open are corrected."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        # check both a link and its target
        for found in (os.lstat(path), os.stat(path)):
            if not _is_ours(found):
                return "it belongs to another user"
        if _is_open(os.stat(path)):
            if not tighten:
                return "others may write to it (chmod go-w closes it)"
            os.chmod(path, 0o700)
        with tempfile.TemporaryFile(dir=path):
            return ""
    except OSError as error:
        return error.strerror or str(error)


def _is_ours(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user; always true on systems without user ids."""
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _is_open(found: os.stat_result) -> bool:
    """Whether others may write to it; not for links, which have no permissions."""
    return hasattr(os, "geteuid") and bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _path(name: str, key: str) -> Path:
    return folder() / f"{name}-{key}{SUFFIX}"


def read(name: str, key: str) -> Unit | None:
    """The unit stored under this key, or None if there is none that can be trusted."""
    if key in _in_memory:
        return _in_memory[key]
    try:
        with open(_path(name, key), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not _is_ours(found) or _is_open(found):
                return None
            data = file.read()
        if not data.startswith(MAGIC):
            return None
        line, _, code = data[len(MAGIC) :].partition(b"\n")
        header = json.loads(line)
        if header["key"] != key or header["sha256"] != hashlib.sha256(code).hexdigest():
            return None
        return Unit(code, float(header["seconds"]))
    except (OSError, ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
        return None


def write(name: str, key: str, unit: Unit) -> None:
    """Store a unit atomically, and delete its oldest versions."""
    header = {
        "key": key,
        "name": name,
        "sha256": hashlib.sha256(unit.code).hexdigest(),
        "seconds": round(unit.seconds, 3),
    }
    handle, new = tempfile.mkstemp(dir=folder(), prefix=".new-")
    try:
        with open(handle, "wb") as f:
            f.write(MAGIC + json.dumps(header).encode() + b"\n" + unit.code)
        os.replace(new, _path(name, key))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise
    versions = sorted(folder().glob(f"{name}-*{SUFFIX}"), key=_age)
    for old in versions[:-KEPT]:
        with contextlib.suppress(OSError):
            old.unlink()


def keep_in_memory(key: str, unit: Unit, why: object) -> None:
    """Keep a unit that could not be written as long as this process lives."""
    if not _in_memory:
        what = f"compiled kernels are not stored in {folder()}, and are compiled again at the next start"
        warnings.warn(f"{what}: {why}", RuntimeWarning, stacklevel=2)
    _in_memory[key] = unit


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


@contextlib.contextmanager
def lock(name: str, key: str) -> Iterator[None]:
    """A lock held while a unit is compiled, so that two processes do not both compile it. Ends with its process."""
    try:
        import fcntl
    except ImportError:  # no such locks here: both compile, the last rename wins
        yield
        return
    with open(folder() / f".lock-{name}-{key}", "wb") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.unlink(f.name)


def entries() -> list[tuple[str, int]]:
    """(file name, bytes) of every stored unit."""
    found = []
    for path in sorted(folder().glob(f"*{SUFFIX}")):
        with contextlib.suppress(OSError):
            found.append((path.name, path.stat().st_size))
    return found


def clear() -> int:
    """Delete every stored unit and leftovers of killed processes; returns the number of units."""
    count = 0
    for path in list(folder().iterdir()):
        if path.suffix == SUFFIX or path.name.startswith((".new-", ".lock-")):
            path.unlink(missing_ok=True)
            count += path.suffix == SUFFIX
    return count
