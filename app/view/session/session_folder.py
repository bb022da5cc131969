"""Folders of sessions: each holds the file of one session, and a lock that lasts as long as its process.

A folder appears with its lock held, so one whose lock is free belongs to a process that was killed or has crashed.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import warnings
from pathlib import Path
from typing import NamedTuple

from app.files import config
from app.files.output import reason
from app.view.session.session import Session
from app.view.session.session_file import read_session

FILE, LOCK = "session.json", "lock"


class SessionFolder:
    """A folder whose lock this process holds."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock

    @property
    def file(self) -> Path:
        """The file of the session."""
        return self.path / FILE

    def release(self) -> None:
        """Leave the folder to whoever starts next."""
        os.close(self._lock)

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()


class CutShort(NamedTuple):
    """A session whose process is gone."""

    path: Path
    session: Session


def new_folder() -> SessionFolder:
    """A folder for the session of this process; OSError if there can be none."""
    place = config.sessions_folder()
    if place is None:
        raise FileNotFoundError("no folder for sessions")
    name = secrets.token_hex(8)
    hidden = place / f".{name}"
    hidden.mkdir(mode=0o700)
    lock = _locked(hidden)
    assert lock is not None
    return SessionFolder(hidden.rename(place / name), lock)


def take(path: Path) -> SessionFolder | None:
    """The folder of a session whose process is gone; None if another process has it by now."""
    try:
        lock = _locked(path)
    except OSError:
        return None
    return None if lock is None else SessionFolder(path, lock)


def cut_short() -> list[CutShort]:
    """All sessions whose process is gone, newest first; a file that is not a session is set aside with a warning."""
    place = config.sessions_folder()
    try:
        folders = [] if place is None else [path for path in place.iterdir() if not path.name.startswith(".")]
    except OSError as error:
        warnings.warn(f"sessions cannot be restored: {place}: {reason(error)}", stacklevel=2)
        folders = []
    found = []
    for path in folders:
        folder = take(path) if not path.suffix else None
        if folder is None:
            continue
        try:
            found.append(CutShort(path, read_session(folder.file)))
            folder.release()
        except FileNotFoundError:
            # it ended before there was anything to keep
            folder.remove()
        except (OSError, ValueError) as error:
            _set_aside(folder, str(error))
    return sorted(found, key=lambda one: one.session.when, reverse=True)


def _set_aside(folder: SessionFolder, why: str) -> None:
    """Rename the folder of a broken session: the user may want something back from it."""
    folder.release()
    aside = folder.path.with_suffix(".bad")
    try:
        folder.path.rename(aside)
    except OSError as error:
        why = f"{why}; it cannot be renamed: {error.strerror}"
    warnings.warn(f"the session in {folder.path} cannot be restored: {why}", stacklevel=2)


def _locked(path: Path) -> int | None:
    """The lock of a folder; None if another process holds it."""
    lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock
