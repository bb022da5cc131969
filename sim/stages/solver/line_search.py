"""Exact line search: Newton's method on the derivative of the cost, then a bracketing phase.

Points are tuples (alpha, cost, slope, curvature). Costs are relative to alpha = 0 and computed term by term without
cancellation, so that they compare correctly even for tiny steps.
"""

from math import sqrt

from sim.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC, CNSTRSTATE_SATISFIED, CONE_ELLIPTIC, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.dense import dot
from sim.stages.constraint.row import is_discrete
from sim.stages.solver.block import mul_j, mul_m
from sim.stages.solver.coupling import couple_search
from sim.stages.solver.primal import cone_zone, friction_cost, middle_stiffness
from sim.state.endless import MANY, pause


@helper(reduce=True)
def prepare_smooth(d):
    """(slope at 0, curvature) of the quadratic part of the cost: inertia and equalities."""
    linear = 0.0
    square = 0.0
    for v in range(d.block.nv):
        linear += d.block.search[v] * (d.block.ma[v] - d.block.smooth[v])
        square += d.block.search[v] * d.block.mv[v]
    for r in range(d.block.ne):
        linear += d.block.D[r] * d.block.jar[r] * d.block.jv[r]
        square += d.block.D[r] * d.block.jv[r] * d.block.jv[r]
    return linear, square


@kernel(when=lambda m: m.opt.cone == CONE_ELLIPTIC)
def prepare_cones(m, d):
    """(block.jar, jv) -> (block.cone_line): ½ D x² as q₀ + q₁α + q₂α², N = u + vα, T² = uu + 2uvα + vvα², Dm, T₀"""
    for c in range(d.block.ncone):
        r = d.block.cone[c]
        contact = d.block.contact[c]
        mu = d.contact.mu[contact]
        q0 = q1 = q2 = 0.0
        uu = uv = vv = 0.0
        for j in range(d.contact.dim[contact]):
            x = d.block.jar[r + j]
            v = d.block.jv[r + j]
            stiffness = d.block.D[r + j]
            q0 += 0.5 * stiffness * x * x
            q1 += stiffness * x * v
            q2 += 0.5 * stiffness * v * v
            if j > 0:
                scale = d.contact.friction[contact, j - 1]
                uu += x * x * scale * scale
                uv += x * v * scale * scale
                vv += v * v * scale * scale
        d.block.cone_line[c, 0] = q0
        d.block.cone_line[c, 1] = q1
        d.block.cone_line[c, 2] = q2
        d.block.cone_line[c, 3] = d.block.jar[r] * mu
        d.block.cone_line[c, 4] = d.block.jv[r] * mu
        d.block.cone_line[c, 5] = uu
        d.block.cone_line[c, 6] = uv
        d.block.cone_line[c, 7] = vv
        d.block.cone_line[c, 8] = middle_stiffness(d, r, contact)
        d.block.cone_line[c, 9] = sqrt(uu)


# ---------------------------------------------------------------- cost at alpha


@helper(reduce=True)
def unilateral_along(d, alpha):
    """(cost, slope, curvature) of unilateral rows. Branch-free, so that the loop vectorises."""
    cost = 0.0
    slope = 0.0
    curvature = 0.0
    for r in range(d.block.ne + d.block.nf, d.block.nefc):
        start = d.block.jar[r]
        v = d.block.jv[r]
        stiffness = d.block.D_unilateral[r]
        step = alpha * v
        x = start + step
        before = start if start < 0.0 else 0.0
        after = x if x < 0.0 else 0.0
        stays = step * (start + x)
        crosses = after * after - before * before
        active = stiffness if x < 0.0 else 0.0
        cost += stiffness * (stays if before * after > 0.0 else crosses)
        slope += stiffness * after * v
        curvature += active * v * v
    return 0.5 * cost, slope, curvature


@helper
def friction_along(d, alpha):
    """(cost, slope, curvature) of friction rows."""
    cost = slope = curvature = 0.0
    for r in range(d.block.ne, d.block.ne + d.block.nf):
        start = d.block.jar[r]
        v = d.block.jv[r]
        stiffness = d.block.D[r]
        limit = d.block.floss[r]
        bound = d.block.R[r] * limit
        x = start + alpha * v
        if -bound < x < bound:
            slope += stiffness * x * v
            curvature += stiffness * v * v
        else:
            slope += limit * v if x > 0.0 else -limit * v
        if -bound < x < bound and -bound < start < bound:
            cost += 0.5 * stiffness * (x - start) * (x + start)
        elif x <= -bound and start <= -bound:
            cost += limit * (start - x)
        elif x >= bound and start >= bound:
            cost += limit * (x - start)
        else:
            cost += friction_cost(x, limit, bound, stiffness) - friction_cost(start, limit, bound, stiffness)
    return cost, slope, curvature


@helper
def cone_along(d, c, mu, alpha):
    """(cost, slope, curvature) of a contact with an elliptic cone."""
    q0 = d.block.cone_line[c, 0]
    q1 = d.block.cone_line[c, 1]
    q2 = d.block.cone_line[c, 2]
    u = d.block.cone_line[c, 3]
    v = d.block.cone_line[c, 4]
    uu = d.block.cone_line[c, 5]
    uv = d.block.cone_line[c, 6]
    vv = d.block.cone_line[c, 7]
    stiffness = d.block.cone_line[c, 8]
    tangent0 = d.block.cone_line[c, 9]
    zone0 = cone_zone(u, tangent0, mu)
    depth0 = u - mu * tangent0
    normal = u + alpha * v
    square = uu + alpha * (2.0 * uv + alpha * vv)
    tangent = sqrt(square) if square > 0.0 else 0.0
    zone = cone_zone(normal, tangent, mu)
    depth = normal - mu * tangent
    # slope and curvature depend on the zone of the point
    slope = curvature = 0.0
    if zone == CNSTRSTATE_QUADRATIC:
        slope = q1 + 2.0 * alpha * q2
        curvature = 2.0 * q2
    elif zone == CNSTRSTATE_CONE:
        inv = 1.0 / tangent
        growth = (uv + alpha * vv) * inv
        bend = (vv - growth * growth) * inv
        deeper = v - mu * growth
        slope = stiffness * depth * deeper
        curvature = stiffness * (deeper * deeper - depth * mu * bend)
    # the cost also on the zone at 0; in the bottom zone it is ½ Dm (μN + T)² more than the middle zone's formula
    if zone == CNSTRSTATE_SATISFIED:
        cost = 0.0
        if zone0 == CNSTRSTATE_QUADRATIC:
            cost = -q0
        elif zone0 == CNSTRSTATE_CONE:
            cost = -0.5 * stiffness * depth0 * depth0
    elif zone0 == CNSTRSTATE_SATISFIED:
        cost = q0 + alpha * (q1 + alpha * q2) if zone == CNSTRSTATE_QUADRATIC else 0.5 * stiffness * depth * depth
    elif zone == CNSTRSTATE_CONE and zone0 == CNSTRSTATE_CONE:
        deeper = alpha * (v - mu * (2.0 * uv + alpha * vv) / (tangent + tangent0))
        cost = 0.5 * stiffness * deeper * (2.0 * depth0 + deeper)
    else:
        cost = alpha * (q1 + alpha * q2)
        if zone0 == CNSTRSTATE_CONE:
            cost += 0.5 * stiffness * (mu * u + tangent0) * (mu * u + tangent0)
        if zone == CNSTRSTATE_CONE:
            cost -= 0.5 * stiffness * (mu * normal + tangent) * (mu * normal + tangent)
    return cost, slope, curvature


@kernel(when=lambda m: m.opt.cone == CONE_ELLIPTIC)
def cones_along(m, d, alpha: float):
    """(block.cone_line) -> (line.cone_*): sum over all contacts with elliptic cones"""
    cost = slope = curvature = 0.0
    for c in range(d.block.ncone):
        one = cone_along(d, c, d.contact.mu[d.block.contact[c]], alpha)
        cost += one[0]
        slope += one[1]
        curvature += one[2]
    d.line.cone_cost = cost
    d.line.cone_slope = slope
    d.line.cone_curvature = curvature


@helper
def evaluate(m, d, alpha):
    """The point at alpha."""
    d.line.neval += 1
    if d.line.neval % MANY == 0:
        pause()
    cost, slope, curvature = unilateral_along(d, alpha)
    cost += alpha * (d.line.linear + 0.5 * alpha * d.line.square)
    slope += d.line.linear + alpha * d.line.square
    curvature += d.line.square
    if d.block.nf > 0:
        more = friction_along(d, alpha)
        cost += more[0]
        slope += more[1]
        curvature += more[2]
    if d.block.ncone > 0:
        cones_along(m, d, alpha)
        cost += d.line.cone_cost
        slope += d.line.cone_slope
        curvature += d.line.cone_curvature
    # the cost is convex, but rounding may make the curvature negative
    if curvature <= 0.0:
        curvature = MINVAL
    return alpha, cost, slope, curvature


# ---------------------------------------------------------------- the search


@inline
def newton_point(p):
    """alpha of a Newton step from p: the zero of the slope if the curvature were constant."""
    return p[0] - p[2] / p[3]


@inline
def closer(p, q):
    """q if its slope has the sign of p's and is smaller, else p."""
    if (p[2] < 0.0 and p[2] < q[2] < 0.0) or (p[2] > 0.0 and p[2] > q[2] > 0.0):
        return q
    return p


@inline
def better(p, q, flat):
    """q if its slope is within tolerance, and p's is not or p costs more; else p."""
    if abs(q[2]) < flat and (abs(p[2]) >= flat or q[1] < p[1]):
        return q
    return p


@helper
def finish(d, p, unit):
    """Record p as the result; returns its alpha."""
    d.line.slope = abs(p[2]) * unit
    d.line.gain = -p[1]
    return p[0]


@kernel
def line_search(m, d) -> float:
    """(block.search, jar, ma) -> (block.jv, mv; line.*); returns alpha, 0 if there is no improvement"""
    d.line.neval = 0
    d.line.slope = 1.0
    d.line.gain = 0.0
    length = sqrt(dot(d.block.search, 0, d.block.search, 0, d.block.nv))
    if length < MINVAL:
        return 0.0
    flat = m.opt.tolerance * m.opt.ls_tolerance * length / d.block.scale
    unit = d.block.scale / length
    most = m.opt.ls_iterations
    mul_m(d.block.mv, m, d, d.block.search)
    if is_discrete(m) and d.metric.ncouple > 0:
        couple_search(m, d)
    mul_j(d.block.jv, m, d, d.block.search)
    d.line.linear, d.line.square = prepare_smooth(d)
    if d.block.ncone > 0:
        prepare_cones(m, d)

    # one Newton step, which is often enough
    p2 = evaluate(m, d, 0.0)
    p1 = evaluate(m, d, newton_point(p2))
    if abs(p1[2]) < flat and (p1[0] == 0.0 or p1[1] < 0.0):
        return finish(d, p1, unit)
    # Newton steps until one overshoots
    ahead = 1.0 if p1[2] < 0.0 else -1.0
    while p1[2] * ahead <= -flat and d.line.neval < most:
        p2 = p1
        p1 = evaluate(m, d, newton_point(p1))
        if abs(p1[2]) < flat and p1[1] < 0.0:
            return finish(d, p1, unit)
    if d.line.neval >= most:
        return finish(d, p1, unit)

    # p1 and p2 bracket the minimum: narrow from both sides and at the midpoint
    next2 = p1
    next1 = evaluate(m, d, newton_point(p1))
    while d.line.neval < most:
        middle = evaluate(m, d, 0.5 * (p1[0] + p2[0]))
        best = better(better(next1, next2, flat), middle, flat)
        if abs(best[2]) < flat:
            return finish(d, best, unit)
        was1 = p1
        was2 = p2
        p1 = closer(closer(closer(p1, next1), next2), middle)
        p2_next = closer(closer(closer(p2, next1), next2), middle)
        if p1[2] != was1[2]:
            next1 = evaluate(m, d, newton_point(p1))
        p2 = p2_next
        if p2[2] != was2[2]:
            next2 = evaluate(m, d, newton_point(p2))
        # no progress on either side: limited by rounding
        if p1[2] == was1[2] and p2[2] == was2[2]:
            return finish(d, middle, unit)
    best = p1 if p1[1] <= p2[1] else p2
    return finish(d, best, unit) if best[1] < 0.0 else 0.0
