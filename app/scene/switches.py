"""THE table of what can be switched in the picture: option -> label -> key -> one sentence.

Bindings, help, command palette, the rendering panel and the names of the command line are made from it. To add a
switch: a field of `VisualOptions`, one row here, and whatever draws it. Keys are those of MuJoCo's simulate.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.scene.visual_options import FRAMES, LABELS, NGROUP, VisualOptions


@dataclass(frozen=True)
class Switch:
    """One row: a field of the options, how it is called, its key if it has one, what it shows, and in which section."""

    option: str
    label: str
    key: str
    section: str
    help: str


@dataclass(frozen=True)
class Groups:
    """Six switches in a row: which groups of a kind of element are drawn; `modifier` with a digit is their key."""

    option: str
    label: str
    modifier: str | None = None

    def key(self, group: int) -> str:
        """The trigger of one group, or an empty string."""
        return "" if self.modifier is None else f"{self.modifier}{group}"


LIGHT, MODEL, PHYSICS, CONTACT = "Light and surface", "Model", "Physics", "Contact"

SWITCHES = (
    Switch("shadow", "Shadow", "S", LIGHT, "soft shadows of the lights that cast them"),
    Switch("reflection", "Reflection", "R", LIGHT, "mirrors: planes and tops of boxes; material/reflectance"),
    Switch("texture", "Texture", "X", LIGHT, "textures of materials"),
    Switch("skybox", "Skybox", "K", LIGHT, "the model's sky instead of the plain one"),
    Switch("haze", "Haze", "/", LIGHT, "infinite planes fade into the horizon; visual/map/haze"),
    Switch("fog", "Fog", "G", LIGHT, "what is far fades; visual/map/fogstart, fogend"),
    Switch("additive", "Additive", "L", LIGHT, "see-through things add their light"),
    Switch("wireframe", "Wireframe", "W", LIGHT, "edges of triangles alone"),
    Switch("transparent", "Transparent", "T", MODEL, "see through moving bodies; visual/map/alpha"),
    Switch("static", "Static bodies", "D", MODEL, "bodies that are fixed to the world"),
    Switch("skin", "Skin", ";", MODEL, "skins over the bodies that move them"),
    Switch("convex_hull", "Convex hull", "H", MODEL, "what meshes collide with, instead of the meshes"),
    Switch("tendon", "Tendon", "V", MODEL, "tendons along their paths"),
    Switch("joint", "Joint", "J", MODEL, "axes of joints"),
    Switch("actuator", "Actuator", "U", MODEL, "what actuators act on"),
    Switch("activation", "Activation", ",", MODEL, "actuators coloured by their activation, not their control"),
    Switch("camera", "Camera", "Q", MODEL, "cameras and what they frame"),
    Switch("light", "Light", "Z", MODEL, "where lights are and where they shine"),
    Switch("auto_connect", "Auto connect", "A", MODEL, "rods from each body to its joints and to its children"),
    Switch("body_bvh", "Body boxes", "`", MODEL, "bounding boxes of bodies in the broad phase"),
    Switch("mesh_bvh", "Mesh boxes", "\\", MODEL, "bounding boxes inside meshes"),
    Switch("inertia", "Inertia", "I", PHYSICS, "boxes of equal mass and inertia"),
    Switch("scale_inertia", "Scale inertia", "'", PHYSICS, "inertia at the density of water, so that heavy is large"),
    Switch("com", "Centre of mass", "M", PHYSICS, "centres of mass of trees of bodies"),
    Switch("constraint", "Equality", "E", PHYSICS, "equality constraints and how far they are from holding"),
    Switch("rangefinder", "Rangefinder", "Y", PHYSICS, "rays of rangefinders up to what they meet"),
    Switch("island", "Island", "N", PHYSICS, "a colour for each constraint island; asleep darker and greyer"),
    Switch("perturb_force", "Perturb force", "B", PHYSICS, "forces on bodies from outside: xfrc_applied, the mouse"),
    Switch("perturb_object", "Perturb object", "O", PHYSICS, "where the pointer pulls the selected body"),
    Switch("contact_point", "Contact point", "C", CONTACT, "discs where bodies touch; other colour: within the gap"),
    Switch("contact_force", "Contact force", "F", CONTACT, "forces of the last step, on the body that moves"),
    Switch("contact_split", "Contact split", "P", CONTACT, "normal and friction force apart"),
    Switch("friction_cone", "Friction cone", "", CONTACT, "the cone that the force of each contact stays in"),
    Switch("contact_state", "Stick and slip", "", CONTACT, "colour of discs: blue sticks, amber slips, grey is free"),
    Switch("frame", "Frames", "F6", MODEL, "axes of: " + ", ".join(FRAMES)),
    Switch("label", "Labels", "F7", MODEL, "names of: " + ", ".join(LABELS)),
)  # fmt: skip

GROUPS = (
    Groups("geom_group", "Geom groups", ""),
    Groups("site_group", "Site groups", "Shift+"),
    Groups("joint_group", "Joint groups"),
    Groups("tendon_group", "Tendon groups"),
    Groups("actuator_group", "Actuator groups"),
    Groups("skin_group", "Skin groups"),
)

CYCLES = {"frame": FRAMES, "label": LABELS}
BY_OPTION = {switch.option: switch for switch in SWITCHES}
_KEYS: dict[str, tuple[str, int]] = {switch.key: (switch.option, -1) for switch in SWITCHES if switch.key}
_KEYS |= {row.key(g): (row.option, g) for row in GROUPS for g in range(NGROUP) if row.key(g)}


def press(options: VisualOptions, key: str) -> str:
    """Flip what the key stands for, or go to the next choice; returns what to say about it."""
    return flip(options, *_KEYS[key])


def flip(options: VisualOptions, option: str, group: int = -1) -> str:
    """Flip an option, or one group of it, or go to its next choice; returns what to say about it."""
    value = getattr(options, option)
    if group >= 0:
        value[group] = not value[group]
        return f"{option.replace('_', ' ')} {group}: {'on' if value[group] else 'off'}"
    if option in CYCLES:
        choices = CYCLES[option]
        value = choices[(choices.index(value) + 1) % len(choices)]
        setattr(options, option, value)
        return f"{BY_OPTION[option].label.lower()}: {value}"
    setattr(options, option, not value)
    return f"{BY_OPTION[option].label.lower()}: {'off' if value else 'on'}"
