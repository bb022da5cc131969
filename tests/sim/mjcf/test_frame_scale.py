"""Scales of frames: figures of MuJoCo 4.0.0, and laws that need none. See sim/mjcf/scale.

`frame_scale_4.txt` has fields of the models below as MuJoCo 4.0.0 compiles them; the MuJoCo that is installed for tests
does not know the attribute.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.attributes import BY_TAG
from sim.attributes.dimensions import DIMENSIONS

JOINT = """stiffness="3 4 5" damping="2 3 4" armature=".3" frictionloss=".4" range="-20 30" ref="4" springref="5"
    margin=".1" actuatorfrcrange="-3 4" solimplimit=".5 .6 .07 .4 2" """
TENDON = 'range="1 2" springlength="2 3" stiffness="3 4 5" damping="2" frictionloss=".4" margin=".1"'
MESH = '<geom type="mesh" mesh="m" contype="0" conaffinity="0"/>'
# two frames with different scales, and a body outside
TWO = """
    <worldbody>
      <body name="w"><joint name="hw"/><geom name="gw" size=".1"/><site name="sw" pos="0 0 1"/></body>
      <frame SCALE>
        <body name="a" pos="1 2 3">
          <joint name="ha"/><geom name="ga" size=".1"/><site name="sa" pos=".1 .2 .3"/><site name="sa2"/>
          <body name="a2"><joint name="la" type="slide" range="-1 1" limited="true"/><geom size=".1"/></body>
        </body>
      </frame>
      <frame scale="3" massscale="7">
        <body name="b" pos="1 2 5">
          <joint name="hb"/><geom name="gb" size=".1"/><site name="sb" pos=".1 .2 .3"/>
          <body name="b2"><joint name="lb" type="slide"/><geom size=".1"/></body>
        </body>
      </frame>
    </worldbody>"""
SENSORS = "".join(
    f'<{words} cutoff="1" noise="1"/>'
    for words in """
    touch site="sa"|accelerometer site="sa"|gyro site="sa"|force site="sa"|torque site="sa"|rangefinder site="sa"|
    jointpos joint="la"|jointpos joint="ha"|jointlimitfrc joint="la"|
    framepos objtype="xbody" objname="a" reftype="xbody" refname="b"|subtreeangmom body="a"|
    distance geom1="ga" geom2="gb"|normal geom1="ga" geom2="gb"|contact geom1="ga" data="force"|
    insidesite site="sb" objtype="geom" objname="ga"|insidesite site="sb" objtype="geom" objname="ga" enclosed="true"
    """.replace("\n    ", "").split("|")
)
MODELS = {
    "joints": f"""
    <worldbody>
      <frame SCALE pos="1 2 3">
        <body pos="1 0 0"><joint type="hinge" pos=".1 0 0" {JOINT}/><geom size=".1"/></body>
        <body><joint type="slide" {JOINT}/><geom size=".1" mass="2"/></body>
        <body>
          <joint type="ball" range="0 30" stiffness="3" damping="2 3 4"/>
          <geom type="box" size=".1 .2 .3" shellinertia="true"/>
        </body>
        <body pos="1 2 3">
          <joint type="free" armature=".3" damping="2"/><geom type="capsule" size=".1 .2" density="20"/>
        </body>
      </frame>
    </worldbody>""",
    "tree": """
    <worldbody>
      <frame SCALE euler="0 0 90">
        <geom type="plane" size="3 4 5" pos="1 2 3"/>
        <geom type="cylinder" fromto="0 0 0 1 2 3" size=".1" friction=".3 .4 .5" margin=".01" gap=".02" adhesion="3"
          surfacevel="1 2 3 4 5 6"/>
        <site type="box" size=".1 .2 .3" pos="1 2 3"/><site size=".1"/>
        <camera pos="1 2 3" ipd=".3" sensorsize=".3 .2" focal=".1 .2" principal=".02 .03" resolution="10 20"/>
        <light pos="1 2 3" range="7" bulbradius=".3" attenuation="1 2 3"/>
        <body pos="1 2 3" euler="90 0 0">
          <inertial pos="1 2 3" mass="2" diaginertia=".5 .6 .7"/><geom size=".1" pos="1 0 0"/>
          <body pos="1 2 3"><joint/><geom type="ellipsoid" size=".1 .2 .3"/></body>
        </body>
      </frame>
    </worldbody>""",
    "nested": """
    <worldbody>
      <frame SCALE>
        <body pos="1 0 0">
          <joint type="slide" stiffness="3" damping="2" axis="1 0 0"/><geom size=".1"/>
          <frame pos="1 2 3" scale="3" scaling="geometry" massscale="2">
            <geom size=".1" pos="1 0 0" density="20"/>
            <body pos="0 1 0">
              <joint type="slide" stiffness="3 4" damping="2"/><geom size=".1"/>
              <frame scale="1.5"><body><joint stiffness="3"/><geom size=".1"/></body></frame>
            </body>
          </frame>
        </body>
      </frame>
    </worldbody>""",
    "tendons": TWO
    + f"""
    <tendon>
      <spatial {TENDON} width=".1"><site site="sa"/><site site="sa2"/></spatial>
      <spatial {TENDON}><site site="sa"/><site site="sb"/></spatial>
      <fixed {TENDON}><joint joint="ha" coef="2"/></fixed>
      <fixed {TENDON}><joint joint="ha" coef="2"/><joint joint="la" coef="3"/></fixed>
      <fixed {TENDON}><joint joint="la" coef="2"/><joint joint="lb" coef="3"/><joint joint="hb" coef="4"/></fixed>
    </tendon>""",
    "equalities": TWO
    + """
    <equality>
      <connect body1="a" body2="b" anchor="1 2 3"/>
      <weld body1="a" body2="b" anchor="1 2 3" relpose="1 2 3 1 0 0 0" torquescale=".3"/>
      <weld body1="a" anchor="1 2 3" relpose="1 2 3 1 0 0 0"/>
      <connect site1="sa" site2="sb"/>
      <weld site1="sw" site2="sb" torquescale=".3"/>
      <joint joint1="la" joint2="lb" polycoef="1 2 3 4 5"/>
      <joint joint1="ha" joint2="lb" polycoef="1 2 3 4 5"/>
      <joint joint1="la" polycoef="1 2 3 4 5"/>
    </equality>
    <contact>
      <pair geom1="ga" geom2="gb" friction=".1 .2 .3 .4 .5" margin=".01" gap=".02" adhesion="3"/>
      <pair geom1="gw" geom2="gb" margin=".01"/>
    </contact>""",
    "actuators": TWO
    + """
    <tendon><spatial name="t"><site site="sa"/><site site="sa2"/></spatial></tendon>
    <actuator>
      <motor joint="ha" ctrlrange="-1 1" forcerange="-3 4"/>
      <motor joint="la" gear="2" lengthrange="1 2" damping="1 2 3" armature="2"/>
      <position joint="la" kp="7" kv="3" ctrlrange="-1 2"/>
      <position site="sa" refsite="sb" kp="7" gear="1 2 3 4 5 6" ctrlrange="-1 2"/>
      <velocity tendon="t" kv="3" ctrlrange="-1 2"/>
      <intvelocity joint="la" kp="7" actrange="-1 1" ctrlrange="-1 2"/>
      <damper joint="ha" kv="3" ctrlrange="0 1"/>
      <cylinder joint="la" area="3" bias="1 2 3" ctrlrange="-1 2" timeconst=".1"/>
      <muscle tendon="t" lengthrange="1 2" force="100"/>
      <pid joint="la" kp="7" ki="2" imax="4" input="pos vel ff" posrange="-1 2" velrange="-1 2" ffrange="-1 2"/>
      <adhesion body="a" gain="3" ctrlrange="0 2"/>
      <motor cranksite="sa" slidersite="sb" cranklength="9"/>
      <motor site="sa" gear="0 0 0 1 0 0"/>
    </actuator>""",
    "sensors": TWO + f"<sensor>{SENSORS}</sensor>",
    "keys": """
    <worldbody>
      <body pos="3 3 3"><freejoint/><geom size="1"/></body>
      <frame SCALE pos="1 1 1" euler="0 0 90">
        <body pos="4 4 4"><freejoint/><geom type="box" size="1 1 1"/></body>
        <body><joint name="s" type="slide" ref="3" axis="1 0 0"/><geom type="box" size="1 1 1"/></body>
        <body mocap="true" pos="7 7 7"/>
      </frame>
    </worldbody>
    <actuator><position joint="s"/><motor joint="s"/></actuator>
    <keyframe>
      <key qpos="1 2 3 1 0 0 0 1 2 3 1 0 0 0 4" qvel="1 2 3 4 5 6 1 2 3 4 5 6 1" ctrl="1 2" mpos="1 2 3"/>
      <key/>
      <key ctrl="3"/>
    </keyframe>""",
    "assets": f"""
    <asset>
      <mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/>
      <hfield name="h" nrow="2" ncol="2" size="1 2 3 4" elevation="0 1 2 3"/>
      <skin inflate=".1" vertex="1 0 0 0 1 0 0 0 1" face="0 1 2">
        <bone body="b" bindpos="1 2 3" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
      </skin>
    </asset>
    <worldbody>
      <frame SCALE>{MESH}<geom type="hfield" hfield="h"/><body name="b"/></frame>
      {MESH}
      <frame scale="3"><geom type="hfield" hfield="h"/>{MESH}</frame>
      <frame scale="3">{MESH}</frame>
      <frame scale="2" scaling="geometry"><geom type="box" mesh="m"/><site type="mesh" mesh="m"/></frame>
    </worldbody>""",
    "stretch": """
    <worldbody>
      <frame SCALE euler="0 0 90">
        <geom type="plane" size="1 2 3"/>
        <geom type="box" size="1 2 3" pos="1 2 3" euler="90 0 0"/>
        <geom type="capsule" size=".1 .2" euler="0 90 0"/>
        <geom type="cylinder" fromto="0 0 0 1 0 0" size=".1"/>
        <site type="capsule" fromto="0 0 0 1 2 3" size=".1"/>
        <site type="box" size="1 2 3" euler="10 20 30"/>
        <body pos="1 2 3" euler="0 90 0">
          <inertial pos="1 2 3" mass="2" diaginertia=".7 .6 .5"/>
          <joint type="slide" axis="0 1 0" range="-1 1"/><joint axis="1 0 0"/>
          <frame pos="1 2 3" euler="30 0 0" scale="2"><site pos="1 2 3" size=".1"/></frame>
        </body>
      </frame>
    </worldbody>""",
}
# the figures: a line `# model: attributes of the frame`, then lines of a field and its numbers
FIGURES = [
    (*block.partition("\n")[0].split(": "), dict(line.split(" ", 1) for line in block.splitlines()[1:]))
    for block in (Path(__file__).parent / "frame_scale_4.txt").read_text(encoding="utf-8").split("# ")[1:]
]


def compiled(name: str, scale: str) -> sim.Model:
    return sim.loads(f"<mujoco>{MODELS[name].replace('SCALE', scale)}</mujoco>")


def world(contents: str, rest: str = "") -> sim.Model:
    return sim.loads(f"<mujoco>{rest}<worldbody>{contents}</worldbody></mujoco>")


def fields_of(m: sim.Model) -> dict[str, np.ndarray]:
    """All numbers of a model."""
    return {name: np.array(m.read(name)) for name in m.file_values}


@pytest.mark.parametrize(("name", "scale", "figures"), FIGURES, ids=[" ".join(row[:2]) for row in FIGURES])
def test_figures_of_mujoco(name: str, scale: str, figures: dict[str, str]) -> None:
    m = compiled(name, scale)
    for field, text in figures.items():
        expected = np.array(text.split(), float)
        value = np.ravel(m.read(field)).astype(float)
        # eq_data has a twelfth number since 4.0
        if field == "eq_data":
            expected = expected.reshape(-1, 12)[:, :11].ravel()
            value = value.reshape(m.neq, -1)[:, :11].ravel()
        np.testing.assert_allclose(value, expected, rtol=2e-7, atol=1e-9, err_msg=field)


def test_table_names_attributes() -> None:
    """Every row of the table of dimensions is an attribute with as many numbers at least."""
    laws = {"solid": "geom", "shell": "geom"}
    for element, rows in DIMENSIONS.items():
        for name, dimensions in rows.items():
            tag = laws.get(element, "general" if re.match("gain/|bias/|actuator$", element) else element)
            tag = {"tendon": "spatial", "equality": "weld"}.get(tag, tag)
            found = BY_TAG.get(f"sensor/{tag}", BY_TAG.get(tag, {})).get(name) or BY_TAG["pid"].get(name)
            assert found is not None, (element, name)
            assert len(dimensions) <= (found.type.high or 1), (element, name)


# ---- laws


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("scale", ['scale="1"', 'scale="1 1 1" scaling="geometry" massscale="1"'])
def test_one_is_the_identity(name: str, scale: str) -> None:
    plain, scaled = (fields_of(compiled(name, text)) for text in ("", scale))
    for field, value in plain.items():
        assert np.array_equal(value, scaled[field]), field


@pytest.mark.parametrize("policy", ["similar", "geometry"])
def test_nested_scales_multiply(policy: str) -> None:
    inside = re.search("<frame SCALE[^>]*>(.*)</frame>", MODELS["joints"], re.DOTALL)
    assert inside is not None
    both = [f'<frame scaling="{policy}" scale="{scale}" massscale="{mass}">' for scale, mass in ((2, 3), (1.5, 5))]
    nested = fields_of(world(f"{both[0]}{both[1]}{inside[1]}</frame></frame>"))
    whole = fields_of(world(f'<frame scaling="{policy}" scale="3" massscale="15">{inside[1]}</frame>'))
    for field, value in whole.items():
        np.testing.assert_allclose(nested[field], value, rtol=1e-9, atol=1e-12, err_msg=field)


def test_policies_of_nested_frames_are_their_own() -> None:
    """Forces follow the frame that is similar, lengths follow both."""
    spring = '<body><joint type="slide" stiffness="3 4" range="-1 1"/><geom size="1"/></body>'
    m = world(f'<frame scale="3" scaling="geometry"><frame scale="2" massscale="5">{spring}</frame></frame>')
    assert m.jnt_stiffness[0] == pytest.approx(3 * 5) and m.jnt_stiffnesspoly[0, 0] == pytest.approx(4 * 5 / 2)
    assert m.jnt_range.tolist() == [[-6, 6]] and m.geom_size[0, 0] == 6


PENDULUM = """
    <option gravity="0 0 GRAVITY" tolerance="0"/>
    <worldbody>
      <frame SCALE>
        <geom type="plane" size="5 5 1"/>
        <body pos="0 0 1">
          <joint name="h" axis="0 1 0" stiffness="2 1" damping=".1 .02" armature=".01" frictionloss=".05"
            springref="20"/>
          <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" contype="0" conaffinity="0"/>
          <site name="tip" pos=".4 0 0"/>
          <body pos=".5 0 0">
            <joint name="s" type="slide" axis="1 0 0" stiffness="30 5" damping="2" range="-.1 .1"/>
            <geom type="box" size=".1 .05 .05" contype="0" conaffinity="0"/><site name="end"/>
          </body>
        </body>
        <body pos="1 1 .3"><freejoint/><geom size=".1" margin=".01" friction=".8 .01 .001" condim="6"/></body>
        <site name="anchor" pos="0 0 2"/>
      </frame>
    </worldbody>
    <tendon><spatial name="t" stiffness="9" damping=".3"><site site="anchor"/><site site="end"/></spatial></tendon>
    <actuator>
      <motor joint="h" gear="3"/><position joint="s" kp="50" kv="2"/><general tendon="t" gainprm="2"/>
      <motor site="tip" gear="0 0 1 0 .2 0"/>
    </actuator>"""


@pytest.mark.parametrize(("length", "mass"), [(2.0, 5.0), (0.5, 0.125)])
def test_similar_moves_as_the_original(length: float, mass: float) -> None:
    """In gravity that is scaled too: all lengths are those of the original times the scale, at every step."""
    texts = (
        PENDULUM.replace("SCALE", "").replace("GRAVITY", "-9.81"),
        PENDULUM.replace("SCALE", f'scale="{length}" massscale="{mass}"').replace("GRAVITY", str(-9.81 * length)),
    )
    m, scaled = (sim.loads(f"<mujoco>{text}</mujoco>") for text in texts)
    d, e = sim.Data(m), sim.Data(scaled)
    for index in range(300):
        force = np.sin(0.02 * index)
        d.ctrl[:] = (force, 0.05 * force, force, force)
        e.ctrl[:] = (force, 0.05 * force * length, force, force)
        sim.step(m, d)
        sim.step(scaled, e)
    moved = np.array(d.qpos)
    assert abs(moved[0]) > 0.1 and abs(moved[1]) > 1e-3 and moved[4] < 0.2
    moved[[1, 2, 3, 4]] *= length
    np.testing.assert_allclose(e.qpos, moved, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(e.qvel[0], d.qvel[0], rtol=1e-6)


def test_masses_follow_massscale() -> None:
    plain = compiled("joints", "")
    for text, factor in (('massscale="3"', 3.0), ('scale="2" massscale="3"', 3.0), ('scale="2"', 8.0)):
        for policy in ("similar", "geometry"):
            scaled = compiled("joints", f'{text} scaling="{policy}"')
            np.testing.assert_allclose(scaled.body_mass, plain.body_mass * factor, rtol=1e-12)


def test_stretched_shapes_equal_those_written_out() -> None:
    asset = '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3" scale="{}"/></asset>'
    shapes = """<body pos="{}"><joint/><geom type="box" size="{}" pos="{}"/><geom type="mesh" mesh="m"/>
        <geom type="ellipsoid" size="{}"/></body>"""
    plain = ("1 1 1", ".1 .2 .3", "1 2 3", ".3 .2 .1")
    large = ("2 3 5", ".2 .6 1.5", "2 6 15", ".6 .6 .5")
    mean = 30 ** (1 / 3)
    contact = f'friction="1 {0.005 * mean!r} {0.0001 * mean!r}" solimp=".9 .95 {0.001 * mean!r}"'
    scaled = world(f'<frame scale="2 3 5" scaling="geometry">{shapes.format(*plain)}</frame>', asset.format("1 1 1"))
    written = world(shapes.format(*large), asset.format("2 3 5") + f"<default><geom {contact}/></default>")
    for field, value in fields_of(written).items():
        np.testing.assert_allclose(fields_of(scaled)[field], value, rtol=1e-12, atol=1e-12, err_msg=field)


def test_names_of_instances() -> None:
    assert compiled("assets", 'scale="2"').names["mesh"] == ["m", "m@1", "m@2"]
    # a matrix that is not along the axes of the mesh
    geom = '<geom type="mesh" mesh="m" euler="30 0 0" contype="0" conaffinity="0"/>'
    asset = '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/></asset>'
    m = world(f'<frame scale="2 3 5" scaling="geometry">{geom}</frame>{MESH}', asset)
    assert m.names["mesh"] == ["m", "m@1"] and m.mesh_scale.tolist() == [[1, 1, 1]] * 2
    # the volume of the tetrahedron, whose vertices are stretched in the axes of the frame
    corner = m.mesh_vert[:4].astype(float)
    assert np.linalg.det(corner[1:] - corner[0]) == pytest.approx(2 * 3 * 5 * 6, rel=1e-5)
    assert not np.allclose(m.mesh_vert[:4], m.mesh_vert[4:] * (2, 3, 5), atol=0.1)


# ---- saving

# fields of each model to edit, all rows of them
EDITED = {
    "joints": """jnt_pos jnt_stiffness jnt_stiffnesspoly jnt_range jnt_margin jnt_solimp dof_armature dof_damping
        dof_dampingpoly dof_frictionloss body_mass body_inertia body_ipos body_pos""",
    "tree": """geom_pos geom_size geom_friction geom_margin geom_adhesion geom_surfacevel site_pos site_size cam_pos
        cam_ipd light_pos light_range light_attenuation body_pos body_mass""",
    "nested": "body_pos geom_pos geom_size jnt_stiffness dof_damping body_ipos",
    "tendons": "tendon_range tendon_lengthspring tendon_stiffness tendon_stiffnesspoly tendon_damping tendon_margin",
    "equalities": "eq_solimp pair_friction pair_margin pair_adhesion",
    "actuators": """actuator_gainprm actuator_biasprm actuator_dynprm actuator_ctrlrange actuator_forcerange
        actuator_actrange actuator_gear actuator_lengthrange actuator_damping actuator_armature actuator_cranklength""",
    "sensors": "sensor_cutoff sensor_noise",
    "keys": "key_qvel key_ctrl key_mpos body_mass",
    "stretch": "body_pos body_ipos body_mass body_inertia jnt_range geom_friction",
}


@pytest.mark.parametrize(("name", "scale", "figures"), FIGURES, ids=[" ".join(row[:2]) for row in FIGURES])
def test_model_is_saved_with_its_scale(name: str, scale: str, figures: dict[str, str], tmp_path: Path) -> None:
    """Without an edit nothing changes, and an edit comes back as it was."""
    m = compiled(name, scale)
    m.save_xml(tmp_path / "m.xml")
    again = fields_of(sim.load(tmp_path / "m.xml"))
    for field, value in fields_of(m).items():
        assert np.array_equal(again[field], value), field
    for field in EDITED.get(name, "").split():
        m = compiled(name, scale)
        edited = np.array(m.read(field)) * 1.1
        m.read(field)[...] = edited
        m.save_xml(tmp_path / "m.xml")
        tolerance = 1e-6 if edited.dtype == np.float32 else 1e-12
        loaded = sim.load(tmp_path / "m.xml").read(field)
        np.testing.assert_allclose(loaded, edited, rtol=tolerance, atol=1e-14, err_msg=field)


@pytest.mark.parametrize(
    ("name", "field", "warning"),
    [
        ("stretch", "body_quat", "body_quat of body 1: in a stretched frame"),
        ("stretch", "site_size", "site_size of site 0: in a stretched frame"),
        ("stretch", "jnt_axis", "jnt_axis of joint 0: in a stretched frame"),
        ("assets", "hfield_size", 'hfield_size of hfield "h": in a stretched frame'),
    ],
)
def test_edits_that_the_file_cannot_say_are_listed(name: str, field: str, warning: str, tmp_path: Path) -> None:
    m = compiled(name, 'scale="4 3 3" scaling="geometry"')
    m.read(field)[...] *= 1.1
    with pytest.warns(UserWarning, match=f"no attribute for edits of .*{warning}"):
        m.save_xml(tmp_path / "m.xml")


def test_poses_in_keyframes_come_back(tmp_path: Path) -> None:
    m = compiled("keys", 'scale="2 3 5" scaling="geometry"')
    m.key_qpos[0, [0, 1, 2, 7, 8, 9, 14]] += 1
    expected = np.array(m.key_qpos)
    m.save_xml(tmp_path / "m.xml")
    np.testing.assert_allclose(sim.load(tmp_path / "m.xml").key_qpos, expected, rtol=1e-12)


def test_anchors_come_back(tmp_path: Path) -> None:
    m = compiled("equalities", 'scale="2" massscale="5"')
    m.eq_data[0, :3] += 1
    m.eq_data[1, :6] += 1
    m.eq_data[1, 10] += 1
    m.eq_data[5:, :5] += 1
    expected = np.array(m.eq_data)
    m.save_xml(tmp_path / "m.xml")
    loaded = sim.load(tmp_path / "m.xml").eq_data
    # the anchor in the second body of a connect is computed
    np.testing.assert_allclose(loaded[1:], expected[1:], rtol=1e-12)
    np.testing.assert_allclose(loaded[0, :3], expected[0, :3], rtol=1e-12)


def test_light_in_a_frame_comes_back(tmp_path: Path) -> None:
    m = world('<frame pos="1 2 3" euler="30 40 50"><light pos="1 2 3" dir="0 1 0"/></frame>')
    m.light_pos[0], m.light_dir[0] = (3, 4, 5), (0, 0.6, 0.8)
    m.save_xml(tmp_path / "m.xml")
    again = sim.load(tmp_path / "m.xml")
    np.testing.assert_allclose(again.light_pos[0], (3, 4, 5), rtol=1e-12)
    np.testing.assert_allclose(again.light_dir[0], (0, 0.6, 0.8), atol=1e-12)


# ---- errors


@pytest.mark.parametrize(
    ("contents", "rest", "message"),
    [
        ('<frame scale="0"/>', "", "scale is 0; it must be positive"),
        ('<frame scale="2 3"/>', "", "two values; specify one, or one for each axis"),
        ('<frame scale="1 2 3"/>', "", 'scale is 1 2 3, which stretches its contents; set scaling="geometry"'),
        ('<frame massscale="-1"/>', "", "massscale is -1; it must be positive, or 0 for the ratio of volumes"),
        ('<frame scale="1e-200"/>', "", "it multiplies lengths by 1e-200; the factor must be from 1e-30 to 1e+30"),
        ('<frame scale="1e20"><frame scale="1e20"/></frame>', "", "it multiplies lengths by 1e+40"),
        ('<frame massscale="1e200"/>', "", "it multiplies masses by 1e+200"),
        ('STRETCH<geom size="1"/></frame>', "", "its frame would stretch a sphere; use an ellipsoid"),
        (
            'STRETCH<geom type="capsule" size="1 1"/></frame>',
            "",
            "stretches it unequally across its axis; use an ellipsoid",
        ),
        ('STRETCH<geom type="box" fromto="0 0 0 0 0 1" size=".1"/></frame>', "", "unequally across its axis"),
        ('STRETCH<geom type="capsule" size="1 1" euler="0 0 45"/></frame>', "", "unequally across its axis"),
        ('STRETCH<geom type="cylinder" size="1 1" euler="30 0 0"/></frame>', "", "would turn its axis; align it"),
        ('STRETCH<geom type="box" size="1 1 1" euler="30 0 0"/></frame>', "", "its frame would skew it; align it"),
        ('STRETCH<body><joint axis="1 1 0"/><geom type="box" size="1 1 1"/></body></frame>', "", "turn its axis"),
        (
            'STRETCH<geom type="hfield" hfield="h" euler="30 0 0"/></frame>',
            '<asset><hfield name="h" nrow="2" ncol="2" size="1 2 3 4"/></asset>',
            "its frame would skew it",
        ),
        (
            '<frame scale="2"><body><joint name="j"/><geom size="1"/></body></frame>',
            '<actuator><dcmotor joint="j" motorconst="1" resistance="1"/></actuator>',
            'dyntype is "dcmotor", and its parameters cannot be scaled; use scaling="geometry"',
        ),
        (
            '<frame scale="2"><body name="a"/></frame><body name="b"/>',
            """<asset><skin vertex="1 0 0 0 1 0 0 0 1" face="0 1 2">
            <bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
            <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></asset>""",
            "its bones have different scales; put them into one scaled frame",
        ),
        (
            f'{MESH}<frame scale="2">{MESH}</frame>',
            """<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/>
            <mesh name="m@1" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/></asset>""",
            "the instance of mesh 'm' at a different scale already has this name; rename one of them",
        ),
    ],
)
def test_errors(contents: str, rest: str, message: str) -> None:
    with pytest.raises(sim.MjcfError, match=re.escape(message)) as error:
        world(contents.replace("STRETCH", '<frame scale="2 3 5" scaling="geometry">'), rest)
    assert error.value.line
