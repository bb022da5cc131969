"""Settings of a spec under MuJoCo's names: compiler, option, statistic, visual, sizes, and what of them is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.attributes import BY_TAG, DISABLE_FLAGS, ENABLE_FLAGS, defaults
from sim.mjcf.errors import MjcfError
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.schema import VISUAL_GROUPS, element
from sim.mjcf.source import Node
from sim.mujoco.specs.assets import CharField
from sim.mujoco.specs.base import Mjs, add_field
from sim.mujoco.specs.fields import Field
from sim.mujoco.structs.options import LR_DEFAULTS, MjLROpt, MjOption, MjStatistic, MjVisual
from sim.spec.added import AddedNode, caller

if TYPE_CHECKING:
    from sim.mujoco.specs.spec import MjSpec

FLAGS = {"disableflags": DISABLE_FLAGS, "enableflags": ENABLE_FLAGS}
STATISTIC = ("center", "extent", "meansize", "meanmass", "meaninertia")


def setting_nodes(root: Node, tag: str, origin: int, holder: str = "") -> list[Node]:
    """The elements with settings of a model, the last one wins."""
    outer = [node for node in root.children if node.tag == (holder or tag) and node.document.origin == origin]
    return [node for top in outer for node in top.children if node.tag == tag] if holder else outer


class MjsCompiler(
    Mjs,
    kind="compiler",
    rows="""autolimits:b boundmass:f boundinertia:f settotalmass:f balanceinertia:b fitaabb:b degree:b:angle
    discardvisual:b usethread:b fusestatic:b inertiafromgeom:mjtInertiaFromGeom inertiagrouprange:i2 saveinertial:b
    savecompiled:b savecanonical:b alignfree:b conflict:mjtConflict passthrough:mjtPassthrough meshdir:s
    texturedir:s""",
):
    """The compiler settings of a model, or of one that was attached."""

    __slots__ = ("_lengthrange", "_origin", "_owner")

    def __init__(self, owner: MjSpec, origin: int) -> None:
        super().__init__(owner.spec.root)
        self._owner, self._origin = owner, origin
        self._lengthrange: MjLROpt | None = None

    @property
    def _spec(self) -> MjSpec:
        return self._owner

    def _nodes(self) -> list[Node]:
        return setting_nodes(self._owner.spec.tree.root, "compiler", self._origin)

    def _load(self, field: Field) -> Any:
        known = element("compiler").attributes
        for node in reversed(self._nodes()):
            for key in (field.key, *(("assetdir",) if field.key in ("meshdir", "texturedir") else ())):
                if key in node.attrib and not known[key].absent(node.attrib[key]):
                    return field.from_attribute(known[key].parse(node.attrib[key]))
        fallback = {"savecompiled": True, "savecanonical": True, "usethread": True}
        return field.from_attribute(defaults("compiler").get(field.key, fallback.get(field.key)))

    def _write(self, key: str, value: Any) -> None:
        nodes = self._nodes()
        tree = self._owner.spec.tree
        if nodes:
            node = nodes[-1]
        else:
            document = next((n.document for n in tree.parents if n.document.origin == self._origin), None)
            node = AddedNode("compiler", {}, document or tree.root.document, caller())
            tree.insert(tree.root, node)
        try:
            self._owner.spec.element(node).set(key, value)
        except MjcfError as error:
            raise ValueError(str(error)) from None

    @property
    def authored(self) -> int:
        return _bits("compiler", self._nodes())

    @property
    def LRopt(self) -> MjLROpt:
        if self._lengthrange is None:
            self._lengthrange = MjLROpt()
            given = {k: v for node in self._nodes() for child in node.children for k, v in child.attrib.items()}
            entries = element("lengthrange").attributes
            for name, value in LR_DEFAULTS.items():
                setattr(self._lengthrange, name, entries[name].parse(given[name]) if name in given else value)
        return self._lengthrange

    def _flush(self) -> None:
        super()._flush()
        options = self._lengthrange
        if options is None or all(getattr(options, name) == value for name, value in LR_DEFAULTS.items()):
            return
        if not self._nodes():
            self._write("autolimits", self.autolimits)
        spec = self._owner.spec
        holder = spec.element(self._nodes()[-1])
        child = next(iter(holder.children), None) or holder.add("lengthrange")
        for name, value in LR_DEFAULTS.items():
            child.set(name, type(value)(getattr(options, name)))


add_field(MjsCompiler, CharField("eulerseq", "eulerseq", 3, "\0"))


class Settings:
    """option, statistic and visual: records that are compared with what was read, and written if they differ."""

    def __init__(self, owner: MjSpec) -> None:
        self.owner = owner
        self.option, self.stat, self.visual = MjOption(), MjStatistic(), MjVisual()
        self._seen: dict[tuple[str, str], Any] = {}
        self.reload()

    def _records(self) -> list[tuple[str, str, Any]]:
        """Tag, the element that it is in, and the record."""
        parts = [(group, "visual", getattr(self.visual, _python(group))) for group in VISUAL_GROUPS]
        return [("option", "", self.option), ("statistic", "", self.stat), *parts]

    def reload(self) -> None:
        """Read all values from the tree."""
        root = self.owner.spec.tree.root
        for tag, holder, record in self._records():
            name = tag if not holder else f"visual/{tag}"
            values: dict[str, Any] = dict(defaults(name)) if tag != "statistic" else {}
            for node in setting_nodes(root, tag, root.document.origin, holder):
                for key, text in node.attrib.items():
                    entry = element(tag).attributes[key]
                    if not entry.absent(text):
                        new = entry.parse(text)
                        values[key] = new + values[key][len(new) :] if entry.partial and key in values else new
            if tag == "option":
                values |= self._flags(root, values.pop("actuatorgroupdisable", ()))
            if tag == "statistic":
                values = {key: values.get(key, np.nan) for key in STATISTIC}
            for key in _members(record):
                if key in values:
                    value = values[key]
                    if tag == "statistic" and key == "center" and value is np.nan:
                        value = (np.nan, 0.0, 0.0)
                    setattr(record, key, value)
                self._seen[tag, key] = _frozen(getattr(record, key))

    def _flags(self, root: Node, groups: Any) -> dict[str, int]:
        found = {"disableflags": 0, "enableflags": 0, "disableactuator": sum(1 << group for group in set(groups))}
        for node in setting_nodes(root, "flag", root.document.origin, "option"):
            for key, text in node.attrib.items():
                for family, names in FLAGS.items():
                    if key in names:
                        bit = 1 << BY_TAG["flag"][key].bit
                        on = (text == "enable") == (family == "enableflags")
                        found[family] = found[family] | bit if on else found[family] & ~bit
        return found

    def flush(self) -> None:
        """Write what has changed."""
        for tag, holder, record in self._records():
            for key in _members(record):
                value = _frozen(getattr(record, key))
                if not _same(value, self._seen[tag, key]):
                    self._write(tag, holder, key, value)
                    self._seen[tag, key] = value

    def _write(self, tag: str, holder: str, key: str, value: Any) -> None:
        spec = self.owner.spec
        outer = spec.section(holder or tag)
        if key in FLAGS:
            flags = spec.section("flag", outer)
            for name in FLAGS[key]:
                bit = bool(int(value) & 1 << BY_TAG["flag"][name].bit)
                text = "enable" if bit == (key == "enableflags") else "disable"
                before = bool(int(self._seen[tag, key]) & 1 << BY_TAG["flag"][name].bit)
                if bit != before:
                    spec.tree.set_text(flags.node, name, text)
            return
        inner = spec.section(tag, outer) if holder else outer
        if key == "disableactuator":
            inner.set("actuatorgroupdisable", format_numbers(k for k in range(31) if int(value) >> k & 1))
        elif key in element(tag).attributes:
            single = holder == "visual" and BY_TAG[tag][key].type.base == "real"
            numbers = np.array(value, np.float32 if single else float) if isinstance(value, tuple) else value
            inner.set(key, np.float32(value) if single and not isinstance(value, tuple) else numbers)


def _members(record: Any) -> list[str]:
    return list(type(record)._members)


def _python(group: str) -> str:
    return "global_" if group == "global" else group


def _frozen(value: Any) -> Any:
    return tuple(value.tolist()) if isinstance(value, np.ndarray) else value


def _same(first: Any, second: Any) -> bool:
    return bool(first == second or (first != first and second != second)) or repr(first) == repr(second)


class MjsAuthored:
    """Which settings are written: bits by the order of the attributes."""

    def __init__(self, owner: MjSpec) -> None:
        self._owner = owner

    def _nodes(self, tag: str, holder: str = "") -> list[Node]:
        root = self._owner.spec.tree.root
        return setting_nodes(root, tag, root.document.origin, holder)

    @property
    def disableactuator(self) -> int:
        return int(self._owner.option.disableactuator)


def _bits(tag: str, nodes: list[Node]) -> int:
    """The attributes that elements have, by their order."""
    keys = list(BY_TAG[tag])
    return sum(1 << keys.index(key) for key in {key for node in nodes for key in node.attrib})


def _authored(tag: str, holder: str = "") -> property:
    return property(lambda self: _bits(tag, self._nodes(tag, holder)))


def _authored_flags(family: str) -> property:
    def get(self: MjsAuthored) -> int:
        names = {key for node in self._nodes("flag", "option") for key in node.attrib}
        return sum(1 << BY_TAG["flag"][name].bit for name in FLAGS[family] if name in names)

    return property(get)


AUTHORED = {
    "option": _authored("option"),
    **{family: _authored_flags(family) for family in FLAGS},
    **{f"visual_{group}": _authored(group, "visual") for group in VISUAL_GROUPS},
}
for _name, _property in AUTHORED.items():
    setattr(MjsAuthored, _name, _property)
