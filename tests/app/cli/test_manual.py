"""`kinetoscope manual`: app/cli/manual.py with a small manual."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from app.__main__ import main
from app.cli import manual
from app.manual.pages import read_pages
from app.manual.search import search
from tests.app.manual.sample_pages import PAGES, write_pages


@pytest.fixture(autouse=True)
def small_manual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_pages(tmp_path)
    monkeypatch.setattr(manual, "read_pages", lambda: read_pages(folder))
    monkeypatch.setattr(manual, "search", lambda query: search(query, folder))


def test_topics_are_listed_in_reading_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["tour", "panels", "solver", "zebra", "keys"]
    assert lines[0].endswith("A short tour")


@pytest.mark.parametrize("topic", ["tour", "Tour", "tour.md"])
def test_a_page_is_printed_as_it_is_written(capsys: pytest.CaptureFixture[str], topic: str) -> None:
    assert main(["manual", topic]) == 0
    assert capsys.readouterr().out.strip() == PAGES["tour"].strip()


def test_on_a_terminal_it_is_formatted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["manual", "tour"]) == 0
    out = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert "kinetoscope manual tour" in out and "• " in out
    assert "**left button**" not in out and "```" not in out and "pendulum" not in out


def test_words_are_searched_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual", "friction", "cone"]) == 0
    first, snippet = capsys.readouterr().out.splitlines()
    assert first.split() == ["solver", "Solver", "›", "Friction", "cones"]
    assert snippet.strip() == "Elliptic or pyramidal."


def test_what_is_unknown_names_close_topics(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual", "sovler"]) == 1
    told = capsys.readouterr().err
    assert "no manual page 'sovler'; did you mean solver?" in told
    assert "topics: tour, panels, solver, zebra, keys" in told
