"""Culprits of an explosion: what pushed when it began, how that compares with what a timestep bears, and fixes for it.

In the first explosive step each source of force had a share in the change of the velocities: the work that it did along
that change. A source is the likelier the cause the larger its share, and the farther it is beyond a limit: that of its
stiffness or damping against the timestep, or of how far a single step of its push moves the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import log10

import numpy as np
from numpy.typing import NDArray

from app.instruments.doctor import remedies
from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.growth import absurd_speeds, translates
from app.instruments.doctor.stiffness import Stiffness, stiffnesses
from app.model.selection import Selection
from sim import Data, Model, full_m
from sim.analysis.element_names import described
from sim.analysis.force_sources import Source, force_sources
from sim.enums import DSBL_REFSAFE

Array = NDArray[np.float64]

# the smallest share of the push that is named
LEAST_SHARE = 1e-3
# the share that counts for what is too stiff, at least
QUIET = 0.02
NOISE = 0.02
# a push that makes a speed absurd within this many steps is too strong
FEW_STEPS = 30.0
# 1/s: something that grows faster whatever the timestep explodes soon
FAST = 5.0
# in sizes of the smaller geom
DEEP = 0.1
# a timestep is too long if this many elements, and this share of all, are too stiff for it
MANY, MANY_SHARE = 2, 0.3
# s
TOO_LONG = 0.0151
# in powers of ten: what is likely a consequence
CONSEQUENCE = 1.0
# of the mass of other bodies; and what was thrown, of the speed of the fastest
LIGHT, THROWN = 1e-3, 0.1
# beyond, a control is not meant, in units of its range or alone
WILD = 1e3
SPRUNG = ("actuator", "joint spring", "joint damper", "tendon spring", "tendon damper")
OPTION = Selection("option", 0)


@dataclass(frozen=True, eq=False)
class Scene:
    """The first explosive step: the model, Data forwarded before it, and the change of qvel by it."""

    model: Model
    data: Data
    change: Array
    # the run began here, or within few steps
    at_start: bool = False

    def name(self, selection: Selection) -> str:
        """The type and the name of an element."""
        return described(self.model, selection.kind, selection.index)

    @cached_property
    def elements(self) -> list[Stiffness]:
        """What acts like a spring or a damper."""
        return stiffnesses(self.model, self.data)

    @cached_property
    def shares(self) -> dict[Source, float]:
        """The share of each source in the change: the parts that push it on, of their sum."""
        sources = force_sources(self.model, self.data)
        work = np.nan_to_num(sources.qfrc @ self.change)
        pushing = np.maximum(work, 0.0)
        total = max(float(pushing.sum()), 1e-300)
        return {source: float(part) / total for source, part in zip(sources.sources, pushing, strict=True)}

    @cached_property
    def jolts(self) -> dict[Source, tuple[float, int]]:
        """What each source does to speeds in one step, in parts of an absurd one; and to which dof."""
        sources = force_sources(self.model, self.data)
        accelerations = np.linalg.lstsq(full_m(self.model, self.data), sources.qfrc.T, rcond=None)[0].T
        speeds = np.nan_to_num(np.abs(accelerations)) * float(self.model.opt.timestep) / absurd_speeds(self.model)
        return {
            source: (float(row.max(initial=0.0)), int(row.argmax()))
            for source, row in zip(sources.sources, speeds, strict=True)
        }


@dataclass(frozen=True)
class Suspect:
    """A source of force: its share in the explosion, how far beyond a limit it is, and its stiffness if it has one."""

    source: Source
    share: float
    excess: float
    jolt: float
    dof: int
    element: Stiffness | None = None

    @property
    def score(self) -> float:
        """Powers of ten: excess, less what the share lacks; what cannot be stable counts before it pushes."""
        share = max(self.share, QUIET if self.stiff else 1e-6)
        return log10(max(self.excess, 1e-6)) + log10(share)

    @property
    def stiff(self) -> bool:
        """Whether it is too stiff for the timestep, or unstable in any."""
        return self.element is not None and (self.element.ratio > 1 or self.element.rate > FAST)


def culprits(scene: Scene) -> list[Finding]:
    """The likely causes, the likeliest first."""
    known = suspects(scene)
    # next to one that is sure, what hardly pushed is noise
    sure = bool(known) and known[0].excess > 1 and known[0].share > 0.5
    known = [suspect for suspect in known if suspect.stiff or not sure or suspect.share > NOISE]
    found = [finding for suspect in known for finding in _findings(scene, suspect)]
    found += [*_timestep(scene), *_light(scene), *_wild_controls(scene)]
    unique: dict[tuple[str, Selection], Finding] = {}
    for finding in sorted(found, key=lambda finding: -finding.score):
        unique.setdefault((finding.check, finding.selection), finding)
    return [*unique.values()]


def suspects(scene: Scene) -> list[Suspect]:
    """The sources that pushed, the likeliest first."""
    elements: dict[Source, Stiffness] = {}
    for stiffness in scene.elements:
        known = elements.get(stiffness.source)
        if known is None or (stiffness.ratio, stiffness.rate) > (known.ratio, known.rate):
            elements[stiffness.source] = stiffness
    found = []
    for source in {**scene.shares, **elements}:
        element, share = elements.get(source), scene.shares.get(source, 0.0)
        stiff = max(element.ratio, element.rate / FAST) if element is not None else 0.0
        if source.kind in ("residual", "implicit integration") or (share < LEAST_SHARE and stiff <= 1):
            continue
        dof = 0 if element is None else int(np.abs(element.arms).argmax())
        jolt, dof = scene.jolts.get(source, (0.0, dof))
        found.append(Suspect(source, share, max(stiff, FEW_STEPS * jolt), jolt, dof, element))
    return sorted(found, key=lambda suspect: -suspect.score)


def _findings(scene: Scene, suspect: Suspect) -> Iterator[Finding]:
    """The finding about a source."""
    kind = suspect.source.kind
    if kind == "actuator":
        yield _actuator(scene, suspect)
    elif kind in ("joint spring", "joint damper", "tendon spring", "tendon damper"):
        yield _passive(scene, suspect)
    elif kind in ("contact", "equality", "joint limit", "tendon limit"):
        yield _constraint(scene, suspect)
    elif kind == "gravity":
        strength = float(np.linalg.norm(scene.model.opt.gravity))
        if strength > 30:
            title = f"gravity of {strength:.4g} m/s²"
            yield _finding("explosion-gravity", OPTION, title, scene, suspect, remedies.earth_gravity(scene.model))
    elif kind == "velocity":
        yield _spinning(scene, suspect)
    elif kind in ("mouse", "applied force"):
        selection = Selection(suspect.source.element, suspect.source.id)
        title = f"{'the pull' if kind == 'mouse' else 'the applied force'} on {scene.name(selection)}"
        yield _finding("explosion-push", selection, f"{title}: {_jolt(scene, suspect)}", scene, suspect, ())


def _finding(
    check: str, selection: Selection, title: str, scene: Scene, suspect: Suspect, fixes: tuple[Fix, ...], why: str = ""
) -> Finding:
    share = f"It caused {suspect.share:.0%} of the acceleration in the first explosive step."
    if suspect.share < LEAST_SHARE:
        share = "It was not acting yet in the first explosive step."
    severity = Severity.ERROR if suspect.excess > 1 and suspect.share > 0.1 else Severity.WARNING
    return Finding(check, severity, selection, title, f"{why} {share}".strip(), suspect.score, fixes)


def _jolt(scene: Scene, suspect: Suspect) -> str:
    """What a step of it does, in words."""
    limit = float(absurd_speeds(scene.model)[suspect.dof])
    unit = "m/s" if translates(scene.model)[suspect.dof] else "rad/s"
    joint = Selection("joint", int(scene.model.dof_jntid[suspect.dof]))
    return f"{suspect.jolt * limit:.3g} {unit} more in each step at {scene.name(joint)}"


def _against_inertia(scene: Scene, element: Stiffness, what: str) -> str:
    """Stiffness or damping of an element and the inertia that it acts on, with their units."""
    number = element.stiffness if what == "stiffness" else element.damping
    moved = np.flatnonzero(element.arms)
    sliding = bool(translates(scene.model)[moved].all()) or element.source.element == "tendon"
    units = {"stiffness": "N/m", "damping": "N·s/m"} if sliding else {"stiffness": "N·m/rad", "damping": "N·m·s/rad"}
    return f"{number:.3g} {units[what]} on an inertia of {element.inertia:.3g} {'kg' if sliding else 'kg·m²'}"


def _times(ratio: float, scene: Scene) -> str:
    return f"{ratio:.3g} times what a timestep of {1e3 * float(scene.model.opt.timestep):.3g} ms allows"


def _actuator(scene: Scene, suspect: Suspect) -> Finding:
    """A servo that is too stiff, one that drives itself on, or a motor that is too strong."""
    model, selection, element = scene.model, Selection("actuator", suspect.source.id), suspect.element
    name = scene.name(selection)
    if element is not None and suspect.stiff and element.rate <= FAST:
        what = "stiffness" if element.stiffness * float(model.opt.timestep) > 2 * element.damping else "damping"
        title = f"{name}: {what} {_against_inertia(scene, element, what)} is {_times(element.ratio, scene)}"
        fixes = remedies.servo(model, selection.index, element)
        why = "Each step overshoots by more than the one before."
        return _finding("explosion-gain", selection, title, scene, suspect, fixes, why)
    if element is not None and suspect.stiff:
        title = f"{name} drives its joint away: the motion grows e-fold in {1 / element.rate:.3g} s"
        why = "Its force has the sign of the motion or of the error, so it grows whatever the timestep."
        return _finding("explosion-feedback", selection, title, scene, suspect,
                        remedies.reverse_feedback(model, selection.index, element), why)  # fmt: skip
    title = f"{name} is too strong: {_jolt(scene, suspect)}"
    fixes = remedies.motor(model, scene.data, selection.index, suspect.jolt * FEW_STEPS, element)
    why = "Its joint is faster than the timestep can follow."
    return _finding("explosion-motor", selection, title, scene, suspect, fixes, why)


def _passive(scene: Scene, suspect: Suspect) -> Finding:
    """A spring or damper of a joint or tendon."""
    model, source, element = scene.model, suspect.source, suspect.element
    selection = Selection(source.element, source.id)
    what, name = source.kind.split()[1], scene.name(selection)
    if element is not None and element.rate > 0 and element.ratio <= 1:
        number = element.stiffness if what == "spring" else element.damping
        word = "stiffness" if what == "spring" else "damping"
        title = f"{name}: its {word} is negative, {number:.3g}; the motion grows e-fold in {1 / element.rate:.3g} s"
        why = "It adds energy instead of removing it."
        return _finding("explosion-negative", selection, title, scene, suspect,
                        remedies.positive(model, source, element), why)  # fmt: skip
    if element is None or element.ratio <= 1:
        title = f"the {what} of {name} pushes hard: {_jolt(scene, suspect)}"
    else:
        word = "stiffness" if what == "spring" else "damping"
        title = f"{name}: its {what}, {_against_inertia(scene, element, word)}, is {_times(element.ratio, scene)}"
    fixes = () if element is None else remedies.passive(model, source, element)
    why = "Each step overshoots by more than the one before." if suspect.stiff else ""
    return _finding(f"explosion-{what}", selection, title, scene, suspect, fixes, why)


def _constraint(scene: Scene, suspect: Suspect) -> Finding:
    """A contact, limit or equality: too stiff, too deep, or too far from where it holds."""
    model, data, source = scene.model, scene.data, suspect.source
    element = suspect.element
    stiff = element is not None and element.ratio > 1
    if source.kind != "contact":
        selection = Selection(source.element, source.id)
        what = "equality" if source.kind == "equality" else "limit"
        name = scene.name(selection)
        title = f"the {what} of {name}" if what == "limit" else name
        title += f" is stiff: {_times(element.ratio, scene)}" if element and stiff else f": {_jolt(scene, suspect)}"
        fixes = remedies.soften(model, source)
        return _finding(f"explosion-{what}", selection, title, scene, suspect, fixes)
    geoms = [int(geom) for geom in data.contact.geom[source.id] if geom >= 0]
    selection = Selection("geom", _smaller(model, geoms)) if geoms else Selection("flex", 0)
    names = " and ".join(scene.name(Selection("geom", geom)) for geom in geoms)
    if len(geoms) < 2:
        # fixes are of two geoms
        title = f"contact of {names or 'a flex'}{' and a flex' if geoms else ' with itself'}: {_jolt(scene, suspect)}"
        return _finding("explosion-contact", selection, title, scene, suspect, ())
    depth, size = -float(data.contact.dist[source.id]), _size(model, geoms)
    if element is not None and stiff:
        off = " with refsafe off" if model.opt.disableflags & DSBL_REFSAFE else ""
        title = f"contact of {names}{off}: {_times(element.ratio, scene)}"
        why = "Its solref asks for a faster reaction than steps of this length allow."
        return _finding("explosion-contact", selection, title, scene, suspect, remedies.contact(model, geoms), why)
    if depth > DEEP * size:
        begins = "start" if scene.at_start else "are"
        title = f"{names} {begins} {1e3 * depth:.3g} mm deep in each other, with a size of {1e3 * size:.3g} mm"
        why = "A contact pushes them apart immediately, however deep they are."
        return _finding(
            "explosion-overlap", selection, title, scene, suspect, remedies.overlap(model, geoms, depth), why
        )
    title = f"contact of {names}: {_jolt(scene, suspect)}"
    return _finding("explosion-contact", selection, title, scene, suspect, remedies.contact(model, geoms))


def _smaller(model: Model, geoms: list[int]) -> int:
    """The geom that moves; of two the smaller."""
    moving = [g for g in geoms if model.body_weldid[model.geom_bodyid[g]]] or geoms
    return min(moving, key=lambda geom: float(model.geom_rbound[geom]) or np.inf)


def _size(model: Model, geoms: list[int]) -> float:
    """The size of the smaller geom; planes have none."""
    return min((float(model.geom_rbound[g]) for g in geoms if model.geom_rbound[g] > 0), default=1.0)


def _spinning(scene: Scene, suspect: Suspect) -> Finding:
    """Centrifugal and gyroscopic forces: something spins too fast, and something else made it."""
    joint = Selection("joint", int(scene.model.dof_jntid[suspect.dof]))
    title = f"{scene.name(joint)} turns too fast for the timestep: {_jolt(scene, suspect)}"
    why = (
        "Centrifugal and gyroscopic forces grow with the square of the speed; look for the cause of the speed earlier."
    )
    finding = _finding("explosion-spin", joint, title, scene, suspect, remedies.integrators(scene.model), why)
    return replace(finding, score=finding.score - CONSEQUENCE)


def _timestep(scene: Scene) -> Iterator[Finding]:
    """Many elements are too stiff: their common cause is the timestep."""
    # constraints have their own guard, refsafe
    sprung = [element for element in scene.elements if element.source.kind in SPRUNG]
    stiff = {element.source for element in sprung if element.ratio > 1}
    all_ = {element.source for element in sprung}
    step = float(scene.model.opt.timestep)
    known = suspects(scene)
    best = max((found.score for found in known), default=0.0)
    # several that act on one joint are its trouble, not the timestep's
    joints = {int(np.abs(element.arms).argmax()) for element in sprung if element.ratio > 1}
    few = len(stiff) < max(MANY, MANY_SHARE * len(all_)) or len(joints) < MANY
    if few and step <= TOO_LONG:
        return
    title = f"a timestep of {1e3 * step:.3g} ms is too long"
    why = "Contacts, limits and servos react within about 20 ms, which should span several steps."
    if not few:
        title += f" for {len(stiff)} of {len(all_)} springs, dampers and servos"
        why = f"The stiffest is {max(element.ratio for element in sprung):.3g} times what it allows."
    fixes = remedies.shorter_steps(scene.model)
    yield Finding(
        "explosion-timestep",
        Severity.ERROR,
        OPTION,
        title,
        why,
        best - 0.3 if few and any(suspect.stiff for suspect in known) else best + 0.1,
        fixes,
    )


def _light(scene: Scene) -> Iterator[Finding]:
    """A thrown body, or a part of it, is far lighter than the rest."""
    model = scene.model
    masses, thrown = np.asarray(model.body_mass), thrown_bodies(scene)
    typical = float(np.median(masses[masses > 0])) if (masses > 0).any() else 1.0
    joints = [joint for joint in range(int(model.njnt)) if int(model.jnt_bodyid[joint]) in thrown]
    carried = {joint: min(float(masses[body]) or np.inf, float(model.body_subtreemass[body])) for joint in joints
               if (body := int(model.jnt_bodyid[joint]))}  # fmt: skip
    if not carried:
        return
    joint = min(carried, key=lambda joint: carried[joint])
    mass = carried[joint]
    if not 0 < mass < LIGHT * typical:
        return
    best = max((found.score for found in suspects(scene)), default=0.0)
    first = int(model.jnt_dofadr[joint])
    selection = Selection("body", int(model.jnt_bodyid[joint]))
    yield Finding(
        "explosion-inertia",
        Severity.ERROR,
        selection,
        f"{scene.name(selection)} has a mass of {mass:.3g} kg, {typical / mass:.3g} times less than others",
        "Forces that merely push a body of ordinary mass throw this one.",
        best + 0.2,
        remedies.heavier(model, selection.index, tuple(range(first, first + _count(model, joint))), scene.elements),
    )


def thrown_bodies(scene: Scene) -> frozenset[int]:
    """The bodies whose joints were thrown."""
    thrown = np.abs(scene.change) / absurd_speeds(scene.model)
    dofs = np.flatnonzero(thrown > THROWN * thrown.max(initial=0.0))
    return frozenset(int(scene.model.dof_bodyid[dof]) for dof in dofs)


def _count(model: Model, joint: int) -> int:
    return int((np.asarray(model.dof_jntid) == joint).sum())


def _wild_controls(scene: Scene) -> Iterator[Finding]:
    """Controls that cannot be meant."""
    model, data = scene.model, scene.data
    for actuator in range(int(model.nactuator)):
        control = int(model.actuator_ctrladr[actuator])
        if not model.actuator_ctrlnum[actuator]:
            continue
        value = float(data.ctrl[control])
        low, high = (float(end) for end in model.actuator_ctrlrange[control])
        reach = max(abs(low), abs(high)) if high > low else 1.0
        share = scene.shares.get(Source("actuator", "actuator", actuator), 0.0)
        if (np.isfinite(value) and abs(value) < WILD * reach) or (share < LEAST_SHARE and np.isfinite(value)):
            continue
        selection = Selection("actuator", actuator)
        suspect = next((s for s in suspects(scene) if s.source.element == "actuator" and s.source.id == actuator), None)
        yield Finding(
            "explosion-control",
            Severity.ERROR,
            selection,
            f"the control of {scene.name(selection)} is {value:.3g}",
            "It has no range.",
            (suspect.score if suspect else 0.0) + 0.3,
            remedies.limit_control(model, actuator),
        )
