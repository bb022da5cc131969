"""Saves specs as XML in MuJoCo's order and layout, and as archives."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.attributes import BY_TAG
from sim.mjcf.attach.references import walk
from sim.mjcf.errors import MjcfError
from sim.mjcf.save.expanded import xml_text
from sim.mjcf.source import Node
from sim.mujoco.errors import FatalError
from sim.mujoco.specs.messages import compile_error
from sim.spec.text import saved_tree

if TYPE_CHECKING:
    from sim.mujoco.specs.spec import MjSpec

ANGLES = ("euler", "axisangle", "range", "ref", "springref", "springyield", "posrange")


def to_text(owner: MjSpec) -> str:
    """The XML of a spec, which must compile."""
    owner.flush()
    try:
        root = saved_tree(owner.spec, canonical=True)
    except MjcfError as error:
        raise compile_error(owner, error) from None
    if "model" not in root.attrib:
        root.attrib = {"model": owner.modelname, **root.attrib}
    _set_angle(root)
    _order(root)
    text = xml_text(root)
    return f"<!-- {owner.comment} -->\n{text}" if owner.comment else text


def _set_angle(root: Node) -> None:
    """Say the unit of angles: radian, unless there are angles in degrees."""
    compiler = next((node for node in root.children if node.tag == "compiler"), None)
    if compiler is None:
        compiler = Node("compiler", {}, root.document, root.end)
        root.children.insert(0, compiler)
    unit = compiler.attrib.pop("angle", "degree")
    if unit == "degree" and not any(key in ANGLES for node in walk(root) for key in node.attrib):
        unit = "radian"
    compiler.attrib = {"angle": unit, **compiler.attrib}
    if not any("euler" in node.attrib for node in walk(root)):
        compiler.attrib.pop("eulerseq", None)


def _order(root: Node) -> None:
    """Attributes in the order of the table, names first."""
    for node in walk(root):
        known = list(BY_TAG.get(node.tag, {}))
        rank = {key: k for k, key in enumerate(known)} | {"name": -2, "class": -1}
        node.attrib = dict(sorted(node.attrib.items(), key=lambda pair: rank.get(pair[0], len(rank))))


def save(owner: MjSpec, path: str | os.PathLike[str]) -> None:
    Path(path).write_text(to_text(owner), encoding="utf-8")


def archive(owner: MjSpec, file: Any) -> None:
    """Pack the XML and the assets."""
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(f"{owner.modelname.replace(' ', '_')}.xml", to_text(owner))
        for name, data in owner.assets.items():
            packed.writestr(zipfile.ZipInfo(name), data)


def from_archive(kind: type[MjSpec], file: Any) -> MjSpec:
    """A spec of an archive: the file nearest to its root that is XML, the others are assets."""
    with zipfile.ZipFile(file, "r") as packed:
        names = [name for name in packed.namelist() if not name.endswith("/")]
        models = sorted((name for name in names if name.endswith(".xml")), key=lambda name: (name.count("/"), name))
        if not models:
            raise ValueError("no XML found in the archive")
        folder = models[0].rpartition("/")[0]
        start = f"{folder}/" if folder else ""
        files = {name.removeprefix(start): packed.read(name) for name in names if name != models[0]}
        text = packed.read(models[0]).decode()
    return kind.from_string(text, assets=files)


def encode(owner: MjSpec, filename: str, model: Any, content_type: str | None) -> int:
    """Save to a file whose suffix says how; returns the number of bytes."""
    suffix = Path(filename).suffix.lower()
    if content_type in ("text/xml", "application/xml"):
        suffix = ".xml"
    if suffix == ".xml":
        if model is not None:
            owner.copy_back(model)
        save(owner, filename)
    elif suffix in (".mjz", ".zip"):
        data = io.BytesIO()
        archive(owner, data)
        Path(filename).write_bytes(data.getvalue())
    elif suffix == ".mjb" and model is not None:
        from sim.mujoco.binary import mj_saveModel

        mj_saveModel(model, filename, None)
    else:
        raise FatalError(f"no encoder for {filename}")
    return Path(filename).stat().st_size
