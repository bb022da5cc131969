"""The MJCF schema: elements, their children, their attributes and the types of these; syntax checks.

Checks that need no semantics come from here: unknown elements and attributes (with the closest known name), bad and
missing numbers, NaN and infinity, wrong counts, unknown keywords, missing and mutually exclusive attributes. Types:
`int`, `real`, `bool`, `str`, `enum:set`, `flags:set`; `[3]` means three values, `[1-3]` one to three (the others keep
their default), `[]` any number; `!` means required.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import isfinite
from typing import Any

from sim.mjcf.errors import shortened, suggestion
from sim.mjcf.section.schema import (
    SECTION_ATTRIBUTES,
    SECTION_CHILDREN,
    SECTION_DEFAULT_CHILDREN,
    SECTION_EXCLUSIVE,
    SECTION_KEYWORDS,
    SECTION_UNSUPPORTED,
)
from sim.mjcf.settings import OPTION_ATTRIBUTES, VISUAL_ATTRIBUTES
from sim.mjcf.source import Node

LIMITED = {"false": 0, "true": 1, "auto": 2}
SWITCH = {"disable": 0, "enable": 1}

KEYWORDS: dict[str, dict[str, int]] = {
    **SECTION_KEYWORDS,
    "angle": {"radian": 0, "degree": 1},
    "coordinate": {"local": 0, "global": 1},
    "switch": SWITCH,
    "limited": LIMITED,
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
    "lighttype": {"spot": 0, "directional": 1, "point": 2, "image": 3},
    "integrator": {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3, "implicitspringdamper": 4},
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


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ORIENTATION = "quat=real[4] axisangle=real[4] xyaxes=real[6] zaxis=real[3] euler=real[3]"
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")

# bits of opt.disableflags (set by "disable") and opt.enableflags (set by "enable"), in order
DISABLE_FLAGS = words("""
    constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent
    actuation refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd""")
ENABLE_FLAGS = words("override energy fwdinv invdiscrete sleep diagexact")

# element -> attributes; where a tag has another meaning in another parent it is called parent/tag
ATTRIBUTES: dict[str, str] = {
    **SECTION_ATTRIBUTES,
    "mujoco": "model=str",
    "compiler": """
        autolimits=bool boundmass=real boundinertia=real settotalmass=real balanceinertia=bool strippath=bool
        coordinate=enum:coordinate angle=enum:angle fitaabb=bool eulerseq=str meshdir=str texturedir=str
        discardvisual=bool usethread=bool fusestatic=bool inertiafromgeom=enum:limited
        inertiagrouprange=int[2] saveinertial=bool assetdir=str alignfree=bool conflict=enum:conflict""",
    "option": f"{OPTION_ATTRIBUTES} actuatorgroupdisable=int[]",
    "flag": " ".join(f"{name}=enum:switch" for name in DISABLE_FLAGS + ENABLE_FLAGS),
    "size": """
        memory=str njmax=int nconmax=int nstack=int nuserdata=int nkey=int nuser_body=int nuser_jnt=int
        nuser_geom=int nuser_site=int nuser_cam=int nuser_tendon=int nuser_actuator=int nuser_sensor=int""",
    "statistic": "meaninertia=real meanmass=real meansize=real extent=real center=real[3]",
    "visual": "",
    **VISUAL_ATTRIBUTES,
    "default": "class=str",
    "asset": "",
    "deformable": "",
    "texture": """
        name=str type=enum:texture colorspace=enum:colorspace content_type=str file=str gridsize=int[2]
        gridlayout=str fileright=str fileleft=str fileup=str filedown=str filefront=str fileback=str
        builtin=enum:builtin rgb1=real[3] rgb2=real[3] mark=enum:mark markrgb=real[3] random=real width=int
        height=int hflip=bool vflip=bool nchannel=int""",
    "material": """
        name=str class=str texture=str texrepeat=real[2] texuniform=bool emission=real specular=real
        shininess=real reflectance=real metallic=real roughness=real rgba=real[4]""",
    "layer": "texture=str! role=enum:texrole!",
    "mesh": """
        name=str class=str content_type=str file=str vertex=real[] normal=real[] texcoord=real[] face=int[]
        refpos=real[3] refquat=real[4] scale=real[3] smoothnormal=bool maxhullvert=int inertia=enum:meshinertia
        builtin=enum:meshbuiltin params=real[] material=str""",
    "hfield": "name=str content_type=str file=str nrow=int ncol=int size=real[4]! elevation=real[]",
    "skin": """
        name=str file=str material=str rgba=real[4] inflate=real vertex=real[] texcoord=real[] face=int[]
        group=int""",
    "bone": "body=str! bindpos=real[3]! bindquat=real[4]! vertid=int[]! vertweight=real[]!",
    "worldbody": "",
    "body": f"""
        name=str childclass=str pos=real[3] {ORIENTATION} mocap=bool gravcomp=real sleep=enum:sleep
        simple=enum:falseauto user=real[]""",
    "frame": f"name=str childclass=str pos=real[3] {ORIENTATION}",
    # the attributes after childclass are ignored, as in MuJoCo
    "replicate": "count=int! offset=real[3] euler=real[3] sep=str childclass=str prefix=str name=str pos=real[3]",
    "attach": "model=str body=str frame=str prefix=str",
    "model": "name=str file=str! content_type=str",
    "inertial": f"pos=real[3]! mass=real! diaginertia=real[3] fullinertia=real[6] {ORIENTATION}",
    "joint": """
        name=str class=str type=enum:jointtype group=int pos=real[3] axis=real[3] springdamper=real[2]
        limited=enum:limited actuatorfrclimited=enum:limited solreflimit=real[1-2] solimplimit=real[1-5]
        solreffriction=real[1-2] solimpfriction=real[1-5] stiffness=real[1-3] range=real[2]
        actuatorfrcrange=real[2] actuatorgravcomp=bool margin=real ref=real springref=real armature=real
        damping=real[1-3] frictionloss=real user=real[]""",
    "freejoint": "name=str group=int align=enum:limited",
    "geom": f"""
        name=str class=str type=enum:geomtype contype=int conaffinity=int condim=int group=int priority=int
        size=real[1-3] material=str friction=real[1-3] mass=real density=real shellinertia=bool solmix=real
        solref=real[1-2] solimp=real[1-5] margin=real gap=real surfacevel=real[1-6] adhesion=real
        fromto=real[6] pos=real[3] {ORIENTATION} hfield=str mesh=str fitscale=real rgba=real[4]
        fluidshape=enum:fluidshape fluidcoef=real[1-5] user=real[]""",
    "site": f"""
        name=str class=str type=enum:geomtype group=int pos=real[3] {ORIENTATION} material=str size=real[1-3]
        fromto=real[6] rgba=real[4] user=real[]""",
    "camera": f"""
        name=str class=str projection=enum:projection fovy=real ipd=real resolution=int[2] output=flags:camout
        pos=real[3] {ORIENTATION} mode=enum:camlight target=str focal=real[2] focalpixel=real[2]
        principal=real[2] principalpixel=real[2] sensorsize=real[2] user=real[]""",
    "light": """
        name=str class=str directional=bool type=enum:lighttype castshadow=bool active=bool pos=real[3]
        dir=real[3] bulbradius=real intensity=real range=real attenuation=real[3] cutoff=real softness=real
        exponent=real ambient=real[3] diffuse=real[3] specular=real[3] mode=enum:camlight target=str
        texture=str""",
    "keyframe": "",
    "key": "name=str time=real qpos=real[] qvel=real[] act=real[] mpos=real[] mquat=real[] ctrl=real[]",
}

_IN_BODY = "body frame inertial? joint freejoint geom site camera light replicate attach"

# element -> children it can have; ? means at most once
CHILDREN: dict[str, str] = {
    **SECTION_CHILDREN,
    "compiler": "lengthrange?",
    "mujoco": """compiler option size statistic visual default asset deformable worldbody keyframe custom contact
        equality tendon actuator sensor body frame""",
    "option": "flag?",
    "visual": " ".join(f"{group}?" for group in VISUAL_ATTRIBUTES),
    "default": "default mesh? material? joint? geom? site? camera? light? " + SECTION_DEFAULT_CHILDREN,
    "asset": "texture material mesh hfield skin",
    "deformable": "skin",
    "skin": "bone",
    "material": "layer",
    "worldbody": _IN_BODY,
    "body": _IN_BODY,
    "frame": _IN_BODY,
    "keyframe": "key",
}

# children that MJCF has and Kinetoscope does not support
UNSUPPORTED: dict[str, tuple[str, ...]] = {
    **SECTION_UNSUPPORTED,
    "mujoco": ("extension",),
    "deformable": ("flex",),
    "asset": words("model"),
    **dict.fromkeys(("worldbody", "body", "frame"), words("plugin composite flexcomp")),
    **dict.fromkeys(("geom", "mesh"), ("plugin",)),
}

# mutually exclusive attributes
EXCLUSIVE: dict[str, tuple[tuple[str, ...], ...]] = {
    **SECTION_EXCLUSIVE,
    **dict.fromkeys(("body", "frame", "geom", "site"), (ORIENTATIONS,)),
    "inertial": ((*ORIENTATIONS, "fullinertia"), ("diaginertia", "fullinertia")),
    "camera": (ORIENTATIONS, ("fovy", "sensorsize")),
    "attach": (("body", "frame"),),
    "light": (("directional", "type"),),
    "size": (("memory", "nstack"), ("memory", "njmax")),
}

# attributes that a default class cannot set, of all elements and of some
NOT_IN_DEFAULT = {
    "": ("name", "class", "target"),
    "light": ("texture",),
    "mesh": words("""
        content_type file vertex normal texcoord face refpos refquat smoothnormal builtin params material"""),
}

# references that an empty attribute resets to none; in other elements MuJoCo keeps that of the default class
RESETTABLE = {"geom": ("material", "mesh", "hfield")}

Parser = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Attribute:
    """How one attribute is parsed.

    `partial`: components not given keep their default; `absent`: whether a text counts as not given, which is blank
    text for numbers, empty text for names, and never for keywords.
    """

    parse: Parser
    partial: bool
    required: bool
    absent: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Element:
    """The schema of one element."""

    tag: str
    attributes: dict[str, Attribute]
    required: tuple[str, ...]
    exclusive: tuple[tuple[str, ...], ...]
    children: dict[str, str] = field(default_factory=dict)
    once: frozenset[str] = frozenset()


@cache
def element(name: str) -> Element:
    """The schema of an element, built on first use."""
    attributes = {}
    for word in ATTRIBUTES[name].split():
        key, kind = word.split("=")
        attributes[key] = _attribute(kind)
    kinds = CHILDREN.get(name, "").split()
    children = {kind.rstrip("?").rpartition("/")[2]: kind.rstrip("?") for kind in kinds}
    return Element(
        name,
        attributes,
        tuple(key for key, a in attributes.items() if a.required),
        EXCLUSIVE.get(name, ()),
        children,
        frozenset(tag for tag, kind in zip(children, kinds, strict=True) if kind.endswith("?")),
    )


def read_attributes(node: Node, name: str | None = None) -> dict[str, Any]:
    """Parsed and checked attributes; an empty one counts as not given, or resets a reference."""
    entry = element(name or node.tag)
    values = {}
    for key, text in node.attrib.items():
        attribute = entry.attributes.get(key)
        if attribute is None:
            raise node.error(f"unknown attribute '{key}'", suggestion(key, entry.attributes))
        if attribute.absent(text):
            if not text and key in RESETTABLE.get(entry.tag, ()):
                values[key] = ""
            continue
        try:
            values[key] = attribute.parse(text)
        except ValueError as why:
            raise node.error(f'{key}="{shortened(text)}": {why}') from None
    for key in entry.required:
        if key not in values:
            raise node.error(f"missing attribute '{key}'")
    for group in entry.exclusive:
        given = [key for key in group if key in values]
        if len(given) > 1:
            raise node.error(f"'{given[0]}' and '{given[1]}' are mutually exclusive", "give only one")
    return values


def check_children(node: Node, name: str | None = None) -> None:
    """Raise on a child that is unknown here, not supported, or repeated."""
    if not node.children:
        return
    entry = element(name or node.tag)
    seen = set()
    for child in node.children:
        if child.tag not in entry.children:
            if child.tag in UNSUPPORTED.get(entry.tag, ()):
                raise child.error(f"<{child.tag}> in <{node.tag}> is not supported yet")
            cure = suggestion(child.tag, entry.children) if entry.children else ""
            raise child.error(f"unknown element in <{node.tag}>", cure)
        if child.tag in entry.once:
            if child.tag in seen:
                raise child.error(f"<{node.tag}> can have only one <{child.tag}>", "merge them")
            seen.add(child.tag)


def _attribute(kind: str) -> Attribute:
    required = kind.endswith("!")
    base, bracket, count = kind.rstrip("!").partition("[")
    if not bracket:
        return Attribute(_single(base), False, required, _ABSENT.get(base.partition(":")[0], _blank))
    low, _, high = count.rstrip("]").partition("-")
    if not low:
        return Attribute(_vector(base, 0, None), False, required, _blank)
    return Attribute(_vector(base, int(low), int(high or low)), bool(high), required, _blank)


def _blank(text: str) -> bool:
    return not text or text.isspace()


_ABSENT: dict[str, Callable[[str], bool]] = {
    "str": lambda text: not text, **dict.fromkeys(("enum", "bool"), lambda text: False)
}  # fmt: skip


def _single(base: str) -> Parser:
    if base == "real":
        return _real
    if base == "int":
        return _int
    if base == "str":
        return str
    if base == "bool":
        return lambda text: bool(_keyword(text, {"false": 0, "true": 1}))
    family, _, name = base.partition(":")
    known = KEYWORDS[name]
    if family == "enum":
        return lambda text: _keyword(text, known)
    return lambda text: _flags(text, known)


def _vector(base: str, low: int, high: int | None) -> Parser:
    one: Callable[[str], Any] = _real if base == "real" else _int

    def parse(text: str) -> tuple[Any, ...]:
        given = text.split()
        count = len(given)
        if count < low or (high is not None and count > high):
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise ValueError(f"expected {wanted} values, got {count}")
        # the common case at once; anything else number by number
        if base == "real" and "_" not in text and text.isascii():
            try:
                values = tuple(map(float, given))
                if isfinite(sum(values)):
                    return values
            except ValueError:
                pass
        return tuple(map(one, given))

    return parse


def _real(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = None
    if value is None or "_" in text or not text.isascii():
        raise ValueError(f"'{text.strip()}' is not a number")
    if not isfinite(value):
        raise ValueError(f"'{text.strip()}' is not a finite number")
    return value


def _int(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = None
    if value is None or "_" in text or not text.isascii():
        raise ValueError(f"'{text.strip()}' is not an integer")
    if not -(2**31) <= value < 2**31:
        raise ValueError(f"{value} does not fit into 32 bits")
    return value


def _keyword(text: str, known: dict[str, int]) -> int:
    if text not in known:
        raise ValueError(f"unknown keyword; {suggestion(text, known)}")
    return known[text]


def _flags(text: str, known: dict[str, int]) -> int:
    bits = 0
    for word in text.split():
        bits |= _keyword(word, known)
    return bits
