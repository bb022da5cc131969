"""Stamps of files: they differ after every change, and files are noted once, by absolute paths."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sim.file_stamp import Stamps, note, stamp, stamps


def test_every_change_of_a_file_changes_its_stamp(tmp_path: Path) -> None:
    file, other = tmp_path / "a", tmp_path / "b"
    seen = [stamp(file)]
    file.write_text("1")
    seen.append(stamp(file))
    file.write_text("12")
    seen.append(stamp(file))
    moved = file.stat().st_mtime_ns + 1
    os.utime(file, ns=(moved, moved))
    seen.append(stamp(file))
    # one of the same size and date in its place
    other.write_text("34")
    os.utime(other, ns=(moved, moved))
    other.replace(file)
    seen.append(stamp(file))
    file.chmod(0)
    seen.append(stamp(file))
    assert len(set(seen)) == len(seen)
    assert stamp(file) == seen[-1]
    assert seen[0] is None


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "absent/a", "loop"])
def test_what_cannot_be_a_file_has_no_stamp(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert stamps([tmp_path / name]) == {tmp_path / name: None}


def test_files_are_noted_once_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    seen: Stamps = {}
    for name in ("sub/../a", "b", "a", str(tmp_path / "a"), "./b"):
        note(Path(name), seen)
        (tmp_path / "a").write_text("1")
    assert list(seen.items()) == [(tmp_path / "a", None), (tmp_path / "b", None)]


def test_dots_after_a_link_are_kept(tmp_path: Path) -> None:
    """They lead to the folder above the one that the link points to."""
    (tmp_path / "far" / "deep").mkdir(parents=True)
    (tmp_path / "far" / "a").write_text("1")
    (tmp_path / "link").symlink_to(tmp_path / "far" / "deep")
    place = tmp_path / "link" / ".." / "a"
    seen: Stamps = {}
    note(place, seen)
    assert seen == {place: stamp(tmp_path / "far" / "a")}
    assert seen[place] is not None
