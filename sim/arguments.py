"""Argument checks of functions for scripts: Data of another model and indices out of range are refused.

Calls of kernels check Data themselves. Native code checks no index, and in numpy an index of -1 is the last element.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from sim.fields import MODEL_LAYOUT
from sim.model import Data, Model

P = ParamSpec("P")
R = TypeVar("R")

# parameter name -> (type of element that it is an index of, field that counts them)
INDICES = {
    "body": ("body", "nbody"),
    "geom": ("geom", "ngeom"),
    "geom1": ("geom", "ngeom"),
    "geom2": ("geom", "ngeom"),
    "site": ("site", "nsite"),
    "contact": ("contact", "ncon"),
}


def check_index(kind: str, index: int, count: int) -> None:
    """Raise IndexError if an index is out of range."""
    if not 0 <= operator.index(index) < count:
        raise IndexError(f"{kind} {index}: there are {count}")


def check_fit(m: Any, d: Any) -> None:
    """Raise TypeError unless these are a Model and a Data, ValueError unless they fit."""
    if not isinstance(m, Model):
        raise TypeError(f"m should be a Model, not {type(m).__name__}")
    if not isinstance(d, Data):
        raise TypeError(f"d should be a Data, not {type(d).__name__}")
    if d.model is not m:
        d.check_fit(m)


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: check the arguments of a function of (m, d, ...), by the names of its parameters."""
    names = list(signature(function).parameters)[2:]
    found = [(place, name, *INDICES[name]) for place, name in enumerate(names) if name in INDICES]
    indices = [(*row, row[-1] in MODEL_LAYOUT.places) for row in found]

    @wraps(function)
    def call(m: Any, d: Any, *args: Any, **kwargs: Any) -> Any:
        check_fit(m, d)
        for place, name, kind, count, of_model in indices:
            index = args[place] if place < len(args) else kwargs[name]
            check_index(kind, index, (m if of_model else d).read(count))
        return function(m, d, *args, **kwargs)

    return call  # type: ignore[return-value]
