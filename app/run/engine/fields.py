"""Which fields of Model and Data MuJoCo has, and which of them can share its memory.

MuJoCo keeps most arrays in one block for good. Contacts, constraint rows and islands are in its arena and move with
every step; solver statistics and warnings are arrays of structs: these are copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.jit.layout import DTYPES, Layout

# fields of MjData that move, or whose numbers are not next to each other
MOVING = ("contact.", "efc_", "island_", "map_", "tree_island", "dof_island", "solver.", "warning.")
# groups of scalars of Model that can be edited
SETTINGS = ("opt.", "stat.", "vis.")


def read_path(source: Any, path: str) -> Any:
    """A field by its dotted name; AttributeError if there is none."""
    for part in path.split("."):
        source = getattr(source, part)
    return source


def has_path(source: Any, path: str) -> bool:
    """Whether there is a field with a dotted name."""
    try:
        read_path(source, path)
    except AttributeError:
        return False
    return True


def write_path(target: Any, path: str, value: Any) -> None:
    """Set a scalar by its dotted name."""
    group, _, name = path.rpartition(".")
    setattr(read_path(target, group) if group else target, name, value)


def bound_arrays(layout: Layout, mj: Any) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays of a struct of MuJoCo that stay where they are, by the name of the field that is the same in `sim`."""
    for name, place in layout.places.items():
        if not place.field.shape or name in layout.growing or (name.startswith(MOVING) and layout.name == "d"):
            continue
        if not has_path(mj, name):
            continue
        array = read_path(mj, name)
        if isinstance(array, np.ndarray) and array.dtype == DTYPES[place.field.dtype]:
            yield name, array


def scalar_paths(layout: Layout, mj: Any) -> list[str]:
    """Settings of a model that are single numbers."""
    return [
        name
        for name, place in layout.places.items()
        if name.startswith(SETTINGS) and not place.field.shape and has_path(mj, name)
    ]
