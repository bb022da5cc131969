"""Adhesion: the constant force that holds the surfaces of a contact together.

(contact, cdof) -> (qfrc_adhesion). It is passive, and pulls along the normal at the contact's point; what pushes
back is the contact's rows, which thereby can hold up to this force and rub the harder for it.
"""

from sim.jit import helper, kernel
from sim.math.vec import get3, scale3
from sim.stages.smooth.jacobian import add_wrench


@helper
def no_adhesion(m, d):
    """Nothing sticks."""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qfrc_adhesion[v] = 0.0


@kernel(when=lambda m: bool(m.flg_adhesion))
def adhesion(m, d):
    """(contact.pos, contact.frame, contact.adhesion, cdof) -> (qfrc_adhesion)"""
    no_adhesion(m, d)
    torque = (0.0, 0.0, 0.0)
    for c in range(d.ncon):
        pull = d.contact.adhesion[c]
        if pull == 0.0:
            continue
        normal = (d.contact.frame[c, 0], d.contact.frame[c, 1], d.contact.frame[c, 2])
        point = get3(d.contact.pos, c)
        b1, b2 = m.geom_bodyid[d.contact.geom[c, 0]], m.geom_bodyid[d.contact.geom[c, 1]]
        add_wrench(m, d, d.qfrc_adhesion, b1, point, scale3(normal, pull), torque)
        add_wrench(m, d, d.qfrc_adhesion, b2, point, scale3(normal, -pull), torque)
