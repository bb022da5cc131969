"""Replays of recordings, models and scenes, from the command line and from Python; what is refused, and why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import kinetoscope
import numpy as np
import pytest
from pytest import approx

import app.web.gallery as galleries
import app.web.replay as replays
import sim
from app.__main__ import main
from app.files.resources import SceneFile
from sim.recording.frames import RecordingError
from sim.recording.run import Branch
from sim.recording.write import RecordingWriter
from tests.app.web.decoder import replay_of_page
from tests.sim.recording.made_runs import MODEL, MadeRun, made_run, record


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two branches of 0.34 s and 0.285 s, with a mark."""
    path = tmp_path / "run.ktr"
    record(made_run(sim.loads(MODEL)), path)
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "balls.xml"
    path.write_text(MODEL)
    return path


def header_of(path: Path) -> dict[str, Any]:
    header: dict[str, Any] = replay_of_page(path.read_text(encoding="utf-8")).header
    return header


def test_a_range_of_a_recording(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The frames of the range at the rate that is asked for, of the branch that is asked for, with its marks."""
    out = tmp_path / "new" / "run.html"
    limits = ["--from", "0.1", "--to", "0.3", "--fps", "20", "--branch", "0", "--plot", "d.qpos[2]", "--title", "Two"]
    assert main(["export", str(run), "-o", str(out), *limits]) == 0
    assert re.search(r"\(5 frames, 0\.\d\d MB, to 0\.0\d+ mm and 0\.0\d+°\)", capsys.readouterr().out)
    header = header_of(out)
    assert header["time"] == {"start": 0.1, "fps": 20.0, "count": 5}
    replay = replay_of_page(out.read_text(encoding="utf-8"))
    assert replay.array(header["times"]) == approx([0.1, 0.15, 0.2, 0.25, 0.3])
    assert header["marks"] == [{"time": approx(0.125), "until": approx(0.19), "text": "pulled", "kind": "PERTURB"}]
    assert (header["title"], header["file"], header["plots"][0]["label"]) == ("Two", "run.ktr", "d.qpos[2]")
    assert header["engine"] == sim.ENGINE
    latest = replays.Replay(run, fps=20).content
    assert latest.header["time"]["count"] == 6 and not latest.header["marks"]


def test_a_model_is_simulated(model: Path, tmp_path: Path) -> None:
    """A file from the keyframe that is asked for; a model of a script, which stays as it is."""
    out = tmp_path / "balls.html"
    assert main(["export", str(model), "-o", str(out), "--seconds", "0.1", "--fps", "30", "--key", "up"]) == 0
    replay = replay_of_page(out.read_text(encoding="utf-8"))
    assert (replay.header["title"], replay.header["file"], replay.header["time"]["count"]) == ("balls", "balls.xml", 4)
    assert replay.array(replay.header["nodes"]["rest"])[1][:3] == [0, 0, 1]
    m = sim.load(model)
    assert replays.Replay(m, seconds=0.1).content.header["time"]["count"] == 7
    with pytest.raises(TypeError, match="not of a int"):
        replays.Replay(3).html()


def test_notebooks(run: Path, tmp_path: Path) -> None:
    """A replay, a recording and a video are elements that need nothing else."""
    shown = kinetoscope.Replay(run, fps=10)._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and kinetoscope.load_recording(run)._repr_html_().startswith("<iframe")
    video = kinetoscope.show_video(np.random.default_rng(0).random((4, 32, 48, 3)), fps=10)
    assert (video.width, video.height) == (48, 32) and "src='data:video/mp4;base64," in video._repr_html_()
    with pytest.raises(ValueError, match="no frames"):
        kinetoscope.show_video([])
    with pytest.raises(ValueError, match="the shape"):
        kinetoscope.show_video([np.zeros((4, 4), np.uint8)])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["RUN", "-o", "a.html", "--from", "3"], "no state at 3 s"),
        (["RUN", "-o", "a.html", "--from", "0.2", "--to", "0.1"], "specify the earlier time first"),
        (["RUN", "-o", "a.html", "--branch", "third"], "no branch 'third'"),
        (["RUN", "-o", "a.html", "--plot", "d.qpos[99]"], "d.qpos[99]"),
        (["RUN", "-o", "a.html", "--ask", "d.time"], "--ask is for a single state"),
        (["RUN", "-o", "a.zip", "--fps", "30"], "--fps is for a replay"),
        (["RUN", "-o", "a.zip", "--doctor"], "--doctor is for a replay"),
        (["RUN", "-o", "a.usdz"], "usdz"),
        (["RUN"], "--out FILE"),
        (["MODEL", "-o", "a.glb", "--from", "1"], "for a model, give its seconds"),
        (["MODEL", "-o", "a.html", "--key", "down"], "no keyframe 'down'"),
        (["MODEL", "--gallery", "folder"], "leave out MODEL"),
        (["TEXT", "-o", "a.html"], "this is not a recording"),
    ],
)
def test_what_is_refused(
    run: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    text = tmp_path / "text.ktr"
    text.write_text("text")
    names = {"RUN": str(run), "MODEL": str(model), "TEXT": str(text), "folder": str(tmp_path / "folder")}
    assert main(["export", *(names.get(word, word) for word in arguments)]) == 1
    assert why in capsys.readouterr().err


def test_a_damaged_recording(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What comes before the damage is exported, and the damage is said."""
    run.write_bytes(run.read_bytes()[:-30])
    assert main(["export", str(run), "-o", str(tmp_path / "a.html")]) == 0
    assert "run.ktr: byte " in capsys.readouterr().err


def test_a_reload_within_the_range(tmp_path: Path) -> None:
    """A replay shows one model: the error names the time, and both halves can be exported."""
    path = tmp_path / "run.ktr"
    made = MadeRun(sim.loads(MODEL))
    made.begin(Branch(0))
    made.steps(20)
    made.begin()
    made.made[-1][0].version = 1
    made.steps(20)
    with RecordingWriter(path) as writer:
        writer.model(0, made.model)
        writer.model(1, sim.loads(MODEL.replace('mass="1"', 'mass="2"')))
        writer.sync(made.run)
    with pytest.raises(RecordingError, match=r"reloaded at 0\.1 s.*--to 0\.09\b.*--from 0\.1\b"):
        replays.Replay(path, fps=100).html()
    assert replays.Replay(path, fps=100, end=0.09).content.header["time"]["count"] == 10
    assert replays.Replay(path, fps=100, start=0.1).content.header["time"]["count"] == 11


def test_sizes_are_bounded(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each limit names the numbers and the cure."""
    cure = r"shorter range \(--from, --to, --seconds\) or fewer frames"
    for name, value, why in (
        ("MOST_POSES", 30, rf"18 frames of 3 bodies are too many: the most is 10 frames; .*{cure}"),
        ("MOST_CONTACTS", -1, rf"the first 1 of 18 frames have 0 contacts, too many: .*{cure}"),
        ("MOST_BYTES", 1000, r"a page of 18 frames would have 0\.\d MB \(.*poses 0\.0 MB.*more than 0\.0 MB"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(replays, name, value)
            with pytest.raises(replays.TooLarge, match=why):
                replays.Replay(run, branch=0, start=0.05, fps=60).html()


def test_an_old_file_stays_until_the_new_one_is_whole(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is left of one that failed."""
    out = tmp_path / "out" / "a.html"
    out.parent.mkdir()
    out.write_text("old")
    monkeypatch.setattr(replays, "finish", lambda place, path: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        replays.Replay(run, fps=10).save(out)
    assert out.read_text() == "old" and list(out.parent.iterdir()) == [out]


def test_a_landscape() -> None:
    """A mesh of 60 m is as exact as a small one."""
    m = sim.loads("""<mujoco><asset><mesh name="hill" vertex="0 0 0  60 0 0  0 60 .1  1.23456 2.34567 8.76543"/></asset>
        <worldbody><geom type="mesh" mesh="hill"/></worldbody></mujoco>""")
    assert 0 < replays.Replay(m, 0.01).content.errors.position < 1e-4


def test_what_the_doctor_says(tmp_path: Path) -> None:
    """Only where it is asked for."""
    path, out = tmp_path / "deep.xml", tmp_path / "deep.html"
    path.write_text(MODEL.replace('pos="0 0 0.4"', 'pos="0 0 0.05"'))
    for options, severities in (([], []), (["--doctor"], ["note"])):
        assert main(["export", str(path), "-o", str(out), "--seconds", "0.02", *options]) == 0
        remarks = header_of(out)["remarks"]
        assert [remark["severity"] for remark in remarks] == severities
    assert re.search(r"ball.* 50 mm inside", remarks[0]["text"])


def test_the_gallery(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page for each scene, and an index with captions."""
    monkeypatch.setattr(galleries, "bundled_scenes", lambda: [SceneFile("two_balls", model, "They fall <b>.")])
    assert main(["export", "--gallery", str(tmp_path / "g"), "--seconds", "0.05"]) == 0
    index = (tmp_path / "g" / "index.html").read_text()
    assert 'href="two_balls.html"' in index and "They fall &lt;b&gt;." in index and "script-src" not in index
    assert header_of(tmp_path / "g" / "two_balls.html")["title"] == "balls"
