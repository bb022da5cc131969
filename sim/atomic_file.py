"""Atomic file writes: a file is replaced completely or left as it was."""

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
    part.touch(exist_ok=False)
    try:
        if target.exists():
            # nobody else may read it than before
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        part.write_bytes(data)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
