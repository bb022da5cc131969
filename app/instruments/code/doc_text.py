"""Docstrings for people: paragraphs without the line breaks of the source, and lines of code as they are."""

from __future__ import annotations

from typing import NamedTuple


class Paragraph(NamedTuple):
    """Text to be wrapped, or lines of code."""

    text: str
    is_code: bool = False


def paragraphs(doc: str) -> list[Paragraph]:
    """The paragraphs of a docstring; indented lines are code, list items begin a paragraph of their own."""
    found: list[Paragraph] = []
    joins = False
    for line in doc.splitlines():
        text, is_code = line.strip(), line.startswith("    ")
        if not text:
            joins = False
            continue
        # an indented line after an item of a list continues it
        if is_code and joins and found[-1].text.startswith("- "):
            is_code = False
        # (inputs) -> (results) stands by itself
        joins = joins and not (found[-1].text.startswith("(") and found[-1].text.endswith((")", ").")))
        if joins and found[-1].is_code == is_code and not text.startswith("- "):
            glue = "\n" if is_code else " "
            found[-1] = Paragraph(found[-1].text + glue + (line[4:] if is_code else text), is_code)
        else:
            found.append(Paragraph(line[4:] if is_code else text, is_code))
        joins = True
    return found
