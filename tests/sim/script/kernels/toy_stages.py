"""Kernels and helpers that use fields in every way that the index has to see; the comments say what each line does."""

from sim.jit import helper, inline, kernel


@inline
def put(a, i, v):
    """Writes its first argument, and reads nothing in it."""
    a[i] = v


@helper
def put_twice(a, i, v):
    """Writes through another helper."""
    put(a, i, v)
    put(a, i + 1, v)


@helper
def total(a):
    """Reads its argument."""
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


@helper
def deepen(contacts, c):
    """Reads and writes a field of a group that it is given."""
    contacts.dist[c] -= 0.1


@helper
def part(m, d):
    """Names a field itself."""
    d.qvel[0] = m.opt.timestep


@kernel
def stage(m, d, n: int):
    """(qpos, ...) -> (qacc, ...)"""
    d.qacc[n] = d.qpos[n]  # writes qacc, reads qpos
    d.time += m.opt.timestep  # reads and writes time, reads timestep
    put(d.xpos, n, 0.0)  # writes xpos
    put_twice(d.ctrl, m.nu, total(d.act))  # writes ctrl, reads nu and act
    forces = d.qfrc_passive  # nothing yet
    forces[n] = 1.0  # writes qfrc_passive
    deepen(d.contact, d.ncon)  # reads and writes contact.dist, reads ncon
    x, d.energy[0] = d.cvel[0, 0], 2.0  # reads cvel, writes energy
    target = d.qfrc_bias if x > 0.0 else d.qfrc_spring  # nothing yet
    target[0] = d.dof_island[d.nefc]  # writes either, reads dof_island and nefc
    if len(d.efc_force) > n:  # nothing: an extent is not a number in it
        part(m, d)  # nothing: that names the fields itself
