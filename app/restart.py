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
import threading
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from app import commands as cmd
from app.editable import BY_PATH, FLAG_PATHS
from app.files import reason
from app.plots import Watch
from app.resources import folder
from app.selection import Selection
from app.snapshot import ModelView, Snapshot
from app.state import FRAMES, LABELS, ViewState
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
# of what one run leaves to the next: bytes, pixels of a window, and numbers
LARGEST, LARGEST_SIDE, LARGEST_INT = 1 << 28, 1 << 15, 1 << 53
Kind = Callable[[Any], bool]
# one look at all sources takes 1 ms
LOOK_SECONDS = 0.5


def sources() -> list[Path]:
    """Every file of the program that is read at its start."""
    code = (file for place in ("sim", "app") for file in (_ROOT / place).rglob("*.py"))
    return sorted([*code, *(file for file in folder("shaders").rglob("*") if file.is_file())])


class Trial:
    """A child that starts the program as it is on disk, as far as it can without a window, while this one goes on.

    `fault` says why it would not start; it is empty if it would, and None as long as that is not known.
    """

    def __init__(self) -> None:
        self.fault: str | None = None
        self._process: subprocess.Popen[str] | None = None
        code = f"import sys; sys.path[:] = {[*filter(None, sys.path)]!r}; import app.application, sim"
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen([sys.executable, "-P", "-c", code], stdout=pipe, stderr=pipe, text=True)
        except OSError as error:
            self.fault = str(error)
        else:
            threading.Thread(target=self._wait, args=(self._process,), name="trial", daemon=True).start()

    def _wait(self, process: subprocess.Popen[str]) -> None:
        try:
            _, errors = process.communicate(timeout=CHECK_SECONDS)
        except subprocess.TimeoutExpired:
            self.fault = f"it has not started within {CHECK_SECONDS:g} s"
            process.kill()
            process.communicate()
            return
        # the place where it happened, without the way there
        self.fault = errors[errors.rfind("  File ") + 1 :].strip() if process.returncode else ""

    def cancel(self) -> None:
        """Nobody wants to know any more."""
        if self._process is not None:
            self._process.kill()


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
        if not self.view:
            return
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
        self._trial: Trial | None = None
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

    def begin(self) -> None:
        """Find out whether the program on disk would start, as it is now; `outcome` tells."""
        self.cancel()
        self._trial = Trial()

    def cancel(self) -> bool:
        """Stay with the program that runs; whether another was being tried."""
        trial, self._trial = self._trial, None
        if trial is not None:
            trial.cancel()
        return trial is not None

    def outcome(self) -> str | None:
        """Once it is known, and told once: why the program on disk would not start, or empty; else None."""
        fault = self._trial.fault if self._trial is not None else None
        if fault is not None:
            self._trial = None
        return fault

    def leave(self, view: ViewState, snapshot: Snapshot, close: Callable[[], None], window: Shape | None = None) -> str:
        """Close the window, to begin again with what is on disk; or say why that fails, and go on."""
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
        self.cancel()
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
    """What the run before has left, if it is what `pack` makes."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"it is larger than {LARGEST} bytes")
        luggage = Luggage(**json.loads(content))
        _check(luggage)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        warnings.warn(f"{path}: what the run before has left cannot be taken over: {error}", stacklevel=2)
        return None
    return luggage


def _check(luggage: Luggage) -> None:
    """ValueError if something in it is not of the kind that the program works with."""
    _need(isinstance(luggage.path, str), "path")
    _need(_is_table(luggage.sizes, _is_int), "sizes")
    _need(isinstance(luggage.commands, list) and all(map(_is_carried, luggage.commands)), "commands")
    window = luggage.window
    _need(window is None or (_is_list(window, _is_int, 3) and all(0 <= n <= LARGEST_SIDE for n in window)), "window")
    _need(isinstance(luggage.view, dict) and luggage.view.keys() in (set(), VIEW.keys()), "view")
    if luggage.view:
        for name, fits in VIEW.items():
            _need(fits(luggage.view[name]), name)


def _need(fits: bool, name: str) -> None:
    if not fits:
        raise ValueError(f"{name} is not what it should be")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and abs(value) <= LARGEST_INT


def _is_float(value: Any) -> bool:
    return isinstance(value, float) or _is_int(value)


def _is_list(value: Any, of: Kind, length: int | None = None) -> bool:
    return isinstance(value, list) and all(map(of, value)) and length in (None, len(value))


def _is_table(value: Any, of: Kind) -> bool:
    return isinstance(value, dict) and all(isinstance(k, str) and of(v) for k, v in value.items())


def _is_like(value: Any, example: Any) -> bool:
    """A value of the same kind as one that the program made itself; a word is one of a list that begins with it."""
    if isinstance(example, str):
        return isinstance(value, str) and any(value in words for words in (FRAMES, LABELS) if example in words)
    if isinstance(example, list):
        return _is_list(value, lambda v: _is_like(v, example[0]), len(example))
    return _is_float(value) if isinstance(example, float) else type(value) is type(example)


def _are_like(example: Any) -> Kind:
    """Whether a table has values for fields of something that the program made itself."""
    known = asdict(example)
    known |= {name: value.tolist() for name, value in known.items() if isinstance(value, np.ndarray)}
    return lambda values: (
        _is_table(values, lambda _: True)
        and all(_is_like(value, known[name]) for name, value in values.items() if name in known)
    )


# the parts of a view
VIEW: dict[str, Kind] = {
    "camera": _are_like(ViewState().camera),
    "options": _are_like(ViewState().options),
    "camera_id": _is_int,
    "tracked": _is_int,
    "watches": lambda value: _is_list(value, lambda v: isinstance(v, str)),
    "selection": lambda v: _is_list(v, lambda _: True, 2) and isinstance(v[0], str) and _is_int(v[1]) and v[1] >= 0,
    "paused": lambda value: isinstance(value, bool),
}
# the commands that are carried over: what they may be about, and their values
CARRIED: dict[str, tuple[Collection[str], dict[str, Kind]]] = {
    "SetSpeed": ((), {"speed": _is_float}),
    "SetFlag": (FLAG_PATHS, {"bit": _is_int, "on": lambda v: isinstance(v, bool)}),
    "SetField": (
        BY_PATH,
        {
            "value": _is_float,
            "rows": lambda value: _is_list(value, _is_int),
            "column": lambda v: v is None or _is_int(v),
            "also": lambda value: value == [],
        },
    ),
    "SetData": (STATE, {"start": _is_int, "values": lambda value: _is_list(value, _is_float)}),
}


def _is_carried(command: Any) -> bool:
    """A command by its name and values, about a field that it may be about."""
    if not isinstance(command, list) or len(command) != 2 or not isinstance(command[1], dict):
        return False
    name, values = command
    if not isinstance(name, str) or name not in CARRIED:
        return False
    paths, kinds = CARRIED[name]
    if paths and not (isinstance(values.get("path"), str) and values["path"] in paths):
        return False
    return values.keys() == kinds.keys() | ({"path"} if paths else set()) and all(
        fits(values[key]) for key, fits in kinds.items()
    )
