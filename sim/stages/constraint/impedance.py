"""Impedance, stiffness, damping and regularizer of rows: solref and solimp to efc_KBIP, efc_R, efc_D, efc_diagA.

The impedance d rises with |pos - margin| from d₀ to dᵥ over a width, along a power sigmoid with a midpoint.
R = (1 - d) / d · diagonal of J M⁻¹ Jᵀ. solref = (time constant, damping ratio): K = 1 / (dᵥ² t² ζ²),
B = 2 / (dᵥ t); negative: (-stiffness, -damping), K = k / dᵥ², B = b / dᵥ. Friction rows have no K. In a contact the
normal row sets all: R of friction is R₀ / impratio for the first axis, and R μ² is the same for all axes; in a
pyramid every edge has 2 μ² R₀, with μ² scaled by impratio too. What the discrete integrator changes is in discrete.py.
"""

from math import sqrt

from sim.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_FRICTION_DOF,
    CNSTR_LIMIT_JOINT,
    DSBL_REFSAFE,
    EQ_CONNECT,
    EQ_WELD,
    MINVAL,
)
from sim.jit import helper, inline, kernel
from sim.stages.constraint.row import is_discrete

MINIMP, MAXIMP = 0.0001, 0.9999
DEFAULT_REF = (0.02, 1.0)
NO_REF = (0.0, 0.0)


# here and below the bound comes second: max(NaN, bound) is NaN, so that NaN is not hidden


@inline
def clip_impedance(x):
    return min(max(x, MINIMP), MAXIMP)


@inline
def get_solref(a, i):
    return a[i, 0], a[i, 1]


@inline
def get_solimp(a, i):
    """solimp, clamped to its valid range."""
    least, most, mid = clip_impedance(a[i, 0]), clip_impedance(a[i, 1]), clip_impedance(a[i, 3])
    return least, most, max(a[i, 2], 0.0), mid, max(a[i, 4], 1.0)


@inline
def safe_ref(m, ref, instead):
    """A valid solref: both numbers of one sign, and a time constant of at least two timesteps."""
    if (ref[0] > 0.0) != (ref[1] > 0.0):
        ref = instead
    if ref[0] > 0.0 and not is_discrete(m) and not m.opt.disableflags & DSBL_REFSAFE:
        return max(ref[0], 2.0 * m.opt.timestep), ref[1]
    return ref[0], ref[1]


@inline
def power(a, b):
    """aᵇ, fast for the common powers."""
    if b == 1.0:
        return a
    return a * a if b == 2.0 else a**b


@helper
def impedance(solimp, x):
    """(impedance, derivative) at constraint violation x"""
    least, most, width, mid, p = solimp
    if least == most or width <= MINVAL:
        return 0.5 * (least + most), 0.0
    sign = 1.0 if x >= 0.0 else -1.0
    x = abs(x / width)
    if x >= 1.0:
        return most, 0.0
    if x <= 0.0:
        return least, 0.0
    # two branches of a power function that meet at the midpoint
    y, derivative = x, 1.0
    if p != 1.0:
        if x <= mid:
            a = 1.0 / power(mid, p - 1.0)
            y, derivative = a * power(x, p), p * a * power(x, p - 1.0)
        else:
            a = 1.0 / power(1.0 - mid, p - 1.0)
            y, derivative = 1.0 - a * power(1.0 - x, p), p * a * power(1.0 - x, p - 1.0)
    return least + y * (most - least), derivative * sign * (most - least) / width


@inline
def stiffness(ref, most):
    if ref[0] > 0.0:
        return 1.0 / max(most * most * ref[0] * ref[0] * ref[1] * ref[1], MINVAL)
    return -ref[0] / max(most * most, MINVAL)


@inline
def damping(ref, most):
    if ref[1] > 0.0:
        return 2.0 / max(most * ref[0], MINVAL)
    return -ref[1] / max(most, MINVAL)


@inline
def resolved(m, ref, imp, k, b):
    """(stiffness, damping) of a limit or contact; in the discrete integrator no stiffer than the timestep resolves.

    Stiffer than K d h² = 1, with d the impedance, it would rebound. The damping ratio is kept."""
    if is_discrete(m) and ref[0] > 0.0 and not m.opt.disableflags & DSBL_REFSAFE:
        most = 1.0 / (imp * m.opt.timestep * m.opt.timestep)
        if k > most:
            return most, 2.0 * ref[1] * sqrt(most)
    return k, b


@inline
def regularizer(d, r, imp):
    """R of a row from its own diagA"""
    return max((1.0 - imp) * d.efc_diagA[r] / imp, MINVAL)


@inline
def put_row(d, r, k, b, imp, derivative, regularizer):
    """Everything that is derived from R and the impedance; diagA is made consistent with R."""
    d.efc_KBIP[r, 0] = k
    d.efc_KBIP[r, 1] = b
    d.efc_KBIP[r, 2] = imp
    d.efc_KBIP[r, 3] = derivative
    d.efc_R[r] = regularizer
    d.efc_D[r] = 1.0 / regularizer
    d.efc_diagA[r] = regularizer * imp / (1.0 - imp)


@helper
def put_rows(m, d, r, size, solref, solimp, distance, is_friction, is_limit):
    """Rows of one constraint with a given violation; dry friction has no stiffness."""
    ref = safe_ref(m, solref, DEFAULT_REF)
    imp, derivative = impedance(solimp, distance)
    k = 0.0 if is_friction else stiffness(ref, solimp[1])
    b = damping(ref, solimp[1])
    if is_limit:
        k, b = resolved(m, ref, imp, k, b)
    for i in range(r, r + size):
        put_row(d, i, k, b, imp, derivative, regularizer(d, i, imp))


@helper
def equality_size(m, e):
    """Number of rows of an equality."""
    if m.eq_type[e] == EQ_WELD:
        return 6
    return 3 if m.eq_type[e] == EQ_CONNECT else 1


@helper
def equalities(m, d):
    """Rows of equalities; the violation of a connect or weld is the norm over its rows."""
    r = 0
    while r < d.ne:
        e = d.efc_id[r]
        size = equality_size(m, e)
        distance = d.efc_pos[r]
        if size > 1:
            square = 0.0
            for i in range(r, r + size):
                square += d.efc_pos[i] * d.efc_pos[i]
            distance = sqrt(square)
        put_rows(m, d, r, size, get_solref(m.eq_solref, e), get_solimp(m.eq_solimp, e), distance, False, False)
        r += size


@helper
def frictions_and_limits(m, d):
    """Rows of dry friction and of limits: one per constraint."""
    for r in range(d.ne, d.ne + d.nf):
        i = d.efc_id[r]
        if d.efc_type[r] == CNSTR_FRICTION_DOF:
            solref, solimp = get_solref(m.dof_solref, i), get_solimp(m.dof_solimp, i)
        else:
            solref, solimp = get_solref(m.tendon_solref_fri, i), get_solimp(m.tendon_solimp_fri, i)
        put_rows(m, d, r, 1, solref, solimp, 0.0, True, False)
    for r in range(d.ne + d.nf, d.ne + d.nf + d.nl):
        i = d.efc_id[r]
        if d.efc_type[r] == CNSTR_LIMIT_JOINT:
            solref, solimp = get_solref(m.jnt_solref, i), get_solimp(m.jnt_solimp, i)
        else:
            solref, solimp = get_solref(m.tendon_solref_lim, i), get_solimp(m.tendon_solimp_lim, i)
        put_rows(m, d, r, 1, solref, solimp, d.efc_pos[r] - d.efc_margin[r], False, True)


@helper
def contact_impedance(m, d, r):
    """Rows of one contact; returns their number."""
    c = d.efc_id[r]
    dim = d.contact.dim[c]
    solimp = get_solimp(d.contact.solimp, c)
    ref = safe_ref(m, get_solref(d.contact.solref, c), DEFAULT_REF)
    imp, derivative = impedance(solimp, d.efc_pos[r] - d.efc_margin[r])
    across = damping(ref, solimp[1])
    k, b = resolved(m, ref, imp, stiffness(ref, solimp[1]), across)
    normal = regularizer(d, r, imp)
    if d.efc_type[r] == CNSTR_CONTACT_FRICTIONLESS:
        put_row(d, r, k, b, imp, derivative, normal)
        return 1
    # impratio scales R of the friction rows
    mu = d.contact.friction[c, 0]
    sliding = normal / max(m.opt.impratio, MINVAL)
    d.contact.mu[c] = mu * sqrt(sliding / normal)
    if d.efc_type[r] != CNSTR_CONTACT_ELLIPTIC:
        edge = 2.0 * d.contact.mu[c] * d.contact.mu[c] * normal
        for i in range(r, r + 2 * (dim - 1)):
            put_row(d, i, k, b, imp, derivative, edge)
        return 2 * (dim - 1)
    put_row(d, r, k, b, imp, derivative, normal)
    own = safe_ref(m, get_solref(d.contact.solreffriction, c), NO_REF)
    if own[0] != 0.0 or own[1] != 0.0:
        across = damping(own, solimp[1])
    for j in range(1, dim):
        f = d.contact.friction[c, j - 1]
        put_row(d, r + j, 0.0, across, imp, derivative, sliding * mu * mu / (f * f))
    return dim


@kernel
def make_impedance(m, d):
    """(efc_pos, efc_margin, efc_diagA) -> (efc_KBIP, efc_R, efc_D, efc_diagA, contact.mu)"""
    equalities(m, d)
    frictions_and_limits(m, d)
    r = d.ne + d.nf + d.nl
    while r < d.nefc:
        r += contact_impedance(m, d, r)
