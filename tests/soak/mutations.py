"""Mutates one line of the program at a time and sees whether the tests of that file fail: how strong the tests are.

    python -m tests.soak.mutations --count 120 --seed 7 [--tree OTHER_CLONE ...]

Mutations: another operator, comparison or constant, a dropped line, two arguments swapped; in `app` and `sim`, evenly
over lines. Each is tried in a copy of this clone, and of each OTHER_CLONE whose file has the same text, with the tests
that this clone's `tests.where` names. Prints a row for each mutation and a table by folder.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.where import ROOT, read_sources, where

OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.And: "or", ast.Or: "and"}
COMPARISONS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
WORDS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.And: "and", ast.Or: "or",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
# of one mutation: a loop that never ends is caught too
LIMIT = 300.0


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
    """All that can be made of a file and still parse."""
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
    return [one for one in found if _parses(one.applied(text))]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def chosen(sources: dict[str, str], count: int, seed: int) -> list[Mutation]:
    """Some mutations, a file as often as its share of lines."""
    pick = random.Random(seed)
    files = [path for path in sources if path.startswith(("app/", "sim/")) and path != "app/bootstrap.py"]
    sizes = [len(sources[path].splitlines()) for path in files]
    found: list[Mutation] = []
    while len(found) < count:
        (path,) = pick.choices(files, sizes)
        if candidates := mutations_of(path, sources[path]):
            kind = pick.choice(sorted({one.kind for one in candidates}))
            found.append(pick.choice([one for one in candidates if one.kind == kind]))
    return found


def caught(tree: Path, python: Path, mutation: Mutation, tests: list[str]) -> bool:
    """Whether a test fails in a tree with a mutation; the tree is as before afterwards."""
    file = tree / mutation.path
    before = file.read_text(encoding="utf-8")
    file.write_text(mutation.applied(before), encoding="utf-8")
    command = [str(python), "-P", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += [test for test in tests if (tree / test).exists()]
    # before what is installed: the modules, and the name of the package
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tree), str(tree / "app" / "cli" / "import_name")))}
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=LIMIT)
        # 5: no test was left to run, which catches nothing
        return done.returncode not in (0, 5)
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(before, encoding="utf-8")


def main() -> int:
    """Try mutations and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--part", default="0/1", help="K/N: every Nth mutation, from K on")
    parser.add_argument("--tree", type=Path, action="append", default=[], help="another clone, set up, to compare with")
    options = parser.parse_args()
    sources, table = read_sources(), where(read_sources())
    first, every = map(int, options.part.split("/"))
    kept: Counter[tuple[str, int]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        trees = []
        for number, clone in enumerate((ROOT, *options.tree)):
            copy = Path(folder) / str(number)
            shutil.copytree(clone, copy, ignore=shutil.ignore_patterns(".venv", ".git", "*.mp4"), symlinks=True)
            trees.append((copy, clone / ".venv" / "bin" / "python"))
        for mutation in chosen(sources, options.count, options.seed)[first::every]:
            files = [tree / mutation.path for tree, _ in trees]
            same = all(file.exists() and file.read_text() == sources[mutation.path] for file in files)
            if not same or mutation.path not in table:
                continue
            found = [caught(tree, python, mutation, table[mutation.path]) for tree, python in trees]
            place = "/".join(mutation.path.split("/")[:2])
            kept.update({(place, -1): 1, **{(place, number): int(ok) for number, ok in enumerate(found)}})
            print(f"{found} {mutation.path}:{mutation.line} {mutation.kind} -> {mutation.new}", flush=True)
    print(f"seed {options.seed}; caught in each tree, of all")
    for place in sorted({place for place, _ in kept}):
        print(f"{place:<24}", *(kept[place, number] for number in range(len(trees))), "of", kept[place, -1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
