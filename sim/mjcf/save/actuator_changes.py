"""Writes edited actuators: controls and outputs by address, and shortcuts as <general> where they have no attribute."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sim import enums
from sim.attributes import BY_TAG
from sim.mjcf.records import Actuator, is_ratio
from sim.mjcf.save.attribute_text import format_attribute, format_numbers
from sim.mjcf.save.shortcut_text import GENERAL, ShortcutText
from sim.mjcf.save.unscale import unscaled
from sim.mjcf.schema import element
from sim.mjcf.source import Node
from sim.model import Model

# the range of each input of a pid
INPUT_RANGES = {enums.INPUT_POS: "ctrlrange", enums.INPUT_VEL: "velrange", enums.INPUT_FF: "ffrange"}
# what the control of a shortcut is, for the <general> that it becomes
INPUT_WORDS = {enums.INPUT_POS: "pos", enums.INPUT_VEL: "vel", enums.INPUT_PRESSURE: "pressure"}
# what the own attributes of a shortcut may say instead
PARAMETERS = ("dynprm", "gainprm", "biasprm", "forcerange", "forcelimited")


def owner_of(m: Model, address: str, row: int) -> int:
    """The actuator that a row belongs to, by the addresses of the actuators."""
    return int(np.searchsorted(m.read(address), row, side="right")) - 1


def control_changes(m: Model, rows_of: Callable[[str], list[int]]) -> Iterator[tuple[int, str, str, int]]:
    """Actuator, attribute, field and row for each changed row of a control or an output.

    Where one attribute is for several rows, all of them must have the same value.
    """
    for field, key in (
        ("actuator_ctrlrange", "ctrlrange"),
        ("actuator_ctrllimited", "ctrllimited"),
        ("actuator_gear", "gear"),
        ("actuator_lengthrange", "lengthrange"),
    ):
        rows = "ctrl" if "ctrl" in field else "out"
        for row in rows_of(field):
            number = owner_of(m, f"actuator_{rows}adr", row)
            if rows == "ctrl" and m.read("actuator_gaintype")[number] == enums.GAIN_PID:
                own = range_of_input(m, number, row)
                # of other inputs than the position, the range alone says whether it limits
                if key == "ctrlrange" or own == "ctrlrange":
                    yield number, own if key == "ctrlrange" else key, field, row
                continue
            first, count = (m.read(f"actuator_{rows}{what}")[number] for what in ("adr", "num"))
            shared = m.read(field)[first : first + count]
            if (shared == shared[:1]).all():
                yield number, key, field, row


def range_of_input(m: Model, number: int, row: int) -> str:
    """The attribute with the range of a control: of a pid, each input has its own."""
    if m.read("actuator_gaintype")[number] != enums.GAIN_PID:
        return "ctrlrange"
    inputs = [key for bit, key in INPUT_RANGES.items() if m.read("actuator_ctrlspec")[number] & bit]
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
