"""Files in memory, found by their whole path: for assets of which several have the same file name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from sim.mjcf.source import bare

# the model in it, for paths
MAIN = "model.xml"


class AssetStore:
    """A store whose files a caller has given; a path that is not there is found by its file name."""

    name = "<assets>"

    def __init__(self, files: Mapping[str, bytes | str]) -> None:
        self.files = {os.path.normpath(name).replace(os.sep, "/"): data for name, data in files.items()}

    def read(self, path: Path) -> bytes | None:
        whole = os.path.normpath(path).replace(os.sep, "/")
        found = self.files.get(whole)
        if found is None:
            found = next((data for name, data in self.files.items() if bare(name) == bare(whole)), None)
        return found.encode() if isinstance(found, str) else found

    def package_folders(self, variable: str) -> list[Path]:
        return []


def share_names(names: Mapping[str, object]) -> bool:
    """Whether two paths have the same file name."""
    return len({bare(name).lower() for name in names}) < len(names)
