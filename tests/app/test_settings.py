"""What the viewer remembers: written, read back, and no trouble if it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings
from app.state import MAX_FONT_SCALE, ViewState


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for settings of this test alone."""
    monkeypatch.setattr(settings.platformdirs, "user_config_dir", lambda _: str(tmp_path / "conf"))
    return tmp_path / "conf"


def test_taste_is_remembered(place: Path) -> None:
    settings.save(ViewState(light_theme=True, font_scale=1.5, shortcuts=False, show_bottom=True, show_left=False))
    view = ViewState()
    settings.load(view)
    assert (view.light_theme, view.font_scale, view.show_bottom, view.show_left) == (True, 1.5, True, False)
    assert not view.shortcuts
    assert (place / settings.FILE).is_file()


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"font_scale": "large", "light_theme": 3}', '{"camera": 1}'])
def test_a_bad_file_changes_nothing(place: Path, text: str) -> None:
    place.mkdir()
    (place / settings.FILE).write_text(text)
    view = ViewState()
    settings.load(view)
    assert (view.light_theme, view.font_scale) == (False, 1.0)


def test_fonts_stay_readable(place: Path) -> None:
    place.mkdir()
    (place / settings.FILE).write_text('{"font_scale": 1000.0}')
    view = ViewState()
    settings.load(view)
    assert view.font_scale == MAX_FONT_SCALE


def test_a_folder_that_cannot_be_made(place: Path) -> None:
    place.parent.joinpath("conf").write_text("in the way")
    assert settings.folder() is None
    settings.save(ViewState())
    view = ViewState()
    settings.load(view)
    assert view.show_left
