"""The minimum of the cost along a line: Newton's method on the slope, then between two points that enclose it.

Points are tuples (alpha, cost, slope, curvature); cost is the difference from the start of the line, term by
term without cancellation, so that it still tells better from worse when a step is tiny.
"""

from math import sqrt

from sim.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC, CNSTRSTATE_SATISFIED, CONE_ELLIPTIC, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.dense import dot
from sim.stages.solver.block import set_inertial, set_rows
from sim.stages.solver.primal import cone_zone, friction_cost, side_stiffness


@helper(reduce=True)
def prepare_smooth(d):
    """(linear, square) of inertia and equalities: they have the same slope and curvature everywhere."""
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
        d.block.cone_line[c, 8] = side_stiffness(d, r, contact)
        d.block.cone_line[c, 9] = sqrt(uu)


# ---------------------------------------------------------------- cost at a point of the line


@helper(reduce=True)
def push_along(d, alpha):
    """(cost, slope, curvature) of rows that only push. Without branches: rows vectorise."""
    cost = 0.0
    slope = 0.0
    curvature = 0.0
    for r in range(d.block.ne + d.block.nf, d.block.nefc):
        start = d.block.jar[r]
        v = d.block.jv[r]
        stiffness = d.block.D_side[r]
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
    # slope and curvature depend on where the point is
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
    # the cost also on where the line starts; the bottom costs ½ Dm (μN + T)² more than the side would
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
    """(block.cone_line) -> (line.cone_*): the sum over all contacts with elliptic cones"""
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
def along(m, d, alpha):
    """The point of the line at alpha."""
    d.line.neval += 1
    cost, slope, curvature = push_along(d, alpha)
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
    # the cost is convex, but rounding may not know
    if curvature <= 0.0:
        curvature = MINVAL
    return alpha, cost, slope, curvature


# ---------------------------------------------------------------- the search


@inline
def newton_point(p):
    """Where the slope would be zero if the curvature stayed."""
    return p[0] - p[2] / p[3]


@inline
def closer(p, q):
    """q if its slope has the sign of p's and is flatter, else p."""
    if (p[2] < 0.0 and p[2] < q[2] < 0.0) or (p[2] > 0.0 and p[2] > q[2] > 0.0):
        return q
    return p


@inline
def better(p, q, flat):
    """q if it is flat and cheaper than p, or p is not flat, else p."""
    if abs(q[2]) < flat and (abs(p[2]) >= flat or q[1] < p[1]):
        return q
    return p


@helper
def end_at(d, p, unit):
    """Ends the search at a point; returns the length of the step."""
    d.line.slope = abs(p[2]) * unit
    d.line.gain = -p[1]
    return p[0]


@kernel
def line_search(m, d) -> float:
    """(block.search, jar, ma) -> (block.jv, mv; line.*); returns the length of the step, 0 if none helps"""
    d.line.neval = 0
    d.line.slope = 1.0
    d.line.gain = 0.0
    length = sqrt(dot(d.block.search, 0, d.block.search, 0, d.block.nv))
    if length < MINVAL:
        return 0.0
    flat = m.opt.tolerance * m.opt.ls_tolerance * length / d.block.scale
    unit = d.block.scale / length
    most = m.opt.ls_iterations
    set_inertial(d.block.mv, d, d.block.search)
    set_rows(d.block.jv, m, d, d.block.search)
    d.line.linear, d.line.square = prepare_smooth(d)
    if d.block.ncone > 0:
        prepare_cones(m, d)

    # one step of Newton's method, which is often enough
    p2 = along(m, d, 0.0)
    p1 = along(m, d, newton_point(p2))
    if abs(p1[2]) < flat and (p1[0] == 0.0 or p1[1] < 0.0):
        return end_at(d, p1, unit)
    # more of them, until one goes too far
    ahead = 1.0 if p1[2] < 0.0 else -1.0
    while p1[2] * ahead <= -flat and d.line.neval < most:
        p2 = p1
        p1 = along(m, d, newton_point(p1))
        if abs(p1[2]) < flat and p1[1] < 0.0:
            return end_at(d, p1, unit)
    if d.line.neval >= most:
        return end_at(d, p1, unit)

    # the minimum is between p1 and p2: narrow down from both sides and in the middle
    next2 = p1
    next1 = along(m, d, newton_point(p1))
    while d.line.neval < most:
        middle = along(m, d, 0.5 * (p1[0] + p2[0]))
        best = better(better(next1, next2, flat), middle, flat)
        if abs(best[2]) < flat:
            return end_at(d, best, unit)
        was1 = p1
        was2 = p2
        p1 = closer(closer(closer(p1, next1), next2), middle)
        p2_next = closer(closer(closer(p2, next1), next2), middle)
        if p1[2] != was1[2]:
            next1 = along(m, d, newton_point(p1))
        p2 = p2_next
        if p2[2] != was2[2]:
            next2 = along(m, d, newton_point(p2))
        # no closer on either side: as accurate as numbers get
        if p1[2] == was1[2] and p2[2] == was2[2]:
            return end_at(d, middle, unit)
    best = p1 if p1[1] <= p2[1] else p2
    return end_at(d, best, unit) if best[1] < 0.0 else 0.0
