"""How the user looks at the timeline: the part that is shown, hidden marks, branches to compare, the drag going on."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.run.history.markers import MarkerType
from app.run.history.timeline import Timeline
from app.view.branch_clock import Clocks
from app.view.mark_table import MarkTable
from app.view.time_axis import Span, TimeAxis, follow

# how long the playhead stays where the user has put it, if the simulation does not come there, s
PATIENCE = 2.0
# how near to the edge the playhead may come while time passes, as a share of the width
MARGIN = 0.08


@dataclass
class StripDrag:
    """A drag on the strip: what it moves (`scrub`, `mark`, `pan`, `loop`), from which step, and the range so far."""

    moves: str
    anchor: int = 0
    range: tuple[int, int] | None = None


@dataclass
class BranchTask:
    """What is being done with a branch: a name that is typed, or a question; `begun` once it is on the screen."""

    branch: int
    text: str = ""
    begun: bool = False


@dataclass
class TimelineView:
    """The state of the Timeline panel between frames."""

    # the times at the edges of the strip, s; None shows everything
    span: Span | None = None
    # marks that are not shown and not gone to
    hidden: set[MarkerType] = field(default_factory=set)
    # branches that plots show beside the present one
    compared: set[int] = field(default_factory=set)
    clocks: Clocks = field(default_factory=Clocks)
    marks: MarkTable = field(default_factory=MarkTable)
    drag: StripDrag | None = None
    # the step that the user has asked for, until it is there, and when that is given up
    asked: int | None = None
    asked_until: float = 0.0
    # where time was, and whether it passed, before the last click
    before_click: tuple[int, bool] = (0, False)
    # whether the pointer is on the strip
    hovered: bool = False
    # the branch whose name is being typed, and the one that is to be removed if that is confirmed
    renaming: BranchTask | None = None
    removing: BranchTask | None = None
    # the time at which the playhead is shown
    playhead: float = 0.0

    def update(self, timeline: Timeline, now: float) -> None:
        """Take a timeline, at a wall time; what is shown follows the playhead."""
        self.clocks.update(timeline)
        self.marks.update(timeline, self.clocks, self.hidden)
        self.compared &= {branch.id for branch in timeline.branches}
        if self.drag is None and (timeline.now == self.asked or now > self.asked_until):
            self.asked = None
        self._move_playhead(timeline, MARGIN)

    def ask(self, step: int, timeline: Timeline, now: float) -> int:
        """The user wants to see a step, at a wall time: the playhead is there at once; returns one that there is."""
        self.asked, self.asked_until = min(max(step, timeline.first), timeline.last), now + PATIENCE
        self._move_playhead(timeline, 0.0)
        return self.asked

    def _move_playhead(self, timeline: Timeline, margin: float) -> None:
        """Put the playhead where it belongs; what is shown follows it, unless the user moves that."""
        before, self.playhead = self.playhead, self.clocks.present.time_of(self.step(timeline))
        if self.drag is None or self.drag.moves != "pan":
            self.span = follow(self.span, before, self.playhead, self.clocks.whole, margin)

    def step(self, timeline: Timeline) -> int:
        """The step at which the playhead is shown."""
        return timeline.now if self.asked is None else min(max(self.asked, timeline.first), timeline.last)

    def axis(self, left: float, width: float) -> TimeAxis:
        """The axis from a pixel on."""
        return TimeAxis(*(self.span or self.clocks.whole), left, max(width, 1.0))
