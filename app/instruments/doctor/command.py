"""Examine models: what is likely wrong with each, where in its file, why it matters, and a fix.

Exit code 0 if there is no error, 3 if there is one (with --strict also a warning), 1 if a model cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli import EXIT_BAD_INPUT, EXIT_FINDINGS, EXIT_OK
from app.cli.arguments import add_engine, existing, progress_bar
from app.run.engine.names import KINETOSCOPE

if TYPE_CHECKING:
    from app.instruments.doctor.finding import Finding

COLOURS = {"error": "bold red", "warning": "yellow", "note": "cyan"}


@dataclass(frozen=True)
class Checked:
    """A model and its findings, or why it cannot be read."""

    path: str
    findings: tuple[Finding, ...] = ()
    failure: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which models, and how the findings are printed."""
    help_text = "bundled scene, or model file: MJCF, URDF or archive"
    parser.add_argument("models", nargs="+", metavar="MODEL", help=help_text)
    add_engine(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors for the exit code")
    parser.add_argument("--brief", action="store_true", help="one line for each finding, without reasons and fixes")
    parser.epilog = "exit code: 0 without errors, 3 with errors (--strict: or warnings), 1 if a model cannot be read"


def run(options: argparse.Namespace) -> int:
    """Examine each model, and print what was found."""
    done = []
    with progress_bar("examining") as move:
        for number, name in enumerate(options.models):
            move(number, len(options.models), name)
            done.append(examined(name, options.engine))
            if not options.json:
                _print(done[-1], options.brief)
    if options.json:
        print(json.dumps([as_json(examination) for examination in done], indent=2))
    return exit_code(done, options.strict)


def examined(name: str, engine: str = KINETOSCOPE) -> Checked:
    """Examine one model."""
    from app.files.error_text import is_user_error
    from app.instruments.doctor.examine import examine
    from app.run.engine.choice import engine_named, open_model_saying

    try:
        path = existing(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Checked(str(path), tuple(examine(open_model_saying(engine_named(engine), path))))
    except Exception as error:
        if not is_user_error(error):
            raise
        return Checked(name, failure=str(error))


def exit_code(done: Iterable[Checked], strict: bool) -> int:
    """The exit code for some examinations."""
    done = list(done)
    if any(examination.failure for examination in done):
        return EXIT_BAD_INPUT
    bad = ("ERROR", "WARNING") if strict else ("ERROR",)
    found = (finding.severity.name for examination in done for finding in examination.findings)
    return EXIT_FINDINGS if any(name in bad for name in found) else EXIT_OK


def as_json(examination: Checked) -> dict[str, Any]:
    """An examination as JSON has it."""
    if examination.failure:
        return {"model": examination.path, "failure": examination.failure, "findings": []}
    return {"model": examination.path, "findings": [_finding_json(finding) for finding in examination.findings]}


def _finding_json(finding: Finding) -> dict[str, Any]:
    place, element = finding.place, finding.selection
    return {
        "check": finding.check,
        "severity": finding.severity.name.lower(),
        "file": place.file if place else None,
        "line": place.line if place else None,
        "element": {"kind": element.kind, "index": element.index},
        "attribute": finding.attribute or None,
        "others": [{"kind": other.kind, "index": other.index} for other in finding.others],
        "title": finding.title,
        "why": finding.why,
        "score": round(finding.score, 3),
        "fixes": [fix.text for fix in finding.fixes],
    }


def _print(examination: Checked, brief: bool) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    if examination.failure:
        print(f"kinetoscope: {examination.failure}", file=sys.stderr)
        return
    for finding in examination.findings:
        for line in lines(finding, examination.path, brief):
            console.print(line)
    console.print(f"{_escaped(examination.path)}: {summary(examination.findings)}")


def lines(finding: Finding, path: str, brief: bool = False) -> list[str]:
    """A finding as lines with rich's markup; the first one begins with a place that editors can follow."""
    place = str(finding.place) if finding.place else path
    word = finding.severity.name.lower()
    colour = COLOURS[word]
    first = f"{_escaped(place)}: [{colour}]{word}:[/] {_escaped(finding.title)} [dim]({finding.check})[/]"
    if brief:
        return [first]
    fixes = []
    for fix in finding.fixes:
        fixes += [f"    [green]fix:[/] {_escaped(fix.text)}", *(f"      {_escaped(line)}" for line in fix.diff)]
    return [first, f"    {_escaped(finding.why)}", *fixes]


def summary(findings: Sequence[Finding]) -> str:
    """How many of each severity."""
    counts = Counter(finding.severity.name.lower() for finding in findings)
    parts = [f"{counts[word]} {word}{'s' if counts[word] > 1 else ''}" for word in COLOURS if counts[word]]
    return ", ".join(parts) or "nothing found"


def _escaped(text: str | Path) -> str:
    from rich.markup import escape

    return escape(str(text))
