"""Findings of the doctor about the elements of an explosion, in addition to its culprits."""

from __future__ import annotations

from dataclasses import replace

from app.instruments.doctor.checks.run import check_run
from app.instruments.doctor.divergence_report import DivergenceReport
from app.instruments.doctor.examine import CHECKS, bodies_of, causes
from app.instruments.doctor.finding import Finding, Severity, ranked
from app.instruments.doctor.subject import Subject
from sim import Model

# further findings that are added
MOST = 2


def with_second_opinion(model: Model, found: DivergenceReport) -> DivergenceReport:
    """A report with what the doctor finds wrong with the same elements: first, if no culprit is sure."""
    subject = Subject(model)
    # the run has been made
    checks = [check for check in CHECKS if check is not check_run]
    findings = ranked(causes(model, [finding for check in checks for finding in check(subject)]))
    known = {finding.selection for finding in found.findings}
    more = [finding for finding in findings if finding.selection not in known and _concerns(model, finding, found)]
    more = [finding for finding in more if finding.severity > Severity.NOTE][:MOST]
    unsure = not found.findings or found.findings[0].severity < Severity.ERROR
    first = [finding for finding in more if unsure and finding.severity is Severity.ERROR]
    return replace(found, findings=(*first, *found.findings, *(one for one in more if one not in first)))


def _concerns(model: Model, finding: Finding, found: DivergenceReport) -> bool:
    """Whether a finding is about the whole model, or about a body that was thrown."""
    if finding.selection.kind == "option":
        return True
    elements = (finding.selection, *finding.others)
    return any(body in found.thrown for element in elements for body in bodies_of(model, element))
