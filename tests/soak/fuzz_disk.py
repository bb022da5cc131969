"""Thousands of damaged and forged files, of every kind that is read from disk besides MJCF.

    python -m tests.soak.fuzz_disk [--cases 10000] [--seed 0] [--only state]

State files, settings, places of panels, files opened lately, what one run leaves to the next, compiled kernels: each
is taken over or refused as it is documented, a refused one changes nothing and is not lost, and what is taken over can
be worked with: a state makes three steps, places are drawn by ImGui. Everything runs in this process, so that a crash
of native code ends it: the file that did it is in the folder that is named at the start, and the number of the case
beside it. KINETOSCOPE_CHECK=1 makes a wrong index an error.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import faulthandler
import io
import json
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import imgui
from rich.console import Console
from rich.table import Table

import sim
from app.files import config, recent
from app.run import commands as cmd
from app.run.journal.journal import Entry, NewKey
from app.run.journal.journal_file import SavedJournal
from app.run.journal.saved_run import SavedRun
from app.run.live_edits import LiveEdits
from app.run.snapshot import view_model
from app.ui import layout_text
from app.view import settings
from app.view.session import session, session_file
from app.view.view_state import ViewState
from sim.jit import cache
from tests.app.live import MODEL
from tests.app.model.test_editable import edits_of

ISLANDS = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="2 0 3"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
# every part of a state: activations, delays, equalities, mocap bodies, user data
PARTS = """<mujoco><size nuserdata="3"/><worldbody>
<body name="hand" mocap="true" pos="0 0 2"><geom size=".1" contype="0" conaffinity="0"/></body>
<body name="arm" pos="0 0 1"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
<body pos=".5 0 0"><joint name="b" type="ball"/><geom size=".1"/></body></body>
<body name="free" pos="0 1 1"><freejoint/><geom size=".1"/></body></worldbody>
<equality><weld body1="hand" body2="free"/></equality>
<actuator><general joint="a" dyntype="integrator" delay=".01" nsample="4"/></actuator></mujoco>"""

EXTREMES = (0, 1, -1, 2, 7, -12, 255, 1 << 15, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63), 10**6)
ODD_FLOATS = (0.0, -0.0, 1e-320, 1.0, -1.0, 1e9, 1e10, 1e11, 1e154, 1e308, -1e308, np.inf, -np.inf, np.nan)
ODD_JSON = (
    None, True, False, 0, -1, 1.5, 10**30, 1e308, float("nan"), float("inf"), "", "x", "\0", "\ud800", "x" * 5000, [],
    {}, [[]], {"": 0}, "span.nbody", "geom_bodyid", "Quit", "__class__",
)  # fmt: skip
# the places that a start without settings gives, with a table
PLACES = """[Window][Simulation]
Pos=0,35
Size=246,521
Collapsed=0
DockId=0x00000007,0
LastUsed=20261117

[Window][Physics]
Pos=1127,35
Size=273,837
Collapsed=0
DockId=0x00000004,0

[Table][0x8257A902,3]
RefScale=13
Column 0  Width=19 Order=0 ID=0xC1D04330
Column 1  Weight=0.7755 Order=1 Sort=0v ID=0xD280B0C4
Column 2  Weight=1.2245 Order=2 Sort=1v ID=0x20EB33C7

[Docking][Data]
DockSpace       ID=0x7039376F Window=0x1BBC0F80 Pos=0,35 Size=1400,837 Split=X
  DockNode      ID=0x00000001 Parent=0x7039376F SizeRef=246,900 Split=Y
    DockNode    ID=0x00000007 Parent=0x00000001 SizeRef=246,560 Selected=0xCA59C0CF
    DockNode    ID=0x00000008 Parent=0x00000001 SizeRef=246,338 Selected=0xF752468A
  DockNode      ID=0x00000002 Parent=0x7039376F SizeRef=1152,900 Split=X
    DockNode    ID=0x00000003 Parent=0x00000002 SizeRef=877,900 CentralNode=1
    DockNode    ID=0x00000004 Parent=0x00000002 SizeRef=273,900 Selected=0x4E91AF29
"""
LAYOUT_FILE = "layout.ini"

TAKEN, REFUSED = "taken over", "refused"


# ---------------------------------------------------------------- damage


def damaged(content: bytes, pick: random.Random) -> bytes:
    """A few bytes changed, cut out, put in or moved."""
    data = bytearray(content)
    for _ in range(pick.choice((1, 1, 1, 2, 5, 30))):
        a, b = sorted(pick.randrange(len(data) + 1) for _ in range(2))
        b = min(b, a + 40)
        way = pick.randrange(6)
        if way == 0 and a < len(data):
            data[a] ^= 1 << pick.randrange(8)
        elif way == 1:
            data[a:b] = b""
        elif way == 2:
            data[a:a] = pick.randbytes(pick.choice((1, 4, 40)))
        elif way == 3:
            data[a:a] = data[pick.randrange(len(data) + 1) :][: b - a]
        elif way == 4 and b - a >= 4:
            data[a : a + 4] = pick.choice((0, 1, 0xFFFFFFFF, 0x7FFFFFFF)).to_bytes(4, "little")
        elif way == 5 and pick.random() < 0.3:
            del data[a:]
    return bytes(data)


def reworded(text: str, pick: random.Random) -> bytes:
    """Lines moved, doubled or dropped, numbers changed; or damage."""
    if pick.random() < 0.3:
        return damaged(text.encode(), pick)
    lines = text.split("\n")
    for _ in range(pick.choice((0, 1, 1, 2, 5))):
        k = pick.randrange(len(lines))
        way = pick.randrange(4)
        if way == 0:
            lines.insert(pick.randrange(len(lines)), lines[k])
        elif way == 1 and len(lines) > 1:
            del lines[k]
        elif way == 2:
            words = lines[k].replace("=", "= ").replace(",", " ,").split(" ")
            words[pick.randrange(len(words))] = pick.choice(("0", "-1", "99999", "0x00000001", "9" * 12, "%n", "[", ""))
            lines[k] = " ".join(words).replace("= ", "=").replace(" ,", ",")
        else:
            numbers = [i for i, letter in enumerate(lines[k]) if letter.isdigit()]
            for i in numbers[-1:] if pick.random() < 0.5 else pick.sample(numbers, min(1, len(numbers))):
                lines[k] = lines[k][:i] + str(pick.randrange(10)) + lines[k][i + 1 :]
    return "\n".join(lines).encode()


def retold(value: Any, pick: random.Random) -> bytes:
    """JSON in which something became something else; or damage."""
    text = json.dumps(value)
    if pick.random() < 0.3:
        return damaged(text.encode(), pick)
    value = copy.deepcopy(value)
    for _ in range(pick.choice((0, 1, 1, 2, 4))):
        place: Any = [value]
        inner = value
        while isinstance(inner, dict | list) and inner and pick.random() < 0.8:
            place = inner
            key = pick.choice(list(inner)) if isinstance(inner, dict) else pick.randrange(len(inner))
            inner = inner[key]
        if place == [value]:
            continue
        if pick.random() < 0.2:
            del place[key]
        else:
            place[key] = pick.choice(ODD_JSON)
    return json.dumps(value).encode()


# ---------------------------------------------------------------- states


class States:
    """Saved states of two models, forged field by field or damaged byte by byte."""

    name = "state"

    def __init__(self, folder: Path) -> None:
        self._path = folder / "state.npz"
        self._worlds = []
        for xml, steps in ((ISLANDS, (0, 60, 200)), (PARTS, (0, 30))):
            m = sim.loads(xml)
            d = sim.Data(m)
            contents = []
            for n in steps:
                sim.step(m, d, max(n, 1))
                # the mouse has hold of something in all but the first
                d.perturb.select, d.perturb.active = 1, (1 if n else 0)
                sim.save_state(m, d, self._path)
                with np.load(self._path) as archive:
                    contents.append((self._path.read_bytes(), dict(archive)))
            sim.reset(m, d)
            self._worlds.append((m, d, contents))

    def __call__(self, pick: random.Random) -> str:
        m, d, contents = pick.choice(self._worlds)
        whole, fields = pick.choice(contents)
        self._path.write_bytes(damaged(whole, pick) if pick.random() < 0.25 else forged(fields, pick))
        before = _memory(d)
        try:
            sim.load_state(m, d, self._path)
        except ValueError as refusal:
            assert str(refusal).startswith(f"{self._path}: "), refusal
            assert _memory(d) == before, "a refused file changed Data"
            return REFUSED
        sim.step(m, d, 3)
        if pick.random() < 0.05:
            sim.reset(m, d)
        return TAKEN


def _memory(d: sim.Data) -> tuple[bytes, ...]:
    """Everything in Data."""
    return d._block.tobytes(), d._buffer.tobytes(), *(d.array(name).tobytes() for name in sorted(d._outside))


def forged(fields: dict[str, Any], pick: random.Random) -> bytes:
    """A whole file in which some fields are others."""
    fields = dict(fields)
    for _ in range(pick.choice((0, 1, 1, 2, 3))):
        name = pick.choice([n for n in fields if n == "state" or n.startswith(("tree", "sleep", "perturb"))])
        fields[name] = forged_field(fields[name], pick)
    if pick.random() < 0.1:
        del fields[pick.choice(list(fields))]
    if pick.random() < 0.2:
        name = pick.choice(("span.nbody", "nbody_awake", "body_awake_ind", "sleep.static_valid", "more", "model", "nq"))
        fields[name] = np.array(pick.choice(EXTREMES))
    file = io.BytesIO()
    np.savez(file, **fields)
    return file.getvalue()


def forged_field(value: Any, pick: random.Random) -> Any:
    """Other numbers, another order of them, another shape or another type."""
    value = np.array(value)
    way = pick.random()
    if way < 0.1:
        shape = pick.choice(((), (0,), (1,), (*value.shape, 1), (2, *value.shape), (10**5,)))
        return np.zeros(shape, value.dtype)
    # words that numbers were made into before stay words
    if way < 0.2 and value.dtype.kind != "U":
        return value.astype(pick.choice(("f4", ">f8", "i8", "u1", "U3", "c16", "?")))
    if not value.size or value.dtype.kind not in "fi":
        return value
    if way < 0.4 and value.ndim:
        return np.roll(value, pick.randrange(4), axis=0)
    odd = ODD_FLOATS if value.dtype.kind == "f" else [n for n in EXTREMES if abs(n) < 1 << 31]
    near = (-11, -3, -1, 0, 1, 2, 3) if value.dtype.kind == "i" else (0.0, 0.5, -2.0, 100.0)
    for _ in range(pick.choice((1, 1, 2, value.size))):
        value.flat[pick.randrange(value.size)] = pick.choice(near if pick.random() < 0.7 else odd)
    return value


# ---------------------------------------------------------------- settings


def not_lost(file: Path, content: bytes) -> None:
    """What a file held is still there, under its own name or set aside."""
    aside = file.with_name(f"{file.name}.bad")
    assert any(f.exists() and f.read_bytes() == content for f in (file, aside)), "a file was lost"


class Settings:
    """The user's taste."""

    name = "settings"

    def __init__(self, folder: Path) -> None:
        self._file = folder / settings.FILE
        self._good = {name: getattr(ViewState().prefs, name) for name in settings.SAVED} | {"font_scale": 1.2}

    def __call__(self, pick: random.Random) -> str:
        content = retold(self._good, pick)
        self._file.write_bytes(content)
        view, usual = ViewState(), ViewState()
        settings.load(view)
        not_lost(self._file, content)
        kinds = [type(getattr(view.prefs, name)) is type(getattr(usual.prefs, name)) for name in settings.SAVED]
        assert all(kinds) and 0.5 < view.prefs.font_scale < 3.0
        refused = not self._file.exists()
        settings.save(view)
        again = ViewState()
        settings.load(again)
        assert all(getattr(again.prefs, name) == getattr(view.prefs, name) for name in settings.SAVED)
        return REFUSED if refused else TAKEN


class Recent:
    """Files opened lately."""

    name = "recent files"

    def __init__(self, folder: Path) -> None:
        self._file = folder / recent.FILE
        self._good = [str(folder), str(Path(__file__)), "no/such/file.xml", str(self._file)]

    def __call__(self, pick: random.Random) -> str:
        content = retold(self._good, pick)
        self._file.write_bytes(content)
        found = recent.recent_files()
        not_lost(self._file, content)
        assert len(found) <= recent.MOST and all(path.is_file() for path in found)
        return TAKEN if self._file.exists() else REFUSED


class Places:
    """Where panels are: what is accepted is drawn."""

    name = "places of panels"

    def __init__(self, folder: Path) -> None:
        self._file = folder / LAYOUT_FILE

    def __call__(self, pick: random.Random) -> str:
        content = reworded(PLACES, pick)
        self._file.write_bytes(content)
        text = config.read(LAYOUT_FILE, layout_text.fault)
        not_lost(self._file, content)
        if not text:
            return REFUSED
        with _gui():
            imgui.load_ini_settings_from_memory(text)
            for _ in range(2):
                _draw_panels()
            imgui.save_ini_settings_to_memory()
        return TAKEN


@contextlib.contextmanager
def _gui() -> Iterator[None]:
    """ImGui without a window."""
    imgui.create_context()
    try:
        gui = imgui.get_io()
        gui.display_size, gui.delta_time = imgui.ImVec2(1400, 900), 1 / 60
        gui.config_flags |= imgui.ConfigFlags_.docking_enable
        gui.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        gui.set_ini_filename("")
        yield
    finally:
        imgui.destroy_context()


def _draw_panels() -> None:
    imgui.new_frame()
    imgui.dock_space_over_viewport(0x7039376F, imgui.get_main_viewport())
    for name in ("Simulation", "Physics"):
        if imgui.begin(name)[0] and imgui.begin_table("table", 3, imgui.TableFlags_.resizable):
            imgui.end_table()
        imgui.end()
    imgui.render()


# ---------------------------------------------------------------- restarts and kernels


class Session:
    """What one run leaves to the next."""

    name = "session"

    def __init__(self, folder: Path) -> None:
        self._file = folder / "left.json"
        model = sim.loads(MODEL)
        edits, data = edits_of(model), sim.Data(model)
        for command in (
            cmd.SetField("opt.timestep", 0.003), cmd.SetField("geom_friction", 0.5, (1,), 0),
            cmd.SetFlag("opt.enableflags", 2, True), cmd.Undo(), cmd.SetField("dof_damping", 0.5, (6,)),
        ):  # fmt: skip
            edits.apply(command)
        journal = edits.journal.record(Entry(0, "key", 1.0, 2.0, key=_new_key(edits, model, data)))
        cells = journal.base
        saved = SavedJournal(journal, edits.in_file(cells), edits.present(cells))
        state = sim.pack_state(model, sim.copy_state(model, data))
        run = SavedRun(
            "model.xml", None, 0.5, True, saved, state, {"noise.scale": 0.5, "noise.rate": 1.0, "noise.seed": 3}
        )
        session_file.write_session(
            self._file, session.Session(run, session.capture_view(ViewState()), (800, 600, False))
        )
        self._good = json.loads(self._file.read_bytes())
        assert session_file.read_session(self._file).run.journal.journal.values() == journal.values()

    def __call__(self, pick: random.Random) -> str:
        content = retold(self._good, pick)
        self._file.write_bytes(content)
        try:
            left = session_file.read_session(self._file)
        except ValueError:
            return REFUSED
        finally:
            assert self._file.read_bytes() == content
        model = sim.loads(MODEL)
        edits = edits_of(model)
        try:
            edits.adopt(left.run.journal.rebased(edits.read, edits.layout))
            state = sim.unpack_state(model, left.run.state)
        except ValueError:
            # it is shown, and the model is as its file says
            return REFUSED
        sim.restore_state(model, sim.Data(model), state)
        view = ViewState()
        session.restore_view(left.view, view, view_model(model))
        astuple(view.options)
        return TAKEN


def _new_key(edits: LiveEdits, model: sim.Model, data: sim.Data) -> NewKey:
    values = tuple((name, tuple(value.tolist())) for name, value in sim.key_values(model, data).items())
    return NewKey("new", values, edits.layout)


class Kernels:
    """Object code: what comes back is what was stored, or nothing."""

    name = "compiled kernels"

    def __init__(self, folder: Path) -> None:
        self._unit = cache.Unit(bytes(range(256)) * 20, 1.5)
        cache.write("a.b", "key", self._unit)
        self._file = cache._path("a.b", "key")
        self._good = self._file.read_bytes()

    def __call__(self, pick: random.Random) -> str:
        self._file.write_bytes(damaged(self._good, pick))
        found = cache.read("a.b", "key")
        assert found is None or found.code == self._unit.code
        return REFUSED if found is None else TAKEN


# kind of file -> how often it is tried
KINDS: dict[Callable[[Path], Any], int] = {States: 6, Settings: 1, Recent: 1, Places: 2, Session: 2, Kernels: 1}


@contextlib.contextmanager
def _apart(folder: Path) -> Iterator[None]:
    """Settings and compiled kernels of this run are in a folder of its own; the engine's kernels are not."""
    place, user = cache.folder, config.folder
    try:
        config.folder = lambda: folder
        yield
    finally:
        cache.folder, config.folder = place, user


def fuzz(cases: int, seed: int, folder: Path, only: str = "") -> tuple[Counter[tuple[str, str]], dict[int, str]]:
    """Try files; how many of each kind were taken over or refused, and what went wrong with which."""
    outcomes: Counter[tuple[str, str]] = Counter()
    failures: dict[int, str] = {}
    with _apart(folder), warnings.catch_warnings(), open(folder / "case", "wb", buffering=0) as note:
        warnings.simplefilter("ignore")
        own, kernels = cache.folder, lambda: folder
        kinds = []
        for kind in KINDS:
            # where kernels are stored is asked for by those that are to be run, too
            cache.folder = kernels if kind is Kernels else own
            kinds.append(kind(folder))
        weights = [*KINDS.values()]
        for case in range(cases):
            pick = random.Random(f"{seed} {case}")
            kind = pick.choices(kinds, weights)[0]
            if only and kind.name != only:
                continue
            os.pwrite(note.fileno(), b"%12d\n" % case, 0)
            cache.folder = kernels if isinstance(kind, Kernels) else own
            try:
                outcomes[kind.name, kind(pick)] += 1
            except Exception:
                failures[case] = f"{kind.name}: {traceback.format_exc()}"
    return outcomes, failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="one kind of file")
    options = parser.parse_args()
    faulthandler.enable()
    folder = Path(tempfile.mkdtemp(prefix="fuzz-disk-"))
    print(f"in {folder}", flush=True)
    begin = time.monotonic()
    outcomes, failures = fuzz(options.cases, options.seed, folder, options.only)
    table = Table(title=f"{sum(outcomes.values())} files, seed {options.seed}, {time.monotonic() - begin:.0f} s")
    for column in ("kind", TAKEN, REFUSED):
        table.add_column(column, justify="left" if column == "kind" else "right")
    for name in sorted({name for name, _ in outcomes}):
        table.add_row(name, str(outcomes[name, TAKEN]), str(outcomes[name, REFUSED]))
    table.add_row("failed", "", str(len(failures)))
    console = Console()
    console.print(table)
    for case, what in list(failures.items())[:20]:
        console.print(f"case {case}: {what}", highlight=False, markup=False)
    if not failures:
        shutil.rmtree(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
