"""Which engine opens a file, and what a script may pass in."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from app.run.engine import choice
from app.run.engine.choice import adopt, engine_named, name_of, open_model, open_model_saying
from app.run.engine.installed import NoMujoco, is_installed, load_mujoco, mujoco
from app.run.engine.mujoco_model import MujocoModel
from app.run.engine.names import KINETOSCOPE, MUJOCO
from sim.mjcf import MjcfError

MODELS = Path(__file__).parent / "models"
BALL = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def test_names() -> None:
    assert is_installed()
    assert [name_of(engine_named(name)) for name in (KINETOSCOPE, MUJOCO)] == [KINETOSCOPE, MUJOCO]
    assert f"MuJoCo {mujoco().__version__}" == engine_named(MUJOCO).ENGINE


def test_what_ours_refuses_opens_with_mujoco(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ball.xml"
    file.write_text(BALL)
    model, note = open_model(sim, str(file))
    assert type(model) is sim.Model and note == ""
    model, note = open_model(sim, str(MODELS / "cloth.xml"))
    assert isinstance(model, MujocoModel)
    assert note.startswith(f"opened with MuJoCo {mujoco().__version__}, because Kinetoscope's engine cannot: ")
    assert "flexcomp" in note and "line " in note
    open_model_saying(sim, MODELS / "plugins.xml")
    assert "plugins.xml is opened with MuJoCo" in capsys.readouterr().err


def test_the_error_is_ours_where_both_refuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "broken.xml"
    file.write_text("<mujoco>\n<worldbody><geom sise='1'/></worldbody></mujoco>")
    with pytest.raises(MjcfError, match=r"broken\.xml:2: <geom>"):
        open_model(sim, str(file))
    with pytest.raises(NoMujoco, match=r"cannot load .*broken\.xml"):
        open_model(engine_named(MUJOCO), str(file))
    monkeypatch.setattr(choice, "is_installed", lambda: False)
    with pytest.raises(MjcfError, match="flexcomp"):
        open_model(sim, str(MODELS / "cloth.xml"))


def test_edits_can_be_saved_where_our_reader_knows_the_file(tmp_path: Path) -> None:
    file, engine = tmp_path / "ball.xml", engine_named(MUJOCO)
    file.write_text(BALL)
    model = engine.load(str(file))
    model.geom_friction[0, 0] = 0.25
    model.save_xml(tmp_path / "saved.xml")
    assert load_mujoco(tmp_path / "saved.xml").geom_friction[0, 0] == 0.25
    with pytest.raises(ValueError, match="cannot be saved as XML"):
        engine.load(str(MODELS / "cloth.xml")).save_xml(tmp_path / "cloth.xml")


def test_adopting() -> None:
    module = mujoco()
    theirs, other = module.MjModel.from_xml_string(BALL), module.MjModel.from_xml_string("<mujoco/>")
    data = module.MjData(theirs)
    model, bound = adopt(theirs, data)
    data.qpos[2] = 3.0
    assert isinstance(model, MujocoModel) and bound.qpos[2] == 3.0
    ours = sim.loads(BALL)
    assert adopt(ours)[0] is ours
    for pair, message in (
        ((theirs, sim.Data(ours)), "data must be a mujoco.MjData"),
        ((ours, data), "data must be a sim.Data"),
        ((theirs, module.MjData(other)), "belongs to a different model"),
        ((3, None), "model must be a sim.Model or a mujoco.MjModel"),
    ):
        with pytest.raises(ValueError, match=message):
            adopt(*pair)
