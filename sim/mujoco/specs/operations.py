"""Operations of MjSpec on the whole spec: check, sign, delete, attach."""

from __future__ import annotations

import hashlib
import os
import warnings
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from sim.mjcf.attach.references import references, walk
from sim.mjcf.errors import MjcfError
from sim.mujoco.specs.defaults import MjsDefault
from sim.mujoco.specs.members import WithPlugin
from sim.mujoco.specs.messages import compile_error
from sim.mujoco.specs.sensors import MjsSensor
from sim.spec.delete import remove, remove_with_referring

if TYPE_CHECKING:
    from sim.mujoco.specs.base import Mjs
    from sim.mujoco.specs.spec import MjSpec

STL_HEADER = 84


def check(owner: MjSpec) -> None:
    """Raise ValueError for elements that a file cannot hold."""
    if owner.flexes:
        raise ValueError("Error: deformable bodies (flex) are not supported")
    for item in owner.touched_and_named(MjsSensor):
        problem = item.problem()
        if problem:
            raise ValueError(f"Error: {problem}\nElement name '{item.name}', id {item.id}")
    for item in owner.touched_and_named(WithPlugin):
        if "plugin" in item._own and item._own["plugin"].active:
            raise ValueError(f"Error: plugins are not supported\nElement name '{item.name}', id {item.id}")


def signature(owner: MjSpec) -> int:
    """A number that is the same for specs with the same elements."""
    text = ";".join(
        f"{node.tag},{node.attrib.get('name', '')},{len(node.children)}" for node in walk(owner.spec.tree.root)
    )
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") or 1


# ---- deleting


def delete(owner: MjSpec, item: Mjs | MjsDefault) -> None:
    """Delete an element as MuJoCo does: only bodies and frames take along what refers to them."""
    element, spec = item._element, owner.spec
    if owner.parent is not None:
        raise ValueError("Error: Cannot delete element from an attached mjSpec.")
    if not element.exists or element.spec is not spec:
        what = "default" if isinstance(item, MjsDefault) else item.kind
        raise ValueError(f"Error: {what} is not in this model")
    owner.flush()
    if isinstance(item, MjsDefault):
        if item.name == "main":
            raise ValueError("Error: cannot remove the global default ('main')")
        remove(spec, [element.node])
    elif element.tag == "worldbody":
        raise ValueError("Error: cannot delete the world body")
    elif item.kind in ("body", "frame"):
        remove_with_referring(spec, element.node)
    else:
        gone = (item.kind, item.name)
        tuples = [
            node
            for node in spec.nodes("tuple")
            if any((kind, part.attrib[key]) == gone for part in node.children for key, kind in references(part))
        ]
        remove(spec, [element.node, *(tuples if item.name else ())])


# ---- attaching


def attach_spec(owner: MjSpec, child: MjSpec, prefix: Any, suffix: Any, site: Any, frame: Any) -> Any:
    """Attach a whole spec."""
    if site is None and frame is None:
        raise ValueError("One of frame or site must be specified.")
    at = frame if frame is not None else site
    kind = "frame" if frame is not None else "site"
    if isinstance(at, str):
        at = owner._find(kind, at)
    if at is None:
        raise ValueError(f"{kind.capitalize()} not found.")
    if child.parent is not None and not owner.copying:
        raise ValueError("Error: the child is already attached")
    made = attach_part(owner, child, at, None, prefix, suffix)
    if not owner.copying:
        child.parent = owner
    return made


def attach_part(owner: MjSpec, child: MjSpec, at: Mjs, part: Mjs | None, prefix: Any, suffix: Any) -> Any:
    """Attach a body or frame of another spec; None: all of it."""
    files = _renamed_assets(owner, child, prefix or "", suffix or "")
    owner.flush()
    child.flush()
    child.spec.use_assets()
    move = not owner.copying
    if child is owner and move:
        raise ValueError("Error: an element of the same spec can only be attached as a copy")
    try:
        element = owner.spec.attach(
            child.spec, at._element, prefix or "", suffix or "", part._element if part is not None else None, move
        )
    except MjcfError as error:
        raise compile_error(owner, error) from None
    if not prefix:
        owner.unprefixed = True
    if move:
        owner.adopt(child)
    owner.settings.reload()
    owner.assets.update(files)
    return owner.facade(element)


def _renamed_assets(owner: MjSpec, child: MjSpec, prefix: str, suffix: str) -> dict[str, Any]:
    """The files of a child under the names that they have in the parent."""
    found = {}
    for name, data in child.assets.items():
        path = PurePosixPath(name)
        folder = "" if str(path.parent) == "." else f"{path.parent}/" + ("" if prefix else "/")
        new = f"{folder}{prefix}{path.stem}{suffix}{path.suffix}"
        if new in owner.assets and not owner.override_assets:
            raise ValueError(f"Asset {name} already exists in parent spec.")
        found[new] = data
    return found


def warn_prefix(owner: MjSpec) -> None:
    if owner.unprefixed:
        text = "a spec was attached without a prefix, which may prevent the model from being saved correctly"
        warnings.warn(text, stacklevel=3)


def mesh_problem(filename: str, data: Any) -> str:
    """The error for a mesh file that is given as a model."""
    if data is None and os.path.exists(filename):
        data = Path(filename).read_bytes()
    if filename.lower().endswith(".stl") and data is not None and len(data) < STL_HEADER:
        return "stl_decoder: invalid header: the file is too short"
    return f"{filename} is a mesh: pass it to a model's add_mesh"
