"""The table of formats: their suffixes, how they are recognised, and who reads them or why nobody does.

The content decides: first bytes, or the root element of an XML text; a suffix decides only where the content does not
tell. A new format is a file with a reader beside this one, and a row here; dialogs take their filters from the table.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import NamedTuple

from sim.mjcf.errors import MjcfError
from sim.mjcf.format.archive import read_archive
from sim.mjcf.format.urdf import EXPAND, read_urdf
from sim.mjcf.source import UTF16, Node, XmlReader

# characters at the start of a file in which its root element is looked for
HEAD = 1 << 16

Reader = Callable[[bytes | str, XmlReader], Node]


class Format(NamedTuple):
    """One format; without a reader it is refused, and `cure` says how to convert it."""

    name: str
    suffixes: tuple[str, ...]
    root: str = ""
    magic: tuple[bytes, ...] = ()
    read: Reader | None = None
    cure: str = ""


def _read_mjcf(data: bytes | str, reader: XmlReader) -> Node:
    root = reader.tree(data)
    if root.tag != "mujoco":
        known = " or ".join(f"<{row.root}>" for row in FORMATS if row.read and row.root)
        raise root.error(f"the root element is <{root.tag}>", f"it must be {known}")
    return root


# those that are written too
MJCF = Format("MJCF", (".xml", ".mjcf"), root="mujoco", read=_read_mjcf)
ARCHIVE = Format("archive", (".mjz", ".zip"), magic=(b"PK\x03\x04", b"PK\x05\x06"), read=read_archive)

FORMATS = (
    MJCF,
    Format("URDF", (".urdf",), root="robot", read=read_urdf),
    ARCHIVE,
    Format(
        "xacro, from which URDF is generated",
        (".xacro",),
        cure=EXPAND,
    ),
    Format(
        "SDF (Simulation Description Format)",
        (".sdf",),
        root="sdf",
        cure="convert it to MJCF, with sdf2mjcf of gz-mujoco say, or open the URDF it was generated from",
    ),
    Format(
        "MJB, a binary model for one version of MuJoCo",
        (".mjb",),
        magic=(b"1\xd4\0\0",),
        cure="open the MJCF it was compiled from, or save it as MJCF with that version: mujoco.mj_saveLastXML",
    ),
    Format(
        "OpenUSD",
        (".usd", ".usda", ".usdc", ".usdz"),
        magic=(b"PXR-USDC", b"#usda"),
        cure="convert it to MJCF: MuJoCo built with USD reads it, and mujoco.MjSpec.to_xml saves it",
    ),
)

# of models that can be opened
SUFFIXES = tuple(suffix for row in FORMATS if row.read for suffix in row.suffixes)


def is_model(name: str | PurePath) -> bool:
    """Whether a file has a suffix of a model that can be opened."""
    return PurePath(name).suffix.lower() in SUFFIXES


def read_tree(data: bytes | str, reader: XmlReader) -> Node:
    """The MJCF tree of a model in any format."""
    root, line = root_element(data)
    found = _recognised(data, root, PurePath(reader.main).suffix.lower())
    if found.read is None:
        raise refused(found, reader.name, line, root)
    return found.read(data, reader)


def refused(found: Format, file: str, line: int = 0, element: str = "") -> MjcfError:
    """The error for a file in a format that is not read."""
    return MjcfError(f"this is {found.name}, which is not supported", file, line, element, found.cure)


def _recognised(data: bytes | str, root: str, suffix: str) -> Format:
    """The format of a file; MJCF if nothing tells, so that its reader says what is wrong."""
    by_bytes = [row for row in FORMATS if isinstance(data, bytes) and data.startswith(row.magic)]
    # a xacro file has the root element of what is made from it; the reader of that tells by the other elements
    by_root = (row for row in FORMATS if row.root and row.root == root.lower())
    by_suffix = [row for row in FORMATS if row.read is None and suffix in row.suffixes]
    if by_bytes:
        # some archives are a format of their own
        return [*by_suffix, *by_bytes][0]
    return [*by_root, *by_suffix, MJCF][0]


def root_element(data: bytes | str) -> tuple[str, int]:
    """Tag and line of the root element of an XML text; "" and 0 if there is none."""
    text = data[:HEAD] if isinstance(data, str) else _head(data[:HEAD])
    at = 0
    while (at := text.find("<", at)) >= 0:
        for start, end in (("<!--", "-->"), ("<?", "?>"), ("<!", ">")):
            if text.startswith(start, at):
                at = text.find(end, at + len(start))
                break
        else:
            words = text[at + 1 : at + 200].replace("/", " ").replace(">", " ").split(maxsplit=1)
            return (words[0] if words else ""), text.count("\n", 0, at) + 1
        if at < 0:
            break
    return "", 0


def _head(data: bytes) -> str:
    return data.decode("utf-16" if data[:2] in UTF16 else "utf-8", "ignore")
