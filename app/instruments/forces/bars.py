"""Bars of the Forces instrument: the shares of one axis, the largest first, small ones folded, the residual apart."""

from __future__ import annotations

from dataclasses import dataclass

from app.instruments.forces.question import ForceAnswer
from app.model.selection import Selection
from app.model.source_words import PLURALS, WORDS
from sim.analysis.body_forces import JOINTS, TENDONS
from sim.analysis.force_sources import Source

# bars that are shown, and the smallest, as a fraction of the largest
MOST, SMALLEST = 12, 0.01
# what is rounding, as a fraction of the smallest bar
ROUNDING = 1e-9
RESIDUAL = "residual"
# kind of source of a force -> the field that has it, or the sum that it is part of
FIELDS = {
    "gravity": "qfrc_bias", "velocity": "qfrc_bias", "joint spring": "qfrc_spring", "tendon spring": "qfrc_spring",
    "joint damper": "qfrc_damper", "tendon damper": "qfrc_damper", "fluid": "qfrc_fluid",
    "gravity compensation": "qfrc_gravcomp", "callback": "qfrc_passive", "actuator": "actuator_force",
    "actuator limit": "qfrc_actuator", "applied force": "qfrc_smooth", "mouse": "perturb.xfrc", "contact": "efc_force",
    "equality": "efc_force", "joint limit": "efc_force", "tendon limit": "efc_force", "joint friction": "efc_force",
    "tendon friction": "efc_force", "residual": "qacc", "implicit integration": "qvel", JOINTS: "cfrc_int",
    TENDONS: "cfrc_int",
}  # fmt: skip


@dataclass(frozen=True)
class Bar:
    """A source or several of one kind; `selection` is the element of a source, `text` what `push` reads."""

    name: str
    kind: str
    value: float
    selection: Selection | None = None
    text: str = ""


@dataclass(frozen=True)
class Bars:
    """The bars of an axis: `others` has all that is too small for a bar; they sum to `total`."""

    bars: tuple[Bar, ...]
    others: Bar | None
    residual: Bar
    total: float
    # the acceleration that the next step applies, if it differs
    applied: float | None


def bars_of(answer: ForceAnswer, axis: int, as_force: bool, by_kind: bool) -> list[Bar]:
    """A bar for each source, or each kind of source."""
    shares = answer.shares
    values = (shares.force if as_force else shares.acceleration)[:, axis]
    found = [
        Bar(name, source.kind, float(value), _selection(source), text)
        for source, name, text, value in zip(shares.sources, answer.names, answer.texts, values, strict=True)
    ]
    return _by_kind(found) if by_kind else found


def force_bars(answer: ForceAnswer, axis: int, as_force: bool, by_kind: bool) -> Bars:
    """The bars of one column of the shares."""
    shares = answer.shares
    found = bars_of(answer, axis, as_force, by_kind)
    total = float((shares.total_force if as_force else shares.total)[axis])
    residual = sum(bar.value for bar in found if bar.kind == RESIDUAL)
    found = [bar for bar in found if bar.kind != RESIDUAL]
    found.sort(key=lambda bar: -abs(bar.value))
    least = SMALLEST * max((abs(bar.value) for bar in found), default=0.0)
    shown = [bar for bar in found[:MOST] if abs(bar.value) >= least and bar.value != 0.0]
    rest = [bar for bar in found if bar not in shown and abs(bar.value) > ROUNDING * least]
    others = Bar(f"{len(rest)} other{'s' * (len(rest) > 1)}", "", sum(bar.value for bar in rest)) if rest else None
    applied = float(answer.applied[axis])
    differs = not as_force and abs(applied - total) > SMALLEST * max(abs(applied), abs(total), least)
    return Bars(tuple(shown), others, Bar(WORDS[RESIDUAL], RESIDUAL, residual), total, applied if differs else None)


def _selection(source: Source) -> Selection | None:
    return Selection(source.element, source.id) if source.element else None


def _by_kind(found: list[Bar]) -> list[Bar]:
    """One bar for each kind."""
    sums: dict[str, list[Bar]] = {}
    for bar in found:
        sums.setdefault(bar.kind, []).append(bar)
    return [
        bars[0] if len(bars) == 1 else Bar(PLURALS.get(kind, kind), kind, sum(b.value for b in bars), None, kind)
        for kind, bars in sums.items()
    ]
