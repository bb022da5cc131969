"""Copies of models: one for each identity, and few are kept."""

from __future__ import annotations

import sim
from app.background.model_copies import MOST_MODELS, ModelCopies

XML = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def test_a_copy_is_made_once_and_few_are_kept() -> None:
    copies, first = ModelCopies(), sim.loads(XML)
    copy = copies.of(first)
    assert copies.of(first) is copy and copy.model is not first
    first.opt.timestep = 0.5
    assert copy.model.opt.timestep != 0.5
    kept = [sim.loads(XML) for _ in range(MOST_MODELS)]
    made = [copies.of(model) for model in kept]
    assert copies.of(first) is not copy
    assert copies.of(kept[-1]) is made[-1]
