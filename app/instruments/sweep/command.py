"""Sweep over values of a field: a run with each on all cores, and a table of quantities.

kinetoscope sweep MODEL --field geom:foot.friction --values 0.2 0.5 1 --seconds 3 --measure "max:slip_speed()"
"""

from __future__ import annotations

import argparse
import csv
import sys
from math import isfinite
from typing import TYPE_CHECKING

from app.cli import EXIT_OK
from app.cli.arguments import add_engine, add_key, existing, positive, progress_bar
from app.files.resources import start_key

if TYPE_CHECKING:
    from app.background.field_choice import FieldChoice
    from app.instruments.sweep.outcome import Outcome, Task
    from app.instruments.sweep.quantities import Quantity
    from app.instruments.sweep.start import Start
    from app.model.views import ModelView
    from sim import Model

SECONDS, WIDEST = 2.0, 1000
# what a measure is reduced by, if that is not said
PREFIXES = "end, min, max, mean, rms, integral"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, field, values and quantities."""
    parser.add_argument("model", metavar="MODEL", help="bundled scene, or model file: MJCF, URDF or archive")
    parser.add_argument(
        "--field", required=True, metavar="FIELD", help="geom:foot.friction, actuator:knee.kp, timestep, gravity.z ..."
    )
    parser.add_argument(
        "--values", nargs="+", metavar="V", help= (
            "numbers, or first:last:count, with `log` for equal ratios; default: around the value in the file, "
            "which is always included"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--seconds", type=positive, default=SECONDS, metavar="S", help=f"seconds to simulate; default {SECONDS:g}"
    )
    parser.add_argument(
        "--measure", action="append", type=quantity_of, metavar="EXPR",
        help=f"column of the table, as in Plots; prefixed by one of {PREFIXES} and a colon: max:depth()",
    )  # fmt: skip
    parser.add_argument("--csv", action="store_true", help="print CSV")
    add_key(parser)
    add_engine(parser)


def run(options: argparse.Namespace) -> int:
    """Run all values, and print the table."""
    from app.instruments.sweep.batch import run_values
    from app.instruments.sweep.field_name import field_named
    from app.instruments.sweep.outcome import Task
    from app.run.snapshot import view_model

    model, start, quantities = _opened(options)
    view = view_model(model)
    choice = field_named(options.field, model, view)
    present = choice.value(view)
    task = Task(choice, _values(options, choice, present), options.seconds, quantities)
    with progress_bar("running") as move:
        count = len(task.values)
        outcomes = run_values(task, start, present, done=lambda done: move(done, count, choice.label))
    (_print_csv if options.csv else _print_table)(view, task, outcomes, present)
    return EXIT_OK


def _opened(options: argparse.Namespace) -> tuple[Model, Start, tuple[Quantity, ...]]:
    """The model, the state in which all values start, and what is measured."""
    from app.instruments.sweep.quantities import default_quantities
    from app.instruments.sweep.start import start_of
    from app.render.capture.free_camera import element_id
    from app.run.engine.choice import engine_named, open_model_saying
    from app.run.snapshot import view_model, view_state
    from sim.edits import NO_EDITS

    path = existing(options.model)
    model = open_model_saying(engine_named(options.engine), path)
    engine, keys = model.engine, model.names["key"]
    key = element_id(keys, options.key, "keyframe") if options.key is not None else start_key(path, keys)
    data = engine.Data(model)
    engine.reset(model, data, key)
    with progress_bar("compiling") as move:
        engine.prepare(model, move, edits=False)
    start = start_of(model, NO_EDITS, [engine.get_state(model, data, engine.record_signature(model))])
    if options.measure:
        return model, start, tuple(options.measure)
    engine.forward(model, data)
    return model, start, default_quantities(view_model(model), view_state(data))


def quantity_of(text: str) -> Quantity:
    """max:depth() -> the largest depth; without a prefix the value at the end."""
    from app.instruments.sweep.quantities import END, REDUCTIONS, Quantity
    from sim.script.expression import BadExpression, parse

    prefix, colon, rest = (part.strip() for part in text.partition(":"))
    if not (colon and prefix.isidentifier()):
        prefix, rest = END, text.strip()
    if prefix not in REDUCTIONS:
        raise argparse.ArgumentTypeError(f"'{prefix}' in '{text}' is not one of {PREFIXES}")
    try:
        parse(rest)
    except BadExpression as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from error
    return Quantity(rest, prefix)


def _values(options: argparse.Namespace, choice: FieldChoice, present: float) -> tuple[float, ...]:
    """What was asked for, or some around the present value; that is always one of them."""
    from app.instruments.sweep.values import default_values, typed_values

    if options.values:
        wanted = typed_values(" ".join(options.values))
    else:
        wanted = default_values(present, choice.rule, [number for _, number in choice.choices])
    return tuple(sorted({*wanted, present}))


def headings(view: ModelView, task: Task) -> list[str]:
    """Of the columns."""
    names = [(quantity.name, quantity.unit(view)) for quantity in task.quantities]
    return [task.choice.label, *(f"{name} ({unit})" if unit else name for name, unit in names), "x real time", ""]


def cells(task: Task, outcome: Outcome, digits: int) -> list[str]:
    """Of the row of a value."""
    numbers = [*(outcome.number(quantity) for quantity in task.quantities), outcome.real_time_factor]
    texts = [f"{number:.{digits}g}" if isfinite(number) else "" for number in numbers]
    if outcome.error:
        return [*texts, outcome.error]
    why = f"diverged at {outcome.diverged:.4g} s: {outcome.divergence}" if outcome.has_diverged else ""
    missing = next((curve.reason for curve in outcome.curves.values() if curve.reason), "")
    return [*texts, why or missing]


def _print_csv(view: ModelView, task: Task, outcomes: tuple[Outcome, ...], present: float) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*headings(view, task)[:-1], "note"])
    for outcome in outcomes:
        writer.writerow([repr(outcome.value), *cells(task, outcome, 17)])


def _print_table(view: ModelView, task: Task, outcomes: tuple[Outcome, ...], present: float) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table, names, rows = Table(), headings(view, task), [cells(task, outcome, 5) for outcome in outcomes]
    # without notes there is no column for them
    count = len(names) - (not any(row[-1] for row in rows))
    for name in names[:count]:
        table.add_column(escape(name), justify="right" if name else "left")
    for outcome, row in zip(outcomes, rows, strict=True):
        first = task.choice.text(outcome.value) + (" *" if outcome.value == present else "  ")
        style = "red" if outcome.has_diverged or outcome.error else "bold" if outcome.value == present else None
        table.add_row(*map(escape, [first, *row][:count]), style=style)
    # in a file or a pipe a line has no end
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDEST)
    console.print(table)
    console.print(f"* the value in the file; {task.seconds:g} s each")
