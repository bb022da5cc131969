"""The reel of moving pictures: which come first, which is shown, how the loop goes."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from app.instruments.sweep import reel as module
from app.instruments.sweep.outcome import Frame, Outcome
from app.instruments.sweep.reel import HOLD, Reel, coarse_to_fine, loop_seconds, state_at
from app.model.views import StateView


def outcome(count: int, seconds: float = 1.0) -> Outcome:
    state = cast("StateView", None)
    return Outcome(0.0, tuple(Frame(float(time), state) for time in np.linspace(0, seconds, count)))


def picture(number: int) -> np.ndarray:
    return np.full((2, 3, 4), number, np.uint8)


def test_coarse_to_fine_has_all_once() -> None:
    assert coarse_to_fine(8) == (0, 4, 2, 6, 1, 5, 3, 7)
    assert coarse_to_fine(0) == () and coarse_to_fine(1) == (0,)
    for count in (5, 24, 48):
        assert sorted(coarse_to_fine(count)) == list(range(count))


def test_all_outcomes_get_their_first_picture_before_any_gets_its_second() -> None:
    reel, outcomes = Reel(), {0: outcome(4), 1: outcome(4), 2: outcome(1)}
    wanted = list(reel.missing(outcomes, (3, 2)))
    assert wanted[:5] == [(0, 0), (1, 0), (2, 0), (0, 2), (1, 2)]
    assert len(wanted) == 9
    reel.pictures[0, 0] = picture(0)
    assert list(reel.missing(outcomes, (3, 2))) == wanted[1:]


def test_pictures_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 4 * 3 * 2 * 2 * 3)
    assert len(list(Reel().missing({0: outcome(9), 1: outcome(9)}, (3, 2)))) == 6


def test_newest_picture_until_the_time() -> None:
    reel, one = Reel(), outcome(5)
    assert reel.picture(0, one, 0.5) is None
    for number in (0, 2, 4):
        reel.pictures[0, number] = picture(number)
    shown = [reel.picture(0, one, time) for time in (0.0, 0.3, 0.5, 0.99, 1.0)]
    assert [int(pixels[0, 0, 0]) for pixels in shown if pixels is not None] == [0, 0, 2, 2, 4]
    # none that early
    del reel.pictures[0, 0]
    assert int(np.ravel(reel.picture(0, one, 0.0))[0]) == 2  # type: ignore[arg-type]


def test_old_pictures_stay_until_there_are_others() -> None:
    reel, one = Reel(), outcome(1)
    reel.begin("a camera")
    reel.pictures[0, 0] = picture(1)
    assert reel.stale({0: one}, 0.0)
    old = reel.picture(0, one, 0.0)
    assert not reel.stale({0: one}, 0.0)
    reel.begin("another camera")
    assert not reel.pictures and reel.picture(0, one, 0.0) is old
    reel.pictures[0, 0] = picture(2)
    assert reel.stale({0: one}, 0.0)
    reel.clear()
    assert reel.picture(0, one, 0.0) is None


def test_loop() -> None:
    reel = Reel()
    assert [loop_seconds(seconds) for seconds in (0.1, 2.0, 60.0)] == [1.0, 2.0, 6.0]
    reel.advance(0.25, 60.0)
    assert reel.time(60.0) == pytest.approx(2.5)
    for _ in range(26):
        reel.advance(0.25, 60.0)
    # it stays at its end, then begins again
    assert reel.position == pytest.approx((27 * 0.25) % (6.0 + HOLD))
    reel.position = 6.2
    assert reel.time(60.0) == 60.0
    reel.playing = False
    reel.advance(0.25, 60.0)
    assert reel.position == 6.2


def test_state_at_a_time() -> None:
    assert [state_at(outcome(5), time) for time in (0.0, 0.26, 0.25, 1.0, 9.0)] == [0, 1, 1, 4, 4]


def test_nothing_is_wanted_of_a_panel_that_was_not_drawn() -> None:
    reel = Reel()
    reel.ask((3, 2))
    reel.end_frame()
    assert reel.wanted == (3, 2)
    reel.end_frame()
    assert reel.wanted is None
