"""Models of MuJoCo in recordings: loaded from the files that a recording holds.

A model that came from files is loaded from them again, in a folder that is gone afterwards; one that a script made is
held as MuJoCo's binary format, which only the same version reads.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from app.run.engine.choice import engine_named
from app.run.engine.installed import NoMujoco, load_mujoco
from app.run.engine.mujoco_model import MujocoModel
from app.run.engine.names import MUJOCO
from sim.model import Model
from sim.recording.model_files import BINARY, ModelFiles, check_name
from sim.recording.models import Loader, load_files


def load_recorded(files: ModelFiles, name: str) -> Model:
    """A model of MuJoCo from the files of a recording; ValueError says why it cannot be loaded."""
    with tempfile.TemporaryDirectory(prefix="kinetoscope-") as folder:
        for file, content in files.files.items():
            check_name(file)
            path = Path(folder, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            model = MujocoModel(load_mujoco(Path(folder, files.entry)))
        except NoMujoco as error:
            if files.entry != BINARY:
                raise ValueError(str(error)) from error
            installed = engine_named(MUJOCO).ENGINE
            raise ValueError(f"{installed} cannot read its binary model: damaged, or from another version") from error
    if files.entry != BINARY:
        model.set_source(load_files(files, name).__dict__["source"])
    return model


# by the name of the engine without its version
LOADERS: Mapping[str, Loader] = {"MuJoCo": load_recorded}
