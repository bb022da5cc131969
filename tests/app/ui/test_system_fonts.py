"""Names in every script: letters that the bundled fonts lack come from fonts of the system, and only then."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import imgui_bundle
import numpy as np
import pytest
from imgui_bundle import imgui

from app.scene.camera import View
from app.ui import system_fonts, theme
from app.ui.window import Window
from app.view.rect import Rect
from app.view.script.layer import ScriptLayer
from app.window.overlays.script.layer import script_panels
from app.window.overlays.view.marks import draw_labels
from tests.app.gui_driver import Gui

# a font that has U+F04B, which the bundled text fonts do not
ICONS = Path(imgui_bundle.__file__).parent / "assets" / "fonts" / "Font_Awesome_6_Free-Solid-900.otf"
# from above on the origin
VIEW = View(np.array([0.0, 0.0, 3.0]), np.eye(3), 45.0, 0.01, 100.0)


def count() -> int:
    """How many files the fonts are made of."""
    return sum(len(face.sources) for face in theme.fonts().values())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Notes each search for fonts of the system; there is one, without anything new."""
    calls: list[None] = []

    def search() -> tuple[Path, ...]:
        calls.append(None)
        return (ICONS,)

    monkeypatch.setattr(theme, "system_fonts", search)
    return calls


@pytest.mark.parametrize("text", ["torso", "Größe œuvre Łódź", "αβΩλ", "Жїћя", "m²·µ° → …"])
def test_the_bundled_fonts_have_letters_of_europe(gui: Gui, asked: list[None], text: str) -> None:
    before = count()
    theme.ensure_glyphs(text)
    assert (count(), asked) == (before, [])
    for name, face in theme.fonts().items():
        missing = [letter for letter in text if not face.is_glyph_in_font(ord(letter)) and letter != " "]
        assert not missing, name


def test_a_font_of_the_system_is_merged_once_and_looked_for_once(gui: Gui, asked: list[None]) -> None:
    before = count()
    theme.ensure_glyphs("躯干")
    assert count() == before + len(theme.fonts())
    searches = len(asked)
    for _ in range(3):
        theme.ensure_glyphs("躯干", "干")
    assert len(asked) == searches
    theme.ensure_glyphs("腿")
    assert count() == before + len(theme.fonts())
    # and it can be drawn with
    gui.frame(lambda: imgui.text("躯干 \uf04b"), 2)


def test_what_cannot_be_seen_is_not_looked_for(gui: Gui, asked: list[None]) -> None:
    before = count()
    theme.ensure_glyphs("Größe\n\tand more\u200c")
    assert (count(), asked) == (before, [])


def test_a_glyph_that_was_lacking_is_there(gui: Gui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(theme, "system_fonts", lambda: (ICONS,))
    mono = theme.fonts()["mono"]
    assert not mono.is_glyph_in_font(0xF04B)
    theme.ensure_glyphs("躯")
    assert mono.is_glyph_in_font(0xF04B)


def test_what_is_typed_can_be_read(gui: Gui, asked: list[None]) -> None:
    before = count()

    def draw() -> None:
        imgui.input_text_with_hint("##words", "search", "")
        theme.ensure_typed_glyphs()

    gui.click(draw, "##words")
    assert count() == before
    gui.io.add_input_character(ord("躯"))
    gui.frame(draw, 2)
    assert count() == before + len(theme.fonts())


def test_names_and_labels_of_a_script_can_be_read(gui: Gui, asked: list[None]) -> None:
    before = count()
    layer = ScriptLayer()
    layer.texts["躯"] = "1"
    gui.frame(lambda: script_panels(layer, Rect(0, 0, 400, 300)), 6)
    assert count() == before + len(theme.fonts())
    asked.clear()
    label = (np.zeros(3), "干")
    gui.frame(lambda: draw_labels([label], VIEW, Rect(0, 0, 400, 300)))
    assert asked


def test_without_any_font_nothing_happens(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theme, "system_fonts", lambda: ())
    before = count()
    theme.ensure_glyphs("躯干")
    assert count() == before
    gui.frame(lambda: imgui.text("躯干"), 2)


@pytest.mark.parametrize(
    ("text", "kept"), [("a\u00a0b", "a\u00a0b"), ("\u3000", "\u3000"), ("می\u200cخ", "می\u200cخ"), ("a\r\x7f", "a")]
)
def test_all_but_control_characters_can_be_typed(text: str, kept: str) -> None:
    written: list[str] = []
    window: Any = SimpleNamespace(events=0, _input=SimpleNamespace(put_text=written.append))
    Window.on_text(window, "\r")
    assert not written
    Window.on_text(window, text)
    assert written == [kept]


def test_known_fonts_are_found_in_folders_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_fonts, "FOLDERS", (f"{tmp_path}/nowhere", "${FONT_HOME}/fonts"))
    monkeypatch.setenv("FONT_HOME", str(tmp_path))
    folder = tmp_path / "fonts" / "truetype" / "wqy"
    folder.mkdir(parents=True)
    (folder / "wqy-microhei.ttc").write_bytes(b"ttcf and so on")
    (folder / "NotoSansCJK-Regular.ttc").write_bytes(b"ttcf and so on")
    (folder / "DejaVuSans.ttf").write_text("this is not a font")
    (folder / "unknown.ttf").write_bytes(b"\0\1\0\0")
    os.symlink(tmp_path / "gone", folder / "malgun.ttf")
    names = [path.name for path in system_fonts.system_fonts.__wrapped__()]
    assert names == ["NotoSansCJK-Regular.ttc", "wqy-microhei.ttc"]
