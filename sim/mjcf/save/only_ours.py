"""What our MJCF has and MuJoCo's has not: it does not read a file with one of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from sim import enums


class OnlyOurs(NamedTuple):
    """A value of a field that MuJoCo does not have, the attribute that an edit sets it by, and what it is."""

    field: str
    value: int
    attribute: str
    text: str


ONLY_OURS = (
    OnlyOurs("opt.integrator", enums.INT_SPRINGDAMPER, "integrator", "the integrator implicitspringdamper"),
    OnlyOurs("eq_type", enums.EQ_DISTANCE, "", "the distance equality"),
)


def only_ours(read: Callable[[str], Any]) -> Iterator[OnlyOurs]:
    """What a model has of these."""
    return (one for one in ONLY_OURS if one.value in np.ravel(read(one.field)))
