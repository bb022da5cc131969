"""Expands `replicate` and `attach` in the XML tree, which afterwards has neither.

A replicate becomes one frame per copy, an attachment a frame with the elements of the other model, whose assets,
default classes, elements of the other sections and keyframes follow, named with the prefix. Nodes keep their file and
line; nodes of another model keep its compiler settings through the origin of their document.

Each copy of a submodel has its own keyframes, as in MuJoCo. A key's vectors are cut into one `Part` per joint, actuator
or mocap body, and each part is given a new owner. For example, a model with the joints `a` and, in a replicate of two
copies, `b`, and with <key name="k" qpos="1 2"/>, has joints a, b0, b1 and these keyframes:

    k0   a = 1, b0 = 2, b1 as at qpos0           `_copy_keys`: the part of b goes to the first copy
    k1   a = 1, b0 = its ref, b1 = 2             the second copy; b0 was copied before, and is padded from the file
    k    a = 1, b0 and b1 = their ref            `_finish_keys`: the value of b is dropped, all copies are padded

`_retarget_keys` hands the parts of keyframes that came by an attach inside of the replicate to its first copy;
`_attach_keys` adds the keyframes of an attached model, without the parts of what was not attached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.mjcf.attach.conflict import merge_settings
from sim.mjcf.attach.references import (
    ASSETS,
    REFERRING_SECTIONS,
    Names,
    Renaming,
    clone,
    kind_of,
    references,
    resolved,
    section_names,
    tree_names,
    walk,
)
from sim.mjcf.errors import suggestion
from sim.mjcf.rotation import ZERO, Quat, Vec3, compose_frames, orientation_to_quat
from sim.mjcf.schema import check_children, read_attributes
from sim.mjcf.section.keyframe import KeyNode, Layout, Part, layout
from sim.mjcf.source import Node, XmlReader

# more copies are typing errors, and would exhaust the memory
MOST_COPIES = 100_000
MOST_NODES = 400_000

# sections whose elements have a default class -> tags, or all
CLASSED = {"asset": ("material", "mesh"), "contact": ("pair",), "tendon": (), "equality": (), "actuator": ()}


def expand(root: Node, reader: XmlReader) -> Node:
    """The tree without `replicate`, `attach` and `model`; in place."""
    if reader.nested and root.tag == "mujoco":
        _Expander(root, reader).run()
    return root


class _Expander:
    """Expands one model: names defined so far, and models that can be attached."""

    def __init__(self, root: Node, reader: XmlReader) -> None:
        self.root, self.reader = root, reader
        self.names: Names = {"body": {"world"}}
        self.models: dict[str, Node] = {}
        self.classes = {"main"}
        # id of an attached model's root -> keyframes that came with it
        self.attached_keys: dict[int, list[KeyNode]] = {}

    def run(self) -> None:
        for kind, name in section_names(self.root):
            self.names.setdefault(kind, set()).add(name)
        for section in self._sections("asset"):
            for node in section.children:
                if node.tag == "model":
                    self._parse_model(node)
            section.children = [node for node in section.children if node.tag != "model"]
        for section in self._sections("default"):
            self.classes |= {node.attrib.get("class", "") for node in walk(section)}
        for section in self._sections("worldbody"):
            self._expand_children(section)

    def _sections(self, tag: str) -> list[Node]:
        return [node for node in self.root.children if node.tag == tag]

    def _expand_children(self, node: Node) -> None:
        """Expand the children of a body or frame, in the order of the file."""
        stack = [_detach_children(node)]
        while stack:
            node, old = stack[-1]
            for child in old:
                if child.tag == "replicate":
                    node.children += self._replicate(child, node)
                elif child.tag == "attach":
                    node.children.append(self._attach(child))
                elif child.tag in ("body", "frame"):
                    node.children.append(child)
                    self._add_name(child.tag, child)
                    stack.append(_detach_children(child))
                    break
                else:
                    node.children.append(self._add_tree_names(child))
            else:
                stack.pop()

    def _add_name(self, kind: str, node: Node) -> None:
        if "name" in node.attrib:
            self.names.setdefault(kind, set()).add(node.attrib["name"])

    def _add_tree_names(self, top: Node) -> Node:
        for kind, name in tree_names(top):
            self.names.setdefault(kind, set()).add(name)
        return top

    def _count_copies(self, tops: Sequence[Node], node: Node, copies: int = 1) -> None:
        """Check the number of copied elements, of all files together, before copying: nested copies multiply."""
        self.reader.copied[0] += copies * sum(1 for top in tops for _ in walk(top))
        if self.reader.copied[0] > MOST_NODES:
            raise node.error(f"the model is too large: more than {MOST_NODES} copied elements", "make fewer copies")

    # ---- replicate

    def _replicate(self, node: Node, parent: Node) -> list[Node]:
        with node.located():
            return self._copies(node, parent)

    def _copies(self, node: Node, parent: Node) -> list[Node]:
        values = read_attributes(node, "replicate")
        count: int = values["count"]
        if count > MOST_COPIES:
            raise node.error(f"count is {count}", f"the maximum is {MOST_COPIES}")
        degree, sequence = _angle_settings(self.root)
        euler, offset = values.get("euler", ZERO), values.get("offset", ZERO)
        rotation = orientation_to_quat("euler", euler, degree, sequence)
        # the children are a part of the model until they have been copied
        inside = Node("body", {}, node.document, node.end)
        inside.children = node.children
        parent.children.append(inside)
        check_children(inside)
        self._expand_children(inside)
        _drop_inertials(inside)
        self._count_copies([inside], node, max(count, 0))
        keys = self._keys()
        before = layout(self.root) if keys else {}
        # ctrl and act of actuators whose targets precede the copies are dropped, as in MuJoCo
        kept = [part._replace(copied=not self._resolved_so_far(part.node)) for part in before.get("actuator", [])]
        parent.children.pop()
        copies: list[Node] = []
        first: dict[int, Node] = {}
        pos: Vec3 = ZERO
        for k in range(count):
            quat = orientation_to_quat("euler", (k * euler[0], k * euler[1], k * euler[2]), degree, sequence)
            clones: dict[int, Node] = {}
            copy = clone(inside, clones)
            copy.tag, copy.attrib = "frame", _frame(pos, quat, values.get("childclass", ""))
            pos, _ = compose_frames(pos, quat, offset, rotation)
            rename = Renaming("", values.get("sep", "") + str(k).zfill(len(str(count))))
            rename.tree(copy)
            self._add_tree_names(copy)
            self._copy_section_elements(rename, clones)
            self._copy_keys(keys, rename, {**before, "actuator": kept}, clones, copies)
            copies.append(copy)
            if not first:
                first = clones
                self._retarget_keys(clones, lost="actuator")
        self._remove_originals(inside)
        if keys:
            self._finish_keys(keys, before, first, copies)
        return copies

    def _resolved_so_far(self, element: Node) -> bool:
        """Whether all references of an element, also those through tendons, are to names defined so far."""
        through = {node.attrib["tendon"] for node in walk(element) if "tendon" in node.attrib}
        tendons = [node for section in self._sections("tendon") for node in section.children]
        return resolved(element, self.names) and all(
            resolved(node, self.names) for node in tendons if node.attrib.get("name") in through
        )

    def _remove_originals(self, inside: Node) -> None:
        """Remove the names of what was copied, and the elements of other sections that refer to them."""
        before = {kind: set(names) for kind, names in self.names.items()}
        for kind, name in tree_names(inside):
            self.names[kind].discard(name)
        for tag in REFERRING_SECTIONS:
            for section in self._sections(tag):
                kept = []
                for node in section.children:
                    kind = kind_of(tag, node.tag)
                    # a tuple stays, and is an error when it is compiled
                    if kind == "tuple" or resolved(node, self.names) or not resolved(node, before):
                        kept.append(node)
                    else:
                        self.names.get(kind, set()).discard(node.attrib.get("name", ""))
                section.children = kept

    # ---- attach

    def _parse_model(self, node: Node) -> None:
        """Parse the file of a <model> asset."""
        values = read_attributes(node, "model")
        child, data = self.reader.child(values["file"].strip(), node)
        with node.located():
            root = expand(child.tree(data), child)
        if root.tag != "mujoco":
            raise root.error(f"the root element is <{root.tag}>", "it must be <mujoco>")
        check_children(root)
        name = values.get("name") or root.attrib.get("model", "MuJoCo Model")
        self.models.setdefault(name, root)

    def _attach(self, node: Node) -> Node:
        values = read_attributes(node, "attach")
        if "prefix" not in node.attrib:
            raise node.error("missing attribute 'prefix'")
        prefix = values.get("prefix", "")
        kind = next((kind for kind in ("body", "frame") if kind in values), "")
        name = values.get(kind, "")
        if kind and prefix + name in self.names.get(kind, ()):
            raise node.error(f"{kind} '{prefix}{name}' already exists", "use another prefix")
        if "model" not in values:
            return self._attach_self(node, kind, name, prefix)
        if values["model"] not in self.models:
            raise node.error(f"model '{values['model']}' does not exist", suggestion(values["model"], self.models))
        root = self.models[values["model"]]
        # a copy, to be renamed
        self._count_copies([root], node)
        clones: dict[int, Node] = {}
        copy = clone(root, clones)
        content, inherited = _find_content(copy, kind, name)
        if not content and kind:
            raise node.error(f"model '{values['model']}' has no {kind} '{name}'", "attach another one")
        rename = Renaming(prefix, classes=self._classes(copy, prefix))
        frame = Node("frame", {"childclass": rename.classes[inherited]}, node.document, node.end)
        frame.children = content
        for part in content:
            rename.tree(part)
        self._add_tree_names(frame)
        self.root.children += merge_settings(self.root, root, node)
        self._attach_sections(copy, rename)
        self._attach_section_elements(copy, rename)
        self._attach_keys(root, rename, clones, frame)
        return frame

    def _attach_self(self, node: Node, kind: str, name: str, prefix: str) -> Node:
        """Attach a body or frame of the model itself, as far as it is defined here."""
        if not kind:
            raise node.error("nothing to attach", "give model, body or frame")
        content, inherited = _find_content(self.root, kind, name)
        if not content:
            raise node.error(f"{kind} '{name}' is not defined before this", suggestion(name, self.names.get(kind, ())))
        keys = self._keys()
        before = layout(self.root) if keys else {}
        self._count_copies(content, node)
        clones: dict[int, Node] = {}
        frame = Node("frame", {"childclass": inherited}, node.document, node.end)
        frame.children = [clone(part, clones) for part in content]
        rename = Renaming(prefix)
        rename.tree(frame)
        self._add_tree_names(frame)
        self._copy_section_elements(rename, clones)
        self._retarget_keys(clones)
        self._copy_keys(keys, rename, before, clones, [])
        return frame

    def _attach_sections(self, copy: Node, rename: Renaming) -> None:
        """Compiler settings, default classes and assets of an attached model."""
        known = {(node.document.origin, node.end) for node in self._sections("compiler")}
        for section in copy.children:
            if section.tag == "compiler" and (section.document.origin, section.end) not in known:
                self.root.children.append(section)
        self.root.children += _default_classes(copy, rename)
        for section in copy.children:
            if section.tag in ("asset", "deformable"):
                for node in section.children:
                    _set_default_class(node, section.tag)
                    rename.asset(node)
                    self._add_name(kind_of(section.tag, node.tag), node)
                self.root.children.append(section)

    def _classes(self, copy: Node, prefix: str) -> dict[str, str]:
        """Default classes of an attached model -> unused new names."""
        names: dict[str, str] = {}
        for top in [Node("default", {}, copy.document, copy.end), *copy.children]:
            for node in walk(top) if top.tag == "default" else ():
                if node.tag == "default":
                    name = node.attrib.get("class", "main")
                    new = prefix + name
                    while new in self.classes and name not in names:
                        new += "_"
                    names.setdefault(name, new)
                    self.classes.add(new)
        return names

    # ---- elements of the other sections

    def _copy_section_elements(self, rename: Renaming, clones: dict[int, Node]) -> None:
        """Copy elements of the model's sections whose references all exist under their new names."""
        for tag in REFERRING_SECTIONS:
            taken: list[Node] = []
            sections = self._sections(tag)
            for section in sections:
                for node in section.children:
                    own: dict[int, Node] = {}
                    copy = clone(node, own)
                    kind = kind_of(tag, node.tag)
                    if kind not in ("numeric", "text") and rename.section_element(copy, kind, self.names):
                        taken.append(copy)
                        clones |= own
            for copy in taken:
                sections[-1].children.append(copy)
                self._add_name(kind_of(tag, copy.tag), copy)

    def _attach_section_elements(self, copy: Node, rename: Renaming) -> None:
        """Add the section elements of an attached model."""
        for tag in REFERRING_SECTIONS:
            for section in copy.children:
                if section.tag == tag:
                    taken = []
                    for node in section.children:
                        _set_default_class(node, tag)
                        kind = kind_of(tag, node.tag)
                        if rename.section_element(node, kind, self.names):
                            taken.append(node)
                            self._add_name(kind, node)
                    section.children = taken
                    self.root.children.append(section)

    # ---- keyframes

    def _keys(self) -> list[Node]:
        """Keyframes of the model that no replicate has processed yet."""
        return [node for node in _keys_of(self.root) if not isinstance(node, KeyNode)]

    def _copy_keys(
        self, keys: Sequence[Node], rename: Renaming, before: Layout, clones: dict[int, Node], earlier: list[Node]
    ) -> None:
        """A copy's own keyframes: parts of the originals go to their clones; nodes of earlier copies are padded."""
        if not keys:
            return
        parts = {
            kind: [part._replace(node=clones.get(id(part.node), part.node)) for part in row]
            for kind, row in before.items()
        }
        padded = {id(node) for top in earlier for node in walk(top)}
        self._append_keys([KeyNode(key, rename(key.attrib.get("name", "")), parts, padded) for key in keys])

    def _retarget_keys(self, clones: dict[int, Node], lost: str = "") -> None:
        """Parts of keyframes that came by an attach go to the first copy; those of the type `lost` are dropped."""

        def moved(part: Part, kind: str) -> Part:
            node = clones.get(id(part.node))
            return Part(node, part.copied and kind != lost, part.sizes) if node else part

        for key in _keys_of(self.root):
            if isinstance(key, KeyNode):
                key.parts = {kind: [moved(part, kind) for part in row] for kind, row in key.parts.items()}

    def _finish_keys(self, keys: Sequence[Node], before: Layout, first: dict[int, Node], copies: list[Node]) -> None:
        """The original keyframes, after those of the copies: parts of originals are dropped, copies are padded."""

        def dropped(part: Part) -> Part:
            return Part(first[id(part.node)], False, part.sizes) if id(part.node) in first else part

        parts = {kind: [dropped(part) for part in row] for kind, row in before.items()}
        padded = {id(node) for top in copies for node in walk(top)}
        ids = {id(key) for key in keys}
        for section in self._sections("keyframe"):
            section.children = [node for node in section.children if id(node) not in ids]
        self._append_keys([KeyNode(key, key.attrib.get("name", ""), parts, padded) for key in keys])

    def _attach_keys(self, root: Node, rename: Renaming, clones: dict[int, Node], frame: Node) -> None:
        """Keyframes of an attached model: parts of what was attached, and of the actuators that came with it."""
        keys = _keys_of(root)
        if not keys:
            return
        kept = {id(node) for node in walk(frame)}
        kept |= {id(node) for section in self._sections("actuator") for node in section.children}
        sources = layout(root)

        def moved(part: Part) -> Part:
            node = clones[id(part.node)]
            return Part(node, id(node) in kept, part.sizes)

        # keyframes of earlier attachments of this model have values for what is attached only now
        for key in self.attached_keys.setdefault(id(root), []):
            for kind, row in key.parts.items():
                key.parts[kind] = [
                    part if part.copied else moved(source) for part, source in zip(row, sources[kind], strict=True)
                ]
        parts = {kind: [moved(part) for part in row] for kind, row in sources.items()}
        new = [
            KeyNode(key, rename(key.attrib.get("name", "")), dict(parts), set())
            for key in keys
            if not isinstance(key, KeyNode)
        ]
        self.attached_keys[id(root)] += new
        self._append_keys([*(key.clone(clones, kept) for key in keys if isinstance(key, KeyNode)), *new])

    def _append_keys(self, keys: list[KeyNode]) -> None:
        if keys:
            section = Node("keyframe", {}, keys[0].document, keys[0].end)
            section.children += keys
            self.root.children.append(section)


def _detach_children(node: Node) -> tuple[Node, Iterator[Node]]:
    """Take the children off a node, to be added again one by one: an attach finds those before it."""
    old, node.children = node.children, []
    return node, iter(old)


def _keys_of(root: Node) -> list[Node]:
    return [node for section in root.children if section.tag == "keyframe" for node in section.children]


def _angle_settings(root: Node) -> tuple[bool, str]:
    """compiler angle, as whether it is degree, and eulerseq."""
    degree, sequence = True, "xyz"
    for node in root.children:
        if node.tag == "compiler" and node.document.origin == root.document.origin:
            degree = node.attrib.get("angle", "degree" if degree else "radian") == "degree"
            sequence = node.attrib.get("eulerseq", sequence)
    if len(sequence) != 3 or set(sequence.lower()) - set("xyz"):
        sequence = "xyz"
    return degree, sequence


def _frame(pos: Vec3, quat: Quat, childclass: str) -> dict[str, str]:
    place = {"pos": " ".join(map(repr, pos)), "quat": " ".join(map(repr, quat))}
    return {**place, "childclass": childclass} if childclass else place


def _drop_inertials(inside: Node) -> None:
    """Remove <inertial> of what is replicated: it becomes a frame, which has no inertia."""
    stack = [inside]
    while stack:
        node = stack.pop()
        node.children = [child for child in node.children if child.tag != "inertial"]
        stack += [child for child in node.children if child.tag == "frame"]


def _find_content(root: Node, kind: str, name: str) -> tuple[list[Node], str]:
    """A body or frame of a model, or all of its world, and the childclass in force there."""
    worlds = [node for node in root.children if node.tag == "worldbody"]
    content = [child for world in worlds for child in world.children]
    if not kind:
        return content, "main"
    if kind == "body" and name == "world":
        world = Node("body", {"name": "world"}, root.document, root.end)
        world.children = content
        return [world], "main"
    stack = [(node, "main") for node in reversed(content)]
    while stack:
        node, inherited = stack.pop()
        if node.tag == kind and node.attrib.get("name") == name:
            return [node], inherited
        inherited = node.attrib.get("childclass", inherited)
        stack += [(child, inherited) for child in reversed(node.children)]
    return [], "main"


def _set_default_class(node: Node, section: str) -> None:
    """Set the class that an element has by default explicitly."""
    tags = CLASSED.get(section)
    if tags is not None and (not tags or node.tag in tags):
        node.attrib.setdefault("class", "main")


def _default_classes(copy: Node, rename: Renaming) -> list[Node]:
    """The default classes of an attached model, its main class first, which inherits from none."""
    main = Node("default", {"class": "main"}, copy.document, copy.end)
    tops = [main]
    for section in copy.children:
        if section.tag == "default":
            if section.attrib.get("class", "main") == "main":
                _merge_defaults(main, section)
            else:
                tops.append(section)
    for top in tops:
        for node in walk(top):
            if "class" in node.attrib:
                node.attrib["class"] = rename.classes[node.attrib["class"]]
            for key, kind in references(node):
                if kind in ASSETS:
                    node.attrib[key] = rename(node.attrib[key])
    return tops


def _merge_defaults(main: Node, section: Node) -> None:
    """Merge a <default> section into the main class; later values win."""
    settings = {node.tag: node for node in main.children if node.tag != "default"}
    for node in section.children:
        if node.tag in settings:
            settings[node.tag].attrib |= node.attrib
            settings[node.tag].children += node.children
        else:
            main.children.append(node)
