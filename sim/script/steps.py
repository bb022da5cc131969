"""step and forward for scripts: native calls that are made again with larger buffers if one overflows."""

from __future__ import annotations

from operator import index
from time import perf_counter

from sim.enums import STAGE_NONE
from sim.fields import DATA_LAYOUT
from sim.jit.layout import WORD
from sim.model import Data, Model
from sim.pipeline import forward as pipeline
from sim.script.check_options import check_options

# s that a native call for many steps is to take, and how many times as many steps as the one before it may have
CALL, MOST_LONGER = 0.05, 100.0
NOTHING_REQUIRED = bytes(WORD * len(DATA_LAYOUT.counts))


def step(m: Model, d: Data, nstep: int = 1) -> None:
    """Advance by `nstep` timesteps, without Python in between. Data grows if a step overflows a buffer."""
    if nstep < 0:
        raise ValueError(f"nstep is {nstep}: it cannot be negative")
    check_options(m, moving=True)
    # several steps are calls that end soon, so that Python hears signals in between
    wanted, done, start = nstep, 0, 0.0
    if nstep > 1:
        nstep, wanted, start = index(nstep), 1, perf_counter()
    try:
        while True:
            ran = pipeline.run(m, d, wanted)
            done += ran
            if done >= nstep:
                return
            if ran < wanted and not d.grow_required():
                raise RuntimeError("a step overflowed a buffer that should be large enough")
            now = perf_counter()
            wanted = min(nstep - done, max(1, int(wanted * min(MOST_LONGER, CALL / (now - start)))))
            start = now
    except BaseException:
        # a step that is interrupted by an exception of a callback is rolled back
        if isinstance(d, Data) and d.checkpoint_open:
            pipeline.rollback(m, d)
        raise


def forward(m: Model, d: Data, skip: int = STAGE_NONE, skip_sensors: bool = False) -> None:
    """Compute everything that depends on the state, without advancing it.

    `skip`: what depends on positions (STAGE_POS), or on velocities too (STAGE_VEL), is not computed again.
    """
    check_options(m)
    if not isinstance(d, Data):
        raise TypeError(f"d should be a Data, not {type(d).__name__}")
    required = d._required
    while True:
        required.fill(0)
        pipeline.forward_skip(m, d, skip, not skip_sensors)
        if required.tobytes() == NOTHING_REQUIRED or not d.grow_required():
            return
