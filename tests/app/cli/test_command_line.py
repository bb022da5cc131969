"""The command line, in processes of its own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

from app import __version__, bootstrap
from app.__main__ import COMMANDS, main
from app.files import resources
from app.files.resources import FIRST_SCENE, bundled_scenes, find_scene, folder, is_bundled
from app.run.commands import open_command
from sim.mjcf.format.table import FORMATS, SUFFIXES
from tests.app.movie import read_frames
from tests.patience import finished

ROOT = Path(__file__).resolve().parents[3]


def kinetoscope(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command without a screen."""
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-m", "app", *arguments]
    return finished(command, env=env, cwd=cwd)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["--version"])
    assert done.value.code == 0
    import sim

    assert capsys.readouterr().out == f"kinetoscope {__version__}\n" and sim.__version__ == __version__


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "humanoid_arm.xml").touch()
    assert main(["info", "pil"]) == 1
    assert main(["info", str(tmp_path / "humanoid_rm.xml")]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert "did you mean pile?" in first
    assert "did you mean humanoid_arm.xml" in second
    assert all(len(line) < 250 for line in (first, second))


def test_a_warning_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text("<mujoco/>")
    code = "import sys, warnings; from app import __main__ as m; sys.argv = ['kinetoscope', 'info', 'm.xml']\n"
    code += "m.main = lambda: warnings.warn('it is odd') or 0\nm.program()"
    done = finished([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path)
    assert done.stderr == "kinetoscope: it is odd\n"


def test_the_list_of_commands_has_whole_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    rows = capsys.readouterr().out.partition("COMMAND --help):")[2].splitlines()
    assert len(rows) > 5
    assert not [row for row in rows if row.rstrip().endswith((",", ":"))]


def test_scenes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(FIRST_SCENE)
    assert len(lines) == len(bundled_scenes())


def test_scenes_have_every_format(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for number, suffix in enumerate((*SUFFIXES, ".sdf")):
        (tmp_path / f"scene{number}{suffix}").write_bytes(b"PK\xff<!-- a\ncaption -->")
    monkeypatch.setattr(resources, "folder", lambda _: tmp_path)
    assert [scene.path.suffix for scene in bundled_scenes()] == [*SUFFIXES]
    assert {scene.caption for scene in bundled_scenes()} == {"a caption"}
    assert find_scene("scene2").name == "scene2.urdf"


def test_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["info", "--help"])
    shown = capsys.readouterr().out
    assert [row.name for row in FORMATS if row.read and row.name not in shown] == []


def test_nothing_is_taken_from_the_folder_one_stands_in(tmp_path: Path) -> None:
    for name in ("argparse", "json", "numpy", "platformdirs", "traceback", "yaml", "app.cli"):
        (tmp_path / f"{name}.py").write_text("open('PWNED', 'w')")
    done = kinetoscope("info", "double_pendulum", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "PWNED").exists()


def test_the_set_up_asks_for_no_module_of_the_folder_one_stands_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pip.py").write_text("open('PWNED', 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path)
    monkeypatch.setattr(bootstrap, "UNFINISHED", tmp_path / "unfinished")
    monkeypatch.setattr(bootstrap, "PYTHON", sys.executable)
    bootstrap.venv_fault({})
    assert not (tmp_path / "PWNED").exists()


def starts_of_python(text: str) -> list[list[object]]:
    """The constants of every command that starts Python with a module or with code."""
    lists = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.List)]
    words = [[part.value for part in node.elts if isinstance(part, ast.Constant)] for node in lists]
    return [found for found in words if {"-c", "-m"} & {*map(str, found)}]


def test_no_process_that_is_started_looks_into_the_folder_one_stands_in() -> None:
    """-P leaves that folder out, -I too."""
    found = {
        file: starts_of_python(file.read_text()) for place in ("app", "sim") for file in (ROOT / place).rglob("*.py")
    }
    assert sum(map(len, found.values())) > 6
    assert [(file, start) for file, starts in found.items() for start in starts if start[0] not in ("-P", "-I")] == []


@pytest.mark.parametrize("size", ["wide", "0x10", "10", "10x", "99999x2"])
def test_bad_size(size: str) -> None:
    with pytest.raises(SystemExit) as done:
        main(["render", "sculpture", "--out", "x.png", "--size", size])
    assert done.value.code == 2


def test_render(tmp_path: Path) -> None:
    out = tmp_path / "new" / "x.png"
    done = kinetoscope(
        "render", "sculpture", "--out", str(out), "--size", "200x100", "--time", "0.2", "--camera", "above"
    )
    assert done.returncode == 0, done.stderr
    with Image.open(out) as picture:
        assert picture.size == (200, 100)


def test_contacts_and_forces_can_be_shown(tmp_path: Path) -> None:
    model = tmp_path / "ball.xml"
    ball = "<body pos='0 0 .0999'><freejoint/><geom size='.1'/></body>"
    model.write_text(f"<mujoco><worldbody><geom type='plane' size='0 0 1'/>{ball}</worldbody></mujoco>")
    pixels = []
    for show in ((), ("--show", "contacts,forces")):
        out = tmp_path / "x.png"
        done = kinetoscope("render", str(model), "-o", str(out), "--size", "200x100", "--time", "0.1", *show)
        assert done.returncode == 0, done.stderr
        with Image.open(out) as picture:
            pixels.append(picture.convert("RGB").tobytes())
    assert pixels[0] != pixels[1]
    with pytest.raises(SystemExit) as wrong:
        main(["render", "sculpture", "--out", "x.png", "--show", "ghosts"])
    assert wrong.value.code == 2


def test_without_a_screen_a_video_is_left(tmp_path: Path) -> None:
    done = kinetoscope("double_pendulum", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert "no screen" in done.stdout
    frames = list(read_frames(tmp_path / "double_pendulum.mp4"))
    assert len(frames) == 75
    assert np.abs(frames[0].astype(int) - frames[40]).max() > 60


def test_a_recording_without_a_screen_is_not_simulated_again(tmp_path: Path) -> None:
    """It says which command makes a video of it."""
    (tmp_path / "my run.ktr").touch()
    done = kinetoscope("my run.ktr", cwd=tmp_path)
    assert done.returncode == 1
    assert "no screen" in done.stderr and "kinetoscope record 'my run.ktr' -o video.mp4" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["my run.ktr"]


def test_record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "new" / "x.gif"
    options = ["--seconds", "0.4", "--fps", "10", "--size", "120x80", "--camera", "front", "--show", "contacts,joint"]
    assert main(["record", "newtons_cradle", "-o", str(out), *options]) == 0
    assert capsys.readouterr().out == f"{out} (4 frames)\n"
    assert [frame.shape for frame in read_frames(out)] == [(80, 120, 3)] * 4
    assert main(["record", "newtons_cradle", "-o", str(out / "y.mp4")]) == 1
    assert "is not a folder" in capsys.readouterr().err
    for wrong in (["--seconds", "0"], ["--fps", "0"], ["--show", "ghosts"]):
        with pytest.raises(SystemExit) as done:
            main(["record", "newtons_cradle", "-o", str(out), *wrong])
        assert done.value.code == 2


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "rovers"]) == 0
    out = capsys.readouterr().out
    for words in ("degrees of freedom", "36", "height fields", "Newton", "0.003"):
        assert words in out


def test_info_speaks_as_mjcf_does(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chosen = {"integrator": "implicitspringdamper", "solver": "CG", "cone": "elliptic", "jacobian": "sparse"}
    attributes = " ".join(f'{name}="{word}"' for name, word in chosen.items())
    (tmp_path / "model.xml").write_text(f"<mujoco><option {attributes}/></mujoco>")
    assert main(["info", str(tmp_path / "model.xml")]) == 0
    out = capsys.readouterr().out.split()
    assert [out[out.index(name) + 2] for name in chosen] == list(chosen.values())


def test_pack(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An archive opens as the scene does."""
    archive = tmp_path / "touch.mjz"
    assert main(["pack", "touch", "-o", str(archive)]) == 0
    assert f"{archive}: " in capsys.readouterr().out
    assert main(["info", str(archive)]) == 0
    packed = capsys.readouterr().out.partition("┌")[2]
    assert main(["info", "touch"]) == 0
    assert capsys.readouterr().out.partition("┌")[2] == packed
    assert main(["pack", "touch", "-o", str(tmp_path / "touch.xml")]) == 1
    assert "must end in .mjz or .zip" in capsys.readouterr().err


def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "friction_ramp", "--seconds", "0.1"]) == 0
    out = capsys.readouterr().out
    for words in ("Kinetoscope", f"MuJoCo {mujoco.__version__}", "50 steps", "time relative to MuJoCo"):
        assert words in out


def test_without_mujoco(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert main(["check", "friction_ramp"]) == 1
    assert capsys.readouterr().err.count("pip install mujoco") == 1
    assert main(["bench", "friction_ramp", "--seconds", "0.1"]) == 0
    assert "time over" not in capsys.readouterr().out


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    # each on a line of its own
    assert all(f"\n  {command}: " in out for command in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["render", "arch", "-o", "x.xyz"], "'x.xyz' must end in one of .png"),
        (["render", "arch", "-o", "x.png", "--time", "nan"], "'nan' is not zero or a positive number"),
        (["render", "arch", "-o", "x.png", "--time", "-1"], "'-1' is not zero or a positive number"),
        (["record", "arch", "-o", "x.mp4", "--fps", "0"], "'0' is not a whole number from 1 to 240"),
        (["record", "arch", "-o", "x.mp4", "--fps", "fast"], "'fast' is not a whole number from 1 to 240"),
        (["record", "arch", "-o", "x.mp4", "--size", "0x0"], "'0x0' is not a size such as 1280x800"),
    ],
)
def test_wrong_arguments_are_named(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(arguments)
    assert done.value.code == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_check_and_bench_of_bad_models(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco><worldbody><geom tipe='sphere'/></worldbody></mujoco>")
    for command in ("check", "bench"):
        assert main([command, str(bad)]) == 1
        assert capsys.readouterr().err.count("\n") == 1


def test_model_that_only_mujoco_refuses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> None:
        raise ValueError(f"XML Error:\nno {path}")

    monkeypatch.setattr("mujoco.MjModel.from_xml_path", refuse)
    assert main(["check", "friction_ramp"]) == 1
    assert "cannot load" in capsys.readouterr().err
    assert main(["bench", "friction_ramp", "--seconds", "0.1"]) == 0
    caught = capsys.readouterr()
    assert "XML Error: no" in caught.err
    assert "Kinetoscope" in caught.out


def test_bad_model(tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco>\n<worldbody>\n<geom tipe='sphere'/>\n</worldbody>\n</mujoco>")
    for arguments in (["bad.xml"], ["record", "bad.xml", "--out", "x.mp4"]):
        done = kinetoscope(*arguments, cwd=tmp_path)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        for words in ("bad.xml", "3", "tipe"):
            assert words in done.stderr


def test_a_fault_of_ours_is_a_sentence_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("xpos")

    monkeypatch.setattr("app.instruments.doctor.examine.examine", fail)
    assert main(["doctor", "wall"]) == 1
    assert capsys.readouterr().err == (
        "kinetoscope: a bug in Kinetoscope (KeyError: 'xpos'); please report it with the output of --traceback\n"
    )
    with pytest.raises(KeyError):
        main(["doctor", "wall", "--traceback"])


def test_missing_file_and_camera(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["render", "nowhere.xml", "--out", str(tmp_path / "x.png")]) == 1
    assert "nowhere.xml" in capsys.readouterr().err
    assert main(["render", str(tmp_path), "--out", str(tmp_path / "x.png")]) == 1
    assert "is a folder" in capsys.readouterr().err
    assert main(["render", "sculpture", "--out", str(tmp_path / "x.png"), "--camera", "none"]) == 1
    assert "above" in capsys.readouterr().err


def test_scene_files() -> None:
    names = [scene.name for scene in bundled_scenes()]
    assert names[0] == FIRST_SCENE
    assert len(names) >= 24
    assert all(scene.caption for scene in bundled_scenes())
    path = bundled_scenes()[1].path
    assert find_scene(names[1]) == path
    assert is_bundled(path)
    assert open_command(path).start_key is not None
    assert open_command(Path("elsewhere.xml")).start_key is None
    assert folder("shaders").joinpath("surface.frag").exists()
    with pytest.raises(FileNotFoundError):
        folder("nonsense")
