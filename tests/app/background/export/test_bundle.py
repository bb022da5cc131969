"""Archives for bug reports: complete, they run, the recording opens, and nothing in them names the user or a folder.

Files: bundle.py, last_seconds.py, environment.py, private.py.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

import sim
from app.background.export.bundle import Extras
from app.background.export.environment import versions, versions_text
from app.background.export.last_seconds import plain_model, steps_back, write_last_seconds
from app.background.export.private import HIDDEN, without_folders, without_paths
from app.background.export.write import ExportWriter
from app.run.history.taken_rows import TakenRows
from app.run.recording.run_recorder import read_view
from sim.edits import NO_EDITS, CellValue, ModelEdits
from sim.recording.read import read_recording
from sim.script.model_edits import apply_edits
from tests.app.background.export.exported import (
    TINY,
    asking,
    export,
    moment_of,
    mujoco_model,
    run_clean,
    run_here,
    run_to,
    written_files,
)

PNG = b"\x89PNG\r\n\x1a\n"


def rows_of(m: sim.Model, steps: int) -> tuple[sim.Data, np.ndarray]:
    """Data after some steps, and the rows of all of them."""
    d = run_to(m, 0)
    signature = m.engine.record_signature(m)
    rows = [m.engine.get_state(m, d, signature)]
    for _ in range(steps):
        m.engine.step(m, d)
        rows.append(m.engine.get_state(m, d, signature))
    return d, np.array(rows)


def unpacked(path: Path, folder: Path) -> Path:
    with ZipFile(path) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    return folder / path.stem


def test_an_archive_is_complete_and_runs(tmp_path: Path) -> None:
    m = sim.load(written_files(tmp_path / "project"))
    d, rows = rows_of(m, 30)
    extras = Extras(PNG, b"", versions("Kinetoscope", "llvmpipe"), "body rock")
    taken = [TakenRows(m, NO_EDITS, np.arange(31), rows)]
    wish = asking("d.ncon", text="It rolls.\nIt should not.")
    writer = ExportWriter(
        moment_of(m, d, "main.xml"), wish, tmp_path / "moment_a.zip", extras, taken, '{"a": 1}', run_here
    )
    written = writer.write()
    assert written.same, written.text
    assert written.warnings == ()
    place = unpacked(written.path, tmp_path / "there")
    assert {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()} == {
        "README.txt", "moment_a.py", "test_moment_a.py", "versions.txt", "view.png", "last_seconds.ktr",
        "model/model.xml", "model/assets/rock.obj", "model/assets/stripes.png", "model/assets/hills.png",
    }  # fmt: skip
    readme = (place / "README.txt").read_text()
    assert "    It rolls.\n    It should not." in readme
    assert "selected: body rock" in readme
    assert f"d.ncon = {int(moment_of(m, d).forwarded().ncon)}" in readme
    assert "GPU           llvmpipe" in (place / "versions.txt").read_text()
    # the model by itself, the script, and the recording
    assert sim.load(place / "model/model.xml").nmesh == 1
    printed = run_clean(place, "moment_a.py")
    assert printed.returncode == 0, printed.stdout + printed.stderr
    with sim.load_recording(place / "last_seconds.ktr") as recording:
        assert recording.verify() is None
        last = recording.data()
    assert np.array_equal(last.qpos, d.qpos)
    assert read_view(read_recording(place / "last_seconds.ktr").notes) == '{"a": 1}'


def test_nothing_names_the_user_or_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model's own file has its folder in full; the words of the user have the home."""
    home = tmp_path / "home of a-user-with-a long-name, whose-lines are-broken" / "quentin"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr(platform, "node", lambda: "quentins-machine")
    m = sim.load(written_files(home / "project"))
    d, rows = rows_of(m, 5)
    words = f"See {home}/notes.txt and {tmp_path}/log/a.txt, C:\\Users\\quentin\\a.txt; it is 1/2 of d.qpos/3."
    taken = [TakenRows(m, NO_EDITS, np.arange(6), rows)]
    extras = Extras(PNG, b"", versions(f"Kinetoscope in {home}/engine"), "body rock")
    writer = ExportWriter(
        moment_of(m, d), asking("d.ncon", text=words), tmp_path / "a.zip", extras, taken, "", run_here
    )
    place = unpacked(writer.write().path, tmp_path / "there")
    secrets = [str(home), str(tmp_path), "quentin", os.getcwd(), platform.node()]
    contents = {path.name: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    recorded = read_recording(place / "last_seconds.ktr")
    for version in recorded.versions:
        files = recorded.model_files(version)
        contents |= {f"ktr {name}": data for name, data in files.files.items()}
        contents["ktr folder"] = repr((files.folder, files.entry, files.packages, [*files.given])).encode()
    assert len(contents) > 10
    found = {(name, secret) for name, data in contents.items() for secret in secrets if secret.encode() in data}
    assert found == set()
    assert "See notes.txt and a.txt, a.txt; it is 1/2 of d.qpos/3." in (place / "README.txt").read_text()


def test_paths_are_taken_out_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/quentin"))
    said = {
        "in /home/quentin": f"in {HIDDEN}",
        "/home/quentin/a/c.xml is": "c.xml is",
        "in /Users/quentin, and": f"in {HIDDEN}, and",
        "read '/data/x/robot.obj' at": "read 'robot.obj' at",
        "m/s, 3 / 4, </body>, https://a.b/c/d": "m/s, 3 / 4, </body>, https://a.b/c/d",
    }
    assert {text: without_folders(text) for text in said} == said
    binary = b"\0\0/home/quentin/x.obj\0next\x01"
    assert without_paths(binary) == b"\0\0" + b"." * 19 + b"\0next\x01"


def test_versions_name_programs_and_no_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "quentins-machine")
    found = versions("MuJoCo 4.0.0", "llvmpipe")
    assert {"Kinetoscope", "Python", "numpy", "numba", "mujoco", "system"} <= set(found)
    assert (found["engine"], found["GPU"]) == ("MuJoCo 4.0.0", "llvmpipe")
    assert platform.node() not in versions_text(found)


# ---- the last seconds


def test_what_the_user_did_is_in_the_recording(tmp_path: Path) -> None:
    """A push between two steps, and an edit of the model: each step of it is to the bit."""
    m = sim.loads(TINY)
    d, before = rows_of(m, 10)
    d.qvel[0] = 1.0
    signature = sim.record_signature(m)
    pushed = [sim.get_state(m, d, signature)]
    for _ in range(5):
        sim.step(m, d)
        pushed.append(sim.get_state(m, d, signature))
    edits = ModelEdits({"opt.gravity": (CellValue(2, 0, 1.0),)})
    apply_edits(m, edits)
    edited = [sim.get_state(m, d, signature)]
    for _ in range(5):
        sim.step(m, d)
        edited.append(sim.get_state(m, d, signature))
    taken = [
        TakenRows(m, NO_EDITS, np.arange(10), before[:10]),
        TakenRows(m, NO_EDITS, np.arange(10, 15), np.array(pushed)[:5]),
        TakenRows(m, edits, np.arange(15, 21), np.array(edited)),
    ]
    assert write_last_seconds(plain_model(m), taken, tmp_path / "a.ktr", "tiny.xml") == 20
    with sim.load_recording(tmp_path / "a.ktr") as recording:
        assert recording.verify() is None
        assert recording.edits().cells == edits.cells
        assert np.array_equal(recording.data(step=12).qpos, pushed[2][1:8])
        last = recording.data()
    assert last.qvel[0] > 0.5
    assert np.array_equal(last.qpos, d.qpos)


def test_the_last_seconds_of_mujoco(tmp_path: Path) -> None:
    m = mujoco_model(TINY, tmp_path)
    d, rows = rows_of(m, 10)
    written = export(
        moment_of(m, d), asking("d.ncon"), tmp_path / "a.zip", taken=[TakenRows(m, NO_EDITS, np.arange(11), rows)]
    )
    assert written.same, written.text
    place = unpacked(written.path, tmp_path / "there")
    assert (place / "last_seconds.ktr").stat().st_size > 1000
    assert str(tmp_path).encode() not in (place / "last_seconds.ktr").read_bytes()


def test_a_recording_that_cannot_be_made_is_left_out(tmp_path: Path) -> None:
    m = sim.loads(TINY)
    d, rows = rows_of(m, 3)
    taken = [TakenRows(m, NO_EDITS, np.arange(4), rows[:, :-3])]
    written = export(moment_of(m, d), asking(), tmp_path / "a.zip", taken=taken)
    assert written.same
    assert len(written.warnings) == 1
    assert "the recording was left out" in written.warnings[0]
    assert not (unpacked(written.path, tmp_path / "there") / "last_seconds.ktr").exists()


def test_how_far_it_goes_back() -> None:
    assert steps_back(0.01, 100) == 500
    assert steps_back(1e-4, 100) == 2000
    assert steps_back(0.01, 1_000_000) == 8
    assert steps_back(100.0, 10) == 1
