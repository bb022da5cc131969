"""Which entries a typed text means, the likeliest first.

Every typed word has to be somewhere in an entry, in any order. Where counts: a word of the title, a synonym that is
typed in full, the beginning of a word of the title, its inside, the other words, the caption. A plural is its singular.
If nothing is found, one wrong, missing, additional or swapped letter in a word is forgiven.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Protocol, TypeVar

# what a word counts, by where it is found: less is better
WHOLE, PLURAL, SYNONYM, PREFIX, INSIDE, OTHER, CAPTION, TYPO = 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0
# the title begins with the text, or its subject is the text
BEGINS, IS_NAME = -0.25, -0.5
# shorter words have no plural, and no typo
SHORT = 4
# more entries than these are not ranked; so many are offered if nothing is found, those that are at least so alike
MOST_RANKED, MOST_NEAR, LEAST_ALIKE = 1000, 5, 0.05
WORD = re.compile(r"[^\W_]+")


class Terms:
    """The words of an entry, by how much they count; `extra` counts against what is seldom wanted."""

    def __init__(
        self, title: str, name: str = "", others: str = "", synonyms: str = "", caption: str = "", extra: float = 0.0
    ) -> None:
        self.name, self.title, self.extra = name.lower(), title.lower(), extra
        self._others, self._caption = others.lower(), caption.lower()
        self._synonyms = synonyms.lower()

    @cached_property
    def text(self) -> str:
        """All that is searched."""
        return f"{self.title}\n{self.name}\n{self._others}\n{self._synonyms}\n{self._caption}"

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the title."""
        text = f"{self.title} {self.name}"
        return tuple(dict.fromkeys([*text.split(), *WORD.findall(text)]))

    @cached_property
    def synonyms(self) -> tuple[str, ...]:
        """The words that mean the same."""
        return tuple(WORD.findall(self._synonyms))

    def cost(self, word: str) -> float | None:
        """What a typed word counts here; None if it is not here."""
        single, words = singular(word), self.words
        if word in words:
            return WHOLE
        if single in map(singular, words):
            return PLURAL
        if single in map(singular, self.synonyms):
            return SYNONYM
        if any(known.startswith(single) for known in words):
            return PREFIX
        if single in self.title or single in self.name:
            return INSIDE
        if single in self._others or single in self._synonyms:
            return OTHER
        return CAPTION if single in self._caption else None

    def forgiven(self, word: str) -> float | None:
        """The same with a letter that is wrong."""
        cost = self.cost(word)
        if cost is not None or len(word) < SHORT:
            return cost
        return TYPO if any(one_edit(word, known) for known in (*self.words, *self.synonyms)) else None


class Searchable(Protocol):
    """An entry."""

    @property
    def terms(self) -> Terms: ...


Found = TypeVar("Found", bound=Searchable)


def search(entries: Sequence[Found], text: str) -> list[Found]:
    """The entries that a text means, the likeliest first; all of them, as they are, if there is no text."""
    return [entry for _, entry in ranked(entries, text) or ranked(entries, text, forgiving=True)]


def ranked(entries: Sequence[Found], text: str, forgiving: bool = False) -> list[tuple[float, Found]]:
    """The entries with all typed words, and what these count, in its order; `forgiving` allows a wrong letter."""
    typed, found = text.lower().split(), list(entries)
    if forgiving:
        return _ranked(found, typed, Terms.forgiven)
    # word by word is much faster than entry by entry
    for word in map(singular, typed):
        found = [entry for entry in found if word in entry.terms.text]
    rest = [(OTHER, entry) for entry in found[MOST_RANKED:]]
    return _ranked(found[:MOST_RANKED], typed, Terms.cost) + rest


def nearest(entries: Sequence[Found], text: str) -> list[Found]:
    """If nothing is found: the entries that are most like the text."""
    typed = text.lower().split()

    def likeness(entry: Found) -> float:
        # a long word that is the same counts more than several that are a little alike
        words = entry.terms.words + entry.terms.synonyms
        return sum(len(word) * max((_alike(known, word) for known in words), default=0.0) ** 2 for word in typed)

    scored = [(likeness(entry), entry) for entry in entries]
    scored.sort(key=lambda pair: -pair[0])
    return [entry for score, entry in scored[:MOST_NEAR] if score >= LEAST_ALIKE]


def singular(word: str) -> str:
    """A word without the s of its plural."""
    return word[:-1] if len(word) >= SHORT and word.endswith("s") and not word.endswith("ss") else word


def one_edit(first: str, second: str) -> bool:
    """Whether one letter is wrong, missing or additional, or two neighbours are swapped."""
    if abs(len(first) - len(second)) > 1:
        return False
    short, long = sorted((first, second), key=len)
    at = next((k for k, letter in enumerate(short) if letter != long[k]), len(short))
    if len(short) != len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return short[at + 1 :] == long[at + 1 :] or swapped


def _ranked(
    entries: Iterable[Found], typed: Sequence[str], cost: Callable[[Terms, str], float | None]
) -> list[tuple[float, Found]]:
    text, found = " ".join(typed), list[tuple[float, Found]]()
    for entry in entries:
        terms = entry.terms
        costs = [cost(terms, word) for word in typed]
        known = [count for count in costs if count is not None]
        if len(known) == len(costs):
            is_name = bool(typed) and singular(terms.name) == singular(text)
            bonus = BEGINS * (bool(typed) and terms.title.startswith(text)) + IS_NAME * is_name
            found.append((sum(known) + bonus + (terms.extra if typed else 0.0), entry))
    return sorted(found, key=lambda pair: pair[0])


@lru_cache(maxsize=1 << 16)
def _alike(first: str, second: str) -> float:
    """The share of pairs of letters that two words have in common, from 0 to 1."""
    mine, yours = _pairs(first), _pairs(second)
    return 2 * len(mine & yours) / (len(mine) + len(yours))


@lru_cache(maxsize=1 << 14)
def _pairs(word: str) -> frozenset[str]:
    """Neighbouring letters, with the beginning of the word."""
    return frozenset(map("".join, pairwise(f" {word}")))
