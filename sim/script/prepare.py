"""Loads native code ahead: what a model needs as it is, and what it may need after any edit in the viewer.

A kernel's condition (`when`) says whether a model needs it. Fields that cannot be edited, such as types and sizes,
decide many conditions for good. A condition that is false and has looked at a field that can be edited may become true:
its kernel counts as needed by some edit. So the answer never depends on a list of edits that somebody keeps in step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sim.attributes import ATTRIBUTES, BY_TAG
from sim.jit.kernel import Kernel, called
from sim.mjcf.asset.asset_kernels import MISSED_KERNELS
from sim.mjcf.set_const.dependents import DEPENDENTS
from sim.mjcf.set_const.set_const import EDIT_CONSTANTS
from sim.model import Model
from sim.pipeline.forward import forward, forward_skip, init_sleep, rollback, run
from sim.script.profile import STEP
from sim.stages.sleep.awake import update_sleep
from sim.stages.sleep.fall_asleep import sleep_by_call
from sim.stages.sleep.wake import wake_by_call

Progress = Callable[[int, int, str], None]

# what Python calls to step and show a model, to reset it, to wake trees and put them to sleep, and to time the stages
ENTRIES = (run, forward, forward_skip, rollback, init_sleep, update_sleep, wake_by_call, sleep_by_call)


def prepare(m: Model, progress: Progress | None = None, edits: bool = True) -> None:
    """Load the native code of a model, compiling it if necessary; calls `progress(done, total, what)`.

    Without `edits`, only what the model needs as it is: it can step, and whatever an edit needs besides is loaded, and
    perhaps compiled, when it is used first.
    """
    from sim.jit.loader import loader

    # with the kernels that its assets had to do without, the next start opens the model faster
    loader.load([*_units(m, edits), *MISSED_KERNELS], m, progress)


def prepared(m: Model, edits: bool = True) -> bool:
    """Whether nothing that can be done to a model in the viewer will compile or load native code.

    That is: steps, resets, pulls, waking trees and putting them to sleep, timing the stages, and all this after any
    edits of fields, options and flags. Without `edits`: all this for the model as it is now, edited or not.
    """
    from sim.jit.loader import loader

    return loader.has(_units(m, edits), m)


def _units(m: Model, edits: bool) -> list[Kernel]:
    """The kernels that Python calls, and with `edits` also all that these may call after an edit."""
    if not edits:
        entries = (*ENTRIES, *(call.kernel for call in STEP if call.is_made(m)))
        return [unit for unit in dict.fromkeys(entries) if unit.when is None or unit.when(m)]
    any_edit = AnyEdit(m)
    found: dict[Kernel, None] = {}
    todo = [*ENTRIES, *(call.kernel for call in STEP)]
    while todo:
        unit = todo.pop()
        if unit not in found and any_edit.may_need(unit):
            found[unit] = None
            todo += called(unit)
    return list(found)


@cache
def editable_fields() -> frozenset[str]:
    """Fields of Model that an edit in the viewer may change."""
    rows = {row.field for row in ATTRIBUTES if row.edit}
    flags = {row.field for row in BY_TAG["flag"].values()} | {"opt.disableactuator"}
    following = {field for _, fields in DEPENDENTS.values() for field in fields}
    return frozenset(rows | flags | following | {*EDIT_CONSTANTS})


class AnyEdit:
    """A model as any edit may leave it: conditions of kernels read its fields, and it knows what they have read."""

    def __init__(self, m: Model) -> None:
        self._model = m
        self._known: dict[Kernel, bool] = {}
        self.read_editable = False

    def may_need(self, unit: Kernel) -> bool:
        """Whether a kernel's condition is true now, or may become true."""
        if unit.when is None:
            return True
        if unit not in self._known:
            self.read_editable = False
            fields: Any = Fields(self, "")
            self._known[unit] = bool(unit.when(fields)) or self.read_editable
        return self._known[unit]

    def read(self, name: str) -> Any:
        """The present value of a field."""
        value = self._model.read(name)
        # a field without rows has nothing to edit
        self.read_editable |= name in editable_fields() and np.size(value) > 0
        return value

    def is_group(self, name: str) -> bool:
        """Whether a name is that of a group of fields."""
        return name in self._model.layout.groups


class Fields:
    """`m`, or a group such as `m.opt`, as a condition sees it."""

    def __init__(self, model: AnyEdit, prefix: str) -> None:
        self._source, self._prefix = model, prefix

    def __getattr__(self, name: str) -> Any:
        full = self._prefix + name
        return Fields(self._source, f"{full}.") if self._source.is_group(full) else self._source.read(full)
