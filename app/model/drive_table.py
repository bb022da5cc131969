"""Rows of the panels Controls and Joints: what each is called, what a search finds it by, where its numbers are.

A table is made once for each model: there may be thousands of rows. What differs and what moves is found for all rows
at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from app.model.elements import element_type
from app.model.views import ModelView
from sim.analysis.element_names import element_name
from sim.analysis.element_types import TRANSMISSIONS
from sim.enums import TRN_BODY, TRN_JOINT, TRN_JOINTINPARENT, TRN_SITE, TRN_SLIDERCRANK

# smaller differences of a number, and slower velocities, m/s or rad/s, are rounding noise
DIFFERENT, MOVING = 1e-9, 1e-4
# numbers of qpos of each joint type
COORDINATES = np.array([7, 4, 1, 1])

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class DriveTable:
    """One row for each control, or for each joint."""

    kind: str
    # the actuator or joint of each row
    elements: Indices
    # its first number in d.ctrl or d.qpos, and how many it has
    addresses: Indices
    counts: Indices
    labels: tuple[str, ...]
    # in lower case: its name, its body, what it drives, its type
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def longest(self) -> str:
        """The longest of the names."""
        return max(self.labels, key=len, default="")

    def differing(self, values: Floats, base: Floats) -> Mask:
        """Rows with a number that is not what it is by default."""
        return self._any(~np.isclose(values, base, rtol=0.0, atol=DIFFERENT))

    def places(self, rows: Indices) -> Indices:
        """Addresses of all numbers of some rows."""
        spans = [np.arange(self.addresses[row], self.addresses[row] + self.counts[row]) for row in rows.tolist()]
        return np.concatenate(spans) if spans else np.zeros(0, np.int64)

    def _any(self, numbers: Mask) -> Mask:
        return np.logical_or.reduceat(numbers, self.addresses) if len(self) else np.zeros(0, bool)


@lru_cache(maxsize=4)
def control_table(model: ModelView) -> DriveTable:
    """A row for each control; several of one actuator are numbered."""
    elements, labels, texts = [], [], []
    counts = model.actuator_ctrlnum.tolist()
    for actuator, count in enumerate(counts):
        name = element_name(model, "actuator", actuator)
        found_by = f"{name} {_driven(model, actuator)}".lower()
        for k in range(count):
            elements.append(actuator)
            labels.append(f"{name} {k}" if count > 1 else name)
            texts.append(found_by)
    number = len(elements)
    return DriveTable(
        "actuator", np.array(elements, int), np.arange(number), np.ones(number, int), tuple(labels), tuple(texts)
    )


def _driven(model: ModelView, actuator: int) -> str:
    """What an actuator drives, and the body of that."""
    transmission, target = int(model.actuator_trntype[actuator]), int(model.actuator_trnid[actuator, 0])
    kind = TRANSMISSIONS.get(transmission)
    if not kind or target < 0:
        return ""
    words = [kind, element_name(model, kind, target)]
    owners = {
        TRN_JOINT: model.jnt_bodyid, TRN_JOINTINPARENT: model.jnt_bodyid, TRN_SITE: model.site_bodyid,
        TRN_SLIDERCRANK: model.site_bodyid,
    }  # fmt: skip
    if transmission in owners:
        words.append(element_name(model, "body", int(owners[transmission][target])))
    return " ".join(words if transmission != TRN_BODY else words[1:])


@lru_cache(maxsize=4)
def joint_table(model: ModelView) -> DriveTable:
    """A row for each joint."""
    labels = tuple(element_name(model, "joint", joint) for joint in range(model.njnt))
    bodies = [element_name(model, "body", body) for body in model.jnt_bodyid.tolist()]
    texts = tuple(
        f"{label} {body} {element_type(model, 'joint', joint)}".lower()
        for joint, (label, body) in enumerate(zip(labels, bodies, strict=True))
    )
    counts = COORDINATES[model.jnt_type].astype(np.int64)
    return DriveTable("joint", np.arange(len(labels)), model.jnt_qposadr.astype(np.int64), counts, labels, texts)


@lru_cache(maxsize=8)
def matching(table: DriveTable, query: str) -> Mask:
    """Rows whose texts contain every word of a query."""
    words = query.lower().split()
    return np.array([all(word in text for word in words) for text in table.texts], bool)


def moving_joints(model: ModelView, qvel: Floats) -> Mask:
    """Joints with a velocity above noise."""
    if not model.njnt:
        return np.zeros(0, bool)
    return np.asarray(np.maximum.reduceat(np.abs(qvel), model.jnt_dofadr) > MOVING)
