"""The simulation thread: owns Model and Data, carries out commands, steps, publishes snapshots.

The loop: take commands from the queue, ask the clock how many steps are due, step them in one native call
without the GIL, publish a snapshot if something changed and a display interval has passed, sleep until the
next step or command. Nothing else touches Data, and nothing here waits for the GUI. An error while stepping
pauses the run and becomes part of the snapshot.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app import commands as cmd
from app import perturb
from app.loader import Engine, Failed, Loaded, Loader, LoaderMessage, Prepared, Working, describe
from app.snapshot import ModelView, Snapshot, StateView, view_model, view_state
from app.state import Problem, RunState
from app.step_clock import StepClock, clamp_speed

# with the default of 5 ms a busy GUI thread holds the GIL so long that the simulation runs at 0.57 of its
# rate; with this it is 0.86
SWITCH_INTERVAL = 0.0005
DISPLAY_INTERVAL = 1 / 60
IDLE_WAIT = 0.5


class SimThread:
    """Runs the engine on a thread of its own."""

    def __init__(self, engine: Engine, paused: bool = False, now: Callable[[], float] = time.perf_counter) -> None:
        self.latest = Snapshot(0, RunState(paused=paused))
        self._engine = engine
        self._now = now
        self._inbox: queue.SimpleQueue[cmd.Command | LoaderMessage] = queue.SimpleQueue()
        self._deferred: list[cmd.Command] = []
        self._run = self.latest.run
        self._model: Any = None
        self._data: Any = None
        self._model_view: ModelView | None = None
        self._state_view: StateView | None = None
        self._clock = StepClock(timestep=1.0)
        self._loader: Loader | None = None
        self._pulled: cmd.Pull | None = None
        self._start_key: int | None = None
        self._start_key_name: str | None = None
        self._state_changed = self._run_changed = False
        self._published = -DISPLAY_INTERVAL
        self._quit = False
        self._thread = threading.Thread(target=self._loop, name="simulation", daemon=True)

    # called from other threads

    def start(self) -> None:
        """Begin."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread.start()

    def send(self, command: cmd.Command) -> None:
        """Ask for something; returns at once."""
        self._inbox.put(command)

    def wait_for_model(self, timeout: float) -> Snapshot:
        """Wait until a first model is read or has failed, at most `timeout` seconds."""
        end = self._now() + timeout
        while self.latest.model is None and self.latest.run.problem is None and self._now() < end:
            time.sleep(0.005)
        return self.latest

    def close(self, timeout: float = 2.0) -> None:
        """End the thread. One that is deep in native code is left behind as a daemon."""
        self.send(cmd.Quit())
        if self._thread.is_alive():
            self._thread.join(timeout)

    # the loop

    def _loop(self) -> None:
        while not self._quit:
            try:
                self._receive(self._advance())
                self._publish()
            except Exception as error:
                self._fail(Problem("The simulation was paused by an error", describe(error)))

    def _advance(self) -> float:
        """Run the steps that are due; returns for how long the thread may sleep."""
        if self._data is None or self._run.paused or not self._run.ready:
            return IDLE_WAIT
        plan = self._clock.plan(self._now())
        if plan.steps:
            self._step(plan.steps)
        return plan.wait

    def _step(self, count: int) -> None:
        """Step natively, and take the time."""
        # processor time: wall time would count the wait for the GIL afterwards
        began, worked = self._now(), time.thread_time()
        if self._pulled is None:
            self._engine.step(self._model, self._data, count)
        else:
            # the force of the mouse follows the body at every step
            for _ in range(count):
                self._data.xfrc_applied[self._pulled.body] = perturb.wrench(self._model, self._data, self._pulled)
                self._engine.step(self._model, self._data, 1)
        self._clock.ran(count, began, self._now(), time.thread_time() - worked)
        self._state_changed = True
        self._update(steps=self._run.steps + count)

    def _receive(self, wait: float) -> None:
        """Sleep until a message or for `wait` seconds, then handle all that have come."""
        if self._state_changed or self._run_changed:
            wait = min(wait, max(self._published + DISPLAY_INTERVAL - self._now(), 0.0))
        try:
            message = self._inbox.get(timeout=wait) if wait > 0 else self._inbox.get_nowait()
            while True:
                self._handle(message)
                message = self._inbox.get_nowait()
        except queue.Empty:
            pass

    def _handle(self, message: cmd.Command | LoaderMessage) -> None:
        """Carry out one message by the table; what needs kernels waits for them."""
        if isinstance(message, LoaderMessage) and message.loader is not self._loader:
            return
        if type(message) in NEEDS_KERNELS and not self._run.ready:
            if isinstance(message, cmd.Command) and self._data is not None:
                self._deferred.append(message)
            return
        HANDLERS[type(message)](self, message)

    # publishing

    def _update(self, **changes: Any) -> None:
        """Change the run's state, to be seen in the next snapshot."""
        self._run = replace(self._run, **changes)
        self._run_changed = True

    def _fail(self, problem: Problem) -> None:
        """Pause and show what went wrong."""
        self._update(paused=True, problem=problem)

    def _publish(self) -> None:
        """Swap in a new snapshot, at most at display rate and only if something changed."""
        now = self._now()
        if not (self._state_changed or self._run_changed) or now < self._published + DISPLAY_INTERVAL:
            return
        state_changed, self._state_changed, self._run_changed = self._state_changed, False, False
        self._published = now
        if state_changed:
            self._state_view = view_state(self._data)
        moving = self._run.ready and not self._run.paused
        self._run = replace(
            self._run,
            time=float(self._data.time) if self._data is not None else 0.0,
            rate=self._clock.rate if moving else 0.0,
            step_seconds=self._clock.step_seconds,
        )
        self.latest = Snapshot(self.latest.serial + 1, self._run, self._model_view, self._state_view)

    # handlers of commands

    def _set_paused(self, command: cmd.SetPaused) -> None:
        if self._run.paused and not command.paused:
            self._clock.resume(self._now())
        self._update(paused=command.paused)

    def _step_once(self, command: cmd.StepOnce) -> None:
        self._update(paused=True)
        self._step(command.count)

    def _reset(self, command: cmd.Reset) -> None:
        key = self._start_key if command.key is None else command.key
        self._engine.reset(self._model, self._data, key)
        self._engine.forward(self._model, self._data)
        self._clock.resume(self._now())
        self._state_changed = True
        self._update(steps=0, problem=None)

    def _set_speed(self, command: cmd.SetSpeed) -> None:
        self._clock.speed = clamp_speed(command.speed)
        self._clock.resume(self._now())
        self._update(speed=self._clock.speed)

    def _load_model(self, command: cmd.LoadModel) -> None:
        if self._loader is not None:
            self._loader.cancel()
        self._loader = Loader(self._engine, command.path, command.start_key, self._inbox.put)
        self._update(problem=None)

    def _reload(self, _: cmd.Reload) -> None:
        path, key = self._run.path, self._start_key_name
        if self._loader is not None and self._run.path == "":
            path, key = self._loader.path, self._loader.start_key
        if path:
            self._load_model(cmd.LoadModel(path, key))

    def _pull(self, command: cmd.Pull) -> None:
        """While time runs, a force; while it stands still, the pose itself."""
        if not 0 < command.body < self._model.nbody:
            return
        self._let_go(cmd.LetGo())
        if not self._run.paused:
            self._pulled = command
        elif perturb.move(self._model, self._data, command):
            self._engine.forward(self._model, self._data)
            self._state_changed = True

    def _let_go(self, _: cmd.LetGo) -> None:
        if self._pulled is not None:
            self._data.xfrc_applied[self._pulled.body] = 0.0
            self._pulled = None

    def _dismiss_problem(self, _: cmd.DismissProblem) -> None:
        self._update(problem=None)

    def _end(self, _: cmd.Quit) -> None:
        if self._loader is not None:
            self._loader.cancel()
        self._quit = True

    # handlers of what the loader reports

    def _working(self, message: Working) -> None:
        self._update(progress=message.progress)

    def _loaded(self, message: Loaded) -> None:
        """The new model takes the place of the old one, at once on the screen."""
        self._model, self._data = message.model, message.data
        self._model_view = view_model(message.model)
        keys = self._model_view.__dict__["names"]["key"]
        self._start_key_name = message.loader.start_key
        self._start_key = keys.index(self._start_key_name) if self._start_key_name in keys else None
        self._clock = StepClock(float(message.model.opt.timestep), self._run.speed)
        self._deferred.clear()
        self._pulled = None
        self._state_changed = True
        self._update(path=message.loader.path, ready=False, steps=0, problem=None)

    def _prepared(self, _: Prepared) -> None:
        """Kernels are there: start, and carry out what waited for them."""
        self._update(ready=True, progress=None)
        self._reset(cmd.Reset())
        waiting, self._deferred = self._deferred, []
        for command in waiting:
            self._handle(command)

    def _failed(self, message: Failed) -> None:
        """A file that cannot be opened leaves the running scene alone."""
        self._update(progress=None, problem=message.problem)


# what each message does; a new command needs one row here
HANDLERS: dict[type, Callable[[SimThread, Any], None]] = {
    cmd.SetPaused: SimThread._set_paused,
    cmd.StepOnce: SimThread._step_once,
    cmd.Reset: SimThread._reset,
    cmd.SetSpeed: SimThread._set_speed,
    cmd.LoadModel: SimThread._load_model,
    cmd.Reload: SimThread._reload,
    cmd.Pull: SimThread._pull,
    cmd.LetGo: SimThread._let_go,
    cmd.DismissProblem: SimThread._dismiss_problem,
    cmd.Quit: SimThread._end,
    Working: SimThread._working,
    Loaded: SimThread._loaded,
    Prepared: SimThread._prepared,
    Failed: SimThread._failed,
}

# commands that run kernels; they wait until these are compiled
NEEDS_KERNELS = {cmd.StepOnce, cmd.Reset, cmd.Pull}
