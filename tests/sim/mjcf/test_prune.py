"""Compiler settings that change what is left of a model, against MuJoCo: fused, discarded, bounded, scaled, aligned."""

from __future__ import annotations

import random

import mujoco
import pytest

from sim.mjcf import MjcfError, compile_text
from tests.sim.mjcf.compare import differences

UNSEEN = 'contype="0" conaffinity="0"'
MESH = 'vertex="0 0 0 1.1 .1 0 0 1.2 .1 .1 0 1.3"'


def model(world: str, compiler: str, tail: str = "") -> str:
    return f"<mujoco><compiler {compiler}/><worldbody>{world}</worldbody>{tail}</mujoco>"


FUSE, DISCARD = 'fusestatic="true"', 'discardvisual="true"'
TREE = """
    <body name="s" pos="1 0 0" euler="0 0 90"><geom size="1"/><light pos="0 1 0" dir="1 0 0"/>
      <camera pos="0 1 0" euler="90 0 0"/><site name="s0" pos="0 1 0"/>
      <body name="m" pos="0 2 0"><joint/><geom size=".5"/>
        <body name="st" pos="1 0 0" euler="90 0 10"><geom type="box" size=".1 .2 .3" euler="10 20 30" margin=".1"/>
          <frame pos="0 0 1" euler="0 90 0"><light pos="0 1 0" dir="0 0 1"/><camera pos="0 1 0"/></frame>
          <site name="s1"/><body name="deep" pos="1 0 0"><geom size=".1"/><body><joint/><geom size=".1"/></body></body>
        </body>
        <geom name="late" size=".1" pos="0 0 1"/>
        <body name="empty" pos="1 2 3"/></body></body>
    <body name="mo" mocap="true"><geom size=".1"/><body pos="1 0 0"><geom name="g" size=".1"/></body></body>
    <body name="last"><freejoint/><geom size=".2"/></body>"""
SINGLE = '<body><joint/><body pos="1 0 0" euler="10 20 30"><geom type="box" size=".3 .2 .1"/></body></body>'
CONTACT = '<contact><exclude body1="%s" body2="last"/><pair geom1="late" geom2="g"/></contact>'

FUSED = {
    "alone": model(TREE, FUSE),
    "excluded": model(TREE, FUSE, CONTACT % "st"),
    "not excluded": model(TREE, FUSE, CONTACT % "m"),
    "watched": model(TREE.replace("<camera", '<camera mode="targetbody" target="deep"', 1), FUSE),
    "welded": model(
        TREE, FUSE, '<equality><weld body1="deep" body2="last"/><connect site1="s0" site2="s1"/></equality>'
    ),
    "connected": model(TREE, FUSE, '<equality><connect body1="last" anchor="1 2 3"/></equality>'),
    "sensed": model(TREE, FUSE, '<sensor><force site="s1"/><framepos objtype="xbody" objname="last"/></sensor>'),
    "torque in a body without a name": model(
        '<body><joint/><geom size=".5"/><body pos="1 0 0"><geom size=".1"/><site name="s"/></body></body>',
        FUSE,
        '<sensor><torque site="s"/></sensor>',
    ),
    "weightless": model(
        '<body><joint/><geom size="1"/><body pos="1 0 0"><geom size="1" density="0"/></body></body>', FUSE
    ),
    "tendon": model(TREE, FUSE, '<tendon><spatial><site site="s0"/><site site="s1"/></spatial></tendon>'),
    "explicit inertia": model(
        """<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 2 2.5"/>
        <body pos="1 0 0" euler="30 0 0"><inertial pos="0 1 0" mass="2" diaginertia="3 2 2" euler="0 40 0"/></body>
        </body>""",
        FUSE,
    ),
    "sensed in a body without a name": model(
        '<body><joint/><geom size=".5"/><body pos="1 0 0"><geom size=".1"/></body><body name="x"/></body>',
        FUSE,
        '<sensor><framepos objtype="xbody" objname="x"/></sensor>',
    ),
    "lit": model(TREE.replace("<light", '<light mode="targetbody" target="deep"', 1), FUSE),
    "in a tuple": model(TREE, FUSE, '<custom><tuple name="t"><element objtype="body" objname="st"/></tuple></custom>'),
    "box alone": model(SINGLE, FUSE),
    "box with an explicit inertia": model(
        SINGLE.replace("<joint/>", '<joint/><inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>'), FUSE
    ),
    "visual box alone": model(SINGLE.replace("size", f"{UNSEEN} size"), f"{FUSE} {DISCARD}"),
    "massless visual geom": model(
        SINGLE.replace("<geom", f'<geom size="1" mass="0" {UNSEEN}/><geom', 1), f"{FUSE} {DISCARD}"
    ),
    "aligned": model(
        '<body><freejoint align="true"/><geom size=".5"/><body pos="1 0 0"><geom size=".1"/></body></body>', FUSE
    ),
    "free below a static body": model('<body pos="1 2 3"><body><freejoint/><geom size="1"/></body></body>', FUSE),
    "discarded too": model(TREE.replace('size=".5"', f'size=".5" {UNSEEN}'), f"{FUSE} {DISCARD}"),
}


def unlike(text: str) -> list[str]:
    return differences(compile_text(text), mujoco.MjModel.from_xml_string(text))


@pytest.mark.parametrize("name", FUSED)
def test_fused(name: str) -> None:
    assert unlike(FUSED[name]) == []


# what a static body, below the world and below a moving body, has -> names of the bodies that are left
KEPT = {
    "nothing": ("", '<geom size=".1"/>', "", "p"),
    "fuse": ('fuse="false"', '<geom size=".1"/>', "", "w p c"),
    "automatic fuse": ('fuse="auto"', '<geom size=".1"/>', "", "p"),
    "gravcomp": ('gravcomp="1"', '<geom size=".1"/>', "", "p c"),
    "gravcomp of the parent": ('gravcomp=".5"', '<geom size=".1"/>', "", "p"),
    "gravcomp without mass": ('gravcomp="1"', '<geom size=".1" mass="0"/>', "", "p"),
    "density": ("", '<geom size=".1"/>', '<option density="1"/>', "p c"),
    "viscosity": ("", '<geom size=".1"/>', '<option viscosity="1"/>', "p c"),
    "density without mass": ("", '<geom size=".1" mass="0"/>', '<option density="1"/>', "p"),
    "ellipsoid": ("", '<geom size=".1" mass="0" fluidshape="ellipsoid"/>', '<option density="1"/>', "p c"),
    "ellipsoid without fluid": ("", '<geom size=".1" mass="0" fluidshape="ellipsoid"/>', "", "p"),
    "bounds": ("", '<geom size=".1"/>', '<compiler boundinertia="1"/>', "p"),
    "bounds of geoms": ("", '<geom size=".1"/>', '<compiler boundinertia="1" inertiafromgeom="true"/>', "p c"),
    "mass of geoms": ("", '<geom size=".1"/>', '<compiler boundmass="999" inertiafromgeom="true"/>', "p c"),
    "bounds without geoms": ("", "", '<compiler boundinertia="1" inertiafromgeom="true"/>', "p"),
    "bounds without mass": ("", '<geom size=".1" mass="0"/>', '<compiler boundinertia="1"/>', "p"),
}


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str) -> None:
    attributes, inside, head, kept = KEPT[name]
    parent = attributes if "parent" in name else ""
    world = f"""<body name="w" {attributes}>{inside}</body><body name="p" {parent}><joint/><geom size=".5"/>
        <body name="c" pos="1 0 0" {attributes}>{inside}</body></body>"""
    text = model(world, FUSE, head)
    assert compile_text(text).names["body"] == ["world", *kept.split()]
    assert unlike(text) == []


def test_sleep_keeps_a_static_body_which_cannot_have_it() -> None:
    text = model('<body><joint/><geom size="1"/><body sleep="never"><geom size=".1"/></body></body>', FUSE)
    with pytest.raises(ValueError, match="sleep policy"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(MjcfError, match="sleep can only be set on the root body"):
        compile_text(text)


def random_static(seed: int) -> str:
    """A tree of which half of the bodies do not move."""
    pick = random.Random(seed)

    def numbers(count: int, size: float = 1) -> str:
        return " ".join(f"{pick.uniform(-size, size):.3f}" for _ in range(count))

    def body(depth: int) -> str:
        inside = "<joint/>" if pick.random() < 0.5 else ""
        inside += f'<geom size=".1" pos="{numbers(3)}"/><geom type="box" size=".1 .2 .3" euler="{numbers(3, 90)}"/>'
        inside += f'<camera pos="{numbers(3)}" euler="{numbers(3, 90)}"/><light pos="{numbers(3)}" dir="{numbers(3)}"/>'
        if pick.random() < 0.3:
            inside += f'<inertial pos="{numbers(3)}" mass="1" diaginertia="1 2 2.5" euler="{numbers(3, 90)}"/>'
        inside += "<site/>" + "".join(body(depth + 1) for _ in range(pick.randrange(3) if depth < 4 else 0))
        return f'<body pos="{numbers(3)}" euler="{numbers(3, 180)}">{inside}</body>'

    return model("".join(body(0) for _ in range(3)), FUSE)


@pytest.mark.parametrize("seed", range(10))
def test_random_fused(seed: int) -> None:
    assert unlike(random_static(seed)) == []


ASSETS = f"""<asset><texture name="t" type="2d" builtin="flat" width="1" height="1"/>
    <material name="m" rgba="1 0 0 1" texture="t"/><mesh name="unused" {MESH}/><mesh name="seen" {MESH}/>
    <mesh name="hit" {MESH}/><mesh name="fitted" {MESH}/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>"""
TOP = '<geom name="top" size=".1" pos="0 0 3"/>'
PART = f'<geom name="p" size="1" {UNSEEN}/>'


def in_tuple(kind: str, name: str) -> str:
    return f'<custom><tuple name="x"><element objtype="{kind}" objname="{name}"/></tuple></custom>'


DISCARDED = {
    "materials": model(f'{TOP}<geom size="1" {UNSEEN} material="m"/><geom size="1" material="m"/>', DISCARD, ASSETS),
    "meshes": model(
        f'{TOP}<geom type="mesh" mesh="seen" {UNSEEN}/><geom type="mesh" mesh="hit"/><geom mesh="fitted"/>',
        DISCARD,
        ASSETS,
    ),
    "inertia": model(f'<body><joint/><geom size="1" {UNSEEN}/><geom size=".5" pos="1 0 0"/></body>', DISCARD),
    "inertia from geoms": model(
        f'<body><joint/><geom size=".1"/><geom size="1" {UNSEEN} mass="0"/></body>', f'{DISCARD} inertiafromgeom="true"'
    ),
    "inertia from other geoms": model(
        f'<body><joint/><geom size=".1"/><geom size="1" {UNSEEN} group="3"/></body>',
        f'{DISCARD} inertiafromgeom="true" inertiagrouprange="0 1"',
    ),
    "fluid": model(TOP + f'<geom size="1" {UNSEEN} fluidshape="ellipsoid"/>', DISCARD),
    "material of a tuple": model(TOP.replace("/>", ' material="m"/>'), DISCARD, ASSETS + in_tuple("material", "m")),
    "texture of a tuple": model(TOP.replace("/>", ' material="m"/>'), DISCARD, ASSETS + in_tuple("texture", "t")),
    "mesh of a tuple": model(TOP, DISCARD, ASSETS + in_tuple("mesh", "unused")),
    "mesh of a sensor": model(
        TOP, DISCARD, ASSETS + '<sensor><user dim="1" objtype="mesh" objname="unused"/></sensor>'
    ),
    "light": model(TOP + '<light texture="t"/>', DISCARD, ASSETS),
    "materials that do not exist": model(
        TOP + f'<geom size="1" {UNSEEN} material="none"/>',
        DISCARD,
        '<asset><material name="o" texture="none"/></asset>',
    ),
    "files that do not exist": model(
        f"""{TOP}<geom type="mesh" mesh="none" {UNSEEN}/><body><joint/><inertial pos="0 0 0" mass="1"
        diaginertia="1 1 1"/><geom type="mesh" mesh="none" {UNSEEN}/></body>""",
        DISCARD,
        '<asset><mesh name="none" file="none.obj"/><texture name="t" type="2d" file="none.png"/></asset>',
    ),
    "height field": model(f'<geom type="hfield" hfield="h" {UNSEEN}/>' + TOP, DISCARD, ASSETS),
    "plane": model(f'<geom type="plane" size="1 1 1" {UNSEEN}/>' + TOP, DISCARD),
    "pair": model(TOP + PART, DISCARD, '<contact><pair geom1="p" geom2="top"/></contact>'),
    "distance": model(TOP + PART, DISCARD, '<sensor><distance geom1="p" geom2="top"/></sensor>'),
    "frame sensor": model(TOP + PART, DISCARD, '<sensor><framepos objtype="geom" objname="p"/></sensor>'),
    "tuple": model(
        TOP + PART, DISCARD, '<custom><tuple name="t"><element objtype="geom" objname="p"/></tuple></custom>'
    ),
    "wrapping": model(
        TOP + PART + '<site name="a"/><site name="b" pos="1 0 0"/>',
        DISCARD,
        '<tendon><spatial><site site="a"/><geom geom="p"/><site site="b"/></spatial></tendon>',
    ),
    "renumbered": model(
        f'<body><geom size="1" {UNSEEN}/></body><body><joint/><geom name="q" size="1"/></body>' + TOP,
        DISCARD,
        '<contact><pair geom1="q" geom2="top"/></contact><sensor><distance geom1="q" geom2="top"/></sensor>',
    ),
}


@pytest.mark.parametrize("name", DISCARDED)
def test_discarded(name: str) -> None:
    assert unlike(DISCARDED[name]) == []


VISUAL_REFUSED = {
    "inertia from geoms": (
        model(f'<body><geom size="1" {UNSEEN}/></body>', f'{DISCARD} inertiafromgeom="true"'),
        "discarding visual geoms would change the inertia",
        "<body>: without its visual geoms its inertia would be different, and inertiafromgeom is true; set inertiafrom",
    ),
    "inertia from a mesh": (
        model(
            f'<body><joint/><geom size="1"/><geom type="mesh" mesh="m" {UNSEEN}/></body>',
            DISCARD,
            '<asset><mesh name="m" file="none.obj"/></asset>',
        ),
        "none.obj",
        "file 'none.obj' not found",
    ),
    "material": (
        model('<geom size="1" material="none"/>', DISCARD),
        "material 'none' not found",
        "<geom>: material 'none' does not exist",
    ),
    "material of a site": (
        model(TOP + '<site material="none"/>', DISCARD),
        "material 'none' not found",
        "<site>: material 'none' does not exist",
    ),
}


@pytest.mark.parametrize("name", VISUAL_REFUSED)
def test_refused(name: str) -> None:
    text, theirs, ours = VISUAL_REFUSED[name]
    with pytest.raises(ValueError, match=theirs):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(MjcfError) as caught:
        compile_text(text)
    assert ours in str(caught.value)


BODIES = """<body pos="1 2 3"><freejoint/><geom type="box" size=".1 .2 .3" pos="1 0 0" euler="10 20 30" group="1"/>
    <site pos="1 1 1"/><camera pos="0 1 0"/><light pos="1 0 0" dir="1 1 1"/></body>
    <body><joint/><geom size=".1" group="3"/><body pos="1 0 0"><joint/><geom size=".01"/></body></body>
    <body><inertial pos="1 0 0" mass="1" diaginertia="1 2 2.5"/><joint/><geom size=".2"/></body>"""
COMPILERS = (
    'boundmass="3"',
    'boundinertia=".5"',
    'boundmass="3" boundinertia=".5"',
    'settotalmass="10"',
    'inertiafromgeom="true"',
    'inertiagrouprange="0 2" boundmass="1" boundinertia="1"',
    'alignfree="true"',
    'angle="radian" eulerseq="XYz"',
    'alignfree="true" settotalmass="7" boundmass=".1"',
    'fitaabb="true"',
    'usethread="false" saveinertial="true" strippath="true" conflict="merge"',
    'autolimits="false"',
)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_compiler_settings(compiler: str) -> None:
    text = model(BODIES, compiler)
    assert differences(compile_text(text), mujoco.MjModel.from_xml_string(text)) == []


# inertias, and whether a positive boundinertia makes them valid
SINGULAR = {
    'fullinertia="0 0 0 0 0 0"': True,
    'fullinertia="1 1 0 0 0 0"': True,
    'fullinertia="1 1 1 1 0 0"': False,
    'fullinertia="2 1 1 0 0 -1"': True,
    'fullinertia="1e3 1e3 -1e-12 0 0 0"': True,
    'fullinertia="1e3 1e3 -1e-10 0 0 0"': False,
    'fullinertia="1 1 1 2 0 0"': False,
    'fullinertia="-1 1 1 0 0 0"': False,
    'fullinertia="3 1 1 0 0 0"': False,
}


@pytest.mark.parametrize("inertia", SINGULAR)
def test_singular_inertias_are_bounded(inertia: str) -> None:
    body = f'<body><joint/><inertial pos="0 0 0" mass="1" {inertia}/></body>'
    for compiler, valid in (('boundinertia=".1"', SINGULAR[inertia]), ("", False)):
        text = model(body, compiler)
        if valid:
            assert unlike(text) == []
            continue
        with pytest.raises(ValueError, match="inertia must"):
            mujoco.MjModel.from_xml_string(text)
        with pytest.raises(MjcfError, match=r"<body>: (the )?principal moments .* (are not positive|violate the tri)"):
            compile_text(text)


MERGED = {
    "sections": """<mujoco><option timestep=".01"/><worldbody><geom size="1" name="a"/></worldbody>
        <option gravity="0 0 1"/><default><geom rgba="1 0 0 1"/></default><worldbody><body name="b"/></worldbody>
        <default><geom size="3"/><default class="c"/></default><asset><material name="m"/></asset>
        <worldbody><geom material="n"/></worldbody><asset><material name="n"/></asset></mujoco>""",
    "the last one counts": """<mujoco><compiler angle="radian"/><compiler angle="degree" eulerseq="zyx"/>
        <option timestep=".01" iterations="5"/><option timestep=".02"/><option><flag contact="disable"/></option>
        <option><flag contact="enable" gravity="disable"/></option><visual><map znear=".1"/></visual>
        <visual><map zfar="9"/><map2/></visual><worldbody><geom size="1" euler="10 20 30"/></worldbody>
        <size nkey="1"/><size nkey="2" nuserdata="3"/><statistic extent="3"/><statistic center="1 2 3"/></mujoco>""",
}


@pytest.mark.parametrize("name", MERGED)
def test_merged_sections(name: str) -> None:
    text = MERGED[name].replace("<map2/>", "")
    assert differences(compile_text(text), mujoco.MjModel.from_xml_string(text)) == []
