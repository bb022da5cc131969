"""The layout of a page of the manual: texts, boxes, pictures and links at their places, for one width and font size."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from app.manual.blocks import Block, Run, Runs

# sizes of headings by level, in font sizes
HEADINGS = (1.7, 1.3, 1.1, 1.0)
LINE, GAP, ITEM_GAP, INDENT = 1.38, 0.75, 0.3, 1.5
CODE_PAD, CELL_PAD = 0.6, 0.5
# pixels by which sums of widths may differ
ROUNDING = 0.5
# width of a text in a font, in pixels, at the size of the page times a factor
Measure = Callable[[str, str, float], float]
# width and height of a picture, in pixels
Size = Callable[[str], tuple[float, float] | None]


@dataclass(frozen=True)
class Text:
    """A text of one font and colour; y is the top of its line."""

    x: float
    y: float
    text: str
    face: str = "sans"
    size: float = 1.0
    tint: str = "TEXT"
    link: str = ""
    width: float = 0.0


@dataclass(frozen=True)
class Box:
    """A filled rectangle: the ground of code or of a table's head, or a line; `copies` is what a button copies."""

    x: float
    y: float
    width: float
    height: float
    tint: str = "RAISED"
    copies: str = ""


@dataclass(frozen=True)
class Picture:
    """An image of a file."""

    x: float
    y: float
    width: float
    height: float
    address: str


@dataclass
class Band:
    """What is drawn between two heights of the page."""

    top: float
    bottom: float
    boxes: list[Box] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)


@dataclass
class Sheet:
    """A laid-out page: bands from top to bottom, and the heights of headings by slug."""

    width: float
    em: float
    measure: Measure
    size_of: Size
    bands: list[Band] = field(default_factory=list)
    headings: dict[str, float] = field(default_factory=dict)
    height: float = 0.0

    def add(self, blocks: Iterable[Block]) -> Sheet:
        """Lay out blocks below what is there."""
        for before, block in pairwise([None, *blocks]):
            assert block is not None
            if before is not None:
                self.height += self._gap(before, block)
            left = block.depth * INDENT * self.em
            top = self.height
            getattr(self, f"_{block.kind}")(block, left)
            if block.marker and self.bands:
                band = next(band for band in self.bands if band.top >= top)
                wide = self.measure(block.marker, "sans", 1.0)
                place = max(left - wide - 0.45 * self.em, 0.0)
                band.texts.append(Text(place, top, block.marker, tint="DIM", width=wide))
        return self

    def _gap(self, before: Block, block: Block) -> float:
        """The room between two blocks."""
        if block.kind == "heading":
            return (1.6 if block.level == 2 else 1.1) * self.em
        if before.kind == "heading" and before.level > 2:
            return 0.35 * self.em
        in_list = block.marker and (before.depth or block.depth > 1)
        return (ITEM_GAP if in_list else GAP) * self.em

    def _band(self, height: float) -> Band:
        """The next band, of this height."""
        band = Band(self.height, self.height + height)
        self.bands.append(band)
        self.height += height
        return band

    def _text(self, block: Block, left: float) -> None:
        lines = flow(block.runs, self.width - left, self.measure)
        band = self._band(len(lines) * LINE * self.em)
        for place, line in enumerate(lines):
            self._line(band, line, left, band.top + place * LINE * self.em)

    def _heading(self, block: Block, left: float) -> None:
        size = HEADINGS[min(block.level, len(HEADINGS)) - 1]
        self.headings[block.text] = self.height
        lines = flow(block.runs, self.width - left, self.measure, bold=True, size=size)
        band = self._band(len(lines) * LINE * size * self.em)
        for place, line in enumerate(lines):
            self._line(band, line, left, band.top + place * LINE * size * self.em, bold=True, size=size)

    def _line(
        self, band: Band, line: Sequence[Word], left: float, top: float, bold: bool = False, size: float = 1.0
    ) -> None:
        for x, text, run in line:
            face = face_of(run, bold)
            wide = self.measure(text, face, size)
            inset = padding(text, run, self.measure, size) / 2
            if run.code:
                box = Box(left + x, top - 0.1 * self.em, wide + 2 * inset, (size + 0.22) * self.em)
                band.boxes.append(box)
            tint = "ACCENT" if run.link else "TEXT"
            band.texts.append(Text(left + x + inset, top, text, face, size, tint, run.link, wide))

    def _code(self, block: Block, left: float) -> None:
        pad, line = CODE_PAD * self.em, 1.25 * self.em
        room = int((self.width - left - 2 * pad) / max(self.measure("0", "mono", 1.0), 1.0))
        lines = [part for text in block.text.split("\n") for part in chunks(text, max(room, 1))]
        band = self._band(len(lines) * line + 2 * pad)
        band.boxes.append(Box(left, band.top, self.width - left, band.bottom - band.top, "RAISED", block.text))
        for place, text in enumerate(lines):
            band.texts.append(Text(left + pad, band.top + pad + place * line, text, "mono"))

    def _rule(self, _: Block, left: float) -> None:
        band = self._band(1.0)
        band.boxes.append(Box(left, band.top, self.width - left, 1.0, "LINE"))

    def _picture(self, block: Block, left: float) -> None:
        size = self.size_of(block.text)
        if size is None:
            self._text(Block("text", tuple(replace(run, italic=True) for run in block.runs)), left)
            return
        width = min(size[0], self.width - left)
        band = self._band(width * size[1] / size[0])
        band.pictures.append(Picture(left, band.top, width, band.bottom - band.top, block.text))

    def _table(self, block: Block, left: float) -> None:
        pad = CELL_PAD * self.em
        count = max(map(len, block.rows))
        widths = self._columns(block.rows, self.width - left - 2 * pad * count)
        for row, cells in enumerate(block.rows):
            bold = row == 0
            lines = [flow(runs, wide, self.measure, bold) for runs, wide in zip(cells, widths, strict=False)]
            high = max(map(len, lines)) * LINE * self.em + pad
            band, x = self._band(high), left + pad
            if bold:
                band.boxes.append(Box(left, band.top, sum(widths) + 2 * pad * count, high))
            band.boxes.append(Box(left, band.bottom, sum(widths) + 2 * pad * count, 1.0, "LINE"))
            for cell, wide in zip(lines, widths, strict=False):
                for place, line in enumerate(cell):
                    self._line(band, line, x, band.top + pad / 2 + place * LINE * self.em, bold)
                x += wide + 2 * pad

    def _columns(self, rows: Sequence[Sequence[Runs]], room: float) -> list[float]:
        """Widths of columns: what the cells need or, if that is too much, at least their longest words."""
        least, most = [0.0] * max(map(len, rows)), [0.0] * max(map(len, rows))
        for row, cells in enumerate(rows):
            for column, runs in enumerate(cells):
                spaces, words = self._lengths(runs, bold=row == 0)
                least[column] = max(least[column], *words, 0.0)
                most[column] = max(most[column], sum(words) + spaces)
        if sum(most) <= room:
            return most
        if sum(least) >= room:
            return [room * wide / sum(least) for wide in least]
        share = (room - sum(least)) / (sum(most) - sum(least))
        return [a + share * (b - a) for a, b in zip(least, most, strict=True)]

    def _lengths(self, runs: Runs, bold: bool) -> tuple[float, list[float]]:
        """The width of all spaces, and of each word."""
        words = [
            sum(
                self.measure(text, face_of(run, bold), 1.0) + padding(text, run, self.measure, 1.0)
                for text, run in word
            )
            for word in split_words(runs)
            if word
        ]
        return max(len(words) - 1, 0) * self.measure(" ", "sans", 1.0) + 1.0, words or [0.0]


# a place in the line, a text, and the run that it is from
Word = tuple[float, str, Run]


def face_of(run: Run, bold: bool = False) -> str:
    """The font of a run."""
    return "mono" if run.code else "bold" if run.bold or bold else "italic" if run.italic else "sans"


def padding(text: str, run: Run, measure: Measure, size: float) -> float:
    """The room next to a text: code has a box around it."""
    return measure(" ", "sans", size) if run.code and text else 0.0


def chunks(text: str, count: int) -> list[str]:
    """A line of code in parts of at most so many characters."""
    return [text[k : k + count] for k in range(0, len(text), count)] or [""]


def split_words(runs: Runs) -> list[list[tuple[str, Run]]]:
    """Words, each in parts of one run; an empty one is a line break."""
    words: list[list[tuple[str, Run]]] = []
    joins = False
    for run in runs:
        for part in re.findall(r"\n| +|[^ \n]+", run.text):
            if part == "\n":
                words.append([])
            elif part[0] != " " and joins:
                words[-1].append((part, run))
            elif part[0] != " ":
                words.append([(part, run)])
            joins = part[0] not in " \n"
    return words


def flow(runs: Runs, width: float, measure: Measure, bold: bool = False, size: float = 1.0) -> list[list[Word]]:
    """Lines of at most a width; a word that is longer is cut."""

    def wide(text: str, run: Run) -> float:
        return measure(text, face_of(run, bold), size) + padding(text, run, measure, size)

    lines: list[list[Word]] = [[]]
    x, space = 0.0, measure(" ", "sans", size)
    for word in split_words(runs):
        whole = sum(wide(*part) for part in word)
        if not word or (lines[-1] and x + space + whole > width + ROUNDING):
            lines.append([])
            x = 0.0
        gap = space if lines[-1] else 0.0
        for text, run in word:
            if gap and lines[-1][-1][2] is run:
                # one text for neighbours of one style
                x, known, _ = lines[-1].pop()
                text, gap = f"{known} {text}", 0.0
            x, gap = x + gap, 0.0
            while len(text) > 1 and x + wide(text, run) > width + ROUNDING:
                fits = bisect_right(range(1, len(text)), width - x, key=lambda n: wide(text[:n], run))
                count = max(fits, 0 if lines[-1] else 1)
                lines[-1] += [(x, text[:count], run)] if count else []
                lines.append([])
                x, text = 0.0, text[count:]
            lines[-1].append((x, text, run))
            x += wide(text, run)
    return lines
