"""Small models, one idea each, for comparison with MuJoCo."""

from __future__ import annotations

MODELS: dict[str, str] = {}

SHAPES = {
    "sphere": ".3",
    "capsule": ".2 .5",
    "cylinder": ".2 .5",
    "ellipsoid": ".2 .3 .4",
    "box": ".1 .2 .3",
}
ORIENTATIONS = (
    'quat="1 2 3 4"',
    'quat="-1 0 0 0"',
    'axisangle="1 2 3 40"',
    'euler="10 20 30"',
    'euler="180 0 0"',
    'xyaxes="1 2 0 0 1 1"',
    'xyaxes="-1 0 0 0 -1 0"',
    'xyaxes="1 0 0 0 -1 0"',
    'xyaxes="-1 0 0 0 1 0"',
    'zaxis="1 -2 3"',
    'zaxis="0 0 -1"',
    'zaxis="0 0 1"',
)


def add(name: str, world: str = "", head: str = "", tail: str = "") -> None:
    assert name not in MODELS
    MODELS[name] = f"<mujoco>{head}<worldbody>{world}</worldbody>{tail}</mujoco>"


# ---- nothing much

MODELS["no worldbody"] = "<mujoco/>"
MODELS["fragment"] = '<mujoco><body childclass="q"><joint class="r"/><body/></body><frame/><worldbody/></mujoco>'
MODELS["named"] = '<mujoco model="two words"/>'
add("empty")
add("infinite plane", '<geom type="plane" size="0 0 1"/>')
add("finite plane", '<geom type="plane" size="4 3 1" pos="0 0 2"/>')
add("plane on edge", '<geom type="plane" size="4 0 1" pos="0 0 2" zaxis="1 0 0"/>')
add("bodies of nothing", '<body pos="1 2 3" quat="1 2 3 4"/><body pos="3 4 5"><body pos="1 1 1"/></body>')
add(
    "fixed bodies",
    """
    <geom type="plane" size="1 2 .1"/><geom type="plane" size="0 0 1"/>
    <body pos="1 2 3"><geom size="1"/><body pos="1 0 0"><geom type="box" size="1 1 1"/></body></body>""",
)

# ---- shapes and inertia

for shape, size in SHAPES.items():
    for shell in ("false", "true"):
        for weight in ('density="1000"', 'mass="2.5"', 'density="300"', 'mass="0"'):
            joint = "" if weight == 'mass="0"' else "<freejoint/>"
            add(
                f"{shape} shell={shell} {weight}",
                f"""
                <body pos="1 2 3">{joint}<geom type="{shape}" size="{size}" shellinertia="{shell}" {weight}
                pos=".1 .2 .3" euler="10 20 30"/></body>""",
            )
    add(
        f"two geoms, {shape}",
        f"""
        <body pos="1 2 3"><joint type="ball"/>
        <geom type="{shape}" size="{size}" pos=".1 .2 .3" euler="10 20 30"/>
        <geom type="{shape}" size="{size}" pos="-.3 .2 .1" zaxis="1 2 3" density="500"/></body>""",
    )
    add(
        f"fluid, {shape}",
        f"""
        <body><freejoint/><geom type="{shape}" size="{size}" fluidshape="ellipsoid" fluidcoef="1 2"/></body>""",
        '<option density="1" viscosity="2" wind="1 2 3"/>',
    )
    if shape != "sphere":
        add(
            f"fromto, {shape}",
            "<body><joint/>"
            + "".join(
                f'<geom type="{shape}" size=".1" fromto="{points}"/><site type="{shape}" size=".1" fromto="{points}"/>'
                for points in ("0 0 0 .3 .4 -.5", "0 0 1 0 0 2", "0 0 2 0 0 1")
            )
            + "</body>",
        )
add(
    "geoms without mass do not count",
    """
    <body><joint/><geom size="1" mass="0" pos="1 0 0"/><geom size="1"/>
    <geom size=".2 .3 .4" type="box" pos="0 .1 0" mass="0"/></body>""",
)
add("mass in a welded body", '<body><joint/><body><geom size="1"/></body></body>')
add(
    "inertial",
    """
    <body><joint/><inertial pos="1 2 3" mass="4" diaginertia="3 2 4"/></body>
    <body><joint/><inertial pos="1 2 3" mass="4" fullinertia="3 2 4 .1 -.2 .3"/></body>
    <body><joint/><inertial pos="0 0 0" quat="1 1 0 0" mass="4" diaginertia="3 2 4"/><geom size="1"/></body>
    <body><joint/><inertial pos="0 0 0" euler="30 40 50" mass="4" diaginertia="3 2 4"/></body>
    <body><joint/><inertial pos="0 0 0" mass="4" fullinertia="1 2 3 0 0 0"/></body>
    <body><joint/><inertial pos="0 0 0" mass="4" fullinertia="2 2 2 0 0 0"/></body>
    <body><joint/><inertial pos="0 0 0" mass="4" fullinertia="2 3 2 .5 0 0"/></body>""",
)
for choice in ("true", "false", "auto"):
    add(
        f"inertiafromgeom {choice}",
        """
        <body><joint/><inertial pos="1 2 3" mass="4" diaginertia="3 2 4"/><geom size=".3" pos="1 0 0"/></body>
        <body><geom size=".3" pos="1 0 0"/></body>""",
        f'<compiler inertiafromgeom="{choice}"/>',
    )
add(
    "inertiagrouprange",
    """
    <body><joint/><geom size=".3" group="3"/><geom size=".4" pos="1 0 0" group="1"/></body>""",
    '<compiler inertiagrouprange="0 2"/>',
)
add("bounds", '<body><joint/><geom size=".01"/></body><body/>', '<compiler boundmass="1" boundinertia="2"/>')
add(
    "balanceinertia",
    '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 2 9"/></body>',
    '<compiler balanceinertia="true"/>',
)
add(
    "settotalmass",
    """
    <body><joint/><geom size=".1"/><body><geom size=".2"/></body></body><body><geom size="1"/></body>""",
    '<compiler settotalmass="10"/>',
)
for choice in ("true", "false"):
    add(
        f"alignfree {choice}",
        """
        <body pos="1 2 3" euler="10 20 30"><freejoint/><geom size=".1" pos="1 0 0"/>
        <geom type="box" size=".1 .2 .3" pos=".3 .2 .1" euler="40 50 60"/>
        <site pos="1 2 3" euler="1 2 3"/><camera pos="0 0 1" euler="3 4 5"/><light dir="1 2 3" pos="1 0 0"/></body>
        <body><freejoint align="false"/><geom size=".1" pos="1 0 0"/></body>
        <body><freejoint align="true"/><geom size=".1" pos="1 0 0"/></body>
        <body><joint type="free"/><geom type="box" size=".1 .2 .3" pos="1 0 0"/></body>
        <body><freejoint/><geom size=".1" pos="1 0 0"/><body/></body>""",
        f'<compiler alignfree="{choice}"/>',
    )

# ---- trees and joints

add(
    "chain",
    """
    <body name="a"><joint name="j"/><geom size=".1"/>
      <body name="b" pos="0 0 1">
        <joint type="slide" axis="1 2 3"/><joint axis="0 1 0" pos="0 0 .3"/>
        <geom type="capsule" size=".1 .3" pos="0 0 .3"/>
        <body pos="1 0 0"><joint type="ball"/><geom type="box" size=".1 .2 .3"/><site name="s" pos=".1 0 0"/></body>
        <body pos="-1 0 0"><geom size=".1"/>
          <body><joint/><geom type="ellipsoid" size=".1 .2 .3" euler="30 20 10"/></body></body>
      </body></body>
    <body pos="5 0 0"><freejoint name="f"/><geom size=".2"/>
      <body pos="1 0 0"><joint type="slide"/><geom size=".1"/></body></body>""",
)
add(
    "simple bodies",
    "".join(
        f"<body>{joints}<geom size='1'/></body>"
        for joints in (
            '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>',
            '<joint axis="0 -1 0"/>',
            '<joint type="slide"/><joint axis="0 1 0"/>',
            '<joint/><joint axis="0 1 0"/>',
            '<joint type="slide" axis="1 1 0"/>',
            '<joint pos=".1 0 0"/>',
            "<freejoint/>",
            '<joint type="ball"/>',
        )
    )
    + """
    <body pos="1 1 1"><body><joint type="slide"/><geom size="1"/></body></body>
    <body pos="1 1 1"><body><body><joint type="slide"/><geom size="1"/></body></body></body>
    <body simple="false"><freejoint/><geom size="1"/></body>
    <body><freejoint/><geom pos=".1 0 0" size="1"/></body>
    <body><joint/><geom size="1"/><body><joint type="slide"/><geom size="1"/></body></body>""",
)
add(
    "limits",
    """
    <body><joint range="-90 90"/><joint type="slide" range="-1 1"/><geom size="1"/></body>
    <body><joint type="ball" range="0 60"/><geom size="1"/></body>
    <body><joint range="-90 90" limited="false" ref="30" springref="20" actuatorfrcrange="-1 2"/>
      <joint limited="true" range="-1 2" type="slide" ref=".3" actuatorfrclimited="true" actuatorfrcrange="0 1"/>
      <geom size="1"/></body>
    <body><joint type="free" range="0 1"/><geom size="1"/></body>
    <body><joint type="ball" actuatorfrcrange="0 1"/><geom size="1"/></body>""",
)
add(
    "radians",
    '<body><joint range="-1 1" ref=".2" springref=".1"/><geom size="1"/></body>',
    '<compiler angle="radian"/>',
)
add(
    "joint parameters",
    """
    <body><joint stiffness="1 2 3" damping="4 5" armature="6" frictionloss="7" margin="8" group="2"
      solreflimit=".1" solimplimit=".8 .9" solreffriction="-1 -2" solimpfriction=".1 .2 .3 .4 .5" user="1 2 3"
      actuatorgravcomp="true"/><geom size="1"/></body>
    <body><joint type="ball" damping="1 2 3" stiffness="1" armature=".1" frictionloss=".2"/><geom size="1"/></body>""",
)
add(
    "mocap",
    """
    <body name="m" mocap="true" pos="1 2 3" euler="1 2 3"><geom size="1"/>
      <body pos="1 0 0"><geom type="plane" size="1 1 1"/></body></body>
    <body/><body mocap="true"/>""",
)
add("gravcomp", '<body gravcomp="1" user="3"><joint/><geom size="1"/></body><body gravcomp=".5"/>')
add(
    "sleep policies",
    """
    <body sleep="never"><freejoint/><geom size="1"/></body>
    <body><body sleep="init"><joint/><geom size="1"/></body></body>
    <body sleep="allowed"><joint/><geom size="1"/><body><joint/><geom size="1"/></body></body>
    <body><joint/><geom size="1"/></body>""",
)

# ---- frames

for orientation in ORIENTATIONS:
    settings = [("xyz", "degree"), ("xyz", "radian")]
    if orientation.startswith("euler"):
        settings += [("XYZ", "degree"), ("zYx", "radian")]
    for sequence, angle in settings:
        o = orientation
        add(
            f"{o} {sequence} {angle}",
            f"""
            <body {o}><joint/><geom {o} size="1"/><site {o}/><camera {o}/>
              <inertial pos="1 0 0" {o} mass="1" diaginertia="1 1 1"/>
              <frame {o} pos="1 2 3"><geom size="1" {o}/><body pos="1 0 0" {o}/>
                <frame {o}><site {o}/><camera {o}/><light dir="1 0 0"/>
                  <geom size=".1" type="capsule" fromto="0 0 0 1 0 0"/></frame></frame></body>""",
            f'<compiler eulerseq="{sequence}" angle="{angle}"/>',
        )
add(
    "joints in frames",
    """
    <frame pos="1 2 3" euler="30 40 50">
      <body><joint axis="1 2 3" pos="1 1 1"/><joint type="ball"/><geom size="1"/></body><geom size="1"/>
      <frame name="f" pos="1 0 0"><body><freejoint/><geom size="1"/></body></frame></frame>
    <body><geom size="1"/><frame name="g" pos=".1 0 0" zaxis="1 0 0">
      <joint type="slide" axis="0 1 0" pos="1 2 3"/></frame></body>""",
)
add(
    "same frames",
    """
    <site/><site name="s" type="box" size=".1 .2 .3" pos="1 2 3" rgba="1 0 0 1" group="4" user="1"/>
    <body euler="10 20 30"><geom type="box" size=".1 .2 .3" euler="40 50 60" pos="1 2 3"/>
      <site euler="40 50 60" pos="1 2 3"/><site euler="40 50 60"/><site type="cylinder" size=".1"/>
      <geom size=".1" group="5" mass="0" euler="40 50 60"/></body>""",
)

# ---- geoms, cameras, lights

add(
    "geom parameters",
    """
    <geom size="1" contype="2" conaffinity="4" condim="6" group="3" priority="7" friction="2 .1" solmix="3"
      solref="-1 -2" solimp=".5" margin=".1" gap=".05" surfacevel="1 2" adhesion="3" rgba=".1 .2 .3 .4" user="1 2"/>
    <body><geom size="1" margin=".2" contype="8"/><geom size="1" margin=".1" conaffinity="16"/></body>""",
)
add(
    "many geoms",
    "".join(
        f'<geom type="box" size=".1 .2 .3" pos="{i % 5} {i % 3 * 0.5} {i % 7 * 0.3}" euler="{i * 10} {i * 7} 0" '
        f'contype="{i % 4}" conaffinity="{i % 3}"/>'
        for i in range(23)
    )
    + '<body euler="10 20 30"><joint/>'
    + "".join(
        f'<geom type="capsule" size=".1 .2" pos="{i % 5} {i % 3 * 0.5} {i % 7 * 0.3}" euler="{i * 10} {i * 7} 0"/>'
        for i in range(13)
    )
    + "</body>",
)
add("geoms in one place", '<geom size=".1"/>' * 9 + '<geom type="plane" size="1 1 1"/>')
add(
    "cameras",
    """
    <camera name="c" pos="1 2 3" fovy="30" mode="targetbody" target="b" user="4"/>
    <camera projection="orthographic" fovy="3" ipd=".1" resolution="3 4" output="depth segmentation"/>
    <body name="b" pos="1 0 0"><freejoint/><geom size="1" pos=".5 0 0"/>
      <camera pos="0 0 1" xyaxes="0 1 0 0 0 1" mode="track"/><camera mode="trackcom" pos="1 1 1"/>
      <camera mode="targetbodycom" target="c" pos="1 1 1"/>
      <camera sensorsize="1 .7" resolution="10 20" focalpixel="3 4" principal=".1 .2"/>
      <camera sensorsize="1 .7" resolution="10 20" focal="1 1" focalpixel="3 4" principalpixel=".1 .2"/>
      <camera sensorsize=".0036 .0027" focal=".0020 .0021" principalpixel="3 4" resolution="640 480"/></body>
    <body name="c" pos="0 3 0"><joint/><geom size="1"/><body pos="1 0 0"><geom size="2"/></body></body>""",
)
add(
    "lights",
    """
    <light/><light type="image" texture="t"/>
    <light name="l" directional="true" castshadow="false" active="false" pos="1 2 3" dir="1 2 3" bulbradius=".1"
      intensity="3" range="4" attenuation="1 2 3" cutoff="60" softness=".5" exponent="3" ambient=".1 .2 .3"
      diffuse=".4 .5 .6" specular=".7 .8 .9"/>
    <light type="point" mode="targetbody" target="b"/>
    <body name="b" pos="0 1 0"><joint/><geom size="1" pos=".1 .2 .3"/><light mode="track" pos="0 0 1"/>
      <light mode="trackcom" dir="1 0 0"/><light mode="targetbodycom" target="c" pos="0 0 3"/></body>
    <body name="c" pos="2 2 2"><geom size=".1"/></body>""",
    '<default><light diffuse="1 0 0" directional="true"/></default>'
    '<asset><texture name="t" builtin="flat" width="3"/></asset>',
)

# ---- default classes

add(
    "default classes",
    """
    <geom/><geom class="a"/><geom class="b" rgba="0 0 1 1"/>
    <body childclass="a"><joint/><geom/><geom class="main"/><body><geom/><joint class="b"/></body>
      <body childclass="b"><geom/><frame childclass="a"><geom/><body><geom/></body></frame></body></body>
    <body><joint type="free"/><geom size="1"/></body><body><freejoint/><geom/></body>""",
    """
    <default><geom size=".5" solref=".1 2" friction="2 3 4" quat="1 1 0 0"/><joint damping="1" armature=".1"/>
      <default class="a"><geom type="box" size=".1 .2 .3" solref=".3"/>
        <default class="b"><geom rgba="1 0 0 1" friction=".1"/><joint type="slide" axis="1 0 0"/></default></default>
      <site size=".3"/></default>""",
)
add(
    "orientation of a default wins",
    """
    <geom quat="0 1 0 0"/><geom zaxis="1 0 0"/><geom class="f" zaxis="0 1 0"/><geom/>""",
    """
    <default><geom size=".1 .2 .3" euler="90 0 0"/>
      <default class="f"><geom type="capsule" fromto="0 0 0 1 0 0"/></default></default>""",
)
add(
    "two default sections",
    '<geom/><geom class="a"/>',
    """
    <default><geom size="2"/><default class="a"><geom rgba="1 0 0 1"/></default></default>
    <default class="main"><geom size="3"/></default>""",
)

# ---- assets

add(
    "materials",
    '<geom size="1" material="m"/><site material="n"/><geom size="1"/>',
    """
    <default><material specular=".9"/><default class="k"><material texture="t" rgba="1 0 0 1"/></default></default>
    <asset>
      <texture name="t" type="2d" builtin="checker" width="8" height="8"/>
      <texture name="u" type="cube" builtin="flat" width="4" height="4"/>
      <material name="m" texture="t" texrepeat="2 3" texuniform="true" emission=".1" shininess=".2" reflectance=".3"
        metallic=".4" roughness=".5" rgba="1 .5 .25 .5"/>
      <material name="n"/><material name="o" class="k"/>
      <material name="p"><layer texture="t" role="rgb"/><layer texture="u" role="normal"/></material>
      <material name="q" class="k"><layer texture="u" role="emissive"/></material></asset>""",
)
for kind in ("2d", "cube", "skybox"):
    for pattern in ("flat", "checker", "gradient"):
        for mark in ("none", "edge", "cross", "random"):
            add(
                f"texture {kind} {pattern} {mark}",
                head=f"""<asset>
                <texture name="t" type="{kind}" builtin="{pattern}" mark="{mark}" rgb1=".2 .3 .4" rgb2=".9 .1 .5"
                  markrgb=".8 .7 .6" width="33" height="20" random=".1"/>
                <texture type="skybox" builtin="gradient" width="16"/></asset>""",
            )
add(
    "odd textures",
    head="""<asset>
    <texture name="t" type="2d" builtin="checker" mark="random" width="6" height="4" hflip="true"/>
    <texture name="u" type="2d" builtin="checker" mark="random" width="6" height="4" vflip="true"/>
    <texture name="v" type="cube" builtin="gradient" mark="random" width="6" vflip="true" colorspace="sRGB"/>
    <texture name="w" type="2d" nchannel="3" builtin="flat" width="3" height="3"/>
    <texture name="x" type="2d" builtin="flat" rgb1="2 -1 .5" width="3" height="3"/>
    <texture name="y" type="2d" builtin="gradient" width="1" height="1"/>
    <texture name="z" type="cube" builtin="gradient" width="1"/>
    <texture name="c" type="2d" builtin="checker" width="2" height="1"/>
    <texture name="d" type="cube" builtin="checker" width="1" height="1"/>
    <texture name="e" type="skybox" builtin="checker" width="1" height="6" rgb1=".2 .3 .4"/>
    <texture name="s" type="2d" builtin="flat" mark="random" markrgb="1 1 1" width="300" height="300"/></asset>""",
)

# ---- keyframes and settings

MOVERS = """
    <body mocap="true" pos="1 2 3" quat="1 1 0 0"/><body><freejoint/><geom size="1"/></body>
    <body><joint type="ball"/><geom size="1"/></body><body><joint ref="30"/><geom size="1"/></body>"""
add(
    "keyframes",
    MOVERS,
    '<size nkey="5" nuserdata="3" nuser_geom="4" njmax="10" nconmax="20"/>',
    """
    <keyframe><key name="k" time="2" qpos="1 2 3 2 0 0 0 0 0 3 4 .5" qvel="1 2 3" mpos="7 8 9" mquat="0 0 2 0"/>
    <key qpos="0 0 0 0 0 0 0 0 0 0 0 0"/><key name="l"/></keyframe>""",
)
add("memory by stack", '<body><joint/><geom size="1"/></body>', '<size nstack="100000" nconmax="7"/>')
add(
    "settings",
    "<camera/>",
    """
    <option timestep=".01" impratio="2" tolerance="1e-3" ls_tolerance=".1" noslip_tolerance=".2" ccd_tolerance=".3"
      sleep_tolerance=".4" gravity="1 2 3" wind="4 5 6" magnetic="7 8 9" density="10" viscosity="11" o_margin=".1"
      o_solref=".5" o_solimp=".1 .2" o_friction="3 4" integrator="implicitfast" cone="elliptic" jacobian="sparse"
      solver="CG" iterations="7" ls_iterations="8" noslip_iterations="9" ccd_iterations="10" sdf_iterations="11"
      sdf_initpoints="12" actuatorgroupdisable="1 3 1">
      <flag contact="disable" energy="enable" island="disable" sleep="enable" gravity="enable" multiccd="disable"
        diagexact="enable"/></option>
    <option timestep=".02"><flag contact="enable" limit="disable"/></option>
    <statistic meanmass="3" meansize="4" extent="5" center="1 2 3" meaninertia="7"/>
    <visual>
      <global fovy="30" cameraid="2" orthographic="true" azimuth="10" elevation="-3" realtime=".5" offwidth="100"
        bvactive="true" ellipsoidinertia="true"/>
      <quality shadowsize="10" offsamples="0"/><headlight ambient=".5 .5 .5" active="0"/>
      <map znear=".1" zfar="3.3" force=".1"/><scale forcewidth=".7"/>
      <rgba haze=".1 .2 .3 .4" force="1 1 1 1"/></visual>
    <size memory="3M" nuser_tendon="2"/>""",
)
