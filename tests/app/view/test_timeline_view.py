"""The state of the Timeline panel: where the playhead is shown, and what is shown of the whole."""

from __future__ import annotations

import pytest

from app.run.history.timeline import BranchView, Pace, Timeline
from app.view.timeline_view import PATIENCE, TimelineView

RUN = BranchView(0, last=1000, paces=(Pace(0, 0.0, 0.01),))


def at(now: int) -> Timeline:
    return Timeline((RUN,), now=now)


def test_each_window_has_its_own() -> None:
    one, other = TimelineView(), TimelineView()
    one.compared.add(3)
    assert not other.compared


def test_the_playhead_waits_where_it_was_put() -> None:
    view = TimelineView()
    view.update(at(1000), 0.0)
    assert view.ask(300, at(1000), 0.0) == 300
    assert view.playhead == pytest.approx(3.0)
    # snapshots from before the answer do not move it
    view.update(at(1000), 0.1)
    assert view.playhead == pytest.approx(3.0)
    view.update(at(300), 0.2)
    view.update(at(301), 0.3)
    assert view.playhead == pytest.approx(3.01)


def test_it_does_not_wait_for_ever() -> None:
    view = TimelineView()
    view.update(at(1000), 0.0)
    view.ask(300, at(1000), 0.0)
    view.update(at(1000), PATIENCE + 0.1)
    assert view.playhead == pytest.approx(10.0)


def test_a_step_that_there_is_not() -> None:
    view = TimelineView()
    view.update(at(500), 0.0)
    assert view.ask(2000, at(500), 0.0) == 1000
    assert view.ask(-5, at(500), 0.0) == 0


def test_what_is_shown_follows_a_scrub_to_the_very_edge() -> None:
    view = TimelineView()
    view.update(at(500), 0.0)
    view.span = (4.0, 6.0)
    view.ask(700, at(500), 0.0)
    assert view.span == pytest.approx((5.0, 7.0))
