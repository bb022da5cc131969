"""Colours of the kinds of forces, the same wherever a force or its work is drawn."""

from __future__ import annotations

from app.ui import theme
from sim.analysis.body_forces import JOINTS, TENDONS

# kind of source -> colour, in a light and in a dark theme alike; "" is what has no kind: others, and the total
TINTS: dict[str, theme.Rgba] = {
    "gravity": (0.52, 0.58, 0.68, 1), "gravity compensation": (0.66, 0.72, 0.82, 1), "velocity": (0.66, 0.48, 0.86, 1),
    "joint spring": (0.40, 0.70, 0.32, 1), "tendon spring": (0.40, 0.70, 0.32, 1),
    "joint damper": (0.62, 0.70, 0.22, 1), "tendon damper": (0.62, 0.70, 0.22, 1), "fluid": (0.30, 0.70, 0.80, 1),
    "actuator": (0.24, 0.54, 0.92, 1), "actuator limit": (0.24, 0.54, 0.92, 1),
    "applied force": (0.93, 0.55, 0.20, 1), "mouse": (0.93, 0.55, 0.20, 1), "callback": (0.93, 0.55, 0.20, 1),
    "contact": (0.14, 0.66, 0.62, 1), "equality": (0.88, 0.68, 0.16, 1), "joint limit": (0.86, 0.45, 0.62, 1),
    "tendon limit": (0.86, 0.45, 0.62, 1), "joint friction": (0.70, 0.50, 0.36, 1),
    "tendon friction": (0.70, 0.50, 0.36, 1), "implicit integration": (0.55, 0.45, 0.75, 1),
    "flex": (0.40, 0.70, 0.32, 1), "residual": (0.88, 0.30, 0.27, 1), JOINTS: (0.80, 0.80, 0.84, 1),
    TENDONS: (0.40, 0.70, 0.32, 1),
}  # fmt: skip


def tint_of(kind: str) -> theme.Rgba:
    """The colour of a kind of source."""
    return TINTS.get(kind, theme.DIM)
