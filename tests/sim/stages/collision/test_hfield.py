"""Height fields against every type of geom, compared with MuJoCo 4.0.0."""

import mujoco
import numpy as np
import pytest

import sim.enums
from tests.sim.stages.collision import convex_scenes, scenes

KINDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")


def scene(kind: str, n: int, rng: np.random.Generator, margins, steps: bool) -> mujoco.MjModel:
    """n geoms over a rough field, or over one with steps and level parts."""
    height = rng.uniform(0, 1, (9, 11))
    if steps:
        height = np.round(height * 2) / 2
    turn = "" if steps else "euler='20 10 30'"
    elevation = f"nrow='9' ncol='11' size='3 2.5 .3 .2' elevation='{convex_scenes.text(height)}'"
    lines = [
        f"<mujoco><asset>{convex_scenes.ASSETS}<hfield name='h' {elevation}/></asset>",
        f"<worldbody><geom type='hfield' hfield='h' pos='.1 .2 .3' {turn}/>",
    ]
    for _ in range(n):
        shape = convex_scenes.geom(kind, rng)
        lines.append(f"<body><freejoint/><geom {shape} margin='{rng.choice(margins)}' contype='0'/></body>")
    return mujoco.MjModel.from_xml_string("".join(lines) + "</worldbody></mujoco>")


def compare(kind, steps, margins, flags=0):
    """(pairs that touch, those that differ) for 60 geoms."""
    rng = np.random.default_rng(0)
    mj = scene(kind, 60, rng, margins, steps)
    mj.opt.disableflags |= flags
    dj = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, dj)
    field = dj.geom_xmat[0].reshape(3, 3)
    for g in range(1, mj.ngeom):
        place = rng.uniform([-3.2, -2.7, -0.1], [3.2, 2.7, 0.5])
        turn = scenes.SPECIAL[rng.integers(len(scenes.SPECIAL))] if steps else scenes.random_turn(rng)
        scenes.pose(mj, dj, g, dj.geom_xpos[0] + field @ place, turn)
    mujoco.mj_collision(mj, dj)
    return convex_scenes.compare(mj, dj, scenes.contacts_of(mj, dj)[1])


@pytest.mark.parametrize("margins", [(0.0,), (0.0, 0.1)])
@pytest.mark.parametrize("steps", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_against_geoms(kind, steps, margins):
    touching, wrong = compare(kind, steps, margins)
    assert touching > 30
    if steps:
        # sides of prisms and geoms are parallel: where along them is a tie
        rest = [0, 4, 5, 6]
        alike = [a.shape == b.shape and np.allclose(a[:, rest], b[:, rest], atol=1e-6) for _, a, b in wrong]
        wrong = [w for w, tie in zip(wrong, alike, strict=True) if not tie]
    assert len(wrong) <= int(steps)


@pytest.mark.parametrize("kind", KINDS)
def test_before_nativeccd(kind):
    touching, wrong = compare(kind, False, (0.0, 0.1), mujoco.mjtDisableBit.mjDSBL_NATIVECCD)
    assert touching > 30
    assert wrong == []


def test_fifty_at_most():
    """A box that covers hundreds of cells."""
    xml = (
        "<mujoco><asset><hfield name='h' nrow='30' ncol='30' size='1 1 .1 .1' elevation='{}'/></asset><worldbody>"
        "<geom type='hfield' hfield='h'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.8 .8 .1'/></body>"
        "</worldbody></mujoco>"
    )
    height = np.random.default_rng(0).uniform(0, 1, 900)
    mj = mujoco.MjModel.from_xml_string(xml.format(convex_scenes.text(height)))
    dj = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, dj)
    mujoco.mj_collision(mj, dj)
    d = scenes.contacts_of(mj, dj)[1]
    assert dj.ncon == d.ncon == 50
    # MuJoCo drops the rest without a word
    assert d.warning.number[sim.enums.WARN_CONTACTFULL] == 1
    assert convex_scenes.compare(mj, dj, d)[1] == []
