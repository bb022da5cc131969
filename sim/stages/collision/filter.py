"""Who may touch whom.

Bodies: not two that are welded together or that no dof moves, nor a body and its parent (a body that hangs on the
world may touch the world), nor two that exclude each other; one has to ask for the other, contype & conaffinity.
Geoms: the same bits, then bounding spheres, or the distance from a plane. Explicit pairs skip all but the spheres.
"""

from sim.enums import DSBL_FILTERPARENT, ENBL_OVERRIDE, GEOM_PLANE
from sim.jit import helper, inline
from sim.math.vec import dot3, get3, sub3


@inline
def can_collide(m, b):
    """Whether a body touches anything at all."""
    return m.body_contype[b] != 0 or m.body_conaffinity[b] != 0


@inline
def bodies_ask(m, b1, b2):
    """Whether the geoms of two bodies ask for each other, taken together."""
    return (m.body_contype[b1] & m.body_conaffinity[b2]) != 0 or (m.body_contype[b2] & m.body_conaffinity[b1]) != 0


@inline
def geoms_ask(m, g1, g2):
    """Whether two geoms ask for each other."""
    return (m.geom_contype[g1] & m.geom_conaffinity[g2]) != 0 or (m.geom_contype[g2] & m.geom_conaffinity[g1]) != 0


@inline
def can_touch(m, g):
    """Whether a geom touches anything at all."""
    return m.geom_contype[g] != 0 or m.geom_conaffinity[g] != 0


@inline
def is_fixed(m, b):
    """Whether no dof moves a body: the world, what is welded to it, and what the user places."""
    return m.body_treeid[b] < 0


@inline
def related(m, b1, b2):
    """Whether two bodies cannot move against each other, or are parent and child and that matters."""
    w1, w2 = m.body_weldid[b1], m.body_weldid[b2]
    if w1 == w2 or (is_fixed(m, b1) and is_fixed(m, b2)):
        return True
    if w1 == 0 or w2 == 0 or m.opt.disableflags & DSBL_FILTERPARENT:
        return False
    return w1 == m.body_weldid[m.body_parentid[w2]] or w2 == m.body_weldid[m.body_parentid[w1]]


@inline
def signature(b1, b2):
    """The number under which pairs and exclusions of two bodies are kept, b1 < b2."""
    return (b1 << 16) + b2


@inline
def unsigned(number):
    """A signature as the Model stores it, in 32 bits that have a sign."""
    return number & 0xFFFFFFFF


@inline
def margin_of(m, margin):
    """The margin that counts."""
    return m.opt.o_margin if m.opt.enableflags & ENBL_OVERRIDE else margin


@inline
def height_over(d, plane, g):
    """Distance of a geom's centre from a plane."""
    normal = (d.geom_xmat[plane, 2], d.geom_xmat[plane, 5], d.geom_xmat[plane, 8])
    return dot3(sub3(get3(d.geom_xpos, g), get3(d.geom_xpos, plane)), normal)


@helper
def within_reach(m, d, g1, g2, reach):
    """Whether two geoms' bounding spheres are within reach of each other; a plane has none, hence no radius."""
    radius1, radius2 = m.geom_rbound[g1], m.geom_rbound[g2]
    if radius1 > 0.0 and radius2 > 0.0:
        apart = sub3(get3(d.geom_xpos, g1), get3(d.geom_xpos, g2))
        reach += radius1 + radius2
        return dot3(apart, apart) <= reach * reach
    if m.geom_type[g1] == GEOM_PLANE and radius2 > 0.0:
        return height_over(d, g1, g2) <= reach + radius2
    if m.geom_type[g2] == GEOM_PLANE and radius1 > 0.0:
        return height_over(d, g2, g1) <= reach + radius1
    return True


@inline
def geoms_reach(m, g1, g2):
    """Distance at which two geoms make a contact, be it one that does not act yet."""
    return margin_of(m, m.geom_margin[g1] + m.geom_margin[g2]) + (m.geom_gap[g1] + m.geom_gap[g2])
