"""What `attach` and `replicate` do to keyframes: an attached model brings its own, as in MuJoCo.

An example, which a test runs. All joints are hinges; angles in a keyframe are in radians.

    main.xml    <asset><model name="arm" file="arm.xml"/></asset>
                <worldbody>
                  <body><joint name="a"/><geom size="1"/></body>
                  <replicate count="2">
                    <body><joint name="b" ref="90"/><geom size="1"/></body>
                    <attach model="arm" body="hand" prefix="x_"/>
                  </replicate>
                </worldbody>
                <keyframe><key name="k" qpos="1 2 3"/></keyframe>

    arm.xml     <worldbody>
                  <body name="hand"><joint name="c"/><geom size="1"/></body>
                  <body name="foot"><joint name="d" ref="90"/><geom size="1"/></body>
                </worldbody>
                <keyframe><key name="home" qpos="5 6"/></keyframe>

The slices of qpos that each stage assigns; `-` is a value that nobody takes:

    attach       x_home    x_c=5 -=6
    replicate    x_home    x_c0=5 -=6

A keyframe of the main model is for the model with all copies in place. Of an attached model only what is attached takes
values; if that is replicated, the first copy takes them. What has no value is as in qpos0:

    compiled    a      b0      x_c0    b1      x_c1
    k           1      2       3       1.57    0
    x_home      0      1.57    5       1.57    0
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.mjcf.attach.key_node import KeyNode, Slice, Slices, map_slices, model_slices
from sim.mjcf.attach.references import Clones, Renaming, walk
from sim.mjcf.source import Node


def keys_of(root: Node) -> list[Node]:
    """All keyframes of a model."""
    return [node for section in root.children if section.tag == "keyframe" for node in section.children]


def append_keys(root: Node, keys: Sequence[KeyNode]) -> None:
    """Add keyframes at the end of a model."""
    if keys:
        section = Node("keyframe", {}, keys[0].document, keys[0].end)
        section.children += keys
        root.children.append(section)


def follow_clones(root: Node, clones: Clones) -> None:
    """In keyframes of attached models, clones take the values of what was cloned."""
    for key in keys_of(root):
        key.follow(clones)


class AttachedKeys:
    """The keyframes that come with models attached to this one."""

    def __init__(self, root: Node) -> None:
        self._root = root
        # root of an attached model -> keyframes that came with it
        self._of_model: dict[Node, list[KeyNode]] = {}

    def attach(self, model: Node, rename: Renaming, clones: Clones, frame: Node) -> None:
        """Add the keyframes of a model of which `frame` has been attached, with the actuators that refer to it."""
        keys = keys_of(model)
        if not keys:
            return
        present = {*walk(frame)}
        present |= {
            node
            for section in self._root.children
            if section.tag in ("actuator", "tendon")
            for node in section.children
        }

        def moved(part: Slice) -> Slice:
            clone = clones.get(part.element, part.element)
            return Slice(clone, part.taken and clone in present, part.sizes)

        slices = map_slices(model_slices(model), moved)
        earlier = self._of_model.setdefault(model, [])
        for key in earlier:
            _take_the_rest(key, slices)
        # those of models that were attached to this one keep their names
        of_whole, of_parts = [], []
        for node in keys:
            name = node.attrib.get("name", "")
            if isinstance(node, KeyNode):
                of_parts.append(KeyNode(node, name, map_slices(node.slices, moved)))
            else:
                of_whole.append(KeyNode(node, rename(name), dict(slices)))
        earlier += of_whole
        append_keys(self._root, [*of_whole, *of_parts])


def _take_the_rest(key: KeyNode, slices: Slices) -> None:
    """A keyframe of an earlier attachment of the same model has values for what is attached only now."""
    for kind, row in key.slices.items():
        key.slices[kind] = [part if part.taken else new for part, new in zip(row, slices[kind], strict=True)]
