"""Filters of the contact table, as typed: `foot`, `body:foot`, `force>10`, `depth>1mm`, `state:slip`, `-floor`.

Words are combined: all of them hold. A name matches if it contains the word, on either side of the contact; quotes
hold blanks together; a minus in front excludes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.instruments.contact.table import ContactTable, Texts, geom_names
from app.model.views import ModelView
from sim.analysis.contact_state import OPEN, SLIP, SMOOTH, STICK

Chosen = NDArray[np.bool_]

HINT = "foot   body:foot   geom:sole   force>10   depth>1mm   slip>0.1   state:slip   island:2   -floor"
STATES = (OPEN, STICK, SLIP, SMOOTH)
# what can be compared with a number
QUANTITIES: dict[str, Callable[[ContactTable], NDArray[np.float64]]] = {
    "force": lambda table: np.linalg.norm(table.force, axis=1),
    "normal": lambda table: table.normal,
    "friction": lambda table: table.friction,
    "used": lambda table: table.used,
    "depth": lambda table: -table.distance,
    "distance": lambda table: table.distance,
    "slip": lambda table: table.slip,
}
UNITS = {
    "": 1.0, "n": 1.0, "kn": 1e3, "mn": 1e-3, "m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "m/s": 1.0,
    "mm/s": 1e-3, "%": 1e-2,
}  # fmt: skip
COMPARISONS: dict[str, Callable[[Any, float], Chosen]] = {
    ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le,
}  # fmt: skip
TOKEN = re.compile(r'(?:[^\s"]|"[^"]*"?)+')
COMPARED = re.compile(r"(?P<name>[^<>=]*)(?P<sign>[<>]=?|=)(?P<bound>.*)")
NUMBER = re.compile(r"(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?P<unit>.*)", re.IGNORECASE)


class FilterError(ValueError):
    """A filter that cannot be understood; the text says why."""


# which contacts match a word
Term = Callable[[ModelView, ContactTable], Chosen]


def _name(word: str, *parts: str) -> Term:
    """Contacts of what has a name: of a body, a geom, or both."""
    return lambda model, table: np.asarray(_named(model, word.lower(), parts)[table.geoms].any(axis=1))


@lru_cache(maxsize=4)
def parse_filter(text: str) -> tuple[Term, ...]:
    """The terms of a filter; raises FilterError."""
    return tuple(_term(token) for token in TOKEN.findall(text))


def chosen_contacts(terms: tuple[Term, ...], model: ModelView, table: ContactTable) -> NDArray[np.int64]:
    """The contacts that match all terms."""
    chosen = np.ones(len(table.state), bool)
    for term in terms:
        chosen &= term(model, table)
    return np.flatnonzero(chosen)


def _term(token: str) -> Term:
    """One word of a filter."""
    if token.startswith("-") and len(token) > 1:
        term = _term(token[1:])
        return lambda model, table: ~term(model, table)
    compared = COMPARED.fullmatch(token) if '"' not in token else None
    if compared is not None:
        return _comparison(*compared.group("name", "sign", "bound"))
    key, colon, word = token.partition(":")
    word = word.strip('"')
    if not colon or key.startswith('"'):
        return _name(token.strip('"'), "body", "geom")
    if key not in PREFIXES:
        raise FilterError(f"'{key}:' is not known: use {', '.join(f'{name}:' for name in PREFIXES)}")
    if not word:
        raise FilterError(f"'{key}:' needs a {'number' if key == 'island' else 'word'} after it")
    return PREFIXES[key](word)


def _comparison(name: str, sign: str, bound: str) -> Term:
    if name == "island" and sign == "=":
        return _island(bound)
    if name not in QUANTITIES:
        raise FilterError(f"'{name}' cannot be compared: use {', '.join(QUANTITIES)}")
    if sign == "=":
        raise FilterError(f"'{name}=' never holds exactly: use < or >")
    if not bound:
        raise FilterError(f"'{name}{sign}' needs a number after it")
    found = NUMBER.fullmatch(bound)
    if found is None:
        raise FilterError(f"'{bound}' is not a number")
    unit = found["unit"].lower()
    if unit not in UNITS:
        raise FilterError(f"'{found['unit']}' is not a unit: use N, mm, m/s, %, ...")
    number = float(found["number"]) * UNITS[unit]
    return lambda _, table: COMPARISONS[sign](QUANTITIES[name](table), number)


def _state(word: str) -> Term:
    if word.lower() not in STATES:
        raise FilterError(f"'{word}' is not a contact state: use {', '.join(STATES[:-1])} or {STATES[-1]}")
    return lambda _, table: np.asarray(table.state == word.lower(), bool)


def _island(word: str) -> Term:
    if not word.isdecimal():
        raise FilterError(f"'{word}' is not an island number")
    return lambda _, table: np.asarray(table.island == int(word))


PREFIXES: dict[str, Callable[[str], Term]] = {
    "body": lambda word: _name(word, "body"),
    "geom": lambda word: _name(word, "geom"),
    "state": _state,
    "island": _island,
}


@lru_cache(maxsize=16)
def _named(model: ModelView, word: str, parts: tuple[str, ...]) -> Chosen:
    """Which geoms have a word in their name or in that of their body, or are the one of this number: `geom:31`."""
    names = geom_names(model)
    lists: dict[str, Texts] = {"body": names.body, "geom": names.geom}
    found = [any(word in lists[part][g].lower() for part in parts) for g in range(len(names.geom))]
    if parts == ("geom",) and word.isdecimal() and int(word) < model.ngeom:
        # of what has no name, the number alone is meant
        found = [word in str(own).lower() for own in model.names["geom"]] + found[model.ngeom :]
        found[int(word)] = True
    return np.array(found, bool)
