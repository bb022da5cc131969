"""Decodes OBJ files: vertices, normals, texture coordinates, and triangulated faces.

The text is split into words once, as arrays of starts, ends and lines; the words of all lines of a type are then
converted at once, because robot models have millions of them. Only the faces of the first group or object that has any
are used. Corners are `v`, `v/t`, `v//n` or `v/t/n`, from 1, or negative, counting back from the last so far.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.mjcf.asset.rows import Doubles, Floats, Ints
from sim.mjcf.asset.triangulate import triangulate

BLANK = 32
# longer words are parsed one by one, to keep the table of characters small
LONGEST = 32
DIGITS = 10


class Words:
    """The words of a text: `start` and `end` of each; `head`: those that begin a line; `count`: words after it."""

    def __init__(self, data: bytes) -> None:
        self.text = np.frombuffer(data + b"\n\n\n", np.uint8)
        printable = self.text > BLANK
        change = np.flatnonzero(printable[1:] != printable[:-1]) + 1
        if printable[0]:
            change = np.concatenate(([0], change))
        self.start, self.end = change[::2], change[1::2]
        breaks = np.flatnonzero((self.text == ord("\n")) | (self.text == ord("\r")))
        line = np.searchsorted(breaks, self.start)
        self.head = np.flatnonzero(np.diff(line, prepend=-1))
        self.count = np.diff(self.head, append=len(line)) - 1

    def lines(self, *words: str) -> Any:
        """Which of the lines that are not empty begin with one of these words and a blank."""
        start = self.start[self.head]
        found = np.zeros(len(start), bool)
        for word in words:
            here = np.isin(self.text[start + len(word)], (ord(" "), ord("\t")))
            for k, letter in enumerate(word.encode()):
                here &= self.text[start + k] == letter
            found |= here
        return np.flatnonzero(found)

    def characters(self, word: Any) -> Any:
        """The characters of these words, one row each, zeros after the last."""
        start, size = self.start[word], (self.end - self.start)[word]
        column = np.arange(min(int(size.max(initial=0)), LONGEST))
        table = self.text[np.minimum(start[:, None] + column, len(self.text) - 1)]
        return np.where(column < size[:, None], table, 0)

    def text_of(self, word: int) -> str:
        return self.text[self.start[word] : self.end[word]].tobytes().decode("utf-8", "replace")


def read_obj(data: bytes) -> tuple[list[Floats], list[Ints]]:
    """Vertices, normals and texture coordinates, and for each the three indices of every triangle."""
    words = Words(data)
    vertex, normal, texcoord = _rows(words, "v", 3), _rows(words, "vn", 3), _rows(words, "vt", 2)
    texcoord[:, 1] = 1 - texcoord[:, 1]
    corners, sizes = _faces(words)
    if (sizes == 3).all():
        corners = corners.reshape(-1, 3, 3)
    else:
        corners = corners[triangulate(vertex, corners[:, 0], sizes)]
    places = [np.ascontiguousarray(corners[:, :, k]) for k in (0, 2, 1)]
    return [vertex, normal, texcoord], places


def _rows(words: Words, kind: str, width: int) -> Floats:
    """The numbers of all lines that begin with a keyword; missing ones are zero, as in `vt u`."""
    line = words.lines(kind)
    there = np.arange(width) < words.count[line][:, None]
    rows = np.zeros((len(line), width), np.float32)
    with np.errstate(over="ignore"):
        rows[there] = _numbers(words, (words.head[line][:, None] + 1 + np.arange(width))[there], kind)
    return rows


def _numbers(words: Words, word: Any, kind: str) -> Doubles:
    table = words.characters(word)
    if len(word) and int((words.end - words.start)[word].max()) <= LONGEST:
        try:
            return np.ascontiguousarray(table).view(f"S{table.shape[1]}")[:, 0].astype(np.float64)
        except ValueError:
            pass
    return np.array([number(words.text_of(w), f"after '{kind}', a number") for w in word], np.float64)


def number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{what} is '{text}', which is not a number") from None


def _faces(words: Words) -> tuple[Ints, Ints]:
    """Indices of vertex, texture coordinate and normal of each corner, -1 for none, and the corners of each face."""
    line = words.lines("f")
    if len(line):
        # up to the next group
        others = words.lines("g", "o")
        line = line[line < others[np.searchsorted(others, line[0])]] if (others > line[0]).any() else line
    sizes = words.count[line]
    face = np.repeat(np.arange(len(line)), sizes)
    word = words.head[line][face] + 1 + np.arange(len(face)) - (np.cumsum(sizes) - sizes)[face]
    value, given = _corners(words, word)
    # how many there were so far, for negative indices
    so_far = np.stack([np.searchsorted(words.lines(kind), line[face]) for kind in ("v", "vt", "vn")], axis=1)
    corners = np.where(value > 0, value - 1, np.where(given, so_far + value, -1))
    return corners.astype(np.int32), sizes.astype(np.int32)


def _corners(words: Words, word: Any) -> tuple[Any, Any]:
    """The indices in words like `1/2/3`, and which of the three are given."""
    table = words.characters(word)
    row = np.arange(len(word))
    part = np.zeros(len(word), np.int64)
    value = np.zeros((len(word), 3), np.int64)
    digits, negative = np.zeros_like(value), np.zeros(value.shape, bool)
    wrong = (words.end - words.start)[word] > LONGEST
    for letter in table.T:
        digit, slash, minus = (letter >= ord("0")) & (letter <= ord("9")), letter == ord("/"), letter == ord("-")
        sign = minus | (letter == ord("+"))
        wrong |= ~(digit | slash | sign | (letter == 0)) | (sign & (digits[row, part] > 0)) | (slash & (part == 2))
        at = row[digit], part[digit]
        value[at] = 10 * value[at] + (letter[digit] - ord("0"))
        digits[at] += 1
        negative[row[minus], part[minus]] = True
        part = np.minimum(part + slash, 2)
    given = digits > 0
    wrong |= (negative & ~given).any(axis=1)
    if wrong.any():
        raise ValueError(f"'{words.text_of(int(word[np.argmax(wrong)]))}' is not a corner of a face, such as 1/2/3")
    # an index 0 of a normal or texture coordinate is none
    given[:, 1:] &= value[:, 1:] > 0
    zero = ((given & (value == 0)) | (digits > DIGITS) | (value >= 2**31)).any(axis=1)
    if zero.any():
        raise ValueError(f"'{words.text_of(int(word[np.argmax(zero)]))}' is not a corner of a face: indices start at 1")
    return np.where(negative, -value, value), given
