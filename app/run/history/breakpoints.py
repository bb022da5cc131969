"""Breakpoints: predicates of Model and Data that stop a run when they become true.

A breakpoint fires on the rising edge, so that the run can go on after it: while the predicate stays true, nothing
happens. What is true when the watch begins has not become true. The value at a moment is what `forward` gives at its
state, as in plots: predicates of anything but the state alone are evaluated on Data of the watch's own, so that the
steps of the run are the same bits with and without breakpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import Any

import numpy as np

from app.model.selection import Selection
from sim import Data, Model
from sim.analysis.contact_state import slip_speed
from sim.analysis.elements import BadElement, find
from sim.analysis.measures import CONTACT_SIDE, MEASURES, chosen_contacts
from sim.script.contact_force import contact_forces
from sim.script.expression import BadExpression
from sim.script.predicate import Predicate

# measure -> what the contact that it is mostly about has most of; of all others the normal force
OUTSTANDING: dict[str, Callable[[Model, Data, Any], Any]] = {
    "normal_force": lambda m, d, contacts: contact_forces(d)[contacts, 0],
    "friction_force": lambda m, d, contacts: np.hypot(*contact_forces(d)[contacts, 1:3].T),
    "depth": lambda m, d, contacts: -d.contact.dist[contacts],
    "slip_speed": lambda m, d, contacts: slip_speed(m, d)[contacts],
}
# a branch, and a step of its line
Moment = tuple[int, int]


@dataclass(frozen=True)
class Breakpoint:
    """A predicate that is watched, and where it fired last."""

    number: int
    expression: str
    on: bool = True
    hits: int = 0
    # of the last hit: branch and step, time, and the numbers that decided
    moment: Moment | None = None
    time: float = nan
    detail: str = ""
    # why it has no value
    error: str = ""


@dataclass(frozen=True)
class Hit:
    """A breakpoint that fired: where, and which element to look at."""

    number: int
    expression: str
    detail: str
    moment: Moment
    time: float
    selection: Selection | None = None
    # hits of all breakpoints so far: each is another one
    count: int = 0

    @property
    def text(self) -> str:
        """For the status line and the timeline."""
        if self.detail.startswith(self.expression) or not self.detail:
            return self.detail or self.expression
        return f"{self.expression} ({self.detail})"


@dataclass
class _Watched:
    """A predicate and whether it was true at the last look; None: it was not looked at."""

    predicate: Predicate
    before: bool | None = None
    detail: str = ""
    # whether it has no value in any state, not just in this one
    hopeless: bool = False


@dataclass
class Watch:
    """All breakpoints of a run."""

    points: tuple[Breakpoint, ...] = ()
    # whether any of them is on
    on: bool = False
    _watched: dict[int, _Watched] = field(default_factory=dict)
    # the moment of the last look, and of the last hit
    _seen: Moment | None = None
    _stopped: Moment | None = None
    _scratch: tuple[Model, Data] | None = None
    _count: int = 0

    def set(self, points: Sequence[Breakpoint]) -> None:
        """Take a list of breakpoints; those that are known keep their hits while their expressions are the same."""
        known = {point.number: point for point in self.points}
        kept = []
        for point in points:
            before = known.get(point.number)
            same = before is not None and before.expression == point.expression
            kept.append(replace(before, on=point.on) if before is not None and same else _fresh(point))
            if not same or (before is not None and before.on != point.on):
                self._watched.pop(point.number, None)
        self.points, self._seen = tuple(kept), None
        self.on = any(point.on for point in kept)
        self._watched = {p.number: self._watched.get(p.number) or _Watched(Predicate(p.expression)) for p in kept}
        if not self.on:
            self._scratch = None

    def forget(self) -> None:
        """Another model is shown: no moment that was seen is one of it."""
        self._seen = self._stopped = self._scratch = None

    def follows(self, moment: Moment) -> bool:
        """Whether a moment comes after the last look."""
        return self._seen is not None and self._seen[0] == moment[0] and self._seen[1] < moment[1]

    def begin(self, model: Model, data: Data, moment: Moment, forwarded: bool = False) -> None:
        """Time is about to move on from a moment: what is true there has not become true."""
        if self._seen != moment:
            for watched in self._watched.values():
                watched.before = None
                watched.predicate.forget()
            self._look(model, data, moment, forwarded)

    def start(self, model: Model, data: Data, moment: Moment, forwarded: bool = False) -> list[Hit]:
        """Begin, and count what is true already as a hit."""
        self.begin(model, data, moment, forwarded)
        true = [number for number, watched in self._watched.items() if watched.before]
        return [self._hit(number, moment, float(data.time), self._watched[number].detail) for number in true]

    def hopeless(self, number: int) -> bool:
        """Whether a breakpoint has no value in any state."""
        return self._watched[number].hopeless

    def check(
        self, model: Model, data: Data, moment: Moment, forwarded: bool = False, backwards: bool = False
    ) -> list[Hit]:
        """The breakpoints that fire at a moment, one step after the last look.

        Backwards, those of the moment before this look, which is one step later: there they had become true.
        """
        before = {number: (watched.before, watched.detail) for number, watched in self._watched.items()}
        later, stopped, self._stopped = self._seen, self._stopped, None
        now = self._look(model, data, moment, forwarded, backwards)
        where = later if backwards and later is not None else moment
        edge = (True, False) if backwards else (False, True)
        fired = [number for number, true in now.items() if (before[number][0], true) == edge]
        if backwards:
            # where it has stopped, it goes on
            fired = [n for n in fired if where != stopped and not self._watched[n].predicate.looks_back]
        if not fired:
            return []
        time = float(data.time) + (float(model.opt.timestep) if backwards else 0.0)
        self._stopped = where
        return [self._hit(n, where, time, before[n][1] if backwards else self._watched[n].detail) for n in fired]

    def _hit(self, number: int, moment: Moment, time: float, detail: str) -> Hit:
        self._count += 1
        points = {point.number: point for point in self.points}
        point = points[number]
        points[number] = replace(point, hits=point.hits + 1, moment=moment, time=time, detail=detail)
        self.points = tuple(points.values())
        return Hit(number, point.expression, detail, moment, time, None, self._count)

    def _look(
        self, model: Model, data: Data, moment: Moment, forwarded: bool, backwards: bool = False
    ) -> dict[int, bool]:
        """Whether each breakpoint that is on is true, by number; where one has no value, it is not."""
        self._seen = moment
        found: dict[int, bool] = {}
        derived = data if forwarded else None
        for point in self.points:
            if not point.on:
                continue
            watched = self._watched[point.number]
            try:
                if watched.predicate.needs_forward and derived is None:
                    derived = self.forwarded(model, data)
                value = watched.predicate.value(model, derived or data)
                error = ""
            except BadExpression as fault:
                value, error = 0.0, str(fault)
                watched.hopeless = fault.__cause__ is None
            if error != point.error:
                self.points = tuple(replace(p, error=error) if p.number == point.number else p for p in self.points)
            true = value != 0.0 and not isnan(value)
            if true and (backwards or not watched.before):
                watched.detail = watched.predicate.detail()
            found[point.number] = watched.before = true
        return found

    def forwarded(self, model: Model, data: Data) -> Data:
        """What follows from the present state, in Data of the watch's own."""
        if self._scratch is None or self._scratch[0] is not model:
            self._scratch = model, model.engine.Data(model)
        scratch, engine = self._scratch[1], model.engine
        signature = engine.record_signature(model)
        engine.set_state(model, scratch, engine.get_state(model, data, signature), signature, check=False)
        engine.forward(model, scratch)
        return scratch


def _fresh(point: Breakpoint) -> Breakpoint:
    """A breakpoint that has not fired; whether its expression is one is known at once."""
    fresh = Breakpoint(point.number, point.expression, point.on)
    try:
        Predicate(point.expression).tree  # noqa: B018
    except BadExpression as fault:
        return replace(fresh, error=str(fault))
    return fresh


def pointed(model: Model, data: Data, expression: str) -> Selection | None:
    """The element to look at where a predicate has become true: a contact if it is about contacts, or what it names."""
    try:
        named = Predicate(expression).named()
    except BadExpression:
        return None
    for function, names in named:
        measure = MEASURES.get(function)
        try:
            if measure is not None and measure.arguments == (CONTACT_SIDE, CONTACT_SIDE):
                chosen = chosen_contacts(model, data, *names)
                if len(chosen):
                    most = OUTSTANDING.get(function, OUTSTANDING["normal_force"])(model, data, chosen)
                    return Selection("contact", int(chosen[np.argmax(most)]))
            if names:
                kinds = measure.arguments[0] if measure is not None else (function,)
                element = find(model, names[0], kinds)
                return Selection(element.kind, element.id)
        except BadElement:
            continue
    return None
