"""Digests of functions by their syntax trees: the same for every Python, unlike those of bytecode.

They cover what a function says, not how: no comments, docstring, decorators or line numbers. Parsing all of the engine
takes half a second, so a digest of each file, which takes 2 ms for all of them, tells which files need not be parsed.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

# (time, bytes) of each file when its first function was decorated
_stamps: dict[str, tuple[int, int] | None] = {}


class File(NamedTuple):
    """Digests of a file, and of its functions by name."""

    digest: str
    functions: Mapping[str, str]


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def remember(function: FunctionType) -> None:
    """Note when the file of a function was last edited, at its import."""
    path = function.__code__.co_filename
    if path not in _stamps:
        _stamps[path] = _stamp(path)


def digest(function: FunctionType, known: Mapping[str, File]) -> str | None:
    """The digest of a function of a module; `known` has those of modules. None if its source is not at hand.

    Nor is it at hand when the file has been edited since it was imported: the function does what it said before.
    """
    path = function.__code__.co_filename
    stamp = _stamp(path)
    if stamp is None or stamp != _stamps.get(path):
        return None
    return _functions(path, stamp, known.get(function.__module__)).get(function.__qualname__)


_read: dict[str, tuple[tuple[int, int], Mapping[str, str]]] = {}


def _functions(path: str, stamp: tuple[int, int], known: File | None) -> Mapping[str, str]:
    """Digests of the functions of a file, read once."""
    if path not in _read or _read[path][0] != stamp:
        text = Path(path).read_bytes()
        same = known is not None and known.digest == file_digest(text)
        _read[path] = stamp, known.functions if known is not None and same else function_digests(text)
    return _read[path][1]


def file_of(module: str) -> File:
    """The digests of an imported module's file."""
    text = Path(str(sys.modules[module].__file__)).read_bytes()
    return File(file_digest(text), function_digests(text))


def file_digest(text: bytes) -> str:
    """The digest of a file."""
    return _short(text)


def function_digests(text: bytes) -> dict[str, str]:
    """Digests of the functions of a module's top level."""
    found: dict[str, str] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            # of several with one name, none is known
            found[node.name] = "" if node.name in found else _short(_said(node).encode())
    return {name: value for name, value in found.items() if value}


def _short(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:32]


def _said(function: ast.FunctionDef) -> str:
    """A function as text, without what does not decide its code."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    return f"{function.name} {_text(function.args)} {_text(function.returns)} {_text(body)}"


def _text(node: object) -> str:
    """A syntax tree as text. Later Pythons have more fields, which are empty for what earlier ones can say."""
    if isinstance(node, list):
        return f"[{','.join(map(_text, node))}]"
    if isinstance(node, ast.Constant):
        return f"{type(node.value).__name__}:{node.value!r}"
    if isinstance(node, ast.AST):
        fields = (f"{name}={_text(value)}" for name, value in ast.iter_fields(node) if value not in (None, []))
        return f"{type(node).__name__}({','.join(fields)})"
    return repr(node)
