"""Small models with contacts, equalities, tendons, actuators, sensors and custom fields, one idea each."""

from __future__ import annotations

SECTIONS: dict[str, str] = {}

WORLD = """
    <geom name="floor" type="plane" size="0 0 1"/><site name="o" pos="0 0 2" euler="10 20 30"/>
    <camera name="eye" resolution="4 3"/><geom name="post" type="cylinder" size=".1 .5" pos="0 0 1"/>
    <body name="a" pos="1 0 1" euler="30 0 10"><joint name="j" range="-30 60"/><geom name="ga" size=".1"/>
      <site name="sa" pos=".1 .2 .3"/>
      <body name="b" pos=".5 .1 0" euler="0 40 0"><joint name="k" type="slide" axis="1 2 0" range="-1 2"/>
        <geom name="gb" type="box" size=".1 .2 .1"/><site name="sb" quat="1 2 3 4"/><camera name="cb"/>
        <body name="c"><geom name="gc" size=".1" pos=".3 0 0"/><site name="sc" pos=".3 0 .1"/></body></body></body>
    <body name="d" pos="-1 0 1"><joint name="ball" type="ball" range="0 50"/><geom name="gd" size=".2"/>
      <site name="sd" pos="0 0 .2"/></body>
    <body name="e" pos="0 1 1"><freejoint name="free"/><geom name="ge" size=".2"/><site name="se"/></body>
    <body name="m" mocap="true" pos="3 0 0"><site name="sm"/></body>"""


def add(name: str, tail: str, head: str = "") -> None:
    """A model with the bodies above, settings and default classes in `head`, other sections in `tail`."""
    assert name not in SECTIONS
    SECTIONS[name] = f"<mujoco>{head}<worldbody>{WORLD}</worldbody>{tail}</mujoco>"


# ---- contact

add(
    "pairs",
    """<contact>
    <pair name="p" geom1="gd" geom2="ga" condim="6" friction="1 2 3 4 5" solref=".1 2" solreffriction=".2 3"
      solimp=".1 .2 .3 .4 5" margin=".1" gap=".05" adhesion="2"/>
    <pair geom1="ga" geom2="gd"/><pair geom1="floor" geom2="gd" friction="2"/><pair geom1="gb" geom2="gb"/>
    <pair geom1="gc" geom2="ga" class="k" solref=".7"/>
    <exclude name="x" body1="d" body2="a"/><exclude body1="a" body2="world"/><exclude body1="a" body2="d"/>
    <exclude body1="b" body2="b"/></contact>
    <custom><tuple name="t"><element objtype="pair" objname="p"/><element objtype="exclude" objname="x"/></tuple>
      </custom>""",
    """<default><pair condim="4" margin=".3"/>
    <default class="k"><pair friction="4 3" solimp=".5" adhesion="1"/></default></default>""",
)

# ---- equality

add(
    "equalities",
    """<equality>
    <connect name="e" body1="a" body2="d" anchor=".1 .2 .3" solref=".1" solimp=".5 .6" active="false"/>
    <connect body1="b" anchor="1 2 3"/><connect site1="sb" site2="sd"/><connect body1="m" body2="e" anchor="0 0 1"/>
    <weld body1="a" body2="d"/><weld body1="e" anchor="1 2 3" torquescale=".3"/>
    <weld body1="b" body2="c" relpose="1 2 3 4 0 0 3"/><weld body1="b" body2="d" relpose="1 2 3 0 0 0 0"/>
    <weld site1="sa" site2="o" torquescale="2"/><weld body1="world" body2="a"/>
    <joint joint1="j"/><joint joint1="j" joint2="k" polycoef="1 2 3" class="q"/><joint joint1="k" polycoef="1 2 3 4 5"/>
    <tendon tendon1="t"/><tendon tendon1="t" tendon2="u" polycoef=".1 .5"/></equality>
    <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed><fixed name="u"><joint joint="k" coef="2"/></fixed>
      </tendon>
    <custom><tuple name="t"><element objtype="equality" objname="e" prm="2"/></tuple></custom>""",
    """<default><equality solref=".3 .4"/>
    <default class="q"><equality active="false" solimp=".1 .2 .3"/></default></default>""",
)

# ---- tendons

PATHS = {
    "two sites": '<site site="sa"/><site site="sd"/>',
    "static": '<site site="o"/><site site="sm"/>',
    "one tree": '<site site="o"/><site site="sc"/>',
    "sphere": '<site site="o"/><geom geom="ga"/><site site="sd"/>',
    "cylinder": '<site site="sa"/><geom geom="post" sidesite="o"/><site site="sb"/><site site="sc"/>',
    "pulleys": """<site site="sa"/><site site="sd"/><pulley divisor="2"/><site site="sa"/><site site="sc"/>
        <pulley divisor="2.5"/><site site="o"/><geom geom="gd" sidesite="sd"/><site site="se"/>""",
    "starts with a pulley": '<pulley divisor="3"/><site site="sa"/><site site="sd"/>',
}
for path, inside in PATHS.items():
    add(f"path {path}", f"<tendon><spatial>{inside}</spatial></tendon>")
add(
    "fixed paths",
    """<tendon><fixed name="f"><joint joint="k" coef="2"/><joint joint="j" coef="-1"/></fixed>
    <fixed><joint joint="j" coef="0"/></fixed></tendon>""",
)
add(
    "tendons",
    """<tendon>
    <spatial name="s" group="2" limited="true" actuatorfrclimited="true" range=".1 3" actuatorfrcrange="-1 2"
      solreflimit=".1" solimplimit=".1 .2" solreffriction=".3 .4" solimpfriction=".5" frictionloss="3"
      springlength=".2 .4" width=".01" material="mat" margin=".1" stiffness="1 2 3" damping="4 5" rgba="1 0 0 .5"
      user="1 2"><site site="o"/><site site="sa"/></spatial>
    <spatial class="t" armature=".5" springlength=".3" actuatorfrcrange="-3 2"><site site="o"/><site site="sd"/>
      </spatial>
    <spatial range="1 1" actuatorfrclimited="auto" actuatorfrcrange="-1 1" damping="0 0 1" springyield=".2">
      <site site="se"/><site site="o"/></spatial>
    <fixed name="f" group="1" limited="false" range="0 1" solreflimit=".2 .3" stiffness="7" user="3" armature="1"
      springyield=".3" class="t"><joint joint="j" coef="1"/></fixed></tendon>""",
    """<asset><material name="mat"/><material name="n"/></asset>
    <default><tendon width=".02" damping="1 2 3" springlength="1"/>
    <default class="t"><tendon group="3" limited="true" range="0 2" solreflimit=".5" solimplimit=".5"
      solreffriction=".6" solimpfriction=".7" frictionloss="1" springlength="2 3" width=".05" material="n" margin="1"
      stiffness="3" damping="6" rgba="0 1 0 1" user="1 2 3"/></default></default>""",
)
add(
    "tendon inertia",
    """<tendon><spatial armature="1"><site site="se"/><site site="o"/></spatial>
    <spatial><site site="sd"/><site site="o"/></spatial></tendon>""",
)

# ---- actuators: transmissions and common attributes

TENDONS = """<tendon><fixed name="t" range="-1 3"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed>
    <spatial name="s"><site site="sa"/><site site="sd"/></spatial></tendon>"""
add(
    "transmissions",
    f"""{TENDONS}<actuator>
    <general name="j" joint="j"/><general jointinparent="j" gear="2"/><general joint="ball" gear="1 2 3"/>
    <general jointinparent="ball"/><general joint="free" gear="1 2 3 4 5 6"/><general tendon="t"/><general tendon="s"/>
    <general cranksite="sa" slidersite="sd" cranklength="2"/><general cranksite="sb" slidersite="sc" cranklength=".5"/>
    <general site="sb"/><general site="sb" refsite="sa"/><general site="sc" refsite="o"/>
      <general site="sa" refsite="sd"/>
    <general body="a"/><general site="o"/><general body="m"/><general body="world"/>
    <general joint="j" tendon="t"/></actuator>""",
)
add(
    "actuators",
    f"""{TENDONS}<actuator>
    <general name="g" joint="j" group="3" nsample="4" interp="cubic" delay=".1" ctrllimited="true" ctrlrange="-1 2"
      forcelimited="true" forcerange="-3 4" actlimited="true" actrange="-5 6" lengthrange=".1 .2" gear="1 2 3"
      damping="1 2 3" armature=".5" dyntype="filter" gaintype="affine" biastype="affine" dynprm=".1 .2" gainprm="1 2 3"
      biasprm="4 5 6" actearly="true" user="1 2 3"/>
    <general joint="j" ctrllimited="false" ctrlrange="0 1" damping="1"/><general joint="k" ctrlrange="0 0"/>
    <general tendon="t" armature="2" dyntype="integrator" actrange="0 1"/><general tendon="s" damping="0 1"/>
    <general tendon="s" damping="0 0 1" ctrlrange="1 1"/>
    <general joint="k" dyntype="user" gaintype="user" biastype="user" actdim="3" nsample="2"/>
    <general joint="k" dyntype="filterexact" actdim="1"/><general joint="k" dyntype="muscle"/>
    <general joint="k" class="c" biasprm="9"/>
      <general joint="k" class="c" dyntype="none" nsample="-1" delay="0" group="-2"/>
    </actuator>""",
    """<default><general forcerange="-9 9" user="7"/><default class="c"><general group="4" nsample="3" interp="linear"
      delay=".2" ctrllimited="false" forcelimited="auto" forcerange="1 2" gear="3" damping="1" armature="2"
      cranklength="4"
      dyntype="integrator" gaintype="affine" biastype="affine" dynprm="1 2 3" gainprm="4 5" biasprm="6 7 8 9"
      actearly="true"
      ctrlrange="3 4" user="5 6"/></default></default>""",
)

add(
    "inherited ranges",
    """<actuator><general joint="j" gainprm="3" biastype="affine" biasprm="0 -3 -1" inheritrange=".5"/>
    <general joint="j" dyntype="integrator" gainprm="3" biastype="affine" biasprm="0 -3" inheritrange="1"/>
    </actuator>""",
)

# ---- actuators: kinds. Each alone, with its attributes, and with what a default class says.

KINDS = {
    "motor": ['joint="j" gear="3"'],
    "position": [
        'joint="j"',
        'joint="j" kp="3" kv="2" ctrlrange="-1 1"',
        'joint="j" kp="3" dampratio="1"',
        'joint="j" kp="3" timeconst=".5" inheritrange="1"',
        'tendon="t" inheritrange=".5"',
        'joint="j" timeconst="0"',
        'joint="k" kp="-1"',
    ],
    "velocity": ['joint="j"', 'joint="j" kv="3"'],
    "intvelocity": [
        'joint="j"',
        'joint="j" kp="4" kv="2" actrange="-1 1"',
        'joint="j" actrange="-1 1" actlimited="false"',
        'joint="j" actlimited="true"',
        'joint="j" dampratio="1" inheritrange="1"',
        'tendon="t" inheritrange=".5"',
        'joint="j" inheritrange="1" ctrlrange="-1 1"',
        'joint="j" kp="3" dampratio="0"',
    ],
    "orientation": [
        'joint="ball"',
        'joint="ball" kp="2" kv="3" ctrlrange="-1 1" forcerange="0 3"',
        'joint="ball" kp="2" dampratio="1" input="quat"',
        'site="sa" refsite="sd" kp="2" input="expmap"',
        'site="sa" refsite="o" nsample="3" delay=".1"',
    ],
    "pid": [
        'joint="j"',
        'joint="j" kp="3" kv="2" ki="1" imax="4"',
        'joint="j" kp="3" dampratio="1" slewmax="4" imax="3"',
        'joint="j" kp="3" ki="0" imax="3" input="vel ff" velrange="-1 1" ffrange="0 4"',
        'joint="j" kp="3" input="pos vel ff" posrange="-1 2" ffrange="1 0"',
        'joint="j" ki="3" inheritrange="1" input="pos"',
        'tendon="t" input="ff" ffrange="-1 1" nsample="3"',
        'site="sa" refsite="sd" gear="1 2 3"',
    ],
    "damper": ['joint="j" kv="3" ctrlrange="0 1"', 'tendon="s" ctrlrange="0 2"'],
    "cylinder": ['joint="j" timeconst="2" area="3" bias="1 2 3"', 'joint="j" diameter="2"', 'tendon="t"'],
    "muscle": [
        'joint="j"',
        '''tendon="t" timeconst=".1 .2" tausmooth=".3" range=".5 1.5" force="4" scale="100" lmin=".4" lmax="1.7"
        vmax="2" fpmax="3" fvmax="4" lengthrange=".1 .7"''',
        'joint="j" force="-2"',
    ],
    "adhesion": ['body="a" ctrlrange="0 1"', 'body="d" gain="3" ctrlrange="0 2"'],
    "dcmotor": [
        'joint="j" motorconst=".1" resistance="2"',
        '''joint="j" motorconst=".1 .2" resistance="2" saturation="0 3 4" inductance=".01" cogging="1 2 3"
        controller="1 2 3 4 5 6" thermal="1 2 0 4 5 6" lugre="1 2 3 4 5" input="pos vel ff voltage"''',
        'joint="j" nominal="12 1 100" damping=".001" input="none"',
        'joint="j" nominal="12 1 100" resistance="2" damping=".01"',
        'joint="j" nominal="12 1 100" resistance="2" damping=".0001"',
        'joint="j" nominal="12 1 100" damping=".02"',
        'joint="j" nominal="12 1 100" motorconst=".2"',
        'joint="j" nominal="12 1 100" motorconst="0 .2"',
        'joint="j" motorconst=".1" resistance="1" inductance="0 2" saturation="3" ctrlrange="-1 1"',
        'joint="j" motorconst=".1" resistance="1" thermal="0 2 4"',
        'joint="j" motorconst=".1" resistance="1" thermal="2 0 4" lugre="0 1" input="voltage"',
        'tendon="t" motorconst=".1" resistance="1" controller="1 0 2" input="pos vel" armature=".1"',
    ],
}
CLASS = """<default><default class="g"><general dyntype="none" dynprm="2 3 4 5 6 7 8 9 10 11"
    gainprm="2 3 4 5 6 7 8 9 10 11" biasprm="2 3 4 5 6 7 8 9 10 11" ctrlrange="0 .5" group="2"/></default>
    <default class="k"><{kind} {given}/></default></default>"""
SETTINGS = {
    "motor": "",
    "position": 'kp="5" kv="4" timeconst="2"',
    "velocity": 'kv="4" gear="2"',
    "intvelocity": 'kp="5" dampratio=".5" inheritrange="1"',
    "orientation": 'kp="5" kv="2" input="quat"',
    "pid": 'kp="5" kv="4" ki="3" imax="2" input="pos ff" ffrange="-1 1"',
    "damper": 'kv="4" ctrlrange="0 1"',
    "cylinder": 'timeconst="2" area="3" bias="1 2 3"',
    "muscle": 'timeconst=".1 .2" range=".5 1.5" force="4" lmax="1.8" ctrlrange="0 1"',
    "adhesion": 'gain="5" ctrlrange="0 1"',
    "dcmotor": """motorconst=".1" resistance="2" saturation="0 3 4" cogging="1 2 3" thermal="1 2 0 4 5 6"
        lugre="1 2 3 4 5" input="pos" controller="1 2"  inductance=".1" """,
}
PLAIN = {"orientation": 'joint="ball"', "adhesion": 'body="a"'}
for kind, variants in KINDS.items():
    for number, given in enumerate(variants):
        add(f"{kind} {number}", f"{TENDONS}<actuator><{kind} {given}/></actuator>")
    # a class written in the same kind
    target = PLAIN.get(kind, 'joint="j"')
    add(
        f"{kind} of its class",
        f'{TENDONS}<actuator><{kind} {target} class="k"/></actuator>',
        CLASS.format(kind=kind, given=SETTINGS[kind]),
    )
    # and one written as a general actuator, all of whose numbers are odd
    if kind not in ("dcmotor", "pid", "damper", "muscle"):
        add(
            f"{kind} of a general class",
            f'{TENDONS}<actuator><{kind} {target} class="g"/></actuator>',
            CLASS.format(kind=kind, given=SETTINGS[kind]),
        )
for kind in ("motor", "position", "velocity", "cylinder"):
    for parent in ("position", "velocity", "cylinder", "muscle", "damper"):
        add(
            f"{kind} of the class of a {parent}",
            f'<actuator><{kind} joint="j" class="k"/></actuator>',
            CLASS.format(kind=parent, given=SETTINGS[parent].replace('lmax="1.8"', "")),
        )
add(
    "general with several controls",
    """<actuator>
    <general joint="ball" gaintype="so3" biastype="so3" gainprm="2" biasprm="0 -2 -1" dyntype="integrator"/>
    <general joint="ball" gaintype="so3" biastype="so3" biasprm="0 -1" input="quat"/>
    <general joint="j" gaintype="pid" biastype="affine" gainprm="0" input="pos"/>
    <general joint="j" gaintype="pid" biastype="affine" gainprm="2" dyntype="pid" dynprm="1" velrange="0 1"
      ffrange="1 2"/>
    <general joint="k" gaintype="dcmotor" biastype="dcmotor" gainprm="1 2" dynprm="0" input="pos"/>
    <general joint="k" gaintype="dcmotor" biastype="dcmotor" dyntype="dcmotor" gainprm="1 2" dynprm="1" actdim="1"
      actearly="true"/><motor joint="j"/></actuator>
    <keyframe><key ctrl="1 2 3 4 5 6 7 8 9 10 11 12 13" act="1 2 3 4 5"/><key/></keyframe>
    <sensor><actuatorpos actuator="o"/></sensor>""".replace('<motor joint="j"/>', '<motor name="o" joint="j"/>'),
)
add(
    "length ranges",
    '<actuator><motor joint="j" lengthrange="1 2"/></actuator>',
    """<compiler><lengthrange mode="none" useexisting="false" uselimit="true" accel="1" maxforce="2" timeconst="3"
    timestep=".1" inttotal="4" interval="1" tolrange=".2"/></compiler>""",
)
SECTIONS["automatic limits off"] = """<mujoco><compiler autolimits="false"/><worldbody><body>
    <joint name="j" limited="true" range="0 1"/><geom size="1"/></body></worldbody>
    <tendon><fixed limited="true" range="0 1" actuatorfrclimited="false" actuatorfrcrange="1 2">
      <joint joint="j" coef="1"/></fixed></tendon>
    <actuator><motor joint="j" ctrllimited="true" ctrlrange="0 1" forcelimited="false" forcerange="0 1"/></actuator>
    </mujoco>"""

# ---- sensors

SENSORS = {
    **dict.fromkeys(
        ("touch", "accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer"), ('site="sb"',)
    ),
    "camprojection": ('site="sb" camera="eye"',),
    "rangefinder": (
        'site="sb"',
        'site="sb" data="dist dir origin point normal depth"',
        'camera="eye" data="dir depth"',
    ),
    **dict.fromkeys(("jointpos", "jointvel", "jointactuatorfrc"), ('joint="k"',)),
    **dict.fromkeys(("ballquat", "ballangvel"), ('joint="ball"',)),
    **dict.fromkeys(
        ("jointlimitpos", "jointlimitvel", "jointlimitfrc"),
        (
            'joint="k"',
            'joint="ball"',
        ),
    ),
    **dict.fromkeys(("tendonpos", "tendonvel", "tendonactuatorfrc"), ('tendon="s"',)),
    **dict.fromkeys(("tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"), ('tendon="t"',)),
    **dict.fromkeys(
        ("actuatorpos", "actuatorvel", "actuatorfrc"),
        (
            'actuator="m"',
            'actuator="o"',
        ),
    ),
    **dict.fromkeys(
        ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"),
        (
            'objtype="body" objname="c"',
            'objtype="xbody" objname="c" reftype="site" refname="sd"',
            'objtype="camera" objname="cb" reftype="geom" refname="gd"',
        ),
    ),
    **dict.fromkeys(
        ("framelinacc", "frameangacc"),
        (
            'objtype="site" objname="sc"',
            'objtype="geom" objname="gc"',
        ),
    ),
    **dict.fromkeys(("subtreecom", "subtreelinvel", "subtreeangmom"), ('body="b"',)),
    "insidesite": ('site="o" objtype="body" objname="d"', 'site="o" objtype="geom" objname="gd" enclosed="true"'),
    **dict.fromkeys(
        ("distance", "normal", "fromto"),
        (
            'geom1="ga" geom2="gd"',
            'body1="a" geom2="gd" cutoff="3"',
            'body1="a" body2="d"',
        ),
    ),
    "contact": (
        "",
        'geom1="ga"',
        'body1="a" body2="d" num="3" reduce="mindist" data="found force"',
        'subtree1="a" geom2="gd" reduce="maxforce" data="force torque dist pos normal tangent"',
        'site="o" subtree2="d" reduce="netforce" data="tangent"',
    ),
    **dict.fromkeys(("e_potential", "e_kinetic", "clock"), ("",)),
    "user": (
        'dim="3"',
        'dim="3" objtype="body" objname="a" datatype="axis" needstage="pos"',
        'dim="4" datatype="quaternion" needstage="vel" noise="2"',
        'dim="0" datatype="positive" needstage="none" cutoff="3"',
    ),
}
MEASURED = f"""{TENDONS}<actuator><motor name="m" joint="j"/><orientation name="o" joint="ball"/></actuator>"""
for tag, variants in SENSORS.items():
    rows = "".join(f"<{tag} {given}/>" for given in variants)
    add(f"sensor {tag}", f"{MEASURED}<sensor>{rows}</sensor>")
add(
    "sensor attributes",
    f"""{MEASURED}<sensor><jointpos name="p" joint="k" cutoff="2" noise=".3" nsample="4" interp="linear" delay=".1"
    interval=".2" user="1 2"/><framepos objtype="site" objname="sa" nsample="3" interval=".2 -.1"/><clock nsample="0"/>
    <clock interp="cubic" nsample="-1"/></sensor>
    <actuator><motor joint="j" nsample="5"/></actuator>
    <custom><tuple name="t"><element objtype="sensor" objname="p"/><element objtype="actuator" objname="m"/>
    <element objtype="tendon" objname="s"/></tuple></custom>""",
)

SECTIONS["sensor tactile"] = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1"/></asset>
    <worldbody><geom name="g" type="mesh" mesh="m"/></worldbody>
    <sensor><tactile name="x" geom="g" mesh="m" nsample="2" interp="linear" delay=".1" interval=".1" user="1"/><clock/>
    </sensor></mujoco>"""

# ---- custom fields, the user's numbers, keyframes

add(
    "custom fields",
    """<custom><numeric name="n" size="4" data="1 2"/><numeric name="o" data="3"/><numeric name="p" size="2"/>
    <text name="s" data="some text"/><text name="t" data="é 2"/>
    <tuple name="t"><element objtype="body" objname="a" prm="2"/><element objtype="xbody" objname="world"/>
      <element objtype="joint" objname="ball"/><element objtype="geom" objname="gc"/>
      <element objtype="site" objname="o"/>
      <element objtype="camera" objname="cb"/><element objtype="numeric" objname="p"/>
      <element objtype="text" objname="t"/>
      <element objtype="tuple" objname="u"/><element objtype="key" objname="k"/></tuple>
    <tuple name="u"><element objtype="tuple" objname="t"/></tuple></custom>
    <keyframe><key/><key name="k"/></keyframe>""",
)
add(
    "widths of the user's numbers",
    f"{MEASURED}<sensor><clock/></sensor>",
    '<size nuser_tendon="2" nuser_actuator="3" nuser_sensor="4"/>',
)
add(
    "keyframes with controls",
    """<actuator><motor joint="j"/><intvelocity joint="j"/><general joint="j" dyntype="user" actdim="2"/></actuator>
    <keyframe><key name="k" act="1 2 3" ctrl="4 5 6"/><key ctrl="1"/><key act="1 2"/></keyframe>""",
)

# ---- springs and sleep

SECTIONS["springdamper"] = """<mujoco><worldbody><body><joint springdamper="1 2" stiffness="3" damping="4"/>
    <joint type="slide" damping="2"/><geom size="1"/></body>
    <body pos="3 0 0"><joint type="ball" springdamper=".1 .2"/><geom size="1"/></body></worldbody></mujoco>"""

TREES = """<body name="r{n}" pos="{n} 0 0" {sleep}><joint name="q{n}"/><geom size=".1"/>
    <site name="t{n}" pos="0 .1 0"/></body>"""


def forest(name: str, tail: str, policies: str = "....") -> None:
    """Four trees side by side; n, a and i make the first ones never sleep, sleep or start asleep."""
    words = {".": "", "n": 'sleep="never"', "a": 'sleep="allowed"', "i": 'sleep="init"'}
    bodies = "".join(TREES.format(n=n, sleep=words[policy]) for n, policy in enumerate(policies))
    SECTIONS[f"sleep: {name}"] = f'<mujoco><worldbody><site name="w"/>{bodies}</worldbody>{tail}</mujoco>'


def tie(*numbers: int, attributes: str = "") -> str:
    """A tendon through the sites of some of the trees."""
    sites = "".join(f'<site site="t{number}"/>' for number in numbers)
    return f"<tendon><spatial {attributes}>{sites}</spatial></tendon>"


forest("nothing", "", ".nai")
forest("joint", '<actuator><motor joint="q1"/><motor jointinparent="q2"/></actuator>', ".n..")
forest("site", '<actuator><motor site="t1"/><motor site="w"/><motor site="t2" refsite="t3"/></actuator>')
forest("slider-crank", '<actuator><motor cranksite="t1" slidersite="t2" cranklength="9"/></actuator>')
forest("body", '<actuator><adhesion body="r2" ctrlrange="0 1"/></actuator>', "..a.")
forest("orientation", '<actuator><orientation site="t2" refsite="t1"/></actuator>')
forest("tendon", tie(0, 2, attributes='name="t"') + '<actuator><motor tendon="t"/></actuator>')
forest("loose tendon", tie(0, 1) + tie(2, 3), "..a.")
forest("spring", tie(0, 1, attributes='stiffness="1"'))
forest("damper", tie(0, 1, attributes='damping="0 0 1"'), "n...")
forest(
    "damping actuator",
    tie(0, 1, attributes='name="t"') + '<actuator><motor tendon="t" damping="1"/></actuator>',
)
forest("three trees", tie(0, 1, 3))
forest(
    "tendon within a tree",
    '<tendon><spatial stiffness="1"><site site="t0"/><site site="w"/></spatial></tendon>',
    "a...",
)
