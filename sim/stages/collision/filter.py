"""Filters of body and geom pairs: weld and parent-child relations, contype and conaffinity, bounding spheres.

Discarded body pairs: welded together; both fixed; parent and child, unless the parent is fixed to the world; excluded;
incompatible masks (contype & conaffinity). Geom pairs: the same masks, then bounding spheres, or the height above a
plane. Explicit pairs skip all but the bounding spheres.
"""

from sim.enums import DSBL_FILTERPARENT, ENBL_OVERRIDE, GEOM_PLANE
from sim.jit import helper, inline
from sim.math.vec import dot3, get3, sub3


@inline
def body_collides(m, b):
    """Whether a body has a geom that collides."""
    return m.body_contype[b] != 0 or m.body_conaffinity[b] != 0


@inline
def bodies_match(m, b1, b2):
    """Whether the contype and conaffinity masks of two bodies, the unions over their geoms, are compatible."""
    return (m.body_contype[b1] & m.body_conaffinity[b2]) != 0 or (m.body_contype[b2] & m.body_conaffinity[b1]) != 0


@inline
def geoms_match(m, g1, g2):
    """Whether the contype and conaffinity masks of two geoms are compatible."""
    return (m.geom_contype[g1] & m.geom_conaffinity[g2]) != 0 or (m.geom_contype[g2] & m.geom_conaffinity[g1]) != 0


@inline
def geom_collides(m, g):
    """Whether a geom collides with anything."""
    return m.geom_contype[g] != 0 or m.geom_conaffinity[g] != 0


@inline
def is_fixed(m, b):
    """Whether no dof moves a body: the world, bodies welded to it, and mocap bodies."""
    return m.body_treeid[b] < 0


@inline
def related(m, b1, b2):
    """Whether two bodies cannot move relative to each other, or are parent and child and that is filtered."""
    w1, w2 = m.body_weldid[b1], m.body_weldid[b2]
    if w1 == w2 or (is_fixed(m, b1) and is_fixed(m, b2)):
        return True
    if w1 == 0 or w2 == 0 or m.opt.disableflags & DSBL_FILTERPARENT:
        return False
    return w1 == m.body_weldid[m.body_parentid[w2]] or w2 == m.body_weldid[m.body_parentid[w1]]


@inline
def signature(b1, b2):
    """Key of a body pair, b1 < b2, by which explicit pairs and exclusions are sorted."""
    return (b1 << 16) + b2


@inline
def unsigned(number):
    """A signature as stored in the Model, in signed 32 bits, as a nonnegative integer."""
    return number & 0xFFFFFFFF


@inline
def effective_margin(m, margin):
    """The margin, or its override."""
    return m.opt.o_margin if m.opt.enableflags & ENBL_OVERRIDE else margin


@inline
def height_over(d, plane, g):
    """Height of a geom's centre above a plane."""
    normal = (d.geom_xmat[plane, 2], d.geom_xmat[plane, 5], d.geom_xmat[plane, 8])
    return dot3(sub3(get3(d.geom_xpos, g), get3(d.geom_xpos, plane)), normal)


@helper
def within_reach(m, d, g1, g2, reach):
    """Whether the bounding spheres of two geoms are within reach; a plane has none: its rbound is 0."""
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
    """Distance below which two geoms make a contact, active or not: margin + gap."""
    return effective_margin(m, m.geom_margin[g1] + m.geom_margin[g2]) + (m.geom_gap[g1] + m.geom_gap[g2])
