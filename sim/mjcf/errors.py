"""The one error a bad model raises.

`MjcfError` knows the file, the line and the element at fault, says what is wrong and, where there is
one, the cure. Its text reads `file:line: <element>: what is wrong; cure`, the form editors can follow.
`blamed` is the border that nothing else passes: what the machine refuses becomes the error of an element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches

from sim.user_error import UserError

TOO_DEEP = ("elements are nested too deeply", "put bodies beside each other, or in files of their own")
# what the machine can refuse while a model is loaded -> what is wrong, and the cure
MACHINE_ERRORS: dict[type[BaseException], tuple[str, str]] = {
    MemoryError: ("there is not enough memory", "make it smaller"),
    OverflowError: ("a number is too large", "make it smaller"),
    RecursionError: TOO_DEEP,
    UnicodeError: ("it is not text", "save it as UTF-8"),
    OSError: ("a file cannot be read", ""),
}


class MjcfError(UserError, ValueError):
    """Bad input: what is wrong, where, and what would be right."""

    def __init__(self, message: str, file: str = "", line: int = 0, element: str = "", cure: str = "") -> None:
        self.message, self.file, self.line, self.element, self.cure = message, file, line, element, cure
        super().__init__(message)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        element = f"<{self.element}>: " if self.element else ""
        cure = f"; {self.cure}" if self.cure else ""
        return f"{place}{element}{self.message}{cure}"


@contextmanager
def located(error: Callable[[str, str], MjcfError]) -> Iterator[None]:
    """What is refused inside is the error of one element, which `error` makes of a message and a cure."""
    try:
        yield
    except tuple(MACHINE_ERRORS) as why:
        message, cure = next(words for kind, words in MACHINE_ERRORS.items() if isinstance(why, kind))
        reason = f": {why.strerror}" if isinstance(why, OSError) and why.strerror else ""
        raise error(message + reason, cure) from None


def shortened(text: str) -> str:
    """A word of the file, cut to a length that can be read in a message."""
    return text if len(text) <= 40 else text[:37] + "..."


def suggestion(word: str, known: Iterable[str]) -> str:
    """The cure for a word that is not known: the one that was probably meant, or all of them."""
    words = sorted(known)
    close = get_close_matches(word, words, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    if not words:
        return "there is none"
    return "known: " + ", ".join(words)
