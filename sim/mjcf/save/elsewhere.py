"""Saves a model's source text in another folder, where it finds its files as before.

Includes and attached models stay where they are and are named by relative paths; those that were edited, or that would
not find their own files any more, are copied beside the new file as STEM_NAME. meshdir and texturedir lead back to the
old folders. What is written keeps its comments, order and spacing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from sim.file_stamp import absolute
from sim.mjcf.asset.assets import ASSETS
from sim.mjcf.asset.texture_file import SIDES
from sim.mjcf.attach.references import walk
from sim.mjcf.records import Compiler, Parsed
from sim.mjcf.save.source_text import TextEdit, attributes
from sim.mjcf.source import Document, Node, bare

FOLDERS = ("meshdir", "texturedir")


class CannotMove(ValueError):
    """A model whose source text cannot be written to another folder."""


class Reference(NamedTuple):
    """An attribute that names a file: where it is, the file that was found, and the folder attribute it depends on."""

    ordinal: int
    name: str
    found: Path
    within: str


class Elsewhere:
    """The documents of a model that are written to another folder, with the files they refer to."""

    def __init__(
        self, parsed: Parsed, texts: dict[Document, TextEdit], path: Path, in_memory: Collection[Path] = ()
    ) -> None:
        assert parsed.root is not None
        self.parsed, self.root, self.texts, self.path = parsed, parsed.root, texts, path
        self.main = parsed.root.document
        # attributes that have been changed: assetdir can be both folders
        self._changed: set[tuple[Node, str]] = set()
        self.documents = [*dict.fromkeys([self.main, *(node.document for node in walk(parsed.root))])]
        edited = [document for document, text in texts.items() if text.edited]
        # on disk these have another text
        edited += [document for document in self.documents if absolute(Path(document.file)) in in_memory]
        # document -> where it is written
        self.written: dict[Document, Path] = {self.main: path}
        for document in edited:
            self._take(document)
        while any(self._must_follow(document) for document in self.documents if document not in self.written):
            pass
        for document in [*self.written]:
            self._rename_files(document)
        for document in [*self.written]:
            if document.file == document.reader.main or document is self.main:
                self._set_folders(document)

    def text(self, document: Document) -> TextEdit:
        return self.texts.setdefault(document, TextEdit(document.text))

    # ---- which documents

    def _take(self, document: Document) -> None:
        """Write a document to the new folder."""
        if document in self.written:
            return
        names = (f"{self.path.stem}_{'_' * k}{Path(document.file).name}" for k in range(len(self.documents) + 1))
        taken = {*self.written.values(), *(Path(other.file).absolute() for other in self.documents)}
        self.written[document] = next(self.path.parent / name for name in names if self.path.parent / name not in taken)

    def _must_follow(self, document: Document) -> bool:
        """Take a document if it refers to one that is written, or would not find its files; True if it was taken."""
        # what an attached model finds does not depend on the main file
        moved = document.origin == 0 or self._main_of(document) in self.written
        for reference in self._references(document):
            target = self._document_at(reference, document)
            if target in self.written or (moved and self._found_from(reference, document) != reference.found):
                self._take(document)
                return True
        return False

    def _main_of(self, document: Document) -> Document | None:
        return next((other for other in self.documents if other.file == document.reader.main), None)

    def _document_at(self, reference: Reference, document: Document) -> Document | None:
        """The document that an <include> or <model> refers to."""
        if reference.within:
            return None
        for other in self.documents:
            related = other.reader is document.reader or other.reader.parent is document.reader
            if related and Path(other.file).resolve() == reference.found:
                return other
        return None

    # ---- references

    def _references(self, document: Document) -> Iterator[Reference]:
        """All attributes of a document that name a file."""
        compiler, reader = self._compiler(document), document.reader
        for ordinal, tag in enumerate(self.text(document).tags):
            within = ASSETS[tag.name][2] if tag.name in ASSETS else ""
            if not within and tag.name not in ("include", "model"):
                continue
            for name in ("file", *SIDES) if within else ("file",):
                value = (self.text(document).value(ordinal, name) or "").strip()
                if not value or name not in attributes(document.text, tag):
                    continue
                beside = reader.folder if tag.name == "model" else document.folder
                folder = getattr(compiler, within) if within else ""
                value = bare(value) if within and compiler.strippath else value
                tried = reader.places(value, beside, folder)
                found = next((place for place in tried if place.is_file()), None)
                if reader.given(value) is not None or found is None:
                    raise CannotMove(f"'{value}' is not a file on disk")
                yield Reference(ordinal, name, found.resolve(), within)

    def _compiler(self, document: Document) -> Compiler:
        return self.parsed.compilers[document.origin] if document.origin else self.parsed.compiler

    def _found_from(self, reference: Reference, document: Document) -> Path | None:
        """What a document that stays where it is would find, if the main file of its model is moved."""
        value = (self.text(document).value(reference.ordinal, reference.name) or "").strip()
        home = self.path.parent.resolve()
        first = home
        if reference.within:
            compiler = self._compiler(document)
            value = bare(value) if compiler.strippath else value
            first = (document.reader.folder / getattr(compiler, reference.within)).resolve()
        beside = document.folder.resolve()
        tried = (first / value, first / os.path.relpath(beside, home) / value, beside / value)
        return next((place.resolve() for place in tried if place.is_file()), None)

    def _rename_files(self, document: Document) -> None:
        """Change the names of files in a document that is written."""
        home = self.path.parent.resolve()
        compiler = self._compiler(document)
        for reference in self._references(document):
            target = self._document_at(reference, document)
            old = (self.text(document).value(reference.ordinal, reference.name) or "").strip()
            if target in self.written and target is not None:
                new = self.written[target].name
            elif os.path.isabs(old):
                continue
            elif reference.within:
                first = (document.reader.folder / getattr(compiler, reference.within)).resolve()
                if (first / old).resolve() == reference.found or compiler.strippath:
                    continue
                new = _slashed(os.path.relpath(reference.found, first))
            else:
                new = _slashed(os.path.relpath(reference.found, home))
            if new != old:
                self.text(document).set_attribute(reference.ordinal, reference.name, new)

    # ---- folders of assets

    def _set_folders(self, document: Document) -> None:
        """Lead meshdir and texturedir of a model back to its old folders, if it has such files."""
        home, compiler = self.path.parent.resolve(), self._compiler(document)
        if document.reader.folder.resolve() == home:
            return
        own = [other for other in self.documents if other.reader is document.reader]
        used = {reference.within for other in own for reference in self._references(other)} - {""}
        folders = {}
        for key in FOLDERS:
            old = getattr(compiler, key)
            if key in used and not os.path.isabs(old):
                folders[key] = _slashed(os.path.relpath(document.reader.folder.resolve() / old, home))
        missing = {key: value for key, value in folders.items() if not self._change_folder(document, key, value)}
        if missing:
            self._add_folders(document, missing)

    def _change_folder(self, document: Document, key: str, value: str) -> bool:
        """Change a folder where it is set, if that is in a text that is written."""
        compilers = [
            node for node in self.root.children if node.tag == "compiler" and node.document.reader is document.reader
        ]
        setting = [node for node in compilers if key in node.attrib or "assetdir" in node.attrib]
        if not setting or setting[-1].document not in self.written or setting[-1].ordinal < 0:
            return False
        node = setting[-1]
        name = key if key in node.attrib else "assetdir"
        if (node, name) not in self._changed:
            self._changed.add((node, name))
            self.text(node.document).set_attribute(node.ordinal, name, value)
        return True

    def _add_folders(self, document: Document, folders: dict[str, str]) -> None:
        """To the last <compiler> of the main file of a model, if no include follows, or to a new one."""
        text = self.text(document)
        sections = [k for k in text.tags[0].children if text.tags[k].name in ("compiler", "include")]
        last = sections[-1] if sections else -1
        if last < 0 or text.tags[last].name == "include":
            text.add_child(0, Node("compiler", folders, document, 0), last)
            return
        for key, value in folders.items():
            text.set_attribute(last, key, value)


def _slashed(path: str) -> str:
    return path.replace(os.sep, "/")
