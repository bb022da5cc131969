"""Every analytic pair of geoms against MuJoCo 4.0.0: thousands of poses, generic and degenerate.

Files: primitive.py, box.py, capsule.py, plane.py.
"""

import mujoco
import numpy as np
import pytest

from tests.sim.stages.collision import scenes

PAIRS = [f"plane-{kind}" for kind in ("sphere", "capsule", "cylinder", "ellipsoid", "box")]
PAIRS += [f"sphere-{kind}" for kind in ("sphere", "capsule", "cylinder", "box")]
PAIRS += ["capsule-capsule", "capsule-box", "box-box"]
CELLS, SEEDS = 250, 4


def nearby(mj: mujoco.MjModel, dj: mujoco.MjData, first: int, kind: str, rng: np.random.Generator) -> None:
    """Cell by cell: the first geom anywhere, the second so near that they mostly touch, or special in some way."""
    planes = first == 1
    plane = scenes.random_turn(rng) if kind == "generic" else scenes.SPECIAL[rng.integers(len(scenes.SPECIAL))]
    if planes:
        dj.geom_xmat[0] = plane.ravel()
    for cell, g in enumerate(range(first, mj.ngeom, 1 if planes else 2)):
        centre = np.array([10.0 * (cell % 25), 10.0 * (cell // 25), 0.0])
        if planes:
            base, turn, size = plane @ centre, plane, np.zeros(3)
        else:
            base = centre
            turn = scenes.random_turn(rng) if kind == "generic" or rng.random() < 0.3 else scenes.SPECIAL[0]
            scenes.pose(mj, dj, g, base, turn)
            size, g = mj.geom_size[g], g + 1
        other = mj.geom_size[g]
        if kind == "generic":
            offset = rng.normal(size=3) * (mj.geom_rbound[g] + size.max()) * 0.6
            if planes:
                offset = plane[:, 2] * rng.uniform(-1, 1.1) * mj.geom_rbound[g]
            scenes.pose(mj, dj, g, base + offset, scenes.random_turn(rng))
        else:
            # sums and differences of sizes: faces, edges, corners and centres that coincide
            steps = np.array([0.0, 1.0, -1.0, 0.99, -0.99, 0.5, -0.97])
            offset = turn @ (rng.choice(steps, 3) * (size + rng.choice([1, 0, 0.5], 3) * other))
            if planes:
                offset = plane[:, 2] * rng.choice([*other, 0.0, 0.05])
            scenes.pose(mj, dj, g, base + offset, turn @ scenes.SPECIAL[rng.integers(len(scenes.SPECIAL))])


def engines(pair, kind, seed):
    """MuJoCo's model and data after collision detection, and our data."""
    kind1, kind2 = pair.split("-")
    rng = np.random.default_rng([seed, PAIRS.index(pair)])
    mj = scenes.grid(kind1, kind2, CELLS, rng)
    dj = mujoco.MjData(mj)
    nearby(mj, dj, int(kind1 == "plane"), kind, rng)
    mujoco.mj_collision(mj, dj)
    assert dj.ncon > CELLS / 8
    return mj, dj, scenes.contacts_of(mj, dj)[1]


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("pair", PAIRS)
def test_generic_poses(pair, seed):
    _, dj, d = engines(pair, "generic", seed)
    assert scenes.difference(d, dj) == ""


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("pair", PAIRS)
def test_degenerate_poses(pair, seed):
    """Faces that coincide and axes that are parallel are ties: rounding decides, so it has to be MuJoCo's.

    Where the axes of capsules cross, it decides the normal.
    """
    mj, dj, d = engines(pair, "degenerate", seed)
    wrong, found = scenes.unlike(mj, dj, d), scenes.by_pair(dj)
    if pair == "capsule-capsule":
        wrong = [g for g in wrong if abs(found[g][0, 0] + mj.geom_size[list(g), 0].sum()) > 1e-9]
    assert wrong == []


@pytest.mark.parametrize("angle", [1e-2, 2e-4, 9e-5, 1e-6, 1e-12])
def test_parallel_capsules(angle):
    """Axes parallel, antiparallel, or nearly so: a square sine of 1e-8 decides."""
    rng = np.random.default_rng(0)
    mj = scenes.grid("capsule", "capsule", 100, rng)
    dj = mujoco.MjData(mj)
    for cell, g in enumerate(range(0, mj.ngeom, 2)):
        base, turn = np.array([4.0 * (cell % 10), 4.0 * (cell // 10), 0.0]), scenes.random_turn(rng)
        quat, mat = np.zeros(4), np.zeros(9)
        mujoco.mju_axisAngle2Quat(quat, turn[:, 0].copy(), angle)
        mujoco.mju_quat2Mat(mat, quat)
        other = mat.reshape(3, 3) @ turn @ np.diag([1.0, -1.0, -1.0] if cell % 2 else [1.0, 1.0, 1.0])
        direction = rng.normal(size=3)
        reach = rng.uniform(0.1, 0.5) * (mj.geom_rbound[g] + mj.geom_rbound[g + 1]) / np.linalg.norm(direction)
        scenes.pose(mj, dj, g, base, turn)
        scenes.pose(mj, dj, g + 1, base + direction * reach, other)
    mujoco.mj_collision(mj, dj)
    assert dj.ncon > 50
    assert scenes.difference(scenes.contacts_of(mj, dj)[1], dj) == ""
