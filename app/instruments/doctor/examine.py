"""Examines a model: runs every check, drops what another finding explains, and orders the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from app.instruments.doctor.checks.actuators import check_actuators
from app.instruments.doctor.checks.angles import check_angles
from app.instruments.doctor.checks.assets import check_assets
from app.instruments.doctor.checks.axes import check_axes
from app.instruments.doctor.checks.equalities import check_equalities
from app.instruments.doctor.checks.filters import check_filters
from app.instruments.doctor.checks.inertia import check_inertia
from app.instruments.doctor.checks.joints import check_joints
from app.instruments.doctor.checks.lengths import check_lengths
from app.instruments.doctor.checks.options import check_options
from app.instruments.doctor.checks.overlaps import check_overlaps
from app.instruments.doctor.checks.ranges import check_ranges
from app.instruments.doctor.checks.run import check_run
from app.instruments.doctor.checks.softness import check_softness
from app.instruments.doctor.checks.stability import check_stability
from app.instruments.doctor.checks.surfaces import check_surfaces
from app.instruments.doctor.checks.touching import check_touching
from app.instruments.doctor.checks.twins import check_twins
from app.instruments.doctor.finding import Finding, Severity, ranked
from app.instruments.doctor.places import with_places
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from app.model.text_diff import diff_lines
from sim import Model
from sim.enums import TRN_JOINT, TRN_JOINTINPARENT

Check = Callable[[Subject], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (
    check_options,
    check_lengths,
    check_inertia,
    check_angles,
    check_ranges,
    check_joints,
    check_actuators,
    check_stability,
    check_twins,
    check_axes,
    check_softness,
    check_surfaces,
    check_overlaps,
    check_touching,
    check_filters,
    check_equalities,
    check_assets,
    check_run,
)

UNLIKE = ("twins", "outlier")
INERTIA = ("inertia-small", "inertia-large", "com-outside", "density", "mass-chain")
WEAK = ("servo-weak", "force-weak")
# what a body in the wrong place does
PLACED = ("overlap", "overlap-key", "tendon-range", "equality-violated", "solver-budget")
ROWS, TOO_FAST = ("contact", "limit", "equality"), ("timeconst", "unstable")
# check -> the checks whose findings about the same body it explains
EXPLAINS: dict[str, tuple[str, ...]] = {
    "mesh-scale": (*INERTIA, *UNLIKE, "size-unit"),
    "size-unit": (*INERTIA, *UNLIKE, "unstable", "armature", "position-unit"),
    "position-unit": (*UNLIKE, "com-outside", "inertia-large"),
    "com-outside": (*UNLIKE, "inertia-large"),
    "density": (*UNLIKE, "inertia-small", "inertia-large", "mass-chain", "unstable", "armature", "actuator-throws"),
    "inertia-small": (*UNLIKE, "unstable", "armature", "actuator-throws"),
    "inertia-large": UNLIKE,
    "inertia-impossible": UNLIKE,
    "axis-twice": ("mass-chain", "unstable"),
    "armature": (*UNLIKE, "unstable", "actuator-throws"),
    "angle-unit": (*UNLIKE, "range-start", "key-range", "servo-range", "servo-range-unit", "servo-narrow", "springref"),
    "range-empty": (*UNLIKE, "range-start", "key-range", "servo-range"),
    "range-start": ("servo-range", "key-range"),
    "servo-range-unit": (*UNLIKE, "servo-range"),
    "servo-range": UNLIKE,
    "servo-narrow": (*UNLIKE, "servo-range", "unstable"),
    "servo-feedback": (*UNLIKE, "servo-range", *WEAK),
    "servo-weak": UNLIKE,
    "force-weak": UNLIKE,
    "actuator-throws": UNLIKE,
    "activation-time": UNLIKE,
    "damping-negative": UNLIKE,
    "stiffness-negative": UNLIKE,
    "damping-locks": (*UNLIKE, "unstable"),
    "friction-locks": UNLIKE,
    "unstable": (*UNLIKE, "actuator-throws"),
    "springref": UNLIKE,
}
# check -> the checks whose findings about anything it explains
OVERSHADOWS: dict[str, tuple[str, ...]] = {
    "length-unit": (
        "overlap",
        "overlap-key",
        *INERTIA,
        *WEAK,
        "mass-unit",
        "armature",
        "unstable",
        "actuator-throws",
        "damping-locks",
    ),
    "size-unit": (*WEAK, *PLACED, "mass-chain"),
    "position-unit": (*WEAK, *PLACED, "mass-chain", "com-outside"),
    "com-outside": WEAK,
    "density": WEAK,
    "mass-unit": (*WEAK, "damping-locks", "friction-locks"),
    "gravity-unit": (*WEAK, "damping-locks", "friction-locks"),
    "mesh-scale": ("density", "size-unit", "mass-unit", "mass-chain", "margin-large", *WEAK),
    "friction-none": ("solver-budget",),
    "timestep": (
        "contact-soft",
        "solver-budget",
        "unstable",
        "actuator-throws",
        *(f"{row}-{trouble}" for row in ROWS for trouble in TOO_FAST),
    ),
}
# what comes of almost any fault: the worst of the others explains it
SYMPTOM = "diverges"
# findings of one check and severity whose scores are this close are one finding
CLOSE = 0.3


def examine(model: Model) -> list[Finding]:
    """What is wrong with a model, the worst first."""
    subject = Subject(model)
    found = [finding for check in CHECKS for finding in check(subject)]
    kept = ranked(merged(without_symptom(ranked(causes(model, found)))))
    return with_places(model, [_with_diffs(subject, finding) for finding in kept])


def _with_diffs(subject: Subject, finding: Finding) -> Finding:
    """A finding whose changes of elements say what they do to the file."""
    if not any(fix.tree for fix in finding.fixes):
        return finding
    fixes = (replace(fix, diff=diff_lines(subject.tree, fix.tree)) if fix.tree else fix for fix in finding.fixes)
    return replace(finding, fixes=tuple(fixes))


def causes(model: Model, findings: list[Finding]) -> list[Finding]:
    """Those that no other finding explains; what they explain lends them its weight."""
    families = [_family(model, finding) for finding in findings]
    kept: list[Finding] = []
    explained: set[int] = set()
    for at, cause in enumerate(findings):
        near, far = EXPLAINS.get(cause.check, ()), OVERSHADOWS.get(cause.check, ())
        for other, finding in enumerate(findings):
            related = finding.check in far or (finding.check in near and families[at] & families[other])
            # what is only worth knowing does not explain what is surely wrong with one element
            unequal = cause.severity == Severity.NOTE and finding.severity == Severity.ERROR and not finding.others
            if other != at and related and not unequal:
                explained.add(other)
                score = max(cause.score, finding.score) if finding.severity >= cause.severity else cause.score
                cause = replace(cause, severity=max(cause.severity, finding.severity), score=score)
        kept.append(cause)
    return [finding for at, finding in enumerate(kept) if at not in explained]


def without_symptom(findings: list[Finding]) -> list[Finding]:
    """Ranked findings, where one that is likely wrong takes over that the model diverges."""
    symptom = next((finding for finding in findings if finding.check == SYMPTOM), None)
    rest = [finding for finding in findings if finding is not symptom]
    if symptom is None or not rest or rest[0].severity < Severity.WARNING:
        return findings
    why = f"{rest[0].why} In a second without any control, {symptom.title}."
    return [replace(rest[0], severity=Severity.ERROR, why=why), *rest[1:]]


def merged(findings: list[Finding]) -> list[Finding]:
    """Findings that say the same of several elements become one."""
    found: list[Finding] = []
    for finding in findings:
        for at, known in enumerate(found):
            alike = (known.check, known.severity, known.attribute) == (
                finding.check,
                finding.severity,
                finding.attribute,
            )
            if alike and known.selection.kind == finding.selection.kind and known.score - finding.score < CLOSE:
                new = (finding.selection, *finding.others)
                others = known.others + tuple(s for s in new if s != known.selection and s not in known.others)
                found[at] = replace(known, others=others)
                break
        else:
            found.append(finding)
    return found


def _family(model: Model, finding: Finding) -> set[int]:
    """The bodies that a finding is about."""
    return {body for element in (finding.selection, *finding.others) for body in bodies_of(model, element)}


def bodies_of(model: Model, element: Selection) -> tuple[int, ...]:
    """The bodies that an element belongs to."""
    kind, index = element.kind, element.index
    if kind == "body":
        return (index,)
    if kind == "geom":
        return (int(model.geom_bodyid[index]),)
    if kind == "joint":
        return (int(model.jnt_bodyid[index]),)
    if kind == "actuator" and model.actuator_trntype[index] in (TRN_JOINT, TRN_JOINTINPARENT):
        return (int(model.jnt_bodyid[model.actuator_trnid[index, 0]]),)
    return ()
