"""Merges the settings of an attached model into those of its parent, by `compiler conflict`.

Only attributes that both files set are in conflict. "warning" keeps the parent's value and warns; "merge" takes the
smaller or the larger value where that is safe, and values that only the attached model sets; "error" raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.attributes import DISABLE_FLAGS
from sim.mjcf import notes
from sim.mjcf.records import OPTION, SIZE, VISUAL
from sim.mjcf.schema import element, read_attributes, words
from sim.mjcf.source import Node

# settings of which the smaller or the larger value is safe for both models
SMALLER = words("""
    timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance znear realtime""")
LARGER = words("""
    iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints zfar njmax nconmax nuserdata
    nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor""")
# settings of <visual> that can be in conflict
VISUAL_SETTINGS = {"map": ("znear", "zfar"), "global": ("realtime",)}
GROUPS = "actuatorgroupdisable"


def merge_settings(parent: Node, child: Node, where: Node) -> list[Node]:
    """Elements with new settings for the parent; raises at `where` if there is a conflict."""
    merge = SettingsMerge(parent, child)
    merge.compare("option", OPTION)
    for group, names in VISUAL_SETTINGS.items():
        merge.compare(group, VISUAL[group], "visual", names)
    merge.compare("size", SIZE, only=LARGER)
    merge.compare_flags()
    merge.join_groups()
    if merge.conflicts:
        raise where.error(
            "settings of the attached model conflict: " + "; ".join(merge.conflicts),
            'make them equal, or set compiler conflict="warning"',
        )
    if merge.ignored:
        unused = "settings of the attached model are ignored: " + "; ".join(merge.ignored)
        notes.warn(f"{where.file}:{where.line}: <attach>: {unused}", stacklevel=2)
    return merge.merged


class SettingsMerge:
    """Compares two models: merged settings, ignored ones, and conflicts."""

    def __init__(self, parent: Node, child: Node) -> None:
        self.parent, self.child = parent, child
        self.mode = str(_attributes(parent, "compiler").get("conflict", "warning"))
        self.merged: list[Node] = []
        self.ignored: list[str] = []
        self.conflicts: list[str] = []

    def compare(self, tag: str, defaults: dict[str, Any], holder: str = "", only: tuple[str, ...] = ()) -> None:
        """Compare the attributes of one element, all or `only` some."""
        ours, theirs = _values(self.parent, tag, defaults, holder), _values(self.child, tag, defaults, holder)
        taken: dict[str, str] = {}
        for name, (text, value) in theirs.items():
            our_text, our_value = ours.get(name, ("the default", defaults.get(name)))
            # a size that is the default says nothing
            unsaid = tag == "size" and value == defaults[name]
            if (only and name not in only) or name == GROUPS or unsaid or value == our_value:
                continue
            ordered = name in SMALLER + LARGER
            if self.mode == "merge" and (ordered or name not in ours):
                if name not in ours or (value < our_value) == (name in SMALLER):
                    taken[name] = text
            elif self.mode == "warning" or name not in ours:
                self.ignored.append(f"{name}: {our_text} here, {text} there")
            else:
                self.conflicts.append(f"{name}: {our_text} here, {text} there")
        if taken:
            self.merged.append(_node(self.parent, tag, taken, holder))

    def compare_flags(self) -> None:
        """Compare <flag>; a merged model has what either model disables or enables."""
        ours = _attributes(self.parent, "flag", "option")
        for name, want in _attributes(self.child, "flag", "option").items():
            if self.mode == "merge":
                if want == ("disable" if name in DISABLE_FLAGS else "enable"):
                    self.merged.append(_node(self.parent, "flag", {name: want}, "option"))
            elif ours.get(name, want) != want:
                (self.conflicts if self.mode == "error" else self.ignored).append(
                    f"{name}: {ours[name]} here, {want} there"
                )

    def join_groups(self) -> None:
        """Merge actuatorgroupdisable: groups that either model disables."""
        ours, theirs = (_attributes(root, "option").get(GROUPS, "").split() for root in (self.parent, self.child))
        if theirs and self.mode == "merge":
            self.merged.append(_node(self.parent, "option", {GROUPS: " ".join(sorted({*ours, *theirs}))}))


def _own(root: Node, tag: str, holder: str) -> Iterator[Node]:
    """Elements of the model itself, not of models attached to it."""
    for section in root.children:
        if section.document.origin == root.document.origin and section.tag == (holder or tag):
            yield from (node for node in (section.children if holder else [section]) if node.tag == tag)


def _attributes(root: Node, tag: str, holder: str = "") -> dict[str, str]:
    """Attributes as text; the last one wins."""
    texts: dict[str, str] = {}
    for node in _own(root, tag, holder):
        texts |= {name: text for name, text in node.attrib.items() if text.strip()}
    return texts


def _values(root: Node, tag: str, defaults: dict[str, Any], holder: str) -> dict[str, tuple[str, Any]]:
    """Attributes as text and as values; a vector given in part keeps the other components of the default."""
    values: dict[str, tuple[str, Any]] = {}
    for node in _own(root, tag, holder):
        for name, value in read_attributes(node, tag).items():
            if element(tag).attributes[name].partial:
                value = value + defaults[name][len(value) :]
            values[name] = node.attrib[name], value
    return values


def _node(parent: Node, tag: str, attributes: dict[str, str], holder: str = "") -> Node:
    """A new element for the parent, in the section `holder` if it has one."""
    node = Node(tag, attributes, parent.document, parent.end)
    if not holder:
        return node
    outer = Node(holder, {}, parent.document, parent.end)
    outer.children.append(node)
    return outer
