"""Examines a model: runs every check, drops what another finding explains, and orders the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.doctor.check_assets import check_assets
from app.doctor.check_equalities import check_equalities
from app.doctor.check_filters import check_filters
from app.doctor.check_options import check_options
from app.doctor.check_overlaps import check_overlaps
from app.doctor.check_run import check_run
from app.doctor.check_softness import check_softness
from app.doctor.check_surfaces import check_surfaces
from app.doctor.finding import Finding, ranked
from app.doctor.patient import Patient
from app.doctor.places import with_places
from sim import Model

Check = Callable[[Patient], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (
    check_options,
    check_softness,
    check_surfaces,
    check_overlaps,
    check_filters,
    check_equalities,
    check_assets,
    check_run,
)

# check -> the checks whose findings about the same element it explains
EXPLAINS: dict[str, tuple[str, ...]] = {}


def examine(model: Model) -> list[Finding]:
    """What is wrong with a model, the worst first."""
    patient = Patient(model)
    found = [finding for check in CHECKS for finding in check(patient)]
    return with_places(model, ranked(without_consequences(found)))


def without_consequences(findings: list[Finding]) -> list[Finding]:
    """Those that no other finding about the same element explains."""
    explained = {
        (consequence, element)
        for finding in findings
        for consequence in EXPLAINS.get(finding.check, ())
        for element in (finding.selection, *finding.others)
    }
    return [finding for finding in findings if (finding.check, finding.selection) not in explained]
