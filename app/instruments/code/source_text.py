"""Python source as coloured text: each line as pieces, each with the kind of its tokens."""

from __future__ import annotations

import io
import keyword
import tokenize
from typing import NamedTuple

# kinds of pieces; "" is plain
KEYWORD, NUMBER, STRING, COMMENT, DEFINITION, DECORATOR = (
    "keyword", "number", "string", "comment", "definition", "decorator",
)  # fmt: skip
_TOKENS = {tokenize.NUMBER: NUMBER, tokenize.STRING: STRING, tokenize.COMMENT: COMMENT}


class Piece(NamedTuple):
    """A part of a line."""

    text: str
    kind: str = ""


Line = tuple[Piece, ...]


def coloured_lines(text: str) -> tuple[Line, ...]:
    """The lines of a source, each as pieces that make up its text; from the first error on, plain text."""
    lines = text.splitlines()
    kinds = [[""] * len(line) for line in lines]
    before = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            _mark(kinds, token, _kind(token, before))
            if token.type not in (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
                before = token.string
    except (tokenize.TokenError, SyntaxError):
        pass
    return tuple(_pieces(line, kind) for line, kind in zip(lines, kinds, strict=True))


def _kind(token: tokenize.TokenInfo, before: str) -> str:
    """The kind of a token, after another one."""
    if token.type == tokenize.NAME:
        if keyword.iskeyword(token.string):
            return KEYWORD
        if before in ("def", "class"):
            return DEFINITION
        return DECORATOR if before == "@" else ""
    if token.string == "@" and token.type == tokenize.OP and not token.line[: token.start[1]].strip():
        return DECORATOR
    return _TOKENS.get(token.type, "")


def _mark(kinds: list[list[str]], token: tokenize.TokenInfo, kind: str) -> None:
    """Give all characters of a token its kind; a string may have several lines."""
    if not kind:
        return
    (first, begin), (last, end) = token.start, token.end
    for row in range(first - 1, min(last, len(kinds))):
        line = kinds[row]
        low, high = begin if row == first - 1 else 0, end if row == last - 1 else len(line)
        line[low:high] = [kind] * len(line[low:high])


def _pieces(line: str, kinds: list[str]) -> Line:
    """Neighbouring characters of one kind together."""
    found: list[Piece] = []
    begin = 0
    for at in range(1, len(line) + 1):
        if at == len(line) or kinds[at] != kinds[begin]:
            found.append(Piece(line[begin:at], kinds[begin]))
            begin = at
    return tuple(found)
