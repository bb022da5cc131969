"""The edits of a model as edits of its source texts: element, file, who is affected, and which ways there are.

An edited copy of the expanded tree is compared with the tree. One element of a text can be several nodes: copies by
<replicate> or <attach>. They share what is written there, so an edit of some of them has to be made in all, or left
out. A value that comes from a default class is written to the element itself, or to the class if that is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from sim.attributes import BY_TAG
from sim.file_stamp import absolute
from sim.mjcf.attach.references import Clones, walk
from sim.mjcf.records import Item, Parsed
from sim.mjcf.save.class_values import ClassValues
from sim.mjcf.save.source_text import TextEdit, element_text
from sim.mjcf.schema import VISUAL_GROUPS
from sim.mjcf.source import Document, Node
from sim.save_plan import CLASS, COPIES, ELEMENT, LEAVE_OUT, SourceEdit, Ways

# attributes that one number can be in, with its sign changed: one edit
LINKED = ("gainprm", "biasprm")
# elements that are made where they are missing, attribute by attribute
SETTINGS = frozenset(("option", "flag", "statistic", "visual", *VISUAL_GROUPS))


@dataclass
class Change:
    """What changes in one element of a text, together."""

    document: Document
    ordinal: int
    sets: dict[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    tag: str = ""
    child: Node | None = None
    remove: bool = False

    def apply(self, text: TextEdit) -> None:
        """Make the change in the text of the document."""
        if self.remove:
            text.remove_element(self.ordinal)
            return
        if self.tag:
            text.rename(self.ordinal, self.tag)
        for name in self.removed:
            text.remove_attribute(self.ordinal, name)
        for name, value in self.sets.items():
            text.set_attribute(self.ordinal, name, value)
        if self.child is not None:
            if self.ordinal == 0:
                text.add_section(0, self.child)
            else:
                text.add_child(self.ordinal, self.child, -1 if self.child.tag == "inertial" else None)


class SourceEdits:
    """Compares a tree with its edited copy; `edits` and `changes` belong together, row by row."""

    def __init__(self, parsed: Parsed, clones: Clones, ways: Ways, own: Path) -> None:
        assert parsed.root is not None
        self.root, self.clones, self.ways, self.own = parsed.root, clones, ways, own
        self.edits: list[SourceEdit] = []
        self.changes: list[Change] = []
        self.unsaved: list[str] = []
        self.texts: dict[Document, TextEdit] = {}
        self._used: set[tuple[str, str]] = set()
        self._labels = dict(labels(parsed))
        self._classes: ClassValues | None = None
        edited = [node for node, copy in clones.items() if _differs(node, copy, clones)]
        self._copies = self._same_places(edited)
        for group in {place(node): self._copies.get(place(node), [node]) for node in edited}.values():
            self._compare(group)
        unknown = [" ".join(key) for key in ways if key not in self._used]
        if unknown:
            raise ValueError(f"there is no edit of {unknown[0]}")

    def text(self, document: Document) -> TextEdit:
        """The text of a document, which the edits are made in."""
        return self.texts.setdefault(document, TextEdit(document.text))

    def _same_places(self, edited: Iterable[Node]) -> dict[tuple[str, int], list[Node]]:
        """All nodes that come from the same places in the text as the edited ones."""
        found: dict[tuple[str, int], list[Node]] = {place(node): [] for node in edited if node.ordinal >= 0}
        for node in walk(self.root):
            where = place(node)
            if where in found:
                found[where].append(node)
        return found

    # ---- what changed

    def _compare(self, copies: list[Node]) -> None:
        """The edits of one element of a text, which may be several nodes."""
        first = copies[0]
        if first.ordinal < 0 or first.document.reader.store is not None or self._is_foreign(first.document):
            self.unsaved.append(f"<{first.tag}> in a part that is not an MJCF file on disk, {first.file}")
            return
        coupled = [
            node for node in copies if node.tag != self._new(node).tag or {*node.attrib} - {*self._new(node).attrib}
        ]
        if coupled:
            self._coupled(copies)
        else:
            new = {node: self._new(node).attrib for node in copies}
            known = dict.fromkeys(name for node in copies for name in new[node])
            names = [name for name in known if any(new[node].get(name) != node.attrib.get(name) for node in copies)]
            linked = tuple(name for name in LINKED if name in names)
            for group in dict.fromkeys(linked if name in linked else (name,) for name in names):
                self._attributes(copies, group)
        self._removed(copies)
        self._added(copies)

    def _is_foreign(self, document: Document) -> bool:
        """Whether a document is URDF, of which an element here may be a part."""
        return self.text(document).tags[0].name == "robot"

    def _new(self, node: Node) -> Node:
        return self.clones.get(node, node)

    def _coupled(self, copies: list[Node]) -> None:
        """Attributes that were removed, with those that replace them, and a new tag: one edit."""
        node = next(node for node in copies if _differs(node, self._new(node), self.clones))
        new = self._new(node)
        sets = {name: value for name, value in new.attrib.items() if node.attrib.get(name) != value}
        removed = tuple(name for name in node.attrib if name not in new.attrib)
        change = Change(node.document, node.ordinal, sets, removed, new.tag if new.tag != node.tag else "")
        trial = TextEdit(node.document.text)
        change.apply(trial)
        before = self.text(node.document).start_tag(node.ordinal)
        # edits are inside of the tag: its end moves by the difference in length, without that in the end tag
        after = TextEdit(trial.result).start_tag(node.ordinal)
        alike = [
            self._new(other).tag == new.tag and _changes(other, self._new(other)) == (sets, removed) for other in copies
        ]
        self._add(
            change,
            copies,
            node,
            ", ".join(sets) or new.tag,
            before,
            after,
            all(alike),
            _agree(alike, copies, self.clones),
        )

    def _attributes(self, copies: list[Node], names: tuple[str, ...]) -> None:
        """Attributes that were set together."""
        old = {node: [node.attrib.get(name) for name in names] for node in copies}
        new = {node: [self._new(node).attrib.get(name) for name in names] for node in copies}
        changed = [node for node in copies if old[node] != new[node]]
        node = changed[0]
        sets = {name: text for name, text in zip(names, new[node], strict=True) if text is not None}
        alike = [new[other] == new[node] for other in copies]
        agree = all(new[other] == new[node] for other in changed)
        providers = {self._provider(node, name) for name in names}
        provider = providers.pop() if len(providers) == 1 else None
        before = "; ".join(self._before(node, name) for name in names)
        change = Change(node.document, node.ordinal, sets)
        self._add(change, copies, node, ", ".join(names), before, "; ".join(sets.values()), all(alike), agree, provider)

    def _before(self, node: Node, name: str) -> str:
        """The text that was in force: of the element, of its class, or the default."""
        provider = self._provider(node, name)
        return (node if provider is None else provider).attrib.get(name, default_text(node.tag, name))

    def _removed(self, copies: list[Node]) -> None:
        for node in copies:
            kept = {*self._new(node).children}
            for child in node.children:
                if self.clones.get(child) not in kept:
                    before = self.text(child.document).start_tag(child.ordinal)
                    change = Change(child.document, child.ordinal, remove=True)
                    self._add(change, [child], child, child.tag, before, "", True, True)

    def _added(self, copies: list[Node]) -> None:
        """Elements that were added to an element of a text, in the same way to some or all of its copies."""
        added = {node: self._new_children(node) for node in copies}
        node = next((node for node in copies if added[node]), None)
        for child in added[node] if node is not None else ():
            assert node is not None
            if child.tag in SETTINGS:
                self._settings(node, child)
            else:
                text = element_text(child, "", "")
                alike = [text in (element_text(other, "", "") for other in added[copy]) for copy in copies]
                agree = all(same or not added[copy] for same, copy in zip(alike, copies, strict=True))
                label = node if child.tag == "inertial" else child
                change = Change(node.document, node.ordinal, child=child)
                self._add(change, copies, label, child.tag, "", text, all(alike), agree)

    def _new_children(self, node: Node) -> list[Node]:
        known = {self.clones.get(child) for child in node.children}
        return [child for child in self._new(node).children if child not in known]

    def _settings(self, node: Node, section: Node) -> None:
        """A section that is missing, with those of its attributes that are not left out."""
        made = Node(section.tag, {}, section.document, section.end)
        change = Change(node.document, node.ordinal, child=made)
        for part in walk(section):
            inside = made if part is section else Node(part.tag, {}, section.document, section.end)
            for name, value in part.attrib.items():
                before = default_text(part.tag, name)
                edit = self._edit(change, [node], part, name, before, value, True, True, None)
                self.edits.append(edit)
                self.changes.append(Change(node.document, -1))
                if edit.way != LEAVE_OUT:
                    inside.attrib[name] = value
            if inside.attrib and inside is not made:
                made.children.append(inside)
        if made.attrib or made.children:
            self.changes[-1] = change

    # ---- how it is saved

    def _add(
        self, change: Change, copies: list[Node], node: Node, attribute: str, before: str, after: str, every: bool,
        agree: bool, provider: Node | None = None,
    ) -> None:  # fmt: skip
        """Add an edit, and what it changes if it is not left out."""
        edit = self._edit(change, copies, node, attribute, before, after, every, agree, provider)
        if edit.way == CLASS and provider is not None:
            old = [provider.attrib[name].split() for name in change.sets]
            new = [text.split() for text in change.sets.values()]
            # what is not given in the element has the class's numbers
            texts = [" ".join([*words, *was[len(words) :]]) for words, was in zip(new, old, strict=True)]
            users = dict.fromkeys(user for name in change.sets for user in self._class_values.users(provider, name))
            change = Change(provider.document, provider.ordinal, dict(zip(change.sets, texts, strict=True)))
            edit = replace(
                edit, file=absolute(Path(provider.file)), line=self.text(provider.document).line(provider.ordinal),
                before="; ".join(map(" ".join, old)), after="; ".join(texts), affects=tuple(map(self._label, users)),
            )  # fmt: skip
            self._check_class(edit)
        elif edit.way in ("", LEAVE_OUT):
            change = Change(change.document, -1)
        self.edits.append(edit)
        self.changes.append(change)

    def _edit(
        self, change: Change, copies: list[Node], node: Node, attribute: str, before: str, after: str, every: bool,
        agree: bool, provider: Node | None,
    ) -> SourceEdit:  # fmt: skip
        several = len(copies) > 1
        possible = {COPIES: several and agree, ELEMENT: not several, CLASS: _written(provider), LEAVE_OUT: True}
        ways = tuple(way for way, can in possible.items() if can)
        file = absolute(Path(change.document.file))
        decided = (not several or (every and agree)) and self._inside(file)
        key = self._label(node), attribute
        way = self.ways.get(key, ways[0] if decided else "")
        if way and way not in ways:
            raise ValueError(f"{key[0]} {attribute} cannot be saved as '{way}', only as {' or '.join(ways)}")
        self._used.add(key)
        source = self._source(change.document, several, provider is not None)
        affects = tuple(self._label(copy) for copy in copies) if several else (key[0],)
        line = self.text(change.document).line(change.ordinal)
        return SourceEdit(file, line, key[0], attribute, before, after, source, affects, ways, way)

    def _source(self, document: Document, several: bool, classed: bool) -> str:
        if document.origin:
            return "attach"
        if several:
            return "replicate"
        if document is not self.root.document:
            return "include"
        return "class" if classed else ""

    def _inside(self, file: Path) -> bool:
        """Whether a file is in the model's own folder, so that it is written without being asked for."""
        return file.resolve().is_relative_to(self.own.resolve())

    def _check_class(self, edit: SourceEdit) -> None:
        """Two elements cannot write different values to their class."""
        for other in self.edits:
            if (other.file, other.line, other.attribute) == (
                edit.file,
                edit.line,
                edit.attribute,
            ) and other.way == CLASS:
                if other.after != edit.after:
                    raise ValueError(
                        f"{other.element} and {edit.element} have different {edit.attribute} for their class"
                    )

    @property
    def _class_values(self) -> ClassValues:
        if self._classes is None:
            self._classes = ClassValues(self.root)
        return self._classes

    def _provider(self, node: Node, name: str) -> Node | None:
        return self._class_values.provider(node, name)

    def _label(self, node: Node) -> str:
        """The type of an element, and its name or number."""
        name = node.attrib.get("name")
        return self._labels.get(node) or (f'{node.tag} "{name}"' if name else node.tag)


def labels(parsed: Parsed) -> Iterator[tuple[Node, str]]:
    """The type of each element, and its name or number."""
    for kind, items in parsed.lists.items():
        for number, item in enumerate(items):
            if isinstance(item, Item) and item.node is not None:
                yield item.node, label(kind, number, item.name)


def label(kind: str, number: int, name: str) -> str:
    """The type of an element, and its name or number."""
    return f'{kind} "{name}"' if name else f"{kind} {number}"


def default_text(tag: str, name: str) -> str:
    """What an attribute is if neither an element nor its class has it, as MJCF writes it."""
    row = BY_TAG.get(tag, {}).get(name)
    return "" if row is None or row.default == "()" else row.default


def _written(provider: Node | None) -> bool:
    return provider is not None and provider.ordinal >= 0


def place(node: Node) -> tuple[str, int]:
    """Where an element is in the texts."""
    return node.document.file, node.ordinal


def _differs(node: Node, copy: Node, clones: Clones) -> bool:
    return (
        node.attrib != copy.attrib
        or node.tag != copy.tag
        or len(node.children) != len(copy.children)
        or any(clones.get(old) is not new for old, new in zip(node.children, copy.children, strict=True))
    )


def _changes(node: Node, copy: Node) -> tuple[dict[str, str], tuple[str, ...]]:
    """Attributes that were set, and those that were removed."""
    sets = {name: value for name, value in copy.attrib.items() if node.attrib.get(name) != value}
    return sets, tuple(name for name in node.attrib if name not in copy.attrib)


def _agree(alike: list[bool], copies: list[Node], clones: Clones) -> bool:
    """Whether the copies that were edited were edited alike."""
    return all(same or not _differs(node, clones[node], clones) for same, node in zip(alike, copies, strict=True))
