"""Parses a page of the manual into blocks: headings, paragraphs, list items, tables, code and pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.token import Token

BULLET = "•"


@dataclass(frozen=True)
class Run:
    """Text of one style; a "\\n" in it is a line break."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True)
class Block:
    """A heading, a text, a table, code, a picture or a rule.

    `depth` counts the lists and quotes around it, `marker` is the bullet or number that it begins with. `text` is the
    code, the address of a picture, or the slug of a heading.
    """

    kind: str
    runs: Runs = ()
    level: int = 0
    depth: int = 0
    marker: str = ""
    text: str = ""
    rows: tuple[tuple[Runs, ...], ...] = ()

    @property
    def plain(self) -> str:
        """Its words, for a search."""
        if self.kind == "table":
            return "\n".join("  ".join(map(plain, row)) for row in self.rows)
        return self.text if self.kind == "code" else plain(self.runs)


def plain(runs: Iterable[Run]) -> str:
    """The text of runs without their styles."""
    return "".join(run.text for run in runs)


def slug(title: str) -> str:
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def parse(text: str) -> list[Block]:
    """The blocks of a page; HTML is left out."""
    blocks, seen = [], Counter[str]()
    for block in _blocks(_parser().parse(text)):
        if block.kind == "heading":
            name = slug(plain(block.runs))
            anchor = f"{name}-{seen[name]}" if seen[name] else name
            seen[name] += 1
            block = replace(block, text=anchor)
        blocks.append(block)
    return blocks


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    """Blocks in the order of the page."""
    depth, marker, rows, level, in_cell = 0, "", list[tuple[Runs, ...]](), 0, False
    for token in tokens:
        match token.type:
            case "bullet_list_open" | "ordered_list_open" | "blockquote_open":
                depth += 1
            case "bullet_list_close" | "ordered_list_close" | "blockquote_close":
                depth -= 1
            case "list_item_open":
                marker = f"{token.info}." if token.info else BULLET
            case "heading_open":
                level = int(token.tag[1:])
            case "heading_close":
                level = 0
            case "table_open":
                rows = []
            case "tr_open":
                rows.append(())
            case "table_close":
                yield Block("table", depth=depth, rows=tuple(rows))
            case "th_open" | "td_open" | "th_close" | "td_close":
                in_cell = token.nesting > 0
            case "inline" if in_cell:
                rows[-1] = (*rows[-1], tuple(_runs(token)))
            case "inline":
                for block in _inline_blocks(token, level):
                    yield replace(block, depth=depth, marker=marker)
                    marker = ""
            case "fence" | "code_block":
                yield Block("code", depth=depth, marker=marker, text=token.content.rstrip("\n"))
                marker = ""
            case "hr":
                yield Block("rule", depth=depth)


def _inline_blocks(token: Token, level: int) -> Iterator[Block]:
    """A heading or a paragraph; pictures in it are blocks of their own."""
    for is_picture, group in groupby(_runs(token, pictures=True), key=lambda run: run.link.startswith("!")):
        runs = tuple(group)
        if is_picture:
            yield from (Block("picture", (Run(run.text),), text=run.link[1:]) for run in runs)
        elif plain(runs).strip():
            yield Block("heading" if level else "text", runs, level)


def _runs(token: Token, pictures: bool = False) -> Iterator[Run]:
    """The runs of an inline token, neighbours of one style joined, unless they are code."""
    for run, group in groupby(_spans(token, pictures), key=lambda run: run if run.code else replace(run, text="")):
        yield run if run.code else replace(run, text=plain(group))


def _spans(token: Token, pictures: bool) -> Iterator[Run]:
    """The parts of an inline token; a picture has its alternative text, and an address that begins with !."""
    bold = italic = 0
    link = ""
    for child in token.children or ():
        match child.type:
            case "strong_open" | "strong_close":
                bold += child.nesting
            case "em_open" | "em_close":
                italic += child.nesting
            case "link_open":
                link = str(child.attrs.get("href", ""))
            case "link_close":
                link = ""
            case "softbreak":
                yield Run(" ", bool(bold), bool(italic), link=link)
            case "hardbreak":
                yield Run("\n")
            case "image" if pictures:
                yield Run(child.content, link=f"!{child.attrs.get('src', '')}")
            case "text" | "code_inline" | "image":
                yield Run(child.content, bool(bold), bool(italic), child.type == "code_inline", link)
