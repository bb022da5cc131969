"""Another engine for tests: that of sim with gravity upside down, so that whoever calls sim instead is found out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sim
from sim.recording.model_files import ModelFiles
from sim.recording.models import load_files


class UpsideDown:
    """The functions of sim; what computes has gravity the other way round."""

    ENGINE = "UpsideDown 1.0"
    LACKS: Mapping[str, str] = {"solver_path": "UpsideDown keeps its iterations to itself"}

    def __getattr__(self, name: str) -> Any:
        return getattr(sim, name)

    @contextmanager
    def _turned(self, m: sim.Model) -> Iterator[None]:
        m.opt.gravity[:] *= -1
        try:
            yield
        finally:
            m.opt.gravity[:] *= -1

    def step(self, m: sim.Model, d: sim.Data, nstep: int = 1) -> None:
        """Steps of sim, upside down."""
        with self._turned(m):
            sim.step(m, d, nstep)

    def forward(self, m: sim.Model, d: sim.Data) -> None:
        """Forward of sim, upside down."""
        with self._turned(m):
            sim.forward(m, d)


class UpsideDownModel(sim.Model):
    """A model of that engine."""

    engine = UpsideDown()

    def copy(self) -> sim.Model:
        """A model of the same engine."""
        return turned(super().copy())


def turned(m: sim.Model) -> sim.Model:
    """A model of sim as one of the other engine."""
    object.__setattr__(m, "__class__", UpsideDownModel)
    return m


def load(files: ModelFiles, name: str) -> sim.Model:
    """The loader of its recordings."""
    return turned(load_files(files, name))


LOADERS = {"UpsideDown": load}
