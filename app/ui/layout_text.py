"""Validates a saved panel layout (ImGui ini text) before ImGui, which is native code, parses it.

    [Window][Physics]          then lines such as Pos=0,35 and DockId=0x00000007,0
    [Table][0x8257A902,3]      then Column 0  Width=19 Order=0
    [Docking][Data]            then a tree of nodes: a parent before its children, two of them if it is split

Numbers are bounded by what a screen can have. Any other text was not written by the viewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LARGEST = 1 << 17
MOST_NODES = 200
MOST_COLUMNS = 64

_ID, _FLAG = "0x[0-9A-F]{8}", r"-?\d{1,2}"
# ImGui keeps them as short integers: a larger size would become a negative one, which it does not survive
_PIXELS = r"(\d{1,4}|[12]\d{4})"
_PLACE, _SIZE = f"-?{_PIXELS},-?{_PIXELS}", f"{_PIXELS},{_PIXELS}"
_HEADER = re.compile(r"\[(Window|Table|Docking)\]\[([^\x00-\x1f\x7f]{1,300})\]")
_TABLE = re.compile(rf"{_ID},(\d{{1,3}})")
_USED = r"LastUsed=\d{8}"
_LINES = {
    "Window": re.compile(
        rf"(Pos|ViewportPos)={_PLACE}|Size={_SIZE}|(Collapsed|IsChild)={_FLAG}|(ViewportId|ClassId)={_ID}"
        rf"|DockId={_ID}(,{_FLAG})?|{_USED}"
    ),
    "Table": re.compile(
        rf"RefScale=\d{{1,4}}(\.\d{{1,6}})?|{_USED}|Column (?P<column>\d{{1,2}}) ?(( UserID={_ID}| ID={_ID}"
        rf"| Width=\d{{1,5}}| Weight=\d{{1,4}}\.\d{{4}}| Visible={_FLAG}| Order=\d{{1,2}}| Sort=\d{{1,2}}[v^])*)"
    ),
    "Docking": re.compile(
        rf" *Dock(Space|Node) +ID=(?P<id>{_ID})( Parent=(?P<parent>{_ID})| Window={_ID})?"
        rf"( Pos={_PLACE} Size={_SIZE}| SizeRef={_SIZE})?( Split=(?P<split>[XY]))?"
        rf"( (NoResize|CentralNode|NoTabBar|HiddenTabBar|NoWindowMenuButton|NoCloseButton)={_FLAG})*( Selected={_ID})?"
    ),
}


def fault(text: str) -> str:
    """Why ImGui must not load this text; empty if it may."""
    if len(text) > LARGEST:
        return f"it is longer than {LARGEST} characters"
    section, columns, nodes = "", 0, []
    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
        if not line.strip():
            continue
        header = _HEADER.fullmatch(line)
        if header:
            section, columns = header[1], _columns(header[2]) if header[1] == "Table" else 0
            if (section, columns) == ("Table", 0):
                return f"line {number} is not a table header"
            continue
        found = _LINES[section].fullmatch(line) if section else None
        if found is None or (section == "Table" and int(found["column"] or 0) >= columns):
            return f"line {number} is not layout text"
        if section == "Docking":
            nodes.append((found["id"], found["parent"] or "", found["split"] or ""))
    return next(_tree_faults(nodes), "")


def _columns(name: str) -> int:
    """Number of columns in a table header; 0 if it is invalid."""
    found = _TABLE.fullmatch(name)
    return int(found[1]) if found and int(found[1]) <= MOST_COLUMNS else 0


def _tree_faults(nodes: list[tuple[str, str, str]]) -> Iterator[str]:
    """Why nodes (id, parent, split) do not form trees."""
    if len(nodes) > MOST_NODES:
        yield f"it has more than {MOST_NODES} dock nodes"
    children: dict[str, int] = {}
    splits: dict[str, str] = {}
    for node, parent, split in nodes:
        if node in splits or not int(node, 16):
            yield f"dock node {node} is zero or not unique"
        if parent and not splits.get(parent):
            yield f"the parent of dock node {node} is not split"
        splits[node] = split
        children[parent] = children.get(parent, 0) + 1
    for node, split in splits.items():
        if children.get(node, 0) != (2 if split else 0):
            yield f"dock node {node} is not split in two"
