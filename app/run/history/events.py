"""Finds what happens by itself while time runs: contacts that begin, trees that wake.

It looks after every native call, which makes a few steps: the marker of an event may be that late.
"""

from __future__ import annotations

import numpy as np

from app.run.history.markers import Marker, MarkerType
from sim import Data, Model
from sim.analysis.contact_state import contact_bodies
from sim.analysis.element_names import body_name

# a contact that was lost for less simulated time, s, does not begin again
REGAINED = 0.5
# of several events at once, so many are named
NAMED = 3


class Events:
    """What was there when it looked last."""

    def __init__(self) -> None:
        # pairs of bodies in contact, each as one number; and when those that are not any more last were
        self._touching: set[int] | None = None
        self._parted: dict[int, float] = {}
        self._asleep: np.ndarray | None = None

    def forget(self) -> None:
        """Another moment is shown: what is there now is not new."""
        self._touching = self._asleep = None
        self._parted = {}

    def find(self, model: Model, data: Data, step: int) -> list[Marker]:
        """Markers for what has begun since the last look."""
        found = []
        begun = self._new_contacts(model, data) if data.ncon or self._touching is None or self._touching else []
        if begun:
            texts = [" and ".join(body_name(model, body) for body in divmod(pair, model.nbody)) for pair in begun]
            found.append(Marker(MarkerType.CONTACT, f"contact: {_listed(texts)}", step, step))
        if (model.ntree and data.ntree_awake < model.ntree) or self._asleep is not None:
            awake = self._woken(data)
            if awake:
                texts = [body_name(model, int(np.argmax(model.body_treeid == tree))) for tree in awake]
                found.append(Marker(MarkerType.WAKE, f"wakes: {_listed(texts)}", step, step))
        return found

    def _new_contacts(self, model: Model, data: Data) -> list[int]:
        """Pairs of bodies that touch and did not lately: the first times the number of bodies, plus the second."""
        pairs, before = _pairs(model, data) if data.ncon else set[int](), self._touching
        if pairs == before:
            return []
        self._touching = pairs
        if before is None:
            return []
        time = float(data.time)
        begun = [pair for pair in sorted(pairs - before) if not 0.0 <= time - self._parted.get(pair, -1e300) < REGAINED]
        self._parted.update(dict.fromkeys(before - pairs, time))
        # contacts of what sleeps are not computed
        return [pair for pair in begun if not all(self._rested(model, body) for body in divmod(pair, model.nbody))]

    def _rested(self, model: Model, body: int) -> bool:
        """Whether a body is static, or slept at the last look."""
        tree = int(model.body_treeid[body])
        return tree < 0 or (self._asleep is not None and bool(self._asleep[tree]))

    def _woken(self, data: Data) -> list[int]:
        asleep, before = np.array(data.tree_asleep) >= 0, self._asleep
        self._asleep = asleep
        if before is None or before.shape != asleep.shape:
            return []
        return [int(tree) for tree in np.flatnonzero(before & ~asleep)]


def _pairs(model: Model, data: Data) -> set[int]:
    contact = data.contact
    bodies = contact_bodies(model, data)[: data.ncon].astype(np.int64)
    codes = bodies.min(axis=1) * model.nbody + bodies.max(axis=1)
    known = (contact.efc_address[: data.ncon] >= 0) & (bodies >= 0).all(axis=1)
    return set(codes[known].tolist())


def _listed(texts: list[str]) -> str:
    more = len(texts) - NAMED
    return ", ".join(texts[:NAMED]) + (f" and {more} more" if more > 0 else "")
