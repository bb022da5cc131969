"""Makes a pair of engines for a file, or for the model that the viewer runs: the other engine loads the same file."""

from __future__ import annotations

from pathlib import Path

import sim
from app.instruments.lockstep.pair import Pair
from app.run.engine.installed import is_installed
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.engine.mujoco_model import MujocoModel
from sim import Model
from sim.user_error import UserError

NOT_INSTALLED = "MuJoCo is not installed: `pip install mujoco` in this environment, then reopen this panel."
NO_FILE = "This model does not come from a file that MuJoCo can load."


class NoPair(UserError):
    """The other engine cannot run the model: why."""


def pair_of_file(path: Path) -> Pair:
    """Both engines load a file."""
    return Pair(sim.load(str(path)), mujoco_engine().load(str(path)))


def pair_of_model(model: Model) -> Pair:
    """The model that runs, in its own engine, and as the other engine has it; NoPair says why there is none."""
    if not is_installed():
        raise NoPair(NOT_INSTALLED)
    path = next(iter(model.files), None)
    if isinstance(model, MujocoModel):
        return Pair(_ours(model, path), model)
    if path is None:
        raise NoPair(NO_FILE)
    return Pair(model, mujoco_engine().load(str(path)))


def _ours(model: MujocoModel, path: object) -> Model:
    """Our compiler's reading of the file of a model of MuJoCo; a copy of the model if there is no file."""
    try:
        return sim.load(str(path)) if path is not None else model.to_sim()
    except (UserError, ValueError, OSError) as error:
        raise NoPair(f"Kinetoscope's engine cannot run this model: {error}") from error
