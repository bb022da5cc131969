"""MJCF of the models that sensors are tested on: one with a sensor of every kind, and some with one idea each."""

from __future__ import annotations

# ---- a robot of sorts: every joint type, limits, tendons, actuators of all transmissions, contacts, equalities

BODIES = """
  <option magnetic="0.3 -0.2 0.5" tolerance="0" iterations="100"/>
  <asset>
    <hfield name="hills" nrow="8" ncol="10" size="2 2 .3 .1" elevation="{heights}"/>
    <mesh name="wedge" vertex="0 0 0  .4 0 0  0 .3 0  0 0 .5  .2 .2 .1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <site name="zone" type="box" size=".4 .4 .1" pos="0 0 .05"/>
    <site name="hidden" pos="1 1 1" euler="20 30 40"/>
    <camera name="fixed" pos="0 -3 2" xyaxes="1 0 0 0 .5 .8" resolution="6 4"/>
    <camera name="lens" pos=".2 0 2" euler="5 10 30" resolution="5 4" focal=".01 .02" sensorsize=".02 .03"/>
    <camera name="flat" pos=".2 0 2" euler="5 -10 30" resolution="5 4" projection="orthographic" fovy="3"/>
    <geom name="hills" type="hfield" hfield="hills" pos="6 0 0" euler="3 2 10"/>
    <body name="trunk" pos="0 0 .35" euler="10 20 30">
      <freejoint name="float"/>
      <geom name="trunk" type="box" size=".2 .15 .1" pos=".01 .02 0" euler="0 5 0"/>
      <site name="imu" pos=".1 .05 .1" euler="30 20 10"/>
      <site name="skin" type="ellipsoid" size=".3 .3 .15" pos="0 0 -.05"/>
      <camera name="eye" pos=".2 0 0" euler="80 -80 0" resolution="7 5"/>
      <body name="upper" pos=".25 0 .05">
        <joint name="hip" type="ball" range="0 20" damping=".1"/>
        <geom name="upper" type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
        <site name="mid" pos=".15 0 0"/>
        <body name="lower" pos=".35 0 0" euler="0 0 15">
          <joint name="knee" axis="0 1 0" range="-5 5" damping=".2"/>
          <geom name="lower" type="cylinder" size=".04 .12" euler="0 90 0" pos=".12 0 0"/>
          <geom name="foot" type="sphere" size=".06" pos=".27 0 0" condim="6" friction="1 .1 .02"/>
          <site name="ankle" pos=".2 0 0" euler="10 10 10"/>
          <site name="sole" type="sphere" size=".1" pos=".27 0 0"/>
        </body>
      </body>
      <body name="tail" pos="-.25 0 0">
        <joint name="slider" type="slide" axis="1 0 .2" range="-.02 .02"/>
        <geom name="tail" type="ellipsoid" size=".12 .05 .08" pos="-.1 0 0" condim="4"/>
        <site name="tip" pos="-.2 0 0"/>
      </body>
    </body>
    <body name="lump" pos=".8 .5 .4"><freejoint/><geom name="lump" type="mesh" mesh="wedge" condim="1"/></body>
    <body name="crate" pos="-.8 .5 .3" euler="0 30 0"><freejoint/>
      <geom name="crate" type="box" size=".2 .2 .2"/><geom name="knob" size=".08" pos="0 0 .25"/>
      <site name="on_crate" pos=".2 0 0"/><site name="inside" pos="-.1 .05 0"/>
    </body>
    <body name="gate" pos="-.8 1 .3"><joint name="gate" axis="0 0 1"/><geom size=".1 .1 .05" type="box"/>
      <site name="on_gate" pos=".173 -.5 -.1" euler="0 30 0"/></body>
    <body name="puppet" mocap="true" pos="1 -1 1"><geom name="puppet" size=".05" contype="0" conaffinity="0"/></body>
    <body name="leash" pos="1 -1 .7"><freejoint/><geom name="leash" size=".07"/></body>
  </worldbody>
  <equality>
    <connect body1="crate" body2="gate" anchor="0 .2 0"/>
    <weld site1="on_gate" site2="on_crate" solref=".1 1"/>
    <weld body1="leash" body2="puppet" torquescale=".5"/>
    <joint joint1="gate" joint2="knee" polycoef="0 .1 0 0 0"/>
  </equality>
  <tendon>
    <spatial name="cord" range="0 .69" limited="true" width=".01"><site site="imu"/><site site="ankle"/></spatial>
    <fixed name="sum" range="-.05 .05" limited="true">
      <joint joint="knee" coef=".7"/><joint joint="slider" coef="3"/></fixed>
  </tendon>
  <actuator>
    <motor name="motor" joint="knee" gear="3"/>
    <position name="servo" joint="slider" kp="50"/>
    <motor name="pull" tendon="cord" gear="10"/>
    <velocity name="drag" tendon="cord" kv="2"/>
    <motor name="thrust" site="tip" refsite="imu" gear="1 0 0 0 1 0"/>
  </actuator>
""".format(heights=" ".join(str((7 * i * i + 3 * i) % 11) for i in range(80)))

FRAMES = (("xbody", "upper"), ("body", "trunk"), ("geom", "lower"), ("site", "imu"), ("camera", "eye"))
FELT = ("accelerometer", "force", "torque", "gyro")
CONTACT_FIELDS = "found force torque dist pos normal tangent"
RAY_FIELDS = "dist dir origin point normal depth"


def _every_sensor() -> str:
    site = [f'<{kind} site="imu"/>' for kind in (*FELT, "velocimeter", "magnetometer")]
    site += [f'<{kind} site="ankle"/>' for kind in FELT]
    site += ['<force site="on_crate"/>', '<torque site="on_gate"/>', '<accelerometer site="hidden"/>']
    joints = [f'<joint{what} joint="{j}"/>' for what in ("pos", "vel", "actuatorfrc") for j in ("knee", "slider")]
    limits = [f'<jointlimit{what} joint="{j}"/>' for what in ("pos", "vel", "frc") for j in ("knee", "slider", "hip")]
    tendons = [f'<tendon{what} tendon="cord"/>' for what in ("pos", "vel", "actuatorfrc")]
    tendons += [f'<tendonlimit{what} tendon="{t}"/>' for what in ("pos", "vel", "frc") for t in ("cord", "sum")]
    actuators = [
        f'<actuator{what} actuator="{a}"/>' for what in ("pos", "vel", "frc") for a in ("servo", "pull", "thrust")
    ]
    frames = []
    for kind in ("pos", "quat", "xaxis", "yaxis", "zaxis", "linvel", "angvel", "linacc", "angacc"):
        for objtype, objname in FRAMES:
            frames.append(f'<frame{kind} objtype="{objtype}" objname="{objname}"/>')
            if not kind.endswith("acc"):
                ref = 'reftype="site" refname="ankle"' if objtype != "site" else 'reftype="xbody" refname="tail"'
                frames.append(f'<frame{kind} objtype="{objtype}" objname="{objname}" {ref}/>')
    trees = [
        f'<subtree{kind} body="{b}"/>' for kind in ("com", "linvel", "angmom") for b in ("trunk", "upper", "world")
    ]
    inside = [
        f'<insidesite objtype="{t}" objname="{n}" site="{s}"/>'
        for s in ("zone", "skin", "sole")
        for t, n in (("body", "trunk"), ("geom", "foot"), ("site", "tip"), ("site", "ankle"))
    ]
    touch = [f'<touch site="{s}"/>' for s in ("skin", "sole", "imu", "inside", "on_crate")]
    rest = ['<e_potential/><e_kinetic/><clock/><ballquat joint="hip"/><ballangvel joint="hip"/>']
    views = [f'<camprojection site="{s}" camera="{c}"/>' for s in ("imu", "hidden") for c in ("fixed", "lens", "eye")]
    return "".join([*site, *joints, *limits, *tendons, *actuators, *frames, *trees, *inside, *touch, *rest, *views])


def _contact_sensors() -> str:
    pairs = (
        "", 'geom1="foot"', 'geom2="foot"', 'geom1="floor" geom2="foot"', 'geom1="foot" geom2="floor"', 'body1="crate"',
        'subtree1="trunk"', 'body2="world" subtree1="trunk"', 'site="zone"', 'site="zone" geom2="trunk"',
        'body1="trunk" body2="trunk"', 'subtree1="trunk" subtree2="trunk"',
    )  # fmt: skip
    reduced = [
        f'<contact {pair} num="3" reduce="{how}" data="{CONTACT_FIELDS}"/>'
        for pair in pairs
        for how in ("none", "mindist", "maxforce", "netforce")
    ]
    fields = [f'<contact geom1="foot" num="2" data="{field}"/>' for field in CONTACT_FIELDS.split()]
    return "".join([*reduced, *fields, '<contact num="30" data="found pos tangent" reduce="mindist"/><contact/>'])


def _range_finders() -> str:
    sites = [f'<rangefinder site="{s}" data="{RAY_FIELDS}"/>' for s in ("imu", "hidden", "tip", "ankle", "inside")]
    cameras = [f'<rangefinder camera="{c}" data="{RAY_FIELDS}"/>' for c in ("fixed", "lens", "flat", "eye")]
    fields = [f'<rangefinder site="hidden" data="{field}"/>' for field in RAY_FIELDS.split()]
    return "".join([*sites, *cameras, *fields, '<rangefinder camera="eye" cutoff=".5"/><rangefinder site="imu"/>'])


def _distances() -> str:
    geoms = ("floor", "trunk", "upper", "lower", "foot", "tail", "lump", "crate", "knob")
    pairs = [f'geom1="{a}" geom2="{b}"' for i, a in enumerate(geoms) for b in geoms[i + 1 :]]
    pairs += ['geom1="crate" geom2="foot"', 'body1="crate" body2="upper"', 'body1="trunk" geom2="floor"']
    kinds = ("distance", "normal", "fromto")
    return "".join(f'<{kind} {pair} cutoff="2"/>' for pair in pairs for kind in kinds) + (
        '<distance geom1="knob" geom2="foot"/><fromto geom1="knob" geom2="foot" cutoff=".01"/>'
        '<normal geom1="knob" geom2="lump" cutoff=".01"/>'
    )


CUT_OFF = """
  <accelerometer site="imu" cutoff="2"/><touch site="skin" cutoff=".5"/><jointpos joint="knee" cutoff=".01"/>
  <framepos objtype="body" objname="crate" cutoff=".3"/><subtreelinvel body="trunk" cutoff=".05"/>
  <contact geom1="foot" data="force" cutoff=".1"/><clock cutoff=".001"/><rangefinder site="hidden" cutoff=".1"/>
  <insidesite objtype="body" objname="trunk" site="zone" cutoff=".5"/>
"""

SENSORS = {
    "every": _every_sensor(),
    "contact": _contact_sensors(),
    "range": _range_finders(),
    "distance": _distances(),
    "cutoff": CUT_OFF,
}


def scene(which: str, option: str = "") -> str:
    """The robot with some of the sensors."""
    return f"<mujoco>{BODIES}<sensor>{SENSORS[which]}</sensor>{option}</mujoco>"


# ---- delays, intervals and interpolation, on sensors of all three stages

_HISTORIES = (
    'nsample="4"', 'nsample="4" delay=".004"', 'nsample="6" delay=".0073" interp="linear"',
    'nsample="7" delay=".0091" interp="cubic"', 'nsample="3" interval=".006"', 'nsample="3" interval=".0071 -.003"',
    'nsample="5" interval=".005" delay=".011" interp="linear"', 'nsample="2" delay=".05"', 'interval=".006"',
)  # fmt: skip
_KINDS = (
    '<jointpos joint="a" {}/>', '<framelinvel objtype="xbody" objname="forearm" {}/>', '<accelerometer site="tip" {}/>',
    '<subtreeangmom body="arm" {}/>', '<force site="tip" cutoff="3" {}/>',
    '<framequat objtype="site" objname="tip" {}/>', '<touch site="tip" {}/>', '<clock {}/>',
)  # fmt: skip

DELAYS = f"""
<mujoco>
  <option timestep=".002"/>
  <worldbody>
    <geom type="plane" size="1 1 .1" pos="0 0 -.45"/>
    <body name="arm"><joint name="a" axis="0 1 0" damping=".02"/><geom size=".03" type="capsule" fromto="0 0 0 .2 0 0"/>
      <body name="forearm" pos=".2 0 0"><joint name="b" type="ball"/>
        <geom size=".03" type="capsule" fromto="0 0 0 .2 0 0"/>
        <site name="tip" pos=".2 0 0" size=".05"/></body></body>
  </worldbody>
  <actuator><motor joint="a" nsample="3" delay=".003"/></actuator>
  <sensor>{"".join(kind.format(history) for kind in _KINDS for history in _HISTORIES)}</sensor>
</mujoco>
"""

# ---- two piles of which one falls asleep, and sensors about one, both, none and the world

SLEEPERS = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <default><geom condim="3"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <site name="zone" type="box" size="1 1 1"/>
    <body name="still" pos="0 0 .1" sleep="allowed"><freejoint/><site name="s"/>
      <geom name="still" type="box" size=".1 .1 .1"/>
      <body pos=".3 0 0"><joint name="h" axis="0 0 1" damping="5" range="-10 10"/><geom name="arm" size=".05"/></body>
    </body>
    <body name="busy" pos="2 0 .5"><freejoint/><geom name="busy" size=".1"/><site name="b"/></body>
    <site name="w" pos="0 0 2"/>
  </worldbody>
  <tendon><fixed name="t"><joint joint="h" coef="1"/></fixed></tendon>
  <actuator><position name="a" joint="h" kp="1"/></actuator>
  <sensor>
    <framepos objtype="site" objname="s"/><framelinvel objtype="site" objname="b"/><gyro site="s"/>
    <accelerometer site="s"/><accelerometer site="b"/><accelerometer site="w"/>
    <framepos objtype="site" objname="s" reftype="site" refname="b"/>
    <framepos objtype="site" objname="s" reftype="site" refname="w"/>
    <framepos objtype="site" objname="w" reftype="body" refname="world"/>
    <framelinacc objtype="body" objname="still"/><touch site="s"/><jointpos joint="h"/><tendonpos tendon="t"/>
    <tendonvel tendon="t"/><actuatorpos actuator="a"/><actuatorfrc actuator="a"/><jointlimitpos joint="h"/>
    <subtreelinvel body="still"/><subtreeangmom body="world"/><clock/><e_kinetic/><e_potential/>
    <distance geom1="still" geom2="floor" cutoff="1"/><distance geom1="still" geom2="busy" cutoff="3"/>
    <contact geom1="still" data="found force"/><contact site="zone" data="found force" num="6"/><contact/>
    <contact body1="busy" data="found dist"/><rangefinder site="s"/><insidesite objtype="site" objname="s" site="zone"/>
    <magnetometer site="s"/><force site="s"/><torque site="b"/>
  </sensor>
</mujoco>
"""

# ---- cameras whose focal lengths and principal points are not short numbers

_LENSES = (
    'resolution="3 4" focal=".01 .02" sensorsize=".02 .03" principal=".0012 -.0007"',
    'resolution="7 5" focal=".013 .011" sensorsize=".017 .019"',
)
LENS = f"""
<mujoco>
  <worldbody>
    <body><geom type="plane" size="3 3 .1"/><geom size=".3" pos=".1 .2 .5"/><site name="far" pos=".3 .7 .1"/></body>
    {"".join(f'<camera name="{k}" pos=".1 .3 2" euler="7 9 4" {lens}/>' for k, lens in enumerate(_LENSES))}
  </worldbody>
  <sensor>
    {"".join(f'<camprojection site="far" camera="{k}"/><rangefinder camera="{k}"/>' for k in range(len(_LENSES)))}
  </sensor>
</mujoco>
"""

# ---- accelerometers on the world, on a fixed body, on a mocap body, and on two bodies that this one carries

_PLACES = ("world", "fixed", "puppet", "carried", "hanging")
PUPPET = f"""
<mujoco>
  <worldbody>
    <site name="world"/>
    <body><geom size=".1"/><site name="fixed"/></body>
    <body mocap="true" pos="0 0 2"><geom size=".1"/><site name="puppet"/>
      <body pos=".3 0 0"><geom size=".1"/><site name="carried"/></body>
      <body pos="0 0 -.5"><joint axis="0 1 0" pos="0 0 .5"/><geom size=".1"/><site name="hanging"/></body>
    </body>
  </worldbody>
  <sensor>
    {"".join(f'<accelerometer site="{s}"/><framelinacc objtype="site" objname="{s}"/>' for s in _PLACES)}
  </sensor>
</mujoco>
"""

# ---- a finger with a sensitive pad, against one shape and a ball

TACTILE = """
<mujoco>
  <asset>
    <mesh name="pad" builtin="wedge" params="12 9 60 40 .3" scale=".2 .2 .2"/>
    <mesh name="lump" vertex="0 0 0  .4 0 0  0 .3 0  0 0 .5  .2 .2 .1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 .1" pos="0 0 -.15"/>
    <body name="finger"><joint axis="0 1 0"/><geom type="sphere" size=".2"/>
      <geom name="skin" type="mesh" mesh="pad" contype="0" conaffinity="0" euler="0 -90 0"/></body>
    <body pos="-.3 0 .05"><freejoint/><geom size=".12"/></body>
    <body pos=".22 .03 .12" euler="10 20 30"><freejoint/><geom {shape}/></body>
  </worldbody>
  <sensor><tactile name="felt" geom="skin" mesh="pad"/></sensor>
</mujoco>
"""
