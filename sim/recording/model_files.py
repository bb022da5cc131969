"""The files of a model for a recording: what was read, and the same Model compiled from that alone.

Names are relative to the folder that has all files. They are looked up in memory only: nothing is written, and nothing
outside of the recording is read.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import numpy as np

from sim.mjcf import Compiled, compile_stored
from sim.mjcf.source import XmlReader
from sim.model import Model

# the file of a model that has none, in the format of its engine
BINARY = "model.mjb"
MOST_FILES = 20_000
# of all files of a recording, unpacked
MOST_BYTES = 1 << 30


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model by name, the main one among them; see MODL in file_format.py."""

    entry: str
    files: Mapping[str, bytes]
    given: Mapping[str, bytes] = field(default_factory=dict)
    folder: str = ""
    packages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Listed:
    """The files of a model before their content is there: paths on disk of those that were too large to keep.

    Files that turn out to have changed since the model was compiled are listed in `changed`.
    """

    entry: str
    files: Mapping[str, bytes | Path]
    digests: Mapping[str, bytes]
    given: Mapping[str, bytes]
    folder: str
    packages: Mapping[str, tuple[str, ...]]
    changed: list[str] = field(default_factory=list)

    def read(self) -> ModelFiles:
        """Read what was not kept. OSError: it is gone."""
        files = {}
        for name, data in self.files.items():
            files[name] = data if isinstance(data, bytes) else self._read_again(name, data)
        return ModelFiles(self.entry, files, self.given, self.folder, self.packages)

    def _read_again(self, name: str, path: Path) -> bytes:
        data = path.read_bytes()
        if hashlib.sha256(data).digest() != self.digests[name]:
            self.changed.append(str(path))
        return data


def listed_files(m: Model) -> Listed:
    """The files of a model; takes microseconds. ValueError if it was not compiled from files or a text."""
    source = m.__dict__.get("source")
    binary = m.binary() if source is None else None
    if binary is not None:
        return Listed(BINARY, {BINARY: binary}, {}, {}, "", {})
    if source is None:
        raise ValueError("a recording cannot hold this model, which has no source: make it with sim.load or sim.loads")
    reader: XmlReader = source.root.document.reader
    while reader.parent is not None:
        # the model in an archive
        reader = reader.parent
    if isinstance(reader.store, StoredFiles):
        known = reader.store.files
        return Listed(known.entry, known.files, {}, known.given, known.folder, known.packages)
    inputs = reader.inputs
    paths = dict(inputs.on_disk)
    main = inputs.main
    folder = Path(os.path.commonpath([main.parent, *(path.parent for path in paths)]))
    entry = _relative(main, folder)
    files: dict[str, bytes | Path] = {} if inputs.text is None else {entry: inputs.text}
    digests = {}
    for path, read in paths.items():
        name = _relative(path, folder)
        files[name] = path if read.data is None else read.data
        if read.data is None:
            digests[name] = read.sha256
    text = os.fsencode(folder)
    # in full only where a file says it anyway
    named = str(folder) if any(isinstance(data, bytes) and text in data for data in files.values()) else ""
    packages = {
        variable: tuple(_relative(place, folder) for place in places if place.is_relative_to(folder))
        for variable, places in inputs.packages.items()
    }
    return Listed(entry, files, digests, dict(inputs.given), named, {k: v for k, v in packages.items() if v})


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


class StoredFiles:
    """The files of a model in memory; `Store` of an XmlReader."""

    def __init__(self, name: str, files: ModelFiles) -> None:
        self.name = name
        self.files = files

    def read(self, path: Path) -> bytes | None:
        """The content of a file, or None if there is none."""
        name = str(path).replace("\\", "/")
        folder = self.files.folder.replace("\\", "/")
        if posixpath.isabs(name) and folder and PurePosixPath(name).is_relative_to(folder):
            name = str(PurePosixPath(name).relative_to(folder))
        return self.files.files.get(posixpath.normpath(name))

    def package_folders(self, variable: str) -> list[Path]:
        """The folders in which packages of ROS were."""
        return [Path(folder) for folder in self.files.packages.get(variable, ())]


def check_name(name: str) -> None:
    """Raise ValueError unless a name is that of a file inside of a recording."""
    plain = name.replace("\\", "/")
    if not name or plain.startswith("/") or ":" in plain.partition("/")[0] or "\0" in name:
        raise ValueError(f"'{name[:80]}' is not the name of a file in a recording")
    if posixpath.normpath(plain) != name or plain.split("/")[0] in ("..", "."):
        raise ValueError(f"'{name[:80]}' points outside the recording")


def compile_files(files: ModelFiles, name: str) -> Compiled:
    """Compile a model from the files of a recording, whose name is for messages."""
    return compile_stored(files.entry, files.files[files.entry], files.given, StoredFiles(name, files))


def digest(m: Model) -> str:
    """SHA-256 over a Model as it was compiled, edits left out: fields in the order of their names, then names.

    Of each field its name, type, shape and bytes; large ones, which no edit changes, as they are now.
    """
    found, values = hashlib.sha256(), m.file_values
    for name in sorted(m.layout.places):
        value = np.asarray(values[name] if name in values else m.read(name))
        found.update(f"{name} {value.dtype.str} {value.shape}\n".encode())
        found.update(np.ascontiguousarray(value).data)
    for kind in sorted(m.names):
        names = m.names[kind]
        if kind == "key":
            # those that were added are edits
            rows = sorted((row, key) for key, row in enumerate(m.key_rows) if row >= 0)
            names = [names[key] for _, key in rows]
        found.update(f"{kind} {names!r}\n".encode("utf-8", "surrogatepass"))
    return found.hexdigest()
