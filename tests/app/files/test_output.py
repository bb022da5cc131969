"""Files of the user: whole or not at all, under names that are free."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.application import Application
from app.files.output import dated_path, output_folder, reason, unused_path
from app.run import commands as cmd
from app.view.input import actions
from app.view.input.gesture import Gesture
from app.view.view_state import ViewState
from sim.atomic_file import write_atomic


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text in (b"first", b"", b"second"):
        write_atomic(path, text)
        assert path.read_bytes() == text
    assert list(tmp_path.iterdir()) == [path]


class Full(io.FileIO):
    """A file that takes two bytes; not everyone may write to /dev/full."""

    def write(self, data: Any) -> int:
        super().write(data[:2])
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_full_disk_leaves_the_old_file(unnamed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_atomic(path, b"old")
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    monkeypatch.setattr("os.fdopen", Full)
    with pytest.raises(OSError, match="No space"):
        write_atomic(path, b"new and longer")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_process_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    code = (
        "import os, sys; from sim.atomic_file import write_atomic; os.link = lambda *_, **__: os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", f"{code}; write_atomic(sys.argv[1], b'new')", str(path)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "old"


def test_a_file_system_without_unnamed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(0o640)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    open_file = os.open

    def open_named(name: Any, flags: int, *rest: Any) -> int:
        return refuse() if Path(name).is_dir() and flags & os.O_WRONLY else open_file(name, flags, *rest)  # type: ignore

    for name, instead in (("os.link", refuse), ("os.open", open_named)):
        with monkeypatch.context() as patch:
            patch.setattr(name, instead)
            write_atomic(path, name.encode())
        assert path.read_text() == name
        assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomic(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_names_that_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "film.mp4"
    names = []
    for _ in range(3):
        names.append(unused_path(path).name)
        (tmp_path / names[-1]).touch()
    assert names == ["film.mp4", "film-2.mp4", "film-3.mp4"]
    monkeypatch.chdir(tmp_path)
    first = dated_path("picture", "png")
    first.touch()
    assert first.parent == tmp_path
    assert first.name.startswith("picture-")
    assert dated_path("picture", "png") != first


def test_the_folder_is_named_while_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert output_folder() == str(folder)
    folder.rmdir()
    assert output_folder() == "the folder where the program was started"


def test_what_cannot_be_saved_is_said_at_once_and_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    sent: list[cmd.Command] = []
    app: Any = SimpleNamespace(view=ViewState(), send=sent.append, screenshot=lambda _: np.zeros((4, 4, 3), np.uint8))
    app.report = partial(Application.report, app)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("app.view.input.actions.write_atomic", fail)
    actions.screenshot(app, Gesture(""))
    text = f"{tmp_path}: no space left on device"
    assert sent == [cmd.Report("The image could not be saved", text)]
    assert app.view.feedback.message == f"The image could not be saved: {text}"


def test_reasons_are_words_of_the_system() -> None:
    assert reason(OSError(errno.ENOSPC, "No space left on device")) == "no space left on device"
    assert reason(NotADirectoryError(errno.ENOTDIR, "Not a directory", "/a/b")) == "'/a/b' is not a folder"


def test_a_link_in_the_way_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    other.write_text("precious")
    monkeypatch.setattr("secrets.token_hex", lambda _: "guessed")
    (tmp_path / ".a.json.guessed").symlink_to(other)
    with pytest.raises(FileExistsError):
        write_atomic(tmp_path / "a.json", b"new")
    assert other.read_text() == "precious"
