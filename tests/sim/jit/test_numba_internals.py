"""numba_internals.py lists what sim/jit uses of numba and llvmlite below their public interface, all and no more.

The check reads syntax trees. It sees imports, attributes of imported modules, private attributes of any object, and
what subclasses of numba's classes override.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

import sim.jit
from tests.sim.jit.numba_internals import CALLED_BY_NUMBA, INTERNALS

FOLDER = Path(sim.jit.__file__).parent
# modules whose names without an underscore are documented
PUBLIC = ("numba", "numba.types", "numba.extending", "llvmlite", "llvmlite.ir", "llvmlite.binding")


def is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


class Uses(ast.NodeVisitor):
    """The internals that one file uses."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: set[str] = set()
        self.names: dict[str, str] = {}  # in the file -> in full
        self.modules: set[str] = set()
        self.own: set[str] = set()  # private attributes that the file itself defines
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.take(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                self.read_class(node)
        self.visit(tree)
        # a module that is imported for its effect alone
        for full in self.modules.difference(PUBLIC):
            if not any(use.startswith(f"{full}.") for use in self.found):
                self.found.add(full)

    def take(self, node: ast.Import | ast.ImportFrom) -> None:
        start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            full = start + alias.name
            if full.split(".")[0] in ("numba", "llvmlite"):
                self.names[alias.asname or alias.name] = full
                if is_module(full):
                    self.modules.add(full)
                else:
                    self.use(full)

    def use(self, full: str) -> None:
        module, _, name = full.rpartition(".")
        if (module not in PUBLIC or name.startswith("_")) and not name.startswith("__"):
            self.found.add(full)

    def full_name(self, node: ast.expr) -> str:
        """The full name of a module or class of numba, or nothing."""
        if isinstance(node, ast.Attribute):
            base = self.full_name(node.value)
            return f"{base}.{node.attr}" if base and is_module(base) else ""
        return self.names.get(node.id, "") if isinstance(node, ast.Name) else ""

    def read_class(self, node: ast.ClassDef) -> None:
        """What a class defines: its own attributes, or those of numba's that it overrides."""
        bases = [base for base in map(self.full_name, node.bases) if base]
        theirs = "".join(inspect.getsource(cls) for base in bases for cls in mro(base))
        for name, in_function in defined(node):
            if name.startswith("__"):
                continue
            known = re.search(rf"\b(self\.|def ){name}\b|^    {name} =", theirs, re.MULTILINE)
            if known and (name.startswith("_") or not in_function):
                for base in bases:
                    self.use_override(base, name)
            elif name.startswith("_"):
                self.own.add(name)

    def use_override(self, base: str, name: str) -> None:
        if base.rpartition(".")[0] not in PUBLIC:
            self.found.add(f"{base}.{name}")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        full = self.full_name(node)
        if full and not is_module(full):
            self.use(full)
        elif not full and re.match(r"_[a-z]", node.attr) and node.attr not in self.own:
            covered = any(use.endswith(f".{node.attr}") for use in self.found)
            if not covered:
                self.found.add(f".{node.attr}")
        self.generic_visit(node)


def mro(name: str) -> list[type]:
    module, _, cls = name.rpartition(".")
    return [c for c in getattr(importlib.import_module(module), cls).__mro__ if c.__module__.startswith("numba")]


def defined(node: ast.ClassDef) -> list[tuple[str, bool]]:
    """(name, whether it is assigned inside a method) of the methods and attributes of a class."""
    found = [(n.name, False) for n in node.body if isinstance(n, ast.FunctionDef)]
    for n in ast.walk(node):
        if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and ast.unparse(n.value) == "self":
            found.append((n.attr, True))
    return found


def uses(source: str) -> set[str]:
    return Uses(ast.parse(source)).found


def all_uses() -> set[str]:
    """What the files of sim/jit use that import numba or llvmlite."""
    sources = (path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    return {use for text in sources if re.search(r"(import|from) (numba|llvmlite)", text) for use in uses(text)}


def test_every_internal_is_listed_and_used():
    found = all_uses()
    assert sorted(found - INTERNALS.keys()) == []
    assert sorted(INTERNALS.keys() - found) == []


SUBCLASS = """
from numba.core.lowering import Lower

class Ours(Lower):
    def lower_block(self, block):
        self._blk_local_varmap = {}
        self._own = 1
"""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from numba import types\nx = types.int64", set()),
        ("from numba.core import ssa\nssa.reconstruct_ssa(1)", {"numba.core.ssa.reconstruct_ssa"}),
        ("def f():\n    import numba.core.ssa", {"numba.core.ssa"}),
        ("from numba.core.base import _has_loc", {"numba.core.base._has_loc"}),
        ("import llvmlite.binding as llvm\nllvm.parse_assembly('')", set()),
        ("def f(library):\n    return library._final_module", {"._final_module"}),
        ("class A:\n    def __init__(self):\n        self._own = 1\n    def f(self):\n        return self._own", set()),
        (
            SUBCLASS,
            {
                "numba.core.lowering.Lower",
                "numba.core.lowering.Lower.lower_block",
                "numba.core.lowering.Lower._blk_local_varmap",
            },
        ),
    ],
)
def test_caught(source, found):
    assert uses(source) == found


def test_listed_names_exist():
    for name in INTERNALS:
        module, _, attribute = name.rpartition(".")
        if module and not is_module(name) and is_module(module):
            assert hasattr(importlib.import_module(module), attribute), name


@pytest.mark.parametrize("name", CALLED_BY_NUMBA)
def test_numba_asks_for_what_our_objects_have(name):
    """In its source: another version may ask for something else."""
    cls, _, attribute = name.partition(".")
    assert re.search(rf"\.{attribute}\b", inspect.getsource(importlib.import_module(CALLED_BY_NUMBA[name])))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.py"))
    (found,) = (n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == cls)
    assert attribute in dict(defined(found))
