"""Every panel and instrument has a page of the manual, or a heading on the page of all panels."""

from __future__ import annotations

from app.manual.pages import FIRST, linked_place, panel_place, place_title, read_pages
from app.window.panel_list import panels


def test_every_panel_has_its_page() -> None:
    pages = read_pages()
    places = {panel.name: panel_place(panel.name, pages) for panel in panels()}
    missing = [
        f"{name}: {place.topic}.md#{place.heading}" for name, place in places.items() if not place_title(place, pages)
    ]
    assert missing == []
    assert FIRST in pages


def test_every_link_and_picture_of_a_page_exists() -> None:
    pages, missing = read_pages(), []
    for topic, page in pages.items():
        for block in page.blocks:
            if block.kind == "picture" and not (page.path.parent / block.text).is_file():
                missing.append(f"{topic}: {block.text}")
            for run in (*block.runs, *(run for row in block.rows for cell in row for run in cell)):
                place = linked_place(run.link, topic, pages)
                inside = bool(run.link) and not run.link.startswith(("http:", "https:"))
                if inside and (place is None or not place_title(place, pages)):
                    missing.append(f"{topic}: {run.link}")
    assert missing == []
