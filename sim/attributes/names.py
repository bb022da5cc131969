"""Attributes that many elements have: names, default classes, orientations."""

from sim.attributes.actuators import ALL as ACTUATORS
from sim.attributes.sensors import BUILTIN as SENSORS

EQUALITIES = "connect weld equality/joint equality/tendon equality/distance"
# elements that can have a default class
CLASSED = f"joint geom site camera light texture material mesh pair {EQUALITIES} spatial fixed {ACTUATORS}"

NAMES_TEXT = f"""
# any: body frame freejoint hfield skin exclude key {CLASSED} sensor/ {SENSORS} tactile user
name       str      ""

# any: {CLASSED}
class      str

# any: inertial body frame geom site camera
axisangle  real[4]
xyaxes     real[6]
zaxis      real[3]
euler      real[3]
"""
