"""Statements of a module as text: which of them have changed, which names they bind, and which they read at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def meanings(tree: ast.Module) -> list[str]:
    """What each statement says, without comments, docstrings and line numbers; empty if nothing is left.

    Docstrings are taken out of the tree.
    """
    return ["" if _is_text(one) or _is_for_types(one) else ast.dump(_without_docstrings(one)) for one in tree.body]


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_for_types(statement: ast.stmt) -> bool:
    """Whether it is for type checkers only."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING" and not statement.orelse


def _without_docstrings(statement: ast.stmt) -> ast.stmt:
    for node in ast.walk(statement):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            node.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined]
    return statement


def title(statement: ast.stmt) -> str:
    """A few words that name a statement."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return f"the function `{statement.name}`"
    if isinstance(statement, ast.ClassDef):
        return f"the class `{statement.name}`"
    line = ast.unparse(statement).splitlines()[0]
    return f"`{line if len(line) < 60 else line[:56] + ' ...'}`"


def bound(statement: ast.stmt) -> set[str]:
    """Names of the module that a statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {name.asname or name.name.partition(".")[0] for name in statement.names}
    stored = (node for node in _at_once(statement) if isinstance(node, ast.Name))
    return {node.id for node in stored if isinstance(node.ctx, ast.Store | ast.Del)}


class Reads:
    """What a statement reads while its module is imported: global names, and attributes of such names."""

    def __init__(self, statement: ast.stmt) -> None:
        self.names: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        known: set[ast.AST] = set()
        for node in _at_once(statement):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                self.attributes.add((node.value.id, node.attr))
                known.add(node.value)
            elif isinstance(node, ast.Name) and node not in known and isinstance(node.ctx, ast.Load):
                self.names.add(node.id)
        # x += 1
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            self.names.add(statement.target.id)


def _at_once(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that are evaluated with a statement, parents first: not the bodies of functions, which are called later."""
    yield node
    later: list[Any] = []
    if isinstance(node, Function):
        later = node.body if isinstance(node.body, list) else [node.body]
    for child in ast.iter_child_nodes(node):
        if child not in later:
            yield from _at_once(child)
