"""Changes of the elements of the file that mend what the doctor found; none where the file cannot be changed so.

A model that is not of an MJCF file on disk has none, nor have elements that the file does not have as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from app.instruments.doctor.subject import Floats, Subject
from sim import MjcfError
from sim.tree_edit import Place, TreeEdit

if TYPE_CHECKING:
    from sim.spec import Element
    from sim.spec.tree_edits import Plan

Edits = tuple[TreeEdit, ...]
# two bodies: the first one by its name if it is fused with the world
Pair = tuple[int | str, int]
# ways to say an orientation, and the inertia, of <inertial>
SAID = ("quat", "axisangle", "euler", "xyaxes", "zaxis", "fullinertia")
COMPILER = Place("compiler", "")


def planned(subject: Subject, make: Callable[[Plan], None]) -> Edits:
    """The changes that a function makes; none if they cannot be made."""
    if subject.tree.why_not:
        return ()
    from sim.spec.tree_edits import planning

    try:
        with planning(subject.tree.spec) as plan:
            make(plan)
    except MjcfError:
        return ()
    return tuple(plan.edits)


def numbers(values: Iterable[float]) -> str:
    """Numbers as MJCF writes them, with six digits."""
    return " ".join(f"{value:.6g}" for value in values)


def exclude(subject: Subject, pairs: Iterable[Pair]) -> Edits:
    """No contact of pairs of bodies; a body without a name gets one."""
    return planned(subject, lambda plan: make_excludes(subject, plan, pairs))


def make_excludes(subject: Subject, plan: Plan, pairs: Iterable[Pair]) -> None:
    """Add an <exclude> for each pair of bodies."""
    for pair in dict.fromkeys(pairs):
        first, second = (named(subject, plan, "body", b) if isinstance(b, int) else b for b in pair)
        plan.make(TreeEdit("add", None, "exclude", (("body1", first), ("body2", second))))


def pairs_of(subject: Subject, overlaps: Iterable[tuple[int, int]]) -> list[Pair]:
    """Bodies of pairs of geoms; one that is fused with the world by its name in the file, the world itself left out."""
    found: dict[Pair, None] = {}
    for geoms in overlaps:
        first, second = sorted(geoms, key=lambda geom: int(subject.model.geom_bodyid[geom]))
        body, other = int(subject.model.geom_bodyid[first]), int(subject.model.geom_bodyid[second])
        base = body or subject.origins.body_of(first)
        # an exclude of the world would be one of the floor too
        if base not in ("", "world"):
            found[base, other] = None
    return list(found)


def named(subject: Subject, plan: Plan, kind: str, index: int) -> str:
    """The name of an element, which gets one if it has none."""
    from sim.spec.actions import Names
    from sim.spec.places import place_of

    item = subject.tree.element(kind, index)
    if not item.name:
        new = Names(item.spec).new(kind, f"{kind}{index}")
        plan.make(TreeEdit("set", place_of(item), attributes=(("name", new),)))
    return item.name


def remove_exclude(subject: Subject, index: int) -> Edits:
    """Without one <exclude>."""
    return _on(subject, "exclude", index, lambda plan, item: plan.make(TreeEdit("delete", _place(item))))


def scale_mesh(subject: Subject, mesh: int, factor: float) -> Edits:
    """A mesh asset that many times larger."""

    def make(plan: Plan, item: Element) -> None:
        scale = np.broadcast_to(np.asarray(item.get("scale"), float), 3) * factor
        plan.make(TreeEdit("set", _place(item), attributes=(("scale", numbers(scale)),)))

    return _on(subject, "mesh", mesh, make)


def flip(subject: Subject, joint: int, attribute: str) -> Edits:
    """The axis of a joint, or its range, the other way round."""

    def make(plan: Plan, item: Element) -> None:
        values = -np.asarray(item.get(attribute), float)
        values = values if attribute == "axis" else values[::-1]
        # no minus zero
        plan.make(TreeEdit("set", _place(item), attributes=((attribute, numbers(values + 0.0)),)))

    return _on(subject, "joint", joint, make)


def angle_unit(subject: Subject, unit: str) -> Edits:
    """All angles of the file in another unit."""
    return planned(subject, lambda plan: _ignore(plan.make(TreeEdit("set", COMPILER, attributes=(("angle", unit),)))))


def inertia_from_geoms(subject: Subject, body: int) -> Edits:
    """The centre of mass and the inertia that the geoms say, with the mass as it is."""

    def make(plan: Plan, item: Element) -> None:
        inertial = next((child for child in item.children if child.tag == "inertial"), None)
        if inertial is None:
            return
        found = _of_geoms(subject, item, inertial, body)
        if found is not None:
            said = tuple((key, None) for key in SAID if inertial.own(key) is not None and key not in dict(found))
            plan.make(TreeEdit("set", _place(inertial), attributes=(*found, *said)))

    return _on(subject, "body", body, make)


def _of_geoms(subject: Subject, item: Element, inertial: Element, body: int) -> tuple[tuple[str, str], ...] | None:
    """Attributes of <inertial> from the geoms of a body, as if they were solid; from the box around them if those
    have no mass."""
    from sim.spec.tree_edits import planning

    mass = float(subject.model.body_mass[body])
    with planning(item.spec) as plan:
        plan.make(TreeEdit("delete", _place(inertial)))
        try:
            m = item.spec.compile()
            own = float(m.body_mass[body])
        except (MjcfError, ValueError):
            own = 0.0
    if own > 0:
        pos, quat, moments = m.body_ipos[body], m.body_iquat[body], np.asarray(m.body_inertia[body]) * mass / own
        turned = abs(float(quat[0])) < 1 - 1e-9
        return (
            ("pos", numbers(pos)),
            *((("quat", numbers(quat)),) if turned else ()),
            ("diaginertia", numbers(moments)),
        )
    low, high = subject.boxes[body]
    if not np.isfinite(high - low).all() or not (high > low).all():
        return None
    squares: Floats = (high - low) ** 2
    moments = mass / 12 * (squares.sum() - squares)
    return ("pos", numbers((low + high) / 2)), ("diaginertia", numbers(moments))


def _on(subject: Subject, kind: str, index: int, make: Callable[[Plan, Element], object]) -> Edits:
    """The changes that a function makes to an element of the model."""
    return planned(subject, lambda plan: _ignore(make(plan, subject.tree.element(kind, index))))


def _place(item: Element) -> Place:
    from sim.spec.places import place_of

    return place_of(item)


def _ignore(_: object) -> None:
    """For what is done for its effect."""
