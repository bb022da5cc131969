"""The frame rate beside a script's loop (app/window/frame_pace.py): arithmetic, with times that the tests set."""

from __future__ import annotations

import threading

import pytest

from app.window import frame_pace
from app.window.frame_pace import (
    BUDGET,
    BUSY_SHARE,
    GAP,
    INPUT_SECONDS,
    LONGEST,
    FramePace,
    busy_seconds,
    frame_interval,
)

LONG_AGO = 100.0


def test_beside_a_script_that_does_not_sleep_frames_take_their_share() -> None:
    assert frame_interval(0.004, 1.0, LONG_AGO) == pytest.approx(0.004 / BUDGET)
    # but one comes now and then, however slow they are
    assert frame_interval(10.0, 1.0, LONG_AGO) == LONGEST


@pytest.mark.parametrize(("share", "since_input"), [(0.9 * BUSY_SHARE, LONG_AGO), (1.0, 0.5 * INPUT_SECONDS)])
def test_a_script_that_sleeps_and_a_user_who_works_get_every_frame(share: float, since_input: float) -> None:
    assert frame_interval(0.02, share, since_input) == 0.0


def drawn(pace: FramePace, monkeypatch: pytest.MonkeyPatch, share: float, frames: int = 40) -> float:
    """Frames of 10 ms, 5 ms of which wait for the screen, beside a script that is busy for a share of the rest."""
    busy, now = 0.0, 0.0
    monkeypatch.setattr(frame_pace, "busy_seconds", lambda _: busy)
    for _ in range(frames):
        pace.begin(1, now)
        now += 0.010
        pace.end(1, now, 0.005)
        busy += 0.020 * share
        now += 0.020
    return now


def test_the_scripts_share_is_measured_between_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    pace = FramePace()
    now = drawn(pace, monkeypatch, 1.0) + LONG_AGO
    assert pace.script_share == pytest.approx(1.0, abs=0.01)
    assert pace.interval(now) == pytest.approx(0.005 / BUDGET, rel=0.01)
    assert pace.note(now)
    now = drawn(pace, monkeypatch, 0.3)
    assert pace.script_share == pytest.approx(0.3, abs=0.01)
    assert not pace.note(now + LONG_AGO)


def test_a_frame_is_due_after_the_interval_and_soon_after_input(monkeypatch: pytest.MonkeyPatch) -> None:
    pace = FramePace()
    # the window's first look counts as input
    assert pace.due(1, 5, 0.0)
    # by the last frame that is long ago
    now = drawn(pace, monkeypatch, 1.0)
    began = now - 0.030
    assert not pace.due(1, 5, began + 0.9 * 0.005 / BUDGET)
    assert pace.due(1, 5, began + 1.1 * 0.005 / BUDGET)
    # the user moves the mouse
    assert pace.due(1, 6, now)
    # however fast: the script's share is measured in between
    assert not pace.due(1, 6, began + 0.010 + 0.5 * GAP)
    # without a script there is nobody to wait for
    assert pace.due(None, 6, began)


def test_a_thread_that_works_is_busy_and_one_that_has_ended_is_not() -> None:
    before = busy_seconds(threading.get_native_id())
    while busy_seconds(threading.get_native_id()) <= before:
        pass
    assert busy_seconds(2**22 + 1) == 0.0
