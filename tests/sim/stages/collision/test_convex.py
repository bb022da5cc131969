"""Convex collision against MuJoCo 4.0.0: every pair of geoms that has no routine of its own, and meshes on planes.

In special poses faces and edges are parallel and support points tie: which of them is taken has to be as in MuJoCo too,
unless MuJoCo itself takes another one when the geoms are moved by some roundings.

Files: convex.py, gjk.py, epa.py, multicontact.py, clip.py, mpr.py, analytic_normal.py, support.py.
"""

import mujoco
import numpy as np
import pytest

from tests.sim.stages.collision import convex_scenes, scenes

PAIRS = [f"sphere-{kind}" for kind in ("ellipsoid", "mesh")]
PAIRS += [f"capsule-{kind}" for kind in ("ellipsoid", "cylinder", "mesh")]
PAIRS += [f"ellipsoid-{kind}" for kind in ("ellipsoid", "cylinder", "box", "mesh")]
PAIRS += [f"cylinder-{kind}" for kind in ("cylinder", "box", "mesh")]
PAIRS += ["box-mesh", "mesh-mesh"]
SIDES = ("cylinder-cylinder", "cylinder-box", "cylinder-mesh")
MARGINS = {"touching": (0.0,), "near": (0.0, 0.05)}
CELLS = 200


def two_geoms(pair, seed, special, margins, option=""):
    """A scene of many pairs, with MuJoCo's contacts."""
    rng = np.random.default_rng([seed, 1000])
    mj = convex_scenes.grid(*pair.split("-"), CELLS, rng, margins, option)
    dj = mujoco.MjData(mj)
    convex_scenes.scatter(mj, dj, rng, special)
    mujoco.mj_collision(mj, dj)
    return mj, dj


def side_mistaken(mj, dj, wrong):
    """Pairs of which MuJoCo 4.0.0 takes the side of a cylinder to lie on a face that is not opposite (3748, 3752).

    Our contacts have the normal and the depth of its deepest point.
    """
    flags = mj.opt.disableflags
    mj.opt.disableflags = flags | int(mujoco.mjtDisableBit.mjDSBL_MULTICCD)
    mujoco.mj_collision(mj, dj)
    deepest, found = scenes.by_pair(dj), []
    mj.opt.disableflags = flags
    mujoco.mj_collision(mj, dj)
    for geoms, ours, _ in wrong:
        dist, normal = deepest[geoms][0, 0], deepest[geoms][0, 4:7]
        same = len(ours) > 0 and (ours[:, 4:7] @ normal > 0.99).all() and abs(ours[:, 0].min() - dist) < 2e-3
        if same and (mj.geom_type[list(geoms)] == mujoco.mjtGeom.mjGEOM_CYLINDER).any():
            found.append(geoms)
    return found


def engines(pair, seed, special, margins, option=""):
    """(pairs that touch, those that differ) in one scene, but for ties."""
    mj, dj = two_geoms(pair, seed, special, margins, option)
    touching, wrong = convex_scenes.compare(mj, dj, scenes.contacts_of(mj, dj)[1])
    assert len(wrong) < touching / 6
    if pair in SIDES:
        mistaken = side_mistaken(mj, dj, wrong)
        wrong = [rows for rows in wrong if rows[0] not in mistaken]
    return touching, [rows for rows in wrong if not convex_scenes.rounding_decides(mj, dj, rows[0])]


@pytest.mark.parametrize("margins", MARGINS)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("pair", PAIRS)
def test_generic_poses(pair, seed, margins):
    """A sliver of a triangle in GJK or EPA may be rounded otherwise: one pair in a scene, and not by much."""
    touching, wrong = engines(pair, seed, 0.0, MARGINS[margins])
    assert touching > CELLS / 4
    assert all(len(ours) == len(theirs) and np.allclose(ours, theirs, atol=0.1) for _, ours, theirs in wrong)
    assert len(wrong) <= 1


@pytest.mark.parametrize("margins", MARGINS)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("pair", [*PAIRS, "cube-cube"])
def test_special_poses(pair, seed, margins):
    touching, wrong = engines(pair, seed, 1.0, MARGINS[margins])
    assert touching > CELLS / 4
    assert len(wrong) <= 1


@pytest.mark.parametrize("margins", MARGINS)
@pytest.mark.parametrize("option", ["", "<flag nativeccd='disable'/>"], ids=["", "before nativeccd"])
@pytest.mark.parametrize("special", [0.0, 1.0])
@pytest.mark.parametrize("pair", ["plane-mesh", "plane-splinters"])
def test_mesh_on_plane(pair, special, option, margins):
    """The lowest polygon; vertices tie when a mesh lies flat, and so do areas: their order has to be MuJoCo's."""
    touching, wrong = engines(pair, 0, special, MARGINS[margins], option)
    assert touching > CELLS / 4
    assert wrong == []


@pytest.mark.parametrize("pair", ["splinters-splinters", "splinters-box"])
def test_slivers(pair):
    """An edge does not lie on a sliver that looks the other way: no contact is turned round."""
    rng = np.random.default_rng(1)
    mj = convex_scenes.grid(*pair.split("-"), 4 * CELLS, rng)
    dj = mujoco.MjData(mj)
    convex_scenes.scatter(mj, dj, rng, 0.0)
    mujoco.mj_collision(mj, dj)
    touching, wrong = convex_scenes.compare(mj, dj, scenes.contacts_of(mj, dj)[1])
    assert len(wrong) < touching / 100
    found = scenes.by_pair(scenes.contacts_of(mj, dj)[1])
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_MULTICCD
    deepest = scenes.by_pair(scenes.contacts_of(mj, dj)[1])
    assert found.keys() == deepest.keys()
    assert all((rows[:, 4:7] @ deepest[geoms][0, 4:7] > 0).all() for geoms, rows in found.items())


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        ("type='box' size='1 1 .1'", "type='cylinder' size='.1 .2'", 4),
        ("type='box' size='1 1 .1'", "type='cylinder' size='.1 .2' euler='0 90 0'", 2),
        ("type='cylinder' size='1 .1'", "type='cylinder' size='.1 .2'", 4),
        ("type='cylinder' size='1 .1'", "type='capsule' size='.1 .2' euler='0 90 0'", 2),
        ("type='cylinder' size='1 .1'", "type='capsule' size='.1 .2'", 1),
        ("type='cylinder' size='1 .1'", "type='ellipsoid' size='.1 .2 .3'", 1),
    ],
)
@pytest.mark.parametrize("gap", [-0.001, 0.004])
def test_faces_and_sides(first, second, count, gap):
    """Cylinders and capsules that stand or lie on a face, touching it or within a margin."""
    mj = lying("", f"{first} margin='.01'", second)
    dj = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, dj)
    extent = mj.geom_size[1, :2] @ [0, 1] if count == 4 else mj.geom_size[1, 0]
    if mj.geom_type[1] == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
        extent = mj.geom_size[1, 2]
    elif count == 1:
        extent = mj.geom_size[1].sum()
    top = mj.geom_size[0, 1 if mj.geom_type[0] == mujoco.mjtGeom.mjGEOM_CYLINDER else 2]
    height = np.array([0.01, 0.005, top + extent + gap])
    scenes.pose(mj, dj, 1, height, dj.geom_xmat[1].reshape(3, 3))
    mujoco.mj_collision(mj, dj)
    d = scenes.contacts_of(mj, dj)[1]
    assert d.ncon == dj.ncon == count
    assert np.allclose(d.contact.dist, gap, rtol=0, atol=1e-6)
    if count == 4:
        # which four of the 16 corners of a cap is a tie
        arms = [c.contact.pos[:, :2] - height[:2] for c in (d, dj)]
        assert np.allclose([np.linalg.norm(arm, axis=1) for arm in arms], 0.1, rtol=0, atol=1e-6)
        assert all(np.linalg.norm(arm.mean(0)) < 0.03 for arm in arms)
        return
    assert scenes.difference(d, dj, 1e-6) == ""


@pytest.mark.parametrize("pair", ["ellipsoid-ellipsoid", "sphere-mesh", "capsule-cylinder", "cylinder-box"])
def test_concentric(pair):
    """Geoms with one centre overlap."""
    rng = np.random.default_rng(2)
    mj = convex_scenes.grid(*pair.split("-"), 20, rng)
    dj = mujoco.MjData(mj)
    for cell, g in enumerate(range(0, mj.ngeom, 2)):
        for k in range(2):
            scenes.pose(mj, dj, g + k, np.array([3.0 * cell, 0, 0]), scenes.random_turn(rng))
    mujoco.mj_collision(mj, dj)
    touching, wrong = convex_scenes.compare(mj, dj, scenes.contacts_of(mj, dj)[1])
    assert touching == 20
    assert len([geoms for geoms, *_ in wrong if not convex_scenes.rounding_decides(mj, dj, geoms)]) <= 1


def depth_along(mj, dj, offset, depth):
    """Pose the second geom along an offset so that the geoms overlap by a depth, as far as MuJoCo tells distances."""
    for _ in range(30):
        scenes.pose(mj, dj, 1, offset, dj.geom_xmat[1].reshape(3, 3))
        offset = offset - offset / np.linalg.norm(offset) * (mujoco.mj_geomDistance(mj, dj, 0, 1, 5.0, None) + depth)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-10])
@pytest.mark.parametrize("pair", ["ellipsoid-ellipsoid", "ellipsoid-box", "capsule-ellipsoid", "sphere-ellipsoid"])
def test_origin_on_the_first_simplex(pair, tolerance):
    """Geoms that barely touch, lie along each other's axes, or nearly have one centre: EPA starts from little."""
    kinds = [f"<body><freejoint/><geom type='{kind}' size='.3 .2 .12'/></body>" for kind in pair.split("-")]
    mj = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{''.join(kinds)}</worldbody></mujoco>")
    mj.opt.ccd_tolerance, mj.opt.ccd_iterations = tolerance, 100
    dj, rng = mujoco.MjData(mj), np.random.default_rng(7)
    for k in range(40):
        u = rng.normal(size=3)
        special = k % 4 == 1
        scenes.pose(mj, dj, 0, np.zeros(3), np.eye(3) if special else scenes.random_turn(rng))
        scenes.pose(mj, dj, 1, u, np.eye(3) if special else scenes.random_turn(rng))
        if k % 4 == 0:
            depth_along(mj, dj, u, (1e-3, 1e-5, 1e-8)[k // 4 % 3])
        else:
            dj.geom_xpos[1] = (None, np.eye(3)[k % 3] * rng.uniform(0.02, 0.3), 1e-9 * u, 0.1 * u)[k % 4]
        mujoco.mj_collision(mj, dj)
        assert scenes.difference(scenes.contacts_of(mj, dj)[1], dj, 1e-9) == ""


def test_order_of_the_ends_of_a_capsule():
    """Solvers visit contacts in their order: which end of an edge is the first hangs on the last bit."""
    two, turned = 0, 0
    for seed in (5, 6):
        mj, dj = two_geoms("capsule-mesh", seed, 0.0, (0.0,))
        ours = scenes.by_pair(scenes.contacts_of(mj, dj)[1])
        for pair, rows in scenes.by_pair(dj).items():
            if len(rows) == len(ours.get(pair, ())) == 2:
                two += 1
                turned += not np.allclose(ours[pair][:, 1:4], rows[:, 1:4], rtol=0, atol=1e-6)
    assert two > 40
    assert turned <= 1


@pytest.mark.parametrize("pair", ["cylinder-box", "box-mesh", "capsule-mesh"])
def test_single_contacts(pair):
    """Without multiccd one contact is enough."""
    touching, wrong = engines(pair, 3, 0.0, (0.0, 0.05), "<flag multiccd='disable'/>")
    assert touching > CELLS / 4
    assert wrong == []


@pytest.mark.parametrize("margins", MARGINS)
@pytest.mark.parametrize("seed", [3, 4, 7])
@pytest.mark.parametrize("pair", PAIRS)
def test_before_nativeccd(pair, seed, margins):
    """Portal refinement, which some models still ask for: the last bit of a support point may decide where it ends."""
    mj, dj = two_geoms(pair, seed, 0.0, MARGINS[margins], "<flag nativeccd='disable'/>")
    touching, wrong = convex_scenes.compare(mj, dj, scenes.contacts_of(mj, dj)[1])
    assert touching > CELLS / 4
    assert [geoms for geoms, *_ in wrong if not convex_scenes.rounding_decides(mj, dj, geoms)] == []


def test_symmetry():
    """Two ellipsoids the other way round: the same depth, the normal turned round."""
    xml = (
        "<mujoco><worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .2 .3'/></body>"
        "<body><freejoint/><geom type='ellipsoid' size='{}'/></body></worldbody></mujoco>"
    )
    mj = mujoco.MjModel.from_xml_string(xml.format(".1 .2 .3"))
    rng = np.random.default_rng(0)
    turns, offset = (scenes.random_turn(rng), scenes.random_turn(rng)), np.array([0.15, 0.1, 0.05])
    found = []
    for first, second in ((0, 1), (1, 0)):
        dj = mujoco.MjData(mj)
        scenes.pose(mj, dj, first, np.zeros(3), turns[0])
        scenes.pose(mj, dj, second, offset, turns[1])
        d = scenes.contacts_of(mj, dj)[1]
        assert d.ncon == 1
        found.append((d.contact.dist[0], d.contact.frame[0, :3] * (1 if first == 0 else -1)))
    assert np.isclose(found[0][0], found[1][0], rtol=0, atol=1e-5)
    assert np.allclose(found[0][1], found[1][1], rtol=0, atol=1e-2)


def test_moving_apart():
    """Moved along the normal by the depth, two geoms only just touch."""
    rng = np.random.default_rng(1)
    mj = convex_scenes.grid("ellipsoid", "mesh", 1, rng)
    dj = mujoco.MjData(mj)
    scenes.pose(mj, dj, 0, np.zeros(3), scenes.random_turn(rng))
    turn = scenes.random_turn(rng)
    scenes.pose(mj, dj, 1, np.array([0.05, 0.1, 0.05]), turn)
    d = scenes.contacts_of(mj, dj)[1]
    assert d.ncon == 1
    depth, normal = -d.contact.dist[0], d.contact.frame[0, :3]
    for extra, count in ((-1e-4, 1), (1e-4, 0)):
        scenes.pose(mj, dj, 1, np.array([0.05, 0.1, 0.05]) + normal * (depth + extra), turn)
        assert scenes.contacts_of(mj, dj)[1].ncon == count


def lying(assets: str, first: str, second: str) -> mujoco.MjModel:
    """One geom that lies on, or in, another."""
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><asset>{assets}</asset><worldbody><geom {first}/><body pos='.01 .005 .05'><freejoint/>"
        f"<geom {second}/></body></worldbody></mujoco>"
    )


def ball(name: str, n: int, seed: int) -> str:
    points = np.random.default_rng(seed).normal(size=(n, 3))
    return f"<mesh name='{name}' vertex='{convex_scenes.text(points / np.linalg.norm(points, axis=1)[:, None])}'/>"


def test_faces_with_many_corners():
    """A coin of 400 sides on a box, and on another: all corners of its faces count."""
    rings = np.vstack([convex_scenes.ring(400, 1, z) for z in (-0.05, 0.05)])
    coin = f"<mesh name='c' vertex='{convex_scenes.text(rings)}'/>"
    for below in ("type='box' size='2 2 .1' pos='0 0 -.1'", "type='mesh' mesh='c' pos='.2 .3 -.05'"):
        mj = lying(coin, below, "type='mesh' mesh='c'")
        dj = mujoco.MjData(mj)
        mujoco.mj_kinematics(mj, dj)
        mujoco.mj_collision(mj, dj)
        d = scenes.contacts_of(mj, dj)[1]
        assert d.ncon == dj.ncon == 4
        assert scenes.difference(d, dj) == ""


def test_polytope_of_many_rounds():
    """Two balls of a thousand corners, one in the other: 250 rounds need more faces than the default."""
    mj = lying(ball("a", 1000, 0) + ball("b", 1000, 1), "type='mesh' mesh='a'", "type='mesh' mesh='b'")
    dj = mujoco.MjData(mj)
    depths = []
    for rounds in (100, 400):
        mj.opt.ccd_iterations = rounds
        mujoco.mj_kinematics(mj, dj)
        mujoco.mj_collision(mj, dj)
        d = scenes.contacts_of(mj, dj)[1]
        assert scenes.difference(d, dj) == ""
        depths.append(d.contact.dist.min())
    assert depths[1] < depths[0] - 0.01
