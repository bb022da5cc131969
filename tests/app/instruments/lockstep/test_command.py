"""The command `check`: both engines compared as a table, a line or JSON; what differs, and what is MuJoCo's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sim
from app.__main__ import main
from app.instruments.lockstep.command import (
    Checked,
    _print_table,
    as_json,
    line_of,
    models_of,
    passes,
    summary,
    version_note,
)
from app.instruments.lockstep.compare import Difference, StageResult
from app.instruments.lockstep.free import FreeRun
from app.instruments.lockstep.judge import Comparison, Judged, Verdict
from app.instruments.lockstep.load import pair_of_file
from app.instruments.lockstep.report import Line, Report, check, merged, moments, run_free
from app.instruments.lockstep.stages import STAGES
from app.run.engine.installed import FOLLOWED

ARM = """<mujoco><worldbody><body><joint name='j' axis='0 1 0' damping='1'/>
<geom type='capsule' fromto='0 0 0 .3 0 0' size='.05'/></body></worldbody>
<actuator><motor joint='j' ctrlrange='-1 1'/></actuator></mujoco>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    return path


@pytest.fixture
def wrong_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gravity is a millionth too strong, in our engine."""
    original = sim.forward

    def heavier(model: sim.Model, data: sim.Data) -> None:
        original(model, data)
        data.qfrc_bias[:] *= 1 + 1e-6

    monkeypatch.setattr(sim, "forward", heavier)


def test_both_engines_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "friction_ramp"]) == 0
    out = capsys.readouterr().out
    assert "differs" not in out
    assert all(stage.name in out for stage in STAGES)


@pytest.mark.usefixtures("wrong_bias")
def test_a_difference_is_found(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(arm)]) == 1
    wrong = [line for line in capsys.readouterr().out.splitlines() if "differs" in line]
    assert len(wrong) == 2
    assert "bias" in wrong[0] and "qfrc_bias of joint j" in wrong[1]


@pytest.mark.usefixtures("wrong_bias")
def test_json(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(arm), "--json", "--steps", "3", "--free"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["steps"]) == ("differs", [0, 1, 3])
    bias = next(stage for stage in found["stages"] if stage["stage"] == "bias")
    assert (bias["field"], bias["element"]["name"], bias["verdict"]) == ("qfrc_bias", "joint j", "differs")
    assert bias["ours"] != bias["theirs"] and bias["error"] == pytest.approx(1e-6, rel=1e-3)
    assert found["free"]["parted"] is None and "Together for 3 steps" in found["free"]["verdict"]


def test_several_models_have_a_line_each_and_a_summary(
    arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.xml").write_text("<mujoco><oops/></mujoco>")
    (tmp_path / "list.txt").write_text("# two models\narm.xml\nbad.xml\n")
    assert main(["check", str(tmp_path / "list.txt"), "--steps", "2"]) == 1
    out = capsys.readouterr().out
    assert "2 models: 1 same, 1 not compared" in out and "oops" in out
    assert main(["check", str(arm), str(arm), "--steps", "2"]) == 0
    assert "2 models: 2 same" in capsys.readouterr().out


def test_models_of_folders_and_lists(arm: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("no model")
    (tmp_path / "list.txt").write_text("arm.xml\n")
    assert models_of([str(tmp_path)]) == [str(arm)]
    assert models_of([str(tmp_path / "list.txt"), "pile"]) == [str(arm), "pile"]


def report_of(verdict: Verdict, reason: str = "", version: str = FOLLOWED) -> Report:
    """A report with one stage that is not the same."""
    lines = []
    for stage in STAGES:
        found = Difference(stage.fields[0].name, 1.0, ours=1.0, theirs=2.0)
        if stage.name == "contacts":
            lines.append(Line(Judged(StageResult(stage, found, (found,)), verdict, reason), 10))
        else:
            lines.append(Line(Judged(StageResult(stage), Verdict.SAME), 0))
    return Report(tuple(lines), version, (0, 10))


@pytest.mark.parametrize(
    ("verdict", "good"), [(Verdict.MUJOCO, True), (Verdict.UNSTEADY, True), (Verdict.DIFFERS, False)]
)
def test_what_mujoco_has_changed_is_named_and_no_fault(verdict: Verdict, good: bool) -> None:
    one = Checked("m.xml", report_of(verdict, "before 3.13: cylinders"))
    assert passes(one) is good
    line = line_of(one)
    assert verdict.value in line and "before 3.13: cylinders" in line and "MuJoCo 2" in line
    assert f"1 {verdict.value}" in summary([one])
    assert as_json(one)["verdict"] == verdict.value


@pytest.mark.parametrize(
    ("version", "words"),
    [(FOLLOWED, None), ("3.12.0", f"The engine follows MuJoCo {FOLLOWED}."), ("99.1.0", "99.1.0 is newer than")],
)
def test_another_version_than_the_one_followed_is_named(
    version: str, words: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    one = Checked("m.xml", report_of(Verdict.DIFFERS, version=version))
    last = summary([one]).splitlines()[-1]
    _print_table(one)
    table = " ".join(capsys.readouterr().out.split())
    if words is None:
        assert not version_note(version) and "step" in last and "is newer than" not in table
    else:
        assert words in last and words in table
    assert not passes(one)


def test_a_model_that_cannot_be_compared_does_not_pass() -> None:
    one = Checked("m.xml", failure="MuJoCo cannot load it")
    assert not passes(one) and "cannot load" in line_of(one)
    assert as_json(one) == {"model": "m.xml", "failure": "MuJoCo cannot load it"}


def test_moments() -> None:
    assert moments(300) == (0, 1, 10, 30, 100, 300)
    assert moments(0) == (0,) and moments(2) == (0, 1, 2)


def test_the_worst_moment_of_a_stage_counts(arm: Path) -> None:
    pair = pair_of_file(arm)
    report = check(pair, None, 10)
    assert report.verdict is Verdict.SAME and report.culprit is None
    worse = report_of(Verdict.DIFFERS)
    first = Comparison(tuple(line.judged for line in report.lines))
    second = Comparison(tuple(line.judged for line in worse.lines))
    lines = merged([(0, first), (5, second)])
    contacts = next(line for line in lines if line.judged.result.stage.name == "contacts")
    assert (contacts.step, contacts.judged.verdict) == (5, Verdict.DIFFERS)


def test_free_runs_stay_together_and_part(arm: Path) -> None:
    pair = pair_of_file(arm)
    together: FreeRun = run_free(pair, None, 50)
    assert together.parted is None and len(together.points) == 50
    assert max(point.error for point in together.points) < 1e-10
    # a stiffer damper, in our engine only
    pair.ours.model.dof_damping[0] *= 1.001
    apart = run_free(pair, None, 50)
    assert apart.parted is not None and apart.element.name == "joint j"
    assert f"step {apart.parted.step}, most at joint j" in apart.verdict


def test_chaos_ends_a_free_run(tmp_path: Path) -> None:
    """A ball balances on another one: what is 1e-10 away at the start is soon somewhere else."""
    path = tmp_path / "chaos.xml"
    path.write_text("""<mujoco><option timestep='.01'/><worldbody><body pos='0 0 0'><joint type='hinge' axis='0 1 0'/>
      <geom type='capsule' fromto='0 0 0 0 0 1' size='.02'/><body pos='0 0 1'><joint axis='0 1 0'/>
      <geom type='capsule' fromto='0 0 0 0 0 1' size='.02'/></body></body></worldbody></mujoco>""")
    found = run_free(pair_of_file(path), None, 4000)
    assert found.parted is None and found.chaotic is not None
    assert "beyond that MuJoCo also diverges from itself" in found.verdict
