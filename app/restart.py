"""Starts the program anew when its own source has changed, with the same model, state, edits and view.

The engine, the panels and the shaders are read at the start. Whoever changes a kernel to watch what it does is told
that the window still runs the old one; a click or a key starts the new one, which takes over what was on the screen.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from app import commands as cmd
from app.editable import FLAG_PATHS
from app.files import reason
from app.plots import Watch
from app.resources import folder
from app.selection import Selection
from app.snapshot import ModelView, Snapshot
from app.state import ViewState
from app.watching import Watcher

# of both packages
_ROOT = Path(__file__).resolve().parent.parent
STATE = (
    "time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active", "noise.scale", "noise.rate",
)  # fmt: skip
FLAG_BITS = 31
# of a window: width, height, and whether it is the whole screen
Shape = tuple[int, int, bool]
CHECK_SECONDS = 60.0
# one look at all sources takes 1 ms
LOOK_SECONDS = 0.5


def sources() -> list[Path]:
    """Every file of the program that is read at its start."""
    code = (file for place in ("sim", "app") for file in (_ROOT / place).rglob("*.py"))
    return sorted([*code, *(file for file in folder("shaders").rglob("*") if file.is_file())])


def fault() -> str:
    """Why the program as it is on disk would not start; empty if it would."""
    code = f"import sys; sys.path[:] = {[*filter(None, sys.path)]!r}; import app.application, sim"
    try:
        done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=CHECK_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    # the place where it happened, without the way there
    return done.stderr[done.stderr.rfind("  File ") + 1 :].strip() if done.returncode else ""


@dataclass
class Luggage:
    """What one run of the program leaves to the next: commands that bring the model to its state, and the view."""

    path: str
    sizes: dict[str, int]
    commands: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    view: dict[str, Any] = field(default_factory=dict)
    window: Shape | None = None

    def unpack(self, view: ViewState, model: ModelView, send: cmd.Send) -> None:
        """Take over everything; of a model that has other elements now, only how it is looked at."""
        for name, values in self.commands if self.sizes == _sizes(model) else ():
            values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
            send(getattr(cmd, name)(**values))
        send(cmd.SetPaused(self.view["paused"]))
        _restore(view.camera, self.view["camera"])
        _restore(view.options, self.view["options"])
        view.camera_id, view.tracked = self.view["camera_id"], self.view["tracked"]
        view.plots.watches = [Watch(text) for text in self.view["watches"]]
        send(cmd.SetWatches(view.plots.expressions()))
        kind, index = self.view["selection"]
        if index < len(model.names.get(kind, ())):
            view.selection = Selection(kind, index)


def _restore(target: Any, values: dict[str, Any]) -> None:
    """Give fields their values of before; the changed source may have others."""
    for name, value in values.items():
        if hasattr(target, name):
            setattr(target, name, value)


def _sizes(model: ModelView) -> dict[str, int]:
    """What the rows of a model's fields, and its state, are as long as."""
    counts = {kind: len(names) for kind, names in model.names.items()}
    return counts | {
        "nq": len(model.qpos0),
        "nv": len(model.dof_jntid),
        "na": model.na,
        "nmocap": model.nmocap,
        "nu": int(np.sum(model.actuator_ctrlnum)),
    }


def pack(view: ViewState, snapshot: Snapshot, before: Luggage | None) -> Luggage:
    """What the next run needs; what this one has not come to use is of the one `before`."""
    run, model, selection = snapshot.run, snapshot.model, view.selection
    if model is None and before is not None:
        return before
    luggage = Luggage(run.path, _sizes(model) if model is not None else {})
    if run.ready:
        luggage.commands = [(type(command).__name__, asdict(command)) for command in _commands(snapshot)]
    elif before is not None and before.path == run.path:
        luggage.commands = before.commands
    luggage.view = {
        "camera": asdict(view.camera) | {"lookat": view.camera.lookat.tolist()}, "options": asdict(view.options),
        "camera_id": view.camera_id, "tracked": view.tracked, "watches": view.plots.expressions(),
        "selection": (selection.kind, selection.index) if selection else ("", 0), "paused": run.paused,
    }  # fmt: skip
    return luggage


def _commands(snapshot: Snapshot) -> Iterator[cmd.Command]:
    """What makes of the model's file the model and the state of a snapshot."""
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


class Restart:
    """Watches the source, and carries a run of the program over into the next one."""

    def __init__(self, luggage: Path | None = None) -> None:
        self._changed = ""
        # arguments of the run that is to begin when the window has closed
        self._next: list[str] | None = None
        self.luggage = None if luggage is None else _read(luggage)
        self._left = luggage if self.luggage is not None else None
        self._watcher = Watcher(self._notice, LOOK_SECONDS)
        self._watcher.watch(sources())

    def _notice(self, files: list[Path]) -> None:
        """Called on the watcher's thread."""
        self._changed = files[0].relative_to(_ROOT).as_posix() if files[0].is_relative_to(_ROOT) else files[0].name

    def take_changed(self) -> str:
        """A file that has changed since this was asked last, as one would look for it; empty if none has."""
        changed, self._changed = self._changed, ""
        return changed

    def leave(self, view: ViewState, snapshot: Snapshot, close: Callable[[], None], window: Shape | None = None) -> str:
        """Close the window, to begin anew; or say why that would fail, and go on."""
        why = fault()
        if why:
            return why
        luggage = pack(view, snapshot, self.luggage)
        luggage.window = window
        try:
            with tempfile.NamedTemporaryFile("w", prefix="kinetoscope-", suffix=".json", delete=False) as file:
                json.dump(asdict(luggage), file)
        except OSError as error:
            return f"what is on the screen cannot be taken along: {reason(error)}"
        # time stands still until everything is in place
        self._next = ["--resume", file.name, "--paused", *(["--", luggage.path] if luggage.path else [])]
        close()
        return ""

    def close(self) -> None:
        """Watch no longer; all went well, and what the run before has left is not needed again."""
        self._watcher.close()
        if self._left is not None:
            self._left.unlink(missing_ok=True)

    @property
    def way_back(self) -> str:
        """The command that takes up what the run before has left; empty if nothing was."""
        if self.luggage is None or self._left is None:
            return ""
        return shlex.join(["kinetoscope", "--resume", str(self._left), "--", self.luggage.path])

    def go(self) -> None:
        """If there is to be a next run: that, in place of this process, started in the same way."""
        if self._next is None:
            return
        # what comes before the program's own arguments
        start = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(sys.executable, [sys.executable, *start, *self._next])


def _read(path: Path) -> Luggage | None:
    """What the run before has left."""
    try:
        return Luggage(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
