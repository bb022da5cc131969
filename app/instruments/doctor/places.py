"""Gives findings their line in the file: that of the element, or of what sets the attribute that is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.instruments.doctor.finding import Finding, Place
from sim import Model
from sim.mjcf.origin import Origins


def with_places(model: Model, findings: Iterable[Finding]) -> list[Finding]:
    """Findings with their places; those of a model that is in no file have none."""
    origins = Origins(model)
    return [finding if finding.place else _placed(model, origins, finding) for finding in findings]


def _placed(model: Model, origins: Origins, finding: Finding) -> Finding:
    kind, index = finding.selection.kind, finding.selection.index
    if kind == "tree":
        kind, index = "body", int(model.tree_bodyadr[index])
    found = origins.line(kind, index, finding.attribute)
    return finding if found is None else replace(finding, place=Place(found.file, found.line))
