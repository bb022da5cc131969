"""What the joints of a model have to carry, and what their actuators can do about it."""

from __future__ import annotations

from math import inf

import numpy as np

from app.instruments.doctor.subject import Subject
from sim.enums import BIAS_AFFINE, BIAS_NONE, DSBL_GRAVITY, GAIN_FIXED, GAIN_MUSCLE, JNT_HINGE


def gravity_load(subject: Subject, joint: int) -> float:
    """The largest force or torque of gravity on a hinge or slide, over all of its positions."""
    m, d = subject.model, subject.data
    if int(m.opt.disableflags) & DSBL_GRAVITY:
        return 0.0
    gravity, axis, body = np.array(m.opt.gravity), np.array(d.xaxis[joint]), int(m.jnt_bodyid[joint])
    mass = float(m.body_subtreemass[body]) * (1 - min(float(m.body_gravcomp[body]), 1.0))
    if m.jnt_type[joint] != JNT_HINGE:
        return mass * abs(float(gravity @ axis))
    arm = np.array(d.subtree_com[body]) - np.array(d.xanchor[joint])
    across, lever = gravity - axis * (gravity @ axis), arm - axis * (arm @ axis)
    return mass * float(np.linalg.norm(across)) * float(np.linalg.norm(lever))


def force_limit(subject: Subject, actuator: int) -> float:
    """The largest force on its joint of an actuator with a fixed gain; inf if nothing limits it."""
    m = subject.model
    row, gear = int(m.actuator_ctrladr[actuator]), abs(subject.gear(actuator))
    limit = inf
    if m.actuator_forcelimited[actuator]:
        limit = float(np.abs(m.actuator_forcerange[actuator]).max()) * gear
    if m.actuator_gaintype[actuator] == GAIN_MUSCLE:
        return min(limit, abs(float(m.actuator_gainprm[actuator, 2])) * gear)
    simple = m.actuator_gaintype[actuator] == GAIN_FIXED and m.actuator_biastype[actuator] in (BIAS_NONE, BIAS_AFFINE)
    if not simple:
        return limit
    stiffness = subject.servo(actuator)[0]
    gain = abs(float(m.actuator_gainprm[actuator, 0]))
    if stiffness > 0:
        return min(limit, stiffness * gear**2 * subject.span(int(m.actuator_trnid[actuator, 0])))
    if m.actuator_ctrllimited[row] and m.actuator_dyntype[actuator] == 0:
        return min(limit, gain * float(np.abs(m.actuator_ctrlrange[row]).max()) * gear)
    return limit
