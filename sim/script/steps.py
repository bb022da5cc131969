"""step and forward for scripts: native calls that are made again with larger buffers if one overflows."""

from __future__ import annotations

from sim.enums import STAGE_NONE
from sim.fields import DATA_LAYOUT
from sim.jit.layout import WORD
from sim.model import Data, Model
from sim.pipeline import forward as pipeline
from sim.script.check_options import check_options

NOTHING_REQUIRED = bytes(WORD * len(DATA_LAYOUT.counts))


def step(m: Model, d: Data, nstep: int = 1) -> None:
    """Advance by `nstep` timesteps in one native call. Data grows if a step overflows a buffer."""
    if nstep < 0:
        raise ValueError(f"nstep is {nstep}: it cannot be negative")
    check_options(m, moving=True)
    done = 0
    while True:
        try:
            done += pipeline.run(m, d, nstep - done)
        except BaseException:
            # a step that is interrupted by an exception of a callback is rolled back
            if isinstance(d, Data) and d.checkpoint_open:
                pipeline.rollback(m, d)
            raise
        if done >= nstep:
            return
        if not d.grow_required():
            raise RuntimeError("a step overflowed a buffer that is large enough")


def forward(m: Model, d: Data, skip: int = STAGE_NONE, skip_sensors: bool = False) -> None:
    """Compute everything that depends on the state, without advancing it.

    `skip`: what depends on positions (STAGE_POS), or on velocities too (STAGE_VEL), is not computed again.
    """
    check_options(m)
    required = d._required
    while True:
        required.fill(0)
        pipeline.forward_skip(m, d, skip, not skip_sensors)
        if required.tobytes() == NOTHING_REQUIRED or not d.grow_required():
            return
