"""MJCF of models with tendons: every kind of path, and muscles by the dozen."""

from __future__ import annotations

import numpy as np

HEAD = "<mujoco><option><flag energy='enable'/></option><default><geom contype='0' conaffinity='0'/></default>"

# sums of hinges and slides, of one tree and of several; springs, dampers and inertia of every kind
FIXED = f"""{HEAD}
  <worldbody>
    <body name="cart"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
      <joint name="z" type="slide"/><geom size=".1"/></body>
    <body pos="1 0 0"><joint name="a" axis="0 1 0" ref="20" springref="5"/>
      <geom type="capsule" size=".02" fromto="0 0 0 .3 0 .1"/>
      <body pos=".3 0 .1"><joint name="b" axis="1 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 .1"/>
        <body pos=".3 0 .1"><joint name="c" axis="1 0 1"/><geom size=".1" pos=".1 0 0"/></body>
        <body pos=".3 0 -.1"><joint name="d" axis="1 0 1"/><geom size=".1" pos=".1 0 0"/></body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="one"><joint joint="a" coef="-2"/></fixed>
    <fixed name="chain" stiffness="3 .4 .2" damping="1 .1 .3" springlength="-.1 .2" armature=".3">
      <joint joint="c" coef=".5"/><joint joint="a" coef="1"/><joint joint="b" coef="-1.5"/></fixed>
    <fixed name="trees" stiffness="5" damping=".5" armature=".7"><joint joint="x" coef="1"/>
      <joint joint="z" coef=".3"/><joint joint="d" coef="2"/><joint joint="b" coef="-.2"/></fixed>
    <fixed name="slack" stiffness="0 0 4" damping="0 .5 0" springlength="-10 10"><joint joint="y" coef="1"/></fixed>
    <fixed name="driven"><joint joint="c" coef="1"/><joint joint="d" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <motor tendon="driven" gear="2" damping="3 .1 .2" armature=".5"/>
    <motor tendon="driven" gear="-3" damping="1" armature=".25"/>
    <motor tendon="one" gear="1.5" armature=".1"/>
    <motor tendon="chain" gear="1.5" damping=".1"/>
  </actuator>
</mujoco>"""

# straight through sites: within a body, a branch, a tree, between trees, from the world; pulleys; inertia
SITES = f"""{HEAD}
  <worldbody>
    <site name="w" pos="0 0 2"/><site name="w2" pos=".5 0 2"/>
    <body name="base" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .1"/>
      <site name="base" pos=".1 .1 .1"/><site name="base2" pos="-.1 .1 .1"/>
      <body pos=".3 0 0"><joint type="ball"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 .1"/>
        <site name="left" pos=".2 .1 0"/>
        <body pos=".3 0 .1"><joint axis="0 1 1"/><joint type="slide" axis="1 0 0"/><geom size=".1"/>
          <site name="tip" pos=".1 .1 0"/></body>
      </body>
      <body pos="-.3 0 0"><joint axis="0 1 0" pos=".1 0 0"/><geom type="capsule" size=".03" fromto="0 0 0 -.3 0 .1"/>
        <site name="right" pos="-.2 .1 0"/></body>
    </body>
    <body name="other" pos="1 0 1"><joint type="ball"/><geom size=".1" pos=".2 0 0"/>
      <site name="other" pos=".3 0 .1"/></body>
  </worldbody>
  <tendon>
    <spatial name="within"><site site="base"/><site site="base2"/></spatial>
    <spatial name="world"><site site="w"/><site site="w2"/></spatial>
    <spatial name="branch" stiffness="30 2 1" damping="1 .2 .1" armature=".2">
      <site site="base"/><site site="left"/><site site="tip"/></spatial>
    <spatial name="across" stiffness="30" springlength=".1 .9" armature=".4"><site site="right"/><site site="base2"/>
      <site site="left"/><site site="tip"/></spatial>
    <spatial name="trees" stiffness="30" springlength=".1" armature="1.5">
      <site site="other"/><site site="tip"/><site site="w"/></spatial>
    <spatial name="pulleys" stiffness="20" springlength="0" armature=".6">
      <site site="w"/><site site="base"/><pulley divisor="2"/>
      <site site="right"/><site site="w2"/><site site="other"/><pulley divisor="3"/>
      <site site="w"/><site site="tip"/></spatial>
  </tendon>
</mujoco>"""


def around(kind: str, side: str, path: str = "") -> str:
    """A rod held by a ball joint, a slide and a hinge, and threads from it to the world around one geom."""
    attribute = f"sidesite='{side}'" if side else ""
    return f"""{HEAD}
  <worldbody>
    <site name="w" pos="-.5 .05 .1"/><site name="w2" pos="-.3 -.2 .4"/>
    <body pos="0 0 .02"><joint axis="0 0 1" pos=".1 0 0" springref="15"/><joint type="slide" axis="0 .2 1"/>
      <geom name="g" type="{kind}" size=".12 .3" euler="10 80 30"/>
      <site name="up" pos="0 .02 .4"/><site name="down" pos=".1 .1 -.5"/><site name="in" pos=".01 .02 .03"/>
      <site name="centre"/>
      <body pos=".2 0 0"><joint type='ball'/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 .1"/>
        <site name="s" pos=".15 .02 .05"/><site name="s2" pos=".3 .1 .1"/><site name="s3" pos="-.3 0 0"/></body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="one" stiffness="10" springlength="0">
      <site site="w"/><geom geom="g" {attribute}/><site site="s"/></spatial>
    <spatial name="two" stiffness="10" damping="2" springlength=".5">
      <site site="w2"/><geom geom="g" {attribute}/><site site="s2"/><site site="w"/><geom geom="g" {attribute}/>
      <site site="s2"/></spatial>
    <spatial name="short"><site site="s3"/><geom geom="g" {attribute}/><site site="w2"/></spatial>
    <spatial name="own"><site site="up"/><geom geom="g" {attribute}/><site site="s"/><site site="s2"/></spatial>
    {path}
  </tendon>
</mujoco>"""


PULLEYS = """<spatial name="pulleys"><site site="w"/><geom geom="g"/><site site="s"/><pulley divisor="2"/>
  <site site="s"/><geom geom="g" sidesite="up"/><site site="w2"/><pulley divisor="4"/>
  <site site="s2"/><site site="w"/></spatial>
  <fixed><joint joint="hinge" coef="2"/></fixed>"""


def muscles(arms: int = 4, each: int = 13, seed: int = 0, kind: str = "cylinder") -> str:
    """Arms of four links on a free base, and on each of them muscles over one to three joints, most of them wrapped."""
    rng = np.random.default_rng(seed)
    bodies, tendons = [], []
    for arm in range(arms):
        links = ""
        for link in reversed(range(4)):
            sites = "".join(
                f"<site name='s{arm}_{link}_{k}' pos='{x:.3f} {y:.3f} {z:.3f}'/>"
                for k, (x, y, z) in enumerate(rng.uniform([0.05, -0.08, -0.08], [0.25, 0.08, 0.08], (each, 3)))
            )
            joint = "<joint type='ball' damping='.1'/>" if link == 0 else f"<joint axis='0 1 {link % 2}' damping='.1'/>"
            links = f"""<body pos='.3 0 0'>{joint}<geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>
              <geom name='g{arm}_{link}' type='{kind}' size='.05 .1' euler='90 0 0' mass='.1'/>{sites}{links}</body>"""
        bodies.append(f"<body euler='0 0 {arm * 360 / arms:.3f}'>{links}</body>")
        for k in range(each):
            first, last = sorted(rng.choice(4, 2, replace=False))
            path = f"<site site='s{arm}_{first}_{k}'/>"
            for link in range(first + 1, last + 1):
                side = f"sidesite='s{arm}_{link}_{(k + 1) % each}'" if k % 3 == 0 else ""
                path += f"<geom geom='g{arm}_{link}' {side}/><site site='s{arm}_{link}_{k}'/>"
            tendons.append(f"<spatial stiffness='100' damping='1' springlength='.1 .3'>{path}</spatial>")
    base = f"<body pos='0 0 2'><freejoint/><geom size='.1'/>{''.join(bodies)}</body>"
    head = f"{HEAD}<option timestep='0.001'/><worldbody>{base}</worldbody>"
    return f"{head}<tendon>{''.join(tendons)}</tendon></mujoco>"


ALL = {"fixed": FIXED, "sites": SITES, "muscles": muscles(), "muscles_spheres": muscles(2, 9, 1, "sphere")}
ALL |= {
    f"{kind}_{side or 'shortest'}": around(kind, side)
    for kind in ("sphere", "cylinder")
    for side in ("", "up", "down", "in", "centre")
}
ALL["pulleys"] = around("cylinder", "down", PULLEYS).replace("<joint axis", "<joint name='hinge' axis")
