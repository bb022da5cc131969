"""The pages of the manual, in their reading order, and where links and panels lead to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from app.manual.blocks import Block, parse, plain, slug

FOLDER = Path(__file__).resolve().parent
# pages that are not named here come last
ORDER = (
    "tour", "opening", "editing", "building", "time", "pictures", "replay", "panels",
    "forces", "contact", "softness", "breakpoints", "doctor", "solver", "lens", "ab", "sweep", "energy", "code",
    "lockstep", "cameras",
    "command_line", "python", "batch", "mujoco_names", "extending", "computes", "installation", "safety", "keys",
)  # fmt: skip
# of a manual that has no such page
FIRST = "keys"


class Place(NamedTuple):
    """A page, and the slug of a heading in it; empty for its beginning."""

    topic: str
    heading: str = ""


@dataclass(frozen=True)
class Section:
    """A heading, what is written below it, and the slug; the first section of a page has its title."""

    title: str
    slug: str
    text: str


@dataclass(frozen=True)
class Page:
    """A page: its topic is the name of the file."""

    path: Path
    text: str

    @cached_property
    def topic(self) -> str:
        """The name of the file without its suffix."""
        return self.path.stem

    @cached_property
    def title(self) -> str:
        """The first line, which is a heading."""
        return self.text.partition("\n")[0].lstrip("# ").strip() or self.topic

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The parsed page."""
        return tuple(parse(self.text))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The page, cut at its headings."""
        found: list[tuple[str, str, list[str]]] = [(self.title, "", [])]
        for place, block in enumerate(self.blocks):
            if block.kind == "heading" and place:
                found.append((plain(block.runs), block.text, []))
            elif block.kind != "heading":
                found[-1][2].append(block.plain)
        return tuple(Section(title, name, "\n".join(texts)) for title, name, texts in found)


@cache
def read_pages(folder: Path = FOLDER) -> dict[str, Page]:
    """Topic -> page, in reading order."""
    order = {topic: place for place, topic in enumerate(ORDER)}
    files = sorted(folder.glob("*.md"), key=lambda path: (order.get(path.stem, len(ORDER) - 1.5), path.stem))
    return {path.stem: Page(path, path.read_text(encoding="utf-8")) for path in files}


def linked_place(link: str, topic: str, pages: dict[str, Page]) -> Place | None:
    """Where a link on a page leads to; None if it leads out of the manual."""
    file, _, heading = unquote(link).partition("#")
    name = file.removesuffix(".md") if file else topic
    return Place(name, heading) if name in pages else None


def panel_place(panel: str, pages: dict[str, Page]) -> Place:
    """The page of a panel, or its heading on the page of all panels."""
    topic = panel.lower().replace("/", "").replace(" ", "_")
    return Place(topic) if topic in pages else Place("panels", slug(panel))


def place_title(place: Place, pages: dict[str, Page]) -> str:
    """The title of a page or of a heading in it; empty if there is none."""
    page = pages.get(place.topic)
    sections = page.sections if page is not None else ()
    return next((section.title for section in sections if section.slug == place.heading), "")
