"""Changes attributes and elements in the text of an XML file, and nothing else in it.

The parser says nothing about where an attribute is; a tokenizer finds the start tags, of which the k-th is the k-th
element that the parser yields. The text is known to be well-formed. Quotes, spacing, the order of attributes, comments,
line endings and indentation stay; what is added looks like its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from types import MappingProxyType
from typing import NamedTuple

from sim.mjcf.source import UTF16, Node

# what a text consists of, besides characters: comments, CDATA, processing instructions, DOCTYPE, end and start tags
_MARKUP = re.compile(
    r"""<!--.*?--> | <!\[CDATA\[.*?\]\]> | <\?.*?\?>
    | <!DOCTYPE (?: [^\[\]<>"'] | "[^"]*" | '[^']*'
                  | \[ (?: <!--.*?--> | <\?.*?\?> | "[^"]*" | '[^']*' | [^\]"'] )* \] )* >
    | </ (?P<ended> [^\s>]+ ) \s* >
    | < (?P<name> [^\s/>!?] [^\s/>]* ) (?P<inside> (?: [^"'>] | "[^"]*" | '[^']*' )* ) >""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""(?P<space>\s+)(?P<name>[^\s=]+)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')""")
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\n", "&#10;"), ("\r", "&#13;"), ("\t", "&#9;"))
# the indentation of what follows a start tag on the next line
_FIRST_LINE = re.compile(r"[ \t]*\r?\n(?:[ \t]*\r?\n)*([ \t]*)\S")
# a comment behind an element
_COMMENT = re.compile(r"[ \t]*<!--(?:(?!-->).)*-->(?=[ \t]*\r?\n)")
# sections in the order in which people write them
ORDER = (
    "compiler", "option", "size", "statistic", "visual", "default", "asset", "deformable", "worldbody", "contact",
    "equality", "tendon", "actuator", "sensor", "custom", "keyframe",
)  # fmt: skip


class Written(NamedTuple):
    """An attribute in the text: the white space before it, its name, and its value, without the quotes."""

    start: int
    name_start: int
    name: str
    value_start: int
    value_end: int
    quote: str

    @property
    def end(self) -> int:
        return self.value_end + 1


@dataclass(slots=True)
class Tag:
    """A start tag: from `start` to `end`; `close` and `after` are the start and end of the end tag, if there is one."""

    name: str
    start: int
    end: int
    empty: bool
    parent: int
    close: int = -1
    after: int = -1
    children: list[int] = field(default_factory=list)


def start_tags(text: str) -> list[Tag]:
    """All start tags of a well-formed text, in its order."""
    tags: list[Tag] = []
    open_tags: list[int] = []
    for found in _MARKUP.finditer(text):
        if found["name"]:
            parent = open_tags[-1] if open_tags else -1
            empty = found["inside"].endswith("/")
            if parent >= 0:
                tags[parent].children.append(len(tags))
            if not empty:
                open_tags.append(len(tags))
            tags.append(Tag(found["name"], found.start(), found.end(), empty, parent, after=found.end()))
        elif found["ended"]:
            tag = tags[open_tags.pop()]
            tag.close, tag.after = found.start(), found.end()
    return tags


def attributes(text: str, tag: Tag) -> dict[str, Written]:
    """The attributes of a start tag."""
    found = {}
    for match in _ATTRIBUTE.finditer(text, tag.start + 1 + len(tag.name), tag.end):
        group = "double" if match["double"] is not None else "single"
        found[match["name"]] = Written(
            match.start(), match.start("name"), match["name"], *match.span(group), text[match.end() - 1]
        )
    return found


def escaped(value: str, quote: str = '"') -> str:
    """A value as the text between quotes."""
    for char, escape in (*_ESCAPES, (quote, "&quot;" if quote == '"' else "&apos;")):
        value = value.replace(char, escape)
    return value


class Block(NamedTuple):
    """The text of an element that is written elsewhere, and the indentation of its lines."""

    text: str
    indent: str

    def at(self, newline: str) -> str:
        """The text on lines that start with `newline`, or as it is if that has no line."""
        old = "\n" + self.indent
        return self.text.replace(old, "\n" + newline.rpartition("\n")[2]) if "\n" in newline else self.text


# elements that are written as they are somewhere in a text
Blocks = Mapping[Node, Block]
NO_BLOCKS: Blocks = MappingProxyType({})


def element_text(node: Node, newline: str, step: str, blocks: Blocks = NO_BLOCKS) -> str:
    """An element on lines of its own, which start with `newline` and are indented by `step`."""
    parts: list[str] = []
    # a stack instead of recursion: elements can be nested deeper than Python's call stack
    stack: list[tuple[Node | str, str, str]] = [(node, "", newline)]
    while stack:
        inner, before, at = stack.pop()
        if isinstance(inner, str):
            parts += before, inner
            continue
        if inner in blocks:
            parts += before, blocks[inner].at(at)
            continue
        attributes = (f'{key}="{escaped(value)}"' for key, value in inner.attrib.items())
        parts += before, "<", " ".join([inner.tag, *attributes]), ">" if inner.children else "/>"
        if inner.children:
            stack.append((f"</{inner.tag}>", at, at))
            stack += [(child, at + step, at + step) for child in reversed(inner.children)]
    return "".join(parts)


def section_place(there: Sequence[str], tag: str) -> int:
    """Where people expect a section among others: after those that are usually before it."""
    rank = ORDER.index(tag)
    before = [at for at, other in enumerate(there) if other in ORDER and ORDER.index(other) <= rank]
    return before[-1] + 1 if before else 0


class TextEdit:
    """Edits of one text; elements are named by the ordinal of their start tag."""

    def __init__(self, text: str) -> None:
        self.text = text
        # start and end of what is replaced, number of the edit, replacement
        self._edits: list[tuple[int, int, int, str]] = []

    @cached_property
    def tags(self) -> list[Tag]:
        return start_tags(self.text)

    @property
    def result(self) -> str:
        """The text with all edits."""
        return self._edited(0, len(self.text))

    def block(self, ordinal: int) -> Block:
        """The text of an element, with all edits in it."""
        tag = self.tags[ordinal]
        return Block(self._edited(tag.start, tag.after), self._indent(tag.start)[0])

    def _edited(self, first: int, last: int) -> str:
        """A part of the text with the edits in it."""
        parts, at = [], first
        for start, end, _, new in sorted(self._edits):
            if start >= first and end <= last:
                parts += [self.text[at:start], new]
                at = end
        return "".join([*parts, self.text[at:last]])

    @property
    def edited(self) -> bool:
        """Whether there is an edit."""
        return bool(self._edits)

    @property
    def lines(self) -> tuple[int, ...]:
        """Lines of the old text that change, or after which something is added."""
        return tuple(sorted({self._line(start) for start, _, _, _ in self._edits}))

    def line(self, ordinal: int) -> int:
        """The line on which an element starts."""
        return self._line(self.tags[ordinal].start)

    def _line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def start_tag(self, ordinal: int) -> str:
        """The text of a start tag."""
        tag = self.tags[ordinal]
        return self.text[tag.start : tag.end]

    def value(self, ordinal: int, name: str) -> str | None:
        """The value of an attribute as it is written, None if it is not."""
        written = attributes(self.text, self.tags[ordinal]).get(name)
        return None if written is None else unescape(self.text[written.value_start : written.value_end])

    def _replace(self, start: int, end: int, new: str) -> None:
        self._edits.append((start, end, len(self._edits), new))

    def set_attribute(self, ordinal: int, name: str, value: str) -> None:
        """Change the value of an attribute, in its quotes, or add the attribute at the end."""
        tag = self.tags[ordinal]
        known = attributes(self.text, tag)
        if name in known:
            old = known[name]
            raw = self.text[old.value_start : old.value_end]
            self._replace(old.value_start, old.value_end, _respaced(raw, escaped(value, old.quote)))
            return
        space, at = " ", tag.start + 1 + len(tag.name)
        if known:
            at = max(written.end for written in known.values())
            spaces = [self.text[written.start : written.name_start] for written in known.values()]
            # one attribute a line
            if len(spaces) > 1 and all("\n" in one for one in spaces[1:]):
                space = spaces[-1]
        self._replace(at, at, f'{space}{name}="{escaped(value)}"')

    def remove_attribute(self, ordinal: int, name: str) -> None:
        """Remove an attribute, with the space before it."""
        known = attributes(self.text, self.tags[ordinal])
        if name in known:
            self._replace(known[name].start, known[name].end, "")

    def rename(self, ordinal: int, name: str) -> None:
        """Change the tag of an element."""
        tag = self.tags[ordinal]
        for start in (tag.start + 1, *([tag.close + 2] if tag.close >= 0 else [])):
            self._replace(start, start + len(tag.name), name)

    def remove_element(self, ordinal: int) -> None:
        """Remove an element, with its line if nothing else is on it."""
        tag = self.tags[ordinal]
        start, end = tag.start, tag.after
        line = self.text.rfind("\n", 0, start) + 1
        if not self.text[line:start].strip() and self.text[end : end + 1] in ("\n", "\r"):
            start = line
            end = self.text.index("\n", end) + 1
        self._replace(start, end, "")

    def add_child(self, ordinal: int, node: Node, after: int | None = None, blocks: Blocks = NO_BLOCKS) -> None:
        """Add an element to another one: after one of its children, by default the last; -1 is before all."""
        tag = self.tags[ordinal]
        place = -1 if not tag.children else tag.children[-1] if after is None else after
        outer, alone = self._indent(tag.start)
        first = _FIRST_LINE.match(self.text, tag.end)
        if place >= 0:
            indent, alone = self._indent(self.tags[place].start)
            comment = _COMMENT.match(self.text, self.tags[place].after) if alone else None
            at = comment.end() if comment else self.tags[place].after
        elif tag.children:
            indent, alone, at = first[1] if first else "", first is not None, tag.end
        else:
            indent, at = outer + self._step(tag, outer), tag.end
        newline = self._newline + indent if alone else ""
        new = newline + element_text(node, newline, self._step(tag, outer) if alone else "", blocks)
        if tag.empty:
            self._open(tag, new + (self._newline + outer if alone else ""))
        else:
            rest = self.text[tag.end : tag.close]
            # an element without children on one line gets an end tag on a line of its own
            tail = self._newline + outer if alone and not tag.children and "\n" not in rest else ""
            self._replace(at, at, new + tail)

    def add_section(self, ordinal: int, node: Node, blocks: Blocks = NO_BLOCKS) -> None:
        """Add a section where people expect it: after those that are usually before it."""
        there = self.tags[ordinal].children
        at = section_place([self.tags[k].name for k in there], node.tag)
        self.add_child(ordinal, node, there[at - 1] if at else -1, blocks)

    def _open(self, tag: Tag, inside: str) -> None:
        """Give an empty element content."""
        start = len(self.text[: tag.end - 2].rstrip())
        for old in [edit for edit in self._edits if edit[:2] == (start, tag.end) and edit[3].startswith(">")]:
            # a second child
            self._edits.remove(old)
            inside = old[3][1 : old[3].rindex("</")].rstrip() + inside
        self._replace(start, tag.end, f">{inside}</{tag.name}>")

    def _indent(self, at: int) -> tuple[str, bool]:
        """The white space at the start of a line, and whether what is at this place is the first on it."""
        line = self.text.rfind("\n", 0, at) + 1
        before = self.text[line:at]
        indent = before[: len(before) - len(before.lstrip())]
        return indent, before == indent and line > 0

    def _step(self, tag: Tag, outer: str) -> str:
        """How much further the children of an element are indented."""
        for parent in (tag, self.tags[0]):
            base, _ = self._indent(parent.start)
            for child in parent.children:
                indent, alone = self._indent(self.tags[child].start)
                if alone and indent.startswith(base) and len(indent) > len(base):
                    return indent[len(base) :]
        return "\t" if outer.startswith("\t") else "  "

    @cached_property
    def _newline(self) -> str:
        at = self.text.find("\n")
        return "\r\n" if at > 0 and self.text[at - 1] == "\r" else "\n"


def _respaced(old: str, new: str) -> str:
    """A new list of words with the spaces of the old one; other texts as they are."""
    spaces, words = re.split(r"\S+", old), new.split()
    if len(spaces) < 2 or " ".join(words) != new or not words:
        return new
    gaps = [spaces[k] if k < len(spaces) - 1 else " " for k in range(len(words))]
    return "".join(gap + word for gap, word in zip(gaps, words, strict=True)) + spaces[-1]


def encode(text: str, old: bytes) -> bytes:
    """A text in the encoding of another one, which is told by its bytes as the reader does."""
    if old[:2] in UTF16:
        order = "utf-16-le" if old[:1] == b"\xff" else "utf-16-be"
        return old[:2] + text.encode(order)
    if old.startswith(b"\xef\xbb\xbf"):
        return old[:3] + text.encode()
    try:
        old.decode()
    except UnicodeDecodeError:
        return text.encode("latin-1", "xmlcharrefreplace")
    return text.encode()
