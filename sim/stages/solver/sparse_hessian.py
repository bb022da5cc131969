"""Sparse Hessian of the primal cost: its assembly, its supernodal Cholesky factor, solves and rank-one updates.

H = M + Jᵀ diag(D) J + cones = LᵀL, with the pattern of `pattern.py`. The rows of a group are contiguous and have the
same columns, so that all inner loops run along memory: a factored group is eliminated from the groups below it, four
rows at a time, in the runs of columns that both have.
"""

from math import sqrt

from sim.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC, CONE_ELLIPTIC, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.dense import add_to_four, add_to_one, add_to_two, dot
from sim.stages.solver.block import rows_at
from sim.stages.solver.hessian import count_changes, mul_cone_column
from sim.stages.solver.pattern import sparse_newton

# with more rank-one updates it is cheaper to rebuild the matrix and its factor
MAX_UPDATES = 8


@helper
def offset_of(d, g, other):
    """Offset of the columns of another group in the rows of g, which has them."""
    if other == g:
        return d.factor.stride[g] - d.factor.width[g]
    k = d.factor.below_adr[g]
    while d.factor.below[k] != other:
        k += 1
    return d.factor.offset[k]


# ---------------------------------------------------------------- entries


@inline
def quadratic_weight(d, r, k, n):
    """D of row r + k; 0 if it is not quadratic, or k is past the n rows."""
    return d.block.D[r + k] if k < n and d.block.state[r + k] == CNSTRSTATE_QUADRATIC else 0.0


@helper
def add_to_below(a, d, b, i, to, at, s):
    """The row of H at `to`, of a column in run i of a bundle, += s₀ row₀ + ... over the columns up to that run."""
    first = d.bundle.run_adr[b]
    g = d.run.group[first + i]
    for j in range(first, first + i + 1):
        here = d.run.at[j]
        where = to + offset_of(d, g, d.run.group[j]) + d.run.first[j]
        add_to_four(a, where, d.run.length[j], d.block.J, (at[0] + here, at[1] + here, at[2] + here, at[3] + here), s)


@helper
def add_to_bundle(a, d, b, w):
    """H += Σ w row rowᵀ over the rows of a bundle."""
    at = rows_at(d, d.bundle.row[b], d.bundle.size[b])
    for i in range(d.bundle.nrun[b]):
        run = d.bundle.run_adr[b] + i
        g = d.run.group[run]
        for k in range(d.run.length[run]):
            column = d.run.at[run] + k
            s = (
                w[0] * d.block.J[at[0] + column],
                w[1] * d.block.J[at[1] + column],
                w[2] * d.block.J[at[2] + column],
                w[3] * d.block.J[at[3] + column],
            )
            to = d.factor.row[g] + (d.run.first[run] + k) * d.factor.stride[g]
            add_to_below(a, d, b, i, to, at, s)


@helper
def add_cone(a, d, b, contact):
    """H += Jᵀ H_c J of a contact in the middle zone of its cone, whose first bundle is b."""
    dim = d.contact.dim[contact]
    r = d.bundle.row[b]
    at = rows_at(d, r, dim)
    more = at if dim <= 4 else rows_at(d, r + 4, dim - 4)
    for i in range(d.bundle.nrun[b]):
        run = d.bundle.run_adr[b] + i
        g = d.run.group[run]
        for k in range(d.run.length[run]):
            column = d.run.at[run] + k
            to = d.factor.row[g] + (d.run.first[run] + k) * d.factor.stride[g]
            s, s_more = mul_cone_column(d, contact, dim, at, more, column)
            add_to_below(a, d, b, i, to, at, s)
            if dim > 4:
                add_to_below(a, d, b, i, to, more, s_more)


@helper
def add_inertia(d):
    """L <- M"""
    for k in range(d.nL):
        d.factor.L[k] = 0.0
    for i in range(d.block.nv):
        g = d.factor.group[i]
        row = d.factor.row[g] + (i - d.factor.first[g]) * d.factor.stride[g]
        last = -1
        offset = 0
        for k in range(d.block.M_rowadr[i], d.block.M_rowadr[i] + d.block.M_rownnz[i]):
            c = d.block.M_colind[k]
            other = d.factor.group[c]
            if other != last:
                offset = offset_of(d, g, other) - d.factor.first[other]
                last = other
            d.factor.L[row + offset + c] = d.block.M[k]


# ---------------------------------------------------------------- factor


@helper
def factor_group(d, g):
    """Factor the rows of one group, from last to first; each is eliminated from those before it."""
    stride = d.factor.stride[g]
    below = stride - d.factor.width[g]
    for k in range(d.factor.width[g] - 1, -1, -1):
        row = d.factor.row[g] + k * stride
        diagonal = row + below + k
        pivot = max(MINVAL, d.factor.L[diagonal])
        root = sqrt(pivot)
        inv = 1.0 / root
        for i in range(row, diagonal):
            d.factor.L[i] *= inv
        d.factor.L[diagonal] = root
        for j in range(k):
            to = d.factor.row[g] + j * stride
            add_to_one(d.factor.L, to, below + j + 1, d.factor.L, row, -d.factor.L[row + below + j])


@helper
def match_rows(d, g, upto):
    """Runs of columns that g shares with the group at `upto` in its list of groups below; returns how many."""
    target = d.factor.below[upto]
    own = d.factor.stride[target] - d.factor.width[target]
    n = 0
    other = d.factor.below_adr[target]
    for k in range(d.factor.below_adr[g], upto + 1):
        group = d.factor.below[k]
        to = own
        if group != target:
            while d.factor.below[other] != group:
                other += 1
            to = d.factor.offset[other]
        length = d.factor.width[group]
        if n > 0 and d.factor.match_to[n - 1] + d.factor.match_length[n - 1] == to:
            d.factor.match_length[n - 1] += length
        else:
            d.factor.match_from[n] = d.factor.offset[k]
            d.factor.match_to[n] = to
            d.factor.match_length[n] = length
            n += 1
    return n


@helper
def eliminate(d, g, to, source, column, n):
    """The row at `to`, which is a given column of group g, -= Σ L[k, column] L[k] over the rows of g; n entries."""
    stride = d.factor.stride[g]
    first = d.factor.row[g]
    width = d.factor.width[g]
    k = 0
    while k < width:
        at = first + k * stride
        left = width - k
        if left >= 4:
            s4 = (
                -d.factor.L[at + column],
                -d.factor.L[at + stride + column],
                -d.factor.L[at + 2 * stride + column],
                -d.factor.L[at + 3 * stride + column],
            )
            at += source
            add_to_four(d.factor.L, to, n, d.factor.L, (at, at + stride, at + 2 * stride, at + 3 * stride), s4)
            k += 4
        elif left >= 2:
            s2 = (-d.factor.L[at + column], -d.factor.L[at + stride + column])
            at += source
            add_to_two(d.factor.L, to, n, d.factor.L, (at, at + stride), s2)
            k += 2
        else:
            add_to_one(d.factor.L, to, n, d.factor.L, at + source, -d.factor.L[at + column])
            k += 1


@helper
def factor_all(d):
    """Factor H into L, in place."""
    for g in range(d.factor.ngroup - 1, -1, -1):
        factor_group(d, g)
        for k in range(d.factor.below_adr[g], d.factor.below_adr[g] + d.factor.nbelow[g]):
            target = d.factor.below[k]
            n = match_rows(d, g, k)
            for i in range(d.factor.width[target]):
                row = d.factor.row[target] + i * d.factor.stride[target]
                for run in range(n):
                    to = row + d.factor.match_to[run]
                    column = d.factor.offset[k] + i
                    eliminate(d, g, to, d.factor.match_from[run], column, d.factor.match_length[run])


@kernel(when=lambda m: sparse_newton(m) and m.opt.cone == CONE_ELLIPTIC)
def add_sparse_cones(m, d):
    """(block.J, state; contact.H) -> (factor.L): += Jᵀ H_c J of all contacts in the middle zone"""
    b = 0
    for c in range(d.block.ncone):
        r = d.block.cone[c]
        if d.block.state[r] == CNSTRSTATE_CONE:
            while d.bundle.row[b] != r:
                b += 1
            add_cone(d.factor.L, d, b, d.block.contact[c])


@kernel(when=sparse_newton)
def make_sparse(m, d):
    """(block.M, J, D, state; contact.H; pattern) -> (factor.L)"""
    add_inertia(d)
    for b in range(d.bundle.count):
        r = d.bundle.row[b]
        n = d.bundle.size[b]
        w = (
            quadratic_weight(d, r, 0, n),
            quadratic_weight(d, r, 1, n),
            quadratic_weight(d, r, 2, n),
            quadratic_weight(d, r, 3, n),
        )
        if w[0] != 0.0 or w[1] != 0.0 or w[2] != 0.0 or w[3] != 0.0:
            add_to_bundle(d.factor.L, d, b, w)
    if d.block.nmiddle > 0:
        add_sparse_cones(m, d)
    factor_all(d)


# ---------------------------------------------------------------- solves and updates


@helper
def gather_below(out, d, g, x):
    """out <- the entries of x in the columns below group g"""
    to = 0
    for k in range(d.factor.below_adr[g], d.factor.below_adr[g] + d.factor.nbelow[g]):
        other = d.factor.below[k]
        first = d.factor.first[other]
        for i in range(first, first + d.factor.width[other]):
            out[to] = x[i]
            to += 1


@helper
def scatter_below(x, d, g, line):
    """The entries of x in the columns below group g <- line"""
    source = 0
    for k in range(d.factor.below_adr[g], d.factor.below_adr[g] + d.factor.nbelow[g]):
        other = d.factor.below[k]
        first = d.factor.first[other]
        for i in range(first, first + d.factor.width[other]):
            x[i] = line[source]
            source += 1


@kernel(when=sparse_newton)
def solve_sparse(m, d):
    """(factor.L, block.grad) -> (block.step)"""
    x = d.block.step
    for i in range(d.block.nv):
        x[i] = d.block.grad[i]
    # x <- L⁻ᵀ x
    for g in range(d.factor.ngroup - 1, -1, -1):
        stride = d.factor.stride[g]
        below = stride - d.factor.width[g]
        first = d.factor.first[g]
        gather_below(d.factor.line, d, g, x)
        for k in range(d.factor.width[g] - 1, -1, -1):
            row = d.factor.row[g] + k * stride
            x[first + k] /= d.factor.L[row + below + k]
            add_to_one(d.factor.line, 0, below, d.factor.L, row, -x[first + k])
            for j in range(k):
                x[first + j] -= d.factor.L[row + below + j] * x[first + k]
        scatter_below(x, d, g, d.factor.line)
    # x <- L⁻¹ x
    for g in range(d.factor.ngroup):
        stride = d.factor.stride[g]
        below = stride - d.factor.width[g]
        first = d.factor.first[g]
        gather_below(d.factor.line, d, g, x)
        for k in range(d.factor.width[g]):
            row = d.factor.row[g] + k * stride
            s = x[first + k] - dot(d.factor.L, row, d.factor.line, 0, below)
            for j in range(k):
                s -= d.factor.L[row + below + j] * x[first + j]
            x[first + k] = s / d.factor.L[row + below + k]


@helper
def update_factor_row(d, row, n, sign):
    """Update one row of L, with n entries before its diagonal, and the vector in factor.line; false on lost rank."""
    xk = d.factor.line[n]
    if xk == 0.0:
        return True
    old = d.factor.L[row + n]
    square = old * old + sign * xk * xk
    if square < MINVAL:
        return False
    new = sqrt(square)
    c = new / old
    inv = 1.0 / c
    s = xk / old
    d.factor.L[row + n] = new
    for i in range(n):
        value = (d.factor.L[row + i] + sign * s * d.factor.line[i]) * inv
        d.factor.L[row + i] = value
        d.factor.line[i] = c * d.factor.line[i] - s * value
    return True


@helper
def update_factor(d, r, sign):
    """Rank-one update to LᵀL + sign · D row rowᵀ for row r of J; false if the factor lost rank. Only the groups on the
    path in the elimination tree from the row's last group are touched."""
    x = d.block.spare
    first = d.block.J_rowadr[r]
    n = d.block.J_rownnz[r]
    if n == 0:
        return True
    g = d.factor.group[d.block.J_colind[first + n - 1]]
    # zeros along the path
    node = g
    more = True
    while more:
        for i in range(d.factor.first[node], d.factor.first[node] + d.factor.width[node]):
            x[i] = 0.0
        more = d.factor.nbelow[node] > 0
        if more:
            node = d.factor.below[d.factor.below_adr[node] + d.factor.nbelow[node] - 1]
    root = sqrt(d.block.D[r])
    for k in range(first, first + n):
        x[d.block.J_colind[k]] = root * d.block.J[k]
    while True:
        stride = d.factor.stride[g]
        below = stride - d.factor.width[g]
        gather_below(d.factor.line, d, g, x)
        for k in range(d.factor.width[g]):
            d.factor.line[below + k] = x[d.factor.first[g] + k]
        for k in range(d.factor.width[g] - 1, -1, -1):
            if not update_factor_row(d, d.factor.row[g] + k * stride, below + k, sign):
                return False
        scatter_below(x, d, g, d.factor.line)
        if d.factor.nbelow[g] == 0:
            return True
        g = d.factor.below[d.factor.below_adr[g] + d.factor.nbelow[g] - 1]


@kernel(when=sparse_newton)
def update_sparse(m, d, nmiddle: int):
    """(block.state, old_state; nmiddle of the last iteration) -> (factor.L, nupdate)"""
    n = count_changes(d)
    d.factor.nupdate = n + d.block.nmiddle
    if n > MAX_UPDATES or nmiddle > 0 or d.block.nmiddle > 0:
        make_sparse(m, d)
        return
    for r in range(d.block.nefc):
        now = d.block.state[r] == CNSTRSTATE_QUADRATIC
        if now != (d.block.old_state[r] == CNSTRSTATE_QUADRATIC):
            sign = 1.0 if now else -1.0
            if not update_factor(d, r, sign):
                d.factor.nupdate = d.block.nefc + d.block.nmiddle
                make_sparse(m, d)
                return
