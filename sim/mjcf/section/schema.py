"""The part of the MJCF schema for contact, equality, tendon, actuator, sensor and custom.

In the notation of `sim.mjcf.schema`, which has the rest. A tag with another meaning in another parent is called
parent/tag; default/tag has the attributes that a default class can set.
"""

from __future__ import annotations

from itertools import product

from sim.mjcf.section.spec import OBJECT_TYPES, enum_values


def _all(words: str, attributes: str) -> dict[str, str]:
    """Elements with the same attributes."""
    return dict.fromkeys(words.split(), attributes)


SECTION_KEYWORDS: dict[str, dict[str, int]] = {
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
}

# ---- contact, equality, tendon, custom

_PAIR = """
    condim=int friction=real[1-5] solref=real[1-2] solreffriction=real[1-2] solimp=real[1-5] gap=real margin=real
    adhesion=real"""
_EQUALITY = "active=bool solref=real[1-2] solimp=real[1-5]"
_NAMED_EQUALITY = f"name=str class=str {_EQUALITY}"
_TENDON = """
    group=int limited=enum:limited range=real[2] solreflimit=real[1-2] solimplimit=real[1-5]
    solreffriction=real[1-2] solimpfriction=real[1-5] frictionloss=real springlength=real[1-2] margin=real
    stiffness=real[1-3] damping=real[1-3] user=real[]"""
_LOOKS = "width=real material=str rgba=real[4]"
_NAMED_TENDON = f"""
    name=str class=str {_TENDON} armature=real actuatorfrclimited=enum:limited actuatorfrcrange=real[2]"""

SECTION_ATTRIBUTES: dict[str, str] = {
    "lengthrange": """
        mode=enum:lrmode useexisting=bool uselimit=bool accel=real maxforce=real timeconst=real timestep=real
        inttotal=real interval=real tolrange=real""",
    "contact": "",
    "pair": f"name=str class=str geom1=str! geom2=str! {_PAIR}",
    "default/pair": _PAIR,
    "exclude": "name=str body1=str! body2=str!",
    "equality": "",
    "default/equality": _EQUALITY,
    "connect": f"{_NAMED_EQUALITY} body1=str body2=str anchor=real[3] site1=str site2=str",
    "weld": f"""
        {_NAMED_EQUALITY} body1=str body2=str relpose=real[7] anchor=real[3] site1=str site2=str
        torquescale=real""",
    "equality/joint": f"{_NAMED_EQUALITY} joint1=str! joint2=str polycoef=real[1-5]",
    "equality/tendon": f"{_NAMED_EQUALITY} tendon1=str! tendon2=str polycoef=real[1-5]",
    "equality/distance": f"{_NAMED_EQUALITY} geom1=str! geom2=str! distance=real!",
    "tendon": "",
    "default/tendon": f"{_TENDON} {_LOOKS}",
    "spatial": f"{_NAMED_TENDON} {_LOOKS}",
    "fixed": _NAMED_TENDON,
    "spatial/site": "site=str!",
    "spatial/geom": "geom=str! sidesite=str",
    "pulley": "divisor=real!",
    "fixed/joint": "joint=str! coef=real!",
    "actuator": "",
    "sensor": "",
    "custom": "",
    "numeric": "name=str! size=int data=real[]",
    "text": "name=str! data=str!",
    "tuple": "name=str!",
    "element": "objtype=enum:object! objname=str! prm=real",
}

# ---- actuators: attributes that a default class can set, then the others

_ACTUATOR = "group=int nsample=int interp=enum:interp delay=real ctrlrange=real[2] user=real[]"
_CTRL, _FORCE = "ctrllimited=enum:limited", "forcelimited=enum:limited forcerange=real[2]"
_ACT = "actlimited=enum:limited actrange=real[2]"
_LOADED = "gear=real[1-6] damping=real[1-3] armature=real cranklength=real"
_SERVO = "kp=real kv=real dampratio=real"
_TRANSMISSION = "lengthrange=real[2] joint=str jointinparent=str tendon=str slidersite=str cranksite=str"
_SITES = "site=str refsite=str"

_ACTUATORS: dict[str, tuple[str, str]] = {
    "general": (
        f"""{_CTRL} {_FORCE} {_ACT} {_LOADED} actdim=int input=str velrange=real[2] ffrange=real[2]
        dyntype=enum:dyn gaintype=enum:gain biastype=enum:bias dynprm=real[1-10] gainprm=real[1-10]
        biasprm=real[1-10] actearly=bool""",
        f"{_TRANSMISSION} {_SITES} body=str",
    ),
    "motor": (f"{_CTRL} {_FORCE} {_LOADED}", f"{_TRANSMISSION} {_SITES}"),
    "position": (f"{_CTRL} {_FORCE} {_LOADED} {_SERVO} inheritrange=real timeconst=real", f"{_TRANSMISSION} {_SITES}"),
    "velocity": (f"{_CTRL} {_FORCE} {_LOADED} kv=real", f"{_TRANSMISSION} {_SITES}"),
    "intvelocity": (f"{_CTRL} {_FORCE} {_ACT} {_LOADED} {_SERVO} inheritrange=real", f"{_TRANSMISSION} {_SITES}"),
    "orientation": (f"{_FORCE} {_SERVO} input=str", f"joint=str {_SITES}"),
    "pid": (
        f"""{_CTRL} {_FORCE} {_LOADED} {_SERVO} inheritrange=real posrange=real[2] velrange=real[2]
        ffrange=real[2] ki=real imax=real slewmax=real input=str""",
        f"{_TRANSMISSION} {_SITES}",
    ),
    "damper": (f"{_FORCE} {_LOADED} kv=real", f"{_TRANSMISSION} {_SITES}"),
    "cylinder": (
        f"{_CTRL} {_FORCE} {_LOADED} timeconst=real area=real diameter=real bias=real[3]",
        f"{_TRANSMISSION} {_SITES}",
    ),
    "muscle": (
        f"""{_CTRL} {_FORCE} {_LOADED} timeconst=real[2] range=real[2] force=real scale=real lmin=real
        lmax=real vmax=real fpmax=real fvmax=real""",
        f"{_TRANSMISSION} tausmooth=real",
    ),
    "adhesion": (f"{_FORCE} gain=real", "body=str"),
    "dcmotor": (
        f"""{_CTRL} {_LOADED} motorconst=real[1-2] resistance=real nominal=real[1-3] saturation=real[1-3]
        inductance=real[1-2] cogging=real[1-3] controller=real[1-6] thermal=real[1-6] lugre=real[1-5]
        input=str""",
        f"{_TRANSMISSION} {_SITES}",
    ),
}
ACTUATOR_TAGS = tuple(_ACTUATORS)
for _tag, (_inherited, _own) in _ACTUATORS.items():
    SECTION_ATTRIBUTES[f"default/{_tag}"] = f"{_ACTUATOR} {_inherited}"
    SECTION_ATTRIBUTES[_tag] = f"name=str class=str {_ACTUATOR} {_inherited} {_own}"

# ---- sensors

_HISTORY = "nsample=int interp=enum:interp delay=real interval=real[1-2]"
_LIMITS = "cutoff=real noise=real"
_OBJECT, _FRAME = "objtype=enum:frameobj! objname=str!", "reftype=enum:frameobj refname=str"
_TWO = "geom1=str geom2=str body1=str body2=str"

_SENSORS: dict[str, str] = {
    **_all("touch accelerometer velocimeter gyro force torque magnetometer", "site=str!"),
    "camprojection": "site=str! camera=str!",
    "rangefinder": "site=str camera=str data=str",
    **_all(
        "jointpos jointvel jointactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel jointlimitfrc", "joint=str!"
    ),
    **_all("tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc", "tendon=str!"),
    **_all("actuatorpos actuatorvel actuatorfrc", "actuator=str!"),
    **_all("framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel", f"{_OBJECT} {_FRAME}"),
    **_all("framelinacc frameangacc", _OBJECT),
    **_all("subtreecom subtreelinvel subtreeangmom", "body=str!"),
    "insidesite": f"site=str! {_OBJECT}",
    **_all("distance normal fromto", _TWO),
    "contact": f"{_TWO} subtree1=str subtree2=str site=str num=int data=str reduce=enum:reduce",
    **_all("e_potential e_kinetic clock", ""),
}
for _tag, _own in _SENSORS.items():
    SECTION_ATTRIBUTES[f"sensor/{_tag}"] = f"name=str user=real[] {_HISTORY} {_LIMITS} {_own}"
SECTION_ATTRIBUTES["sensor/tactile"] = f"name=str user=real[] {_HISTORY} geom=str! mesh=str!"
SECTION_ATTRIBUTES["sensor/user"] = f"""
    name=str user=real[] {_LIMITS} objtype=enum:object objname=str datatype=enum:datatype needstage=enum:stage
    dim=int!"""

# ---- children

SECTION_CHILDREN: dict[str, str] = {
    "contact": "pair exclude",
    "equality": "connect weld equality/joint equality/tendon equality/distance",
    "tendon": "spatial fixed",
    "spatial": "spatial/site spatial/geom pulley",
    "fixed": "fixed/joint",
    "actuator": " ".join(ACTUATOR_TAGS),
    "sensor": " ".join(name for name in SECTION_ATTRIBUTES if name.startswith("sensor/")),
    "custom": "numeric text tuple",
    "tuple": "element",
}
SECTION_UNSUPPORTED: dict[str, tuple[str, ...]] = {
    "equality": ("flex", "flexvert", "flexstrain"),
    "actuator": ("plugin",),
    "sensor": ("plugin",),
}
# elements of these sections that a default class can set
SECTION_DEFAULT_CHILDREN = " ".join(f"default/{tag}?" for tag in ("pair", "equality", "tendon", *ACTUATOR_TAGS))

SECTION_EXCLUSIVE: dict[str, tuple[tuple[str, ...], ...]] = {
    "connect": tuple(product(("site1", "site2"), ("body1", "body2", "anchor"))),
    "weld": tuple(product(("site1", "site2"), ("body1", "body2", "anchor", "relpose"))),
    "sensor/rangefinder": (("site", "camera"),),
    **dict.fromkeys(("sensor/distance", "sensor/normal", "sensor/fromto"), (("geom1", "body1"), ("geom2", "body2"))),
    "sensor/contact": (("geom1", "body1", "subtree1", "site"), ("geom2", "body2", "subtree2")),
}
