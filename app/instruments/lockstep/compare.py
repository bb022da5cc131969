"""Compares both engines stage by stage: the largest difference of each, and the first field and element that differ.

An error is the largest |ours - theirs| of a field over its largest magnitude: now, or 1 % of that at other moments;
forces and accelerations that cancel count as parts of those without constraints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.instruments.lockstep.align import LEAST, ONLY_OURS, ONLY_THEIRS, Aligned, Aligner, Array, OtherLength
from app.instruments.lockstep.elements import MODEL_ITSELF, Element, field_of
from app.instruments.lockstep.match import Side
from app.instruments.lockstep.stages import CONTACTS, DATA_STAGES, MODEL_STAGE, ROWS, Stage, StageField
from app.run.engine.fields import has_path

# share of what a field is measured by besides its own values: itself at other moments, and these fields
SHARE = 0.01
MEASURES = {
    "qacc": "qacc_smooth", "qfrc_constraint": "qfrc_smooth", "efc_force": "qfrc_smooth", "qfrc_smooth": "qfrc_bias",
    "qfrc_passive": "qfrc_bias",
}  # fmt: skip
# elements that are named for each field
MOST_ELEMENTS = 200


@dataclass(frozen=True)
class Difference:
    """The largest difference in a field; `elements` are all that are out of tolerance, the worst first, with errors."""

    field: str
    error: float
    element: Element = MODEL_ITSELF
    component: str = ""
    ours: float = 0.0
    theirs: float = 0.0
    elements: tuple[Element, ...] = ()
    errors: tuple[float, ...] = ()

    @property
    def place(self) -> str:
        """The field, its component and the element, for people."""
        if self.component in (ONLY_OURS, ONLY_THEIRS):
            row = "" if self.field == self.element.kind else f"{self.field} of "
            return f"{row}{self.element.name}, {self.component}"
        return " ".join(part for part in (self.field, self.component) if part) + (
            f" of {self.element.name}" if self.element.name else ""
        )


@dataclass(frozen=True)
class StageResult:
    """A stage: its largest difference, and all fields that are out of tolerance, in the order of the table."""

    stage: Stage
    worst: Difference | None = None
    differences: tuple[Difference, ...] = ()
    # whether a contact or limit just begins to act, in one engine only, or has no defined normal
    borderline: bool = False

    @property
    def same(self) -> bool:
        return not self.differences

    @property
    def error(self) -> float:
        return self.worst.error if self.worst is not None else 0.0

    @property
    def first(self) -> Difference | None:
        """The first field that differs, else the one with the largest difference."""
        return self.differences[0] if self.differences else self.worst


@dataclass
class Scales:
    """The largest magnitude of each field at all moments compared."""

    seen: dict[str, float] = field(default_factory=dict)

    def of(self, name: str, values: Array, theirs: Any) -> float:
        """What the errors of a field are measured by; remembers the magnitude of these values."""
        now = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
        self.seen[name] = max(now, self.seen.get(name, 0.0))
        measure = MEASURES.get(name)
        other = float(np.abs(theirs.read(measure)).max(initial=0.0)) if measure else 0.0
        return max(now, SHARE * self.seen[name], SHARE * other, LEAST)


def compare_models(ours: Any, theirs: Any) -> StageResult:
    """The constants."""
    return _stage(MODEL_STAGE, Aligner(Side(ours, theirs), Side(theirs, theirs)), Scales(), (ours, theirs))


def compare_forward(pair: Aligner, scales: Scales) -> list[StageResult]:
    """All stages of `forward`, which both have computed."""
    return [_stage(stage, pair, scales, (pair.ours.d, pair.theirs.d)) for stage in DATA_STAGES[:-1]]


def compare_step(pair: Aligner, scales: Scales) -> StageResult:
    """The state after a step."""
    return _stage(DATA_STAGES[-1], pair, scales, (pair.ours.d, pair.theirs.d))


def culprit(results: Iterable[StageResult]) -> StageResult | None:
    """The first stage that is out of tolerance: those after it compute with its results."""
    return next((result for result in results if not result.same), None)


def _stage(stage: Stage, pair: Aligner, scales: Scales, structs: tuple[Any, Any]) -> StageResult:
    """Compare the fields of a stage; those that an engine does not have are left out."""
    found = [
        difference(pair, known, stage.tolerance, scales)
        for known in stage.fields
        if known.way == "set" or all(_has(struct, known.name) for struct in structs)
    ]
    worst = max(found, key=lambda item: item.error, default=None)
    if worst is not None and not worst.error:
        worst = None
    matched = pair.contacts if stage.name == CONTACTS else pair.rows if stage.name == ROWS else None
    borderline = matched is not None and bool(matched.borderline)
    return StageResult(stage, worst, tuple(item for item in found if item.error > stage.tolerance), borderline)


def _has(struct: Any, name: str) -> bool:
    """Whether the engine has the field itself: an older MuJoCo lacks some that its Model or Data here has."""
    return has_path(getattr(struct, "mj", struct), name)


def difference(pair: Aligner, known: StageField, tolerance: float, scales: Scales) -> Difference:
    """The largest difference in a field."""
    try:
        aligned = pair.align(known.name, known.way)
    except OtherLength as error:
        return Difference(known.name, np.inf, component="length", ours=error.ours, theirs=error.theirs)
    errors = _errors(aligned, known, scales, pair)
    if not errors.size or not errors.any():
        return Difference(known.name, 0.0)
    row, column = np.unravel_index(int(np.argmax(errors)), errors.shape)
    by_row = errors.max(axis=1)
    bad: dict[Element, float] = {}
    for place in np.argsort(-by_row, kind="stable")[: int((by_row > tolerance).sum())][:MOST_ELEMENTS].tolist():
        bad.setdefault(aligned.find(place), float(by_row[place]))
    return Difference(
        known.name,
        float(errors[row, column]),
        aligned.find(int(row)),
        aligned.component(int(row), int(column)),
        float(aligned.ours[row, column]),
        float(aligned.theirs[row, column]),
        tuple(bad),
        tuple(bad.values()),
    )


def _errors(aligned: Aligned, known: StageField, scales: Scales, pair: Aligner) -> Array:
    """The error of each number; infinite where only one of them is finite."""
    definition = field_of(known.name)
    whole = definition is not None and not definition.dtype.startswith("f")
    scale = aligned.scale or (1.0 if whole else scales.of(known.name, aligned.theirs, pair.theirs.d))
    with np.errstate(invalid="ignore"):
        errors = np.abs(aligned.ours - aligned.theirs) / scale
    finite = np.isfinite(aligned.ours) == np.isfinite(aligned.theirs)
    errors[~np.isfinite(errors)] = 0.0
    errors[~finite] = np.inf
    return errors
