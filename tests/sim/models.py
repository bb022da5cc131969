"""MJCF of the models that stages are tested on: one for each thing that can go wrong."""

from pathlib import Path

SCENES = Path(__file__).parents[2] / "scenes"
# scenes of what MuJoCo lacks: the distance equality, the implicit spring-damper integrator
OURS_ALONE = {"bow", "tensegrity"}
SHARED_SCENES = [path for path in sorted(SCENES.glob("*.xml")) if path.stem not in OURS_ALONE]

# every joint type, several joints on a body, anchors off the origin, welded and massless bodies, sites
JOINTS = """
<mujoco>
  <option gravity="0.3 -0.2 -9.81"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <site name="fixed" pos="1 2 3" euler="10 20 30"/>
    <body name="free" pos="0 0 1" euler="10 20 30">
      <freejoint/>
      <geom type="box" size=".1 .2 .3" pos=".05 0 .02" euler="0 30 0"/>
      <site name="on_free" pos=".1 .2 .3"/>
      <body name="ball" pos=".3 .1 0">
        <joint type="ball" pos=".02 .03 .04" damping=".3" stiffness="2"/>
        <geom type="capsule" size=".05 .2" euler="20 0 0"/>
        <body name="two" pos="0 0 -.4" quat="1 .2 .3 .4">
          <joint type="hinge" axis="1 .2 0" pos="0 .01 .1" ref="20" springref="30" stiffness="3" damping=".2"
                 armature=".05"/>
          <joint type="slide" axis="0 .3 1" damping="1" stiffness="10" ref=".1"/>
          <joint type="hinge" axis="0 1 .3" pos=".1 0 0" frictionloss=".1"/>
          <geom type="ellipsoid" size=".1 .05 .08"/>
          <body name="welded" pos=".2 0 0" euler="0 0 45">
            <geom type="cylinder" size=".05 .1"/>
            <site name="on_welded" euler="0 90 0"/>
          </body>
        </body>
      </body>
      <body name="massless" pos="0 .4 0"><site pos="0 0 .1"/></body>
    </body>
    <body name="cart" pos="2 0 .5">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
      <geom type="sphere" size=".1"/>
    </body>
    <body name="simple" pos="3 0 0"><freejoint/><geom type="box" size=".1 .1 .2"/></body>
    <body name="static" pos="0 3 0"><geom type="box" size=".2 .1 .1"/>
      <body name="door"><joint axis="0 0 1" pos="-.2 0 0" damping="0.5"/><geom type="box" size=".2 .02 .5"/></body>
    </body>
  </worldbody>
</mujoco>
"""

# springs and dampers whose coefficients grow with distance and speed, on every joint type
POLYNOMIAL = """
<mujoco>
  <option timestep="0.01"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body><joint type="free" stiffness="3 .4 .2" damping="1 .1 .2"/><geom size=".1"/>
      <body pos=".3 0 0"><joint type="ball" stiffness="3 .4 .2" damping="1 .1 .2"/><geom size=".1"/>
        <body pos=".3 0 0">
          <joint type="hinge" stiffness="4 .5 .25" damping="2 .3 .05" springref="10"/>
          <joint type="slide" stiffness="0 .5 0" damping="0 0 .05"/>
          <geom size=".1"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

# cameras and lights in every mode, mocap bodies with children
FOLLOWERS = """
<mujoco>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <light name="world" pos="0 0 3" dir="1 0 -1"/>
    <camera name="world" pos="1 2 3" euler="30 40 50"/>
    <body name="target" mocap="true" pos="2 1 1"><geom size=".1"/>
      <body name="on_mocap" pos="0 0 .3"><joint axis="0 1 0"/><geom type="box" size=".1 .1 .1"/></body>
    </body>
    <body name="base" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
      <camera name="fixed" pos=".3 .2 .1" euler="10 20 30"/>
      <camera name="track" mode="track" pos="1 0 1" euler="40 0 0"/>
      <camera name="trackcom" mode="trackcom" pos="1 0 1" euler="0 40 0"/>
      <camera name="targetbody" mode="targetbody" target="target" pos="1 0 1"/>
      <camera name="targetbodycom" mode="targetbodycom" target="target" pos="1 0 1"/>
      <light name="fixed" pos="0 0 1" dir="0 1 -1"/>
      <light name="track" mode="track" pos="0 0 1" dir="0 1 -1"/>
      <light name="trackcom" mode="trackcom" pos="0 0 1" dir="0 1 -1"/>
      <light name="targetbody" mode="targetbody" target="target" pos="0 0 1"/>
      <light name="targetbodycom" mode="targetbodycom" target="target" pos="0 0 1"/>
      <body pos="0 0 .5"><joint/><geom type="capsule" size=".05 .2"/></body>
    </body>
  </worldbody>
</mujoco>
"""

# both fluid models, every geom type, wind, gravity compensation
MEDIUM = """
<mujoco>
  <option density="1.2" viscosity="0.3" wind="1 .5 -.3"><flag energy="enable"/></option>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="box" gravcomp="0.5">
      <joint type="free" stiffness="3"/>
      <geom type="box" size=".1 .2 .3" euler="10 20 30"/>
      <body pos=".3 0 0" gravcomp="1.5"><joint actuatorgravcomp="true"/><geom type="cylinder" size=".1 .2"/></body>
    </body>
    <body name="fish" pos="1 0 0"><freejoint/>
      <geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid" euler="10 20 30"/>
      <geom type="box" size=".1 .2 .3" pos="0 .4 0"/>
      <body pos=".3 0 0"><joint type="ball" stiffness="2 .3 .1"/>
        <geom type="capsule" size=".1 .2" fluidshape="ellipsoid" fluidcoef=".6 .3 1.4 .9 1.1" pos=".1 0 0"/>
        <body pos=".3 0 0"><joint stiffness="1 .2 .3"/>
          <geom type="sphere" size=".1" fluidshape="ellipsoid"/>
          <geom type="cylinder" size=".1 .05" fluidshape="ellipsoid" pos="0 0 .2"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

ALL = {"joints": JOINTS, "medium": MEDIUM, "polynomial": POLYNOMIAL, "followers": FOLLOWERS}
# stages are compared in states that nobody is used to: sleep, which has tests of its own, would skip the bodies
ALL |= {path.stem: path.read_text().replace('sleep="enable"', "") for path in SHARED_SCENES}
