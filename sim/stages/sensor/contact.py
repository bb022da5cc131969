"""Touch and contact sensors.

(contact, efc_force, cvel) -> (sensordata). touch: the sum of the normal forces on a body whose lines of action meet the
site's volume. contact: the contacts that match two objects, each given as a geom, body, subtree or site volume,
reduced to a fixed number of slots or to their net force; a slot has the data fields that the sensor selects.
A contact whose second geom is the sensor's first object is rotated by 180° about its second tangent, so that the
normal points away from the first object.
"""

from sim.enums import MINVAL, OBJ_BODY, OBJ_GEOM, OBJ_SITE, OBJ_UNKNOWN, OBJ_XBODY, SENS_CONTACT, SENS_TOUCH
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec
from sim.math.vec import add3, cross, dot3, get3, norm3, normalize3, scale3, sub3
from sim.stages.constraint.contact_force import local_wrench, normal_force, to_world
from sim.stages.sensor.reading import measures, put_reading, put_reading3
from sim.stages.sensor.zone import in_zone, ray_meets_zone
from sim.stages.smooth.jacobian import point_velocity

# how contacts are reduced to slots: by least distance, by largest force, to one net force; 0: in the order found
MINDIST, MAXFORCE, NETFORCE = 1, 2, 3

# data fields of a slot, in order: found, force, torque, dist, pos, normal, tangent, linvel, angvel
NFIELD = 9
FIELD_SIZE = (1, 3, 3, 1, 3, 3, 3, 3, 3)


@inline
def body_at(m, d, c, side):
    """The body of one of the two geoms of a contact."""
    return m.geom_bodyid[d.contact.geom[c, side]]


# ---------------------------------------------------------------- touch


@kernel(when=measures(SENS_TOUCH), exact=True)
def touch(m, d, s: int):
    """(contact, efc_force, site_xpos, site_xmat) -> (sensordata)"""
    site = m.sensor_objid[s]
    b = m.site_bodyid[site]
    total = 0.0
    for c in range(d.ncon):
        second = body_at(m, d, c, 1) == b
        if d.contact.efc_address[c] < 0 or not (second or body_at(m, d, c, 0) == b):
            continue
        force = normal_force(m, d, c)
        if force <= 0.0:
            continue
        # ray from the contact point, against the force on the body
        direction = normalize3(scale3(get3(d.contact.frame, c), -force if second else force))
        if ray_meets_zone(m, d, site, get3(d.contact.pos, c), direction):
            total += force
    put_reading(m, d, s, 0, total)


# ---------------------------------------------------------------- which contacts match


@helper
def is_part(m, kind, i, body, geom):
    """Whether a geom of a contact belongs to an object; always for a site, which is tested before, and for none."""
    if kind == OBJ_GEOM:
        return geom == i
    if kind == OBJ_BODY:
        return body == i
    if kind == OBJ_XBODY:
        while body > i:
            body = m.body_parentid[body]
        return body == i
    return True


@helper
def match_direction(m, d, s, c):
    """1 if a contact matches the objects of a sensor, -1 if it matches them in reverse order, else 0."""
    kind1, i1, kind2, i2 = m.sensor_objtype[s], m.sensor_objid[s], m.sensor_reftype[s], m.sensor_refid[s]
    if kind1 == OBJ_SITE and not in_zone(m, d, i1, get3(d.contact.pos, c)):
        return 0
    g1, g2 = d.contact.geom[c, 0], d.contact.geom[c, 1]
    b1, b2 = body_at(m, d, c, 0), body_at(m, d, c, 1)
    first_in_1, first_in_2 = is_part(m, kind1, i1, b1, g1), is_part(m, kind1, i1, b2, g2)
    second_in_1, second_in_2 = is_part(m, kind2, i2, b1, g1), is_part(m, kind2, i2, b2, g2)
    if kind1 == OBJ_UNKNOWN and kind2 == OBJ_UNKNOWN:
        return 1
    if kind2 == OBJ_UNKNOWN:
        return 1 if first_in_1 else (-1 if first_in_2 else 0)
    if kind1 == OBJ_UNKNOWN:
        return 1 if second_in_2 else (-1 if second_in_1 else 0)
    if first_in_1 and second_in_2:
        return 1
    return -1 if first_in_2 and second_in_1 else 0


@helper
def find_matches(m, d, s):
    """(contact) -> (match): the contacts that match a sensor; returns their number"""
    order = m.sensor_intprm[s, 1]
    n = 0
    for c in range(d.ncon):
        direction = match_direction(m, d, s, c)
        if direction == 0:
            continue
        d.match.contact[n] = c
        d.match.flip[n] = 1 if direction < 0 else 0
        if order == MINDIST:
            d.match.key[n] = d.contact.dist[c]
        elif order == MAXFORCE:
            force, _ = local_wrench(m, d, c)
            d.match.key[n] = -dot3(force, force)
        n += 1
    return n


@inline
def swap_matches(d, i, j):
    c, flip, key = d.match.contact[i], d.match.flip[i], d.match.key[i]
    d.match.contact[i] = d.match.contact[j]
    d.match.flip[i] = d.match.flip[j]
    d.match.key[i] = d.match.key[j]
    d.match.contact[j] = c
    d.match.flip[j] = flip
    d.match.key[j] = key


@helper
def select_smallest(d, n, slots):
    """Partial selection sort: the matches with the smallest keys come first; ties go to the earlier contact."""
    for i in range(slots):
        best = i
        for j in range(i + 1, n):
            key, least = d.match.key[j], d.match.key[best]
            if key < least or (key == least and d.match.contact[j] < d.match.contact[best]):
                best = j
        if best != i:
            swap_matches(d, i, best)


# ---------------------------------------------------------------- slots


@inline
def has_field(fields, k):
    """Whether a slot has data field k."""
    return fields & (1 << k) != 0


@helper
def put_field(m, d, s, fields, k, slot, v):
    """Write data field k of a slot, if the sensor selects it."""
    if not has_field(fields, k):
        return
    size, at = 0, 0
    for j in range(NFIELD):
        if has_field(fields, j):
            at += FIELD_SIZE[j] if j < k else 0
            size += FIELD_SIZE[j]
    if FIELD_SIZE[k] == 1:
        put_reading(m, d, s, slot * size + at, v[0])
    else:
        put_reading3(m, d, s, slot * size + at, v)


@helper
def relative_velocity(m, d, c):
    """(linear, angular) velocity of the second body at a contact, relative to the first, in the contact's frame."""
    point, frame = get3(d.contact.pos, c), get9(d.contact.frame, c)
    w1, v1 = point_velocity(m, d, body_at(m, d, c, 0), point)
    w2, v2 = point_velocity(m, d, body_at(m, d, c, 1), point)
    return mat_vec(frame, sub3(v2, v1)), mat_vec(frame, sub3(w2, w1))


@helper
def put_contact(m, d, s, slot, n):
    """Write one contact to its slot."""
    fields, c = m.sensor_intprm[s, 0], d.match.contact[slot]
    # rotated about the second tangent and negated, a wrench changes only in that component
    sign = -1.0 if d.match.flip[slot] else 1.0
    put_field(m, d, s, fields, 0, slot, (float(n), 0.0, 0.0))
    if has_field(fields, 1) or has_field(fields, 2):
        force, torque = local_wrench(m, d, c)
        put_field(m, d, s, fields, 1, slot, (force[0], force[1], sign * force[2]))
        put_field(m, d, s, fields, 2, slot, (torque[0], torque[1], sign * torque[2]))
    put_field(m, d, s, fields, 3, slot, (d.contact.dist[c], 0.0, 0.0))
    put_field(m, d, s, fields, 4, slot, get3(d.contact.pos, c))
    put_field(m, d, s, fields, 5, slot, scale3(get3(d.contact.frame, c), sign))
    tangent = (d.contact.frame[c, 3], d.contact.frame[c, 4], d.contact.frame[c, 5])
    put_field(m, d, s, fields, 6, slot, scale3(tangent, sign))
    if has_field(fields, 7) or has_field(fields, 8):
        v, w = relative_velocity(m, d, c)
        put_field(m, d, s, fields, 7, slot, (v[0], v[1], sign * v[2]))
        put_field(m, d, s, fields, 8, slot, (w[0], w[1], sign * w[2]))


@helper
def put_sum(m, d, s, n):
    """Write the net wrench of all contacts, in world axes, at the force-weighted mean of their positions."""
    fields = m.sensor_intprm[s, 0]
    point, weight = (0.0, 0.0, 0.0), 0.0
    for i in range(n):
        force, _ = local_wrench(m, d, d.match.contact[i])
        point = add3(point, scale3(get3(d.contact.pos, d.match.contact[i]), norm3(force)))
        weight += norm3(force)
    point = scale3(point, 1.0 / max(weight, MINVAL))
    total, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(n):
        c = d.match.contact[i]
        sign = -1.0 if d.match.flip[i] else 1.0
        force, torque = local_wrench(m, d, c)
        force, torque = scale3(to_world(d, c, force), sign), scale3(to_world(d, c, torque), sign)
        total = add3(total, force)
        moment = add3(moment, add3(torque, cross(sub3(get3(d.contact.pos, c), point), force)))
    put_field(m, d, s, fields, 0, 0, (float(n), 0.0, 0.0))
    put_field(m, d, s, fields, 1, 0, total)
    put_field(m, d, s, fields, 2, 0, moment)
    put_field(m, d, s, fields, 4, 0, point)
    put_field(m, d, s, fields, 5, 0, (1.0, 0.0, 0.0))
    put_field(m, d, s, fields, 6, 0, (0.0, 1.0, 0.0))


@kernel(when=measures(SENS_CONTACT), exact=True)
def contacts(m, d, s: int):
    """(contact, efc_force, cvel) -> (match, sensordata)"""
    for k in range(m.sensor_dim[s]):
        put_reading(m, d, s, k, 0.0)
    order = m.sensor_intprm[s, 1]
    n = find_matches(m, d, s)
    if order == NETFORCE:
        if n > 0:
            put_sum(m, d, s, n)
        return
    slots = min(n, m.sensor_intprm[s, 2])
    if order == MINDIST or order == MAXFORCE:
        select_smallest(d, n, slots)
    for slot in range(slots):
        put_contact(m, d, s, slot, n)
