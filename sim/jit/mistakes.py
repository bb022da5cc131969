"""What is wrong with a kernel, in the words of its author: file, line, mistake and cure.

A compiler speaks of types and signatures. This reads the source instead, and knows what goes wrong in first kernels:
what Python has and native code has not, fields that do not exist, whole fields where a number belongs.
`explain` is for a kernel that does not compile. `check` is for one that may, and would then do something else than
the same lines do in Python: an index that counts from the end; a fraction that is cut off, where the source tells
that it is one.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from os.path import abspath
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from sim.jit.kernel import STRUCTS, CompileError, Helper, Kernel, as_constant, callees, parts
from sim.jit.layout import Field, Layout

MEMORY = "only numbers and tuples. To keep more, use a field, such as `d.userdata`."
PRINT = "A kernel cannot print. Print in Python after the call, or use a Python function in its place."
ROUND = "The kernel says `-> int`, but this is a float. Write `-> float`, or `int(...)`."

# what Python has and native code has not
NOT_NATIVE: dict[type[ast.AST], str] = {
    ast.Raise: "A kernel cannot raise. Let it note the case in a field, such as `d.userdata[0] = 1.0`, for Python to "
    "look at, or use a Python function in its place.",
    ast.Assert: "A kernel cannot assert. Test it in Python, before or after the call.",
    ast.Try: "A kernel cannot catch exceptions, for nothing in it raises any. Test for the case with `if`.",
    ast.With: "A kernel has no `with`. Do that in Python, around the call.",
    ast.List: f"A kernel has no lists, {MEMORY}",
    ast.Set: f"A kernel has no sets, {MEMORY}",
    ast.Dict: f"A kernel has no dicts, {MEMORY}",
    ast.ListComp: "A kernel has no comprehensions. Write a `for` loop.",
    ast.SetComp: "A kernel has no comprehensions. Write a `for` loop.",
    ast.DictComp: "A kernel has no comprehensions. Write a `for` loop.",
    ast.GeneratorExp: "A kernel has no generators. Write a `for` loop.",
    ast.Yield: "A kernel has no generators. Write to fields of `d` what it finds.",
    ast.JoinedStr: "A kernel cannot make strings. Write numbers to fields of `d`, and format them in Python.",
    ast.Lambda: "A kernel has no functions inside. Move it out, and put `@sim.helper` above it.",
    ast.FunctionDef: "A kernel has no functions inside. Move it out, and put `@sim.helper` above it.",
    ast.ClassDef: "A kernel has no classes.",
    ast.Import: "A kernel cannot import. Import at the top of the file; of modules it may use `math` and `numpy`.",
    ast.ImportFrom: "A kernel cannot import. Import at the top of the file; of modules it may use `math` and `numpy`.",
    ast.Global: "A kernel cannot change global names. Keep the number in a field, such as `d.userdata`.",
    ast.Nonlocal: "A kernel cannot change outer names. Keep the number in a field, such as `d.userdata`.",
}

# what a name may not stand for: kinds of values, and the cure
FOREIGN: tuple[tuple[Any, str], ...] = (
    (FunctionType, "`{0}` is a Python function. Put `@sim.helper` above it, and it is compiled into the kernel."),
    (np.generic, "`{0}` is a number of numpy. Make it one of Python: `{0} = {0}.item()`."),
    ((np.ndarray, list), "`{0}` can change, and native code would not notice. Make it a tuple, or use a field."),
    (ModuleType, "`{0}` is a module. A kernel may use `math`, `numpy`, and kernels and helpers by their own names."),
    (object, "`{0}` is a Python object. Give each number that the kernel needs a global name of its own."),
)

# operations whose operands are numbers
OPERANDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.BinOp: ("left", "right"),
    ast.UnaryOp: ("operand",),
    ast.Compare: ("left", "comparators"),
    ast.BoolOp: ("values",),
    ast.AugAssign: ("target", "value"),
    ast.If: ("test",),
    ast.While: ("test",),
    ast.IfExp: ("test",),
    ast.For: ("iter",),
}

# what the compiler says, and what that means: the first that fits, or else its first line
WORDS = (
    (r">>> (.+)", "There is no native `{0}`."),
    (r"Untyped global name '(\w+)'", "There is no native `{0}`."),
    (r"Cannot unify (.+) and (.+) for '(\w+)", "`{2}` is {0} on one path and {1} on another. Give it one type."),
    (r"Unknown attribute '(\w+)' of type Module\(<module '(\w+)'", "Native code has no `{1}.{0}`."),
    (r"Unknown attribute '(\w+)' of type (\S+)", "`{1}` has no `{0}`."),
    (r"(?s)Traceback.*\n(\S.*)", "{0}"),
    (r"(.+)", "{0}"),
)
# how it says where
PLACES = (r" (?:at|from) (\S+) \((\d+)\)", r'File "(.+?)", line (\d+)')
TYPES = (
    (r"Literal\[\w+\]\((.*?)\)", r"\1"),
    (r"\b[cf]([123])(float|int|uint|bool)\w*", r"field of \1 dimensions"),
    (r"\b(float|int)64\b", r"\1"),
    (r"(Uni)?Tuple\(.+?\)", "tuple"),
)

RESULTS = {"int": int, "len": int, "float": float}


class Finding(NamedTuple):
    """A mistake, at a line; a silent one compiles all the same."""

    line: int
    text: str
    silent: bool


class Seen(NamedTuple):
    """What an expression such as `d.contact.pos` stands for: a struct, a group or a field."""

    layout: Layout
    path: str
    text: str

    @property
    def field(self) -> Field | None:
        return self.layout.places[self.path].field if self.path in self.layout.places else None

    @property
    def is_array(self) -> bool:
        return self.field is not None and bool(self.field.shape)

    def by_ones(self) -> str:
        """How to use a field, whose numbers a kernel takes one at a time."""
        return f"Go through its numbers one at a time: `for i in range(len({self.text}))`, `{self.element}`."

    @property
    def element(self) -> str:
        """One number of a field."""
        assert self.field is not None
        return f"{self.text}[{', '.join('ijk'[: len(self.field.shape)])}]"

    def member(self, name: str) -> Seen | None:
        """A group or field in this struct or group."""
        path = f"{self.path}.{name}" if self.path else name
        known = self.field is None and (path in self.layout.places or path in self.layout.groups)
        return Seen(self.layout, path, f"{self.text}.{name}") if known else None


def explain(unit: Kernel, error: Exception | str) -> CompileError:
    """Why a unit does not compile: the first mistake in its source, or else what the compiler says."""
    for finding in _findings(unit):
        return CompileError(finding)
    files = {part.pyfunc.__code__.co_filename for part in parts(unit)}
    words = _compilers_words(str(error) or repr(error), {abspath(file): file for file in files})
    found = CompileError(f"{words} (in {repr(unit)[1:-1]})")
    found.add_note(error if isinstance(error, str) else "".join(traceback.format_exception(error)))
    return found


def check(unit: Kernel) -> None:
    """Raise CompileError for what compiles, but is not what it is in Python."""
    for finding in _findings(unit, silent=True):
        raise CompileError(finding)


def _findings(unit: Kernel, silent: bool = False) -> Iterator[str]:
    """Mistakes in a unit, those of the kernel itself before those of its helpers."""
    for function in sorted(parts(unit), key=lambda part: part is not unit):
        code = function.pyfunc.__code__
        for finding in sorted(Reader(function).read(), key=lambda f: f.line):
            if finding.silent or not silent:
                yield f"{code.co_filename}:{finding.line}: in {repr(function)[1:-1]}: {finding.text}"


def _compilers_words(error: str, files: dict[str, str]) -> str:
    """What the compiler says, in a line: where, and what; `files` are those it may be in, names by paths."""
    text = next(words.format(*found.groups()) for says, words in WORDS if (found := re.search(says, error)))
    for pattern, name in TYPES:
        text = re.sub(pattern, name, text)
    places = ((abspath(file), line) for says in PLACES for file, line in re.findall(says, error))
    return next((f"{files[path]}:{line}: " for path, line in places if path in files), "") + text


def _source(function: Kernel | Helper) -> ast.FunctionDef | None:
    """The function as it was written, lines counted as in its file; None if that is not known."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function.pyfunc))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    ast.increment_lineno(tree, function.pyfunc.__code__.co_firstlineno - 1)
    return tree if isinstance(tree, ast.FunctionDef) else None


def _returns(body: list[ast.stmt]) -> bool:
    """Whether the end of a block is never reached."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    if isinstance(last, ast.For | ast.While):
        endless = isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
        return (endless or _returns(last.orelse)) and not _breaks(last.body)
    return isinstance(last, ast.Return | ast.Raise)


def _breaks(block: Iterable[ast.AST]) -> bool:
    """Whether a `break` in the block of a loop leaves that loop, not one inside."""
    for node in block:
        inside = node.orelse if isinstance(node, ast.For | ast.While) else ast.iter_child_nodes(node)
        if isinstance(node, ast.Break) or _breaks(inside):
            return True
    return False


def _calls_itself(helper: Helper) -> bool:
    """Whether a helper leads to itself through helpers."""
    seen: set[Any] = set()
    todo: list[Any] = [helper]
    while todo:
        for callee in callees(todo.pop()):
            if callee is helper:
                return True
            if isinstance(callee, Helper) and callee not in seen:
                seen.add(callee)
                todo.append(callee)
    return False


def _did_you_mean(name: str, known: Any) -> str:
    near = get_close_matches(name, list(known), 1)
    return f" Did you mean `{near[0]}`?" if near else ""


class Reader(ast.NodeVisitor):
    """Reads one function and notes its mistakes."""

    def __init__(self, function: Kernel | Helper) -> None:
        self.function = function
        self.tree = _source(function)
        pyfunc = function.pyfunc
        closure = inspect.getclosurevars(pyfunc).nonlocals
        self.names: dict[str, Any] = {**vars(builtins), **pyfunc.__globals__, **closure}
        self.local = {*pyfunc.__code__.co_varnames, *pyfunc.__code__.co_cellvars}
        self.found: list[Finding] = []
        # what is known of local names: the kinds of numbers, and the fields they stand for
        self.kinds: dict[str, type | None] = {}
        self.fields: dict[str, Seen | None] = {}
        args = pyfunc.__code__.co_varnames[: pyfunc.__code__.co_argcount]
        kinds = function.params if isinstance(function, Kernel) else map(STRUCTS.get, args)
        for name, kind in zip(args, kinds, strict=True):
            if isinstance(kind, Layout):
                self.fields[name] = Seen(kind, "", name)
            else:
                self.kinds[name] = kind

    def read(self) -> list[Finding]:
        """All mistakes."""
        if self.tree is None:
            return []
        nodes = list(ast.walk(self.tree))
        self.stored = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.kinds = {name: kind for name, kind in self.kinds.items() if name not in self.stored}
        # lists of constants to go through or to look something up in: Python makes tuples of them
        lists = [n.iter for n in nodes if isinstance(n, ast.For)]
        lists += [c for n in nodes if isinstance(n, ast.Compare) for c in n.comparators]
        self.tuples = {n for n in lists if isinstance(n, ast.List) and all(isinstance(e, ast.Constant) for e in n.elts)}
        # a parameter of a helper may have the name of a struct by chance; a number has no fields
        if isinstance(self.function, Helper):
            used = {n.value.id for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
            self.fields = {name: seen for name, seen in self.fields.items() if name in used}
            if _calls_itself(self.function):
                self.say(self.tree, "A helper cannot call itself, for it is compiled into its caller. Write a loop.")
        elif self.function.returns is not None and not _returns(self.tree.body):
            self.say(self.tree, "Some ways through the kernel return nothing. End it with a `return` of a number.")
        for statement in self.tree.body:
            self.visit(statement)
        return self.found

    def say(self, node: Any, text: str, silent: bool = False) -> None:
        self.found.append(Finding(node.lineno, text, silent))

    # what expressions stand for

    def seen(self, node: ast.AST) -> Seen | None:
        """The struct, group or field that an expression names."""
        if isinstance(node, ast.Name):
            return self.fields.get(node.id)
        base = self.seen(node.value) if isinstance(node, ast.Attribute) else None
        return base.member(node.attr) if base and isinstance(node, ast.Attribute) else None

    def value(self, node: ast.AST) -> Any:
        """What a global name such as `math.sin` stands for, if anything."""
        if isinstance(node, ast.Attribute):
            return getattr(self.value(node.value), node.attr, None)
        known = isinstance(node, ast.Name) and node.id not in self.local
        return self.names.get(node.id) if known and isinstance(node, ast.Name) else None

    def kind(self, node: ast.AST) -> type | None:
        """int, float, str or tuple, as far as it can be told."""
        if isinstance(node, ast.Constant):
            return int if isinstance(node.value, bool) else type(node.value)
        if isinstance(node, ast.Tuple | ast.JoinedStr):
            return tuple if isinstance(node, ast.Tuple) else str
        if isinstance(node, ast.UnaryOp):
            return int if isinstance(node.op, ast.Not) else self.kind(node.operand)
        if isinstance(node, ast.BinOp):
            sides = {self.kind(node.left), self.kind(node.right)}
            numbers = sides <= {int, float}
            return (float if float in sides or isinstance(node.op, ast.Div) else int) if numbers else None
        if isinstance(node, ast.Call):
            callee = self.value(node.func)
            return callee.returns if isinstance(callee, Kernel) else RESULTS.get(getattr(callee, "__name__", ""))
        if isinstance(node, ast.Name) and node.id in self.local:
            return self.kinds.get(node.id)
        field = self.seen(node.value if isinstance(node, ast.Subscript) else node)
        if field and field.field and bool(field.field.shape) == isinstance(node, ast.Subscript):
            return float if field.field.dtype.startswith("f") else int
        constant = self.value(node)
        return type(constant) if type(constant) in (int, float, str, tuple) else None

    # statements and expressions

    def visit(self, node: ast.AST) -> None:
        """Look at a node and all below it, but not into what native code does not have anyway."""
        if type(node) in NOT_NATIVE and node not in self.tuples:
            self.say(node, NOT_NATIVE[type(node)])
            return
        for name in OPERANDS.get(type(node), ()):
            operands = getattr(node, name)
            for operand in operands if isinstance(operands, list) else [operands]:
                self.whole_field(operand)
        super().visit(node)

    def whole_field(self, node: ast.AST) -> None:
        """A field stands where one number belongs."""
        seen = self.seen(node)
        if seen and seen.is_array:
            self.say(node, f"`{seen.text}` is a whole field. {seen.by_ones()}")

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in self.local:
            return
        if node.id not in self.names:
            self.say(node, f"`{node.id}` is not defined.{_did_you_mean(node.id, {*self.names, *self.local})}")
            return
        value = self.names[node.id]
        try:
            as_constant(value)
        except TypeError:
            self.say(node, next(text for kinds, text in FOREIGN if isinstance(value, kinds)).format(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        base = self.seen(node.value)
        module = self.value(node.value)
        if base and base.field is not None:
            hint = f"`len({base.text})` is its first extent." if base.is_array else "It is a number."
            self.say(node, f"`{base.text}` has no `.{node.attr}` in a kernel. {hint}")
        elif base and base.member(node.attr) is None:
            self.say(node, self.no_field(base, node.attr))
        elif isinstance(module, ModuleType) and not hasattr(module, node.attr):
            meant = _did_you_mean(node.attr, vars(module))
            self.say(node, f"`{ast.unparse(node.value)}` has no `{node.attr}`.{meant}")
        self.generic_visit(node)

    def no_field(self, base: Seen, name: str) -> str:
        """A name that the table of fields does not have."""
        others = (seen.member(name) for seen in self.fields.values() if seen and seen.text != base.text)
        elsewhere = next(filter(None, others), None)
        start = f"{base.path}." if base.path else ""
        near = {path[len(start) :].partition(".")[0] for path in base.layout.places if path.startswith(start)}
        cure = f" It is `{elsewhere.text}`." if elsewhere else _did_you_mean(name, near)
        return f"`{base.text}` has no field `{name}`.{cure}"

    def visit_Subscript(self, node: ast.Subscript) -> None:
        seen = self.seen(node.value)
        if seen and seen.field is None:
            self.say(node, f"`{seen.text}` is a group. The index belongs to its fields: `{seen.text}.name[i]`.")
        elif seen and seen.is_array:
            self.index(node, seen)
        self.generic_visit(node)

    def index(self, node: ast.Subscript, seen: Seen) -> None:
        """One whole number a dimension, none of them negative."""
        assert seen.field is not None
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        shape = seen.field.shape
        if any(isinstance(item, ast.Slice) for item in items):
            self.say(node, f"A kernel has no slices. {seen.by_ones()}")
        elif len(items) != len(shape):
            extents = ", ".join(map(str, shape))
            self.say(node, f"`{seen.text}` has the shape ({extents}): write `{seen.element}`.")
        for axis, item in enumerate(items):
            if self.kind(item) is float:
                self.say(item, f"`{ast.unparse(item)}` is a float. For an index, divide with `//`, or use `int()`.")
            if re.fullmatch(r"-\d+", ast.unparse(item)):
                extent = f"len({seen.text})" if axis == 0 else str(shape[axis])
                text = f"In a kernel no index counts from the end. Write `{extent} - {ast.unparse(item)[1:]}`."
                self.say(item, text, silent=True)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self.store(target, node.value)
            if isinstance(target, ast.Name) and self.stored[target.id] == 1:
                self.kinds[target.id] = self.kind(node.value)
                self.fields[target.id] = self.seen(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        self.store(node.target, ast.copy_location(ast.BinOp(node.target, node.op, node.value), node))

    def store(self, target: ast.expr, value: ast.expr) -> None:
        """What a field is given."""
        seen = self.seen(target.value if isinstance(target, ast.Subscript) else target)
        if seen is None or seen.field is None or isinstance(target, ast.Name):
            return
        kind = self.kind(value)
        if seen.layout.const:
            self.say(target, f"A kernel cannot change `{seen.text}`, nor anything else in Model. Do that in Python.")
        elif seen.is_array and isinstance(target, ast.Attribute):
            self.say(target, f"`{seen.text}` is a whole field. {seen.by_ones()}")
        elif kind in (str, tuple, type(None)):
            self.say(target, f"`{seen.text}` holds numbers; `{ast.unparse(value)}` is not one.")
        elif kind is float and not seen.field.dtype.startswith("f"):
            what = f"`{seen.text}` holds whole numbers; `{ast.unparse(value)}` is a float"
            self.say(target, f"{what}. Say how to round: `int(...)`.", silent=True)

    def visit_Starred(self, node: ast.Starred) -> None:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store):
            self.say(node, f"`{ast.unparse(node)}` takes several. Give each member of the tuple a name of its own.")

    def visit_Return(self, node: ast.Return) -> None:
        self.generic_visit(node)
        if not isinstance(self.function, Kernel):
            return
        kind = self.kind(node.value) if node.value else type(None)
        name = self.function.pyfunc.__name__
        if self.function.returns is None and kind is not type(None):
            self.say(node, f"The kernel does not say that it returns something. Write `def {name}(...) -> float:`.")
        elif self.function.returns is not None and kind in (str, tuple, type(None)):
            self.say(node, f"A kernel that says `-> {self.function.returns.__name__}` returns a number everywhere.")
        elif self.function.returns is int and kind is float:
            self.say(node, ROUND, silent=True)

    def visit_Call(self, node: ast.Call) -> None:
        callee, text = self.value(node.func), ast.unparse(node.func)
        if isinstance(node.func, ast.Attribute) and self.seen(node.func.value):
            self.say(node, f"`{text}()` is for Python. Call it there, and give the kernel the number that it needs.")
            return
        self.generic_visit(node)
        if isinstance(callee, (Kernel, Helper)):
            self.arguments(node, callee)
        elif callee is print:
            self.say(node, PRINT)
        elif callee is range and any(self.kind(arg) is float for arg in node.args):
            self.say(node, "`range` takes whole numbers. Divide with `//`, or use `int()`.", silent=True)
        elif callee is not len and (fields := [s for s in map(self.seen, node.args) if s and s.is_array]):
            whole = f"`{fields[0].text}` is a whole field"
            self.say(node, f"`{text}` takes numbers, and {whole}. Write a loop, or a helper.")
        elif callee is np.clip:
            self.say(node, f"`{text}` is for arrays. Write `min(max(x, low), high)`.")
        elif text.startswith(("np.", "numpy.")) and not isinstance(callee, np.ufunc | type):
            self.say(node, f"`{text}` makes or takes arrays. A kernel has {MEMORY}")

    def arguments(self, node: ast.Call, callee: Kernel | Helper) -> None:
        """A call gives a value to each parameter."""
        code, name = callee.pyfunc.__code__, callee.pyfunc.__name__
        if node.keywords:
            self.say(node, f"`{name}` takes its arguments by position here: leave out the names.")
            return
        wanted = code.co_varnames[: code.co_argcount]
        given = len(node.args)
        least = len(wanted) - (len(callee.pyfunc.__defaults__ or ()) if isinstance(callee, Helper) else 0)
        spread = any(isinstance(a, ast.Starred) for a in node.args)
        if not least <= given <= len(wanted) and not spread:
            self.say(node, f"`{name}` takes {len(wanted)} arguments, `{name}({', '.join(wanted)})`; here are {given}.")
