"""MjsDefault: a default class; its members are elements with the values that the class gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.mujoco.specs.fields import wrong
from sim.spec import Element

if TYPE_CHECKING:
    from sim.mujoco.specs.spec import MjSpec

# member -> tag in the class
TAGS = {
    "joint": "joint", "geom": "geom", "site": "site", "camera": "camera", "light": "light", "mesh": "mesh",
    "texture": "texture", "material": "material", "pair": "pair", "equality": "equality", "tendon": "tendon",
    "actuator": "general",
}  # fmt: skip


class MjsDefault:
    """A default class."""

    __slots__ = ("__weakref__", "_element", "_flex", "_members")

    def __init__(self, element: Element) -> None:
        self._element = element
        self._members: dict[str, Any] = {}
        self._flex: Any = None

    @property
    def _spec(self) -> MjSpec:
        owner: MjSpec = self._element.spec.__dict__["facade"]
        return owner

    @property
    def name(self) -> str:
        return self._element.name

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str):
            raise wrong("name", name, "a str")
        self._element.set("class", name)

    @property
    def id(self) -> int:
        return -1

    def _member(self, kind: str) -> Any:
        found = self._members.get(kind)
        if found is None:
            element = self._element
            tag = TAGS[kind]
            child = next((item for item in element.children if item.tag == tag), None)
            if child is None:
                child = element.spec.add_to(element, tag, {})
            found = self._members[kind] = self._spec.prototype(child, kind)
        return found

    @property
    def flex(self) -> Any:
        from sim.mujoco.specs.flex import MjsFlex

        self._flex = self._flex or MjsFlex()
        return self._flex


def _declare(kind: str) -> None:
    setattr(MjsDefault, kind, property(lambda self: self._member(kind)))


for _kind in TAGS:
    _declare(_kind)
