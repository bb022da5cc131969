"""Outer products of Jacobian rows, added to qDeriv."""

from sim.jit import helper


@helper
def add_outer(m, d, colind, values, adr, n, s):
    """qDeriv += s JᵀJ for one row of J, n entries from adr on, within its sparsity: branches stay uncoupled."""
    if n == 1:
        v = colind[adr]
        d.qDeriv[m.D_rowadr[v] + m.D_diag[v]] += s * values[adr] * values[adr]
        return
    for i in range(adr, adr + n):
        t = s * values[i]
        if t == 0.0:
            continue
        v = colind[i]
        k = m.D_rowadr[v]
        end = k + m.D_rownnz[v]
        # columns ascend in both rows
        for j in range(adr, adr + n):
            c = colind[j]
            while k < end and m.D_colind[k] < c:
                k += 1
            if k < end and m.D_colind[k] == c:
                d.qDeriv[k] += t * values[j]
