"""The folder in which the user looks for a file, and what of it fits what was typed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from app.files.resources import is_bundled

MODEL_SUFFIXES = (".xml", ".mjcf")


@dataclass
class Browse:
    """An open file dialog; `fresh` until it has the keyboard."""

    folder: Path
    text: str = ""
    fresh: bool = True
    # what was found last, and for what
    _sought: tuple[Path, str] | None = field(default=None, repr=False)
    _found: list[Path] = field(default_factory=list, repr=False)

    def enter(self, path: Path) -> None:
        """Go into a folder."""
        self.folder, self.text, self.fresh = Path(os.path.realpath(path)), "", True

    def typed(self) -> Path | None:
        """What the typed text names: an absolute path, one below the folder, or the only thing that fits."""
        if not self.text:
            return None
        path = self.folder / os.path.expanduser(self.text)
        if os.path.exists(path):
            return path
        found = self.found()
        return found[0] if len(found) == 1 else None

    def found(self) -> list[Path]:
        """What fits, looked for only when something else is wanted: this is asked once a frame."""
        sought = (self.folder, self.text)
        if sought != self._sought:
            self._sought, self._found = sought, listing(*sought)
        return self._found


def begin(model: str) -> Browse:
    """Start beside the open model, or where the program was started."""
    path = Path(model)
    if os.path.isfile(path) and not is_bundled(path):
        return Browse(Path(os.path.realpath(path)).parent)
    try:
        return Browse(Path.cwd())
    except OSError:
        # the folder is gone
        return Browse(Path(os.path.expanduser("~")))


def listing(folder: Path, text: str) -> list[Path]:
    """Folders, then models, of a folder; hidden ones left out, and those without the typed letters."""
    letters = text.lower()
    try:
        entries = [path for path in folder.iterdir() if not path.name.startswith(".")]
    except OSError:
        return []
    shown = [path for path in entries if os.path.isdir(path) or path.suffix.lower() in MODEL_SUFFIXES]
    # every model's name has the letters of its suffix
    fitting = [path for path in shown if letters in (path.name if "." in letters else path.stem).lower()]
    return sorted(fitting, key=lambda path: (not os.path.isdir(path), path.name.lower()))
