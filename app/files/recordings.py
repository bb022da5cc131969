"""Recordings of runs among files: `.ktr`, and videos that carry one."""

from __future__ import annotations

from pathlib import PurePath

SUFFIX = ".ktr"
# dialogs do not list them: few carry a recording
VIDEO_SUFFIXES = (".mp4", ".gif")


def is_recording(path: str | PurePath) -> bool:
    """Whether a file is to be opened as a recording: one that is, or a video, which may carry one."""
    return PurePath(path).suffix.lower() in (SUFFIX, *VIDEO_SUFFIXES)


def is_listed(path: str | PurePath) -> bool:
    """Whether a dialog lists a file as a recording."""
    return PurePath(path).suffix.lower() == SUFFIX
