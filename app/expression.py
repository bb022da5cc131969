"""Expressions that users type: `d.qpos[2]`, `norm(d.qvel)`, `d.sensor("touch").data[0] * 1e3`.

They are parsed and walked, never handed to Python: numbers, arithmetic, comparisons, a few functions, and fields of
`m` and `d` with indices, slices and elements by name. Anything else is refused with a sentence.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from sim.named import ALIASES, KINDS

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "arctan2": np.arctan2, "degrees": np.degrees, "radians": np.radians, "sum": np.sum, "mean": np.mean,
    "min": np.min, "max": np.max, "norm": np.linalg.norm, "dot": np.dot, "len": len,
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
LONGEST = 500
# a power beyond this would only keep the machine busy
LARGEST_POWER = 64


class BadExpression(ValueError):
    """The expression cannot be computed; the message says why."""


@lru_cache(maxsize=256)
def _parse(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise BadExpression("the expression is too long")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadExpression(f"this is no expression: {getattr(error, 'msg', error)}") from error


def evaluate(text: str, model: Any, data: Any) -> float:
    """The number that an expression gives; BadExpression if it gives none."""
    try:
        with np.errstate(all="ignore"):
            value = np.asarray(_value(_parse(text), {"m": model, "d": data}))
    except BadExpression:
        raise
    except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise BadExpression(str(error.args[0]) if error.args else type(error).__name__) from error
    if value.size != 1 or value.dtype.kind not in "bif":
        raise BadExpression(f"gives {value.size} numbers: add an index, or norm(...)")
    return float(value.reshape(()))


def value_or_reason(text: str, model: Any, data: Any) -> float | str:
    """The number that an expression gives, or why it gives none."""
    try:
        return evaluate(text, model, data)
    except BadExpression as error:
        return str(error)


def _value(node: ast.expr, roots: dict[str, Any]) -> Any:
    """Walk an expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | bool):
        return node.value
    if isinstance(node, ast.Name):
        found = roots.get(node.id, CONSTANTS.get(node.id))
        if found is None:
            raise BadExpression(f"'{node.id}' is unknown: fields begin with d. or m.")
        return found
    if isinstance(node, ast.Attribute):
        return _attribute(node, roots)
    if isinstance(node, ast.Subscript):
        return _value(node.value, roots)[_index(node.slice, roots)]
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        return _binary(node, roots)
    if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
        return UNARY[type(node.op)](_value(node.operand, roots))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARE:
        return COMPARE[type(node.ops[0])](_value(node.left, roots), _value(node.comparators[0], roots))
    if isinstance(node, ast.Call) and not node.keywords:
        return _call(node, roots)
    raise BadExpression(f"'{ast.unparse(node)}' is more than an expression may say")


def _attribute(node: ast.Attribute, roots: dict[str, Any]) -> Any:
    """A field of Model or Data, of a group of them, or of a named element."""
    owner = _value(node.value, roots)
    if node.attr.startswith("_"):
        raise BadExpression(f"'{node.attr}' is not a field")
    value = getattr(owner, node.attr)
    if callable(value):
        raise BadExpression(f"'{node.attr}' is not a field")
    return value


def _binary(node: ast.BinOp, roots: dict[str, Any]) -> Any:
    """Arithmetic with floats: whole numbers could grow without end."""
    left, right = _value(node.left, roots), _value(node.right, roots)
    if isinstance(node.op, ast.Pow) and np.max(np.abs(right)) > LARGEST_POWER:
        raise BadExpression("the power is too large")
    return BINARY[type(node.op)](*(float(v) if isinstance(v, int) else v for v in (left, right)))


def _call(node: ast.Call, roots: dict[str, Any]) -> Any:
    """A function of the list, or an element by its name: d.body("torso")."""
    function = node.func
    if isinstance(function, ast.Name) and function.id in FUNCTIONS:
        return FUNCTIONS[function.id](*(_value(argument, roots) for argument in node.args))
    if isinstance(function, ast.Attribute) and function.attr in (*KINDS, *ALIASES) and len(node.args) == 1:
        name = node.args[0]
        if isinstance(function.value, ast.Name) and function.value.id in ("m", "d") and isinstance(name, ast.Constant):
            return getattr(roots[function.value.id], function.attr)(name.value)
    raise BadExpression(f"'{ast.unparse(function)}' cannot be called; there are {', '.join(sorted(FUNCTIONS))}")


def _index(node: ast.expr, roots: dict[str, Any]) -> Any:
    """Whole numbers and slices of them."""
    if isinstance(node, ast.Tuple):
        return tuple(_index(part, roots) for part in node.elts)
    if isinstance(node, ast.Slice):
        return slice(*(None if p is None else _index(p, roots) for p in (node.lower, node.upper, node.step)))
    return operator.index(_value(node, roots))
