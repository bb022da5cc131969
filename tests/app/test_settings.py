"""What the viewer remembers: written, read back, and no trouble if it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings
from app.state import MAX_FONT_SCALE, MIN_FONT_SCALE, ViewState


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


def test_what_a_script_hides_is_the_users_again_next_time(place: Path) -> None:
    settings.save(ViewState(light_theme=True))
    settings.save(ViewState(light_theme=False, show_left=False, passing={"show_left"}))
    view = ViewState()
    settings.load(view)
    assert (view.light_theme, view.show_left) == (False, True)


BAD = ["", "{", "[1, 2]", '{"font_scale": "large", "light_theme": 3}', '{"camera": 1}', "[" * 100_000, "\xff\0"]


@pytest.mark.parametrize("text", BAD)
def test_a_bad_file_changes_nothing(place: Path, text: str) -> None:
    place.mkdir()
    (place / settings.FILE).write_bytes(text.encode("latin-1"))
    view = ViewState()
    settings.load(view)
    assert (view.light_theme, view.font_scale) == (False, 1.0)


@pytest.mark.parametrize(
    ("text", "scale"), [("1000.0", MAX_FONT_SCALE), ("-1.0", MIN_FONT_SCALE), ("NaN", MIN_FONT_SCALE)]
)
def test_fonts_stay_readable(place: Path, text: str, scale: float) -> None:
    place.mkdir()
    (place / settings.FILE).write_text(f'{{"font_scale": {text}}}')
    view = ViewState()
    settings.load(view)
    assert view.font_scale == scale


def test_a_folder_that_cannot_be_made(place: Path) -> None:
    place.parent.joinpath("conf").write_text("in the way")
    assert settings.folder() is None
    settings.save(ViewState())
    view = ViewState()
    settings.load(view)
    assert view.show_left


def test_a_user_without_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings.platformdirs, "user_config_dir", lambda _: "~/.config/kinetoscope")
    assert settings.folder() is None
    settings.save(ViewState())
    assert not list(tmp_path.iterdir())
