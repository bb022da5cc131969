"""Scenes for convex collision: pairs of geoms in cells far from each other, meshes among them, in many poses."""

from __future__ import annotations

import mujoco
import numpy as np

from tests.sim.stages.collision import scenes


def text(values: np.ndarray) -> str:
    return " ".join(map(str, np.ravel(values)))


def ring(n: int, radius: float, z: float) -> np.ndarray:
    angle = 2 * np.pi * np.arange(n) / n
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(n, z)], axis=1)


def meshes() -> dict[str, np.ndarray]:
    """Vertices: small and large, with triangles, with large faces, and a ball."""
    ball = np.random.default_rng(0).normal(size=(60, 3))
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1.0, 1.0)])
    return {
        "ball": 0.2 * ball / np.linalg.norm(ball, axis=1)[:, None],
        "prism": np.vstack([ring(8, 0.2, -0.1), ring(8, 0.2, 0.1)]),
        "cube": corners * [0.1, 0.15, 0.2],
        "tetra": np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]]),
        "drum": np.vstack([ring(16, 0.2, -0.1), ring(16, 0.12, 0.1)]),
    }


def splinters() -> np.ndarray:
    """Vertices of a box with more of them along its edges, off by a hair: its hull has slivers that look anywhere."""
    rng = np.random.default_rng(5)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1.0, 1.0)]) * [0.2, 0.1, 0.06]
    edges = [(a + b) / 2 for i, a in enumerate(corners) for b in corners[:i] if np.count_nonzero(a - b) == 1]
    points = np.vstack([corners, np.array(edges) + 2e-7 * rng.normal(size=(12, 3))])
    return points @ np.linalg.qr(rng.normal(size=(3, 3)))[0]


NAMED = {**meshes(), "splinters": splinters()}
ASSETS = "".join(f"<mesh name='{name}' vertex='{text(v)}'/>" for name, v in NAMED.items())


def geom(kind: str, rng: np.random.Generator) -> str:
    """A geom of a type, or one of the meshes."""
    if kind in scenes.SIZES:
        size = scenes.SIZES[kind](rng.choice([0.1, 0.2, *rng.uniform(0.05, 0.3, 3)], 3))
        return f"type='{kind}' size='{size}'"
    name = kind if kind in NAMED else rng.choice(list(meshes()))
    return f"type='mesh' mesh='{name}'"


def grid(kind1: str, kind2: str, n: int, rng: np.random.Generator, margins=(0.0,), option: str = "") -> mujoco.MjModel:
    """n pairs of geoms; a plane is one for all."""
    lines = [f"<mujoco><option>{option}</option><asset>{ASSETS}</asset><worldbody>"]
    if kind1 == "plane":
        lines.append("<geom type='plane' size='1 1 1'/>")
    for _ in range(n):
        for kind in (kind1, kind2):
            if kind != "plane":
                margin = rng.choice(margins)
                lines.append(f"<body><freejoint/><geom {geom(kind, rng)} margin='{margin}'/></body>")
    lines.append("</worldbody></mujoco>")
    return mujoco.MjModel.from_xml_string("".join(lines))


def scatter(mj: mujoco.MjModel, dj: mujoco.MjData, rng: np.random.Generator, special: float) -> None:
    """Two geoms to a cell, near each other; a share of them in special poses."""
    planes = mj.geom_type[0] == mujoco.mjtGeom.mjGEOM_PLANE
    if planes:
        dj.geom_xmat[0] = np.eye(3).ravel()
    for cell, g in enumerate(range(int(planes), mj.ngeom, 1 if planes else 2)):
        base = np.array([3.0 * (cell % 20), 3.0 * (cell // 20), 0.0])
        is_special = rng.random() < special
        turn = scenes.SPECIAL[rng.integers(len(scenes.SPECIAL))] if is_special else scenes.random_turn(rng)
        if planes:
            height = np.array([0, 0, rng.uniform(0, 1) * mj.geom_rbound[g]])
            scenes.pose(mj, dj, g, base + height, turn)
            continue
        other = scenes.SPECIAL[rng.integers(len(scenes.SPECIAL))] if is_special else scenes.random_turn(rng)
        scenes.pose(mj, dj, g, base, other)
        direction = rng.normal(size=3)
        if is_special:
            direction = np.round(direction)
        direction /= max(np.linalg.norm(direction), 1e-3)
        reach = mj.geom_rbound[g] + mj.geom_rbound[g + 1]
        scenes.pose(mj, dj, g + 1, base + direction * reach * rng.uniform(0.2, 0.9), turn)


def compare(mj: mujoco.MjModel, dj: mujoco.MjData, d, tolerance: float = 1e-6) -> tuple[int, list]:
    """(pairs that touch, those that differ: geoms, ours, MuJoCo's)."""
    ours, theirs = scenes.by_pair(d), scenes.by_pair(dj)
    wrong = []
    for pair in sorted({*ours, *theirs}):
        a, b = ours.get(pair, np.zeros((0, 13))), theirs.get(pair, np.zeros((0, 13)))
        if a.shape != b.shape or not np.allclose(a[:, :7], b[:, :7], rtol=0, atol=tolerance):
            wrong.append((pair, a[:, :7], b[:, :7]))
    return len({*ours, *theirs}), wrong


def rounding_decides(mj: mujoco.MjModel, dj: mujoco.MjData, pair: tuple[int, int], tolerance: float = 1e-6) -> bool:
    """Whether MuJoCo itself gives other contacts of a pair when its geoms are moved by some roundings."""
    rng, home = np.random.default_rng(0), dj.geom_xpos.copy()
    theirs, moved = scenes.by_pair(dj).get(pair, np.zeros((0, 13))), False
    for _ in range(50):
        dj.geom_xpos[list(pair)] = home[list(pair)] + 1e-14 * rng.normal(size=(2, 3))
        mujoco.mj_collision(mj, dj)
        again = scenes.by_pair(dj).get(pair, np.zeros((0, 13)))
        moved |= again.shape != theirs.shape or not np.allclose(again[:, :7], theirs[:, :7], rtol=0, atol=tolerance)
    dj.geom_xpos = home
    mujoco.mj_collision(mj, dj)
    return bool(moved)
