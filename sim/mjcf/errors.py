"""MjcfError, raised for every bad model: file, line, element, what is wrong, and the cure.

Its text reads `file:line: <element>: what is wrong; cure`, which editors can follow to the source. `located` turns
errors of the machine (memory, overflow, recursion, encoding, files) into an MjcfError at an element, and every other
exception, which is a mistake of ours, into an Unexpected: loading a model raises nothing else. `files` has what was
read or looked for until then: when one of them changes, the model may load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from traceback import walk_tb
from typing import Protocol, TypeVar

from sim.file_stamp import Stamps
from sim.user_error import UserError

Found = TypeVar("Found")

TOO_DEEP = ("elements are nested too deeply", "nest fewer elements")
# errors of the machine while a model is loaded -> what is wrong, and the cure
MACHINE_ERRORS: dict[type[BaseException], tuple[str, str]] = {
    MemoryError: ("there is not enough memory", "make it smaller"),
    OverflowError: ("a number overflows", "make it smaller"),
    RecursionError: TOO_DEEP,
    UnicodeError: ("it is not text", "save it as UTF-8"),
    OSError: ("a file cannot be read", ""),
}


class MjcfError(UserError, ValueError):
    """Bad MJCF: what is wrong, where, and the cure."""

    def __init__(self, message: str, file: str = "", line: int = 0, element: str = "", cure: str = "") -> None:
        self.message, self.file, self.line, self.element, self.cure = message, file, line, element, cure
        self.files: Stamps = {}
        # the `id` of the node, for who has it
        self.node = 0
        super().__init__(message)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        element = f"<{self.element}>: " if self.element else ""
        cure = f"; {self.cure}" if self.cure else ""
        return f"{place}{element}{self.message}{cure}"


class Unexpected(MjcfError):
    """A mistake of ours, not of the file; its cause has the traceback."""


@contextmanager
def with_files(files: Stamps) -> Iterator[None]:
    """Give an MjcfError the files of the model."""
    try:
        yield
    except MjcfError as error:
        error.files = dict(files)
        raise


@contextmanager
def located(error: Callable[[str, str], MjcfError]) -> Iterator[None]:
    """Raise what is no MjcfError as one: errors of the machine as what `error` makes of a message and a cure."""
    try:
        yield
    except (UserError, Warning):
        raise
    except tuple(MACHINE_ERRORS) as why:
        message, cure = next(text for kind, text in MACHINE_ERRORS.items() if isinstance(why, kind))
        reason = f": {why.strerror}" if isinstance(why, OSError) and why.strerror else ""
        raise error(message + reason, cure) from None
    except Exception as why:
        text = f"Kinetoscope has a bug here ({type(why).__name__}: {shortened(' '.join(str(why).split()))})"
        at = (_nearest(why) or error)(text, "please report it, with the file")
        raise Unexpected(at.message, at.file, at.line, at.element, at.cure) from why


def _nearest(why: BaseException) -> Callable[[str, str], MjcfError] | None:
    """What makes errors of the element that the innermost function was about."""
    for frame, _ in reversed(list(walk_tb(why.__traceback__))):
        for value in reversed(frame.f_locals.values()):
            if hasattr(type(value), "error"):
                make: Callable[[str, str], MjcfError] = value.error
                return make
    return None


def shortened(text: str) -> str:
    """Text from the file, cut to a length that fits into a message."""
    return text if len(text) <= 40 else text[:37] + "..."


def suggestion(name: str, known: Iterable[str]) -> str:
    """The cure for an unknown name: the closest known one, or else all of them."""
    names = sorted(known)
    close = get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    if not names:
        return "there are none"
    return "known: " + ", ".join(names)


# ---- errors that many elements can have


class Located(Protocol):
    """What makes errors at its place in the file: a node, or an element."""

    def error(self, message: str, cure: str = "") -> MjcfError:
        """An error here."""


def lookup(at: Located, kind: str, name: str, known: Mapping[str, Found]) -> Found:
    """What has a name."""
    if name not in known:
        raise at.error(f"{kind} '{name}' does not exist", suggestion(name, known))
    return known[name]


def check_not_negative(at: Located, name: str, value: float) -> None:
    if value < 0:
        raise at.error(f"{name} is {value:g}", "it must be zero or positive")


def check_positive(at: Located, name: str, value: float) -> None:
    if value <= 0:
        raise at.error(f"{name} is {value:g}", "it must be positive")
