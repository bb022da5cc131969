"""The doctor on a model that MuJoCo simulates: the same findings, with their lines where our reader knows the file."""

from __future__ import annotations

import pytest

import sim
from app.files.resources import find_scene
from app.instruments.doctor.examine import examine
from app.instruments.doctor.finding import Finding
from app.instruments.doctor.trial import examine_explosion, run_with
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.engine.mujoco_model import MujocoModel
from tests.app.instruments.doctor.exploding import PLANTED

# those with findings that depend on what is computed: overlaps, equalities, gears; and one without any
SCENES = ("bin", "quadruped", "ragdolls", "friction_ramp", "gripper", "muscle_arm", "double_pendulum")
# what only the file tells
OF_THE_FILE = ("unused-asset",)


def said(findings: list[Finding]) -> list[tuple[object, ...]]:
    return [(one.check, one.severity, one.selection, one.others, one.title, one.place) for one in findings]


@pytest.mark.parametrize("scene", SCENES)
def test_findings_are_those_of_our_engine(scene: str) -> None:
    path = str(find_scene(scene))
    ours, theirs = sim.load(path), mujoco_engine().load(path)
    expected = examine(ours)
    assert said(examine(theirs)) == said(expected)
    # without a source they are in no line
    theirs.__dict__["source"] = None
    found = examine(theirs)
    assert [one[:5] for one in said(found)] == [one[:5] for one in said(expected) if one[0] not in OF_THE_FILE]
    assert not any(one.place for one in found)


@pytest.mark.parametrize("name", PLANTED)
def test_explosions(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same culprit, and what survives in one engine does in the other."""
    planted = PLANTED[name]
    path = tmp_path_factory.mktemp("exploding") / "model.xml"
    path.write_text(planted.xml, encoding="utf-8")
    m, d = planted.load()
    theirs = mujoco_engine().load(str(path))
    data = theirs.engine.Data(theirs)
    data.ctrl[:], data.qvel[:] = d.ctrl, d.qvel
    ours, found = examine_explosion(m, d), examine_explosion(theirs, data)
    assert ours is not None and found is not None
    assert isinstance(found.course.model, MujocoModel)
    assert (found.findings[0].check, found.findings[0].selection) == (planted.check, planted.selection(m))
    assert found.time == pytest.approx(ours.time, rel=0.1)
    fixes = ours.findings[0].fixes
    assert found.findings[0].fixes == fixes
    for fix in [fix for fix in fixes if fix.edits][:2]:
        assert run_with(found.course, (fix,)).survived == run_with(ours.course, (fix,)).survived
    # nothing of it was done to the model
    assert theirs.opt.disableflags == theirs.mj.opt.disableflags == m.opt.disableflags
