"""Rows of sparse matrices: runs of numbers in a flat array."""

from sim.jit import inline


@inline
def add_scaled_rows(a, to, source, s, n):
    """a[to:to+n] += s · a[source:source+n]; the two runs do not overlap."""
    for k in range(n):
        a[to + k] += s * a[source + k]
