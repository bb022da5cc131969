"""Elements as users name them: `foot`, or `body:foot` and `geom:3` where a name is ambiguous or missing."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sim.model import Model
from sim.user_error import UserError

# names that an error proposes
MOST_NEAR = 3
# types that measures take in the same place; characters that a name in quotes cannot have
SHARED = {"body": "geom", "geom": "body", "joint": "tendon", "tendon": "joint"}
UNQUOTED = frozenset('"\\\n\r')


class BadElement(UserError, ValueError):
    """No element of the model is meant; the message says why."""


class Element(NamedTuple):
    """A type of sim.named.KINDS, and a row."""

    kind: str
    id: int


def find(m: Model, text: str, kinds: Sequence[str]) -> Element:
    """The element that a text names, of one of these types."""
    kind, colon, rest = text.partition(":")
    if colon and kind in kinds:
        return Element(kind, _row(m, kind, rest))
    found = [Element(k, _ids(m, k)[text]) for k in kinds if text in _ids(m, k)]
    if not found:
        names = [name for k in kinds for name in _ids(m, k)]
        raise BadElement(f"no {' or '.join(kinds)} is named {text!r}{nearest(text, names)}")
    if len(found) > 1 and not _same(m, *found[:2]):
        choices = " or ".join(f'"{k}:{text}"' for k, _ in found)
        raise BadElement(f"{text!r} is a {' and a '.join(k for k, _ in found)}: write {choices}")
    return found[0]


def nearest(text: str, names: Sequence[str]) -> str:
    """The end of a message about a name that is not there: those that look like it, or some of them."""
    near = difflib.get_close_matches(text, names, MOST_NEAR, 0.5)
    if near:
        return f": did you mean {' or '.join(map(repr, near))}?"
    some = ", ".join(map(repr, names[:MOST_NEAR])) + (" ..." if len(names) > MOST_NEAR else "")
    return f"; there is {some}" if names else "; there is none"


def reference(names: Mapping[str, Sequence[str]], kind: str, row: int) -> str:
    """How to name an element, by the names of all: its name if that is enough, as `find` reads it."""
    name = names[kind][row]
    if not name or name.isdigit() or not UNQUOTED.isdisjoint(name):
        return f"{kind}:{row}"
    other = SHARED.get(kind, "")
    return f"{kind}:{name}" if name in names.get(other, ()) or ":" in name else name


def _ids(m: Model, kind: str) -> dict[str, int]:
    """Name -> row of all elements of a type that have a name."""
    known: dict[str, dict[str, int]] = m.derived.setdefault("element ids", {})
    if kind not in known:
        known[kind] = {name: row for row, name in enumerate(m.names[kind]) if name}
    return known[kind]


def _row(m: Model, kind: str, text: str) -> int:
    """The row of a name, or of a number where no element has that name."""
    ids, count = _ids(m, kind), len(m.names[kind])
    if text in ids:
        return ids[text]
    if text.isdigit():
        if int(text) >= count:
            raise BadElement(f"{kind} {text} does not exist: there are {count}")
        return int(text)
    raise BadElement(f"no {kind} is named {text!r}{nearest(text, list(ids))}")


def _same(m: Model, first: Element, second: Element) -> bool:
    """Whether a body and a geom mean the same contacts: it is the only geom of the body."""
    if (first.kind, second.kind) != ("body", "geom"):
        return False
    return bool(m.geom_bodyid[second.id] == first.id and m.body_geomnum[first.id] == 1)
