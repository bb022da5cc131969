"""Merges attached models into the main model for saving: compiler settings and default classes.

An attached model has its own compiler settings, and default classes that do not inherit from the main class. A saved
file has one of each: angles and limits of attached elements are converted to the units of the main model, and their
classes set explicitly what they would otherwise inherit.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np

from sim import enums
from sim.attributes import BY_TAG
from sim.mjcf.attach.references import walk
from sim.mjcf.records import TRUE, Body, Compiler, Inertial, Item, Joint, Parsed, Placed
from sim.mjcf.rotation import orientation_to_quat
from sim.mjcf.save.attribute_text import format_attribute, format_numbers
from sim.mjcf.save.unscale import unscaled_inertial
from sim.mjcf.schema import ORIENTATIONS
from sim.mjcf.source import Node

# compiler settings that change masses and inertias
INERTIA_SETTINGS = ("boundmass", "boundinertia", "balanceinertia", "inertiafromgeom", "inertiagrouprange")

NodeOf = Callable[[Item], Node | None]


def merge_attached(root: Node, parsed: Parsed, node_of: NodeOf) -> None:
    """Convert elements of attached models to the settings of the main model, in place."""
    if not any(node.document.origin for node in root.children):
        return
    _write_inertials(root, parsed, node_of)
    for kind in ("body", "geom", "site", "camera", "joint"):
        for item in parsed.lists[kind]:
            node = node_of(item)
            if node is not None and node.document.origin:
                _convert_item(item, node, parsed)
    for frame in parsed.frames:
        node = node_of(frame)
        if node is not None and node.document.origin:
            _convert_orientation(frame, node, parsed.compiler_of(frame))
    root.children = [node for node in root.children if node.tag != "compiler" or not node.document.origin]
    _merge_classes(root, parsed)


def _convert_item(item: Item, node: Node, parsed: Parsed) -> None:
    own = parsed.compiler_of(item)
    if isinstance(item, Placed):
        _convert_orientation(item, node, own)
    if isinstance(item, Body) and item.inertial is not None:
        for child in node.children:
            if child.tag == "inertial":
                _convert_orientation(item.inertial, child, own)
    if isinstance(item, Joint) and node.tag == "joint":
        _convert_joint(item, node, own, parsed.compiler)


def _write_inertials(root: Node, parsed: Parsed, node_of: NodeOf) -> None:
    """If the models infer inertia differently, give every body an <inertial>."""
    if all(
        getattr(compiler, name) == getattr(parsed.compiler, name)
        for compiler in parsed.compilers.values()
        for name in INERTIA_SETTINGS
    ):
        return
    for section in root.children:
        if section.tag == "compiler":
            for name in INERTIA_SETTINGS:
                section.attrib.pop(name, None)
    for body in parsed.lists["body"]:
        node = node_of(body)
        if node is not None and body.parent is not None and body.mass:
            node.children = [child for child in node.children if child.tag != "inertial"]
            fields = {"ipos": body.ipos, "iquat": body.iquat, "mass": body.mass, "inertia": body.inertia}
            values = unscaled_inertial(body.inner_scale, {name: np.array(value) for name, value in fields.items()})
            texts = {name: format_numbers(value) for name, value in values.items()}
            node.children.insert(0, Node("inertial", texts, node.document, node.end))


def _convert_orientation(item: Placed | Inertial, node: Node, compiler: Compiler) -> None:
    """Replace an orientation given by angles with a quaternion."""
    if item.alt is not None and item.alt[0] in ("euler", "axisangle"):
        for key in ORIENTATIONS:
            node.attrib.pop(key, None)
        node.attrib["quat"] = format_numbers(orientation_to_quat(*item.alt, compiler.degree, compiler.eulerseq))


def _convert_joint(joint: Joint, node: Node, own: Compiler, main: Compiler) -> None:
    """Convert ranges and references to the units of the main model, and set limits explicitly."""
    if own.degree != main.degree and joint.type in (enums.JNT_HINGE, enums.JNT_BALL):
        unit = 180 / pi if main.degree else 1.0
        if any(joint.range):
            scale = unit if joint.limited == TRUE else unit * (pi / 180 if own.degree else 1.0)
            node.attrib["range"] = format_numbers(scale * x for x in joint.range)
        if joint.type == enums.JNT_HINGE:
            for key in ("ref", "springref"):
                node.attrib[key] = format_numbers([getattr(joint, key) * unit])
        if joint.springyield:
            node.attrib["springyield"] = format_numbers([joint.springyield * unit])
    if own.autolimits != main.autolimits and joint.type != enums.JNT_FREE:
        for key in ("limited", "actuatorfrclimited"):
            node.attrib[key] = "true" if getattr(joint, key) == TRUE else "false"


# ---- default classes


def _merge_classes(root: Node, parsed: Parsed) -> None:
    """Nest classes of attached models in the main class, and set what they would inherit from it."""
    foreign = [node for node in root.children if node.tag == "default" and node.document.origin]
    if not foreign:
        return
    root.children = [node for node in root.children if node not in foreign]
    own = [node for node in root.children if node.tag == "default"]
    inherited: dict[str, set[str]] = {}
    for section in own:
        for node in section.children:
            if node.tag != "default":
                inherited.setdefault(node.tag, set()).update(node.attrib)
    if not own:
        own = [Node("default", {}, root.document, root.end)]
        root.children.insert(0, own[0])
    for top in foreign:
        for node in walk(top):
            # the elements have been given quaternions
            for key in ("euler", "axisangle"):
                node.attrib.pop(key, None)
        for tag, names in inherited.items():
            _reset(top, tag, names, parsed)
        own[-1].children.append(top)


def _reset(top: Node, tag: str, names: set[str], parsed: Parsed) -> None:
    """Set attributes that the main class sets and this one does not to MuJoCo's defaults."""
    prototype = parsed.defaults["main"].prototypes.get(tag)
    if prototype is None:
        return
    node = next((child for child in top.children if child.tag == tag), None)
    if node is None:
        node = Node(tag, {}, top.document, top.end)
        top.children.insert(0, node)
    values = prototype.defaults
    for name in sorted(names - set(node.attrib)):
        if name in values and values[name] not in (None, "", ()):
            node.attrib[name] = format_attribute(BY_TAG[tag][name].type, values[name])
