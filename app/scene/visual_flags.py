"""The table of visual flags (MuJoCo: mjtVisFlag, mjtRndFlag): option, label, key, section, help.

Bindings, help, command palette, the rendering panel and the names on the command line are generated from it. To add a
flag: a field of `VisualOptions`, one row here, and the code that draws it. Keys are those of MuJoCo's simulate.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.scene.visual_options import FRAMES, LABELS, NGROUP, VisualOptions


@dataclass(frozen=True)
class VisFlag:
    """One row: a field of `VisualOptions`, its label, its key or an empty string, its section, its help text."""

    option: str
    label: str
    key: str
    section: str
    help: str


@dataclass(frozen=True)
class GroupFlags:
    """Which groups of a type of element are drawn; the key of a group is `modifier` and its digit."""

    option: str
    label: str
    modifier: str | None = None

    def key(self, group: int) -> str:
        """The key of one group, or an empty string."""
        return "" if self.modifier is None else f"{self.modifier}{group}"


LIGHT, MODEL, PHYSICS, CONTACT = "Light and surface", "Model", "Physics", "Contact"

VISUAL_FLAGS = (
    VisFlag("shadow", "Shadow", "S", LIGHT, "soft shadows from lights that cast them"),
    VisFlag("reflection", "Reflection", "R", LIGHT, "mirrors: planes and tops of boxes; material/reflectance"),
    VisFlag("texture", "Texture", "X", LIGHT, "textures of materials"),
    VisFlag("skybox", "Skybox", "K", LIGHT, "the model's sky instead of the plain one"),
    VisFlag("haze", "Haze", "/", LIGHT, "infinite planes fade into the horizon; visual/map/haze"),
    VisFlag("fog", "Fog", "G", LIGHT, "distant geoms fade; visual/map/fogstart, fogend"),
    VisFlag("additive", "Additive", "L", LIGHT, "transparent geoms blend additively"),
    VisFlag("wireframe", "Wireframe", "W", LIGHT, "only the edges of triangles"),
    VisFlag("transparent", "Transparent", "T", MODEL, "moving bodies are transparent; visual/map/alpha"),
    VisFlag("static", "Static bodies", "D", MODEL, "bodies fixed to the world"),
    VisFlag("skin", "Skin", ";", MODEL, "skins over the bodies that move them"),
    VisFlag("flex_skin", "Flex skin", "", MODEL, "the surface of cloth and soft solids, instead of their parts"),
    VisFlag("flex_face", "Flex faces", "", MODEL, "faces of flex elements; only without Flex skin"),
    VisFlag("flex_edge", "Flex edges", "", MODEL, "cables and edges of other flexes; only without Flex skin"),
    VisFlag("flex_vert", "Flex vertices", "", MODEL, "vertices of cables and other flexes; only without Flex skin"),
    VisFlag("convex_hull", "Convex hull", "H", MODEL, "convex hulls, as used in collisions, instead of meshes"),
    VisFlag("tendon", "Tendon", "V", MODEL, "tendons along their paths"),
    VisFlag("joint", "Joint", "J", MODEL, "axes of joints"),
    VisFlag("actuator", "Actuator", "U", MODEL, "the targets of actuators"),
    VisFlag("activation", "Activation", ",", MODEL, "actuators coloured by activation instead of control"),
    VisFlag("camera", "Camera", "Q", MODEL, "cameras and their frustums"),
    VisFlag("light", "Light", "Z", MODEL, "position and direction of lights"),
    VisFlag("auto_connect", "Auto connect", "A", MODEL, "rods from each body to its joints and to its children"),
    VisFlag("grid", "Grid", "", MODEL, "lines on the plane z = 0: red along x, green along y"),
    VisFlag("body_bvh", "Body boxes", "`", MODEL, "bounding boxes of bodies in the broad phase"),
    VisFlag("mesh_bvh", "Mesh boxes", "\\", MODEL, "bounding boxes inside meshes"),
    VisFlag("inertia", "Inertia", "I", PHYSICS, "boxes of equal mass and inertia"),
    VisFlag("scale_inertia", "Scale inertia", "'", PHYSICS, (
        "inertia boxes drawn at the density of water: heavy bodies look large"
    )),
    VisFlag("com", "Centre of mass", "M", PHYSICS, "centres of mass of kinematic trees"),
    VisFlag("constraint", "Equality", "E", PHYSICS, "equality constraints and their violation"),
    VisFlag("rangefinder", "Rangefinder", "Y", PHYSICS, "rays of rangefinders up to the first hit"),
    VisFlag("island", "Island", "N", PHYSICS, "a colour for each constraint island; sleeping bodies darker and greyer"),
    VisFlag("perturb_force", "Perturb force", "B", PHYSICS, "external forces on bodies: xfrc_applied, the mouse"),
    VisFlag("perturb_object", "Perturb object", "O", PHYSICS, "where the mouse pulls the selected body"),
    VisFlag("contact_point", "Contact point", "C", CONTACT, (
        "discs where bodies touch; a different colour within the gap"
    )),
    VisFlag("contact_force", "Contact force", "F", CONTACT, "forces of the last step, on the moving body"),
    VisFlag("contact_split", "Contact split", "P", CONTACT, "normal and friction force as separate arrows"),
    VisFlag("friction_cone", "Friction cone", "", CONTACT, "the friction cone of each contact"),
    VisFlag("contact_state", "Stick and slip", "", CONTACT, "disc colours: blue sticks, amber slips, grey is free"),
    VisFlag("frame", "Frames", "F6", MODEL, "axes of: " + ", ".join(FRAMES)),
    VisFlag("label", "Labels", "F7", MODEL, "names of: " + ", ".join(LABELS)),
)  # fmt: skip

GROUP_FLAGS = (
    GroupFlags("geom_group", "Geom groups", ""),
    GroupFlags("site_group", "Site groups", "Shift+"),
    GroupFlags("joint_group", "Joint groups"),
    GroupFlags("tendon_group", "Tendon groups"),
    GroupFlags("actuator_group", "Actuator groups"),
    GroupFlags("skin_group", "Skin groups"),
    GroupFlags("flex_group", "Flex groups"),
)

CHOICES = {"frame": FRAMES, "label": LABELS}
BY_OPTION = {flag.option: flag for flag in VISUAL_FLAGS}
_KEYS: dict[str, tuple[str, int]] = {flag.key: (flag.option, -1) for flag in VISUAL_FLAGS if flag.key}
_KEYS |= {row.key(g): (row.option, g) for row in GROUP_FLAGS for g in range(NGROUP) if row.key(g)}


def toggle_by_key(options: VisualOptions, key: str) -> str:
    """Toggle the flag of a key, or go to its next choice; returns a message."""
    return toggle(options, *_KEYS[key])


def toggle(options: VisualOptions, option: str, group: int = -1) -> str:
    """Toggle an option, or one group of it, or go to its next choice; returns a message."""
    value = getattr(options, option)
    if group >= 0:
        value[group] = not value[group]
        return f"{option.replace('_', ' ')} {group}: {'on' if value[group] else 'off'}"
    if option in CHOICES:
        choices = CHOICES[option]
        value = choices[(choices.index(value) + 1) % len(choices)]
        setattr(options, option, value)
        return f"{BY_OPTION[option].label.lower()}: {value}"
    setattr(options, option, not value)
    return f"{BY_OPTION[option].label.lower()}: {'off' if value else 'on'}"
