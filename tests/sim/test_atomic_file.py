"""What a file keeps when it is replaced, and when that is; whole or not at all: tests/app/files/test_output.py."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import sim
from sim.atomic_file import write_all, write_atomic


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "m.xml"
    path.write_text("old and longer")
    path.chmod(0o600)
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_a_backup_may_be_read_by_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text("<mujoco/>")
    path.chmod(0o600)
    m = sim.load(path)
    m.opt.timestep = 0.5
    m.plan_save().write()
    assert (mode(path), mode(tmp_path / "m.xml~")) == (0o600, 0o600)
    assert (tmp_path / "m.xml~").read_text() == "<mujoco/>"


def test_a_link_in_place_of_a_backup_is_replaced(old: Path, tmp_path: Path) -> None:
    other, backup = tmp_path / "other", tmp_path / "m.xml~"
    other.write_text("precious")
    backup.symlink_to(other)
    write_all({old: b"new"}, {old: backup})
    assert other.read_text() == "precious"
    assert not backup.is_symlink() and backup.read_text() == "old and longer"
    assert old.read_text() == "new"


def test_all_names_of_a_file_stay_names_of_it(old: Path, tmp_path: Path) -> None:
    other, backup = tmp_path / "other", tmp_path / "m.xml~"
    other.hardlink_to(old)
    write_all({old: b"new"}, {old: backup})
    assert other.read_text() == "new" and other.samefile(old)
    assert backup.read_text() == "old and longer" and not backup.samefile(old)
    assert sorted(os.listdir(tmp_path)) == ["m.xml", "m.xml~", "other"]


def test_attributes_and_group_stay(old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # not every file system has attributes, and not everyone has two groups
    given: dict[str, object] = {}
    monkeypatch.setattr(os, "listxattr", lambda path: ["user.note"], raising=False)
    monkeypatch.setattr(os, "getxattr", lambda path, key: b"mine", raising=False)
    monkeypatch.setattr(os, "setxattr", lambda file, key, value: given.update({key: value}), raising=False)
    monkeypatch.setattr(os, "fchown", lambda file, owner, group: given.update(owner=owner, group=group), raising=False)
    write_atomic(old, b"new")
    found = old.stat()
    assert given == {"user.note": b"mine", "owner": found.st_uid, "group": found.st_gid}


def test_an_owner_that_cannot_be_given_stays(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refuse, raising=False)
    before = old.stat().st_ino
    backup = old.with_name("m.xml~")
    old.chmod(0o660)
    write_all({old: b"new"}, {old: backup})
    # the file is the same, and what its group could do is not for that of the backup
    assert (old.stat().st_ino, old.read_text(), mode(old)) == (before, "new", 0o660)
    assert mode(backup) == 0o600


def test_no_file_is_replaced_before_all_are_on_the_disk(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second, done = tmp_path / "second", list[str]()
    fsync, replace = os.fsync, Path.replace

    def synced(file: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file")
        fsync(file)

    def replaced(self: Path, target: Path) -> Path:
        done.append(target.name)
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write_all({old: b"new", second: b"new too"}, {old: tmp_path / "m.xml~"})
    assert done == ["file", "file", "file", "m.xml~", "m.xml", "second", "folder"]


def test_a_device_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomic(pipe, b"new")
    assert os.read(reader, 9) == b"new"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
