"""Conditions on a model or an element for a difference between versions of MuJoCo: `versions.py` names them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from app.instruments.lockstep.elements import Element
from sim import Model
from sim.enums import (
    CAMLIGHT_TRACKCOM,
    DSBL_ISLAND,
    DYN_DCMOTOR,
    ENBL_SLEEP,
    EQ_WELD,
    GAIN_DCMOTOR,
    GAIN_SO3,
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SPHERE,
    INT_DISCRETE,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    JNT_BALL,
    JNT_FREE,
    OBJ_BODY,
    OBJ_CAMERA,
    OBJ_SITE,
    OBJ_XBODY,
    SENS_ACCELEROMETER,
    SENS_CONTACT,
    SENS_FORCE,
    SENS_FRAMELINACC,
    SENS_RANGEFINDER,
    SENS_TACTILE,
    SENS_TORQUE,
    SOL_NEWTON,
    SOL_PGS,
    WRAP_CYLINDER,
    WRAP_SITE,
    WRAP_SPHERE,
)

Applies = Callable[[Model, Element], bool]
IMPLICIT = (INT_IMPLICIT, INT_IMPLICITFAST)
# pairs of types with a collision function of their own; planes have one with every type
ANALYTIC = {
    frozenset(pair)
    for pair in (
        (GEOM_SPHERE, GEOM_SPHERE), (GEOM_SPHERE, GEOM_CAPSULE), (GEOM_SPHERE, GEOM_CYLINDER), (GEOM_SPHERE, GEOM_BOX),
        (GEOM_CAPSULE, GEOM_CAPSULE), (GEOM_CAPSULE, GEOM_BOX), (GEOM_BOX, GEOM_BOX),
    )
}  # fmt: skip
# MuJoCo's Jacobians are sparse from this number of dofs on, if the file leaves that open
SPARSE_FROM = 60
JACOBIAN_DENSE, JACOBIAN_SPARSE = 0, 1
# kg m²
SMALL_INERTIA = 1e-8
ACTUATORS = "motor|position|velocity|intvelocity|damper|cylinder|muscle|adhesion|dcmotor|pid"


# ---- contacts: of which types, within which margin


def _types(m: Model, element: Element) -> frozenset[int]:
    """The types of the geoms of a contact."""
    return frozenset(int(m.geom_type[index]) for kind, index in element.marks if kind == "geom")


def _contact_of(wanted: int, *others: int) -> Applies:
    """Whether a contact is one of a type with one of some others."""

    def applies(m: Model, element: Element) -> bool:
        types = _types(m, element)
        return wanted in types and bool((types - {wanted} or types) & set(others))

    return applies


cylinder_on_convex = _contact_of(
    GEOM_CYLINDER, GEOM_BOX, GEOM_MESH, GEOM_CYLINDER, GEOM_CAPSULE, GEOM_ELLIPSOID, GEOM_HFIELD
)
capsule_on_convex = _contact_of(GEOM_CAPSULE, GEOM_MESH, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_HFIELD)
capsule_on_capsule = _contact_of(GEOM_CAPSULE, GEOM_CAPSULE)
mesh_on_plane = _contact_of(GEOM_MESH, GEOM_PLANE)


def mesh_on_convex(m: Model, element: Element) -> bool:
    return GEOM_MESH in _types(m, element) and convex_pair(m, element)


def convex_pair(m: Model, element: Element) -> bool:
    """A pair that the general method for convex geoms collides."""
    types = _types(m, element)
    return bool(types) and GEOM_PLANE not in types and types not in ANALYTIC


def touching_faces(m: Model, element: Element) -> bool:
    """A convex pair of geoms that have faces or straight edges."""
    return convex_pair(m, element) and not _types(m, element) & {GEOM_SPHERE, GEOM_ELLIPSOID}


def convex_margin(m: Model, element: Element) -> bool:
    geoms = [index for kind, index in element.marks if kind == "geom"]
    return convex_pair(m, element) and float(np.asarray(m.geom_margin)[geoms].max(initial=0.0)) > 0


# ---- elements and their constants


def any_element(_: Model, __: Element) -> bool:
    return True


def mesh_geom(m: Model, element: Element) -> bool:
    return element.kind == "geom" and int(m.geom_type[element.index]) == GEOM_MESH


def small_inertia(m: Model, element: Element) -> bool:
    """A body whose inertia is near the precision of the old principal axes."""
    return element.kind == "body" and float(np.max(m.body_inertia[element.index])) < SMALL_INERTIA


def force_range(m: Model, element: Element) -> bool:
    return element.kind == "tendon" and bool(np.any(m.tendon_actfrcrange[element.index]))


def dc_motor(m: Model, element: Element) -> bool:
    if element.kind != "actuator":
        return False
    return (
        int(m.actuator_dyntype[element.index]) == DYN_DCMOTOR or int(m.actuator_gaintype[element.index]) == GAIN_DCMOTOR
    )


# ---- tendons


def _path(m: Model, element: Element) -> range:
    """The elements of the path of a tendon; of an actuator, those of all tendons."""
    if element.kind != "tendon":
        return range(0)
    first = int(m.tendon_adr[element.index])
    return range(first, first + int(m.tendon_num[element.index]))


def wraps(m: Model, element: Element) -> bool:
    """A tendon that wraps around a geom."""
    return any(int(m.wrap_type[place]) in (WRAP_SPHERE, WRAP_CYLINDER) for place in _path(m, element))


def side_site(m: Model, element: Element) -> bool:
    """A tendon that wraps around a geom on the side of a site."""
    around = (place for place in _path(m, element) if int(m.wrap_type[place]) in (WRAP_SPHERE, WRAP_CYLINDER))
    return any(float(m.wrap_prm[place]) >= 0 for place in around)


# ---- sensors


def _sensor_of(*types: int) -> Applies:
    """Whether an element is a sensor of some types."""
    return lambda m, element: element.kind == "sensor" and int(m.sensor_type[element.index]) in types


def force_sensor_with_weld_or_tendon(m: Model, element: Element) -> bool:
    if not _sensor_of(SENS_FORCE, SENS_TORQUE)(m, element):
        return False
    spatial = bool(np.isin(m.wrap_type, (WRAP_SITE, WRAP_SPHERE, WRAP_CYLINDER)).any())
    return spatial or bool((np.asarray(m.eq_type) == EQ_WELD).any())


tactile = _sensor_of(SENS_TACTILE)
contact_sensor = _sensor_of(SENS_CONTACT, SENS_TACTILE)


def static_accelerometer(m: Model, element: Element) -> bool:
    if not _sensor_of(SENS_ACCELEROMETER, SENS_FRAMELINACC)(m, element):
        return False
    kind, index = int(m.sensor_objtype[element.index]), int(m.sensor_objid[element.index])
    owners: dict[int, Any] = {OBJ_SITE: m.site_bodyid, OBJ_BODY: range(m.nbody), OBJ_XBODY: range(m.nbody)}
    body = int(owners.get(kind, m.geom_bodyid)[index])
    root = int(m.body_weldid[body])
    return root == 0 or int(m.body_mocapid[root]) >= 0


def camera_ray(m: Model, element: Element) -> bool:
    """A rangefinder of a camera, where there are geoms without contacts."""
    if not _sensor_of(SENS_RANGEFINDER)(m, element):
        return False
    untouched = (np.asarray(m.geom_contype) == 0) & (np.asarray(m.geom_conaffinity) == 0)
    return int(m.sensor_objtype[element.index]) == OBJ_CAMERA and bool(untouched.any())


# ---- cameras and lights


def follows_world(m: Model, element: Element) -> bool:
    """A camera or light of the world that follows the centre of mass of all bodies, where trees may sleep."""
    if element.kind not in ("camera", "light"):
        return False
    body, mode = (m.cam_bodyid, m.cam_mode) if element.kind == "camera" else (m.light_bodyid, m.light_mode)
    follows = int(mode[element.index]) == CAMLIGHT_TRACKCOM and int(body[element.index]) == 0
    return follows and bool(m.opt.enableflags & ENBL_SLEEP)


# ---- options


def rk4_with_quaternions(m: Model, _: Element) -> bool:
    return m.opt.integrator == INT_RK4 and bool(np.isin(m.jnt_type, (JNT_BALL, JNT_FREE)).any())


def implicit_ellipsoid_fluid(m: Model, _: Element) -> bool:
    fluid = m.opt.density > 0 or m.opt.viscosity > 0
    return m.opt.integrator in IMPLICIT and fluid and bool(np.any(np.asarray(m.geom_fluid)[:, 0]))


def implicit_force_range(m: Model, _: Element) -> bool:
    limited = bool(np.any(m.jnt_actfrclimited)) or bool(np.any(m.tendon_actfrclimited))
    return m.opt.integrator in IMPLICIT and limited


def limited_orientation(m: Model, _: Element) -> bool:
    """Orientation servos with a limited torque, in an integrator that is implicit in the forces of actuators."""
    limited = np.asarray(m.actuator_forcelimited, bool) & (np.asarray(m.actuator_gaintype) == GAIN_SO3)
    return m.opt.integrator in (*IMPLICIT, INT_DISCRETE) and bool(np.any(limited))


def stops_by_inertia(m: Model, _: Element) -> bool:
    """Solvers that stop by the mean inertia of the model: PGS, noslip, and any without islands."""
    return m.opt.solver == SOL_PGS or m.opt.noslip_iterations > 0 or bool(m.opt.disableflags & DSBL_ISLAND)


def sparse_newton(m: Model, _: Element) -> bool:
    sparse = m.opt.jacobian == JACOBIAN_SPARSE or (m.opt.jacobian != JACOBIAN_DENSE and m.nv >= SPARSE_FROM)
    return m.opt.solver == SOL_NEWTON and sparse


def sleeps(m: Model, _: Element) -> bool:
    """Whether trees sleep that tendons hold or brake, or that sensors with a history are about."""
    tendons = bool(np.any(m.tendon_limited)) or bool(np.any(np.asarray(m.tendon_frictionloss) > 0))
    return bool(m.opt.enableflags & ENBL_SLEEP) and (tendons or bool(np.any(m.sensor_history)))


# ---- what the file says


def _text(m: Model) -> str:
    """All MJCF that the model was read from, comments aside; kept with the model."""
    known = m.derived.get("lockstep_text")
    if known is None:
        parts = []
        for path in m.files:
            file = Path(path)
            if file.suffix.lower() in (".xml", ".mjcf") and file.is_file():
                parts.append(file.read_text(encoding="utf-8", errors="replace"))
        known = m.derived["lockstep_text"] = re.sub(r"<!--.*?-->", "", "\n".join(parts), flags=re.DOTALL)
    return str(known)


def _defaults(m: Model) -> str:
    """The default sections of the model's files."""
    return "\n".join(re.findall(r"<default\b.*</default>", _text(m), re.DOTALL))


def written(word: str) -> Applies:
    """Whether a word is in the model's files."""
    return lambda m, _: word in _text(m)


def actuator_defaults(m: Model, element: Element) -> bool:
    """Whether a default sets one of the shortcuts of actuators."""
    return element.kind == "actuator" and re.search(rf"<({ACTUATORS})\b", _defaults(m)) is not None


def default_orientation(m: Model, _: Element) -> bool:
    return re.search(r"\b(euler|axisangle|xyaxes|zaxis)\s*=", _defaults(m)) is not None
