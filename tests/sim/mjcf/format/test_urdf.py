"""URDF -> Model: field by field as in MuJoCo; errors at elements of the URDF; saving."""

from __future__ import annotations

import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim
from sim.math.mat import mul_mat, transpose
from sim.mjcf import MjcfError, compile_text
from sim.mjcf.rotation import quat_to_mat
from tests.sim.mjcf.compare import differences
from tests.sim.mjcf.format.mutate_urdf import mutated_urdf
from tests.sim.mjcf.format.urdf_models import (
    BALL,
    BOX,
    FILES,
    INERTIAL,
    KEEP,
    MODELS,
    arm,
    compiler,
    inertial,
    joint,
    link,
    robot,
    shape,
)

ASSETS = {name: text.encode() for name, text in FILES.items()}


@pytest.fixture(autouse=True)
def quiet() -> None:
    warnings.simplefilter("ignore")


# ---- as in MuJoCo


@pytest.mark.parametrize("name", MODELS)
def test_same_model_as_in_mujoco(name: str) -> None:
    reference = mujoco.MjModel.from_xml_string(MODELS[name], ASSETS)
    compiled = compile_text(MODELS[name], ASSETS)
    assert differences(compiled, reference) == []
    for kind, count in (("body", reference.nbody), ("joint", reference.njnt), ("geom", reference.ngeom)):
        assert compiled.names[kind] == [getattr(reference, kind)(k).name for k in range(count)]


def test_the_world_has_no_mass() -> None:
    """MuJoCo keeps the mass of the link `world`, against its manual, and does not save it."""
    text = robot(link("world") + link("arm") + joint("revolute", parent="world"))
    found = {line.split(":")[0] for line in differences(compile_text(text), mujoco.MjModel.from_xml_string(text))}
    assert found == {"body_mass", "body_inertia", "body_subtreemass", "body_iquat", "body_simple"}


def test_rpy_turns_an_inertia() -> None:
    values = (1.0, 1.5, 1.2, 0.1, 0.05, 0.0)
    text = robot(
        KEEP + link("base", inertial("1", " ".join(map(str, values)), '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'))
    )
    compiled = compile_text(text).values
    a = np.array([[1, 0, 0], [0, np.cos(0.1), -np.sin(0.1)], [0, np.sin(0.1), np.cos(0.1)]])
    b = np.array([[np.cos(0.2), 0, np.sin(0.2)], [0, 1, 0], [-np.sin(0.2), 0, np.cos(0.2)]])
    c = np.array([[np.cos(0.3), -np.sin(0.3), 0], [np.sin(0.3), np.cos(0.3), 0], [0, 0, 1]])
    xx, yy, zz, xy, xz, yz = values
    wanted = (c @ b @ a) @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ (c @ b @ a).T
    m = quat_to_mat(tuple(compiled["body_iquat"][1]))
    moments = compiled["body_inertia"][1]
    found = mul_mat(mul_mat(m, (moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2])), transpose(m))
    np.testing.assert_allclose(np.reshape(found, (3, 3)), wanted, atol=1e-6)
    np.testing.assert_array_equal(compiled["body_ipos"][1], (1, 2, 3))


def test_mimic_is_an_equality() -> None:
    third = link("hand") + joint(
        "prismatic", '<mimic joint="turn" multiplier="-2" offset="0.5"/>', "grip", "arm", "hand"
    )
    m = sim.loads(robot(link("base") + link("arm") + joint("revolute") + third))
    assert (m.neq, m.eq_type[0], m.eq_obj1id[0], m.eq_obj2id[0]) == (1, mujoco.mjtEq.mjEQ_JOINT, 1, 0)
    np.testing.assert_array_equal(m.eq_data[0, :5], (0.5, -2, 0, 0, 0))


@pytest.mark.parametrize("kind, other", [("planar", "turn"), ("revolute", "nobody"), ("spherical", "turn")])
def test_mimic_without_effect_warns(kind: str, other: str) -> None:
    third = link("hand") + joint(kind, f'\n<mimic joint="{other}"/>', "grip", "arm", "hand")
    with pytest.warns(UserWarning, match=r":7: <mimic>: it has no effect on joint 'grip'"):
        assert sim.loads(robot(link("base") + link("arm") + joint("revolute") + third)).neq == 0


def test_meshes_of_the_same_name_differ(tmp_path: Path) -> None:
    for folder, file in (("one", "tetra.obj"), ("two", "wedge.obj")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "part.obj").write_text(FILES[file])
    (tmp_path / "part1.obj").write_text(FILES["tetra.obj"])
    shapes = [
        shape(f'<mesh filename="{name}"/>') for name in ("one/part.obj", "two/part.obj", "part1.obj", "two/part.obj")
    ]
    (tmp_path / "r.urdf").write_text(robot(KEEP + link("base", "".join(shapes))))
    m = sim.load(tmp_path / "r.urdf")
    assert m.names["mesh"] == ["part", "part1", "part1_1"]
    assert m.geom_dataid.tolist() == [0, 1, 2, 1]


def test_second_joint_of_a_name_has_none() -> None:
    text = robot(
        link("base") + link("arm") + link("hand") + joint("revolute") + joint("revolute", "", "turn", "arm", "hand")
    )
    with pytest.warns(UserWarning, match="'turn' is used twice"):
        assert sim.loads(text).names["joint"] == ["turn", ""]


@pytest.mark.parametrize("data", [b"%s\0\0", b"\xef\xbb\xbf%s"])
def test_zeros_at_the_end_and_bom(data: bytes) -> None:
    assert compile_text(data % MODELS["limits"].encode()).values["njnt"] == 1
    assert compile_text(MODELS["limits"].encode("utf-16")).values["njnt"] == 1


# ---- saving


@pytest.mark.parametrize("name", MODELS)
def test_saved_as_mjcf(name: str, tmp_path: Path) -> None:
    m = sim.loads(MODELS[name], ASSETS)
    m.save_xml(tmp_path / "saved.xml")
    again = sim.load(tmp_path / "saved.xml")
    mine, saved = m.values(), again.values()
    assert [key for key in mine if not np.array_equal(mine[key], saved[key]) and not key.endswith("_pathadr")] == []
    assert m.names == again.names
    reference = mujoco.MjModel.from_xml_path(str(tmp_path / "saved.xml"))
    assert (reference.nbody, reference.nq, reference.ngeom, reference.nmesh) == (m.nbody, m.nq, m.ngeom, m.nmesh)
    np.testing.assert_allclose(reference.body_inertia, m.body_inertia, atol=1e-12)


def test_edits_are_saved(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(MODELS["dynamics"])
    m = sim.load(tmp_path / "r.urdf")
    m.dof_damping[0] = 3
    m.save_xml(tmp_path / "r.xml")
    assert sim.load(tmp_path / "r.xml").dof_damping[0] == 3
    assert (tmp_path / "r.urdf").read_text() == MODELS["dynamics"]


# ---- errors

ERRORS = {
    "not a joint type": (arm("\nscrew"), 4, "joint", "is not a joint type; known: continuous"),
    "link is missing": (robot(link("base") + joint("fixed")), 3, "child", "link 'arm' does not exist; known: base"),
    "link twice": (robot(link("base") + link("base")), 3, "link", "link 'base' is defined twice; rename one of them"),
    "two parents": (
        robot(link("base") + link("arm") + link("top") + joint("fixed") + joint("fixed", "", "k", "top")),
        6,
        "joint",
        "link 'arm' is the child of two joints; a link has only one parent",
    ),
    "cycle": (
        robot(link("top") + link("base") + link("arm") + joint("fixed") + joint("fixed", "", "k", "arm", "base")),
        6,
        "joint",
        "the links base -> arm -> base form a cycle; make one of them the root",
    ),
    "world is a child": (
        robot(link("base") + link("world") + joint("fixed", child="world")),
        4,
        "joint",
        "'world' does not move and cannot be a child",
    ),
    "no name": (robot("<link/>"), 2, "link", "missing attribute 'name'"),
    "no parent": (robot(link("a") + '<joint name="j" type="fixed"/>'), 3, "joint", "missing element <parent>"),
    "axis is zero": (
        arm("revolute", '<axis xyz="0 0 0"/>'),
        4,
        "joint",
        "axis is a zero vector; set the axis of the joint",
    ),
    "two numbers": (arm("revolute", '\n<axis xyz="0 1"/>'), 5, "axis", 'xyz="0 1": expected 3 values, got 2'),
    "nan": (arm("revolute", '\n<limit lower="nan" upper="1"/>'), 5, "limit", "'nan' is not a finite number"),
    "two limits": (
        arm("revolute", "<limit/>\n<limit/>"),
        5,
        "limit",
        "<joint> can have only one <limit>; remove the other",
    ),
    "ball range": (arm("spherical", '<limit lower="-1" upper="1"/>'), 4, "joint", "starts at -1; it must start at 0"),
    "free joint below a joint": (
        robot(link("top") + link("base") + link("arm") + joint("revolute", "", "k", "top", "base") + joint("floating")),
        6,
        "joint",
        "the body of a free joint must be a direct child of the world",
    ),
    "not positive definite": (
        robot(link("base", "\n" + inertial("1", "1 1 1 2 0 0"))),
        3,
        "inertia",
        "its principal moments are 3 1 -1; all must be positive",
    ),
    "triangle inequality": (
        robot(link("base", "\n" + inertial("1", "3 1 1 0 0 0"))),
        2,
        "link",
        "compiler balanceinertia makes them equal",
    ),
    "zero inertia": (
        robot(link("base") + link("arm", inertial("1", "0 0 0 0 0 0")) + joint("revolute")),
        3,
        "link",
        "needs mass and inertia",
    ),
    "no mass": (robot(link("base", "<inertial/>")), 2, "inertial", "missing element <mass>"),
    "no ixy": (robot(link("base", INERTIAL.replace("ixy", "xy"))), 2, "inertia", "missing attribute 'ixy'"),
    "no geometry": (robot(link("base", "<collision/>")), 2, "collision", "missing element <geometry>"),
    "no shape": (
        robot(link("base", "<collision>\n<geometry/></collision>")),
        3,
        "geometry",
        "specify a box, cylinder, sphere",
    ),
    "negative size": (
        robot(link("base", "\n" + shape('<sphere radius="-1"/>'))),
        3,
        "collision",
        "needs 1 positive size",
    ),
    "material without name": (
        robot(link("base", shape(BOX, "visual", "\n<material/>"))),
        3,
        "material",
        "missing attribute 'name'",
    ),
    "three colours": (
        robot('<material name="m"><color rgba="1 1 1"/></material>'),
        2,
        "color",
        "expected 4 values, got 3",
    ),
    "no file name": (robot(link("base", shape("<mesh/>"))), 2, "mesh", "missing attribute 'filename'"),
    "mesh is not there": (
        robot(link("base", shape('\n<mesh filename="a.stl"/>'))),
        3,
        "mesh",
        "file 'a.stl' not found; looked in",
    ),
    "COLLADA": (
        robot(link("base", shape('\n<mesh filename="a.dae"/>'))),
        3,
        "mesh",
        "is COLLADA, which is not supported; convert it to .obj or .stl",
    ),
    "network": (robot(link("base", shape('<mesh filename="http://h/a.stl"/>'))), 2, "mesh", "is a network address"),
    "option": (
        arm("revolute", "", '<mujoco>\n<option timestep="0"/></mujoco>'),
        3,
        "option",
        "timestep is 0; it must be positive",
    ),
    "compiler": (
        arm("revolute", "", compiler('discardvisual="maybe"')),
        2,
        "compiler",
        'discardvisual="maybe": unknown keyword',
    ),
    "xacro": (robot('<xacro:macro name="m"/>'), 2, "xacro:macro", "xacro robot.urdf.xacro > robot.urdf"),
    "xacro value": (
        robot(link("base", shape('\n<sphere radius="${r}"/>'))),
        3,
        "sphere",
        "xacro robot.urdf.xacro > robot.urdf",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error_names_the_place_in_the_urdf(name: str) -> None:
    text, line, element, says = ERRORS[name]
    with pytest.raises(MjcfError) as caught:
        compile_text(text, ASSETS)
    assert (caught.value.line, caught.value.element) == (line, element)
    assert says in str(caught.value)


def test_elements_have_the_lines_of_the_urdf() -> None:
    spec = compile_text(robot(KEEP + link("base") + link("arm") + joint("revolute"))).parsed
    base = spec.world.bodies[0]
    places = [item.node.line for item in (base, base.bodies[0], base.bodies[0].joints[0]) if item.node]
    assert places == [2, 3, 4]


# ---- mutated ones: thousands in tests.soak.fuzz_urdf


def test_mutated_models_load_or_raise() -> None:
    for seed in range(40):
        try:
            compile_text(mutated_urdf(seed), ASSETS)
        except MjcfError as error:
            assert error.line and str(error), seed


def test_long_chain() -> None:
    links = "".join(link(f"l{k}", INERTIAL + shape(BALL)) for k in range(600))
    joints = "".join(joint("revolute", "", f"j{k}", f"l{k}", f"l{k + 1}") for k in range(599))
    assert compile_text(robot(links + joints)).values["njnt"] == 599
