"""Mutates one line of the program at a time and sees whether the tests of that file fail: how strong the tests are.

    python -m tests.soak.mutations --count 120 --seed 7 [--tree OTHER_CLONE ...]

Mutations: another operator, comparison or constant, a dropped line, two arguments swapped; in `app` and `sim`, evenly
over lines. Each is tried in a copy of this clone, and of each OTHER_CLONE, with the tests that `tests.where` of that
clone names, for SECONDS. With OTHER_CLONE, only functions and other statements that it has too are changed, whichever
file they are in. A test that fails without the mutation as well voids the row. A copy begins with the kernels of its
clone: compile them first (`kinetoscope warmup`). KINETOSCOPE_CHECK=1 is for both. Prints a row for each mutation and a
table by folder.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from tests.where import ROOT, parsed

OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.And: "or", ast.Or: "and"}
COMPARISONS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
WORDS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.And: "and", ast.Or: "or",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
# of work of the processes that run the tests of one mutation
SECONDS = 25.0
# of one mutation on a busy machine: a loop that never ends is caught too
LIMIT = 240.0
# what takes long to import and is not mutated
LOADED = ("hypothesis", "scipy.spatial", "numba", "lxml.etree", "mujoco", "moderngl", "imgui_bundle", "PIL.Image")
# what is asked of each clone: its files, and its tests of each
TABLE = "import json; from tests.where import *; found = read_sources(); print(json.dumps([found, where(found)]))"


@dataclass(frozen=True)
class Mutation:
    """A change of some characters of one line."""

    path: str
    line: int
    start: int
    end: int
    new: str
    kind: str

    def applied(self, text: str) -> str:
        """The text with the change; columns are bytes, as those of syntax trees are."""
        lines = text.splitlines(keepends=True)
        old = lines[self.line - 1].encode()
        lines[self.line - 1] = (old[: self.start] + self.new.encode() + old[self.end :]).decode()
        return "".join(lines)


def mutations_of(path: str, text: str) -> list[Mutation]:
    """All that can be made of a file; some do not parse."""
    lines = text.splitlines()

    def between(before: ast.expr, after: ast.expr, word: str, new: str, kind: str) -> Iterator[Mutation]:
        if before.end_lineno == after.lineno and before.end_col_offset is not None:
            gap = lines[after.lineno - 1].encode()[before.end_col_offset : after.col_offset]
            if gap.count(word.encode()) == 1:
                start = before.end_col_offset + gap.index(word.encode())
                yield Mutation(path, after.lineno, start, start + len(word), new, kind)

    found: list[Mutation] = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.BinOp(left, op, right) if type(op) in OPERATORS:
                found += between(left, right, WORDS[type(op)], OPERATORS[type(op)], "operator")
            case ast.BoolOp(op, [first, second, *_]):
                found += between(first, second, WORDS[type(op)], OPERATORS[type(op)], "operator")
            case ast.Compare(left, [op], [right]) if type(op) in COMPARISONS:
                found += between(left, right, WORDS[type(op)], COMPARISONS[type(op)], "comparison")
            case ast.Constant(value=int() | float() | bool()) if node.end_col_offset is not None:
                new = str(not node.value) if isinstance(node.value, bool) else repr(node.value + 1)
                found.append(Mutation(path, node.lineno, node.col_offset, node.end_col_offset, new, "constant"))
            case ast.Assign() | ast.AugAssign() | ast.Expr(value=ast.Call()) if node.lineno == node.end_lineno:
                found.append(Mutation(path, node.lineno, node.col_offset, node.end_col_offset or 0, "pass", "dropped"))
            case ast.Call(args=[ast.Name() as a, ast.Name() as b, *_]) if a.lineno == b.lineno and a.id != b.id:
                new = f"{b.id}, {a.id}"
                found.append(Mutation(path, a.lineno, a.col_offset, b.end_col_offset or 0, new, "swapped"))
    return found


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def blocks_of(text: str) -> Iterator[tuple[str, int, int]]:
    """(class, first line, last line) of each function, and of each other statement of a module or a class."""

    def walk(body: list[ast.stmt], owner: str) -> Iterator[tuple[str, int, int]]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{owner}{node.name}.")
            else:
                decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
                yield owner, min(one.lineno for one in (*decorators, node)), node.end_lineno or node.lineno

    return walk(parsed(text).body, "")


class Tree:
    """A copy of a clone, in which mutations are tried."""

    def __init__(self, clone: Path, folder: Path) -> None:
        self.clone, self.root = clone.resolve(), folder
        self.python = self.clone / ".venv" / "bin" / "python"
        self.kernels = folder / "sim" / "__pycache__" / "units"
        shutil.copytree(clone, folder, ignore=shutil.ignore_patterns(".venv", ".git", "*.mp4"), symlinks=True)
        answer = subprocess.run([self.python, "-c", TABLE], cwd=clone, check=True, capture_output=True, text=True)
        self.sources, self.tests = json.loads(answer.stdout)
        self.blocks: dict[tuple[str, str], list[tuple[str, int]]] = {}
        for path, text in self.sources.items():
            if self.tests.get(path):
                lines = text.splitlines()
                for owner, first, last in blocks_of(text):
                    key = owner, "\n".join(lines[first - 1 : last])
                    self.blocks.setdefault(key, []).append((path, first))

    def counterpart(self, mutation: Mutation, text: str) -> Mutation | None:
        """A mutation of another clone's text here, if its text is here too; of several, in a like file."""
        lines = text.splitlines()
        for owner, first, last in blocks_of(text):
            if first <= mutation.line <= last:
                found = self.blocks.get((owner, "\n".join(lines[first - 1 : last])), [])
                name = mutation.path.rpartition("/")[2]
                for like in (mutation.path, f"/{name}", ""):
                    alike = [place for place in found if place[0].endswith(like)]
                    if len(alike) == 1:
                        return replace(mutation, path=alike[0][0], line=mutation.line - first + alike[0][1])
        return None

    def outcome(self, mutation: Mutation) -> str:
        """The test that fails with a mutation, "timeout", "crash" or nothing; "void" if the machine is to blame."""
        file, text = self.root / mutation.path, self.sources[mutation.path]
        file.write_text(mutation.applied(text), encoding="utf-8")
        try:
            failed = next(iter(self._failed(self.tests[mutation.path], "-x")), "")
        finally:
            file.write_text(text, encoding="utf-8")
            if mutation.path.startswith("sim/") and self.kernels.exists():
                # without those of the mutation
                shutil.rmtree(self.kernels)
                shutil.copytree(self.clone / self.kernels.relative_to(self.root), self.kernels)
        machine = failed in ("timeout", "crash") and failed in self._failed(self.tests[mutation.path], "-x")
        return "void" if machine else failed

    def unsound(self, tests: Iterable[str]) -> set[str]:
        """Those of some tests that fail without a mutation."""
        tests = [test for test in tests if test.startswith("tests/")]
        return self._failed(sorted({test.partition("::")[0] for test in tests}), only=tests) if tests else set()

    def _failed(self, files: list[str], *options: str, only: list[str] | None = None) -> set[str]:
        """The tests that fail, "timeout" or "crash"."""
        note = self.root / "failed"
        note.write_text("")
        # before what is installed: the modules, and the name of the package; `stop` is the plugin
        names = [str(path) for path in self.root.glob("app/**/import_name")]
        environment = {
            "HOME": str(self.root.parent),
            "PYTHONPATH": os.pathsep.join((str(self.root), *names, str(self.root.parent))),
            "KINETOSCOPE_CHECK": os.environ.get("KINETOSCOPE_CHECK", "0"),
            "STOP_ONLY": "\n".join(only or ()),
            "STOP_FAILED": str(note),
            "STOP_SECONDS": str(math.inf if only else SECONDS),
        }
        pid = os.fork()
        if not pid:
            os.setsid()
            quiet = os.open(os.devnull, os.O_RDWR)
            for number in range(3):
                os.dup2(quiet, number)
            arguments = ["-q", "-p", "no:cacheprovider", "-p", "stop", *options, *files]
            os._exit(_run_pytest(self.root, environment, arguments))
        end = math.inf if only else time.monotonic() + LIMIT
        while not (done := os.waitpid(pid, os.WNOHANG))[0] and time.monotonic() < end:
            time.sleep(0.05)
        # with what tests have started
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        if not done[0]:
            os.waitpid(pid, 0)
            return {"timeout"}
        code = os.waitstatus_to_exitcode(done[1])
        # 2: its seconds were over; 5: no test was left to run, which catches nothing
        return set(note.read_text().splitlines()) or (set() if code in (0, 2, 5) else {"crash"})


def _run_pytest(root: Path, environment: dict[str, str], arguments: list[str]) -> int:
    """Run tests in this process, which has been forked for them; the modules of others are loaded already."""
    os.chdir(root)
    os.environ.update(environment)
    for name in list(sys.modules):
        if name.partition(".")[0] in ("app", "sim", "tests"):
            del sys.modules[name]
    own = [path for path in sys.path if not path.startswith(str(ROOT)) or "site-packages" in path]
    sys.path[:] = [*environment["PYTHONPATH"].split(os.pathsep), *own]
    try:
        return int(pytest.main(arguments))
    except BaseException:
        return 3


def chosen(trees: list[Tree], count: int, seed: int) -> list[list[Mutation]]:
    """Some mutations as they are in each tree, a file as often as its share of lines."""
    pick = random.Random(seed)
    sources = trees[0].sources
    files = [path for path in sources if path.startswith(("app/", "sim/")) and path != "app/bootstrap.py"]
    sizes = [len(sources[path].splitlines()) for path in files]
    candidates = cache(lambda path: mutations_of(path, sources[path]))
    found: list[list[Mutation]] = []
    while len(found) < count:
        (path,) = pick.choices(files, sizes)
        if candidates(path):
            kind = pick.choice(sorted({one.kind for one in candidates(path)}))
            mutation = pick.choice([one for one in candidates(path) if one.kind == kind])
            row = [there for tree in trees if (there := tree.counterpart(mutation, sources[path]))]
            if len(row) == len(trees) and row not in found and _parses(mutation.applied(sources[path])):
                found.append(row)
    return found


def main() -> int:
    """Try mutations and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--skip", type=int, default=0, help="of these, how many an earlier run has tried")
    parser.add_argument("--tree", type=Path, action="append", default=[], help="another clone, set up, to compare with")
    options = parser.parse_args()
    for name in LOADED:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(Path(__file__).with_name("stop.py"), folder)
        trees = [Tree(clone, Path(folder, str(number))) for number, clone in enumerate((ROOT, *options.tree))]
        rows = chosen(trees, options.count, options.seed)[options.skip :]
        found: list[dict[Mutation, str]] = [{} for _ in trees]

        def attempt(row: list[Mutation], number: int) -> None:
            one = row[0]
            found[number][one] = failed = trees[number].outcome(row[number])
            what = f"{one.path}:{one.line}:{one.start} {one.kind} -> {one.new}"
            print(f"{number} {time.strftime('%X')} {what} {failed or 'SURVIVES'}", flush=True)

        # of the others first those that no test of this clone catches: a run that is stopped has told most
        for row in rows:
            attempt(row, 0)
            for number in range(1, len(trees)):
                if not found[0][row[0]]:
                    attempt(row, number)
        for row in rows:
            for number in range(1, len(trees)):
                if found[0][row[0]]:
                    attempt(row, number)
        for number, tree in enumerate(trees):
            unsound = tree.unsound(set(found[number].values()))
            print(number, "fail without a mutation:", *unsound)
            rows = [row for row in rows if found[number][row[0]] not in {*unsound, "void"}]
    print(f"seed {options.seed}; caught in each tree, of all")
    places = {row[0]: "/".join(row[0].path.split("/")[:2]) for row in rows}
    for place in sorted(set(places.values())):
        here = [one for one in places if places[one] == place]
        print(f"{place:<24}", *(sum(bool(outcomes[one]) for one in here) for outcomes in found), "of", len(here))
    return 0


if __name__ == "__main__":
    sys.exit(main())
