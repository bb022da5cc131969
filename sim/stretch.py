"""The force that pulls an actuator to the end of its range, while a model is compiled.

pull_force: (qpos) -> (qfrc_pull) = s · J with |M⁻¹ s J| = accel, at most maxforce; J is a row of actuator_moment.
"""

from math import sqrt

from sim.com import com_pos, subtree_coms
from sim.enums import MINVAL
from sim.inertia import crb, factor_m, solve, tendon_armature
from sim.jit import kernel
from sim.kinematics import kinematics
from sim.tendon import tendon, tendons_have_inertia
from sim.transmission import transmission


@kernel
def pull_force(m, d, r: int, accel: float, maxforce: float):
    """(qpos) -> (qfrc_pull): the force along output r that accelerates the dofs by `accel`"""
    kinematics(m, d)
    subtree_coms(m, d)
    com_pos(m, d)
    if m.ntendon > 0:
        tendon(m, d)
    crb(m, d)
    if tendons_have_inertia(m):
        tendon_armature(m, d)
    factor_m(m, d)
    transmission(m, d)
    # M⁻¹ J, for its size
    first = d.moment_rowadr[r]
    end = first + d.moment_rownnz[r]
    for v in range(m.nv):
        d.qfrc_pull[v] = 0.0
    for k in range(first, end):
        d.qfrc_pull[d.moment_colind[k]] = d.actuator_moment[k]
    solve(m, d, d.qLD, d.qLDiagInv, d.qfrc_pull)
    size = 0.0
    for v in range(m.nv):
        size += d.qfrc_pull[v] * d.qfrc_pull[v]
        d.qfrc_pull[v] = 0.0
    # J, scaled
    scale = accel / max(MINVAL, sqrt(size))
    size = 0.0
    for k in range(first, end):
        size += scale * scale * d.actuator_moment[k] * d.actuator_moment[k]
    if maxforce > 0.0 and size > maxforce * maxforce:
        scale *= maxforce / sqrt(size)
    for k in range(first, end):
        d.qfrc_pull[d.moment_colind[k]] = scale * d.actuator_moment[k]
