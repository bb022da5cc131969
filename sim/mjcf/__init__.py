"""MJCF -> the values of a Model.

`source` parses XML with line numbers, `schema` checks it, `read` makes a `spec` with defaults applied, `fill`
numbers everything and computes one array a field. Nothing here needs a compiled kernel.
"""

from __future__ import annotations

from pathlib import Path

from sim.mjcf.attach.expand import expand
from sim.mjcf.errors import MjcfError
from sim.mjcf.fill import Names, fill
from sim.mjcf.pose import poses
from sim.mjcf.read import read
from sim.mjcf.source import TEXT_NAME, Assets, Loader
from sim.mjcf.tree import Values

__all__ = ["MjcfError", "compile_file", "compile_text", "poses"]


def compile_file(path: str | Path) -> tuple[Values, Names]:
    """Values and names of the model in a file."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as why:
        raise MjcfError(f"cannot read the file: {getattr(why, 'strerror', '') or why}", str(path)) from None
    return _compile(Loader(str(path)), data)


def compile_text(text: str | bytes, assets: Assets | None = None) -> tuple[Values, Names]:
    """Values and names of a model given as text; files it names come from `assets`, else from the disk."""
    return _compile(Loader(TEXT_NAME, assets), text)


def _compile(loader: Loader, data: str | bytes) -> tuple[Values, Names]:
    root = loader.tree(data)
    # elements are blamed for what they can be blamed for; the rest is the model as a whole
    with root.blamed():
        return fill(read(expand(root, loader)))
