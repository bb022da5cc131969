"""The doctor's examination: order of findings, consequences that a cause explains, findings that are one."""

from __future__ import annotations

import inspect

import sim
from app.instruments.doctor import examine
from app.instruments.doctor.finding import Finding, Severity
from app.model.selection import Selection
from tests.app.instruments.doctor.small import arm
from tests.sim.infinite_ranges import INFINITE


def finding(check: str, kind: str = "body", index: int = 1, severity: int = 2, score: float = 1) -> Finding:
    return Finding(check, Severity(severity), Selection(kind, index), "title", "why", score)


def test_worst_first() -> None:
    found = examine.examine(arm("gravity='0 0 -9810' timestep='.03'"))
    assert [finding.check for finding in found] == ["gravity-unit", "timestep"]


def test_infinite_ranges_are_healthy() -> None:
    found = examine.examine(sim.loads(INFINITE))
    assert not {finding.attribute for finding in found} & {"range", "ctrlrange", "forcerange"}


def test_cause_explains_findings_about_its_body() -> None:
    model = arm()
    mine, joints, other = (
        finding("twins", severity=3, score=5),
        finding("armature", "joint", 0),
        finding("twins", index=2),
    )
    kept = examine.causes(model, [mine, finding("density"), joints, other])
    assert [(found.check, found.selection.index) for found in kept] == [("density", 1), ("twins", 2)]
    # it is as certain as what it explains
    assert (kept[0].severity, kept[0].score) == (Severity.ERROR, 5)


def test_cause_explains_findings_about_anything() -> None:
    kept = examine.causes(arm(), [finding("unstable", "joint", 1), finding("timestep", "option", 0, severity=1)])
    assert [(found.check, found.severity) for found in kept] == [("timestep", Severity.WARNING)]


def test_note_does_not_explain_an_error_of_one_element() -> None:
    note, error = finding("timestep", "option", 0, severity=1), finding("unstable", "joint", 1, severity=3)
    assert examine.causes(arm(), [note, error]) == [note, error]


def test_divergence_makes_its_cause_certain() -> None:
    symptom, cause = finding("diverges", "joint", 0, severity=3, score=-1), finding("armature", "joint", 1)
    (kept,) = examine.without_symptom([symptom, cause])
    assert (kept.check, kept.severity) == ("armature", Severity.ERROR)
    assert symptom.title in kept.why
    assert examine.without_symptom([symptom, finding("armature", severity=1)])[0] == symptom


def test_same_trouble_is_one_finding() -> None:
    alike = [finding("armature", "joint", at, score=2 - 0.01 * at) for at in range(3)]
    (one,) = examine.merged(alike)
    assert one.selection == Selection("joint", 0)
    assert one.others == (Selection("joint", 1), Selection("joint", 2))
    assert len(examine.merged([finding("armature", score=3), finding("armature", index=2, score=1)])) == 2


def test_every_check_named_in_the_tables_exists() -> None:
    text = "".join(inspect.getsource(inspect.getmodule(check) or examine) for check in examine.CHECKS)
    named = {*examine.EXPLAINS, *examine.OVERSHADOWS, examine.SYMPTOM}
    named |= {name for names in (*examine.EXPLAINS.values(), *examine.OVERSHADOWS.values()) for name in names}
    # some are put together from a prefix and a word
    built = {name for name in named if f'}}-{name.rpartition("-")[2]}"' in text}
    assert not [name for name in sorted(named - built) if f'"{name}"' not in text]
