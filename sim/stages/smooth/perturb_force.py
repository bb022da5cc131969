"""Mouse perturbation: a critically damped spring between a selected point of a body and its target.

    force = m (k (refselpos - point) - 2 √k velocity),   torque likewise about the body's centre of mass,
with k = vis.map.stiffness (stiffnessrot) and m the effective mass (inertia) of the body at qpos0, so that one k suits
all bodies. It is computed from the state in every evaluation of the dynamics, in addition to the user's xfrc_applied:
the same state and the same perturb.* give the same force.
"""

from math import sqrt

from sim.enums import MINVAL, PERT_ROTATE, PERT_TRANSLATE
from sim.jit import helper, inline, kernel
from sim.math.quat import conjugate, get9, mat_vec, mul_quat, quat_to_rotation_vector
from sim.math.vec import add3, cross, get3, get4, scale3, sub3
from sim.stages.smooth.jacobian import point_velocity


@inline
def is_perturbed(m, d):
    """Whether a body is perturbed."""
    return d.perturb.active != 0 and 0 < d.perturb.select < m.nbody


@inline
def effective_mass(inverse):
    """Mass from inverse mass; 0 for a body that cannot move."""
    return 1.0 / inverse if inverse > MINVAL else 0.0


@inline
def spring_damper(k, mass, offset, velocity):
    """mass (k offset - 2 √k velocity)"""
    k = max(k, 0.0)
    return sub3(scale3(offset, mass * k), scale3(velocity, 2.0 * mass * sqrt(k)))


@inline
def vector_at(a):
    """The first three numbers of an array as a tuple."""
    return a[0], a[1], a[2]


@helper
def translation_wrench(m, d, b):
    """(force, torque) that pull the selected point to refselpos"""
    point = add3(get3(d.xpos, b), mat_vec(get9(d.xmat, b), vector_at(d.perturb.localpos)))
    _, velocity = point_velocity(m, d, b, point)
    offset = sub3(vector_at(d.perturb.refselpos), point)
    force = spring_damper(m.vis.map.stiffness, effective_mass(m.body_invweight0[b, 0]), offset, velocity)
    return force, cross(sub3(point, get3(d.xipos, b)), force)


@helper
def rotation_torque(m, d, b):
    """torque that rotates the body to refquat"""
    target = (d.perturb.refquat[0], d.perturb.refquat[1], d.perturb.refquat[2], d.perturb.refquat[3])
    offset = quat_to_rotation_vector(mul_quat(target, conjugate(get4(d.xquat, b))))
    velocity = (d.cvel[b, 0], d.cvel[b, 1], d.cvel[b, 2])
    return spring_damper(m.vis.map.stiffnessrot, effective_mass(m.body_invweight0[b, 1]), offset, velocity)


@kernel
def perturb_force(m, d):
    """(perturb.select, active, localpos, refselpos, refquat; xpos, cvel, ...) -> (perturb.xfrc)"""
    if not is_perturbed(m, d):
        return
    b = d.perturb.select
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if d.perturb.active & PERT_TRANSLATE:
        force, torque = translation_wrench(m, d, b)
    if d.perturb.active & PERT_ROTATE:
        torque = add3(torque, rotation_torque(m, d, b))
    for k in range(3):
        d.perturb.xfrc[k] = force[k]
        d.perturb.xfrc[3 + k] = torque[k]
