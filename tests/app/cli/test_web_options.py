"""Options of a viewer in a browser: which belong together, and what is printed about others who come in."""

from __future__ import annotations

from argparse import ArgumentParser

import pytest

from app import web_host
from app.cli import window
from app.ui.windows import WebWish
from sim.user_error import UserError


def wish(*arguments: str) -> WebWish | None:
    """What the command line asks for."""
    parser = ArgumentParser()
    window.add_arguments(parser)
    return window.web_wish(parser.parse_args(arguments))


def test_what_is_asked_for() -> None:
    assert wish("humanoid") is None
    assert wish("--web") == WebWish()
    assert wish("--web", "--port", "9000") == WebWish(port=9000)
    asked = wish("--web", "--host", "0.0.0.0", "--password", "a good one", "--origin", "https://hub.example")
    assert asked == WebWish("0.0.0.0", password="a good one", origins=("https://hub.example",))
    assert asked is not None and asked.is_open and not WebWish().is_open


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "9000"), "add --web"),
        (("--web", "--host", "10.0.0.1"), "--password WORD, or --token"),
        (("--web", "--password", "a good one"), "add --host"),
        (("--web", "--host", "10.0.0.1", "--password", "short"), "too easily guessed"),
        (("--web", "--host", "10.0.0.1", "--password", "a good one", "--token"), "not both"),
    ],
)
def test_what_does_not_belong_together(arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(UserError, match=said):
        wish(*arguments)


def test_others_are_let_in_with_a_word_of_warning(capsys: pytest.CaptureFixture[str]) -> None:
    web_host.announce(WebWish(), "http://127.0.0.1:8765/?key=x")
    assert capsys.readouterr().out == "kinetoscope: open http://127.0.0.1:8765/?key=x\n"
    web_host.announce(WebWish("10.0.0.1", password="a good one"), "http://10.0.0.1:8765/?key=x")
    assert "knows the password can look" in (said := capsys.readouterr().out) and "can be read on the way" in said
    assert "key=x can" not in said
