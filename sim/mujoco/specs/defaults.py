"""MjsDefault: a default class; its members are elements with the values that the class gives."""

from __future__ import annotations

from typing import Any

from sim.mujoco.specs.base import Facade
from sim.mujoco.specs.fields import wrong
from sim.mujoco.specs.flex import MjsFlex
from sim.spec import Element

MEMBERS = (
    "joint", "geom", "site", "camera", "light", "mesh", "texture", "material", "pair", "equality", "tendon", "actuator",
)  # fmt: skip


class MjsDefault(Facade):
    """A default class."""

    __slots__ = ("_flex", "_members")

    def __init__(self, element: Element) -> None:
        super().__init__(element)
        self._members: dict[str, Any] = {}
        self._flex: Any = None

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
            tag = "general" if kind == "actuator" else kind
            child = next((item for item in element.children if item.tag == tag), None)
            if child is None:
                child = element.spec.add_to(element, tag, {})
            found = self._members[kind] = self._spec.prototype(child, kind)
        return found

    @property
    def flex(self) -> Any:
        self._flex = self._flex or MjsFlex()
        return self._flex


def _member(kind: str) -> property:
    return property(lambda self: self._member(kind))


for _kind in MEMBERS:
    setattr(MjsDefault, _kind, _member(_kind))
