"""Moment arms: the dofs that a tendon, an output of an actuator or a constraint row acts on, with coefficients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from sim.model import Data, Model


class Arms(NamedTuple):
    """A force of 1 there is `values` on `dofs`."""

    dofs: np.ndarray
    values: np.ndarray


def tendon_arms(m: Model, d: Data, tendon: int) -> Arms:
    """Those of a tendon."""
    return _arms(m.ten_J_rowadr, m.ten_J_rownnz, m.ten_J_colind, d.ten_J, tendon)


def output_arms(d: Data, output: int) -> Arms:
    """Those of an output of an actuator."""
    return _arms(d.moment_rowadr, d.moment_rownnz, d.moment_colind, d.actuator_moment, output)


def row_arms(d: Data, row: int) -> Arms:
    """Those of a constraint row: a row of J."""
    return _arms(d.efc_J_rowadr, d.efc_J_rownnz, d.efc_J_colind, d.efc_J, row)


def couplings(m: Model, d: Data) -> Iterator[tuple[float, Arms]]:
    """Terms s j jᵀ of the discrete integrator's metric: s and j of tendons and actuators that couple some dofs."""
    for tendon in np.flatnonzero(d.metric.tendon).tolist():
        yield float(d.metric.tendon[tendon]), tendon_arms(m, d, tendon)
    for output in np.flatnonzero(d.metric.actuator).tolist():
        yield float(d.metric.actuator[output]), output_arms(d, output)


def _arms(start: np.ndarray, count: np.ndarray, dofs: np.ndarray, values: np.ndarray, row: int) -> Arms:
    place = slice(int(start[row]), int(start[row]) + int(count[row]))
    return Arms(dofs[place], values[place])
