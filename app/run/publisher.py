"""Publishes snapshots: at most at display rate, only if something changed, and by swapping one reference."""

from __future__ import annotations

from collections.abc import Iterable

from app.model.views import ModelView, StateView
from app.run.history.timeline import NO_BRANCH
from app.run.journal.journal import Journal
from app.run.live_edits import edit_title
from app.run.live_run import LiveRun
from app.run.snapshot import Snapshot, view_model, view_state
from app.run.stage_profiler import StageProfiler
from app.run.status import Status
from sim import Data, Model

DISPLAY_INTERVAL = 1 / 60


class Publisher:
    """The newest snapshot, and what only snapshots need."""

    def __init__(self, live: LiveRun, status: Status) -> None:
        # read on any thread
        self.latest = Snapshot(0, status.run)
        # when that was published
        self.published = -DISPLAY_INTERVAL
        self._live, self._status = live, status
        # shown until a first model is loaded
        self._draft: tuple[ModelView, StateView] | None = None
        self._state_view: StateView | None = None
        self._ghost_view: StateView | None = None
        # the journals of the recording that was opened, by identity; and the last of them that was current
        self._recorded: dict[int, Journal] = {}
        self._watched = Journal()
        self._profiler = StageProfiler(live.now)

    @property
    def pending(self) -> bool:
        """Whether something has changed since the last snapshot."""
        return self._status.state_changed or self._status.run_changed

    @property
    def due(self) -> float:
        """When the next snapshot may be published."""
        return self.published + DISPLAY_INTERVAL

    def show_draft(self, model: Model, data: Data) -> None:
        """Show what stands in for the model until it is loaded."""
        self._draft = view_model(model), view_state(data)

    def drop_draft(self) -> None:
        """Show nothing until a model is loaded."""
        self._draft = None

    def open_recording(self, journals: Iterable[Journal]) -> None:
        """The edits of these journals are saved in the recording that was opened."""
        self._recorded = {id(journal): journal for journal in journals}

    def profile(self, on: bool) -> None:
        """Time the stages of a step now and then, or stop; the first sample is taken at once, even while paused."""
        self._profiler.enable(on)
        self._status.state_changed = self._live.has_model
        self._status.update(stage_seconds=())

    def publish(self) -> None:
        """Swap in a new snapshot, if one is due."""
        now = self._live.now()
        if not self.pending or now < self.due:
            return
        status, live = self._status, self._live
        state_changed, status.state_changed, status.run_changed = status.state_changed, False, False
        before, self.published = self.published, now
        serial = self.latest.serial + 1
        if state_changed:
            self._state_view = view_state(live.data)
            self._ghost_view = self.ghost()
            self._sample_stages()
        if not live.has_model:
            self.latest = Snapshot(serial, status.run, *(self._draft or ()))
            return
        moving = status.run.ready and not status.run.paused
        status.measure(
            time=float(live.data.time),
            history=live.history.timeline(),
            divergences=live.history.divergences,
            breakpoints=live.watch.points,
            rate=self._rate(now - before) if moving else 0.0,
            # with the profiler open, the same number as its parts add up to
            step_seconds=sum(seconds for _, seconds in status.run.stage_seconds) or live.clock.median_seconds,
        )
        self.latest = Snapshot(
            serial,
            status.run,
            live.view,
            self._state_view,
            live.edits.file_values,
            live.edits.journal,
            self._unsaved(),
            self._ghost_view,
            self._unsaved_elsewhere(),
        )

    def _rate(self, seconds: float) -> float:
        """Simulated seconds per second: of steps, of a replay, or of a search since the last snapshot."""
        run = self._status.run
        if run.sought_from >= 0:
            return abs(float(self._live.data.time) - run.time) / seconds if seconds > 0 else 0.0
        return run.speed if run.replaying else self._live.clock.rate

    def _sample_stages(self) -> None:
        """Time the stages of a step, if that is due."""
        live, run = self._live, self._status.run
        if not run.ready:
            return
        running = 0.0 if run.paused or run.replaying else live.clock.median_seconds
        times = self._profiler.sample(live.engine, live.model, live.data, running)
        if times is not None:
            self._status.measure(stage_seconds=times)

    def ghost(self) -> StateView | None:
        """The state of the branch that is drawn as a ghost, at the current time."""
        history = self._live.history
        if history.ghost in (NO_BRANCH, history.branch):
            return None
        step = history.timeline().step_at(float(self._live.data.time), history.ghost)
        segment = history.find(history.ghost, step)
        # another version of the model has other geoms
        if segment is None or segment.version != history.version:
            return None
        try:
            model, data = history.replayer.moment(history.ghost, step)
        except ValueError:
            return None
        self._live.engine.forward(model, data)
        return view_state(data)

    def _unsaved(self) -> tuple[str, ...]:
        """The edits that neither the file has nor the recording that was opened, as texts; those that wait too."""
        edits = self._live.edits
        waiting = tuple(f"{edit_title(edit)}: waits for its kernels" for edit in edits.waiting)
        if id(edits.journal) in self._recorded:
            self._watched = edits.journal
            return waiting
        recorded = self._recorded and edits.unsaved_of(self._watched)
        return (*(text for text in edits.unsaved if text not in recorded), *waiting)

    def _unsaved_elsewhere(self) -> tuple[str, ...]:
        """The edits at the heads of branches that neither the file nor the current state has, as texts."""
        history, edits = self._live.history, self._live.edits
        here, found = {*edits.unsaved}, list[str]()
        for branch in history.run.branches.values():
            head = branch.segments[-1]
            known = head.note is edits.journal or id(head.note) in self._recorded
            if head.version == history.version and not known:
                found += [f"{text}, in {branch.name}" for text in edits.unsaved_of(head.note) if text not in here]
        return tuple(found)
