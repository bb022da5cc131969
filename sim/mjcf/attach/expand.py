"""`replicate` and `attach` written out: the tree of nodes as it would be without them.

A replicate becomes one frame for each copy, an attachment a frame around what comes from another model, whose
assets, default classes, relations and keyframes follow under the prefix. Nodes keep their file and line; nodes of
another model keep its compiler settings through the origin of their document.
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

# more copies than this are a slip of the pen, and would take all memory
MOST_COPIES = 100_000
MOST_NODES = 400_000

# sections whose elements have a default class
CLASSED = {"asset": ("material", "mesh"), "contact": ("pair",), "tendon": (), "equality": (), "actuator": ()}


def expand(root: Node, reader: XmlReader) -> Node:
    """The tree without `replicate`, `attach` and `model`; in place."""
    if reader.nested and root.tag == "mujoco":
        _Expander(root, reader).run()
    return root


class _Expander:
    """One model while its copies are made: the names that exist so far, and the models that can be attached."""

    def __init__(self, root: Node, reader: XmlReader) -> None:
        self.root, self.reader = root, reader
        self.names: Names = {"body": {"world"}}
        self.models: dict[str, Node] = {}
        self.classes = {"main"}
        # keyframes that came with each of them
        self.left: dict[int, list[KeyNode]] = {}

    def run(self) -> None:
        for kind, name in section_names(self.root):
            self.names.setdefault(kind, set()).add(name)
        for section in self._sections("asset"):
            for node in section.children:
                if node.tag == "model":
                    self._model(node)
            section.children = [node for node in section.children if node.tag != "model"]
        for section in self._sections("default"):
            self.classes |= {node.attrib.get("class", "") for node in walk(section)}
        for section in self._sections("worldbody"):
            self._content(section)

    def _sections(self, tag: str) -> list[Node]:
        return [node for node in self.root.children if node.tag == tag]

    def _content(self, node: Node) -> None:
        """Write out what stands in a body or a frame, in the order of the file."""
        stack = [_emptied(node)]
        while stack:
            node, old = stack[-1]
            for child in old:
                if child.tag == "replicate":
                    node.children += self._replicate(child, node)
                elif child.tag == "attach":
                    node.children.append(self._attach(child))
                elif child.tag in ("body", "frame"):
                    node.children.append(child)
                    self._know(child.tag, child)
                    stack.append(_emptied(child))
                    break
                else:
                    node.children.append(self._learn(child))
            else:
                stack.pop()

    def _know(self, kind: str, node: Node) -> None:
        if "name" in node.attrib:
            self.names.setdefault(kind, set()).add(node.attrib["name"])

    def _learn(self, top: Node) -> Node:
        for kind, name in tree_names(top):
            self.names.setdefault(kind, set()).add(name)
        return top

    def _count(self, tops: Sequence[Node], node: Node, copies: int = 1) -> None:
        """Before copies are made, of all files together: copies of copies grow without end."""
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
            raise node.error(f"count is {count}", f"it can be {MOST_COPIES} at most")
        degree, sequence = _angles(self.root)
        euler, offset = values.get("euler", ZERO), values.get("offset", ZERO)
        turn = orientation_to_quat("euler", euler, degree, sequence)
        # what is copied is a part of the model until it has been copied
        inside = Node("body", {}, node.document, node.end)
        inside.children = node.children
        parent.children.append(inside)
        check_children(inside)
        self._content(inside)
        _drop_inertials(inside)
        self._count([inside], node, max(count, 0))
        keys = self._keys()
        before = layout(self.root) if keys else {}
        # controls and activations of what stands before the copies get lost, here as in MuJoCo
        kept = [part._replace(taken=not self._exists(part.node)) for part in before.get("actuator", [])]
        parent.children.pop()
        copies: list[Node] = []
        first: dict[int, Node] = {}
        pos: Vec3 = ZERO
        for k in range(count):
            quat = orientation_to_quat("euler", (k * euler[0], k * euler[1], k * euler[2]), degree, sequence)
            clones: dict[int, Node] = {}
            copy = clone(inside, clones)
            copy.tag, copy.attrib = "frame", _frame(pos, quat, values.get("childclass", ""))
            pos, _ = compose_frames(pos, quat, offset, turn)
            rename = Renaming("", values.get("sep", "") + str(k).zfill(len(str(count))))
            rename.tree(copy)
            self._learn(copy)
            self._copy_section_elements(rename, clones)
            self._add_keys(keys, rename, {**before, "actuator": kept}, clones, copies)
            copies.append(copy)
            if not first:
                first = clones
                self._move_keys(clones, lost="actuator")
        self._forget(inside)
        if keys:
            self._end_keys(keys, before, first, copies)
        return copies

    def _exists(self, section_element: Node) -> bool:
        """Whether what a relation acts on stands before this place in the tree, tendons looked through."""
        through = {node.attrib["tendon"] for node in walk(section_element) if "tendon" in node.attrib}
        tendons = [node for section in self._sections("tendon") for node in section.children]
        return resolved(section_element, self.names) and all(
            resolved(node, self.names) for node in tendons if node.attrib.get("name") in through
        )

    def _forget(self, inside: Node) -> None:
        """What was copied is gone, and relations that referred to it with it."""
        before = {kind: set(names) for kind, names in self.names.items()}
        for kind, name in tree_names(inside):
            self.names[kind].discard(name)
        for tag in REFERRING_SECTIONS:
            for section in self._sections(tag):
                kept = []
                for node in section.children:
                    kind = kind_of(tag, node.tag)
                    # a tuple stays, and is found to be wrong when it is compiled
                    if kind == "tuple" or resolved(node, self.names) or not resolved(node, before):
                        kept.append(node)
                    else:
                        self.names.get(kind, set()).discard(node.attrib.get("name", ""))
                section.children = kept

    # ---- attach

    def _model(self, node: Node) -> None:
        """Parse a model that can be attached."""
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
            raise node.error(f"{kind} '{prefix}{name}' exists already", "give another prefix")
        if "model" not in values:
            return self._attach_own(node, kind, name, prefix)
        if values["model"] not in self.models:
            raise node.error(f"model '{values['model']}' does not exist", suggestion(values["model"], self.models))
        root = self.models[values["model"]]
        # a fresh copy under its new names
        self._count([root], node)
        clones: dict[int, Node] = {}
        copy = clone(root, clones)
        content, inherited = _find(copy, kind, name)
        if not content and kind:
            raise node.error(f"model '{values['model']}' has no {kind} '{name}'")
        rename = Renaming(prefix, classes=self._classes(copy, prefix))
        frame = Node("frame", {"childclass": rename.classes[inherited]}, node.document, node.end)
        frame.children = content
        for part in content:
            rename.tree(part)
        self._learn(frame)
        self.root.children += merge_settings(self.root, root, node)
        self._attach_sections(copy, rename)
        self._attach_section_elements(copy, rename)
        self._take_keys(root, rename, clones, frame)
        return frame

    def _attach_own(self, node: Node, kind: str, name: str, prefix: str) -> Node:
        """Attach a part of the model itself, as it is so far."""
        if not kind:
            raise node.error("neither model nor body nor frame is given", "say what to attach")
        content, inherited = _find(self.root, kind, name)
        if not content:
            raise node.error(f"{kind} '{name}' does not exist so far", suggestion(name, self.names.get(kind, ())))
        keys = self._keys()
        before = layout(self.root) if keys else {}
        self._count(content, node)
        clones: dict[int, Node] = {}
        frame = Node("frame", {"childclass": inherited}, node.document, node.end)
        frame.children = [clone(part, clones) for part in content]
        rename = Renaming(prefix)
        rename.tree(frame)
        self._learn(frame)
        self._copy_section_elements(rename, clones)
        self._move_keys(clones)
        self._add_keys(keys, rename, before, clones, [])
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
                    _classify(node, section.tag)
                    rename.asset(node)
                    self._know(kind_of(section.tag, node.tag), node)
                self.root.children.append(section)

    def _classes(self, copy: Node, prefix: str) -> dict[str, str]:
        """New names of the default classes of an attached model, which no class has yet."""
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

    # ---- what refers to the tree

    def _copy_section_elements(self, rename: Renaming, clones: dict[int, Node]) -> None:
        """Copies of the model's own relations, of those all of whose ends exist under their new names."""
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
                self._know(kind_of(tag, copy.tag), copy)

    def _attach_section_elements(self, copy: Node, rename: Renaming) -> None:
        """Relations of an attached model."""
        for tag in REFERRING_SECTIONS:
            for section in copy.children:
                if section.tag == tag:
                    taken = []
                    for node in section.children:
                        _classify(node, tag)
                        kind = kind_of(tag, node.tag)
                        if rename.section_element(node, kind, self.names):
                            taken.append(node)
                            self._know(kind, node)
                    section.children = taken
                    self.root.children.append(section)

    # ---- keyframes

    def _keys(self) -> list[Node]:
        """Keyframes of the model itself that no replicate has touched yet."""
        return [node for node in _keys_of(self.root) if not isinstance(node, KeyNode)]

    def _add_keys(
        self, keys: Sequence[Node], rename: Renaming, before: Layout, clones: dict[int, Node], earlier: list[Node]
    ) -> None:
        """A copy has each keyframe once more, with its own values in place of those of what was copied."""
        if not keys:
            return
        parts = {
            kind: [part._replace(node=clones.get(id(part.node), part.node)) for part in row]
            for kind, row in before.items()
        }
        padded = {id(node) for top in earlier for node in walk(top)}
        self._append_keys([KeyNode(key, rename(key.attrib.get("name", "")), parts, padded) for key in keys])

    def _move_keys(self, clones: dict[int, Node], lost: str = "") -> None:
        """Keyframes that came with an attached part now belong to the first copy of it."""

        def moved(part: Part, kind: str) -> Part:
            node = clones.get(id(part.node))
            return Part(node, part.taken and kind != lost, part.sizes) if node else part

        for key in _keys_of(self.root):
            if isinstance(key, KeyNode):
                key.parts = {kind: [moved(part, kind) for part in row] for kind, row in key.parts.items()}

    def _end_keys(self, keys: Sequence[Node], before: Layout, first: dict[int, Node], copies: list[Node]) -> None:
        """The keyframes themselves, without what was copied; they come after those of the copies."""

        def left(part: Part) -> Part:
            return Part(first[id(part.node)], False, part.sizes) if id(part.node) in first else part

        parts = {kind: [left(part) for part in row] for kind, row in before.items()}
        padded = {id(node) for top in copies for node in walk(top)}
        ids = {id(key) for key in keys}
        for section in self._sections("keyframe"):
            section.children = [node for node in section.children if id(node) not in ids]
        self._append_keys([KeyNode(key, key.attrib.get("name", ""), parts, padded) for key in keys])

    def _take_keys(self, root: Node, rename: Renaming, clones: dict[int, Node], frame: Node) -> None:
        """Keyframes of an attached model: of what was attached, and of the actuators that came with it."""
        keys = _keys_of(root)
        if not keys:
            return
        kept = {id(node) for node in walk(frame)}
        kept |= {id(node) for section in self._sections("actuator") for node in section.children}
        sources = layout(root)

        def moved(part: Part) -> Part:
            node = clones[id(part.node)]
            return Part(node, id(node) in kept, part.sizes)

        # what was left out of an earlier attachment still has its state in the keyframes of that
        for key in self.left.setdefault(id(root), []):
            for kind, row in key.parts.items():
                key.parts[kind] = [
                    part if part.taken else moved(source) for part, source in zip(row, sources[kind], strict=True)
                ]
        parts = {kind: [moved(part) for part in row] for kind, row in sources.items()}
        news = [
            KeyNode(key, rename(key.attrib.get("name", "")), dict(parts), set())
            for key in keys
            if not isinstance(key, KeyNode)
        ]
        self.left[id(root)] += news
        self._append_keys([*(key.moved(clones, kept) for key in keys if isinstance(key, KeyNode)), *news])

    def _append_keys(self, keys: list[KeyNode]) -> None:
        if keys:
            section = Node("keyframe", {}, keys[0].document, keys[0].end)
            section.children += keys
            self.root.children.append(section)


def _emptied(node: Node) -> tuple[Node, Iterator[Node]]:
    """A node without its children, and these: what has come back so far can be attached again."""
    old, node.children = node.children, []
    return node, iter(old)


def _keys_of(root: Node) -> list[Node]:
    return [node for section in root.children if section.tag == "keyframe" for node in section.children]


def _angles(root: Node) -> tuple[bool, str]:
    """Whether the model's angles are degrees, and its sequence of Euler angles."""
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
    """The inertia of a body that never is."""
    stack = [inside]
    while stack:
        node = stack.pop()
        node.children = [child for child in node.children if child.tag != "inertial"]
        stack += [child for child in node.children if child.tag == "frame"]


def _find(root: Node, kind: str, name: str) -> tuple[list[Node], str]:
    """A body or a frame of a model and the default class that is in force there; without a kind all of its world."""
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


def _classify(node: Node, section: str) -> None:
    """Name the default class that an element has without naming one."""
    tags = CLASSED.get(section)
    if tags is not None and (not tags or node.tag in tags):
        node.attrib.setdefault("class", "main")


def _default_classes(copy: Node, rename: Renaming) -> list[Node]:
    """The default classes of an attached model, its main one first, which does not inherit from any."""
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
    """Several sections are one class; what comes later counts."""
    settings = {node.tag: node for node in main.children if node.tag != "default"}
    for node in section.children:
        if node.tag in settings:
            settings[node.tag].attrib |= node.attrib
            settings[node.tag].children += node.children
        else:
            main.children.append(node)
