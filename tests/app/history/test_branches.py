"""A slice of the soak of branches."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.soak.branches import Sequence


@pytest.mark.parametrize("seed", [1, 4, 8, 9, 33, 45, 52, 398])
def test_every_moment_keeps_its_bits(seed: int, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        # extreme values are part of it
        warnings.simplefilter("ignore")
        sequence = Sequence(seed, tmp_path)
        try:
            sequence.run(50)
        finally:
            sequence.simulation._edits.close()
