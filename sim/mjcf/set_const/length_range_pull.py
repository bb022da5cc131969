"""Kernels that push an actuator to the end of its length range.

pull_force: (qpos) -> (qfrc_pull) = s · J with |M⁻¹ s J| = accel, at most maxforce; J is a row of actuator_moment.
pull_until: steps with that force and damped velocities until the length settles; all steps in one native call, which
takes a seventh of the time of one call per step.
"""

from math import sqrt

from sim.enums import MINVAL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL
from sim.jit import kernel
from sim.pipeline.forward import run
from sim.stages.smooth.com import com_pos, subtree_coms
from sim.stages.smooth.inertia import crb, factor_m, solve, tendon_armature
from sim.stages.smooth.kinematics import kinematics
from sim.stages.smooth.tendon import tendon, tendons_have_inertia
from sim.stages.smooth.transmission import transmission
from sim.state.nudge import apply_damped_force

# why pull_until returned early
STOP_OVERFLOW, STOP_DIVERGED = 1, 2


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
    # |M⁻¹ J|
    first = d.moment_rowadr[r]
    end = first + d.moment_rownnz[r]
    for v in range(m.nv):
        d.qfrc_pull[v] = 0.0
    for k in range(first, end):
        d.qfrc_pull[d.moment_colind[k]] = d.actuator_moment[k]
    solve(m, d, d.qLD, d.qLDiagInv, d.qfrc_pull)
    norm2 = 0.0
    for v in range(m.nv):
        norm2 += d.qfrc_pull[v] * d.qfrc_pull[v]
        d.qfrc_pull[v] = 0.0
    # J, scaled
    scale = accel / max(MINVAL, sqrt(norm2))
    norm2 = 0.0
    for k in range(first, end):
        norm2 += scale * scale * d.actuator_moment[k] * d.actuator_moment[k]
    if maxforce > 0.0 and norm2 > maxforce * maxforce:
        scale *= maxforce / sqrt(norm2)
    for k in range(first, end):
        d.qfrc_pull[d.moment_colind[k]] = scale * d.actuator_moment[k]


@kernel
def pull_until(m, d, r: int, accel: float, maxforce: float, decay: float, since: float, end: float, again: int) -> int:
    """(state) -> (state at time `end`, length_pull of the steps after `since`): 0, or why it returned early

    STOP_OVERFLOW: Data has to grow, and the next call repeats this step (`again`); STOP_DIVERGED: the state diverged.
    """
    while d.time < end:
        # a repeated step measures the length again: the overflow may have left another pose
        pull_force(m, d, r, accel, maxforce)
        if again == 0:
            apply_damped_force(m, d, d.qfrc_pull, decay)
        again = 0
        length = d.actuator_length[r]
        if run(m, d, 1) == 0:
            return STOP_OVERFLOW
        if d.warning.number[WARN_BADQPOS] + d.warning.number[WARN_BADQVEL] + d.warning.number[WARN_BADQACC] > 0:
            return STOP_DIVERGED
        if d.time > since:
            d.length_pull[0] = min(d.length_pull[0], length)
            d.length_pull[1] = max(d.length_pull[1], length)
    return 0
