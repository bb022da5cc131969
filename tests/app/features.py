"""Table of the engine's features, each with a bundled scene that shows it.

Features that the engine has a table of are listed by its names, so that a new one without a scene is an error here;
each other feature has a predicate. The manual shows the table: `python -m tests.generated` writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sim import enums
from sim.attributes.actuators import ACTUATOR_TAGS
from sim.attributes.keywords import KEYWORDS
from sim.mjcf.section import equality, sensor

# whether a compiled model, or the text of its file, has a feature
Test = Callable[[Any, str], bool]


@dataclass(frozen=True)
class Shown:
    """A scene, and the test that a model has the feature."""

    scene: str
    has: Test


Group = dict[str, Shown]

# "none"; what needs a callback; signed distance fields, which are not supported
NOT_SHOWN = {"none", "user", "sdf"}

TRANSMISSIONS = {
    "joint": enums.TRN_JOINT,
    "jointinparent": enums.TRN_JOINTINPARENT,
    "slidercrank": enums.TRN_SLIDERCRANK,
    "tendon": enums.TRN_TENDON,
    "site": enums.TRN_SITE,
    "body": enums.TRN_BODY,
    "orientation": enums.TRN_SO3,
}
PATHS = {
    "joint": enums.WRAP_JOINT,
    "pulley": enums.WRAP_PULLEY,
    "site": enums.WRAP_SITE,
    "sphere": enums.WRAP_SPHERE,
    "cylinder": enums.WRAP_CYLINDER,
}

# ---- predicates


def option(name: str, value: int) -> Test:
    """An option has this value."""
    return lambda m, _: bool(getattr(m.opt, name) == value)


def typed(field: str, value: int) -> Test:
    """An element has this type."""
    return lambda m, _: bool((getattr(m, field) == value).any())


def some(field: str) -> Test:
    """A field is not all zero."""
    return lambda m, _: bool(getattr(m, field).any())


def counted(name: str) -> Test:
    """A count is positive."""
    return lambda m, _: bool(getattr(m, name) > 0)


def flagged(bit: int) -> Test:
    """A flag is enabled."""
    return lambda m, _: bool(m.opt.enableflags & bit)


def written(text: str) -> Test:
    """The file contains a text: for features that leave no trace in the compiled model."""
    return lambda _, xml: text in xml


def has_fluid_ellipsoid(m: Any) -> bool:
    """Whether a geom has fluidshape="ellipsoid"."""
    return bool((m.geom_fluid[:, 0] > 0).any())


# ---- groups from tables of the engine


def parse_pairs(text: str) -> dict[str, str]:
    """Feature -> scene, from `feature=scene ...`."""
    return dict(pair.split("=") for pair in text.split())


def group(tests: Mapping[str, Test], text: str) -> Group:
    """A group with a scene for each test; a missing or unknown feature is an error."""
    scenes = parse_pairs(text)
    assert scenes.keys() == tests.keys(), sorted(scenes.keys() ^ tests.keys())
    return {name: Shown(scenes[name], test) for name, test in tests.items()}


def options(name: str, text: str) -> Group:
    return group({key: option(name, value) for key, value in KEYWORDS[name].items()}, text)


def types(field: str, known: Mapping[str, int], text: str) -> Group:
    return group({key: typed(field, value) for key, value in known.items() if key not in NOT_SHOWN}, text)


def with_suffix(suffix: str, found: Group) -> Group:
    """Append a word to names that alone say too little."""
    return {f"{name} {suffix}": shown for name, shown in found.items()}


EQUALITIES = {tag: row[0] for tag, row in equality.TYPES.items()}
SENSORS = {tag: row.number for tag, row in sensor.TYPES.items()}
ACTUATORS = {tag: written(f"<{tag} ") for tag in ACTUATOR_TAGS}

# ---- the table

FEATURES: dict[str, Group] = {
    "Integrator": options(
        "integrator",
        """Euler=arch RK4=ball_chain implicit=pinwheels implicitfast=quadruped discrete=stiff_servos
        implicitspringdamper=bow""",
    ),
    "Solver": {
        **options("solver", "PGS=noslip CG=bridge Newton=wall"),
        **with_suffix("cone", options("cone", "pyramidal=wall elliptic=gripper")),
        "noslip": Shown("noslip", lambda m, _: m.opt.noslip_iterations > 0),
        "impratio": Shown("gripper", lambda m, _: m.opt.impratio != 1),
        "sparse Jacobian": Shown("bridge", option("jacobian", enums.JAC_SPARSE)),
        "sleep": Shown("sleepers", flagged(enums.ENBL_SLEEP)),
        "speculative contacts": Shown("thin_plates", flagged(enums.ENBL_SPECULATIVE)),
        "energy": Shown("gyroscope", flagged(enums.ENBL_ENERGY)),
    },
    "Joint": {
        **types("jnt_type", KEYWORDS["jointtype"], "free=pile ball=ball_chain slide=gripper hinge=double_pendulum"),
        "limit": Shown("ragdolls", some("jnt_limited")),
        "spring": Shown("oscillators", some("jnt_stiffness")),
        "hardening spring": Shown("oscillators", some("jnt_stiffnesspoly")),
        "damping": Shown("oscillators", some("dof_damping")),
        "dry friction": Shown("oscillators", some("dof_frictionloss")),
        "armature": Shown("oscillators", some("dof_armature")),
        "plastic spring": Shown("bent_wire", some("jnt_springyield")),
    },
    "Geom": types(
        "geom_type",
        KEYWORDS["geomtype"],
        """plane=wall hfield=rovers sphere=newtons_cradle capsule=ragdolls ellipsoid=swimmer cylinder=car box=dominoes
        mesh=bin""",
    ),
    "Contact": {
        **{f"condim {n}": Shown("friction_ramp", typed("geom_condim", n)) for n in (1, 3, 4, 6)},
        "solref": Shown("soft_contacts", lambda m, _: len(set(m.geom_solref[:, 0])) > 4),
        "margin and gap": Shown("geckos", lambda m, _: bool((m.geom_margin * m.geom_gap).any())),
        "adhesion": Shown("geckos", some("geom_adhesion")),
        "priority": Shown("conveyor", some("geom_priority")),
        "pair": Shown("windlass", counted("npair")),
        "exclude": Shown("bridge", counted("nexclude")),
        "override": Shown("override", flagged(enums.ENBL_OVERRIDE)),
        "moving surface": Shown("conveyor", some("geom_surfacevel")),
    },
    "Equality": types(
        "eq_type", EQUALITIES, "connect=slider_crank weld=puppet joint=quadruped tendon=windlass distance=tensegrity"
    ),
    "Tendon": {
        **with_suffix(
            "in the path",
            types("wrap_type", PATHS, "joint=car pulley=windlass site=puppet sphere=muscle_arm cylinder=tendon_arm"),
        ),
        "limit": Shown("puppet", some("tendon_limited")),
        "spring": Shown("tensegrity", some("tendon_stiffness")),
        "dry friction": Shown("windlass", some("tendon_frictionloss")),
        "armature": Shown("windlass", some("tendon_armature")),
    },
    "Actuator": {
        **group(
            ACTUATORS,
            """general=radial_engine motor=drone position=tendon_arm velocity=slider_crank intvelocity=gripper
            orientation=drone pid=servos damper=radial_engine cylinder=gripper muscle=muscle_arm adhesion=geckos
            dcmotor=servos""",
        ),
        **with_suffix(
            "dynamics",
            types(
                "actuator_dyntype",
                KEYWORDS["dyn"],
                """integrator=gripper filter=gripper filterexact=delay_and_lag muscle=muscle_arm
                dcmotor=servos pid=servos""",
            ),
        ),
        **with_suffix(
            "gain",
            types(
                "actuator_gaintype",
                KEYWORDS["gain"],
                "fixed=car affine=radial_engine muscle=muscle_arm dcmotor=servos so3=drone pid=servos",
            ),
        ),
        **with_suffix(
            "bias",
            types(
                "actuator_biastype",
                KEYWORDS["bias"],
                "affine=tendon_arm muscle=muscle_arm dcmotor=servos so3=drone",
            ),
        ),
        "dampratio": Shown("servos", written(' dampratio="1"')),
        "delay": Shown("delay_and_lag", some("actuator_delay")),
        "force limit": Shown("radial_engine", some("actuator_forcelimited")),
    },
    "Transmission": {
        **types(
            "actuator_trntype",
            TRANSMISSIONS,
            """joint=car jointinparent=gyroscope slidercrank=radial_engine tendon=tendon_arm site=drone body=geckos
            orientation=drone""",
        ),
        "refsite": Shown("instruments", written("refsite=")),
    },
    "Sensor": {
        **types(
            "sensor_type",
            SENSORS,
            """touch=gripper accelerometer=drone force=instruments torque=instruments velocimeter=drone gyro=drone
            magnetometer=drone rangefinder=instruments camprojection=instruments jointpos=oscillators
            jointlimitpos=muscle_arm jointvel=pinwheels jointlimitvel=muscle_arm ballangvel=gyroscope
            jointlimitfrc=muscle_arm jointactuatorfrc=muscle_arm ballquat=gyroscope tendonpos=windlass
            tendonlimitpos=balloons tendonvel=windlass tendonlimitvel=balloons tendonlimitfrc=balloons
            tendonactuatorfrc=tendon_arm actuatorpos=radial_engine actuatorvel=radial_engine actuatorfrc=servos
            framepos=override framequat=spinning_handle framexaxis=pinwheels frameyaxis=instruments framezaxis=drone
            framelinvel=instruments frameangvel=spinning_handle framelinacc=instruments frameangacc=instruments
            subtreecom=instruments subtreelinvel=spinning_handle subtreeangmom=spinning_handle insidesite=instruments
            distance=touch normal=touch fromto=touch contact=geckos e_potential=bow e_kinetic=bow clock=instruments
            tactile=touch""",
        ),
        "delay": Shown("delay_and_lag", some("sensor_delay")),
        "interval": Shown("delay_and_lag", some("sensor_interval")),
    },
    "Body": {
        "gravcomp": Shown("balloons", some("body_gravcomp")),
        "mocap": Shown("puppet", counted("nmocap")),
        "frame": Shown("oscillators", written("<frame ")),
        "replicate": Shown("wall", written("<replicate ")),
        "attach": Shown("bridge", written("<attach ")),
    },
    "Fluid": {
        "density": Shown("swimmer", lambda m, _: m.opt.density > 0),
        "viscosity": Shown("swimmer", lambda m, _: m.opt.viscosity > 0),
        "wind": Shown("pinwheels", lambda m, _: bool(m.opt.wind.any())),
        "ellipsoid model": Shown("pinwheels", lambda m, _: has_fluid_ellipsoid(m)),
        "inertia box model": Shown("drone", lambda m, _: m.opt.density > 0 and not has_fluid_ellipsoid(m)),
    },
    "Asset": {
        "mesh from vertices": Shown("conveyor", lambda m, xml: m.nmesh > 0 and "vertex=" in xml),
        "built-in mesh": Shown("gyroscope", lambda m, xml: m.nmesh > 0 and "params=" in xml),
        "texture": Shown("humanoid", counted("ntex")),
        "skybox": Shown("spinning_handle", typed("tex_type", enums.TEXTURE_SKYBOX)),
        "skin": Shown("pinwheels", counted("nskin")),
    },
    "View": {
        "keyframe": Shown("delay_and_lag", counted("nkey")),
        "tracking camera": Shown("car", typed("cam_mode", enums.CAMLIGHT_TRACKCOM)),
        "aiming camera": Shown("drone", typed("cam_mode", enums.CAMLIGHT_TARGETBODY)),
        "spot light": Shown("drone", written('type="spot"')),
    },
}


def by_scene(features: Group) -> dict[str, list[str]]:
    """Scene -> its features, in order of appearance."""
    scenes: dict[str, list[str]] = {}
    for name, shown in features.items():
        scenes.setdefault(shown.scene, []).append(name)
    return scenes


def make_table() -> str:
    """The table of the manual: one row for each group."""
    rows = ["| | features and scene |", "|---|---|"]
    for title, features in FEATURES.items():
        cell = "; ".join(f"{', '.join(names)} `{scene}`" for scene, names in by_scene(features).items())
        rows.append(f"| {title} | {cell} |")
    return "\n".join(rows)
