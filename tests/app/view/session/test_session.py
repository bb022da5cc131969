"""A session in a file: what is written is read; anything else is refused with a sentence. The view comes back."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app import application
from app.run.journal.cells import Cell
from app.run.journal.journal import Entry, Journal, Write
from app.run.journal.journal_file import SavedJournal
from app.run.journal.saved_run import SavedRun
from app.view.plots import Watch
from app.view.session.session import Session, capture_view, restore_view
from app.view.session.session_file import read_session, write_session
from app.view.session.view_note import LONGEST, read_view_note, view_note
from app.view.view_state import ViewState
from tests.app.conftest import Views

SETTINGS = {"noise.scale": 0.1, "noise.rate": 0.0, "noise.seed": 7}
STEP = Cell("opt.timestep", "", 0)


POINTS = (('touching("a", "é")', True), ("1 +", False))


def session() -> Session:
    """One with something in every part."""
    view = ViewState(camera_id=0, tracked=1)
    view.camera.azimuth, view.camera.lookat, view.options.contact_point = 12.0, (1.0, 2.0, 1 / 3), True
    view.plots.watches = [Watch("qpos[0]")]
    view.select("geom", 1)
    journal = Journal().record(Entry(0, "timestep", 1.0, 0.0, (Write(STEP, 0.002, 0.003),)))
    saved = SavedJournal(journal, {STEP: 0.002}, {STEP: 0.003})
    run = SavedRun("/x/my model.xml", "start", 0.5, False, saved, bytes(range(256)), SETTINGS, POINTS, digest="12ab")
    return Session(run, capture_view(view), (850, 600, False), 1e9 / 3)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_session(tmp_path / "session.json", session())
    assert read_session(tmp_path / "session.json") == session()
    bare = Session(SavedRun("model.xml", settings=SETTINGS))
    write_session(tmp_path / "session.json", bare)
    assert read_session(tmp_path / "session.json") == bare
    # nothing else is left
    assert [path.name for path in tmp_path.iterdir()] == ["session.json"]


FORGED: list[tuple[str, Any]] = [
    ("path", 5), ("start_key", 1), ("speed", "1"), ("speed", None), ("speed", float("nan")), ("paused", 0),
    ("state", "no base64"), ("state", 1), ("state", "é"), ("journal", {}), ("journal", None),
    ("window", [10**9, 1, True]),
    ("window", ["a", "b", True]), ("window", [1, 2]), ("window", [1, 2, 3]), ("view", []), ("view", {"camera": {}}),
    ("when", "now"), ("settings", {"noise.seed": 1}), ("settings", SETTINGS | {"noise.seed": 1.5}),
    ("settings", SETTINGS | {"time": 1}),
    ("breakpoints", None), ("breakpoints", ["d.time > 1"]), ("breakpoints", [[1, True]]), ("breakpoints", [["1", 1]]),
    ("digest", 1), ("nonsense", 1),
]  # fmt: skip
FORGED_VIEWS: list[tuple[str, Any]] = [
    ("camera", {"azimuth": "x"}), ("camera", {"lookat": [1, 2]}), ("camera", {"distance": float("inf")}),
    ("options", {"shadow": 1}), ("options", {"frame": "nonsense"}), ("options", {"geom_group": [True]}),
    ("camera_id", 1.5), ("watches", [1]), ("selection", ["geom", -1]), ("selection", "no"), ("tracked", None),
]  # fmt: skip


def test_a_forged_session_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    write_session(file, session())
    good = json.loads(file.read_text())
    views = [("view", good["view"] | {name: value}) for name, value in FORGED_VIEWS]
    for name, value in [*FORGED, *views]:
        file.write_text(json.dumps(good | {name: value}))
        with pytest.raises(ValueError, match=r"wrong type or value|journal is not a table"):
            read_session(file)
    for text in ("", "{", "[]", "[" * 100_000, "\xff"):
        file.write_bytes(text.encode("latin-1"))
        with pytest.raises(ValueError):
            read_session(file)


def test_a_damaged_file_is_a_session_or_refused(tmp_path: Path) -> None:
    file, chance, refused = tmp_path / "session.json", random.Random(1), 0
    write_session(file, session())
    whole = file.read_bytes()
    for _ in range(400):
        damaged = bytearray(whole[: chance.randrange(len(whole))] if chance.random() < 0.2 else whole)
        for _ in range(chance.randint(1, 3)):
            if damaged:
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        file.write_bytes(damaged)
        try:
            read_session(file)
        except ValueError:
            refused += 1
    assert refused > 200


def test_the_view_comes_back(views: Views) -> None:
    model, _ = views("<worldbody><camera/><body><freejoint/><geom size='1'/><geom size='1'/></body></worldbody>")
    view = ViewState()
    restore_view(session().view, view, model)
    assert capture_view(view) == session().view
    assert view.plots.watches == [Watch("qpos[0]")]
    # an element that is gone is not selected; changed source has other options
    other = ViewState()
    saved = session().view | {"selection": ["geom", 7], "options": asdict(other.options) | {"gone": True}}
    restore_view(saved, other, model)
    assert other.selection is None
    assert not hasattr(other.options, "gone")
    before = capture_view(other)
    restore_view({}, other, model)
    assert capture_view(other) == before


def test_a_view_is_a_note_of_a_recording() -> None:
    """What is written is read; anything else is refused, as in a session."""
    view = session().view
    assert read_view_note(view_note(view)) == view
    assert read_view_note(view_note({})) == {}
    forged = [json.dumps(view | {name: value}) for name, value in FORGED_VIEWS]
    for text in (*forged, "", "{", "[]", "1", '{"camera": {}}', "[" * 50_000, " " * LONGEST + "{}"):
        with pytest.raises(ValueError):
            read_view_note(text)


def test_edits_that_the_file_has_are_not_unsaved() -> None:
    run = session().run
    assert run.unsaved == 1
    assert replace(run, journal=replace(run.journal, in_file={STEP: 0.003})).unsaved == 0
    assert replace(run, journal=replace(run.journal, journal=run.journal.journal.undo())).unsaved == 0


class Begun(Exception):
    """The window is open, and what it shows is known."""


@pytest.mark.parametrize("restored", [False, True])
def test_instruments_are_those_of_a_session(restored: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """They answer a question about a run: another one begins without them, one that is restored has its own."""

    def load(view: ViewState) -> bool:
        view.prefs.instruments = ["Energy"]
        return True

    def stop(*_: object) -> None:
        raise Begun

    monkeypatch.setattr(application, "open_screen", lambda _: SimpleNamespace(window=None, viewport=None))
    monkeypatch.setattr(application.settings, "load", load)
    monkeypatch.setattr(application.streams, "listen", stop)
    sessions = SimpleNamespace(session=replace(session(), window=None)) if restored else None
    opened: Any = SimpleNamespace(view=ViewState(), sessions=sessions, _wish=SimpleNamespace(size=None))
    with pytest.raises(Begun):
        application.Application._open(opened)
    assert opened.view.prefs.instruments == (["Energy"] if restored else [])
