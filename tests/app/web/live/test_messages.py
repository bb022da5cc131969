"""What pages may say: each message is read as it is meant, and nothing else gets through."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from app.web.live import messages
from app.web.live.messages import BadMessage, parse, safe_path

GOOD: tuple[tuple[dict[str, Any], messages.Message], ...] = (
    ({"t": "hello", "w": 800, "h": 600.5, "dpr": 2, "protocol": 1}, messages.Hello(800, 600, 2.0, 1)),
    ({"t": "size", "w": 1e9, "h": 1, "dpr": 99}, messages.Size(16384, 100, 8.0)),
    ({"t": "in", "n": 3, "e": [["m", 1, 2.5]]}, messages.Input(3, (("m", 1.0, 2.5),))),
    (
        {"t": "in", "n": 4, "e": [["b", 0, 1, 5, 6, 3], ["k", "KeyA", "a", 1, 0], ["t", "a"], ["f", False]]},
        messages.Input(4, (("b", 0, 1, 5.0, 6.0, 3), ("k", "KeyA", "a", 1, 0), ("t", "a"), ("f", False))),
    ),
    ({"t": "in", "n": 5, "e": [["p", 1, 2, 0.1, 0.2, -50]]}, messages.Input(5, (("p", 1.0, 2.0, 0.1, 0.2, -10.0),))),
    ({"t": "ack", "n": 9}, messages.Ack(9)),
    ({"t": "clip", "s": "a\ud800b"}, messages.Clip("a?b")),
    ({"t": "name", "s": " Ada\n "}, messages.Name("Ada")),
    ({"t": "drive"}, messages.Drive()),
    ({"t": "give", "to": 2}, messages.Give(2)),
    ({"t": "up", "files": [{"name": "a\\b.xml", "size": 3}]}, messages.UploadBegin((("a/b.xml", 3),))),
)
BAD = (
    "", "{", "[]", "null", "1", '"t"', "{}", '{"t":1}', '{"t":["ack"]}', '{"t":"eval"}', '{"t":"ack"}',
    '{"t":"ack","n":-1}', '{"t":"ack","n":1.5}', '{"t":"ack","n":true}', '{"t":"ack","n":1e400}',
    '{"t":"hello","w":NaN,"h":1,"dpr":1,"protocol":1}', '{"t":"hello","w":"8","h":1,"dpr":1,"protocol":1}',
    '{"t":"in","n":1,"e":{}}', '{"t":"in","n":1,"e":[[]]}', '{"t":"in","n":1,"e":[["m",1]]}',
    '{"t":"in","n":1,"e":[["m",1,null]]}', '{"t":"in","n":1,"e":[["b",3,1,0,0,0]]}',
    '{"t":"in","n":1,"e":[["b",0,2,0,0,0]]}', '{"t":"in","n":1,"e":[["k",1,"",1,0]]}',
    '{"t":"in","n":1,"e":[["t",7]]}', '{"t":"in","n":1,"e":["m"]}', '{"t":"in","n":1,"e":[["x",1,2]]}',
    json.dumps({"t": "in", "n": 1, "e": [["m", 1, 1]] * 401}), json.dumps({"t": "clip", "s": "x" * 60_001}),
    json.dumps({"t": "in", "n": 1, "e": [["t", "x" * 5000]]}), '{"t":"up","files":[]}', '{"t":"up","files":[{}]}',
    '{"t":"up","files":[{"name":"a","size":-1}]}', '{"t":"up","files":[{"name":"../a","size":1}]}', "[" * 30_000,
)  # fmt: skip


@pytest.mark.parametrize(("said", "meant"), GOOD)
def test_what_is_meant(said: dict[str, Any], meant: messages.Message) -> None:
    assert parse(json.dumps(said)) == meant


@pytest.mark.parametrize("text", BAD)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(BadMessage):
        parse(text)


def test_messages_with_something_else_in_them() -> None:
    """Whatever is put in the place of a value, the message is read or refused."""
    dice = random.Random(5)
    values = (None, True, -1, 1e300, 2**70, "", "\x00", "é" * 50, [], [[]], {}, {"t": "in"}, 0.1)
    read = 0
    for _ in range(3000):
        said = json.loads(json.dumps(dice.choice(GOOD)[0]))
        places: list[tuple[Any, Any]] = [(said, key) for key in said]
        for value in list(said.values()):
            if isinstance(value, list):
                places += [(value, k) for k in range(len(value))]
                places += [(inner, k) for inner in value if isinstance(inner, list) for k in range(len(inner))]
        holder, place = dice.choice(places)
        holder[place] = dice.choice(values)
        try:
            parse(json.dumps(said))
            read += 1
        except BadMessage:
            pass
    assert 0 < read < 3000


@pytest.mark.parametrize(
    "name", ["", "/a", "a//b", "../a", "a/..", "./a", "~/a", "C:\\a", "a\x00b", "a\nb", "\\\\h\\a"]
)
def test_files_stay_in_their_folder(name: str) -> None:
    with pytest.raises(BadMessage):
        safe_path(name)
