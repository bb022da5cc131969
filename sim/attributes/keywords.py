"""Keywords of MJCF: name of the set -> keyword -> value, the engine's enum constant where there is one."""

from __future__ import annotations

from sim import enums


def enum_values(prefix: str, words: str) -> dict[str, int]:
    """MJCF keywords -> values of the enum constants called PREFIX_KEYWORD."""
    return {word: getattr(enums, f"{prefix}_{word.upper()}") for word in words.split()}


def numbered(words: str, first: int = 0) -> dict[str, int]:
    """MJCF keywords -> consecutive numbers."""
    return {word: number for number, word in enumerate(words.split(), first)}


# object types: keyword -> mjtObj; an xbody is a body with its regular frame instead of the inertial one
OBJECT_TYPES = enum_values("OBJ", """
    body xbody joint dof geom site camera light flex mesh skin hfield texture material pair exclude equality tendon
    actuator sensor numeric text tuple key plugin""")  # fmt: skip
OBJECT_NAMES = {number: kind for kind, number in OBJECT_TYPES.items()}

KEYWORDS: dict[str, dict[str, int]] = {
    "interp": numbered("zoh linear cubic"),
    "dyn": enum_values("DYN", "none integrator filter filterexact muscle dcmotor pid user"),
    "gain": enum_values("GAIN", "fixed affine muscle dcmotor so3 pid user"),
    "bias": enum_values("BIAS", "none affine muscle dcmotor so3 user"),
    "frameobj": {kind: OBJECT_TYPES[kind] for kind in ("body", "xbody", "geom", "site", "camera")},
    "object": OBJECT_TYPES,
    "datatype": enum_values("DATATYPE", "real positive axis quaternion"),
    "stage": enum_values("STAGE", "none pos vel acc"),
    "reduce": numbered("none mindist maxforce netforce"),
    "lrmode": numbered("none muscle muscleuser all"),
    # written as numbers, which all versions of MuJoCo read
    "headlight": {"0": 0, "1": 1, "2": 2, "false": 0, "true": 1, "auto": 2},
    "passthrough": numbered("none textures"),
    "embed": numbered("false true auto"),
    "angle": numbered("radian degree"),
    "coordinate": numbered("local global"),
    "switch": numbered("disable enable"),
    "limited": numbered("false true auto"),
    "falseauto": numbered("false auto"),
    "conflict": numbered("warning merge error"),
    "sleep": {"auto": 0, "never": 3, "allowed": 4, "init": 5},
    "jointtype": numbered("free ball slide hinge"),
    "geomtype": numbered("plane hfield sphere capsule ellipsoid cylinder box mesh sdf"),
    "fluidshape": numbered("none ellipsoid"),
    "projection": numbered("perspective orthographic"),
    "camlight": numbered("fixed track trackcom targetbody targetbodycom"),
    "camout": {"rgb": 1, "depth": 2, "distance": 4, "normal": 8, "segmentation": 16},
    "scaling": numbered("similar geometry"),
    "lighttype": numbered("spot directional point image"),
    "integrator": numbered("Euler RK4 implicit implicitfast discrete implicitspringdamper"),
    "cone": numbered("pyramidal elliptic"),
    "jacobian": numbered("dense sparse auto"),
    "solver": numbered("PGS CG Newton"),
    "texture": numbered("2d cube skybox"),
    "colorspace": numbered("auto linear sRGB"),
    "builtin": numbered("none gradient checker flat"),
    "mark": numbered("none edge cross random"),
    "meshinertia": numbered("convex exact legacy shell"),
    "meshbuiltin": numbered(
        "none sphere hemisphere cone supersphere supertorus wedge plate grid box cylinder ellipsoid square disc"
    ),
    "texrole": numbered("rgb occlusion roughness metallic normal opacity emissive rgba orm", 1),
}
