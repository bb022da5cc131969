"""Archives: a model with all its files in one zip, as MuJoCo's .mjz.

The main file is model.xml, else NAME.xml, NAME/NAME.xml or NAME/model.xml where NAME.mjz is the archive, else the only
model in the archive's top folder. Files are read from the archive alone and only into memory, whatever their names; a
member counts with its real size, so that an archive of little size cannot ask for much memory.
"""

from __future__ import annotations

import io
import os
import posixpath
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from sim.mjcf.errors import MjcfError
from sim.mjcf.source import Node, Totals, XmlReader

if TYPE_CHECKING:
    import zipfile

MOST_MEMBERS = 20_000
# characters of another library's message
MOST_TOLD = 80
# of all members that are read, together, also in the archives of attached models
MOST_BYTES = 1 << 30


class Archive:
    """The members of a zip file by normalized name; `Store` of an XmlReader."""

    def __init__(self, name: str, data: bytes, totals: Totals) -> None:
        import zipfile

        self.name = name
        self._totals = totals
        self._contents: dict[str, bytes] = {}
        with self._damage():
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            members = self._zip.infolist()
        if len(members) > MOST_MEMBERS:
            raise self.error(f"the archive has {len(members)} files", f"the maximum is {MOST_MEMBERS}")
        self._members: dict[str, zipfile.ZipInfo] = {}
        for member in members:
            if not member.filename.endswith("/"):
                self._add(member)

    def _add(self, member: zipfile.ZipInfo) -> None:
        """A member under its normalized name; one that would lie outside of the archive is an error."""
        written = member.filename.replace("\\", "/")
        name = posixpath.normpath(written)
        if written.startswith("/") or name.startswith("..") or ":" in written.partition("/")[0]:
            raise self.error(f"'{member.filename[:80]}' in the archive points outside it", "rename it")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise self.error(f"'{member.filename[:80]}' in the archive is a link", "pack the file itself")
        if name == ".":
            raise self.error("a file in the archive has no name", "pack it again")
        if name in self._members:
            raise self.error(f"'{name[:80]}' appears twice in the archive", "remove one")
        self._members[name] = member

    def names(self) -> Iterator[str]:
        """All members."""
        return iter(self._members)

    def read(self, path: Path) -> bytes | None:
        """The content of a member, or None if there is none."""
        name = posixpath.normpath(str(path).replace("\\", "/"))
        if name not in self._contents:
            if name not in self._members:
                return None
            self._contents[name] = self._unpacked(self._members[name])
        return self._contents[name]

    def _unpacked(self, member: zipfile.ZipInfo) -> bytes:
        """The content of a member, as far as the limit allows; its header may lie about the size."""
        left = MOST_BYTES - self._totals.unpacked
        with self._damage(), self._zip.open(member) as file:
            data = file.read(left + 1)
        self._totals.unpacked += len(data)
        if len(data) > left:
            raise self.error(f"the archive unpacks to more than {MOST_BYTES >> 20} MB", "make it smaller")
        return data

    def package_folders(self, variable: str) -> list[Path]:
        """None: what an archive needs is in it."""
        return []

    def main(self, suffixes: tuple[str, ...]) -> str:
        """The name of the main file; models have these suffixes."""
        stem = PurePosixPath(self.name.replace(os.sep, "/")).stem
        for name in ("model.xml", f"{stem}.xml", f"{stem}/{stem}.xml", f"{stem}/model.xml"):
            if name in self._members:
                return name
        models = [name for name in self._members if name.lower().endswith(suffixes)]
        depth = min((name.count("/") for name in models), default=0)
        top = [name for name in models if name.count("/") == depth]
        if len(top) == 1:
            return top[0]
        found = f"it has {', '.join(sorted(top)[:5])}" if top else "it has no model"
        raise self.error(f"which file in the archive is the model? {found}", "name the main file model.xml")

    def error(self, message: str, cure: str) -> MjcfError:
        return MjcfError(message, self.name, cure=cure)

    @contextmanager
    def _damage(self) -> Iterator[None]:
        """Errors of a damaged archive become errors of the model."""
        try:
            yield
        except MjcfError:
            raise
        except Exception as why:
            # zipfile and its decompressors raise errors of many kinds
            encrypted = isinstance(why, RuntimeError) and "password" in str(why)
            # some quote bytes of the file
            told = str(why).encode("ascii", "backslashreplace").decode()
            what = "the archive is encrypted" if encrypted else f"the archive cannot be read: {told[:MOST_TOLD]}"
            raise self.error(what, "pack it again, without a password" if encrypted else "pack it again") from None


def read_archive(data: bytes | str, reader: XmlReader) -> Node:
    """The MJCF tree of a model in an archive."""
    # the table has this reader
    from sim.mjcf.format.table import FORMATS, SUFFIXES, read_tree, refused

    assert isinstance(data, bytes)
    if isinstance(reader.store, Archive):
        raise MjcfError("this is an archive inside an archive", reader.name, cure="unpack it")
    archive = Archive(reader.main, data, reader.totals)
    suffixes = {PurePosixPath(name).suffix.lower() for name in archive.names()}
    for row in FORMATS:
        # such as .usdz, which is a zip too
        if row.read is None and suffixes & set(row.suffixes) and not suffixes & set(SUFFIXES):
            raise refused(row, reader.main)
    main = archive.main(SUFFIXES)
    content = archive.read(Path(main))
    assert content is not None
    return read_tree(content, reader.within(main, archive))
