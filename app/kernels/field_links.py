"""Fields of Data behind what is shown: named in a tooltip, or the source of a force."""

from __future__ import annotations

import re
from functools import lru_cache

from sim.analysis.body_forces import JOINTS, TENDONS
from sim.fields import DATA

NAMES = frozenset(field.name for field in DATA)
_WORD = re.compile(r"\w+(?:\.\w+)*")
_MENTION = re.compile(r"\bd\.([a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)*)")

# kind of source of a force -> the field that has it, or the sum that it is part of
FORCES = {
    "gravity": "qfrc_bias", "velocity": "qfrc_bias", "joint spring": "qfrc_spring", "tendon spring": "qfrc_spring",
    "joint damper": "qfrc_damper", "tendon damper": "qfrc_damper", "fluid": "qfrc_fluid",
    "gravity compensation": "qfrc_gravcomp", "callback": "qfrc_passive", "actuator": "actuator_force",
    "actuator limit": "qfrc_actuator", "applied force": "qfrc_smooth", "mouse": "perturb.xfrc", "contact": "efc_force",
    "equality": "efc_force", "joint limit": "efc_force", "tendon limit": "efc_force", "joint friction": "efc_force",
    "tendon friction": "efc_force", "residual": "qacc", "implicit integration": "qvel", JOINTS: "cfrc_int",
    TENDONS: "cfrc_int",
}  # fmt: skip


@lru_cache(maxsize=1024)
def mentioned_fields(text: str) -> tuple[str, ...]:
    """Fields of Data that a text names, in its order: as `d.contact.dist` or, failing that, as `efc_force`."""
    found: dict[str, None] = {}
    for path in _MENTION.findall(text):
        while path and path not in NAMES:
            path = path.rpartition(".")[0]
        if path:
            found[f"d.{path}"] = None
    if not found:
        # time, energy and the like are also plain words
        words = (word for word in _WORD.findall(text) if "_" in word or "." in word)
        found = {f"d.{word}": None for word in words if word in NAMES}
    return tuple(found)
