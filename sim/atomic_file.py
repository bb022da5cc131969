"""Atomic file writes: a file is replaced completely or left as it was, even by a process that is killed."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file atomically: if writing fails, the old file is unchanged and nothing is left behind."""
    # write through a symbolic link
    target = Path(os.path.realpath(path))
    # an unpredictable name, so that nobody can have placed a link there
    part = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    # nobody else may read it than before
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    try:
        if not _write_unnamed(part, data, mode):
            part.touch(exist_ok=False)
            if mode is not None:
                part.chmod(mode)
            part.write_bytes(data)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _write_unnamed(part: Path, data: bytes, mode: int | None) -> bool:
    """Write a file that gets its name when it is complete: a killed process leaves none; False if it cannot be."""
    if not hasattr(os, "O_TMPFILE"):
        return False
    try:
        file = os.open(part.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:
        # not on every file system
        return False
    with os.fdopen(file, "wb") as stream:
        if mode is not None:
            os.fchmod(file, mode)
        stream.write(data)
        stream.flush()
        try:
            # the link in /proc is followed only by linkat, which Python calls if there is such an argument
            os.link(f"/proc/self/fd/{file}", part, src_dir_fd=file)
        except OSError:
            # without /proc, or without links
            return False
    return True
