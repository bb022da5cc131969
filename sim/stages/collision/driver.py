"""The collision stage: broad, mid and narrow phase, and the dispatch of geom pairs to collision functions.

(geom_xpos, geom_xmat, xipos, ximat) -> (contact, ncon). Visits body pairs in order, with explicit geom pairs merged in;
for each body pair the geom pairs that may touch; for each geom pair its contact manifold. A model compiles only the
collision functions that its geom types need.
"""

from sim.enums import (
    DSBL_CONSTRAINT,
    DSBL_CONTACT,
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SPHERE,
)
from sim.jit import helper, kernel
from sim.stages.collision.box import box_box
from sim.stages.collision.broadphase import broadphase
from sim.stages.collision.capsule import capsule_box, capsule_capsule
from sim.stages.collision.contact import add_contacts
from sim.stages.collision.convex import convex_convex, plane_convex
from sim.stages.collision.filter import effective_margin, geoms_reach, signature, unsigned, within_reach
from sim.stages.collision.hfield import hfield_convex
from sim.stages.collision.hook import filtered, hooks, passes_masks, user_manifold
from sim.stages.collision.midphase import is_explicit, midphase
from sim.stages.collision.plane import plane_box, plane_capsule, plane_cylinder, plane_ellipsoid, plane_sphere
from sim.stages.collision.primitive import sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere
from sim.stages.sleep.awake import neither_awake, sleeps
from sim.state.capacity import require_contacts

# kernels have no function tables, so the table of collision functions is a ladder of ifs


@helper
def with_plane(m, d, g1, g2, geom_type, margin):
    if geom_type == GEOM_SPHERE:
        return plane_sphere(m, d, g1, g2, margin)
    if geom_type == GEOM_CAPSULE:
        return plane_capsule(m, d, g1, g2, margin)
    if geom_type == GEOM_ELLIPSOID:
        return plane_ellipsoid(m, d, g1, g2, margin)
    if geom_type == GEOM_CYLINDER:
        return plane_cylinder(m, d, g1, g2, margin)
    if geom_type == GEOM_BOX:
        return plane_box(m, d, g1, g2, margin)
    if geom_type == GEOM_MESH:
        return plane_convex(m, d, g1, g2, margin)
    return 0


@helper
def with_sphere(m, d, g1, g2, geom_type, margin):
    if geom_type == GEOM_SPHERE:
        return sphere_sphere(m, d, g1, g2, margin)
    if geom_type == GEOM_CAPSULE:
        return sphere_capsule(m, d, g1, g2, margin)
    if geom_type == GEOM_CYLINDER:
        return sphere_cylinder(m, d, g1, g2, margin)
    if geom_type == GEOM_BOX:
        return sphere_box(m, d, g1, g2, margin)
    return convex_convex(m, d, g1, g2, margin)


@helper
def with_capsule(m, d, g1, g2, geom_type, margin):
    if geom_type == GEOM_CAPSULE:
        return capsule_capsule(m, d, g1, g2, margin)
    if geom_type == GEOM_BOX:
        return capsule_box(m, d, g1, g2, margin)
    return convex_convex(m, d, g1, g2, margin)


@helper
def narrowphase(m, d, g1, g2, margin):
    """Contact manifold of two geoms, the type of the first not greater than that of the second; returns its size."""
    type1, type2 = m.geom_type[g1], m.geom_type[g2]
    if type2 > GEOM_MESH:
        return 0
    if type1 == GEOM_PLANE:
        return with_plane(m, d, g1, g2, type2, margin)
    if type1 == GEOM_HFIELD:
        return hfield_convex(m, d, g1, g2, margin) if type2 > GEOM_HFIELD else 0
    if type1 == GEOM_SPHERE:
        return with_sphere(m, d, g1, g2, type2, margin)
    if type1 == GEOM_CAPSULE:
        return with_capsule(m, d, g1, g2, type2, margin)
    if type1 == GEOM_BOX and type2 == GEOM_BOX:
        return box_box(m, d, g1, g2, margin)
    return convex_convex(m, d, g1, g2, margin)


@helper
def find_manifold(m, d, g1, g2, margin):
    """Contact manifold of two geoms, by the user's routine if there is one for their types; returns its size."""
    npoint = -1
    if d.hooked != 0:
        npoint = user_manifold(m, d, g1, g2, margin)
    return npoint if npoint >= 0 else narrowphase(m, d, g1, g2, margin)


@helper
def collide_geoms(m, d, g1, g2, ncon):
    """Contacts of two geoms that passed all filters."""
    if m.geom_type[g1] > m.geom_type[g2]:
        g1, g2 = g2, g1
    if filtered(m, d, g1, g2):
        return ncon
    npoint = find_manifold(m, d, g1, g2, geoms_reach(m, g1, g2))
    if npoint == 0:
        return ncon
    return add_contacts(m, d, g1, g2, -1, effective_margin(m, m.geom_margin[g1] + m.geom_margin[g2]), npoint, ncon)


@helper
def collide_pair(m, d, p, ncon):
    """Contacts of an explicit pair."""
    g1, g2 = m.pair_geom1[p], m.pair_geom2[p]
    if m.geom_type[g1] > m.geom_type[g2]:
        g1, g2 = g2, g1
    if sleeps(m) and neither_awake(d, m.geom_bodyid[g1], m.geom_bodyid[g2]):
        return ncon
    margin = effective_margin(m, m.pair_margin[p])
    reach = margin + m.pair_gap[p]
    if not within_reach(m, d, g1, g2, reach):
        return ncon
    npoint = find_manifold(m, d, g1, g2, reach)
    return add_contacts(m, d, g1, g2, p, margin, npoint, ncon)


@helper
def collide_bodies(m, d, b1, b2, first, last, ncon):
    """Contacts of two bodies, without explicit pairs, which are in a range."""
    if m.body_geomnum[b1] == 1 and m.body_geomnum[b2] == 1:
        g1, g2 = m.body_geomadr[b1], m.body_geomadr[b2]
        if passes_masks(m, d, g1, g2) and within_reach(m, d, g1, g2, geoms_reach(m, g1, g2)):
            if not is_explicit(m, g1, g2, first, last):
                ncon = collide_geoms(m, d, g1, g2, ncon)
        return ncon
    end = midphase(m, d, b1, b2, first, last)
    for i in range(d.nnear, end):
        ncon = collide_geoms(m, d, d.near.first[i], d.near.second[i], ncon)
    return ncon


@helper
def collide_all(m, d):
    """Contacts of all pairs of bodies and of all explicit pairs; returns how many there would be in all."""
    ncon, pair, exclusion = 0, 0, 0
    for i in range(d.nnear):
        b1, b2 = d.near.first[i], d.near.second[i]
        sig = signature(b1, b2)
        # explicit pairs with signatures up to this one
        first = pair
        while pair < m.npair and unsigned(m.pair_signature[pair]) <= sig:
            ncon = collide_pair(m, d, pair, ncon)
            pair += 1
        while exclusion < m.nexclude and unsigned(m.exclude_signature[exclusion]) < sig:
            exclusion += 1
        if exclusion == m.nexclude or unsigned(m.exclude_signature[exclusion]) != sig:
            ncon = collide_bodies(m, d, b1, b2, first, pair, ncon)
    for p in range(pair, m.npair):
        ncon = collide_pair(m, d, p, ncon)
    return ncon


@kernel(exact=True)
def collision(m, d):
    """(geom_xpos, geom_xmat, xipos, ximat) -> (contact, ncon)"""
    d.ncon = 0
    if m.opt.disableflags & (DSBL_CONSTRAINT | DSBL_CONTACT) or m.nbody < 2:
        return
    d.hooked = hooks(m, d)
    broadphase(m, d)
    if d.required.nnear > 0:
        return
    ncon = collide_all(m, d)
    if ncon > len(d.contact.dist):
        require_contacts(d, ncon)
        return
    d.ncon = ncon
