"""The session: path of the model, its state and edits as commands, the view; captured and restored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from app.model.editable import FLAG_PATHS
from app.model.selection import Selection
from app.model.views import ModelView
from app.run import commands as cmd
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState
from app.view.watches import Watch

STATE = (
    "time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active", "noise.scale", "noise.rate",
)  # fmt: skip
FLAG_BITS = 31
# of a window: width, height, and whether it is full screen
Shape = tuple[int, int, bool]


@dataclass
class Session:
    """Commands that restore the model's edits and state, and the view."""

    path: str
    sizes: dict[str, int]
    commands: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    view: dict[str, Any] = field(default_factory=dict)
    window: Shape | None = None

    def restore(self, view: ViewState, model: ModelView, send: cmd.Send) -> None:
        """Restore everything; if the model has other elements now, only the view."""
        for name, values in self.commands if self.sizes == _sizes(model) else ():
            values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
            send(getattr(cmd, name)(**values))
        if not self.view:
            return
        send(cmd.SetPaused(self.view["paused"]))
        _set_fields(view.camera, self.view["camera"])
        _set_fields(view.options, self.view["options"])
        view.camera_id, view.tracked = self.view["camera_id"], self.view["tracked"]
        view.plots.watches = [Watch(text) for text in self.view["watches"]]
        send(cmd.SetWatches(view.plots.expressions()))
        kind, index = self.view["selection"]
        if index < len(model.names.get(kind, ())):
            view.selection = Selection(kind, index)


def _set_fields(target: Any, values: dict[str, Any]) -> None:
    """Set fields to saved values; the changed source may have other fields."""
    for name, value in values.items():
        if hasattr(target, name):
            setattr(target, name, value)


def _sizes(model: ModelView) -> dict[str, int]:
    """The numbers of elements and the sizes of the state."""
    counts = {kind: len(names) for kind, names in model.names.items()}
    return counts | {
        "nq": len(model.qpos0),
        "nv": len(model.dof_jntid),
        "na": model.na,
        "nmocap": model.nmocap,
        "nu": int(np.sum(model.actuator_ctrlnum)),
    }


def capture(view: ViewState, snapshot: Snapshot, before: Session | None) -> Session:
    """The present session; what could not be restored yet is taken from the one `before`."""
    run, model, selection = snapshot.run, snapshot.model, view.selection
    if model is None and before is not None:
        return before
    session = Session(run.path, _sizes(model) if model is not None else {})
    if run.ready:
        session.commands = [(type(command).__name__, _saved(command)) for command in _commands(snapshot)]
    elif before is not None and before.path == run.path:
        session.commands = before.commands
    session.view = {
        "camera": asdict(view.camera) | {"lookat": view.camera.lookat.tolist()}, "options": asdict(view.options),
        "camera_id": view.camera_id, "tracked": view.tracked, "watches": view.plots.expressions(),
        "selection": (selection.kind, selection.index) if selection else ("", 0), "paused": run.paused,
    }  # fmt: skip
    return session


def _saved(command: cmd.Command) -> dict[str, Any]:
    """The values of a command; what it was made by does not matter later."""
    return {key: value for key, value in asdict(command).items() if key not in ("gesture", "name")}


def _commands(snapshot: Snapshot) -> Iterator[cmd.Command]:
    """The commands that lead from the model's file to the model and state of a snapshot."""
    model, state = snapshot.model, snapshot.state
    assert model is not None
    assert state is not None
    for path, original in snapshot.file_values.items():
        value = model.read(path)
        if path in FLAG_PATHS:
            bits = [1 << n for n in range(FLAG_BITS)]
            yield from (cmd.SetFlag(path, b, bool(value & b)) for b in bits if (value ^ original) & b)
        elif not np.ndim(value):
            yield cmd.SetField(path, float(value))
        else:
            for row, *column in np.argwhere(value != original).tolist():
                yield cmd.SetField(path, float(value[(row, *column)]), (row,), column[0] if column else None)
    yield cmd.SetSpeed(snapshot.run.speed)
    for name in STATE:
        numbers = np.ravel(state.read(name)).tolist()
        if numbers:
            yield cmd.SetData(name, 0, tuple(numbers))
