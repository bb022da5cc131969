"""The records that the compiler works with: classes of all elements, and Parsed, the whole model.

Default classes have been applied. Attributes are named as in MJCF and start at the defaults in `sim.attributes`; each
element keeps its XML node. A default class holds one prototype of each type; a new element starts as a copy of its
class's prototype. A class here declares the attributes that the compiler works with, and what it computes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias, TypeVar

from sim import enums
from sim.attributes import defaults
from sim.mjcf.errors import MjcfError, lookup
from sim.mjcf.rotation import UNIT, ZERO, Mat3, Quat, Vec3, Vector
from sim.mjcf.scale.frame_scale import Scale
from sim.mjcf.schema import VISUAL_GROUPS
from sim.mjcf.source import Node

FALSE, TRUE, AUTO = range(3)

# field -> value
Values: TypeAlias = dict[str, Any]
# type -> name -> id, and type -> elements in the order of their ids
Ids: TypeAlias = Mapping[str, Mapping[str, int]]
Lists: TypeAlias = Mapping[str, Sequence[Any]]


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


class Pair(Item, element="pair"):
    geom1: str
    geom2: str
    condim: int
    gap: float
    margin: float
    # computed
    geomids: tuple[int, int] = (-1, -1)
    signature: int = -1


class Exclude(Item, element="exclude"):
    body1: str
    body2: str
    # computed
    signature: int = -1


class Equality(Item, element="equality"):
    """`obj1` and `obj2` are names of objects of type `objtype`; `data` is laid out as in eq_data."""

    type: int = enums.EQ_CONNECT
    objtype: str = ""
    obj1: str = ""
    obj2: str = ""
    data: Vector = (0.0, 1.0) + (0.0,) * 8 + (1.0, 0.0)
    # scales of the two positions in `data`
    anchors: tuple[Scale | None, Scale | None] = (None, None)
    # computed
    obj1id: int = -1
    obj2id: int = -1


class Wrap(Item):
    """One element of a tendon's path: `target` is a joint, site or geom, `prm` a coefficient or divisor."""

    type: int = enums.WRAP_NONE
    target: str = ""
    sidesite: str = ""
    prm: float = 0.0
    # computed
    objid: int = -1


class Tendon(Item, element="tendon"):
    path: tuple[Wrap, ...] = ()
    group: int
    limited: int
    actuatorfrclimited: int
    range: Vector
    actuatorfrcrange: Vector
    springlength: Vector
    springyield: float
    width: float
    material: str
    margin: float
    stiffness: Vector
    damping: Vector
    armature: float
    user: Vector


class Actuator(Item, element="actuator"):
    """`target` is a joint, tendon, site or body, depending on `trntype`; `input` sets ctrlspec."""

    trntype: int = enums.TRN_UNDEFINED
    target: str = ""
    slidersite: str
    refsite: str
    group: int
    nsample: int
    interp: int
    delay: float
    ctrllimited: int
    ctrlrange: Vector
    velrange: Vector
    ffrange: Vector
    forcelimited: int
    forcerange: Vector
    actlimited: int
    actrange: Vector
    inheritrange: float
    lengthrange: Vector
    gear: Vector
    damping: Vector
    armature: float
    cranklength: float
    actdim: int
    input: int = 0
    # the element that it is written as; of a default class, the last one there
    shortcut: str = ""
    # what the control is, declared by `input` or implied by the shortcut; 0: a number without a dimension
    control: int = 0
    dyntype: int
    gaintype: int
    biastype: int
    dynprm: Vector
    gainprm: Vector
    biasprm: Vector
    actearly: bool
    user: Vector
    # computed: ids of the transmission targets, counts of controls and outputs, limits of the controls
    trnid: tuple[int, int] = (-1, -1)
    ctrlspec: int = 0
    ctrlnum: int = 1
    outnum: int = 1
    limits: tuple[tuple[bool, Vector], ...] = ()


# attributes with the ranges of the inputs of a pid
PID_RANGES = {enums.INPUT_POS: "ctrlrange", enums.INPUT_VEL: "velrange", enums.INPUT_FF: "ffrange"}


def is_ratio(actuator: Actuator) -> bool:
    """Whether the third number of its biasprm is a damping ratio, which loading replaces by the damping."""
    kp = -actuator.biasprm[1] if actuator.gaintype == enums.GAIN_PID else actuator.gainprm[0]
    return kp == -actuator.biasprm[1] and actuator.biasprm[2] > 0


class Sensor(Item, element="sensor"):
    """`objname` and `refname` are names of objects of types `objtype` and `reftype`, which may be empty."""

    type: int = enums.SENS_USER
    objtype: str = ""
    objname: str = ""
    reftype: str = ""
    refname: str = ""
    nsample: int
    interp: int
    delay: float
    interval: Vector
    cutoff: float
    intprm: tuple[int, int, int] = (0, 0, 0)
    datatype: int
    needstage: int
    dim: int
    user: Vector
    # computed
    objid: int = -1
    refid: int = -1


class Numeric(Item, element="numeric"):
    data: Vector


class Text(Item, element="text"):
    data: str


class TupleElement(Item, element="element"):
    """One element of a tuple: an object and a number."""

    objtype: str = ""
    objname: str = ""
    prm: float
    # computed
    objid: int = -1


class Tuple(Item, element="tuple"):
    elements: tuple[TupleElement, ...] = ()


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
    "material": Material, "mesh": Mesh, "pair": Pair, "equality": Equality, "tendon": Tendon, "actuator": Actuator,
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
class Parsed:
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


# ---- references

_TARGETS = {
    enums.TRN_JOINT: "joint", enums.TRN_JOINTINPARENT: "joint", enums.TRN_SLIDERCRANK: "site",
    enums.TRN_TENDON: "tendon", enums.TRN_SITE: "site", enums.TRN_BODY: "body",
}  # fmt: skip
_PATH = {enums.WRAP_JOINT: "joint", enums.WRAP_SITE: "site"}


def references(item: Item) -> Iterator[tuple[Any, str, str]]:
    """Every reference by name: the item that holds it, the attribute, and the type of the object."""
    if isinstance(item, Tendon):
        for wrap in item.path:
            yield wrap, "target", _PATH.get(wrap.type, "geom")
            yield wrap, "sidesite", "site"
    elif isinstance(item, Tuple):
        for element in item.elements:
            yield element, "objname", element.objtype
    elif isinstance(item, Pair):
        yield from ((item, "geom1", "geom"), (item, "geom2", "geom"))
    elif isinstance(item, Exclude):
        yield from ((item, "body1", "body"), (item, "body2", "body"))
    elif isinstance(item, Equality):
        yield from ((item, "obj1", item.objtype), (item, "obj2", item.objtype))
    elif isinstance(item, Actuator):
        yield from (
            (item, "target", _TARGETS.get(item.trntype, "")),
            (item, "slidersite", "site"),
            (item, "refsite", "site"),
        )
    elif isinstance(item, Sensor):
        yield from ((item, "objname", item.objtype), (item, "refname", item.reftype))


def target_kind(actuator: Actuator) -> str:
    """Type of the object that an actuator acts on."""
    return _TARGETS[actuator.trntype]


def find(item: Item, kind: str, name: str, ids: Ids) -> int:
    """The id of a named element that `item` refers to."""
    return lookup(item, kind, name, ids.get("body" if kind == "xbody" else kind, {}))
