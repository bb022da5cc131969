"""Goes to any moment of the history, with the model as it was then; replays what was recorded; branches.

In the past, time moves through recorded moments until the head of the branch is reached; there the simulation goes on.
`GoOn`, and whatever the user changes in the past, begins a branch: the old future stays.
"""

from __future__ import annotations

import math
from dataclasses import replace

from app.model.problem import Problem
from app.model.views import StateView
from app.run import commands as cmd
from app.run.history.breakpoints import Hit, pointed
from app.run.history.markers import MarkerType
from app.run.history.taken_rows import TakenMoment
from app.run.history.timeline import NO_BRANCH
from app.run.journal.journal import Journal
from app.run.simulation_core import DISPLAY_INTERVAL, SimulationCore
from app.run.snapshot import edited_view, view_state
from app.run.step_clock import MAX_CHUNK, ReplayClock
from sim.enums import STATE_SLEEP


class TimeTravel(SimulationCore):
    """A run whose past can be shown, replayed and continued from."""

    _replay_clock = ReplayClock()
    # whether time moves as fast as it goes, until a breakpoint fires
    _seeking = False
    # whether the run goes on from here once the edits are made that wait for kernels
    _goes_on = False

    # ---- moments

    def _show(self, branch: int, step: int) -> bool:
        """Make a moment the present, with the model as it was then; returns whether there is such a moment."""
        segment = self._history.find(branch, step)
        if segment is None:
            return False
        try:
            row = self._history.row(branch, step)
        except ValueError as error:
            self._update(paused=True, replaying=False, problem=Problem("That moment cannot be shown", str(error)))
            return False
        self._show_version(segment.version)
        self._adopt(segment.note)
        self._set_row(row)
        self._history.present(branch, step)
        self._state_changed = True
        return True

    def _adopt(self, journal: Journal) -> None:
        """Make the model what a journal says."""
        if self._edits.journal is journal:
            return
        changed = self._edits.adopt(journal)
        if changed:
            self._model_view = edited_view(self._model_view, self._model, changed)
            self._clock.timestep = float(self._model.opt.timestep)

    def _set_row(self, row: object) -> None:
        """Set the state, and compute what follows from it."""
        signature = self._engine.record_signature(self._model)
        self._engine.set_state(self._model, self._data, row, signature, check=False)
        if not signature & STATE_SLEEP:
            self._engine.forward(self._model, self._data)
            # a pass starts from the accelerations before it
            self._engine.set_state(self._model, self._data, row, signature, check=False)

    def _show_version(self, version: int) -> None:
        """Show the model as another reading of its file gave it."""
        raise NotImplementedError

    def _go_to(self, command: cmd.GoTo) -> None:
        self._seeking = False
        self._goes_on = False
        self._update(paused=True, replaying=False)
        self._end_perturbation()
        self._show(self._history.branch if command.branch is None else command.branch, command.moment)

    def _step_once(self, command: cmd.StepOnce) -> None:
        """Through the history as far as it goes, then with the engine."""
        self._update(paused=True, replaying=False)
        history = self._history
        if command.count < 0 or not history.at_head:
            line = history.timeline()
            self._go_to(cmd.GoTo(min(max(history.now + command.count, line.first), line.last)))
        else:
            self._step(command.count)

    # ---- replay

    def _set_paused(self, command: cmd.SetPaused) -> None:
        """In the past, time moves through what was recorded."""
        self._seeking = False
        if self._run.paused and not command.paused:
            self._clock.resume(self._now())
            self._replay_clock = ReplayClock()
        if command.paused and self._has_model:
            self._end_force()
        replaying = not command.paused and self._has_model and self._in_past()
        self._update(paused=command.paused, replaying=replaying)

    def _in_past(self) -> bool:
        """Whether time moves through recorded moments when it runs."""
        return not self._history.at_head or self._run.direction < 0 or self._history.loop is not None

    def _toggle_paused(self, _: cmd.TogglePaused) -> None:
        self._set_paused(cmd.SetPaused(not self._run.paused))

    def _set_direction(self, command: cmd.SetDirection) -> None:
        self._update(direction=1 if command.direction > 0 else -1)
        if not self._run.paused:
            self._replay_clock = ReplayClock()
            self._update(replaying=self._in_past())

    def _set_loop(self, command: cmd.SetLoop) -> None:
        timeline = self._history.timeline()
        steps = command.steps
        if steps is not None:
            low, high = (min(max(step, timeline.first), timeline.last) for step in sorted(steps))
            steps = (low, high) if low < high else None
        self._history.loop = steps
        if not self._run.paused:
            self._update(replaying=self._in_past())
        self._run_changed = True

    def _replay(self) -> float:
        """Show the moment that is due; returns how long to wait for the next."""
        history = self._history
        timeline = history.timeline()
        first, last = history.loop or (timeline.first, timeline.last)
        now = self._now()
        steps = self._replay_clock.due(now, self._run.speed, timeline.timestep_at(history.now))
        steps = last - first if self._seeking else min(steps, self._replay_left(last))
        if steps:
            wanted = history.now + self._run.direction * steps
            if history.loop is not None:
                outside = not first <= history.now <= last
                wanted = first if outside else first + (wanted - first) % (last - first + 1)
            wanted = min(max(wanted, first), last)
            # where it cannot be shown, that was reported and time stands still
            if not (self._replay_watched(wanted) if self._watch.on else self._show(history.branch, wanted)):
                return DISPLAY_INTERVAL
            self._end_of_replay(history.now, first, last)
        return max(self._published + DISPLAY_INTERVAL - now, 0.001)

    def _replay_watched(self, wanted: int) -> bool:
        """Show one moment after the other, for as long as a frame may take, until a breakpoint fires."""
        history, watch = self._history, self._watch
        branch, direction = history.branch, 1 if wanted > history.now else -1
        # the loop begins again
        if direction != self._run.direction:
            return self._show(branch, wanted)
        # what a moment shows is computed from its state, unless trees sleep
        forwarded = not self._engine.record_signature(self._model) & STATE_SLEEP
        watch.begin(self._model, self._data, (branch, history.now))
        end = self._now() + MAX_CHUNK
        for step in range(history.now + direction, wanted + direction, direction):
            if not self._show(branch, step):
                return False
            hits = watch.check(self._model, self._data, (branch, step), forwarded, direction < 0)
            if hits:
                if direction > 0 or self._show(branch, step + 1):
                    self._stop_at(hits)
                return True
            if self._now() > end:
                break
        return True

    def _run_to_hit(self, command: cmd.RunToHit) -> None:
        """Through what was recorded, until a breakpoint fires."""
        self._history.loop = None
        timeline, forwards = self._history.timeline(), command.direction > 0
        if not self._watch.on or self._history.now == (timeline.last if forwards else timeline.first):
            reason = "no breakpoint is on" if not self._watch.on else "there is nothing recorded on that side"
            self._update(notification=reason)
            return
        self._set_paused(cmd.SetPaused(True))
        self._update(direction=1 if forwards else -1, paused=False, replaying=True)
        self._seeking = True

    def _set_breakpoints(self, command: cmd.SetBreakpoints) -> None:
        self._watch.set(command.points)
        self._run_changed = True

    def _stop_at(self, hits: list[Hit]) -> None:
        """Pause where breakpoints have fired, mark it, and point to the element."""
        self._seeking = False
        self._show_results()
        hit = replace(hits[0], selection=pointed(self._model, self._data, hits[0].expression))
        for each in hits:
            self._add_marker(MarkerType.BREAKPOINT, f"breakpoint: {each.text}")
        more = f" (and {len(hits) - 1} more)" if len(hits) > 1 else ""
        said = f"stopped at {hit.time:.6g} s: {hit.text}{more}"
        self._update(paused=True, replaying=False, direction=1, hit=hit, notification=said)

    def _show_results(self) -> None:
        """Compute what follows from the present state, which stays the same bits."""
        self._set_row(self._engine.get_state(self._model, self._data, self._engine.record_signature(self._model)))
        self._state_changed = True

    def _replay_left(self, last: int) -> int:
        """Steps until the time at which to hold, if there is one."""
        if self._hold is None:
            return 1 << 30
        timestep = self._history.timeline().timestep_at(self._history.now)
        # rounded down it would stand short of the frame that a video waits for
        return max(math.ceil((self._hold - float(self._data.time)) / timestep - 1e-6), 0)

    def _end_of_replay(self, wanted: int, first: int, last: int) -> None:
        """At the head the simulation goes on; at the start time stands still."""
        if self._history.loop is not None or self._run.paused:
            return
        if self._seeking and wanted == (last if self._run.direction > 0 else first):
            self._seeking = False
            side = "after" if self._run.direction > 0 else "before"
            self._update(paused=True, replaying=False, direction=1, notification=f"no breakpoint fires {side} this")
        elif self._run.direction < 0 and wanted <= first:
            self._update(paused=True, replaying=False, direction=1)
        elif self._run.direction > 0 and wanted >= last:
            self._update(replaying=False)
            self._clock.resume(self._now())

    # ---- branches

    def _go_on(self, _: cmd.GoOn) -> None:
        """Simulate from here."""
        self._history.loop = None
        self._begin_steps()
        self._update(direction=1, replaying=False)
        self._set_paused(cmd.SetPaused(False))

    def _forked(self) -> None:
        """A branch has begun: say so, and which edits it does not have."""
        timeline = self._history.timeline()
        branch = timeline.find(timeline.branch)
        self._update(replaying=False)
        old = self._history.run.branches[branch.parent]
        later = _edits_in_force(old.segments[-1].note) - _edits_in_force(self._edits.journal)
        without = f", without {later} edit{'s' * (later > 1)} made later" if later > 0 else ""
        self._update(
            notification=f"new branch at {timeline.time_of(branch.fork):.4g} s{without}; the old future is kept"
        )

    def _switch_branch(self, command: cmd.SwitchBranch) -> None:
        timeline = self._history.timeline()
        if command.branch not in self._history.run.branches:
            return
        step = timeline.step_at(timeline.time_of(timeline.now), command.branch)
        self._go_to(cmd.GoTo(step, command.branch))

    def _rename_branch(self, command: cmd.RenameBranch) -> None:
        branch = self._history.run.branches.get(command.branch)
        if branch is not None and command.name.strip():
            branch.name = command.name.strip()
            self._run_changed = True

    def _remove_branch(self, command: cmd.RemoveBranch) -> None:
        self._history.remove(command.branch)
        self._run_changed = True

    # ---- for other threads

    def _set_ghost(self, command: cmd.SetGhost) -> None:
        known = command.branch in self._history.run.branches
        self._history.ghost = command.branch if command.branch is not None and known else NO_BRANCH
        self._state_changed = True

    def _ghost(self) -> StateView | None:
        """The state of the branch that is drawn as a ghost, at the present time."""
        history = self._history
        if history.ghost == NO_BRANCH or history.ghost == history.branch:
            return None
        timeline = history.timeline()
        step = timeline.step_at(float(self._data.time), history.ghost)
        segment = history.find(history.ghost, step)
        # another reading of the file has other geoms
        if segment is None or segment.version != history.version:
            return None
        try:
            model, data = history.replayer.moment(history.ghost, step)
        except ValueError:
            return None
        self._engine.forward(model, data)
        return view_state(data)

    def _take_rows(self, command: cmd.TakeRows) -> None:
        command.reply(self._history.take(command.branch, command.steps, command.exact) if self._has_model else ())

    def _take_excerpt(self, command: cmd.TakeExcerpt) -> None:
        last = self._history.run.branches[command.branch].last if command.branch in self._history.run.branches else -1
        known = 0 <= command.first <= command.last <= last
        command.reply(self._history.excerpt(command.branch, command.first, command.last) if known else None)

    def _take_moment(self, command: cmd.TakeMoment) -> None:
        history, time = self._history, float(self._data.time)
        state = self._engine.copy_state(self._model, self._data)
        identity = self._model_view.identity
        moment = TakenMoment(self._model, self._edits.edits, state, identity, history.branch, history.now, time)
        command.reply(moment)


def _edits_in_force(journal: object) -> int:
    entries = getattr(journal, "entries", ())
    return sum(entry.in_force and entry.state is None for entry in entries)
