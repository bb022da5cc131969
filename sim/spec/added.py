"""Nodes that a program adds: an error at one names the line of the program that added it."""

from __future__ import annotations

import sys
from pathlib import Path

from sim.mjcf.source import TEXT_NAME, Document, Node, XmlReader

# frames in these folders are not the program's
PACKAGES = tuple(str(Path(__file__).resolve().parent.parent / name) for name in ("spec", "mujoco"))
EMPTY = "<mujoco/>"


class AddedNode(Node):
    """A node of no text, with the place in the program that added it."""

    __slots__ = ("place",)

    def __init__(self, tag: str, attrib: dict[str, str], document: Document, place: tuple[str, int]) -> None:
        super().__init__(tag, attrib, document, place[1])
        self.place = place

    def copy(self) -> AddedNode:
        return AddedNode(self.tag, dict(self.attrib), self.document, self.place)

    @property
    def file(self) -> str:
        return self.place[0]

    @property
    def line(self) -> int:
        return self.place[1]


def caller() -> tuple[str, int]:
    """File and line of the program that called into the package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGES):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def empty_root() -> Node:
    """The root of a model that a program builds from nothing."""
    reader = XmlReader(TEXT_NAME)
    return AddedNode("mujoco", {}, Document(TEXT_NAME, EMPTY, reader.folder, reader), caller())
