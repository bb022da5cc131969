"""XML -> a tree of `Node` with includes expanded; every node has its file and line.

Files come from a dict of assets or else from disk; in assets a file is found by its base name in any case, as in
MuJoCo. An included file is searched for in the folder of the main file, then in that of the file with the <include>,
and can be included once. Entities are rejected before the parser sees them; nothing is ever fetched from a network.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from lxml import etree

from sim.file_stamp import Stamps, note
from sim.mjcf.errors import TOO_DEEP, MjcfError, located, shortened
from sim.mjcf.read_files import ReadFiles

Assets = Mapping[str, bytes | str]

TEXT_NAME = "<text>"
MOST_ATTRIBUTES = 1000
# first bytes of a text in UTF-16
UTF16 = (b"\xff\xfe", b"\xfe\xff")
# twice MuJoCo's limit; that of the parser is 2048
DEEPEST = 1024
CDATA = re.compile(r"<!\[CDATA\[(.*?)]]>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Document:
    """One file: name for messages, text, folder, and the reader of the model it belongs to."""

    file: str
    text: str
    folder: Path
    reader: XmlReader
    # of start tags, which are read in the order of the text
    ordinals: Iterator[int] = field(default_factory=count, compare=False)

    @property
    def origin(self) -> int:
        """0 for a file of the main model, else the index of the attached model."""
        return self.reader.origin


class Node:
    """One XML element: tag, attributes, children, and its place in the source.

    `ordinal` is the number of its start tag in the document; copies keep it. What is in no text has -1.
    """

    __slots__ = ("attrib", "children", "document", "end", "ordinal", "tag")

    def __init__(self, tag: str, attrib: dict[str, str], document: Document, end: int, ordinal: int = -1) -> None:
        self.tag, self.attrib, self.document, self.end, self.ordinal = tag, attrib, document, end, ordinal
        self.children: list[Node] = []

    def copy(self) -> Node:
        """A copy without children."""
        return Node(self.tag, dict(self.attrib), self.document, self.end, self.ordinal)

    def follow(self, clones: Mapping[Node, Node]) -> None:
        """Refer to clones instead of what was cloned; most nodes refer to no other."""

    @property
    def file(self) -> str:
        return self.document.file

    @property
    def line(self) -> int:
        """Line on which the element starts; the parser only reports where its start tag ends."""
        lines = self.document.text.split("\n", self.end)[: self.end]
        for number in range(len(lines), 0, -1):
            if f"<{self.tag}" in lines[number - 1]:
                return number
        return self.end

    def error(self, message: str, cure: str = "") -> MjcfError:
        error = MjcfError(message, self.file, self.line, self.tag, cure)
        error.node = id(self)
        return error

    def located(self) -> AbstractContextManager[None]:
        """Errors of the machine inside become errors of this element."""
        return located(self.error)


class Store(Protocol):
    """Where the files of a model are, other than on disk; paths in it are relative."""

    name: str

    def read(self, path: Path) -> bytes | None:
        """The content of a file, or None if there is none."""

    def package_folders(self, variable: str) -> list[Path]:
        """The folders in which an environment variable of ROS says that packages are."""


@dataclass(slots=True)
class Totals:
    """Counts over a model and all models that it attaches: models, elements copied, bytes unpacked from archives."""

    models: int = 1
    copied: int = 0
    unpacked: int = 0


class XmlReader:
    """Finds and parses the XML files of one model; they are on disk, or in a store."""

    def __init__(
        self, main: str, assets: Assets | None = None, files: Stamps | None = None, store: Store | None = None
    ) -> None:
        self.main = main
        self.store = store
        self.folder = Path(main).parent if main != TEXT_NAME else Path()
        self.assets = _by_bare_name(assets or {}, main)
        # contents that files are about to have, by real path
        self.pending: Mapping[Path, bytes] = {}
        self.included: set[str] = set()
        self.parent: XmlReader | None = None
        # shared with attached models: counts, and files read or looked for
        self.totals = Totals()
        self.files: Stamps = {} if files is None else files
        self.inputs = ReadFiles(Path(main))
        self.origin = 0
        # whether a file has <replicate>, <attach> or <model>, for `expand`
        self.nested = False
        if main != TEXT_NAME:
            self.included.add(self._identity(Path(main)))

    def tree(self, data: bytes | str) -> Node:
        """Parse the main file and what it includes into one tree."""
        return self._parse(data, self.name, self.folder)

    @property
    def name(self) -> str:
        """The name of the main file in messages."""
        return self._label(Path(self.main)) if self.store else self.main

    def read(self, name: str, beside: Path, node: Node, within: str = "") -> tuple[bytes | str, str, Path]:
        """Content, name for messages and folder of a file that `node`, in a file in the folder `beside`, names.

        `within` is meshdir or texturedir: relative to the main file, or to the included file that names the asset.
        """
        whole = os.path.join(within, name)
        if "://" in whole:
            raise node.error(f"'{shortened(whole)}' is a network address", "specify a local file")
        given = self.given(whole)
        if given is not None:
            self.inputs.note_given(bare(whole), given)
            return given, whole, Path(_slashed(within), _slashed(name)).parent
        with located(lambda message, cure: node.error(f"'{shortened(whole)}': {message}", cure)):
            tried = self.places(name, beside, within)
            for path in tried:
                data = self._content(path)
                if data is not None:
                    return data, self._label(path), path.parent
        places = " and ".join(self._label(path.parent) for path in tried)
        raise node.error(f"file '{shortened(whole)}' not found", f"looked in {places}")

    def has(self, path: Path) -> bool:
        """Whether there is a file; the model depends on it either way."""
        if self.store is not None:
            return self.store.read(path) is not None
        note(path, self.files)
        return path.is_file()

    def _content(self, path: Path) -> bytes | None:
        """The content of a file, or None if there is none."""
        if self.store is not None:
            return self.store.read(path)
        data = self.pending.get(path.resolve()) if self.pending else None
        if not self.has(path) and data is None:
            return None
        data = path.read_bytes() if data is None else data
        self.inputs.note(path, data)
        return data

    def _label(self, path: Path) -> str:
        """The name of a file in messages."""
        if self.store is None:
            return str(path)
        # no path leads out of a store
        inside = os.path.normpath(os.path.join(os.sep, path)).lstrip(os.sep)
        return os.path.normpath(os.path.join(self.store.name, inside))

    def in_memory(self, name: str, beside: Path, within: str = "") -> tuple[str, bytes] | None:
        """Name and content of a file that is not on disk: one of the caller's assets, or in a store."""
        given = self.given(name)
        if given is not None:
            return bare(name), given.encode() if isinstance(given, str) else given
        for path in self.places(name, beside, within) if self.store is not None else ():
            data = self.store.read(path) if self.store is not None else None
            if data is not None:
                return os.path.normpath(path).replace(os.sep, "/"), data
        return None

    def package_folders(self, variable: str) -> list[Path]:
        """The folders in which an environment variable of ROS says that packages are."""
        if self.store is not None:
            return self.store.package_folders(variable)
        listed = os.environ.get(variable, "").split(os.pathsep)
        folders = self.inputs.packages[variable] = [Path(os.path.abspath(folder)) for folder in listed if folder]
        return folders

    def given(self, name: str) -> bytes | str | None:
        """Content of the file of this name in the caller's assets, or None."""
        return self.assets.get(bare(name).lower())

    def places(self, name: str, beside: Path, within: str = "") -> list[Path]:
        """Paths to try for a file, in order; see `read`."""
        first, file = self.folder / _slashed(within), _slashed(name)
        return list(dict.fromkeys((first / file, first / os.path.relpath(beside, self.folder) / file, beside / file)))

    def child(self, name: str, node: Node) -> tuple[XmlReader, bytes | str]:
        """The reader of a model that this one attaches, and its text."""
        data, path, _ = self.read(name, self.folder, node)
        above: XmlReader | None = self
        with node.located():
            main = path if self.store is None else os.path.relpath(path, self.store.name)
            while above is not None:
                if above.store is self.store and self._identity(Path(above.main)) == self._identity(Path(main)):
                    raise node.error(f"model '{name}' attaches itself", "a model cannot be part of itself")
                above = above.parent
            reader = self.within(main, self.store)
        reader.origin = self.totals.models
        self.totals.models += 1
        return reader, data

    def within(self, main: str, store: Store | None) -> XmlReader:
        """The reader of another file of the same load: one that this model attaches, or the main file of an archive."""
        reader = XmlReader(main, self.assets, self.files, store)
        reader.parent, reader.totals, reader.origin = self, self.totals, self.origin
        reader.pending, reader.inputs = self.pending, self.inputs
        return reader

    def _identity(self, path: Path) -> str:
        return str(path.resolve()) if self.store is None else os.path.normpath(path)

    def _parse(self, data: bytes | str, file: str, folder: Path) -> Node:
        root, document = self._elements(data, file, folder)
        top = _node(root, document)
        # a stack instead of recursion: elements and includes can nest deeper than Python's call stack
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
        """Parse one file; includes are not expanded yet."""
        text = decode(data, file)
        if "<!ENTITY" in text:
            raise MjcfError(
                "XML entities are not allowed",
                file,
                _line(text, text.index("<!ENTITY")),
                cure="write the value itself",
            )
        parser = etree.XMLParser(
            encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False,
            remove_comments=True, remove_pis=True, huge_tree=True, strip_cdata=False,
        )  # fmt: skip
        try:
            root = etree.fromstring(text.encode(), parser)
        except etree.XMLSyntaxError as why:
            what = (why.msg or "empty file").split(", line")[0]
            if "depth" in what:
                raise MjcfError(TOO_DEEP[0], file, why.lineno or 1, cure=TOO_DEEP[1]) from None
            cure = "write a space between two attributes" if "attributes construct" in what else ""
            raise MjcfError(f"not well-formed XML: {what}", file, why.lineno or 1, cure=cure) from None
        self.nested = self.nested or any(word in text for word in ("<replicate", "<attach", "<model"))
        return root, Document(file, text, folder, self)

    def _include(self, node: Node, children: int) -> tuple[Any, Document]:
        """The elements of an included file, which replace the <include>."""
        if children:
            raise node.error("it cannot contain elements")
        unknown = set(node.attrib) - {"file"}
        if unknown:
            raise node.error(f"unknown attribute '{min(unknown)}'", "<include> has only 'file'")
        name = node.attrib.get("file", "").strip()
        if not name:
            raise node.error("missing attribute 'file'")
        data, path, folder = self.read(name, node.document.folder, node)
        with node.located():
            identity = bare(name).lower() if self.given(name) is not None else self._identity(Path(path))
        if identity in self.included:
            raise node.error(f"file '{name}' is included twice", "include it once")
        self.included.add(identity)
        root, document = self._elements(data, path, folder)
        # that of the root element, which has no node
        next(document.ordinals)
        if not len(root):
            raise node.error(f"included file '{name}' is empty")
        return root, document


def read_main(path: Path, files: Stamps) -> bytes:
    """The content of a main file, which becomes one of the files that a model depends on."""
    try:
        note(path, files)
        # a pipe may never end, nor a device; a folder is an error of its own
        endless = path.exists() and not path.is_file() and not path.is_dir()
        data = b"" if endless else path.read_bytes()
    except (OSError, ValueError) as why:
        raise MjcfError(f"cannot read the file: {getattr(why, 'strerror', '') or why}", str(path)) from None
    if endless:
        raise MjcfError("it is a pipe or a device", str(path), cure="copy its contents into a file")
    return data


def bare(name: str) -> str:
    """The base name of a path, which may have slashes or backslashes."""
    return _slashed(name).rpartition("/")[2]


def _slashed(name: str) -> str:
    """A path with slashes; a model written on Windows may use backslashes."""
    return name.replace("\\", "/")


def _by_bare_name(assets: Assets, main: str) -> dict[str, bytes | str]:
    """The caller's assets by base name in lower case; duplicates are an error."""
    found: dict[str, str] = {}
    for name in assets:
        other = found.setdefault(bare(name).lower(), name)
        if other != name:
            cure = "assets are found by base name, ignoring case: rename one"
            raise MjcfError(
                f"assets '{shortened(other)}' and '{shortened(name)}' have the same file name", main, cure=cure
            )
    return {key: assets[name] for key, name in found.items()}


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _node(element: Any, document: Document) -> Node:
    tag = element.tag if isinstance(element.tag, str) else "entity"
    attrib = element.attrib
    # dict(attrib) is quadratic: lxml searches for each value from the first attribute
    if len(attrib) > MOST_ATTRIBUTES:
        raise MjcfError(
            f"it has {len(attrib)} attributes",
            document.file,
            element.sourceline,
            tag,
            f"the maximum is {MOST_ATTRIBUTES}",
        )
    node = Node(tag, dict(attrib), document, element.sourceline, next(document.ordinals))
    if tag == "text" and element.text:
        _take_cdata(node, element)
    return node


def _take_cdata(node: Node, element: Any) -> None:
    """The CDATA section of a custom <text> is its attribute `data`; other text between tags means nothing."""
    sections = CDATA.findall(etree.tostring(element, encoding="unicode", with_tail=False))
    if len(sections) > 1:
        raise node.error("it has several CDATA sections", "join them")
    if sections and "data" in node.attrib:
        raise node.error("'data' and a CDATA section are mutually exclusive", "specify only one")
    if sections:
        node.attrib["data"] = sections[0]


def decode(data: bytes | str, file: str) -> str:
    """Text of a file in UTF-8, UTF-16 or Latin-1."""
    text = data if isinstance(data, str) else _decoded(data, file)
    if "\0" in text:
        raise MjcfError(
            "not text: it contains null bytes", file, _line(text, text.index("\0")), cure="save it as UTF-8"
        )
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as why:
            half = f"U+{ord(text[why.start]):04X}"
            cure = "write the whole character, or remove it"
            raise MjcfError(
                f"not text: {half} is an unpaired surrogate", file, _line(text, why.start), cure=cure
            ) from None
    return text


def _decoded(data: bytes, file: str) -> str:
    if data[:2] not in UTF16:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("latin-1")
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as why:
        line = _line(data[: why.start].decode("utf-16", "replace"), len(data))
        raise MjcfError(f"not text: {why.reason}", file, line, cure="save it as UTF-8") from None
