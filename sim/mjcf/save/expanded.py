"""The MJCF of an edited model as one text, with includes and copies expanded: for archives, URDF and what is in memory.

Default classes, units and names stay as in the source. Paths of asset files are changed so that they are found from the
new folder; assets that were given in memory are saved beside the XML. The saved file compiles to an equal Model, here
and in MuJoCo.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from sim.mjcf.asset.assets import ASSETS as ASSET_FILES
from sim.mjcf.asset.texture_file import SIDES
from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.attach.references import walk
from sim.mjcf.records import Parsed
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.save.source_text import element_text
from sim.mjcf.save.unscale import unscaled_key
from sim.mjcf.section.keyframe import VECTORS
from sim.mjcf.source import Node, bare
from sim.model import Model

FILE_ATTRIBUTES = ("file", *SIDES)


# ---- keyframes


def write_keys(root: Node, parsed: Parsed, m: Model) -> None:
    """If there are keyframes of submodels, which have no MJCF form, write all keyframes in full."""
    if not any(isinstance(key.node, KeyNode) for key in parsed.keys):
        return
    root.children = [node for node in root.children if node.tag != "keyframe"]
    section = Node("keyframe", {}, root.document, root.end)
    for k, key_name in enumerate(m.names["key"]):
        attributes = {"name": key_name} if key_name else {}
        attributes["time"] = repr(float(m.read("key_time")[k]))
        for name in VECTORS:
            values = m.read(f"key_{name}")[k].ravel()
            if parsed.scaled:
                values = unscaled_key(m, name, k, parsed.lists)
            if len(values):
                attributes[name] = format_numbers(values)
        section.children.append(Node("key", attributes, root.document, root.end))
    root.children.append(section)


# ---- files


def place_files(root: Node, parsed: Parsed, folder: Path, stem: str) -> dict[str, bytes]:
    """Make asset files found from the new folder: by meshdir and texturedir, or by absolute paths."""
    reader = root.document.reader
    given: dict[str, bytes] = {}
    foreign = found = False
    for node, key, name in _file_names(root):
        found = True
        if parsed.compiler_at(node).strippath:
            name = bare(name)
        inside = os.path.join(_folder(parsed, node), name)
        held = node.document.reader.in_memory(name, node.document.folder, _folder(parsed, node))
        if held is not None:
            place = f"{stem}_assets/{held[0]}"
            given[place] = held[1]
            node.attrib[key] = place
            foreign = True
        elif node.document.origin or not (reader.folder / inside).is_file():
            node.attrib[key] = str(_found(parsed, node, name))
            foreign = True
    home = reader.folder.resolve()
    if not found or (not foreign and home == folder):
        return given
    # meshdir and texturedir if they fit all files, else absolute paths
    for node, key, name in _file_names(root) if foreign else ():
        if not os.path.isabs(name) and not name.startswith(f"{stem}_assets/"):
            node.attrib[key] = str(home / _folder(parsed, node) / name)
    whole = {key: str(home / getattr(parsed.compiler, key)) for key in ("meshdir", "texturedir")}
    _set_folders(root, parsed, {} if foreign else whole)
    return given


def pack_files(root: Node, parsed: Parsed) -> dict[str, bytes]:
    """Put all asset files into the folder `assets` of an archive."""
    packed: dict[str, bytes] = {}
    for node, key, name in _file_names(root):
        if parsed.compiler_at(node).strippath:
            name = bare(name)
        content, _, _ = node.document.reader.read(name, node.document.folder, node, _folder(parsed, node))
        data = content.encode() if isinstance(content, str) else content
        stem, suffix = os.path.splitext(bare(name))
        places = (f"assets/{stem}{f'_{k}' if k else ''}{suffix}" for k in count())
        place = next(place for place in places if packed.get(place, data) == data)
        packed[place] = data
        node.attrib[key] = place
    _set_folders(root, parsed, {})
    return packed


def _file_names(root: Node) -> Iterator[tuple[Node, str, str]]:
    """Elements with a file attribute: node, attribute and file name."""
    for node in walk(root):
        for key in FILE_ATTRIBUTES if node.tag in ASSET_FILES else ():
            name = node.attrib.get(key, "").strip()
            if name:
                yield node, key, name


def _folder(parsed: Parsed, node: Node) -> str:
    """meshdir or texturedir of the model that an asset belongs to."""
    return str(getattr(parsed.compiler_at(node), ASSET_FILES[node.tag][2]))


def _found(parsed: Parsed, node: Node, name: str) -> Path:
    """Absolute path of a file named in an attached model or an included file."""
    tried = node.document.reader.places(name, node.document.folder, _folder(parsed, node))
    return next((path for path in tried if path.is_file()), tried[-1]).resolve()


def _set_folders(root: Node, parsed: Parsed, folders: dict[str, str]) -> None:
    own = [node for node in root.children if node.tag == "compiler" and not node.document.origin]
    for node in own:
        for key in ("assetdir", "meshdir", "texturedir", *(() if folders else ("strippath",))):
            node.attrib.pop(key, None)
    if folders:
        if not own:
            root.children.insert(0, Node("compiler", {}, root.document, root.end))
            own = root.children[:1]
        own[0].attrib |= folders


# ---- text


def xml_text(root: Node) -> str:
    """Indented XML, with an empty line between sections."""
    start = element_text(root.copy(), "", "").removesuffix("/>")
    sections = "\n\n".join("  " + element_text(section, "\n  ", "  ") for section in root.children)
    return f"{start}>\n{sections}\n</{root.tag}>\n" if sections else f"{start}/>\n"
