"""Which engine runs a model: ours, unless the user asks for MuJoCo or only that can open the file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import sim
from app.run.engine.installed import NoMujoco, is_installed, is_mujoco_data, is_mujoco_model
from app.run.engine.names import KINETOSCOPE, MUJOCO
from sim.engine import Engine
from sim.mjcf import MjcfError


class Opened(NamedTuple):
    """A model, and why it has another engine than was asked for; empty if it has not."""

    model: sim.Model
    note: str = ""


def engine_named(name: str) -> Engine:
    """An engine by its name; NoMujoco says how to install that."""
    if name == MUJOCO:
        from app.run.engine.mujoco_engine import mujoco_engine

        # it takes the models that it makes, and no others
        engine: Any = mujoco_engine()
        return engine  # type: ignore[no-any-return]
    return sim


def name_of(engine: Engine) -> str:
    """The name of an engine."""
    return KINETOSCOPE if engine is sim else MUJOCO


def open_model(engine: Engine, path: str) -> Opened:
    """Load a file with an engine; what ours refuses, with MuJoCo, if that is installed and knows it."""
    try:
        return Opened(engine.load(path))
    except MjcfError as refusal:
        if engine is not sim or not is_installed():
            raise
        try:
            other = engine_named(MUJOCO)
            return Opened(other.load(path), f"opened with {other.ENGINE}, because {reason(refusal)}")
        except NoMujoco:
            raise refusal from None


def open_model_saying(engine: Engine, path: Path | str) -> sim.Model:
    """Load a file for a command, which says on stderr if the model has another engine than was asked for."""
    model, note = open_model(engine, str(path))
    if note:
        print(f"kinetoscope: {Path(path).name} is {note}", file=sys.stderr)
    return model


def reason(refusal: MjcfError) -> str:
    """Why our engine refuses a file, as part of a sentence."""
    line = f" (line {refusal.line})" if refusal.line else ""
    return f"Kinetoscope's engine cannot: {refusal.message}{line}"


def adopt(model: Any, data: Any | None = None) -> tuple[sim.Model, sim.Data]:
    """Model and Data of a script for the viewer: those of MuJoCo with their memory bound into ours; ValueError."""
    if not (isinstance(model, sim.Model) or is_mujoco_model(model)):
        raise ValueError(f"model must be a sim.Model or a mujoco.MjModel, not {model!r}")
    mujoco = is_mujoco_model(model)
    fits = data is None or (is_mujoco_data(data) if mujoco else isinstance(data, sim.Data))
    if not fits:
        wanted = "a mujoco.MjData" if mujoco else "a sim.Data"
        raise ValueError(f"data must be {wanted}, not {data!r}")
    if mujoco:
        from app.run.engine.mujoco_data import MujocoData
        from app.run.engine.mujoco_model import MujocoModel

        if data is not None and (data.model.nq, data.model.nbody) != (model.nq, model.nbody):
            raise ValueError("this MjData belongs to a different model")
        adopted = MujocoModel(model)
        return adopted, MujocoData(adopted, data)
    ours: sim.Data = sim.Data(model) if data is None else data
    ours.check_fit(model)
    return model, ours
