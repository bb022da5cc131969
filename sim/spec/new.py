"""New elements with values that make sense where they are added, as changes (`sim/tree_edit.py`).

apply(spec, new_shape(spec, "box", extent=2, pos=(0, 0, 1)))        # a free body with a geom
apply(spec, new_shape(spec, "sphere", extent=2, into=leg))          # a geom
apply(spec, new_actuators(leg.members("joint"), "position", [0.1])) # a servo for a joint of that inertia, kg m²
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10, pi

from sim.enums import JNT_BALL, JNT_FREE, JNT_SLIDE
from sim.mjcf.errors import MjcfError
from sim.spec.actions import Names, add
from sim.spec.element import Element
from sim.spec.places import place_of
from sim.spec.pose import numbers
from sim.spec.spec import Spec
from sim.tree_edit import TreeEdit

# what a world begins with
EMPTY_WORLD = """<mujoco model="world">
  <statistic extent="2" center="0 0 0.5"/>
  <asset>
    <texture name="floor" type="2d" builtin="checker" rgb1="0.3 0.35 0.4" rgb2="0.24 0.28 0.32" width="256" height="256"/>
    <material name="floor" texture="floor" texrepeat="2 2" texuniform="true"/>
  </asset>
  <worldbody>
    <light name="sun" type="directional" pos="0 0 4" dir="0.3 0.2 -1"/>
    <geom name="floor" type="plane" size="0 0 0.1" material="floor"/>
  </worldbody>
</mujoco>
"""  # noqa: E501
# half the size of a new shape, as a share of the model's extent
SHARE = 0.05
# type of geom -> its size, as multiples of the half size
SIZES = {
    "sphere": (1.0,), "box": (1.0, 1.0, 1.0), "capsule": (0.5, 1.0), "cylinder": (0.7, 1.0),
    "ellipsoid": (1.2, 0.8, 0.6), "plane": (20.0, 20.0, 1.0),
}  # fmt: skip
JOINTS = ("hinge", "slide", "ball", "free")
ACTUATORS = ("motor", "position", "velocity")
# how fast a new servo answers: its frequency without load, Hz
FREQUENCY = 4.0
# what a servo without limits moves over
REACH = {"hinge": pi, "slide": 1.0}


def nice(number: float) -> float:
    """A number near this one that begins with 1, 2 or 5."""
    if not 0 < number < float("inf"):
        return 1.0
    power = 10.0 ** floor(log10(number))
    return float(f"{min((1, 2, 5, 10), key=lambda first: abs(log10(first * power / number))) * power:.12g}")


def half_size(extent: float) -> float:
    """Half the size of a new shape in a model of this extent."""
    return nice(SHARE * extent)


def new_shape(
    spec: Spec, kind: str, extent: float, into: Element | None = None, pos: Sequence[float] = (0.0, 0.0, 0.0)
) -> list[TreeEdit]:
    """A geom in a body; in the world a body that is free to move, or a plane."""
    half = half_size(extent)
    size = numbers([factor * half for factor in SIZES[kind]])
    into = spec.world if into is None else into
    if kind == "plane" or into.tag != "worldbody":
        return add(spec, "geom", into, name=kind, type=kind, size=size, pos=_unless_zero(pos))
    names = Names(spec)
    geom = f'<geom name="{names.new("geom", kind)}" type="{kind}" size="{size}"/>'
    attributes = (("name", names.new("body", kind)), ("pos", numbers(pos)))
    return [TreeEdit("add", place_of(into), "body", attributes, inside=f"<freejoint/>{geom}")]


def new_body(into: Element, extent: float, pos: Sequence[float]) -> list[TreeEdit]:
    """A body with a sphere, which is welded to what it is in until it gets a joint."""
    names = Names(into.spec)
    geom = f'<geom name="{names.new("geom", "sphere")}" size="{half_size(extent):g}"/>'
    attributes = (("name", names.new("body", "body")), ("pos", numbers(pos)))
    return [TreeEdit("add", place_of(into), "body", attributes, inside=geom)]


def new_joint(body: Element, kind: str) -> list[TreeEdit]:
    """A joint at the origin of a body; a hinge turns about its y axis."""
    if body.tag == "worldbody":
        raise body.error("the world cannot have a joint", "select a body")
    there = body.members("joint")
    free = kind == "free" or any(one.tag == "freejoint" or one.get("type") == JNT_FREE for one in there)
    if free and there:
        raise body.error("a free joint must be the only one of its body", "delete the others first")
    if kind == "free" and body.body is not None and body.body.tag != "worldbody":
        raise body.error("only a body of the world can have a free joint")
    name = f"{body.name}_{kind}" if body.name else kind
    if kind == "free":
        return add(body.spec, "freejoint", body, name=name)
    return add(body.spec, "joint", body, name=name, type=kind, axis=None if kind == "ball" else "0 1 0")


def new_member(body: Element, tag: str, extent: float, pos: Sequence[float] = (0.0, 0.0, 0.0)) -> list[TreeEdit]:
    """A site, camera or light in a body."""
    spec = body.spec
    if tag == "site":
        return add(spec, "site", body, name="site", pos=_unless_zero(pos), size=f"{nice(0.2 * half_size(extent)):g}")
    if tag == "camera":
        return add(spec, "camera", body, name="camera", pos=numbers(pos))
    return add(spec, "light", body, name="light", pos=numbers([pos[0], pos[1], pos[2] + extent]))


def new_actuators(joints: Sequence[Element], kind: str, inertia: Sequence[float]) -> list[TreeEdit]:
    """An actuator for each joint that can have one; `inertia` is that which each of them moves, kg m² or kg."""
    usable = [(one, m) for one, m in zip(joints, inertia, strict=True) if _turns_or_slides(one)]
    if not usable:
        raise (joints[0].error if joints else _no_element)("only hinges and slides get a motor or a servo")
    spec, edits = usable[0][0].spec, list[TreeEdit]()
    with_names = Names(spec)
    for joint, mass in usable:
        if not joint.name:
            name = with_names.new("joint", f"{joint.body.name if joint.body is not None else ''}_joint".lstrip("_"))
            edits.append(TreeEdit("rename", place_of(joint), attributes=(("name", name),)))
        else:
            name = joint.name
        attributes = {"name": with_names.new("actuator", f"{name}_{kind}"), "joint": name, **_law(joint, kind, mass)}
        edits.append(TreeEdit("add", None, kind, tuple(attributes.items())))
    return edits


def new_sensor(item: Element, tag: str) -> list[TreeEdit]:
    """A sensor of an element, which gets a name if it has none."""
    edits, name = _named(item)
    how = {"joint": "joint", "site": "site", "actuator": "actuator", "tendon": "tendon"}
    of = {"objtype": item.kind, "objname": name} if tag.startswith("frame") else {how.get(item.kind, item.kind): name}
    if tag.startswith("subtree"):
        of = {"body": name}
    return [*edits, *_added(item.spec, tag, {"name": f"{name}_{tag}", **of})]


def new_between(first: Element, second: Element, tag: str) -> list[TreeEdit]:
    """An equality, exclude, pair or tendon between two elements of a type, which get names if they have none."""
    (edits, a), (more, b) = _named(first), _named(second)
    edits = [*edits, *more]
    spec, name = first.spec, f"{a}_{b}"
    if tag == "spatial":
        inside = f'<site site="{a}"/><site site="{b}"/>'
        return [*edits, *_inside(add(spec, tag, name=name), inside)]
    if tag == "connect":
        return [*edits, *add(spec, tag, name=name, body1=a, body2=b, anchor="0 0 0")]
    key = {"pair": "geom", "equality/joint": "joint"}.get(tag, "body")
    return [*edits, *_added(spec, tag, {"name": name, f"{key}1": a, f"{key}2": b})]


def _added(spec: Spec, tag: str, attributes: dict[str, str]) -> list[TreeEdit]:
    return add(spec, tag, None, None, **attributes)


def _inside(edits: list[TreeEdit], text: str) -> list[TreeEdit]:
    first = edits[0]
    return [TreeEdit(first.action, first.at, first.tag, first.attributes, inside=text)]


def _named(item: Element) -> tuple[list[TreeEdit], str]:
    """The change that gives an element a name, if it has none, and the name."""
    if item.name:
        return [], item.name
    name = Names(item.spec).new(item.kind, item.tag)
    return [TreeEdit("rename", place_of(item), attributes=(("name", name),))], name


def _turns_or_slides(joint: Element) -> bool:
    return joint.tag == "joint" and joint.get("type") not in (JNT_FREE, JNT_BALL)


def _law(joint: Element, kind: str, mass: float) -> dict[str, str]:
    """Gains and range: a servo answers with the same frequency, whatever it moves."""
    kp = _rounded(max(mass, 1e-9) * (2 * pi * FREQUENCY) ** 2)
    limits = joint.get("range")
    limited = bool(limits) and limits[0] < limits[1]
    reach = REACH["slide" if joint.get("type") == JNT_SLIDE else "hinge"]
    if kind == "position":
        span = {"inheritrange": "1"} if limited else {"ctrlrange": f"{-reach:.4g} {reach:.4g}"}
        return {"kp": kp, "dampratio": "1", **span}
    if kind == "velocity":
        return {"kv": _rounded(max(mass, 1e-9) * 2 * pi * FREQUENCY), "ctrlrange": "-5 5"}
    return {"gear": kp, "ctrlrange": "-1 1"}


def _rounded(number: float) -> str:
    return f"{float(f'{number:.2g}'):g}"


def _unless_zero(pos: Sequence[float]) -> str | None:
    return numbers(pos) if any(pos) else None


def _no_element(message: str) -> MjcfError:
    return MjcfError(message, "")
