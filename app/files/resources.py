"""Finds the files that ship with the viewer: shaders and bundled scenes.

In an installed wheel they are inside this package (`app/shaders`, `app/scenes`), in a checkout in top-level folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent

# the scene that is listed first; the others follow by name
FIRST_SCENE = "sculpture"

# the keyframe of a bundled scene in which it opens and to which it resets
START_KEY = "start"

_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)


@dataclass(frozen=True)
class SceneFile:
    """One bundled scene: name, file, and a caption that says what to watch."""

    name: str
    path: Path
    caption: str


def folder(name: str) -> Path:
    """The folder `shaders` or `scenes`, wherever this installation keeps it."""
    for candidate in (_PACKAGE / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"the folder '{name}' is missing from this installation of Kinetoscope: reinstall it")


def bundled_scenes() -> list[SceneFile]:
    """All bundled scenes, FIRST_SCENE first."""
    # here, because commands that need no scene do not wait for the engine
    from sim.mjcf.format.table import is_model

    scenes = [SceneFile(p.stem, p, _caption(p)) for p in folder("scenes").iterdir() if is_model(p)]
    return sorted(scenes, key=lambda scene: (scene.name != FIRST_SCENE, scene.name))


def find_scene(text: str) -> Path:
    """The file that `text` names: a path, or else a bundled scene."""
    path = Path(text).expanduser()
    if path.exists() or path.suffix:
        return path
    for scene in bundled_scenes():
        if scene.name == text:
            return scene.path
    return path


def is_bundled(path: Path) -> bool:
    """Whether the file is one of the bundled scenes."""
    try:
        place = os.path.realpath(path)
    except OSError:
        # a relative path in a deleted folder
        return False
    return Path(place).parent == folder("scenes").resolve()


def start_key(path: Path, keys: Sequence[str | None]) -> int | None:
    """The index of the keyframe in which a file opens; None for the default state."""
    return list(keys).index(START_KEY) if is_bundled(path) and START_KEY in keys else None


def _caption(path: Path) -> str:
    """The first comment of a scene file, on one line."""
    found = _COMMENT.search(path.read_text(encoding="utf-8", errors="ignore"))
    return " ".join(found.group(1).split()) if found else ""
