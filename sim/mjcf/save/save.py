"""Saves a Model as MJCF, with the edits made since it was loaded: in its source text, or expanded where that cannot be.

In the source text only edited attributes change: comments, order, spacing, includes, encoding and line endings stay.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path

from sim.atomic_file import write_atomic
from sim.file_stamp import Stamps, absolute, stamp
from sim.mjcf import MjcfError, compile_file
from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.attach.references import Clones, clone
from sim.mjcf.identity import Tag, Texts
from sim.mjcf.records import Inertial, Item, Parsed
from sim.mjcf.save.changes import Changes, NodeOf
from sim.mjcf.save.elsewhere import CannotMove, Elsewhere
from sim.mjcf.save.expanded import pack_files, place_files, write_keys, xml_text
from sim.mjcf.save.merge_attached import merge_attached
from sim.mjcf.save.only_ours import ONLY_OURS, only_ours
from sim.mjcf.save.read_back import not_read_back
from sim.mjcf.save.source_edits import SourceEdits
from sim.mjcf.save.source_text import TextEdit, encode
from sim.mjcf.source import TEXT_NAME, Document, Node, decode
from sim.model import Model
from sim.save_plan import LEAVE_OUT, FileChange, SavePlan, SourceEdit, Ways


class Source:
    """What a Model was compiled from."""

    def __init__(self, parsed: Parsed) -> None:
        assert parsed.root is not None
        self.parsed, self.root = parsed, parsed.root
        # keyframes of the model itself; those of attached models follow
        self.own_keys = sum(not isinstance(key.node, KeyNode) for key in parsed.keys)
        # what a save has written, and the texts that were read from there
        self.written: Stamps = {}
        self.originals: dict[Path, str] = {}
        # elements were added that are in no source text
        self.furnished = False
        # files that the model was compiled as if they had another text than on disk
        self.in_memory: frozenset[Path] = frozenset()
        # the texts on disk, and what start tags were there, if elements were changed in memory: see `mjcf/identity.py`
        self.base: Texts | None = None
        self.origins: Mapping[Tag, Hashable] = {}

    # ---- in the source text

    def plan(self, m: Model, path: str | os.PathLike[str] | None, ways: Ways) -> SavePlan:
        """What a save to the model's own files, or elsewhere, would do."""
        if self.furnished and path is not None:
            return self._plan_expanded(m, Path(path))
        reason = self._not_in_place()
        if path is None or (not reason and Path(path).resolve() == Path(self.root.file).resolve()):
            if reason:
                raise ValueError(reason)
            return self._plan_own(m, ways)
        return self._plan_elsewhere(m, Path(path), ways)

    def _not_in_place(self) -> str:
        """Why the model cannot be saved to its own file."""
        document = self.root.document
        if document.file == TEXT_NAME:
            return "this model was loaded from a string: specify a path to save it to"
        if document.reader.store is not None:
            return f"'{document.reader.store.name}' is an archive: save the model as .xml, or pack it again"
        if self.root.ordinal < 0:
            return f"'{document.file}' is not MJCF: save the model as .xml, or convert it"
        return ""

    def _plan_elsewhere(self, m: Model, path: Path, ways: Ways) -> SavePlan:
        """In another folder; expanded if the source is not a text, or its files are in memory."""
        if self.root.document.reader.store is not None or self.root.ordinal < 0:
            return self._plan_expanded(m, path)
        found, unsaved = self._source_edits(m, ways, everywhere=True)
        try:
            written = Elsewhere(self.parsed, found.texts, absolute(path), self.in_memory).written
        except CannotMove:
            return self._plan_expanded(m, path)
        files = [_new_file(document, target, found.text(document)) for document, target in written.items()]
        unsaved += found.unsaved
        edits, unread = tuple(found.edits), self._unread(m, found.edits)
        return SavePlan(tuple(files), edits, tuple(unsaved), self._known(m), check=_would_load(path), unread=unread)

    def _source_edits(self, m: Model, ways: Ways, everywhere: bool = False) -> tuple[SourceEdits, list[str]]:
        """The edits in the source texts, and those that MJCF has no attribute for."""
        clones: Clones = {}
        root = clone(self.root, clones)
        unsaved = self._apply(m, root, clones)
        found = SourceEdits(self.parsed, clones, ways, Path("/") if everywhere else Path(self.root.file).parent)
        for change in found.changes:
            if change.ordinal >= 0:
                change.apply(found.text(change.document))
        return found, unsaved

    def _plan_own(self, m: Model, ways: Ways) -> SavePlan:
        found, unsaved = self._source_edits(m, ways)
        texts = {absolute(Path(document.file)): text for document, text in found.texts.items() if text.edited}
        # what an earlier save has changed may have to be changed back
        texts = {path: TextEdit(text) for path, text in self.originals.items()} | texts
        files = [_file_change(path, text) for path, text in texts.items()]
        kept = tuple(change for change in files if change.before != change.after)
        check, unsaved = _would_load(Path(self.root.file)), [*unsaved, *found.unsaved]
        edits, unread = tuple(found.edits), self._unread(m, found.edits)
        return SavePlan(kept, edits, tuple(unsaved), self._known(m), self._note, check, unread=unread)

    def _unread(self, m: Model, edits: Iterable[SourceEdit]) -> tuple[tuple[str, tuple[str, str] | None], ...]:
        """What MuJoCo does not read in the files with these edits, and the edits that it comes from."""
        saved = {edit.attribute: edit.key for edit in edits if edit.way not in ("", LEAVE_OUT)}
        left_out = {edit.attribute for edit in edits} - {*saved}
        old = {one.field for one in ONLY_OURS if one.attribute in left_out}
        found = only_ours(lambda field: m.file_values[field] if field in old else m.read(field))
        return tuple((one.text, saved.get(one.attribute)) for one in found)

    def _known(self, m: Model) -> Stamps:
        return {**m.files, **self.written}

    def _note(self, change: FileChange) -> None:
        """A file was written: it is as known as what was read."""
        self.written[change.path] = stamp(change.path)
        self.originals.setdefault(change.path, change.original)

    def _apply(self, m: Model, root: Node, clones: Clones) -> list[str]:
        """Make all edits in a copy of the tree; returns those that would not come back."""
        changes = Changes(m, self.parsed, root, lambda item: clones.get(item.node) if item.node else None)
        if not changes.waiting:
            return []
        changes.apply()
        return not_read_back(changes, clones)

    # ---- expanded

    def _plan_expanded(self, m: Model, path: Path) -> SavePlan:
        root, node_of, unsaved = self._edited(m)
        files = place_files(root, self.parsed, path.parent.resolve(), path.stem)
        merge_attached(root, self.parsed, node_of)
        text = xml_text(root)
        changes = [FileChange(path.parent / name, None, "", data) for name, data in files.items()]
        changes.append(FileChange(path, None, text, text.encode()))
        expanded, unread = "all elements are written", self._unread(m, ())
        return SavePlan(tuple(changes), (), tuple(unsaved), {}, expanded=expanded, unread=unread)

    def _edited(self, m: Model) -> tuple[Node, NodeOf, list[str]]:
        """A copy of the XML with all edits, the function from an element to its node there, and edits not saved."""
        clones: Clones = {}
        root = clone(self.root, clones)

        def node_of(item: Item | Inertial) -> Node | None:
            return clones.get(item.node) if item.node else None

        unsaved = self._apply(m, root, clones)
        write_keys(root, self.parsed, m)
        return root, node_of, unsaved

    def packed(self, m: Model) -> tuple[dict[str, bytes], list[str]]:
        """The files of an archive of the Model, model.xml and its asset files; and edits that MJCF cannot express."""
        root, node_of, unsaved = self._edited(m)
        files = pack_files(root, self.parsed)
        merge_attached(root, self.parsed, node_of)
        return {"model.xml": xml_text(root).encode(), **files}, unsaved

    def pack(self, m: Model, path: str | os.PathLike[str]) -> None:
        """Save the Model as an archive: model.xml, and its asset files."""
        from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

        files, unsaved = self.packed(m)
        archive = io.BytesIO()
        with ZipFile(archive, "w") as packed:
            for name, data in files.items():
                # without dates, the same model gives the same bytes
                packed.writestr(ZipInfo(name), data, ZIP_DEFLATED)
        write_atomic(path, archive.getvalue())
        _warn(unsaved)

    def save(self, m: Model, path: str | os.PathLike[str]) -> None:
        """Save the Model as MJCF, with all edits that MJCF has attributes for, in its source text if that can say them.

        Elsewhere, edited includes and attached models are copied beside the file: see `elsewhere.py`.
        """
        plan = self.plan(m, path, {})
        if plan.undecided or (plan.unsaved and not plan.expanded):
            # one by one, as no source text can say it
            plan = self._plan_expanded(m, Path(path))
        plan.write(overwrite=True)
        _warn(plan.unsaved)


def _warn(unsaved: list[str] | tuple[str, ...]) -> None:
    if unsaved:
        warnings.warn("MJCF has no attribute for edits of " + ", ".join(sorted(unsaved)), stacklevel=5)


def _would_load(path: Path) -> Callable[[Mapping[Path, bytes]], None]:
    """The check that a model can be loaded once files are written."""

    def check(pending: Mapping[Path, bytes]) -> None:
        from sim.mjcf.complete import complete

        try:
            # with the constants, such as lengths of actuators that the edit may have left without a limit
            complete(compile_file(path, pending=pending))
        except MjcfError as error:
            raise ValueError(f"not saved, because the file would not load: {error}") from None

    return check


def _new_file(document: Document, path: Path, text: TextEdit) -> FileChange:
    """A document in another folder, in the encoding that it has on disk."""
    source = Path(document.file)
    data = encode(text.result, source.read_bytes() if source.is_file() else b"")
    return FileChange(path, text.text, text.result, data, text.text, text.lines, source)


def _file_change(path: Path, text: TextEdit) -> FileChange:
    """A file with its new text, in the encoding that it has on disk."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return FileChange(path, None, text.result, text.result.encode(), text.text, text.lines)
    return FileChange(path, decode(data, str(path)), text.result, encode(text.result, data), text.text, text.lines)
