"""What a changed text needs: statements that are executed again, and those that need a restart."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from sim.jit.reload.staging import NotTakenUp, RestartNeeded, imported_from, parse, stage
from sim.jit.reload.statements import Reads, bound, meanings, title
from tests.sim.jit.reload.package import Package, package


def one(text: str) -> ast.stmt:
    return ast.parse(text).body[0]


def test_meanings_leave_out_what_is_not_compiled() -> None:
    text = '"""Doc."""\nif TYPE_CHECKING:\n    import x\ndef f(a):\n    """Doc."""\n    return a  # why\n'
    other = '"""Other."""\n\n\ndef f(a):\n    return a\n'
    assert [said for said in meanings(ast.parse(text)) if said] == meanings(ast.parse(other))[1:]
    assert meanings(ast.parse("X = 1")) != meanings(ast.parse("X = 1.0"))


def test_names_of_statements() -> None:
    assert bound(one("import a.b, c as d")) == {"a", "d"}
    assert bound(one("X: int = 1")) == {"X"}
    assert bound(one("X += 1")) == {"X"}
    assert Reads(one("X += 1")).names == {"X"}
    function = Reads(one("@mark(A)\ndef f(x=B):\n    return C"))
    assert function.names == {"mark", "A", "B"}
    assert Reads(one("f = lambda x=A: B")).names == {"A"}
    assert Reads(one("X = enums.Y")).attributes == {("enums", "Y")}
    assert title(one("class A:\n    pass")) == "the class `A`"


def test_syntax_errors_name_the_line() -> None:
    with pytest.raises(NotTakenUp, match=r"^a.py:2: .*Correct it and save again"):
        parse(Path("a.py"), "x = 1\ny = (\n")


@pytest.fixture
def edited(tmp_path: Path):
    with package(tmp_path) as made:
        yield made


def staged(edited: Package, name: str, old: str, new: str):
    module = getattr(edited, name)
    file = Path(module.__file__)
    text = file.read_text()
    assert old in text
    return stage({module: (file, text.replace(old, new), text)})


@pytest.mark.release
def test_constants_are_followed_into_other_modules(edited: Package) -> None:
    found = staged(edited, "constants", "2.0\nT", "3.0\nT")
    assert {name.rpartition(".")[2]: one.values for name, one in found.items()} == {
        "constants": {"SCALE": 3.0},
        "helpers": {"SCALE": 3.0},
    }
    # nothing in use has changed
    assert edited.constants.SCALE == edited.helpers.SCALE == 2.0


@pytest.mark.release
def test_what_depends_on_a_constant_needs_a_restart(edited: Package) -> None:
    text = (edited.folder / "helpers.py").read_text()
    (edited.folder / "helpers.py").write_text(text + "\nLIST = [SCALE]\n")
    with pytest.raises(RestartNeeded, match=r"LIST = .* depends on a constant that has changed"):
        staged(edited, "constants", "2.0\nT", "3.0\nT")
    # a module that is read as a whole
    (edited.folder / "helpers.py").write_text(text + f"\nfrom {edited.name} import constants\nX = constants.SCALE\n")
    edited.helpers.constants = edited.constants
    with pytest.raises(RestartNeeded, match=r"X = constants\.SCALE"):
        staged(edited, "constants", "2.0\nT", "3.0\nT")


def test_a_statement_that_fails_and_one_that_is_gone(edited: Package) -> None:
    with pytest.raises(NotTakenUp, match=r"constants.py:1: ZeroDivisionError: .*save again"):
        staged(edited, "constants", "2.0\nT", "1 / 0\nT")
    with pytest.raises(RestartNeeded, match=r"`TABLE = .* is gone"):
        staged(edited, "constants", "TABLE = [1, 2]\n", "")
    with pytest.raises(NotTakenUp, match="`SCALE` is imported here"):
        staged(edited, "constants", "SCALE = 2.0\n", "")
    with pytest.raises(RestartNeeded, match="was something else"):
        staged(edited, "helpers", "@helper\ndef more", "from sim.jit import kernel\n@kernel\ndef more")


def test_relative_imports(edited: Package) -> None:
    statement = one("from .constants import SCALE")
    assert isinstance(statement, ast.ImportFrom)
    assert imported_from(edited.helpers, statement) == f"{edited.name}.constants"
