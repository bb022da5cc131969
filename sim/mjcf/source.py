"""XML text -> a tree of `Node`, includes spliced in, every node knowing its file and line.

Files come from the disk or from a dict of assets, which is looked at first: by bare name, case aside, as in MuJoCo.
An include is sought beside the main file, then beside the file that names it, and may occur once. Entities are refused
before the parser sees them; nothing is ever fetched from a network.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from sim.mjcf.errors import TOO_DEEP, MjcfError, located, shortened

Assets = Mapping[str, bytes | str]

TEXT_NAME = "<text>"
MOST_ATTRIBUTES = 1000
# twice what MuJoCo allows; the parser itself goes on to 2048
DEEPEST = 1024


@dataclass(frozen=True, slots=True)
class Document:
    """One file: the name to show, its text, the folder it lies in, and who found it."""

    file: str
    text: str
    folder: Path
    reader: XmlReader

    @property
    def origin(self) -> int:
        """Number of the model that the file belongs to: 0, or that of an attached one."""
        return self.reader.origin


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

    def located(self) -> AbstractContextManager[None]:
        """Inside, what the machine refuses is the error of this element."""
        return located(self.error)


class XmlReader:
    """Finds and parses the files of one model."""

    def __init__(self, main: str, assets: Assets | None = None) -> None:
        self.main = main
        self.folder = Path(main).parent if main != TEXT_NAME else Path()
        self.assets = _by_bare_name(assets or {}, main)
        self.included: set[str] = set()
        self.parent: XmlReader | None = None
        # shared by a model and those that it attaches: their numbers, and how many elements have been copied
        self.origins = [0]
        self.copied = [0]
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
            raise node.error(f"'{shortened(name)}' is a network address", "give a file on this machine")
        given = self.given(name)
        if given is not None:
            return given, name, Path(folder, file).parent
        with located(lambda message, cure: node.error(f"'{shortened(name)}': {message}", cure)):
            tried = self._places(folder, file, beside)
            for path in tried:
                if path.is_file():
                    return path.read_bytes(), str(path), path.parent
        places = " and ".join(str(path.parent) for path in tried)
        raise node.error(f"file '{shortened(name)}' not found", f"looked in {places}")

    def given(self, name: str) -> bytes | str | None:
        """Content of a file that the caller gave, if there is one of this name."""
        return self.assets.get(bare(name).lower())

    def _places(self, folder: str, file: str, beside: Path) -> list[Path]:
        """Where a file may lie, the likeliest place first."""
        first = self.folder / folder
        return list(dict.fromkeys((first / file, first / os.path.relpath(beside, self.folder) / file, beside / file)))

    def child(self, name: str, node: Node) -> tuple[XmlReader, bytes | str]:
        """The loader of a model that this one attaches, and its text."""
        data, path, _ = self.read(name, self.folder, node)
        above: XmlReader | None = self
        with node.located():
            while above is not None:
                if self._identity(Path(above.main)) == self._identity(Path(path)):
                    raise node.error(f"model '{name}' attaches itself", "a model cannot be a part of itself")
                above = above.parent
            reader = XmlReader(path, self.assets)
        reader.parent, reader.origins, reader.copied = self, self.origins, self.copied
        reader.origin = len(self.origins)
        self.origins.append(reader.origin)
        return reader, data

    @staticmethod
    def _identity(path: Path) -> str:
        return str(path.resolve())

    def _parse(self, data: bytes | str, file: str, folder: Path) -> Node:
        root, document = self._elements(data, file, folder)
        top = _node(root, document)
        # a stack: models nest, and files include each other, deeper than Python calls can
        stack: list[tuple[Iterator[Any], Node, Document, int]] = [(iter(root), top, document, 1)]
        while stack:
            children, node, document, depth = stack[-1]
            for child in children:
                if child.tag == "include":
                    inside, part = self._include(_node(child, document), len(child))
                    stack.append((iter(inside), node, part, depth))
                    break
                new = _node(child, document)
                node.children.append(new)
                if len(child):
                    if depth == DEEPEST:
                        raise new.error(*TOO_DEEP)
                    stack.append((iter(child), new, document, depth + 1))
                    break
            else:
                stack.pop()
        return top

    def _elements(self, data: bytes | str, file: str, folder: Path) -> tuple[Any, Document]:
        """What the parser makes of one file."""
        text = decode(data, file)
        if "<!ENTITY" in text:
            raise MjcfError(
                "entities are refused", file, _line(text, text.index("<!ENTITY")), cure="write the value in its place"
            )
        parser = etree.XMLParser(
            encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False,
            remove_comments=True, remove_pis=True, huge_tree=True,
        )  # fmt: skip
        try:
            root = etree.fromstring(text.encode(), parser)
        except etree.XMLSyntaxError as why:
            what = (why.msg or "empty file").split(", line")[0]
            if "depth" in what:
                raise MjcfError(TOO_DEEP[0], file, why.lineno or 1, cure=TOO_DEEP[1]) from None
            raise MjcfError(f"not well-formed XML: {what}", file, why.lineno or 1) from None
        self.nested = self.nested or any(word in text for word in ("<replicate", "<attach", "<model"))
        return root, Document(file, text, folder, self)

    def _include(self, node: Node, children: int) -> tuple[Any, Document]:
        """The file that an include names: elements to go where the include stands."""
        if children:
            raise node.error("include cannot have children")
        unknown = set(node.attrib) - {"file"}
        if unknown:
            raise node.error(f"unknown attribute '{min(unknown)}'", "include has one: 'file'")
        name = node.attrib.get("file", "").strip()
        if not name:
            raise node.error("missing attribute 'file'")
        data, path, folder = self.read(name, node.document.folder, node)
        with node.located():
            identity = bare(name).lower() if self.given(name) is not None else self._identity(Path(path))
        if identity in self.included:
            raise node.error(f"file '{name}' is already included", "a file can be included once")
        self.included.add(identity)
        root, document = self._elements(data, path, folder)
        if not len(root):
            raise node.error(f"included file '{name}' has no content")
        return root, document


def bare(name: str) -> str:
    """A file's name without its folders."""
    return name.replace("\\", "/").rpartition("/")[2]


def _by_bare_name(assets: Assets, main: str) -> dict[str, bytes | str]:
    """Files given by the caller under their bare names in small letters, which must differ."""
    found: dict[str, str] = {}
    for name in assets:
        other = found.setdefault(bare(name).lower(), name)
        if other != name:
            cure = "neither folders nor capitals tell them apart: rename one"
            raise MjcfError(
                f"assets '{shortened(other)}' and '{shortened(name)}' have the same file name", main, cure=cure
            )
    return {key: assets[name] for key, name in found.items()}


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _node(element: Any, document: Document) -> Node:
    tag = element.tag if isinstance(element.tag, str) else "entity"
    attrib = element.attrib
    # each value is sought from the first attribute on
    if len(attrib) > MOST_ATTRIBUTES:
        raise MjcfError(f"it has {len(attrib)} attributes", document.file, element.sourceline, tag, "leave some out")
    return Node(tag, dict(attrib), document, element.sourceline)


def decode(data: bytes | str, file: str) -> str:
    """Text of a file, whatever of the usual encodings it is in."""
    text = data if isinstance(data, str) else _decoded(data, file)
    if "\0" in text:
        raise MjcfError("not text: it has zero bytes", file, _line(text, text.index("\0")), cure="save it as UTF-8")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as why:
            half = f"U+{ord(text[why.start]):04X}"
            cure = "write the whole character"
            raise MjcfError(f"not text: {half} is half a character", file, _line(text, why.start), cure=cure) from None
    return text


def _decoded(data: bytes, file: str) -> str:
    if data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("latin-1")
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as why:
        line = _line(data[: why.start].decode("utf-16", "replace"), len(data))
        raise MjcfError(f"not text: {why.reason}", file, line, cure="save it as UTF-8") from None
