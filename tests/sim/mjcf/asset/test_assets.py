"""Assets against MuJoCo: meshes, height fields, textures and skins, field by field."""

from __future__ import annotations

import struct
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from sim.mjcf import Compiled, compile_file, compile_text
from sim.mjcf.asset.mesh_file import decode
from tests.sim.mjcf.asset_files import (
    CORNERS,
    CUBE,
    FACES,
    INLINE,
    ascii_stl,
    msh,
    numbers,
    obj,
    picture,
    png,
    skn,
    stl,
    with_asset,
    with_mesh,
)
from tests.sim.mjcf.compare import differences, hull_vertices

rng = np.random.default_rng(1)
CLOUD = rng.normal(size=(60, 3)).astype(np.float32)
RING = np.array([[np.cos(t), np.sin(t), z] for z in (-0.3, 0.7) for t in np.arange(14) * np.pi / 7], np.float32)
TURNED = 'pos="1 2 3" euler="10 20 30" surfacevel="1 2 3 4 5 6"'
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
MIXED_OBJ = b"""# comment
mtllib none.mtl
o first
v 0 0 0
v 1 0 0
v 1.5 1 0
v 0.5 2 0
v -0.5 1 0
v 0.5 0.75 2 1.0
vt 0 0
vt 1 0
vt 1 0.25
vn 0 0 2
vn 0 1 1
usemtl red
f -2/1/1 -3/2/1 -4/3/1 -5/1/1 -6/2/1
f 1/1/2 2/2/2 6/3/2
f 2/-1/2 3/2/2 6/3/1
f 3/1/-1 4/2/1 6/3/1
f 4/1/1 5/2/2 6/3/1
f 5/1/2 1/3/2 6/2/1
g second
f 1 2 3
"""

MESHES: dict[str, tuple[str, dict[str, bytes]]] = {
    "inline": (with_mesh(INLINE), {}),
    "hull of vertices": (with_mesh(f'vertex="{numbers(CORNERS)}"'), {}),
    "hull of a cloud": (with_mesh(f'vertex="{numbers(CLOUD)}"'), {}),
    "hull with flat sides": (with_mesh(f'vertex="{numbers(RING)}"'), {}),
    "box": (with_mesh(f'vertex="{numbers(CUBE)}"'), {}),
    "few hull vertices": (with_mesh(f'vertex="{numbers(CLOUD)}" maxhullvert="12"'), {}),
    "visual": (with_mesh(INLINE, 'contype="0" conaffinity="0"'), {}),
    "visual in a pair": (
        with_mesh(INLINE, 'contype="0" conaffinity="0" name="g"').replace(
            "</worldbody>", '<geom name="f" size="1"/></worldbody><contact><pair geom1="f" geom2="g"/></contact>'
        ),
        {},
    ),
    "unused": (with_asset(f"<mesh name='m' {INLINE}/>"), {}),
    "scale": (with_mesh(INLINE + ' scale="0.1 0.2 0.3"'), {}),
    "mirrored": (with_mesh(INLINE + ' scale="-0.1 0.2 0.3"'), {}),
    "mirrored hull": (with_mesh(f'vertex="{numbers(CORNERS)}" scale="1 -1 1"'), {}),
    "reference frame": (with_mesh(INLINE + ' refpos="0.3 -0.1 2" refquat="1 2 -0.5 0.3" scale="2 1 1"'), {}),
    "smooth normals": (with_mesh(INLINE + ' smoothnormal="true"'), {}),
    "normals": (with_mesh(INLINE + f' normal="{numbers(CLOUD[:8])}" scale="1 2 3"'), {}),
    "two normals a vertex": (with_mesh(INLINE + f' normal="{numbers(CLOUD[:16])}"'), {}),
    "texture coordinates": (with_mesh(INLINE + f' texcoord="{numbers(CLOUD[:8, :2])}"'), {}),
    "mesh default": (
        with_mesh(INLINE).replace("<asset>", '<default><mesh scale="2 2 3" inertia="exact"/></default><asset>'),
        {},
    ),
    "material of the mesh": (
        with_mesh(INLINE + ' material="red"').replace("<asset>", '<asset><material name="red" rgba="1 0 0 1"/>'),
        {},
    ),
    "mass": (with_mesh(INLINE, 'mass="3" pos="1 2 3" euler="10 20 30"'), {}),
    "density": (with_mesh(INLINE, 'density="70"'), {}),
    "fluid": (with_mesh(INLINE, 'fluidshape="ellipsoid"'), {}),
    **{
        f"{mode} inertia": (with_mesh(INLINE + f' inertia="{mode}"'), {})
        for mode in ("convex", "exact", "legacy", "shell")
    },
    **{
        f"{kind} fitted{' to the box' * aabb}": (
            with_mesh(INLINE, f'{TURNED} fitscale="1.5"', f'fitaabb="{aabb}"'.lower(), kind),
            {},
        )
        for kind in ("sphere", "capsule", "cylinder", "ellipsoid", "box")
        for aabb in (False, True)
    },
    **{
        f"builtin {shape} {params}": (with_mesh(f'builtin="{shape}" params="{params}" {more}'), {})
        for shape, params, more in (
            ("sphere", "0", ""),
            ("sphere", "2", ""),
            ("hemisphere", "0", ""),
            ("hemisphere", "4", ""),
            ("cone", "7 0", ""),
            ("cone", "12 0.4", 'scale="0.1 0.2 0.3"'),
            ("supersphere", "9 0.5 1.5", ""),
            ("supersphere", "4 2 2", ""),
            ("supertorus", "12 0.3 0.7 1.2", ""),
            ("supertorus", "5 0.5 1 1", ""),
            ("wedge", "5 4 30 20 0", ""),
            ("wedge", "6 3 60 45 0.5", ""),
        )
    },
    "builtin plate": (
        with_mesh('builtin="plate" params="4 3" inertia="shell"', 'contype="0" conaffinity="0"').replace(
            "<freejoint/>", '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        ),
        {},
    ),
    "stl": (with_mesh('file="a.stl"'), {"a.stl": stl(CORNERS, FACES)}),
    "stl by upper case": (with_mesh('file="a.STL" content_type="model/stl"'), {"a.STL": stl(CORNERS, FACES)}),
    "mirrored stl": (with_mesh('file="a.stl" scale="1 1 -2"'), {"a.stl": stl(CORNERS, FACES)}),
    "mirrored convex inertia": (with_mesh(INLINE + ' scale="1 -1 2" inertia="convex"'), {}),
    "msh": (with_mesh('file="a.msh"'), {"a.msh": msh(CORNERS, FACES)}),
    "msh by its type": (with_mesh('file="a.bin" content_type="model/vnd.mujoco.msh"'), {"a.bin": msh(CORNERS, FACES)}),
    "msh without faces": (with_mesh('file="a.msh"'), {"a.msh": msh(CLOUD)}),
    "msh with everything": (
        with_mesh('file="a.msh" scale="-1 2 1"'),
        {"a.msh": msh(CORNERS, FACES, CLOUD[:8], CLOUD[:8, :2])},
    ),
    "msh with normals from the xml": (
        with_mesh(f'file="a.msh" normal="{numbers(CLOUD[:8])}"'),
        {"a.msh": msh(CORNERS, FACES)},
    ),
    "obj": (with_mesh('file="a.obj"'), {"a.obj": obj(CORNERS, FACES)}),
    "obj with quads": (with_mesh('file="a.obj"'), {"a.obj": obj(CUBE + CLOUD[:8] / 9, QUADS)}),
    "obj with everything": (with_mesh('file="a.obj"'), {"a.obj": MIXED_OBJ}),
    "mirrored obj": (with_mesh('file="a.obj" scale="-1 1 1"'), {"a.obj": MIXED_OBJ}),
    "obj of vertices": (with_mesh('file="a.obj"'), {"a.obj": obj(CLOUD, [])}),
    "obj with faces from the xml": (with_mesh(f'file="a.obj" face="{numbers(FACES)}"'), {"a.obj": obj(CORNERS, [])}),
    "folder": (with_mesh('file="a.stl"', compiler='meshdir="here"'), {"here/a.stl": stl(CORNERS, FACES)}),
    "asset folder": (with_mesh('file="b/a.stl"', compiler='assetdir="here"'), {"here/b/a.stl": stl(CORNERS, FACES)}),
    "stripped path": (with_mesh('file="b/a.stl"', compiler='strippath="true"'), {"a.stl": stl(CORNERS, FACES)}),
    "name from the file": (
        with_mesh('file="b/m.x.stl"').replace('name="m" ', "").replace('mesh="m"', 'mesh="m.x"'),
        {"b/m.x.stl": stl(CORNERS, FACES)},
    ),
}

FIELD = '<geom type="hfield" hfield="h" pos="0 0 1"/>'
GRID = rng.normal(size=(4, 5)).astype(np.float32)


def srgb(data: bytes) -> bytes:
    """The same picture, declared to be sRGB."""
    from zlib import crc32

    body = b"sRGB\0"
    return data[:33] + struct.pack(">I", 1) + body + struct.pack(">I", crc32(body)) + data[33:]


OTHERS: dict[str, tuple[str, dict[str, bytes]]] = {
    # height fields
    "elevation": (
        with_asset(f'<hfield name="h" nrow="4" ncol="5" size="1 2 3 4" elevation="{numbers(GRID)}"/>', FIELD),
        {},
    ),
    "flat": (with_asset('<hfield name="h" nrow="3" ncol="2" size="1 2 3 4"/>', FIELD), {}),
    "level": (with_asset('<hfield name="h" nrow="2" ncol="2" size="1 2 3 4" elevation="5 5 5 5"/>', FIELD), {}),
    "heights from a picture": (
        with_asset('<hfield name="h" file="h.png" size="1 2 3 4"/>', FIELD),
        {"h.png": png(picture(6, 4, 1))},
    ),
    "heights from a coloured picture": (
        with_asset('<hfield name="h" file="h.png" size="1 2 3 4"/>', FIELD),
        {"h.png": png(picture(6, 4))},
    ),
    "heights from a binary file": (
        with_asset('<hfield name="h" file="h.bin" size="1 2 3 4"/>', FIELD),
        {"h.bin": struct.pack("<2i", 4, 5) + GRID.tobytes()},
    ),
    "height field that moves": (
        with_asset('<hfield name="h" nrow="2" ncol="2" size="1 2 3 4"/>', f"<body><joint/>{FIELD}</body>"),
        {},
    ),
    # textures
    "texture": (with_asset('<texture name="t" type="2d" file="t.png"/>'), {"t.png": png(picture(3, 5))}),
    "grey": (with_asset('<texture name="t" type="2d" file="t.png" nchannel="1"/>'), {"t.png": png(picture(3, 5))}),
    "grey picture": (with_asset('<texture name="t" type="2d" file="t.png"/>'), {"t.png": png(picture(3, 5, 1))}),
    "alpha": (with_asset('<texture name="t" type="2d" file="t.png" nchannel="4"/>'), {"t.png": png(picture(3, 5, 4))}),
    "alpha dropped": (with_asset('<texture name="t" type="2d" file="t.png"/>'), {"t.png": png(picture(3, 5, 4))}),
    "alpha added": (
        with_asset('<texture name="t" type="2d" file="t.png" nchannel="4"/>'),
        {"t.png": png(picture(3, 5))},
    ),
    "sixteen bits": (
        with_asset('<texture name="t" type="2d" file="t.png"/>'),
        {"t.png": png((np.arange(12).reshape(3, 4) * 5000).astype(np.uint16))},
    ),
    "flipped": (
        with_asset('<texture name="t" type="2d" file="t.png" hflip="true" vflip="true"/>'),
        {"t.png": png(picture(3, 5))},
    ),
    "srgb": (with_asset('<texture name="t" type="2d" file="t.png"/>'), {"t.png": srgb(png(picture(3, 5)))}),
    "linear": (
        with_asset('<texture name="t" type="2d" file="t.png" colorspace="linear"/>'),
        {"t.png": srgb(png(picture(3, 5)))},
    ),
    "ktx": (with_asset('<texture name="t" type="2d" file="t.ktx"/>'), {"t.ktx": bytes(range(20))}),
    "flipped grey": (
        with_asset('<texture name="t" type="2d" file="t.png" nchannel="1" vflip="true"/>'),
        {"t.png": png(picture(3, 5))},
    ),
    "cube of one picture": (with_asset('<texture name="t" file="t.png"/>'), {"t.png": png(picture(4, 4))}),
    "skybox from a grid": (
        with_asset('<texture type="skybox" file="t.png" gridsize="3 4" gridlayout=".U..LFRB.D.." rgb1="1 0.5 0"/>'),
        {"t.png": png(picture(6, 8))},
    ),
    "part of a grid": (
        with_asset('<texture name="t" type="cube" file="t.png" gridsize="1 3" gridlayout="R.U" rgb1="1 0.5 0"/>'),
        {"t.png": png(picture(2, 6))},
    ),
    "cube of six files": (
        with_asset(
            "<texture name='t' type='cube' "
            + " ".join(f"file{side}='{side}.png'" for side in ("right", "left", "up", "down", "front", "back"))
            + "/>"
        ),
        {
            f"{side}.png": png(picture(3, 3, seed=k))
            for k, side in enumerate(("right", "left", "up", "down", "front", "back"))
        },
    ),
    "cube of two files": (
        with_asset("<texture name='t' type='cube' rgb1='0.2 0.3 0.4' fileup='u.png' fileback='b.png'/>"),
        {"u.png": png(picture(3, 3)), "b.png": png(picture(3, 3, seed=1))},
    ),
    "builtin before a file": (
        with_asset('<texture name="t" type="2d" file="none.png" builtin="flat" width="2" height="2"/>'),
        {},
    ),
    # with nothing on one side of the middle
    **{
        f"builtin {what}": (
            with_asset(f'<texture name="t" {what} rgb1=".1 .2 .3" rgb2=".9 .8 .7" mark="cross" markrgb="1 0 .5"/>'),
            {},
        )
        for kind in ("checker", "gradient")
        for what in (
            f'type="2d" builtin="{kind}" width="2" height="1"',
            f'type="2d" builtin="{kind}" width="1" height="3"',
            f'type="2d" builtin="{kind}" width="1" height="1"',
            f'type="cube" builtin="{kind}" width="1" height="1"',
            f'type="skybox" builtin="{kind}" width="1" height="6"',
        )
    },
    "several paths": (
        with_mesh('file="a.stl"').replace(
            "<mesh", '<texture type="2d" file="t.png"/><hfield file="h.png" size="1 1 1 1"/><mesh'
        ),
        {"a.stl": stl(CORNERS, FACES), "t.png": png(picture(2, 2)), "h.png": png(picture(2, 2, 1))},
    ),
    # skins
    "skin": (
        with_asset(
            """<material name="red"/><skin name="s" material="red" rgba="1 0 0 1" inflate="0.1" group="2"
            vertex="0 0 0 1 0 0 0 1 0 1 1 1" texcoord="0 0 1 0 0 1 1 1" face="0 1 2 1 2 3">
            <bone body="b" bindpos="1 2 3" bindquat="1 2 3 4" vertid="0 1 2" vertweight="1 2 3"/>
            <bone body="world" bindpos="0 0 0" bindquat="1 0 0 0" vertid="3 2" vertweight="0.5 0.25"/></skin>""",
            "<body name='b'/>",
        ),
        {},
    ),
    "skin from a file": (
        with_asset('<skin file="s.skn"/>', "<body name='a'/><body name='b'/>"),
        {"s.skn": skn(["a", "b"])},
    ),
}


def different(compiled: Compiled, reference: mujoco.MjModel, degenerate: bool = False, whole: bool = True) -> list[str]:
    """Fields that differ; where many points lie in a plane, the order in a hull's graph may.

    A hull that is not `whole` has fewer vertices than it could have.
    """
    found = differences(compiled, reference)
    if degenerate:
        found = [line for line in found if line.split(":")[0] not in ("mesh_graph", "mesh_extrema")]
    values = compiled.values
    starts = values["mesh_graphadr"]
    for k in np.flatnonzero(starts >= 0):
        vertex = values["mesh_vert"][values["mesh_vertadr"][k] :][: values["mesh_vertnum"][k]]
        ours, theirs = (hull_vertices(graph, starts[k]) for graph in (values["mesh_graph"], reference.mesh_graph))
        assert ours == theirs
        check_graph(values["mesh_graph"][starts[k] :], vertex, whole)
    return found


def check_graph(graph: Any, vertex: Any, whole: bool) -> None:
    """Counts, addresses and neighbours fit together, faces look outwards, and all vertices lie within."""
    nvert, nface = (int(n) for n in graph[:2])
    assert 2 * nvert - nface == 4
    address, ids = graph[2 : 2 + nvert], graph[2 + nvert : 2 + 2 * nvert]
    edges, face = np.split(graph[2 + 2 * nvert : 2 + 3 * nvert + 6 * nface], [nvert + 3 * nface])
    face = face.reshape(-1, 3)
    neighbours = set()
    for k in range(nvert):
        end = address[k + 1] if k + 1 < nvert else len(edges)
        assert edges[end - 1] == -1
        neighbours |= {(int(ids[k]), int(ids[e])) for e in edges[address[k] : end - 1]}
    pairs = {(int(a), int(b)) for row in face for a, b in zip(row, np.roll(row, -1), strict=True)}
    assert len(pairs) == 3 * nface
    assert pairs == neighbours
    # slivers have no direction to speak of
    a, b, c = (vertex[face[:, k]].astype(float) for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    size = np.abs(vertex).max()
    large = length > 1e-4 * size * size
    if not whole:
        return
    height = (vertex @ normal[large].T - np.einsum("ij,ij->i", a, normal)[large]) / length[large]
    assert height.max() < 1e-4 * size


# shapes whose vertices lie in planes and on spheres
DEGENERATE = ("builtin", "obj with everything", "mirrored obj")


@pytest.mark.parametrize("name", [*MESHES, *OTHERS])
def test_asset(name: str) -> None:
    text, assets = (MESHES | OTHERS)[name]
    compiled = compile_text(text, assets)
    reference = mujoco.MjModel.from_xml_string(text, assets)
    assert different(compiled, reference, name.startswith(DEGENERATE), "few" not in name) == []


def test_ascii_stl_is_the_same_mesh() -> None:
    one, other = decode(stl(CORNERS, FACES), "stl"), decode(ascii_stl(CORNERS, FACES), "stl")
    assert np.array_equal(one.vertex, other.vertex)
    assert np.array_equal(one.face, other.face)


@pytest.mark.parametrize("corners", [b"4//1 5//2 6//1", b"4/1/1 5/2/2 6/4/1", b"4/1/1 5/0/2 6/3/1"])
def test_texture_coordinates_of_some_faces_are_ignored(corners: bytes) -> None:
    text, assets = with_mesh('file="a.obj"'), {"a.obj": MIXED_OBJ.replace(b"4/1/1 5/2/2 6/3/1", corners)}
    with pytest.warns(UserWarning, match="face 6 has no texture coordinates"):
        compiled = compile_text(text, assets)
    assert compiled.values["nmeshtexcoord"] == 0
    assert different(compiled, mujoco.MjModel.from_xml_string(text, assets), degenerate=True) == []


def test_paths_are_those_that_were_read(tmp_path: Path) -> None:
    files = {"m.obj": obj(CORNERS, FACES), "t.png": png(picture(2, 2)), "t.image": png(picture(2, 2))}
    (tmp_path / "given").mkdir()
    for name, data in files.items():
        (tmp_path / "given" / name).write_bytes(data)
    main = tmp_path / "model" / "main.xml"
    main.parent.mkdir()
    main.write_text("""<mujoco><compiler assetdir="../given/."/><asset><mesh file="m.obj"/>
        <texture type="2d" name="a" file="t.image" content_type="image/png"/>
        <texture type="2d" name="b" file="t.png"/>
        <texture type="2d" name="c" builtin="flat" width="2" height="2" file="none.png"/>
        <texture type="2d" name="d" file="t.png" content_type="image/png"/></asset></mujoco>""")
    # in another folder, and in memory
    for ours, wanted in (
        (compile_file(main), mujoco.MjModel.from_xml_path(str(main))),
        (compile_text(main.read_text(), files), mujoco.MjModel.from_xml_string(main.read_text(), files)),
    ):
        assert wanted.tex_contenttypeadr[0] > wanted.tex_pathadr.max() > wanted.mesh_pathadr[0]
        for name in ("mesh_pathadr", "tex_pathadr", "tex_contenttypeadr"):
            assert np.array_equal(ours.values[name], getattr(wanted, name)), name


def test_polygons_with_many_corners() -> None:
    """A star and regular polygons as bottoms of pyramids, cut into triangles as MuJoCo cuts them."""
    for count, radii in ((8, (1.0, 1.0)), (10, (1.0, 0.4)), (7, (1.0,))):
        turn = np.arange(count) * 2 * np.pi / count
        radius = np.resize(radii, count)
        base = np.stack([radius * np.cos(turn), radius * np.sin(turn), 0 * turn], axis=1)
        vertex = np.concatenate([base, [[0.1, 0.2, 1.0]]])
        sides = [(k, (k + 1) % count, count) for k in range(count)]
        assets = {"a.obj": obj(vertex, [tuple(range(count))[::-1], *sides])}
        text = with_mesh('file="a.obj"')
        compiled = compile_text(text, assets)
        assert different(compiled, mujoco.MjModel.from_xml_string(text, assets), degenerate=True) == []


def test_polygons_of_any_shape() -> None:
    """Convex, star-shaped, crossing themselves, in any plane, with too many corners: the same triangles are left."""
    rng = np.random.default_rng(4)
    vertex, face = [np.zeros((0, 3))], []
    for number, count in enumerate([4, 5, 6, 9, 14] * 24 + [100, 101, 2]):
        turn = np.sort(rng.uniform(0, 2 * np.pi, count)) if number % 5 else rng.uniform(0, 2 * np.pi, count)
        radius = rng.uniform(0.2, 1, count) if number % 2 else np.ones(count)
        flat = np.stack([radius * np.cos(turn), radius * np.sin(turn), 0 * turn], axis=1)
        plane = np.linalg.qr(rng.normal(size=(3, 3)))[0] if number % 7 else np.eye(3)
        face.append(tuple(range(sum(map(len, vertex)), sum(map(len, vertex)) + count)))
        vertex.append(np.round(flat @ plane + rng.normal(size=3) * (number % 3), 1 if number % 11 == 0 else 5))
    data = obj(np.concatenate(vertex), face)
    text = with_mesh('file="a.obj" inertia="shell"', 'contype="0" conaffinity="0"')
    expected = mujoco.MjModel.from_xml_string(text, {"a.obj": data}).mesh_face
    assert len(expected) < sum(len(f) - 2 for f in face if len(f) <= 100)
    assert decode(data, "obj").face.tolist() == expected.tolist()


@pytest.mark.parametrize("seed", range(6))
def test_hull_of_a_grid(seed: int) -> None:
    points = np.random.default_rng(seed).integers(-2, 3, (40, 3))
    text = with_mesh(f'vertex="{numbers(points)}"')
    compiled = compile_text(text)
    assert different(compiled, mujoco.MjModel.from_xml_string(text), degenerate=True) == []


@pytest.mark.parametrize("seed", range(8))
def test_hull_of_a_cloud(seed: int) -> None:
    """Points in general position, prisms and boxes: everything agrees, the order in the graph too."""
    pick = np.random.default_rng(seed)
    turn = np.arange(5 + 3 * seed) * 2 * np.pi / (5 + 3 * seed)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    prism = np.concatenate([np.insert(ring, 2, z, axis=1) for z in (-0.3, 0.9)])
    for points in (pick.normal(size=(30 + 20 * seed, 3)), prism, CUBE * pick.uniform(0.1, 2, 3)):
        text = with_mesh(f'vertex="{numbers(points.astype(np.float32))}"')
        compiled = compile_text(text)
        assert different(compiled, mujoco.MjModel.from_xml_string(text)) == []


def pip_models() -> list[Path]:
    """Models with meshes, height fields, textures and skins that other packages carry."""
    names = {
        "dm_control": ("mjcf/test_assets/model_with_assets.xml", "third_party/kinova/jaco_arm.xml", "suite/dog.xml"),
        "gymnasium_robotics": ("envs/assets/fetch/reach.xml", "envs/assets/hand/reach.xml"),
    }
    found = []
    for package, files in names.items():
        spec = find_spec(package)
        for folder in spec.submodule_search_locations or () if spec else ():
            found += [path for file in files if (path := Path(folder) / file).exists()]
    return found


@pytest.mark.parametrize("path", pip_models(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_model_of_another_package(path: Path) -> None:
    compiled = compile_file(path)
    assert different(compiled, mujoco.MjModel.from_xml_path(str(path)), degenerate=True) == []
