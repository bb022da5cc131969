"""Buffers that are too small: stages ask for more room, and the step is done once more with it."""

from sim.jit import inline


@inline
def overflow(d):
    """The stage that ran last found more contacts or rows than fit."""
    pairs = d.required.ncon > 0 or d.required.nnear > 0 or d.required.npolytope > 0 or d.required.nfacet > 0
    rows = d.required.nefc > 0 or d.required.nJ > 0 or d.required.nisland > 0
    return pairs or rows or d.required.nL > 0 or d.required.nY > 0


@inline
def require_contacts(d, n):
    """There is no room for all n contacts."""
    d.required.ncon = n


@inline
def require_rows(d, n, entries):
    """There is no room for all n rows, or for all entries of their Jacobian."""
    d.required.nefc = n
    d.required.nJ = entries


@inline
def require_factor(d, n):
    """There is no room for all n entries of the Hessian's factor."""
    d.required.nL = n


@inline
def require_dual(d, n):
    """There is no room for all n entries of dual.Y."""
    d.required.nY = n


@inline
def require_islands(d, n):
    """There is no room for all n islands."""
    d.required.nisland = n


@inline
def require_pairs(d, n):
    """There is no room for all n pairs that may touch."""
    d.required.nnear = n


@inline
def require_polytope(d, n):
    """There is no room for all n faces of a polytope."""
    d.required.npolytope = n


@inline
def require_facets(d, n):
    """There is no room for all n corners of faces that touch."""
    d.required.nfacet = n
