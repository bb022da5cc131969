"""Visual options (MuJoCo: mjvOption) of the view; `visual_flags.py` describes each flag."""

from __future__ import annotations

from dataclasses import dataclass, field

NGROUP = 6
# elements whose frames and labels are drawn (mjtFrame, mjtLabel)
FRAMES = ("none", "body", "geom", "site", "camera", "light", "contact", "world")
LABELS = (
    "none", "body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "constraint", "flex",
    "skin", "selection", "contact", "contact force", "island",
)  # fmt: skip


def _first_groups() -> list[bool]:
    """The groups that are drawn by default."""
    return [g < 3 for g in range(NGROUP)]


@dataclass(slots=True)
class VisualOptions:
    """What is drawn, independent of the model; a field for each row of `visual_flags.py`."""

    shadow: bool = True
    reflection: bool = True
    texture: bool = True
    skybox: bool = True
    haze: bool = True
    fog: bool = False
    additive: bool = False
    wireframe: bool = False
    transparent: bool = False
    static: bool = True
    skin: bool = True
    flex_skin: bool = True
    flex_face: bool = False
    flex_edge: bool = True
    flex_vert: bool = False
    convex_hull: bool = False
    tendon: bool = True
    joint: bool = False
    actuator: bool = False
    activation: bool = False
    camera: bool = False
    light: bool = False
    auto_connect: bool = False
    grid: bool = False
    body_bvh: bool = False
    mesh_bvh: bool = False
    inertia: bool = False
    scale_inertia: bool = False
    com: bool = False
    constraint: bool = False
    rangefinder: bool = True
    island: bool = False
    perturb_force: bool = False
    perturb_object: bool = True
    contact_point: bool = False
    contact_force: bool = False
    contact_split: bool = False
    friction_cone: bool = False
    contact_state: bool = False
    frame: str = FRAMES[0]
    label: str = LABELS[0]
    force_scale: float = 1.0
    bvh_depth: int = 1
    geom_group: list[bool] = field(default_factory=_first_groups)
    site_group: list[bool] = field(default_factory=_first_groups)
    joint_group: list[bool] = field(default_factory=_first_groups)
    tendon_group: list[bool] = field(default_factory=_first_groups)
    actuator_group: list[bool] = field(default_factory=_first_groups)
    skin_group: list[bool] = field(default_factory=_first_groups)
    flex_group: list[bool] = field(default_factory=_first_groups)
