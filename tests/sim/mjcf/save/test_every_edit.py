"""Every number of a rich model is edited, some at a time: it comes back from the saved file, or is named before."""

from __future__ import annotations

import pytest

import sim
from sim.model import Model
from tests.sim.mjcf.save.every_edit import RICH, edits, lost_and_named

BATCHES = 12


@pytest.fixture(scope="module")
def rich() -> Model:
    return sim.loads(RICH % "")


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_does_not_come_back_is_named(batch: int, rich: Model) -> None:
    made = list(edits(rich))[batch::BATCHES]
    lost, named, _ = lost_and_named(rich, made)
    assert named == lost
