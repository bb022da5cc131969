"""Buffers that are too small: stages ask for more room, and the step is done once more with it."""

from sim.jit import inline


@inline
def no_room(d):
    """The stage that ran last found more contacts or rows than fit."""
    pairs = d.want.ncon > 0 or d.want.nnear > 0 or d.want.npolytope > 0 or d.want.nfacet > 0
    rows = d.want.nefc > 0 or d.want.nJ > 0 or d.want.nisland > 0
    return pairs or rows or d.want.nL > 0 or d.want.nY > 0


@inline
def want_contacts(d, n):
    """There is no room for all n contacts."""
    d.want.ncon = n


@inline
def want_rows(d, n, entries):
    """There is no room for all n rows, or for all entries of their Jacobian."""
    d.want.nefc = n
    d.want.nJ = entries


@inline
def want_factor(d, n):
    """There is no room for all n entries of the Hessian's factor."""
    d.want.nL = n


@inline
def want_dual(d, n):
    """There is no room for all n entries of dual.Y."""
    d.want.nY = n


@inline
def want_islands(d, n):
    """There is no room for all n islands."""
    d.want.nisland = n


@inline
def want_pairs(d, n):
    """There is no room for all n pairs that may touch."""
    d.want.nnear = n


@inline
def want_polytope(d, n):
    """There is no room for all n faces of a polytope."""
    d.want.npolytope = n


@inline
def want_facets(d, n):
    """There is no room for all n corners of faces that touch."""
    d.want.nfacet = n
