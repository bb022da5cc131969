"""Default classes of an attached model: under new names, and independent of those of its parent."""

from __future__ import annotations

from sim.mjcf.attach.references import ASSETS, Renaming, references, walk
from sim.mjcf.source import Node

# sections whose elements have a default class -> tags, or all
CLASSED = {"asset": ("material", "mesh"), "contact": ("pair",), "tendon": (), "equality": (), "actuator": ()}


def new_class_names(copy: Node, prefix: str, known: set[str], suffix: str = "") -> dict[str, str]:
    """Default classes of an attached model -> new names, which are added to the known ones."""
    names: dict[str, str] = {}
    # there is a main class, even if the file has no <default>
    for top in [Node("default", {}, copy.document, copy.end), *copy.children]:
        for node in walk(top) if top.tag == "default" else ():
            if node.tag == "default":
                name = node.attrib.get("class", "main")
                new = prefix + name + suffix
                while new in known and name not in names:
                    new += "_"
                names.setdefault(name, new)
                known.add(new)
    return names


def default_classes(copy: Node, rename: Renaming) -> list[Node]:
    """The default classes of an attached model, its main class first, which inherits from none."""
    main = Node("default", {"class": "main"}, copy.document, copy.end)
    tops = [main]
    for section in copy.children:
        if section.tag == "default":
            if section.attrib.get("class", "main") == "main":
                _merge(main, section)
            else:
                tops.append(section)
    for top in tops:
        for node in walk(top):
            if "class" in node.attrib:
                node.attrib["class"] = rename.classes[node.attrib["class"]]
            for key, kind in references(node):
                if kind in ASSETS:
                    node.attrib[key] = rename(node.attrib[key])
    return tops


def _merge(main: Node, section: Node) -> None:
    """Merge a <default> section into the main class; later values win."""
    settings = {node.tag: node for node in main.children if node.tag != "default"}
    for node in section.children:
        if node.tag in settings:
            settings[node.tag].attrib |= node.attrib
            settings[node.tag].children += node.children
        else:
            main.children.append(node)


def set_default_class(node: Node, section: str) -> None:
    """Set the class that an element has by default explicitly."""
    tags = CLASSED.get(section)
    if tags is not None and (not tags or node.tag in tags):
        node.attrib.setdefault("class", "main")
