"""Spec: the parsed model with default classes applied, before compilation; classes of all elements.

Like mjSpec. Attributes are named as in MJCF and start at the defaults in `sim.attributes`; each element keeps its XML
node. A default class holds one prototype of each type; a new element starts as a copy of its class's prototype. Here a
class declares the attributes that the compiler works with, and what it computes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from sim import enums
from sim.attributes import defaults
from sim.mjcf.errors import MjcfError
from sim.mjcf.rotation import UNIT, ZERO, Mat3, Quat, Vec3, Vector
from sim.mjcf.scale.frame_scale import Scale
from sim.mjcf.schema import VISUAL_GROUPS
from sim.mjcf.source import Node

FREE, BALL, SLIDE, HINGE = enums.JNT_FREE, enums.JNT_BALL, enums.JNT_SLIDE, enums.JNT_HINGE
PLANE, HFIELD, MESH, SDF = enums.GEOM_PLANE, enums.GEOM_HFIELD, enums.GEOM_MESH, enums.GEOM_SDF
SPHERE, CAPSULE, ELLIPSOID = enums.GEOM_SPHERE, enums.GEOM_CAPSULE, enums.GEOM_ELLIPSOID
CYLINDER, BOX = enums.GEOM_CYLINDER, enums.GEOM_BOX
FALSE, TRUE, AUTO = range(3)


class AttributeSet:
    """The attributes of an element, at their defaults; `class X(AttributeSet, element="x")` has those of <x>."""

    defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, element: str = "") -> None:
        if element:
            cls.defaults = defaults(element)

    def __init__(self, node: Node | None = None, **values: Any) -> None:
        self.__dict__.update(self.defaults)
        self.__dict__.update(values, node=node)


class Item(AttributeSet):
    """What all elements have: XML node, name, and id, which is -1 until ids are assigned."""

    node: Node | None
    name: str = ""
    id: int = -1
    # the scale of the enclosing frames, and the factors by which it multiplied numbers of attributes
    frame_scale: Scale | None = None
    factors: Mapping[str, Vector] = MappingProxyType({})

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


class Placed(Item):
    """An element with a pose; `alt` is an orientation given as axisangle, xyaxes, zaxis or euler."""

    pos: Vec3 = ZERO
    quat: Quat = UNIT
    alt: tuple[str, Vector] | None = None
    frame: Frame | None = None
    user: Vector = ()


class Joint(Item, element="joint"):
    type: int
    group: int
    pos: Vec3
    axis: Vec3
    springdamper: Vector
    limited: int
    actuatorfrclimited: int
    stiffness: Vector
    range: Vector
    actuatorfrcrange: Vector
    margin: float
    ref: float
    springref: float
    springyield: float
    armature: float
    damping: Vector
    user: Vector
    align: int
    frame: Frame | None = None


class Geom(Placed, element="geom"):
    type: int
    contype: int
    conaffinity: int
    condim: int
    group: int
    size: Vector
    material: str
    mass: float | None = None
    density: float
    shellinertia: bool
    margin: float
    gap: float
    surfacevel: Vector
    fromto: Vector | None = None
    hfield: str
    mesh: str
    fitscale: float
    fluidshape: int
    fluidcoef: Vector
    # computed: its mesh or height field, the frame of the mesh relative to the pose in the file, mass and principal
    # moments, bounding box
    asset: Mesh | HField | None = None
    offset: Frame | None = None
    own_mass: float = 0.0
    own_inertia: Vec3 = ZERO
    aabb: Vector = (0.0,) * 6


class Site(Placed, element="site"):
    type: int
    group: int
    material: str
    mesh: str
    size: Vector
    fromto: Vector | None = None
    asset: Mesh | None = None


class Camera(Placed, element="camera"):
    fovy: float
    resolution: tuple[int, int]
    mode: int
    target: str
    focal: Vector
    focalpixel: Vector
    principal: Vector
    principalpixel: Vector
    sensorsize: Vector
    intrinsic: Vector = (0.0, 0.0, 0.0, 0.0)


class Light(Item, element="light"):
    type: int
    pos: Vec3
    dir: Vec3
    range: float
    cutoff: float
    mode: int
    target: str
    texture: str
    frame: Frame | None = None


class Material(Item, element="material"):
    textures: Mapping[int, str] = MappingProxyType({})


class Texture(Item, element="texture"):
    type: int
    colorspace: int
    builtin: int
    rgb1: Vec3
    rgb2: Vec3
    mark: int
    markrgb: Vec3
    random: float
    width: int
    height: int
    hflip: bool
    vflip: bool
    nchannel: int
    file: str
    content_type: str
    gridsize: tuple[int, int]
    gridlayout: str
    embed: int
    folder: str = ""
    # the file, as it was found
    path: str = ""


class Mesh(Item, element="mesh"):
    """A mesh as in the file; `compiled` is a CompiledMesh."""

    file: str
    content_type: str
    vertex: Vector
    normal: Vector
    texcoord: Vector
    face: tuple[int, ...]
    refpos: Vec3
    refquat: Quat
    scale: Vec3
    smoothnormal: bool
    maxhullvert: int
    inertia: int
    builtin: int
    params: Vector
    material: str
    folder: str = ""
    # the file, as it was found
    path: str = ""
    # what a frame does to it that `scale` cannot express
    stretch: Mat3 | None = None
    compiled: Any = None


class HField(Item, element="hfield"):
    """A height field as in the file, and its compiled heights: rows by growing y."""

    file: str
    content_type: str
    nrow: int
    ncol: int
    size: Vector
    elevation: Vector
    folder: str = ""
    # the file, as it was found
    path: str = ""
    heights: Any = None


class Bone(Item, element="bone"):
    """A body that moves some of the vertices of a skin."""

    body: str
    bindpos: Vec3
    bindquat: Quat
    vertid: Any
    vertweight: Any


class Skin(Item, element="skin"):
    file: str
    material: str
    group: int
    vertex: Any
    texcoord: Any
    face: Any
    bones: Sequence[Bone] = ()
    folder: str = ""
    # the file, as it was found
    path: str = ""


class Key(Item, element="key"):
    time: float
    qpos: Vector


class Inertial(AttributeSet, element="inertial"):
    """The <inertial> of a body; `fullinertia` is diagonalized by the compiler."""

    node: Node
    frame: Frame | None = None
    frame_scale: Scale | None = None
    pos: Vec3
    mass: float = 0.0
    diaginertia: Vec3
    fullinertia: Vector | None = None
    quat: Quat
    alt: tuple[str, Vector] | None = None


class Body(Placed, element="body"):
    parent: Body | None = None
    mocap: bool
    gravcomp: float
    sleep: int
    simple: int
    fuse: int
    inertial: Inertial | None = None
    # the scale of what is in the body
    inner_scale: Scale | None = None
    # computed: inertial frame, mass and principal moments, whether they are inferred from geoms and whether the
    # compiler adjusted them, weldid, whether the body is static
    ipos: Vec3 = ZERO
    iquat: Quat = UNIT
    mass: float = 0.0
    inertia: Vec3 = ZERO
    from_geoms: bool = False
    adjusted: bool = False
    weldid: int = 0
    fixed: bool = True
    mocapid: int = -1

    def __init__(self, node: Node | None = None, **values: Any) -> None:
        super().__init__(node, **values)
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.geoms: list[Geom] = []
        self.sites: list[Site] = []
        self.cameras: list[Camera] = []
        self.lights: list[Light] = []


class Compiler(AttributeSet, element="compiler"):
    autolimits: bool
    boundmass: float
    boundinertia: float
    settotalmass: float
    balanceinertia: bool
    strippath: bool
    angle: int
    fitaabb: bool
    eulerseq: str
    discardvisual: bool
    fusestatic: bool
    inertiafromgeom: int
    inertiagrouprange: tuple[int, int]
    alignfree: bool

    @property
    def degree(self) -> bool:
        return bool(self.angle)


# settings at their defaults
OPTION: dict[str, Any] = {**defaults("option"), "disableflags": 0, "enableflags": 0, "disableactuator": 0}
VISUAL: dict[str, dict[str, Any]] = {group: defaults(f"visual/{group}") for group in VISUAL_GROUPS}
SIZE: dict[str, int] = {**defaults("size"), "memory": -1}

# element types of the sections beside the body tree, in the order of their fields
SECTION_TYPES = ("pair", "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple")

# types that a default class can set
PROTOTYPES: dict[str, type[Item]] = {
    "joint": Joint, "geom": Geom, "site": Site, "camera": Camera, "light": Light, "texture": Texture,
    "material": Material, "mesh": Mesh,
}  # fmt: skip


class LengthRange(AttributeSet, element="lengthrange"):
    """The attributes of <compiler><lengthrange>."""

    mode: int
    useexisting: bool
    uselimit: bool
    accel: float
    maxforce: float
    timeconst: float
    timestep: float
    inttotal: float
    interval: float
    tolrange: float


@dataclass
class Default:
    """A default class: one prototype of each type, and the class in which it is nested."""

    name: str
    prototypes: dict[str, Item]
    parent: Default | None = None


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
    # whether a frame scales its contents
    scaled: bool = False
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
