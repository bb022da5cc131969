"""Potential energy of gravity and springs, and kinetic energy.

(xipos, qpos, ten_length) -> (energy[0]) = -Σ m g·x + Σ (k x²/2 + p₀ x³/3 + p₁ x⁴/4);
(M, qvel) -> (energy[1]) = qvelᵀ M qvel / 2.
Computed if the energy flag is set or a sensor needs it, zero otherwise.
"""

from sim.enums import (
    DSBL_GRAVITY,
    DSBL_SPRING,
    ENBL_ENERGY,
    JNT_BALL,
    JNT_FREE,
    SENS_E_KINETIC,
    SENS_E_POTENTIAL,
)
from sim.jit import helper, inline, kernel
from sim.math.vec import norm3
from sim.stages.sensor.reading import measures
from sim.stages.smooth.inertia import need_inertia
from sim.stages.smooth.passive import ball_spring_rotation, spring_rotation
from sim.stages.smooth.tendon import tendon_displacement
from sim.state.plastic import joint_rest


@inline
def polynomial_spring_energy(x, k, p0, p1):
    """Energy of a spring at displacement x from rest."""
    return x * x * (k / 2.0 + x * (p0 / 3.0 + x * p1 / 4.0))


@helper
def spring_energy(m, j, x):
    """Energy of a joint spring at displacement x from rest."""
    return polynomial_spring_energy(x, m.jnt_stiffness[j], m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1])


@kernel(when=lambda m: m.opt.enableflags & ENBL_ENERGY or measures(SENS_E_POTENTIAL)(m))
def energy_pos(m, d):
    """(xipos, qpos, ten_length) -> (energy[0])"""
    total = 0.0
    if not m.opt.disableflags & DSBL_GRAVITY:
        for b in range(1, m.nbody):
            for k in range(3):
                total -= m.body_mass[b] * m.opt.gravity[k] * d.xipos[b, k]
    if not m.opt.disableflags & DSBL_SPRING:
        for j in range(m.njnt):
            a = m.jnt_qposadr[j]
            kind = m.jnt_type[j]
            if kind == JNT_FREE:
                x = d.qpos[a] - m.qpos_spring[a]
                y = d.qpos[a + 1] - m.qpos_spring[a + 1]
                z = d.qpos[a + 2] - m.qpos_spring[a + 2]
                total += spring_energy(m, j, norm3((x, y, z)))
                total += spring_energy(m, j, norm3(spring_rotation(m, d, a + 3)))
            elif kind == JNT_BALL:
                total += spring_energy(m, j, norm3(ball_spring_rotation(m, d, j)))
            else:
                total += spring_energy(m, j, d.qpos[a] - joint_rest(m, d, j))
        for t in range(m.ntendon):
            p0, p1 = m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1]
            total += polynomial_spring_energy(tendon_displacement(m, d, t), m.tendon_stiffness[t], p0, p1)
    d.energy[0] = total
    d.flg_energypos = True


@kernel(when=lambda m: m.opt.enableflags & ENBL_ENERGY or measures(SENS_E_KINETIC)(m))
def energy_vel(m, d):
    """(M, qvel) -> (energy[1])"""
    need_inertia(m, d)
    total = 0.0
    for v in range(m.nv):
        row = m.M_rowadr[v]
        diagonal = row + m.M_rownnz[v] - 1
        off_diagonal = 0.0
        for k in range(row, diagonal):
            off_diagonal += d.M[k] * d.qvel[m.M_colind[k]]
        total += d.qvel[v] * (off_diagonal + 0.5 * d.M[diagonal] * d.qvel[v])
    d.energy[1] = total


@helper
def invalidate_energy(d):
    """Mark the potential energy as out of date."""
    d.flg_energypos = False


@helper
def clear_energy(d):
    """Set both energies to zero, unless a sensor computed the potential energy."""
    if not d.flg_energypos:
        d.energy[0] = 0.0
        d.energy[1] = 0.0
