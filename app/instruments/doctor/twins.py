"""Elements that should be alike: left and right by their names, and series such as finger1, finger2, finger3."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

SIDES = (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
OTHER_SIDE = {"l": "r", "r": "l", "L": "R", "R": "L"}
# a side next to front, hind, back or rear: fl, HR
PAIRED = set("fhbrFHBR")
NUMBER = re.compile(r"\d+")


def twins(names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of elements whose names differ only by the side."""
    index = {name: at for at, name in enumerate(names) if name}
    for name, at in index.items():
        for other in set(mirrored(name)):
            if index.get(other, -1) > at:
                yield at, index[other]


def mirrored(name: str) -> Iterator[str]:
    """Names that the element on the other side could have."""
    for left, right in SIDES:
        if left in name or right in name:
            yield re.sub(f"{left}|{right}", lambda found, a=left, b=right: b if found[0] == a else a, name)  # type: ignore[misc]
    words = re.split(r"([^A-Za-z]+)", name)
    for at, word in enumerate(words):
        for swapped in _swapped(word):
            yield "".join((*words[:at], swapped, *words[at + 1 :]))


def _swapped(word: str) -> Iterator[str]:
    """A word with the letter for its side changed."""
    if not word or not word[0].isalpha():
        return
    if len(word) == 2 and word[1] in OTHER_SIDE and word[0] in PAIRED:
        yield word[0] + OTHER_SIDE[word[1]]
    if word[0] in OTHER_SIDE:
        yield OTHER_SIDE[word[0]] + word[1:]
    if len(word) > 2 and word[-1] in "LR" and not word[-2].isupper():
        yield word[:-1] + OTHER_SIDE[word[-1]]


def series(names: Sequence[str], type_of: Callable[[int], int] = lambda at: 0) -> Iterator[list[int]]:
    """Groups of at least three elements of one type whose names differ only by numbers."""
    groups: dict[tuple[int, str], list[int]] = {}
    for at, name in enumerate(names):
        if NUMBER.search(name):
            groups.setdefault((type_of(at), NUMBER.sub("#", name)), []).append(at)
    yield from (group for group in groups.values() if len(group) > 2)
