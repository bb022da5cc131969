"""The state of the file dialog: the folder that is shown, and which of its files match the typed text."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.files.new_model import is_new
from app.files.output import unused_path
from app.files.recordings import SUFFIX, is_listed
from app.files.resources import is_bundled
from sim.mjcf.format.table import MJCF, is_model


@dataclass
class Browse:
    """An open file dialog; `fresh` until it has the keyboard."""

    folder: Path
    text: str = ""
    fresh: bool = True
    # a file to save to is chosen, not one to open; and that is for a recording, not for a model
    saves: bool = False
    recording: bool = False
    # a model to compare with is chosen, not one to open
    compares: bool = False
    # a file that exists, until the user has said whether to overwrite it
    asks_about: Path | None = None
    # why nothing can be saved to the file of that name
    refused: str = ""
    # the last listing, and what it is for
    _listed: tuple[Path, str] | None = field(default=None, repr=False)
    _found: list[Path] = field(default_factory=list, repr=False)

    def enter(self, path: Path) -> None:
        """Go into a folder; the name of a file to save stays."""
        self.folder, self.fresh = Path(os.path.realpath(path)), True
        self.text = self.text if self.saves and not os.path.isdir(self.folder / self.text) else ""

    def typed(self) -> Path | None:
        """What the typed text names: an absolute path, one in the folder, or the only match."""
        if not self.text:
            return None
        path = self.folder / os.path.expanduser(self.text)
        if os.path.exists(path):
            return path
        found = self.found()
        return found[0] if len(found) == 1 else None

    def target(self) -> Path | None:
        """The file to save to that the typed text names, or a folder; None if there is no text."""
        if not self.text.strip():
            return None
        path = self.folder / os.path.expanduser(self.text.strip())
        if os.path.isdir(path) or path.suffix.lower() in self.suffixes:
            return path
        return path.with_name(f"{path.name}{self.suffixes[0]}")

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Those that a file to save to may have."""
        return (SUFFIX,) if self.recording else MJCF.suffixes

    def lists(self, path: Path) -> bool:
        """Whether a file is of the kind that is opened or saved."""
        return is_listed(path) if self.recording else is_model(path) or (is_listed(path) and not self.saves)

    def found(self) -> list[Path]:
        """The matches, cached: this is called once a frame."""
        # the name of a new file filters nothing
        folder, slash, name = ("", "", "") if self.saves else self.text.rpartition("/")
        wanted = (self.folder / os.path.expanduser(folder + slash), name)
        if wanted != self._listed:
            self._listed, self._found = wanted, listing(*wanted, self.lists)
        return self._found


def begin(model: str) -> Browse:
    """Start in the folder of the open model, or in the current one."""
    path = Path(model)
    if os.path.isfile(path) and not is_bundled(path) and not is_new(path):
        return Browse(Path(os.path.realpath(path)).parent)
    try:
        return Browse(Path.cwd())
    except OSError:
        # the current folder was deleted
        return Browse(Path(os.path.expanduser("~")))


def begin_save(model: str) -> Browse:
    """Start beside the open model, with its name if it can be saved under that, or a new one."""
    chosen = begin(model)
    chosen.saves = True
    name = f"{Path(model).stem or 'model'}{MJCF.suffixes[0]}"
    chosen.text = unused_path(chosen.folder / name).name
    return chosen


def begin_save_recording(model: str) -> Browse:
    """Start beside the open model, with its name, or a new one if there is such a recording."""
    chosen = begin(model)
    chosen.saves = chosen.recording = True
    chosen.text = unused_path(chosen.folder / f"{Path(model).stem or 'run'}{SUFFIX}").name
    return chosen


def refusal(path: Path) -> str:
    """Why nothing may be saved there; empty if it may."""
    if is_bundled(path):
        return "the bundled scenes cannot be overwritten: choose another folder"
    return "" if os.path.isdir(path.parent) else f"no such folder: {path.parent}"


def listing(folder: Path, text: str, shown: Callable[[Path], bool]) -> list[Path]:
    """Subfolders, then files of some kind, whose names contain the typed text; without hidden ones."""
    typed = text.lower()
    try:
        entries = [path for path in folder.iterdir() if not path.name.startswith(".")]
    except OSError:
        return []
    found = [path for path in entries if os.path.isdir(path) or shown(path)]
    # the letters of the suffix are in every model's name
    matches = [path for path in found if typed in (path.name if "." in typed else path.stem).lower()]
    return sorted(matches, key=lambda path: (not os.path.isdir(path), path.name.lower()))
