"""CPU levels: the processors that object code is made for.

Code for a level runs on every processor that has the level's features, with the same bits on all of them. A process
uses the best level that its processor has; KINETOSCOPE_LEVEL names a lower one, which gives the bits of older machines.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import llvmlite.binding as llvm

from sim.user_error import UserError

SETTING = "KINETOSCOPE_LEVEL"

V2 = frozenset({"cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2"})
V3 = V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}


class Level(NamedTuple):
    """A level: its name, LLVM's name of its processor and of what that has besides, and the features it needs."""

    name: str
    cpu: str
    besides: str = ""
    needs: frozenset[str] = frozenset()


# architecture -> levels, the best first
LEVELS = {
    "x86_64": (
        Level("x86-64-v3", "x86-64-v3", needs=V3),
        Level("x86-64-v2", "x86-64-v2", needs=V2),
        Level("x86-64", "x86-64"),
    ),
    "aarch64": (Level("aarch64", "generic"),),
}
# the first 64-bit processors are not worth a pack
UNSHIPPED = "x86-64"


class LevelError(UserError):
    """KINETOSCOPE_LEVEL names a level that does not exist, or that this processor does not have."""


def levels() -> tuple[Level, ...]:
    """The levels of this architecture, the best first; of one without levels, this very processor."""
    this = Level(_architecture(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    return LEVELS.get(_architecture(), (this,))


def _architecture() -> str:
    return str(llvm.get_process_triple()).partition("-")[0].replace("arm64", "aarch64")


def shipped() -> list[str]:
    """The levels of this architecture that an installation comes with code for."""
    return [level.name for level in LEVELS.get(_architecture(), ()) if level.name != UNSHIPPED]


def features() -> frozenset[str]:
    """The features of this processor, by LLVM's names."""
    return frozenset(name for name, has in llvm.get_host_cpu_features().items() if has)


def choose(among: Iterable[Level], has: frozenset[str], named: str = "") -> Level:
    """The level that is named, else the first one whose features a processor has."""
    among = list(among)
    for level in among:
        if level.name == named or (not named and level.needs <= has):
            return level
    raise LevelError(f"{SETTING} is {named}, which is none of {', '.join(level.name for level in among)}.")


@cache
def current() -> Level:
    """The level that this process compiles for and loads; a named one may be better than this processor."""
    return choose(levels(), features(), os.environ.get(SETTING, ""))


@cache
def check() -> None:
    """Raise LevelError if this processor cannot run what this process would load."""
    lacking = sorted(current().needs - features())
    if lacking:
        raise LevelError(f"this processor cannot run code for {current().name}: it lacks {', '.join(lacking)}.")
