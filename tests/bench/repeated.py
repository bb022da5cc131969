"""Stages many times in one native call, so that a benchmark does not measure the way from Python."""

from sim.collision.driver import collision
from sim.jit import kernel


@kernel
def collision_repeated(m, d, n: int):
    for _ in range(n):
        collision(m, d)
