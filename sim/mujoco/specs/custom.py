"""Custom fields and keyframes under MuJoCo's names."""

from __future__ import annotations

from typing import Any

from sim.attributes.keywords import OBJECT_NAMES, OBJECT_TYPES
from sim.mjcf.attach.key_node import KeyNode
from sim.mujoco.specs.base import Mjs
from sim.mujoco.specs.fields import Field
from sim.mujoco.specs.vectors import MjDoubleVec

ELEMENT = ("objtype", "objname", "objprm")


class MjsNumeric(Mjs, kind="numeric", rows="data:F size:i"):
    """A custom array of numbers."""

    def _load(self, field: Field) -> Any:
        if field.name == "size":
            own = self._element.own("size")
            return len(self.data) if own is None and self._element.node.ordinal >= 0 else own or 0
        return super()._load(field)

    def _flush(self) -> None:
        super()._flush()
        size = self._element.own("size")
        if size is not None and size < len(self._element.own("data") or ()):
            self._element.set("size", None)


class MjsText(Mjs, kind="text", rows="data:s"):
    """A custom text."""


class MjsTuple(Mjs, kind="tuple", rows="objtype:I:- objname:S:- objprm:F:-"):
    """A tuple; its elements are elements of their own in a file."""

    def _load(self, field: Field) -> Any:
        if field.name not in ELEMENT:
            return super()._load(field)
        key = "prm" if field.name == "objprm" else field.name
        return field.from_attribute([child.get(key) for child in self._element.children])

    def _store(self, field: Field, value: Any) -> None:
        if field.name not in ELEMENT:
            super()._store(field, value)
            return
        # written by _flush, when all three are there
        self._get(field).items[:] = list(value)
        self._written[field.name] = None

    def _flush(self) -> None:
        changed = [name for name in ELEMENT if name in self._kept and list(self._kept[name]) != self._written[name]]
        if not changed:
            return
        kinds, names, numbers = list(self.objtype), list(self.objname), list(self.objprm)
        tree = self._element.spec.tree
        for child in self._element.children:
            tree.remove(child.node)
        for k, name in enumerate(names):
            kind = OBJECT_NAMES.get(int(kinds[k]), "") if k < len(kinds) else ""
            if kind in OBJECT_TYPES:
                self._element.add("element", objtype=kind, objname=name, prm=numbers[k] if k < len(numbers) else 0.0)
        for name in ELEMENT:
            self._written[name] = list(self._kept[name])


class MjsKey(Mjs, kind="key", rows="time:f qpos:F qvel:F act:F mpos:F mquat:F ctrl:F plastic:F"):
    """A keyframe."""

    def _load(self, field: Field) -> Any:
        node, spec = self._element.node, self._element.spec
        if field.mutable and (isinstance(node, KeyNode) or spec.built is not None):
            # it is that of the compiled model, or unknown until then
            built = spec.built
            if built is not None and built.structure == spec.tree.structure and node in built.ids:
                return MjDoubleVec(built.model.read(f"key_{field.key}")[built.ids[node]].ravel().tolist())
            if isinstance(node, KeyNode):
                return MjDoubleVec()
        return super()._load(field)
