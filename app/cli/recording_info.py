"""A summary of a recording: model, duration, branches, edits, size, damage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.run.engine.recorded import LOADERS
from sim.recording.recording import Recording
from sim.recording.run import Branch


def recording_rows(path: Path, verify: bool) -> Iterator[tuple[str, str]]:
    """Labels and values."""
    recording = Recording(path, LOADERS)
    for version in recording.versions:
        label = "model" if len(recording.versions) == 1 else f"model {version.number}"
        files = len(version.table["files"]) + len(version.table["given"])
        yield label, f"{version.name}, {files} {'file' if files == 1 else 'files'}"
    for branch in recording.run.branches.values():
        yield f"branch {branch.id}", _branch_text(recording, branch)
    yield "size", f"{path.stat().st_size:,} bytes"
    if recording.about.get("when"):
        yield "recorded", recording.about["when"]
    made = [f"{name} {recording.about[name]}" for name in ("kinetoscope", "python", "numpy") if name in recording.about]
    yield "with", ", ".join(made)
    yield "ended", "orderly" if recording.ended else "cut short: usable up to that point"
    yield "damage", recording.damage or "none"
    if verify:
        difference = recording.verify()
        yield "replay", "the same bits" if difference is None else f"differs: {difference}"
    for warning in recording.warnings:
        yield "warning", warning


def _branch_text(recording: Recording, branch: Branch) -> str:
    """Name, time and steps, changes, where it begins."""
    last = branch.segments[-1]
    time = last.time + (last.last - last.first) * last.timestep
    parts = [branch.name] if branch.name else []
    parts.append(f"{branch.segments[0].time:.4g} s to {time:.4g} s")
    parts.append(f"{branch.last - branch.fork:,} steps")
    edits = {id(segment.edits) for segment in branch.segments if segment.edits.cells or segment.edits.keys}
    changes = len(branch.segments) - 1
    if changes:
        parts.append(f"{changes} {'change' if changes == 1 else 'changes'} of state or model")
    if edits:
        parts.append(f"{len(edits)} {'set' if len(edits) == 1 else 'sets'} of edits")
    if branch.parent in recording.run.branches:
        parent = recording.run.branches[branch.parent]
        parts.append(f"from {parent.name or f'branch {parent.id}'}, step {branch.fork}")
    return ", ".join(parts)
