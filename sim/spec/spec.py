"""Spec: a model that is built and changed by program."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sim.mjcf.attach.expand import expand
from sim.mjcf.attach.references import SECTION_KINDS, walk
from sim.mjcf.errors import suggestion, with_files
from sim.mjcf.format.table import read_tree
from sim.mjcf.save.source_text import section_place
from sim.mjcf.schema import CHILDREN, element
from sim.mjcf.source import TEXT_NAME, Assets, Node, XmlReader, bare, read_main
from sim.model import Data, Model
from sim.spec.added import AddedNode, caller, empty_root
from sim.spec.asset_store import MAIN, AssetStore, share_names
from sim.spec.attach_spec import attach
from sim.spec.build import Built, build, check, keep_state
from sim.spec.classes import Classes
from sim.spec.clone import clone_tree
from sim.spec.copy_back import copy_back
from sim.spec.delete import delete, referring
from sim.spec.element import Element
from sim.spec.journal import Tree
from sim.spec.text import spec_text, write_spec

# name of an element in the schema -> its section; tags with one meaning are names too
SECTIONS = {
    name: section for section in SECTION_KINDS for name in (child.rstrip("?") for child in CHILDREN[section].split())
} | {"skin": "asset"}
SECTIONS |= {
    name.rpartition("/")[2]: section
    for name, section in SECTIONS.items()
    if "/" in name and [n.rpartition("/")[2] for n in SECTIONS].count(name.rpartition("/")[2]) == 1
}
IN_BODY = ("body", "frame", "joint", "geom", "site", "camera", "light")


class Spec:
    """A model as a tree of elements; see the package for an example."""

    def __init__(self, root: Node | None = None, assets: Assets | None = None) -> None:
        self.tree = Tree(empty_root() if root is None else root)
        self.classes = Classes(self.tree)
        # files that are not on disk, by name
        self.assets: dict[str, bytes | str] = dict(assets or {})
        # those that were given when it was read, such as included files
        self.included: dict[str, bytes | str] = dict(assets or {})
        # pixels of textures that are in no file, rows from the top
        self.pixels: dict[Node, Any] = {}
        # other values that MJCF has no attribute for, as the width of a fixed tendon
        self.beyond: dict[Node, dict[str, Any]] = {}
        # of the last compilation
        self.built: Built | None = None
        self._elements: dict[Node, Element] = {}
        # nodes that have moved to a spec that this one was attached to
        self.moved: dict[Node, tuple[Spec, Node]] = {}
        self.moved_any = False
        # elements of the body tree by body, at the structure at which they were found
        self._members: tuple[int, dict[Node, dict[str, list[Node]]]] = (-1, {})

    @classmethod
    def load(cls, path: str | os.PathLike[str], expanded: bool = False) -> Spec:
        """The spec of a model file in any of the formats; `expanded`: replicate and attach are carried out."""
        reader = XmlReader(str(path))
        with with_files(reader.files):
            return cls._parsed(reader, read_main(Path(path), reader.files), {}, expanded)

    @classmethod
    def loads(cls, text: str | bytes, assets: Assets | None = None, expanded: bool = False) -> Spec:
        """The spec of MJCF given as text; files that it names are looked up in `assets` first, then on disk."""
        shared = assets is not None and share_names(assets)
        reader = XmlReader(MAIN, store=AssetStore(assets or {})) if shared else XmlReader(TEXT_NAME, assets)
        with with_files(reader.files):
            return cls._parsed(reader, text, dict(assets or {}), expanded)

    @classmethod
    def _parsed(cls, reader: XmlReader, data: str | bytes, assets: dict[str, bytes | str], expanded: bool) -> Spec:
        root = read_tree(data, reader)
        with root.located():
            check(clone_tree(root)[0])
            return cls(expand(root) if expanded else root, assets)

    def copy(self) -> Spec:
        """An independent spec with the same elements; its journal is empty."""
        root, clones = clone_tree(self.tree.root, documents=True)
        other = Spec(root, self.assets)
        other.included = dict(self.included)
        other.pixels = {clones[node]: pixels for node, pixels in self.pixels.items() if node in clones}
        other.beyond = {clones[node]: dict(values) for node, values in self.beyond.items() if node in clones}
        other.tree.ranks = {clones[node]: rank for node, rank in self.tree.ranks.items() if node in clones}
        if self.built is not None:
            other.built = self.built.of_clones(clones, self.tree, other.tree)
        return other

    # ---- edits

    def edit(self, label: str) -> AbstractContextManager[None]:
        """One group of changes, which is undone at once; nothing is changed if there is an error."""
        return self.tree.group(label)

    def undo(self) -> str | None:
        """Take the last edit back; returns its label, or None if there is none."""
        return self.tree.undo()

    def redo(self) -> str | None:
        """Make the last edit that was taken back again."""
        return self.tree.redo()

    def set_pixels(self, texture: Element, pixels: bytes | None) -> None:
        """Give a texture pixels that are in no file: rows from the top, `nchannel` bytes each."""
        self.tree.set_beside(self.pixels, texture.node, pixels, "pixels")

    def set_beyond(self, item: Element, key: str, value: Any) -> None:
        """Give an element a value that MJCF has no attribute for, by the name that the compiler knows it by."""
        values = {**self.beyond.get(item.node, {}), key: value}
        self.tree.set_beside(self.beyond, item.node, values, f"change {item.tag}")

    # ---- elements

    def element(self, node: Node) -> Element:
        """The element of a node, always the same."""
        if node in self.moved:
            owner, there = self.moved[node]
            return owner.element(there)
        found = self._elements.get(node)
        if found is None:
            found = self._elements[node] = Element(self, node)
        return found

    def move_element(self, node: Node, owner: Spec, there: Node) -> None:
        """Let an element be one of another spec from now on."""
        self.moved_any = True
        found = self._elements.get(node)
        if found is None:
            self.moved[node] = (owner, there)
        else:
            found.spec, found.node = owner, there
            owner.adopt(found)

    def replace_node(self, old: Node, new: Node) -> None:
        """Let an element have another node."""
        found = self._elements.pop(old, None)
        if found is not None:
            found.node = new
            self._elements[new] = found

    def adopt(self, item: Element) -> None:
        """Take an element that was one of another spec."""
        self._elements[item.node] = item

    @property
    def root(self) -> Element:
        return self.element(self.tree.root)

    @property
    def world(self) -> Element:
        return self.section("worldbody")

    def section(self, tag: str, holder: Element | None = None) -> Element:
        """A section such as option, which is added if it does not exist; `holder`: the element that it is in."""
        outer = self.tree.root if holder is None else holder.node
        origin = self.tree.root.document.origin
        own = [node for node in outer.children if node.tag == tag and node.document.origin == origin]
        if not own:
            own = [AddedNode(tag, {}, self.tree.root.document, caller())]
            # where the text of the file gets it
            at = section_place([node.tag for node in outer.children], tag) if holder is None else None
            self.tree.insert(outer, own[0], at)
        return self.element(own[0] if tag == "worldbody" else own[-1])

    def find(self, kind: str, name: str) -> Element | None:
        """The element of a type with a name, or None; default classes have the type default."""
        if kind == "body" and name == "world":
            return self.world
        node = self.tree.find(kind, name)
        return self.element(node) if node is not None else None

    def all(self, kind: str) -> list[Element]:
        """All elements of a type, in the order of their ids."""
        return [self.element(node) for node in self.nodes(kind)]

    def nodes(self, kind: str) -> Iterator[Node]:
        """The nodes of all elements of a type, in the order of their ids; the world is no element."""
        if kind == "default":
            yield from (n for top in self.tree.root.children if top.tag == kind for n in walk(top) if n.tag == kind)
        elif kind in IN_BODY:
            for body in self.body_nodes(self.world.node):
                if kind != "body":
                    yield from self.member_nodes(body, kind)
                elif body.tag == "body":
                    yield body
        else:
            for section in self.tree.root.children:
                if section.tag in SECTION_KINDS:
                    yield from (node for node in section.children if self.tree.kind(node) == kind)

    def member_nodes(self, body: Node, kind: str) -> list[Node]:
        """The members of a body of one type, also those in its frames, in the order in which they came."""
        if self._members[0] != self.tree.structure:
            self._members = (self.tree.structure, {})
        found = self._members[1].get(body)
        if found is None:
            found = self._members[1][body] = self._sorted_members(body)
        return found[kind]

    def _sorted_members(self, body: Node) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {kind: [] for kind in IN_BODY}
        tops = [n for n in self.tree.root.children if n.tag == "worldbody"] if body.tag == "worldbody" else [body]
        stack = [child for top in tops for child in top.children]
        while stack:
            node = stack.pop()
            kind = self.tree.kind(node)
            if kind:
                found[kind].append(node)
            if node.tag in ("frame", "replicate"):
                stack += node.children
        for nodes in found.values():
            nodes.sort(key=self.tree.ranks.__getitem__)
        return found

    def body_nodes(self, top: Node) -> Iterator[Node]:
        """A body and the bodies in it, depth first."""
        stack = [top]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(self.member_nodes(node, "body"))

    def order_as_written(self, body: Element) -> None:
        """Let the members of a body, and what is in it, have the order of the tree."""
        ranks, inside = self.tree.ranks, [*walk(body.node)]
        for node, rank in zip(inside, sorted(ranks[node] for node in inside), strict=True):
            if ranks[node] != rank:
                self.tree.set_beside(ranks, node, rank, "order")
        self._members = (-1, {})

    def check_new_name(self, kind: str, name: str, but: Element | None = None) -> None:
        """Raise if another element of the type has the name."""
        other = self.tree.find(kind, name) if kind else None
        if (other is not None and (but is None or other is not but.node)) or (kind == "body" and name == "world"):
            where = other if other is not None else self.world.node
            error = (but.node if but is not None else self.tree.root).error
            raise error(f"another {kind} is called '{name}'", f"it is at {where.file}:{where.line}")

    # ---- adding and deleting

    def add(self, tag: str, **attributes: Any) -> Element:
        """Add an element of another section than the body tree: an asset, a constraint, an actuator, a sensor, ...

        A tag with several meanings is written with its section: equality/joint, sensor/user. `default` adds a class.
        """
        if tag == "default":
            return self.add_to(self.section("default"), tag, attributes)
        if tag not in SECTIONS:
            cure = "add it to a body" if tag in IN_BODY else suggestion(tag, SECTIONS)
            raise self.tree.root.error(f"there is no section for <{tag}>", cure)
        section = [node for node in self.tree.root.children if node.tag == SECTIONS[tag]]
        holder = self.element(section[-1]) if section else self.section(SECTIONS[tag])
        return self.add_to(holder, tag.rpartition("/")[2], attributes)

    def add_to(self, holder: Element, tag: str, attributes: Mapping[str, Any], index: int | None = None) -> Element:
        """Add an element to another."""
        known = element("body" if holder.tag == "replicate" else holder.schema).children
        if tag not in known:
            raise holder.error(f"<{holder.tag}> takes no <{tag}>", suggestion(tag, known))
        # what is added to an attached model is not a part of it, and has the units of this spec
        node = AddedNode(tag, {}, self.tree.root.document, caller())
        with self.tree.group(f"add {tag}"):
            self.tree.insert(holder.node, node, index)
            added = self.element(node)
            for key, value in attributes.items():
                added.set(key.rstrip("_"), value)
        return added

    def delete(self, *elements: Element) -> None:
        """Delete elements with what is in them, and other elements that refer to these: see `delete.py`."""
        delete(self, elements)

    def referring(self, item: Element) -> list[Element]:
        """The elements that refer to an element, or to what is in it, by name; also through others."""
        return referring(self, [item])

    def attach(
        self, child: Spec, at: Element, prefix: str = "", suffix: str = "", part: Element | None = None,
        move: bool = False,
    ) -> Element:  # fmt: skip
        """Attach another spec, or a body or frame of it, to a body, frame or site: see `attach.py`."""
        return attach(self, child, at, prefix, suffix, part, move)

    # ---- compiling and saving

    def compile(self) -> Model:
        """The Model; an error names the element, and the line of the file or of the program that it comes from."""
        self.use_assets()
        self.built = build(self)
        return self.built.model

    def recompile(self, m: Model, d: Data) -> tuple[Model, Data]:
        """Compile again, with the state of what remains: `m` is the Model that was compiled last, `d` its Data.

        As in MuJoCo, delay buffers stay as they are, and results have to be computed again.
        """
        before = self.built
        if before is None or before.model is not m:
            raise ValueError("the model is not the last one compiled from this spec: compile it first")
        new = self.compile()
        assert self.built is not None
        data = Data(new)
        keep_state(before, self.built, d, data)
        return new, data

    def current(self) -> Built:
        """The last compilation if nothing has changed since then, else a new one, which is not kept."""
        if self.built is not None and self.built.version == self.tree.version:
            return self.built
        self.use_assets()
        return build(self)

    def use_assets(self) -> None:
        """Let the reader of files find the assets."""
        reader = self.tree.root.document.reader
        if isinstance(reader.store, AssetStore):
            reader.store.files |= AssetStore(self.assets).files
            return
        reader.assets = {bare(name).lower(): data for name, data in (self.included | self.assets).items()}

    def copy_back(self, m: Model) -> None:
        """Write what was changed in the Model that was compiled last to the spec."""
        copy_back(self, m)

    def to_xml(self) -> str:
        """The MJCF of the model as one text, with includes and copies expanded."""
        return spec_text(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the model as MJCF; files that are in memory are saved beside it."""
        write_spec(self, Path(path))
