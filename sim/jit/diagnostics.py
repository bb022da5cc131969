"""Compile errors of kernels explained in terms of their source: file, line, mistake and cure.

A compiler speaks of types and signatures. This module reads the source instead and knows the common mistakes: Python
features that native code does not have, fields that do not exist, whole fields where a number belongs.
`explain` is for a kernel that does not compile. `check` is for one that compiles but would differ from the same code
in Python: a negative index, or a float that would be truncated to an integer.
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

from sim.jit.kernel import CompileError, Helper, Kernel, as_constant, callees, parts
from sim.jit.layout import Field, Layout

MEMORY = "only numbers and tuples. To keep more, use a field, such as `d.userdata`."
PRINT = "A kernel cannot print. Print in Python after the call, or use a Python function in its place."
BREAKPOINT = '`breakpoint()` works where a kernel runs as Python: `sim.debug(m, d, "{0}")`, or `kinetoscope debug`.'
ROUND = "The kernel is declared `-> int`, but this is a float. Write `-> float`, or `int(...)`."

# Python features that native code does not have
NOT_NATIVE: dict[type[ast.AST], str] = {
    ast.Raise: "A kernel cannot raise. Set a flag in a field, such as `d.userdata[0] = 1.0`, for Python to "
    "check, or use a Python function in its place.",
    ast.Assert: "A kernel cannot assert. Test it in Python, before or after the call.",
    ast.Try: "A kernel cannot catch exceptions: nothing in it raises any. Test for the case with `if`.",
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
    ast.Lambda: "A kernel cannot contain functions. Move the function out, and put `@sim.helper` above it.",
    ast.FunctionDef: "A kernel cannot contain functions. Move the function out, and put `@sim.helper` above it.",
    ast.ClassDef: "A kernel has no classes.",
    ast.Import: "A kernel cannot import. Import at the top of the file; of modules it may use `math` and `numpy`.",
    ast.ImportFrom: "A kernel cannot import. Import at the top of the file; of modules it may use `math` and `numpy`.",
    ast.Global: "A kernel cannot change global names. Keep the number in a field, such as `d.userdata`.",
    ast.Nonlocal: "A kernel cannot change outer names. Keep the number in a field, such as `d.userdata`.",
}

# types of values that a kernel cannot refer to by name, and the cure
FOREIGN: tuple[tuple[Any, str], ...] = (
    (FunctionType, "`{0}` is a Python function. Put `@sim.helper` above it, and it is compiled into the kernel."),
    (np.generic, "`{0}` is a numpy number. Convert it to a Python number: `{0} = {0}.item()`."),
    ((np.ndarray, list), "`{0}` can change, and native code would not notice. Make it a tuple, or use a field."),
    (ModuleType, "`{0}` is a module. A kernel may use `math`, `numpy`, and kernels and helpers by their own names."),
    (object, "`{0}` is a Python object. Give each number that the kernel needs its own global name."),
)

# operations whose operands must be numbers
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

# messages of the compiler and their meaning; the first match counts, and the last one is the message's first line
COMPILER_MESSAGES = (
    (r">>> (.+)", "There is no native `{0}`."),
    (r"Untyped global name '(\w+)'", "There is no native `{0}`."),
    (r"Cannot unify (.+) and (.+) for '(\w+)", "`{2}` is {0} on one path and {1} on another. Give it one type."),
    (r"Unknown attribute '(\w+)' of type Module\(<module '(\w+)'", "There is no native `{1}.{0}`."),
    (r"Unknown attribute '(\w+)' of type (\S+)", "`{1}` has no `{0}`."),
    (r"(?s)Traceback.*\n(\S.*)", "{0}"),
    (r"(.+)", "{0}"),
)
# how it reports a location
PLACES = (r" (?:at|from) (\S+) \((\d+)\)", r'File "(.+?)", line (\d+)')
TYPES = (
    (r"Literal\[\w+\]\((.*?)\)", r"\1"),
    (r"\b[cf]([123])(float|int|uint|bool)\w*", r"field of \1 dimensions"),
    (r"\b(float|int)64\b", r"\1"),
    (r"(Uni)?Tuple\(.+?\)", "tuple"),
)

RESULTS = {"int": int, "len": int, "float": float}


class Mistake(NamedTuple):
    """A mistake at a line; a silent one compiles nevertheless."""

    line: int
    text: str
    silent: bool


class FieldRef(NamedTuple):
    """The struct, group or field that an expression such as `d.contact.pos` refers to."""

    layout: Layout
    path: str
    text: str

    @property
    def field(self) -> Field | None:
        return self.layout.places[self.path].field if self.path in self.layout.places else None

    @property
    def is_array(self) -> bool:
        return self.field is not None and bool(self.field.shape)

    def loop_hint(self) -> str:
        """The hint to loop over the elements of a field."""
        return f"Loop over its elements: `for i in range(len({self.text}))`, `{self.element}`."

    @property
    def element(self) -> str:
        """One element of a field, as source."""
        assert self.field is not None
        return f"{self.text}[{', '.join('ijk'[: len(self.field.shape)])}]"

    def member(self, name: str) -> FieldRef | None:
        """A group or field in this struct or group."""
        path = f"{self.path}.{name}" if self.path else name
        known = self.field is None and (path in self.layout.places or path in self.layout.groups)
        return FieldRef(self.layout, path, f"{self.text}.{name}") if known else None


def explain(unit: Kernel, error: Exception | str) -> CompileError:
    """Why a unit does not compile: the first mistake in its source, or else the compiler's message."""
    for finding in _findings(unit):
        return CompileError(finding)
    files = {part.pyfunc.__code__.co_filename for part in parts(unit)}
    words = _compiler_message(str(error) or repr(error), {abspath(file): file for file in files})
    found = CompileError(f"{words} (in {repr(unit)[1:-1]})")
    found.add_note(error if isinstance(error, str) else "".join(traceback.format_exception(error)))
    return found


def check(unit: Kernel) -> None:
    """Raise CompileError for code that compiles but behaves differently than in Python."""
    for finding in _findings(unit, silent=True):
        raise CompileError(finding)


def _findings(unit: Kernel, silent: bool = False) -> Iterator[str]:
    """Mistakes in a unit, those of the kernel itself before those of its helpers."""
    for function in sorted(parts(unit), key=lambda part: part is not unit):
        code = function.pyfunc.__code__
        for finding in sorted(KernelVisitor(function).read(), key=lambda f: f.line):
            if finding.silent or not silent:
                yield f"{code.co_filename}:{finding.line}: in {repr(function)[1:-1]}: {finding.text}"


def _compiler_message(error: str, files: dict[str, str]) -> str:
    """The compiler's message in one line, with its location; `files` maps paths of the unit to names."""
    text = next(words.format(*found.groups()) for says, words in COMPILER_MESSAGES if (found := re.search(says, error)))
    for pattern, name in TYPES:
        text = re.sub(pattern, name, text)
    places = ((abspath(file), line) for says in PLACES for file, line in re.findall(says, error))
    return next((f"{files[path]}:{line}: " for path, line in places if path in files), "") + text


def _source(function: Kernel | Helper) -> ast.FunctionDef | None:
    """The syntax tree of a function, with the line numbers of its file; None if there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function.pyfunc))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    ast.increment_lineno(tree, function.pyfunc.__code__.co_firstlineno - 1)
    return tree if isinstance(tree, ast.FunctionDef) else None


def _returns(body: list[ast.stmt]) -> bool:
    """Whether a block always returns or raises."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    if isinstance(last, ast.For | ast.While):
        endless = isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
        return (endless or _returns(last.orelse)) and not _breaks(last.body)
    return isinstance(last, ast.Return | ast.Raise)


def _breaks(block: Iterable[ast.AST]) -> bool:
    """Whether a `break` leaves the loop whose block this is, not an inner one."""
    for node in block:
        inside = node.orelse if isinstance(node, ast.For | ast.While) else ast.iter_child_nodes(node)
        if isinstance(node, ast.Break) or _breaks(inside):
            return True
    return False


def _calls_itself(helper: Helper) -> bool:
    """Whether a helper calls itself, directly or through other helpers."""
    return any(helper in callees(part) for part in parts(helper))


def _did_you_mean(name: str, known: Any) -> str:
    near = get_close_matches(name, list(known), 1)
    return f" Did you mean `{near[0]}`?" if near else ""


class KernelVisitor(ast.NodeVisitor):
    """Visits the syntax tree of one function and collects its mistakes."""

    def __init__(self, function: Kernel | Helper) -> None:
        self.function = function
        self.tree = _source(function)
        pyfunc = function.pyfunc
        closure = inspect.getclosurevars(pyfunc).nonlocals
        self.names: dict[str, Any] = {**vars(builtins), **pyfunc.__globals__, **closure}
        self.local = {*pyfunc.__code__.co_varnames, *pyfunc.__code__.co_cellvars}
        self.found: list[Mistake] = []
        # what is known of local names: types of numbers, and the fields they refer to
        self.kinds: dict[str, type | None] = {}
        self.fields: dict[str, FieldRef | None] = {}
        for name, kind in function.arguments.items():
            if isinstance(kind, Layout):
                self.fields[name] = FieldRef(kind, "", name)
            else:
                self.kinds[name] = kind

    def read(self) -> list[Mistake]:
        """All mistakes."""
        if self.tree is None:
            return []
        nodes = list(ast.walk(self.tree))
        self.stored = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.kinds = {name: kind for name, kind in self.kinds.items() if name not in self.stored}
        # Python compiles a list of constants to a tuple in `for ... in` and in comparisons
        lists = [n.iter for n in nodes if isinstance(n, ast.For)]
        lists += [c for n in nodes if isinstance(n, ast.Compare) for c in n.comparators]
        self.tuples = {n for n in lists if isinstance(n, ast.List) and all(isinstance(e, ast.Constant) for e in n.elts)}
        # a parameter of a helper may happen to have the name of a struct: a number has no fields
        if isinstance(self.function, Helper):
            used = {n.value.id for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
            self.fields = {name: ref for name, ref in self.fields.items() if name in used}
            if _calls_itself(self.function):
                self.report(self.tree, "A helper cannot call itself: it is compiled into its caller. Write a loop.")
        elif self.function.returns is not None and not _returns(self.tree.body):
            self.report(self.tree, "Some paths through the kernel return nothing. End it with a `return` of a number.")
        for statement in self.tree.body:
            self.visit(statement)
        return self.found

    def report(self, node: Any, text: str, silent: bool = False) -> None:
        self.found.append(Mistake(node.lineno, text, silent))

    # what expressions refer to

    def field_ref(self, node: ast.AST) -> FieldRef | None:
        """The struct, group or field that an expression refers to."""
        if isinstance(node, ast.Name):
            return self.fields.get(node.id)
        base = self.field_ref(node.value) if isinstance(node, ast.Attribute) else None
        return base.member(node.attr) if base and isinstance(node, ast.Attribute) else None

    def value(self, node: ast.AST) -> Any:
        """The value of a global name such as `math.sin`, if there is one."""
        if isinstance(node, ast.Attribute):
            return getattr(self.value(node.value), node.attr, None)
        known = isinstance(node, ast.Name) and node.id not in self.local
        return self.names.get(node.id) if known and isinstance(node, ast.Name) else None

    def kind(self, node: ast.AST) -> type | None:
        """The type of an expression, if it is known: int, float, str or tuple."""
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
        field = self.field_ref(node.value if isinstance(node, ast.Subscript) else node)
        if field and field.field and bool(field.field.shape) == isinstance(node, ast.Subscript):
            return float if field.field.dtype.startswith("f") else int
        constant = self.value(node)
        return type(constant) if type(constant) in (int, float, str, tuple) else None

    # statements and expressions

    def visit(self, node: ast.AST) -> None:
        """Check a node and all below it, except inside constructs that native code does not have."""
        if type(node) in NOT_NATIVE and node not in self.tuples:
            self.report(node, NOT_NATIVE[type(node)])
            return
        for name in OPERANDS.get(type(node), ()):
            operands = getattr(node, name)
            for operand in operands if isinstance(operands, list) else [operands]:
                self.whole_field(operand)
        super().visit(node)

    def whole_field(self, node: ast.AST) -> None:
        """Report a whole field where a number belongs."""
        ref = self.field_ref(node)
        if ref and ref.is_array:
            self.report(node, f"`{ref.text}` is a whole field. {ref.loop_hint()}")

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in self.local:
            return
        if node.id not in self.names:
            self.report(node, f"`{node.id}` is not defined.{_did_you_mean(node.id, {*self.names, *self.local})}")
            return
        value = self.names[node.id]
        try:
            as_constant(value)
        except TypeError:
            self.report(node, next(text for kinds, text in FOREIGN if isinstance(value, kinds)).format(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        base = self.field_ref(node.value)
        module = self.value(node.value)
        if base and base.field is not None:
            hint = f"`len({base.text})` is its first extent." if base.is_array else "It is a number."
            self.report(node, f"`{base.text}` has no `.{node.attr}` in a kernel. {hint}")
        elif base and base.member(node.attr) is None:
            self.report(node, self.no_field(base, node.attr))
        elif isinstance(module, ModuleType) and not hasattr(module, node.attr):
            meant = _did_you_mean(node.attr, vars(module))
            self.report(node, f"`{ast.unparse(node.value)}` has no `{node.attr}`.{meant}")
        self.generic_visit(node)

    def no_field(self, base: FieldRef, name: str) -> str:
        """The message about a name that the table of fields does not have."""
        others = (ref.member(name) for ref in self.fields.values() if ref and ref.text != base.text)
        elsewhere = next(filter(None, others), None)
        start = f"{base.path}." if base.path else ""
        near = {path[len(start) :].partition(".")[0] for path in base.layout.places if path.startswith(start)}
        cure = f" Use `{elsewhere.text}`." if elsewhere else _did_you_mean(name, near)
        return f"`{base.text}` has no field `{name}`.{cure}"

    def visit_Subscript(self, node: ast.Subscript) -> None:
        ref = self.field_ref(node.value)
        if ref and ref.field is None:
            self.report(node, f"`{ref.text}` is a group. The index belongs to its fields: `{ref.text}.name[i]`.")
        elif ref and ref.is_array:
            self.index(node, ref)
        self.generic_visit(node)

    def index(self, node: ast.Subscript, ref: FieldRef) -> None:
        """Check an index: one integer per dimension, none of them negative."""
        assert ref.field is not None
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        shape = ref.field.shape
        if any(isinstance(item, ast.Slice) for item in items):
            self.report(node, f"A kernel has no slices. {ref.loop_hint()}")
        elif len(items) != len(shape):
            extents = ", ".join(map(str, shape))
            self.report(node, f"`{ref.text}` has the shape ({extents}): write `{ref.element}`.")
        for axis, item in enumerate(items):
            if self.kind(item) is float:
                self.report(item, f"`{ast.unparse(item)}` is a float. For an index, divide with `//`, or use `int()`.")
            if re.fullmatch(r"-\d+", ast.unparse(item)):
                extent = f"len({ref.text})" if axis == 0 else str(shape[axis])
                text = f"A kernel has no negative indices. Write `{extent} - {ast.unparse(item)[1:]}`."
                self.report(item, text, silent=True)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self.store(target, node.value)
            if isinstance(target, ast.Name) and self.stored[target.id] == 1:
                self.kinds[target.id] = self.kind(node.value)
                self.fields[target.id] = self.field_ref(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        self.store(node.target, ast.copy_location(ast.BinOp(node.target, node.op, node.value), node))

    def store(self, target: ast.expr, value: ast.expr) -> None:
        """Check an assignment to a field."""
        ref = self.field_ref(target.value if isinstance(target, ast.Subscript) else target)
        if ref is None or ref.field is None or isinstance(target, ast.Name):
            return
        kind = self.kind(value)
        if ref.layout.const:
            self.report(target, f"A kernel cannot change `{ref.text}`, nor anything else in Model. Do that in Python.")
        elif ref.is_array and isinstance(target, ast.Attribute):
            self.report(target, f"`{ref.text}` is a whole field. {ref.loop_hint()}")
        elif kind in (str, tuple, type(None)):
            self.report(target, f"`{ref.text}` holds numbers; `{ast.unparse(value)}` is not one.")
        elif kind is float and not ref.field.dtype.startswith("f"):
            what = f"`{ref.text}` holds integers; `{ast.unparse(value)}` is a float"
            self.report(target, f"{what}. Say how to round: `int(...)`.", silent=True)

    def visit_Starred(self, node: ast.Starred) -> None:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store):
            self.report(node, f"`{ast.unparse(node)}` collects several values. Give each tuple member its own name.")

    def visit_Return(self, node: ast.Return) -> None:
        self.generic_visit(node)
        if not isinstance(self.function, Kernel):
            return
        kind = self.kind(node.value) if node.value else type(None)
        name = self.function.pyfunc.__name__
        if self.function.returns is None and kind is not type(None):
            self.report(node, f"The kernel returns something without declaring it. Write `def {name}(...) -> float:`.")
        elif self.function.returns is not None and kind in (str, tuple, type(None)):
            self.report(node, f"A kernel with `-> {self.function.returns.__name__}` must return a number everywhere.")
        elif self.function.returns is int and kind is float:
            self.report(node, ROUND, silent=True)

    def visit_Call(self, node: ast.Call) -> None:
        callee, text = self.value(node.func), ast.unparse(node.func)
        if isinstance(node.func, ast.Attribute) and self.field_ref(node.func.value):
            self.report(node, f"`{text}()` is for Python. Call it there, and give the kernel the number that it needs.")
            return
        self.generic_visit(node)
        if isinstance(callee, (Kernel, Helper)):
            self.arguments(node, callee)
        elif callee is print:
            self.report(node, PRINT)
        elif callee is breakpoint:
            self.report(node, BREAKPOINT.format(self.function.pyfunc.__name__))
        elif callee is range and any(self.kind(arg) is float for arg in node.args):
            self.report(node, "`range` takes integers. Divide with `//`, or use `int()`.", silent=True)
        elif callee is not len and (fields := [s for s in map(self.field_ref, node.args) if s and s.is_array]):
            whole = f"`{fields[0].text}` is a whole field"
            self.report(node, f"`{text}` takes numbers, and {whole}. Write a loop, or a helper.")
        elif callee is np.clip:
            self.report(node, f"`{text}` is for arrays. Write `min(max(x, low), high)`.")
        elif text.startswith(("np.", "numpy.")) and not isinstance(callee, np.ufunc | type):
            self.report(node, f"`{text}` makes or takes arrays. A kernel has {MEMORY}")

    def arguments(self, node: ast.Call, callee: Kernel | Helper) -> None:
        """Check the number of arguments of a call."""
        code, name = callee.pyfunc.__code__, callee.pyfunc.__name__
        if node.keywords:
            self.report(node, f"`{name}` takes positional arguments only: leave out the names.")
            return
        wanted = code.co_varnames[: code.co_argcount]
        given = len(node.args)
        least = len(wanted) - (len(callee.pyfunc.__defaults__ or ()) if isinstance(callee, Helper) else 0)
        spread = any(isinstance(a, ast.Starred) for a in node.args)
        if not least <= given <= len(wanted) and not spread:
            self.report(node, f"`{name}({', '.join(wanted)})` takes {len(wanted)} arguments; {given} are given.")
