"""Compiled models against MuJoCo: every field of small models, of random trees and of the bundled scenes.

Files: body.py, bvh.py, fill.py, place.py, pose.py, read.py, records.py, rotation.py, shape.py, body_tree.py.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

import sim
from sim.mjcf import MjcfError, compile_file, compile_text, poses
from sim.mjcf.schema import words
from tests.sim.mjcf.compare import differences, hull_vertices
from tests.sim.mjcf.models import MODELS
from tests.sim.models import SHARED_SCENES

ROOT = Path(__file__).resolve().parents[3]
POSES = words("""
    xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat light_xpos
    light_xdir subtree_com""")


def random_model(seed: int) -> str:
    """A forest of bodies with joints, geoms and the rest, in frames, with oblique axes."""
    pick = random.Random(seed)

    def numbers(count: int, low: float = -1, high: float = 1) -> str:
        return " ".join(f"{pick.uniform(low, high):.3f}" for _ in range(count))

    def geom() -> str:
        kind = pick.choice(["sphere", "capsule", "cylinder", "ellipsoid", "box"])
        return (
            f'<geom type="{kind}" size="{numbers(3, 0.05, 0.3)}" pos="{numbers(3)}" euler="{numbers(3, -90, 90)}" '
            f'density="{pick.choice([0, 300, 1000])}" group="{pick.randrange(6)}" contype="{pick.randrange(3)}" '
            f'margin="{pick.choice([0, 0.1])}" shellinertia="{pick.choice(["true", "false"])}"/>'
        )

    def joints(depth: int) -> str:
        choice = pick.random()
        if depth == 0 and choice < 0.3:
            return "<freejoint/>"
        if choice < 0.4:
            return f'<joint type="ball" pos="{numbers(3)}"/>'
        count = pick.randrange(4)
        return "".join(
            f'<joint type="{pick.choice(["hinge", "slide"])}" axis="{numbers(3)}" damping="{numbers(1, 0, 1)}" '
            f'ref="{numbers(1, -30, 30)}" range="-1 {numbers(1, 0, 40)}"/>'
            for _ in range(count)
        )

    def body(depth: int) -> str:
        inside = joints(depth) + "".join(geom() for _ in range(pick.randrange(4))) + '<geom size=".1"/>'
        if pick.random() < 0.5:
            inside += f'<site pos="{numbers(3)}"/><camera pos="{numbers(3)}" zaxis="{numbers(3)}"/><light pos="1 0 2"/>'
        if depth < 4:
            inside += "".join(body(depth + 1) for _ in range(pick.randrange(3)))
        text = f'<body pos="{numbers(3)}" euler="{numbers(3, -180, 180)}">{inside}</body>'
        if depth and pick.random() < 0.2:
            text = f'<frame pos="{numbers(3)}" quat="{numbers(4)}">{text}</frame>'
        return text

    world = "".join(body(0) for _ in range(pick.randrange(1, 4)))
    return f'<mujoco><worldbody><geom type="plane" size="0 0 1"/>{world}</worldbody></mujoco>'


@pytest.mark.parametrize("name", MODELS)
def test_model(name: str) -> None:
    compiled = compile_text(MODELS[name])
    assert differences(compiled, mujoco.MjModel.from_xml_string(MODELS[name])) == []


@pytest.mark.parametrize("seed", range(30))
def test_random_tree(seed: int) -> None:
    text = random_model(seed)
    compiled = compile_text(text)
    assert differences(compiled, mujoco.MjModel.from_xml_string(text)) == []


@pytest.mark.parametrize("path", SHARED_SCENES, ids=lambda path: path.stem)
def test_scene(path: Path) -> None:
    compiled = compile_file(path)
    reference = mujoco.MjModel.from_xml_path(str(path))
    for start in reference.mesh_graphadr[reference.mesh_graphadr >= 0]:
        assert hull_vertices(compiled.values["mesh_graph"], start) == hull_vertices(reference.mesh_graph, start)
    compiled.values["mesh_graph"] = reference.mesh_graph
    assert differences(compiled, reference) == []


FULL = 'fullinertia="1 2 2.5 .1 .2 .3"'
KEYED = """
<mujoco>
  <worldbody>
    <body><joint name="a"/><geom size=".1"/></body>
    <replicate count="2" euler="0 0 30"><body pos="1 0 0"><joint name="k"/><geom size=".1"/></body></replicate>
    <body><joint name="z"/><geom size=".1"/></body>
  </worldbody>
  <tendon><fixed name="t">%s</fixed></tendon>
  <actuator><motor joint="a"/><motor joint="k"/><motor joint="z"/><motor tendon="t"/></actuator>
  <keyframe><key ctrl="1 2 3 4" qpos="5 6"/></keyframe>
</mujoco>
"""


@pytest.mark.parametrize("joints", ["a", "z", "a z", "k", "a k"])
def test_keyframes_of_replicated_models(joints: str) -> None:
    """Copies keep the controls of what comes after them, and a tendon may have one end that is copied."""
    text = KEYED % "".join(f'<joint joint="{name}" coef="1"/>' for name in joints.split())
    assert differences(compile_text(text), mujoco.MjModel.from_xml_string(text)) == []


@pytest.mark.parametrize("inertia", ['diaginertia="1 2 2.5"', 'diaginertia="1 2 2.5" euler="30 40 50"', FULL])
def test_an_inertial_is_in_the_frame_around_it(inertia: str) -> None:
    inertial = f'<inertial pos="1 0 0" mass="1" {inertia}/>'
    for inside in (
        f'<frame pos="1 2 3" euler="90 0 0">{inertial}</frame>',
        f'<frame pos="1 2 3" euler="90 0 0"><frame pos="1 1 1" euler="0 45 0">{inertial}</frame></frame>',
        f'<frame pos="1 2 3" scale="2">{inertial}</frame>',
        f'<frame pos="1 2 3">{inertial}</frame>{inertial}',
    ):
        text = f"<mujoco><worldbody><body><joint/>{inside}</body></worldbody></mujoco>"
        assert differences(compile_text(text), mujoco.MjModel.from_xml_string(text)) == []


@pytest.mark.parametrize("section", ["asset", "keyframe", "visual", "deformable", "worldbody", "sensor"])
def test_sections_have_no_attributes(section: str) -> None:
    compile_text(f"<mujoco><{section}/></mujoco>")
    text = f'<mujoco><{section} name="s"/></mujoco>'
    with pytest.raises(ValueError, match=r"unrecognized attribute|cannot have attributes"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(MjcfError, match=rf"<{section}>: (unknown attribute 'name'|<worldbody> takes no attributes)"):
        compile_text(text)


def test_an_empty_attribute_takes_an_asset_back() -> None:
    text = """
        <mujoco>
          <default><geom material="red" type="mesh" mesh="cone"/><site material="red" type="mesh" mesh="cone"/>
            <material texture="t"/><tendon material="red"/></default>
          <asset><material name="red"/><material name="plain" texture=""/>
            <mesh name="cone" builtin="cone" params="8 1"/>
            <texture name="t" type="2d" builtin="flat" width="1" height="1"/></asset>
          <worldbody><geom type="sphere" size="1" material="" mesh=""/><site material=""/>
            <site name="a" type="sphere" mesh="" material=""/><site name="b" pos="1 0 0"/></worldbody>
          <tendon><spatial material=""><site site="a"/><site site="b"/></spatial>
            <spatial><site site="a"/><site site="b"/></spatial></tendon>
        </mujoco>"""
    compiled = compile_text(text)
    assert differences(compiled, mujoco.MjModel.from_xml_string(text)) == []
    assert compiled.values["geom_matid"][0] == compiled.values["site_matid"][0] == -1
    assert compiled.values["tendon_matid"].tolist() == [-1, 0]


GRIDS = [
    "",
    'gridsize="1 1" gridlayout="."',
    'gridsize="3 4" gridlayout=".U..LFRB.D.."',
    'gridsize="2 1"',
    'gridlayout="UD"',
]
RANGES = {
    "position": ("ctrlrange", "inheritrange"),
    "intvelocity": ("actrange", "inheritrange"),
    "pid": ("posrange", "inheritrange"),
    "general": ("ctrlrange", "inheritrange"),
}


def ranged(name: str) -> str:
    return name and f'{name}="{"1" if name == "inheritrange" else "-2 2"}"'


def agree(text: str) -> None:
    """Both engines load a model alike, or reject it."""
    try:
        expected = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        with pytest.raises(MjcfError):
            compile_text(text)
        return
    assert differences(compile_text(text), expected) == []


@pytest.mark.parametrize("inherited", GRIDS)
@pytest.mark.parametrize("own", GRIDS)
def test_a_layout_is_for_its_grid(inherited: str, own: str) -> None:
    texture = f'<texture name="t" class="c" type="2d" builtin="flat" width="4" height="4" {own}/>'
    inner = f'<default class="c"><texture {own if "layout" not in own else ""}/></default>'
    agree(f"<mujoco><default><texture {inherited}/>{inner}</default><asset>{texture}</asset></mujoco>")


@pytest.mark.parametrize("inherited", RANGES)
@pytest.mark.parametrize("own", RANGES)
def test_a_range_of_an_actuator_counts_before_that_of_its_class(inherited: str, own: str) -> None:
    world = '<worldbody><body><joint name="j" range="-1 1"/><geom size="1"/></body></worldbody>'
    for first in ("", *RANGES[inherited]):
        for second in ("", *RANGES[own]):
            default = f"<default><{inherited} {ranged(first)}/></default>"
            actuator = f'<actuator><{own} joint="j" {ranged(second)}/></actuator>'
            agree(f"<mujoco>{default}{world}{actuator}</mujoco>")


def test_comparison_notices_a_difference() -> None:
    reference = mujoco.MjModel.from_xml_string(MODELS["chain"])
    compiled = compile_text(MODELS["chain"])
    compiled.values["body_mass"][1] *= 1 + 1e-9
    compiled.values["jnt_type"] = compiled.values["jnt_type"].astype(np.int64)
    del compiled.values["qpos0"]
    compiled.values["geom_weight"] = 1
    assert [line.split()[0].rstrip(":") for line in differences(compiled, reference)] == [
        "body_mass",
        "jnt_type",
        "qpos0",
        "geom_weight",
    ]


@pytest.mark.parametrize(
    "text",
    [*(MODELS[name] for name in ("chain", "cameras", "lights", "mocap", "same frames")), *map(random_model, range(5))],
)
def test_poses_at_qpos0(text: str) -> None:
    reference = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(reference)
    mujoco.mj_forward(reference, data)
    compiled = compile_text(text)
    ours = poses(SimpleNamespace(**compiled.values))
    assert sorted(ours) == sorted(POSES)
    for name in POSES:
        np.testing.assert_allclose(ours[name], getattr(data, name), rtol=0, atol=1e-10, err_msg=name)


def limbs(depth: int, k: int = 0) -> str:
    """A body with two hinges, and two like it on it, to some depth."""
    below = "".join(limbs(depth - 1, j) for j in range(2)) if depth else ""
    shape = f'<joint axis="0 1 .{k}"/><joint axis="1 0 .3"/><geom size=".03 .1" type="capsule"/>'
    return f'<body pos=".1 .0{k + 1} .1" euler="{10 * k} 20 {7 * depth}">{shape}{below}</body>'


# 132 dofs in one tree, and two in trees of their own; servos, and tendons across trees
MANY_DOFS = f"""
<mujoco><worldbody>
  <body><freejoint/><geom size=".1"/>{limbs(5)}</body>
  <body pos="1 0 0"><joint name="a" axis="0 0 1"/><geom size=".1" pos=".2 0 0"/></body>
  <body pos="2 0 0"><joint name="b" axis="0 0 1"/><geom size=".1" pos=".3 0 0"/></body>
</worldbody>
<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
<actuator><motor joint="a" gear="3"/><motor tendon="t"/></actuator>
</mujoco>
"""
HASH = """
import hashlib, sys, sim
from sim.fields import MODEL
m = sim.loads(sys.stdin.read())
print(hashlib.sha256(b"".join(m.read(f.name).tobytes() for f in MODEL if f.shape)).hexdigest())
"""


def test_weights_of_many_dofs() -> None:
    ours, theirs = sim.loads(MANY_DOFS), mujoco.MjModel.from_xml_string(MANY_DOFS)
    for name in ("dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_acc0"):
        np.testing.assert_allclose(ours.read(name), getattr(theirs, name), rtol=1e-9, err_msg=name)


def test_models_do_not_depend_on_the_number_of_threads() -> None:
    def digest(threads: int) -> str:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(threads)}
        command = [sys.executable, "-c", HASH]
        return subprocess.run(
            command, cwd=ROOT, env=environment, input=MANY_DOFS, check=True, capture_output=True, text=True
        ).stdout

    assert digest(1) == digest(2)


def test_names() -> None:
    names = compile_text(MODELS["chain"]).names
    assert names["body"] == ["world", "a", "b", "", "", "", "", ""]
    assert names["joint"] == ["j", "", "", "", "", "f", ""]
    assert names["site"] == ["s"]
    assert names["actuator"] == []


def test_statistics_of_a_model_without_dofs() -> None:
    """What cannot be computed has MuJoCo's default."""
    text = '<mujoco><worldbody><geom size="0.5" pos="1 0 0"/></worldbody></mujoco>'
    ours, theirs = sim.loads(text).stat, mujoco.MjModel.from_xml_string(text).stat
    for name in ("meaninertia", "meanmass", "meansize", "extent", "center"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
