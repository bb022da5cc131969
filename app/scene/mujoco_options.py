"""mujoco.MjvOption, and the rendering flags of a mujoco.MjvScene, as values of `VisualOptions`.

Flags are found by name, so that a MuJoCo with more or fewer of them is read too. What MuJoCo alone has stays as the
script has set it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from app.run.engine.installed import structs_for
from app.scene.visual_options import FRAMES, LABELS, VisualOptions

# option -> the flag in mjtVisFlag
VIS = {
    "convex_hull": "CONVEXHULL", "texture": "TEXTURE", "joint": "JOINT", "camera": "CAMERA", "actuator": "ACTUATOR",
    "activation": "ACTIVATION", "light": "LIGHT", "tendon": "TENDON", "rangefinder": "RANGEFINDER",
    "constraint": "CONSTRAINT", "inertia": "INERTIA", "scale_inertia": "SCLINERTIA", "perturb_force": "PERTFORCE",
    "perturb_object": "PERTOBJ", "contact_point": "CONTACTPOINT", "island": "ISLAND", "contact_force": "CONTACTFORCE",
    "contact_split": "CONTACTSPLIT", "transparent": "TRANSPARENT", "auto_connect": "AUTOCONNECT", "com": "COM",
    "static": "STATIC", "skin": "SKIN", "flex_vert": "FLEXVERT", "flex_edge": "FLEXEDGE", "flex_face": "FLEXFACE",
    "flex_skin": "FLEXSKIN", "body_bvh": "BODYBVH", "mesh_bvh": "MESHBVH",
}  # fmt: skip
# option -> the flag in mjtRndFlag
RND = {
    "shadow": "SHADOW", "wireframe": "WIREFRAME", "reflection": "REFLECTION", "additive": "ADDITIVE",
    "skybox": "SKYBOX", "fog": "FOG", "haze": "HAZE",
}  # fmt: skip
# option -> the array of MjvOption
GROUPS = {f"{kind}_group": f"{kind}group" for kind in ("geom", "site", "joint", "tendon", "actuator", "skin", "flex")}
# choice of label -> its name in mjtLabel, where that differs
LABEL_NAMES = {"contact": "CONTACTPOINT", "contact force": "CONTACTFORCE"}

# option -> a number, a choice, or the visible groups
Values = dict[str, Any]


class Places(NamedTuple):
    """Where each option is, in this MuJoCo: index of a flag, value of a choice."""

    vis: Mapping[str, int]
    rnd: Mapping[str, int]
    frames: Mapping[str, int]
    labels: Mapping[str, int]


@cache
def places(module: Any) -> Places:
    """The indices of a module: an installed MuJoCo, or ours under its names."""
    return Places(
        _indices(module.mjtVisFlag, "mjVIS_", VIS),
        _indices(module.mjtRndFlag, "mjRND_", RND),
        _indices(module.mjtFrame, "mjFRAME_", {name: name.upper() for name in FRAMES}),
        _indices(module.mjtLabel, "mjLABEL_", {name: LABEL_NAMES.get(name, name.upper()) for name in LABELS}),
    )


def read(opt: Any, scene: Any = None) -> Values:
    """The options in an MjvOption, and in a scene if there is one."""
    where, flags = places(structs_for(opt)), opt.flags.tolist()
    values: Values = {name: bool(flags[index]) for name, index in where.vis.items()}
    if scene is not None:
        values |= read_flags(scene)
    for name, array in GROUPS.items():
        values[name] = tuple(map(bool, getattr(opt, array).tolist()))
    for name, choices in (("frame", where.frames), ("label", where.labels)):
        chosen = int(getattr(opt, name))
        values[name] = next((choice for choice, value in choices.items() if value == chosen), "none")
    values["bvh_depth"] = int(opt.bvh_depth)
    return values


def read_flags(scene: Any) -> Values:
    """The rendering flags of a scene."""
    flags = scene.flags.tolist()
    return {name: bool(flags[index]) for name, index in places(structs_for(scene)).rnd.items()}


def write(values: Mapping[str, Any], opt: Any, scene: Any) -> None:
    """Write options to an MjvOption and a scene."""
    where = places(structs_for(opt))
    for name, value in values.items():
        if name in where.vis:
            opt.flags[where.vis[name]] = value
        elif name in where.rnd:
            scene.flags[where.rnd[name]] = value
        elif name in GROUPS:
            getattr(opt, GROUPS[name])[:] = value
        elif name in ("frame", "label"):
            setattr(opt, name, (where.frames if name == "frame" else where.labels)[value])
        else:
            setattr(opt, name, value)


def read_own(options: VisualOptions, module: Any) -> Values:
    """The same options of the view: those that a module knows."""
    where = places(module)
    names = (*where.vis, *where.rnd, "frame", "label", "bvh_depth")
    values: Values = {name: getattr(options, name) for name in names}
    return values | {name: tuple(getattr(options, name)) for name in GROUPS}


def write_own(values: Mapping[str, Any], options: VisualOptions) -> None:
    """Write options to the view's."""
    for name, value in values.items():
        if name in GROUPS:
            getattr(options, name)[:] = value
        else:
            setattr(options, name, value)


def visual_options(opt: Any) -> VisualOptions:
    """The options of an MjvOption; rendering flags as they are by default."""
    options = VisualOptions()
    write_own(read(opt), options)
    return options


def _indices(enum: Any, prefix: str, names: Mapping[str, str]) -> dict[str, int]:
    """Name here -> value there, of those that there are."""
    return {
        name: int(getattr(enum, prefix + theirs)) for name, theirs in names.items() if hasattr(enum, prefix + theirs)
    }
