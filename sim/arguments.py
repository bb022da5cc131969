"""What functions for scripts have in common: they refuse Data of another model and indices that nothing has.

Kernels refuse the former by themselves. Native code looks at neither, and numpy takes an index of -1 for the last.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

# name of a parameter -> what it is an index of, and the field that counts those
INDICES = {
    "body": ("body", "nbody"),
    "geom": ("geom", "ngeom"),
    "geom1": ("geom", "ngeom"),
    "geom2": ("geom", "ngeom"),
    "site": ("site", "nsite"),
    "contact": ("contact", "ncon"),
}


def check_index(kind: str, index: int, count: int) -> None:
    """Raise IndexError if there is no such element."""
    if not 0 <= operator.index(index) < count:
        raise IndexError(f"{kind} {index}: there are {count}")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Have a function of (m, d, ...) check its arguments, by the names of its parameters."""
    names = list(signature(function).parameters)[2:]
    indices = [(place, name, *INDICES[name]) for place, name in enumerate(names) if name in INDICES]

    @wraps(function)
    def call(m: Any, d: Any, *args: Any, **kwargs: Any) -> Any:
        d.check_fit(m)
        for place, name, kind, count in indices:
            index = args[place] if place < len(args) else kwargs[name]
            check_index(kind, index, (m if count in m.layout.places else d).read(count))
        return function(m, d, *args, **kwargs)

    return call  # type: ignore[return-value]
