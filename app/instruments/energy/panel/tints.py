"""Colours of the Energy instrument: those of the Forces instrument, and of what is no force."""

from __future__ import annotations

from app.ui import theme
from app.ui.source_tints import TINTS

OWN: dict[str, theme.Rgba] = {
    "friction": (0.80, 0.52, 0.30, 1), "moving surface": (0.93, 0.55, 0.20, 1), "integrator": (0.88, 0.30, 0.27, 1),
    "spring yield": (0.62, 0.70, 0.22, 1), "sleep": (0.52, 0.58, 0.68, 1), "edit": (0.66, 0.48, 0.86, 1),
    "set by hand": (0.66, 0.48, 0.86, 1),
}  # fmt: skip
ENERGY_TINTS: dict[str, theme.Rgba] = {
    "total": (0.62, 0.64, 0.70, 1), "kinetic": (0.24, 0.54, 0.92, 1), "gravity": (0.14, 0.66, 0.62, 1),
    "springs": (0.40, 0.70, 0.32, 1),
}  # fmt: skip


def tint_of(kind: str) -> theme.Rgba:
    """The colour of a kind of source of work."""
    return OWN.get(kind, TINTS.get(kind, theme.DIM))
