"""What the viewer remembers: written, read back, and no trouble if it cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.files import config, recent
from app.ui import layout_text
from app.view import settings
from app.view.preferences import MAX_FONT_SCALE, MIN_FONT_SCALE, Preferences
from app.view.view_state import ViewState


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for settings of this test alone."""
    monkeypatch.setattr(config.platformdirs, "user_config_dir", lambda _: str(tmp_path / "conf"))
    return tmp_path / "conf"


def test_taste_is_remembered(place: Path) -> None:
    settings.save(
        ViewState(
            prefs=Preferences(light_theme=True, font_scale=1.5, shortcuts=False, show_bottom=True, show_left=False)
        )
    )
    view = ViewState()
    settings.load(view)
    assert (view.prefs.light_theme, view.prefs.font_scale, view.prefs.show_bottom, view.prefs.show_left) == (
        True,
        1.5,
        True,
        False,
    )
    assert not view.prefs.shortcuts
    assert (place / settings.FILE).is_file()


def test_what_a_script_hides_is_the_users_again_next_time(place: Path) -> None:
    settings.save(ViewState(prefs=Preferences(light_theme=True)))
    settings.save(ViewState(unsaved={"show_left"}, prefs=Preferences(light_theme=False, show_left=False)))
    view = ViewState()
    settings.load(view)
    assert (view.prefs.light_theme, view.prefs.show_left) == (False, True)


BAD = ["{", "[1, 2]", '{"font_scale": "large", "light_theme": 3}', "[" * 100_000, "\xff\0", "1" * 5000, " " * (1 << 21)]


@pytest.mark.parametrize("text", BAD)
def test_a_bad_file_changes_nothing_and_is_set_aside(place: Path, text: str) -> None:
    place.mkdir()
    content = text.encode("latin-1")
    (place / settings.FILE).write_bytes(content)
    view = ViewState()
    with pytest.warns(UserWarning, match="settings.json is not used: .*; it was renamed to settings.json.bad"):
        settings.load(view)
    assert (view.prefs.light_theme, view.prefs.font_scale) == (False, 1.0)
    # what somebody may want back is not written over
    settings.save(view)
    assert (place / "settings.json.bad").read_bytes() == content


@pytest.mark.parametrize("text", ["", "\n", '{"camera": 1}', '{"font_scale": 1}'])
def test_a_file_that_says_nothing_of_this_is_no_bad_one(place: Path, text: str) -> None:
    place.mkdir()
    (place / settings.FILE).write_text(text)
    view = ViewState()
    settings.load(view)
    settings.save(view)
    assert (view.prefs.light_theme, view.prefs.font_scale) == (False, 1.0)
    assert [file.name for file in place.iterdir()] == [settings.FILE]


def test_a_file_that_cannot_be_set_aside_is_not_used_either(place: Path) -> None:
    (place / f"{settings.FILE}.bad" / "in the way").mkdir(parents=True)
    (place / settings.FILE).write_text("{")
    with pytest.warns(UserWarning, match="cannot be renamed"):
        settings.load(ViewState())


def test_a_bad_list_of_files_is_set_aside(place: Path) -> None:
    place.mkdir()
    (place / recent.FILE).write_text('{"not": "a list"}')
    with pytest.warns(UserWarning, match="recent.json is not used: it must be a list"):
        assert recent.recent_files() == []
    assert (place / "recent.json.bad").exists()
    names = [str(place), 5, None, "x" * 10_000, "\0", "\ud800", str(place / "recent.json.bad"), *["y"] * 1000]
    (place / recent.FILE).write_text(json.dumps(names))
    assert recent.recent_files() == [place / "recent.json.bad"]


# ---------------------------------------------------------------- places of panels


GOOD = """[Window][Physics]
Pos=-5,35
Size=246,521
Collapsed=0
DockId=0x00000007,1
LastUsed=20261117

[Window][Mine [1] – größer]
DockId=0x00000007

[Table][0x8257A902,3]
RefScale=13
Column 0  Width=19 Order=0 ID=0xC1D04330
Column 1  Weight=0.7755 Visible=-1 Order=1 Sort=0v ID=0xD280B0C4
Column 2
LastUsed=20261117

[Docking][Data]
DockSpace       ID=0x7039376F Window=0x1BBC0F80 Pos=0,35 Size=1400,837 Split=X
  DockNode      ID=0x00000001 Parent=0x7039376F SizeRef=246,900 HiddenTabBar=1 Selected=0xCA59C0CF
  DockNode      ID=0x00000002 Parent=0x7039376F SizeRef=1152,900 CentralNode=1
DockNode        ID=0x00000003 Pos=0,35 Size=14,83
"""


def test_what_imgui_writes_is_accepted() -> None:
    assert layout_text.fault(GOOD) == ""
    assert layout_text.fault(GOOD.replace("\n", "\r\n")) == ""
    assert layout_text.fault("") == ""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Pos=-5,35", "Pos=-5,1000000", "line 2"),
        ("Pos=-5,35", "Pos=%n%n", "line 2"),
        ("Size=246,521", "Size=246,-521", "line 3"),
        ("SizeRef=246,900", "SizeRef=-246,900", "line 20"),
        ("SizeRef=246,900", "SizeRef=40000,900", "line 20"),
        ("Collapsed=0", "Collapsed=" + "9" * 40, "line 4"),
        ("[Window][Physics]\n", "", "line 1 "),
        ("[Window][Physics]", "[Window][Phy\0sics]", "line 1 "),
        ("[Window][Physics]", "[Window][" + "x" * 400 + "]", "line 1 "),
        ("[Window][Physics]", "[Other][Physics]", "line 1 "),
        ("0x8257A902,3", "0x8257A902,-3", "line 11 is not a table header"),
        ("0x8257A902,3", "0x8257A902,999", "line 11 is not a table header"),
        ("0x8257A902,3", "0x8257A902,2", "line 15 is not layout text"),
        ("Weight=0.7755", "Weight=nan", "line 14"),
        ("ID=0x00000002 P", "ID=0x00000001 P", "is zero or not unique"),
        ("ID=0x00000002 P", "ID=0x00000000 P", "is zero or not unique"),
        ("ID=0x00000002 Parent=0x7039376F", "ID=0x00000002 Parent=0x00000002", "the parent of"),
        ("ID=0x00000001 Parent=0x7039376F", "ID=0x00000001 Parent=0x00000003", "the parent of"),
        (" CentralNode=1", " Split=Y", "not split in two"),
        (" Split=X", "", "is not split"),
        ("  DockNode      ID=0x00000002", "# ", "line 21"),
        ("[Docking]", "[Window][x]\n" * 20_000 + "[Docking]", "longer than"),
    ],
)  # fmt: skip
def test_what_imgui_would_not_write_is_refused(old: str, new: str, why: str) -> None:
    assert old in GOOD
    assert why in layout_text.fault(GOOD.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "scale"), [("1000.0", MAX_FONT_SCALE), ("-1.0", MIN_FONT_SCALE), ("NaN", MIN_FONT_SCALE)]
)
def test_fonts_stay_readable(place: Path, text: str, scale: float) -> None:
    place.mkdir()
    (place / settings.FILE).write_text(f'{{"font_scale": {text}}}')
    view = ViewState()
    settings.load(view)
    assert view.prefs.font_scale == scale


def test_a_folder_that_cannot_be_made(place: Path) -> None:
    place.parent.joinpath("conf").write_text("in the way")
    assert config.folder() is None
    settings.save(ViewState())
    view = ViewState()
    settings.load(view)
    assert view.prefs.show_left


def test_a_user_without_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(config.platformdirs, "user_config_dir", lambda _: "~/.config/kinetoscope")
    assert config.folder() is None
    settings.save(ViewState())
    assert not list(tmp_path.iterdir())
