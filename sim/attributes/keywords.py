"""Keywords of MJCF: name of the set -> keyword -> value, the engine's enum constant where there is one."""

from __future__ import annotations

from sim import enums


def enum_values(prefix: str, words: str) -> dict[str, int]:
    """MJCF keywords -> values of the enum constants called PREFIX_KEYWORD."""
    return {word: getattr(enums, f"{prefix}_{word.upper()}") for word in words.split()}


# object types: keyword -> mjtObj; an xbody is a body with its regular frame instead of the inertial one
OBJECT_TYPES = enum_values("OBJ", """
    body xbody joint dof geom site camera light flex mesh skin hfield texture material pair exclude equality tendon
    actuator sensor numeric text tuple key plugin""")  # fmt: skip
OBJECT_NAMES = {number: kind for kind, number in OBJECT_TYPES.items()}

KEYWORDS: dict[str, dict[str, int]] = {
    "interp": {"zoh": 0, "linear": 1, "cubic": 2},
    "dyn": enum_values("DYN", "none integrator filter filterexact muscle dcmotor pid user"),
    "gain": enum_values("GAIN", "fixed affine muscle dcmotor so3 pid user"),
    "bias": enum_values("BIAS", "none affine muscle dcmotor so3 user"),
    "frameobj": {kind: OBJECT_TYPES[kind] for kind in ("body", "xbody", "geom", "site", "camera")},
    "object": OBJECT_TYPES,
    "datatype": enum_values("DATATYPE", "real positive axis quaternion"),
    "stage": enum_values("STAGE", "none pos vel acc"),
    "reduce": {"none": 0, "mindist": 1, "maxforce": 2, "netforce": 3},
    "lrmode": {"none": 0, "muscle": 1, "muscleuser": 2, "all": 3},
    # written as numbers, which all versions of MuJoCo read
    "headlight": {"0": 0, "1": 1, "2": 2, "false": 0, "true": 1, "auto": 2},
    "passthrough": {"none": 0, "textures": 1},
    "embed": {"false": 0, "true": 1, "auto": 2},
    "angle": {"radian": 0, "degree": 1},
    "coordinate": {"local": 0, "global": 1},
    "switch": {"disable": 0, "enable": 1},
    "limited": {"false": 0, "true": 1, "auto": 2},
    "falseauto": {"false": 0, "auto": 1},
    "conflict": {"warning": 0, "merge": 1, "error": 2},
    "sleep": {"auto": 0, "never": 3, "allowed": 4, "init": 5},
    "jointtype": {"free": 0, "ball": 1, "slide": 2, "hinge": 3},
    "geomtype": {
        "plane": 0,
        "hfield": 1,
        "sphere": 2,
        "capsule": 3,
        "ellipsoid": 4,
        "cylinder": 5,
        "box": 6,
        "mesh": 7,
        "sdf": 8,
    },
    "fluidshape": {"none": 0, "ellipsoid": 1},
    "projection": {"perspective": 0, "orthographic": 1},
    "camlight": {"fixed": 0, "track": 1, "trackcom": 2, "targetbody": 3, "targetbodycom": 4},
    "camout": {"rgb": 1, "depth": 2, "distance": 4, "normal": 8, "segmentation": 16},
    "scaling": {"similar": 0, "geometry": 1},
    "lighttype": {"spot": 0, "directional": 1, "point": 2, "image": 3},
    "integrator": {
        "Euler": 0,
        "RK4": 1,
        "implicit": 2,
        "implicitfast": 3,
        "discrete": 4,
        "implicitspringdamper": 5,
    },
    "cone": {"pyramidal": 0, "elliptic": 1},
    "jacobian": {"dense": 0, "sparse": 1, "auto": 2},
    "solver": {"PGS": 0, "CG": 1, "Newton": 2},
    "texture": {"2d": 0, "cube": 1, "skybox": 2},
    "colorspace": {"auto": 0, "linear": 1, "sRGB": 2},
    "builtin": {"none": 0, "gradient": 1, "checker": 2, "flat": 3},
    "mark": {"none": 0, "edge": 1, "cross": 2, "random": 3},
    "meshinertia": {"convex": 0, "exact": 1, "legacy": 2, "shell": 3},
    "meshbuiltin": {
        "none": 0,
        "sphere": 1,
        "hemisphere": 2,
        "cone": 3,
        "supersphere": 4,
        "supertorus": 5,
        "wedge": 6,
        "plate": 7,
        "grid": 8,
        "box": 9,
        "cylinder": 10,
        "ellipsoid": 11,
        "square": 12,
        "disc": 13,
    },
    "texrole": {
        "rgb": 1,
        "occlusion": 2,
        "roughness": 3,
        "metallic": 4,
        "normal": 5,
        "opacity": 6,
        "emissive": 7,
        "rgba": 8,
        "orm": 9,
    },
}
