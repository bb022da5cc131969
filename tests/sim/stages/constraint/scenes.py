"""Scenes with every kind of constraint row."""

# connects and welds: to the world, across trees, inside a tree, between sites; couplings of joints and tendons
EQUALITIES = """
<mujoco>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="still" pos="0 0 .2"><geom size=".1"/></body>
    <body name="rock" pos="1 0 .2"><geom size=".1"/></body>
    <body name="a" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".02 0 0" euler="10 0 0"/>
      <body name="b" pos=".3 0 0" euler="20 0 10"><joint type="ball" pos=".05 0 0"/><geom type="capsule" size=".05 .1"/>
        <site name="on_b" pos=".1 .02 0" euler="30 20 10"/>
        <body name="c" pos="0 .3 0"><joint name="c" axis="1 .5 0"/><geom type="box" size=".1 .1 .2"/>
          <body name="d" pos="0 .3 0"><joint name="d" type="slide" axis="0 1 .5" ref=".1"/><geom size=".1"/>
            <site name="on_d" pos="0 .02 .1"/></body></body></body>
      <body name="e" pos="-.3 0 0"><joint name="e" axis="0 1 0" pos=".02 0 0"/><geom type="box" size=".2 .1 .1"/>
        <site name="on_e" pos="-.1 0 0" euler="0 40 0"/></body>
    </body>
    <body name="f" pos="0 1 1"><freejoint/><geom type="box" size=".1 .1 .2"/><site name="on_f" euler="50 0 10"/></body>
    <body name="g" pos="0 2 1"><joint name="g" axis="0 1 0" ref="20"/><geom type="box" size=".1 .1 .2" pos=".2 0 0"/>
      <site name="on_g" pos=".3 0 0"/></body>
    <body name="guide" mocap="true" pos="0 1 1.5"><geom size=".05"/></body>
  </worldbody>
  <tendon>
    <fixed name="one"><joint joint="c" coef="1"/><joint joint="e" coef="-.5"/></fixed>
    <fixed name="two"><joint joint="e" coef=".7"/><joint joint="g" coef="1"/></fixed>
    <spatial name="path"><site site="on_d"/><site site="on_g"/></spatial>
  </tendon>
  <equality>
    <connect body1="a" anchor=".1 .2 .3"/>
    <connect body1="c" body2="e" anchor=".1 0 .1" solref="-200 -20" solimp=".8 .9 .05 .3 3"/>
    <connect body1="rock" body2="still" anchor="0 0 0"/>
    <connect site1="on_b" site2="on_g"/>
    <weld body1="f" body2="guide" torquescale="2.5"/>
    <weld body1="d" body2="f" anchor=".1 .2 0" relpose=".3 .1 .2 .9 .1 .2 .3" torquescale=".3" solref=".05 .7"/>
    <weld site1="on_e" site2="on_f" torquescale=".6" solimp=".5 .99 .5 .7 1"/>
    <weld body1="b" body2="e" active="false"/>
    <joint joint1="c" joint2="d" polycoef=".1 .5 .3 -.2 .4"/>
    <joint joint1="g" joint2="c" polycoef="0 -1 0 0 0" solimp=".9 .9 .1 .5 2"/>
    <joint joint1="e" polycoef=".2 0 0 0 0"/>
    <tendon tendon1="one" tendon2="two" polycoef=".05 .8 .3 .2 .1"/>
    <tendon tendon1="path" polycoef=".1 0 0 0 0"/>
    <tendon tendon1="two" tendon2="path"/>
  </equality>
</mujoco>
"""

# dry friction and limits of every joint type and of tendons
FRICTION_AND_LIMITS = """
<mujoco>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body pos="0 0 1">
      <joint name="lift" type="slide" axis="0 0 1" frictionloss=".4" limited="true" range="-.1 .1" margin=".3"/>
      <geom type="box" size=".1 .1 .1"/>
      <body pos=".2 0 0"><joint type="ball" frictionloss=".2" limited="true" range="0 20" solreflimit="-300 -10"/>
        <geom type="capsule" size=".05 .1"/>
        <body pos=".2 0 0"><joint name="knee" axis="0 1 0" limited="true" range="-10 10" margin=".1" frictionloss=".3"
              solreffriction=".05 .8" solimpfriction=".7 .8 .01 .4 3" solimplimit=".6 .95 .5 .3 2.7"/>
          <geom type="box" size=".1 .05 .05"/><site name="tip" pos=".1 0 0"/>
          <body pos=".2 0 0"><joint name="turn" axis="1 0 .2" limited="true" range="-5 30"/><geom size=".1"/></body>
        </body></body></body>
    <body pos="1 0 1"><freejoint/><geom size=".1"/><site name="post"/></body>
    <body pos="2 0 1"><joint type="ball" limited="true" range="0 170" margin="3.5"/>
      <geom size=".1" pos=".1 0 0"/></body>
    <site name="fixed" pos="0 1 1"/><site name="near" pos="0 1 2"/>
  </worldbody>
  <tendon>
    <spatial frictionloss=".3" limited="true" range="0 .5" solreflimit=".03 .9" solimpfriction=".8 .9 .1 .5 2">
      <site site="tip"/><site site="post"/></spatial>
    <fixed frictionloss=".1" limited="true" range="-.1 .1" margin=".5"><joint joint="knee" coef="1"/>
      <joint joint="turn" coef="-2"/><joint joint="lift" coef=".3"/></fixed>
    <spatial frictionloss=".3" limited="true" range="2 3"><site site="fixed"/><site site="near"/></spatial>
  </tendon>
</mujoco>
"""

# contacts with 1, 3, 4 and 6 dimensions between trees, inside a tree, with the world; margins, gaps; parameters
# of every form; an explicit pair that no dof moves against each other
CONTACTS = """
<mujoco>
  <option impratio="3"/>
  <worldbody>
    <geom type="plane" size="3 3 .1" friction=".7 .02 .003" margin=".02"/>
    <body pos="0 0 .09"><freejoint/><geom size=".1" condim="1"/></body>
    <body pos=".3 0 .09"><freejoint/><geom size=".1" condim="3" solref=".01 .5" solimp=".5 .9 .02 .3 3"/></body>
    <body pos=".6 0 .09"><freejoint/><geom size=".1" condim="4" solref="-1000 -30" solimp=".5 .9 .02 .6 1"/></body>
    <body pos=".9 0 .09"><freejoint/><geom size=".1" condim="6" solref=".001 1" solimp=".9 .9 .02 .6 2"/></body>
    <body pos="1.2 0 .16"><freejoint/><geom size=".1" condim="3" margin=".03" gap=".02"/></body>
    <body pos="1.5 0 .09"><freejoint/><geom size=".1" condim="3" solref="-1000 1" solimp="0 1 0 .6 .5"/></body>
    <body pos="1.8 0 .09" euler="10 20 30"><freejoint/>
      <geom type="box" size=".1 .1 .1" solimp=".1 .9 .9 .3 2.5"/></body>
    <body pos="0 1 .3"><freejoint/>
      <geom type="box" size=".1 .1 .1"/><geom name="part" size=".1" pos="0 0 .3"/>
      <body pos=".15 0 0" euler="5 0 0"><joint axis="0 1 0" pos="-.1 0 0"/><geom type="capsule" size=".08 .2"/>
        <body pos="0 .1 0"><joint axis="1 0 0"/><geom type="capsule" size=".08 .2" condim="6"/>
          <body pos=".1 -.05 0"><joint axis="1 0 1"/><geom type="box" size=".08 .1 .2" condim="4"/></body></body></body>
      <body pos="0 0 .25"><geom name="whole" size=".1"/></body>
    </body>
    <body pos="-.5 0 .2"><joint type="slide" axis="0 0 1"/><geom name="slider" type="box" size=".1 .1 .15"/></body>
    <body pos="-.5 .15 .2"><freejoint/><geom name="block" type="box" size=".1 .1 .15"/></body>
  </worldbody>
  <contact>
    <pair geom1="part" geom2="whole" condim="3"/>
    <pair geom1="slider" geom2="block" condim="6" friction=".5 .8 .01 .002 .003" solreffriction=".03 .8"/>
  </contact>
</mujoco>
"""

# surfaces that move, surfaces that stick, also over a gap
SURFACES = """
<mujoco>
  <option gravity="0 1 -9.81"/>
  <worldbody>
    <geom type="plane" size="3 3 .1" surfacevel=".3 -.2 .5 .1 .2 .7" euler="0 0 30"/>
    <body pos="0 0 .09" euler="20 30 40"><freejoint/><geom size=".1" condim="3" surfacevel=".4 .3 .2 .6 .5 .4"/></body>
    <body pos=".3 0 .09"><freejoint/><geom type="box" size=".1 .1 .1" condim="4" adhesion="3"/></body>
    <body pos=".6 0 .09" euler="0 0 50"><freejoint/><geom size=".1" condim="6" surfacevel="1 0 0 0 0 2"/></body>
    <body pos=".9 0 .09"><freejoint/><geom size=".1" condim="1" adhesion="2"/></body>
    <body pos="1.2 0 .11"><freejoint/><geom size=".1" condim="6" adhesion="2" gap=".05"/></body>
    <body pos=".3 0 .27" euler="0 10 0"><freejoint/><geom type="box" size=".1 .1 .1" condim="6" adhesion="1"/></body>
  </worldbody>
</mujoco>
"""

ALL = {"equalities": EQUALITIES, "friction": FRICTION_AND_LIMITS, "contacts": CONTACTS, "surfaces": SURFACES}
