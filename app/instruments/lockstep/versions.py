"""Differences that are MuJoCo's own: what versions before the one that Kinetoscope follows do, and its defects.

A row says before which version, at which stage and in which fields, and for which elements of which models. A
difference is explained only if every element that differs has what the row is about. Rows were measured with the
version before and the one named, on models made for them; those of sleep and of the sparse solver are as MuJoCo says.
What versions after the one that is followed do is not known: they explain nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.instruments.lockstep import features
from app.instruments.lockstep.compare import Difference
from app.instruments.lockstep.stages import CONSTANTS, CONTACTS, SOLVER, STEP
from app.run.engine.installed import FOLLOWED
from sim import Model

# constants -> those that the compiler computes from them
DERIVED = {
    "body_inertia": (
        "stat.meaninertia", "dof_M0", "dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_acc0",
        "dof_damping", "jnt_stiffness", "tendon_damping", "tendon_stiffness", "dof_length", "actuator_biasprm",
        "actuator_lengthrange", "body_ipos", "body_simple", "body_sameframe",
        "geom_sameframe", "site_sameframe",
    ),
    "geom_rbound": ("stat.extent", "stat.center", "stat.meansize", "dof_length", "geom_fluid"),
    "tendon_length0": ("tendon_lengthspring", "tendon_invweight0", "actuator_length0", "actuator_acc0",
                       "actuator_lengthrange", "actuator_gainprm", "actuator_biasprm"),
}  # fmt: skip
DERIVED |= {"body_iquat": DERIVED["body_inertia"], "geom_pos": DERIVED["geom_rbound"]}


@dataclass(frozen=True)
class Change:
    """What MuJoCo does before a version: what, at which stages, in which models and for which elements.

    `fields` are all of the stage if there are none; `since` is the version that began it, if older ones do not; it
    explains no element whose error is above `most`.
    """

    before: str
    what: str
    stages: tuple[str, ...]
    applies: features.Applies
    fields: tuple[str, ...] = ()
    since: str = ""
    most: float = float("inf")

    def concerns(self, version: str, stage: str, field: str) -> bool:
        """Whether a version does it, and it is about a field of a stage."""
        known = numbers(self.since) <= numbers(version) < numbers(self.before)
        return known and stage in self.stages and (not self.fields or field in self.fields)

    @property
    def text(self) -> str:
        """As it is said to people."""
        return f"{f'from {self.since} on, ' if self.since else ''}before {self.before}: {self.what}"


SENSORS, TENDONS = ("sensors",), ("tendons",)
CHANGES = (
    Change("3.13", "cylinder contacts are found one by one, not for a whole face at once", (CONTACTS,),
           features.cylinder_on_convex),
    Change("3.13", "contacts between a mesh and a plane are chosen differently", (CONTACTS,), features.mesh_on_plane),
    Change("3.13", "depths of tactile sensors", SENSORS, features.tactile),
    Change("3.14", "principal axes of inertia are less precise", (CONSTANTS,), features.any_element,
           ("body_iquat", "body_inertia"), most=0.05),
    Change("3.14", "principal axes of small inertias are not recomputed", (CONSTANTS,),
           features.small_inertia, ("body_iquat", "body_inertia")),
    Change("3.14", "the principal axes of a mesh, and so its frame and bounding sphere, are less precise",
           (CONSTANTS,), features.mesh_geom, ("geom_pos", "geom_quat", "geom_rbound")),
    Change("3.14", "a tendon with actuatorfrcrange is limited only if the file says so", (CONSTANTS,),
           features.force_range, ("tendon_actfrclimited",)),
    Change("3.14", "force and torque sensors miss the torque of welds and the forces of spatial tendons", SENSORS,
           features.force_sensor_with_weld_or_tendon),
    Change("3.14", "derivatives of fluid forces on ellipsoids", (STEP,), features.implicit_ellipsoid_fluid),
    Change("3.15", "dampratio uses the inertia at rest, not the inertia seen by the actuator, (J M⁻¹ Jᵀ)⁻¹",
           (CONSTANTS,), features.written("dampratio"), ("actuator_biasprm",)),
    Change("3.15", "capsule contacts are found one by one, not for a whole face at once", (CONTACTS,),
           features.capsule_on_convex),
    Change("3.16", "actuators do not declare what their controls mean", (CONSTANTS,), features.any_element,
           ("actuator_ctrlspec",)),
    Change("3.16", "actuators also inherit gains from defaults of other actuator types", (CONSTANTS,),
           features.actuator_defaults,
           ("actuator_gainprm", "actuator_biasprm", "actuator_dynprm", "actuator_gaintype", "actuator_biastype",
            "actuator_dyntype", "actuator_ctrllimited", "actuator_ctrlrange", "actuator_forcelimited",
            "actuator_forcerange")),
    Change("3.16", "another orientation in a default overrides the element's own quat", (CONSTANTS,),
           features.default_orientation,
           ("body_quat", "geom_quat", "site_quat", "cam_quat", "body_iquat", "cam_mat0", "geom_sameframe",
            "site_sameframe")),
    Change("3.16", "contact and tactile sensors are computed in a later stage than necessary",
           (CONSTANTS, *SENSORS), features.contact_sensor, ("sensor_needstage", "sensordata")),
    Change("3.17", "parallel capsules touch at different points", (CONTACTS,), features.capsule_on_capsule),
    Change("3.16", "replicate copies keyframes", (CONSTANTS,), features.written("<replicate"),
           ("nkey", "key_time", "key_qpos", "key_qvel", "key_act", "key_ctrl", "key_mpos", "key_mquat")),
    Change("3.17", (
        "solver tolerances are scaled by stat.meaninertia, not by the trace of the mass matrix"
    ), (SOLVER, STEP, "sensors"),
           features.stops_by_inertia),
    Change("3.17", "contacts within a margin are found one by one, not for a whole face at once", (CONTACTS,),
           features.convex_margin),
    Change("3.17", "mesh polygon normals are computed from three corners, not from the whole outline", (CONTACTS,),
           features.mesh_on_convex),
    Change("4.0", "sidesite: the tendon takes the side where the site is, not the path through the site",
           (CONSTANTS, *TENDONS), features.side_site, ("ten_length", "ten_J", "tendon_length0")),
    Change("4.0", "tendons that start to wrap, numerically", (CONSTANTS, *TENDONS), features.wraps,
           ("ten_length", "ten_J", "tendon_length0"), most=1e-5),
    Change("4.0", "RK4 has lower order for ball and free joints", (STEP,), features.rk4_with_quaternions),
    Change("4.0", "actuators saturated by actuatorfrcrange have derivatives", (STEP,),
           features.implicit_force_range),
    Change("4.0", "different faces and edges of two geoms count as touching", (CONTACTS,),
           features.touching_faces),
    Change("4.0", "convex collisions, numerically", (CONTACTS,), features.convex_pair, most=0.05),
    Change("4.0", "accelerometer and framelinacc of static bodies do not show gravity", SENSORS,
           features.static_accelerometer),
    Change("4.0", "sleep: tendon limits, friction and sensors with a history", ("rows", SOLVER, STEP, "sensors"),
           features.sleeps),
    Change("4.0", "parameters of dcmotor", (CONSTANTS,), features.dc_motor,
           ("actuator_dynprm", "actuator_gainprm", "actuator_biasprm", "actuator_forcerange", "actuator_forcelimited")),
    # defects of the version that is followed, which Kinetoscope does not have
    Change("4.0.1", "faces that the side of a cylinder meets at an edge count as opposite", (CONTACTS,),
           features.cylinder_on_convex, since="3.13"),
    Change("4.0.1", "a wrong Hessian in the sparse Newton solver", (SOLVER, STEP, "sensors"),
           features.sparse_newton, since="4.0"),
    Change("4.0.1", "sleep: world cameras and lights that track the total centre of mass stay in place",
           ("cameras",), features.follows_world, ("cam_xpos", "light_xpos"), since="4.0"),
    Change("4.0.1", "rounding decides whether an orientation servo at its forcerange counts as saturated",
           ("acceleration", "rows", SOLVER, STEP, "sensors"), features.limited_orientation, since="4.0"),
    Change("4.0.1", "camera rays miss geoms without contacts, unless the bounding box of other geoms contains them",
           SENSORS, features.camera_ray, ("sensordata",), since="4.0"),
)  # fmt: skip


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version: "4.0.0" -> (4, 0, 0)."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def newer(version: str) -> str:
    """What to say about a version after the one that is followed; empty for the others."""
    if numbers(version) <= numbers(FOLLOWED):
        return ""
    return f"MuJoCo {version} is newer than {FOLLOWED}, which Kinetoscope follows; its changes are not known here"


def explain(m: Model, version: str, stage: str, differences: Sequence[Difference]) -> tuple[str, ...]:
    """The rows that explain all differences of a stage; none if one is left unexplained."""
    found: dict[str, None] = {}
    explained: set[str] = set()
    left: list[Difference] = []
    for difference in differences:
        reasons = _reasons(m, version, stage, difference)
        if reasons:
            explained.add(difference.field)
            found |= dict.fromkeys(reasons)
        else:
            left.append(difference)
    derived = {name for field in explained for name in DERIVED.get(field, ())} if stage == CONSTANTS else set()
    if any(difference.field not in derived for difference in left):
        return ()
    return tuple(change.text for change in CHANGES if change.text in found)


def _reasons(m: Model, version: str, stage: str, difference: Difference) -> list[str]:
    """The rows that explain a field: each of its elements has one."""
    changes = [change for change in CHANGES if change.concerns(version, stage, difference.field)]
    found: dict[str, None] = {}
    pairs = zip(difference.elements, difference.errors, strict=True)
    for element, error in pairs if difference.elements else ((difference.element, difference.error),):
        reasons = [change.text for change in changes if error <= change.most and change.applies(m, element)]
        if not reasons:
            return []
        found |= dict.fromkeys(reasons)
    return [*found]
