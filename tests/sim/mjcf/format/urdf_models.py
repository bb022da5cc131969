"""Robots in URDF, short ones, that together use all of its elements; and what they need of files."""

from __future__ import annotations

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1.2" izz="0.9" ixy="0.1" ixz="0" iyz="0"/></inertial>'
KEEP = '<mujoco><compiler discardvisual="false" fusestatic="false"/></mujoco>'


def robot(content: str, attributes: str = 'name="robot"') -> str:
    return f"<robot {attributes}>\n{content}\n</robot>\n"


def link(name: str, content: str = INERTIAL) -> str:
    return f'<link name="{name}">{content}</link>\n'


def joint(kind: str, content: str = "", name: str = "turn", parent: str = "base", child: str = "arm") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{content}</joint>\n'


def arm(kind: str, content: str = "", before: str = "") -> str:
    """Two links and a joint."""
    return robot(before + link("base") + link("arm") + joint(kind, content))


def shape(content: str, kind: str = "collision", before: str = "", name: str = "") -> str:
    return f"<{kind}{name and f' name={name!r}'}>{before}<geometry>{content}</geometry></{kind}>"


def inertial(mass: str, moments: str, origin: str = "") -> str:
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    pairs = " ".join(f'{key}="{value}"' for key, value in zip(keys, moments.split(), strict=True))
    return f'<inertial>{origin}<mass value="{mass}"/><inertia {pairs}/></inertial>'


def compiler(attributes: str) -> str:
    return f"<mujoco><compiler {attributes}/></mujoco>"


RED = '<material name="red"><color rgba="1 0 0 0.5"/></material>'
BALL, BOX = '<sphere radius="0.3"/>', '<box size="0.2 0.4 0.6"/>'
SIX = "0.3 0.2 0.1 0 0 0"

MODELS: dict[str, str] = {
    "empty": robot(""),
    "unnamed robot": robot(link("base"), ""),
    "two roots": robot(KEEP + link("one") + link("two")),
    "two roots, fused": robot(link("one", INERTIAL + shape(BALL)) + link("two", shape(BOX))),
    "tree": robot(
        KEEP
        + link("base")
        + link("a")
        + link("b")
        + link("c")
        + link("d")
        + joint("revolute", '<origin xyz="0 0 1" rpy="0.3 -0.2 0.1"/><axis xyz="0 1 0"/>', "j1", "base", "b")
        + joint("prismatic", '<origin xyz="1 0 0"/><axis xyz="0 0 1"/>', "j2", "base", "a")
        + joint("continuous", '<origin rpy="1 2 3"/>', "j3", "b", "d")
        + joint("fixed", '<origin xyz="0 1 0"/>', "j4", "d", "c")
    ),
    "fused chain": robot(
        link("base")
        + link("a", inertial("2", SIX))
        + link("b", shape(BOX))
        + link("c")
        + joint("revolute", '<origin xyz="0 0 1"/>', "j1", "base", "a")
        + joint("fixed", '<origin xyz="1 0 0" rpy="0 0 1"/>', "j2", "a", "b")
        + joint("revolute", '<origin xyz="0 1 0"/>', "j3", "b", "c")
    ),
    "children before parents": robot(
        joint("revolute") + link("arm") + link("base") + link("hand") + joint("fixed", "", "grip", "arm", "hand")
    ),
    "world": robot(link("world", shape(BOX)) + link("arm") + joint("revolute", parent="world")),
    "world is last": robot(link("arm") + link("other") + link("world", "") + joint("revolute", parent="world")),
    "default axis": arm("revolute"),
    "axis of any length": arm("revolute", '<axis xyz="0 3 4"/>'),
    "limits": arm("revolute", '<limit lower="-1" upper="2" effort="30" velocity="4"/>'),
    "limits of a slide": arm("prismatic", '<limit lower="0" upper="0.1" effort="-30"/>'),
    "no limits": arm("revolute", '<limit effort="0" velocity="1"/>'),
    "one limit": arm("prismatic", '<limit lower="-1"/>'),
    "reversed limits": arm("revolute", '<limit lower="1" upper="-1" effort="3"/>'),
    "equal limits": arm("prismatic", '<limit lower="0.5" upper="0.5"/>'),
    "zero limits": arm("revolute", '<limit lower="0" upper="0"/>'),
    "limits of a continuous joint": arm("continuous", '<limit lower="-1" upper="1" effort="3"/>'),
    "infinite limits": arm("revolute", '<limit lower="-inf" upper="inf" effort="inf"/>'),
    "one infinite limit": arm("prismatic", '<limit lower="-1" upper="Infinity" effort="-INF"/>'),
    "infinite limits of a continuous joint": arm("continuous", '<limit lower="-inf" upper="inf" effort="inf"/>'),
    "blank attributes": arm("revolute", '<origin xyz="" rpy=" "/><limit lower="" upper="" effort=""/>'),
    "effort of a continuous joint": arm("continuous", '<limit effort="7" velocity="1"/>'),
    "dynamics": arm("revolute", '<dynamics damping="0.7" friction="0.1"/>'),
    "ignored": arm(
        "revolute",
        '<safety_controller k_velocity="1" soft_lower_limit="-1" soft_upper_limit="1"/><calibration rising="0.1"/>',
        '<transmission name="t"><joint name="turn"/></transmission><gazebo reference="arm"><kp>1</kp></gazebo>',
    ),
    "fixed ignores limits": robot(
        KEEP + link("base") + link("arm") + joint("fixed", '<limit lower="1"/><dynamics damping="1"/>')
    ),
    "floating": robot(link("world", "") + link("arm") + joint("floating", '<origin xyz="1 2 3"/>', parent="world")),
    "floating from a fused link": arm("floating", '<limit lower="-1" upper="1" effort="3"/><dynamics damping="1"/>'),
    "planar": arm(
        "planar",
        '<axis xyz="0 3 4"/><limit lower="-1" upper="1" effort="3"/><dynamics damping="2" friction="0.5"/>',
    ),
    "spherical": arm("spherical", '<limit lower="0" upper="1" effort="3"/><dynamics damping="1" friction="2"/>'),
    "spherical, axis zero": arm("spherical", '<axis xyz="0 0 0"/>'),
    "shapes": robot(
        KEEP
        + link(
            "base",
            shape(BALL)
            + shape(BOX, before='<origin xyz="1 0 0" rpy="0.1 0.2 0.3"/>')
            + shape('<cylinder radius="0.1" length="0.5"/>', before='<origin xyz="0 1 0"/>')
            + shape('<capsule radius="0.2" length="0.4"/>', before='<origin rpy="0 1 0"/>'),
        )
    ),
    "inertia from geoms": robot(
        link("base", "") + link("arm", shape(BALL) + shape(BOX, before='<origin xyz="1 0 0"/>')) + joint("revolute")
    ),
    "visual is dropped": robot(link("base", shape(BOX, "visual", RED, "seen") + shape(BALL, name="felt"))),
    "visual is kept": robot(KEEP + link("base", shape(BOX, "visual", RED, "seen") + shape(BALL, name="felt"))),
    "colours": robot(
        '<material name="green"><color rgba="0 1 0 1"/></material>'
        '<material name="green"><color rgba="1 1 0 1"/></material>'
        + KEEP
        + link(
            "base",
            shape(BALL)
            + shape(BOX, "visual", '<material name="green"/>')
            + shape(BALL)
            + shape(BOX, "visual", '<material name="none"/>')
            + shape(BOX, "visual", RED)
            + shape(BOX, "visual")
            + shape(BOX, "visual", '<material name="red"><texture filename="red.png"/></material>'),
        )
        + link("arm", shape(BALL) + shape(BOX, "visual", '<material name=""><color rgba="-1 0 0 1"/></material>'))
        + joint("revolute")
    ),
    "colour of a dropped visual": robot(link("base", shape(BOX, "visual", RED) + shape(BALL))),
    "names of geoms": robot(
        KEEP
        + link("base", shape(BOX, "visual", name="g") + shape(BALL, name="g") + shape(BALL) + shape(BALL, name="h"))
    ),
    "inertial": robot(
        KEEP
        + link("base")
        + link("arm", inertial("3", "1 1.5 1.2 0.1 0.05 -0.02", '<origin xyz="1 2 3"/>'))
        + joint("revolute", '<origin xyz="0 0 1"/>')
    ),
    "inertia of a rotated origin": robot(
        link("base")
        + link("arm", inertial("1", "1 1.5 1.2 0.1 0.05 0", '<origin rpy="0.1 0.2 0.3"/>'))
        + joint("revolute")
    ),
    "inertia is singular": arm(
        "revolute", "", compiler('boundinertia="0.1"') + link("tip", inertial("1", "1 1 0 0 0 0"))
    ),
    "inertia is zero": robot(
        compiler('boundmass="0.1" boundinertia="0.01"')
        + link("base", "")
        + link("arm", inertial("0", "0 0 0 0 0 0"))
        + joint("revolute")
    ),
    "inertia is balanced": robot(
        compiler('balanceinertia="true"')
        + link("base", "")
        + link("arm", inertial("1", "3 1 1 0.5 0 0"))
        + joint("revolute")
    ),
    "inertia from geoms by request": robot(
        compiler('inertiafromgeom="true" fusestatic="false"') + link("base", inertial("9", SIX) + shape(BALL))
    ),
    "degrees have no effect": arm(
        "revolute",
        '<origin rpy="0.1 0.2 0.3"/><limit lower="-1" upper="1"/>',
        compiler('angle="degree" eulerseq="zyx"'),
    ),
    "option and size": arm(
        "revolute",
        "",
        '<mujoco><option timestep="0.01" integrator="RK4"><flag gravity="disable"/></option><size nkey="2"/></mujoco>',
    ),
    "total mass": arm("revolute", "", compiler('settotalmass="7" autolimits="true"')),
    "meshes": robot(
        KEEP
        + link(
            "base",
            shape('<mesh filename="tetra.obj"/>')
            + shape('<mesh filename="tetra.obj"/>')
            + shape('<mesh filename="tetra.obj" scale="2 -1 0.5"/>', before='<origin rpy="1 0 0"/>')
            + shape('<mesh filename="wedge.obj"/>', "visual", RED),
        )
    ),
    "mesh in two scales": robot(
        KEEP
        + link("base", "".join(shape(f'<mesh filename="tetra.obj" scale="{s}"/>') for s in ("1 1 1", "2 2 2", "2 2 2")))
    ),
    "mesh of a dropped visual": robot(link("base", shape('<mesh filename="missing.dae"/>', "visual") + shape(BALL))),
    "strippath and meshdir": robot(
        compiler('strippath="true" meshdir="parts"') + link("base", shape('<mesh filename="package://p/q/tetra.obj"/>'))
    ),
    "odd declaration": '\n<?xml version="0.0" ?>\n' + arm("revolute"),
    "undeclared prefix": robot(
        '<drake:joint name="x" drake:y="1"/>' + link("base", INERTIAL + shape(BALL)), 'name="r" drake:z="2"'
    ),
    "namespaces": robot(
        link("base", INERTIAL + shape(BALL)),
        'name="r" xmlns="http://robots.example" xmlns:xacro="http://www.ros.org/wiki/xacro"',
    ),
}

FILES = {
    "tetra.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
    "wedge.obj": "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
}
