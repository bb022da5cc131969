"""Bad input: each mistake is an MjcfError that names the file, the line, the element and what would be right."""

from __future__ import annotations

import re

import pytest

from sim.mjcf import MjcfError, compile_text

MOVING = '<body><joint/><geom size="1"/>%s</body>'


def world(text: str) -> str:
    """A model whose second line holds the mistake."""
    return f"<mujoco><worldbody>\n{text}\n</worldbody></mujoco>"


def head(text: str) -> str:
    return f"<mujoco>\n{text}\n<worldbody/></mujoco>"


# what is wrong -> the model, the element at fault, words of the message
BAD: dict[str, tuple[str, str, str]] = {
    # form
    "not xml": (world('<geom size="1">'), "", "not well-formed XML"),
    "empty": ("", "", "not well-formed XML"),
    "no space": (
        world('<geom name="a"size="1"/>'),
        "",
        "attributes construct error; write a space between two attributes",
    ),
    "two attributes": (world('<geom size="1" size="2"/>'), "", "not well-formed XML"),
    "root": ("<html/>", "html", "it must be <mujoco>"),
    "entity": (
        '<!DOCTYPE a [\n<!ENTITY e "1">]><mujoco/>',
        "",
        "XML entities are not allowed; write the value itself",
    ),
    "element": (world("<boddy/>"), "boddy", "did you mean 'body'?"),
    "element that is far off": (world("<qqq/>"), "qqq", "known: attach, body"),
    "element in the wrong place": (head("<geom/>"), "geom", "unknown element in <mujoco>"),
    "child of a leaf": (world('<geom size="1"><geom/></geom>'), "geom", "unknown element in <geom>"),
    "attribute": (world('<geom sise="1"/>'), "geom", "unknown attribute 'sise'; did you mean 'size'?"),
    "two flags": (head("<option><flag/><flag/></option>"), "flag", "only one <flag>"),
    "two inertials": (
        world('<body><inertial pos="0 0 0" mass="1"/><inertial pos="0 0 0" mass="1"/></body>'),
        "inertial",
        "only one <inertial>",
    ),
    # numbers and words
    "word for a number": (world('<geom size="big"/>'), "geom", "size=\"big\": 'big' is not a number"),
    "comma": (world('<geom size="1" pos="1, 2, 3"/>'), "geom", "'1,' is not a number"),
    "underscore": (world('<geom size="1_0"/>'), "geom", "'1_0' is not a number"),
    "nan": (world('<geom size="1" pos="0 nan 0"/>'), "geom", "'nan' is not a finite number"),
    "infinity": (world('<geom size="inf"/>'), "geom", "'inf' is not a finite number"),
    "overflow": (world('<geom size="1e999"/>'), "geom", "'1e999' is not a finite number"),
    "few": (world('<geom size="1" pos="1 2"/>'), "geom", 'pos="1 2": expected 3 values, got 2'),
    "many": (world('<geom size="1 2 3 4"/>'), "geom", 'size="1 2 3 4": expected 1 to 3 values, got 4'),
    "real for an int": (world('<geom size="1" group="1.5"/>'), "geom", "group=\"1.5\": '1.5' is not an integer"),
    "large int": (
        world('<geom size="1" group="99999999999"/>'),
        "geom",
        'group="99999999999": 99999999999 does not fit in 32 bits',
    ),
    "keyword": (world('<geom type="spere" size="1"/>'), "geom", "did you mean 'sphere'?"),
    "bool": (world('<body mocap="True"/>'), "body", "did you mean 'true'?"),
    "flag of a set": (world('<camera output="rgb dept"/>'), "camera", "did you mean 'depth'?"),
    "long value": (world(f'<geom size="1" pos="{"1 " * 50}"/>'), "geom", '1 1..."'),
    "required": (world('<body><inertial pos="0 0 0"/></body>'), "inertial", "missing attribute 'mass'"),
    "exclusive": (
        world('<geom size="1" quat="1 0 0 0" euler="0 0 0"/>'),
        "geom",
        "'quat' and 'euler' are mutually exclusive; specify only one",
    ),
    # settings
    "timestep": (head('<option timestep="0"/>'), "option", "timestep is 0; it must be positive"),
    "actuator group": (
        head('<option actuatorgroupdisable="31"/>'),
        "option",
        "actuator group 31 cannot be disabled; only groups 0 to 30 can",
    ),
    "eulerseq": (
        head('<compiler eulerseq="xyq"/>'),
        "compiler",
        'eulerseq="xyq" is not a sequence of axes; specify three axes, such as xyz or ZYX',
    ),
    "global coordinates": (head('<compiler coordinate="global"/>'), "compiler", "no longer part of MJCF"),
    "extent": (head('<statistic extent="0"/>'), "statistic", "must be positive"),
    "znear": (head('<visual><map znear="0"/></visual>'), "map", "must be positive"),
    "memory": (head('<size memory="lots"/>'), "size", "is not a size"),
    "size": (head('<size nkey="-2"/>'), "size", "nkey is -2"),
    "huge size": (head('<size nkey="2000000000"/>'), "size", "nkey is 2000000000; the maximum is 1000000"),
    # default classes
    "class": (world('<geom size="1" class="a"/>'), "geom", "unknown default class 'a'"),
    "childclass": (world('<body childclass="a"/>'), "body", "unknown default class 'a'"),
    "main renamed": (head('<default class="a"/>'), "default", "'main'"),
    "class twice": (head('<default><default class="a"/><default class="a"/></default>'), "default", "twice"),
    "nameless class": (head("<default><default/></default>"), "default", "needs a name"),
    "name in a default": (head('<default><geom name="a"/></default>'), "geom", "a default class cannot set"),
    "two geoms in a default": (head("<default><geom/><geom/></default>"), "geom", "only one <geom>"),
    # names
    "name twice": (world('<body name="a"/><body name="a"/>'), "body", "'a': another body has this name"),
    "name of the world": (world('<body name="world"/>'), "body", "another body has this name"),
    "frame name twice": (world('<frame name="a"/><frame name="a"/>'), "frame", "another frame has this name"),
    "material": (world('<geom size="1" material="m"/>'), "geom", "material 'm' does not exist"),
    "texture": (head('<asset><material name="m" texture="t"/></asset>'), "material", "texture 't' does not exist"),
    "target": (world('<camera target="b"/>'), "camera", "target body 'b' does not exist"),
    "nameless material": (head("<asset><material/></asset>"), "material", "missing attribute 'name'"),
    # bodies and joints
    "massless": (world("<body><joint/></body>"), "body", "needs mass and inertia"),
    "attributes of the world": (
        "<mujoco>\n<worldbody name='w'/></mujoco>",
        "worldbody",
        "<worldbody> takes no attributes; put them into a <body>",
    ),
    "inertia of the world": (
        world('<inertial pos="0 0 0" mass="1"/>'),
        "inertial",
        "the world does not move and takes no <inertial>; leave it out",
    ),
    "joint of the world": (
        world("<joint/>"),
        "joint",
        "the world does not move and takes no joints; put the joint into a <body>",
    ),
    "nested free joint": (
        world('<body><body><freejoint/><geom size="1"/></body></body>'),
        "freejoint",
        "the body of a free joint must be a direct child of the world; move the body to <worldbody>",
    ),
    "free joint in company": (world('<body><freejoint/><joint/><geom size="1"/></body>'), "body", "only joint"),
    "seven dofs": (world("<body>" + '<joint type="slide"/>' * 7 + '<geom size="1"/></body>'), "body", "at most 6"),
    "rotation after ball": (
        world('<body><joint type="ball"/><joint/><geom size="1"/></body>'),
        "joint",
        "cannot follow a ball",
    ),
    "mocap": (world(f'<body mocap="true">{MOVING % ""}<joint/><geom size="1"/></body>'), "body", "mocap"),
    "sleep": (
        world('<body sleep="never"/>'),
        "body",
        "sleep can only be set on the root body of a kinematic tree; set it there",
    ),
    "axis": (
        world('<body><joint axis="0 0 0"/><geom size="1"/></body>'),
        "joint",
        "axis is a zero vector; set the axis of the joint",
    ),
    "range": (
        world('<body><joint range="1 0" limited="true"/><geom size="1"/></body>'),
        "joint",
        "range is 1 0; the first number must be below the second",
    ),
    "springdamper": (
        world('<body><joint springdamper="1 0"/><geom size="1"/></body>'),
        "joint",
        "springdamper is 1 0; time constant and damping ratio must both be positive",
    ),
    "range of a ball": (world('<body><joint type="ball" range="1 2"/><geom size="1"/></body>'), "joint", "at 0"),
    "no autolimits": (
        world('<body><joint range="0 1"/></body>').replace("<worldbody>", '<compiler autolimits="false"/><worldbody>'),
        "joint",
        "range is set, but not limited; set limited, or compiler autolimits",
    ),
    "inertia": (
        world('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/></body>'),
        "body",
        "principal moments 1 1 9 violate the triangle inequality",
    ),
    "full inertia": (
        world('<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 9 9 9"/></body>'),
        "body",
        "the principal moments 19 -8 -8 are not positive",
    ),
    "user": (
        '<mujoco><size nuser_body="1"/><worldbody>\n<body user="1 2"/></worldbody></mujoco>',
        "body",
        "user has 2 values; nuser_body is 1: increase it",
    ),
    # geoms and the rest
    "size of a box": (
        world('<geom type="box" size="1 1"/>'),
        "geom",
        "size is 1 1 0; this type needs 3 positive sizes",
    ),
    "negative size": (world('<geom size="-1"/>'), "geom", "size is -1; this type needs 1 positive size"),
    "plane": (
        world('<geom type="plane"/>'),
        "geom",
        "size[2] of the plane is 0; it is the grid spacing, and must be positive",
    ),
    "moving plane": (world(MOVING % '<geom type="plane" size="1 1 1"/>'), "geom", "a plane cannot move"),
    "condim": (world('<geom size="1" condim="2"/>'), "geom", "condim is 2"),
    "density": (
        world('<body><geom size="1" density="-1"/></body>'),
        "geom",
        "density is -1; it must be zero or positive",
    ),
    "fromto of a sphere": (
        world('<geom size="1" fromto="0 0 0 1 1 1"/>'),
        "geom",
        "fromto cannot be used with this type; use ellipsoid, capsule, box or cylinder",
    ),
    "fromto and pos": (
        world('<geom type="capsule" size="1" fromto="0 0 0 1 1 1" pos="1 0 0"/>'),
        "geom",
        "'pos' and 'fromto' are mutually exclusive; specify only one",
    ),
    "fromto of one point": (world('<geom type="capsule" size="1" fromto="1 1 1 1 1 1"/>'), "geom", "coincide"),
    "no mass": (
        world('<body><geom type="ellipsoid" shellinertia="true" size="1e300 .3 .4"/></body>'),
        "geom",
        "cannot compute the mass: sizes are too large or too small; change size",
    ),
    "no fluid": (
        world('<geom type="box" fluidshape="ellipsoid" size="1e-200 .3 .4"/>'),
        "geom",
        "cannot compute fluid coefficients: sizes are too large or too small; change size",
    ),
    "quat": (
        world('<geom size="1" quat="0 0 0 0"/>'),
        "geom",
        'quat="0 0 0 0" is not a rotation; the identity is 1 0 0 0',
    ),
    "zaxis": (world('<geom size="1" zaxis="0 0 0"/>'), "geom", 'zaxis="0 0 0": the z axis is zero'),
    "xyaxes": (world('<body xyaxes="1 0 0 2 0 0"/>'), "body", "parallel to the x axis"),
    "axisangle": (world('<site axisangle="0 0 0 1"/>'), "site", 'axisangle="0 0 0 1": the axis is zero'),
    "plane site": (world('<site type="plane"/>'), "site", "sites cannot have this type"),
    "light": (world('<light dir="0 0 0"/>'), "light", "dir is a zero vector; set the direction of the light"),
    "fovy": (world('<camera fovy="180"/>'), "camera", "below 180"),
    "sensor": (
        world('<camera focal="1 1"/>'),
        "camera",
        "a focal length or principal point needs a sensorsize; set sensorsize",
    ),
    "resolution": (world('<camera sensorsize="1 1" resolution="0 1"/>'), "camera", "positive resolution"),
    "texture without content": (head('<asset><texture name="t"/></asset>'), "texture", "neither builtin nor file"),
    "huge texture": (head('<asset><texture name="t" builtin="flat" width="999999"/></asset>'), "texture", "too large"),
    "texture without width": (head('<asset><texture name="t" builtin="flat"/></asset>'), "texture", "width"),
    "keyframe": ("<mujoco><keyframe>\n<key qpos='1'/></keyframe></mujoco>", "key", "qpos has 1 values"),
    # what comes later
    "unsupported section": (head("<extension/>"), "extension", "not supported yet"),
    "unsupported element": (world("<flexcomp/>"), "flexcomp", "not supported yet"),
    "removed element": (world("<composite/>"), "composite", "MuJoCo 4.0 has no <composite>; a <flexcomp> of dim 1"),
}


@pytest.mark.parametrize("mistake", BAD)
def test_bad_input(mistake: str) -> None:
    text, element, words = BAD[mistake]
    with pytest.raises(MjcfError) as caught:
        compile_text(text)
    error = caught.value
    assert words in str(error)
    assert error.element == element
    assert error.file == "<text>"
    # the mistake is on the second line, or the whole text is one line
    last = text.count("\n") + 1
    assert error.line == min(2, last) or (not element and 1 <= error.line <= last)
    place = re.match(r"<text>:\d+: " + (f"<{element}>: " if element else ""), str(error))
    assert place, str(error)


def test_line_is_where_the_element_starts() -> None:
    with pytest.raises(MjcfError) as caught:
        compile_text('<mujoco>\n<worldbody>\n<geom\n  size="1"\n  sise="2"/></worldbody></mujoco>')
    assert caught.value.line == 3


def test_empty_attributes_count_as_absent() -> None:
    compiled = compile_text('<mujoco><worldbody><geom size="1" pos="" name=" "/></worldbody></mujoco>')
    assert compiled.values["geom_pos"].tolist() == [[0, 0, 0]]


def nested(tag: str, depth: int, content: str) -> str:
    return f"<mujoco><worldbody>{f'<{tag}>' * depth}{content}{f'</{tag}>' * depth}</worldbody></mujoco>"


def test_deep_chains() -> None:
    compiled = compile_text(nested("body", 490, ""))
    assert compiled.values["nbody"] == 491
    for tag in ("frame", "body"):
        with pytest.raises(MjcfError, match=r"nested too deeply|depth"):
            compile_text(nested(tag, 2500, '<geom size="1"/>'))
    with pytest.raises(MjcfError, match="nested too deeply"):
        compile_text(nested("frame", 1500, '<geom size="1"/>'))
