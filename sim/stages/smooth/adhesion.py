"""Adhesion: a constant attractive force between the surfaces of a contact.

(contact, cdof) -> (qfrc_adhesion). A passive force along the contact normal at the contact point. The normal force of
the contact balances it, so the contact resists separation up to this force and has more friction.
"""

from sim.jit import helper, kernel
from sim.math.vec import get3, scale3
from sim.stages.smooth.jacobian import add_wrench


@helper
def clear_adhesion(m, d):
    """Set qfrc_adhesion to zero."""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qfrc_adhesion[v] = 0.0


@kernel(when=lambda m: bool(m.flg_adhesion))
def adhesion(m, d):
    """(contact.pos, contact.frame, contact.adhesion, cdof) -> (qfrc_adhesion)"""
    clear_adhesion(m, d)
    torque = (0.0, 0.0, 0.0)
    for c in range(d.ncon):
        force = d.contact.adhesion[c]
        if force == 0.0:
            continue
        normal = (d.contact.frame[c, 0], d.contact.frame[c, 1], d.contact.frame[c, 2])
        point = get3(d.contact.pos, c)
        b1, b2 = m.geom_bodyid[d.contact.geom[c, 0]], m.geom_bodyid[d.contact.geom[c, 1]]
        add_wrench(m, d, d.qfrc_adhesion, b1, point, scale3(normal, force), torque)
        add_wrench(m, d, d.qfrc_adhesion, b2, point, scale3(normal, -force), torque)
