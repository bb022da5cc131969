"""Files that change on disk: which changes are noticed, and that the model is read again."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import sim
from app.files.file_watch import POLL_SECONDS, Watcher
from app.run.commands import Cancel, LoadModel
from app.run.sim_thread import SimThread
from sim.file_stamp import stamps
from tests.app.fake_engine import FakeEngine, FakeModel
from tests.app.run.test_sim_thread import wait_for
from tests.patience import PATIENCE
from tests.sim.mjcf.asset_files import CORNERS, FACES, stl


class Seen:
    """A watch on files, that says what it reports."""

    def __init__(self, files: Iterable[Path]) -> None:
        self._told = threading.Event()
        self.changed: list[Path] = []
        self._watcher = Watcher(self._tell)
        self._watcher.watch(stamps(files))

    def _tell(self, changed: list[Path]) -> None:
        self.changed = changed
        self._told.set()

    def change(self) -> list[Path]:
        """The files of the next one."""
        assert self._told.wait(PATIENCE)
        self._told.clear()
        return self.changed

    def nothing(self) -> bool:
        """Whether none is reported during several polls."""
        return not self._told.wait(6 * POLL_SECONDS)

    def close(self) -> None:
        self._watcher.close()


def test_saved_files_are_noticed_and_others_are_not(tmp_path: Path) -> None:
    file, other = tmp_path / "arm.xml", tmp_path / "leg.xml"
    file.write_text("<mujoco/>")
    seen = Seen([file])
    # at once after the call
    file.write_text("<mujoco model='first'/>")
    assert seen.change() == [file]
    # as many editors do: a new file in place of the old one
    other.write_text("<mujoco model='other'/>")
    other.replace(file)
    assert seen.change() == [file]
    other.write_text("<mujoco model='leg'/>")
    assert seen.nothing()
    seen.close()
    file.write_text("<mujoco model='arm'/>")
    assert seen.nothing()


def test_files_and_folders_that_go_and_come_back(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    main, part = tmp_path / "hand.xml", parts / "bolt.stl"
    parts.mkdir()
    main.write_text("<mujoco/>")
    part.write_text("solid")
    seen = Seen([main, part])
    main.unlink()
    assert seen.change() == [main]
    main.mkdir()
    assert seen.change() == [main]
    main.rmdir()
    main.write_text("<mujoco/>")
    assert seen.change() == [main]
    # a file of another folder, with the folder
    parts.rename(tmp_path / "away")
    assert seen.change() == [part]
    (tmp_path / "away").rename(parts)
    assert seen.change() == [part]
    seen.close()


def test_a_watch_on_what_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "later.xml"
    seen = Seen([file])
    assert seen.nothing()
    file.write_text("<mujoco/>")
    assert seen.change() == [file]
    seen.close()


def test_a_change_before_the_watch_began_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "a.xml"
    before = stamps([file])
    file.write_text("<mujoco/>")
    told = threading.Event()
    watcher = Watcher(lambda _: told.set())
    watcher.watch(before)
    assert told.wait(PATIENCE)
    watcher.close()


class Reader(FakeEngine):
    """Reads models with the real compiler; `read` counts how many, or has failed to."""

    def __init__(self) -> None:
        super().__init__()
        self.read = threading.Semaphore(0)

    def load(self, path: str) -> FakeModel:
        """Read a model; it is not handed over before `load_gate` opens."""
        try:
            model = FakeModel(path, self)
            model.files = sim.load(path).files
            return model
        finally:
            self.read.release()
            self.load_gate.wait(PATIENCE)

    def wait(self) -> bool:
        """Wait until one more model has been read."""
        return self.read.acquire(timeout=PATIENCE)

    def idle(self) -> bool:
        """Whether no model is read during several polls."""
        return not self.read.acquire(timeout=6 * POLL_SECONDS)


class Reading:
    """A simulation that reads the model in a folder."""

    def __init__(self, folder: Path) -> None:
        self.main, self.engine = folder / "main.xml", Reader()
        self.thread = SimThread(self.engine)
        self.thread.start()

    def open(self, text: str) -> None:
        self.main.write_text(text)
        self.thread.send(LoadModel(str(self.main)))
        assert self.engine.wait()

    def close(self) -> None:
        self.engine.load_gate.set()
        self.thread.close()


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[Reading]:
    """A simulation that has started."""
    simulation = Reading(tmp_path)
    yield simulation
    simulation.close()


MODEL = """<mujoco><compiler meshdir="meshes"/><include file="parts/body.xml"/>
<asset><mesh file="m.stl"/><model name="arm" file="arm.xml"/></asset></mujoco>"""


def write_parts(folder: Path) -> None:
    for name in ("meshes", "parts"):
        (folder / name).mkdir()
    (folder / "meshes/m.stl").write_bytes(stl(CORNERS, FACES))
    (folder / "parts/body.xml").write_text("<mujocoinclude><worldbody><geom size='1'/></worldbody></mujocoinclude>")
    (folder / "arm.xml").write_text("<mujoco/>")


def test_every_file_of_a_model_is_watched(reading: Reading, tmp_path: Path) -> None:
    write_parts(tmp_path)
    reading.open(MODEL)
    for name in ("main.xml", "parts/body.xml", "meshes/m.stl", "arm.xml"):
        assert reading.engine.idle()
        # in one step each, so that each is noticed once
        file, away = tmp_path / name, tmp_path / "away"
        file.rename(away)
        # it fails, and the files are still known
        assert reading.engine.wait()
        wait_for(reading.thread, lambda s: s.run.problem is not None)
        away.rename(file)
        assert reading.engine.wait()
        wait_for(reading.thread, lambda s: s.run.problem is None)


@pytest.mark.parametrize("place", ["meshes/m.stl", "meshes/parts/m.stl", "parts/m.stl"])
def test_a_missing_mesh_comes_into_being(place: str, reading: Reading, tmp_path: Path) -> None:
    """Wherever it is looked for."""
    write_parts(tmp_path)
    (tmp_path / "meshes/m.stl").unlink()
    (tmp_path / "parts/body.xml").write_text('<mujocoinclude><asset><mesh file="m.stl"/></asset></mujocoinclude>')
    reading.open('<mujoco><compiler meshdir="meshes"/><include file="parts/body.xml"/></mujoco>')
    wait_for(reading.thread, lambda s: s.run.problem is not None)
    assert reading.engine.idle()
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_bytes(stl(CORNERS, FACES))
    assert reading.engine.wait()
    wait_for(reading.thread, lambda s: s.run.problem is None and s.model is not None)


@pytest.mark.parametrize("text", ["", "<mujoco", "\0", "<mujoco><include file='none.xml'/></mujoco>"])
def test_a_broken_main_file_is_watched(text: str, reading: Reading) -> None:
    reading.open(text)
    wait_for(reading.thread, lambda s: s.run.problem is not None)
    assert reading.engine.idle()
    reading.main.write_text("<mujoco/>")
    assert reading.engine.wait()
    wait_for(reading.thread, lambda s: s.run.problem is None and s.model is not None)


def test_a_file_saved_while_the_model_is_compiled_is_read_again(reading: Reading, tmp_path: Path) -> None:
    write_parts(tmp_path)
    reading.engine.load_gate.clear()
    reading.open(MODEL)
    # read, but not yet compiled
    (tmp_path / "parts/body.xml").write_text("<mujocoinclude><worldbody/></mujocoinclude>")
    reading.engine.load_gate.set()
    assert reading.engine.wait()
    assert reading.engine.idle()


def test_a_model_whose_reading_was_cancelled_is_watched(reading: Reading) -> None:
    reading.engine.load_gate.clear()
    reading.open("<mujoco/>")
    reading.thread.send(Cancel())
    wait_for(reading.thread, lambda s: s.run.progress is None)
    reading.engine.load_gate.set()
    assert reading.engine.idle()
    reading.main.write_text("<mujoco model='other'/>")
    assert reading.engine.wait()
    wait_for(reading.thread, lambda s: s.model is not None)


def test_files_of_the_model_before_are_not_watched(reading: Reading, tmp_path: Path) -> None:
    other = tmp_path / "other.xml"
    other.write_text("<mujoco/>")
    reading.open("<mujoco/>")
    wait_for(reading.thread, lambda s: s.model is not None)
    # from the moment in which another one is requested
    reading.engine.load_gate.clear()
    reading.thread.send(LoadModel(str(other)))
    assert reading.engine.wait()
    reading.main.write_text("<mujoco model='other'/>")
    assert reading.engine.idle()
    reading.engine.load_gate.set()
    assert reading.engine.idle()
    other.write_text("<mujoco model='other'/>")
    assert reading.engine.wait()


def test_a_file_that_breaks_the_compiler_is_watched_too(fake_engine: FakeEngine, tmp_path: Path) -> None:
    """An error that says nothing about files, a bug say."""
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco>")
    simulation = SimThread(fake_engine)
    simulation.start()
    simulation.send(LoadModel(str(broken)))
    simulation.wait_for_model(PATIENCE)
    first = simulation.latest.run.problem
    assert first is not None
    broken.write_text("<mujoco model='still broken'>")
    wait_for(simulation, lambda s: s.run.problem is not first)
    simulation.close()
