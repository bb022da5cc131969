"""URDFs with mistakes in them: those of any XML model, and words of URDF where they do not belong."""

from __future__ import annotations

import random
import re

from sim.mjcf.format.urdf_words import WORDS
from tests.sim.mjcf.format.urdf_models import MODELS
from tests.sim.mjcf.mutate import NUMBERS, abused, mutated
from tests.sim.mjcf.mutate import WORDS as VALUES

# one in so many is abused besides
ABUSED = 5
TAG = re.compile(r"<(\w+)[ />]")


def mutated_urdf(seed: int) -> str | bytes:
    """The URDF of a seed."""
    pick = random.Random(seed)
    text = mutated(pick.choice([*MODELS.values()]), pick, most=3)
    for _ in range(pick.randrange(3)):
        text = pick.choice((_add_element, _add_attribute, _rename))(text, pick)
    return abused(text, pick) if seed % ABUSED == 0 else text


def _add_element(text: str, pick: random.Random) -> str:
    """An element of URDF after some other."""
    at = pick.choice([0, *(match.end() for match in re.finditer(">", text))])
    tag = pick.choice([*WORDS])
    attributes = " ".join(f'{key}="{_value(pick)}"' for key in WORDS[tag][0].split() if pick.random() < 0.8)
    return f"{text[:at]}<{tag} {attributes}/>{text[at:]}"


def _add_attribute(text: str, pick: random.Random) -> str:
    """An attribute that the element may have."""
    found = [match for match in TAG.finditer(text) if WORDS.get(match.group(1), ("",))[0]]
    if not found:
        return text
    match = pick.choice(found)
    key = pick.choice(WORDS[match.group(1)][0].split())
    return f'{text[: match.end(1)]} {key}="{_value(pick)}"{text[match.end(1) :]}'


def _rename(text: str, pick: random.Random) -> str:
    """Another joint type, or another link as an end of a joint."""
    found = [*re.finditer(r'(type|link|name|joint)="([^"]*)"', text)]
    if not found:
        return text
    match = pick.choice(found)
    kinds = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
    new = pick.choice(kinds) if match.group(1) == "type" else pick.choice(found).group(2)
    return text[: match.start(2)] + new + text[match.end(2) :]


def _value(pick: random.Random) -> str:
    return pick.choice((pick.choice(NUMBERS), pick.choice(VALUES), " ".join(pick.choices(NUMBERS, k=3)), "base", "arm"))
