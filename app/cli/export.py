"""Export a run as a web page or animated glTF; or a moment as a pytest file, a script, or a zip for a bug report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli import EXIT_FINDINGS, EXIT_OK, export_replay
from app.cli.arguments import add_engine, add_key, add_model, existing, not_negative, positive, progress_bar
from app.files.output import make_folder
from app.files.recordings import is_recording

if TYPE_CHECKING:
    from app.background.export.check import Reproduced
    from app.background.export.from_file import Found
    from app.cli.arguments import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which run or moment, what is asked, where to."""
    add_model(parser, optional=True)
    add_engine(parser)
    add_key(parser)
    parser.add_argument(
        "--out",
        "-o",
        type=Path,
        metavar="FILE",
        help=".html or .glb for a run; test_*.py for pytest, another .py, .zip",
    )
    parser.add_argument(
        "--time", type=not_negative, metavar="T", help="simulated time; default: 0, or the end of a recording"
    )
    parser.add_argument(
        "--branch", metavar="NAME", help="branch of a recording, by name or number; default: the latest"
    )
    parser.add_argument(
        "--ask", action="append", default=[], metavar="EXPR", help="an expression to check the value of; repeatable"
    )
    parser.add_argument("--steps", type=int, default=10, metavar="N", help="number of steps checked after that time")
    parser.add_argument("--tolerance", type=positive, default=1e-6, metavar="R", help="relative; default 1e-6")
    parser.add_argument("--text", default="", help="description of the problem")
    parser.add_argument("--no-check", action="store_true", help="do not run the exported file")
    export_replay.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Write the file, run it, and say what came of that; exit code 3 if it does not reproduce what was seen."""
    from sim.user_error import UserError

    if options.gallery is None and (options.model is None or options.out is None):
        raise UserError("specify a model or a recording, and --out FILE")
    if export_replay.is_replay(options):
        return export_replay.run(options)
    export_replay.check_moment(options)
    return _export_moment(options)


def _export_moment(options: argparse.Namespace) -> int:
    """A moment."""
    from app.background.export.bundle import Extras
    from app.background.export.check import reproduce
    from app.background.export.compose import Wish
    from app.background.export.environment import versions
    from app.background.export.question import Question, answer
    from app.background.export.write import ExportWriter
    from sim.user_error import UserError

    if options.steps < 1:
        raise UserError("--steps must be a whole number of at least 1")
    with progress_bar("loading") as progress:
        moment, taken = _moment(options, progress)
        questions = tuple(Question(text, "asked") for text in dict.fromkeys(options.ask))
        data = moment.forwarded()
        for question in questions:
            # an error names what is wrong with it
            answer(question, moment.model, data)
        wish = Wish(questions, options.steps, options.tolerance, options.text)
        extras = Extras(versions=versions(moment.model.engine.ENGINE))
        check = _unchecked if options.no_check else reproduce
        make_folder(options.out)
        writer = ExportWriter(moment, wish, options.out, extras, taken, check=check)
        written = writer.write(lambda text: progress(0, 0, text))
    for warning in written.warnings:
        print(f"kinetoscope: {warning}", file=sys.stderr)
    print(f"{options.out} ({moment.title} at {moment.time:.6g} s); {written.text}")
    return EXIT_OK if written.same or options.no_check else EXIT_FINDINGS


def _moment(options: argparse.Namespace, progress: Progress) -> Found:
    """The moment that is asked for, and the rows before it."""
    from app.background.export.from_file import moment_of_model, moment_of_recording
    from app.render.capture.recorder import first_key
    from app.run.engine.choice import engine_named
    from sim.user_error import UserError

    path = existing(options.model)
    if is_recording(path):
        if options.key is not None:
            raise UserError("--key is for models: for a recording, use --time")
        branch = int(options.branch) if options.branch and options.branch.isdecimal() else options.branch
        return moment_of_recording(path, options.time, branch)
    if options.branch is not None:
        raise UserError("--branch is for recordings")
    engine, time = engine_named(options.engine), options.time or 0.0
    return moment_of_model(engine, path, time, progress, lambda file, names: first_key(file, names, options.key))


def _unchecked(path: Path) -> list[Reproduced]:
    raise RuntimeError("as requested")
