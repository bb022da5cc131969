"""What the doctor adds to a report: findings about what was thrown, not about what minds its own business."""

from __future__ import annotations

import sim
from app.instruments.doctor.checks.run import check_run
from app.instruments.doctor.divergence_report import DivergenceReport
from app.instruments.doctor.second_opinion import with_second_opinion
from app.instruments.doctor.subject import Subject
from app.instruments.doctor.trial import examine_explosion
from app.model.selection import Selection
from tests.app.instruments.doctor.exploding import PLANTED, arm

# far too dense and far too light, beside the arm and at its end
HEAVY_BOX = arm().replace("<geom name='box' type='box'", "<geom name='box' type='box' density='1e8'")
LIGHT_HAND = arm(hand="1e-7")


def test_only_what_was_thrown_matters() -> None:
    model = sim.loads(HEAVY_BOX)
    box, hand = (model.name2id("body", name) for name in ("box", "hand"))
    near = with_second_opinion(model, DivergenceReport(0, 0.0, (), (), frozenset([box])))
    assert box in {f.selection.index for f in near.findings if f.selection.kind in ("body", "geom")}
    far = with_second_opinion(model, DivergenceReport(0, 0.0, (), (), frozenset([hand])))
    assert not any(f.selection in {Selection("body", box), Selection("geom", 1)} for f in far.findings)


def test_a_sure_culprit_stays_first() -> None:
    model, data = PLANTED["servo"].load()
    found = examine_explosion(model, data)
    assert found is not None
    seconded = with_second_opinion(model, found.report)
    assert seconded.findings[0] == found.report.findings[0]
    assert len({f.selection for f in seconded.findings}) == len(seconded.findings)


def test_the_doctor_says_why_a_short_run_diverges() -> None:
    model = sim.loads(LIGHT_HAND.replace("kp='1' kv='.02'", "kp='1' kv='.02' ctrlrange='0 1'"))
    (finding,) = check_run(Subject(model))
    assert finding.check == "diverges"
    assert "The likeliest culprit: " in finding.why
    assert len(finding.fixes) > 1
