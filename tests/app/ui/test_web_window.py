"""The window in browsers: when its loop turns."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from app.ui import web_window
from app.ui.web_window import RATE, WebWindow


def test_what_wakes_the_loop_does_not_slow_it_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page says soon after each picture that it was drawn; the next turn comes in time all the same."""
    clock, on_time = [0.0], [0]
    window: Any = SimpleNamespace(_ended=False, busy=False, _hear=lambda news: None)

    def wait(seconds: float) -> None:
        woken = not on_time[0] % 2 and seconds > 0.003
        clock[0] += 0.003 if woken else max(seconds, 1e-4)
        on_time[0] += 1

    def frame() -> None:
        turns.append(clock[0])
        window._ended = clock[0] > 1.0

    turns: list[float] = []
    news = SimpleNamespace(wait=wait)
    window._server = SimpleNamespace(take=list, takes=True, watched=True, news=news)
    monkeypatch.setattr(web_window, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    WebWindow.run(window, frame, lambda: None)
    # of all turns half are those that were woken
    assert 0.9 * RATE <= len(turns) / 2 <= 1.1 * RATE
