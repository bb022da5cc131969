"""Buffer overflow: a stage records the capacity that it requires, and the step is repeated with larger buffers."""

from sim.jit import inline


@inline
def overflow(d):
    """Whether a stage required more capacity than a buffer has."""
    pairs = d.required.ncon > 0 or d.required.nnear > 0 or d.required.npolytope > 0 or d.required.nfacet > 0
    rows = d.required.nefc > 0 or d.required.nJ > 0 or d.required.nisland > 0
    return pairs or rows or d.required.nL > 0 or d.required.nY > 0


@inline
def require_contacts(d, n):
    """Require capacity for n contacts."""
    d.required.ncon = n


@inline
def require_rows(d, n, entries):
    """Require capacity for n constraint rows and the entries of their Jacobian."""
    d.required.nefc = n
    d.required.nJ = entries


@inline
def require_factor(d, n):
    """Require capacity for n entries of the Hessian's factor."""
    d.required.nL = n


@inline
def require_dual(d, n):
    """Require capacity for n entries of dual.Y."""
    d.required.nY = n


@inline
def require_islands(d, n):
    """Require capacity for n islands."""
    d.required.nisland = n


@inline
def require_pairs(d, n):
    """Require capacity for n candidate pairs."""
    d.required.nnear = n


@inline
def require_polytope(d, n):
    """Require capacity for n faces of a polytope."""
    d.required.npolytope = n


@inline
def require_facets(d, n):
    """Require capacity for n vertices of touching faces."""
    d.required.nfacet = n
