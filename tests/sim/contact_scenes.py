"""Small scenes for the whole pipeline: every pair of geoms, every kind of row, every solver, integrator and option.

A table from names to MJCF. In the scenes of pairs one geom is fixed and three of the other kind are held above it by
springs, so that they go on touching while they turn. The scenes of options are one heap with a jointed body in it.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from tests.sim.stages.collision.convex_scenes import ASSETS, meshes, text
from tests.sim.stages.constraint import scenes as rows
from tests.sim.stages.solver.rows import ZOO, pile

# name -> (the fixed one, the one that moves, its height above the fixed one's middle)
SHAPES = {
    "plane": ('type="plane" size="3 3 .1" zaxis=".05 .1 1"', "", 0.0),
    "hfield": ('type="hfield" hfield="hills"', "", 0.15),
    "sphere": ('size=".3"', 'size=".1"', 0.28),
    "capsule": ('type="capsule" size=".2 .3" euler="0 90 0"', 'type="capsule" size=".06 .1"', 0.18),
    "ellipsoid": ('type="ellipsoid" size=".4 .35 .2"', 'type="ellipsoid" size=".12 .08 .1"', 0.18),
    "cylinder": ('type="cylinder" size=".4 .2"', 'type="cylinder" size=".09 .08"', 0.19),
    "box": ('type="box" size=".4 .35 .2"', 'type="box" size=".1 .07 .08"', 0.19),
    "mesh": ('type="mesh" mesh="drum" euler="180 0 0"', 'type="mesh" mesh="{}"', 0.09),
}
MESHES = ("prism", "tetra", "ball")
HILLS = " ".join(str((7 * i * i + 3 * i) % 11 / 11) for i in range(63))
FIELD = f'<hfield name="hills" nrow="7" ncol="9" size="1 .8 .2 .1" elevation="{HILLS}"/>'
SPRINGS = """
<joint type="slide" axis="1 0 0" stiffness="40" damping="1"/>
<joint type="slide" axis="0 1 0" stiffness="40" damping="1"/>
<joint type="slide" axis="0 0 1"/><joint type="ball" damping=".002"/>
"""


def held(shape: str, k: int, height: float) -> str:
    """One of three bodies side by side, each turned another way."""
    x, y = 0.22 * (k - 1), 0.07 * k - 0.05
    place = f'pos="{x:.3f} {y:.3f} {height + 0.08:.3f}" euler="{90 * k} {25 * k} {40 * k}"'
    return f"<body {place}>{SPRINGS}<geom {shape.format(MESHES[k])} friction='.6'/></body>"


def pair(kind1: str, kind2: str) -> str:
    """Three bodies of one kind on a fixed geom of another."""
    fixed, _, height = SHAPES[kind1]
    bodies = "".join(held(SHAPES[kind2][1], k, height) for k in range(3))
    return f"<mujoco><asset>{ASSETS}{FIELD}</asset><worldbody><geom {fixed}/>{bodies}</worldbody></mujoco>"


# ---------------------------------------------------------------- options

# a jointed body with actuators in a heap: rows of all kinds, in several islands
HEAP = """
<mujoco>
  {head}
  <asset><mesh name="prism" vertex="{prism}"/></asset>
  <default><geom density="500" {geom}/><joint damping=".05"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1" friction=".8 .02 .002"/>
    <body pos="0 0 .25" {body}><freejoint/><geom type="box" size=".15 .1 .05"/>
      <body pos=".15 0 0"><joint name="hip" axis="0 1 0" range="-30 20" limited="true" frictionloss=".05"/>
        <geom type="capsule" fromto="0 0 0 .2 0 -.1" size=".03"/>
        <body pos=".2 0 -.1"><joint name="knee" axis="0 1 0" range="-10 40" limited="true"/>
          <geom type="capsule" fromto="0 0 0 .1 0 -.15" size=".03"/></body></body>
      <body pos="-.15 0 0"><joint type="ball" range="0 40" limited="true" frictionloss=".01"/>
        <geom type="capsule" fromto="0 0 0 -.25 0 -.15" size=".03"/></body></body>
    <body pos=".05 .02 .4" euler="10 20 0"><freejoint/><geom type="box" size=".08 .07 .06"/></body>
    <body pos="0 0 .6" euler="0 80 0"><freejoint/><geom type="capsule" size=".06 .08"/></body>
    <body pos=".6 0 .1"><freejoint/><geom size=".1"/></body>
    <body pos=".65 .05 .28" euler="0 0 20"><freejoint/><geom type="mesh" mesh="prism"/></body>
    <body name="lamp" pos="-.6 0 .6"><joint axis="0 1 0" name="lamp" stiffness="2"/>
      <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/></body>
    <body name="wire" pos="-.3 0 .6"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
  </worldbody>
  <equality><connect body1="lamp" body2="wire" anchor=".25 0 0"/></equality>
  <tendon>
    <fixed name="cord" range="-.2 .2" limited="true" frictionloss=".02">
      <joint joint="hip" coef="1"/><joint joint="knee" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <motor joint="hip" gear="2"/><position joint="knee" kp="5" kv=".2"/><velocity joint="lamp" kv=".5"/>
    <general tendon="cord" dyntype="filter" dynprm=".05" gainprm=".5"/>
  </actuator>
</mujoco>
"""


def heap(option: str = "", flag: str = "", geom: str = "", body: str = "", head: str = "") -> str:
    """The heap with some options, flags, and attributes of all geoms and of one body."""
    head += f"<option {option}><flag {flag}/></option>"
    return HEAP.format(head=head, prism=text(0.6 * meshes()["prism"]), geom=geom, body=body)


def contact_dimensions() -> dict[str, str]:
    return {
        f"condim{dim}_{cone}": heap(f'cone="{cone}"', geom=f'condim="{dim}"')
        for dim in (1, 3, 4, 6)
        for cone in ("pyramidal", "elliptic")
    }


def solvers() -> dict[str, str]:
    table = {}
    for solver in ("Newton", "CG", "PGS"):
        for cone in ("pyramidal", "elliptic"):
            for jacobian in ("dense", "sparse"):
                option = f'solver="{solver}" cone="{cone}" jacobian="{jacobian}" iterations="60"'
                table[f"{solver}_{cone}_{jacobian}".lower()] = heap(option)
            option = f'solver="{solver}" cone="{cone}" noslip_iterations="5" iterations="60"'
            table[f"{solver}_{cone}_noslip".lower()] = heap(option, geom='condim="4"')
    return table


def integrators() -> dict[str, str]:
    return {
        f"{integrator}_{cone}".lower(): heap(f'integrator="{integrator}" cone="{cone}" timestep=".004"')
        for integrator in ("Euler", "RK4", "implicit", "implicitfast")
        for cone in ("pyramidal", "elliptic")
    }


FLAGS = (
    "warmstart",
    "filterparent",
    "refsafe",
    "eulerdamp",
    "midphase",
    "island",
    "multiccd",
    "nativeccd",
    "limit",
    "equality",
)
OVERRIDE = 'o_margin=".02" o_solref=".03 .8" o_solimp=".7 .9 .01 .4 3" o_friction=".5 .6 .01 .02 .03"'


def others() -> dict[str, str]:
    """What is neither a solver nor an integrator."""
    table = {f"no_{flag}": heap(flag=f'{flag}="disable"') for flag in FLAGS}
    table |= {
        "impratio": heap('impratio="10" cone="elliptic"'),
        "impratio_pyramidal": heap('impratio="5"'),
        "override": heap(OVERRIDE, flag='override="enable"'),
        "exact_diagonal": heap(flag='diagexact="enable"'),
        "energy": heap(flag='energy="enable"'),
        "gravcomp": heap(body='gravcomp=".7"'),
        "medium": heap('density="1.2" viscosity=".01" wind="1 .3 0" integrator="implicitfast"'),
        "margin": heap(geom='margin=".02" gap=".01"'),
        "soft": heap(geom='solref="-800 -20" solimp=".5 .95 .02 .3 3"', option='cone="elliptic"'),
        "priority": heap(geom='priority="1" solmix=".3" friction=".3 .1 .01"'),
        "adhesion": heap(geom='adhesion="2" condim="4"'),
        "surfacevel": heap(geom='surfacevel=".3 -.2 .5 .1 .2 .7" condim="6"'),
        "armature": heap(head='<default><joint armature=".02"/></default>'),
    }
    return table


# explicit pairs beside exclusions, and an actuator that makes a body stick
PAIRS = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="a" pos="0 0 .1"><freejoint/><geom name="a" type="box" size=".1 .1 .1"/></body>
    <body name="b" pos="0 .02 .29"><freejoint/><geom name="b" type="box" size=".08 .08 .1"/></body>
    <body name="c" pos=".4 0 .1"><freejoint/><geom name="c" type="cylinder" size=".1 .1"/></body>
    <body name="d" pos=".4 .05 .25"><freejoint/><geom name="d" type="capsule" size=".06 .1" euler="0 90 0"/></body>
    <body name="e" pos="-.4 0 .1"><freejoint/><geom name="e" size=".1" contype="0" conaffinity="0"/></body>
    <body name="f" pos="-.4 .5 .2"><freejoint/><geom name="f" type="box" size=".1 .1 .2"/>
      <body name="g" pos=".1 0 0"><joint axis="0 1 0" range="-30 30"/>
        <geom name="g" type="capsule" fromto="0 0 0 .2 0 0" size=".05"/></body></body>
  </worldbody>
  <contact>
    <pair geom1="a" geom2="b" condim="6" friction=".9 .4 .02 .002 .003" solref="-600 -30" solreffriction=".03 .8"/>
    <pair geom1="floor" geom2="e" condim="4" margin=".03" gap=".01" solimp=".8 .9 .01 .4 3"/>
    <pair geom1="floor" geom2="c" condim="1"/>
    <pair geom1="f" geom2="g" condim="3"/>
    <exclude body1="c" body2="d"/>
  </contact>
  <actuator><adhesion body="b" gain="20" ctrlrange="0 1"/></actuator>
</mujoco>
"""

# bodies of many geoms, found through their trees, with parameters that have to be mixed; one follows a hand
COMPOUND = """
<mujoco>
  <option cone="elliptic"/>
  <worldbody>
    <geom type="plane" size="2 2 .1" friction=".5" solref=".03 .7"/>
    <body pos="0 0 .2" euler="0 20 0"><freejoint/>{}</body>
    <body pos=".1 .1 .42" euler="30 0 50"><freejoint/>{}</body>
    <body name="led" pos=".6 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" priority="2" friction=".2"/></body>
    <body name="hand" mocap="true" pos=".6 .1 .28"><geom size=".08" conaffinity="0" contype="0"/></body>
  </worldbody>
  <equality><weld body1="hand" body2="led" solref=".1 1"/></equality>
</mujoco>
"""


def cluster(seed: int) -> str:
    """Nine small geoms around a point."""
    kinds = ('size=".06"', 'type="capsule" size=".04 .05"', 'type="box" size=".05 .04 .06"')
    geoms = ""
    for k in range(9):
        x, y, z = 0.12 * (k % 3 - 1), 0.12 * (k // 3 - 1), 0.03 * ((seed * k) % 3)
        mix = f'condim="{(1, 3, 4, 6)[k % 4]}" solmix="{1 + k % 3}" priority="{k % 2}" friction="{0.2 + 0.1 * k:.1f}"'
        geoms += f'<geom {kinds[(k + seed) % 3]} pos="{x} {y} {z}" {mix} margin=".0{k % 3}" gap=".00{k}"/>'
    return geoms


SCENES = {f"{a}_{b}": pair(a, b) for a, b in combinations_with_replacement(SHAPES, 2) if SHAPES[b][1]}
# how deep curved surfaces overlap is found by iteration, to opt.ccd_tolerance
CURVED = {name for name in SCENES if not {"ellipsoid", "cylinder"}.isdisjoint(name.split("_"))}
SCENES |= {f"rows_{name}": xml for name, xml in rows.ALL.items()}
SCENES |= {"zoo": ZOO, "pile12": pile(12), "pile75": pile(75), "rolling": pile(8, 6), "explicit": PAIRS}
SCENES["compound"] = COMPOUND.format(cluster(1), cluster(2))
SCENES |= contact_dimensions() | solvers() | integrators() | others()
