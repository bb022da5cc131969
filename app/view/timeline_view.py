"""How the user looks at the timeline: the part that is shown, hidden marks, branches to compare, the drag going on."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.history.markers import MarkerType


@dataclass
class TimelineView:
    """The state of the Timeline panel between frames."""

    # the times at the edges of the strip, s; None shows everything
    span: tuple[float, float] | None = None
    # marks that are not shown and not gone to
    hidden: set[MarkerType] = field(default_factory=set)
    # branches that plots show beside the present one
    compared: set[int] = field(default_factory=set)
