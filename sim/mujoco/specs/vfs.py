"""MjVfs: files in memory, by name."""

from __future__ import annotations

from typing import Any, Self


class MjVfs:
    """Files that are found before those on disk."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._closed = False

    def check_open(self) -> None:
        if self._closed:
            raise RuntimeError("VFS is closed")

    def close(self) -> None:
        self.files.clear()
        self._closed = True

    def __enter__(self) -> Self:
        self.check_open()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __setitem__(self, name: str, data: bytes) -> None:
        self.check_open()
        if not isinstance(data, bytes):
            raise TypeError(f"a file must be bytes, not {type(data).__name__}")
        if name in self.files:
            raise ValueError(f"file {name} already exists in the VFS")
        self.files[name] = data

    def __getitem__(self, name: str) -> bytes:
        self.check_open()
        return self.files[name]

    def __delitem__(self, name: str) -> None:
        self.check_open()
        del self.files[name]

    def __contains__(self, name: str) -> bool:
        self.check_open()
        return name in self.files

    def __len__(self) -> int:
        return len(self.files)
