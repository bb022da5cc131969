"""Arguments that commands share (app/cli/arguments.py): cameras, points with negative numbers, sizes."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from PIL import Image

from app.__main__ import main
from app.cli.arguments import add_camera, free_camera, joined_numbers, size_of
from sim.user_error import UserError
from tests.app.movie import read_frames

BALL = """<mujoco><worldbody><camera name='front'/><body name='ball'><freejoint/><geom size='.1'/></body></worldbody>
<keyframe><key name='high' qpos='0 0 9 1 0 0 0'/></keyframe></mujoco>"""


@pytest.mark.parametrize(
    ("given", "joined"),
    [
        (["--lookat", "-1,0,2", "x"], ["--lookat=-1,0,2", "x"]),
        (["--lookat", "-1", "0", "-2e-1", "x"], ["--lookat=-1,0,-2e-1", "x"]),
        (["--lookat", "1", "2", "x"], ["--lookat=1,2", "x"]),
        (["--lookat"], ["--lookat"]),
        (["--azimuth", "-90", "x"], ["--azimuth=-90", "x"]),
        (["--elevation", "-1e1"], ["--elevation=-1e1"]),
        (["x", "--azimuth=3", "--size", "2x2"], ["x", "--azimuth=3", "--size", "2x2"]),
    ],
)
def test_numbers_may_be_negative(given: list[str], joined: list[str]) -> None:
    assert joined_numbers(given) == joined


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_camera(parser)
    return parser.parse_args(joined_numbers(arguments))


def test_camera() -> None:
    options = parsed("--lookat", "-1", "0", ".5", "--distance", "2", "--azimuth", "-90", "--elevation", "-20")
    assert free_camera(options).given == ["lookat", "distance", "azimuth", "elevation"]
    assert options.lookat == (-1, 0, 0.5) and options.azimuth == -90
    with pytest.raises(UserError, match="leave out --track"):
        free_camera(parsed("--camera", "front", "--track", "ball"))


@pytest.mark.parametrize(
    "wrong",
    [("--lookat", "1,2"), ("--lookat", "1", "2"), ("--lookat", "a,b,c"), ("--distance", "0"), ("--azimuth", "nan")],
)
def test_what_makes_no_sense(wrong: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as done:
        parsed(*wrong)
    assert done.value.code == 2


def test_sizes_say_their_limit() -> None:
    assert size_of("20 x 30") == (20, 30)
    with pytest.raises(argparse.ArgumentTypeError, match="at most 16384 pixels"):
        size_of("20000x30")


def test_render_and_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A keyframe, a free camera, the small size of a gif and its exact rate."""
    model, image, gif = tmp_path / "ball.xml", tmp_path / "x.png", tmp_path / "x.gif"
    model.write_text(BALL)
    place = ["--key", "high", "--lookat", "0", "0", "9", "--azimuth", "-30", "--distance", "1"]
    assert main(["render", str(model), "-o", str(image), "--size", "40x40", *place]) == 0
    with Image.open(image) as picture:
        sky, ball = picture.convert("RGB").getpixel((1, 1)), picture.convert("RGB").getpixel((20, 20))
    assert sky != ball
    capsys.readouterr()
    assert main(["record", str(model), "-o", str(gif), "--seconds", "0.2", "--fps", "30", "--track", "ball"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [
        f"{gif} (5 frames)",
        "gif frames last whole hundredths of a second: the rate can be 25 frames/s, but not 30",
    ]
    assert [frame.shape for frame in read_frames(gif)] == [(360, 640, 3)] * 5


@pytest.mark.parametrize("command", [["render", "-o", "x.png"], ["record", "-o", "x.mp4"], ["record", "-o", "x.ktr"]])
def test_an_unknown_keyframe_is_answered_with_the_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ball.xml").write_text(BALL)
    assert main([command[0], "ball.xml", *command[1:], "--key", "hihg"]) == 1
    assert "no keyframe 'hihg': did you mean 'high'? Its keyframes: high" in capsys.readouterr().err


def test_the_window_takes_a_keyframe_and_a_camera_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a screen it says so as it does with one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    Path("ball.xml").write_text(BALL)
    assert main(["ball.xml", "--key", "hihg"]) == 1
    assert "did you mean 'high'" in capsys.readouterr().err
    assert main(["ball.xml", "--camera", "front", "--lookat", "-1", "0", "0"]) == 1
    assert "leave out --lookat" in capsys.readouterr().err
