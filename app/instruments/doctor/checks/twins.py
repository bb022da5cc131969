"""Doctor: numbers that differ between left and right, or from all others of a series."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np
from numpy.typing import NDArray

from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.subject import Floats, Subject
from app.model.selection import Selection
from app.run.commands import SetField
from sim.enums import BIAS_AFFINE, JNT_HINGE, JNT_SLIDE, TRN_JOINT, TRN_JOINTINPARENT

# ratios at which a difference is worth a note, a warning, and cannot be meant
NOTED, WARNED, SURE = 1.5, 5.0, 50.0
# the same for a series, whose last or first is often special
SERIES = 20.0
# of a series that has to agree
MAJORITY = 0.6
# ratio that stands for a number against none
NOTHING = 30.0
# a number that is this much farther from all others of its kind is alone
ALONE = 100.0
# left and right in names
SIDES = (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
OTHER_SIDE = {"l": "r", "r": "l", "L": "R", "R": "L"}
# a side next to front, hind, back or rear: fl, HR
PAIRED = set("fhbrFHBR")
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Trait:
    """A positive number of each element of a kind, nan where it has none; `edit` sets it."""

    kind: str
    attribute: str
    values: Floats
    # elements with the same number are comparable
    groups: NDArray[np.int64]
    edit: Callable[[int, float], tuple[SetField, ...]] | None = None
    # elements of unlike types, such as slide and hinge, are never comparable: their numbers have other units
    types: NDArray[np.integer] | None = None

    def type_of(self, element: int) -> int:
        """The type of an element."""
        return int(self.types[element]) if self.types is not None else 0


def check_twins(subject: Subject) -> Iterator[Finding]:
    """Every trait, within pairs and series, and against all of its kind."""
    for trait in traits(subject):
        names = subject.model.names.get(trait.kind, [])
        found: dict[int, Finding] = {}
        for first, second in twins(names):
            if trait.type_of(first) == trait.type_of(second):
                for finding in _pair(subject, trait, first, second):
                    found.setdefault(finding.selection.index, finding)
        for group in series(names, trait.type_of):
            for finding in _series(subject, trait, group):
                found.setdefault(finding.selection.index, finding)
        for finding in _alone(subject, trait):
            found.setdefault(finding.selection.index, finding)
        yield from found.values()


def traits(subject: Subject) -> Iterator[Trait]:
    """What is compared."""
    m = subject.model
    none = np.full(int(m.nbody), -1)
    mass, inertia = np.asarray(m.body_mass).copy(), np.asarray(m.body_inertia).sum(axis=1)
    mass[0] = inertia[0] = np.nan
    yield Trait("body", "mass", mass, none, lambda body, value: (SetField("body_mass", value, (body,)),))
    yield Trait("body", "inertia", inertia, none)
    radii = np.asarray(m.geom_rbound)
    yield Trait("geom", "size", np.where(radii > 0, radii, np.nan), np.full(int(m.ngeom), -1))
    one = np.zeros(int(m.ntendon), dtype=np.int64)
    yield Trait("tendon", "stiffness", np.asarray(m.tendon_stiffness), one)
    yield Trait("tendon", "damping", np.asarray(m.tendon_damping), one)
    if int(m.njnt):
        yield from _of_joints(subject)
    if int(m.nactuator):
        yield from _of_actuators(subject)


def _of_joints(subject: Subject) -> Iterator[Trait]:
    m = subject.model
    kinds, dofs = np.asarray(m.jnt_type), np.asarray(m.jnt_dofadr)
    scalar = np.isin(kinds, (JNT_HINGE, JNT_SLIDE))
    groups = np.asarray(m.dof_treeid)[dofs].astype(np.int64) * 4 + kinds

    def trait(path: str, values: Floats, by_dof: bool) -> Trait:
        def edit(joint: int, value: float) -> tuple[SetField, ...]:
            return (SetField(path, value, subject.dofs(joint) if by_dof else (joint,)),)

        return Trait("joint", path.partition("_")[2], np.where(scalar, np.abs(values), np.nan), groups, edit, kinds)

    for path in ("dof_damping", "dof_armature", "dof_frictionloss"):
        yield trait(path, np.asarray(getattr(m, path))[dofs], by_dof=True)
    yield trait("jnt_stiffness", np.asarray(m.jnt_stiffness), by_dof=False)
    limited = scalar & np.asarray(m.jnt_limited).astype(bool)
    yield Trait("joint", "range", _widths(np.asarray(m.jnt_range), limited), groups, types=kinds)


def _of_actuators(subject: Subject) -> Iterator[Trait]:
    m = subject.model
    outputs = np.asarray(m.actuator_outadr)
    gain, bias = np.asarray(m.actuator_gainprm), np.asarray(m.actuator_biasprm)
    kinds = (m.actuator_gaintype, m.actuator_biastype, m.actuator_trntype, m.actuator_dyntype)
    on_joint = np.isin(m.actuator_trntype, (TRN_JOINT, TRN_JOINTINPARENT))
    moved = [
        int(m.jnt_type[target]) if on else -1
        for on, target in zip(on_joint, np.asarray(m.actuator_trnid)[:, 0], strict=True)
    ]
    every = np.array([*(np.asarray(kind) for kind in kinds), moved])
    groups = np.unique(every.T, axis=0, return_inverse=True)[1].ravel()
    servo = np.array([subject.servo(actuator)[0] > 0 for actuator in range(int(m.nactuator))])
    affine = np.asarray(m.actuator_biastype) == BIAS_AFFINE

    def set_kp(actuator: int, value: float) -> tuple[SetField, ...]:
        scale = value / abs(float(bias[actuator, 1]))
        return (
            SetField("actuator_biasprm", -value, (actuator,), 1),
            SetField("actuator_gainprm", float(gain[actuator, 0]) * scale, (actuator,), 0),
        )

    def set_kv(actuator: int, value: float) -> tuple[SetField, ...]:
        return (SetField("actuator_biasprm", -value, (actuator,), 2),)

    def set_gear(actuator: int, value: float) -> tuple[SetField, ...]:
        row = int(outputs[actuator])
        return (SetField("actuator_gear", float(np.copysign(value, m.actuator_gear[row, 0])), (row,), 0),)

    def trait(
        attribute: str, values: Floats, edit: Callable[[int, float], tuple[SetField, ...]] | None = None
    ) -> Trait:
        return Trait("actuator", attribute, values, groups, edit, groups)

    yield trait("kp", np.where(servo, np.abs(bias[:, 1]), np.nan), set_kp)
    yield trait("gain", np.where(servo | (gain[:, 0] == 0), np.nan, np.abs(gain[:, 0])))
    yield trait("kv", np.where(affine, np.abs(bias[:, 2]), np.nan), set_kv)
    gear = np.abs(np.asarray(m.actuator_gear)[outputs, 0])
    yield trait("gear", np.where(gear > 0, gear, np.nan), set_gear)
    force, limited = np.abs(np.asarray(m.actuator_forcerange)).max(axis=1), np.asarray(m.actuator_forcelimited)
    yield trait("forcerange", np.where(limited.astype(bool) & np.isfinite(force), force, np.nan))
    if int(m.nu):
        rows = np.minimum(np.asarray(m.actuator_ctrladr), int(m.nu) - 1)
        width = _widths(np.asarray(m.actuator_ctrlrange)[rows], np.asarray(m.actuator_ctrllimited)[rows].astype(bool))
        yield trait("ctrlrange", np.where(width > 0, width, np.nan))
    yield trait("dynprm", np.abs(np.asarray(m.actuator_dynprm)[:, 0]))


def _widths(ranges: Floats, limited: NDArray[np.bool_]) -> Floats:
    """Widths of ranges; nan of those without limits, or with infinite ones."""
    finite = np.where((limited & np.isfinite(ranges).all(axis=1))[:, None], ranges, np.nan)
    widths: Floats = finite[:, 1] - finite[:, 0]
    return widths


def _ratio(first: float, second: float) -> float:
    """The larger over the smaller; nan if a number is missing."""
    if np.isnan(first) or np.isnan(second):
        return np.nan
    low, high = sorted((abs(first), abs(second)))
    return 1.0 if high == 0 else NOTHING if low == 0 else high / low


def _pair(subject: Subject, trait: Trait, first: int, second: int) -> Iterator[Finding]:
    ratio = _ratio(float(trait.values[first]), float(trait.values[second]))
    if not ratio > NOTED:
        return
    # the one that is less like the rest
    known = trait.values[np.isfinite(trait.values) & (trait.values > 0)]
    middle = float(10 ** np.median(np.log10(known))) if len(known) else 1.0
    values = trait.values
    odd, twin = sorted(
        (first, second), key=lambda at: (-round(_ratio(float(values[at]), middle), 6), -float(values[at]))
    )
    yield _finding(subject, trait, odd, twin, float(trait.values[twin]), ratio, subject.name(trait.kind, twin))


def _series(subject: Subject, trait: Trait, group: list[int]) -> Iterator[Finding]:
    known = [at for at in group if np.isfinite(trait.values[at])]
    counts = Counter(float(f"{trait.values[at]:.6g}") for at in known)
    if not counts:
        return
    usual, number = counts.most_common(1)[0]
    if number < MAJORITY * len(group) or number < 2:
        return
    alike = next(at for at in known if abs(trait.values[at] - usual) <= 1e-5 * usual)
    for at in known:
        ratio = _ratio(float(trait.values[at]), usual)
        if ratio > SERIES and number >= len(known) - 2:
            yield _finding(
                subject, trait, at, alike, usual, ratio, f"{number} others such as {subject.name(trait.kind, alike)}"
            )


def _alone(subject: Subject, trait: Trait) -> Iterator[Finding]:
    """A number that is far from all others of its kind."""
    known = np.isfinite(trait.values) & (trait.values > 0) & (trait.groups >= 0)
    for group in np.unique(trait.groups[known]):
        members = np.flatnonzero(known & (trait.groups == group))
        if len(members) < 4:
            continue
        order = members[np.argsort(trait.values[members])]
        middle = float(np.median(trait.values[order]))
        for at, near in ((order[0], order[1]), (order[-1], order[-2])):
            ratio = _ratio(float(trait.values[at]), float(trait.values[near]))
            if ratio >= ALONE:
                yield _finding(subject, trait, int(at), int(near), middle, ratio, "any other", alone=True)


def _finding(
    subject: Subject, trait: Trait, odd: int, twin: int, meant: float, ratio: float, whose: str, alone: bool = False
) -> Finding:
    value, name = float(trait.values[odd]), subject.name(trait.kind, odd)
    severity = Severity.NOTE if ratio < WARNED else Severity.ERROR if ratio > SURE and not alone else Severity.WARNING
    than = f"{ratio:.3g} times" if value > meant else f"1/{ratio:.3g} of"
    if value == 0 or meant == 0:
        than = "unlike"
    fixes = (Fix(f"set it to {meant:.4g}", trait.edit(odd, meant)),) if trait.edit else (Fix(f"make it {meant:.4g}"),)
    return Finding(
        "outlier" if alone else "twins",
        severity,
        Selection(trait.kind, odd),
        f"{name} has {trait.attribute} {value:.4g}, {than} that of {whose} ({float(trait.values[twin]):.4g})",
        "A number this far from all others of its kind is rarely intended: check its unit."
        if alone
        else "Their names suggest that they should match. If one of them is wrong, the model pulls to one side.",
        # a number against none may be meant
        0.5 if value == 0 or meant == 0 else log10(ratio) + (-0.5 if alone else 0.5),
        fixes,
        others=() if alone else (Selection(trait.kind, twin),),
        attribute=trait.attribute,
    )


# ---- names


def twins(names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of elements whose names differ only by the side."""
    index = {name: at for at, name in enumerate(names) if name}
    for name, at in index.items():
        for other in set(mirrored(name)):
            if index.get(other, -1) > at:
                yield at, index[other]


def mirrored(name: str) -> Iterator[str]:
    """Names that the element on the other side could have."""
    for left, right in SIDES:
        if left in name or right in name:
            yield re.sub(f"{left}|{right}", lambda found, a=left, b=right: b if found[0] == a else a, name)  # type: ignore[misc]
    words = re.split(r"([^A-Za-z]+)", name)
    for at, word in enumerate(words):
        for swapped in _swapped(word):
            yield "".join((*words[:at], swapped, *words[at + 1 :]))


def _swapped(word: str) -> Iterator[str]:
    """A word with the letter for its side changed."""
    if not word or not word[0].isalpha():
        return
    if len(word) == 2 and word[1] in OTHER_SIDE and word[0] in PAIRED:
        yield word[0] + OTHER_SIDE[word[1]]
    if word[0] in OTHER_SIDE:
        yield OTHER_SIDE[word[0]] + word[1:]
    if len(word) > 2 and word[-1] in "LR" and not word[-2].isupper():
        yield word[:-1] + OTHER_SIDE[word[-1]]


def series(names: Sequence[str], type_of: Callable[[int], int] = lambda at: 0) -> Iterator[list[int]]:
    """Groups of at least three elements of one type whose names differ only by numbers."""
    groups: dict[tuple[int, str], list[int]] = {}
    for at, name in enumerate(names):
        if NUMBER.search(name):
            groups.setdefault((type_of(at), NUMBER.sub("#", name)), []).append(at)
    yield from (group for group in groups.values() if len(group) > 2)
