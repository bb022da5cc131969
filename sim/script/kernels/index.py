"""An index of the code of a step: stage -> kernels, field -> the functions that write it, function -> all about it.

All of it is read from the code: the order of the step from `profile.STEP`, calls from the bytecode, fields, lines and
formulas from the sources. It holds every kernel and helper of sim, those of the step first, in its order.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from sim.fields import DATA, MODEL
from sim.jit.kernel import Helper, Kernel, callees, defined_in, parts, reachable
from sim.jit.layout import Field
from sim.model import Model
from sim.pipeline.forward import run
from sim.script.kernels.accesses import Access, Reader, Sources
from sim.script.profile import STEP

# package whose kernels and helpers are listed
PACKAGE = "sim"


@dataclass(frozen=True, eq=False)
class Code:
    """A kernel or helper: where it is, its docstrings, what it reads, writes and calls, and who calls it."""

    # dotted: sim.stages.smooth.passive.springs
    name: str
    function: Kernel | Helper
    file: Path
    # the line of `def`, and the last one; 0 if it is no longer in the file
    line: int
    last: int
    signature: str
    doc: str
    module_doc: str
    reads: tuple[Access, ...]
    writes: tuple[Access, ...]
    calls: tuple[str, ...]
    callers: tuple[str, ...]
    # stages of the step that reach it, in its order
    stages: tuple[str, ...]

    @property
    def short(self) -> str:
        """Its name without the module."""
        return self.name.rpartition(".")[2]

    @property
    def is_kernel(self) -> bool:
        """Whether it is a compile unit, and not a part of others."""
        return isinstance(self.function, Kernel)

    def fields_written(self) -> tuple[str, ...]:
        """Fields that it writes, once each, as `d.qfrc_spring`."""
        return tuple(dict.fromkeys(access.field for access in self.writes))

    def fields_read(self) -> tuple[str, ...]:
        """Fields that it reads, once each."""
        return tuple(dict.fromkeys(access.field for access in self.reads))


class Found(NamedTuple):
    """What a search finds: a stage, a field or a function, by name."""

    kind: str
    name: str


class KernelIndex:
    """All of the code; names of fields are `d.qpos` and `m.body_mass`."""

    def __init__(self, codes: Mapping[str, Code], sources: Sources) -> None:
        self.codes = MappingProxyType(codes)
        self.stages = MappingProxyType(_stages())
        self.writers = MappingProxyType(_users(codes, written=True))
        self.readers = MappingProxyType(_users(codes, written=False))
        self.fields: Mapping[str, Field] = MappingProxyType(
            {f"{struct}.{field.name}": field for struct, table in (("d", DATA), ("m", MODEL)) for field in table}
        )
        self._sources = sources
        self._rows = tuple(self._searched())

    def text(self, code: Code) -> str:
        """The file of a function, as it was when the index was made."""
        return self._sources.file(str(code.file)).text

    def named(self, name: str) -> Code | None:
        """A function by its name, short or dotted; of several with the same short name the first of the step."""
        if name in self.codes:
            return self.codes[name]
        found = [code for code in self.codes.values() if code.short == name]
        return min(found, key=lambda code: not code.is_kernel) if found else None

    def computing(self, field: str) -> tuple[Code, ...]:
        """The functions that write a field, those of its owner's file or folder alone, in the order of the step."""
        return tuple(self.codes[name] for name in self.writers.get(field, ()))

    def written_below(self, code: Code) -> tuple[str, ...]:
        """Fields that are written by what a function calls, directly or not, and not by itself."""
        reached: dict[Kernel | Helper, None] = {}
        _add(reached, code.function)
        codes = [self.codes[function.name] for function in reached if function.name in self.codes]
        written = {field for one in codes for field in one.fields_written()} - {*code.fields_written()}
        return tuple(field for field in self.fields if field in written)

    def search(self, text: str) -> list[Found]:
        """Stages, fields and functions whose name, file or meaning has every word; exact names first."""
        words = text.lower().split()
        ranks = [(_rank(words, row), at) for at, row in enumerate(self._rows)] if words else []
        return [self._rows[at].found for rank, at in sorted(ranks) if rank < NOT_FOUND]

    def _searched(self) -> Iterator[_Row]:
        """What is searched."""
        for name in self.stages:
            yield _Row(Found("stage", name), name, name, name)
        for name, field in self.fields.items():
            if name in self.writers or name in self.readers:
                yield _row("field", name, field.doc)
        for name, code in self.codes.items():
            yield _row("function", name, f"{code.doc} {code.file.name}:{code.line}")


class _Row(NamedTuple):
    """A name, its last part, and both with the meaning, in lower case."""

    found: Found
    name: str
    last: str
    text: str


def _row(kind: str, name: str, meaning: str) -> _Row:
    low = name.lower()
    return _Row(Found(kind, name), low, low.rpartition(".")[2], f"{low} {meaning.lower()}")


NOT_FOUND = 4


def _rank(words: list[str], row: _Row) -> int:
    """How well a row matches: 0 exactly, 1 begins, 2 contains, 3 only with its meaning."""
    if not all(word in row.text for word in words):
        return NOT_FOUND
    if words == [row.name] or words == [row.last]:
        return 0
    if len(words) == 1 and (row.last.startswith(words[0]) or row.name.startswith(words[0])):
        return 1
    return 2 if all(word in row.name for word in words) else 3


def used_by(m: Model) -> frozenset[str]:
    """Names of the kernels and helpers that the step of a model may call."""
    units = reachable([call.kernel for call in STEP if call.is_made(m)], m)
    return frozenset(part.name for unit in units for part in parts(unit))


def make_index() -> KernelIndex:
    """Read the sources, and make the index: half a second."""
    sources = Sources()
    reader = Reader(sources)
    functions = all_functions()
    callers: dict[str, dict[str, None]] = {function.name: {} for function in functions}
    for function in functions:
        for callee in callees(function):
            callers.setdefault(callee.name, {})[function.name] = None
    stages = _stages_of(functions)
    codes = {}
    for function in functions:
        file = function.pyfunc.__code__.co_filename
        node = sources.function(function)
        reads, writes = reader.accesses(function)
        codes[function.name] = Code(
            function.name,
            function,
            Path(file),
            node.lineno if node is not None else 0,
            (node.end_lineno or 0) if node is not None else 0,
            function.signature,
            inspect.cleandoc(function.__doc__ or ""),
            sources.file(file).doc,
            reads,
            writes,
            tuple(dict.fromkeys(callee.name for callee in callees(function))),
            tuple(callers[function.name]),
            stages.get(function.name, ()),
        )
    return KernelIndex(codes, sources)


def all_functions() -> list[Kernel | Helper]:
    """All kernels and helpers that are imported: those of the step in its order, then the others by module and line."""
    found: dict[Kernel | Helper, None] = {}
    for kernel in (*(call.kernel for call in STEP), run):
        _add(found, kernel)
    modules = [(name, module) for name, module in sys.modules.items() if name.startswith(f"{PACKAGE}.")]
    rest = (function for _, module in sorted(modules) for function in defined_in(module))
    return list(found | dict.fromkeys(rest))


def _add(found: dict[Kernel | Helper, None], function: Kernel | Helper) -> None:
    """A function, then those that it calls, in the order of its code."""
    if function not in found:
        found[function] = None
        for callee in callees(function):
            _add(found, callee)


def _stages() -> dict[str, tuple[str, ...]]:
    """Stage -> its kernels, both in the order of the step."""
    found: dict[str, list[str]] = {}
    for call in STEP:
        found.setdefault(call.stage, []).append(call.kernel.name)
    return {stage: tuple(names) for stage, names in found.items()}


def _stages_of(functions: Iterable[Kernel | Helper]) -> dict[str, tuple[str, ...]]:
    """Function -> the stages that reach it."""
    found: dict[str, dict[str, None]] = {}
    for call in STEP:
        reached: dict[Kernel | Helper, None] = {}
        _add(reached, call.kernel)
        for function in reached:
            found.setdefault(function.name, {})[call.stage] = None
    return {function.name: tuple(found[function.name]) for function in functions if function.name in found}


def _users(codes: Mapping[str, Code], written: bool) -> dict[str, tuple[str, ...]]:
    """Field -> functions that write it, or read it."""
    found: dict[str, list[str]] = {}
    for name, code in codes.items():
        for field in code.fields_written() if written else code.fields_read():
            found.setdefault(field, []).append(name)
    return {field: tuple(names) for field, names in found.items()}
