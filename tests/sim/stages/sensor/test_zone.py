"""Sites with a mesh: as MuJoCo 4.0.0 compiles them, and their volume in sensors.

Touch sensors of such sites, which MuJoCo 4.0.0 cannot measure, are held to those of a box.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim.stages.sensor.zone import has_mesh_sites

SOLID = '<mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3 .3 .4 2.5" {}/>'
BOX = (
    '<mesh name="box" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1" scale=".11 .21 .051"'
    ' refpos="-3 0 0"/>'
)


def model(site: str, sensor: str = "", asset: str = SOLID.format(""), head: str = "", body: str = "") -> Any:
    return sim.loads(f"""<mujoco>{head}<asset>{asset}<material name="grey"/></asset><worldbody>{site}
      <geom type="plane" size="1 1 1"/><body name="probe" mocap="true"/>{body}</worldbody>
      <sensor>{sensor}</sensor></mujoco>""")


PLACED = '<site name="s" type="mesh" mesh="m" pos=".3 0 .1" euler="10 20 30"/>'


def test_pose_is_that_of_the_file_and_size_that_of_the_mesh() -> None:
    m = model(PLACED)
    # of MuJoCo 4.0.0
    assert m.site_size[0] == pytest.approx([0.51718084, 1.26599997, 2.17108755], abs=1e-7)
    assert m.site_pos[0].tolist() == [0.3, 0, 0.1]
    assert m.site_quat[0] == pytest.approx([0.94371436, 0.12767944, 0.14487813, 0.26853582], abs=1e-7)
    assert m.site_type.tolist() == [7] and m.site_dataid.tolist() == [0]
    # it has a hull though nothing collides
    assert m.mesh_graphadr[0] == 0 and m.nmeshgraph == 53


def test_other_sites_have_no_mesh() -> None:
    m = model('<site/><site type="box" size="1 1 1"/>')
    assert m.site_dataid.tolist() == [-1, -1] and not has_mesh_sites(m)


def test_material_is_that_of_the_mesh() -> None:
    asset = SOLID.format('material="grey"')
    assert model(PLACED, asset=asset).site_matid.tolist() == [0]


def test_mesh_of_a_site_is_kept_without_visuals() -> None:
    m = model(PLACED, head='<compiler discardvisual="true"/>', asset=SOLID.format("") + BOX)
    assert m.nmesh == 1 and m.site_dataid.tolist() == [0] and m.nsite == 1


def test_in_a_default_class_and_saved(tmp_path: Path) -> None:
    m = model('<site name="s"/>', head='<default><site type="mesh" mesh="m"/></default>')
    m.save_xml(tmp_path / "saved.xml")
    for found in (m, sim.load(tmp_path / "saved.xml")):
        assert found.site_dataid.tolist() == [0] and found.site_size[0, 2] > 2


def test_attached_with_its_mesh() -> None:
    m = sim.loads(
        """<mujoco><asset><model name="part" file="part.xml"/></asset><worldbody><frame pos="1 0 0">
        <attach model="part" body="b" prefix="x_"/></frame></worldbody></mujoco>""",
        assets={
            "part.xml": f"""<mujoco><asset>{SOLID.format("")}</asset><worldbody><body name="b"><geom size=".1"/>
            <site type="mesh" mesh="m"/></body></worldbody></mujoco>""".encode()
        },
    )
    assert m.names["mesh"] == ["x_m"] and m.site_dataid.tolist() == [0]


@pytest.mark.parametrize(
    ("site", "error"),
    [
        ('<site type="mesh"/>', "a site of type mesh needs a mesh; set mesh"),
        ('<site mesh="m"/>', 'mesh is set, but the type is different; set type="mesh"'),
        ('<site type="box" mesh="m"/>', "mesh is set, but the type is different"),
        ('<site type="mesh" mesh="n"/>', "mesh 'n' does not exist"),
        ('<site type="mesh" mesh="m" fromto="0 0 0 1 1 1"/>', "fromto cannot be used with this type"),
        ('<site type="hfield"/>', "sites cannot have this type"),
        ('<site type="sdf" mesh="m"/>', "mesh is set, but the type is different"),
    ],
)
def test_errors(site: str, error: str) -> None:
    with pytest.raises(sim.MjcfError) as raised:
        model(site)
    assert error in str(raised.value)


def inside_hull(m: Any, points: Any) -> Any:
    """Whether points, in the world, are in the hull of the mesh of the first site: not beyond all of its vertices in
    the direction of the normal of any three."""
    quat, turn = np.array(m.site_quat[0]), np.array(m.mesh_quat[0])
    frame = sim.quat_to_mat(quat) @ sim.quat_to_mat(turn)
    origin = m.site_pos[0] + sim.quat_to_mat(quat) @ m.mesh_pos[0]
    vertex = np.asarray(m.mesh_vert, float) @ frame.T + origin
    normals = np.array([np.cross(b - a, c - a) for a, b, c in combinations(vertex, 3)])
    directions = np.concatenate([normals, -normals])
    farthest = (directions @ vertex.T).max(axis=1)
    return ((directions @ points.T) <= farthest[:, None]).all(axis=0)


def test_points_inside_the_hull() -> None:
    m = model(PLACED, '<insidesite objtype="xbody" objname="probe" site="s"/>')
    d = sim.Data(m)
    points = np.random.default_rng(0).uniform(-0.5, 2.5, (3000, 3))
    found = []
    for point in points:
        d.mocap_pos[0] = point
        sim.forward(m, d)
        found.append(bool(d.sensordata[0]))
    # the same points in MuJoCo 4.0.0
    assert sum(found) == 145
    assert inside_hull(m, points).tolist() == found


@pytest.mark.parametrize("pos", ["0 0 0", ".1 0 0", "0 0 -.09", "0 0 .09", ".15 .25 -.03", "0 .15 .04"])
@pytest.mark.parametrize("euler", ["0 0 0", "20 -30 40"])
def test_a_box_of_a_mesh_is_a_box(pos: str, euler: str) -> None:
    # the mesh is a third of a metre from the origin of its file
    sensors = '<touch site="s"/><contact site="s" data="found" num="1"/>'
    body = '<body pos="0 0 .0495"><freejoint/><geom type="box" size=".1 .1 .05" mass="1"/>{}</body>'
    readings = []
    for shape in ('type="mesh" mesh="box"', 'type="box" size=".11 .21 .051"'):
        offset = '<frame pos="-.33 0 0">' if "mesh" in shape else "<frame>"
        site = f'<frame pos="{pos}" euler="{euler}">{offset}<site name="s" {shape}/></frame></frame>'
        m = model("", sensors, BOX, body=body.format(site))
        d = sim.Data(m)
        sim.forward(m, d)
        assert d.ncon == 4
        readings.append(d.sensordata.copy())
    assert readings[0] == pytest.approx(readings[1], abs=1e-9)


def test_touch_is_measured_somewhere() -> None:
    # so that the comparison above is not of zeros only
    body = '<body pos="0 0 .0495"><freejoint/><geom type="box" size=".1 .1 .05" mass="1"/>{}</body>'
    site = '<site name="s" type="mesh" mesh="box" pos="-.33 0 0"/>'
    m = model("", '<touch site="s"/>', BOX, body=body.format(site))
    d = sim.Data(m)
    sim.forward(m, d)
    assert d.sensordata[0] > 1
