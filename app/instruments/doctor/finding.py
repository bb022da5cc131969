"""Findings of the doctor: what is wrong with which element, by which number, why it matters, and fixes to try."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from app.model.selection import Selection
from app.run.commands import SetField, SetFlag
from sim.tree_edit import TreeEdit


class Severity(IntEnum):
    """How sure it is that something is wrong: worth knowing; likely wrong; cannot work as meant."""

    NOTE = 1
    WARNING = 2
    ERROR = 3


@dataclass(frozen=True)
class Place:
    """Where an element is in its file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Fix:
    """A change to try, as text and as commands, or as changes of elements; none where the user has to change the file.

    `diff`: the lines of the file that a change of elements changes, see `app/model/text_diff.py`.
    """

    text: str
    edits: tuple[SetField | SetFlag, ...] = ()
    tree: tuple[TreeEdit, ...] = ()
    diff: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    `check` names the check that found it. `title` is a sentence with the element and the number, `why` says why that
    matters. `score` orders findings of one severity, the largest first: by how many powers of ten a limit is exceeded,
    or the like. `others` are further elements with the same trouble.
    """

    check: str
    severity: Severity
    selection: Selection
    title: str
    why: str
    score: float = 0.0
    fixes: tuple[Fix, ...] = ()
    place: Place | None = None
    others: tuple[Selection, ...] = ()
    # the attribute that is wrong, if it is one: the line of what sets it is the place
    attribute: str = ""


def elements(kind: str, indices: Iterable[int], but: int = -1) -> tuple[Selection, ...]:
    """Elements of a type, except one."""
    return tuple(Selection(kind, index) for index in indices if index != but)


def length_text(metres: float) -> str:
    """A length for people."""
    return f"{metres * 1000:.3g} mm" if metres < 1 else f"{metres:.3g} m"


def ranked(findings: list[Finding]) -> list[Finding]:
    """Findings in the order in which they matter."""
    return sorted(findings, key=lambda finding: (-finding.severity, -finding.score))
