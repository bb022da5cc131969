"""Loads a model file: as it was compiled last, if nothing that it depends on has changed since.

A small model is kept on disk as a whole, by the path and the content of its main file. Its entry lists the other files
that were read, with digests, and those that were looked for in vain. All are read and compared each time, so it does
not matter when they were written. What the model was parsed from is made again when it is first asked for, to save the
model say, from what was read.
"""

from __future__ import annotations

import hashlib
import marshal
from functools import partial
from pathlib import Path

import numpy as np

from sim.callback import any_callback
from sim.file_stamp import Stamps, absolute, note
from sim.jit.structs import Memory
from sim.mjcf import compile_again, compile_file, disk, notes
from sim.mjcf.complete import complete
from sim.mjcf.errors import with_files
from sim.mjcf.read_files import ReadFile, ReadFiles
from sim.mjcf.records import Parsed
from sim.mjcf.save.save import Source
from sim.mjcf.source import Assets, read_main
from sim.model import SIZES, Model
from sim.user_error import UserError

# bytes of a model's arrays; of a larger one the assets are kept
LARGEST = 16 << 20


def load_file(path: Path, assets: Assets | None = None) -> Model:
    """The Model of a file; files that it names are looked up in `assets` first."""
    if assets or any_callback() or not disk.enabled():
        return complete(compile_file(path, assets))
    files: Stamps = {}
    with with_files(files):
        data = read_main(path, files)
    main = absolute(path)
    key = _key(path, data)
    parts = disk.read(key)
    m = _found(path, main, data, files, parts) if parts else None
    if m is None:
        with notes.recorded() as warnings:
            m = complete(compile_file(path))
        _keep(key, m, main, data, warnings)
    return m


def is_known(path: Path) -> bool:
    """Whether a file was loaded before, so that at least its assets are likely to be on disk."""
    try:
        return disk.read(_key(path, read_main(path, {}))) is not None
    except UserError:
        return False


def _key(path: Path, data: bytes) -> str:
    return disk.key("model", str(path), str(absolute(path)), data)


def _found(path: Path, main: Path, data: bytes, files: Stamps, parts: list[memoryview]) -> Model | None:
    """The model of an entry; None if a file that it depends on is another one now."""
    sizes, names, listed, warnings, modelname, own_keys = marshal.loads(parts[0])
    inputs = ReadFiles(main)
    inputs.note(main, data)
    for name, digest in listed:
        file = Path(name)
        note(file, files)
        if (files[file] is None) != (digest is None):
            return None
        if digest is not None:
            try:
                content = file.read_bytes()
            except OSError:
                return None
            if hashlib.sha256(content).digest() != digest:
                return None
            inputs.on_disk[file] = ReadFile(content, b"")
    scalars, arrays = np.frombuffer(parts[1], np.int64), np.frombuffer(parts[2], np.uint8)
    m = Model.of_memory(dict(zip(SIZES, sizes, strict=True)), names, Memory(scalars, arrays), files)
    m.set_source(Source(partial(_parse, path, Path.cwd(), data, inputs, files), modelname, own_keys))
    for warning in warnings:
        notes.warn(warning)
    return m


def _parse(path: Path, folder: Path, data: bytes, inputs: ReadFiles, files: Stamps) -> Parsed:
    """What a model was parsed from."""
    with notes.collected():
        return compile_again(path, folder, data, inputs, files).parsed


def _keep(key: str, m: Model, main: Path, data: bytes, warnings: list[str]) -> None:
    """Keep a model that has just been compiled if all that it depends on is known; of others only that there are."""
    source = m.__dict__["source"]
    reader = source.root.document.reader
    inputs = reader.inputs
    read = {file: found.data for file, found in inputs.on_disk.items()}
    # a file that is large, or there and not read, an archive, folders of ROS
    unknown = reader.parent or reader.store or inputs.packages or None in read.values()
    unknown = unknown or any(stamp is not None and file not in read for file, stamp in m.files.items())
    memory = m.memory()
    if unknown or read.get(main) != data or memory is None or len(memory.arrays) > LARGEST:
        disk.write(key, [])
        return
    listed = [
        (str(file), None if (content := read.get(file)) is None else hashlib.sha256(content).digest())
        for file in m.files
        if file != main
    ]
    sizes = [m.read(name) for name in SIZES]
    head = marshal.dumps((sizes, m.names, listed, warnings, source.modelname, source.own_keys))
    disk.write(key, [head, memory.scalars.tobytes(), memory.arrays.tobytes()])
