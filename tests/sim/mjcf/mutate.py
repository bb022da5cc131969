"""Models with mistakes in them, made from good ones: what a tired hand, a bad merge or a broken disk would leave.

A mutation works on the text: it loses, doubles, moves and swaps elements, changes numbers, words and names, puts
attributes and elements where they do not belong, or damages single characters. An abuse is what no hand would write:
names of thousands of letters, sizes that no machine has, a thousand levels, bytes that are not text. The same seed
makes the same mistakes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from sim.attributes import BY_TAG
from sim.attributes.keywords import KEYWORDS
from sim.mjcf.schema import CHILDREN, words

NUMBERS = words("0 -1 1 2 1e300 -1e300 1e-300 nan inf 1e10 -0.0 99999999999 0.5 1e-9 65536 2147483647")
WORDS = [
    "",
    "main",
    "true",
    "false",
    "1 2 3",
    "slide",
    "world",
    "t",
    " ",
    "0 0 0 0",
    "1 " * 30,
    "../x",
    "\u00e9",
    "auto",
]
NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
VALUE = re.compile(r'"[^"]*"')

Pieces = list[str]
Pick = random.Random


def mutated(text: str, pick: Pick, most: int = 4) -> str:
    """The text with up to `most` mistakes."""
    pieces: Pieces = re.findall(r"<[^>]*>|[^<]+", text) or [text]
    for _ in range(pick.randrange(1, most + 1)):
        pick.choice(MISTAKES)(pieces, pick)
    return "".join(pieces)


def _tag(pieces: Pieces, pick: Pick) -> int:
    """The place of some element; the first piece if there is none."""
    for _ in range(20):
        at = pick.randrange(len(pieces))
        if pieces[at].startswith("<") and not pieces[at].startswith(("</", "<!", "<?")):
            return at
    return 0


def _lose(pieces: Pieces, pick: Pick) -> None:
    pieces[pick.randrange(len(pieces))] = ""


def _double(pieces: Pieces, pick: Pick) -> None:
    pieces[pick.randrange(len(pieces))] *= 2


def _swap(pieces: Pieces, pick: Pick) -> None:
    a, b = pick.randrange(len(pieces)), pick.randrange(len(pieces))
    pieces[a], pieces[b] = pieces[b], pieces[a]


def _move(pieces: Pieces, pick: Pick) -> None:
    """An element without content goes somewhere else."""
    at = _tag(pieces, pick)
    if pieces[at].endswith("/>"):
        pieces.insert(pick.randrange(len(pieces)), pieces.pop(at))


def _number(pieces: Pieces, pick: Pick) -> None:
    at = _tag(pieces, pick)
    found = list(NUMBER.finditer(pieces[at]))
    if found:
        match = pick.choice(found)
        pieces[at] = pieces[at][: match.start()] + pick.choice(NUMBERS) + pieces[at][match.end() :]


def _all_numbers(pieces: Pieces, pick: Pick) -> None:
    """One number everywhere in an attribute."""
    at, number = _tag(pieces, pick), pick.choice(NUMBERS)
    found = list(VALUE.finditer(pieces[at]))
    if found:
        match = pick.choice(found)
        changed = NUMBER.sub(number, match.group())
        pieces[at] = pieces[at][: match.start()] + changed + pieces[at][match.end() :]


def _word(pieces: Pieces, pick: Pick) -> None:
    _value(pieces, pick, pick.choice(WORDS))


def _keyword(pieces: Pieces, pick: Pick) -> None:
    _value(pieces, pick, pick.choice(list(KEYWORDS[pick.choice(list(KEYWORDS))])))


def _other_value(pieces: Pieces, pick: Pick) -> None:
    """The value of another attribute, perhaps of another element: names that exist, but of something else."""
    found = VALUE.findall(pieces[_tag(pieces, pick)])
    if found:
        _value(pieces, pick, pick.choice(found).strip('"'))


def _value(pieces: Pieces, pick: Pick, word: str) -> None:
    at = _tag(pieces, pick)
    found = list(VALUE.finditer(pieces[at]))
    if found:
        match = pick.choice(found)
        pieces[at] = f'{pieces[at][: match.start()]}"{word}"{pieces[at][match.end() :]}'


def _attribute(pieces: Pieces, pick: Pick) -> None:
    """One more attribute, often one that the element really has."""
    at = _tag(pieces, pick)
    match = re.match(r"<([\w/]+)", pieces[at])
    if match:
        names = list(BY_TAG.get(match.group(1)) or BY_TAG[pick.choice(list(BY_TAG))])
        value = pick.choice([pick.choice(NUMBERS), pick.choice(WORDS), " ".join(pick.choices(NUMBERS, k=3))])
        pieces[at] = f'{match.group()} {pick.choice(names)}="{value}"{pieces[at][match.end() :]}'


def _element(pieces: Pieces, pick: Pick) -> None:
    """An element of MJCF, somewhere."""
    tag = pick.choice(pick.choice(list(CHILDREN.values())).split()).rstrip("?").rpartition("/")[2]
    pieces.insert(pick.randrange(len(pieces) + 1), f"<{tag}/>")


def _character(pieces: Pieces, pick: Pick) -> None:
    at = pick.randrange(len(pieces))
    piece = pieces[at]
    if piece:
        k = pick.randrange(len(piece))
        pieces[at] = piece[:k] + pick.choice('<>"/ a0&\0\u00fc') + piece[k + 1 :]


def _cut(pieces: Pieces, pick: Pick) -> None:
    """The end of the file is missing; rarely, as little can be learnt from it."""
    if pick.random() < 0.2:
        del pieces[pick.randrange(len(pieces)) + 1 :]


MISTAKES: tuple[Callable[[Pieces, Pick], None], ...] = (
    _lose,
    _double,
    _swap,
    _move,
    _number,
    _number,
    _all_numbers,
    _word,
    _keyword,
    _other_value,
    _other_value,
    _attribute,
    _attribute,
    _element,
    _character,
    _cut,
)


# ---- abuse

LONG = "a" * 5000
HUGE = words("1000000000 2147483647 100000000000 -2147483648")
DEPTHS = (300, 499, 700, 999, 1001, 3000)
# elements that ask for a file or for much memory, where they may stand in <mujoco>
ASKING = (
    f'<include file="{LONG}"/>',
    f'<include file="{LONG}/x.xml"/>',
    f'<asset><mesh file="{LONG}.obj"/></asset>',
    f'<asset><model file="{LONG}.xml"/></asset>',
    f'<asset><hfield name="h" size="1 1 1 1" file="{LONG}.png"/></asset>',
    f'<asset><texture name="t" type="2d" file="{LONG}.png"/></asset>',
    f'<compiler meshdir="{LONG}" texturedir="{LONG}"/><asset><mesh file="m.stl"/></asset>',
    '<sensor><user dim="{}"/></sensor>',
    '<sensor><clock nsample="{}"/></sensor>',
    '<worldbody><geom name="abused" size="1"/></worldbody><sensor><contact geom1="abused" num="{}"/></sensor>',
    '<worldbody><camera name="seen" resolution="{0} {0}"/></worldbody><sensor><rangefinder camera="seen"/></sensor>',
    '<asset><texture name="abused" type="2d" builtin="gradient" width="{0}" height="{0}"/></asset>',
    '<asset><texture name="abused" type="cube" builtin="flat" width="8" height="{}" nchannel="3"/></asset>',
    '<asset><texture name="abused" type="2d" builtin="flat" width="8" height="8" nchannel="{}"/></asset>',
    '<asset><hfield name="abused" size="1 1 1 1" nrow="{0}" ncol="{0}"/></asset>',
    '<asset><mesh name="abused" builtin="sphere" params="{}"/></asset>',
    '<size nkey="{}"/>',
    '<size nuser_geom="{}"/>',
    '<size nuserdata="{}"/>',
    '<size memory="{}E"/>',
    '<custom><numeric name="abused" size="{}"/></custom>',
    '<worldbody><replicate count="{}"><geom size="1"/></replicate></worldbody>',
)
NESTING = ("body", "frame", "default", 'replicate count="1"', "option", "tuple")


def abused(text: str, pick: Pick) -> str | bytes:
    """The text with one abuse."""
    return pick.choice(ABUSES)(text, pick)


def _ask(text: str, pick: Pick) -> str:
    """Files that cannot be, sizes that are too large."""
    return text.replace("</mujoco>", pick.choice(ASKING).format(pick.choice(HUGE)) + "</mujoco>")


def _huge(text: str, pick: Pick) -> str:
    """A huge number in place of another one."""
    found = list(NUMBER.finditer(text))
    if not found:
        return text
    match = pick.choice(found)
    return text[: match.start()] + pick.choice(HUGE) + text[match.end() :]


def _nest(text: str, pick: Pick) -> str:
    tag, depth = pick.choice(NESTING), pick.choice(DEPTHS)
    inside = f"<{tag}>\n" * depth + '<geom size="1"/>' * pick.randrange(2) + f"</{tag.split()[0]}>" * depth
    world = tag.startswith(("body", "frame", "replicate"))
    place = f"<worldbody>{inside}</worldbody>" if world else inside
    return text.replace("</mujoco>", place + "</mujoco>")


def _put(text: str, pick: Pick) -> str:
    """A character that XML cannot have, or one that only looks like a letter or a digit."""
    at = pick.randrange(len(text) + 1)
    return text[:at] + pick.choice("\0\x01\x7f\ud800\udfff\ufffe\u0661\u2028\U0001f600") + text[at:]


def _encode(text: str, pick: Pick) -> bytes:
    encoding = pick.choice(words("utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-7 latin-1 cp037"))
    data = text.encode(encoding, "ignore")
    return data[: pick.randrange(len(data) + 1)] if pick.random() < 0.3 else data


def _damage(text: str, pick: Pick) -> bytes:
    data = bytearray(text.encode("utf-8", "ignore"))
    for _ in range(pick.randrange(1, 5) if data else 0):
        data[pick.randrange(len(data))] = pick.randrange(256)
    return bytes(data)


ABUSES: tuple[Callable[[str, Pick], str | bytes], ...] = (_ask, _ask, _huge, _nest, _put, _encode, _damage)
