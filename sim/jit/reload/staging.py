"""Changed texts of modules, executed beside the modules in use: kernels, helpers, constants and imports, nothing else.

Only the statements that have changed are executed, and those constants that follow from them, in a copy of the module's
names. A change of anything else needs a restart: a class, a table, a function of plain Python, a field. What other
modules import from a changed one is followed.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.jit import sources
from sim.jit.kernel import CompileError, Helper, Kernel, as_constant, helper, inline, kernel
from sim.jit.reload.statements import Reads, bound, meanings, title

DECORATORS = (kernel, helper, inline)
# that a module is executed, because what it imports was
MOST_TIMES = 8


class NotTakenUp(CompileError):
    """A change that was not taken up: the kernels in use stay. The message names the line, the mistake and the cure."""


class RestartNeeded(NotTakenUp):
    """A change that only a restart takes up."""


def parse(file: Path, text: str) -> ast.Module:
    """The syntax tree of a text; NotTakenUp if it has none."""
    try:
        return ast.parse(text, str(file))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        what = getattr(error, "msg", None) or str(error)
        raise NotTakenUp(f"{file}:{line}: {what[:1].upper()}{what[1:]}. Correct it and save again.") from None


class StagedModule:
    """A module with its names as they will be. `names` has the kernels and helpers in use wherever there are such."""

    def __init__(self, module: ModuleType, file: Path, text: str, before: str) -> None:
        self.module, self.file, self.text, self.before = module, file, text, before
        self.tree, self._old_tree = parse(file, text), parse(file, before)
        self._said, self._said_before = meanings(parse(file, text)), meanings(parse(file, before))
        # not if only comments and docstrings have
        self.is_changed = Counter(filter(None, self._said)) != Counter(filter(None, self._said_before))
        # of `from __future__ import`: code has them
        self._flags = 0
        for one in self.tree.body:
            if isinstance(one, ast.ImportFrom) and one.module == "__future__":
                self._flags |= sum(getattr(__future__, name.name).compiler_flag for name in one.names)
        self.names: dict[str, Any] = {**vars(module)}
        # functions as they will be, by name; and those of them that are not only at another line
        self.functions: dict[str, Kernel | Helper] = {}
        self.edited: set[str] = set()
        # values that will be others, and names that will be gone
        self.values: dict[str, Any] = {}
        self.removed: set[str] = set()

    def execute(self, import_name: Callable[..., Any], staged: Mapping[str, StagedModule]) -> None:
        """Execute what has changed, and what follows from it."""
        self.names["__builtins__"] = {**vars(builtins), "__import__": import_name}
        old = Counter(self._said_before)
        new: list[bool] = []
        for said in self._said:
            new.append(bool(said) and not old[said])
            old[said] -= 1
        self._find_removed(+old)
        # a constant that is made in several steps is made again from the first
        binders = Counter(name for statement in self.tree.body for name in bound(statement))
        again = {name for one, is_new in zip(self.tree.body, new, strict=True) if is_new for name in bound(one)}
        again = {name for name in again if binders[name] > 1}
        for statement, is_new, said in zip(self.tree.body, new, self._said, strict=True):
            if said:
                edited = is_new or bool(bound(statement) & again) or self._follows(statement, staged)
                if edited or self._is_native(statement):
                    self._execute(statement, edited)
        self.names["__builtins__"] = vars(self.module).get("__builtins__", builtins)

    def _find_removed(self, gone: Counter[str]) -> None:
        """Names whose statements are gone; RestartNeeded if one that is gone was neither a kernel nor a number."""
        left = {name for statement in self.tree.body for name in bound(statement)}
        for statement, said in zip(self._old_tree.body, self._said_before, strict=True):
            if not said or gone[said] <= 0 or bound(statement) == {"__all__"}:
                continue
            names = bound(statement) - left
            values = [vars(self.module).get(name) for name in names]
            imported = isinstance(statement, ast.Import | ast.ImportFrom)
            if not bound(statement) or not (imported or all(map(_is_constant, values))):
                raise RestartNeeded(f"{self.file}:1: {title(statement)} is gone. Restart to take that up.")
            self.removed |= names
        for name in self.removed:
            self.names.pop(name, None)

    def _follows(self, statement: ast.stmt, staged: Mapping[str, StagedModule]) -> bool:
        """Whether a statement reads, while the module is imported, a value that has changed."""
        if isinstance(statement, ast.ImportFrom):
            source = staged.get(imported_from(self.module, statement))
            return source is not None and any(name.name in ("*", *source.values) for name in statement.names)
        reads = Reads(statement)
        if reads.names & self.values.keys():
            return True
        # modules that were imported by name
        for name in {*reads.names, *(name for name, _ in reads.attributes)}:
            value = self.names.get(name)
            other = staged.get(value.__name__) if isinstance(value, ModuleType) else None
            if other is not None and other.values:
                read = {attribute for of, attribute in reads.attributes if of == name}
                if name in reads.names or read & other.values.keys():
                    raise self._restart(statement)
        return False

    def _is_native(self, statement: ast.stmt) -> bool:
        """Whether it makes a kernel or a helper."""
        if not isinstance(statement, ast.FunctionDef) or len(statement.decorator_list) != 1:
            return False
        mark = statement.decorator_list[0]
        mark = mark.func if isinstance(mark, ast.Call) else mark
        if not isinstance(mark, ast.Name | ast.Attribute):
            return False
        try:
            return eval(ast.unparse(mark), dict(self.names)) in DECORATORS
        except (NameError, AttributeError):
            return False

    def _execute(self, statement: ast.stmt, edited: bool) -> None:
        """Execute a statement: RestartNeeded if it is not one that can be taken up."""
        native = self._is_native(statement)
        values = isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Import | ast.ImportFrom)
        if not native and bound(statement) == {"__all__"}:
            return
        if not native and not values:
            raise self._restart(statement)
        before = dict(self.names)
        try:
            code = compile(ast.Module([statement], []), str(self.file), "exec", self._flags, dont_inherit=True)
            exec(code, self.names)  # noqa: S102
        except CompileError:
            raise
        except Exception as error:
            where = f"{self.file}:{statement.lineno}"
            raise NotTakenUp(f"{where}: {type(error).__name__}: {error}. Correct it and save again.") from None
        for name in {*bound(statement), *(self.names.keys() - before.keys())}:
            if native:
                self._take_function(statement, name, edited)
            elif name in self.names:
                self._take_value(statement, name)

    def _take_function(self, statement: ast.stmt, name: str, edited: bool) -> None:
        new, known = self.names[name], vars(self.module).get(name)
        self.functions[name] = new
        if edited:
            self.edited.add(name)
        if known is None:
            return
        if type(known) is not type(new) or known.name != new.name:
            raise RestartNeeded(
                f"{self.file}:{statement.lineno}: {title(statement)} was something else. Restart to take it up."
            )
        if isinstance(new, Kernel) and edited and (new.params, new.returns) != (known.params, known.returns):
            raise RestartNeeded(
                f"{self.file}:{statement.lineno}: the kernel `{name}` has other parameters, or returns something else:"
                f" it was `{known.signature}`. Restart to take that up."
            )
        # whoever refers to it refers to the one in use
        self.names[name] = known

    def _take_value(self, statement: ast.stmt, name: str) -> None:
        value, missing = self.names[name], object()
        known = vars(self.module).get(name, missing)
        if value is known or (type(value) is type(known) and _is_constant(value) and value == known):
            return
        imported = isinstance(statement, ast.Import | ast.ImportFrom)
        if not imported and not (_is_constant(value) and (known is missing or _is_constant(known))):
            raise self._restart(statement)
        self.values[name] = value

    def _restart(self, statement: ast.stmt) -> RestartNeeded:
        what = f"{self.file}:{statement.lineno}: {title(statement)}"
        reason = "has changed" if self.is_changed else "depends on a constant that has changed"
        return RestartNeeded(f"{what} {reason}, and is neither a kernel nor a number. Restart to take it up.")


def _is_constant(value: Any) -> bool:
    """Whether it is a value that kernels may refer to."""
    try:
        as_constant(value)
    except TypeError:
        return False
    return True


def imported_from(module: ModuleType, statement: ast.ImportFrom) -> str:
    """The full name of the module that a statement imports from."""
    if not statement.level:
        return statement.module or ""
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    for _ in range(statement.level - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{statement.module}" if statement.module else package


# ---------------------------------------------------------------- all modules of a change


def stage(texts: Mapping[ModuleType, tuple[Path, str, str]]) -> dict[str, StagedModule]:
    """Modules by name, those that import from others after them; `texts`: their file, new text and text in use."""
    todo = {module.__name__: StagedModule(module, *text) for module, text in texts.items()}
    staged: dict[str, StagedModule] = {}
    times: Counter[str] = Counter()
    while todo:
        # those first that import from no other that is still to come
        free = (name for name, one in todo.items() if not _sources(one) & (todo.keys() - {name}))
        name = next(free, next(iter(todo)))
        one = todo.pop(name)
        times[name] += 1
        if times[name] > MOST_TIMES:
            raise RestartNeeded(f"{one.file}:1: it and what it imports import each other. Restart to take it up.")
        one.execute(_importer(one.module, staged), staged)
        staged[name] = one
        if one.values or one.removed:
            for user in _users(one, staged, todo):
                todo[user.module.__name__] = user
    return staged


def _sources(one: StagedModule) -> set[str]:
    """Names of modules that one imports from."""
    found: set[str] = set()
    for statement in one.tree.body:
        if isinstance(statement, ast.ImportFrom):
            origin = imported_from(one.module, statement)
            found |= {origin, *(f"{origin}.{name.name}" for name in statement.names)}
        elif isinstance(statement, ast.Import):
            found |= {name.name for name in statement.names}
    return found


def _users(
    one: StagedModule, staged: Mapping[str, StagedModule], todo: Mapping[str, StagedModule]
) -> list[StagedModule]:
    """Modules that import a name which has changed or is gone; NotTakenUp if it is gone."""
    found = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if (
            name in todo
            or name == one.module.__name__
            or name.startswith("sim.jit.")
            or not isinstance(module, ModuleType)
        ):
            continue
        if not file or not file.endswith(".py"):
            continue
        known = staged.get(name)
        text = known.text if known is not None else sources.text_of(name, Path(file))
        if text is None or not any(word in text for word in (*one.values, *one.removed)):
            continue
        user = StagedModule(module, Path(file), text, known.before if known is not None else text)
        if one.module.__name__ in _sources(user):
            _check_imports(user, one)
            found.append(user)
    return found


def _check_imports(user: StagedModule, one: StagedModule) -> None:
    for statement in user.tree.body:
        if isinstance(statement, ast.ImportFrom) and imported_from(user.module, statement) == one.module.__name__:
            for name in statement.names:
                if name.name in one.removed:
                    where = f"{user.file}:{statement.lineno}"
                    raise NotTakenUp(
                        f"{where}: `{name.name}` is imported here, but {one.file} has it no more."
                        " Correct one of the two and save again."
                    )


def _importer(module: ModuleType, staged: Mapping[str, StagedModule]) -> Callable[..., Any]:
    """`__import__` that finds what is staged."""

    def import_name(name: str, globals_: Any = None, locals_: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        found = builtins.__import__(name, vars(module), locals_, fromlist, level)
        one = staged.get(getattr(found, "__name__", "")) if fromlist else None
        if one is None:
            return found
        copy = ModuleType(found.__name__)
        vars(copy).update({name: value for name, value in one.names.items() if name not in one.removed})
        return copy

    return import_name
