"""Searches the manual: sections that have all words, those with the words in a title first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from app.manual.pages import FOLDER, Page, Place, read_pages

# what a word counts, by where it is found: less is better
TITLE, HEADING, TEXT = 0, 1, 3
# what counts against words that are scattered over a page
SCATTERED = 100
# characters of a snippet, and those before the word
SNIPPET, BEFORE = 110, 30
# shorter words have no plural
SHORT = 4


@dataclass(frozen=True)
class Hit:
    """A section that has all words, with the text around the first one."""

    place: Place
    page: str
    heading: str
    snippet: str

    @property
    def title(self) -> str:
        """Page and heading."""
        return f"{self.page} › {self.heading}" if self.heading else self.page


@lru_cache(maxsize=32)
def search(query: str, folder: Path = FOLDER) -> tuple[Hit, ...]:
    """Hits, the likeliest first; a word is found where a word of the text begins with it."""
    words = [_pattern(word) for word in query.lower().split()]
    if not words:
        return ()
    scored = [found for page in read_pages(folder).values() for found in _page_hits(page, words)]
    return tuple(hit for _, hit in sorted(scored, key=lambda pair: pair[0]))


def _pattern(word: str) -> re.Pattern[str]:
    """The beginning of a word; a plural finds the singular too."""
    single = word[:-1] if len(word) >= SHORT and word.endswith("s") and not word.endswith("ss") else word
    return re.compile(rf"(?<![^\W_]){re.escape(single)}", re.IGNORECASE)


def _page_hits(page: Page, words: list[re.Pattern[str]]) -> Iterator[tuple[int, Hit]]:
    """The sections of a page that have all words, or else the page, if it has them."""
    in_title = [word.search(page.title) is not None for word in words]
    found = False
    for place, section in enumerate(page.sections):
        in_heading = [place > 0 and word.search(section.title) is not None for word in words]
        in_text = [word.search(section.text) is not None for word in words]
        # what only the title of the page has is said once
        if place and not any(a or b for a, b in zip(in_heading, in_text, strict=True)):
            continue
        costs = [
            TITLE if a and not place else HEADING if b else TEXT if a or c else None
            for a, b, c in zip(in_title, in_heading, in_text, strict=True)
        ]
        if None not in costs:
            found = True
            heading = section.title if place else ""
            hit = Hit(Place(page.topic, section.slug), page.title, heading, snippet(section.text, words))
            yield sum(cost or 0 for cost in costs), hit
    whole = "\n".join(f"{section.title}\n{section.text}" for section in page.sections)
    if not found and all(word.search(whole) for word in words):
        yield SCATTERED, Hit(Place(page.topic), page.title, "", snippet(whole, words))


def snippet(text: str, words: list[re.Pattern[str]]) -> str:
    """The text around the first of the words, cut between words; its beginning if it has none of them."""
    line = " ".join(text.split())
    at = min((match.start() for word in words if (match := word.search(line))), default=0)
    start = line.rfind(" ", 0, max(at - BEFORE, 0)) + 1 if at > BEFORE else 0
    cut = line[start : start + SNIPPET]
    if start + SNIPPET < len(line):
        cut = f"{cut.rpartition(' ')[0] or cut} …"
    return f"… {cut}" if start else cut
