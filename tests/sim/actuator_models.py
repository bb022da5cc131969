"""MJCF of the models that transmissions and actuators are tested on."""

BODIES = """
  <worldbody>
    <site name="world" pos=".1 .2 .3" euler="10 20 30"/>
    <body name="base" pos="0 0 1">
      <freejoint name="free"/>
      <geom type="box" size=".1 .2 .3"/>
      <site name="on_base" pos=".1 -.2 .1" euler="30 -20 10"/>
      <body name="upper" pos=".2 0 0">
        <joint name="ball" type="ball" pos=".02 0 .01"/>
        <geom type="capsule" size=".05 .2" euler="20 0 0"/>
        <site name="on_upper" pos=".1 .1 .2" euler="-40 10 20"/>
        <body name="lower" pos="0 0 -.4">
          <joint name="hinge" axis="0 1 .2" range="-100 100" actuatorfrcrange="-3 4" actuatorfrclimited="true"/>
          <joint name="slide" type="slide" axis="1 0 .3" range="-1 1" actuatorgravcomp="true"/>
          <geom type="ellipsoid" size=".1 .05 .08"/>
          <site name="on_lower" pos=".2 .1 0" euler="15 25 35"/>
        </body>
      </body>
      <body name="branch" pos="-.3 0 0" gravcomp=".7">
        <joint name="branch" axis="0 0 1" actuatorgravcomp="true" damping=".1"/>
        <geom type="box" size=".1 .05 .05"/>
        <site name="on_branch" pos="-.1 .1 0" euler="0 50 0"/>
      </body>
    </body>
    <body name="other" pos="1 0 1"><joint name="other" axis="1 1 0"/><geom size=".1" pos="0 0 .2"/>
      <site name="on_other" pos="0 .1 .3"/></body>
  </worldbody>
  <tendon>
    <fixed name="fixed"><joint joint="hinge" coef=".5"/><joint joint="branch" coef="-2"/></fixed>
    <spatial name="spatial" actuatorfrcrange="-1 1" actuatorfrclimited="true">
      <site site="on_base"/><site site="on_lower"/><site site="on_other"/>
    </spatial>
  </tendon>
"""


def model(actuators: str, option: str = "") -> str:
    """Every kind of joint, two branches and a second tree, with these actuators."""
    return f"""<mujoco><option timestep="0.004"><flag contact="disable" constraint="disable"/></option>
    <default><geom contype="0" conaffinity="0"/></default>{option}{BODIES}
    <actuator>{actuators}</actuator></mujoco>"""


TRANSMISSIONS = model("""
    <motor joint="hinge" gear="3"/>
    <motor joint="slide" gear="-2"/>
    <motor joint="ball" gear="1 2 3"/>
    <motor joint="free" gear="1 2 3 4 5 6"/>
    <motor jointinparent="hinge" gear="3"/>
    <motor jointinparent="ball" gear="1 2 3"/>
    <motor jointinparent="free" gear="1 2 3 4 5 6"/>
    <motor tendon="fixed" gear="2"/>
    <motor tendon="spatial" gear="-3"/>
    <motor site="on_lower" gear="1 2 3 4 5 6"/>
    <motor site="world" gear="1 2 3 4 5 6"/>
    <motor site="on_lower" refsite="world" gear="1 2 3 0 0 0"/>
    <motor site="on_lower" refsite="on_base" gear="0 0 0 1 2 3"/>
    <motor site="on_lower" refsite="on_branch" gear="1 2 3 4 5 6"/>
    <motor site="on_branch" refsite="on_other" gear="1 0 0 0 1 0"/>
    <motor site="on_upper" refsite="on_lower" gear="1 2 3 1 0 0"/>
    <general cranksite="on_lower" slidersite="on_base" cranklength="2" gear="2"/>
    <general cranksite="on_branch" slidersite="on_lower" cranklength=".3" gear="1.5"/>
    <general cranksite="on_other" slidersite="world" cranklength=".01"/>
    <general cranksite="on_lower" slidersite="on_other" cranklength="5"/>
    <orientation joint="ball" kp="2" kv=".1"/>
    <orientation site="on_lower" refsite="on_branch" kp="2"/>
    <orientation site="on_lower" refsite="world" kp="2"/>
    <adhesion body="lower" ctrlrange="0 1" gain="3"/>
""")

SHORTCUTS = model(
    """
    <motor joint="hinge" ctrlrange="-1 .5" ctrllimited="true" gear="3"/>
    <motor joint="branch" forcerange="-.2 .1" forcelimited="true"/>
    <position joint="hinge" kp="10" kv="2"/>
    <position joint="slide" kp="10" dampratio="1"/>
    <position joint="other" kp="3" timeconst=".1" inheritrange="0"/>
    <position joint="slide" kp="3" timeconst=".1" inheritrange=".9"/>
    <velocity joint="other" kv="2"/>
    <intvelocity joint="hinge" kp="3" kv=".2" actrange="-1 1.1"/>
    <damper joint="branch" kv="2" ctrlrange="0 2"/>
    <cylinder joint="slide" timeconst=".2" diameter=".5" bias="1 2 3"/>
    <muscle joint="hinge" lengthrange="-1 1"/>
    <adhesion body="lower" ctrlrange="0 1" gain="3"/>
    <dcmotor joint="other" motorconst=".5" resistance="2"/>
    <pid joint="hinge" kp="3" kv="2"/>
    <orientation joint="ball" kp="3" kv=".2" forcerange="0 .5"/>
    <motor tendon="spatial" gear="2"/>
    <motor tendon="spatial" gear="-3"/>
    <motor joint="hinge" gear="-4" group="3"/>
    <position joint="ball" kp="2" gear="0 1 2"/>
    <intvelocity joint="ball" kp="2" gear="0 1 2" actrange="-100 100"/>
    <position jointinparent="ball" kp="2" gear="1 0 2"/>
    <position site="on_lower" refsite="on_base" kp="2" gear="0 0 0 0 1 2"/>
    <position site="on_lower" refsite="on_base" kp="2" gear="0 1 0 0 1 2"/>
""",
    '<option actuatorgroupdisable="3 5"/>',
)

DYNAMICS = model(
    """
    <general joint="hinge" dyntype="integrator" gainprm="2"/>
    <general joint="hinge" dyntype="integrator" gainprm="2" actlimited="true" actrange="-.1 .3" actearly="true"/>
    <general joint="hinge" dyntype="filter" dynprm=".05" gainprm="2"/>
    <general joint="branch" dyntype="filter" dynprm="0" gainprm="1e-12"/>
    <general joint="other" dyntype="filter" dynprm=".05" gainprm="2" actearly="true"/>
    <general joint="other" dyntype="filterexact" dynprm=".05" gainprm="2"/>
    <general joint="slide" dyntype="filterexact" dynprm=".002" gainprm="2" actearly="true" actlimited="true"
             actrange="-.5 .6"/>
    <general joint="slide" dyntype="muscle" dynprm=".01 .04 0" gainprm="2"/>
    <general joint="slide" dyntype="muscle" dynprm=".01 .04 .3" gainprm="2" actearly="true"/>
    <general joint="hinge" dyntype="integrator" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 6"/>
    <general joint="hinge" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 6"/>
    <general joint="slide" dyntype="filter" dynprm=".1" gainprm="2" group="4"/>
    <general joint="slide" dyntype="integrator" gainprm="2" group="4" actlimited="true" actrange="-.01 .01"/>
    <general joint="slide" dyntype="user" actdim="3" gainprm="2"/>
    <general joint="slide" gaintype="user" gainprm="2" biastype="user"/>
""",
    '<option actuatorgroupdisable="4"/>',
)

MUSCLES = model("""
    <muscle joint="hinge" lengthrange="-1 1"/>
    <muscle joint="slide" lengthrange="-1 1" force="100" range=".5 1.3" lmin=".4" lmax="1.8" vmax="2" fpmax="2"
            fvmax="1.5" timeconst=".02 .05" tausmooth=".2"/>
    <muscle tendon="spatial" lengthrange=".5 4" scale="300"/>
    <muscle tendon="fixed" lengthrange="-2 2" force="10"/>
    <general joint="hinge" gaintype="muscle" gainprm=".75 1.05 20 200 .5 1.6 1.5 1.3 1.2" lengthrange="-1 1"/>
    <general joint="branch" biastype="muscle" biasprm=".75 1.05 20 200 .5 1.6 1.5 1.3 1.2" lengthrange="-1 1"/>
""")

# several models: MuJoCo before 4.0 crashes when one has many more controls than actuators
PID = model("""
    <pid joint="hinge" kp="3" kv="2" input="pos"/>
    <pid joint="hinge" kp="3" kv="2" input="vel"/>
    <pid joint="hinge" kp="3" kv="2" input="ff"/>
    <pid joint="slide" kp="3" kv="2" input="vel ff"/>
    <pid joint="slide" kp="3" dampratio=".7" input="pos vel ff"/>
""")

PID_STATES = model("""
    <pid joint="branch" kp="3" kv="2" ki="4" imax=".5" input="pos vel ff"/>
    <pid joint="branch" kp="3" kv="2" ki="4" input="pos"/>
    <pid joint="other" kp="3" kv="2" slewmax="3" input="pos vel"/>
    <pid joint="ball" kp="3" kv="2" gear="1 2 0"/>
    <pid joint="other" kp="3" kv="2" forcerange="-.1 .2" posrange="-.1 .1" velrange="-.3 .3" ffrange="-.1 .1"
         input="pos vel ff"/>
""")

ORIENTATIONS = model("""
    <orientation joint="ball" kp="3" kv=".2"/>
    <orientation joint="ball" kp="3" dampratio=".3" input="quat"/>
    <motor joint="other"/>
    <motor joint="branch"/>
""")

ORIENTATIONS_BETWEEN = model("""
    <motor joint="other"/>
    <orientation site="on_lower" refsite="on_branch" kp="2" kv=".1" forcerange="0 .4"/>
    <orientation site="on_lower" refsite="world" kp="2" kv=".1" input="quat"/>
""")

DCMOTORS = model("""
    <dcmotor joint="hinge" motorconst=".5" resistance="2"/>
    <dcmotor joint="hinge" motorconst=".5" resistance="2" input="none"/>
    <dcmotor joint="slide" motorconst=".5" resistance="2" controller="3 4 5 6 .1 2" input="pos vel ff voltage"/>
    <dcmotor joint="slide" motorconst=".5" resistance="2" controller="3 4 5 6 .1" input="pos"/>
    <dcmotor joint="branch" motorconst=".5" resistance="2" controller="3 0 5" input="vel ff"/>
    <dcmotor joint="branch" motorconst=".5" resistance="2" thermal="2 3 .4 .004 25 20"/>
    <dcmotor joint="branch" motorconst=".5" resistance="2" thermal="2 3 .4 .004 25 20" controller="3 4 5"
             input="pos vel"/>
""")

DCMOTOR_STATES = model("""
    <dcmotor joint="other" motorconst=".5" resistance="2" inductance=".01"/>
    <dcmotor joint="other" motorconst=".5" resistance="2" saturation="1 2 3" inductance=".02 .1"/>
    <dcmotor joint="other" motorconst=".5" resistance="2" lugre="10 1 .1 .3 .5" cogging=".1 6 .2"/>
    <dcmotor joint="other" motorconst=".5 .4" resistance="2" lugre="10 1 .1 .3 .5" cogging=".1 6 .2" inductance=".01"
             thermal="2 3 .4 .004 25 20" controller="3 4 5 6 .1 2" input="pos vel ff voltage" gear="2"/>
    <dcmotor joint="hinge" nominal="12 3 20" saturation=".1" gear="2"/>
    <dcmotor tendon="spatial" motorconst=".5" resistance="2" lugre="10 1 .1 .3 .5"/>
""")

DELAYS = model("""
    <motor joint="hinge" nsample="4"/>
    <motor joint="hinge" nsample="4" delay=".004"/>
    <motor joint="hinge" nsample="5" delay=".0100" interp="zoh"/>
    <motor joint="hinge" nsample="5" delay=".0100" interp="linear"/>
    <motor joint="hinge" nsample="6" delay=".0130" interp="cubic"/>
    <motor joint="hinge" nsample="1" delay=".02" interp="cubic"/>
    <motor joint="hinge" nsample="3" delay=".0013" interp="linear" ctrlrange="-.4 .3"/>
    <general joint="hinge" nsample="4" delay=".01" dyntype="filter" dynprm=".1"/>
    <orientation joint="ball" kp="3" input="quat" nsample="4" delay=".007" interp="linear"/>
    <orientation joint="ball" kp="3" nsample="5" delay=".011" interp="cubic"/>
    <pid joint="hinge" kp="10" kv="1" input="pos vel" nsample="3" delay=".004"/>
""")

ALL = {
    "transmissions": TRANSMISSIONS,
    "shortcuts": SHORTCUTS,
    "dynamics": DYNAMICS,
    "muscles": MUSCLES,
    "pid": PID,
    "pid_states": PID_STATES,
    "orientations": ORIENTATIONS,
    "orientations_between": ORIENTATIONS_BETWEEN,
    "dcmotors": DCMOTORS,
    "dcmotor_states": DCMOTOR_STATES,
    "delays": DELAYS,
}
