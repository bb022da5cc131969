"""What is asked about a moment: expressions as in plots, of one number or several, and as code for MuJoCo's names."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

import sim
from sim.analysis.measures import MEASURES
from sim.script.contact_force import contact_force
from sim.script.expression import FUNCTIONS, BadExpression, Evaluator, numbers, parse

# force and torque of a contact in its frame, by number: not an expression of plots
CONTACT_FORCE = "contact_force"
# functions of expressions whose name in numpy is another
NUMPY = {"norm": "linalg.norm"}
# numbers of one answer
MOST_NUMBERS = 1000


@dataclass(frozen=True)
class Question:
    """An expression, and what it is about: the selection, a plot, an instrument."""

    expression: str
    about: str = ""


@dataclass(frozen=True, eq=False)
class Answered:
    """A question with its value, or why it has none; `spread` is how far rounding errors move it."""

    question: Question
    value: Any = None
    fault: str = ""
    spread: float = 0.0


def answer(question: Question, m: sim.Model, d: sim.Data) -> Any:
    """The value of a question, a number or an array; BadExpression."""
    node = parse(question.expression)
    try:
        with np.errstate(all="ignore"):
            contact = _contact(node)
            value = numbers(Evaluator(m, d).value(node) if contact is None else _force(m, d, contact))
    except BadExpression:
        raise
    except Exception as error:
        raise BadExpression(str(error.args[0] if error.args else type(error).__name__)[:200]) from error
    if np.size(value) > MOST_NUMBERS:
        raise BadExpression(f"the value has {np.size(value)} numbers: use a slice of the array")
    array = np.array(value)
    return array[()].item() if array.ndim == 0 else array


def answers(questions: list[Question], m: sim.Model, d: sim.Data) -> list[Any]:
    """The values of questions; those without a value have none."""
    found = []
    for question in questions:
        try:
            found.append(answer(question, m, d))
        except BadExpression:
            found.append(np.zeros(0))
    return found


def _contact(node: ast.expr) -> int | None:
    """The number of the contact whose force is asked for."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == CONTACT_FORCE:
        if len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, int):
            return node.args[0].value
        raise BadExpression(f"write {CONTACT_FORCE}(contact index)")
    return None


def _force(m: sim.Model, d: sim.Data, contact: int) -> Any:
    if not 0 <= contact < d.ncon:
        raise BadExpression(f"contact {contact} does not exist: ncon is {d.ncon}")
    return contact_force(m, d, contact)


# ---- as code


def code(question: Question) -> str:
    """The expression as Python source, where `np`, `m` and `d` are numpy, an MjModel and an MjData."""
    text = question.expression.strip()
    tree = ast.fix_missing_locations(_Translate().visit(ast.parse(text, mode="eval")))
    # as it was typed, if it is Python as it is
    return text if ast.dump(tree) == ast.dump(ast.parse(text, mode="eval")) and "\n" not in text else ast.unparse(tree)


def uses_measures(question: Question) -> bool:
    """Whether the expression has a measure, which is Kinetoscope's own."""
    names = (node.func.id for node in _calls(question) if isinstance(node.func, ast.Name))
    return any(name in MEASURES for name in names)


def uses_contact_force(question: Question) -> bool:
    """Whether the expression is the force of a contact."""
    return any(isinstance(node.func, ast.Name) and node.func.id == CONTACT_FORCE for node in _calls(question))


def _calls(question: Question) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(question.expression, mode="eval")) if isinstance(node, ast.Call)]


class _Translate(ast.NodeTransformer):
    """Functions of expressions to those of numpy, measures to calls of `measure`; truth as Python has it."""

    def visit_Expression(self, node: ast.Expression) -> ast.AST:
        node.body = self._outer(node.body)
        return node

    def _outer(self, node: ast.expr) -> ast.expr:
        """What is outermost is one number: there, the right side is not computed if the left one decides."""
        if isinstance(node, ast.BoolOp):
            node.values = [_call("bool", self._outer(value)) for value in node.values]
            return node
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        first, *rest = (self.visit(value) for value in node.values)
        for value in rest:
            first = _call(f"np.{name}", first, value)
        return cast(ast.AST, first)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call("np.logical_not", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.parse("np.pi", mode="eval").body if node.id == "pi" else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in MEASURES:
            return _call("measure", _name("m"), _name("d"), ast.Constant(name), *node.args)
        if name == CONTACT_FORCE:
            return _call(name, _name("mujoco"), _name("m"), _name("d"), *node.args)
        if name in FUNCTIONS and name != "len":
            return _call(f"np.{NUMPY.get(name, name)}", *node.args)
        return node


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.parse(function, mode="eval").body, [*arguments], [])
