"""Snapshots: immutable copies of the fields of Model and Data that the GUI thread reads.

The simulation thread copies the fields that drawing and panels need, marks the copies read-only and publishes
a `Snapshot` by swapping one reference. A `ModelView` is copied once per model, a `StateView` once per published state;
after an edit only the edited fields are copied. Both keep the engine's field names and shapes. A field that the engine
does not have is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from app.model.model_title import model_name
from app.model.source_tree import SourceTree
from app.model.views import (
    FLEX_FIELDS,
    FLEX_STATE_FIELDS,
    MODEL_FIELDS,
    STATE_FIELDS,
    FrozenFields,
    ModelView,
    StateView,
)
from app.run.journal.journal import Journal
from app.run.run_state import RunState
from sim import Data, Model
from sim.mjcf.origin import angle_convention

# type of named element -> the field that counts them
NAMED = {
    "body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight",
    "key": "nkey", "tendon": "ntendon", "actuator": "nactuator", "equality": "neq", "sensor": "nsensor",
    "pair": "npair", "material": "nmat",
}  # fmt: skip

# large, and changed only where a script says so: `update_mesh` and the like
ASSETS = ("mesh_", "hfield_", "tex_", "skin_", "flex_", "bvh_")

OF_MODEL, OF_STATE = (*MODEL_FIELDS, *FLEX_FIELDS), (*STATE_FIELDS, *FLEX_STATE_FIELDS)

MISSING = object()


@dataclass(frozen=True)
class Snapshot:
    """Everything the GUI needs for one frame. `serial` differs between any two published snapshots."""

    serial: int
    run: RunState
    model: ModelView | None = None
    state: StateView | None = None
    # edited field -> its value in the file
    file_values: Mapping[str, Any] = field(default_factory=dict)
    journal: Journal = field(default_factory=Journal)
    # the edits that the file does not have, as texts
    unsaved: tuple[str, ...] = ()
    # poses of another branch at the same time, drawn as a ghost
    ghost: StateView | None = None
    # edits on other branches, or later on this one, that the file does not have, as texts
    unsaved_elsewhere: tuple[str, ...] = ()


def view_model(model: Model) -> ModelView:
    """Copy the fields of a model that the GUI needs."""
    values = _copy_fields(model, OF_MODEL)
    values["names"], values["name"] = element_names(model), model_name(model)
    values["identity"], values["derived"] = object(), {}
    values["tree"] = SourceTree(model)
    values["engine"], values["lacks"] = model.engine.ENGINE, model.engine.LACKS
    values["eulerseq"], values["degree"] = angle_convention(model)
    return ModelView(values)


def element_names(model: Model) -> dict[str, tuple[str, ...]]:
    """Names of elements by type; empty for those without a name."""
    return {
        kind: tuple(model.id2name(kind, i) or "" for i in range(getattr(model, count, 0)))
        for kind, count in (NAMED | {"flex": "nflex", "mesh": "nmesh"}).items()
    }


def edited_view(view: ModelView, model: Model, paths: Collection[str]) -> ModelView:
    """The view after an edit of some fields; all others are shared with the view before."""
    values = dict(view.__dict__)
    for path in paths:
        _renew(values, model, path)
    if "nkey" in paths:
        values["names"] = element_names(model)
    return ModelView(values)


def _renew(values: dict[str, Any], source: Any, path: str) -> None:
    """Copy one field again, if it is among the values, and the groups that contain it."""
    group, dot, rest = path.partition(".")
    if group not in values:
        return
    if not dot:
        values[group] = _frozen(getattr(source, group))
        return
    inner = dict(values[group].__dict__)
    _renew(inner, getattr(source, group), rest)
    values[group] = FrozenFields(inner)


def refreshed_view(view: ModelView, model: Model) -> ModelView:
    """The view with the fields that have changed in the model; the same view if none has. Assets are not compared."""
    values = _refreshed(view.__dict__, model)
    return view if values is view.__dict__ else ModelView(values)


def view_state(data: Data) -> StateView:
    """Copy the state and the poses that the GUI needs."""
    return StateView(_copy_fields(data, OF_STATE))


def _copy_fields(source: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The named fields of `source`, frozen; dotted names become nested groups."""
    values: dict[str, Any] = {}
    plain, groups = _grouped(names)
    for name in plain:
        value = getattr(source, name, MISSING)
        if value is not MISSING:
            values[name] = _frozen(value)
    for name, members in groups:
        group = getattr(source, name, MISSING)
        if group is not MISSING:
            values[name] = FrozenFields(_copy_fields(group, members))
    return values


@cache
def _grouped(names: tuple[str, ...]) -> tuple[list[str], list[tuple[str, tuple[str, ...]]]]:
    """Names without a dot, and the others by the part before it."""
    groups: dict[str, list[str]] = {}
    for name in names:
        head, dot, rest = name.partition(".")
        if dot:
            groups.setdefault(head, []).append(rest)
    return [name for name in names if "." not in name], [(head, tuple(rest)) for head, rest in groups.items()]


def _refreshed(values: dict[str, Any], source: Any) -> dict[str, Any]:
    """The values with changed ones replaced; the same dictionary if none has changed."""
    changed: dict[str, Any] = {}
    for name, shown in values.items():
        if isinstance(shown, FrozenFields):
            inner = _refreshed(shown.__dict__, getattr(source, name))
            if inner is not shown.__dict__:
                changed[name] = FrozenFields(inner)
        elif isinstance(shown, np.ndarray | np.generic | int | float) and not name.startswith(ASSETS):
            # what is not a field of the model stays
            value: Any = getattr(source, name, shown)
            # for small arrays three times as fast as comparing numbers
            same = shown.tobytes() == value.tobytes() if isinstance(shown, np.ndarray) else shown == value
            if not same:
                changed[name] = _frozen(value)
    return {**values, **changed} if changed else values


def _frozen(value: Any) -> Any:
    """A scalar as it is, an array as a read-only copy."""
    if not isinstance(value, np.ndarray):
        return value
    copy = value.copy()
    copy.setflags(write=False)
    return copy
