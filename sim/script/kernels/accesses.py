"""Which fields of Model and Data a kernel or helper reads and writes, and in which lines: read from its source.

A field counts for the function that names it: `put3(d.xpos, b, v)` writes xpos here, `kinematics(m, d)` does so there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from sim.jit.kernel import Helper, Kernel
from sim.jit.layout import Layout

# functions that are told an array and read nothing in it
NOT_READING = ("len",)


class Access(NamedTuple):
    """A field, as `d.contact.dist`, and a line of the file where it is read or written."""

    field: str
    line: int


class Accesses(NamedTuple):
    """What a function reads and writes itself, in the order of lines."""

    reads: tuple[Access, ...]
    writes: tuple[Access, ...]


class Sources:
    """Source files as they are now on disk, each read and parsed once."""

    def __init__(self) -> None:
        self._files: dict[str, SourceFile] = {}

    def function(self, function: Kernel | Helper) -> ast.FunctionDef | None:
        """The syntax tree of a function, by its name: lines may have moved since it was imported."""
        code = function.pyfunc.__code__
        return self.file(code.co_filename).functions.get(code.co_name)

    def file(self, file: str) -> SourceFile:
        """A file; one that cannot be read is empty."""
        if file not in self._files:
            try:
                text = Path(file).read_text(encoding="utf-8")
                tree = ast.parse(text)
            except (OSError, ValueError, SyntaxError):
                text, tree = "", ast.Module([], [])
            functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
            self._files[file] = SourceFile(text, ast.get_docstring(tree) or "", functions)
        return self._files[file]


class SourceFile(NamedTuple):
    """A file: its text, its docstring, and its functions by name."""

    text: str
    doc: str
    functions: dict[str, ast.FunctionDef]


class Reader:
    """Finds out the accesses of functions; what a function does with its parameters is known to its callers."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._bodies: dict[Kernel | Helper, _Body] = {}

    def accesses(self, function: Kernel | Helper) -> Accesses:
        """What a function reads and writes itself."""
        body = self._body(function)
        return Accesses(_fields(body, body.reads), _fields(body, body.writes))

    def _body(self, function: Kernel | Helper) -> _Body:
        if function not in self._bodies:
            body = self._bodies[function] = _Body(function, self._sources.function(function))
            # a call in a ring would find an empty body
            body.read(self._body)
        return self._bodies[function]


class Place(NamedTuple):
    """A path from a parameter, `d.contact`, and the line where it is used."""

    path: str
    line: int


class _Body:
    """One function: places that it reads and writes, in terms of its parameters."""

    def __init__(self, function: Kernel | Helper, tree: ast.FunctionDef | None) -> None:
        self.function, self.tree = function, tree
        arguments = function.arguments
        self.parameters = tuple(arguments)
        self.structs = {name: kind for name, kind in arguments.items() if isinstance(kind, Layout)}
        self.reads: dict[Place, None] = {}
        self.writes: dict[Place, None] = {}
        self._find: _Find | None = None

    def read(self, find: _Find) -> None:
        """Walk through the function; `find` gives the bodies of what it calls."""
        if self.tree is not None:
            self._find = find
            for statement in self.tree.body:
                self._visit(statement)

    # what expressions refer to

    @cached_property
    def aliases(self) -> dict[str, set[str]]:
        """Local names that may stand for a parameter or something in it."""
        assert self.tree is not None
        found: dict[str, set[str]] = {name: {name} for name in self.parameters}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign | ast.NamedExpr):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for name, value in (pair for target in targets for pair in _pairs(target, node.value)):
                    # an element is a number: what is done with it is not done with the array
                    if isinstance(name, ast.Name) and not isinstance(value, ast.Subscript):
                        found.setdefault(name.id, set()).update(self._paths(value, found))
        return found

    def _paths(self, node: ast.AST, aliases: Mapping[str, set[str]]) -> set[str]:
        """What an expression may refer to, dotted: d.contact.dist[c, 0] -> d.contact.dist."""
        if isinstance(node, ast.Name):
            return aliases.get(node.id, set())
        if isinstance(node, ast.Attribute):
            return {f"{path}.{node.attr}" for path in self._paths(node.value, aliases)}
        if isinstance(node, ast.Subscript | ast.Starred):
            return self._paths(node.value, aliases)
        if isinstance(node, ast.IfExp):
            return self._paths(node.body, aliases) | self._paths(node.orelse, aliases)
        return set()

    # statements and expressions

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            self._call(node)
            return
        if isinstance(node, ast.Attribute | ast.Subscript):
            paths = self._paths(node, self.aliases)
            stored = not isinstance(node.ctx, ast.Load)
            for path in paths:
                (self.writes if stored else self.reads)[Place(path, node.lineno)] = None
            if isinstance(node, ast.Subscript):
                self._visit(node.slice)
            if paths:
                return
        if isinstance(node, ast.AugAssign):
            for path in self._paths(node.target, self.aliases):
                self.reads[Place(path, node.lineno)] = None
        for child in ast.iter_child_nodes(node):
            # `x = d.xpos` reads nothing yet
            named = isinstance(node, ast.Assign) and child is node.value and not self._is_number(child)
            if named and isinstance(child, ast.IfExp) and self._paths(child, self.aliases):
                self._visit(child.test)
            elif not (named and isinstance(child, ast.Attribute)):
                self._visit(child)

    def _is_number(self, node: ast.AST) -> bool:
        """Whether an expression names a scalar field."""
        return any(self._is_scalar(path) for path in self._paths(node, self.aliases))

    def _is_scalar(self, path: str) -> bool:
        head, _, rest = path.partition(".")
        layout = self.structs.get(head)
        return layout is not None and rest in layout.places and not layout.places[rest].field.shape

    def _call(self, node: ast.Call) -> None:
        """A call: what the function does with its parameters is done with the arguments."""
        callee = self.function.pyfunc.__globals__.get(node.func.id) if isinstance(node.func, ast.Name) else None
        body = self._find(callee) if self._find is not None and isinstance(callee, Kernel | Helper) else None
        silent = isinstance(node.func, ast.Name) and node.func.id in NOT_READING
        for place, argument in enumerate(node.args):
            paths = self._paths(argument, self.aliases)
            if isinstance(argument, ast.Subscript):
                self._visit(argument.slice)
            if body is not None and place < len(body.parameters):
                self._pass(paths, body, body.parameters[place], node.lineno)
            if not paths:
                self._visit(argument)
            elif (body is None and not silent) or isinstance(argument, ast.Subscript) or self._is_number(argument):
                self.reads |= {Place(path, argument.lineno): None for path in paths}

    def _pass(self, paths: set[str], body: _Body, parameter: str, line: int) -> None:
        # a whole Model or Data is passed on: the callee names the fields
        named = [path for path in paths if path not in self.structs]
        for done, known in ((self.reads, body.reads), (self.writes, body.writes)) if named else ():
            for place in [*known]:
                head, dot, rest = place.path.partition(".")
                if head == parameter:
                    done |= {Place(f"{path}{dot}{rest}", line): None for path in named}


_Find = Callable[[Kernel | Helper], _Body]


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Names and what is assigned to them."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=False))
    return [(target, value)]


def _fields(body: _Body, places: Iterable[Place]) -> tuple[Access, ...]:
    """The fields among places that a function names itself."""
    found = (Access(name, place.line) for place in places if (name := _field(body, place.path)))
    return tuple(sorted(set(found), key=lambda access: (access.line, access.field)))


def _field(body: _Body, path: str) -> str:
    """The field that a path leads to; empty if there is none: a group, or a number."""
    head, _, rest = path.partition(".")
    layout = body.structs.get(head)
    while layout is not None and rest and rest not in layout.places:
        rest = rest.rpartition(".")[0]
    return f"{layout.name}.{rest}" if layout is not None and rest else ""
