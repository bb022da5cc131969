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

Functions that need no more than an expression are rows of tables, with these words and what they return:

    returning({"mju_min a:float b:float -> float": (min, "The smaller number.")})
    writing({"mju_add res:outn vec1:inn vec2:inn": (np.add, "res = vec1 + vec2")})

An extent is a number, a size of the model, or a letter that stands for the same number throughout; `*` is any.
A vector of one extent may also be given as a column. Two extents may be given flat where the text has `name:out~3,nv`.
"""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable
from functools import wraps
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from sim.fields import MODEL_LAYOUT
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

# result -> its type
NUMBERS: dict[str, type] = {"int": int, "float": float}

# name, parameters and result -> what computes it, docstring
Table = dict[str, tuple[Callable[..., Any], str]]

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

    @property
    def described(self) -> inspect.Parameter:
        """The parameter of a signature."""
        written = "np.ndarray" if self.kind == "out" and not self.optional else "Any"
        what = self.kind if self.kind in ("int", "float", "bool", "str") else written
        default = inspect.Parameter.empty if self.default is REQUIRED else self.default
        return inspect.Parameter(self.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=what)


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
    """The values of the extents in one call."""

    __slots__ = ("function", "known", "model")

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


Convert = Callable[[Any, Sizes], Any]


def _converter(what: Parameter) -> Convert:
    """The conversion of an argument to what the function takes; most need none."""
    if what.kind in ("in", "out"):
        return _array_converter(what)
    if what.kind in ("m", "d"):
        return _model if what.kind == "m" else _data
    if what.kind == "any":
        return lambda value, sizes: value
    exact: type = {"int": int, "float": float, "bool": bool, "str": str}[what.kind]

    def convert(value: Any, sizes: Sizes) -> Any:
        return value if type(value) is exact else _plain(what, value, sizes)

    return convert


def _array_converter(what: Parameter) -> Convert:
    dtype, shape, written = what.dtype, what.shape, what.kind == "out"
    slow = _output if written else _input
    sized = [extent for extent in shape if isinstance(extent, str)]
    known, any_vector = all(extent in MODEL_LAYOUT.scalars for extent in sized), shape == ("*",)

    def convert(value: Any, sizes: Sizes) -> Any:
        if type(value) is np.ndarray and value.dtype is dtype and (known or any_vector):
            if any_vector:
                fits = value.ndim == 1
            elif sized and sizes.model is not None:
                fits = value.shape == _resolved(sizes.model, shape)
            else:
                fits = value.shape == shape
            if fits and (not written or value.flags.carray):
                return value
        if value is None:
            if what.optional:
                return None
            raise TypeError(f"{sizes.function}: {what.name} cannot be None")
        return slow(what, value, sizes)

    return convert


def _resolved(m: Model, shape: tuple[int | str, ...]) -> tuple[int, ...]:
    """A shape with sizes of the model; cached there, but for keyframes, which scripts add."""
    found: tuple[int, ...] | None = m.derived.get(shape)
    if found is None:
        found = tuple([m.read(extent) if isinstance(extent, str) else extent for extent in shape])
        if "nkey" not in shape:
            m.derived[shape] = found
    return found


def _model(value: Any, sizes: Sizes) -> Any:
    if not isinstance(value, Model):
        raise TypeError(f"{sizes.function}: m should be an MjModel, not {type(value).__name__}")
    sizes.model = value
    return value


def _data(value: Any, sizes: Sizes) -> Any:
    if not isinstance(value, Data):
        raise TypeError(f"{sizes.function}: d should be an MjData, not {type(value).__name__}")
    if sizes.model is not None and value.model is not sizes.model:
        value.check_fit(sizes.model)
    return value


def _plain(what: Parameter, value: Any, sizes: Sizes) -> Any:
    """A number, truth value or text of another type."""
    kind = what.kind
    try:
        if kind == "int":
            return operator.index(value) if not isinstance(value, (bool, np.bool_)) else int(value)
        if kind == "float":
            return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{sizes.function}: {what.name} should be {kind}, not {value!r}") from None
    if kind == "str" and isinstance(value, bytes | bytearray):
        return value.decode()
    if kind == "str" and not isinstance(value, str):
        raise TypeError(f"{sizes.function}: {what.name} should be a str, not {value!r}")
    return bool(value) if kind == "bool" else value


def _input(what: Parameter, value: Any, sizes: Sizes) -> Any:
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
    flags = value.flags if isinstance(value, np.ndarray) else None
    if flags is None or value.dtype != what.dtype or not flags.writeable or not flags.c_contiguous:
        raise TypeError(
            f"{sizes.function}: {what.name} is written: it should be a writable, contiguous array of {what.dtype}"
        )
    shape = sizes.check(what, value.shape)
    return value if shape == value.shape else value.reshape(shape)


def bound(words: str, returns: str = "None") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function of MuJoCo's; `words` are its parameters, see above."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        title = function.__name__
        call = wraps(function)(_checking(function, title, words))
        register(call, title, words, returns, function.__doc__)
        return call

    return decorate


def returning(table: Table) -> None:
    """Declare functions that return what `compute` returns."""
    for head, (compute, doc) in table.items():
        _declare(head, compute, doc)


def writing(table: Table, whole: bool = False) -> None:
    """Declare functions that write what `compute` returns for their inputs (or all arguments) into their outputs."""
    for head, (compute, doc) in table.items():
        _declare(head, _writer(head, compute, whole), doc)


def _writer(head: str, compute: Callable[..., Any], whole: bool) -> Callable[..., None]:
    written = [parameter(word).kind == "out" for word in head.split()[1:]]

    def write_one(res: np.ndarray, *args: Any) -> None:
        res[...] = compute(res, *args) if whole else compute(*args)

    def write(*args: Any) -> None:
        found = compute(*compress(args, given))
        for into, value in zip(compress(args, written), found if several else (found,), strict=True):
            if into is not None:
                into[...] = value

    given, several = [not out for out in written], sum(written) > 1
    return write_one if written[0] and not several else write


def _declare(head: str, function: Callable[..., Any], doc: str) -> None:
    """A function from `name parameters -> type`."""
    before, _, returns = head.partition(" -> ")
    title, _, words = before.partition(" ")
    call: Any = _checking(function, title, words, NUMBERS.get(returns))
    parameters = [parameter(word) for word in words.split()]
    call.__signature__ = inspect.Signature([p.described for p in parameters], return_annotation=returns or "None")
    register(call, title, words, returns or "None", doc)


def _checking(function: Callable[..., Any], title: str, words: str, result: type | None = None) -> Callable[..., Any]:
    """A function that checks its arguments, and makes its result a number of this type."""
    if words == "m d":
        return _stage(function, title)
    parameters = [parameter(word) for word in words.split()]
    names, convert = [p.name for p in parameters], [_converter(p) for p in parameters]
    count = len(parameters)

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != count:
            args = _arguments(title, parameters, names, args, kwargs)
        sizes = Sizes(title)
        found = function(*[one(value, sizes) for one, value in zip(convert, args, strict=True)])
        return found if result is None else result(found)

    return call


def _stage(function: Callable[..., Any], title: str) -> Callable[..., Any]:
    """A function of a model and data alone."""

    def call(m: Any, d: Any) -> None:
        if not isinstance(m, Model) or not isinstance(d, Data):
            raise TypeError(f"{title}: an MjModel and an MjData are needed, not {m!r} and {d!r}")
        if d.model is not m:
            d.check_fit(m)
        function(m, d)

    return call


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
    """An error as MuJoCo's own code reports it."""
    return FatalError(message)
