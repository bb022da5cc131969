"""The help overlay: every key once, mouse and camera first, readable in every window."""

from __future__ import annotations

import pytest

from app.input.bindings import BINDINGS
from app.overlays.help import all_groups, filtered, help_overlay, in_columns
from app.view.view_state import ViewState
from tests.app.gui_driver import Gui


def test_mouse_camera_and_time_come_first_and_picture_switches_last() -> None:
    titles = [title for title, _ in all_groups()]
    assert titles[:3] == ["Camera", "Selection", "Time"]
    assert titles[-2:] == ["Rendering", "Groups"]
    first = all_groups()[0][1][0]
    assert first[:2] == ("Left drag", "orbit")


def test_every_key_is_listed_those_of_one_action_in_one_row() -> None:
    rows = [row for _, rows in all_groups() for row in rows]
    listed = " ".join(f"{keys}, " for keys, _, _ in rows)
    digits = {binding.trigger for binding in BINDINGS if binding.group == "Groups"}
    assert all(f"{binding.trigger}," in listed for binding in BINDINGS if binding.trigger not in digits)
    assert ("0 … 5", "geom groups") in [row[:2] for row in rows]
    assert ("F5, F11", "full screen") in [row[:2] for row in rows]
    texts = [(title, text) for title, rows in all_groups() for _, text, _ in rows]
    assert len(set(texts)) == len(texts)


def test_the_filter_finds_keys_texts_and_synonyms() -> None:
    for text in ("zoom", "ctrl+r", "movie", "camera orbit"):
        assert filtered(text), text
    assert [rows[0][1] for _, rows in filtered("gif")] == ["record a video, or stop it"]
    assert filtered("no such thing") == []


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_columns_keep_the_order_and_are_even(count: int) -> None:
    columns = in_columns(all_groups(), count)
    assert [group for column in columns for group in column] == list(all_groups())
    assert len(columns) <= count
    heights = [sum(len(rows) + 2 for _, rows in column) for column in columns]
    longest = max(len(rows) + 2 for _, rows in all_groups())
    assert max(heights) <= sum(heights) / count + longest


@pytest.mark.parametrize("size", [(320, 240), (900, 600), (1400, 900), (2560, 1440)])
def test_it_is_inside_of_every_window(gui: Gui, size: tuple[int, int]) -> None:
    view = ViewState()
    gui.io.display_size = size
    view.ui.show_help = True
    gui.frame(lambda: help_overlay(view), 3)
    assert "orbit" in gui.texts
    left, top, right, bottom = gui.rects["Close"]
    assert 0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]
    view.ui.help_search = "gif"
    gui.texts.clear()
    gui.frame(lambda: help_overlay(view), 2)
    assert "orbit" not in gui.texts and "Ctrl+R" in gui.texts
    view.ui.help_search = "no such thing"
    gui.frame(lambda: help_overlay(view), 2)
    assert any(text.startswith("no key does that") for text in gui.texts)
