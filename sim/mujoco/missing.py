"""Names of MuJoCo's module that this one does not have: why, and what to use instead."""

from __future__ import annotations

FLEX = "the engine has no flexes; `kinetoscope --engine mujoco` shows models with them"
PLUGIN = "the engine has no plugins; a callback (set_mjcb_*) or a kernel (sim.kernel) takes their place"
PICTURES = "pictures are drawn by Renderer and by the viewer"
SPEC = "it is not part of MjSpec here"

# name -> why it is missing
MISSING: dict[str, str] = {
    "mj_loadPluginLibrary": PLUGIN,
    "mj_loadAllPluginLibraries": PLUGIN,
    "PLUGINS_DIR": PLUGIN,
    "PLUGIN_HANDLES": PLUGIN,
    "HEADERS_DIR": "there is no C library here",
    "mj_flex": FLEX,
    "mj_rayFlex": FLEX,
}


def why(name: str) -> str:
    """The message of the AttributeError for a name."""
    reason = MISSING.get(name)
    if reason is None and name.startswith("mjr_"):
        reason = PICTURES
    if reason is None:
        return f"module 'sim.mujoco' has no attribute {name!r}"
    return f"sim.mujoco has no {name}: {reason}"
