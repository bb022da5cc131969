"""Files that are dropped on a page: into a private folder of this process, bounded, and gone when it ends."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path, PurePosixPath
from typing import IO

from app.files.recordings import is_listed
from sim.mjcf.format.table import is_model

# of one drop, and of all that are kept
MOST_BYTES, MOST_KEPT = 256 << 20, 1 << 30


class TooLarge(Exception):
    """It does not fit; the message says so."""


class Uploads:
    """The folders of all drops so far."""

    def __init__(self) -> None:
        self._top: Path | None = None
        self._count = 0
        self._kept = 0

    def begin(self, files: tuple[tuple[str, int], ...]) -> Upload:
        """A drop of files, by their names and sizes."""
        size = sum(size for _, size in files)
        if size > MOST_BYTES or self._kept + size > MOST_KEPT:
            most = min(MOST_BYTES, MOST_KEPT - self._kept) >> 20
            raise TooLarge(f"that is {size / (1 << 20):.0f} MB: the host takes {most} MB now")
        self._kept += size
        self._count += 1
        if self._top is None:
            # for this user alone
            self._top = Path(tempfile.mkdtemp(prefix="kinetoscope-drop-"))
        return Upload(self._top / str(self._count), files)

    def close(self) -> None:
        """Remove all of them."""
        if self._top is not None:
            shutil.rmtree(self._top, ignore_errors=True)


class Upload:
    """Files that are on their way, one after another."""

    def __init__(self, folder: Path, files: tuple[tuple[str, int], ...]) -> None:
        self._folder = folder
        self._files = list(files)
        self._left = 0
        self._file: IO[bytes] | None = None
        folder.mkdir()
        self._names = [name for name, _ in files]
        self._next()

    @property
    def done(self) -> bool:
        """Whether all bytes have come."""
        return self._file is None

    def take(self, data: bytes) -> None:
        """The next bytes; raises ValueError if they are more than was said."""
        while data:
            if self._file is None:
                raise ValueError("more bytes than were announced")
            part = data[: self._left]
            self._file.write(part)
            self._left -= len(part)
            data = data[len(part) :]
            if not self._left:
                self._next()

    def abandon(self) -> None:
        """It does not come to an end."""
        if self._file is not None:
            self._file.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def opened(self) -> Path | None:
        """The file to open: a model or a recording, the one nearest to the top; None if there is none."""
        paths = [PurePosixPath(name) for name in self._names]
        found = [path for path in paths if is_model(Path(path)) or is_listed(Path(path))]
        # meshes have names of models too, in formats that say so only inside
        found.sort(key=lambda path: (len(path.parts), path.suffix.lower() not in (".xml", ".mjcf", ".urdf", ".ktr")))
        return self._folder / found[0] if found else None

    def _next(self) -> None:
        """Go on with the next file; those without bytes are made at once."""
        if self._file is not None:
            self._file.close()
            self._file = None
        while self._files and self._file is None:
            name, self._left = self._files.pop(0)
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("xb")
            if not self._left:
                self._file.close()
                self._file = None
