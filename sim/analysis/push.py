"""The measures `push` and `power`: how much a kind of force, or one element, accelerates a joint or a body, or works.

    push("knee", "gravity")     push("knee", "actuator:knee_motor")     push("body:torso", "contact:foot", "z")
    power("joint damper:knee")  power("contact")

A source is a kind of force_sources.KINDS, "total" for all of them, or a kind and its element; contacts are those of a
body or geom. The axis of a body, a free or a ball joint is x, y, z, rx, ry or rz: a body moves as its centre of mass.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.analysis.contact_state import contact_bodies
from sim.analysis.element_names import AXES
from sim.analysis.elements import BadElement, find, nearest
from sim.analysis.force_shares import Shares, body_shares, joint_shares
from sim.analysis.force_sources import CONSTRAINTS, KINDS, Source, force_sources
from sim.enums import JNT_FREE
from sim.model import Data, Model

TOTAL = "total"
# kind of source -> the types of its elements
ELEMENTS = {
    **{kind: (element,) for kind, element in CONSTRAINTS.values()},
    **dict.fromkeys(("joint spring", "joint damper", "actuator limit"), ("joint",)),
    **dict.fromkeys(("tendon spring", "tendon damper"), ("tendon",)),
    "actuator": ("actuator",), "applied force": ("joint", "body"), "contact": ("body", "geom"),
}  # fmt: skip


def push(m: Model, d: Data, subject: str, source: str, axis: str = "") -> float:
    """Acceleration of a joint or body by a source: m/s² or rad/s²."""
    kind, index = find(m, subject, ("joint", "body"))
    axes = AXES[JNT_FREE] if kind == "body" else AXES.get(int(m.jnt_type[index]), ("",))
    if axis not in axes:
        raise BadElement(f"the axis of {subject!r} is one of {', '.join(axes)}" if axes[0] else
                         f"{subject!r} has only one axis: leave it out")  # fmt: skip
    chosen = Choice(m, source)
    found = force_sources(m, d)
    shares = (joint_shares if kind == "joint" else body_shares)(m, d, found, index)
    return float(chosen.sum(m, d, shares)[axes.index(axis)])


def power(m: Model, d: Data, source: str) -> float:
    """Power of a source, W; "total" is the rate of kinetic energy, in which forces of velocities have no part."""
    chosen = Choice(m, source)
    found = force_sources(m, d)
    powers = np.bincount(found.source, found.force * d.qvel[found.dof], len(found.sources))
    rows = chosen.rows(m, d, found.sources)
    return float(sum(powers[k] for k in rows if chosen.kind != TOTAL or found.sources[k].kind != "velocity"))


class Choice:
    """Sources that a text names."""

    def __init__(self, m: Model, text: str) -> None:
        self.kind, colon, element = text.partition(":")
        if self.kind not in (*KINDS, TOTAL):
            raise BadElement(f"no source is called {self.kind!r}{nearest(self.kind, (TOTAL, *KINDS))}")
        if colon and self.kind not in ELEMENTS:
            raise BadElement(f"{self.kind!r} has no elements: leave {element!r} out")
        self.element = find(m, element, ELEMENTS[self.kind]) if colon else None

    def sum(self, m: Model, d: Data, shares: Shares) -> np.ndarray:
        """Their acceleration."""
        if self.kind == TOTAL:
            return shares.total
        total: np.ndarray = shares.acceleration[self.rows(m, d, shares.sources)].sum(axis=0)
        return total

    def rows(self, m: Model, d: Data, sources: Sequence[Source]) -> list[int]:
        """Their places among sources; "total" has all."""
        return [k for k, source in enumerate(sources) if self.kind == TOTAL or self._has(m, d, source)]

    def _has(self, m: Model, d: Data, source: Source) -> bool:
        if source.kind != self.kind or self.element is None:
            return source.kind == self.kind
        if source.kind == "contact":
            sides = d.contact.geom if self.element.kind == "geom" else contact_bodies(m, d)
            return self.element.id in sides[source.id]
        return (source.element, source.id) == self.element


def push_expression(subject: str, source: str, axis: str) -> str:
    """The measure as text, for plots."""
    return f"push({', '.join(_quoted(word) for word in (subject, source, axis) if word)})"


def subject_text(m: Model, kind: str, index: int) -> str:
    """A joint or body as `push` reads it."""
    name, other = m.names[kind][index], "joint" if kind == "body" else "body"
    plain = name and not name.isdigit() and ":" not in name and name not in m.names[other]
    return name if plain else f"{kind}:{name or index}"


def source_text(m: Model, d: Data, source: Source) -> str:
    """A source as `push` reads it; a contact by the geom that moves."""
    if not source.element or source.kind not in ELEMENTS:
        return source.kind
    element, index = source.element, source.id
    if source.kind == "contact":
        # one of them may be a flex
        geoms = [geom for geom in d.contact.geom[index].tolist() if geom >= 0]
        if not geoms:
            return source.kind
        moving = [g for g in geoms if m.body_weldid[m.geom_bodyid[g]]]
        element, index = "geom", (moving or geoms)[-1]
    name = m.names[element][index]
    bare = len(ELEMENTS[source.kind]) == 1 and name and not name.isdigit()
    return f"{source.kind}:{name if bare else f'{element}:{name or index}'}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
