"""The words of URDF: its elements and attributes, and a warning about those that it does not have.

MuJoCo ignores unknown words silently, so that a misspelt <colision> just does not collide. Here one warning for each
file names them, each with the place where it occurs first. Elements of other programs are ignored silently: those with
a prefix, such as drake:joint, and the extensions in the table.
"""

from __future__ import annotations

from difflib import get_close_matches

from sim.mjcf import notes
from sim.mjcf.errors import shortened
from sim.mjcf.schema import element, words
from sim.mjcf.source import Node

# element -> attributes, children
WORDS: dict[str, tuple[str, str]] = {
    "robot": ("name version", "link joint material mujoco"),
    "link": ("name type", "inertial visual collision"),
    "inertial": ("", "origin mass inertia"),
    "origin": ("xyz rpy", ""),
    "mass": ("value", ""),
    "inertia": ("ixx ixy ixz iyy iyz izz", ""),
    "visual": ("name", "origin geometry material"),
    "collision": ("name", "origin geometry material"),
    "geometry": ("", "box cylinder sphere capsule mesh"),
    "box": ("size", ""),
    "cylinder": ("radius length", ""),
    "capsule": ("radius length", ""),
    "sphere": ("radius", ""),
    "mesh": ("filename scale", ""),
    "material": ("name", "color texture"),
    "color": ("rgba", ""),
    "texture": ("filename", ""),
    "joint": ("name type", "origin parent child axis limit dynamics mimic safety_controller calibration"),
    "parent": ("link", ""),
    "child": ("link", ""),
    "axis": ("xyz", ""),
    "limit": ("lower upper effort velocity acceleration deceleration jerk", ""),
    "dynamics": ("damping friction", ""),
    "mimic": ("joint multiplier offset", ""),
    "safety_controller": ("soft_lower_limit soft_upper_limit k_position k_velocity", ""),
    "calibration": ("rising falling reference_position", ""),
    "mujoco": ("", "compiler option size"),
}
# elements of other programs: Gazebo, ROS, Bullet, Drake
EXTENSIONS = words("""
    gazebo transmission ros2_control sensor frame loop_joint collision_filter_group contact verbose
    self_collision_checking""")
# of MJCF, inside the extension <mujoco>
MJCF = ("compiler", "option", "size", "flag", "lengthrange")
MOST_SHOWN = 8


def warn_unknown(root: Node) -> None:
    """Warn once about the words in a file that URDF does not have."""
    found: dict[tuple[str, str], str] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        attributes, children = _known(node.tag)
        for key in node.attrib:
            if key not in attributes and key[:1] != "{":
                found.setdefault((node.tag, key), _sentence(node, f"unknown attribute '{key}'", key, attributes))
        for child in node.children:
            if child.tag in children:
                continue
            if child.tag not in EXTENSIONS and child.tag[:1] != "{":
                what = f"unknown in <{node.tag}>"
                found.setdefault((node.tag, f"<{child.tag}>"), _sentence(child, what, child.tag, children))
        pending += [child for child in reversed(node.children) if child.tag in children]
    if found:
        shown = [
            *list(found.values())[:MOST_SHOWN],
            *([f"and {len(found) - MOST_SHOWN} more"] if len(found) > MOST_SHOWN else []),
        ]
        notes.warn("ignored, as in MuJoCo:\n" + "\n".join(shown), stacklevel=2)


def _known(tag: str) -> tuple[list[str], list[str]]:
    if tag in MJCF:
        return [*element(tag).attributes], [*element(tag).children]
    attributes, children = WORDS[tag]
    return attributes.split(), children.split()


def _sentence(node: Node, what: str, word: str, known: list[str]) -> str:
    close = get_close_matches(word, known, n=1, cutoff=0.6)
    return str(node.error(shortened(what), f"did you mean '{close[0]}'?" if close else ""))
