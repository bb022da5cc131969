"""Live edits of one model: carried out between two steps, remembered so that the file's values can come back.

An edit that needs native code which is not there yet is tried on a copy of the model first; a thread compiles what
the copy needs, and then the edit is done. Until then the run goes on as before. There is one such thread and one copy,
however many values a slider sends meanwhile: of each place in a field the newest is kept. A reset takes it back before
it is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from app.model.editable import BY_PATH, FLAGS
from app.run import commands as cmd
from app.run.engine import Engine
from app.run.loading import LoaderMessage, Preparation, Work

Edit = cmd.SetField | cmd.SetFlag | cmd.ResetField | cmd.ResetEdits


class Edits:
    """What the user changed in a model since it was read."""

    def __init__(self, engine: Engine, model: Any, report: Callable[[LoaderMessage], None]) -> None:
        self.file_values: dict[str, Any] = {}
        self._engine = engine
        self._model = model
        self._report = report
        # what waits for native code, by the place that it writes to
        self._waiting: dict[Edit, Edit] = {}
        self._preparation: Preparation | None = None

    def do(self, edit: Edit) -> set[str]:
        """Carry out an edit; the fields that changed: none if they had these values, or native code is waited for."""
        if isinstance(edit, cmd.ResetEdits | cmd.ResetField):
            self._take_back(edit)
        changed = self._try(edit)
        if not self._waiting:
            self.cancel()
        elif self._preparation is None:
            self._prepare()
        return changed

    @property
    def waiting(self) -> tuple[Edit, ...]:
        """The edits that wait for native code."""
        return tuple(self._waiting.values())

    def waits_for(self, work: Work) -> bool:
        """Whether this piece of work has to end before an edit that waits can be tried again."""
        return work is self._preparation

    def ready(self) -> set[str]:
        """The work is over: try again what waited for it; the fields that changed."""
        waiting, self._waiting, self._preparation = self._waiting, {}, None
        changed = set().union(*(self._try(edit) for edit in waiting.values()))
        if self._waiting:
            self._prepare()
        return changed

    def cancel(self) -> None:
        """Give up what waits; the work ends when it can."""
        self._waiting = {}
        if self._preparation is not None:
            self._preparation.cancel()

    def fail(self) -> None:
        """The work has ended, and without what was waited for."""
        self._waiting, self._preparation = {}, None

    def _try(self, edit: Edit) -> set[str]:
        """Carry out an edit, or let it wait; the fields that changed."""
        place, paths = _place(edit), self._paths(edit)
        self._waiting.pop(place, None)
        behind = any(paths & self._paths(waiting) for waiting in self.waiting)
        before = {path: _value(self._model, path) for path in paths}
        if not behind:
            _apply(self._model, edit, self.file_values)
            _follow(self._model, paths)
        if behind or not self._engine.prepared(self._model):
            for path, value in before.items():
                self._model.write(path, value)
            _follow(self._model, paths)
            self._waiting[place] = edit
            return set()
        changed = {path for path, value in before.items() if not np.array_equal(value, self._model.read(path))}
        for path in changed:
            original = self.file_values.setdefault(path, before[path])
            if np.array_equal(original, self._model.read(path)):
                del self.file_values[path]
        return changed | self._set_const(changed)

    def _paths(self, edit: Edit) -> set[str]:
        """The fields that an edit changes."""
        return set(self.file_values) if isinstance(edit, cmd.ResetEdits) else {part.path for part in _parts(edit)}

    def _take_back(self, reset: cmd.ResetEdits | cmd.ResetField) -> None:
        """Forget what waits to change a field that goes back to the file's value anyway."""
        kept = {} if isinstance(reset, cmd.ResetEdits) else self._waiting
        self._waiting = {place: edit for place, edit in kept.items() if not self._paths(edit) & self._paths(reset)}

    def _prepare(self) -> None:
        """Compile what a copy of the model with all waiting edits needs."""
        copy = self._model.copy()
        for waiting in self.waiting:
            _apply(copy, waiting, self.file_values)
            _follow(copy, self._paths(waiting))
        self._preparation = Preparation(self._engine, copy, self._report)

    def _set_const(self, paths: set[str]) -> set[str]:
        """Bring constants that follow from edited fields up to date; all fields that follow."""
        if any(path in BY_PATH and BY_PATH[path].constants for path in paths):
            self._engine.set_const(self._model)
        return {field for path in paths if path in FOLLOWING for field in FOLLOWING[path][1]}


def title(edit: Edit) -> str:
    """What an edit is about, by the names that MJCF has."""
    if isinstance(edit, cmd.ResetEdits):
        return "all as in the file"
    if isinstance(edit, cmd.SetFlag):
        names = (f"flag {flag.name}" for flag in FLAGS if (flag.path, flag.bit) == (edit.path, edit.bit))
        return next(names, edit.path.removeprefix("opt."))
    name = BY_PATH[edit.path].name if edit.path in BY_PATH else edit.path.rpartition(".")[2]
    return name if isinstance(edit, cmd.SetField) else f"{name} as in the file"


def _place(edit: Edit) -> Edit:
    """What an edit writes to, whatever it writes there."""
    if isinstance(edit, cmd.SetField):
        return replace(edit, value=0.0, also=tuple(replace(part, value=0.0) for part in edit.also))
    return replace(edit, on=False) if isinstance(edit, cmd.SetFlag) else edit


def _value(model: Any, path: str) -> Any:
    """A copy of a field's value."""
    value = model.read(path)
    return value.copy() if isinstance(value, np.ndarray) else value


def _apply(model: Any, edit: Edit, file_values: dict[str, Any]) -> None:
    """Change the fields that an edit names, and nothing else."""
    if isinstance(edit, cmd.SetFlag):
        flags = model.read(edit.path)
        model.write(edit.path, flags | edit.bit if edit.on else flags & ~edit.bit)
    elif isinstance(edit, cmd.SetField):
        for part in _parts(edit):
            _set(model, part)
    elif isinstance(edit, cmd.ResetEdits):
        for path, value in file_values.items():
            model.write(path, value)
    elif edit.path in file_values:
        if edit.rows:
            model.read(edit.path)[list(edit.rows)] = file_values[edit.path][list(edit.rows)]
        else:
            model.write(edit.path, file_values[edit.path])


def _parts(edit: Edit) -> tuple[Any, ...]:
    """An edit of one field, and those that go with it."""
    return (edit, *edit.also) if isinstance(edit, cmd.SetField) else (edit,)


def _set(model: Any, edit: cmd.SetField) -> None:
    """Write one number to all the places that the edit names."""
    value = BY_PATH[edit.path].accept(edit.value, model, edit.rows, edit.column)
    if not edit.rows:
        model.write(edit.path, value)
    elif edit.column is None:
        model.read(edit.path)[list(edit.rows)] = value
    else:
        model.read(edit.path)[list(edit.rows), edit.column] = value


def _follow(model: Any, paths: set[str]) -> None:
    """Bring up to date what follows from edited fields at once, and decides which native code is needed."""
    for follow in {FOLLOWING[path][0] for path in paths if path in FOLLOWING}:
        follow(model)


def _set_margins(model: Any) -> None:
    """The largest distance at which one of a body's geoms makes contacts."""
    model.body_margin[:] = 0.0
    np.maximum.at(model.body_margin, model.geom_bodyid, model.geom_margin + model.geom_gap)


def _set_bits(model: Any) -> None:
    """What the geoms of a body are, and what they touch, taken together."""
    for name in ("contype", "conaffinity"):
        union = getattr(model, f"body_{name}")
        union[:] = 0
        np.bitwise_or.at(union, model.geom_bodyid, getattr(model, f"geom_{name}"))
    _set_trees(model)


def _set_trees(model: Any) -> None:
    """Trees of boxes are for the bodies all of whose geoms that can touch something were there when they grew."""
    touching = np.flatnonzero((model.geom_contype != 0) | (model.geom_conaffinity != 0))
    count = model.body_bvhnum
    address = np.where(count > 0, np.cumsum(count) - count, -1)
    known = model.bvh_nodeid[: int(count.sum())]
    address[model.geom_bodyid[np.setdiff1d(touching, known)]] = -1
    model.body_bvhadr = address


def _set_floating(model: Any) -> None:
    """Whether any body floats."""
    model.ngravcomp = int((model.body_gravcomp > 0).sum())
    model.flg_gravcomp = model.ngravcomp > 0


# field -> what brings up to date which fields that follow from it without a look at the inertia matrix
FOLLOWING: dict[str, tuple[Callable[[Any], None], tuple[str, ...]]] = {
    **dict.fromkeys(("geom_margin", "geom_gap"), (_set_margins, ("body_margin",))),
    **dict.fromkeys(
        ("geom_contype", "geom_conaffinity"), (_set_bits, ("body_contype", "body_conaffinity", "body_bvhadr"))
    ),
    "body_gravcomp": (_set_floating, ("ngravcomp", "flg_gravcomp")),
}
