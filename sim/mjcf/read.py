"""XML nodes -> a parsed model, with default classes and childclass applied.

Sections are read in MuJoCo's order, not in that of the file: settings, default classes, assets, the other sections,
bodies, keyframes. SECTIONS, at the end, has one function for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, NamedTuple, TypeVar

from sim import enums
from sim.attributes import BY_TAG, DISABLE_FLAGS, ENABLE_FLAGS
from sim.attributes.keywords import KEYWORDS
from sim.mjcf import notes
from sim.mjcf.asset.assets import ASSETS, add_asset
from sim.mjcf.errors import check_positive, shortened, suggestion
from sim.mjcf.place import place, resolve_orientation
from sim.mjcf.read_element import find_class as _class
from sim.mjcf.read_element import merge as _merge
from sim.mjcf.records import (
    PROTOTYPES,
    Body,
    Bone,
    Camera,
    Default,
    Frame,
    Geom,
    Inertial,
    Item,
    Joint,
    Key,
    Light,
    Material,
    Parsed,
    Placed,
    Site,
    Skin,
    Texture,
    copied,
)
from sim.mjcf.scale.frame_scale import SCALING, Scale, enter_frame
from sim.mjcf.schema import NOT_IN_DEFAULT, ORIENTATIONS, check_children, element, read_attributes, read_node
from sim.mjcf.section.sections import DEFAULT_READERS, read_section
from sim.mjcf.source import Node

Kind = TypeVar("Kind", bound=Item)

# larger sizes are typing errors, and would exhaust the memory
LARGEST_SIZE, MOST_KEYS = 10_000_000, 1_000_000
MOST_DIGITS = 18


def read(root: Node) -> Parsed:
    """Parse the whole model."""
    check_children(root)
    parsed = Parsed(root=root)
    read_attributes(root)
    parsed.modelname = root.attrib.get("model", parsed.modelname)
    parsed.defaults["main"] = Default("main", {kind: make() for kind, make in PROTOTYPES.items()})
    for tag, section in SECTIONS.items():
        for node in root.children:
            if node.tag == tag:
                section(parsed, node)
    return parsed


# ---- settings


def _deprecated(node: Node, attribute: str, cure: str) -> None:
    """Warn about an attribute that MuJoCo 4.0 warns about."""
    notes.warn(str(node.error(f"{attribute} is deprecated in MuJoCo 4.0", cure)), stacklevel=2)


def _check_section(node: Node) -> None:
    """Check a section without attributes."""
    read_attributes(node)
    check_children(node)


def _compiler(parsed: Parsed, node: Node) -> None:
    values = read_node(node)
    if values.pop("coordinate", 0):
        raise node.error("global coordinates are no longer part of MJCF", "convert the model to local coordinates")
    sequence = values.get("eulerseq", "xyz")
    if len(sequence) != 3 or set(sequence.lower()) - set("xyz"):
        raise node.error(f'eulerseq="{sequence}" is not a sequence of axes', "specify three axes, such as xyz or ZYX")
    directory = values.pop("assetdir", None)
    if directory is not None:
        values = {"meshdir": directory, "texturedir": directory} | values
    if values.get("settotalmass", 0) > 0:
        _deprecated(node, "settotalmass", "scale the masses and densities in the model")
    for child in node.children:
        vars(parsed.lengthrange).update(read_attributes(child))
    for ignored in ("usethread", "saveinertial", "savecompiled", "savecanonical", "passthrough", "conflict"):
        values.pop(ignored, None)
    vars(parsed.compiler_at(node)).update(values)


def _option(parsed: Parsed, node: Node) -> None:
    values = read_node(node)
    groups = values.pop("actuatorgroupdisable", None)
    if groups is not None:
        for group in groups:
            if not 0 <= group <= 30:
                raise node.error(f"actuator group {group} cannot be disabled", "only groups 0 to 30 can")
        values["disableactuator"] = sum(1 << group for group in set(groups))
    check_positive(node, "timestep", values.get("timestep", 1))
    _merge(parsed.option, values, "option")
    for flags in node.children:
        for name, on in read_attributes(flags).items():
            if name not in DISABLE_FLAGS + ENABLE_FLAGS:
                continue
            family = "disableflags" if name in DISABLE_FLAGS else "enableflags"
            bit = 1 << BY_TAG["flag"][name].bit
            wanted = bool(on) == (family == "enableflags")
            parsed.option[family] = parsed.option[family] | bit if wanted else parsed.option[family] & ~bit


def _size(parsed: Parsed, node: Node) -> None:
    values = read_node(node)
    if "memory" in node.attrib:
        values["memory"] = _memory(node, node.attrib["memory"])
    for name, value in values.items():
        if value < -1:
            raise node.error(f"{name} is {value}", "it must be -1 (automatic), zero or positive")
        most = MOST_KEYS if name == "nkey" else LARGEST_SIZE
        if value > most and name != "memory":
            raise node.error(f"{name} is {value}", f"the maximum is {most}")
    parsed.size.update(values)
    parsed.size_element = Item(node)


def _memory(node: Node, text: str) -> int:
    """Bytes of a size such as 10M; suffixes are powers of 1024."""
    text = text.strip()
    shift = 10 * ("KMGTPE".find(text[-1:].upper() or "-") + 1)
    digits = text[:-1] if shift else text
    if digits == "-1" and not shift:
        return -1
    if not digits.isdecimal() or len(digits) > MOST_DIGITS:
        raise node.error(f'memory="{shortened(text)}" is not a size', 'write a number with K, M or G, such as "10M"')
    return int(digits) << shift


def _statistic(parsed: Parsed, node: Node) -> None:
    values = read_node(node)
    check_positive(node, "extent", values.get("extent", 1))
    if "meaninertia" in values:
        _deprecated(node, "meaninertia", "remove it; solver tolerance is then relative to the computed one")
    parsed.statistic.update(values)


def _visual(parsed: Parsed, node: Node) -> None:
    _check_section(node)
    for child in node.children:
        values = read_node(child)
        for positive in ("znear", "realtime"):
            check_positive(child, positive, values.get(positive, 1))
        parsed.visual[child.tag].update(values)


# ---- default classes


def _default(parsed: Parsed, node: Node) -> None:
    """A default class and those nested in it, which inherit all of its settings, wherever in it they are."""
    stack: list[tuple[Node, Default | None]] = [(node, None)]
    while stack:
        node, parent = stack.pop()
        check_children(node, "default")
        name = read_attributes(node).get("class", "")
        default = _nested_class(parsed, node, name, parent) if parent else _top_class(parsed, node, name)
        for child in node.children:
            if child.tag != "default":
                _prototype(default, child)
        stack += [(child, default) for child in reversed(node.children) if child.tag == "default"]


def _top_class(parsed: Parsed, node: Node, name: str) -> Default:
    # an attached model has its own main class
    if node.document.origin:
        prototypes = parsed.defaults["main"].prototypes
        parsed.defaults[name] = Default(name, {kind: type(item)() for kind, item in prototypes.items()})
    elif name not in ("", "main"):
        raise node.error(f"the top-level default class is called '{name}'", "nest it in the class 'main'")
    return parsed.defaults[name or "main"]


def _nested_class(parsed: Parsed, node: Node, name: str, parent: Default) -> Default:
    if not name:
        raise node.error("a nested default class needs a name", 'write class="..."')
    if name in parsed.defaults:
        raise node.error(f"default class '{name}' is defined twice", "rename one of them")
    default = Default(name, {kind: copied(item) for kind, item in parent.prototypes.items()}, parent)
    parsed.defaults[name] = default
    return default


def _prototype(default: Default, node: Node) -> None:
    if node.tag in DEFAULT_READERS:
        DEFAULT_READERS[node.tag](default, node)
        return
    for key in NOT_IN_DEFAULT[""] + NOT_IN_DEFAULT.get(node.tag, ()):
        if key in node.attrib:
            raise node.error(f"unknown attribute '{key}'", f"a default class cannot set '{key}'")
    check_children(node)
    _set(default.prototypes[node.tag], node, read_attributes(node))


# ---- one element


def _new(parsed: Parsed, node: Node, kind: type[Kind], inherited: Default | None = None) -> Kind:
    """A new element: a copy of its class's prototype, overwritten by its own attributes."""
    values = read_attributes(node)
    if node.tag in PROTOTYPES:
        default = inherited or parsed.defaults["main"]
        if "class" in values:
            default = _class(parsed, node, values.pop("class"))
        item = copied(default.prototypes[node.tag])
    else:
        item = kind()
    assert isinstance(item, kind)
    item.node = node
    _set(item, node, values)
    return item


def _set(item: Item, node: Node, values: dict[str, Any]) -> None:
    """Set the attributes of an element; hooks translate those that are not fields."""
    if isinstance(item, Placed):
        _take_orientation(item, node, values)
    hook = _HOOKS.get(node.tag)
    if hook:
        hook(item, node, values)
    _merge(item.__dict__, values, node.tag)


def _take_orientation(item: Placed | Inertial, node: Node, values: dict[str, Any]) -> None:
    """Move axisangle, xyaxes, zaxis or euler into `alt`; a quat replaces that of a default class."""
    quat = values.get("quat")
    if quat is not None:
        if not any(quat):
            raise node.error('quat="0 0 0 0" is not a rotation', "the identity is 1 0 0 0")
        item.alt = None
    for kind in ORIENTATIONS[1:]:
        if kind in values:
            item.alt = (kind, values.pop(kind))


def _light(item: Item, _: Node, values: dict[str, Any]) -> None:
    if "directional" in values:
        values["type"] = KEYWORDS["lighttype"]["directional" if values.pop("directional") else "spot"]


def _material(item: Item, node: Node, values: dict[str, Any]) -> None:
    """Textures by role: from the layers, or the attribute `texture` for rgb."""
    assert isinstance(item, Material)
    layers = {}
    if "texture" in values:
        layers[KEYWORDS["texrole"]["rgb"]] = values.pop("texture")
        if node.children:
            raise node.children[0].error("'texture' and <layer> are mutually exclusive", "specify only one")
    for child in node.children:
        layer = read_attributes(child)
        layers[layer["role"]] = layer["texture"]
    item.textures = {role: name for role, name in {**item.textures, **layers}.items() if name}


def _texture(item: Item, node: Node, values: dict[str, Any]) -> None:
    """The gridlayout of a default class is for its gridsize."""
    assert isinstance(item, Texture)
    size = values.get("gridsize", item.gridsize)
    if size != item.gridsize:
        item.gridlayout = ""
    layout = values.get("gridlayout", item.gridlayout)
    if layout and len(layout) != prod(size):
        raise node.error(f'gridlayout="{layout}" has {len(layout)} letters', f"gridsize has {prod(size)} squares")


def _skin(item: Item, node: Node, _: dict[str, Any]) -> None:
    assert isinstance(item, Skin)
    item.bones = [Bone(child, **read_attributes(child)) for child in node.children]


_HOOKS: dict[str, Callable[[Item, Node, dict[str, Any]], None]] = {
    "light": _light,
    "material": _material,
    "skin": _skin,
    "texture": _texture,
}


# ---- assets and keyframes


def _asset(parsed: Parsed, node: Node) -> None:
    _check_section(node)
    for child in node.children:
        check_children(child)
        add_asset(parsed, child, _new(parsed, child, ASSETS[child.tag][0]))


def _keyframe(parsed: Parsed, node: Node) -> None:
    _check_section(node)
    for child in node.children:
        check_children(child)
        parsed.keys.append(_new(parsed, child, Key))


# ---- bodies


class Scope(NamedTuple):
    """Context of an element: its body, the enclosing frame, the class set by childclass, and the scale of frames."""

    body: Body
    inherited: Default | None
    frame: Frame | None
    scale: Scale | None = None

    def enter(self, item: Item | Inertial) -> None:
        """Give an element the scale of the enclosing frames."""
        if self.scale is not None:
            item.frame_scale = self.scale


def _worldbody(parsed: Parsed, node: Node) -> None:
    if node.attrib:
        raise node.error("<worldbody> takes no attributes", "put them into a <body>")
    parsed.world.node = parsed.world.node or node
    # a stack instead of recursion: chains of bodies and frames can be hundreds long
    stack = [_enter(node, Scope(parsed.world, None, None))]
    while stack:
        children, scope = stack[-1]
        for child in children:
            inside = _CONTENT[child.tag](parsed, child, scope)
            if inside:
                stack.append(_enter(child, inside))
                break
        else:
            stack.pop()


def _enter(node: Node, scope: Scope) -> tuple[Iterator[Node], Scope]:
    """An iterator over the children of a body or frame, and their scope."""
    check_children(node)
    return iter(node.children), scope


def _body(parsed: Parsed, node: Node, scope: Scope) -> Scope:
    values = read_attributes(node)
    inherited = _class(parsed, node, values.pop("childclass")) if "childclass" in values else scope.inherited
    body = Body(node=node, parent=scope.body, frame=scope.frame)
    _set(body, node, values)
    scope.body.bodies.append(body)
    scope.enter(body)
    if scope.scale is not None:
        body.inner_scale = scope.scale.in_body(resolve_orientation(body, parsed.compiler_at(node)))
    return Scope(body, inherited, None, body.inner_scale)


def _frame(parsed: Parsed, node: Node, scope: Scope) -> Scope:
    """Frames are composed as they are read: an element keeps one frame, relative to the body."""
    values = read_attributes(node)
    inherited = _class(parsed, node, values.pop("childclass")) if "childclass" in values else scope.inherited
    placed = Placed(node=node, frame=scope.frame)
    scaling = {key: values.pop(key) for key in SCALING if key in values}
    _set(placed, node, values)
    parsed.frames.append(placed)
    scale = None
    if scaling or scope.scale is not None:
        scale = enter_frame(node, placed, scaling, scope.scale, resolve_orientation(placed, parsed.compiler_at(node)))
    place(placed, parsed.compiler_at(node))
    if scale is not None:
        parsed.scaled, scale = True, scale.at(placed.pos, placed.quat)
    return scope._replace(inherited=inherited, frame=Frame(placed.pos, placed.quat), scale=scale)


def _inertial(_: Parsed, node: Node, scope: Scope) -> None:
    if scope.body.parent is None:
        raise node.error("the world does not move and takes no <inertial>", "leave it out")
    values = read_node(node)
    inertial = Inertial(node)
    _take_orientation(inertial, node, values)
    vars(inertial).update(values)
    inertial.frame = scope.frame
    scope.enter(inertial)
    scope.body.inertial = inertial


def _joint(parsed: Parsed, node: Node, scope: Scope) -> None:
    if scope.body.parent is None:
        raise node.error("the world does not move and takes no joints", "put the joint into a <body>")
    check_children(node)
    joint = _new(parsed, node, Joint, scope.inherited)
    # a <freejoint> has no default class
    if node.tag == "freejoint":
        joint.type = enums.JNT_FREE
    joint.frame = scope.frame
    scope.enter(joint)
    scope.body.joints.append(joint)


def _member(kind: type[Item], place: str) -> Callable[[Parsed, Node, Scope], None]:
    """A reader of elements that are kept in a list of the body."""

    def member(parsed: Parsed, node: Node, scope: Scope) -> None:
        check_children(node)
        item = _new(parsed, node, kind, scope.inherited)
        vars(item)["frame"] = scope.frame
        scope.enter(item)
        getattr(scope.body, place).append(item)

    return member


# tag -> its reader, which returns the scope of the children if there can be any
_CONTENT: dict[str, Callable[[Parsed, Node, Scope], Scope | None]] = {
    "body": _body, "frame": _frame, "inertial": _inertial, "joint": _joint, "freejoint": _joint,
    "geom": _member(Geom, "geoms"), "site": _member(Site, "sites"), "camera": _member(Camera, "cameras"),
    "light": _member(Light, "lights"),
}  # fmt: skip


def _fragment(_: Parsed, node: Node) -> None:
    """A <body> or <frame> outside <worldbody>, as in files to include: attribute names are checked, the rest is
    ignored, as in MuJoCo."""
    pending = [node]
    while pending:
        node = pending.pop()
        check_children(node)
        known = element(node.tag).attributes
        for key in node.attrib:
            if key not in known:
                raise node.error(f"unknown attribute '{key}'", suggestion(key, known))
        pending += node.children


SECTIONS: dict[str, Callable[[Parsed, Node], None]] = {
    "compiler": _compiler, "option": _option, "size": _size, "statistic": _statistic, "visual": _visual,
    "default": _default, "asset": _asset, "deformable": _asset,
    **dict.fromkeys(("custom", "contact", "equality", "tendon", "actuator", "sensor"), read_section),
    "worldbody": _worldbody, "keyframe": _keyframe, "body": _fragment, "frame": _fragment,
}  # fmt: skip
