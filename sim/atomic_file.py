"""Atomic file writes: a file is replaced completely or left as it was, even by a process that is killed.

What replaces it is whole and on the disk before, and has its owner, group, mode and extended attributes. A file that
has several names, or an owner that cannot be given to another file, keeps them: it is written in place, while a whole
copy is beside it.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

NO_BACKUPS: Mapping[Path, Path] = MappingProxyType({})


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file atomically: if writing fails, the old file is unchanged and nothing is left behind."""
    write_all({Path(path): data})


def write_all(files: Mapping[Path, bytes], backups: Mapping[Path, Path] = NO_BACKUPS) -> None:
    """Write several files, through symbolic links: if one cannot be written, all are unchanged.

    `backups`: files whose content is kept, and where; what is there is replaced, be it a link.
    """
    with ExitStack() as stack:
        parts = []
        for target, data, like in _wanted(files, backups):
            with _named(target):
                parts.append(_Part(target, data, like))
            stack.callback(parts[-1].close)
        for work in (_Part.link, _Part.place):
            for part in parts:
                with _named(part.target):
                    work(part)
        for folder in dict.fromkeys(part.target.parent for part in parts):
            _sync_folder(folder)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error that names no file, like that of a full disk, names this one."""
    try:
        yield
    except OSError as error:
        if error.errno and error.filename is None:
            error.filename = str(path)
        raise


def _wanted(files: Mapping[Path, bytes], backups: Mapping[Path, Path]) -> list[tuple[Path, bytes, Path]]:
    """What is written where, and the file that it takes after."""
    real = {path: Path(os.path.realpath(path)) for path in (*backups, *files)}
    kept = [(backup, real[path].read_bytes(), real[path]) for path, backup in backups.items()]
    return kept + [(real[path], data, real[path]) for path, data in files.items()]


class _Part:
    """What is to be the content of a file: whole and on the disk, and not yet in its place."""

    def __init__(self, target: Path, data: bytes, like: Path) -> None:
        self.target, self.data, self.like = target, data, like
        # an unpredictable name, so that nobody can have placed a link there
        self.name = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
        self.old = like.stat() if like.exists() else None
        # a device or a pipe takes what is written, and cannot be replaced
        self.device = self.in_place = self.old is not None and not stat.S_ISREG(self.old.st_mode)
        # open while it has no name
        self.file = -1
        if self.device:
            return
        try:
            self._write()
        except BaseException:
            self.close()
            raise

    def _write(self, named: bool = False) -> None:
        """Write a file, without a name if there are such: a killed process leaves none."""
        # nobody else may read it than the old one
        mode = 0o666 if self.old is None else 0o600
        if not named:
            try:
                self.file = os.open(self.target.parent, os.O_TMPFILE | os.O_WRONLY, mode)
            except (OSError, AttributeError):
                # not on every system
                named = True
        if named:
            self.file = os.open(self.name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(self.file, "wb", closefd=False) as stream:
            stream.write(self.data)
        if self.old is not None:
            taken = self._take_after(self.old)
            self.in_place = self.target == self.like and (not taken or self.old.st_nlink > 1)
        os.fsync(self.file)
        if named:
            self._close_file()

    def _take_after(self, old: os.stat_result) -> bool:
        """Take over owner, group, extended attributes and mode; whether owner and group could be."""
        mode, taken = stat.S_IMODE(old.st_mode), True
        if hasattr(os, "fchown"):
            try:
                os.fchown(self.file, old.st_uid, old.st_gid)
            except OSError:
                taken = False
                try:
                    os.fchown(self.file, -1, old.st_gid)
                except OSError:
                    # what the old group may do is not for another one
                    mode &= ~stat.S_IRWXG
        if hasattr(os, "listxattr"):
            with suppress(OSError):
                for key in os.listxattr(self.like):
                    with suppress(OSError):
                        os.setxattr(self.file, key, os.getxattr(self.like, key))
        os.chmod(self.file if os.chmod in os.supports_fd else self.name, mode)
        return taken

    def link(self) -> None:
        """Give it a name."""
        if self.file < 0:
            return
        try:
            # the link in /proc is followed only by linkat, which Python calls if there is such an argument
            os.link(f"/proc/self/fd/{self.file}", self.name, src_dir_fd=self.file)
            self._close_file()
        except OSError:
            # without /proc, or without links
            self._close_file()
            self._write(named=True)

    def place(self) -> None:
        """Put it into its place."""
        if not self.in_place:
            self.name.replace(self.target)
            return
        with open(self.target, "wb" if self.device else "r+b") as stream:
            stream.write(self.data)
            if not self.device:
                stream.truncate()
                stream.flush()
                os.fsync(stream.fileno())

    def close(self) -> None:
        """Remove what is left of it."""
        self._close_file()
        self.name.unlink(missing_ok=True)

    def _close_file(self) -> None:
        if self.file >= 0:
            os.close(self.file)
        self.file = -1


def _sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where a folder can be opened."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
