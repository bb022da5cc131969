"""Names of the kinds of forces."""

from __future__ import annotations

from sim.analysis.body_forces import JOINTS

# kind of source -> how it is shown; {} is its element
WORDS = {
    "velocity": "Coriolis and centripetal", "joint spring": "spring of {}", "joint damper": "damper of {}",
    "tendon spring": "spring of {}", "tendon damper": "damper of {}", "actuator limit": "force limit of {}",
    "applied force": "applied to {}", "mouse": "mouse on {}", "callback": "passive callback", "contact": "{}",
    "joint limit": "limit of {}", "tendon limit": "limit of {}", "joint friction": "dry friction of {}",
    "tendon friction": "dry friction of {}", "actuator": "{}", "equality": "{}",
    JOINTS: "joint with {}", "implicit integration": "implicit springs, dampers and servos",
    "residual": "solver's residual", "flex": "elasticity of flexes",
}  # fmt: skip
# kind of source -> the name of all of them
PLURALS = {
    "joint spring": "joint springs", "joint damper": "joint dampers", "tendon spring": "tendon springs",
    "tendon damper": "tendon dampers", "actuator": "actuators", "actuator limit": "actuator limits",
    "applied force": "applied forces", "mouse": "mouse", "contact": "contacts", "equality": "equalities",
    "joint limit": "joint limits", "tendon limit": "tendon limits", "joint friction": "joint friction",
    "tendon friction": "tendon friction",
}  # fmt: skip
