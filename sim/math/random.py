"""Counter-based random numbers: a pure function of its arguments, the same in every run, thread and order.

A 32-bit integer hash, two rounds of xor-shift and multiplication, decorrelates neighbouring counters; two hashes make
one normally distributed number by the Box-Muller transform.
"""

from math import cos, log, pi, sqrt

from sim.jit import helper, inline

MASK = 0xFFFFFFFF


@inline
def hash32(x):
    """32-bit hash of the lowest 32 bits of a number."""
    x = x & MASK
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & MASK
    x = ((x ^ (x >> 15)) * 0x846CA68B) & MASK
    return x ^ (x >> 16)


@helper
def standard_normal(seed, step, i):
    """Random number i of a step, with mean 0 and standard deviation 1."""
    a = hash32(hash32(hash32(seed) + step) + 2 * i)
    b = hash32(hash32(hash32(seed) + step) + 2 * i + 1)
    return sqrt(-2.0 * log((a + 1.0) / (MASK + 1.0))) * cos(2.0 * pi * b / (MASK + 1.0))
