"""Real models: the MJCF files that come in the wheels of dm_control, gymnasium and gymnasium-robotics."""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("dm_control", "gymnasium", "gymnasium_robotics")
# models that take long to load: many meshes, or a large sky
LARGE = re.compile(r"dog|fly|drosophila|kitchen|fetch|hand|CMU|suite/(?!common|cartpole|quadruped|manipulator)")


@cache
def pip_models() -> tuple[Path, ...]:
    """All files that are a model by themselves; packages that are not installed have none. Nothing is imported."""
    found = []
    for package in PACKAGES:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            for path in sorted(Path(folder).rglob("*.xml")):
                if re.search(r"<mujoco[\s>/]", path.read_text("utf-8", "replace")):
                    found.append(path)
    return tuple(found)


def short_name(path: Path) -> str:
    return "/".join(path.parts[-3:])
