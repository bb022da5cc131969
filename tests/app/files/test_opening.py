"""Opening files: the dialog, the gallery, and files opened lately."""

from __future__ import annotations

from pathlib import Path

import pytest
from imgui_bundle import imgui
from PIL import Image

from app.files import config, recent
from app.files.browse import Browse, begin, begin_save, refusal
from app.files.resources import SceneFile, bundled_scenes
from app.render.capture.thumbnails import SCENE_TIMES, SIZE, thumbnail
from app.run.commands import Command, LoadModel, open_command
from app.view.input import actions
from app.view.input.desk import Action
from app.view.view_state import ViewState
from app.window.overlays.file_dialog import file_dialog
from app.window.overlays.gallery import captures_key, gallery, sentence
from app.window.panels.open_menu import open_menu
from tests.app.gui_driver import Gui

# what takes longer never comes, s
SOON = 600.0


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with models, in which settings are kept too."""
    for name in ("arm.xml", "Leg.xml", "note.txt", ".hidden.xml", "robots/hand.xml", "robots/parts/bolt.stl"):
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<mujoco/>")
    monkeypatch.setattr(config, "folder", lambda: tmp_path)
    return tmp_path / "files"


def names(browse: Browse) -> list[str]:
    return [path.name for path in browse.found()]


def test_listing_has_folders_first_and_models_alone(home: Path) -> None:
    assert names(Browse(home)) == ["robots", "arm.xml", "Leg.xml"]
    assert names(Browse(home, "L")) == ["Leg.xml"]
    # a folder that is typed with a slash is listed
    assert names(Browse(home, "robots/")) == ["parts", "hand.xml"]
    assert names(Browse(home / "nowhere")) == []


def test_what_is_typed_names_a_file(home: Path) -> None:
    assert Browse(home, "arm.xml").typed() == home / "arm.xml"
    assert Browse(home, "leg").typed() == home / "Leg.xml"
    assert Browse(home, str(home / "robots" / "hand.xml")).typed() == home / "robots" / "hand.xml"
    assert Browse(home, "m").typed() == home / "arm.xml"
    assert Browse(home, "r").typed() is None
    assert Browse(home, "").typed() is None


@pytest.mark.parametrize("text", ["~nobody-of-this-name/x", "x" * 5000, "\0", "loop", "../../../..", "/nowhere"])
def test_nothing_that_is_typed_is_too_odd(home: Path, text: str) -> None:
    (home / "loop").symlink_to(home / "loop")
    browse = Browse(home, text)
    typed = browse.typed()
    assert typed is None or typed.is_dir()
    browse.enter(home / "loop")
    assert browse.found() == []


def test_a_new_name_is_suggested_and_gets_its_suffix(home: Path) -> None:
    assert begin_save(str(home / "arm.xml")).text == "arm-2.xml"
    assert begin_save(str(home / "robot.urdf")).folder == Path.cwd()
    assert begin_save("").text == "model.xml"
    for text, name in (("new", "new.xml"), ("new.xml", "new.xml"), ("new.MJCF", "new.MJCF"), ("v1.2", "v1.2.xml")):
        assert Browse(home, text, saves=True).target() == home / name
    assert Browse(home, "robots", saves=True).target() == home / "robots"
    assert Browse(home, " ", saves=True).target() is None
    # the list is that of the folder, and the name stays in another one
    browse = Browse(home, "new", saves=True)
    assert names(browse) == ["robots", "arm.xml", "Leg.xml"]
    browse.enter(home / "robots")
    assert browse.target() == (home / "robots" / "new.xml").resolve()


def test_where_no_model_is_saved(home: Path) -> None:
    assert refusal(home / "new.xml") == ""
    assert "no such folder" in refusal(home / "nowhere" / "new.xml")
    assert "bundled scenes" in refusal(bundled_scenes()[0].path.with_name("new.xml"))


def test_dialog_where_the_folder_is_gone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = home / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert begin("").folder.is_dir()
    assert begin("arm.xml").folder.is_dir()
    assert open_command(Path("arm.xml")).start_key is None


def test_an_opened_path_means_the_same_file_in_every_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    assert open_command(Path("arm.xml")).path == str(home / "arm.xml")


@pytest.mark.parametrize("text", ["[" * 100_000, "{", '{"a": 1}'])
def test_a_list_of_recent_files_that_is_none_is_set_aside(home: Path, text: str) -> None:
    (home.parent / recent.FILE).write_text(text)
    with pytest.warns(UserWarning, match="is not used"):
        assert recent.recent_files() == []
    assert (home.parent / f"{recent.FILE}.bad").read_text() == text


@pytest.mark.parametrize("text", ['["\\u0000", 3, null]', f'["{"x" * 5000}"]'])
def test_recent_files_that_make_no_sense_are_left_out(home: Path, text: str) -> None:
    (home.parent / recent.FILE).write_text(text)
    assert recent.recent_files() == []
    recent.add_recent(home / "arm.xml")
    assert recent.recent_files() == [home / "arm.xml"]


def test_dialog_starts_beside_the_model(home: Path) -> None:
    assert begin(str(home / "robots" / "hand.xml")).folder == home / "robots"
    assert begin("").folder == Path.cwd()
    assert begin(str(bundled_scenes()[0].path)).folder == Path.cwd()


def test_recent_files_are_kept_without_doubles_and_without_the_dead(home: Path) -> None:
    first, second = home / "arm.xml", home / "Leg.xml"
    for path in (first, second, first, bundled_scenes()[0].path):
        recent.add_recent(path)
    assert recent.recent_files() == [first, second]
    first.unlink()
    assert recent.recent_files() == [second]


class Opened:
    """What panels send and do."""

    def __init__(self) -> None:
        self.view = ViewState()
        self.sent: list[Command] = []
        self.done: list[Action] = []

    @property
    def path(self) -> str:
        (command,) = self.sent
        assert isinstance(command, LoadModel)
        return command.path


def test_dialog_walks_into_folders_and_opens(gui: Gui, home: Path) -> None:
    opened = Opened()
    opened.view.ui.browse = Browse(home)

    def draw() -> None:
        file_dialog(opened.view, opened.sent.append)

    gui.click(draw, "robots")
    assert opened.view.ui.browse.folder == home / "robots"
    gui.click(draw, "##up")
    assert opened.view.ui.browse.folder == home
    gui.click(draw, "Leg.xml")
    assert opened.path == str(home / "Leg.xml")
    assert opened.view.ui.browse is None


def test_dialog_has_recent_files_and_names_that_are_not_utf8(gui: Gui, home: Path) -> None:
    odd = home / "mod\udce8le.xml"
    odd.touch()
    recent.add_recent(home / "robots" / "hand.xml")
    for label, path in (("hand.xml", home / "robots" / "hand.xml"), ("mod\ufffdle.xml", odd)):
        opened = Opened()
        opened.view.ui.browse = Browse(home)
        gui.click(lambda opened=opened: file_dialog(opened.view, opened.sent.append), label)
        assert opened.path == str(path)


def test_what_is_typed_at_once_is_in_the_field(gui: Gui, home: Path) -> None:
    """Before anyone could read the dialog, Enter is for something else; what is typed stays."""
    opened = Opened()
    opened.view.ui.browse = browse = Browse(home)

    def draw() -> None:
        file_dialog(opened.view, opened.sent.append)

    gui.frame(draw, 3)
    gui.type(draw, "Le")
    assert browse.text == "Le" and not opened.sent
    gui.read(draw)
    gui.type(draw, "g")
    assert opened.path == str(home / "Leg.xml")


def test_gallery_opens_scenes_and_recent_files(gui: Gui, home: Path) -> None:
    recent.add_recent(home / "arm.xml")
    opened = Opened()

    def draw() -> None:
        gallery(opened.view, opened.sent.append, opened.done.append)

    # one view, as in the window: ImGui knows the textures of its pictures by address
    for label, path in (("card arch", "arch.xml"), ("arm.xml", "arm.xml")):
        opened.view.ui.show_gallery = True
        opened.sent.clear()
        gui.click(draw, label)
        assert Path(opened.path).name == path
        assert not opened.view.ui.show_gallery
        assert len(opened.view.ui.thumbnails) == len(bundled_scenes())
    opened.view.ui.show_gallery = True
    gui.click(draw, "Open a file")
    assert opened.done == [actions.open_dialog]


def test_gallery_by_keyboard(gui: Gui, home: Path) -> None:
    opened = Opened()
    opened.view.ui.show_gallery = True

    def draw() -> None:
        gallery(opened.view, opened.sent.append, opened.done.append)

    def press(*keys: imgui.Key) -> None:
        for key in keys:
            for down in (True, False):
                gui.io.add_key_event(key, down)
                gui.frame(draw)

    key = imgui.Key
    gui.frame(draw, 2)
    # up and left of the first there is nothing
    press(key.up_arrow, key.left_arrow)
    assert opened.view.ui.gallery_card == 0
    press(key.right_arrow, key.right_arrow, key.left_arrow)
    assert opened.view.ui.gallery_card == 1
    press(key.down_arrow)
    columns = opened.view.ui.gallery_card - 1
    assert columns > 1
    press(key.up_arrow, key.enter)
    assert opened.path == str(bundled_scenes()[1].path)
    assert not opened.view.ui.show_gallery


def test_open_gallery_keeps_plain_keys_to_itself() -> None:
    view = ViewState()
    triggers = ("Right arrow", "Space", "Backspace", "C", "Ctrl+O", "Ctrl+Q", "F1")
    assert not any(captures_key(view, trigger) for trigger in triggers)
    view.ui.show_gallery = True
    assert [captures_key(view, trigger) for trigger in triggers] == [True] * 4 + [False] * 3


def test_menu_of_the_toolbar(gui: Gui, home: Path) -> None:
    recent.add_recent(home / "arm.xml")
    opened = Opened()

    def draw() -> None:
        open_menu(opened.view, opened.sent.append, opened.done.append)

    gui.click(draw, "Open##menu")
    gui.click(draw, "Scenes…")
    gui.click(draw, "Open##menu")
    gui.click(draw, "arm.xml")
    assert opened.done == [actions.gallery]
    assert opened.path == str(home / "arm.xml")


@pytest.mark.parametrize("scene", bundled_scenes(), ids=lambda scene: scene.name)
def test_every_scene_has_its_picture_and_sentence(scene: SceneFile) -> None:
    with Image.open(thumbnail(scene)) as picture:
        assert picture.size == SIZE
        assert max(high for _, high in picture.convert("RGB").getextrema()) > 100
    assert 10 < len(sentence(scene)) < 140
    assert sentence(scene).endswith(".")
    assert set(SCENE_TIMES) <= {known.name for known in bundled_scenes()}
