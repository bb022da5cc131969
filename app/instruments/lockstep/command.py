"""Compare the engine with the installed MuJoCo, stage by stage, from the same states.

MuJoCo runs the model, from its first keyframe if it has one; at some steps both engines compute from its state. Of each
stage the largest difference is printed, with the field and element. What is known to differ between the installed
version and the one that the engine follows is named, and does not count as a fault.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli import EXIT_BAD_INPUT, EXIT_OK
from app.cli.arguments import existing, progress_bar

if TYPE_CHECKING:
    from app.instruments.lockstep.report import Line, Report

STEPS = 300
COLOURS = {"same": "green", "unsteady": "green", "MuJoCo's own": "cyan", "follows": "dim", "differs": "bold red"}
NOT_COMPARED = "not compared"


@dataclass(frozen=True)
class Checked:
    """A model and its report, or why it cannot be compared."""

    path: str
    report: Report | None = None
    failure: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which models, how long, and how the result is printed."""
    help_text = "bundled scene, model file, folder of models, or a text file (.txt) with one path per line"
    parser.add_argument("models", nargs="+", metavar="MODEL", help=help_text)
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help=f"up to this step; default {STEPS}")
    parser.add_argument(
        "--free", action="store_true", help="run both from the start, and say when they diverge and at which joint"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.epilog = "exit code: 0 if nothing differs except for MuJoCo's own changes, otherwise 1"


def run(options: argparse.Namespace) -> int:
    """Print a table for one model, a line for each of several; exit code 1 if one differs."""
    paths = models_of(options.models)
    done: list[Checked] = []
    with progress_bar("comparing") as move:
        for number, path in enumerate(paths):
            move(number, len(paths), Path(path).name)
            done.append(checked(path, options.steps, options.free))
            if len(paths) > 1 and not options.json:
                _print(line_of(done[-1]))
    if options.json:
        print(json.dumps([as_json(one) for one in done], indent=2))
    elif len(paths) == 1:
        _print_table(done[0])
    else:
        _print(summary(done))
    return EXIT_OK if all(passes(one) for one in done) else EXIT_BAD_INPUT


def models_of(names: Sequence[str]) -> list[str]:
    """The models of folders and lists, and those that are named themselves."""
    from sim.mjcf.format.table import is_model

    found: list[str] = []
    for name in names:
        path = Path(name).expanduser()
        if path.is_dir():
            found += sorted(str(file) for file in path.rglob("*") if file.is_file() and is_model(file))
        elif path.suffix == ".txt" and path.is_file():
            lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
            found += [str(path.parent / line) for line in lines if line and not line.startswith("#")]
        else:
            found.append(name)
    return found


def checked(name: str, steps: int, free: bool) -> Checked:
    """Compare one model."""
    from app.files.error_text import is_user_error
    from app.files.resources import start_key
    from app.instruments.lockstep.load import pair_of_file
    from app.instruments.lockstep.report import check, run_free
    from app.run.engine.installed import mujoco

    # without MuJoCo there is nothing to compare with, whatever the model
    mujoco()
    try:
        path = existing(name)
        pair = pair_of_file(path)
        keys = pair.theirs.model.names["key"]
        key = start_key(path, keys)
        key = 0 if key is None and keys else key
        report = check(pair, key, max(steps, 0))
        if free:
            report = replace(report, free=run_free(pair, key, max(steps, 0)))
        return Checked(str(path), report)
    except Exception as error:
        if not is_user_error(error):
            raise
        return Checked(name, failure=str(error))


def passes(one: Checked) -> bool:
    """Whether nothing differs except by MuJoCo's own changes."""
    from app.instruments.lockstep.judge import HARMLESS

    return one.report is not None and one.report.verdict in HARMLESS


def as_json(one: Checked) -> dict[str, Any]:
    """A model as JSON has it."""
    from app.instruments.lockstep.report import line_json

    if one.report is None:
        return {"model": one.path, "failure": one.failure}
    report, free = one.report, one.report.free
    found: dict[str, Any] = {
        "model": one.path,
        "mujoco": report.version,
        "verdict": report.verdict.value,
        "steps": list(report.steps),
        "stages": [line_json(line) for line in report.lines],
    }
    if free is not None:
        point = free.parted or free.chaotic
        found["free"] = {
            "verdict": free.verdict,
            "parted": None if free.parted is None else free.parted.step,
            "chaotic": None if free.chaotic is None else free.chaotic.step,
            "distance": None if point is None else point.distance,
            "growth": None if point is None else point.growth,
        }
    return found


def line_of(one: Checked) -> str:
    """A model in one line with rich's markup."""
    from rich.markup import escape

    if one.report is None:
        return f"[bold red]cannot[/]       {escape(one.path)}: {escape(one.failure)}"
    report, word = one.report, one.report.verdict.value
    worst = max((line.judged.result for line in report.lines), key=lambda result: result.error / result.stage.tolerance)
    culprit = report.culprit
    text = f"[{COLOURS[word]}]{word:<12}[/] {escape(one.path)}: "
    if culprit is None or culprit.judged.difference is None:
        return text + f"largest {worst.error:.1e} ({worst.stage.name})"
    difference = culprit.judged.difference
    reason = f"; {culprit.judged.reason}" if culprit.judged.reason else ""
    place = f"{culprit.judged.result.stage.name}, {difference.place}"
    free = f" {report.free.verdict}" if report.free is not None else ""
    return text + escape(f"{place}: {_value(difference.ours)}, MuJoCo {_value(difference.theirs)}{reason}{free}")


def summary(done: Sequence[Checked]) -> str:
    """How many models of each verdict, and the largest difference of each stage over all of them."""
    counts = Counter(NOT_COMPARED if one.report is None else one.report.verdict.value for one in done)
    words = [f"{counts[word]} {word}" for word in (*COLOURS, NOT_COMPARED) if counts[word]]
    lines = [f"{len(done)} models: {', '.join(words)}"]
    reports = [one.report for one in done if one.report is not None]
    if reports:
        lines.append(f"largest differences, MuJoCo {reports[0].version}:")
        for stage in zip(*(report.lines for report in reports), strict=True):
            worst = max(stage, key=lambda line: line.judged.result.error).judged.result
            same = sum(line.judged.result.same for line in stage)
            lines.append(
                f"  {worst.stage.name:<13} {worst.error:8.1e}  (tolerance {worst.stage.tolerance:.0e}; "
                f"{same} of {len(stage)} within)"
            )
        lines += filter(None, (version_note(reports[0].version),))
    return "\n".join(lines)


def version_note(version: str) -> str:
    """What to say of another version than the one that is followed."""
    from app.instruments.lockstep.versions import newer
    from app.run.engine.installed import FOLLOWED

    return f"{newer(version) or f'The engine follows MuJoCo {FOLLOWED}'}." if version != FOLLOWED else ""


def _value(number: float) -> str:
    return f"{number:.7g}"


def _print(text: str) -> None:
    from rich.console import Console

    Console(highlight=False, soft_wrap=True).print(text)


def _print_table(one: Checked) -> None:
    """A row for each stage, and why those differ that do."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    if one.report is None:
        print(f"kinetoscope: {one.failure}", file=sys.stderr)
        return
    report, console = one.report, Console(highlight=False)
    steps = ", ".join(map(str, report.steps))
    title = f"{Path(one.path).name} against MuJoCo {report.version}, from its states at steps {steps}"
    table = Table(title=title, title_justify="left")
    for heading, side in (("stage", "left"), ("largest", "right"), ("tolerance", "right"), ("field", "left"),
                          ("step", "right"), ("", "left")):  # fmt: skip
        table.add_column(heading, justify=side, no_wrap=True)  # type: ignore[arg-type]
    for line in report.lines:
        table.add_row(*_cells(line))
    console.print(table)
    for line in report.lines:
        judged, difference = line.judged, line.judged.difference
        if difference is not None and not judged.result.same:
            word, where = judged.verdict.value, f"{difference.place}: {_value(difference.ours)}, MuJoCo has"
            details = escape(f"{where} {_value(difference.theirs)}; {judged.reason}")
            console.print(f"{judged.result.stage.name}: [{COLOURS[word]}]{word}[/]: {details}")
    if report.free is not None:
        console.print(f"Free run: {report.free.verdict}")
    if note := version_note(report.version):
        console.print(note)


def _cells(line: Line) -> tuple[str, ...]:
    """A stage as cells."""
    from rich.markup import escape

    judged, difference, word = line.judged, line.judged.difference, line.judged.verdict.value
    stage = judged.result.stage
    verdict = f"[{COLOURS[word]}]{word}[/]"
    if difference is None or not difference.error:
        return stage.name, "0", f"{stage.tolerance:.0e}", "", "", verdict
    # where rounding is largest says little
    field = f"[dim]{escape(difference.field)}[/]" if judged.result.same else escape(difference.field)
    return stage.name, f"{judged.result.error:.1e}", f"{stage.tolerance:.0e}", field, str(line.step), verdict
