"""Reflected inertia and damping: what actuators add to the joint or tendon they drive, times gear².

jnt_actuatorid and tendon_actuatorid have the actuator; -1: none; -2: several, which are searched for.
"""

from sim.enums import TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON
from sim.jit import helper, inline


@inline
def drives(m, i, tendon, target):
    """Actuator i drives this joint, or this tendon."""
    kind = m.actuator_trntype[i]
    if m.actuator_trnid[i, 0] != target:
        return False
    return kind == TRN_TENDON if tendon else kind == TRN_JOINT or kind == TRN_JOINTINPARENT


@inline
def gear_squared(m, i):
    gear = m.actuator_gear[m.actuator_outadr[i], 0]
    return gear * gear


@inline
def drivers(m, tendon, target):
    """(first, end) of the actuators to search for those that drive a joint or tendon."""
    a = m.tendon_actuatorid[target] if tendon else m.jnt_actuatorid[target]
    if a == -1:
        return 0, 0
    if a < 0:
        return 0, m.nactuator
    return a, a + 1


@helper
def reflected_armature(m, tendon, target):
    """Armature that actuators add to a joint or tendon."""
    first, end = drivers(m, tendon, target)
    total = 0.0
    for i in range(first, end):
        if drives(m, i, tendon, target):
            total += gear_squared(m, i) * m.actuator_armature[i]
    return total


@helper
def reflected_damping(m, tendon, target):
    """Damping that actuators add to a joint or tendon: coefficients of v, v|v| and v³."""
    first, end = drivers(m, tendon, target)
    b, p0, p1 = 0.0, 0.0, 0.0
    for i in range(first, end):
        if drives(m, i, tendon, target):
            s = gear_squared(m, i)
            b += s * m.actuator_damping[i]
            p0 += s * m.actuator_dampingpoly[i, 0]
            p1 += s * m.actuator_dampingpoly[i, 1]
    return b, p0, p1


@inline
def total_armature(m, v):
    """Armature of a dof, including what actuators add."""
    j = m.dof_jntid[v]
    own = m.dof_armature[v]
    return own if m.jnt_actuatorid[j] == -1 else own + reflected_armature(m, False, j)


@inline
def total_damping(m, v):
    """Damping of a dof, including what actuators add: coefficients of v, v|v| and v³."""
    j = m.dof_jntid[v]
    b, p0, p1 = m.dof_damping[v], m.dof_dampingpoly[v, 0], m.dof_dampingpoly[v, 1]
    if m.jnt_actuatorid[j] != -1:
        more = reflected_damping(m, False, j)
        b, p0, p1 = b + more[0], p0 + more[1], p1 + more[2]
    return b, p0, p1
