"""A slice of the soak of edits, undo, reloads and saves."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.soak.edits import Sequence


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_lost_in_a_random_sequence(seed: int, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        # extreme values are part of it
        warnings.simplefilter("ignore")
        sequence = Sequence(seed, tmp_path)
        try:
            sequence.run(30)
        finally:
            sequence.simulation.live.edits.close()
