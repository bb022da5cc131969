"""What `replicate` and `attach` do to keyframes: each copy of a submodel has its own, as in MuJoCo.

An example, which a test runs. All joints are hinges; angles in a keyframe are in radians.

    main.xml    <asset><model name="arm" file="arm.xml"/></asset>
                <worldbody>
                  <body><joint name="a"/><geom size="1"/></body>
                  <replicate count="2"><body><joint name="b" ref="90"/><geom size="1"/></body></replicate>
                  <attach model="arm" body="hand" prefix="x_"/>
                </worldbody>
                <keyframe><key name="k" qpos="1 2"/></keyframe>

    arm.xml     <worldbody>
                  <body name="hand"><joint name="c"/><geom size="1"/></body>
                  <body name="foot"><joint name="d"/><geom size="1"/></body>
                </worldbody>
                <keyframe><key name="home" qpos="5 6"/></keyframe>

The slices of qpos that each stage assigns; `-` is a value that nobody takes:

    replicate, first copy     k0        a=1 b0=2
    replicate, second copy    k1        a=1 b1=2      pads b0
    replicate, end            k         a=1 -=2       pads b0 b1
    attach                    x_home    x_c=5 -=6

Each copy takes the value of its original, and the keyframe itself, which comes last, loses it. Of an attached model
only what is attached takes values. In the compiled model what has no value is as in qpos0; but where an element was
added while the keyframe existed, MuJoCo pads with the number in the file, here ref in degrees:

    compiled    a      b0      b1      x_c
    k0          1      2       1.57    0
    k1          1      90      2       0
    k           1      90      90      0
    x_home      0      1.57    1.57    5
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sim.mjcf.attach.key_node import KeyNode, Slice, Slices, map_slices, model_slices
from sim.mjcf.attach.references import Clones, Renaming, walk
from sim.mjcf.source import Node


def keys_of(root: Node) -> list[Node]:
    """All keyframes of a model."""
    return [node for section in root.children if section.tag == "keyframe" for node in section.children]


def own_keys(root: Node) -> list[Node]:
    """Keyframes of the model that still are for all of it: no replicate has been expanded yet."""
    return [node for node in keys_of(root) if not isinstance(node, KeyNode)]


def append_keys(root: Node, keys: Sequence[KeyNode]) -> None:
    """Add keyframes at the end of a model."""
    if keys:
        section = Node("keyframe", {}, keys[0].document, keys[0].end)
        section.children += keys
        root.children.append(section)


def renamed(key: Node, rename: Renaming) -> str:
    """The name of a copied keyframe."""
    return rename(key.attrib.get("name", ""))


def follow_clones(root: Node, clones: Clones, drop: str = "") -> None:
    """In keyframes of submodels, clones take the values of what was cloned; those of the type `drop` are lost."""

    def moved(part: Slice, kind: str) -> Slice:
        clone = clones.get(part.element)
        return part if clone is None else Slice(clone, part.taken and kind != drop, part.sizes)

    for key in keys_of(root):
        if isinstance(key, KeyNode):
            key.slices = {kind: [moved(part, kind) for part in row] for kind, row in key.slices.items()}
            key.padded = {clones.get(node, node) for node in key.padded}


class ReplicatedKeys:
    """The keyframes of a model while a part of it is replicated; made when the part has not been copied yet.

    `defined` says whether everything that an actuator refers to precedes the copies: its ctrl and act are lost, as in
    MuJoCo.
    """

    def __init__(self, root: Node, defined: Callable[[Node], bool]) -> None:
        self._root, self._keys = root, own_keys(root)
        self._slices = model_slices(root) if self._keys else {}
        self._lost = {part.element for part in self._slices.get("actuator", ()) if defined(part.element)}
        self._first: Clones = {}
        self._copied: set[Node] = set()

    def add_copy(self, copy: Node, rename: Renaming, clones: Clones) -> None:
        """Add the keyframes of a copy: clones take the values of the originals, earlier copies are padded."""

        def moved(part: Slice) -> Slice:
            return Slice(clones.get(part.element, part.element), part.element not in self._lost, part.sizes)

        if self._keys:
            slices = map_slices(self._slices, moved)
            append_keys(self._root, [KeyNode(key, renamed(key, rename), slices, self._copied) for key in self._keys])
            self._copied = {*self._copied, *walk(copy)}
        if not self._first:
            self._first = clones
            # keyframes that came by an attach inside of the replicate
            follow_clones(self._root, clones, drop="actuator")

    def finish(self) -> None:
        """Add the keyframes of the model itself: nobody takes the values of the originals, all copies are padded."""

        def dropped(part: Slice) -> Slice:
            clone = self._first.get(part.element)
            return part if clone is None else Slice(clone, False, part.sizes)

        slices, own = map_slices(self._slices, dropped), {*self._keys}
        for section in self._root.children:
            if section.tag == "keyframe":
                section.children = [node for node in section.children if node not in own]
        append_keys(self._root, [KeyNode(key, key.attrib.get("name", ""), slices, self._copied) for key in self._keys])


class SelfAttachedKeys:
    """The keyframes of a model while a part of it is attached to itself; made when the part has not been copied yet."""

    def __init__(self, root: Node) -> None:
        self._root, self._keys = root, own_keys(root)
        self._slices = model_slices(root) if self._keys else {}

    def add_copy(self, rename: Renaming, clones: Clones) -> None:
        """Add the keyframes of the copy; those of the model itself stay as they are."""
        follow_clones(self._root, clones)
        slices = map_slices(self._slices, lambda part: part._replace(element=clones.get(part.element, part.element)))
        append_keys(self._root, [KeyNode(key, renamed(key, rename), slices, set()) for key in self._keys])


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
        of_parts = [
            KeyNode(key, key.attrib.get("name", ""), map_slices(key.slices, moved), _clones_of(key.padded, clones))
            for key in keys
            if isinstance(key, KeyNode)
        ]
        of_whole = [KeyNode(key, renamed(key, rename), dict(slices), set()) for key in own_keys(model)]
        earlier += of_whole
        append_keys(self._root, [*of_parts, *of_whole])


def _take_the_rest(key: KeyNode, slices: Slices) -> None:
    """A keyframe of an earlier attachment of the same model has values for what is attached only now."""
    for kind, row in key.slices.items():
        key.slices[kind] = [part if part.taken else new for part, new in zip(row, slices[kind], strict=True)]


def _clones_of(nodes: set[Node], clones: Clones) -> set[Node]:
    return {clones[node] for node in nodes if node in clones}
