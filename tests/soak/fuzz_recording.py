"""Thousands of damaged and forged recordings: a clear error, or the part that is whole; no crash.

    python -m tests.soak.fuzz_recording [--count 100000] [--start 0]

Bits are flipped, the file is cut, frames are swapped, doubled and left out, numbers are forged with the right checksum:
in rows, changes, edits, steps, branches, the table of the model and its text. What opens is used: moments are restored
and stepped from, expressions evaluated. Each batch runs in a forked process, so that a crash is seen; the number of the
file that it was about is in shared memory.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import mmap
import os
import random
import resource
import signal
import struct
import sys
import tempfile
import traceback
import warnings
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import sim
from sim.recording import file_format as ff
from sim.recording.frames import START, FrameFile, frame
from sim.recording.run import CellValue, Key, ModelEdits
from sim.user_error import UserError
from tests.sim.recording.made_runs import MODEL, made_run, record
from tests.sim.sleep_scenes import PILES

MEMORY = 6 << 30
BATCH = 1000
# s that one file may take; a forged model can be as slow as it likes
PATIENCE = 300
NUMBERS: tuple[Any, ...] = (
    *(0, 1, -1, 2, 7, 255, 1 << 15, (1 << 31) - 1, 1 << 31, 1 << 32, 1 << 40, (1 << 63) - 1, -(1 << 31), -(1 << 63)),
    *(0.5, -0.0, 1e-300, 1e300, float("nan"), float("inf"), float("-inf"), 3.0, 1e9, 4294967296.0),
)
WORDS = ("", "a", "../x", "/x", "ä\0", "opt.integrator", "geom_bodyid")
ODD: tuple[Any, ...] = (*NUMBERS, *WORDS, None, True, [], {}, [[]])
TYPOS = (b"", b"9", b"-", b".", b"<", b'"', b"e9", b"nan", b"1")
Frames = list[tuple[str, bytes]]


# ---- recordings to damage


def bases(folder: Path) -> list[Frames]:
    """A run with branches and edits, one of trees that sleep, one of a script's callback, one with keyframes."""
    made = made_run(sim.loads(MODEL))
    record(made, folder / "0.ktr")
    m = sim.loads(PILES.xml)
    with sim.Recorder(m, sim.Data(m), folder / "1.ktr") as recorder:
        for _ in range(3):
            recorder.step(60)
            sim.apply_edits(m, ModelEdits({"opt.enableflags": (CellValue(0, 1 << 5, float(_ % 2)),)}))
    m = sim.loads(MODEL)
    d = sim.Data(m)
    sim.callbacks.control = lambda m, d: None
    with sim.Recorder(m, d, folder / "2.ktr") as recorder:
        recorder.step(50)
    sim.callbacks.control = None
    m = sim.loads(MODEL)
    d = sim.Data(m)
    with sim.Recorder(m, d, folder / "3.ktr") as recorder:
        recorder.step(5)
        key = Key("new", tuple((path, tuple(map(float, value))) for path, value in sim.key_values(m, d).items()))
        cells = {
            "key_qpos": (CellValue(9, 0, 0.5),),
            "geom_friction": (CellValue(3, 0, 0.2),),
            "body_mass": (CellValue(1, 0, 2.0),),
        }
        sim.apply_edits(m, ModelEdits(cells, (key,)))
        recorder.step(20)
    found = []
    for number in range(4):
        file = FrameFile(str(folder / f"{number}.ktr"))
        found.append([(one.type, file.payload(one)) for one in file.frames()])
    return found


# ---- damage


def forged_file(base: Frames, seed: int) -> bytes:
    """A recording with something wrong."""
    pick = random.Random(seed)
    frames = list(base)
    kind = pick.randrange(6)
    if kind == 0:
        return flipped(whole(frames), pick)
    if kind == 1:
        data = whole(frames)
        return data[: pick.randrange(len(data))]
    for _ in range(pick.choice((1, 1, 1, 2, 4))):
        if kind == 2:
            shuffle(frames, pick)
        elif frames:
            at = pick.randrange(len(frames))
            frames[at] = forged(*frames[at], pick)
    if kind == 5:
        forge_model(frames, pick)
    data = whole(frames)
    return flipped(data, pick) if pick.random() < 0.05 else data


def whole(frames: Frames) -> bytes:
    return START + b"".join(frame(*item) for item in frames)


def flipped(data: bytes, pick: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(pick.choice((1, 1, 2, 10, 100))):
        found[pick.randrange(len(found))] ^= 1 << pick.randrange(8)
    return bytes(found)


def shuffle(frames: Frames, pick: random.Random) -> None:
    """Swap, double or leave out frames."""
    if not frames:
        return
    a, b, action = pick.randrange(len(frames)), pick.randrange(len(frames)), pick.randrange(3)
    if action == 0:
        frames[a], frames[b] = frames[b], frames[a]
    elif action == 1:
        frames.insert(a, frames[b])
    else:
        del frames[a]


def forged(type_: str, data: bytes, pick: random.Random) -> tuple[str, bytes]:
    """A frame with other numbers; what is compressed is compressed again."""
    if type_ == "ROWS":
        rows = ff.unpack_rows(data).copy()
        for _ in range(pick.choice((1, 1, 5))):
            if rows.size:
                rows[pick.randrange(len(rows)), pick.randrange(rows.shape[1])] = float(pick.choice(NUMBERS))
        if pick.random() < 0.2:
            rows = rows[: pick.randrange(len(rows) + 1), : pick.randrange(rows.shape[1] + 1)]
        return type_, ff.pack_rows(rows)
    if type_ == "EDIT":
        return type_, data[:4] + zlib.compress(odd_json(zlib.decompress(data[4:]), pick))
    if type_ in ("MODL", "BRAN", "HEAD", "DROP", "DONE"):
        return type_, odd_json(data, pick)
    if type_ == "NOTE":
        return type_, data[: 1 + data[0]] + odd_json(data[1 + data[0] :], pick)
    if pick.random() < 0.2 or len(data) < 8:
        return pick.choice(("FILE", "SEGM", "BLCK", "STEP", "UNDO", "DROP", "XXXX")), data
    form = pick.choice(("<i", "<q", "<d", "<I"))
    size = struct.calcsize(form)
    at = pick.randrange(len(data) - size + 1) // 4 * 4
    value: Any = pick.choice(NUMBERS)
    part = struct.pack("<d", float(value)) if form == "<d" else struct.pack("<q", clipped(value))[:size]
    return type_, data[:at] + part + data[at + size :]


def clipped(value: Any) -> int:
    return int(min(max(value, -(1 << 63)), (1 << 63) - 1)) if value == value and abs(value) < 1e19 else -1


def odd_json(data: bytes, pick: random.Random) -> bytes:
    """JSON with something else in one place."""
    try:
        content = ff.unpack_json(data)
    except ValueError:
        return data
    return ff.pack_json(odd(content, pick))


def odd(content: Any, pick: random.Random) -> Any:
    if isinstance(content, dict) and content and pick.random() < 0.85:
        key = pick.choice(sorted(content))
        if pick.random() < 0.1:
            return {name: value for name, value in content.items() if name != key}
        if pick.random() < 0.1:
            return {**{name: value for name, value in content.items() if name != key}, "opt.timestep": content[key]}
        return {**content, key: odd(content[key], pick)}
    if isinstance(content, list) and content and pick.random() < 0.85:
        at = pick.randrange(len(content))
        if pick.random() < 0.1:
            return content + content[at : at + 1]
        return [*content[:at], odd(content[at], pick), *content[at + 1 :]]
    return pick.choice(ODD)


def forge_model(frames: Frames, pick: random.Random) -> None:
    """Another text of the model, with the digest that the table expects."""
    at = next((k for k, (type_, _) in enumerate(frames) if type_ == "FILE"), None)
    table = next((k for k, (type_, _) in enumerate(frames) if type_ == "MODL"), None)
    if at is None or table is None or len(frames[at][1]) < ff.FILE.size:
        return
    data = frames[at][1]
    try:
        text = bytearray(zlib.decompress(data[ff.FILE.size :]))
    except zlib.error:
        return
    for _ in range(pick.choice((1, 2, 8))):
        place = pick.randrange(len(text))
        text[place : place + pick.choice((1, 1, 4))] = pick.choice(TYPOS)
    digest = hashlib.sha256(text).digest()
    frames[at] = "FILE", ff.pack_file(digest, bytes(text))
    frames[table] = "MODL", frames[table][1].replace(data[:32].hex().encode(), digest.hex().encode())


# ---- use


def use(path: Path, pick: random.Random) -> str:
    """Open a recording and go to some moments; returns what came of it."""
    try:
        run = sim.load_recording(path)
    except (UserError, ValueError) as error:
        assert path.name in str(error), error
        return "refused"
    try:
        assert run.model.nbody
        for branch in run.branches:
            # near rows that are kept: what a forged count says would take hours
            blocks = [block for segment in run.run.branches[branch.id].segments for block in segment.blocks]
            for _ in range(3):
                start = pick.choice(blocks).first if blocks else branch.fork
                step = min(start + pick.choice((0, 1, 3, 30)), branch.last)
                d = run.restore(step, branch.id)
                sim.step(d.model, d, 2)
            run.evaluate(["d.time", "d.ncon"], branch.id, step, min(step + 20, branch.last))
            run.marks(branch.id)
    except (UserError, ValueError) as error:
        return "an error when used" if str(error) else "an error without a text"
    return "a part, with what is wrong" if run.damage else "opened"


def batch(found: list[Frames], seeds: range, folder: Path, at: mmap.mmap) -> Counter[str]:
    """Try some; counts of what came of them."""
    seen: Counter[str] = Counter()
    path = folder / f"bad{os.getpid()}.ktr"
    for seed in seeds:
        at[:8] = struct.pack("<q", seed)
        path.write_bytes(forged_file(found[seed % len(found)], seed))
        signal.alarm(PATIENCE)
        seen[use(path, random.Random(seed))] += 1
        signal.alarm(0)
    path.unlink()
    return seen


def forked(found: list[Frames], seeds: range, folder: Path, at: mmap.mmap) -> tuple[Counter[str], int]:
    """A batch in a process of its own; its exit status too."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            seen = batch(found, seeds, folder, at)
            os.write(writing, repr(dict(seen)).encode())
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode()
    _, status = os.waitpid(pid, 0)
    return Counter(ast.literal_eval(text) if text else {}), status


def fuzz(count: int, start: int = 0) -> tuple[Counter[str], list[str]]:
    """Try many; counts, and what failed."""
    warnings.simplefilter("ignore")
    total: Counter[str] = Counter()
    failures: list[str] = []
    at = mmap.mmap(-1, 8)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        found = bases(folder)
        for number in range(len(found)):
            # kernels are loaded once, for all processes
            assert use(folder / f"{number}.ktr", random.Random(0)) == "opened"
        first, end = start, start + count
        while first < end:
            seeds = range(first, min(first + BATCH, end))
            seen, status = forked(found, seeds, folder, at)
            total += seen
            first = seeds.stop
            if status:
                seed = struct.unpack("<q", at[:8])[0]
                failures.append(f"seed {seed}: {os.waitstatus_to_exitcode(status)}")
                first = seed + 1
    return total, failures


def main(count: int, start: int) -> int:
    """Try all; 1 if one did anything but open or say what is wrong."""
    total, failures = fuzz(count, start)
    print(f"{sum(total.values())} recordings: {dict(total)}, failures: {failures}")
    return 1 if failures or total["an error without a text"] else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--start", type=int, default=0)
    options = parser.parse_args()
    sys.exit(main(options.count, options.start))
