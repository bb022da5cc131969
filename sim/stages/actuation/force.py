"""Actuator forces: gain · (control or activation) + bias, clamped, then projected onto the dofs.

(ctrl, act, actuator_length, actuator_velocity, actuator_moment) -> (actuator_force, act_dot, qfrc_actuator).
Gain and bias: a constant; a + b · length + c · velocity; muscle, motor, pid and orientation, see there; user, a
callback. Forces are clamped in this order: the total on a tendon, each actuator's own, the total on a joint, which may
include gravity compensation.
"""

from sim.callback import user_bias, user_gain
from sim.enums import (
    BIAS_AFFINE,
    BIAS_DCMOTOR,
    BIAS_MUSCLE,
    BIAS_USER,
    DSBL_ACTUATION,
    DSBL_GRAVITY,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_MUSCLE,
    GAIN_PID,
    GAIN_SO3,
    GAIN_USER,
    TRN_TENDON,
)
from sim.jit import helper, inline, kernel
from sim.math.vec import norm3
from sim.stages.actuation.activation import (
    activation_rates,
    is_disabled,
    nearest_setpoint,
    next_activation,
    read_inputs,
    setpoint_period,
)
from sim.stages.actuation.motor import clip, motor_force, pid_force, shaft_force
from sim.stages.actuation.muscle import muscle_bias, muscle_gain
from sim.stages.actuation.orientation import orientation_force
from sim.stages.sleep.awake import actuator_idles


@inline
def affine(d, prm, i, r):
    """a + b · length + c · velocity"""
    return prm[i, 0] + prm[i, 1] * d.actuator_length[r] + prm[i, 2] * d.actuator_velocity[r]


@inline
def last_state(m, d, i):
    """The last activation of an actuator, or its next value if actearly is set; 0 if there is none."""
    n = m.actuator_actnum[i]
    if n == 0:
        return 0.0
    a = m.actuator_actadr[i] + n - 1
    return next_activation(m, d, i, a, d.act_dot[a]) if m.actuator_actearly[i] else d.act[a]


@helper
def gain_force(m, d, i, r):
    """Gain times the last activation or, without activations, the control."""
    kind = m.actuator_gaintype[i]
    x = last_state(m, d, i)
    if kind == GAIN_DCMOTOR:
        return motor_force(m, d, i, x)
    if kind == GAIN_PID:
        return pid_force(m, d, i, x)
    if m.actuator_actnum[i] == 0:
        x = d.actuator_input[m.actuator_ctrladr[i]]
    x = nearest_setpoint(d, r, x, setpoint_period(m, i))
    if kind == GAIN_AFFINE:
        return affine(d, m.actuator_gainprm, i, r) * x
    if kind == GAIN_MUSCLE:
        return muscle_gain(m, d, i, r) * x
    if kind == GAIN_USER:
        return user_gain(m, d, i) * x
    return m.actuator_gainprm[i, 0] * x


@helper
def bias_force(m, d, i, r):
    """Bias force."""
    kind = m.actuator_biastype[i]
    if kind == BIAS_AFFINE:
        return affine(d, m.actuator_biasprm, i, r)
    if kind == BIAS_MUSCLE:
        return muscle_bias(m, d, i, r)
    if kind == BIAS_USER:
        return user_bias(m, d, i)
    return 0.0


# ---------------------------------------------------------------- limits


@kernel(when=lambda m: m.ntendon > 0)
def clamp_tendon_forces(m, d):
    """(actuator_force) -> (actuator_force): scaled so that the total on each tendon is within its range"""
    for t in range(m.ntendon):
        d.tendon_actuator_force[t] = 0.0
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON:
            d.tendon_actuator_force[m.actuator_trnid[i, 0]] += d.actuator_force[m.actuator_outadr[i]]
    for i in range(m.nactuator):
        t = m.actuator_trnid[i, 0]
        if m.actuator_trntype[i] != TRN_TENDON or not m.tendon_actfrclimited[t]:
            continue
        total = d.tendon_actuator_force[t]
        clamped = clip(total, m.tendon_actfrcrange[t, 0], m.tendon_actfrcrange[t, 1])
        if total != 0.0 and clamped != total:
            d.actuator_force[m.actuator_outadr[i]] *= clamped / total


@helper
def clamp_force(m, d, i):
    """Clamp to the actuator's force range; for an orientation servo, the norm of its torque."""
    low, high = m.actuator_forcerange[i, 0], m.actuator_forcerange[i, 1]
    r = m.actuator_outadr[i]
    if m.actuator_gaintype[i] == GAIN_SO3:
        norm = norm3((d.actuator_force[r], d.actuator_force[r + 1], d.actuator_force[r + 2]))
        if norm > high:
            for k in range(3):
                d.actuator_force[r + k] *= high / norm
    else:
        d.actuator_force[r] = clip(d.actuator_force[r], low, high)


# ---------------------------------------------------------------- the stage


@helper
def project_forces(m, d):
    """(actuator_force, actuator_moment, qfrc_gravcomp) -> (qfrc_actuator)"""
    for v in range(m.nv):
        d.qfrc_actuator[v] = 0.0
    for r in range(m.nout):
        force = d.actuator_force[r]
        if force != 0.0:
            adr = d.moment_rowadr[r]
            for k in range(adr, adr + d.moment_rownnz[r]):
                d.qfrc_actuator[d.moment_colind[k]] += d.actuator_moment[k] * force
    # gravity compensation by actuators
    gravity = (m.opt.gravity[0], m.opt.gravity[1], m.opt.gravity[2])
    if m.ngravcomp > 0 and not m.opt.disableflags & DSBL_GRAVITY and norm3(gravity) > 0.0:
        for v in range(m.nv):
            if m.jnt_actgravcomp[m.dof_jntid[v]]:
                d.qfrc_actuator[v] += d.qfrc_gravcomp[v]
    for j in range(m.njnt):
        if m.jnt_actfrclimited[j]:
            v = m.jnt_dofadr[j]
            d.qfrc_actuator[v] = clip(d.qfrc_actuator[v], m.jnt_actfrcrange[j, 0], m.jnt_actfrcrange[j, 1])


@helper
def clear_actuation(m, d):
    """() -> (actuator_force, qfrc_actuator): zero"""
    for r in range(m.nout):
        d.actuator_force[r] = 0.0
    for v in range(m.nv):
        d.qfrc_actuator[v] = 0.0


@kernel(when=lambda m: m.nactuator > 0)
def fwd_actuation(m, d):
    """(ctrl, act, actuator_length, actuator_velocity, actuator_moment) -> (actuator_force, act_dot, qfrc_actuator)"""
    if m.opt.disableflags & DSBL_ACTUATION:
        clear_actuation(m, d)
        return
    read_inputs(m, d)
    if m.na > 0:
        activation_rates(m, d)
    for i in range(m.nactuator):
        r = m.actuator_outadr[i]
        if is_disabled(m, i) or actuator_idles(m, d, i):
            for k in range(m.actuator_outnum[i]):
                d.actuator_force[r + k] = 0.0
        elif m.actuator_gaintype[i] == GAIN_SO3:
            orientation_force(m, d, i)
        else:
            d.actuator_force[r] = gain_force(m, d, i, r) + bias_force(m, d, i, r)
    if m.ntendon > 0:
        clamp_tendon_forces(m, d)
    for i in range(m.nactuator):
        if m.actuator_forcelimited[i]:
            clamp_force(m, d, i)
        # cogging and friction of a motor are not clamped
        if m.actuator_biastype[i] == BIAS_DCMOTOR and not is_disabled(m, i) and not actuator_idles(m, d, i):
            d.actuator_force[m.actuator_outadr[i]] += shaft_force(m, d, i)
    project_forces(m, d)
