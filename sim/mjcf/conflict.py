"""Settings of an attached model against those of the model it is attached to, as `compiler conflict` says.

Only what both files really say is a conflict. "warning" keeps the parent's value and says so; "merge" takes the
smaller or the larger one where that is safe, and what only the attached model says; "error" refuses.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from .schema import DISABLE_FLAGS, ENABLE_FLAGS, element, read_attributes, words
from .settings import OPTION, VISUAL
from .source import Node
from .spec import SIZE

# which of two values is safe for both; of all others only one can be right
SMALLER = words("""
    timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance znear realtime""")
LARGER = words("""
    iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints zfar njmax nconmax nuserdata
    nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor""")
# settings of visual that can be in conflict
LOOKS = {"map": ("znear", "zfar"), "global": ("realtime",)}
GROUPS = "actuatorgroupdisable"


def settle(parent: Node, child: Node, where: Node) -> list[Node]:
    """New settings of the parent; raises at `where` if the two models cannot be one."""
    mode = str(_written(parent, "compiler", {}).get("conflict", "warning"))
    said: list[str] = []
    wrong: list[str] = []
    news: list[Node] = []

    def compare(tag: str, defaults: dict[str, Any], holder: str = "", only: tuple[str, ...] = ()) -> None:
        ours, theirs = _values(parent, tag, defaults, holder), _values(child, tag, defaults, holder)
        taken: dict[str, str] = {}
        for name, (text, value) in theirs.items():
            if (only and name not in only) or name == GROUPS:
                continue
            mine = ours.get(name)
            if tag == "size" and value == defaults[name]:
                continue
            if (mine[1] if mine else defaults.get(name)) == value:
                continue
            what = f"{name}: {mine[0] if mine else 'the default'} here, {text} there"
            if mode == "merge" and (mine is None or name in SMALLER + LARGER):
                better = mine is None or (value < mine[1]) == (name in SMALLER)
                taken |= {name: text} if better else {}
            elif mode == "warning":
                said.append(what)
            elif mine is not None:
                wrong.append(what)
            else:
                said.append(what)
        if taken:
            news.append(_node(parent, tag, taken, holder))

    compare("option", OPTION)
    for group, names in LOOKS.items():
        compare(group, VISUAL[group], "visual", names)
    compare("size", SIZE, only=LARGER)
    for name, want in _flags(child):
        mine = _written(parent, "flag", {}, "option").get(name)
        if mode == "merge":
            news.append(_node(parent, "flag", {name: want}, "option"))
        elif mine is not None and mine != want:
            (wrong if mode == "error" else said).append(f"{name}: {mine} here, {want} there")
    groups = _written(child, "option", {}).get(GROUPS, "")
    if groups and mode == "merge":
        both = {*groups.split(), *_written(parent, "option", {}).get(GROUPS, "").split()}
        news.append(_node(parent, "option", {GROUPS: " ".join(sorted(both))}))
    if wrong:
        raise where.error(
            "settings of the attached model are in conflict: " + "; ".join(wrong),
            "make them equal, or set compiler conflict",
        )
    if said:
        warnings.warn(
            f"{where.file}:{where.line}: <attach>: settings of the attached model are not used: " + "; ".join(said),
            stacklevel=2,
        )
    return news


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
