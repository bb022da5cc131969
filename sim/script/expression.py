"""Evaluates expressions that users type: `d.qpos[2]`, `norm(d.qvel)`, `d.sensor("touch").data[0] * 1e3`.

They are parsed and walked, never passed to eval: numbers, arithmetic, comparisons, and / or / not, a few functions,
measures of elements by name (sim/analysis/measures.py), and fields of `m` and `d` with indices, slices and elements by
name. Truth is 1 or 0. Anything else is an error with a message. They are evaluated between
the steps of a running simulation: arrays are read-only, functions take their inputs and nothing more, and an
expression that would touch too many numbers is refused before it does.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from sim.analysis.elements import BadElement, nearest
from sim.analysis.measures import MEASURES
from sim.jit.layout import Layout
from sim.jit.structs import Group, Row, Struct
from sim.model import Data, Model
from sim.named import ALIASES, KINDS, ElementView
from sim.user_error import UserError

# name -> function and number of inputs; any argument after them would be an output array of numpy's
FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "abs": (np.abs, 1), "sqrt": (np.sqrt, 1), "exp": (np.exp, 1), "log": (np.log, 1), "sin": (np.sin, 1),
    "cos": (np.cos, 1), "tan": (np.tan, 1), "arctan2": (np.arctan2, 2), "degrees": (np.degrees, 1),
    "radians": (np.radians, 1), "sum": (np.sum, 1), "mean": (np.mean, 1), "min": (np.min, 1), "max": (np.max, 1),
    "norm": (np.linalg.norm, 1), "dot": (np.dot, 2), "len": (len, 1),
}  # fmt: skip
CONSTANTS = {"pi": np.pi}
BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip
TRUTH: dict[type[ast.boolop], Callable[[Any, Any], Any]] = {ast.And: np.logical_and, ast.Or: np.logical_or}
# what has fields
RECORDS = (Struct, Group, Row, ElementView)
LONGEST = 500
LONGEST_REASON = 200
# a larger power is a mistake
LARGEST_POWER = 64
# larger integers are not exact as floats
LARGEST_NUMBER = 1 << 53
# numbers that one expression may touch: about 10 ms
MOST_WORK = 4_000_000
# what a measure counts as, and each contact, body and dof that it may look at
MEASURE_WORK, ELEMENT_WORK = 10_000, 50


class BadExpression(UserError, ValueError):
    """The expression has no value; the message says why."""


@lru_cache(maxsize=256)
def parse(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise BadExpression(f"the expression is longer than {LONGEST} characters")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadExpression(f"this is not an expression: {getattr(error, 'msg', error)}") from error


def evaluate(text: str, model: Model, data: Data) -> float:
    """The value of an expression; BadExpression if it has none, for whatever reason."""
    return evaluated(Evaluator(model, data), parse(text))


def evaluated(evaluator: Evaluator, node: ast.expr) -> float:
    """The value of a whole expression."""
    try:
        with np.errstate(all="ignore"):
            value = np.asarray(numbers(evaluator.value(node)))
    except BadExpression:
        raise
    except Exception as error:
        reason = str(error.args[0]) if error.args else type(error).__name__
        raise BadExpression(reason[:LONGEST_REASON]) from error
    if value.size != 1:
        raise BadExpression(f"the value has {value.size} numbers: add an index, or norm(...)")
    return float(value.reshape(()))


def numbers(value: Any) -> Any:
    """The value, if it is a real number or an array of them."""
    if isinstance(value, RECORDS):
        raise BadExpression(f"add one of its fields: {', '.join(dir(value)[:10])} ...")
    if isinstance(value, np.ndarray | np.generic):
        real = value.dtype.kind in "biuf"
    else:
        real = isinstance(value, int | float)
    if not real:
        raise BadExpression("the value is not a real number")
    return value


def truth(value: Any) -> Any:
    """Whether numbers are true: neither 0 nor NaN."""
    return np.logical_and(value, np.equal(value, value))


def _fields(owner: Any) -> Collection[str]:
    """The fields of a record."""
    return _fields_of(owner.layout) if isinstance(owner, Struct) else dir(owner)


@lru_cache(maxsize=8)
def _fields_of(layout: Layout) -> frozenset[str]:
    """Fields and groups of Model or Data, cached: finding them takes 130 us."""
    return frozenset(name.partition(".")[0] for name in layout.places)


class Evaluator:
    """One evaluation: the variables, and how many numbers it may still touch."""

    def __init__(self, model: Model, data: Data) -> None:
        self._moment = model, data
        self._variables = {"m": model, "d": data}
        self._left = MOST_WORK

    def _spend(self, work: int) -> None:
        """Count work before it is done."""
        self._left -= work
        if self._left < 0:
            raise BadExpression(f"the expression processes more than {MOST_WORK:,} numbers: use a part of the array")

    def value(self, node: ast.expr) -> Any:
        """The value of a node."""
        if isinstance(node, ast.Constant):
            return _constant(node.value)
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return self._item(node)
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            return self._binary(node)
        if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
            return self._apply(UNARY[type(node.op)], self._number(node.operand))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._apply(np.logical_not, self._truth(node.operand))
        if isinstance(node, ast.BoolOp):
            return self._boolean(node)
        if isinstance(node, ast.Compare) and all(type(op) in COMPARE for op in node.ops):
            return self._compare(node)
        if isinstance(node, ast.Call) and not node.keywords:
            return self._call(node)
        raise BadExpression(f"'{ast.unparse(node)}' is not supported in an expression")

    def _name(self, name: str) -> Any:
        found = self._variables.get(name, CONSTANTS.get(name))
        if found is None:
            raise BadExpression(f"'{name}' is unknown: write d.{name} or m.{name}")
        return found

    def _attribute(self, node: ast.Attribute) -> Any:
        """A field of Model or Data, of a group, or of a named element; arrays are read-only."""
        owner = self.value(node.value)
        if not isinstance(owner, RECORDS) or node.attr.startswith("_") or node.attr not in _fields(owner):
            raise BadExpression(f"'{ast.unparse(node)[:LONGEST_REASON]}' is not a field")
        value = getattr(owner, node.attr)
        if isinstance(value, np.ndarray):
            value = value.view()
            value.flags.writeable = False
        return value if isinstance(value, RECORDS) else numbers(value)

    def _item(self, node: ast.Subscript) -> Any:
        """An element or a part of an array, or a row of a group."""
        owner = self.value(node.value)
        if not isinstance(owner, np.ndarray | Group):
            raise BadExpression(f"'{ast.unparse(node.value)[:LONGEST_REASON]}' has no elements")
        return owner[self._index(node.slice)]

    def _index(self, node: ast.expr) -> Any:
        """An integer or a slice, or several."""
        if isinstance(node, ast.Tuple):
            return tuple(self._index(part) for part in node.elts)
        if isinstance(node, ast.Slice):
            return slice(*(None if p is None else self._index(p) for p in (node.lower, node.upper, node.step)))
        return int(operator.index(self.value(node)))

    def _binary(self, node: ast.BinOp) -> Any:
        """Arithmetic in floats: integers could grow without bound."""
        left, right = (self._number(part) for part in (node.left, node.right))
        if isinstance(node.op, ast.Pow) and self._largest(right) > LARGEST_POWER:
            raise BadExpression(f"the exponent is larger than {LARGEST_POWER}")
        return self._apply(BINARY[type(node.op)], *(float(v) if isinstance(v, int) else v for v in (left, right)))

    def _largest(self, value: Any) -> Any:
        return np.max(np.abs(value))

    def _truth(self, node: ast.expr) -> Any:
        return self._apply(truth, self._number(node))

    def _decides(self, operation: type[ast.boolop], value: Any) -> bool:
        """Whether the value of `and` or `or` is known from its left side alone."""
        return np.size(value) == 1 and bool(np.all(value)) == (operation is ast.Or)

    def _boolean(self, node: ast.BoolOp) -> Any:
        """`and` and `or`: the right side has no value, and needs none, where the left one decides."""
        value = self._truth(node.values[0])
        for part in node.values[1:]:
            if self._decides(type(node.op), value):
                break
            value = self._apply(TRUTH[type(node.op)], value, self._truth(part))
        return value

    def _compare(self, node: ast.Compare) -> Any:
        """a < b, or a < b < c."""
        left, found = self._number(node.left), None
        for op, part in zip(node.ops, node.comparators, strict=True):
            right = self._number(part)
            holds = self._apply(COMPARE[type(op)], left, right)
            found = holds if found is None else self._apply(np.logical_and, found, holds)
            left = right
        return found

    def _number(self, node: ast.expr) -> Any:
        return numbers(self.value(node))

    def _apply(self, function: Callable[..., Any], *values: Any) -> Any:
        """Call a function on numbers or arrays, which are broadcast."""
        self._spend(prod(np.broadcast_shapes(*map(np.shape, values))))
        return function(*values)

    def _call(self, node: ast.Call) -> Any:
        """One of FUNCTIONS or of MEASURES, or an element by name: d.body("torso")."""
        function = node.func
        if isinstance(function, ast.Name) and function.id in MEASURES:
            return self._measure(function.id, node.args)
        if isinstance(function, ast.Name) and function.id in FUNCTIONS:
            compute, inputs = FUNCTIONS[function.id]
            if len(node.args) != inputs:
                raise BadExpression(f"{function.id} takes {inputs} input{'s' * (inputs > 1)}, not {len(node.args)}")
            if compute is len:
                return len(self.value(node.args[0]))
            values = [self._number(argument) for argument in node.args]
            return self._dot(*values) if compute is np.dot else self._apply(compute, *values)
        if isinstance(function, ast.Attribute) and function.attr in (*KINDS, *ALIASES) and len(node.args) == 1:
            owner, name = function.value, node.args[0]
            if isinstance(owner, ast.Name) and owner.id in self._variables and isinstance(name, ast.Constant):
                return getattr(self._variables[owner.id], function.attr)(name.value)
        if ast.unparse(function) == "rises":
            raise BadExpression("rises(x) compares with the previous step: it only works in breakpoints")
        known = [*FUNCTIONS, *MEASURES]
        near = nearest(ast.unparse(function), known)
        if "did you mean" not in near:
            near = f"; use one of {', '.join(sorted(known))}"
        raise BadExpression(f"'{ast.unparse(function)[:LONGEST_REASON]}' is not a function{near}")

    def _measure(self, name: str, arguments: Sequence[ast.expr]) -> float:
        """One of MEASURES, of elements by name."""
        measure = MEASURES[name]
        names = [part.value for part in arguments if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if len(names) < len(arguments) or not measure.required <= len(names) <= len(measure.arguments):
            raise BadExpression(f"write {measure.usage(name)} with names in quotes")
        m, d = self._moment
        self._spend(MEASURE_WORK + ELEMENT_WORK * (m.nbody + m.nv + d.ncon))
        try:
            return float(measure.function(m, d, *names))
        except BadElement as error:
            raise BadExpression(str(error)) from None

    def _dot(self, a: Any, b: Any) -> Any:
        """The product of two vectors or matrices."""
        length = np.shape(a)[-1] if np.ndim(a) and np.ndim(b) else 1
        self._spend(np.size(a) * np.size(b) // max(1, length))
        return np.dot(a, b)


def _constant(value: Any) -> int | float:
    """A literal number."""
    if not isinstance(value, int | float):
        raise BadExpression(f"{value!r:.50} is not a number")
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise BadExpression(f"the number is larger than {LARGEST_NUMBER}")
    return value
