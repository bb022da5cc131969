"""The state of the Timeline panel."""

from __future__ import annotations

from app.view.timeline_view import TimelineView


def test_each_window_has_its_own() -> None:
    one, other = TimelineView(), TimelineView()
    one.compared.add(3)
    assert not other.compared
