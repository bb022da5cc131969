"""Calls of kernels: what is no struct of the right kind does not reach native code."""

from __future__ import annotations

from typing import Any

import pytest

import sim
from sim.jit.loader import loader
from sim.pipeline.forward import run

M = sim.loads("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")


@pytest.mark.parametrize("wrong", [None, "data", 1.5, M])
def test_what_is_no_data_is_not_taken_for_an_address(wrong: Any) -> None:
    with pytest.raises(TypeError, match="d cannot be"):
        sim.step(M, wrong)


def test_the_number_of_arguments_is_checked() -> None:
    with pytest.raises(TypeError, match="takes 3 arguments, not 2"):
        loader.call(run, (M, sim.Data(M)))
