"""Verdicts: what differs by itself, what follows, what rounding decides, what is MuJoCo's own; judge.py, pair.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import sim
from app.instruments.lockstep.compare import Difference, StageResult
from app.instruments.lockstep.judge import HARMLESS, MEANINGS, Comparison, Verdict, judge
from app.instruments.lockstep.pair import EngineRun, Pair
from app.instruments.lockstep.report import SEVERITY
from app.instruments.lockstep.stages import STAGES
from app.run.engine.installed import FOLLOWED
from sim.edits import NO_EDITS, CellValue
from tests.app.instruments.lockstep.pairs import make_pair, moving_row


def results(**errors: float) -> list[StageResult]:
    """Every stage, with these errors."""
    found = []
    for stage in STAGES:
        worst = Difference(stage.fields[0].name, errors.get(stage.name, 0.0))
        found.append(StageResult(stage, worst, (worst,) if worst.error > stage.tolerance else ()))
    return found


def judged(found: list[StageResult], own: Mapping[str, float] | None = None, version: str = FOLLOWED) -> Comparison:
    return judge(found, sim.loads("<mujoco/>"), version, lambda: own or {})


def verdicts(comparison: Comparison) -> dict[str, Verdict]:
    return {one.result.stage.name: one.verdict for one in comparison.stages if one.verdict is not Verdict.SAME}


def test_all_the_same() -> None:
    found = judged(results(solver=1e-9))
    assert verdicts(found) == {} and found.culprit is None and not found.fault
    assert found.excess == pytest.approx(1e-4)


def test_what_uses_a_difference_follows_from_it() -> None:
    found = judged(results(contacts=1.0, rows=1.0, solver=0.1, step=1e-3))
    assert verdicts(found) == {
        "contacts": Verdict.DIFFERS, "rows": Verdict.FOLLOWS, "solver": Verdict.FOLLOWS, "step": Verdict.FOLLOWS
    }  # fmt: skip
    assert found.culprit is not None and found.culprit.result.stage.name == "contacts" and found.fault
    # passive forces do not depend on contacts
    assert verdicts(judged(results(contacts=1.0, passive=1.0)))["passive"] is Verdict.DIFFERS


def test_unsteady_where_mujoco_differs_as_much_from_itself() -> None:
    found = judged(results(contacts=1.0), {"contacts": 0.5})
    assert verdicts(found) == {"contacts": Verdict.UNSTEADY} and not found.fault
    assert verdicts(judged(results(contacts=1.0), {"contacts": 0.05})) == {"contacts": Verdict.DIFFERS}


def test_rounding_of_one_stage_may_be_more_for_the_next() -> None:
    """The solver is compared less closely than the step."""
    found = judged(results(solver=5e-6, step=2e-7))
    assert verdicts(found) == {"step": Verdict.FOLLOWS}
    assert verdicts(judged(results(step=2e-7))) == {"step": Verdict.DIFFERS}


def test_what_just_begins_to_act_makes_the_rest_unsteady() -> None:
    found = results(transmission=1.0)
    contacts = next(place for place, one in enumerate(found) if one.stage.name == "contacts")
    found[contacts] = replace(found[contacts], borderline=True)
    assert verdicts(judged(found)) == {"transmission": Verdict.UNSTEADY}


def test_what_a_newer_mujoco_does_otherwise_is_a_fault_that_may_be_its_own() -> None:
    found = judged(results(contacts=1.0), version="99.1.0")
    assert found.fault and found.culprit is not None
    assert f"MuJoCo 99.1.0 is newer than {FOLLOWED}" in found.culprit.reason
    known = judged(results(contacts=1.0)).culprit
    assert known is not None and known.reason == MEANINGS[Verdict.DIFFERS]


def test_own_errors_are_only_asked_for_where_something_differs() -> None:
    asked = []
    judge(results(), sim.loads("<mujoco/>"), FOLLOWED, lambda: asked.append(1) or {})  # type: ignore[func-returns-value]
    assert asked == []


def test_every_verdict_has_a_meaning_and_a_severity() -> None:
    assert set(MEANINGS) == set(SEVERITY) == set(Verdict)
    assert Verdict.DIFFERS not in HARMLESS


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return make_pair(tmp_path_factory.mktemp("judge"))


def test_mujoco_differs_little_from_itself(pair: Pair) -> None:
    own = pair.own_errors(moving_row(pair))
    assert 0 < own["kinematics"] < 1e-10 and own["contacts"] < 1e-6


def test_rows_go_from_one_engine_to_the_other(pair: Pair) -> None:
    row = moving_row(pair)
    pair.ours.start(row)
    assert pair.ours.row() == pytest.approx(row[: len(pair.ours.row())])
    assert pair.version.count(".") == 2


def test_edits_are_made_in_both_models(tmp_path: Path) -> None:
    pair = make_pair(tmp_path)
    pair.apply_edits(replace(NO_EDITS, cells={"opt.gravity": (CellValue(2, 0, -3.0),)}))
    assert pair.ours.model.opt.gravity[2] == pair.theirs.model.opt.gravity[2] == -3.0
    assert all(result.same for result in pair.compare(moving_row(pair)))
    pair.apply_edits(NO_EDITS)
    assert pair.theirs.model.opt.gravity[2] == -9.81


def test_a_nudge_moves_all_dofs_a_little(pair: Pair) -> None:
    run = EngineRun(pair.theirs.model)
    run.start(moving_row(pair))
    before = run.data.qpos.copy()
    run.nudge(1e-6)
    assert 0 < abs(run.data.qpos - before).max() < 1e-5
