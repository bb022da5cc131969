"""Settings of an attached model against those of the model it is attached to, as `compiler conflict` says.

Only what both files really say is a conflict. "warning" keeps the parent's value and says so; "merge" takes the
smaller or the larger one where that is safe, and what only the attached model says; "error" refuses.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from sim.mjcf.schema import DISABLE_FLAGS, ENABLE_FLAGS, element, read_attributes, words
from sim.mjcf.settings import OPTION, VISUAL
from sim.mjcf.source import Node
from sim.mjcf.spec import SIZE

# which of two values is safe for both; of all others only one can be right
SMALLER = words("""
    timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance znear realtime""")
LARGER = words("""
    iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints zfar njmax nconmax nuserdata
    nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor""")
# settings of visual that can be in conflict
LOOKS = {"map": ("znear", "zfar"), "global": ("realtime",)}
GROUPS = "actuatorgroupdisable"


def merge_settings(parent: Node, child: Node, where: Node) -> list[Node]:
    """New settings of the parent; raises at `where` if the two models cannot be one."""
    found = SettingsMerge(parent, child)
    found.compare("option", OPTION)
    for group, names in LOOKS.items():
        found.compare(group, VISUAL[group], "visual", names)
    found.compare("size", SIZE, only=LARGER)
    found.compare_flags()
    found.join_groups()
    if found.wrong:
        raise where.error(
            "settings of the attached model are in conflict: " + "; ".join(found.wrong),
            "make them equal, or set compiler conflict",
        )
    if found.said:
        unused = "settings of the attached model are not used: " + "; ".join(found.said)
        warnings.warn(f"{where.file}:{where.line}: <attach>: {unused}", stacklevel=2)
    return found.news


class SettingsMerge:
    """What comes of two models: new settings, what is left out with a word, and what cannot be."""

    def __init__(self, parent: Node, child: Node) -> None:
        self.parent, self.child = parent, child
        self.mode = str(_written(parent, "compiler", {}).get("conflict", "warning"))
        self.news: list[Node] = []
        self.said: list[str] = []
        self.wrong: list[str] = []

    def compare(self, tag: str, defaults: dict[str, Any], holder: str = "", only: tuple[str, ...] = ()) -> None:
        """The attributes of one element, all or `only` some."""
        ours, theirs = _values(self.parent, tag, defaults, holder), _values(self.child, tag, defaults, holder)
        taken: dict[str, str] = {}
        for name, (text, value) in theirs.items():
            mine = ours.get(name)
            unsaid = tag == "size" and value == defaults[name]
            equal = (mine[1] if mine else defaults.get(name)) == value
            if (only and name not in only) or name == GROUPS or unsaid or equal:
                continue
            if self.mode == "merge" and (mine is None or name in SMALLER + LARGER):
                if mine is None or (value < mine[1]) == (name in SMALLER):
                    taken[name] = text
                continue
            what = f"{name}: {mine[0] if mine else 'the default'} here, {text} there"
            (self.said if mine is None or self.mode == "warning" else self.wrong).append(what)
        if taken:
            self.news.append(_node(self.parent, tag, taken, holder))

    def compare_flags(self) -> None:
        """What is switched on or off."""
        ours = _written(self.parent, "flag", {}, "option")
        for name, want in _flags(self.child):
            if self.mode == "merge":
                self.news.append(_node(self.parent, "flag", {name: want}, "option"))
            elif ours.get(name, want) != want:
                (self.wrong if self.mode == "error" else self.said).append(f"{name}: {ours[name]} here, {want} there")

    def join_groups(self) -> None:
        """Groups of actuators that one or the other disables."""
        ours, theirs = (_written(root, "option", {}).get(GROUPS, "").split() for root in (self.parent, self.child))
        if theirs and self.mode == "merge":
            self.news.append(_node(self.parent, "option", {GROUPS: " ".join(sorted({*ours, *theirs}))}))


def _flags(root: Node) -> Iterator[tuple[str, str]]:
    """Flags that a model sets: what it disables, and what it enables."""
    for name, text in _written(root, "flag", {}, "option").items():
        if (name in DISABLE_FLAGS and text == "disable") or (name in ENABLE_FLAGS and text == "enable"):
            yield name, text


def _own(root: Node, tag: str, holder: str) -> Iterator[Node]:
    """Elements of the model itself, not of those it has attached."""
    for section in root.children:
        if section.document.origin == root.document.origin and section.tag == (holder or tag):
            yield from (node for node in (section.children if holder else [section]) if node.tag == tag)


def _written(root: Node, tag: str, start: dict[str, str], holder: str = "") -> dict[str, str]:
    """Attributes as text; the last one counts."""
    texts = dict(start)
    for node in _own(root, tag, holder):
        texts |= {name: text for name, text in node.attrib.items() if text.strip()}
    return texts


def _values(root: Node, tag: str, defaults: dict[str, Any], holder: str) -> dict[str, tuple[str, Any]]:
    """Attributes as text and as values; a vector given in part keeps the rest of the default."""
    values: dict[str, tuple[str, Any]] = {}
    for node in _own(root, tag, holder):
        for name, value in read_attributes(node, tag).items():
            if element(tag).attributes[name].partial:
                value = value + defaults[name][len(value) :]
            values[name] = node.attrib[name], value
    return values


def _node(parent: Node, tag: str, attributes: dict[str, str], holder: str = "") -> Node:
    node = Node(tag, attributes, parent.document, parent.end)
    if not holder:
        return node
    outer = Node(holder, {}, parent.document, parent.end)
    outer.children.append(node)
    return outer
