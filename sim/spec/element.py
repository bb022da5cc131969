"""Element: a node of a spec with typed attributes, and the elements in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.attributes import BY_TAG
from sim.attributes.keywords import KEYWORDS
from sim.mjcf.errors import MjcfError, shortened, suggestion
from sim.mjcf.save.attribute_text import format_number, format_numbers
from sim.mjcf.schema import element
from sim.mjcf.source import Node
from sim.spec.classes import schema_name
from sim.spec.journal import HOLDERS
from sim.spec.rename import rename

if TYPE_CHECKING:
    from sim.spec.spec import Spec


class Element:
    """An element of a spec: `e["size"]` is an attribute, its own or that of its default class."""

    __slots__ = ("__weakref__", "node", "spec")

    def __init__(self, spec: Spec, node: Node) -> None:
        self.spec, self.node = spec, node

    def __repr__(self) -> str:
        return f"<{self.tag} {self.name!r}>" if self.name else f"<{self.tag}>"

    @property
    def tag(self) -> str:
        return self.node.tag

    @property
    def kind(self) -> str:
        """The type of element: an actuator may be a motor, a position servo, ..."""
        return self.spec.tree.kind(self.node)

    @property
    def schema(self) -> str:
        """Its name in the schema."""
        return schema_name(self.spec.tree, self.node)

    @property
    def name(self) -> str:
        return self.spec.tree.name(self.node)

    @name.setter
    def name(self, name: str) -> None:
        self.set("name", name)

    @property
    def exists(self) -> bool:
        """Whether it is in its spec: deleted elements are not."""
        return self.spec.tree.contains(self.node)

    @property
    def default_class(self) -> str:
        """The name of its default class, which `childclass` of what it is in may give."""
        return self.spec.classes.class_of(self.node)

    def error(self, message: str, cure: str = "") -> MjcfError:
        """An error at this element."""
        return self.node.error(f"'{self.name}': {message}" if self.name else message, cure)

    # ---- attributes

    def __getitem__(self, key: str) -> Any:
        return self.get(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self.set(key, value)

    def __delitem__(self, key: str) -> None:
        self.set(key, None)

    def __contains__(self, key: str) -> bool:
        """Whether it has an attribute of its own."""
        return self.own(key) is not None

    def own(self, key: str) -> Any:
        """The value of its own attribute, as given; None if it has none."""
        entry, text = self._entry(key), self.node.attrib.get(key)
        return None if text is None or entry.absent(text) else entry.parse(text)

    def get(self, key: str) -> Any:
        """The value of an attribute: its own, or else that of its default class, or else the default; None: none."""
        own, inherited = self.own(key), self.spec.classes.inherited(self.node, self.schema, key)
        if own is None:
            return inherited
        return own + inherited[len(own) :] if self._entry(key).partial and inherited is not None else own

    def set(self, key: str, value: Any) -> None:
        """Set an attribute; None removes it. A text is taken as in a file."""
        self._entry(key)
        text = None if value is None else self._text(key, value)
        if key == ("class" if self.tag == "default" else "name") and text:
            self.spec.check_new_name(self.kind, text, self)
        self.spec.tree.set_text(self.node, key, text)

    def set_all(self, attributes: dict[str, Any]) -> None:
        """Set several attributes, or none if there is an error."""
        with self.spec.tree.group(f"change {self.tag}"):
            for key, value in attributes.items():
                self.set(key.rstrip("_"), value)

    def _entry(self, key: str) -> Any:
        entries = element(self.schema).attributes
        if key not in entries:
            raise self.error(f"unknown attribute '{key}'", suggestion(key, entries))
        return entries[key]

    def _text(self, key: str, value: Any) -> str:
        """The text of a value, which is checked as if it were in a file."""
        row = BY_TAG[self.schema][key]
        try:
            text = value_text(row.type.base, row.type.argument, value)
            entry = element(self.schema).attributes[key]
            if not entry.absent(text):
                entry.parse(text)
        except (TypeError, ValueError) as why:
            raise self.error(f"{key}={shortened(repr(value))}: {why}") from None
        return text

    # ---- tree

    @property
    def parent(self) -> Element | None:
        """The element that it is in."""
        above = self.spec.tree.parents.get(self.node)
        return self.spec.element(above) if above is not None else None

    @property
    def body(self) -> Element | None:
        """The body that it is in, or the world."""
        for above in self.spec.tree.ancestors(self.node):
            if above.tag in ("body", "worldbody"):
                return self.spec.element(above)
        return None

    @property
    def frame(self) -> Element | None:
        """The frame that it is in directly."""
        above = self.spec.tree.parents.get(self.node)
        return self.spec.element(above) if above is not None and above.tag == "frame" else None

    @property
    def children(self) -> list[Element]:
        """The elements directly in it."""
        return [self.spec.element(child) for child in self.node.children]

    def members(self, kind: str) -> list[Element]:
        """Bodies, frames, joints, geoms, ... of a body, also those in its frames, in the order in which they came."""
        return [self.spec.element(node) for node in self.spec.member_nodes(self.node, kind)]

    def walk(self, kind: str) -> Iterator[Element]:
        """All elements of a type in this body and the bodies in it, body by body."""
        for body in self.spec.body_nodes(self.node):
            if kind == "body":
                if body is not self.node:
                    yield self.spec.element(body)
            else:
                yield from (self.spec.element(node) for node in self.spec.member_nodes(body, kind))

    def add(self, tag: str, **attributes: Any) -> Element:
        """Add an element at the end; an attribute that is a keyword of Python has an underscore: class_."""
        return self.spec.add_to(self, tag, attributes)

    def move(self, parent: Element) -> None:
        """Move a member of a body into one of its frames, or out of it; its pose is then relative to that."""
        if parent.tag not in HOLDERS or (parent if parent.tag != "frame" else parent.body) is not self.body:
            raise self.error("it can move only within its body")
        self._put_into(parent, None, self.spec.tree.ranks[self.node])

    def move_to(self, parent: Element, before: Element | None = None) -> None:
        """Move it to the end of another body or frame, where its pose is relative to that, or before one there.

        An element of another section moves within that.
        """
        tree = self.spec.tree
        if parent.tag not in HOLDERS and parent is not self.parent:
            raise self.error(f"<{parent.tag}> holds no elements of the body tree")
        if self.node is parent.node or any(above is self.node for above in tree.ancestors(parent.node)):
            raise self.error("it cannot move into itself")
        if before is not None and before.parent is not parent:
            raise self.error(f"{before!r} is not in the element that it moves to")
        if before is not self:
            self._put_into(parent, before, None)

    def _put_into(self, parent: Element, before: Element | None, rank: int | None) -> None:
        tree = self.spec.tree
        with tree.group(f"move {self.tag}"):
            name = self.default_class
            tree.remove(self.node)
            index = None if before is None else next(k for k, n in enumerate(parent.node.children) if n is before.node)
            tree.insert(parent.node, self.node, index, rank)
            if before is not None and parent.tag in HOLDERS:
                self.spec.order_as_written(parent)
            if self.default_class != name:
                tree.set_text(self.node, "childclass" if self.tag in HOLDERS else "class", name)

    def rename(self, name: str) -> None:
        """Give it a name, also where other elements refer to it."""
        rename(self, name)

    def delete(self) -> None:
        """Delete it, with what is in it and what refers to that."""
        self.spec.delete(self)


def value_text(base: str, argument: str, value: Any) -> str:
    """A value as text; numbers as the shortest text that reads back the same bits."""
    if isinstance(value, str):
        return value
    if base in ("str", "ref"):
        raise TypeError("expected a string")
    if base == "bool":
        return "true" if value else "false"
    if base == "enum":
        number = int(value)
        for word, known in KEYWORDS[argument].items():
            if known == number:
                return word
        raise ValueError(f"{number} is not one of {', '.join(KEYWORDS[argument])}")
    if base == "flags":
        return " ".join(word for word, bit in KEYWORDS[argument].items() if int(value) & bit)
    if isinstance(value, float | int | np.number):
        return format_number(value)
    numbers = np.asarray(value)
    if numbers.dtype.kind not in "fiub":
        raise TypeError("expected numbers")
    return format_numbers(numbers.ravel()) if numbers.dtype == np.float32 else format_numbers(numbers.ravel().tolist())
