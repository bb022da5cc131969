"""Decorators for functions that become native code, and the key of a compile unit; needs no numba.

- `@kernel`: a compile unit. Its parameters are `m`, `d` (pointers to Model and Data) and annotated scalars.
  It is cached on disk and called through a cell, so it can be loaded on first use.
- `@kernel(exact=True)`: every product is rounded before it is added to something, as MuJoCo's are; otherwise the two
  may be fused (5 to 10 % faster). Contacts of faces that coincide are ties, and rounding decides how they end.
- A kernel can be redirected: native code then calls another kernel in its place, or Python, and waits for the GIL.
- `@helper`: compiled into each unit that calls it. `@inline`: the same, and always inlined.
- `reduce=True` lets a helper's sums be reordered: dot products vectorise (up to 6x at n = 150).

Called from Python, a kernel runs natively and a helper runs as plain Python.
The key of a unit is a digest of the code of everything compiled into it, of the constants that this code refers to and
of the fields it mentions: exactly what numba would compile, and nothing else. The code is bytecode for units that are
compiled here, and what `source.py` says of the syntax tree for those that come with the installation.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import threading
from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from opcode import opmap
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from sim.jit import abi, source
from sim.jit.layout import Layout
from sim.user_error import UserError

if TYPE_CHECKING:
    # conditions are about the fields of a Model: the one thing that this package knows of them
    from sim.typed_fields import ModelFields

# parameter name -> layout, for the parameters that kernels leave unannotated
STRUCTS: dict[str, Layout] = {}

LOAD_GLOBAL, EXTENDED_ARG = opmap["LOAD_GLOBAL"], opmap["EXTENDED_ARG"]

ScalarType = type[int] | type[float]
Found = TypeVar("Found")


def declare(**layouts: Layout) -> None:
    """Register the layouts of `m` and `d`; called once, where the table of fields is."""
    STRUCTS.update(layouts)


class CompileError(UserError, RuntimeError):
    """A kernel that does not compile; the message names the line, the mistake and the cure."""


class Native:
    """A function that becomes native code."""

    def __init__(self, pyfunc: Callable[..., Any]) -> None:
        self.pyfunc: FunctionType = pyfunc  # type: ignore[assignment]
        self.module = pyfunc.__module__
        self.name = f"{pyfunc.__module__}.{pyfunc.__qualname__}"
        self.__doc__ = pyfunc.__doc__
        self.__wrapped__ = pyfunc
        source.remember(self.pyfunc)

    @property
    def signature(self) -> str:
        """Its name, parameters and return type."""
        return f"{self.pyfunc.__name__}{inspect.signature(self.pyfunc)}"

    @property
    def arguments(self) -> dict[str, Layout | ScalarType | None]:
        """What is known of its parameters, by name: the layout of a struct."""
        code = self.pyfunc.__code__
        return {name: STRUCTS.get(name) for name in code.co_varnames[: code.co_argcount]}


class Helper(Native):
    """A function compiled into the units that call it."""

    def __init__(self, pyfunc: Callable[..., Any], *, inline: bool, reduce: bool) -> None:
        super().__init__(pyfunc)
        self.inline = inline
        self.reduce = reduce

    def __call__(self, *args: Any) -> Any:
        return self.pyfunc(*args)

    def __repr__(self) -> str:
        return f"<helper {self.name}>"


@cache
def _loader() -> Any:
    """The loader. It needs LLVM, so it is imported when the first kernel is called."""
    from sim.jit.loader import loader

    return loader


class Kernel(Native):
    """A compile unit: its native code is called through a cell that holds the address."""

    def __init__(
        self,
        pyfunc: Callable[..., Any],
        *,
        when: Callable[[ModelFields], object] | None,
        exact: bool = False,
    ) -> None:
        super().__init__(pyfunc)
        self.exact = exact
        self.stand_in: Callable[..., Any] | None = None
        self.when = when
        self.entry: Callable[..., Any] | None = None  # set by the loader

    @cached_property
    def params(self) -> list[Layout | ScalarType]:
        """Parameter types: a layout for a struct, int or float for a scalar."""
        hints, code = inspect.get_annotations(self.pyfunc, eval_str=True), self.pyfunc.__code__
        if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            self._refuse("A kernel takes arguments by position: its parameters have no `*`.")
        if self.pyfunc.__defaults__:
            self._refuse("A kernel has no default values: give every argument.")
        names = code.co_varnames[: code.co_argcount]
        kinds: list[Any] = [hints[n] if n in hints else STRUCTS.get(n) for n in names]
        for name, kind in zip(names, kinds, strict=True):
            if kind not in (int, float) and not isinstance(kind, Layout):
                number = f"`{name}: float` or `{name}: int`"
                self._refuse(f"A kernel takes the Model as `m`, the Data as `d`, and numbers, such as {number}.")
        return kinds

    @cached_property
    def returns(self) -> ScalarType | None:
        kind = inspect.get_annotations(self.pyfunc, eval_str=True).get("return")
        if kind not in (int, float, None):
            self._refuse("A kernel returns a number or nothing: write `-> float`, `-> int`, or no arrow.")
        return kind

    def _refuse(self, why: str) -> NoReturn:
        code = self.pyfunc.__code__
        raise CompileError(f"{code.co_filename}:{code.co_firstlineno}: in kernel {self.name}: {why}")

    @cached_property
    def structs(self) -> tuple[tuple[int, Layout, bool], ...]:
        """Which parameters are structs, of which layout, and whether that is constant."""
        return tuple((place, kind, kind.const) for place, kind in enumerate(self.params) if isinstance(kind, Layout))

    @property
    def arguments(self) -> dict[str, Layout | ScalarType | None]:
        """The types of its parameters, by name."""
        return dict(zip(super().arguments, self.params, strict=True))

    @property
    def symbol(self) -> str:
        return abi.unit_symbol(self.name)

    @property
    def cell_symbol(self) -> str:
        return abi.cell_symbol(self.name)

    def __call__(self, *args: Any) -> Any:
        if _interpreting.on:
            return (self.stand_in or self.pyfunc)(*args)
        return _loader().call(self, args)

    def is_available(self, fetch: bool = True) -> bool:
        """Whether it can run natively without compiling; `fetch`: it may be loaded from disk first."""
        if _interpreting.on:
            return False
        return self.entry is not None or bool(fetch and _loader().fetch([self]))

    def redirect(self, function: Callable[..., Any] | None) -> None:
        """Let kernels call another kernel with the same parameters, or a Python function, instead; None undoes it."""
        _loader().redirect(self, function)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"


def kernel(
    pyfunc: Callable[..., Any] | None = None,
    *,
    when: Callable[[ModelFields], object] | None = None,
    exact: bool = False,
) -> Any:
    """Make a compile unit. `when(m)`: whether a model needs it loaded ahead; otherwise it is loaded on first use."""
    make = partial(Kernel, when=when, exact=exact)
    return make if pyfunc is None else make(pyfunc)


def helper(pyfunc: Callable[..., Any] | None = None, *, reduce: bool = False) -> Any:
    """Make a function that is compiled into its callers."""
    make = partial(Helper, inline=False, reduce=reduce)
    return make if pyfunc is None else make(pyfunc)


def inline(pyfunc: Callable[..., Any] | None = None, *, reduce: bool = False) -> Any:
    """Make a small function that is always inlined into its callers."""
    make = partial(Helper, inline=True, reduce=reduce)
    return make if pyfunc is None else make(pyfunc)


class _Interpreting(threading.local):
    on = False


_interpreting = _Interpreting()


def is_interpreted() -> bool:
    """Whether kernels called on this thread run as plain Python."""
    return _interpreting.on


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Kernels called inside, on this thread, run as plain Python: for a debugger, or before they are compiled."""
    before, _interpreting.on = _interpreting.on, True
    try:
        yield
    finally:
        _interpreting.on = before


# ---------------------------------------------------------------- references of a function


def _kept(compute: Callable[[Any], Found]) -> Callable[[Any], Found]:
    """Compute once, and keep the result with the kernel or helper: it is freed with that."""
    name = f"kept_{compute.__name__}"

    def get(function: Any) -> Found:
        kept = function.__dict__
        if name not in kept:
            kept[name] = compute(function)
        found: Found = kept[name]
        return found

    return get


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those nested in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _globals(code: CodeType) -> Iterator[str]:
    """Names that a code object looks up globally; `co_names` has attribute names too."""
    instructions = code.co_code
    high = 0
    for i in range(0, len(instructions), 2):
        op, arg = instructions[i], instructions[i + 1] | high
        high = arg << 8 if op == EXTENDED_ARG else 0
        if op == LOAD_GLOBAL:
            yield code.co_names[arg >> 1]


def _referents(pyfunc: FunctionType) -> Iterator[tuple[str, Any]]:
    """(name, value) of every global and closure variable that a function's bytecode mentions."""
    for code in _codes(pyfunc.__code__):
        for name in _globals(code):
            if name in pyfunc.__globals__:
                yield name, pyfunc.__globals__[name]
    for name, cell in zip(pyfunc.__code__.co_freevars, pyfunc.__closure__ or (), strict=True):
        yield name, cell.cell_contents


@_kept
def callees(function: Kernel | Helper) -> tuple[Kernel | Helper, ...]:
    """Kernels and helpers that a function calls directly."""
    return tuple(v for _, v in _referents(function.pyfunc) if isinstance(v, (Kernel, Helper)))


@_kept
def parts(function: Kernel | Helper) -> list[Kernel | Helper]:
    """A unit, or a helper, and every helper compiled into it, in a fixed order."""
    seen: dict[Kernel | Helper, None] = {function: None}
    todo: list[Kernel | Helper] = [function]
    while todo:
        for callee in callees(todo.pop()):
            if isinstance(callee, Helper) and callee not in seen:
                seen[callee] = None
                todo.append(callee)
    return sorted(seen, key=lambda part: part.name)


@_kept
def called(unit: Kernel) -> tuple[Kernel, ...]:
    """Kernels that a unit calls through their cells."""
    return tuple(dict.fromkeys(c for part in parts(unit) for c in callees(part) if isinstance(c, Kernel)))


def reachable(roots: list[Kernel], model: Any = None) -> list[Kernel]:
    """Kernels reachable from `roots`, except those that a model does not need; always includes `roots`."""
    seen: dict[Kernel, None] = {}
    todo = list(roots)
    while todo:
        unit = todo.pop()
        if unit not in seen:
            seen[unit] = None
            todo += [c for c in called(unit) if model is None or c.when is None or c.when(model)]
    return list(seen)


def defined_in(module: ModuleType) -> list[Kernel | Helper]:
    """The kernels and helpers of a module, in the order of its lines."""
    own = [v for v in vars(module).values() if isinstance(v, (Kernel, Helper)) and v.module == module.__name__]
    return sorted(own, key=lambda function: function.pyfunc.__code__.co_firstlineno)


# ---------------------------------------------------------------- the key of a unit


def as_constant(value: Any) -> str:
    """A constant as text, the same in every process."""
    if isinstance(value, frozenset):
        return f"frozenset({sorted(map(as_constant, value))})"
    if isinstance(value, tuple):
        return f"({','.join(map(as_constant, value))})"
    if isinstance(value, (int, float, str, bytes, type(None))):
        return f"{type(value).__name__}:{value!r}"
    if isinstance(value, (Kernel, Helper)):
        return repr(value)
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    if module == "numpy" and (callable(value) or isinstance(value, ModuleType)):
        return f"numpy {value.__name__}"
    if isinstance(value, ModuleType) and module == "math":
        return "math"
    if callable(value) and module in ("math", "builtins"):
        return f"{module}.{value.__name__}"
    raise TypeError(f"a kernel may not refer to {value!r}: use numbers, tuples, helpers and kernels, by name")


@_kept
def bytecode(function: Kernel | Helper) -> str:
    """Everything in a function that affects compilation: not its comments, docstring or line numbers."""
    pyfunc, lines = function.pyfunc, []
    for code in _codes(pyfunc.__code__):
        consts = [c for c in code.co_consts if not isinstance(c, CodeType)]
        if code is pyfunc.__code__ and pyfunc.__doc__ is not None and consts and consts[0] == pyfunc.__doc__:
            consts = consts[1:]
        lines.append(code.co_code.hex())
        lines.append(
            repr(
                (
                    code.co_argcount,
                    code.co_kwonlyargcount,
                    code.co_flags,
                    code.co_varnames,
                    code.co_names,
                    code.co_freevars,
                    code.co_cellvars,
                )
            )
        )
        lines.append(";".join(map(as_constant, consts)))
    lines.append(repr(sorted(map(str, pyfunc.__annotations__.items()))))
    if any(as_constant(value).startswith("numpy ") for _, value in _referents(pyfunc)):
        # which types its functions give depends on its version
        lines.append(f"numpy {np.__version__}")
    return "\n".join(lines)


@_kept
def _function_lines(function: Kernel | Helper) -> tuple[list[str], frozenset[str]]:
    """What a function's code does not say of it, for the key of every unit that contains it; the names it mentions.

    The same for every Python.
    """
    lines = [repr(function)]
    if isinstance(function, Helper):
        lines.append(f"{function.inline} {function.reduce}")
    elif function.exact:
        lines.append("exact")
    referents = set()
    for name, value in _referents(function.pyfunc):
        signature = f"{value.params!r}{value.returns!r}" if isinstance(value, Kernel) else ""
        referents.add(f"{name}={as_constant(value)}{signature}")
    mentioned = frozenset(n for code in _codes(function.pyfunc.__code__) for n in code.co_names)
    return lines + sorted(referents), mentioned


def unit_key(unit: Kernel, platform: str, code: Callable[[Kernel | Helper], str] = bytecode) -> str:
    """Digest that identifies a unit's object code; `platform` covers versions, CPU and build mode."""
    lines = [platform, unit.name, repr(unit.params), repr(unit.returns)]
    mentioned: frozenset[str] = frozenset()
    for part in parts(unit):
        own, names = _function_lines(part)
        lines += [*own, code(part)]
        mentioned |= names
    layouts = {p.name: p for p in unit.params if isinstance(p, Layout)}
    for name in sorted(layouts):
        lines += layouts[name].digest_lines(mentioned)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]
