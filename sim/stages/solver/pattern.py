"""Symbolic factorization of the sparse Hessian: supernodes and the sparsity pattern of its factor.

H = LᵀL with L lower, eliminated from the last row to the first, so that the tree itself causes no fill-in. Consecutive
dofs of a chain form a group (a supernode), and blocks of group by group are stored dense: a row of L has the columns of
the groups below its own (those with lower index), then those of its own group, contiguous. Groups below group g: its
ancestors; the groups of rows of J whose last column is in g; and, as fill-in, the groups below g's children in the
elimination tree, i.e. the groups whose nearest one below is g.
"""

from sim.enums import SOL_NEWTON
from sim.jit import helper, inline, kernel
from sim.stages.constraint.row import is_sparse
from sim.state.capacity import require_factor

MAX_WIDTH = 8  # wider groups would store zeros between dofs that no row couples
BITS = 32  # groups per word of a bit set


@inline
def sparse_newton(m):
    """Whether the model is solved with a sparse Hessian."""
    return m.opt.solver == SOL_NEWTON and is_sparse(m)


@helper
def make_groups(m, d):
    """(dof_parentid) -> (factor.ngroup, group, first, width)"""
    # count the children of each dof: a chain ends where it branches
    for i in range(d.block.nv):
        d.factor.child[i] = 0
    for i in range(d.block.nv):
        up = m.dof_parentid[d.block.dof[i]]
        if up >= 0:
            d.factor.child[d.block.at[up]] += 1
    n = 0
    for i in range(d.block.nv):
        follows = False
        if i > 0:
            v = d.block.dof[i]
            follows = m.dof_parentid[v] == v - 1 and d.block.dof[i - 1] == v - 1 and d.factor.child[i - 1] == 1
        if follows and d.factor.width[n - 1] < MAX_WIDTH:
            d.factor.width[n - 1] += 1
        else:
            d.factor.first[n] = i
            d.factor.width[n] = 1
            n += 1
        d.factor.group[i] = n - 1
    d.factor.ngroup = n


@helper
def make_runs(d, b, to):
    """The runs of consecutive columns of a bundle, each within one group; returns the address of the next run."""
    r = d.bundle.row[b]
    first = d.block.J_rowadr[r]
    d.bundle.run_adr[b] = to
    before = -2
    group = -1
    for k in range(d.block.J_rownnz[r]):
        c = d.block.J_colind[first + k]
        if c == before + 1 and d.factor.group[c] == group:
            d.run.length[to - 1] += 1
        else:
            group = d.factor.group[c]
            d.run.group[to] = group
            d.run.first[to] = c - d.factor.first[group]
            d.run.length[to] = 1
            d.run.at[to] = k
            to += 1
        before = c
    d.bundle.nrun[b] = to - d.bundle.run_adr[b]
    return to


@helper
def list_bundles(d):
    """(bundle.*) -> (run.*; bundle.next, factor.bundle: linked lists of bundles by their last group)"""
    for g in range(d.factor.ngroup):
        d.factor.bundle[g] = -1
    runs = 0
    for b in range(d.bundle.count):
        if d.bundle.again[b]:
            # the same columns: rows of the same contact or the same bodies
            d.bundle.run_adr[b] = d.bundle.run_adr[b - 1]
            d.bundle.nrun[b] = d.bundle.nrun[b - 1]
            continue
        runs = make_runs(d, b, runs)
        if d.bundle.nrun[b] > 0:
            top = d.run.group[runs - 1]
            d.bundle.next[b] = d.factor.bundle[top]
            d.factor.bundle[top] = b


@helper
def mark_below(d, g):
    """Set the bits of the groups below g; returns the number of words in use."""
    words = g // BITS + 1
    for k in range(words):
        d.factor.mark[k] = 0
    # ancestors
    i = d.factor.first[g]
    for k in range(d.block.M_rowadr[i], d.block.M_rowadr[i] + d.block.M_rownnz[i]):
        other = d.factor.group[d.block.M_colind[k]]
        d.factor.mark[other // BITS] |= 1 << (other % BITS)
    # rows of J whose last column is in g
    b = d.factor.bundle[g]
    while b >= 0:
        for k in range(d.bundle.run_adr[b], d.bundle.run_adr[b] + d.bundle.nrun[b]):
            other = d.run.group[k]
            d.factor.mark[other // BITS] |= 1 << (other % BITS)
        b = d.bundle.next[b]
    # fill-in from the children in the elimination tree
    c = d.factor.child[g]
    while c >= 0:
        for k in range(d.factor.below_adr[c], d.factor.below_adr[c] + d.factor.nbelow[c]):
            other = d.factor.below[k]
            d.factor.mark[other // BITS] |= 1 << (other % BITS)
        c = d.factor.sibling[c]
    # g itself is not below g
    d.factor.mark[g // BITS] &= ~(1 << (g % BITS))
    return words


@helper
def list_below(d, g, words, to):
    """List the marked groups and the offsets of their columns in a row; returns the total width of these columns."""
    d.factor.below_adr[g] = to
    offset = 0
    for k in range(words):
        word = d.factor.mark[k]
        other = k * BITS
        while word != 0:
            if word & 1:
                d.factor.below[to] = other
                d.factor.offset[to] = offset
                offset += d.factor.width[other]
                to += 1
            word >>= 1
            other += 1
    n = to - d.factor.below_adr[g]
    d.factor.nbelow[g] = n
    if n > 0:
        nearest = d.factor.below[to - 1]
        d.factor.sibling[g] = d.factor.child[nearest]
        d.factor.child[nearest] = g
    return offset


@kernel(when=sparse_newton)
def make_pattern(m, d) -> int:
    """(block.*) -> (factor.*, bundle.*, run.*; nL); returns 0 on overflow of the factor"""
    make_groups(m, d)
    list_bundles(d)
    for g in range(d.factor.ngroup):
        d.factor.child[g] = -1
    listed = 0
    size = 0
    for g in range(d.factor.ngroup - 1, -1, -1):
        if listed + g > len(d.factor.below):
            require_factor(d, 2 * (listed + g))
            return 0
        words = mark_below(d, g)
        width = d.factor.width[g]
        d.factor.row[g] = size
        d.factor.stride[g] = list_below(d, g, words, listed) + width
        listed += d.factor.nbelow[g]
        size += width * d.factor.stride[g]
    if size > len(d.factor.L):
        require_factor(d, size)
        return 0
    d.nL = size
    return 1
