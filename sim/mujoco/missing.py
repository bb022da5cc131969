"""Names of MuJoCo's module that this one does not have: why, and what to use instead."""

from __future__ import annotations

FLEX = "the engine has no flexes; `kinetoscope --engine mujoco` shows models with them"
PLUGIN = "the engine has no plugins; a callback (set_mjcb_*) or a kernel (sim.kernel) takes their place"
DRAWING = "pictures are drawn by Renderer, by the viewer, or by mjv_updateScene, mjr_render and mjr_readPixels"
MOUSE = "the viewer moves cameras and pulls bodies itself; `viewer.launch_passive(m, d)` opens it"
VECTOR = "a list or a numpy array takes its place"
CACHE = "meshes are cached on disk: see `kinetoscope cache`"
MEMORY = "arrays are numpy's, and so is their memory"

# name -> why it is missing
MISSING: dict[str, str] = {
    "HEADERS_DIR": "there is no C library here",
    "MjLogMessage": "messages are text: set_mju_user_warning takes a function of it",
    "MjPreContact": "sim.callbacks.collision takes functions that return contacts",
    "MjrVertexAttribute": DRAWING,
    "PLUGINS_DIR": PLUGIN,
    "PLUGIN_HANDLES": PLUGIN,
    "mj_loadPluginLibrary": PLUGIN,
    "mj_loadAllPluginLibraries": PLUGIN,
    "mj_flex": FLEX,
    "mj_rayFlex": FLEX,
    "mj_projectConstraint": "d.efc_AR is not kept; J is in d.efc_J, and mj_solveM divides by M",
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
    "msh2obj": "the engine reads msh files as they are",
    "plugin": PLUGIN,
    "rendering": DRAWING,
    "studio": "the viewer takes its place: mujoco.viewer",
    "sysid": "minimize.least_squares and rollout.rollout are its parts",
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
