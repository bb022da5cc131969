"""Sizes, docstrings, words and the tree: what keeps the project readable, held by a test."""

from __future__ import annotations

import ast
import fnmatch
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.code.test_layering import native_functions
from tests.where import files_of_docstring, where

ROOT = Path(__file__).resolve().parents[2]

# ---- the rules ----

TOP_LEVEL = {"LICENSE", "NOTICE", "README.md", "app", "pyproject.toml", "scenes", "shaders", "sim", "tests"}
DOT_FOLDERS = (".ci", ".github")

# one idea may take so many lines
FILE_LINES = 800
FUNCTION_LINES = 60

CODE = (".py", ".vert", ".frag", ".geom", ".glsl")
VAGUE_NAMES = ("utils.py", "util.py", "misc.py", "helpers.py", "common.py")

# written apart, so that this file passes its own test
FORBIDDEN = tuple(
    "".join(parts)
    for parts in (
        ("/wo", "rk/"),
        ("/op", "t/"),
        ("pypi", ".org"),
        ("python", "hosted"),
        ("deb.", "debian"),
        ("archive.", "ubuntu"),
        ("index", "-url"),
        ("find", "-links"),
    )
)

# what native English says otherwise: again, session, transparent, is not a
BANNED = re.compile(
    r"\banew|_anew|luggage|see-through|' is no [a-z]|is no (sim|Data|ExtraGeom|expression|number)"
    r"|\bthe begin\b|jumps of time|paused in the past|changed there too|one can see it|timestep sees",
    re.IGNORECASE,
)

Sources = Mapping[str, str]


# ---- the tree ----


def ignored(path: Path) -> bool:
    """Whether .gitignore names a path; the few forms of pattern that the file uses."""
    name, top = path.name, path.parent == ROOT
    for pattern in (ROOT / ".gitignore").read_text(encoding="utf-8").split():
        if pattern.startswith("/") and not top:
            continue
        if pattern.endswith("/") and not path.is_dir():
            continue
        if fnmatch.fnmatch(name, pattern.strip("/")):
            return True
    return False


def project_files(folder: Path = ROOT) -> Iterator[str]:
    """Paths of all files of the project, below the root."""
    for path in sorted(folder.iterdir()):
        hidden = folder == ROOT and path.name.startswith(".") and path.is_dir()
        # .git is a file in a linked work tree
        if ignored(path) or path.name == ".git" or (hidden and path.name not in DOT_FOLDERS):
            continue
        if path.is_dir():
            yield from project_files(path)
        else:
            yield path.relative_to(ROOT).as_posix()


@cache
def read_sources() -> dict[str, str]:
    """Path -> text of every file that is text."""
    sources = {}
    for path in project_files():
        try:
            sources[path] = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return sources


# ---- checks ----


def long_files(sources: Sources) -> list[str]:
    """Files of code with too many lines."""
    sizes = {path: len(text.splitlines()) for path, text in sources.items() if path.endswith(CODE)}
    return [
        f"{path} has {lines} lines, {FILE_LINES} are allowed" for path, lines in sizes.items() if lines > FILE_LINES
    ]


def functions_of(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions of a file."""
    nodes = ast.walk(ast.parse(text))
    return (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def long_functions(sources: Sources) -> list[str]:
    """Functions and kernels that are too long to be read in one go."""
    faults = []
    for path, text in sources.items():
        for node in functions_of(text) if path.endswith(".py") else ():
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                faults.append(f"{path}:{node.lineno}: {node.name} has {lines} lines")
    return faults


def untyped_functions(sources: Sources) -> list[str]:
    """Plain functions of sim without annotations; native ones leave the types of m and d to numba."""
    files = {path: text for path, text in sources.items() if path.startswith("sim/") and path.endswith(".py")}
    native = {(function.path, function.node.lineno) for function in native_functions(files)}
    faults = []
    for path, text in files.items():
        for node in functions_of(text):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            bare = [a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls")]
            untyped = bare or (node.returns is None and node.name != "__init__")
            if untyped and (path, node.lineno) not in native:
                faults.append(f"{path}:{node.lineno}: {node.name} lacks annotations")
    return faults


def forbidden_words(sources: Sources) -> list[str]:
    """Paths of one machine, package indexes and options that choose them."""
    return [f"{path}: {word}" for path, text in sources.items() for word in FORBIDDEN if word in text]


def banned_words(sources: Sources) -> list[str]:
    """Lines of app, sim and the README with a word that is not to be used."""
    return [
        f"{path}:{number}: {found.group()}"
        for path, text in sources.items()
        if path.startswith(("app/", "sim/")) or path == "README.md"
        for number, line in enumerate(text.splitlines(), 1)
        if (found := BANNED.search(line))
    ]


def vague_names(paths: Iterator[str] | list[str]) -> list[str]:
    """Files whose name says nothing."""
    return [path for path in paths if path.rpartition("/")[2] in VAGUE_NAMES]


# ---- what a file says of itself ----


def first_sentence(path: str, text: str) -> str:
    """The sentence a file opens with: of its docstring or its first comment; empty when it has none."""
    if path.endswith((".py", ".pyi")):
        words = ast.get_docstring(ast.parse(text)) or ""
    elif path.endswith((".xml", ".urdf")):
        found = re.search(r"<!--(.*?)-->", text, re.DOTALL)
        words = found.group(1) if found else ""
    else:
        comment = re.match(r"(?:\s*(?:#version .*)?\n)*((?://.*\n)+)", text)
        words = re.sub(r"^// ?", "", comment.group(1), flags=re.MULTILINE) if comment else ""
    paragraph = " ".join(words.strip().split("\n\n")[0].split())
    return re.split(r"\.(?:\s|$)", paragraph)[0]


# ---- the project keeps the rules ----


def test_sizes() -> None:
    """Files and functions can be read in one go."""
    sources = read_sources()
    assert len(sources) > 20, "hardly any file was found: the check sees nothing"
    assert long_files(sources) + long_functions(sources) == []


def test_every_file_says_what_it_is() -> None:
    """Modules have docstrings, shaders and scenes a first comment."""
    sources = read_sources()
    said = {path: text for path, text in sources.items() if text.strip() and path.endswith((*CODE, ".pyi"))}
    said |= {path: text for path, text in sources.items() if path.startswith("scenes/")}
    assert [path for path, text in said.items() if not first_sentence(path, text)] == []


def test_plain_functions_of_sim_are_annotated() -> None:
    """mypy lets sim's functions off, for the kernels; this does not let off the others."""
    assert untyped_functions(read_sources()) == []


def test_names() -> None:
    """The top level is fixed, and no file is named after nothing."""
    sources = list(project_files())
    top = {path.split("/")[0] for path in sources if not path.startswith(".")}
    assert top == TOP_LEVEL
    assert vague_names(sources) == []


def test_notice_names_files_that_exist() -> None:
    """What follows the order of operations of another project is in the files that NOTICE names."""
    sources = read_sources()
    named = re.findall(r"sim/[\w/]+\.py", sources["NOTICE"])
    assert len(named) > 3
    assert [path for path in named if path not in sources] == []


def test_no_machine_and_no_registry_is_named() -> None:
    """pip and apt are used as the machine has them; nothing knows where they fetch from."""
    assert forbidden_words(read_sources()) == []


def test_words() -> None:
    """Sources and messages speak plain English."""
    assert banned_words(read_sources()) == []


def test_every_module_has_a_test_file() -> None:
    """Who edits a module finds its tests: `python -m tests.where FILE` names at least one file."""
    sources = read_sources()
    table = where(sources)
    assert len(table) > 200, "hardly any module was found: the check sees nothing"
    assert [module for module, tests in table.items() if not tests] == []
    assert all(len(tests) <= 3 and sources.keys() >= set(tests) for tests in table.values())


def test_docstrings_of_tests_name_files_that_exist() -> None:
    """A test file that says which files it tests says so of files that are there."""
    sources = read_sources()
    tests = {path: text for path, text in sources.items() if re.match(r"tests/.*test_\w+\.py$", path)}
    named = {(path, file) for path, text in tests.items() for file in files_of_docstring(path, text)}
    assert len(named) > 20, "hardly any file is named: the check sees nothing"
    assert sorted((path, file) for path, file in named if not {file, f"tests/{file}"} & sources.keys()) == []


# ---- the checks catch what breaks the rules ----


def test_long_file_is_caught() -> None:
    """Data may be long."""
    sources = {"app/a.py": "x\n" * 801, "app/b.py": "x\n" * 800, "scenes/c.xml": "x\n" * 900}
    assert [fault.split()[0] for fault in long_files(sources)] == ["app/a.py"]


def test_long_function_is_caught() -> None:
    """Methods and nested functions count too."""
    assert len(long_functions({"sim/a.py": "def f():\n" + "    x = 1\n" * 60})) == 1
    assert len(long_functions({"tests/a.py": "class A:\n    def f(self):\n" + "        x = 1\n" * 60})) == 1
    assert long_functions({"sim/a.py": "def f():\n" + "    x = 1\n" * 59}) == []


def test_untyped_function_is_caught() -> None:
    """A kernel may leave types out, its neighbour may not."""
    kernel = "@kernel\ndef f(m, d):\n    pass\n"
    assert untyped_functions({"sim/a.py": kernel}) == []
    assert len(untyped_functions({"sim/a.py": kernel + "def g(m):\n    pass\n"})) == 1
    assert untyped_functions({"sim/a.py": "def g(m: int) -> int:\n    return m\n"}) == []


def test_forbidden_word_is_caught() -> None:
    """Each word is found by itself."""
    assert [len(forbidden_words({"a": f"x {word} y"})) for word in FORBIDDEN] == [1] * len(FORBIDDEN)


@pytest.mark.parametrize("line", ["made anew", "draw_anew(x)", "See-through", "'a' is no folder", "x is no number"])
def test_banned_word_is_caught(line: str) -> None:
    """In app, sim and the README."""
    assert len(banned_words({"app/a.py": line, "README.md": f"a\n{line}", "tests/a.py": line})) == 2
    assert banned_words({"sim/a.py": "no new number is none; there is no word"}) == []


def test_vague_name_is_caught() -> None:
    """In every folder."""
    assert vague_names(["sim/math/utils.py", "sim/stages/smooth/rne.py"]) == ["sim/math/utils.py"]


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        ("a.py", '"""Does a thing. And more.\n\nMuch more."""\n', "Does a thing"),
        ("a.py", '"""Takes two\nlines: 1.5 of them.\n"""\n', "Takes two lines: 1.5 of them"),
        ("a.py", "x = 1\n", ""),
        ("a.xml", "<!-- Watch the\n top. -->\n<mujoco/>", "Watch the top"),
        ("a.frag", "// Sky.\n// Blue.\n#version 330\n", "Sky"),
        ("a.frag", "#version 330 core\n\n// Sky\nvoid main() {}\n", "Sky"),
        ("a.frag", "void main() {}  // sky\n", ""),
    ],
)
def test_first_sentence(path: str, text: str, sentence: str) -> None:
    """Docstrings and comments of each kind of file."""
    assert first_sentence(path, text) == sentence


WHERE = {
    "app/run/marks.py": "class Mark:\n    pass\n",
    "app/run/clock.py": "from app.run.marks import Mark\nRATE = 1\n",
    "app/run/__init__.py": '"""Only a docstring."""\n',
    "app/view.py": "from app.run.marks import Mark\ndef look() -> Mark:\n    return Mark()\n",
    "sim/stages/a.py": "def a(m, d):\n    d.xpos[0, 0] = 1.0\n",
    "tests/app/run/test_marks.py": "from app.run import marks\nmarks.Mark()\n",
    "tests/app/run/test_run.py": '"""The run."""\n',
    "tests/app/test_other.py": '"""Files: run/clock.py, app/run/clock.py."""\n',
    "tests/app/test_view.py": "import app.view\napp.view.look()\n",
    "tests/sim/test_positions.py": "import sim.stages.a\n",
    "tests/helper.py": "import app.view\n",
}


@pytest.mark.parametrize(
    ("module", "tests"),
    [
        ("app/run/marks.py", ["app/run/test_marks", "app/run/test_run"]),  # its name, then its folder
        ("app/run/clock.py", ["app/test_other"]),  # named in a docstring
        ("app/view.py", ["app/test_view"]),
        ("sim/stages/a.py", ["sim/test_positions"]),  # imported
    ],
)
def test_where(module: str, tests: list[str]) -> None:
    """Each way in which a test file belongs to a module."""
    found = [test.removeprefix("tests/").removesuffix(".py") for test in where(WHERE)[module]]
    assert found[: len(tests)] == tests


def test_where_leaves_out_what_defines_nothing() -> None:
    """A package that is a docstring needs no test; a helper of tests is none."""
    table = where(WHERE)
    assert "app/run/__init__.py" not in table
    assert "tests/helper.py" not in {test for tests in table.values() for test in tests}
