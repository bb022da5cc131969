"""Reload: gives kernels and helpers the code that their files have now, in the running process.

    kernels = Reload()         # as the files are now
    kernels.take_up()          # after an edit: compiles, and exchanges all that is new at once
    kernels.go_back()          # the text before

A change is staged beside what is in use: changed functions, and every function that has one of them compiled into it,
get twins with the new code. Keys of the twins say which units have to be compiled. Only when all of them are compiled
and linked do the kernels in use get the twins' code, at a moment when no thread is in native code. Kernels that are not
loaded get it on their first call.
"""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from sim.jit import build, sources
from sim.jit.kernel import CompileError, Helper, Kernel, callees, mentions, parts
from sim.jit.reload.staging import NotTakenUp, RestartNeeded, StagedModule, parse, stage
from sim.jit.reload.statements import meanings

Function = Kernel | Helper
# of the compiler: nothing in it can be exchanged
FIXED = ("sim.jit", "sim.fields")


@dataclass
class Change:
    """A change that is compiled and can be made at any moment."""

    files: list[Path]
    # the functions whose code or constants are others now, by their full names
    functions: list[str]
    # how many units were exchanged, and how many of them were not on disk
    units: int
    compiled: int
    _apply: Callable[[], None] = field(repr=False, default=lambda: None)

    def apply(self) -> None:
        """Make it, between native calls of all threads; TimeoutError if one of them does not end."""
        self._apply()


class Reload:
    """The files of a package as this process runs them."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or Path(__file__).parents[2]).resolve()
        self._texts = {file: text for file in self.folder.rglob("*.py") if (text := sources.read(file)) is not None}
        self._first = dict(self._texts)
        self._before: list[dict[Path, str]] = []
        self._lock = threading.Lock()

    # ---- what there is to do

    def changed(self, files: Iterable[Path] | None = None) -> dict[Path, str]:
        """Texts of files that differ from those in use; NotTakenUp if a file is gone whose kernels are in use."""
        found = {}
        modules = self._modules()
        for file in self._texts if files is None else files:
            text = sources.read(file)
            if text is None and file in modules:
                raise NotTakenUp(
                    f"{file}:1: The file is gone, or cannot be read. Restore it; its kernels go on as they are."
                )
            if text is not None and text != self._texts.get(file):
                found[file] = text
                if file in modules and file in self._texts:
                    # until it is taken up, what is compiled for others is of the text in use
                    sources.run_from_now_on(modules[file].__name__, file, self._texts[file])
        return found

    def _modules(self) -> dict[Path, ModuleType]:
        """The modules of the package that are imported, by file."""
        found = {}
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if file and file.startswith(str(self.folder)) and getattr(module, "__name__", "") == name:
                found[Path(file)] = module
        return found

    def take_up(self, progress: build.Progress | None = None) -> Change:
        """Take up all files that have changed; NotTakenUp, and nothing is changed, if that fails."""
        change = self.prepare(self.changed(), progress)
        change.apply()
        return change

    def go_back(self, progress: build.Progress | None = None) -> Change:
        """Undo the last change; the files stay as they are."""
        change = self.prepare(self.before, progress)
        change.apply()
        return change

    @property
    def before(self) -> dict[Path, str]:
        """The texts before the last change; empty if there was none."""
        return self._before[-1] if self._before else {}

    def running(self, file: Path) -> str | None:
        """The text of a file that is in use."""
        return self._texts.get(file)

    # ---- compiling

    def prepare(self, texts: Mapping[Path, str], progress: build.Progress | None = None) -> Change:
        """Compile a change, and link it; nothing in use is changed yet. NotTakenUp says why it cannot be made."""
        from sim.jit.loader import key_of, loader
        from sim.jit.units import object_code

        with self._lock:
            modules = self._modules()
            for file, text in texts.items():
                self._check_fixed(file, text, modules)
            staged = stage(
                {
                    modules[file]: (file, text, self._texts.get(file, ""))
                    for file, text in texts.items()
                    if file in modules
                }
            )
            twins = Twins(staged)
            units = twins.units(loader.loaded)
            wanted = {**sources.other_than_files()}
            wanted |= {one.module.__name__: one.text for one in staged.values() if one.is_changed}
            keys = {}
            for twin in units:
                twin.texts = wanted
                keys[twin] = key_of(twin)
            same = {twins.origin[twin] for twin, key in keys.items() if _is_same(twin, twins.origin, key)}
            keys = {twin: key for twin, key in keys.items() if twins.origin.get(twin) not in same}
            compiled: list[str] = []

            def count(done: int, total: int, label: str) -> None:
                compiled[:] = [label] * total
                if progress is not None:
                    progress(done, total, label)

            try:
                code = object_code(keys, count)
                addresses = loader.link_ahead(code, twins.origin)
            except NotTakenUp:
                raise
            except CompileError as error:
                # units that share a mistake all have it
                raise NotTakenUp("\n".join(dict.fromkeys(str(error).splitlines()))) from error
            loaded = {twins.origin.get(twin, twin): where for twin, where in addresses.items()}

            # loaded by another thread meanwhile
            old = [unit for unit in twins.kernels if unit not in same]

            def apply() -> None:
                loader.exchange(loaded, old, lambda: self._commit(texts, staged))

            files = [file for file in texts if file in modules]
            return Change(files, sorted(one.name for one in twins.changed), len(keys), len(compiled), apply)

    def _check_fixed(self, file: Path, text: str, modules: Mapping[Path, ModuleType]) -> None:
        """RestartNeeded if a file of the compiler or of the table of fields says something else."""
        module = modules.get(file)
        if module is not None and f"{module.__name__}.".startswith(tuple(f"{name}." for name in FIXED)):
            if meanings(parse(file, text)) != meanings(parse(file, self._texts.get(file, ""))):
                what = "the compiler" if module.__name__.startswith("sim.jit") else "the table of fields"
                raise RestartNeeded(f"{file}:1: This is part of {what}. Restart to take it up.")

    # ---- making the change

    def _commit(self, texts: Mapping[Path, str], staged: Mapping[str, StagedModule]) -> None:
        """Give modules their new names, and functions their new code."""
        before = {file: self._texts[file] for file in texts if file in self._texts}
        if self._before and self.before == dict(texts):
            self._before.pop()
        elif any(one.is_changed for one in staged.values()):
            self._before.append(before)
        self._texts |= texts
        for one in staged.values():
            commit(one)
            sources.run_from_now_on(one.module.__name__, one.file, one.text)
        other = sorted(file for file, text in self._texts.items() if text != self._first.get(file, text))
        digests = [repr((str(file), meanings(parse(file, self._texts[file])))) for file in other]
        first = [repr((str(file), meanings(parse(file, self._first[file])))) for file in other]
        same = digests == first
        sources.InUse.version = "" if same else hashlib.sha256("\n".join(digests).encode()).hexdigest()[:16]


def _is_same(twin: Kernel, origin: Mapping[Kernel, Kernel], key: str) -> bool:
    """Whether the code of a unit will be the same."""
    from sim.jit.loader import key_of

    return twin in origin and key_of(origin[twin]) == key


def commit(one: StagedModule) -> None:
    """Let a module be what was staged."""
    names = vars(one.module)
    for name in one.removed:
        names.pop(name, None)
    names.update(one.values)
    for name, new in one.functions.items():
        known = names.get(name)
        function: Any = known if isinstance(known, Kernel | Helper) else new
        function.pyfunc = function.__wrapped__ = in_module(new.pyfunc, names)
        function.__doc__ = new.__doc__
        if isinstance(new, Helper):
            function.inline, function.reduce = new.inline, new.reduce
        else:
            function.exact = new.exact
            when: Any = new.when
            function.when = in_module(when, names) if getattr(when, "__globals__", None) is one.names else when
            function.texts = None
        names[name] = function


def in_module(pyfunc: FunctionType, names: dict[str, Any]) -> FunctionType:
    """A function with other global names."""
    made = FunctionType(pyfunc.__code__, names, pyfunc.__name__, pyfunc.__defaults__, pyfunc.__closure__)
    made.__kwdefaults__, made.__annotations__ = pyfunc.__kwdefaults__, pyfunc.__annotations__
    made.__doc__, made.__qualname__, made.__module__ = pyfunc.__doc__, pyfunc.__qualname__, pyfunc.__module__
    return made


# ---------------------------------------------------------------- twins


class Twins:
    """New versions of functions that have changed, and of all that have one of these compiled into them."""

    def __init__(self, staged: Mapping[str, StagedModule]) -> None:
        self._staged = staged
        self._names: dict[str, dict[str, Any]] = {name: one.names for name, one in staged.items()}
        # twin -> the kernel in use
        self.origin: dict[Any, Any] = {}
        self.changed = self._changed()
        self._universe = list(_all_functions())
        self._twin: dict[Function, Function] = {}
        for function in self._affected():
            self._make(function)
        # names refer to twins from now on
        for names in self._names.values():
            for name, value in list(names.items()):
                if isinstance(value, Kernel | Helper) and value in self._twin:
                    names[name] = self._twin[value]

    def _changed(self) -> list[Function]:
        """Functions in use, or new ones, whose own code or constants have changed."""
        found: dict[Function, None] = {}
        for one in self._staged.values():
            names = one.values.keys() | one.removed
            for name, new in one.functions.items():
                if name in one.edited or mentions(new.pyfunc) & names:
                    known = vars(one.module).get(name)
                    found[known if isinstance(known, Kernel | Helper) else new] = None
        return list(found)

    def _affected(self) -> list[Function]:
        """Those that have changed, and callers of helpers among them, and their callers."""
        callers: dict[Function, list[Function]] = {}
        for function in self._universe:
            for callee in callees(function):
                if isinstance(callee, Helper):
                    callers.setdefault(callee, []).append(function)
        found = dict.fromkeys(self.changed)
        todo = [function for function in self.changed if isinstance(function, Helper)]
        while todo:
            for caller in callers.get(todo.pop(), ()):
                if caller not in found:
                    found[caller] = None
                    todo += [caller] if isinstance(caller, Helper) else []
        return list(found)

    def _make(self, function: Function) -> None:
        module, _, name = function.name.rpartition(".")
        one = self._staged.get(module)
        new = one.functions.get(name) if one is not None else None
        if new is function:
            # one that was not there before
            return
        if new is None:
            if function.pyfunc.__closure__ is not None or module not in sys.modules:
                code = function.pyfunc.__code__
                raise RestartNeeded(
                    f"{code.co_filename}:{code.co_firstlineno}: {repr(function)[1:-1]} was made inside a function, and"
                    " has changed code compiled into it. Restart to take that up."
                )
            if module not in self._names:
                self._names[module] = {**vars(sys.modules[module])}
            pyfunc = in_module(function.pyfunc, self._names[module])
            if isinstance(function, Helper):
                new = Helper(pyfunc, inline=function.inline, reduce=function.reduce)
            else:
                new = Kernel(pyfunc, when=function.when, exact=function.exact)
        self._twin[function], self.origin[new] = new, function

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels in use that have twins."""
        return [function for function in self._twin if isinstance(function, Kernel)]

    def units(self, loaded: Iterable[Kernel]) -> list[Kernel]:
        """Twins of units that are in use; and for each change that none of these has, the smallest unit that has it."""
        twins = [twin for twin in self._twin.values() if isinstance(twin, Kernel)]
        in_use = {*loaded}
        found = [twin for twin in twins if self.origin[twin] in in_use]
        others = [twin for twin in twins if self.origin[twin] not in in_use]
        others += [one for one in self.changed if isinstance(one, Kernel) and one not in self._twin]
        seen = {part for twin in found for part in parts(twin)}
        for function in self.changed:
            twin: Any = self._twin.get(function, function)
            having = [unit for unit in others if twin in parts(unit)] if twin not in seen else []
            if having:
                smallest = min(having, key=lambda unit: sum(len(part.pyfunc.__code__.co_code) for part in parts(unit)))
                found.append(smallest)
                seen |= {*parts(smallest)}
        return found


def _all_functions() -> Iterable[Function]:
    """Every kernel and helper that a module has, or that is loaded."""
    from sim.jit.loader import loader

    found: dict[Function, None] = {}
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType):
            found |= {value: None for value in list(vars(module).values()) if isinstance(value, Kernel | Helper)}
    for unit in list(loader.loaded):
        found |= dict.fromkeys(parts(unit))
    return found
