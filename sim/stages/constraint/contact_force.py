"""Contact forces as wrenches in the contact frame, and wrenches on bodies.

(efc_force, contact) -> (force, torque) in the frame of a contact, normal first. A pyramidal cone is spanned by pairs of
edges n ± μᵢ tᵢ: the normal force is the sum over all edges, each friction force the difference of its pair times μᵢ.
Adhesion is subtracted: the normal force is negative where the surfaces pull on each other.
"""

from __future__ import annotations

from sim.enums import CONE_PYRAMIDAL
from sim.jit import helper, inline
from sim.math.spatial import add6, put6
from sim.math.vec import add3, cross, get3, scale3, sub3


@inline
def friction_force(m, d, c, k):
    """Component k, 1 to 5, of a contact's force and torque; 0 if the contact has no such row."""
    r = d.contact.efc_address[c]
    if k >= d.contact.dim[c]:
        return 0.0
    if m.opt.cone == CONE_PYRAMIDAL:
        return d.contact.friction[c, k - 1] * (d.efc_force[r + 2 * k - 2] - d.efc_force[r + 2 * k - 1])
    return d.efc_force[r + k]


@helper
def normal_force(m, d, c):
    """Normal force of a contact minus its adhesion; 0 if it has no constraint rows."""
    r = d.contact.efc_address[c]
    if r < 0:
        return 0.0
    total = d.efc_force[r]
    if m.opt.cone == CONE_PYRAMIDAL:
        for k in range(1, 2 * (d.contact.dim[c] - 1)):
            total += d.efc_force[r + k]
    return total - d.contact.adhesion[c]


@helper
def local_wrench(m, d, c):
    """(force, torque) of a contact in its frame, acting on the second geom."""
    if d.contact.efc_address[c] < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    force = (normal_force(m, d, c), friction_force(m, d, c, 1), friction_force(m, d, c, 2))
    return force, (friction_force(m, d, c, 3), friction_force(m, d, c, 4), friction_force(m, d, c, 5))


@inline
def to_world(d, c, v):
    """A vector from the frame of a contact to world coordinates."""
    f = d.contact.frame
    return (
        f[c, 0] * v[0] + f[c, 3] * v[1] + f[c, 6] * v[2],
        f[c, 1] * v[0] + f[c, 4] * v[1] + f[c, 7] * v[2],
        f[c, 2] * v[0] + f[c, 5] * v[1] + f[c, 8] * v[2],
    )


@helper
def add_body_wrench(m, d, out, b, point, force, torque, sign):
    """out[b] += a wrench at a point, moved to the tree's centre of mass; torque first."""
    if b == 0:
        return
    t = add3(torque, cross(sub3(point, get3(d.subtree_com, m.body_rootid[b])), force))
    t, f = scale3(t, sign), scale3(force, sign)
    old = (out[b, 0], out[b, 1], out[b, 2], out[b, 3], out[b, 4], out[b, 5])
    put6(out, b, add6(old, (t[0], t[1], t[2], f[0], f[1], f[2])))
