"""Docstrings as paragraphs, sources as coloured lines, fields named in texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import app
from app.instruments.code.doc_text import Paragraph, paragraphs
from app.instruments.code.source_text import (
    COMMENT,
    DECORATOR,
    DEFINITION,
    KEYWORD,
    NUMBER,
    STRING,
    Piece,
    coloured_lines,
)
from app.instruments.forces.bars import FIELDS
from app.model.field_names import NAMES, mentioned_fields
from sim.analysis.force_sources import KINDS
from sim.script.kernels.index import make_index

DOC = """Passive forces: springs
and dampers.

(qpos, qvel) -> (qfrc_spring,
qfrc_damper).
Spring: -k x. Damper:
-b v.

    run = sim.load()
      indented

- one item
  of a list
- another
"""


def test_paragraphs() -> None:
    assert paragraphs(DOC) == [
        Paragraph("Passive forces: springs and dampers."),
        Paragraph("(qpos, qvel) -> (qfrc_spring, qfrc_damper)."),
        Paragraph("Spring: -k x. Damper: -b v."),
        Paragraph("run = sim.load()\n  indented", is_code=True),
        Paragraph("- one item of a list"),
        Paragraph("- another"),
    ]
    assert paragraphs("") == []


def test_colours() -> None:
    lines = coloured_lines('@kernel\ndef f(m):\n    """Two\n    lines."""\n    return 2.5  # why\n')
    assert lines[0] == (Piece("@kernel", DECORATOR),)
    assert lines[1][:3] == (Piece("def", KEYWORD), Piece(" "), Piece("f", DEFINITION))
    assert lines[2] == (Piece("    "), Piece('"""Two', STRING))
    assert lines[3] == (Piece('    lines."""', STRING),)
    assert lines[4] == (
        Piece("    "), Piece("return", KEYWORD), Piece(" "), Piece("2.5", NUMBER), Piece("  "), Piece("# why", COMMENT),
    )  # fmt: skip


@pytest.mark.parametrize("text", ["", "\n\n", "def f(:\n  'open", "x = '''never closed\n", "\tü = 1\r\nb", "a @ b"])
def test_pieces_make_up_the_text(text: str) -> None:
    assert ["".join(piece.text for piece in line) for line in coloured_lines(text)] == text.splitlines()


def test_pieces_make_up_every_file() -> None:
    for file in (Path(app.__file__).parent / "instruments/code").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "\n".join("".join(piece.text for piece in line) for line in coloured_lines(text)) + "\n" == text


def test_fields_in_texts() -> None:
    assert mentioned_fields("in the world; d.xpos") == ("d.xpos",)
    assert mentioned_fields("d.xfrc_applied[:3] plus the mouse: d.perturb.xfrc[:3]") == (
        "d.xfrc_applied",
        "d.perturb.xfrc",
    )
    assert mentioned_fields("d.contact.dist.shape and d.nonsense") == ("d.contact.dist",)
    assert mentioned_fields("m.body_mass") == mentioned_fields("time and energy") == mentioned_fields("") == ()
    # a name that is no word of English will do
    assert mentioned_fields("efc_force: N or N m") == ("d.efc_force",)
    assert mentioned_fields("d.qpos, from efc_force") == ("d.qpos",)


def test_every_force_has_a_field_that_a_kernel_writes() -> None:
    # flexes are MuJoCo's alone
    assert set(KINDS) - set(FIELDS) == {"flex"}
    index = make_index()
    assert [name for name in FIELDS.values() if name not in NAMES or not index.computing(f"d.{name}")] == []
