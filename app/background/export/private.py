"""Keeps what is the user's own out of files for others: paths of the home, of projects and of the program."""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
from pathlib import Path

# what stands for a path in a text
HIDDEN = "..."
# bytes that a file path has in a binary model
PATH_BYTE = rb"[^\x00-\x1f]"
# the rest of a path
REST = r"[^\s'\"<>|,;]*"
# an absolute path of two folders or more; not part of a relative one, of an address or of a closing tag
ABSOLUTE = rf"(?<![\w./:<\\~-])(?:/[\w.@+~-]+){{2,}}/?|\b[A-Za-z]:\\{REST}"


def without_folders(text: str) -> str:
    """A text in which absolute paths are only the names of their files, and folders are hidden."""
    known = [re.escape(folder) + REST for folder in _folders()]
    return re.sub("|".join([*known, ABSOLUTE]), lambda found: _file_name(found[0]), text)


def _file_name(path: str) -> str:
    """The name of a file without its folders; what has no suffix may be a folder, and be called like the user."""
    name = re.split(r"[/\\]", path.rstrip("/\\"))[-1]
    stem, dot, suffix = name.rstrip(".").rpartition(".")
    return name if stem and dot and suffix else HIDDEN


def without_paths(content: bytes) -> bytes:
    """Bytes of a binary model in which the user's folders are dots; their length stays."""
    for folder in _folders():
        pattern = re.escape(folder.encode()) + PATH_BYTE + b"*"
        content = re.sub(pattern, lambda found: b"." * len(found[0]), content)
    return content


def _folders() -> list[str]:
    """Folders of the user, the longest first."""
    found = {str(Path.home()), tempfile.gettempdir(), sys.prefix, str(Path(__file__).parents[3])}
    # it may have been deleted
    with contextlib.suppress(OSError):
        found.add(str(Path.cwd()))
    return sorted((folder for folder in found if len(Path(folder).parts) > 1), key=len, reverse=True)
