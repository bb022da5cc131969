"""The text of an edit, in MJCF's words: `friction of geom floor: 1 → 0.8`, `ctrl of actuator hip: 0 → 0.5`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.editable import BY_PATH, FLAGS, Editable
from app.model.file_diff import counted
from app.model.views import ModelView
from app.run.journal.cells import Cell, kind_of
from app.run.journal.journal import DataWrite, Write
from sim.analysis.element_names import described
from sim.tree_edit import shown

# longer vectors are not shown
MOST_NUMBERS = 4


def edit_text(writes: Sequence[Write], name: str = "", owner: str = "") -> str:
    """What an edit did: the first field it set, of which element, from what to what."""
    first = writes[0].cell
    subject = title(first.path, first.bit, name)
    elements = {write.cell.element for write in writes if write.cell.path == first.path}
    more = f", and {counted(len(elements) - 1, kind_of(first.path))} more" if len(elements) > 1 else ""
    owner = owner or (f"{kind_of(first.path)} {shown(first.element)}" if first.element else "")
    of_element = f" of {owner}" if owner else ""
    listed = [write for write in writes if (write.cell.path, write.cell.element) == (first.path, first.element)]
    changed = [write for write in listed if write.before != write.after]
    # a drag in a vector that moved one number names that alone, but for short ones
    listed = listed if len(listed) <= MOST_NUMBERS else changed
    if len(listed) > MOST_NUMBERS:
        return subject + of_element
    before, after = (_numbers(listed, attribute) for attribute in ("before", "after"))
    return f"{subject}{of_element}: {before} → {after}{more}"


def data_text(write: DataWrite, model: ModelView) -> str:
    """Which numbers of Data were set, of which element, from what to what."""
    owners = {owner: None for place in write.places for owner in (_data_owner(write.path, place, model),) if owner}
    of_element = f" of {described(model, *next(iter(owners)))}" if len(owners) == 1 else ""
    if len(owners) > 1:
        return f"{write.path} of {counted(len(owners), next(iter(owners))[0])}"
    if len(write.numbers) > MOST_NUMBERS:
        return write.path + of_element
    before, after = (" ".join(f"{number[k]:.4g}" for number in write.numbers) for k in (1, 2))
    return f"{write.path.replace('.', ' ')}{of_element}: {before} → {after}"


def _data_owner(path: str, place: int, model: ModelView) -> tuple[str, int] | None:
    """The element that a number of Data belongs to."""
    if path == "ctrl":
        return "actuator", int(np.searchsorted(model.actuator_ctrladr, place, "right")) - 1
    if path == "qpos":
        return "joint", int(np.searchsorted(model.jnt_qposadr, place, "right")) - 1
    if path in ("qvel", "qfrc_applied"):
        return "joint", int(model.dof_jntid[place])
    return ("body", place // 6) if path == "xfrc_applied" else None


def title(path: str, bit: int = 0, name: str = "") -> str:
    """The name of a field or flag in MJCF."""
    if bit:
        names = (f"flag {flag.name}" for flag in FLAGS if (flag.path, flag.bit) == (path, bit))
        return next(names, f"actuator group {bit.bit_length() - 1}")
    if path.startswith("key_"):
        return "state"
    return name or (BY_PATH[path].name if path in BY_PATH else path.rpartition(".")[2])


def _numbers(writes: Sequence[Write], attribute: str) -> str:
    return " ".join(value_text(write.cell, getattr(write, attribute)) for write in writes)


def value_text(cell: Cell, value: float) -> str:
    """The value of a cell, as MJCF and the panels write it."""
    row = BY_PATH.get(cell.path)
    if cell.bit:
        inverted = cell.path != "opt.enableflags"
        return "on" if bool(value) != inverted else "off"
    if row is not None and row.choices:
        return _choice(row, value)
    if row is not None and row.widget == "switch":
        return "on" if value else "off"
    return f"{value:.6g}"


def _choice(row: Editable, value: float) -> str:
    return next((name for name, number in row.choices if number == int(value)), f"{value:g}")
