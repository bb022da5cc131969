"""Recordings of MuJoCo's models: held with their files or as binaries, and replayed to the bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from app.files.resources import find_scene
from app.run.engine.choice import adopt, engine_named
from app.run.engine.installed import mujoco
from app.run.engine.names import MUJOCO
from app.run.engine.recorded import LOADERS, load_recorded
from sim.recording.frames import RecordingError
from sim.recording.model_files import BINARY, ModelFiles

MODELS = Path(__file__).parent / "models"


@pytest.mark.parametrize("path", [find_scene("car"), MODELS / "plugins.xml"], ids=lambda path: path.stem)
def test_a_recording_replays_to_the_bit(path: Path, tmp_path: Path) -> None:
    engine = engine_named(MUJOCO)
    model = engine.load(str(path))
    engine.prepare(model)
    data = engine.Data(model)
    rows = []
    with sim.Recorder(model, data, tmp_path / "run.ktr", None, path.name) as recorder:
        for _ in range(30):
            recorder.step(1)
            rows.append(engine.get_state(model, data, engine.record_signature(model)))
    run = sim.load_recording(tmp_path / "run.ktr", LOADERS)
    assert run.versions[0].engine == engine.ENGINE
    for step in (1, 17, 30):
        again = run.restore(step)
        assert np.array_equal(
            engine.get_state(again.model, again, engine.record_signature(again.model)), rows[step - 1]
        )
    with pytest.raises(RecordingError, match="was simulated by MuJoCo"):
        sim.load_recording(tmp_path / "run.ktr").restore(3)


def test_the_model_of_a_script_is_held_as_a_binary(tmp_path: Path) -> None:
    theirs = mujoco().MjModel.from_xml_string(
        "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    theirs.geom_friction[0, 0] = 0.125
    model, data = adopt(theirs)
    with sim.Recorder(model, data, tmp_path / "run.ktr", None, "ball") as recorder:
        recorder.step(10)
    again = sim.load_recording(tmp_path / "run.ktr", LOADERS).restore(10)
    assert again.model.geom_friction[0, 0] == 0.125 and again.model.name2id("body", "b") == 1
    assert np.array_equal(again.qpos, data.qpos)


@pytest.mark.parametrize("field", ["geom_type", "dof_treeid"])
def test_a_damaged_binary_ends_another_process(field: str) -> None:
    """MuJoCo does not check every index in a binary model: it would read anywhere."""
    module = mujoco()
    m = module.MjModel.from_xml_string(
        "<mujoco><worldbody><geom size='1'/><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    )
    getattr(m, field)[:] = 1 << 30
    content = np.zeros(module.mj_sizeModel(m), np.uint8)
    module.mj_saveModel(m, None, content)
    with pytest.raises(ValueError, match="cannot read its binary model: damaged") as refused:
        load_recorded(ModelFiles(BINARY, {BINARY: content.tobytes()}), "run.ktr")
    assert "crashes in its first step" in str(refused.value.__cause__)


def test_a_binary_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot read its binary model: damaged, or from another version"):
        load_recorded(ModelFiles(BINARY, {BINARY: b"\0" * 64}), "run.ktr")
    with pytest.raises(ValueError, match="points outside the recording"):
        load_recorded(ModelFiles("../model.xml", {"../model.xml": b"<mujoco/>"}), "run.ktr")
