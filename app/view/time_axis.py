"""The time axis of the timeline: times and pixels, ticks and their labels, zoom, pan, and what is kept in sight."""

from __future__ import annotations

import math
from dataclasses import dataclass

Span = tuple[float, float]

# distances between labelled ticks, s, and into how many parts short ticks divide them
STEPS = ((1, 5), (2, 4), (5, 5), (10, 5), (15, 3), (30, 3), (60, 6), (120, 4), (300, 5), (600, 5), (900, 3), (1800, 3),
         (3600, 6), (7200, 4), (21600, 6), (43200, 4), (86400, 4))  # fmt: skip
FINE_STEPS = ((1, 5), (2, 4), (5, 5))
MINUTE, HOUR = 60.0, 3600.0


@dataclass(frozen=True)
class Tick:
    """A mark of the axis; a short one has no label."""

    time: float
    label: str = ""


@dataclass(frozen=True)
class TimeAxis:
    """The times `first` to `last`, drawn from `left` over `width` pixels."""

    first: float
    last: float
    left: float
    width: float

    @property
    def scale(self) -> float:
        """Pixels per second."""
        return self.width / (self.last - self.first)

    def place(self, time: float) -> float:
        """The pixel of a time."""
        return self.left + (time - self.first) * self.scale

    def time(self, x: float) -> float:
        """The time of a pixel."""
        return self.first + (x - self.left) / self.scale

    def ticks(self, least: float) -> tuple[float, list[Tick]]:
        """The distance of labelled ticks, at least `least` pixels, and all ticks in sight."""
        step, parts = tick_step(least / self.scale)
        short = step / parts
        begin, end = math.ceil(self.first / short - 1e-9), math.floor(self.last / short + 1e-9)
        return step, [Tick(k * short, "" if k % parts else clock_text(k * short, step)) for k in range(begin, end + 1)]

    def zoomed(self, x: float, factor: float, whole: Span, least: float) -> Span | None:
        """The span after a zoom that keeps the time at a pixel; None if that shows the whole."""
        return self._fitted(self.time(x), (self.last - self.first) / factor, x, whole, least)

    def panned(self, pixels: float, whole: Span) -> Span | None:
        """The span after its content was dragged to the right by some pixels."""
        length = self.last - self.first
        return self._fitted(self.time(self.left - pixels), length, self.left, whole, length)

    def _fitted(self, time: float, length: float, x: float, whole: Span, least: float) -> Span | None:
        """A span of a length with a time at a pixel, moved into the whole."""
        length = max(length, least)
        if length >= (whole[1] - whole[0]) * (1 - 1e-9):
            return None
        first = time - (x - self.left) / self.width * length
        first = min(max(first, whole[0]), whole[1] - length)
        return first, first + length


def tick_step(least: float) -> tuple[float, int]:
    """The smallest round distance of at least `least` seconds, and how many short ticks divide it."""
    if not least > 0:
        return 1.0, 5
    if least <= 1:
        power = 10.0 ** math.floor(math.log10(least))
        for factor, parts in (*FINE_STEPS, (10, 5)):
            if factor * power >= least * (1 - 1e-9):
                return factor * power, parts
    for step, parts in STEPS:
        if step >= least:
            return float(step), parts
    return math.ceil(least / 86400) * 86400.0, 4


def clock_text(time: float, step: float = 1.0) -> str:
    """A time as seconds, 1:02 or 1:02:33, as fine as ticks at a distance of `step` need it."""
    decimals = min(max(-math.floor(math.log10(step) + 1e-9), 0), 9) if step < 1 else 0
    time = round(time, decimals) + 0.0
    sign, size = ("-" if time < 0 else ""), abs(time)
    if size < MINUTE:
        return f"{sign}{size:.{decimals}f} s"
    hours, rest = divmod(size, HOUR)
    minutes, seconds = divmod(rest, MINUTE)
    # rounding may have made a minute of 59.9996 s
    shown = f"{seconds:0{3 + decimals if decimals else 2}.{decimals}f}"
    return f"{sign}{int(hours)}:{int(minutes):02}:{shown}" if hours else f"{sign}{int(minutes)}:{shown}"


def follow(span: Span | None, before: float, now: float, whole: Span, margin: float) -> Span | None:
    """The span when the playhead has moved: it stays in sight, `margin` of the width from the edge, if it was."""
    if span is None or not span[0] <= before <= span[1]:
        return span
    length = span[1] - span[0]
    low, high = span[0] + margin * length, span[1] - margin * length
    if now > high and now > before:
        first = span[0] + now - high
    elif now < low and now < before:
        first = span[0] + now - low
    else:
        return span
    first = min(max(first, whole[0]), max(whole[1] - length, whole[0]))
    return first, first + length
