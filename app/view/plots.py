"""Plots: the watched expressions, the time that is shown, and what a panel needs between frames."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.background.curve import Curve, Cuts
from app.background.curve_statistics import Statistics
from app.background.plot_export import PlotExport
from app.background.sample_plan import Request
from app.background.samples import Sampled, line_curves
from app.background.script_series import ScriptCurve
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot

# which time is shown: the last seconds, all that was recorded, or what the user has zoomed to
LAST, ALL, FREE = "last", "all", "free"
# the shortest time shown, s
SHORTEST = 0.1
# an expression with this in its error may have a value at another time
MOMENTARY = "out of bounds"


@dataclass
class Watch:
    """An expression, the number of its colour, whether it is in the plot, whether it was typed and has no value yet."""

    expression: str
    colour: int = 0
    plotted: bool = True
    fresh: bool = False


@dataclass
class ExportOptions:
    """What is exported: all recorded time or what is shown; every step, or the samples that are shown."""

    everything: bool = False
    every_step: bool = False


@dataclass
class Plots:
    """All watches, the text typed for a new one, and the time that is shown."""

    watches: list[Watch] = field(default_factory=list)
    typed: str = ""
    # the last one that has no value, which is in the field again, and why
    rejected: tuple[str, str] = ("", "")
    # how many of the last seconds are shown
    window: float = 10.0
    mode: str = LAST
    # the times at the edges that the user has chosen, s
    span: tuple[float, float] = (0.0, 1.0)
    # samples so far, and what a script plots; names of the latter that are not in the plot
    sampled: Sampled = field(default_factory=Sampled)
    script: Mapping[str, ScriptCurve] = field(default_factory=dict)
    unplotted: set[str] = field(default_factory=set)
    # expressions that instruments show besides in this frame, and what all show together; None if nothing does
    aside: tuple[str, ...] = ()
    request: Request | None = None
    # curves that were cut down for the screen, and statistics of a range with the time at which they were computed
    cuts: Cuts = field(default_factory=Cuts)
    aside_cuts: Cuts = field(default_factory=Cuts)
    show_statistics: bool = False
    statistics: list[Statistics] = field(default_factory=list)
    computed: float = 0.0
    # where the mouse button went down in the plot, and the time that the moment is being dragged to
    pressed: tuple[float, float] | None = None
    dragged: float | None = None
    export: PlotExport | None = None
    export_options: ExportOptions = field(default_factory=ExportOptions)

    def expressions(self) -> tuple[str, ...]:
        """The expressions that are evaluated."""
        return tuple(watch.expression for watch in self.watches)

    def add(self, expression: str, typed: bool = False) -> None:
        """Watch an expression unless it is watched already; it gets the first colour that is free."""
        if expression and expression not in self.expressions():
            used = {watch.colour for watch in self.watches}
            colour = next(k for k in range(len(used) + 1) if k not in used)
            self.watches.append(Watch(expression, colour, fresh=typed))

    def reject(self) -> bool:
        """Put a typed expression that has no value at any time back into the field, with the reason; whether it did."""
        typed = self.typed
        for watch in [watch for watch in self.watches if watch.fresh]:
            value = self.sampled.shown.values.get(watch.expression)
            if isinstance(value, str) and MOMENTARY not in value:
                self.watches.remove(watch)
                self.rejected, self.typed = (watch.expression, value), self.typed or watch.expression
            watch.fresh = value is None
        return self.typed != typed

    def take_request(self) -> Request | None:
        """What was shown in this frame."""
        request, self.request, self.aside = self.request, None, ()
        return request

    def times(self, timeline: Timeline, lines: tuple[int, ...]) -> tuple[float, float]:
        """The times at the edges of the plot, s."""
        first, last = whole(timeline, lines, self.script)
        if self.mode == FREE:
            return self.span
        if self.mode == ALL:
            return first, max(last, first + SHORTEST)
        if last - first < self.window:
            # after a reset the axis grows until it has the full window
            return first, max(last, first + SHORTEST)
        # the past has pages of that length: the shown moment is in sight, and a click does not move the curves
        last = timeline.last_time
        last -= max((last - timeline.time_of(timeline.now)) // self.window, 0.0) * self.window
        return last - self.window, last


def separate(text: str) -> list[str]:
    """The expressions of a text, one or several with commas between them."""
    try:
        found = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError):
        return [text.strip()]
    # what is in parentheses of its own is one expression
    if not isinstance(found, ast.Tuple) or (found.col_offset, found.end_lineno) != (0, text.count("\n") + 2):
        return [text.strip()]
    return [ast.get_source_segment(f"({text}\n)", part) or "" for part in found.elts]


def whole(timeline: Timeline, lines: tuple[int, ...], script: Mapping[str, ScriptCurve]) -> tuple[float, float]:
    """The first and the last time that there is anything of."""
    first, last = [timeline.first_time], [timeline.last_time]
    for part in (part for branch in lines for part in timeline.line(branch)):
        # a script may have set the time back
        starts = [max(pace.step, part.first) for pace in part.branch.paces if pace.step <= part.last]
        first += [part.branch.time_of(step) for step in starts]
        last += [part.branch.time_of(step) for step in (*(start - 1 for start in starts[1:]), part.last)]
    for curve in script.values():
        first += [float(line.times[0]) for line in curve.lines]
        last += [float(line.times[-1]) for line in curve.lines]
    return min(first), max(last)


def shown_lines(snapshot: Snapshot, compared: set[int]) -> tuple[int, ...]:
    """The branches whose lines are plotted, the present one first."""
    timeline = snapshot.run.history
    others = (branch.id for branch in timeline.branches if branch.id in compared and branch.id != timeline.branch)
    return timeline.branch, *others


def line_name(timeline: Timeline, branch: int) -> str:
    """The name of a branch."""
    return timeline.find(branch).name or f"branch {branch}"


def curves_of(plots: Plots, timeline: Timeline, branch: int, expression: str) -> list[Curve]:
    """The samples of an expression along the line of a branch."""
    return line_curves(plots.sampled, timeline, branch, expression)
