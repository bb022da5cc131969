"""What a model is called in the title bar and in lists.

That is the name of its file; but in collections of robots every file is called scene.xml or robot.xml: then it is the
name that the model has in the file, or the folder, "unitree_go1 / scene". A script's model is called by its own name,
or by the file of the script.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from app.files.error_text import printable

# names of files, models and folders that say nothing, also with a number; MuJoCo's is what a model without one has
EMPTY = (
    "scene", "model", "robot", "main", "world", "mujoco", "mujoco model", "mjmodel", "mjcf", "urdf", "xml", "xmls",
    "untitled", "unnamed", "default", "test", "index", "env", "environment", "assets", "asset", "models", "scenes",
    "robots", "mjcf model", "model description", "tmp", "temp", "src", "data", "home", "root", "desktop", "documents",
    "downloads", "",
)  # fmt: skip
# folders above a file that are asked for a name
MOST_FOLDERS = 3
SCRIPT = "a script's model"


def model_title(path: str, name: str = "") -> str:
    """The title of the model in a file, which may have a name of its own; of a script's model without a path."""
    return printable(_title(path, name))


def _title(path: str, name: str) -> str:
    if not path:
        return name if _says_something(name) else script_title()
    file = Path(path)
    if _says_something(file.stem):
        return file.stem
    # "go1 scene" does not say more than the folder
    if all(map(_says_something, name.split())) and name:
        return name
    folders = [above.name for above in list(file.absolute().parents)[:MOST_FOLDERS]]
    folder = next(filter(_says_something, folders), "")
    return f"{folder} / {file.stem}" if folder else name or file.stem


def script_title() -> str:
    """The file of the script that runs, without its suffix."""
    stem = Path(getattr(sys.modules.get("__main__"), "__file__", None) or "").stem
    return stem if _says_something(stem) and not stem.startswith("__") else SCRIPT


def model_name(model: Any) -> str:
    """The name that a model has in its file: `<mujoco model="...">`; empty if it is not known."""
    if hasattr(model, "mj"):
        return bytes(model.mj.names).partition(b"\0")[0].decode("utf-8", "replace")
    source = model.__dict__.get("source")
    return str(getattr(getattr(source, "parsed", None), "modelname", ""))


def _says_something(name: str) -> bool:
    return re.sub(r"[\s_.-]+", " ", re.sub(r"[\d_.-]*$", "", name.lower())).strip() not in EMPTY
