"""MJCF -> the values of a Model.

`format` recognises the format of a file and makes a tree of MJCF nodes of it. For that `source` parses the XML and
keeps line numbers. `attach` expands `replicate` and `attach`, `schema` checks elements and attributes, `read` builds a
`parsed` with defaults applied, `fill` assigns ids and computes one array per field. `set_const` then adds the constants
at qpos0; of all this only length ranges of actuators need native code.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from sim.file_stamp import Stamps, absolute, note
from sim.mjcf.attach.expand import expand
from sim.mjcf.errors import MjcfError, located, with_files
from sim.mjcf.fill import Compiled, fill
from sim.mjcf.format.table import read_tree
from sim.mjcf.pose import poses
from sim.mjcf.read import read
from sim.mjcf.read_files import TEXT_FILE, ReadFiles
from sim.mjcf.source import TEXT_NAME, Assets, Store, XmlReader, read_main

__all__ = ["Compiled", "MjcfError", "compile_file", "compile_text", "poses"]


def compile_file(
    path: str | Path, assets: Assets | None = None, pending: Mapping[Path, bytes] | None = None
) -> Compiled:
    """Compile a model file, in any of the formats; files that it names are looked up in `assets` first.

    `pending`: as it would be with some files written, which are given by their real paths.
    """
    files: Stamps = {}
    with with_files(files):
        data = pending.get(Path(path).resolve()) if pending else None
        if data is None:
            data = read_main(Path(path), files)
        else:
            note(Path(path), files)
        reader = XmlReader(str(path), assets, files=files)
        reader.pending = pending or {}
        reader.inputs.main = absolute(Path(path))
        reader.inputs.note(Path(path), data)
        return _compile(reader, data)


def compile_text(text: str | bytes, assets: Assets | None = None) -> Compiled:
    """Compile MJCF given as text; files that it names are looked up in `assets` first, then on disk."""
    reader = XmlReader(TEXT_NAME, assets)
    with suppress(OSError):
        # the folder that names of files are relative to
        reader.inputs.main = absolute(Path(TEXT_FILE))
    reader.inputs.text = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    with with_files(reader.files):
        return _compile(reader, text)


def compile_again(path: Path, folder: Path, data: bytes, inputs: ReadFiles, files: Stamps) -> Compiled:
    """Compile a model file as it was read before in a working directory, whatever is on disk now."""
    reader = XmlReader(str(path), files=files)
    reader.inputs, reader.again = inputs, folder
    with with_files(files):
        return _compile(reader, data)


def compile_stored(entry: str, data: bytes, assets: Assets, store: Store) -> Compiled:
    """Compile a model that is in a store, and files that a caller gave; nothing is read from disk."""
    reader = XmlReader(entry, assets, store=store)
    with with_files(reader.files):
        return _compile(reader, data)


def _compile(reader: XmlReader, data: str | bytes) -> Compiled:
    with located(lambda message, cure: MjcfError(message, reader.name, cure=cure)):
        root = read_tree(data, reader)
        # errors that no single element causes, such as a lack of memory, are those of the root element
        with root.located():
            return fill(read(expand(root)))
