"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file; if that fails half-way, what was there before is still there and nothing else is."""
    # a link stays one
    target = Path(os.path.realpath(path))
    # under a name that nobody can have put a link at
    part = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    part.touch(exist_ok=False)
    try:
        part.write_bytes(data)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
