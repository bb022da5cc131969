"""Exports plots to a dated file in the output folder, and says what came of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.background.curve import within
from app.background.plot_export import Line, PlotExport
from app.background.plot_file import Block
from app.background.row_source import RowSource
from app.files.output import dated_path, output_folder, reason
from app.model.views import ModelView
from app.run.commands import Report, Send
from app.run.history.timeline import Part, Timeline
from app.run.snapshot import Snapshot
from app.view.plots import Plots, curves_of, line_name, shown_lines, whole
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name

FAILED = "The plots could not be exported"


def begin_export(view: ViewState, snapshot: Snapshot, send: Send, suffix: str) -> None:
    """Write the curves to a file: `csv` or `npz`."""
    plots, timeline = view.plots, snapshot.run.history
    if plots.export is not None:
        return
    lines = shown_lines(snapshot, view.timeline.compared)
    edges = whole(timeline, lines, plots.script) if plots.export_options.everything else plots.times(timeline, lines)
    try:
        path = dated_path("plots", suffix)
    except OSError as error:
        send(Report(FAILED, f"{output_folder()}: {reason(error)}"))
        return
    expressions = [watch.expression for watch in plots.watches if watch.plotted]
    blocks = _script_blocks(plots, *edges)
    wanted: list[Line] = []
    if plots.export_options.every_step and expressions:
        wanted = [Line(line_name(timeline, branch), steps_between(timeline, branch, *edges)) for branch in lines]
    elif expressions:
        blocks = [_block(plots, timeline, branch, expressions, *edges) for branch in lines] + blocks
    plots.export = PlotExport(path, RowSource(send), expressions, wanted, blocks)
    plots.export.start()


def begin_sensor_export(view: ViewState, snapshot: Snapshot, send: Send) -> None:
    """Write all sensors at every recorded step of the present line to a CSV file, a column for each number."""
    model, timeline = snapshot.model, snapshot.run.history
    if model is None or view.plots.export is not None:
        return
    columns = sensor_columns(model)
    if not columns:
        view.feedback.show_message("this model has no sensors")
        return
    try:
        path = dated_path("sensors", "csv")
    except OSError as error:
        send(Report(FAILED, f"{output_folder()}: {reason(error)}"))
        return
    edges = whole(timeline, (timeline.branch,), {})
    line = Line(line_name(timeline, timeline.branch), steps_between(timeline, timeline.branch, *edges))
    view.plots.export = PlotExport(path, RowSource(send), [*columns.values()], [line], [], [*columns])
    view.plots.export.start()


def sensor_columns(model: ModelView) -> dict[str, str]:
    """Names of columns and their expressions: a sensor with several numbers has a column for each."""
    columns = {}
    for sensor, (first, count) in enumerate(zip(model.sensor_adr.tolist(), model.sensor_dim.tolist(), strict=True)):
        name = element_name(model, "sensor", sensor)
        for k in range(count):
            columns[name if count == 1 else f"{name}[{k}]"] = f"d.sensordata[{first + k}]"
    return columns


def finish_export(view: ViewState, send: Send) -> None:
    """Say what came of an export that has ended."""
    export = view.plots.export
    if export is None or not export.done:
        return
    view.plots.export = None
    if export.fault:
        send(Report(FAILED, export.fault))
        return
    less = f", without {export.left_out} steps that could not be recomputed" if export.left_out else ""
    if export.cancelled:
        view.feedback.show_message("export cancelled")
    else:
        view.feedback.show_saved(Path(export.path), less)


def steps_between(timeline: Timeline, branch: int, start: float, end: float) -> tuple[Part, ...]:
    """The steps of a line between two times."""
    first, last = timeline.step_at(start, branch), timeline.step_at(end, branch)
    line = timeline.line(branch)
    ends = [after.first - 1 for after in line[1:]]
    parts = [
        Part(part.branch, max(part.first, first), min(end, last))
        for part, end in zip(line, [*ends, line[-1].last], strict=True)
    ]
    return tuple(part for part in parts if part.first <= part.last)


def _block(plots: Plots, timeline: Timeline, branch: int, expressions: list[str], start: float, end: float) -> Block:
    """The samples of a line that are there."""
    found = {text: within(curves_of(plots, timeline, branch, text), start, end) for text in expressions}
    # an expression that is new may lack some samples
    times = np.unique(np.concatenate([times for times, _ in found.values()]))
    values = {text: np.full(len(times), np.nan) for text in expressions}
    for text, (own, samples) in found.items():
        values[text][np.searchsorted(times, own)] = samples
    return Block(line_name(timeline, branch), times, values)


def _script_blocks(plots: Plots, start: float, end: float) -> list[Block]:
    """What a script has plotted: a block for each line."""
    blocks = []
    for name, curve in plots.script.items():
        for line in curve.lines if name not in plots.unplotted else ():
            times, values = within([line], start, end)
            if len(times):
                blocks.append(Block(name, times, {name: values}))
    return blocks
