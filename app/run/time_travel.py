"""Time: pause and speed; any state of the history, with the model as it was then; replay; branches.

In the past, time moves through recorded states until the head of the branch is reached; there the simulation continues.
`GoOn`, and whatever the user changes in the past, begins a branch: the old future stays.
"""

from __future__ import annotations

import math
from dataclasses import replace

from app.run import commands as cmd
from app.run.history.breakpoints import Hit, pointed
from app.run.history.markers import MarkerType
from app.run.history.taken_rows import TakenMoment
from app.run.history.timeline import NO_BRANCH
from app.run.live_run import LiveRun
from app.run.mouse_pull import MousePull
from app.run.status import Status
from app.run.step_clock import MAX_CHUNK, ReplayClock, clamp_speed, next_speed
from sim.enums import STATE_SLEEP

MAX_STEPS = 1 << 30


class TimeTravel:
    """Moves a run through time."""

    def __init__(self, live: LiveRun, status: Status, mouse: MousePull) -> None:
        self._live, self._status, self._mouse = live, status, mouse
        self._replay_clock = ReplayClock()
        # simulated time at which to hold
        self._hold: float | None = None
        # whether the run continues from here once the edits are made that wait for kernels
        self._continues = False

    @property
    def _searching(self) -> bool:
        """Whether time moves as fast as it can, until a breakpoint fires."""
        return self._status.run.sought_from >= 0

    def _end_search(self) -> None:
        if self._searching:
            self._status.update(sought_from=-1)

    # ---- moments

    def go_to(self, command: cmd.GoTo) -> None:
        """Pause at a recorded state."""
        self._continues = False
        self._end_search()
        self._status.update(paused=True, replaying=False)
        self._mouse.end()
        self._live.show(self._live.history.branch if command.branch is None else command.branch, command.moment)

    def step_once(self, command: cmd.StepOnce) -> None:
        """Through the history as far as it reaches, then with the engine."""
        self._status.update(paused=True, replaying=False)
        history = self._live.history
        if command.count < 0 or not history.at_head:
            line = history.timeline()
            self.go_to(cmd.GoTo(min(max(history.now + command.count, line.first), line.last)))
        else:
            self.step(command.count)

    def step(self, count: int) -> None:
        """Make steps."""
        self.begin_steps()
        hits = self._live.step(count)
        if hits:
            self.stop_at(hits)

    def begin_steps(self) -> None:
        """Before steps."""
        self._live.begin_steps()
        self._mouse.check()

    def reset(self, command: cmd.Reset) -> None:
        """To the start or a keyframe."""
        before = self._live.state_now()
        self._mouse.end()
        text = self._live.start_over("reset", command.key)
        self._live.record_state(text, before)
        self._live.begin(text)
        self._status.say(f"{text}; the previous run is kept")

    # ---- pace

    def set_speed(self, command: cmd.SetSpeed) -> None:
        """Seconds of simulated time in a second."""
        self._live.clock.speed = clamp_speed(command.speed)
        self._live.resume()
        self._status.update(speed=self._live.clock.speed)

    def change_speed(self, command: cmd.ChangeSpeed) -> None:
        """By notches."""
        self.set_speed(cmd.SetSpeed(next_speed(self._live.clock.speed, command.notches)))

    def hold_at(self, command: cmd.HoldAt) -> None:
        """Until another time is set."""
        self._hold = command.time

    def steps_left(self, timestep: float) -> int:
        """The number of steps until the time at which to hold."""
        if self._hold is None:
            return MAX_STEPS
        # rounded down it would stand short of the frame that a video waits for
        return max(math.ceil((self._hold - float(self._live.data.time)) / timestep - 1e-6), 0)

    # ---- replay

    def set_paused(self, command: cmd.SetPaused) -> None:
        """In the past, time moves through what was recorded."""
        self._end_search()
        if self._status.run.paused and not command.paused:
            self._live.resume()
            self._replay_clock = ReplayClock()
        if command.paused and self._live.has_model:
            self._mouse.release()
        replaying = not command.paused and self._live.has_model and self._in_past()
        self._status.update(paused=command.paused, replaying=replaying)

    def _in_past(self) -> bool:
        """Whether time moves through recorded moments when it runs."""
        return not self._live.history.at_head or self._status.run.direction < 0 or self._live.history.loop is not None

    def toggle_paused(self, _: cmd.TogglePaused) -> None:
        """Pause, or continue."""
        self.set_paused(cmd.SetPaused(not self._status.run.paused))

    def set_direction(self, command: cmd.SetDirection) -> None:
        """Replay forwards or backwards."""
        self._status.update(direction=1 if command.direction > 0 else -1)
        if not self._status.run.paused:
            self._replay_clock = ReplayClock()
            self._status.update(replaying=self._in_past())

    def set_loop(self, command: cmd.SetLoop) -> None:
        """Repeat some steps, as far as the line has them."""
        timeline = self._live.history.timeline()
        steps = command.steps
        if steps is not None:
            low, high = (min(max(step, timeline.first), timeline.last) for step in sorted(steps))
            steps = (low, high) if low < high else None
        self._live.history.loop = steps
        if not self._status.run.paused:
            self._status.update(replaying=self._in_past())
        self._status.run_changed = True

    def replay(self) -> bool:
        """Show the state that is due; returns False if it cannot be shown, which was reported: time stands still."""
        history = self._live.history
        timeline = history.timeline()
        first, last = history.loop or (timeline.first, timeline.last)
        timestep = timeline.timestep_at(history.now)
        steps = self._replay_clock.due(self._live.now(), self._status.run.speed, timestep)
        steps = last - first if self._searching else min(steps, self.steps_left(timestep))
        if steps:
            wanted = history.now + self._status.run.direction * steps
            if history.loop is not None:
                outside = not first <= history.now <= last
                wanted = first if outside else first + (wanted - first) % (last - first + 1)
            wanted = min(max(wanted, first), last)
            if not (self._replay_watched(wanted) if self._live.watch.on else self._live.show(history.branch, wanted)):
                return False
            self._end_of_replay(history.now, first, last)
        return True

    def _replay_watched(self, wanted: int) -> bool:
        """Show one state after the other, for as long as a frame may take, until a breakpoint fires."""
        live, history, watch = self._live, self._live.history, self._live.watch
        branch, direction = history.branch, 1 if wanted > history.now else -1
        # the loop begins again
        if direction != self._status.run.direction:
            return live.show(branch, wanted)
        # the results of a recorded state are computed from it, unless trees sleep
        forwarded = not live.engine.record_signature(live.model) & STATE_SLEEP
        watch.begin(live.model, live.data, (branch, history.now))
        end = self._live.now() + MAX_CHUNK
        for step in range(history.now + direction, wanted + direction, direction):
            if not live.show(branch, step):
                return False
            hits = watch.check(live.model, live.data, (branch, step), forwarded, direction < 0)
            if hits:
                if direction > 0 or live.show(branch, step + 1):
                    self.stop_at(hits)
                return True
            if self._live.now() > end:
                break
        return True

    def run_to_hit(self, command: cmd.RunToHit) -> None:
        """Through what was recorded, until a breakpoint fires."""
        history, watched, forwards = self._live.history, self._live.watch.on, command.direction > 0
        history.loop = None
        timeline = history.timeline()
        if not watched or history.now == (timeline.last if forwards else timeline.first):
            reason = "no breakpoints are enabled" if not watched else "nothing is recorded in that direction"
            self._status.update(notification=reason)
            return
        self.set_paused(cmd.SetPaused(True))
        self._status.update(direction=1 if forwards else -1, paused=False, replaying=True)
        self._status.update(sought_from=self._live.history.now)

    def set_breakpoints(self, command: cmd.SetBreakpoints) -> None:
        """Watch them and no others."""
        self._live.watch.set(command.points)
        self._status.run_changed = True

    def stop_at(self, hits: list[Hit]) -> None:
        """Pause where breakpoints have fired, mark it, and point to the element."""
        self._end_search()
        self._live.show_results()
        hit = replace(hits[0], selection=pointed(self._live.model, self._live.data, hits[0].expression))
        for each in hits:
            self._live.add_marker(MarkerType.BREAKPOINT, f"breakpoint: {each.text}")
        more = f" (and {len(hits) - 1} more)" if len(hits) > 1 else ""
        said = f"stopped at {hit.time:.6g} s: {hit.text}{more}"
        self._status.update(paused=True, replaying=False, direction=1, hit=hit, notification=said)

    def _end_of_replay(self, wanted: int, first: int, last: int) -> None:
        """At the head the simulation continues; at the start time stands still."""
        status, forwards = self._status, self._status.run.direction > 0
        if self._live.history.loop is not None or status.run.paused:
            return
        if self._searching and wanted == (last if forwards else first):
            self._end_search()
            said = f"no breakpoint fires {'after' if forwards else 'before'} this time"
            status.update(paused=True, replaying=False, direction=1, notification=said)
        elif not forwards and wanted <= first:
            status.update(paused=True, replaying=False, direction=1)
        elif forwards and wanted >= last:
            status.update(replaying=False)
            self._live.resume()

    # ---- branches

    def go_on(self, _: cmd.GoOn = cmd.GoOn()) -> None:  # noqa: B008
        """Simulate from here."""
        self._live.history.loop = None
        self._live.begin_steps()
        self._status.update(direction=1, replaying=False)
        self.set_paused(cmd.SetPaused(False))

    def go_on_after_edits(self, wait: bool) -> None:
        """Simulate from here, once no edit waits for kernels."""
        self._continues = wait
        if not wait:
            self.go_on()

    def edits_made(self) -> None:
        """No edit waits for kernels any more."""
        if self._continues:
            self.go_on_after_edits(wait=False)

    def switch_branch(self, command: cmd.SwitchBranch) -> None:
        """Show it at the same time."""
        timeline = self._live.history.timeline()
        if command.branch not in self._live.history.run.branches:
            return
        step = timeline.step_at(timeline.time_of(timeline.now), command.branch)
        self.go_to(cmd.GoTo(step, command.branch))

    def rename_branch(self, command: cmd.RenameBranch) -> None:
        """Unless the name is empty."""
        branch = self._live.history.run.branches.get(command.branch)
        if branch is not None and command.name.strip():
            branch.name = command.name.strip()
            self._status.run_changed = True

    def remove_branch(self, command: cmd.RemoveBranch) -> None:
        """Forget it, with the branches that begin in it."""
        self._live.history.remove(command.branch)
        self._status.run_changed = True

    # ---- for other threads

    def set_ghost(self, command: cmd.SetGhost) -> None:
        """Draw a branch as a ghost."""
        history, branch = self._live.history, command.branch
        history.ghost = branch if branch is not None and branch in history.run.branches else NO_BRANCH
        self._status.state_changed = True

    def take_rows(self, command: cmd.TakeRows) -> None:
        """Copy rows."""
        live = self._live
        command.reply(live.history.take(command.branch, command.steps, command.exact) if live.has_model else ())

    def take_excerpt(self, command: cmd.TakeExcerpt) -> None:
        """Copy what some steps can be computed from."""
        history = self._live.history
        branch = history.run.branches.get(command.branch)
        known = branch is not None and 0 <= command.first <= command.last <= branch.last
        command.reply(history.excerpt(command.branch, command.first, command.last) if known else None)

    def take_moment(self, command: cmd.TakeMoment) -> None:
        """Copy the current state."""
        live, history = self._live, self._live.history
        state, identity = live.engine.copy_state(live.model, live.data), live.view.identity
        time = float(live.data.time)
        command.reply(TakenMoment(live.model, live.edits.edits, state, identity, history.branch, history.now, time))
