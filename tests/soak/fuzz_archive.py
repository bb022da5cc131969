"""Thousands of hostile archives: each opens or raises MjcfError, and nothing is written.

    python -m tests.soak.fuzz_archive [--count 10000] [--start 0]

An archive has a model with a mesh under names that lead in, out and in circles, then bytes of its headers and contents
are changed, cut, doubled and moved. The folder it lies in is compared before and after; memory is limited.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from pathlib import Path

from tests.sim.mjcf.format.test_archive import CUBE, MESH, SPHERE

MEMORY = 6 << 30
GOOD = ("a.xml", "parts/b.xml", "m/c.obj", "textures/t.png", "ä.obj", "con", "x" * 300)
EVIL = (
    *("../model.xml", "/model.xml", "../c.obj", "a/../c.obj", "C:\\c.obj", "//host/c.obj", "model.xml/c.obj"),
    *(".", "..", "a\0b.xml", "a/../../c.obj", "..\\c.obj", "m/./../model.xml"),
)
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def archive_of(seed: int) -> bytes:
    """A hostile archive."""
    pick = random.Random(seed)
    data = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(data, "w", pick.choice(COMPRESSIONS)) as archive:
            names = GOOD if pick.random() < 0.7 else GOOD + EVIL
            for name in pick.sample(names, pick.randrange(5)):
                archive.writestr(zipfile.ZipInfo(name), pick.choice((SPHERE.format(1), CUBE, "", "\0" * 100_000)))
            mesh = pick.choice(("c.obj", "c.obj", *GOOD, *EVIL)).replace("\0", "")
            archive.writestr("model.xml", MESH.format(mesh))
            archive.writestr("c.obj", CUBE)
    return damaged(data.getvalue(), pick)


def damaged(data: bytes, pick: random.Random) -> bytes:
    """The archive with some of its bytes changed, cut, doubled or moved."""
    whole = bytearray(data)
    for _ in range(pick.choice((0, 1, 1, 2, 5, 50))):
        if not whole:
            break
        at, size = pick.randrange(len(whole)), pick.choice((1, 2, 4, 30))
        part = whole[at : at + size]
        action = pick.randrange(5)
        if action == 0:
            whole[at : at + size] = pick.randbytes(len(part))
        elif action == 1:
            del whole[at : at + size]
        elif action == 2:
            whole[at:at] = part
        elif action == 3:
            whole[at : at + 4] = pick.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"PK\x01\x02", b"PK\x05\x06"))
        else:
            to = pick.randrange(len(whole))
            whole[to : to + len(part)] = part
    return bytes(whole)


def listing(folder: Path) -> list[tuple[str, int]]:
    return sorted((str(path.relative_to(folder)), path.lstat().st_size) for path in folder.rglob("*"))


def main(count: int, start: int) -> int:
    """Try all; 1 if one did anything but open or raise MjcfError."""
    import sim

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        inside = Path(temporary) / "inside"
        inside.mkdir()
        (Path(temporary) / "c.obj").write_text(CUBE.replace("1", "7"))
        os.chdir(inside)
        path = inside / "robot.mjz"
        for seed in range(start, start + count):
            path.write_bytes(archive_of(seed))
            before = listing(Path(temporary))
            try:
                m = sim.load(path)
                # the file outside of the archive is never read
                assert not m.nmeshvert or abs(m.mesh_vert).max() < 7, f"seed {seed} read a file outside"
                seen["opened"] += 1
            except sim.MjcfError as error:
                seen["MjcfError"] += 1
                assert "robot.mjz" in str(error), f"seed {seed}: {error}"
            assert listing(Path(temporary)) == before, f"seed {seed} wrote a file"
    print(f"{count} archives: {dict(seen)}")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--start", type=int, default=0)
    options = parser.parse_args()
    sys.exit(main(options.count, options.start))
