"""Sources of work: those of forces, friction apart from normal forces, and all else that changes energy in a step."""

from __future__ import annotations

from typing import NamedTuple

# what becomes potential energy, and is not counted as work; the forces of velocities do none in exact time
STORED = ("gravity", "joint spring", "tendon spring")
CONSERVATIVE = (*STORED, "velocity")
CONSTRAINTS = ("contact", "equality", "joint limit", "tendon limit", "joint friction", "tendon friction")


class WorkSource(NamedTuple):
    """A kind, and the type and indices of its elements: a contact has its two geoms, so it lasts over time.

    Kinds are those of force_sources.KINDS, and
    "friction": of a contact, whose kind "contact" then has only the normal force; "moving surface": what the motion of
    a surface adds to it; "spring yield": what springs lose that yield; "sleep": what a tree had left that fell asleep;
    "integrator": what a step changes although no force does work; "edit", "set by hand": jumps that the user made.
    """

    kind: str
    element: str = ""
    ids: tuple[int, ...] = ()


INTEGRATOR = WorkSource("integrator")
IMPLICIT = WorkSource("implicit integration")
RESIDUAL = WorkSource("residual")
FLUID = WorkSource("fluid")
YIELD = WorkSource("spring yield")
EDIT = WorkSource("edit")
BY_HAND = WorkSource("set by hand")
