"""Examines a model: runs every check, drops what another finding explains, and orders the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.doctor.check_options import check_options
from app.doctor.finding import Finding, ranked
from app.doctor.patient import Patient
from sim import Model

Check = Callable[[Patient], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (check_options,)

# check -> the checks whose findings about the same element it explains
EXPLAINS: dict[str, tuple[str, ...]] = {}


def examine(model: Model) -> list[Finding]:
    """What is wrong with a model, the worst first."""
    patient = Patient(model)
    return ranked(without_consequences([finding for check in CHECKS for finding in check(patient)]))


def without_consequences(findings: list[Finding]) -> list[Finding]:
    """Those that no other finding about the same element explains."""
    explained = {
        (consequence, element)
        for finding in findings
        for consequence in EXPLAINS.get(finding.check, ())
        for element in (finding.selection, *finding.others)
    }
    return [finding for finding in findings if (finding.check, finding.selection) not in explained]
