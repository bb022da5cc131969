"""What the Timeline panel says: where we are, what is kept in memory, what continuing from here would do."""

from __future__ import annotations

from app.run.history.markers import MarkerType
from app.run.history.timeline import MemoryUse, Timeline
from app.run.run_state import RunState
from app.view.branch_lanes import branch_name
from app.view.time_axis import clock_text


def where_text(run: RunState) -> tuple[str, str]:
    """Where the current moment is, in short, and explained."""
    timeline = run.history
    name = f"'{branch_name(timeline.find(timeline.branch))}'"
    behind = timeline.last_time - run.time
    gap = clock_text(behind, 0.1 if behind >= 1 else 0.001)
    steps = f"step {timeline.now} of {timeline.last}"
    if run.replaying and not run.paused:
        way = "replaying" if run.direction > 0 else "replaying backwards"
        if timeline.loop is not None:
            way += " in a loop"
        return f"{way}: {gap} before the end of {name}", f"{steps}; at the end the simulation continues"
    if timeline.at_head:
        state = "paused at the end of" if run.paused else "live:"
        return f"{state} {name}", f"{steps}; the next step is computed"
    return (
        f"paused {gap} before the end of {name}",
        f"{steps}; Space replays, whatever you change or pull begins a branch",
    )


def memory_text(timeline: Timeline) -> str:
    """How much is recorded, and what it takes."""
    memory = timeline.memory
    here = " on this branch" if len(timeline.branches) > 1 else ""
    parts = [f"{clock_text(timeline.last_time - timeline.first_time)} recorded{here}"]
    dense = min(memory.dense_steps, timeline.last - timeline.first)
    if 0 < dense < timeline.last - timeline.first:
        parts.append(
            f"every step of the last {clock_text(timeline.last_time - timeline.time_of(timeline.last - dense))}"
        )
    if size := _size_text(memory):
        parts.append(size)
    return "; ".join(parts)


def _size_text(memory: MemoryUse) -> str:
    kept = [(memory.tape + memory.checkpoints, ""), (memory.disk, " on disk")]
    return ", ".join(f"{byte_text(count)}{where}" for count, where in kept if count)


def byte_text(count: int) -> str:
    """A number of bytes: 12 MB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= 0.9995 * size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def go_on_hint(timeline: Timeline) -> str:
    """What simulating from the current moment would do."""
    name, gap = f"'{branch_name(timeline.find(timeline.branch))}'", timeline.last_time - timeline.time_of(timeline.now)
    later = sum(
        marker.type is MarkerType.EDIT and marker.entry > 0 and marker.moment > timeline.now
        for marker in timeline.markers
    )
    edits = {0: "", 1: "\nAn edit made later will not be in force."}.get(
        later, f"\n{later} edits made later will not be in force."
    )
    return f"begin a branch here and simulate on; the {clock_text(gap, 0.1)} after this stay in {name}{edits}"
