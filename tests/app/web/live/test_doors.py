"""Who comes in: with the secret or the password, from its own page, by its own name; and who drives."""

from __future__ import annotations

import pytest

from app.web.live.doors import MOST_TRIES, Doors, Refused
from app.web.live.people import NOBODY, People

HOST = {"Host": "127.0.0.1:8765"}


def given(doors: Doors, word: str) -> dict[str, str]:
    """Headers with the cookie for a word."""
    return HOST | {"Cookie": f"other=1; {doors.enter(word).partition(';')[0]}"}


def status(doors: Doors, headers: dict[str, str]) -> int:
    """With what a request is refused; 200: it is not."""
    try:
        doors.check(headers)
    except Refused as refused:
        return refused.status
    return 200


def test_secret_and_password() -> None:
    doors = Doors("127.0.0.1", "a good password")
    assert doors.visitor(given(doors, doors.keys.secret)).owner
    assert not doors.visitor(given(doors, "a good password")).owner
    for cookie in (
        "",
        f"{doors.keys.cookie}=",
        f"{doors.keys.cookie}=x",
        "=;;=",
        f'{doors.keys.cookie}="\\',
        "a" * 3000,
    ):
        with pytest.raises(Refused, match="open the address"):
            doors.visitor(HOST | {"Cookie": cookie})
    # the process that goes on with a session knows them
    again = Doors("127.0.0.1", "a good password", keys=doors.keys)
    assert again.visitor(given(doors, doors.keys.secret)).owner
    forged = given(doors, "a good password")["Cookie"].replace("=v.", "=o.")
    with pytest.raises(Refused):
        doors.visitor(HOST | {"Cookie": forged})
    # a viewer has only its own cookies
    with pytest.raises(Refused):
        doors.visitor(given(other := Doors("127.0.0.1"), other.keys.secret))


def test_guessing() -> None:
    doors = Doors("127.0.0.1", "a good password")
    for word in ("", "a", "é", *map(str, range(MOST_TRIES - 3))):
        with pytest.raises(Refused, match="not the password"):
            doors.enter(word)
    # not even the right one: it could be guessed
    with pytest.raises(Refused, match="too many"):
        doors.enter("a good password")
    assert doors.visitor(given(doors, doors.keys.secret)).owner
    with pytest.raises(Refused):
        Doors("127.0.0.1").enter("")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Host": "127.0.0.1:8765"}, 200),
        ({"Host": "localhost:9"}, 200),
        ({"Host": "[::1]:8765"}, 200),
        ({"Host": "10.0.0.5:8765"}, 200),
        # names that lead here by a trick
        ({"Host": "evil.example:8765"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": "[::1"}, 403),
        ({"Host": "viewer.example"}, 200),
        # pages of others
        (HOST | {"Origin": "http://127.0.0.1:8765"}, 200),
        (HOST | {"Origin": "http://127.0.0.1:8766"}, 403),
        (HOST | {"Origin": "http://evil.example"}, 403),
        (HOST | {"Origin": "null"}, 403),
        (HOST | {"Origin": "https://viewer.example"}, 200),
        # behind a proxy
        (HOST | {"Origin": "https://hub.example", "X-Forwarded-Host": "hub.example"}, 200),
        (HOST | {"Origin": "https://hub.example", "Sec-Fetch-Site": "same-origin"}, 200),
        (HOST | {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, 403),
        (HOST | {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        (HOST | {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
        (HOST | {"Origin": "http://" + "a" * 5000}, 431),
    ],
)
def test_names_and_pages(headers: dict[str, str], expected: int) -> None:
    assert status(Doors("127.0.0.1", origins=("https://viewer.example",)), headers) == expected


def test_a_socket_says_where_it_comes_from() -> None:
    doors = Doors("127.0.0.1")
    headers = given(doors, doors.keys.secret)
    with pytest.raises(Refused):
        doors.check_socket(headers)
    assert doors.check_socket(headers | {"Origin": "http://127.0.0.1:8765"}).owner


def test_one_drives() -> None:
    people = People()
    ada, ben, eve = (people.come(owner, token).number for owner, token in ((True, "a"), (False, "b"), (False, "c")))
    assert people.driver == ada
    people.ask(ben)
    people.ask(eve)
    people.ask(ben)
    assert people.asking == [ben, eve]
    # only the driver gives
    people.give(eve, eve)
    assert people.driver == ada
    people.deny(ada, eve)
    people.give(ada, ben)
    assert (people.driver, people.asking) == (ben, [])
    # the owner takes over from a visitor, but not a visitor from another one
    people.ask(eve)
    assert people.driver == ben
    people.ask(ada)
    assert (people.driver, people.asking) == (ada, [eve])
    # control that nobody has goes to who asked first
    people.give(ada, NOBODY)
    assert people.driver == eve


def test_who_drove_drives_again() -> None:
    people = People()
    ada, ben = people.come(True, "a").number, people.come(False, "b").number
    people.go(ada)
    assert people.driver == NOBODY
    # a page that is loaded again; nobody has asked meanwhile
    assert people.come(False, "c").number != people.driver
    again = people.come(True, "a").number
    assert people.driver == again
    people.go(again)
    people.ask(ben)
    assert people.driver == ben
    assert people.come(True, "a").number != people.driver
