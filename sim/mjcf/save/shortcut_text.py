"""Writes edited parameters of an actuator as the attributes of its shortcut: kp, kv, timeconst, area, force, ...

Candidate attributes are compiled as a file is, and accepted only if they give the parameters of the Model to the bit;
of those the fewest are written: a changed kp writes kp alone, and what a default class says stays there. A `dampratio`
becomes kv from the inertia of the file that is loaded. It stays, or is replaced by another short number, if that gives
the damping of the Model; otherwise, after an edit of kp, kv or an inertia, kv takes its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import pi, sqrt
from typing import Any

from sim import enums
from sim.attributes import BY_TAG
from sim.mjcf.errors import MjcfError
from sim.mjcf.records import AUTO, PID_RANGES, TRUE, Actuator, Parsed, is_ratio
from sim.mjcf.save.attribute_text import format_attribute, format_numbers
from sim.mjcf.save.unscale import unscaled
from sim.mjcf.schema import element
from sim.mjcf.section.actuator_shortcuts import SHORTCUTS, VECTORS, read_places, read_shortcut
from sim.mjcf.set_const.actuator import servo_damping
from sim.mjcf.set_const.set_const import reflected_inertias
from sim.mjcf.source import Node
from sim.model import Model

Attributes = dict[str, str]

# attribute -> the one that says the same in other terms
REPLACED = {"kv": "dampratio", "area": "diameter", "resistance": "nominal", "motorconst": "nominal"}
# attributes of a <general> for which a shortcut stands
GENERAL = ("dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm")
# digits of a number that somebody chose, rather than the computer
CHOSEN = 6
# what the control of a shortcut is, for the <general> that it becomes
INPUT_WORDS = {enums.INPUT_POS: "pos", enums.INPUT_VEL: "vel", enums.INPUT_PRESSURE: "pressure"}
# what the own attributes of a shortcut may say instead
PARAMETERS = ("dynprm", "gainprm", "biasprm", "forcerange", "forcelimited")


class ShortcutText:
    """Finds the attributes of shortcuts for the parameters in a Model; `start` are the values of the file."""

    def __init__(self, m: Model, parsed: Parsed, start: Mapping[str, Any]) -> None:
        self.m, self.parsed, self.start = m, parsed, start

    def write(self, item: Actuator, node: Node) -> bool:
        """Set the attributes of a node so that it gives the Model's parameters; False if no shortcut can."""
        if self._gives(item, node, node.attrib):
            return True
        if node.tag == "general":
            return False
        now, before = (self._attributes(item, node.tag, read) for read in (self.m.read, self.start.__getitem__))
        for new in ({key: text for key, text in now.items() if text != before[key]}, now):
            replaced = {REPLACED[key] for key in new if key in REPLACED}
            attributes = {key: text for key, text in node.attrib.items() if key not in replaced} | new
            if self._gives(item, node, attributes):
                node.attrib = self._fewest(item, node, attributes)
                return True
        return False

    def shorten(self, item: Actuator, node: Node) -> None:
        """Leave out what the default class of a <general> says, and trailing numbers."""
        for key in [key for key in GENERAL if key in node.attrib]:
            words = node.attrib[key].split()
            for count in range(len(words)):
                trial = {k: " ".join(words[:count]) if k == key else text for k, text in node.attrib.items()}
                trial = trial if count else _without(trial, key)
                if self._gives(item, node, trial):
                    node.attrib = trial
                    break

    @cached_property
    def _inertias(self) -> list[float]:
        return reflected_inertias(self.m)

    def _attributes(self, item: Actuator, tag: str, read: Any) -> Attributes:
        """All attributes of a shortcut that stand for parameters."""
        vectors = {letter: self._vector(item, name, read) for letter, name in VECTORS.items()}
        low, high = self._vector(item, "forcerange", read)
        limited = read("actuator_forcelimited")[item.id] and low == -high
        vectors |= {"f": (high if limited else 0.0,), "0": (0.0,)}
        places = {key: text for key, text in SHORTCUTS[tag].places.items() if key in element(tag).attributes}
        if tag == "position" and read("actuator_dyntype")[item.id] != enums.DYN_FILTEREXACT:
            del places["timeconst"]
        # 0 instead of -0
        return {key: format_numbers(x + 0.0 for x in read_places(text, vectors)) for key, text in places.items()}

    def _vector(self, item: Actuator, name: str, read: Any) -> tuple[float, ...]:
        """A vector of the actuator, as it was before a frame scaled it."""
        return tuple(unscaled(item, name, read(f"actuator_{name}")[item.id]).tolist())

    def _gives(self, item: Actuator, node: Node, attributes: Attributes) -> bool:
        """Whether a file with these attributes has the parameters of the Model."""
        m, a = self.m, item.id
        try:
            made = read_shortcut(self.parsed, Node(node.tag, attributes, node.document, node.end))
        except MjcfError:
            return False
        same = all(
            getattr(made, f"{name}type") == m.read(f"actuator_{name}type")[a] for name in ("dyn", "gain", "bias")
        )
        if node.tag == "dcmotor":
            low, high = made.forcerange
            limited = made.forcelimited == TRUE or (made.forcelimited == AUTO and low < high)
            same &= limited == bool(m.read("actuator_forcelimited")[a]) and made.actdim == m.read("actuator_actnum")[a]
            same &= (low, high) == self._vector(item, "forcerange", m.read)
        bias = self._damped(made, item)
        return same and all(
            vector == self._vector(item, name, m.read)
            for name, vector in (("gainprm", made.gainprm), ("biasprm", bias), ("dynprm", made.dynprm))
        )

    def _damped(self, made: Actuator, item: Actuator) -> tuple[float, ...]:
        """biasprm after loading, which replaces a damping ratio; as it was before a frame scaled it."""
        if not is_ratio(made):
            return made.biasprm
        _, stiffer, stronger, *_ = item.factors.get("biasprm", (1.0, 1.0, 1.0))
        kv = servo_damping(made.biasprm[2], -made.biasprm[1] * stiffer, self._inertias[item.id]) / stronger
        return (*made.biasprm[:2], -kv, *made.biasprm[3:])

    def _fewest(self, item: Actuator, node: Node, attributes: Attributes) -> Attributes:
        """Attributes that differ as little as possible from those of the node."""
        own = node.attrib
        for key in [key for key in (*own, *attributes) if own.get(key) != attributes.get(key)]:
            for trial in _restored(key, own, attributes):
                if self._gives(item, node, trial):
                    attributes = trial
                    break
        for trial in self._alternatives(item, own, attributes):
            if self._gives(item, node, trial):
                attributes = trial
                break
        return {key: attributes[key] for key in dict.fromkeys((*own, *attributes)) if key in attributes}

    def _alternatives(self, item: Actuator, own: Attributes, attributes: Attributes) -> Iterator[Attributes]:
        """The attributes in the terms of the file: a dampratio, or a diameter."""
        if "kv" in attributes and "kv" not in own and is_ratio(item):
            _, kp, kv, *_ = (-self.m.read("actuator_biasprm")[item.id]).tolist()
            unit = servo_damping(1.0, kp, self._inertias[item.id])
            if unit > 0:
                yield _without(attributes, "kv") | {"dampratio": f"{kv / unit:.{CHOSEN}g}"}
        if "area" in attributes and "diameter" in own:
            diameter = sqrt(4 / pi * max(float(attributes["area"]), 0.0))
            for text in (f"{diameter:.{CHOSEN}g}", repr(diameter)):
                yield _without(attributes, "area") | {"diameter": text}


def _restored(key: str, own: Attributes, attributes: Attributes) -> Iterator[Attributes]:
    """Attributes of which one is as in the file, without those that say the same."""
    before = _without(attributes, key) | ({key: own[key]} if key in own else {})
    rivals = [new for new, old in REPLACED.items() if old == key and new not in own]
    if rivals:
        yield _without(before, *rivals)
    yield before


def _without(attributes: Attributes, *keys: str) -> Attributes:
    return {key: text for key, text in attributes.items() if key not in keys}


# ---- <general>


def range_of_input(m: Model, number: int, row: int) -> str:
    """The attribute with the range of a control: of a pid, each input has its own."""
    if m.read("actuator_gaintype")[number] != enums.GAIN_PID:
        return "ctrlrange"
    inputs = [key for bit, key in PID_RANGES.items() if m.read("actuator_ctrlspec")[number] & bit]
    return inputs[row - int(m.read("actuator_ctrladr")[number])]


def to_general(m: Model, item: Actuator, node: Node) -> None:
    """Turn a shortcut into a <general> actuator with all parameters that it stood for."""
    a = item.id
    kept = {key: text for key, text in node.attrib.items() if key in element("general").attributes}
    node.tag, node.attrib = "general", kept
    for key in GENERAL:
        value = unscaled(item, key, m.read(f"actuator_{key}")[a])
        node.attrib[key] = format_attribute(BY_TAG["general"][key].type, value)
    if item.control in INPUT_WORDS:
        node.attrib["input"] = INPUT_WORDS[item.control]
    if m.read("actuator_actearly")[a]:
        node.attrib["actearly"] = "true"
    if m.read("actuator_dyntype")[a] in (enums.DYN_DCMOTOR, enums.DYN_PID):
        node.attrib["actdim"] = str(int(m.read("actuator_actnum")[a]))
    for what, row in (("force", a), ("act", a), ("ctrl", int(m.read("actuator_ctrladr")[a]))):
        limits = m.read(f"actuator_{what}limited")
        if row < len(limits) and limits[row]:
            node.attrib[f"{what}limited"] = "true"
            node.attrib[f"{what}range"] = format_numbers(
                unscaled(item, f"{what}range", m.read(f"actuator_{what}range")[row])
            )


def write_damping(m: Model, shortcuts: ShortcutText, item: Actuator, node: Node) -> None:
    """Write the damping of a <general> actuator if its damping ratio would give another one."""
    if is_ratio(item) and not shortcuts.write(item, node):
        node.attrib["biasprm"] = format_numbers(unscaled(item, "biasprm", m.read("actuator_biasprm")[item.id]))
