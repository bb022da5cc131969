"""Opening files: the dialog, the gallery, files opened lately, and files that change on disk."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from PIL import Image

from app import recent, settings
from app.bindings import Action
from app.browse import Browse, begin
from app.commands import Command, LoadModel
from app.panels.file import file_dialog, open_menu
from app.panels.gallery import gallery, sentence
from app.panels.record import record_button
from app.resources import SceneFile, bundled_scenes
from app.state import ViewState
from app.thumbnails import MOMENTS, SIZE, thumbnail
from app.watching import Watcher, files_of
from tests.app.fake_engine import FakeEngine
from tests.app.gui_driver import Gui

SOON = 20.0


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with models, in which settings are kept too."""
    for name in ("arm.xml", "Leg.xml", "note.txt", ".hidden.xml", "robots/hand.xml", "robots/parts/bolt.stl"):
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<mujoco/>")
    monkeypatch.setattr(settings, "folder", lambda: tmp_path)
    return tmp_path / "files"


def names(browse: Browse) -> list[str]:
    return [path.name for path in browse.found()]


def test_listing_has_folders_first_and_models_alone(home: Path) -> None:
    assert names(Browse(home)) == ["robots", "arm.xml", "Leg.xml"]
    assert names(Browse(home, "L")) == ["Leg.xml"]
    assert names(Browse(home / "nowhere")) == []


def test_what_is_typed_names_a_file(home: Path) -> None:
    assert Browse(home, "arm.xml").typed() == home / "arm.xml"
    assert Browse(home, "leg").typed() == home / "Leg.xml"
    assert Browse(home, str(home / "robots" / "hand.xml")).typed() == home / "robots" / "hand.xml"
    assert Browse(home, "m").typed() == home / "arm.xml"
    assert Browse(home, "r").typed() is None
    assert Browse(home, "").typed() is None


def test_dialog_starts_beside_the_model(home: Path) -> None:
    assert begin(str(home / "robots" / "hand.xml")).folder == home / "robots"
    assert begin("").folder == Path.cwd()
    assert begin(str(bundled_scenes()[0].path)).folder == Path.cwd()


def test_recent_files_are_kept_without_doubles_and_without_the_dead(home: Path) -> None:
    first, second = home / "arm.xml", home / "Leg.xml"
    for path in (first, second, first, bundled_scenes()[0].path):
        recent.remember(path)
    assert recent.recent_files() == [first, second]
    first.unlink()
    assert recent.recent_files() == [second]
    (home.parent / recent.FILE).write_text("{")
    assert recent.recent_files() == []


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
    opened.view.browse = Browse(home)

    def draw() -> None:
        file_dialog(opened.view, opened.sent.append)

    gui.click(draw, "robots")
    assert opened.view.browse.folder == home / "robots"
    gui.click(draw, "##up")
    assert opened.view.browse.folder == home
    gui.click(draw, "Leg.xml")
    assert opened.path == str(home / "Leg.xml")
    assert opened.view.browse is None


def test_gallery_opens_scenes_and_recent_files(gui: Gui, home: Path) -> None:
    recent.remember(home / "arm.xml")
    opened = Opened()

    def draw() -> None:
        gallery(opened.view, opened.sent.append, opened.done.append)

    # one view, as in the window: ImGui knows the textures of its pictures by address
    for label, path in (("card arch", "arch.xml"), ("arm.xml", "arm.xml")):
        opened.view.show_gallery = True
        opened.sent.clear()
        gui.click(draw, label)
        assert Path(opened.path).name == path
        assert not opened.view.show_gallery
        assert len(opened.view.pictures) == len(bundled_scenes())
    opened.view.show_gallery = True
    gui.click(draw, "Open a file")
    assert opened.done == [Action.OPEN]


def test_menu_of_the_toolbar(gui: Gui, home: Path) -> None:
    recent.remember(home / "arm.xml")
    opened = Opened()

    def draw() -> None:
        open_menu(opened.view, opened.sent.append, opened.done.append)

    gui.click(draw, "Open##menu")
    gui.click(draw, "Scenes…")
    gui.click(draw, "Open##menu")
    gui.click(draw, "arm.xml")
    assert opened.done == [Action.GALLERY]
    assert opened.path == str(home / "arm.xml")


def test_record_button_and_its_options(gui: Gui) -> None:
    opened = Opened()

    def draw() -> None:
        record_button(opened.view, opened.done.append)

    gui.click(draw, "##record")
    assert opened.done == [Action.RECORD]
    gui.click(draw, "##record", button=1)
    for label, option in (("gif", "gif"), ("With panels", "panels"), ("Wall time", "wall_time")):
        gui.click(draw, label)
        assert getattr(opened.view.film_options, option) is True


@pytest.mark.parametrize("scene", bundled_scenes(), ids=lambda scene: scene.name)
def test_every_scene_has_its_picture_and_sentence(scene: SceneFile) -> None:
    with Image.open(thumbnail(scene)) as picture:
        assert picture.size == SIZE
        assert max(high for _, high in picture.convert("RGB").getextrema()) > 100
    assert 10 < len(sentence(scene)) < 140
    assert sentence(scene).endswith(".")
    assert set(MOMENTS) <= {known.name for known in bundled_scenes()}


def test_files_of_a_model(home: Path) -> None:
    main = home / "main.xml"
    main.write_text(
        "<mujoco><compiler meshdir='robots/parts'/><include file='arm.xml'/>"
        "<asset><mesh file='bolt.stl'/><mesh file='absent.stl'/><model file='robots/hand.xml'/></asset></mujoco>"
    )
    (home / "arm.xml").write_text('<mujocoinclude><include file = "main.xml"/></mujocoinclude>')
    files = {path.relative_to(home).as_posix() for path in files_of(main)}
    assert files == {"main.xml", "arm.xml", "robots/hand.xml", "robots/parts/bolt.stl"}
    assert files_of(home / "nowhere.xml") == set()


def test_saved_files_are_noticed_and_others_are_not(home: Path) -> None:
    changed = threading.Event()
    watcher = Watcher(changed.set)
    watcher.watch(str(home / "arm.xml"))
    end = time.monotonic() + SOON
    # the watch takes a moment to begin
    while not changed.wait(0.3) and time.monotonic() < end:
        (home / "Leg.xml").write_text("<mujoco/>")
        (home / "new.xml").write_text(f"<mujoco model='{time.monotonic()}'/>")
        (home / "new.xml").replace(home / "arm.xml")
    assert changed.is_set()
    time.sleep(1.0)
    changed.clear()
    (home / "Leg.xml").write_text("<mujoco model='leg'/>")
    assert not changed.wait(1.0)
    watcher.close()
    (home / "arm.xml").write_text("<mujoco model='arm'/>")
    assert not changed.wait(1.0)


def test_a_file_that_could_not_be_opened_is_watched_too(fake_engine: FakeEngine, home: Path) -> None:
    from app.sim_thread import SimThread

    broken = home / "broken.xml"
    broken.write_text("<mujoco>")
    simulation = SimThread(fake_engine)
    simulation.start()
    simulation.send(LoadModel(str(broken)))
    simulation.wait_for_model(SOON)
    first = simulation.latest.run.problem
    assert first is not None
    end = time.monotonic() + SOON
    while simulation.latest.run.problem is first and time.monotonic() < end:
        broken.write_text(f"<mujoco model='{time.monotonic()}'>")
        time.sleep(0.3)
    assert simulation.latest.run.problem is not first
    simulation.close()
