"""Spec: the parsed model with default classes applied, before compilation; dataclasses of all elements.

Like mjSpec. Fields are named as the MJCF attributes and start at MuJoCo's defaults; each element keeps its XML node. A
default class holds one prototype of each type; a new element starts as a copy of its class's prototype. Elements are
compared by identity: `eq=False` halves the time to create the classes, 15 ms of every start.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from sim import enums
from sim.mjcf.errors import MjcfError
from sim.mjcf.rotation import UNIT, ZERO, Quat, Vec3, Vector
from sim.mjcf.settings import OPTION, VISUAL
from sim.mjcf.source import Node

FREE, BALL, SLIDE, HINGE = enums.JNT_FREE, enums.JNT_BALL, enums.JNT_SLIDE, enums.JNT_HINGE
PLANE, HFIELD, MESH, SDF = enums.GEOM_PLANE, enums.GEOM_HFIELD, enums.GEOM_MESH, enums.GEOM_SDF
SPHERE, CAPSULE, ELLIPSOID = enums.GEOM_SPHERE, enums.GEOM_CAPSULE, enums.GEOM_ELLIPSOID
CYLINDER, BOX = enums.GEOM_CYLINDER, enums.GEOM_BOX
FALSE, TRUE, AUTO = range(3)

SOLREF: Vector = (0.02, 1.0)
SOLIMP: Vector = (0.9, 0.95, 0.001, 0.5, 2.0)
GREY: Vector = (0.5, 0.5, 0.5, 1.0)


@dataclass(eq=False)
class Item:
    """What all elements have: XML node, name, and id, which is -1 until ids are assigned."""

    node: Node | None = None
    name: str = ""
    id: int = -1

    def error(self, message: str, cure: str = "") -> MjcfError:
        """An MjcfError at this element, with its name if it has one."""
        named = f"'{self.name}': " if self.name else ""
        return self.node.error(named + message, cure) if self.node else MjcfError(named + message, cure=cure)


# a short file can ask for any amount of memory by a number, such as nsample or nrow
MOST_BYTES = 1 << 31


class MemoryBudget:
    """Bytes that numbers in the file have asked for so far; checked before memory is allocated."""

    def __init__(self) -> None:
        self.used = 0

    def reserve(self, item: Item, size: int) -> None:
        """Reserve `size` bytes for an element; an error of that element if the total is too large."""
        self.used += size
        if self.used > MOST_BYTES:
            cure = f"the maximum is {MOST_BYTES / 2**30:g} GB: make this element smaller"
            raise item.error(f"the model is too large: {self.used / 2**30:.1f} GB so far", cure)


@dataclass
class Frame:
    """An enclosing <frame>, relative to the body; compilation composes it into the poses of its elements."""

    pos: Vec3 = ZERO
    quat: Quat = UNIT


@dataclass(eq=False)
class Placed(Item):
    """An element with a pose; `alt` is an orientation given as axisangle, xyaxes, zaxis or euler."""

    pos: Vec3 = ZERO
    quat: Quat = UNIT
    alt: tuple[str, Vector] | None = None
    frame: Frame | None = None
    user: Vector = ()


@dataclass(eq=False)
class Joint(Item):
    type: int = HINGE
    group: int = 0
    pos: Vec3 = ZERO
    axis: Vec3 = (0.0, 0.0, 1.0)
    springdamper: Vector = (0.0, 0.0)
    limited: int = AUTO
    actuatorfrclimited: int = AUTO
    solreflimit: Vector = SOLREF
    solimplimit: Vector = SOLIMP
    solreffriction: Vector = SOLREF
    solimpfriction: Vector = SOLIMP
    stiffness: Vector = (0.0, 0.0, 0.0)
    range: Vector = (0.0, 0.0)
    actuatorfrcrange: Vector = (0.0, 0.0)
    actuatorgravcomp: bool = False
    margin: float = 0.0
    ref: float = 0.0
    springref: float = 0.0
    armature: float = 0.0
    damping: Vector = (0.0, 0.0, 0.0)
    frictionloss: float = 0.0
    user: Vector = ()
    align: int = AUTO
    frame: Frame | None = None


@dataclass(eq=False)
class Geom(Placed):
    type: int = SPHERE
    contype: int = 1
    conaffinity: int = 1
    condim: int = 3
    group: int = 0
    priority: int = 0
    size: Vector = (0.0, 0.0, 0.0)
    material: str = ""
    friction: Vector = (1.0, 0.005, 0.0001)
    mass: float | None = None
    density: float = 1000.0
    shellinertia: bool = False
    solmix: float = 1.0
    solref: Vector = SOLREF
    solimp: Vector = SOLIMP
    margin: float = 0.0
    gap: float = 0.0
    surfacevel: Vector = (0.0,) * 6
    adhesion: float = 0.0
    fromto: Vector | None = None
    hfield: str = ""
    mesh: str = ""
    fitscale: float = 1.0
    rgba: Vector = GREY
    fluidshape: int = 0
    fluidcoef: Vector = (0.5, 0.25, 1.5, 1.0, 1.0)
    # computed: its mesh or height field, the frame of the mesh relative to the pose in the file, mass and principal
    # moments, bounding box
    asset: Mesh | HField | None = None
    offset: Frame | None = None
    own_mass: float = 0.0
    own_inertia: Vec3 = ZERO
    aabb: Vector = (0.0,) * 6


@dataclass(eq=False)
class Site(Placed):
    type: int = SPHERE
    group: int = 0
    material: str = ""
    size: Vector = (0.005, 0.005, 0.005)
    fromto: Vector | None = None
    rgba: Vector = GREY


@dataclass(eq=False)
class Camera(Placed):
    projection: int = 0
    fovy: float = 45.0
    ipd: float = 0.068
    resolution: tuple[int, int] = (1, 1)
    output: int = 1
    mode: int = 0
    target: str = ""
    focal: Vector = (0.0, 0.0)
    focalpixel: Vector = (0.0, 0.0)
    principal: Vector = (0.0, 0.0)
    principalpixel: Vector = (0.0, 0.0)
    sensorsize: Vector = (0.0, 0.0)
    intrinsic: Vector = (0.0, 0.0, 0.0, 0.0)


@dataclass(eq=False)
class Light(Item):
    type: int = 0
    castshadow: bool = True
    active: bool = True
    pos: Vec3 = ZERO
    dir: Vec3 = (0.0, 0.0, -1.0)
    bulbradius: float = 0.02
    intensity: float = 0.0
    range: float = 10.0
    attenuation: Vector = (1.0, 0.0, 0.0)
    cutoff: float = 45.0
    softness: float = 0.2
    exponent: float = 10.0
    ambient: Vector = ZERO
    diffuse: Vector = (0.7, 0.7, 0.7)
    specular: Vector = (0.3, 0.3, 0.3)
    mode: int = 0
    target: str = ""
    texture: str = ""
    frame: Frame | None = None


@dataclass(eq=False)
class Material(Item):
    textures: dict[int, str] = field(default_factory=dict)
    texrepeat: Vector = (1.0, 1.0)
    texuniform: bool = False
    emission: float = 0.0
    specular: float = 0.5
    shininess: float = 0.5
    reflectance: float = 0.0
    metallic: float = -1.0
    roughness: float = -1.0
    rgba: Vector = (1.0, 1.0, 1.0, 1.0)


@dataclass(eq=False)
class Texture(Item):
    type: int = 1
    colorspace: int = 0
    builtin: int = 0
    rgb1: Vec3 = (0.8, 0.8, 0.8)
    rgb2: Vec3 = (0.5, 0.5, 0.5)
    mark: int = 0
    markrgb: Vec3 = ZERO
    random: float = 0.01
    width: int = 0
    height: int = 0
    hflip: bool = False
    vflip: bool = False
    nchannel: int = 3
    file: str = ""
    content_type: str = ""
    gridsize: tuple[int, int] = (1, 1)
    gridlayout: str = ""
    fileright: str = ""
    fileleft: str = ""
    fileup: str = ""
    filedown: str = ""
    filefront: str = ""
    fileback: str = ""
    folder: str = ""


@dataclass(eq=False)
class Mesh(Item):
    """A mesh as in the file; `compiled` is a CompiledMesh."""

    file: str = ""
    content_type: str = ""
    vertex: Vector = ()
    normal: Vector = ()
    texcoord: Vector = ()
    face: tuple[int, ...] = ()
    refpos: Vec3 = ZERO
    refquat: Quat = UNIT
    scale: Vec3 = (1.0, 1.0, 1.0)
    smoothnormal: bool = False
    maxhullvert: int = -1
    inertia: int = 2
    builtin: int = 0
    params: Vector = ()
    material: str = ""
    folder: str = ""
    compiled: Any = None


@dataclass(eq=False)
class HField(Item):
    """A height field as in the file, and its compiled heights: rows by growing y."""

    file: str = ""
    content_type: str = ""
    nrow: int = 0
    ncol: int = 0
    size: Vector = (0.0, 0.0, 0.0, 0.0)
    elevation: Vector = ()
    folder: str = ""
    heights: Any = None


@dataclass(eq=False)
class Bone(Item):
    """A body that moves some of the vertices of a skin."""

    body: str = ""
    bindpos: Vec3 = ZERO
    bindquat: Quat = UNIT
    vertid: Any = ()
    vertweight: Any = ()


@dataclass(eq=False)
class Skin(Item):
    file: str = ""
    material: str = ""
    rgba: Vector = GREY
    inflate: float = 0.0
    group: int = 0
    vertex: Any = ()
    texcoord: Any = ()
    face: Any = ()
    bones: list[Bone] = field(default_factory=list)
    folder: str = ""


@dataclass(eq=False)
class Key(Item):
    time: float = 0.0
    qpos: Vector = ()
    qvel: Vector = ()
    act: Vector = ()
    mpos: Vector = ()
    mquat: Vector = ()
    ctrl: Vector = ()


@dataclass
class Inertial:
    """The <inertial> of a body; `fullinertia` is diagonalized by the compiler."""

    node: Node
    pos: Vec3 = ZERO
    mass: float = 0.0
    diaginertia: Vec3 = ZERO
    fullinertia: Vector | None = None
    quat: Quat = UNIT
    alt: tuple[str, Vector] | None = None


@dataclass(eq=False)
class Body(Placed):
    parent: Body | None = None
    mocap: bool = False
    gravcomp: float = 0.0
    sleep: int = 0
    simple: int = 1
    inertial: Inertial | None = None
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    # computed: inertial frame, mass and principal moments, weldid, whether the body is static
    ipos: Vec3 = ZERO
    iquat: Quat = UNIT
    mass: float = 0.0
    inertia: Vec3 = ZERO
    weldid: int = 0
    fixed: bool = True
    mocapid: int = -1


@dataclass
class Compiler:
    autolimits: bool = True
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    balanceinertia: bool = False
    strippath: bool = False
    angle: int = 1
    fitaabb: bool = False
    eulerseq: str = "xyz"
    meshdir: str = ""
    texturedir: str = ""
    discardvisual: bool = False
    fusestatic: bool = False
    inertiafromgeom: int = AUTO
    inertiagrouprange: tuple[int, int] = (0, 5)
    alignfree: bool = False

    @property
    def degree(self) -> bool:
        return bool(self.angle)


SIZE: dict[str, int] = {
    "memory": -1, "njmax": -1, "nconmax": -1, "nstack": -1, "nuserdata": 0, "nkey": 0,
    **dict.fromkeys(("nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon",
                     "nuser_actuator", "nuser_sensor"), -1),
}  # fmt: skip

# element types of the sections beside the body tree, in the order of their fields
SECTION_TYPES = ("pair", "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple")

# types that a default class can set
PROTOTYPES: dict[str, type[Item]] = {
    "joint": Joint, "geom": Geom, "site": Site, "camera": Camera, "light": Light, "material": Material,
    "mesh": Mesh,
}  # fmt: skip


@dataclass
class LengthRange:
    """The attributes of <compiler><lengthrange>."""

    mode: int = enums.LRMODE_MUSCLE
    useexisting: bool = True
    uselimit: bool = False
    accel: float = 20.0
    maxforce: float = 0.0
    timeconst: float = 1.0
    timestep: float = 0.01
    inttotal: float = 10.0
    interval: float = 2.0
    tolrange: float = 0.05


@dataclass
class Default:
    """A default class: one prototype of each type."""

    name: str
    prototypes: dict[str, Item]


@dataclass
class Spec:
    """The parsed model: settings, default classes, the body tree, assets, and the other sections."""

    modelname: str = "MuJoCo Model"
    compiler: Compiler = field(default_factory=Compiler)
    # compiler settings of attached models, by the origin of their documents
    compilers: dict[int, Compiler] = field(default_factory=dict)
    option: dict[str, Any] = field(default_factory=lambda: dict(OPTION))
    size: dict[str, int] = field(default_factory=lambda: dict(SIZE))
    size_element: Item = field(default_factory=Item)
    statistic: dict[str, Any] = field(default_factory=dict)
    visual: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {group: dict(values) for group, values in VISUAL.items()}
    )
    # the XML tree, and all elements by type, once they have ids
    root: Node | None = None
    lists: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, Default] = field(default_factory=dict)
    frames: list[Placed] = field(default_factory=list)
    world: Body = field(default_factory=lambda: Body(name="world"))
    textures: list[Texture] = field(default_factory=list)
    materials: list[Material] = field(default_factory=list)
    meshes: list[Mesh] = field(default_factory=list)
    hfields: list[HField] = field(default_factory=list)
    skins: list[Skin] = field(default_factory=list)
    section_elements: dict[str, list[Any]] = field(default_factory=lambda: {kind: [] for kind in SECTION_TYPES})
    lengthrange: LengthRange = field(default_factory=LengthRange)
    keys: list[Key] = field(default_factory=list)
    budget: MemoryBudget = field(default_factory=MemoryBudget)

    def compiler_at(self, node: Node | None) -> Compiler:
        """Compiler settings of the model that a node belongs to: the main one or an attached one."""
        origin = node.document.origin if node else 0
        return self.compilers.setdefault(origin, Compiler()) if origin else self.compiler

    def compiler_of(self, item: Item) -> Compiler:
        return self.compiler_at(item.node)


Kind = TypeVar("Kind", bound=Item)


def copied(prototype: Kind) -> Kind:
    """A new element with the values of a prototype (values are immutable, so sharing them is safe)."""
    new = object.__new__(type(prototype))
    new.__dict__.update(prototype.__dict__)
    return new
