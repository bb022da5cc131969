"""Functions with MuJoCo's parameters: their types and sizes are checked as by its bindings, from one line of text.

    @bound("m d jacp:out?3,nv jacr:out?3,nv body:int")
    def mj_jacBody(m, d, jacp, jacr, body): ...

| word | an argument that is |
|---|---|
| m, d | a model, data of it |
| name:int, float, bool, str, any | such a value |
| name:in3, name:in3,nv | numbers in a list or array of this shape; they may be of another type |
| name:out3 | an array of float64 of this shape, which the function writes |
| name:in?3, name:out?3 | the same, or None |
| name:outi3, name:outf3, name:inu6 | of int32, float32 or uint8 instead |
| name:in9=None | with a default |

An extent is a number, a size of the model, or a letter that stands for the same number throughout; `*` is any.
A vector of one extent may also be given as a column. Two extents may be given flat where the text has `name:out~3,nv`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np

from sim.model import Data, Model
from sim.mujoco.errors import FatalError

WORD = re.compile(r"(\w+)(?::(int|float|bool|str|any|(in|out)([iuf]?)(\??)(~?)([\w*,]+)))?(=.*)?$")
TYPES: dict[str, np.dtype[Any]] = {
    "": np.dtype(np.float64),
    "i": np.dtype(np.int32),
    "u": np.dtype(np.uint8),
    "f": np.dtype(np.float32),
}
PLAIN: dict[str, str] = {
    "int": "typing.SupportsInt | typing.SupportsIndex",
    "float": "typing.SupportsFloat | typing.SupportsIndex",
    "bool": "bool",
    "str": "str",
    "any": "object",
}

FUNCTIONS: dict[str, Callable[..., Any]] = {}
# parameters of each, as given
SIGNATURES: dict[str, str] = {}


class Parameter(NamedTuple):
    """One parameter."""

    name: str
    kind: str  # "m", "d", a plain type, "in" or "out"
    dtype: np.dtype[Any]
    optional: bool
    flat: bool
    shape: tuple[int | str, ...]
    default: Any

    @property
    def text(self) -> str:
        """Its type, as the bindings write it."""
        if self.kind in ("m", "d"):
            return f"mujoco._structs.{'MjModel' if self.kind == 'm' else 'MjData'}"
        return PLAIN.get(self.kind, "numpy.ndarray")


REQUIRED = object()


def parameter(word: str) -> Parameter:
    """A parameter from its word."""
    found = WORD.match(word)
    assert found, word
    words: tuple[Any, ...] = found.groups()
    name, kind, way, letter, optional, flat, extents, default = words
    if kind is None:
        kind = "m" if name == "m" else "d"
    shape = tuple(int(x) if x.isdigit() else x for x in extents.split(",")) if extents else ()
    value: Any = REQUIRED if default is None else {"None": None}.get(default[1:], default[1:])
    if value not in (REQUIRED, None):
        value = float(value) if kind == "float" else int(value)
    return Parameter(name, way or kind, TYPES[letter or ""], bool(optional), bool(flat), shape, value)


class Sizes:
    """What the extents of one call stand for."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.model: Model | None = None
        self.known: dict[str, int] = {}

    def check(self, what: Parameter, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The extents that an array must have; TypeError if they are others."""
        wanted = what.shape
        if len(wanted) == 1 and len(shape) == 2 and shape[1] == 1:
            shape = (shape[0] * shape[1],)
        elif what.flat and len(shape) == 1:
            resolved = tuple(self.number(extent, -1) for extent in wanted)
            if -1 not in resolved and resolved[0] * resolved[1] == shape[0]:
                shape = resolved
        if len(shape) != len(wanted):
            raise TypeError(f"{self.function}: {what.name} should have {len(wanted)} dimensions, not {len(shape)}")
        for extent, actual in zip(wanted, shape, strict=True):
            if extent != "*" and self.number(extent, actual) != actual:
                raise TypeError(
                    f"{self.function}: {what.name} should be of size {self.number(extent, 0)}, not {actual}"
                )
        return shape

    def number(self, extent: int | str, actual: int) -> int:
        if isinstance(extent, int):
            return extent
        if extent in self.known:
            return self.known[extent]
        if self.model is not None and extent in self.model.layout.scalars:
            return int(self.model.read(extent))
        if actual >= 0:
            self.known[extent] = actual
        return actual


def _convert(what: Parameter, value: Any, sizes: Sizes) -> Any:
    """An argument as the function takes it."""
    kind = what.kind
    if kind == "in":
        return _input(what, value, sizes)
    if kind == "out":
        return _output(what, value, sizes)
    try:
        if kind == "int":
            return operator.index(value) if not isinstance(value, (bool, np.bool_)) else int(value)
        if kind == "float":
            return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{sizes.function}: {what.name} should be {kind}, not {value!r}") from None
    if kind == "m" and not isinstance(value, Model):
        raise TypeError(f"{sizes.function}: {what.name} should be an MjModel, not {type(value).__name__}")
    if kind == "d" and not isinstance(value, Data):
        raise TypeError(f"{sizes.function}: {what.name} should be an MjData, not {type(value).__name__}")
    if kind == "str" and not isinstance(value, str):
        raise TypeError(f"{sizes.function}: {what.name} should be a str, not {value!r}")
    return bool(value) if kind == "bool" else value


def _input(what: Parameter, value: Any, sizes: Sizes) -> Any:
    if value is None:
        if what.optional:
            return None
        raise TypeError(f"{sizes.function}: {what.name} cannot be None")
    try:
        array = np.asarray(value)
        if array.dtype != what.dtype:
            if array.dtype.kind not in "fiub":
                raise TypeError
            array = array.astype(what.dtype)
    except (TypeError, ValueError):
        raise TypeError(f"{sizes.function}: {what.name} should be numbers, not {value!r}") from None
    return array.reshape(sizes.check(what, array.shape))


def _output(what: Parameter, value: Any, sizes: Sizes) -> Any:
    if value is None:
        if what.optional:
            return None
        raise TypeError(f"{sizes.function}: {what.name} cannot be None")
    flags = value.flags if isinstance(value, np.ndarray) else None
    if flags is None or value.dtype != what.dtype or not flags.writeable or not flags.c_contiguous:
        raise TypeError(
            f"{sizes.function}: {what.name} is written: it should be a writable, contiguous array of {what.dtype}"
        )
    shape = sizes.check(what, value.shape)
    return value if shape == value.shape else value.reshape(shape)


def bound(words: str, returns: str = "None", name: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function of MuJoCo's; `words` are its parameters, see above."""
    parameters = [parameter(word) for word in words.split()]
    names = [p.name for p in parameters]
    count = len(parameters)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        title = name or function.__name__

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if kwargs or len(args) != count:
                args = _arguments(title, parameters, names, args, kwargs)
            sizes = Sizes(title)
            values = []
            for what, value in zip(parameters, args, strict=True):
                if what.kind == "m":
                    sizes.model = value if isinstance(value, Model) else None
                values.append(_convert(what, value, sizes))
                if what.kind == "d" and sizes.model is not None:
                    value.check_fit(sizes.model)
            return function(*values)

        register(call, title, words, returns, function.__doc__)
        return call

    return decorate


def register(call: Any, title: str, words: str, returns: str, doc: str | None) -> None:
    """Add a function to the module, with a signature in its docstring as the bindings write it."""
    parts = []
    for p in map(parameter, words.split()):
        parts.append(f"{p.name}: {p.text}" + ("" if p.default is REQUIRED else f" = {p.default}"))
    call.__name__ = call.__qualname__ = title
    call.__doc__ = f"{title}({', '.join(parts)}) -> {returns}\n\n{(doc or '').strip()}\n"
    call.__module__ = "sim.mujoco"
    FUNCTIONS[title] = call
    SIGNATURES[title] = words


def _arguments(
    title: str, parameters: list[Parameter], names: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """Arguments in order, with keywords and defaults."""
    if len(args) > len(names):
        raise TypeError(f"{title}() takes {len(names)} arguments, not {len(args)}")
    values = list(args)
    for what in parameters[len(args) :]:
        value = kwargs.pop(what.name, what.default)
        if value is REQUIRED:
            raise TypeError(f"{title}() is missing the argument {what.name!r}")
        values.append(value)
    if kwargs:
        wrong = next(iter(kwargs))
        raise TypeError(f"{title}() got an unexpected or repeated argument {wrong!r}; it takes {', '.join(names)}")
    return tuple(values)


def fatal(message: str) -> FatalError:
    """What MuJoCo's own code would report."""
    return FatalError(message)
