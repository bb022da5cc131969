"""The step clock: how many steps are due now, or how long to wait until the next.

Pure arithmetic on times that the caller passes in. Simulated time is owed at `speed` seconds per second of wall time;
a debt beyond `MAX_LAG` is dropped, so that a slow model slows down instead of falling behind for ever. Native calls
are batched: little work waits until it takes `MIN_CHUNK` or a tick has passed, much work is cut at `MAX_CHUNK` so that
commands are handled soon.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median

# beside a busy GUI thread, calls of 2 ms reach 0.86 of the undisturbed rate, calls of one step 0.41
MIN_CHUNK = 0.002
MAX_CHUNK = 0.008
TICK = 1 / 120
MAX_LAG = 0.1
RATE_WINDOW = 0.5
# native calls over which the time of a step is taken
RECENT_CALLS = 31
# a script whose time grows by more seconds at once has set it
LONGEST_JUMP = 1.0
MIN_SPEED, MAX_SPEED = 1 / 64, 8.0

SPEEDS = tuple(2.0**k for k in range(-6, 4))


def clamp_speed(speed: float) -> float:
    """The speed within the range that the viewer offers."""
    return min(max(speed, MIN_SPEED), MAX_SPEED)


def next_speed(speed: float, direction: int) -> float:
    """One notch faster (+1) or slower (-1) on the scale of powers of two."""
    if direction > 0:
        return next((s for s in SPEEDS if s > speed * 1.001), MAX_SPEED)
    return next((s for s in reversed(SPEEDS) if s < speed * 0.999), MIN_SPEED)


@dataclass(frozen=True)
class Plan:
    """Make `steps` now; if there are none, plan again after `wait` seconds."""

    steps: int
    wait: float


class Pacer:
    """Slows down a loop that steps by itself: how long until wall time has caught up with it."""

    def __init__(self) -> None:
        self._start: tuple[float, float, float] | None = None

    def restart(self) -> None:
        """Owe nothing from here on."""
        self._start = None

    def wait(self, time: float, speed: float, now: float) -> float:
        """Wall seconds to wait at simulated time `time`; 0 if they would be too few to sleep."""
        wall, begin, pace = self._start or (now, time, speed)
        ahead = (time - begin) / speed - (now - wall)
        # a new speed, a time that was set, or steps that take too long: start counting here
        if self._start is None or pace != speed or not -MAX_LAG <= ahead <= LONGEST_JUMP / speed:
            self._start, ahead = (now, time, speed), 0.0
        return ahead if ahead > MIN_CHUNK else 0.0


class StepClock:
    """Keeps simulated time in step with wall time."""

    def __init__(self, timestep: float, speed: float = 1.0) -> None:
        self.timestep = timestep
        self.speed = speed
        self.step_seconds = 0.0
        self._debt = 0.0
        self._planned = 0.0
        self._last_chunk = 0.0
        self._samples: deque[tuple[float, float]] = deque()
        self._recent: deque[float] = deque(maxlen=RECENT_CALLS)
        self._advanced = 0.0

    def resume(self, now: float) -> None:
        """Start here: owe nothing, drop the measured rate."""
        self._debt = 0.0
        self._planned = now
        self._last_chunk = now
        self._advanced = 0.0
        self._samples.clear()
        self._samples.append((now, 0.0))

    def plan(self, now: float) -> Plan:
        """The steps due at `now`. The caller makes them and then calls `record`."""
        # time owed, up to the largest lag
        self._debt += (now - self._planned) * self.speed
        self._planned = now
        self._debt = min(self._debt, max(MAX_LAG * self.speed, self.timestep))
        due = int(self._debt / self.timestep + 1e-9)
        if due == 0:
            return Plan(0, min((self.timestep - self._debt) / self.speed, MAX_LAG))
        # too little work for a native call: wait for more, until the tick is over
        tick_left = self._last_chunk + TICK - now
        if due * self.step_seconds < MIN_CHUNK and tick_left > 1e-6:
            return Plan(0, tick_left)
        # too much for one call: cut it
        longest = max(int(MAX_CHUNK / self.step_seconds), 1) if self.step_seconds else 1
        steps = min(due, longest)
        self._debt -= steps * self.timestep
        return Plan(steps, 0.0)

    def record(self, steps: int, began: float, ended: float, work: float) -> None:
        """Record that `steps` were made between two wall times and took `work` seconds of processor time."""
        seconds = max(work, 1e-9) / steps
        self.step_seconds = seconds if not self.step_seconds else 0.8 * self.step_seconds + 0.2 * seconds
        self._recent.append(seconds)
        self._last_chunk = began
        self._advanced += steps * self.timestep
        self._samples.append((ended, self._advanced))
        while len(self._samples) > 2 and self._samples[1][0] < ended - RATE_WINDOW:
            self._samples.popleft()

    @property
    def median_seconds(self) -> float:
        """Seconds of a step, the median of the last native calls; 0 before the first."""
        return median(self._recent) if self._recent else 0.0

    @property
    def rate(self) -> float:
        """Simulated seconds per second of wall time, measured over the last half second."""
        if len(self._samples) < 2:
            return 0.0
        (wall0, sim0), (wall1, sim1) = self._samples[0], self._samples[-1]
        return (sim1 - sim0) / (wall1 - wall0) if wall1 > wall0 else 0.0


class ReplayClock:
    """How many recorded steps to move on: simulated time follows wall time, whatever a step costs."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._owed = 0.0

    def due(self, now: float, speed: float, timestep: float) -> int:
        """Steps since the last call; a gap longer than `MAX_LAG` is dropped."""
        before, self._last = self._last, now
        if before is None:
            return 0
        self._owed += min(now - before, MAX_LAG) * speed / timestep
        steps = int(self._owed)
        self._owed -= steps
        return steps
