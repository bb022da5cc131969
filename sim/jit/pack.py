"""Object code that comes with the installation: a pack for each CPU level in `sim/units`, made with the wheel.

A pack is a magic line, the manifest in one line of JSON, and the object code of all units. The versions of Python,
numba and llvmlite have made the code but are not needed to run it: a unit's key leaves them out, so one pack serves
every Python and outlives upgrades. A unit that was edited, or whose fields or compiler were, has another key, and is
compiled as if there were no pack. A pack is trusted like the `.py` files next to it; a digest finds what is damaged.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sim.jit import abi, level, source
from sim.jit.kernel import Helper, Kernel, parts, unit_key

MAGIC = b"kinetoscope pack 1\n"
FOLDER = Path(__file__).parents[1] / "units"


class Entry(NamedTuple):
    """One unit of a pack: its key, where its object code is, and the digest of that."""

    key: str
    start: int
    size: int
    sha256: str


class Pack(NamedTuple):
    """A pack: its units by the names of their kernels, and the files that they were made from by module."""

    path: Path
    units: Mapping[str, Entry]
    files: Mapping[str, source.File]


class Unknown(Exception):
    """The source of a function is not at hand."""


def place(folder: Path) -> Path:
    """The pack of this process's level in a folder."""
    return folder / f"{level.current().name}.pack"


def installed() -> Pack | None:
    """The pack of this process's level, if there is one; it has no kernels with checked indices."""
    return None if abi.CHECKED or abi.STOCK else read(place(FOLDER))


@cache
def read(path: Path) -> Pack | None:
    """A pack; None if there is none that can be used."""
    try:
        with open(path, "rb") as file:
            if file.readline() != MAGIC:
                raise ValueError("it is of another version")
            found = json.loads(file.readline())
            start = file.tell()
        entries = {name: Entry(key, start + at, size, sha) for name, (key, at, size, sha) in found["units"].items()}
        files = {name: source.File(digest, functions) for name, (digest, functions) in found["files"].items()}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        _refuse(path, f"cannot be read ({error})")
        return None
    return Pack(path, entries, files)


def _refuse(path: Path, why: str) -> None:
    what = f"{path} {why}: its kernels are compiled instead. To repair it, install kinetoscope again."
    warnings.warn(what, RuntimeWarning, stacklevel=2)


def object_code(units: Iterable[Kernel]) -> dict[Kernel, bytes]:
    """Object code of those units that the installation has as they are now."""
    pack = installed()
    if pack is None:
        return {}
    wanted = {unit: pack.units[unit.name] for unit in units if unit.name in pack.units}
    fit = {unit: entry for unit, entry in wanted.items() if entry.key == key_of(unit, pack.files)}
    code: dict[Kernel, bytes] = {}
    if not fit:
        return code
    try:
        with open(pack.path, "rb") as file:
            for unit, entry in fit.items():
                file.seek(entry.start)
                data = file.read(entry.size)
                if hashlib.sha256(data).hexdigest() == entry.sha256:
                    code[unit] = data
    except OSError as error:
        _refuse(pack.path, f"cannot be read ({error})")
        return {}
    if damaged := [unit.name for unit in fit if unit not in code]:
        _refuse(pack.path, f"is damaged at {damaged[0]}" + (f" and {len(damaged) - 1} more" if damaged[1:] else ""))
    return code


def key_of(unit: Kernel, files: Mapping[str, source.File]) -> str | None:
    """The key of a unit in a pack: the same for every Python and all versions. None if its source is not at hand."""

    def said(function: Kernel | Helper) -> str:
        found = kept_digest(function, files)
        if found is None:
            raise Unknown
        return found

    platform = f"{sys.platform} {level.current()[:3]} codegen {abi.codegen_digest()}"
    try:
        return unit_key(unit, platform, said)
    except (Unknown, TypeError):  # it cannot be compiled: whoever compiles it says why
        return None


def kept_digest(function: Kernel | Helper, files: Mapping[str, source.File]) -> str | None:
    """The digest of a function's source, computed once."""
    known = function.__dict__
    if "source_digest" not in known:
        known["source_digest"] = source.digest(function.pyfunc, files)
    found: str | None = known["source_digest"]
    return found


def write(path: Path, code: Mapping[Kernel, bytes]) -> None:
    """Write a pack of units."""
    units: dict[str, Entry] = {}
    start = 0
    for unit, data in code.items():
        key = key_of(unit, {})
        if key is None:
            raise ValueError(f"the source of {unit.name} is not at hand")
        units[unit.name] = Entry(key, start, len(data), hashlib.sha256(data).hexdigest())
        start += len(data)
    modules = {part.module for unit in code for part in parts(unit)}
    manifest = {"units": units, "files": {name: source.file_of(name) for name in sorted(modules)}}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(MAGIC + json.dumps(manifest).encode() + b"\n" + b"".join(code.values()))


def build_all(folder: str) -> None:
    """Write the packs of all levels of this architecture, with a process for each."""
    command = f"import sys; sys.path[:] = {sys.path!r}; from sim.jit.pack import build; build(sys.argv[1])"
    # a pack has neither checked indices nor the code of numba's own pipeline
    settings = {
        name: value for name, value in os.environ.items() if name not in ("KINETOSCOPE_CHECK", "KINETOSCOPE_JIT")
    }
    for name in level.shipped():
        subprocess.run([sys.executable, "-P", "-c", command, folder], check=True, env={**settings, level.SETTING: name})


def build(folder: str) -> None:
    """Write the pack of this process's level, compiling what is not compiled."""
    from sim.jit import units, warmup
    from sim.jit.loader import key_of as compiled_key

    found = warmup.kernels("sim", mjcf=True)
    write(place(Path(folder)), units.object_code({unit: compiled_key(unit) for unit in found}, _say))


def _say(done: int, total: int, what: str) -> None:
    if what.startswith("compiled") and (done % 20 == 0 or done == total):
        print(f"{level.current().name}: {done} of {total} kernels", flush=True)
