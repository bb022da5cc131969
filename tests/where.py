"""Which test files test which module: a table made from names, imports, fields and MJCF words.

    python -m tests.where sim/stages/smooth/fluid.py [MODULE ...]
    python -m tests.where --changed

prints a pytest command; without a module, the whole table. `--changed` prints the test files of what differs from HEAD.

A test file of the module's own name in the mirrored folder comes first: tests/app/run/test_step_clock.py for
app/run/step_clock.py. The others are ranked by what they share with the module: its file name in their docstring, its
import, its public names, the fields of Model and Data that it writes, and the MJCF words that it reads. What few
modules and few tests share counts most.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MOST = 3
# a test file is listed if it has this share of the score of the best one
SHARE = 0.03
# scores of names, beside which what is shared counts; neighbours of one folder divide theirs
MIRRORED, PREFIXED, FOLDER, NEIGHBOURS = 1000.0, 2.0, 0.5, 0.6
# what one thing shared counts, before it is divided among all who have it
DOCSTRING, IMPORT, PUBLIC, FIELD, WORD = 4.0, 3.0, 2.0, 1.0, 0.5
# soak tests run everything: what they share counts less
SOAK, SOAK_SHARE = re.compile(r"test_(\w+_)?soak\.py$"), 0.2
# share of its score that a module passes on to the modules that it imports
INHERITED = 0.3

Sources = Mapping[str, str]
Tokens = dict[str, float]


@cache
def parsed(text: str) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(text)


@cache
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a syntax tree."""
    return tuple(ast.walk(tree))


def modules_of(sources: Sources) -> dict[str, ast.Module]:
    """Path -> syntax tree of each file of app and sim that defines something."""
    trees = {path: parsed(text) for path, text in sources.items() if re.fullmatch(r"(app|sim)/.*\.py", path)}
    code = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    return {
        path: tree
        for path, tree in trees.items()
        if not path.endswith("__init__.py") or any(isinstance(node, code) for node in tree.body)
    }


def dotted(path: str) -> str:
    """Name under which a file is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported(tree: ast.AST) -> dict[str, str]:
    """Name in a file -> full name of what it was imported as; imports inside functions too."""
    names = {}
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def spelt(node: ast.expr) -> str:
    """A name with its dots as in the source; empty for any other expression."""
    if isinstance(node, ast.Attribute):
        base = spelt(node.value)
        return base and f"{base}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def references(tree: ast.AST) -> set[str]:
    """Full names of what a file takes from other files: imports, `module.name`, and strings such as "app.viewer.x"."""
    names = imported(tree)
    found = set(names.values())
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute):
            base = spelt(node.value)
            if base in names:
                found.add(f"{names[base]}.{node.attr}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= set(re.findall(r"\b(?:app|sim)\.[\w.]*\w", node.value))
    return found


def files_of_docstring(path: str, text: str) -> set[str]:
    """Files that the docstring of a test file names: beside it in the mirrored folder, or by their path."""
    words = re.findall(r"[\w/]+\.py\b", ast.get_docstring(parsed(text)) or "")
    folder = path.removeprefix("tests/").rpartition("/")[0]
    return {word if "/" in word else f"{folder}/{word}" for word in words}


def with_prefixes(names: Iterable[str]) -> set[str]:
    """a.b.c -> a.b.c, a.b."""
    parts = [name.split(".") for name in names]
    return {".".join(name[:length]) for name in parts for length in range(2, len(name) + 1)}


def origin(name: str, exports: Mapping[str, str]) -> str:
    """Full name of what a package or another module passes on under a name of its own."""
    seen = set()
    while name in exports and name not in seen:
        seen.add(name)
        name = exports[name]
    return name


def public_names(tree: ast.Module) -> set[str]:
    """Functions, classes and constants that a file defines for others."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return {name for name in names if not name.startswith("_")}


def owned_fields(path: str, text: str, owners: Mapping[str, str]) -> set[str]:
    """Fields of Model and Data that a file of sim mentions and that it or its folder owns."""
    place = path.removeprefix("sim/").removesuffix(".py")
    mentioned = set(re.findall(r"[\w.]+", text))
    # d.contact.dist is the field contact.dist
    mentioned |= {word.partition(".")[2] for word in mentioned}
    return {name for name, owner in owners.items() if name in mentioned and f"{place}/".startswith(f"{owner}/")}


def mjcf_words(tree: ast.Module) -> set[str]:
    """Strings of a file of sim/mjcf that can be an element, an attribute or a keyword of MJCF."""
    strings = (node.value for node in nodes_of(tree) if isinstance(node, ast.Constant))
    return {text for text in strings if isinstance(text, str) and re.fullmatch(r"[a-z]\w{3,}", text)}


def module_tokens(sources: Sources, trees: Mapping[str, ast.Module]) -> dict[str, Tokens]:
    """Path of a module -> what a test of it would share with it, and what that counts."""
    from sim.fields import DATA, MODEL

    owners = {field.name: field.owner for field in (*MODEL, *DATA)}
    tokens: dict[str, Tokens] = {}
    for path, tree in trees.items():
        found: Tokens = {}
        if path.startswith("sim/mjcf/"):
            found |= dict.fromkeys((f"word {word}" for word in mjcf_words(tree)), WORD)
        if path.startswith("sim/"):
            found |= dict.fromkeys((f"word {name}" for name in owned_fields(path, sources[path], owners)), FIELD)
        found |= dict.fromkeys((f"name {dotted(path)}.{name}" for name in public_names(tree)), PUBLIC)
        tokens[path] = found | {f"name {dotted(path)}": IMPORT, f"file {path}": DOCSTRING}
    return tokens


def test_tokens(sources: Sources, trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Path of a test file -> words and full names in it and in the helper modules that it imports."""
    exports = {f"{dotted(path)}.{name}": full for path, tree in trees.items() for name, full in imported(tree).items()}
    files = {path: text for path, text in sources.items() if path.startswith("tests/") and path.endswith(".py")}
    known = {dotted(path): path for path in files}
    names = {path: references(parsed(text)) for path, text in files.items()}
    tokens = {}
    for path in files:
        # tests/code is about all modules
        if not path.rpartition("/")[2].startswith("test_") or path.startswith("tests/code/"):
            continue
        helpers = {known[name] for name in with_prefixes(names[path]) & known.keys() if "/test_" not in known[name]}
        found = set()
        for file in {path, *helpers}:
            found |= {f"word {word}" for word in re.findall(r"\w+(?:\.\w+)*", files[file])}
            found |= {f"word {word}" for word in re.findall(r"\w+", files[file])}
            found |= {f"name {name}" for name in with_prefixes(origin(name, exports) for name in names[file])}
        tokens[path] = found | {f"file {name}" for name in files_of_docstring(path, files[path])}
    return tokens


def named_after(module: str, test: str, neighbours: int) -> float:
    """What the name of a test file says about a module; `neighbours` test files are in its folder."""
    folder, _, name = module.removesuffix(".py").rpartition("/")
    if name == "__init__":
        name = folder.rpartition("/")[2]
    test_folder, _, test_name = test.removesuffix(".py").rpartition("/")
    if test_folder != f"tests/{folder}":
        return 0.0
    if test_name == f"test_{name}":
        return MIRRORED
    if test_name.startswith(f"test_{name}_"):
        return PREFIXED
    return FOLDER if test_name == f"test_{folder.rpartition('/')[2]}" else NEIGHBOURS / neighbours


def scores(modules: Mapping[str, Tokens], tests: Mapping[str, set[str]]) -> dict[str, dict[str, float]]:
    """Module -> test file -> how much they share."""
    sharers = Counter(token for tokens in modules.values() for token in tokens)
    users = Counter(token for tokens in tests.values() for token in tokens)
    folders = Counter(test.rpartition("/")[0] for test in tests)
    table = {}
    for module, tokens in modules.items():
        worth = {token: weight / (sharers[token] * users[token]) for token, weight in tokens.items() if users[token]}
        table[module] = {
            test: named_after(module, test, folders[test.rpartition("/")[0]])
            + (SOAK_SHARE if SOAK.search(test) else 1.0) * sum(worth[token] for token in worth if token in found)
            for test, found in tests.items()
        }
    return table


def inherit(table: Mapping[str, dict[str, float]], trees: Mapping[str, ast.Module]) -> dict[str, dict[str, float]]:
    """The table, with a share of the scores of the modules that import a module added to its own."""
    names = {dotted(path): path for path in trees}
    users: dict[str, set[str]] = {path: set() for path in trees}
    for path, tree in trees.items():
        for name in with_prefixes(imported(tree).values()) & names.keys():
            users[names[name]].add(path)
    shares = {module: INHERITED / max(len(found), 1) for module, found in users.items()}
    return {
        module: {
            test: score + shares[module] * sum(min(table[user][test], 1.0) for user in users[module])
            for test, score in row.items()
        }
        for module, row in table.items()
    }


def where(sources: Sources) -> dict[str, list[str]]:
    """Module of app or sim -> the test files that test it, the most specific first, at most three."""
    trees = modules_of(sources)
    table = inherit(scores(module_tokens(sources, trees), test_tokens(sources, trees)), trees)
    found = {}
    for module, row in table.items():
        # rounded: the order of a sum is that of a set, which differs from run to run
        ranked = sorted((-round(score, 9), test) for test, score in row.items() if score > 0)
        # one of the module's own name does not hide the others
        least = SHARE * max((-score for score, _ in ranked if -score < MIRRORED), default=0.0)
        found[module] = [test for score, test in ranked if -score >= least][:MOST]
    return found


def read_sources() -> dict[str, str]:
    """Path -> text of every Python file of app, sim and tests."""
    files = (path for folder in ("app", "sim", "tests") for path in sorted((ROOT / folder).rglob("*.py")))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}


def changed_files() -> list[str]:
    """Paths of files that differ from HEAD, new ones included."""
    git = ["git", "-C", str(ROOT)]
    commands = ([*git, "diff", "--name-only", "HEAD"], [*git, "ls-files", "--others", "--exclude-standard"])
    found = (subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in commands)
    return [path for text in found for path in text.splitlines()]


def tests_of_change(paths: Iterable[str], table: Mapping[str, list[str]]) -> list[str]:
    """The test files among some paths, and those of the modules among them."""
    tests: dict[str, None] = {}
    for path in paths:
        if re.fullmatch(r"tests/.*/test_\w+\.py", path) and (ROOT / path).exists():
            tests[path] = None
        tests |= dict.fromkeys(table.get(path, ()))
    return list(tests)


def main(arguments: Iterable[str]) -> int:
    """Print the tests of some modules, of what has changed, or of all."""
    if "--changed" in arguments:
        changed = changed_files()
        # the table takes a while
        modules = any(path.startswith(("app/", "sim/")) for path in changed)
        print(*tests_of_change(changed, where(read_sources()) if modules else {}))
        return 0
    table = where(read_sources())
    chosen = [os.path.relpath(argument, ROOT) for argument in arguments]
    for path in chosen:
        if path not in table:
            print(f"'{path}' is not a module of app or sim with code in it", file=sys.stderr)
            return 1
    if chosen:
        tests = dict.fromkeys(test for path in chosen for test in table[path])
        print(".venv/bin/python -m pytest", *tests)
    else:
        for path, found in table.items():
            print(f"{path:<44}{' '.join(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
