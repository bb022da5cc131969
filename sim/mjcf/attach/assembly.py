"""A model while its `replicate` and `attach` are expanded: its tree, and the names that are defined so far.

Elements of the body tree are defined in the order of the file; those of the other sections from the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.mjcf.attach.keyframes import AttachedKeys
from sim.mjcf.attach.references import (
    REFERRING_SECTIONS,
    Clones,
    Names,
    Renaming,
    clone,
    kind_of,
    references,
    section_names,
    tree_names,
    walk,
)
from sim.mjcf.source import Node, XmlReader

# more copies are typing errors, and would exhaust the memory
MOST_NODES = 400_000
# of elements that refer to nothing that is copied, which double with every copy of a <replicate>, as in MuJoCo
MOST_DOUBLED = 10_000


class Assembly:
    """The root of a model, the names of elements and default classes, and the keyframes of attached models."""

    def __init__(self, root: Node, reader: XmlReader) -> None:
        self.root, self.reader = root, reader
        self.names: Names = {"body": {"world"}}
        for kind, name in section_names(root):
            self.names.setdefault(kind, set()).add(name)
        self.classes = {"main"}
        for section in self.sections("default"):
            self.classes |= {node.attrib.get("class", "") for node in walk(section)}
        self.attached_keys = AttachedKeys(root)

    def sections(self, tag: str) -> list[Node]:
        """The sections of the model with a tag."""
        return [node for node in self.root.children if node.tag == tag]

    # names

    def add_name(self, kind: str, node: Node) -> None:
        """Define an element, if it has a name."""
        if "name" in node.attrib:
            self.names.setdefault(kind, set()).add(node.attrib["name"])

    def add_tree_names(self, top: Node) -> Node:
        """Define all elements of a subtree."""
        for kind, name in tree_names(top):
            self.names.setdefault(kind, set()).add(name)
        return top

    # copies

    def count_copies(self, tops: Sequence[Node], node: Node, copies: int = 1) -> None:
        """Check the number of copied elements, of all files together, before copying: nested copies multiply."""
        self.reader.totals.copied += copies * sum(1 for top in tops for _ in walk(top))
        if self.reader.totals.copied > MOST_NODES:
            raise node.error(f"the model is too large: more than {MOST_NODES} copied elements", "make fewer copies")

    def copy_section_elements(self, rename: Renaming, clones: Clones) -> None:
        """Copy the elements of the other sections whose references all exist under their new names."""
        for tag in REFERRING_SECTIONS:
            copies: list[Node] = []
            sections = self.sections(tag)
            for section in sections:
                for node in section.children:
                    copied: Clones = {}
                    copy = clone(node, copied)
                    kind = kind_of(tag, node.tag)
                    if kind not in ("numeric", "text") and rename.section_element(copy, kind, self.names):
                        copies.append(copy)
                        clones |= copied
            if len(copies) > MOST_DOUBLED:
                _check_doubled(copies)
            for copy in copies:
                sections[-1].children.append(copy)
                self.add_name(kind_of(tag, copy.tag), copy)


def _check_doubled(copies: Sequence[Node]) -> None:
    """Refuse more copies that refer to nothing but the world than anybody wants."""
    doubled = [
        copy
        for copy in copies
        if all(part.attrib[key] == "world" for part in walk(copy) for key, _ in references(part))
    ]
    if len(doubled) > MOST_DOUBLED:
        what = (
            f"every copy of a <replicate> duplicates it, because it refers to nothing inside: more than {MOST_DOUBLED}"
        )
        raise doubled[0].error(what, "move the <replicate> to a separate file, and <attach> that file")
