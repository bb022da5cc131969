"""Large scenes for benchmarks, made from a few numbers: ragdolls, a wall, a bin of meshes, a field of hills."""

from __future__ import annotations

import re
from itertools import count

import numpy as np

# a figure of 13 bodies on a free joint
RAGDOLL = """
<body pos="{x:.3f} {y:.3f} {z:.3f}" euler="{turn} {lean} 0"><freejoint/>
  <geom type="capsule" fromto="0 -.07 0 0 .07 0" size=".07"/><geom size=".09" pos="0 0 .19"/>
  <body pos="0 0 -.12"><joint axis="0 1 0" range="-75 30"/><joint axis="0 0 1" range="-45 45"/>
    <geom type="capsule" fromto="0 -.06 0 0 .06 0" size=".06"/>
    <body pos="0 0 -.16"><joint axis="1 0 0" range="-35 35"/>
      <geom type="capsule" fromto="0 -.07 0 0 .07 0" size=".09"/>
      {legs}
    </body>
  </body>
  {arms}
</body>
"""
LEG = """
<body pos="0 {side} -.04"><joint axis="1 0 0" range="-25 5"/><joint axis="0 1 0" range="-110 20"/>
  <geom type="capsule" fromto="0 0 0 0 0 -.34" size=".06"/>
  <body pos="0 0 -.4"><joint axis="0 1 0" range="-160 2"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".05"/>
    <body pos="0 0 -.35"><joint axis="0 1 0" range="-50 50"/>
      <geom type="capsule" fromto="-.05 0 -.03 .12 0 -.03" size=".03"/></body></body></body>
"""
ARM = """
<body pos="0 {side} .06"><joint axis="1 0 0" range="-85 60"/><joint axis="0 1 0" range="-85 60"/>
  <geom type="capsule" fromto="0 0 0 0 {out} -.16" size=".04"/>
  <body pos="0 {out} -.18"><joint axis="0 1 0" range="-90 50"/>
    <geom type="capsule" fromto="0 0 0 .02 0 -.2" size=".035"/></body></body>
"""


def ragdolls(n: int) -> str:
    """n figures that lie on the floor, in a square grid, with a motor in every joint."""
    rng = np.random.default_rng(n)
    side = int(np.ceil(np.sqrt(n)))
    bodies = ""
    for k in range(n):
        legs = "".join(LEG.format(side=s) for s in (0.1, -0.1))
        arms = "".join(ARM.format(side=s, out=np.sign(s) * 0.1) for s in (0.17, -0.17))
        turn, lean = rng.uniform(-20, 20, 2).round(1)
        place = {"x": 0.9 * (k % side), "y": 0.9 * (k // side), "z": 1.2}
        bodies += RAGDOLL.format(legs=legs, arms=arms, turn=turn, lean=lean, **place)
    number = count()
    bodies = re.sub("<joint", lambda _: f'<joint name="j{next(number)}"', bodies)
    motors = "".join(f'<motor joint="j{i}" gear="15" ctrlrange="-1 1"/>' for i in range(next(number)))
    return _world(bodies, '<joint damping=".5" armature=".01"/>', tail=f"<actuator>{motors}</actuator>")


def wall(n: int, head: str = "") -> str:
    """n bricks, ten in a row."""
    bodies = ""
    for k in range(n):
        row, column = divmod(k, 10)
        x = 0.21 * column + 0.1 * (row % 2)
        bodies += f'<body pos="{x:.3f} 0 {0.05 + 0.1 * row:.3f}"><freejoint/>'
        bodies += '<geom type="box" size=".1 .05 .05"/></body>'
    return _world(bodies, head=head)


def mesh_bin(n: int, head: str = "") -> str:
    """n convex stones of ten shapes that fall into a bin."""
    rng = np.random.default_rng(n)
    assets = ""
    for k in range(10):
        points = rng.normal(size=(40, 3))
        points *= rng.uniform(0.05, 0.09, 3) / np.linalg.norm(points, axis=1)[:, None]
        assets += f'<mesh name="stone{k}" vertex="{" ".join(f"{x:.5f}" for x in points.ravel())}"/>'
    half = 0.35
    bodies = ""
    for x, y in ((half, 0), (-half, 0), (0, half), (0, -half)):
        size = f".02 {half} .3" if x else f"{half} .02 .3"
        bodies += f'<geom type="box" pos="{x} {y} .3" size="{size}"/>'
    for k in range(n):
        x, y = rng.uniform(-0.2, 0.2, 2)
        turn = " ".join(map(str, rng.uniform(0, 360, 3).round(1)))
        bodies += f'<body pos="{x:.3f} {y:.3f} {0.1 + 0.05 * k:.3f}" euler="{turn}"><freejoint/>'
        bodies += f'<geom type="mesh" mesh="stone{k % 10}"/></body>'
    return _world(bodies, assets=assets, head=head)


def hills(n: int) -> str:
    """n bodies of all shapes that roll over a height field."""
    rng = np.random.default_rng(n)
    x, y = np.meshgrid(np.linspace(0, 4 * np.pi, 60), np.linspace(0, 4 * np.pi, 60))
    height = (np.sin(x) * np.cos(y) + 1) / 2 + rng.uniform(0, 0.05, x.shape)
    elevation = " ".join(f"{h:.3f}" for h in height.ravel())
    assets = f'<hfield name="hills" nrow="60" ncol="60" size="3 3 .5 .1" elevation="{elevation}"/>'
    shapes = (
        'size=".1"',
        'type="capsule" size=".08 .1"',
        'type="box" size=".1 .08 .06"',
        'type="cylinder" size=".1 .08"',
    )
    bodies = '<geom type="hfield" hfield="hills"/>'
    for k in range(n):
        x, y = rng.uniform(-2, 2, 2)
        bodies += f'<body pos="{x:.3f} {y:.3f} 1"><freejoint/><geom {shapes[k % len(shapes)]}/></body>'
    return _world(bodies, assets=assets, floor="")


def chain(n: int, joint: str = 'damping=".01"', height: float = 0.0) -> str:
    """A chain of n capsules on hinges, from a fixed end: it hangs, or starts at a height above the floor."""
    mask = 'contype="0" conaffinity="1"' if height else 'contype="0" conaffinity="0"'
    shape = 'fromto="0 0 0 .07 0 0" size=".02"'
    bodies = f'<body pos="0 0 {height or 0.1 * n + 1:.2f}">'
    for k in range(n):
        axis = "0 1 0" if k % 2 else "0 0 1"
        pos = "0 0 0" if k == 0 else ".1 0 0"
        bodies += f'<body pos="{pos}"><joint axis="{axis}" {joint}/><geom type="capsule" {shape} {mask}/>'
    return _world(bodies + "</body>" * (n + 1))


FLOOR = '<geom type="plane" size="9 9 .1"/>'


def _world(bodies: str, default: str = "", assets: str = "", floor: str = FLOOR, tail: str = "", head: str = "") -> str:
    head += f"<default>{default}</default><asset>{assets}</asset>"
    return f"<mujoco>{head}<worldbody>{floor}{bodies}</worldbody>{tail}</mujoco>"
