"""The one error a bad model raises.

`MjcfError` knows the file, the line and the element at fault, says what is wrong and, where there is
one, the cure. Its text reads `file:line: <element>: what is wrong; cure`, the form editors can follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class MjcfError(ValueError):
    """Bad input: what is wrong, where, and what would be right."""

    def __init__(self, message: str, file: str = "", line: int = 0, element: str = "", cure: str = "") -> None:
        self.message, self.file, self.line, self.element, self.cure = message, file, line, element, cure
        super().__init__(message)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        element = f"<{self.element}>: " if self.element else ""
        cure = f"; {self.cure}" if self.cure else ""
        return f"{place}{element}{self.message}{cure}"


def nearest(word: str, known: Iterable[str]) -> str:
    """The cure for a word that is not known: the one that was probably meant, or all of them."""
    words = sorted(known)
    close = get_close_matches(word, words, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    if not words:
        return "there is none"
    return "known: " + ", ".join(words)
