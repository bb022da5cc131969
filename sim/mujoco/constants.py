"""MuJoCo's constants: sizes of arrays in a model, limits, and words for the buttons of a viewer."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.enums import MAXVAL, MINAWAKE, MINMU, MINVAL, NISLAND, NSOLVER

# the version whose behaviour the engine follows
VERSION = "4.0.0"

MJTNUM_BYTES = 8
MJTNUM_DTYPE = np.float64


def _pairs(text: str) -> tuple[tuple[str, str, str], ...]:
    """Rows of `name|initially on|key`."""
    return tuple((name, on, key) for name, on, key in (row.split("|") for row in text.strip().splitlines()))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


VISSTRING = _pairs(r"""
Convex Hull|0|H
Texture|1|X
Joint|0|J
Camera|0|Q
Actuator|0|U
Activation|0|,
Light|0|Z
Tendon|1|V
Range Finder|1|Y
Equality|0|E
Inertia|0|I
Scale Inertia|0|'
Perturb Force|0|B
Perturb Object|1|O
Contact Point|0|C
Island|0|N
Contact Force|0|F
Contact Split|0|P
Transparent|0|T
Auto Connect|0|A
Center of Mass|0|M
Select Point|0|
Static Body|1|D
Skin|1|;
Flex Vert|0|
Flex Edge|1|
Flex Face|0|
Flex Skin|1|
Body Tree|0|`
Mesh Tree|0|\
SDF iters|0|
""")

RNDSTRING = _pairs("""
Shadow|1|S
Wireframe|0|W
Reflection|1|R
Additive|0|L
Skybox|1|K
Fog|0|G
Haze|1|/
Depth|0|
Segment|0|,
Id Color|0|
Cull Face|1|
Post Processing|1|
""")

CONSTANTS: dict[str, Any] = {
    "mjMAXCONPAIR": 50,
    "mjMAXFLEXNODES": 27,
    "mjMAXIMP": 0.9999,
    "mjMAXLIGHT": 100,
    "mjMAXLINE": 100,
    "mjMAXLINEPNT": 1001,
    "mjMAXOVERLAY": 500,
    "mjMAXPLANEGRID": 200,
    "mjMAXTREEDEPTH": 50,
    "mjMAXVAL": MAXVAL,
    "mjMINAWAKE": MINAWAKE,
    "mjMINIMP": 0.0001,
    "mjMINMU": MINMU,
    "mjMINVAL": MINVAL,
    "mjNBIAS": 10,
    "mjNDYN": 10,
    "mjNEQDATA": 12,
    "mjNFLUID": 12,
    "mjNGAIN": 10,
    "mjNGROUP": 6,
    "mjNIMP": 5,
    "mjNISLAND": NISLAND,
    "mjNPOLY": 2,
    "mjNREF": 2,
    "mjNSENS": 3,
    "mjNSOLVER": NSOLVER,
    "mjPI": 3.141592653589793,
    "mjSC_IN": 1,
    "mjSC_INOUT": 3,
    "mjSC_OUT": 2,
    "mjVERSION_HEADER": 4000000,
    "mjDISABLESTRING": _words("""
        Constraint Equality Frictionloss Limit Contact Spring Damper Gravity Clampctrl Warmstart Filterparent Actuation
        Refsafe Sensor Midphase Eulerdamp AutoReset NativeCCD Island MultiCCD
    """),
    "mjENABLESTRING": _words("Override Energy Fwdinv InvDiscrete Sleep DiagExact IPC Speculative"),
    "mjTIMERSTRING": _words("""
        step forward inverse position velocity actuation constraint advance pos_kinematics pos_inertia pos_collision
        pos_make pos_project col_broadphase col_narrowphase
    """),
    "mjLABELSTRING": _words("""
        None Body Joint Geom Site Camera Light Tendon Actuator Constraint Flex Skin Selection SelPoint Contact
        ContactForce Island
    """),
    "mjFRAMESTRING": _words("None Body Geom Site Camera Light Contact World"),
    "mjVISSTRING": VISSTRING,
    "mjRNDSTRING": RNDSTRING,
}
