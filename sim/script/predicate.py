"""Predicates: expressions that are watched from step to step, `touching("foot", "floor") and rises(energy()) > 0.1`.

Besides what any expression may say, `rises(x)` is how much x has grown since the previous step.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sim.analysis.measures import MEASURES
from sim.model import Data, Model
from sim.named import ALIASES, KINDS
from sim.script.expression import BadExpression, Evaluator, evaluated, parse

# fields of Data that a step leaves as they are at the new state; all others follow from it
OF_THE_STATE = {"time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "qfrc_applied", "xfrc_applied"}
RISES = "rises"


class Named(NamedTuple):
    """A place where an expression names elements: a measure or d.joint(...), and the names."""

    function: str
    names: tuple[str, ...]


@dataclass
class Predicate:
    """An expression, and what it remembers of the step before."""

    text: str
    # how many times it was evaluated; values at the last time by node, of the arguments of `rises` with that count
    _count: int = 0
    _values: dict[int, Any] = field(default_factory=dict)
    _before: dict[int, tuple[int, float]] = field(default_factory=dict)

    @cached_property
    def tree(self) -> ast.expr:
        """The expression, parsed; BadExpression if it is none."""
        return parse(self.text)

    def value(self, m: Model, d: Data) -> float:
        """The value now, one step after the last one; BadExpression if there is none."""
        self._count += 1
        self._values.clear()
        value = evaluated(_Watching(m, d, self._count, self._values, self._before), self.tree)
        self._values[id(self.tree)] = value
        return value

    def forget(self) -> None:
        """The next step is not the one after the last."""
        self._before.clear()

    @cached_property
    def looks_back(self) -> bool:
        """Whether it compares with the step before."""
        return any(_called(node) == RISES for node in ast.walk(self.tree))

    @cached_property
    def needs_forward(self) -> bool:
        """Whether it reads what follows from the state, not the state alone."""
        tree = self.tree
        inner = {id(n.value): n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
        inner |= {id(n.func): "" for n in ast.walk(tree) if isinstance(n, ast.Call)}
        for node in ast.walk(tree):
            if _called(node) in MEASURES:
                return True
            if isinstance(node, ast.Name) and node.id == "d" and inner.get(id(node)) not in OF_THE_STATE:
                return not self._joints_alone(tree)
        return False

    def _joints_alone(self, tree: ast.expr) -> bool:
        """Whether every use of d is a field of the state, directly or of a joint: d.joint("knee").qvel[0]."""
        allowed = 0
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in OF_THE_STATE:
                owner = node.value
                if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):
                    owner = owner.func.value if owner.func.attr in ("joint", "jnt") else owner
                allowed += isinstance(owner, ast.Name) and owner.id == "d"
        return allowed == sum(isinstance(node, ast.Name) and node.id == "d" for node in ast.walk(tree))

    def numbers(self) -> list[tuple[str, float]]:
        """The numbers that decided at the last time, with what they are of."""
        found: dict[str, float] = {}
        for node in _deciding(self.tree):
            value = self._values.get(id(node))
            if value is not None and np.size(value) == 1:
                found[ast.unparse(node).replace("'", '"')] = float(np.reshape(value, ()))
        return list(found.items())

    def detail(self) -> str:
        """These numbers as text: `normal_force("foot") = 123.4`; empty if there is none."""
        return ", ".join(f"{name} = {value:.6g}" for name, value in self.numbers())

    def named(self) -> list[Named]:
        """Where it names elements, in order."""
        found = []
        for node in ast.walk(self.tree):
            name = _called(node)
            if isinstance(node, ast.Call) and (name in MEASURES or name in KINDS or name in ALIASES):
                names = [part.value for part in node.args if isinstance(part, ast.Constant)]
                found.append(Named(ALIASES.get(name, name), tuple(n for n in names if isinstance(n, str))))
        return found


class _Watching(Evaluator):
    """One evaluation of a predicate."""

    def __init__(
        self, m: Model, d: Data, count: int, values: dict[int, Any], before: dict[int, tuple[int, float]]
    ) -> None:
        super().__init__(m, d)
        self._count, self._values, self._before = count, values, before

    def _number(self, node: ast.expr) -> Any:
        value = super()._number(node)
        self._values[id(node)] = value
        return value

    def _call(self, node: ast.Call) -> Any:
        if _called(node) != RISES:
            return super()._call(node)
        if len(node.args) != 1:
            raise BadExpression("write rises(x): how much x has grown since the previous step")
        value = self._number(node.args[0])
        if np.size(value) != 1:
            raise BadExpression("rises takes one number: add an index, or norm(...)")
        number = float(np.reshape(value, ()))
        count, before = self._before.get(id(node), (0, 0.0))
        self._before[id(node)] = self._count, number
        # where `and` has skipped it, the value before is of some older step
        return max(number - before, 0.0) if count == self._count - 1 and count else 0.0


def _called(node: ast.AST) -> str:
    """The name of the function that a node calls."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _deciding(node: ast.expr) -> Iterator[ast.expr]:
    """The sides of comparisons that are not constants; of what is not a comparison, the whole."""
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            yield from _deciding(part)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _deciding(node.operand)
    elif isinstance(node, ast.Compare):
        for side in (node.left, *node.comparators):
            if any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(side)):
                yield side
    else:
        yield node
