"""Mjs: an element of a spec under MuJoCo's names.

It wraps an `Element` of `sim.spec`, whose attributes are texts. Numbers, enums and texts are read and written at once.
Arrays and vectors can be changed in place, unnoticed: they are kept here after the first access, and `MjSpec.flush`,
with which all other calls of the spec begin, writes those that have changed. As in MuJoCo an element takes the values
of its default class when it is added, and does not follow it later: before a class changes, the elements that inherit
a value from it get it as their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sim.mjcf.errors import MjcfError
from sim.mjcf.rotation import orientation_to_quat
from sim.mjcf.schema import ORIENTATIONS
from sim.mujoco.enums import CLASSES
from sim.mujoco.records import Slotted
from sim.mujoco.specs.fields import Field, Text, table, wrong
from sim.spec import Element

if TYPE_CHECKING:
    from sim.mujoco.specs.defaults import MjsDefault
    from sim.mujoco.specs.settings import MjsCompiler
    from sim.mujoco.specs.spec import MjSpec

ALTERNATIVES = ORIENTATIONS[1:]
# the class of each type of element
KINDS: dict[str, type[Mjs]] = {}


class Facade(metaclass=Slotted):
    """The object of an element of `sim.spec` under MuJoCo's names."""

    __slots__ = ("__weakref__", "_element")

    def __init__(self, element: Element) -> None:
        self._element = element

    @property
    def _spec(self) -> MjSpec:
        owner: MjSpec = self._element.spec.__dict__["facade"]
        return owner


class Mjs(Facade):
    """An element: its fields are in `fields`, what has no attribute in `_own`."""

    __slots__ = ("_kept", "_own", "_written")
    fields: ClassVar[dict[str, Field]] = {}
    kind: ClassVar[str] = ""

    def __init_subclass__(cls, rows: str = "", kind: str = "") -> None:
        if rows or kind:
            cls.kind = kind
            KINDS[kind] = cls
            cls.fields = {**cls.fields, **table(rows), "info": Text("info", "")}
            for name, made in cls.fields.items():
                if name not in vars(cls) and name != "info":
                    setattr(cls, name, made)

    if TYPE_CHECKING:
        # the fields of the tables
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, element: Element) -> None:
        super().__init__(element)
        # arrays and vectors that someone may change, and what of them has been written
        self._kept: dict[str, Any] = {}
        self._written: dict[str, Any] = {}
        self._own: dict[str, Any] = {}

    # ---- fields

    def _get(self, field: Field) -> Any:
        if field.name in self._kept:
            return self._kept[field.name]
        value = self._load(field)
        if field.mutable:
            self._keep(field, value)
        return value

    def _keep(self, field: Field, value: Any) -> None:
        self._kept[field.name], self._written[field.name] = value, field.copied(value)
        self._spec.touched[self] = None

    def _set(self, field: Field, value: Any) -> None:
        if field.name in self._kept:
            if isinstance(value, np.ndarray):
                self._kept[field.name][...] = value
            else:
                self._kept[field.name].items[:] = value.items
        else:
            self._store(field, value)

    def _load(self, field: Field) -> Any:
        if not field.key:
            return self._own.get(field.name, field.from_attribute(None))
        self._spec.flush_defaults()
        return field.from_attribute(self._element.get(field.key))

    def _store(self, field: Field, value: Any) -> None:
        if field.key:
            self._write(field.key, field.to_attribute(value))
        else:
            self._own[field.name] = value

    def _write(self, key: str, value: Any) -> None:
        """Write an attribute; None: remove it."""
        element = self._element
        holder = element.spec.tree.parents.get(element.node)
        if holder is not None and holder.tag == "default":
            element.spec.classes.freeze_followers(holder, element.tag, key)
        else:
            self._spec.flush_defaults()
        if value is None:
            if key in element.node.attrib:
                element.set(key, None)
        elif isinstance(value, float) and not np.isfinite(value):
            raise ValueError(f"{key} is {value}")
        else:
            try:
                element.set(key, value)
            except MjcfError as error:
                raise self._spec.translated(error) from None

    def _flush(self) -> None:
        """Write the arrays and vectors that have changed."""
        for name, value in list(self._kept.items()):
            field = self.fields[name]
            if not field.same(value, self._written[name]):
                self._store(field, value)
                self._written[name] = field.copied(value)

    def _forget(self) -> None:
        """Read everything from the element again; arrays that someone holds get the new values."""
        for name, value in list(self._kept.items()):
            new = self._load(self.fields[name])
            if isinstance(value, np.ndarray):
                value[...] = new
            elif isinstance(value, MjsOrientation):
                value._assign(new)
            else:
                value.items[:] = new.items
            self._written[name] = self.fields[name].copied(value)

    def _take(self, arguments: dict[str, Any], function: str) -> None:
        """Set fields that are given by keyword."""
        alternatives = {key: arguments.pop(key) for key in ALTERNATIVES if key in arguments and "alt" in self.fields}
        if arguments.get("name") is not None:
            self.name = arguments["name"]
        arguments.pop("name", None)
        for name in arguments:
            if name not in self.fields:
                raise TypeError(f"{function}(): incompatible function arguments: unknown argument '{name}'")
        for name, value in arguments.items():
            if value is not None:
                field = self.fields[name]
                setattr(self, name, field.argument(value))
        if alternatives:
            self._take_orientation("alt", alternatives, "")

    def _take_orientation(self, place: str, given: dict[str, Any], prefix: str) -> None:
        given = {key: value for key, value in given.items() if value is not None}
        if len(given) > 1:
            names = [prefix + key for key in ALTERNATIVES]
            raise ValueError(f"Only one of: {', '.join(names[:-1])}, or {names[-1]} can be set.")
        for key, value in given.items():
            getattr(self, place)._choose(key, value, prefix + key)

    # ---- what all elements have

    @property
    def name(self) -> str:
        return self._element.name

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str):
            raise wrong("name", name, "a str")
        self._spec.check_name(self, name)
        self._element.set("name", name or None)
        self._spec.structure_changed()

    @property
    def info(self) -> str:
        if "info" in self._own:
            return str(self._own["info"])
        node = self._element.node
        return f"line {node.line}" if node.ordinal >= 0 else ""

    @info.setter
    def info(self, info: str) -> None:
        self._own["info"] = Text("info", "").convert(info)

    @property
    def id(self) -> int:
        return self._spec.id_of(self)

    @property
    def signature(self) -> int:
        return self._spec.signature

    def check_bind(self, model: Any) -> None:
        """Raise unless a model was compiled from the spec as it is."""
        if self._element.exists and self.signature != getattr(model, "signature", 0):
            raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")

    @property
    def compiler(self) -> MjsCompiler:
        return self._spec.compiler_at(self._element.node)


def add_field(kind: type[Mjs], made: Field) -> None:
    """Give a class a field that is in no table."""
    kind.fields[made.name] = made
    setattr(kind, made.name, made)


class Classed(Mjs):
    """An element with a default class."""

    @property
    def classname(self) -> MjsDefault | None:
        return self._spec.find_default(self._spec.class_of(self._element))

    @classname.setter
    def classname(self, default: MjsDefault) -> None:
        self._spec.flush()
        self._spec.set_class(self._element, default.name)


class MjsOrientation:
    """An orientation given as axisangle, xyaxes, zaxis or euler."""

    __slots__ = ("_arrays", "_type")
    SIZES: ClassVar[dict[str, int]] = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}

    def __init__(self, kind: str = "", values: Any = ()) -> None:
        self._arrays = {name: np.zeros(size) for name, size in self.SIZES.items()}
        self._type = 0
        if kind:
            self._type = ORIENTATIONS.index(kind)
            self._arrays[kind][:] = values

    @property
    def type(self) -> Any:
        return CLASSES["mjtOrientation"](self._type)

    @type.setter  # noqa: A003
    def type(self, kind: int) -> None:
        self._type = int(CLASSES["mjtOrientation"](int(kind)))

    def _choose(self, kind: str, value: Any, name: str) -> None:
        array = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise wrong(name, value, "numbers")
        if array.shape != (self.SIZES[kind],):
            raise ValueError(f"{name} should be a list/array of size {self.SIZES[kind]}.")
        self._arrays[kind][:] = array
        self._type = ORIENTATIONS.index(kind)

    def _assign(self, other: MjsOrientation) -> None:
        self._type = other._type
        for name, array in other._arrays.items():
            self._arrays[name][:] = array

    def _values(self) -> tuple[str, tuple[float, ...]]:
        """The attribute and its numbers; "quat" without numbers."""
        kind = ORIENTATIONS[self._type]
        return kind, tuple(self._arrays[kind].tolist()) if self._type else ()


def _orientation_array(name: str) -> property:
    def put(self: MjsOrientation, value: Any) -> None:
        array = np.asarray(value)
        if array.shape != (self.SIZES[name],) or array.dtype.kind not in "fiub":
            raise wrong(name, value, f"{self.SIZES[name]} numbers")
        self._arrays[name][:] = array

    return property(lambda self: self._arrays[name], put)


for _name in MjsOrientation.SIZES:
    setattr(MjsOrientation, _name, _orientation_array(_name))


class OrientationField(Field):
    """`alt`: an object that is kept like an array."""

    mutable = True

    def from_attribute(self, value: Any) -> Any:
        return MjsOrientation(*value) if value else MjsOrientation()

    def convert(self, value: Any) -> Any:
        if not isinstance(value, MjsOrientation):
            raise wrong(self.name, value, "an MjsOrientation")
        return value

    def copied(self, value: Any) -> Any:
        return value._values()

    def same(self, first: Any, second: Any) -> bool:
        return bool(first._values() == second)


class Placed(Mjs):
    """An element with `quat` and `alt`, of which a file has one."""

    def _load(self, field: Field) -> Any:
        if field.name == "alt":
            return field.from_attribute(self._alternative())
        return super()._load(field)

    def _alternative(self) -> tuple[str, Any] | None:
        """The orientation other than by quat, its own or that of its class."""
        element = self._element
        for key in ALTERNATIVES:
            own = element.own(key)
            if own is not None:
                return key, own
        if element.own("quat") is not None:
            return None
        self._spec.flush_defaults()
        item = element.spec.classes.prototype(element.node)
        found: tuple[str, Any] | None = getattr(item, "alt", None)
        return found

    def _set(self, field: Field, value: Any) -> None:
        if field.name == "alt":
            kind, numbers = value._values()
            alt = self._get(field)
            if numbers:
                alt._choose(kind, numbers, kind)
            else:
                alt.type = 0
        elif field.name == "quat":
            # which of the two is written depends on both
            self._get(field)[...] = value
        else:
            super()._set(field, value)

    def _store(self, field: Field, value: Any) -> None:
        if field.name not in ("quat", "alt"):
            super()._store(field, value)
            return
        alt, quat = self._get(self.fields["alt"]), self._get(self.fields["quat"])
        kind, numbers = alt._values()
        for key in ORIENTATIONS:
            if key != kind:
                self._write(key, None)
        self._write(kind, np.array(numbers) if numbers else quat)


def resolve_orientation(degree: bool, sequence: Any = None, orientation: Any = None) -> list[float]:
    """The quaternion of an orientation."""
    kind, numbers = orientation._values()
    letters = "".join(sequence) if sequence is not None else "xyz"
    return list(orientation_to_quat(kind, numbers, bool(degree), letters)) if numbers else [1.0, 0.0, 0.0, 0.0]
