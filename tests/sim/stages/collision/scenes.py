"""Scenes for collision tests, and the comparison of all contacts with MuJoCo's.

A scene is a grid of cells far from each other with two free bodies in each, so that one call tries hundreds of
configurations of a pair of geoms.
"""

from __future__ import annotations

import mujoco
import numpy as np

import sim
from sim.stages.collision.driver import collision
from tests import oracle

POSES = ("geom_xpos", "geom_xmat", "xipos", "ximat")
EXACT = ("geom", "dim", "exclude", "efc_address", "geom1", "geom2", "flex", "elem", "vert")
CLOSE = (
    "dist",
    "pos",
    "frame",
    "includemargin",
    "friction",
    "solref",
    "solreffriction",
    "solimp",
    "adhesion",
    "surfacevel",
)

SIZES = {
    "sphere": lambda s: f"{s[0]}",
    "capsule": lambda s: f"{s[0]} {s[1]}",
    "cylinder": lambda s: f"{s[0]} {s[1]}",
    "ellipsoid": lambda s: f"{s[0]} {s[1]} {s[2]}",
    "box": lambda s: f"{s[0]} {s[1]} {s[2]}",
}

# turns that make axes parallel, orthogonal or halfway between
SPECIAL = [np.eye(3)]
for _axis in np.eye(3):
    for _angle in (np.pi / 4, np.pi / 2, np.pi):
        _mat = np.zeros(9)
        _quat = np.zeros(4)
        mujoco.mju_axisAngle2Quat(_quat, _axis, _angle)
        mujoco.mju_quat2Mat(_mat, _quat)
        SPECIAL.append(_mat.reshape(3, 3))


def random_turn(rng: np.random.Generator) -> np.ndarray:
    mat = np.zeros(9)
    quat = rng.normal(size=4)
    mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
    return mat.reshape(3, 3)


def detect(m: sim.Model, d: sim.Data) -> None:
    """The stage alone, with as much room as it needs."""
    while True:
        d.clear_required()
        collision(m, d)
        if not d.grow_required():
            return


def contacts_of(mj: mujoco.MjModel, dj: mujoco.MjData) -> tuple[sim.Model, sim.Data]:
    """Our contacts for the poses in MuJoCo's data."""
    m = oracle.model_of(mj)
    d = sim.Data(m)
    oracle.copy_fields(dj, d, POSES)
    for name in CLOSE:
        oracle.poison(d, [f"contact.{name}"])
    detect(m, d)
    return m, d


def difference(d: sim.Data, dj: mujoco.MjData, tolerance: float = 1e-10) -> str:
    """What is wrong with our contacts: "" if they are MuJoCo's, in the same order."""
    if d.ncon != dj.ncon:
        ours = [tuple(g) for g in d.contact.geom.tolist()]
        theirs = [tuple(g) for g in dj.contact.geom.tolist()]
        pairs = [p for p in dict.fromkeys(theirs + ours) if ours.count(p) != theirs.count(p)]
        counts = [(p, ours.count(p), theirs.count(p)) for p in pairs]
        return f"{d.ncon} contacts instead of {dj.ncon}; (geoms, ours, MuJoCo's): {counts[:10]}"
    wrong = {}
    for name in EXACT:
        if not np.array_equal(getattr(d.contact, name), getattr(dj.contact, name)):
            wrong[name] = "not equal"
    for name in CLOSE:
        ours, theirs = getattr(d.contact, name), getattr(dj.contact, name)
        scale = max(1.0, np.abs(theirs).max()) if theirs.size else 1.0
        if not np.allclose(ours, theirs, rtol=0, atol=tolerance * scale):
            close = np.isclose(ours, theirs, rtol=0, atol=tolerance * scale).reshape(len(ours), -1).all(1)
            wrong[name] = f"geoms {dj.contact.geom[np.flatnonzero(~close)[:5]].tolist()}"
    return str(wrong) if wrong else ""


def by_pair(data: sim.Data | mujoco.MjData) -> dict[tuple[int, int], np.ndarray]:
    """Geoms -> rows of distance, position and frame of their contacts, in order."""
    pairs: dict[tuple[int, int], list[np.ndarray]] = {}
    c = data.contact
    for (g1, g2), *row in zip(c.geom.tolist(), c.dist, c.pos, c.frame, strict=True):
        pairs.setdefault((g1, g2), []).append(np.hstack(row))
    return {pair: np.array(rows) for pair, rows in pairs.items()}


def unlike(mj: mujoco.MjModel, dj: mujoco.MjData, d: sim.Data) -> list[tuple[int, int]]:
    """Pairs of geoms whose contacts differ from MuJoCo's, but for those that only just touch.

    Its sweep sorts in single precision and may miss these.
    """
    ours, theirs = by_pair(d), by_pair(dj)
    reach = mj.geom_margin + mj.geom_gap
    wrong = []
    for pair in sorted({*ours, *theirs}):
        a, b = ours.get(pair), theirs.get(pair)
        if b is None and a is not None and a[:, 0].min() > reach[list(pair)].sum() - 1e-6:
            continue
        if a is None or b is None or a.shape != b.shape or not np.allclose(a, b, rtol=0, atol=1e-10):
            wrong.append(pair)
    return wrong


def grid(kind1: str, kind2: str, n: int, rng: np.random.Generator) -> mujoco.MjModel:
    """n pairs of geoms with random sizes, margins and gaps; a plane is one for all."""
    lines = ["<mujoco><worldbody>"]
    if kind1 == "plane":
        lines.append("<geom type='plane' size='1 1 1' margin='.01' gap='.01'/>")
    for _ in range(n):
        for kind in (kind1, kind2):
            if kind != "plane":
                size = SIZES[kind](rng.choice([0.1, 0.2, *rng.uniform(0.05, 0.4, 3)], 3))
                margin, gap = rng.choice([0, 0.02], 2)
                lines.append(
                    f"<body><freejoint/><geom type='{kind}' size='{size}' margin='{margin}' gap='{gap}'/></body>"
                )
    lines.append("</worldbody></mujoco>")
    return mujoco.MjModel.from_xml_string("".join(lines))


def pose(mj: mujoco.MjModel, dj: mujoco.MjData, g: int, pos: np.ndarray, mat: np.ndarray) -> None:
    """Put a geom, and its body with it."""
    b = mj.geom_bodyid[g]
    dj.geom_xpos[g], dj.geom_xmat[g] = pos, mat.ravel()
    dj.xipos[b], dj.ximat[b] = pos, mat.ravel()
