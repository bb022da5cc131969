"""Names of MuJoCo's module that this one does not have: why, and what to use instead."""

from __future__ import annotations

FLEX = "the engine has no flexes; `kinetoscope --engine mujoco` shows models with them"
PLUGIN = "the engine has no plugins; use a callback (set_mjcb_*) or a kernel (sim.kernel) instead"
DRAWING = "pictures are drawn by Renderer, by the viewer, or by mjv_updateScene, mjr_render and mjr_readPixels"
MOUSE = "the viewer moves cameras and pulls bodies itself; `viewer.launch_passive(m, d)` opens it"
VECTOR = "use a list or a numpy array instead"
CACHE = "meshes are cached on disk: see `kinetoscope cache`"
MEMORY = "arrays and their memory are managed by numpy"

# name -> why it is missing
MISSING: dict[str, str] = {
    "HEADERS_DIR": "there is no C library here",
    "MjLogMessage": "messages are strings: pass a function of a string to set_mju_user_warning",
    "MjPreContact": "sim.callbacks.collision takes functions that return contacts",
    "MjrVertexAttribute": DRAWING,
    "PLUGINS_DIR": PLUGIN,
    "PLUGIN_HANDLES": PLUGIN,
    "mj_loadPluginLibrary": PLUGIN,
    "mj_loadAllPluginLibraries": PLUGIN,
    "mj_flex": FLEX,
    "mj_rayFlex": FLEX,
    "mj_projectConstraint": "d.efc_AR is not stored; J is in d.efc_J, and mj_solveM divides by M",
    "mj_printScene": DRAWING,
    "mj_printFormattedScene": DRAWING,
    "mjv_updateSkin": "the engine computes skins when it draws them",
    "_render": DRAWING,
    **dict.fromkeys(("MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjStringVec"), VECTOR),
    **dict.fromkeys(("mj_clearCache", "mj_getCache", "mj_getCacheCapacity", "mj_getCacheSize"), CACHE),
    "mj_setCacheCapacity": CACHE,
    **dict.fromkeys(("get_mju_user_free", "get_mju_user_malloc", "set_mju_user_free", "set_mju_user_malloc"), MEMORY),
}
# modules that are missing
MODULES = {
    "batch": "rollout.rollout runs many simulations on all cores",
    "experimental": "it is not part of MuJoCo's interface",
    "introspect": "sim.fields has the fields, sim.mujoco.binding the functions",
    "mjrf": DRAWING,
    "mjx": "it needs JAX and MuJoCo itself; rollout.rollout runs many simulations on all cores",
    "msh2obj": "the engine reads msh files directly",
    "plugin": PLUGIN,
    "rendering": DRAWING,
    "studio": "use the viewer instead: mujoco.viewer",
    "sysid": "use minimize.least_squares and rollout.rollout instead",
    "usd": "the viewer records videos and images: see Renderer",
}
# prefixes of names that are missing
PREFIXES = {
    "mjr_figure": "the viewer plots: `viewer.plot(name, value)`",
    "mjr_": DRAWING,
    "mjv_move": MOUSE,
    "mjv_applyPerturb": MOUSE,
    "mjv_initPerturb": MOUSE,
    "mjv_select": MOUSE,
    "mjv_": DRAWING,
}


def why(name: str) -> str:
    """The message of the AttributeError for a name."""
    reason = (
        MISSING.get(name)
        or MODULES.get(name)
        or next((why for prefix, why in PREFIXES.items() if name.startswith(prefix)), None)
    )
    if reason is None:
        return f"module 'sim.mujoco' has no attribute {name!r}"
    return f"sim.mujoco has no {name}: {reason}"
