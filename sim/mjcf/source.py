"""XML text -> a tree of `Node`, includes spliced in, every node knowing its file and line.

Files come from the disk or from a dict of assets, which is looked at first. An include is sought beside
the main file, then beside the file that names it, and may occur once. Entities are refused before the
parser sees them; nothing is ever fetched from a network.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from .errors import MjcfError

Assets = Mapping[str, bytes | str]

TEXT_NAME = "<text>"
MOST_ATTRIBUTES = 1000
TOO_DEEP = "put bodies beside each other, or in files of their own"


@dataclass(frozen=True, slots=True)
class Document:
    """One file: the name to show, its text, the folder it lies in, and who found it."""

    file: str
    text: str
    folder: Path
    loader: Loader

    @property
    def origin(self) -> int:
        """Number of the model that the file belongs to: 0, or that of an attached one."""
        return self.loader.origin


class Node:
    """One XML element: tag, attributes, children, and where it stands."""

    __slots__ = ("attrib", "children", "document", "end", "tag")

    def __init__(self, tag: str, attrib: dict[str, str], document: Document, end: int) -> None:
        self.tag, self.attrib, self.document, self.end = tag, attrib, document, end
        self.children: list[Node] = []

    @property
    def file(self) -> str:
        return self.document.file

    @property
    def line(self) -> int:
        """Line on which the element starts; the parser only knows where its start tag ends."""
        lines = self.document.text.split("\n", self.end)[: self.end]
        for number in range(len(lines), 0, -1):
            if f"<{self.tag}" in lines[number - 1]:
                return number
        return self.end

    def error(self, message: str, cure: str = "") -> MjcfError:
        return MjcfError(message, self.file, self.line, self.tag, cure)


class Loader:
    """Finds and parses the files of one model."""

    def __init__(self, main: str, assets: Assets | None = None) -> None:
        self.main = main
        self.folder = Path(main).parent if main != TEXT_NAME else Path()
        self.assets = dict(assets or {})
        self.included: set[str] = set()
        self.parent: Loader | None = None
        self.origins = [0]
        self.origin = 0
        # whether there is something to be written out by `expand`
        self.nested = False
        if main != TEXT_NAME:
            self.included.add(self._identity(Path(main)))

    def tree(self, data: bytes | str) -> Node:
        """The whole model as one tree."""
        return self._parse(data, self.main, self.folder)

    def read(self, name: str, beside: Path, node: Node, within: str = "") -> tuple[bytes | str, str, Path]:
        """Content, name to show and folder of a file that `node`, in a file in the folder `beside`, asks for.

        `within` is the folder that the compiler element names for such files. The folder of an included file may
        follow it or take its place.
        """
        # folders may be told apart by backslashes, wherever the model was written
        folder, file = within.replace("\\", "/"), name.replace("\\", "/")
        name = os.path.join(within, name)
        if "://" in name:
            raise node.error(f"'{name}' is a network address", "give a file on this machine")
        # assets given by the caller: by full name, then by bare name
        for key in (name, file.rsplit("/", 1)[-1]):
            if key in self.assets:
                return self.assets[key], name, Path(folder, file).parent
        first = self.folder / folder
        tried = list(dict.fromkeys((first / file, first / os.path.relpath(beside, self.folder) / file, beside / file)))
        for path in tried:
            if path.is_file():
                try:
                    return path.read_bytes(), str(path), path.parent
                except OSError as why:
                    raise node.error(f"cannot read '{path}': {why.strerror}") from None
        places = " and ".join(str(path.parent) for path in tried)
        raise node.error(f"file '{name}' not found", f"looked in {places}")

    def child(self, name: str, node: Node) -> tuple[Loader, bytes | str]:
        """The loader of a model that this one attaches, and its text."""
        data, shown, _ = self.read(name, self.folder, node)
        above: Loader | None = self
        while above is not None:
            if self._identity(Path(above.main)) == self._identity(Path(shown)):
                raise node.error(f"model '{name}' attaches itself", "a model cannot be a part of itself")
            above = above.parent
        loader = Loader(shown, self.assets)
        loader.parent, loader.origins = self, self.origins
        loader.origin = len(self.origins)
        self.origins.append(loader.origin)
        return loader, data

    @staticmethod
    def _identity(path: Path) -> str:
        return str(path.resolve())

    def _parse(self, data: bytes | str, file: str, folder: Path) -> Node:
        text = decode(data, file)
        if "<!ENTITY" in text:
            line = text.count("\n", 0, text.index("<!ENTITY")) + 1
            raise MjcfError("entities are refused", file, line, cure="write the value in its place")
        parser = etree.XMLParser(
            encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False,
            remove_comments=True, remove_pis=True, huge_tree=True,
        )  # fmt: skip
        try:
            root = etree.fromstring(text.encode(), parser)
        except etree.XMLSyntaxError as why:
            what = (why.msg or "empty file").split(", line")[0]
            if "depth" in what:
                raise MjcfError("elements are nested too deeply", file, why.lineno or 1, cure=TOO_DEEP) from None
            raise MjcfError(f"not well-formed XML: {what}", file, why.lineno or 1) from None
        document = Document(file, text, folder, self)
        self.nested = self.nested or any(word in text for word in ("<replicate", "<attach", "<model"))
        top = _node(root, document)
        # a stack: models nest deeper than Python calls do
        stack = [(root, top)]
        while stack:
            element, node = stack.pop()
            for child in element:
                if child.tag == "include":
                    node.children.extend(self._include(child, document))
                else:
                    node.children.append(_node(child, document))
                    stack.append((child, node.children[-1]))
        return top

    def _include(self, element: Any, document: Document) -> list[Node]:
        node = _node(element, document)
        if len(element):
            raise node.error("include cannot have children")
        unknown = set(node.attrib) - {"file"}
        if unknown:
            raise node.error(f"unknown attribute '{min(unknown)}'", "include has one: 'file'")
        name = node.attrib.get("file", "").strip()
        if not name:
            raise node.error("missing attribute 'file'")
        data, shown, folder = self.read(name, document.folder, node)
        identity = shown if shown == name and name in self.assets else self._identity(Path(shown))
        if identity in self.included:
            raise node.error(f"file '{name}' is already included", "a file can be included once")
        self.included.add(identity)
        children = self._parse(data, shown, folder).children
        if not children:
            raise node.error(f"included file '{name}' has no content")
        return children


def _node(element: Any, document: Document) -> Node:
    tag = element.tag if isinstance(element.tag, str) else "entity"
    attrib = element.attrib
    # each value is sought from the first attribute on
    if len(attrib) > MOST_ATTRIBUTES:
        raise MjcfError(f"it has {len(attrib)} attributes", document.file, element.sourceline, tag, "leave some out")
    return Node(tag, dict(attrib), document, element.sourceline)


def decode(data: bytes | str, file: str) -> str:
    """Text of a file, whatever of the usual encodings it is in."""
    if isinstance(data, str):
        return data
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    else:
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
        if "\0" in text:
            raise MjcfError("not text: it has zero bytes", file, cure="save it as UTF-8")
        return text
    except UnicodeDecodeError as why:
        if encoding == "utf-16":
            raise MjcfError(f"not text: {why.reason}", file) from None
        return data.decode("latin-1")
