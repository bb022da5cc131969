"""Measures: numbers of a moment by the names of elements, for expressions: `normal_force("foot", "floor")`.

MEASURES is the one table; a new measure is a function of (m, d, *names) and a row. They read Data as `forward` leaves
it. A measure that has no value in any state, because a name is unknown say, raises BadElement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.analysis import contact_state
from sim.analysis.elements import BadElement, Element, find
from sim.analysis.energy import kinetic_energy, potential_energy
from sim.analysis.push import power, push
from sim.enums import ENBL_ENERGY, JNT_BALL, JNT_FREE, NSOLVER, SOL_PGS
from sim.math.quat import quat_at, quat_to_rotation_vector
from sim.math.vec import norm3
from sim.model import Data, Model
from sim.script.contact_force import contact_forces

Array = NDArray[Any]
# types of elements that the argument of a measure can name
CONTACT_SIDE = ("body", "geom")
LIMITED = ("joint", "tendon")


class Measure(NamedTuple):
    """A function of (m, d, *names): what it returns, and which types of elements each name can have."""

    function: Callable[..., float]
    text: str
    arguments: tuple[tuple[str, ...], ...] = ()
    # names that must be given; the others may be left out
    required: int = 0
    # none where it depends on the element
    unit: str = ""

    def usage(self, name: str) -> str:
        """How it is written: depth([body or geom[, body or geom]])."""
        text = ""
        for k, kinds in reversed(list(enumerate(self.arguments))):
            word = (", " if k else "") + " or ".join(kinds)
            text = f"{word}{text}" if k < self.required else f"[{word}{text}]"
        return f"{name}({text})"


# contacts


def chosen_contacts(m: Model, d: Data, *names: str) -> Array:
    """Contacts that are not in their gap: all, those of a body or geom, or those between two of them."""
    elements = [find(m, name, CONTACT_SIDE) for name in names]
    if not d.ncon:
        return np.zeros(0, np.int64)
    contact = d.contact
    chosen = contact.dist < contact.includemargin
    if elements:
        sides = [_side(m, d, element) for element in elements]
        other = sides[1] if len(sides) > 1 else np.ones_like(sides[0])
        chosen = chosen & ((sides[0] & other[:, ::-1]).any(axis=1))
    return np.flatnonzero(chosen)


def _side(m: Model, d: Data, element: Element) -> Array:
    """Which sides of contacts, (ncon, 2), belong to a body or are a geom."""
    owners = d.contact.geom if element.kind == "geom" else contact_state.contact_bodies(m, d)
    return np.asarray(owners == element.id)


def touching(m: Model, d: Data, *names: str) -> float:
    return float(len(chosen_contacts(m, d, *names)) > 0)


def normal_force(m: Model, d: Data, *names: str) -> float:
    chosen = chosen_contacts(m, d, *names)
    return float(contact_forces(d)[chosen, 0].sum()) if len(chosen) else 0.0


def friction_force(m: Model, d: Data, *names: str) -> float:
    chosen = chosen_contacts(m, d, *names)
    return float(np.hypot(*contact_forces(d)[chosen, 1:3].T).sum()) if len(chosen) else 0.0


def depth(m: Model, d: Data, *names: str) -> float:
    chosen = chosen_contacts(m, d, *names)
    return max(-float(d.contact.dist[chosen].min()), 0.0) if len(chosen) else 0.0


def slip_speed(m: Model, d: Data, *names: str) -> float:
    chosen = chosen_contacts(m, d, *names)
    return float(contact_state.slip_speed(m, d)[chosen].max()) if len(chosen) else 0.0


# joints, tendons, actuators


def limit_distance(m: Model, d: Data, name: str) -> float:
    kind, k = find(m, name, LIMITED)
    if kind == "tendon":
        if not m.tendon_limited[k]:
            raise BadElement(f"tendon {name!r} has no limit")
        return _to_end(float(d.ten_length[k]), m.tendon_range[k])
    if not m.jnt_limited[k] or m.jnt_type[k] == JNT_FREE:
        raise BadElement(f"joint {name!r} has no limit")
    at = int(m.jnt_qposadr[k])
    if m.jnt_type[k] == JNT_BALL:
        angle = norm3(quat_to_rotation_vector(quat_at(d.qpos, at)))
        return float(m.jnt_range[k].max()) - angle
    return _to_end(float(d.qpos[at]), m.jnt_range[k])


def _to_end(value: float, ends: Array) -> float:
    return float(min(value - ends[0], ends[1] - value))


def saturation(m: Model, d: Data, name: str) -> float:
    _, k = find(m, name, ("actuator",))
    if m.actuator_forcelimited[k]:
        first = int(m.actuator_outadr[k])
        forces = d.actuator_force[first : first + int(m.actuator_outnum[k])]
        return max((_share(float(force), m.actuator_forcerange[k]) for force in forces), default=0.0)
    first = int(m.actuator_ctrladr[k])
    controls = [c for c in range(first, first + int(m.actuator_ctrlnum[k])) if m.actuator_ctrllimited[c]]
    if not controls:
        raise BadElement(f"actuator {name!r} has neither a force range nor a control range")
    return max(_share(float(d.ctrl[c]), m.actuator_ctrlrange[c]) for c in controls)


def _share(value: float, ends: Array) -> float:
    """The part of a range that is used: from zero to the end on its side, or from the middle if zero is outside.

    None of an infinite one.
    """
    low, high = map(float, ends)
    if np.isinf(high - low) and not low <= 0 <= high:
        return 0.0
    if not low <= 0 <= high:
        return abs(value - (low + high) / 2) / ((high - low) / 2)
    end = high if value > 0 else low
    # an end at zero allows nothing on its side
    return value / end if end else float(value != 0)


# trees, energy, solver


def awake(m: Model, d: Data, name: str) -> float:
    tree = int(m.body_treeid[find(m, name, ("body",)).id])
    if tree < 0:
        raise BadElement(f"body {name!r} is static: it neither sleeps nor wakes")
    return float(d.tree_awake[tree])


def energy(m: Model, d: Data) -> float:
    if m.opt.enableflags & ENBL_ENERGY:
        return float(d.energy[0] + d.energy[1])
    return potential_energy(m, d) + kinetic_energy(m, d)


def islands(m: Model, d: Data) -> float:
    return float(d.nisland)


def iterations(m: Model, d: Data) -> float:
    return float(d.solver_niter.max(initial=0))


def residual(m: Model, d: Data) -> float:
    return max((left for _, left in _solves(m, d)), default=0.0)


def converged(m: Model, d: Data) -> float:
    return float(all(count < m.opt.iterations or left < m.opt.tolerance for count, left in _solves(m, d)))


def _solves(m: Model, d: Data) -> list[tuple[int, float]]:
    """For each island that the solver iterated on: how often, and what was compared with opt.tolerance at the end.

    That is the improvement, for Newton and CG also the norm of the gradient. Iterations of noslip come after it.
    """
    found, dual = [], m.opt.solver == SOL_PGS
    gains, gradients = (part.reshape(-1, NSOLVER) for part in (d.solver.improvement, d.solver.gradient))
    for island in np.flatnonzero(d.solver_niter):
        count = int(d.solver_niter[island])
        if m.opt.noslip_iterations > 0:
            left = gradients[island, : min(count, NSOLVER)]
            count = count - m.opt.noslip_iterations if dual else int(np.count_nonzero(left))
        if count > 0:
            at = min(count, NSOLVER) - 1
            gain, gradient = float(gains[island, at]), float(gradients[island, at])
            found.append((count, gain if dual else min(gain, gradient)))
    return found


_TWO = (CONTACT_SIDE, CONTACT_SIDE)
MEASURES: dict[str, Measure] = {
    "touching": Measure(touching, "1 while there is a contact, of a body or geom, or between two of them", _TWO),
    "normal_force": Measure(normal_force, "sum of the normal forces of these contacts (N)", _TWO, unit="N"),
    "friction_force": Measure(friction_force, "sum of the friction forces of these contacts (N)", _TWO, unit="N"),
    "depth": Measure(depth, "penetration of the deepest of these contacts (m)", _TWO, unit="m"),
    "slip_speed": Measure(slip_speed, "sliding speed at the fastest of these contacts (m/s)", _TWO,
                          unit="m/s"),
    "limit_distance": Measure(limit_distance, "distance from the nearest end of its range; negative: beyond it",
                              (LIMITED,), 1),
    "saturation": Measure(saturation, (
        "used fraction of the force range, or of the control range if there is none; 1: all of it"
    ),
                          (("actuator",),), 1),
    "push": Measure(push, "acceleration of a joint or body by a source: kind, or kind:element (m/s², rad/s²)",
                    (("joint", "body"), ("source",), ("axis",)), 2),
    "power": Measure(power, "power of a source: kind, or kind:element, or total (W)", (("source",),), 1, "W"),
    "awake": Measure(awake, "1 while the body's tree is awake", (("body",),), 1),
    "energy": Measure(energy, "potential and kinetic energy (J), whether or not the energy flag is set", unit="J"),
    "islands": Measure(islands, "number of islands: trees coupled by constraints"),
    "iterations": Measure(iterations, "solver iterations: the maximum over all islands"),
    "residual": Measure(residual, "improvement or gradient in the solver's last iteration, for the worst island"),
    "converged": Measure(converged, "0 if the solver reached opt.iterations above opt.tolerance"),
}  # fmt: skip
