"""Every number of a rich model is edited, some at a time: it comes back from the saved file, or is named before."""

from __future__ import annotations

from pathlib import Path

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


def test_a_reference_to_what_is_not_there_is_named(tmp_path: Path) -> None:
    file = tmp_path / "model.xml"
    file.write_text("<mujoco><worldbody><light name='lamp'/></worldbody></mujoco>")
    m = sim.load(file)
    m.light_texid[0] = 0
    plan = m.plan_save()
    assert [text.partition(" of ")[0] for text in plan.unsaved] == ["light_texid"]
    assert not plan.files
