"""The table of stages in the order of the pipeline: which fields each computes, how they are compared, how closely.

A field is `name` or `name:way`; the ways are in `align.py`. The first stage that is out of tolerance is the one to look
at: those after it compute with its results.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sim.fields import MODEL_LAYOUT

CONSTANTS, CONTACTS, ROWS, SOLVER, STEP = "constants", "contacts", "rows", "solver", "step"


@dataclass(frozen=True)
class StageField:
    """A field of Model or Data, and how it is compared."""

    name: str
    way: str = "plain"


@dataclass(frozen=True)
class Stage:
    """Fields that are computed together; errors up to `tolerance` are rounding. `uses` names the stages before it whose
    results it uses."""

    name: str
    tolerance: float
    meaning: str
    uses: tuple[str, ...]
    fields: tuple[StageField, ...]


# stage | tolerance | what it does | the stages whose results it uses | fields
TABLE = """
kinematics   | 1e-10 | poses of bodies, joints, geoms and sites | - | xpos xquat:quat xmat xipos ximat:inertia xanchor
             | xaxis geom_xpos:mesh geom_xmat:mesh site_xpos site_xmat
cameras      | 1e-10 | poses of cameras and lights | kinematics | cam_xpos cam_xmat light_xpos light_xdir
tendons      | 1e-9  | lengths and moment arms of tendons | kinematics | ten_length ten_J:matrix
inertia      | 1e-10 | centres of mass, inertia matrix | kinematics tendons | subtree_com cinert cdof crb M:matrix
             | qLD:matrix qLDiagInv
contacts     | 1e-7  | collision detection | kinematics | contact:set contact.dist:contact contact.pos:contact
             | contact.frame:contact contact.includemargin:contact contact.friction:contact contact.solref:contact
             | contact.solreffriction:contact contact.solimp:contact contact.dim:contact
transmission | 1e-9  | lengths and moment arms of actuators | kinematics tendons contacts | actuator_length
             | actuator_moment:matrix
velocity     | 1e-9  | velocities of bodies, tendons, actuators | kinematics inertia tendons transmission | cvel
             | cdof_dot ten_velocity actuator_velocity
rows         | 1e-6  | constraint rows | inertia tendons contacts velocity | row:set efc_J:row efc_pos:row
             | efc_margin:row efc_frictionloss:row efc_diagA:row efc_D:row efc_R:row efc_vel:row efc_aref:row
passive      | 1e-9  | springs, dampers, fluid, compensation | kinematics inertia tendons velocity | qfrc_spring
             | qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive
bias         | 1e-9  | gravity, Coriolis and centripetal forces | inertia tendons velocity | qfrc_bias
actuation    | 1e-9  | activations and forces of actuators | transmission velocity passive | act_dot actuator_force
             | qfrc_actuator
acceleration | 1e-9  | acceleration without constraints | inertia passive bias actuation | qfrc_smooth qacc_smooth
solver       | 1e-5  | constraint forces, acceleration | rows acceleration | efc_force:row qfrc_constraint qacc
sensors      | 1e-5  | sensors and energy | * | sensordata energy
step         | 1e-7  | the integrator: the state after a step | solver acceleration actuation velocity | qpos qvel act
"""

# constants that say nothing about the physics, or that only the engine itself uses: names, paths, plugins, pictures,
# bounding volumes, the inner side of meshes, addresses in memory
LEFT_OUT = (
    "vis.", "tex_", "skin_", "bvh_", "mesh_", "text_", "hfield_pathadr", "ntex", "nskin", "nbvh", "nmesh", "ntext",
    "nM", "nB", "nC", "nD", "nJ", "B_", "D_", "mapM2D", "mapD2M", "mapM2M", "npolygonmax", "njmax", "nconmax",
    "light_texid", "body_plugin", "geom_plugin", "actuator_plugin", "sensor_plugin", "body_bvh", "opt.sdf_",
    "npath", "nnames", "key_ctrl0", "nmeshdegmax",
)  # fmt: skip
# constants that are not plain numbers
CONSTANT_WAYS = {
    "body_quat": "quat", "site_quat": "quat", "cam_quat": "quat", "body_iquat": "inertia", "body_inertia": "sorted",
    "geom_pos": "mesh", "geom_quat": "mesh", "geom_size": "no mesh", "geom_aabb": "no mesh",
    "geom_sameframe": "no mesh", "key_mquat": "plain",
}  # fmt: skip


def _constants() -> Stage:
    """Every constant that the compiler makes, except those that are left out."""
    names = [name for name in MODEL_LAYOUT.places if not name.startswith(LEFT_OUT)]
    # sizes first: where one differs, nothing else can be compared
    names.sort(key=lambda name: MODEL_LAYOUT.places[name].field.shape != () or "." in name)
    fields = tuple(StageField(name, CONSTANT_WAYS.get(name, "plain")) for name in names)
    return Stage(CONSTANTS, 1e-9, "the compiled model", (), fields)


def _parse(table: str) -> tuple[Stage, ...]:
    """The rows of the table; a line that starts with | continues the one before it."""
    stages: list[Stage] = []
    for line in table.strip().splitlines():
        parts = [part.strip() for part in line.split("|")]
        fields = tuple(StageField(*word.split(":")) for word in parts[-1].split())
        if parts[0]:
            known = [stage.name for stage in stages]
            uses = tuple(known if parts[3] == "*" else (name for name in parts[3].split() if name != "-"))
            stages.append(Stage(parts[0], float(parts[1]), parts[2], uses, fields))
        else:
            stages[-1] = replace(stages[-1], fields=stages[-1].fields + fields)
    return tuple(stages)


MODEL_STAGE = _constants()
# the last one is compared after a step, the others after `forward`
DATA_STAGES = _parse(TABLE)
STAGES = (MODEL_STAGE, *DATA_STAGES)
