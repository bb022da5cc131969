"""A slice of the soak of branches, and what it found."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import sim
from app.run import commands as cmd
from sim.enums import SLEEP_NEVER
from tests.soak.branches import Sequence


@pytest.mark.parametrize("seed", [1, 8, 9, 33, 52, 398, 569, 581, 885])
def test_every_moment_keeps_its_bits(seed: int, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        # extreme values are part of it
        warnings.simplefilter("ignore")
        sequence = Sequence(seed, tmp_path)
        try:
            sequence.run(50)
        finally:
            sequence.simulation.live.edits.close()


def test_a_tree_that_cannot_sleep_changes_nothing(tmp_path: Path) -> None:
    """The pass that finds out is not part of the run: a step after it would not be computed again to the bit."""
    sequence = Sequence(4, tmp_path, "sleeping")
    simulation = sequence.simulation
    try:
        sequence.do(cmd.SetField("tree_sleep_policy", float(SLEEP_NEVER), (0,)))
        sequence.do(cmd.StepOnce(5))
        signature = sim.record_signature(simulation.live.model)
        before = sim.get_state(simulation.live.model, simulation.live.data, signature)
        sequence.do(cmd.PutToSleep(0))
        assert simulation.status.run.problem is not None
        assert sim.get_state(simulation.live.model, simulation.live.data, signature).tobytes() == before.tobytes()
    finally:
        simulation.live.edits.close()
