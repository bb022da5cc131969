"""Elements whose tag and attributes follow from several fields together: sensors, equalities, transmissions."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar

from sim.mjcf.errors import MjcfError
from sim.mujoco.specs.base import Mjs
from sim.mujoco.specs.fields import Field


class Grouped(Mjs):
    """Fields of `together` are kept here once one has changed, and written together."""

    together: ClassVar[tuple[str, ...]] = ()
    unset: ClassVar[dict[str, Any]] = {}

    def _definition(self) -> dict[str, Any]:
        """The fields of the group, read from the element."""
        raise NotImplementedError

    def _define(self) -> None:
        """Write the fields of the group to the element."""
        raise NotImplementedError

    def _load(self, field: Field) -> Any:
        if field.name not in self.together:
            return super()._load(field)
        if field.name not in self._own:
            self._own |= {**self._read(), **{k: v for k, v in self._own.items() if k in self.together}}
        return field.from_attribute(self._own[field.name])

    def _read(self) -> dict[str, Any]:
        self._spec.flush_defaults()
        try:
            return self._definition()
        except MjcfError:
            # the element is not complete
            return dict(self.unset)

    def _store(self, field: Field, value: Any) -> None:
        if field.name not in self.together:
            super()._store(field, value)
            return
        for name in self.together:
            # what the others are, before the element changes
            self._load(self.fields[name])
        self._own[field.name] = field.copied(value) if field.mutable else value
        self._define()

    def _forget(self) -> None:
        with suppress(MjcfError):
            self._own |= self._definition()
        super()._forget()

    def _retag(self, tag: str, drop: set[str], values: dict[str, Any]) -> None:
        """Set tag and attributes; those of the group that are not given go."""
        element = self._element
        tree = element.spec.tree
        for key in drop & set(element.node.attrib):
            tree.set_text(element.node, key, None)
        tree.set_tag(element.node, tag)
        for key, value in values.items():
            self._write(key, value)
