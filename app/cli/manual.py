"""Print a page of the manual, or the pages that have some words; without a topic, list all topics."""

from __future__ import annotations

import argparse
import re
import sys
from difflib import get_close_matches
from itertools import islice

from app.cli import EXIT_OK
from app.manual.pages import read_pages
from app.manual.search import search

# columns beyond which lines are hard to read
WIDTH = 100
MOST_HITS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Topic or words."""
    parser.add_argument("topic", nargs="*", help="a topic, or words to search for; without one, all topics are listed")


def run(options: argparse.Namespace) -> int:
    """Print a page, hits or the list of topics."""
    pages, words = read_pages(), " ".join(options.topic)
    topic = words.lower().removesuffix(".md").replace(" ", "_").replace("/", "").replace("-", "_")
    if not words:
        return _list_topics()
    if topic in pages:
        return _print_page(pages[topic].text)
    hits = search(words)
    for hit in islice(hits, MOST_HITS):
        print(f"{hit.place.topic:<14}{hit.title}\n{'':14}{hit.snippet}")
    if hits:
        return EXIT_OK
    # imported late, for it loads the engine
    from sim.user_error import UserError

    near = get_close_matches(topic, pages)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UserError(f"there is no manual page '{words}'{meant}\ntopics: {', '.join(pages)}")


def _list_topics() -> int:
    for topic, page in read_pages().items():
        print(f"{topic:<14}{page.title}")
    return EXIT_OK


def _print_page(text: str) -> int:
    """Print a page: formatted and without pictures on a terminal, else as it is written."""
    if not sys.stdout.isatty():
        print(text.rstrip())
        return EXIT_OK
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    text = re.sub(r"!\[[^]]*\]\([^)]*\)\n*", "", text)
    console.print(Markdown(text, hyperlinks=False), width=min(console.width, WIDTH))
    return EXIT_OK
