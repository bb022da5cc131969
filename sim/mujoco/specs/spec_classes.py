"""Default classes, names and ids of MjSpec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.attributes import BY_TAG
from sim.mujoco.specs.base import Mjs
from sim.mujoco.specs.defaults import MjsDefault
from sim.spec import Element, Spec


class ClassesPart:
    """The part of MjSpec for default classes, names and ids."""

    spec: Spec
    _defaults: dict[Element, MjsDefault]
    _signature: int
    _signed: int
    # types of elements that are not in a body
    added: tuple[str, ...] = ()
    if TYPE_CHECKING:

        def flush_defaults(self) -> None: ...

    @property
    def default(self) -> MjsDefault:
        return self._class(self.spec.section("default"))

    def _class(self, element: Element) -> MjsDefault:
        found = self._defaults.get(element)
        if found is None:
            found = self._defaults[element] = MjsDefault(element)
        return found

    def find_default(self, name: str) -> MjsDefault | None:
        if name == "main":
            return self.default
        found = self.spec.find("default", name)
        return self._class(found) if found is not None else None

    def add_default(self, name: str, parent: MjsDefault | None = None) -> MjsDefault | None:
        if self.spec.find("default", name) is not None or name == "main":
            return None
        self.flush_defaults()
        holder = (parent or self.default)._element
        return self._class(self.spec.add_to(holder, "default", {"class": name}))

    def class_of(self, element: Element) -> str:
        """The class of an element; that of an attached model's own main class is main, as in MuJoCo."""
        name = element.default_class
        node = self.spec.tree.find("default", name)
        return "main" if node is not None and self.spec.tree.parents[node] is self.spec.tree.root else name

    def set_class(self, element: Element, name: str) -> None:
        """Change the class of an element, which keeps its values."""
        classes = element.spec.classes
        before = classes.own_values([element.node])
        explicit = classes.class_of(element.node) != name or name != "main"
        element.set("class", name if explicit else None)
        classes.keep(before)

    def set_childclass(self, element: Element, name: str) -> None:
        """Change the class of what is added to a body from now on; what it has keeps its class."""
        if name and self.spec.find("default", name) is None and name != "main":
            raise ValueError(f"Error: unknown default class '{name}'")
        stack = list(element.children)
        while stack:
            child = stack.pop()
            if child.tag in ("body", "frame"):
                if "childclass" not in child.node.attrib and child.tag == "body":
                    child.set("childclass", element.default_class)
                elif "childclass" not in child.node.attrib:
                    stack += child.children
            elif "class" not in child.node.attrib and "class" in BY_TAG.get(child.schema, {}):
                child.set("class", element.default_class)
        element.set("childclass", name or None)

    # ---- names and ids

    def check_name(self, item: Mjs, name: str) -> None:
        other = self.spec.find(item.kind, name) if name else None
        if other is not None and other is not item._element:
            raise ValueError(f"Error: repeated name '{name}' in {item.kind}")

    def check_new_name(self, kind: str, name: Any) -> None:
        if isinstance(name, str) and self.spec.find(kind, name) is not None:
            raise ValueError(f"Error: repeated name '{name}' in {kind}")

    def id_of(self, item: Mjs) -> int:
        element = item._element
        if not element.exists:
            return -1
        if element.tag == "worldbody":
            return 0
        built = element.spec.built
        if built is not None and built.structure == element.spec.tree.structure:
            return built.ids.get(element.node, -1)
        if item.kind in self.added:
            return next((k for k, node in enumerate(element.spec.nodes(item.kind)) if node is element.node), -1)
        return -1

    @property
    def signature(self) -> int:
        """That of the model that was compiled, 0 if elements were added or deleted since then."""
        return self._signature if self._signed == self.spec.tree.structure else 0

    def structure_changed(self) -> None:
        """An element was added, named or deleted."""
