"""Noise that is a function of its arguments: the same numbers in every run, thread and order.

A number is scrambled by two rounds of multiplying and folding its halves, 32 bits wide, so that neighbours come out
unrelated; two such numbers make one of a normal distribution (Box and Muller).
"""

from math import cos, log, pi, sqrt

from sim.jit import helper, inline

BITS = 0xFFFFFFFF


@inline
def scramble(x):
    """32 bits that look random, from the lowest 32 of a number."""
    x = x & BITS
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & BITS
    x = ((x ^ (x >> 15)) * 0x846CA68B) & BITS
    return x ^ (x >> 16)


@helper
def standard_normal(seed, step, i):
    """Number i of a step: mean 0, deviation 1."""
    a = scramble(scramble(scramble(seed) + step) + 2 * i)
    b = scramble(scramble(scramble(seed) + step) + 2 * i + 1)
    return sqrt(-2.0 * log((a + 1.0) / (BITS + 1.0))) * cos(2.0 * pi * b / (BITS + 1.0))
