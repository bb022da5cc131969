"""What a save would do: edits of the source files, their new texts and a diff; then it is done, file by file.

Each file is replaced as a whole, once all are written, or stays as it was, and what it was is kept beside it as NAME~.
A file that has changed since the model was read is not overwritten, unless that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from errno import EACCES
from pathlib import Path
from stat import S_IWGRP, S_IWOTH, S_IWUSR

from sim.atomic_file import write_all
from sim.file_stamp import Stamps, stamp

# ways to save an edit; no way: it has to be chosen
ELEMENT, CLASS, COPIES, LEAVE_OUT = "element", "class", "all copies", "leave out"

WRITABLE = S_IWUSR | S_IWGRP | S_IWOTH

Ways = Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class SourceEdit:
    """An edit of one attribute in a source file.

    `before` is the text that was in force: of the element, of its class, or the default; it and `after` are empty if
    there is none. `element` is the type and the name or number of the edited element; `attribute` can be several, if
    they can only change together, or the tag of an element that is added or removed. `source` is how the element came
    into the model: "" for one of the main file, else include, class, replicate or attach. `affects` are all elements
    that change. `way` is one of `ways`, or empty if one must be chosen, by `ways[element, attribute]` of `plan_save`.
    """

    file: Path
    line: int
    element: str
    attribute: str
    before: str
    after: str
    source: str
    affects: tuple[str, ...]
    ways: tuple[str, ...]
    way: str

    @property
    def key(self) -> tuple[str, str]:
        """Names the edit in the `ways` of a plan."""
        return self.element, self.attribute

    def __str__(self) -> str:
        change = f"{self.before or '(none)'} -> {self.after or '(none)'}"
        return f"{self.file}:{self.line}: {self.element} {self.attribute}: {change}"


@dataclass(frozen=True)
class FileChange:
    """A file that would be written: its text on disk, None if there is none, and after; `data` is what is written.

    `original` is the text that the model was read from, and `lines` those of its lines that change; `source` is the
    file it was read from, if that is another one.
    """

    path: Path
    before: str | None
    after: str
    data: bytes
    original: str = ""
    lines: tuple[int, ...] = ()
    source: Path | None = None


@dataclass(frozen=True)
class SavePlan:
    """What a save would do.

    `unsaved` are edits that would not come back from the files; `expanded` says why no source text is kept; `unread` is
    what MuJoCo does not read in the files, and the key of the edit that it comes from, if it is not there already.
    """

    files: tuple[FileChange, ...]
    edits: tuple[SourceEdit, ...]
    unsaved: tuple[str, ...]
    known: Stamps
    noted: Callable[[FileChange], None] = lambda change: None
    check: Callable[[Mapping[Path, bytes]], None] = lambda pending: None
    expanded: str = ""
    unread: tuple[tuple[str, tuple[str, str] | None], ...] = ()

    @property
    def undecided(self) -> tuple[SourceEdit, ...]:
        """Edits whose way must be chosen before the plan can be written."""
        return tuple(edit for edit in self.edits if not edit.way)

    @property
    def backups(self) -> tuple[Path, ...]:
        """Where what the files were is kept, once they are written."""
        return tuple(_backup(change.path) for change in self.files if change.path.exists())

    @property
    def overtaken(self) -> tuple[Path, ...]:
        """Files that have changed on disk since the model was read: `write` asks before it overwrites them."""
        known = (change.path for change in self.files if change.path in self.known)
        # with another mode the content is the same
        return tuple(path for path in known if (stamp(path) or ())[:3] != (self.known[path] or ())[:3])

    def diff(self) -> str:
        """A unified diff of all files."""
        parts: list[str] = []
        for change in self.files:
            old = [] if change.before is None else _lines(change.before)
            names = str(change.source or change.path), str(change.path)
            for line in unified_diff(old, _lines(change.after), *names):
                parts.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
        return "".join(parts)

    def write(self, overwrite: bool = False) -> list[Path]:
        """Write the files; returns their paths.

        ValueError if a way must be chosen, a file has changed on disk, or what is written would not load: an edit can
        make a running model that no file can say.
        """
        if self.undecided:
            raise ValueError(f"choose how to save {self.undecided[0]}: {' or '.join(self.undecided[0].ways)}")
        for path in self.overtaken if not overwrite else ():
            raise ValueError(f"'{path}' has changed since it was read: load it again, or overwrite it")
        for change in self.files:
            # a folder that can be written would let it be replaced
            if change.path.exists() and not change.path.stat().st_mode & WRITABLE:
                raise PermissionError(EACCES, "it is read-only", str(change.path))
        if self.files:
            self.check({change.path.resolve(): change.data for change in self.files})
        for change in self.files:
            if change.before is None and not change.after:
                # an asset that was in memory
                change.path.parent.mkdir(parents=True, exist_ok=True)
        existing = [change.path for change in self.files if change.path.exists()]
        write_all({change.path: change.data for change in self.files}, {path: _backup(path) for path in existing})
        for change in self.files:
            self.noted(change)
        return [change.path for change in self.files]


def _backup(path: Path) -> Path:
    """Where the last version of a file is kept: beside the file itself, not beside a link to it."""
    real = path.resolve()
    return real.with_name(real.name + "~")


def _lines(text: str) -> list[str]:
    """Lines with their ends; only line feeds end one, as in an editor."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
