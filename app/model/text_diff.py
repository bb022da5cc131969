"""The lines of files that changes of elements change, as a diff that people read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from sim.tree_edit import TreeEdit

if TYPE_CHECKING:
    from app.model.source_tree import SourceTree

# lines around a change
CONTEXT = 1


def diff_lines(tree: SourceTree, edits: Sequence[TreeEdit]) -> tuple[str, ...]:
    """For each file its name, then lines that begin with +, - or a blank; MjcfError if they cannot be made."""
    # it takes a while to import, and few need it
    from sim.spec.text_changes import text_changes

    return tuple(line for change in text_changes(tree.spec, edits) for line in _lines(*change))


def _lines(file: str, before: str, after: str) -> Iterator[str]:
    yield Path(file).name
    found = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=CONTEXT)
    yield from (line for line in list(found)[2:])
