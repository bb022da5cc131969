"""MJCF -> the values of a Model.

`source` parses the XML and keeps line numbers, `attach` expands `replicate` and `attach`, `schema` checks elements and
attributes, `read` builds a `spec` with defaults applied, `fill` assigns ids and computes one array per field.
`set_const` then adds the constants at qpos0; of all this only length ranges of actuators need native code.
"""

from __future__ import annotations

from pathlib import Path

from sim.mjcf.attach.expand import expand
from sim.mjcf.errors import MjcfError
from sim.mjcf.fill import Compiled, fill
from sim.mjcf.pose import poses
from sim.mjcf.read import read
from sim.mjcf.source import TEXT_NAME, Assets, XmlReader

__all__ = ["Compiled", "MjcfError", "compile_file", "compile_text", "poses"]


def compile_file(path: str | Path) -> Compiled:
    """Compile an MJCF file."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as why:
        raise MjcfError(f"cannot read the file: {getattr(why, 'strerror', '') or why}", str(path)) from None
    return _compile(XmlReader(str(path)), data)


def compile_text(text: str | bytes, assets: Assets | None = None) -> Compiled:
    """Compile MJCF given as text; files that it names are looked up in `assets` first, then on disk."""
    return _compile(XmlReader(TEXT_NAME, assets), text)


def _compile(reader: XmlReader, data: str | bytes) -> Compiled:
    root = reader.tree(data)
    # errors that no single element causes, such as a lack of memory, are those of the root element
    with root.located():
        return fill(read(expand(root, reader)))
