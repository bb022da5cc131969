"""Faults of contacts: softness, friction, filters, margins, and bodies that start inside of others."""

from __future__ import annotations

from typing import Any

import numpy as np
from lxml import etree

import sim
from sim.enums import GEOM_PLANE, JNT_FREE
from tests.soak.faults.fault import ANY, Case, Draft, Fault, NoElementError, always, collides, moving, subtree

FALL = 1.5  # simulated seconds
INSIDE = 0.2  # of the radius of the smaller geom


def _touching_pair(draft: Draft, still: bool = False) -> tuple[int, int]:
    """Two geoms that touch in the healthy model, the one that moves first; the other static if asked for."""
    m = draft.m
    pairs = []
    for a, b in sorted(draft.subject.touching):
        first, second = (a, b) if moving(m, m.geom_bodyid[a]) else (b, a)
        if moving(m, m.geom_bodyid[first]) and not (still and moving(m, m.geom_bodyid[second])):
            pairs.append((first, second))
    if not pairs:
        raise NoElementError
    return draft.rng.choice(pairs)


def _pair_of(draft: Draft, geoms: tuple[int, int]) -> None:
    if any({a, b} == set(geoms) for a, b in zip(draft.m.pair_geom1, draft.m.pair_geom2, strict=True)):
        raise NoElementError


def _soft(**values: str) -> Any:
    """Parameters of one geom that decide, or of all geoms as by a default."""

    def plant(draft: Draft) -> None:
        geoms = _touching_pair(draft)
        _pair_of(draft, geoms)
        if draft.rng.random() < 0.5:
            priority = max(int(draft.m.geom_priority[g]) for g in geoms) + 1
            draft.set("geom", geoms[0], **values, priority=str(priority))
            draft.blame_body(int(draft.m.geom_bodyid[geoms[0]]))
            draft.right = {("geom", draft.name("geom", geoms[0])), ("body", draft.name("body", _body(draft, geoms[0])))}
        else:
            for geom in range(draft.m.ngeom):
                draft.set("geom", geom, **values)
            draft.right.add(ANY)
            draft.note = f"all geoms: {values}"
        draft.facts["geoms"] = geoms

    return plant


def _body(draft: Draft, geom: int) -> int:
    return int(draft.m.geom_bodyid[geom])


def _direct(draft: Draft) -> None:
    """Stiffness per mass that no timestep of this size can follow."""
    geom, other = _touching_pair(draft)
    _pair_of(draft, (geom, other))
    stiffness = 1e3 / draft.m.opt.timestep**2
    draft.set("geom", geom, solref=f"{-stiffness:.6g} -10", priority=str(int(draft.m.geom_priority[other]) + 1))
    draft.blame("geom", geom)
    draft.blame("body", _body(draft, geom))


def _depths(m: sim.Model, seconds: float) -> dict[tuple[int, int], float]:
    """Pair of geoms -> how deep they were in each other while they fell and lay, over the radius of the smaller one."""
    data, found = sim.Data(m), dict[tuple[int, int], float]()
    for _ in range(10):
        sim.step(m, data, max(1, round(seconds / 10 / m.opt.timestep)))
        for (a, b), distance in zip(data.contact.geom[: data.ncon], data.contact.dist[: data.ncon], strict=True):
            radius = min((m.geom_rbound[g] for g in (a, b) if g >= 0 and m.geom_rbound[g] > 0), default=1.0)
            pair = (int(min(a, b)), int(max(a, b)))
            found[pair] = max(found.get(pair, 0.0), -float(distance) / radius)
    return found


def _sinks(case: Case) -> bool:
    """Something sinks in by a fifth of its size that did not, or falls through."""
    before, after = _depths(case.before, FALL), _depths(case.after, FALL)
    a, b = case.draft.facts["geoms"]
    pair = (min(a, b), max(a, b))
    return before.get(pair, 0) < INSIDE / 2 and (pair not in after or after[pair] > INSIDE)


def _stiffer(case: Case) -> bool:
    """The time constant that decides is shorter than two steps now, and was not."""
    m, step = case.before, case.before.opt.timestep
    return all(m.geom_solref[g, 0] >= 2 * step for g in case.draft.facts["geoms"])


def _slippery(draft: Draft) -> None:
    """A floor without friction that decides."""
    m = draft.m
    foot, floor = _touching_pair(draft, still=True)
    _pair_of(draft, (foot, floor))
    if m.geom_friction[foot, 0] < 0.1 or max(m.geom_condim[foot], m.geom_condim[floor]) < 3:
        raise NoElementError
    if draft.rng.random() < 0.5:
        draft.set("geom", floor, friction="0 0 0", priority=str(int(m.geom_priority.max()) + 1))
        draft.blame("geom", floor)
        draft.blame("geom", *(a if b == floor else b for a, b in draft.subject.touching if floor in (a, b)))
    else:
        for geom in range(m.ngeom):
            draft.set("geom", geom, friction="0 0 0")
        draft.right.add(ANY)
        draft.note = "all geoms: friction 0"


# ---- collisions that are filtered away


def _object(draft: Draft) -> None:
    """A free body that touches nothing any more."""
    m = draft.m
    touched = {int(m.geom_bodyid[g]) for pair in draft.subject.touching for g in pair}
    body = draft.pick(
        m.nbody,
        lambda b: b > 0 and m.body_jntnum[b] and m.jnt_type[m.body_jntadr[b]] == JNT_FREE
        and touched & set(subtree(m, b).tolist()),
    )  # fmt: skip
    for part in subtree(m, body):
        for geom in np.flatnonzero(m.geom_bodyid == part):
            draft.set("geom", int(geom), contype="0", conaffinity="0")
        draft.blame_body(int(part))
    draft.note = f"{draft.name('body', body)}: contype=conaffinity=0"
    draft.facts["bodies"] = [body]


def _foot(draft: Draft) -> None:
    """What stands on something static does not touch it any more."""
    m = draft.m
    foot, floor = _touching_pair(draft, still=True)
    _pair_of(draft, (foot, floor))
    bodies = [_body(draft, g) for g in (foot, floor)]
    if draft.rng.random() < 0.5:
        names = ["world" if b == 0 else draft.name("body", b) for b in bodies]
        etree.SubElement(draft.section("contact"), "exclude", body1=names[0], body2=names[1])
        draft.note = f"exclude {' '.join(names)}"
    else:
        for geom in np.flatnonzero(m.geom_bodyid == bodies[0]):
            draft.set("geom", int(geom), contype="0", conaffinity="0")
    draft.blame_body(bodies[0])
    draft.facts["bodies"] = bodies[:1]


def _floor(draft: Draft) -> None:
    """Nothing touches the floor any more."""
    m = draft.m
    planes = {g for pair in draft.subject.touching for g in pair if m.geom_type[g] == GEOM_PLANE}
    floor = draft.pick(m.ngeom, lambda g: g in planes)
    draft.set("geom", floor, contype="0", conaffinity="0")
    draft.blame("geom", floor)
    touched = [a if b == floor else b for a, b in draft.subject.touching if floor in (a, b)]
    draft.blame("geom", *touched)
    draft.blame("body", *(m.geom_bodyid[g] for g in touched))
    draft.facts["bodies"] = sorted({int(m.geom_bodyid[g]) for g in touched})


def _falls_through(case: Case) -> bool:
    """One of the bodies lies lower than before by half of its size, after a while."""
    ends = []
    for m in (case.before, case.after):
        data = sim.Data(m)
        sim.step(m, data, round(FALL / m.opt.timestep))
        sim.forward(m, data)
        ends.append(data.xipos[:, 2].copy())
    for body in case.draft.facts["bodies"]:
        m = case.before
        size = m.geom_rbound[m.geom_bodyid == body].max(initial=0.0)
        if ends[0][body] - ends[1][body] > size / 2:
            return True
    return False


# ---- in each other from the start


def _free_root(draft: Draft) -> int:
    m = draft.m
    return draft.pick(
        m.nbody,
        lambda b: b > 0 and m.body_jntnum[b] and m.jnt_type[m.body_jntadr[b]] == JNT_FREE
        and not draft.in_frame("body", b)
        and any(collides(m, g) for g in np.flatnonzero(np.isin(m.geom_bodyid, subtree(m, b)))),
    )  # fmt: skip


def _into_floor(draft: Draft) -> None:
    """A free body starts below the surface of a plane."""
    m, d = draft.m, draft.d
    body = _free_root(draft)
    floor = draft.pick(
        m.ngeom,
        lambda g: m.geom_type[g] == GEOM_PLANE and collides(m, g) and abs(d.geom_xmat[g].reshape(3, 3)[2, 2]) > 0.9,
    )
    parts = [g for g in np.flatnonzero(np.isin(m.geom_bodyid, subtree(m, body))) if collides(m, g)]
    heights = [d.geom_xpos[g, 2] - m.geom_rbound[g] - d.geom_xpos[floor, 2] for g in parts]
    lowest = parts[int(np.argmin(heights))]
    # the middle of its lowest part at the height of the floor
    drop = d.geom_xpos[lowest, 2] - d.geom_xpos[floor, 2]
    draft.set("body", body, pos=m.body_pos[body] - [0, 0, drop])
    for part in subtree(m, body):
        draft.blame_body(int(part))
    draft.facts["bodies"] = (set(subtree(m, body).tolist()), {int(m.geom_bodyid[floor])})


def _overlap(draft: Draft) -> None:
    """A free body starts where another one is."""
    m, d = draft.m, draft.d
    body = _free_root(draft)
    own = set(subtree(m, body).tolist())
    other = draft.pick(
        m.nbody,
        lambda b: b > 0 and b not in own
        and any(collides(m, g) and m.geom_type[g] != GEOM_PLANE for g in np.flatnonzero(m.geom_bodyid == b)),
    )  # fmt: skip
    radius = m.geom_rbound[m.geom_bodyid == other].max(initial=0.0)
    draft.set("body", body, pos=m.body_pos[body] + d.xipos[other] - d.xipos[body] + 0.2 * radius)
    for part in own:
        draft.blame_body(int(part))
    draft.blame_body(other)
    draft.facts["bodies"] = (own, {other})


def _starts_inside(case: Case) -> bool:
    """They are in each other by a fifth of the smaller one, and were not."""
    return _deepest(case.draft.d, case.before, case) < INSIDE / 4 and _deepest(case.data, case.after, case) > INSIDE


def _deepest(data: sim.Data, m: sim.Model, case: Case) -> float:
    own, others = case.draft.facts["bodies"]
    found = 0.0
    for (a, b), distance in zip(data.contact.geom[: data.ncon], data.contact.dist[: data.ncon], strict=True):
        bodies = {int(m.geom_bodyid[g]) for g in (a, b)}
        if bodies & own and bodies & others:
            radius = min(r for g in (a, b) if (r := m.geom_rbound[g]) > 0)
            found = max(found, -distance / radius)
    return found


def _margin(draft: Draft) -> None:
    """In mm, as if it were a few."""
    geom = _touching_pair(draft)[0]
    draft.set("geom", geom, margin=draft.rng.choice(["1", "2", "5"]))
    draft.blame("geom", geom)
    draft.blame("body", _body(draft, geom))
    draft.facts["geom"] = geom


def _wide(case: Case) -> bool:
    geom = case.draft.facts["geom"]
    return bool(case.after.geom_margin[geom] > 2 * case.after.geom_rbound[geom])


FILTERED = ("body-filtered", "foot-filtered", "twin-filtered", "floor-filtered")
START = ("overlap",)
SOFT = "0.001 0.001 0.001"
FAULTS = (
    Fault(
        "solref-fast", "time constant of contacts 1e-4 s", ("contact-timeconst",), _soft(solref="0.0001 1"), _stiffer
    ),
    Fault("solref-direct", "direct solref far too stiff for the timestep", ("contact-unstable",), _direct, always),
    Fault("solimp-soft", "impedance of contacts 0.001", ("contact-soft",), _soft(solimp=SOFT), _sinks),
    Fault("friction-zero", "floor, or all, without friction", ("friction-none",), _slippery, always),
    Fault("filtered-object", "a free body collides with nothing", FILTERED, _object, _falls_through),
    Fault("filtered-foot", "what stands does not touch the floor", FILTERED, _foot, _falls_through),
    Fault("filtered-floor", "the floor collides with nothing", FILTERED, _floor, _falls_through),
    Fault("into-floor", "a free body starts in the floor", START, _into_floor, _starts_inside),
    Fault("overlap", "a free body starts inside of another", START, _overlap, _starts_inside),
    Fault("margin-huge", "margin of a geom in mm", ("margin-large",), _margin, _wide),
)
