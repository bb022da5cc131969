"""Where solref and solimp of a constraint are written, and the edits that give it those that are wanted.

A contact has them from a pair, the options, the geom of higher priority, or from both geoms. Then one of the two can be
edited alone, so that the mixture becomes what is wanted, as far as it has a part in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.model.views import ModelView
from app.run.commands import SetField
from sim.analysis.contact_mixing import BOTH, FIRST, OVERRIDE, PAIR, SECOND, Mixing
from sim.analysis.element_names import element_name, full_geom_name
from sim.analysis.row_softness import ROWS, TENDON_FRICTION, TENDON_LIMIT
from sim.analysis.softness import Softness, Solimp, Solref
from sim.analysis.solref_tuning import Tuned

# digits that are written to the file
DIGITS = 8


@dataclass(frozen=True)
class Place:
    """One row of the fields of solref and solimp; -1 of a field of the whole model."""

    solref: str
    solimp: str
    row: int


@dataclass(frozen=True)
class Target:
    """What an edit is written to: one or two places, with the weights of the first and what the other geom has."""

    label: str
    places: tuple[Place, ...]
    weight: float = 1.0
    other: Place | None = None


def targets(model: ModelView, mixed: Mixing) -> tuple[Target, ...]:
    """What can be edited to change a contact, the natural choice first."""
    if mixed.decider == OVERRIDE:
        return (Target("options: all contacts", (Place("opt.o_solref", "opt.o_solimp", -1),)),)
    if mixed.decider == PAIR:
        name = element_name(model, "pair", mixed.pair)
        return (Target(name, (Place("pair_solref", "pair_solimp", mixed.pair),)),)
    first, second = (Place("geom_solref", "geom_solimp", geom) for geom in mixed.geoms)
    names = [full_geom_name(model, geom) for geom in mixed.geoms]
    if mixed.decider in (FIRST, SECOND):
        place, name = (first, names[0]) if mixed.decider == FIRST else (second, names[1])
        return (Target(name, (place,)),)
    both = Target(BOTH, (first, second))
    one = Target(names[0], (first,), mixed.weight, second)
    other = Target(names[1], (second,), 1.0 - mixed.weight, first)
    return both, one, other


def row_target(model: ModelView, kind: str, index: int) -> Target:
    """What is edited to change a limit, an equality or dry friction."""
    _, solref, solimp = ROWS[kind]
    element = "tendon" if kind in (TENDON_LIMIT, TENDON_FRICTION) else "equality" if kind == "equality" else "joint"
    joint = int(model.dof_jntid[index]) if solref.startswith("dof_") else index
    return Target(element_name(model, element, joint), (Place(solref, solimp, index),))


def edit(model: ModelView, target: Target, now: Softness, tuned: Tuned) -> tuple[SetField | None, str]:
    """The edit that makes a target so that the constraint has what is wanted; or why there is none.

    solimp is written even if it stays as it is, so that a drag is one entry of the journal.
    """
    solref, why = _own_solref(model, target, tuned.solref)
    solimp, why_not = _own_solimp(model, target, tuned.solimp)
    kept = tuned.solimp == now.solimp
    if why or (why_not and not kept):
        return None, why or why_not
    cells = []
    for place in target.places:
        imp = _values(model.read(place.solimp), place.row) if kept else [rounded(value) for value in solimp]
        cells += _cells(place, [rounded(value) for value in solref], imp)
    return _together(cells), ""


def reset(model: ModelView, target: Target, file_values: Mapping[str, Any]) -> SetField | None:
    """The edit that gives a target what the file has; None if it has that."""
    cells = []
    for place in target.places:
        before = [_values(model.read(path), place.row) for path in (place.solref, place.solimp)]
        values = [_values(file_values.get(path, model.read(path)), place.row) for path in (place.solref, place.solimp)]
        if any(not np.array_equal(old, new) for old, new in zip(before, values, strict=True)):
            cells += _cells(place, values[0], values[1])
    return _together(cells) if cells else None


def changed(model: ModelView, target: Target, file_values: Mapping[str, Any]) -> bool:
    """Whether a target differs from the file."""
    return reset(model, target, file_values) is not None


def _own_solref(model: ModelView, target: Target, wanted: Solref) -> tuple[Sequence[float], str]:
    """solref of the edited geom, so that the mixture is what is wanted; or why there is none."""
    if target.other is None:
        return wanted, ""
    others = _values(model.read(target.other.solref), target.other.row)
    if wanted[0] <= 0.0:
        # of negative numbers the smaller one counts
        hidden = others[0] <= 0.0 and any(other < mine for other, mine in zip(others, wanted, strict=True))
        return wanted, "the other geom's value is smaller and is used instead: edit both" if hidden else ""
    if others[0] <= 0.0:
        return wanted, "the other geom has a negative solref, which is used instead: edit both"
    return _unmixed(wanted, others, target.weight, 0.0, float("inf"))


def _own_solimp(model: ModelView, target: Target, wanted: Solimp) -> tuple[Sequence[float], str]:
    if target.other is None:
        return wanted, ""
    others = _values(model.read(target.other.solimp), target.other.row)
    limits = (1.0, 1.0, float("inf"), 1.0, float("inf"))
    found, why = list(wanted), ""
    for k, limit in enumerate(limits):
        (found[k],), fault = _unmixed((wanted[k],), (others[k],), target.weight, 0.0, limit)
        why = why or fault
    return found, why


def _unmixed(
    wanted: Sequence[float], others: Sequence[float], weight: float, low: float, high: float
) -> tuple[Sequence[float], str]:
    """What the one has to be where the other has the rest of the weight."""
    if weight <= 0.0:
        return wanted, "it has no weight in the mix: its solmix is 0"
    found = [(w - (1.0 - weight) * other) / weight for w, other in zip(wanted, others, strict=True)]
    if not all(low < value < high for value in found):
        return wanted, "it cannot outweigh the other geom: edit both"
    return found, ""


def _cells(place: Place, solref: Sequence[float], solimp: Sequence[float]) -> list[SetField]:
    """An edit for each number."""
    numbers = [(place.solref, k, value) for k, value in enumerate(solref)]
    numbers += [(place.solimp, k, value) for k, value in enumerate(solimp)]
    return [
        SetField(path, value, (k,)) if place.row < 0 else SetField(path, value, (place.row,), k)
        for path, k, value in numbers
    ]


def _together(cells: Sequence[SetField]) -> SetField:
    return replace(cells[0], also=tuple(cells[1:]))


def _values(field: Any, row: int) -> list[float]:
    return [float(x) for x in np.asarray(field if row < 0 else field[row])]


def rounded(value: float) -> float:
    """With the digits that are written."""
    return float(f"{value:.{DIGITS}g}")
