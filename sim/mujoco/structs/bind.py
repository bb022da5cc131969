"""`m.bind(elements)`, `d.bind(elements)`: the values that elements of a spec have in a compiled model or in data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from sim.named import ALIASES, KINDS


class _MjBind:
    """Several elements at once: an attribute is the list of all their numbers."""

    _elements: list[Any]

    def __init__(self, elements: list[Any]) -> None:
        object.__setattr__(self, "_elements", elements)

    @property
    def elements(self) -> list[Any]:
        return self._elements

    def __getattr__(self, name: str) -> list[Any]:
        found: list[Any] = []
        for element in self._elements:
            try:
                value = getattr(element, name)
            except AttributeError as error:
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}': {error}") from None
            if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
                found.append(value)
            else:
                found += list(value)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(value, "__iter__"):
            raise ValueError(f"{name} needs a value for each of {len(self._elements)} elements, not {value!r}")
        values = list(value)
        if len(values) != len(self._elements):
            raise ValueError(f"{name} needs a value for each of {len(self._elements)} elements, not {len(values)}")
        for element, one in zip(self._elements, values, strict=True):
            setattr(element, name, one)


class _MjBindModel(_MjBind):
    pass


class _MjBindData(_MjBind):
    pass


def bound(struct: Any, elements: Any) -> Any:
    """The view of an element of a spec, or of several."""
    if isinstance(elements, Sequence) and not isinstance(elements, str):
        views = [bound(struct, element) for element in elements]
        return (_MjBindData if hasattr(struct, "model") else _MjBindModel)(views)
    kind = getattr(elements, "kind", None)
    if kind is None:
        raise TypeError(f"bind takes elements of a spec, not {elements!r}")
    elements.check_bind(getattr(struct, "model", None) or struct)
    return getattr(struct, kind)(elements.id)


class StructType(type):
    """The class of MjModel and MjData: `dir` of it names the fields too, as in the bindings, where they are members."""

    _fields: frozenset[str]

    def __dir__(cls) -> list[str]:
        return sorted({*super().__dir__(), *cls._fields})


class Common(metaclass=StructType):
    """The common base of MjModel and MjData."""

    _fields: ClassVar[frozenset[str]] = frozenset()
    # fields of MuJoCo's that are made when they are asked for, and those that are missing, and why
    _made_fields: ClassVar[dict[str, Callable[[Any], Any]]] = {}
    _missing: ClassVar[dict[str, str]] = {}
    _keeps_made: ClassVar[bool] = False
    _methods: ClassVar[tuple[str, ...]] = ()

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
    else:

        def __getattr__(self, name: str) -> Any:
            make = self._made_fields.get(name)
            if make is not None:
                value = make(self)
                if self._keeps_made:
                    self.__dict__[name] = value
                return value
            if name in self._missing:
                raise AttributeError(f"{type(self).__name__} has no {name}: {self._missing[name]}")
            return super().__getattr__(name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields, "bind", *self._methods, *KINDS, *ALIASES})

    def bind(self, first: Any, array: Any = None) -> Any:
        """The values of elements of a spec; or, for the engine, another array for a field."""
        if array is None:
            return bound(self, first)
        if "views" in self.__dict__:
            self.__dict__["views"].clear()
        return super().bind(first, array)  # type: ignore[misc]

    def bind_scalar(self, element: Any) -> Any:
        """The values of one element of a spec."""
        return bound(self, element)

    def __copy__(self) -> Any:
        return self.copy()

    def __repr__(self) -> str:
        return object.__repr__(self)

    @property
    def _address(self) -> int:
        return int(self.address)
