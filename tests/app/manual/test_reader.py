"""Pages, blocks and search of the manual: app/manual/pages.py, app/manual/blocks.py, app/manual/search.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.manual.blocks import Block, Run, parse, slug
from app.manual.pages import Page, Place, linked_place, panel_place, place_title, read_pages
from app.manual.search import search
from tests.app.manual.sample_pages import write_pages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_pages(tmp_path)


@pytest.fixture
def pages(folder: Path) -> dict[str, Page]:
    return read_pages(folder)


def test_pages_come_in_reading_order_and_keys_last(pages: dict[str, Page]) -> None:
    titles = {topic: page.title for topic, page in pages.items()}
    assert [*titles.items()] == [
        ("tour", "A short tour"),
        ("panels", "Panels"),
        ("solver", "Solver"),
        ("zebra", "A page of somebody"),
        ("keys", "Keys and mouse"),
    ]


@pytest.mark.parametrize(
    ("title", "anchor"),
    [
        ("Friction cones", "friction-cones"),
        ("A/B", "ab"),
        ("What `d.qpos` is, and why?", "what-dqpos-is-and-why"),
        ("mj_step - twice", "mj_step---twice"),
        ("Über Größe", "über-größe"),
    ],
)
def test_slug(title: str, anchor: str) -> None:
    assert slug(title) == anchor


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("one\ntwo", [Block("text", (Run("one two"),))]),
        ("one  \ntwo", [Block("text", (Run("one\ntwo"),))]),
        (
            "a **b** *c* `d` [e](x.md)",
            [
                Block(
                    "text",
                    (
                        Run("a "), Run("b", bold=True), Run(" "), Run("c", italic=True), Run(" "), Run("d", code=True),
                        Run(" "), Run("e", link="x.md"),
                    ),
                )
            ],
        ),
        ("`a` `b`", [Block("text", (Run("a", code=True), Run(" "), Run("b", code=True)))]),
        (
            "# T\n\n## T\n\n## T",
            [Block("heading", (Run("T"),), level, text=name) for level, name in ((1, "t"), (2, "t-1"), (2, "t-2"))],
        ),
        (
            "- a\n\n  more\n\n  3. b\n- c",
            [
                Block("text", (Run("a"),), depth=1, marker="•"),
                Block("text", (Run("more"),), depth=1),
                Block("text", (Run("b"),), depth=2, marker="3."),
                Block("text", (Run("c"),), depth=1, marker="•"),
            ],
        ),
        ("```py\nx = 1\n\ny = 2\n```", [Block("code", text="x = 1\n\ny = 2")]),
        (
            "see ![alt](p.jpg) here",
            [
                Block("text", (Run("see "),)),
                Block("picture", (Run("alt"),), text="p.jpg"),
                Block("text", (Run(" here"),)),
            ],
        ),
        (
            "|a|b|\n|-|-|\n|c|`d`|",
            [Block("table", rows=(((Run("a"),), (Run("b"),)), ((Run("c"),), (Run("d", code=True),))))],
        ),
        ("> quoted\n\n---", [Block("text", (Run("quoted"),), depth=1), Block("rule")]),
        ("<!-- made by a program -->\n\ntext", [Block("text", (Run("text"),))]),
    ],
)  # fmt: skip
def test_blocks(text: str, blocks: list[Block]) -> None:
    assert parse(text) == blocks


@pytest.mark.parametrize(
    ("link", "place"),
    [
        ("solver.md", Place("solver")),
        ("solver.md#friction-cones", Place("solver", "friction-cones")),
        ("#what-it-looks-like", Place("tour", "what-it-looks-like")),
        ("https://mujoco.org", None),
        ("../../README.md", None),
    ],
)
def test_links(pages: dict[str, Page], link: str, place: Place | None) -> None:
    assert linked_place(link, "tour", pages) == place


def test_panels_have_a_page_or_a_heading(pages: dict[str, Page]) -> None:
    assert panel_place("Solver", pages) == Place("solver")
    assert panel_place("Model tree", pages) == Place("panels", "model-tree")
    assert panel_place("A/B", {**pages, "ab": pages["solver"]}) == Place("ab")
    assert place_title(Place("panels", "model-tree"), pages) == "Model tree"
    assert place_title(Place("panels", "nowhere"), pages) == place_title(Place("nowhere"), pages) == ""


@pytest.mark.parametrize(
    ("query", "found"),
    [
        # title before heading before text
        ("solver", ["solver", "tour"]),
        ("friction", ["solver#friction-cones", "panels#physics"]),
        # all words, in any order, in any case, as beginnings of words, plurals too
        ("CONES fric", ["solver#friction-cones"]),
        ("frictions", ["solver#friction-cones", "panels#physics"]),
        ("solver elliptic", ["solver#friction-cones"]),
        ("qpos", ["tour"]),
        ("ctrl+k", ["keys"]),
        # words in different sections of one page
        ("residuals elliptic", ["solver"]),
        # the inside of a word is not found; neither is nothing
        ("liptic", []),
        ("friction nowhere", []),
        ("  ", []),
    ],
)
def test_search(folder: Path, query: str, found: list[str]) -> None:
    places = [f"{hit.place.topic}#{hit.place.heading}".rstrip("#") for hit in search(query, folder)]
    assert places == found


def test_a_hit_says_where_it_is_and_shows_the_words(folder: Path, tmp_path: Path) -> None:
    (hit, other) = search("friction", folder)
    assert (hit.title, hit.snippet) == ("Solver › Friction cones", "Elliptic or pyramidal.")
    assert "friction too" in other.snippet
    long = tmp_path / "long"
    long.mkdir()
    (long / "a.md").write_text(f"# Long\n\n{'word ' * 200}needle{' word' * 200}\n")
    (hit,) = search("needle", long)
    assert hit.snippet.startswith("… word") and hit.snippet.endswith("word …")
    assert "needle" in hit.snippet and len(hit.snippet) < 130
