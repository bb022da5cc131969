"""What random models are made of: options, kinds of elements, and attributes that these may have."""

from __future__ import annotations

from collections.abc import Sequence

# kinds of joints to draw from, for each joint of a body: a ball joint leaves nothing to another one
ANY = ("hinge", "hinge", "hinge", "slide", "ball")
NONE: tuple[tuple[str, ...], ...] = ()
SINGLE, TWO = (ANY,), (("hinge",), ("hinge", "slide"))
THREE = (*TWO, ANY)
LIMITS = {"hinge": "-40 30", "slide": "-.05 .08", "ball": "0 50"}
SHAPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "box", "mesh", "mesh")
BUILTIN = ("sphere 2", "hemisphere 3", "cone 7 .4", "supersphere 9 .6 1.2", "wedge 5 4 40 30 .2", "supertorus 9 .4 1 1")

OPTIONS: dict[str, Sequence[object]] = {
    "solver": ("Newton", "Newton", "CG", "PGS"),
    "cone": ("pyramidal", "elliptic"),
    "integrator": ("Euler", "RK4", "implicit", "implicitfast", "discrete"),
    "timestep": (0.001, 0.002, 0.005),
    "jacobian": ("auto", "dense", "sparse"),
    "impratio": (1, 1, 5),
    "noslip_iterations": (0, 0, 0, 3),
    "density": (0, 0, 1.2, 200),
    "viscosity": (0, 0, 0.01),
    "wind": ("0 0 0", "1 -2 .5"),
    "magnetic": ("0 -.5 0", ".3 -.2 .5"),
    "gravity": ("0 0 -9.81", "0 0 -9.81", "1 -2 -6"),
    "o_margin": (0, 0.01),
    "o_solref": (".02 1", ".05 .7", "-500 -20"),
    "o_solimp": (".9 .95 .001 .5 2", ".7 .9 .01 .3 3"),
    "o_friction": ("1 1 .005 .0001 .0001", ".4 .3 .02 .003 .002"),
    "iterations": (100, 100, 3),
    "ls_iterations": (50, 50, 2),
    "tolerance": (1e-8, 1e-8, 1e-4),
    "sleep_tolerance": (1e-4, 0.5),
    "actuatorgroupdisable": ("", "", "1", "1 2"),
}
# without nativeccd, rounding decides between faces: only tests of single pairs can tell right from wrong
OFTEN_OFF = ("island", "warmstart", "multiccd", "eulerdamp")
SELDOM_OFF = (
    "constraint", "equality", "frictionloss", "limit", "contact", "spring", "damper", "gravity", "clampctrl",
    "filterparent", "actuation", "refsafe", "sensor", "midphase", "autoreset",
)  # fmt: skip
ON = {
    "speculative": 0.2,
    "energy": 0.5,
    "sleep": 0.1,
    "override": 0.05,
    "invdiscrete": 0.1,
    "fwdinv": 0.1,
    "diagexact": 0.1,
}

# actuators of one dof: tag -> attributes, of which some are drawn
ACTUATORS = {
    "motor": ('ctrlrange="-1 1"', 'forcerange="-.5 .4"', 'nsample="4" delay=".004"'),
    "position": ('kp="3"', 'kv=".1"', 'ctrlrange="-.5 .5"', 'timeconst=".03"', 'forcerange="-.4 .5"'),
    "position dampratio='1'": ('kp="3"', 'ctrlrange="-.5 .5"', 'timeconst=".03"'),
    "velocity": ('kv=".2"', 'ctrlrange="-1 1"', 'nsample="5" delay=".0071" interp="linear"'),
    "intvelocity": ('kp="2"', 'actrange="-.3 .3"', 'kv=".1"', 'nsample="6" delay=".013" interp="cubic"'),
    "damper": ('ctrlrange="0 1"', 'kv=".3"', 'forcerange="-.1 .1"'),
    "cylinder": ('area=".5"', 'timeconst=".1"', 'bias=".1 -.2 -.1"', 'diameter=".4"'),
    "muscle": (
        'lengthrange="-1 1"',
        'force="10"',
        'tausmooth=".2"',
        'timeconst=".02 .05"',
        'fpmax="2"',
        'range=".5 1.3" lmin=".4" lmax="1.8"',
        'vmax="2" fvmax="1.5"',
    ),
    "pid": (
        'kp="3"',
        'kv=".3"',
        'ki="2" imax=".5"',
        'forcerange="-.5 .5"',
        'posrange="-.1 .1"',
        'velrange="-.3 .3"',
    ),
    "pid slewmax='3'": ('kp="3"', 'kv=".3"', 'forcerange="-.5 .5"', 'posrange="-.1 .1"'),
    "dcmotor": (
        'motorconst=".3" resistance="2"',
        'inductance=".01"',
        'lugre="10 1 .1 .3 .5"',
        'cogging=".1 6 .2"',
        'thermal="2 3 .4 .004 25 20"',
        'saturation="1 2 3"',
        'controller="3 4 5 6 .1 2" input="pos"',
    ),
    "general": (
        'gainprm="2 .1 -.2" gaintype="affine"',
        'biastype="affine" biasprm=".1 -.5 -.1"',
        'dyntype="filter" dynprm=".05" actrange="-.2 .2" actlimited="true"',
        'actearly="true"',
    ),
    "general dyntype='filterexact'": ('dynprm=".02"', 'actearly="true"', 'gainprm="2"', 'nsample="3" delay=".005"'),
    "general dyntype='integrator'": ('actearly="true"', 'actrange="-.1 .1" actlimited="true"', 'gainprm="2"'),
}
LOADED = ('gear="-1.5"', 'damping=".1"', 'damping=".02 .1 .2"', 'armature=".02"', 'group="1"', 'group="2"')
# of several controls MuJoCo delays the first, and takes the others from memory that nobody has written
INPUTS = {"pid": ("", "", "pos", "pos ff", "pos vel ff"), "orientation": ("", "", "quat")}
# the first of these is what the actuator cannot be without
NEEDED = ("damper", "muscle", "dcmotor")
# how soft the limits and the dry friction of a joint or tendon are
SOFT = (
    'solreflimit=".03 .8"',
    'solreffriction="-300 -9"',
    'solimplimit=".8 .95 .01 .4 3"',
    'solimpfriction=".7 .9 .1"',
)

# ---------------------------------------------------------------- sensors

FRAME_SENSORS = ("pos", "quat", "xaxis", "yaxis", "zaxis", "linvel", "angvel", "linacc", "angacc")
SITE_SENSORS = ("accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "rangefinder", "touch")
HISTORIES = (
    "", "", "", "", "", "", 'nsample="4" delay=".004"', 'nsample="3" interval=".006"', 'noise=".1"',
    'nsample="5" interval=".004 -.002" delay=".007"', 'nsample="6" delay=".009" interp="linear"',
    'nsample="6" delay=".0113" interp="cubic"', 'cutoff=".3"',
)  # fmt: skip
CONTACT_DATA = "found force torque dist pos normal tangent"

# ---------------------------------------------------------------- bodies and what relates them

INERTIAS = ('diaginertia=".002 .003 .004" euler="10 20 30"', 'fullinertia=".003 .004 .005 .0002 -.0003 .0004"')
FOLLOWS = ("fixed", "track", "trackcom", "targetbody", "targetbodycom")
LENSES = (
    'resolution="3 2"',
    'resolution="3 4" focal=".01 .02" sensorsize=".02 .03"',
    'resolution="4 2" projection="orthographic" fovy="3"',
)
PAIRED = (
    'gap=".01" margin=".02"',
    'friction=".9 .4 .01 .001 .002"',
    'solref=".03 1"',
    'solreffriction="-200 -9"',
    'solimp=".7 .9 .01 .3 3"',
    'adhesion="2"',
)
FASTENED = (
    'connect anchor=".05 0 .1"',
    "weld",
    'weld torquescale=".3"',
    'weld relpose=".1 .1 0 1 .2 0 .1"',
    'weld anchor=".1 0 .05"',
)
CURVES = ("0 .5 .2 0 0", ".1 -1 .3 .2 -.4", "0 0 0 1 0")
TURNED = 'euler="0 20 50"'
# axes of joints that leave a particle in a plane
PLANES = (("1 0 0", "0 0 1"), ("0 1 0", "0 0 1"), ("1 0 0", "0 1 0"))
WEIGHTS = ('gravcomp=".5"', 'gravcomp="1"', 'simple="false"')
COMPILER = (
    'eulerseq="ZYX"',
    'settotalmass="5"',
    'balanceinertia="true"',
    'alignfree="true"',
    'angle="radian"',
    'inertiafromgeom="true"',
    'boundmass=".1" boundinertia=".001"',
    'inertiagrouprange="0 3"',
)
