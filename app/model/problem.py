"""What went wrong, as a card shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """What went wrong, as a card shows it."""

    title: str
    text: str
    # the moment of the history that shows it: a step of the line of a branch
    moment: int | None = None
    branch: int = -1
