"""Models that MuJoCo rejects since 4.0: rejected here too, at their element and with a cure; their neighbours load."""

from __future__ import annotations

import mujoco
import pytest

from sim.mjcf import MjcfError, compile_text
from tests.sim.mjcf.compare import differences

WORLD = """<body><joint name="j"/><joint name="k" type="slide"/><geom size="1"/></body>
    <body name="b"><joint name="b" type="ball"/><geom size="1"/></body>
    <body><freejoint name="f"/><geom size="1"/></body>
    <site name="s0"/><site name="s1" pos="1 0 0"/><site name="s2" pos="2 0 0"/>"""


def model(inside: str, world: str = "") -> str:
    return f"<mujoco>\n<worldbody>{world or ' '.join(WORLD.split())}</worldbody>\n{inside}</mujoco>"


def hfield(rows: int, columns: int) -> str:
    return model(f'<asset><hfield name="h" nrow="{rows}" ncol="{columns}" size="1 1 1 1"/></asset>')


def fixed(joints: str, attributes: str = "") -> str:
    inside = "".join(f'<joint joint="{name}" coef="1"/>' for name in joints.split())
    return model(f"<tendon><fixed {attributes}>{inside}</fixed></tendon>")


def pulley(divisor: str) -> str:
    inside = f"""<site site="s0"/><site site="s1"/><pulley divisor="{divisor}"/><site site="s1"/><site site="s2"/>"""
    return model(f"<tendon><spatial>{inside}</spatial></tendon>")


def spatial(armature: str) -> str:
    return model(f'<tendon><spatial armature="{armature}"><site site="s0"/><site site="s1"/></spatial></tendon>')


def camera(resolution: str, sensor: str) -> str:
    return model(
        f"<sensor>{sensor}</sensor>", f'<camera name="c" resolution="{resolution}"/><site name="s0" pos="1 1 1"/>'
    )


def skin(faces: str) -> str:
    bone = '<bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>'
    skin = f'<skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="{faces}">{bone}</skin>'
    return model(f"<deformable>{skin}</deformable>")


def cone(params: str) -> str:
    return model(f'<asset><mesh name="m" builtin="cone" params="{params}"/></asset>')


def motor(attributes: str) -> str:
    return model(f'<actuator><general joint="j" {attributes}/></actuator>')


RANGE, PROJECTION = '<rangefinder camera="c"/>', '<camprojection site="s0" camera="c"/>'
# rejected, accepted, the line and words of our message
REJECTED = {
    "a row of heights": (hfield(1, 2), hfield(2, 2), "3: <hfield>: 'h': it has 1 rows and 2 columns; use at"),
    "a column of heights": (hfield(2, 1), hfield(3, 2), "3: <hfield>: 'h': it has 2 rows and 1 columns; use at"),
    "tendon of a ball joint": (fixed("j b"), fixed("j k"), "3: <joint>: joint 'b' is not a slide or hinge; name one"),
    "tendon of a free joint": (fixed("f"), fixed("k"), "3: <joint>: joint 'f' is not a slide or hinge; name one"),
    "joint twice": (fixed("j k j"), fixed("k j"), "3: <joint>: joint 'j' is named twice; add the coefficients"),
    "armature": (
        fixed("j", 'armature="-1"'),
        fixed("j", 'armature="1"'),
        "3: <fixed>: armature is -1; it must be zero",
    ),
    "armature of a path": (spatial("-1"), spatial("0"), "3: <spatial>: armature is -1; it must be zero or positive"),
    "springyield": (fixed("j", 'springyield="-1"'), fixed("j", 'springyield="1"'), "3: <fixed>: springyield is -1; it"),
    "no divisor": (pulley("0"), pulley("0.5"), "3: <pulley>: divisor is 0; it must be positive"),
    "negative divisor": (pulley("-1"), pulley("2"), "3: <pulley>: divisor is -1; it must be positive"),
    "rangefinder": (camera("0 0", RANGE), camera("1 1", RANGE), "3: <rangefinder>: camera 'c' has no resolution; set"),
    "wide rangefinder": (camera("2 0", RANGE), camera("2 3", RANGE), "3: <rangefinder>: camera 'c' has no resolution"),
    "projection": (camera("0 2", PROJECTION), camera("2 2", PROJECTION), "3: <camprojection>: camera 'c' has no reso"),
    "vertex of a skin": (skin("0 1 3"), skin("0 1 2"), "3: <skin>: 's': a face refers to vertex 3; there are 3"),
    "negative vertex": (skin("0 1 -1"), skin("2 1 0"), "3: <skin>: 's': a face refers to vertex -1; there are 3"),
    "edges of a cone": (cone("2 1"), cone("3 1"), "3: <mesh>: 'm': params=\"2 1\": a cone needs at least 3 edges"),
    "radius of a cone": (cone("3 1.5"), cone("3 0.5"), "the upper radius of a cone must be between 0 and 1"),
    "stateless": (motor('actdim="1"'), motor('actdim="0"'), "3: <general>: actdim is 1, but the actuator has no dynam"),
    "stateful": (
        motor('dyntype="integrator" actdim="0"'),
        motor('dyntype="integrator" actdim="1"'),
        "3: <general>: actdim is 0, but its dynamics have an activation; remove actdim",
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_rejected(name: str) -> None:
    rejected, accepted, words = REJECTED[name]
    with pytest.raises(ValueError, match="Error"):
        mujoco.MjModel.from_xml_string(rejected)
    with pytest.raises(MjcfError) as caught:
        compile_text(rejected)
    assert words in str(caught.value)
    assert differences(compile_text(accepted), mujoco.MjModel.from_xml_string(accepted)) == []


DEPRECATED = {
    "settotalmass": '<mujoco><compiler settotalmass="1"/></mujoco>',
    "meaninertia": '<mujoco><statistic meaninertia="1"/></mujoco>',
}


@pytest.mark.parametrize("name", DEPRECATED)
def test_deprecated(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    mujoco.MjModel.from_xml_string(DEPRECATED[name])
    assert "deprecated" in "".join(capfd.readouterr())
    with pytest.warns(UserWarning, match=f"{name} is deprecated in MuJoCo 4.0; "):
        compile_text(DEPRECATED[name])
